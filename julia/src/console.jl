# SPDX-License-Identifier: MIT
# The console of a job on stderr (format: tests/golden/console-*.txt). The paragraphs are pure functions of a Snapshot;
# a Console puts them on a terminal, where the block is redrawn in place, or into a file.

const WIDEST_NAME = 40
const BAR_CELLS = 10

struct BarView
    desc::String
    unit::String
    n::Amount
    total::Union{Nothing,Amount}
    rate::MaybeReal
    eta::MaybeReal
    elapsed::Float64
    is_running::Bool
    is_outermost::Bool
end

struct StageView
    depth::Int           # 0 at the top
    path::Vector{String}
    count::Int64
    total::Float64       # s, as all times
    own::Float64         # without its inner stages
    min::Float64
    max::Float64
    last::Float64
    std::Float64
    errors::Int64
    note::String
end
average(stage::StageView) = stage.count > 0 ? stage.total / stage.count : 0.0

"What is printed: the same record that is reported, at one moment. Stages stand in tree order."
struct Snapshot
    name::String
    job_id::String
    pid::Int
    bars::Vector{BarView}
    stages::Vector{StageView}
    metrics::Vector{Pair{String,MetricValue}}
    iterations::Union{Nothing,BarView}
end

# --- pieces ---

"Control characters must never reach a terminal from a name."
neutral(text; keep = ()) =
    any(c -> iscntrl(c) && !(c in keep), text) ?
    join(iscntrl(c) && !(c in keep) ? @sprintf("\\x%02x", UInt32(c)) : string(c) for c in text) : text

"A name too wide loses its middle; a dotted name keeps its last part, which tells most."
function cut_name(name::AbstractString, width::Int)
    textwidth(name) <= width && return String(name)
    dot = findlast('.', name)
    tail_width = dot === nothing ? (width - 1) ÷ 2 : min(textwidth(name[dot:end]), width - 6)
    return string(take_width(name, width - 1 - tail_width), "…", reverse(take_width(reverse(name), tail_width)))
end

function take_width(text::AbstractString, width::Int)
    taken = IOBuffer()
    for char in text
        (width -= textwidth(char)) < 0 && break
        print(taken, char)
    end
    return String(take!(taken))
end

shown_name(name::AbstractString) = cut_name(neutral(name), WIDEST_NAME)
padded(text::AbstractString, width::Int) = text * " "^max(0, width - textwidth(text))

"4.2s, 14s, 6m 12s, 2h 32m, 1d 03h"
function duration_text(seconds::Float64)
    seconds = max(0.0, seconds)
    seconds < 10 && return @sprintf("%.1fs", floor(seconds * 10) / 10)
    s = floor(Int, seconds)
    s < 60 && return "$(s)s"
    s < 3600 && return @sprintf("%dm %02ds", s ÷ 60, s % 60)
    s < 86400 && return @sprintf("%dh %02dm", s ÷ 3600, s ÷ 60 % 60)
    return @sprintf("%dd %02dh", s ÷ 86400, s ÷ 3600 % 24)
end

function eta_text(seconds::Float64)
    seconds < 1e9 || return "--:--"
    s = ceil(Int, max(0.0, seconds))
    return s < 3600 ? @sprintf("%02d:%02d", s ÷ 60, s % 60) : @sprintf("%d:%02d:%02d", s ÷ 3600, s ÷ 60 % 60, s % 60)
end

amount_text(amount::Int64) = string(amount)
amount_text(amount::Float64) = @sprintf("%.10g", amount)

value_text(value::Int64) = string(value)
value_text(value::Float64) = @sprintf("%.3g", value)
value_text(value::Bool) = value ? "True" : "False"
value_text(value::String) = shown_name(value)

size_text(bytes) = bytes < 1e9 ? @sprintf("%.1f MB", bytes / 1e6) : @sprintf("%.2f GB", bytes / 1e9)

"How many of `parts` are done: floored, and all of them only when the bar is full."
function done_parts(bar::BarView, parts::Int)
    bar.n >= bar.total && return parts
    return clamp(floor(Int, clamp(bar.n * float(parts) / bar.total, -1.0, Float64(parts))), 0, parts - 1)
end

