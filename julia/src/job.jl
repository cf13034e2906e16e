# SPDX-License-Identifier: MIT
# The job of this process: one at a time, started by the first use or by init(), ended by finish() or at exit.
# Every call that a program makes comes through here; none of them raises.

const MACAW_VERSION = "0.1.0"

mutable struct Job
    id::Vector{UInt8}
    settings::Settings
    record::Record
    reporter::Reporter
    console::Console
    interval_ns::UInt64
    next_round::UInt64          # ns; the hot path's only comparison
    is_running::Bool
    is_threaded::Bool
    faults::Int                 # of our own code, swallowed
    timer::Union{Nothing,Timer}
    name_bytes::Vector{UInt8}   # zero-terminated, for the last words
end

const CURRENT = Ref{Union{Nothing,Job}}(nothing)
const OFF = Ref(false)          # MACAW_DISABLE, precompilation, or a start that failed
const START_LOCK = Threads.SpinLock()
const HOOKS_ARE_SET = Ref(false)

"For a process that begins, also one that was precompiled while a job ran."
function forget_job()
    CURRENT[] = nothing
    OFF[] = is_disabled(ENV) || ccall(:jl_generating_output, Cint, ()) == 1
    HOOKS_ARE_SET[] = false
    FAREWELL[] = nothing
    forget_stacks()
    return
end

"The running job, started when there was none yet; `nothing` when Macaw is off or the job has ended."
@inline function running_job()
    job = CURRENT[]
    # Not called directly: then a program compiles the start of a job only if it starts one.
    job === nothing && return OFF[] ? nothing : Base.invokelatest(start_job, NamedTuple())::Union{Nothing,Job}
    return job.is_running ? job : nothing
end

"""
    Macaw.init(; name, url, console, tags)

Starts the job; optional, as the first use does. After `finish()` it starts another one.
"""
function init(; wishes...)
    OFF[] && return
    job = CURRENT[]
    (job === nothing || !job.is_running) && start_job(wishes)
    return
end

@noinline function start_job(wishes)
    try
        Base.@lock START_LOCK begin
            job = CURRENT[]
            job !== nothing && job.is_running && return job
            settings = read_settings(wishes, ENV, read_config_file(ENV))
            job = new_job(settings)
            CURRENT[] = job
            ENV["MACAW_JOB"] = uuid_text(job.id)  # jobs that this one starts say whose children they are
            foreach(text -> write_all(Cint(2), "[macaw] $text\n"), settings.warnings)
            put_paragraph!(job.console, :start, start_text(snapshot(job)))
            set_hooks()
            report!(job, time_ns())
            # For programs that wait: nothing else calls us then. While one computes, this does not tick.
            job.timer = Timer(_ -> report_if_due!(job, time_ns()), settings.interval; interval = settings.interval)
            return job
        end
    catch
        OFF[] = true
        return nothing
    end
end

function new_job(settings::Settings)
    start, unix = time_ns(), time()
    id = random_job_id()
    record = Record(start)
    reporter = Reporter(record, hello_row(settings, unix), Transport(settings.targets), settings.mtu, id)
    console = Console(2, console_mode(settings.console))
    interval = round(UInt64, settings.interval * 1e9)
    return Job(id, settings, record, reporter, console, interval, start, true, Threads.nthreads() > 1, 0, nothing,
               Vector{UInt8}(neutral(reporter.hello.name) * "\0"))
end

@inline report_if_due!(job::Job, now::UInt64) = now >= job.next_round && report!(job, now)

"One round, unless another thread is at it."
@noinline function report!(job::Job, now::UInt64)
    job.is_running || return
    trylock(job.record.lock) || return
    try
        job.next_round = now + job.interval_ns
        send_round!(job.reporter, now)
        at = up(job.record, now)
        is_block_due(job.console, at) && draw_block!(job.console, snapshot(job), at)
    catch
        job.faults += 1
    finally
        unlock(job.record.lock)
    end
    return
end

"The record at this moment. The caller holds the record's lock, or there is nobody else."
function snapshot(job::Job)
    now = time_ns()
    record = job.record
    view(bar) = (row = bar_row(bar, now);
                 BarView(bar.desc, bar.unit, row.n, row.total, row.rate, row.eta, row.elapsed, is_open(bar), bar.outer === nothing))
    main = main_bar(record, now)
    metrics = Pair{String,MetricValue}[point.name => point.value for point in record.latest]
    return Snapshot(job.reporter.hello.name, uuid_text(job.id), getpid(), [view(bar) for bar in record.bars],
                    stage_views(record), metrics, main === nothing ? nothing : view(main))
