# SPDX-License-Identifier: MIT
# What a job has recorded: the tree of stages, the bars, the newest metrics, and bounded rings of log lines and points.
# Threads: everything may be called from any task. The record's lock guards its lists; a node's lock its numbers, and is
# taken only where Julia has several threads. Nothing yields to another task under a lock.

const MAX_STAGES, MAX_BARS, MAX_METRIC_NAMES, MAX_DEPTH = 2000, 500, 1000, 256
const MAX_LOG_BYTES_KEPT = 1 << 20
const MAX_POINTS_KEPT = 4096

"When a row was last told, and in which datagram; what changed since is told next."
mutable struct Told
    changed::Bool
    seq::Int64
    up::Float64
end
Told() = Told(true, 0, 0.0)

"One stage at one place of the tree. Times are in ns; mean and m2 are Welford's."
mutable struct Node
    depth::Int
    name::String
    n::Int64
    sum::UInt64
    min::UInt64
    max::UInt64
    last::UInt64
    mean::Float64
    m2::Float64
    open::Int64
    since::UInt64
    errors::Int64
    is_slow::Bool      # usually outlasts the reports' interval, or nobody knows yet: its entry is told at once
    note::String
    told::Told
    lock::Threads.SpinLock
    children::Dict{String,Node}
    parent::Node       # the root is its own
    function Node(name::String, parent::Union{Node,Nothing} = nothing)
        depth = parent === nothing ? 0 : parent.depth + 1
        node = new(depth, name, 0, 0, typemax(UInt64), 0, 0, 0.0, 0.0, 0, 0, 0, true, "", Told(), Threads.SpinLock(),
                   Dict{String,Node}())
        node.parent = parent === nothing ? node : parent
        return node
    end
end

is_root(node::Node) = node.parent === node

function path_of(node::Node)
    path = String[]
    while !is_root(node)
        pushfirst!(path, node.name)
        node = node.parent
    end
    return path
end

@inline function begin_entry!(node::Node, now::UInt64)
    node.open == 0 && (node.since = now)
    node.open += 1
    return nothing
end

@inline function end_entry!(node::Node, start::UInt64, now::UInt64, failed::Bool)
    took = now - start
    node.n += 1
    node.sum += took
    node.min = min(node.min, took)
    node.max = max(node.max, took)
    node.last = took
    delta = Float64(took) - node.mean
    node.mean += delta / node.n
    node.m2 += delta * (Float64(took) - node.mean)
    node.open -= 1
    failed && (node.errors += 1)
    node.told.changed = true
    return nothing
end

"How fast a bar moves and when it will be done, from this run's own steps alone. Times are seconds since the bar's start."
mutable struct Pace
    rate::Float64
    done::Float64
    at::Float64
end
Pace() = Pace(0.0, 0.0, 0.0)

function update!(pace::Pace, elapsed::Float64, done::Float64)
    done < pace.done && (pace.rate = pace.done = pace.at = 0.0)  # set back: begin again
    gap = elapsed - pace.at
    (done == pace.done || gap <= 0) && return pace
    # A window that grows with the run: steady bars give steady estimates, yet a slower phase shows within a fifth.
    weight = pace.rate > 0 ? 1 - exp(-gap / max(5.0, elapsed / 5)) : 1.0
    pace.rate += weight * ((done - pace.done) / gap - pace.rate)
    pace.done, pace.at = done, elapsed
    return pace
end

rate_of(pace::Pace) = pace.rate > 0 ? pace.rate : nothing

"Seconds until `remaining` more steps are done. Time since the last step counts as progress on the next one."
function left_of(pace::Pace, remaining::Float64, elapsed::Float64)
    (pace.rate > 0 && remaining >= 0) || return nothing
    since_step = clamp(elapsed - pace.at, 0.0, 1 / pace.rate)
    return max(0.0, remaining / pace.rate - since_step)
end

const Amount = Union{Int64,Float64}
as_amount(value::Integer) = typemin(Int64) <= value <= typemax(Int64) ? Int64(value) : Float64(value)
as_amount(value::Real) = Float64(value)
as_amount(::Any) = nothing  # no number: unknown

"""
A progress bar: `update!(bar, k)`, `set!(bar; n, total, desc)`, `close(bar)`. The next bar of the same place (outer bar,
stage and description) uses the record again and counts as one more repeat.
"""
mutable struct Bar
    n::Int64              # while `real` is NaN
    real::Float64
    mask::Int64           # the clock is looked at when n & mask is 0
    looked_at::UInt64
    total::Union{Nothing,Amount}
    initial::Union{Nothing,Amount}
    desc::String
    unit::String
    state::String
    repeats::Int64
    started::UInt64
    ended::UInt64         # 0: still running
    pace::Pace
    told::Told
    told_n::Amount
    id::Int64
    loop::WeakRef         # the iterator that moves it, to see whether its loop was left
    stage::Node
    outer::Union{Nothing,Bar}
end

count_of(bar::Bar) = isnan(bar.real) ? bar.n : bar.real
is_short(bar::Bar) = bar.total !== nothing && count_of(bar) < bar.total
is_open(bar::Bar) = bar.ended == 0

function open_again!(bar::Bar, total, initial, now::UInt64)
    bar.total, bar.initial = total, initial
    bar.n, bar.real = initial isa Float64 ? (0, initial) : (something(initial, 0), NaN)
    bar.started, bar.ended, bar.state = now, 0, "running"
    bar.mask, bar.looked_at = 0, now
    bar.pace = Pace()
    bar.told.changed = true
    return bar
