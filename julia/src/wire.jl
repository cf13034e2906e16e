# SPDX-License-Identifier: MIT
# The rows of a report as values, their encoding, the packer that fills datagrams with them, and the answers that come
# back. sdk/PROTOCOL.md is the authority; fields stand in its order and with its defaults.

const PROTOCOL_VERSION = 1
const MIN_MTU, DEFAULT_MTU, MAX_MTU = 1024, 1200, 65507

const MaybeText = Union{Nothing,String}
const MaybeInt = Union{Nothing,Int64,UInt64}
const MaybeReal = Union{Nothing,Float64}
const MaybeNumber = Union{Nothing,Int64,UInt64,Float64}
const Labels = Vector{Pair{String,String}}

Base.@kwdef struct GitRow
    commit::String = ""
    branch::String = ""
    dirty::Bool = false
end

Base.@kwdef struct HelloRow
    name::String
    pid::MaybeInt = nothing
    start::MaybeReal = nothing
    parent::Union{Nothing,Vector{UInt8}} = nothing
    host::String = ""
    user::String = ""
    lang::String = ""
    sdk::String = ""
    git::Union{Nothing,GitRow} = nothing
    cwd::String = ""
    tags::Labels = Labels()
    env::Labels = Labels()
    argv::Vector{String} = String[]
end

Base.@kwdef struct UsageRow
    rss::MaybeInt = nothing
    peak::MaybeInt = nothing
    cpu::MaybeReal = nothing
    threads::MaybeInt = nothing
    gpu::Vector{Float64} = Float64[]
    self_cpu::MaybeReal = nothing
    sent::MaybeInt = nothing
    unsent::MaybeInt = nothing
end

Base.@kwdef struct BarRow
    id::Union{Int64,UInt64}
    parent::MaybeInt = nothing
    stage::Vector{String} = String[]
    n::Union{Int64,UInt64,Float64} = 0
    total::MaybeNumber = nothing
    initial::MaybeNumber = nothing
    unit::String = ""
    elapsed::Float64 = 0.0
    rate::MaybeReal = nothing
    eta::MaybeReal = nothing
    state::String = "running"
    repeats::Int64 = 0
    desc::String = ""
end

Base.@kwdef struct StageRow
    path::Vector{String}
    kind::String = "stage"
    n::Int64 = 0
    sum::Float64 = 0.0
    min::Float64 = 0.0
    max::Float64 = 0.0
    m2::Float64 = 0.0
    last::Float64 = 0.0
    open::Int64 = 0
    since::MaybeReal = nothing
    errors::Int64 = 0
    note::String = ""
end

Base.@kwdef struct MetricRow
    no::Int64
    name::String
    step::MaybeNumber = nothing
    up::Float64 = 0.0
    value::Union{Bool,Int64,UInt64,Float64,String}
end

Base.@kwdef struct LogRow
    no::Int64
    up::Float64 = 0.0
    level::String = "info"
    stage::Vector{String} = String[]
    part::Tuple{Int64,Int64} = (1, 1)
    cut::Int64 = 0
    text::String
end

Base.@kwdef struct ErrorRow
    type::String = ""
    trace::MaybeInt = nothing
    message::String = ""
end

Base.@kwdef struct FinishRow
    elapsed::Float64 = 0.0
    code::MaybeInt = nothing
    signal::MaybeInt = nothing
    state::String = "finished"
    error::Union{Nothing,ErrorRow} = nothing
end

# --- encoding; `limit` is what a row may take ---

function put_text!(out::Bytes, at::Int, limit::Int, key::String, text::String, longest::Int)
    room = limit - (out.size - at) - sizeof(key) - 6
    return put_entry!(out, key, cut_text(text, min(longest, room)), "")
end

put_path!(out::Bytes, key::String, path::Vector{String}) = isempty(path) ? 0 : put_entry!(out, key, shorten_path(path))

text_size(text::String) = head_size(sizeof(text)) + sizeof(text)
item_size(text::String) = text_size(text)
item_size(pair::Pair) = text_size(pair.first) + text_size(pair.second)
put_item!(out::Bytes, text::String) = put!(out, text)
put_item!(out::Bytes, pair::Pair) = (put!(out, pair.first); put!(out, pair.second))