end

function stage_views(record::Record)
    inner = Dict{Node,UInt64}()
    for node in record.nodes
        inner[node.parent] = get(inner, node.parent, UInt64(0)) + node.sum
    end
    std(node) = node.n > 1 ? sqrt(node.m2 / (node.n - 1)) * 1e-9 : 0.0
    own(node) = seconds(node.sum - min(node.sum, get(inner, node, UInt64(0))))
    return StageView[StageView(node.depth - 1, path_of(node), node.n, seconds(node.sum), own(node),
                               node.n > 0 ? seconds(node.min) : 0.0, seconds(node.max), seconds(node.last), std(node),
                               node.errors, node.note) for node in tree_order(record)]
end

"""
    Macaw.finish(; code = 0)

Ends the job now instead of at exit. An exit status other than 0 is a failure.
"""
function finish(; code::Integer = 0)
    job = CURRENT[]
    (job === nothing || !job.is_running) && return
    state, signal = ending_of(code)
    end_job!(job, signal === nothing ? Int64(code) : nothing, signal, state, nothing)
    return
end

function end_job!(job::Job, code, signal, state::String, error)
    guarded_ending!(job) do now
        close_bars!(job.record, state, now)
        trace_no = log_trace!(job, error, now)
        elapsed = up(job.record, now)
        usage = usage_row(job.reporter)
        settle_block!(job.console, snapshot(job))
        shown = signal === nothing ? something(code, 0) : 128 + signal
        put_paragraph!(job.console, :finish, finish_text(snapshot(job), state, error_text(error), elapsed, shown, usage.peak))
        send_ending!(job.reporter, FinishRow(elapsed, code, signal, state, error_row(error, trace_no)))
    end
end

"Stops the rounds, and runs `ending(now)` as the last thing that this job does."
function guarded_ending!(ending, job::Job)
    job.is_running || return
    job.is_running = false
    try
        job.timer === nothing || close(job.timer)
        ending(time_ns())
    catch
        job.faults += 1
    end
    return
end

error_text(::Nothing) = ""
error_text(error) = startswith(error.message, error.type) ? error.message : "$(error.type): $(error.message)"
error_row(::Nothing, trace_no) = nothing
error_row(error, trace_no) = ErrorRow(error.type, trace_no, error.message)

function log_trace!(job::Job, error, now::UInt64)
    error === nothing && return nothing
    return add_log!(job.record, now, "critical", error.trace, job.record.root).no
end

"""
At a good end a bar that is short of its total was left by `break`, or the program called exit() inside of its loop. Then
the loop's iterator is still in use, which the garbage collector knows.
"""
function close_bars!(record::Record, state::String, now::UInt64)
    open_bars = filter(is_open, record.bars)
    isempty(open_bars) && return
    if state != "finished"
        foreach(bar -> end_bar!(bar, state, now), open_bars)
        return
    end
    GC.gc()
    for bar in open_bars
        bar.loop.value === nothing && end_bar!(bar, is_short(bar) ? "left" : "done", now)
    end
    return
end

# --- exit ---

function set_hooks()
    HOOKS_ARE_SET[] && return
    HOOKS_ARE_SET[] = true
    prepare_to_give_up()
    precompile(at_exit, (Int,))
    precompile(at_exit, ())
    precompile(end_by_signal!, (Job,))
    say_farewell(Cint(0), C_NULL)  # says nothing yet, but is compiled now
    @static if VERSION < v"1.9"
        has_on_exit() && install_farewell()
    end
    atexit(at_exit)
    return
end

"""
The exit hook; from Julia 1.9 on it is told the exit status. A signal may have come in the midst of Julia's compiler, which
cannot be entered again: so this function and all that it does for a signal is compiled beforehand.
"""
function at_exit(status::Int = -1)
    job = CURRENT[]
    (job === nothing || !job.is_running) && return
    alarm(LONGEST_ENDING)
    if status < 0 ? is_ended_by_signal() : status in INTERRUPTIONS
        end_by_signal!(job)
        status < 0 || say_farewell(Cint(status), C_NULL)
    else
        Base.invokelatest(status < 0 && has_on_exit() ? prepare_farewell! : end_at_exit, status)
    end
    alarm(0)
    return
end
at_exit(status::Integer) = at_exit(Int(status))