end

function end_bar!(bar::Bar, state::String, now::UInt64)
    is_open(bar) || return
    bar.ended, bar.state = now, state
    bar.told.changed = true
    return
end

const MetricValue = Union{Bool,Int64,Float64,String}

struct Point
    no::Int64
    name::String
    step::Union{Nothing,Amount}
    up::Float64
    value::MetricValue
    told::Told
end

struct LogLine
    no::Int64
    up::Float64
    level::String
    text::String
    cut::Int64
    stage::Node
    told::Told
end

mutable struct Record
    start::UInt64              # ns
    lock::Threads.SpinLock
    root::Node
    nodes::Vector{Node}        # without the root; parents come before their children
    bars::Vector{Bar}
    points::Vector{Point}
    latest::Vector{Point}      # the newest of each name
    latest_by_name::Dict{String,Int}
    logs::Vector{LogLine}
    log_bytes::Int
    log_no::Int64
    point_no::Int64
end
Record(start::UInt64) = Record(start, Threads.SpinLock(), Node(""), Node[], Bar[], Point[], Point[], Dict{String,Int}(),
                               LogLine[], 0, 0, 0)

seconds(ns::Integer) = ns * 1e-9
up(record::Record, now::UInt64) = seconds(now - record.start)

"The stage `name` inside `parent`, made when it is new. Where there are too many, one named \"other\" stands for the rest."
function child!(record::Record, parent::Node, name::String)
    Base.@lock record.lock begin
        found = get(parent.children, name, nothing)
        found === nothing || return found
        parent.depth < MAX_DEPTH || return parent
        if length(record.nodes) >= MAX_STAGES
            parent = record.root
            name = "other"
            found = get(parent.children, name, nothing)
            found === nothing || return found
        end
        node = Node(cut_text(valid_utf8(name), MAX_NAME_BYTES), parent)
        parent.children[name] = node
        push!(record.nodes, node)
        return node
    end
end

"The bar of this place: a new one, or the one that ended here before."
function open_bar!(record::Record, outer::Union{Nothing,Bar}, stage::Node, desc, unit, total, initial, now::UInt64)
    desc, unit = cut_text(valid_utf8(desc), MAX_NAME_BYTES), cut_text(valid_utf8(unit), 32)
    Base.@lock record.lock begin
        for bar in record.bars
            if !is_open(bar) && bar.outer === outer && bar.stage === stage && bar.desc == desc
                bar.repeats += 1
                return open_again!(bar, total, initial, now)
            end
        end
        full = length(record.bars) >= MAX_BARS
        id = full ? 0 : length(record.bars) + 1
        bar = Bar(0, NaN, 0, now, nothing, nothing, desc, unit, "running", 0, now, 0, Pace(), Told(), 0, id, WeakRef(nothing),
                  stage, outer)
        full || push!(record.bars, bar)  # beyond the bound a bar counts, but nobody is told of it
        return open_again!(bar, total, initial, now)
    end
end

function add_log!(record::Record, now::UInt64, level::String, text::String, stage::Node)
    kept = cut_text(text, MAX_LOG_BYTES)
    Base.@lock record.lock begin
        record.log_no += 1
        line = LogLine(record.log_no, up(record, now), level, kept, sizeof(text) - sizeof(kept), stage, Told())
        push!(record.logs, line)
        record.log_bytes += log_size(line)
        # Lines that were never sent wait longer, but not without bound: nobody may ever listen.
        while record.log_bytes > MAX_LOG_BYTES_KEPT &&
                (!record.logs[1].told.changed || record.log_bytes > 4 * MAX_LOG_BYTES_KEPT)
            record.log_bytes -= log_size(popfirst!(record.logs))
        end
        return line
    end
end
log_size(line::LogLine) = sizeof(line.text) + 128

function add_point!(record::Record, now::UInt64, name::String, step, value::MetricValue)
    Base.@lock record.lock begin
        name = cut_text(name, MAX_NAME_BYTES)
        known = get(record.latest_by_name, name, 0)
        if known == 0 && length(record.latest) >= MAX_METRIC_NAMES
            name = "other"
            known = get(record.latest_by_name, name, 0)
        end
        record.point_no += 1
        point = Point(record.point_no, name, step, up(record, now), value, Told())
        push!(record.points, point)
        if known == 0
            push!(record.latest, point)
            record.latest_by_name[name] = length(record.latest)
        else
            record.latest[known] = point
        end
        while length(record.points) > MAX_POINTS_KEPT &&
                (!record.points[1].told.changed || length(record.points) > 4 * MAX_POINTS_KEPT)
            popfirst!(record.points)
        end
    end
    return
end

"The stages in tree order: a parent before its children, siblings by their first entry."
function tree_order(record::Record)
    children = Dict{Node,Vector{Node}}()
    for node in record.nodes
        push!(get!(() -> Node[], children, node.parent), node)
    end
    order = Node[]
    visit(node) = (push!(order, node); foreach(visit, get(children, node, Node[])))
    foreach(visit, get(children, record.root, Node[]))
    return order
end

"The outermost bar that ran longest."
function main_bar(record::Record, now::UInt64)
    main = nothing
    for bar in record.bars
        bar.outer === nothing || continue
        main === nothing || elapsed_of(bar, now) > elapsed_of(main, now) || continue
        main = bar
    end
    return main
end
elapsed_of(bar::Bar, now::UInt64) = seconds((is_open(bar) ? max(now, bar.started) : bar.ended) - bar.started)