"What runs, the outermost first, or else the last outermost one."
function shown_bars(job::Snapshot)
    shown = filter(bar -> bar.is_running, job.bars)
    outermost = filter(bar -> bar.is_outermost, job.bars)
    isempty(shown) && !isempty(outermost) && push!(shown, outermost[end])
    return sort(shown; by = bar -> !bar.is_outermost)
end

function bar_line(bar::BarView, is_first::Bool = true)
    label = is_first || isempty(bar.desc) ? "iter" : shown_name(bar.desc)
    if bar.total === nothing
        unit = isempty(bar.unit) ? "" : " " * shown_name(bar.unit)
        rate = bar.rate === nothing ? "" : @sprintf("  %.3g/s", bar.rate)
        return string(label, " ", amount_text(bar.n), unit, rate, "  ", duration_text(bar.elapsed))
    end
    cells = done_parts(bar, BAR_CELLS)
    total = amount_text(bar.total)
    n = lpad(amount_text(bar.n), length(total))
    eta = bar.is_running && bar.eta !== nothing ? eta_text(bar.eta) : "--:--"
    return string(label, " ", n, "/", total, "  [", "█"^cells, " "^(BAR_CELLS - cells), "] ",
                  lpad(done_parts(bar, 100), 3), "%  eta: ", eta)
end

# --- paragraphs; each ends with a newline ---

start_text(job::Snapshot) = "[macaw] job started: $(neutral(job.name)) (pid: $(job.pid), job_id: $(job.job_id))\n"

log_text(level::String, text::String) = "[$(uppercase(level))] $(neutral(text; keep = ('\n', '\t')))\n"

"The iteration block; empty while there is nothing to show."
function block_text(job::Snapshot)
    lines = String[bar_line(bar, place == 1) for (place, bar) in enumerate(shown_bars(job))]
    head(stage) = " "^(2 + 4 * stage.depth) * "→ " * shown_name(stage.path[end])
    columns = Dict{Int,Int}()  # where the times of each depth begin
    for stage in job.stages
        columns[stage.depth] = max(get(columns, stage.depth, 25), textwidth(head(stage)) + 2)
    end
    for stage in job.stages
        note = isempty(stage.note) ? "" : "  " * neutral(stage.note)
        times = stage.count == 0 ? head(stage) : padded(head(stage), columns[stage.depth]) * @sprintf("%.3fs", stage.last)
        push!(lines, times * note)
    end
    isempty(job.metrics) ||
        push!(lines, "  metrics: " * join((string(shown_name(k), "=", value_text(v)) for (k, v) in job.metrics), "  "))
    return isempty(lines) ? "" : join(lines, "\n") * "\n"
end

"The stage summary's rows, sorted by total time at each level."
function summary_text(stages::Vector{StageView})
    column = 23
    for stage in stages
        column = max(column, 3 + 2 * stage.depth + textwidth(shown_name(stage.path[end])))
    end
    out = IOBuffer()
    print_siblings(out, stages, 1, length(stages), column)
    return String(take!(out))
end

"Rows first to last are siblings with all that is below them."
function print_siblings(out::IO, stages::Vector{StageView}, first::Int, last::Int, column::Int)
    siblings = UnitRange{Int}[]
    while first <= last
        next = first + 1
        while next <= last && stages[next].depth > stages[first].depth
            next += 1
        end
        push!(siblings, first:next - 1)
        first = next
    end
    for rows in sort(siblings; by = rows -> -stages[rows[1]].total)
        stage = stages[rows[1]]
        name = " "^(2 + 2 * stage.depth) * shown_name(stage.path[end])
        stage.count == 0 ? println(out, name) :  # entered, and never left
            print(out, padded(name, column),
                  @sprintf("avg: %.3fs  min: %.3fs  max: %.3fs  ± %.3fs\n", average(stage), stage.min, stage.max, stage.std))
        print_siblings(out, stages, rows[1] + 1, rows[end], column)
    end
end