"What the exit status picks from when a signal ends the job: the finish alone, and a few words on the console."
function end_by_signal!(job::Job)
    job.is_running = false
    elapsed = up(job.record, time_ns())
    datagrams = Vector{UInt8}[]
    for status in 0:255
        row = FinishRow(elapsed, nothing, Int64(max(status - 128, 0)), "interrupted", nothing)
        push!(datagrams, status in INTERRUPTIONS ? single_datagram!(job.reporter, row, elapsed) : UInt8[])
    end
    FAREWELL[] = new_farewell(job, datagrams, 5, ceil(Cint, elapsed))
    return
end

function new_farewell(job::Job, datagrams, rounds::Int, brief::Cint)
    fds = Cint[]
    for peer in job.reporter.transport.peers
        peer.fd >= 0 && !peer.refusing && push!(fds, peer.fd)
    end
    none = Vector{UInt8}[]
    return Farewell(fds, datagrams, job.console.mode === :off ? Cint(-1) : job.console.fd, none, none, UInt8[], zeros(UInt8, 8),
                    isempty(fds) ? 0 : rounds, brief, job.name_bytes)
end

"Where the status is known, or cannot be."
function end_at_exit(status::Integer)
    job = CURRENT[]
    (job === nothing || !job.is_running) && return
    error = current_error_or_nothing(job)
    status < 0 && (status = error === nothing ? 0 : 1)
    state, signal = ending_of(status)
    end_job!(job, signal === nothing ? Int64(status) : nothing, signal, state, state == "failed" ? error : nothing)
    return
end

function current_error_or_nothing(job::Job)
    try
        return current_error()
    catch
        job.faults += 1  # somebody's showerror() threw
        return nothing
    end
end

"Tells all but the ending, and prepares that for every status; `say_farewell` in process.jl picks."
function prepare_farewell!(::Integer)
    job = CURRENT[]
    (job === nothing || !job.is_running) && return
    error = current_error_or_nothing(job)
    guarded_ending!(job) do now
        close_bars!(job.record, error === nothing ? "finished" : "failed", now)
        trace_no = log_trace!(job, error, now)
        elapsed = up(job.record, now)
        job_view = snapshot(job)
        settle_block!(job.console, job_view)
        send_ending!(job.reporter, nothing)
        while read_answers!(job.reporter, 0.0) end
        peak = usage_row(job.reporter).peak
        datagrams, heads, digits = Vector{UInt8}[], Vector{UInt8}[], Vector{UInt8}[]
        gap = job.console.last_kind === :none ? "" : "\n"
        tail = finish_texts(job_view, "", "", elapsed, peak)[2]
        for status in 0:255
            state, signal = ending_of(status)
            told = state == "failed" ? error : nothing
            row = FinishRow(elapsed, signal === nothing ? Int64(status) : nothing, signal, state, error_row(told, trace_no))
            push!(datagrams, single_datagram!(job.reporter, row, up(job.record, time_ns())))
            push!(heads, Vector{UInt8}(gap * finish_texts(job_view, state, error_text(told), elapsed, peak)[1]))
            push!(digits, Vector{UInt8}(string(status)))
        end
        farewell = new_farewell(job, datagrams, job.reporter.answered ? 40 : 5, Cint(0))
        farewell.heads, farewell.digits, farewell.tail = heads, digits, Vector{UInt8}(tail)
        FAREWELL[] = farewell
    end
    return
end

"The bytes of a report that holds `row` alone, under the next `seq`; nothing is sent."
function single_datagram!(reporter::Reporter, row::FinishRow, at::Float64)
    packer = reporter.packer
    drop_rows!(packer)  # of a round that a signal cut short
    begin_round!(packer, at, time())
    add_row!(packer, row)
    close_datagram!(packer)
    packer.seq -= 1
    return taken(packer.datagram)
end

"""
    Macaw.job_id()

The job's identity as text, `nothing` without a job.
"""
job_id() = (job = CURRENT[]; job === nothing ? nothing : uuid_text(job.id))

"The stage summary: prints as the console's table; `rows` holds it as values, times in seconds."
struct Summary
    rows::Vector{StageView}
end
Base.show(io::IO, summary::Summary) = print(io, chomp(summary_text(summary.rows)))

"""
    Macaw.summary()

The stages so far.
"""
function summary()
    job = CURRENT[]
    job === nothing && return Summary(StageView[])
    return Base.@lock job.record.lock Summary(stage_views(job.record))
end