"The first of `items` that fit, and where some do not, how many in a last one."
function put_fitting!(out::Bytes, at::Int, limit::Int, key::String, items, major::UInt8, mark)
    least = 48  # the key, a head, and the mark of what was left out
    room = limit - (out.size - at)
    (isempty(items) || room < least) && return 0
    room -= sizeof(key) + 4 + 16
    fitting = 0
    for item in items
        (room -= item_size(item)) < 0 && break
        fitting += 1
    end
    missing_items = length(items) - fitting
    put!(out, key)
    put_head!(out, major, fitting + (missing_items > 0))
    foreach(item -> put_item!(out, item), view(items, 1:fitting))
    missing_items > 0 && put_item!(out, mark(missing_items))
    return 1
end

function put_row!(out::Bytes, row::HelloRow, limit::Int)
    at = open_map!(out)
    count = put_entry!(out, "name", cut_text(row.name, MAX_NAME_BYTES)) + put_entry!(out, "pid", row.pid) +
            put_entry!(out, "start", row.start) + put_entry!(out, "parent", row.parent) +
            put_text!(out, at, limit, "host", row.host, 128) + put_text!(out, at, limit, "user", row.user, 64) +
            put_text!(out, at, limit, "lang", row.lang, 32) + put_text!(out, at, limit, "sdk", row.sdk, 32)
    row.git === nothing || (count += put_git!(out, row.git))
    count += put_text!(out, at, limit, "cwd", row.cwd, MAX_NAME_BYTES)
    left_out(n) = "…" => "+$n"
    count += put_fitting!(out, at, limit, "tags", row.tags, MAJOR_MAP, left_out)
    count += put_fitting!(out, at, limit, "env", row.env, MAJOR_MAP, left_out)
    count += put_fitting!(out, at, limit, "argv", row.argv, MAJOR_ARRAY, n -> "…+$n")
    close_map!(out, at, count)
end

function put_git!(out::Bytes, row::GitRow)
    put!(out, "git")
    at = open_map!(out)
    close_map!(out, at, put_entry!(out, "commit", cut_text(row.commit, 64), "") +
                        put_entry!(out, "branch", cut_text(row.branch, 64), "") + put_entry!(out, "dirty", row.dirty, false))
    return 1
end

function put_row!(out::Bytes, row::UsageRow, limit::Int)
    at = open_map!(out)
    gpu = isempty(row.gpu) ? nothing : row.gpu[1:min(end, 16)]
    close_map!(out, at, put_entry!(out, "rss", row.rss) + put_entry!(out, "peak", row.peak) +
                        put_entry!(out, "cpu", row.cpu) + put_entry!(out, "threads", row.threads) +
                        put_entry!(out, "gpu", gpu) + put_entry!(out, "self_cpu", row.self_cpu) +
                        put_entry!(out, "sent", row.sent) + put_entry!(out, "unsent", row.unsent))
end

function put_row!(out::Bytes, row::BarRow, limit::Int)
    at = open_map!(out)
    count = put_entry!(out, "id", row.id) + put_entry!(out, "parent", row.parent) + put_path!(out, "stage", row.stage) +
            put_entry!(out, "n", row.n) + put_entry!(out, "total", row.total) + put_entry!(out, "initial", row.initial) +
            put_entry!(out, "unit", cut_text(row.unit, 32), "") + put_entry!(out, "elapsed", row.elapsed, 0.0) +
            put_entry!(out, "rate", row.rate) + put_entry!(out, "eta", row.eta) +
            put_entry!(out, "state", row.state, "running") + put_entry!(out, "repeats", row.repeats, 0)
    count += put_text!(out, at, limit, "desc", row.desc, MAX_NAME_BYTES)
    close_map!(out, at, count)
end