"The ending in two parts, around the exit code, which on some Julias is only known when nothing can be formatted any more."
function finish_texts(job::Snapshot, word::String, error::String, elapsed::Float64, peak)
    head = "[macaw] job $word: $(neutral(job.name))\n"
    isempty(error) || (head *= "  error:       $(neutral(error))\n")
    head *= "  elapsed:     $(duration_text(elapsed))\n  exit code:   "
    tail = "\n  peak memory: $(size_text(peak))\n"
    main = job.iterations
    main === nothing ||
        (tail *= "  iterations:  $(amount_text(main.n))$(main.total === nothing ? "" : "/" * amount_text(main.total))\n")
    isempty(job.stages) || (tail *= "\n  stage summary:\n" * summary_text(job.stages))
    return head, tail
end

finish_text(job::Snapshot, word, error, elapsed, code, peak) = join(finish_texts(job, word, error, elapsed, peak), code)

# --- writing ---

const PLAIN_EVERY = 10.0
const LIVE_EVERY = 0.1

mutable struct Console
    fd::Cint
    mode::Symbol          # :off, :plain, :live
    last_kind::Symbol     # of paragraph: parted by a blank line, but log lines stand together
    drawn::String         # the live block as it stands on the terminal
    block_at::Float64
end
Console(fd::Integer, mode::Symbol) = Console(fd, mode, :none, "", -Inf)

function console_mode(wish::Symbol)
    wish === :auto || return wish
    is_terminal = ccall(:isatty, Cint, (Cint,), 2) == 1 && get(ENV, "TERM", "dumb") ∉ ("", "dumb")
    return is_terminal ? :live : :plain
end

"All of it, by libc: Julia's streams yield, and are gone when a job ends. What a full pipe does not take in a second is lost."
function write_all(fd::Cint, bytes::Ptr{UInt8}, count::Int)
    patience = 1000
    while count > 0
        done = ccall(:write, Cssize_t, (Cint, Ptr{UInt8}, Csize_t), fd, bytes, count)
        if done > 0
            bytes += done
            count -= done
        elseif Libc.errno() == Libc.EAGAIN
            (patience -= 1) > 0 || return
            ccall(:usleep, Cint, (Cuint,), 1000)
        elseif Libc.errno() != Libc.EINTR
            return
        end
    end
end
write_all(fd::Cint, text::String) = GC.@preserve text write_all(fd, pointer(text), sizeof(text))

"Up over the drawn block, and the screen cleared below."
erased(console::Console) = (lines = count(isequal('\n'), console.drawn); lines == 0 ? "" : "\e[$(lines)A\r\e[J")

function put_paragraph!(console::Console, kind::Symbol, text::String)
    console.mode === :off && return
    gap = console.last_kind !== :none && (kind !== console.last_kind || kind !== :log) ? "\n" : ""
    write_all(console.fd, string(erased(console), gap, text, console.drawn))
    console.last_kind = kind
    return
end

is_block_due(console::Console, now::Float64) =
    console.mode !== :off && now - console.block_at >= (console.mode === :live ? LIVE_EVERY : PLAIN_EVERY)

function draw_block!(console::Console, job::Snapshot, now::Float64)
    text = block_text(job)
    isempty(text) && return
    console.block_at = now
    console.mode === :plain && return put_paragraph!(console, :block, text)
    next = fitted("\n" * text, console.fd)
    next == console.drawn && return
    write_all(console.fd, erased(console) * next)
    console.drawn = next
    return
end

"Each line cut to the terminal's width, the block to its height, as a line that wraps cannot be erased again."
function fitted(text::String, fd::Cint)
    size = Ref{NTuple{4,UInt16}}((0, 0, 0, 0))  # struct winsize: rows, columns, pixels
    known = ccall(:ioctl, Cint, (Cint, Culong, Ptr{Cvoid}...), fd, 0x5413, size) == 0 && size[][2] > 0
    rows, columns = known ? (max(2, Int(size[][1])), Int(size[][2])) : (24, 80)
    lines = split(chomp(text), '\n')
    return join((cut_name(line, columns - 1) * "\n" for line in lines[1:min(end, rows - 1)]))
end

"Before the ending: the last block stays, as the job's last picture."
function settle_block!(console::Console, job::Snapshot)
    (console.mode === :live && !isempty(console.drawn)) || return
    write_all(console.fd, erased(console) * fitted("\n" * block_text(job), console.fd))
    console.drawn = ""
    console.last_kind = :block
    return
end