function put_row!(out::Bytes, row::StageRow, limit::Int)
    at = open_map!(out)
    count = put_path!(out, "path", row.path) + put_entry!(out, "kind", row.kind, "stage") + put_entry!(out, "n", row.n) +
            put_entry!(out, "sum", row.sum, 0.0) + put_entry!(out, "min", row.min, 0.0) +
            put_entry!(out, "max", row.max, 0.0) + put_entry!(out, "m2", row.m2, 0.0) +
            put_entry!(out, "last", row.last, 0.0) + put_entry!(out, "open", row.open, 0) +
            put_entry!(out, "since", row.since) + put_entry!(out, "errors", row.errors, 0)
    count += put_text!(out, at, limit, "note", row.note, MAX_NOTE_BYTES)
    close_map!(out, at, count)
end

function put_row!(out::Bytes, row::MetricRow, limit::Int)
    at = open_map!(out)
    value = row.value isa String ? cut_text(row.value, MAX_NOTE_BYTES) : row.value
    close_map!(out, at, put_entry!(out, "no", row.no) + put_entry!(out, "name", cut_text(row.name, MAX_NAME_BYTES)) +
                        put_entry!(out, "step", row.step) + put_entry!(out, "up", row.up, 0.0) +
                        put_entry!(out, "value", value))
end

function put_row!(out::Bytes, row::LogRow, limit::Int)
    at = open_map!(out)
    count = put_entry!(out, "no", row.no) + put_entry!(out, "up", row.up, 0.0) +
            put_entry!(out, "level", row.level, "info") + put_path!(out, "stage", row.stage) +
            put_entry!(out, "part", row.part, (1, 1))
    text = cut_text(row.text, limit - (out.size - at) - 24)
    count += put_entry!(out, "cut", row.cut + sizeof(row.text) - sizeof(text), 0) + put_entry!(out, "text", text)
    close_map!(out, at, count)
end

function put_row!(out::Bytes, row::FinishRow, limit::Int)
    at = open_map!(out)
    count = put_entry!(out, "elapsed", row.elapsed, 0.0) + put_entry!(out, "code", row.code) +
            put_entry!(out, "signal", row.signal) + put_entry!(out, "state", row.state, "finished")
    if row.error !== nothing
        put!(out, "error")
        inner = open_map!(out)
        close_map!(out, inner, put_entry!(out, "type", cut_text(row.error.type, MAX_NAME_BYTES), "") +
                               put_entry!(out, "trace", row.error.trace) +
                               put_entry!(out, "message", cut_text(row.error.message, MAX_NOTE_BYTES), ""))
        count += 1
    end
    close_map!(out, at, count)
end

# --- packing ---

const SECTIONS = ("hello", "finish", "usage", "bars", "stages", "metrics", "logs")
section_of(::HelloRow) = 1
section_of(::FinishRow) = 2
section_of(::UsageRow) = 3
section_of(::BarRow) = 4
section_of(::StageRow) = 5
section_of(::MetricRow) = 6
section_of(::LogRow) = 7
is_array(section::Int) = section >= 4

const MAX_HEADER_BYTES = 1 + 3 + 21 + 13 + 12 + 11
const MAX_SECTION_HEAD_BYTES = 8 + 3

"Fills datagrams with rows, in whatever order they come, and hands each full one to `send(bytes)`."
mutable struct Packer
    send::Function    # not a parameter: a dynamic call a datagram costs less than compiling all this for each sender
    mtu::Int
    job::Vector{UInt8}
    seq::Int64        # of the datagram that is being filled
    up::Float64
    unix::Float64
    used::Int         # what the rows and their heads take
    sections::Vector{Bytes}
    counts::Vector{Int}
    row::Bytes
    datagram::Bytes
end
Packer(send, mtu::Integer, job::Vector{UInt8}) = Packer(send, Int(mtu), job, Int64(1), 0.0, 0.0, 0,
    [Bytes() for _ in SECTIONS], zeros(Int, length(SECTIONS)), Bytes(), Bytes())

"Starts a round; reports say that it is `up` seconds since the job's start, and the Unix time."
begin_round!(packer::Packer, up::Float64, unix::Float64) = (packer.up = up; packer.unix = unix; nothing)

"Adds a row and says the `seq` of its datagram."
function add_row!(packer::Packer, row)
    section = section_of(row)
    put_row!(empty_bytes!(packer.row), row, packer.mtu - MAX_HEADER_BYTES - MAX_SECTION_HEAD_BYTES)
    is_new = packer.counts[section] == 0
    size = packer.row.size + (is_new ? MAX_SECTION_HEAD_BYTES : 0)
    if MAX_HEADER_BYTES + packer.used + size > packer.mtu || !(is_new || is_array(section))
        send_datagram!(packer)
        size = packer.row.size + MAX_SECTION_HEAD_BYTES
    end
    packer.used += size
    packer.counts[section] += 1
    put_bytes!(packer.sections[section], packer.row.data, packer.row.size)
    return packer.seq
end

function send_datagram!(packer::Packer)
    close_datagram!(packer)
    packer.send(packer.datagram)
    return nothing
end

"Builds the datagram of the rows so far, and begins the next one."
function close_datagram!(packer::Packer)
    out = empty_bytes!(packer.datagram)
    at = open_map!(out)
    entries = put_entry!(out, "v", PROTOCOL_VERSION) + put_entry!(out, "job", packer.job) +
              put_entry!(out, "seq", packer.seq) + put_entry!(out, "up", packer.up) + put_entry!(out, "t", packer.unix)
    for (section, key) in enumerate(SECTIONS)
        packer.counts[section] == 0 && continue
        put!(out, key)
        is_array(section) && put_head!(out, MAJOR_ARRAY, packer.counts[section])
        put_bytes!(out, packer.sections[section].data, packer.sections[section].size)
        entries += 1
    end
    close_map!(out, at, entries)
    packer.seq += 1
    drop_rows!(packer)
    return nothing
end

function drop_rows!(packer::Packer)
    foreach(empty_bytes!, packer.sections)
    fill!(packer.counts, 0)
    packer.used = 0
    return nothing
end

"Sends what is left of the round."
end_round!(packer::Packer) = (packer.used > 0 && send_datagram!(packer); nothing)

"The log line in pieces that fit a datagram each, cut at character boundaries and always in the same places."
function log_pieces(row::LogRow, mtu::Int)
    path = isempty(row.stage) ? 0 : 8 + sum(name_size, shorten_path(row.stage))
    room = mtu - MAX_HEADER_BYTES - MAX_SECTION_HEAD_BYTES - 80 - path
    sizeof(row.text) <= room && return [row]
    texts, rest = String[], row.text
    while !isempty(rest)
        push!(texts, cut_text(rest, room))
        rest = rest[nextind(rest, lastindex(texts[end])):end]
    end
    return [LogRow(row.no, row.up, row.level, row.stage, (k, length(texts)), k == length(texts) ? row.cut : 0, text)
            for (k, text) in enumerate(texts)]
end

# --- answers ---

const Ranges = Vector{Tuple{Int64,Int64}}

struct Answer
    ack::Int64
    logs::Ranges
    metrics::Ranges
    reports::Ranges
end

is_within(ranges::Ranges, number::Integer) = any(range -> range[1] <= number <= range[2], ranges)
wants_more(answer::Answer) = !(isempty(answer.logs) && isempty(answer.metrics) && isempty(answer.reports))

"What a collector says to `job`; `nothing` for all that is no answer or another job's."
function read_answer(bytes::Vector{UInt8}, job::Vector{UInt8})
    answer = read_cbor(bytes)
    answer isa Dict && get(answer, "v", nothing) == PROTOCOL_VERSION || return nothing
    get(answer, "job", nothing) == job && get(answer, "ack", nothing) isa Int64 || return nothing
    want = get(answer, "want", nothing)
    want isa Dict || (want = Dict())
    return Answer(answer["ack"], read_ranges(want, "logs"), read_ranges(want, "metrics"), read_ranges(want, "reports"))
end

function read_ranges(want::Dict, key::String)
    pairs = get(want, key, nothing)
    pairs isa Vector || return Ranges()
    is_range(pair) = pair isa Vector && length(pair) == 2 && all(bound -> bound isa Int64, pair)
    return Ranges([(pair[1], pair[2]) for pair in pairs if is_range(pair)])
end
