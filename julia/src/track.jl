# SPDX-License-Identifier: MIT
# Progress bars: around an iterator, around a loop, or by hand. A step of a loop is an addition; the clock is looked at
# after so many steps that it costs nothing, yet soon enough for a report an interval.

const LONGEST_MASK = 63     # steps between looks at the clock, so that a loop that turns slow is noticed

"Looks at the clock, and adapts how soon to look again."
@noinline function look!(job::Job, bar::Bar)
    now = time_ns()
    gap = now - bar.looked_at
    bar.looked_at = now
    gap < job.interval_ns >> 3 ? (bar.mask = min(2 * bar.mask + 1, LONGEST_MASK)) :
        gap > job.interval_ns >> 1 && (bar.mask >>= 1)
    gap > job.interval_ns && (bar.mask = 0)
    report_if_due!(job, now)
    return
end

"The elements of an iterator, counted by a bar while they are taken."
struct Track{I}
    items::I
    total::Union{Nothing,Amount}
    desc::String
    unit::String
    initial::Union{Nothing,Amount}
end

"""
    Macaw.track(items; total, desc = "", unit = "", initial)

`items`, with a progress bar around the loop over them. Where their number is not known, and `total` is not given, the bar
counts without a total. A `for` loop does not tell an iterator that it was left by `break`: such a bar counts as left when
its stage or the job ends. `Macaw.@track` knows at once.

    Macaw.track(; total, desc = "", unit = "", initial)

A bar that is moved by hand: `update!(bar, k)`, `set!(bar; n, total, desc)`, `close(bar)`.
"""
track(items; total = known_length(items), desc = "", unit = "", initial = nothing) =
    Track(items, as_amount(total), string(desc), string(unit), as_amount(initial))

track(; total = nothing, desc = "", unit = "", initial = nothing) =
    begin_bar(as_amount(total), string(desc), string(unit), as_amount(initial))

known_length(items) = has_length(Base.IteratorSize(typeof(items))) ? length(items) : nothing
has_length(::Union{Base.HasLength,Base.HasShape}) = true
has_length(::Any) = false

Base.IteratorSize(::Type{Track{I}}) where {I} = Base.IteratorSize(I)
Base.IteratorEltype(::Type{Track{I}}) where {I} = Base.IteratorEltype(I)
Base.eltype(::Type{Track{I}}) where {I} = eltype(I)
Base.length(track::Track) = length(track.items)
Base.size(track::Track, dimensions...) = size(track.items, dimensions...)
Base.axes(track::Track) = axes(track.items)

"The bar of a run of `track`, to end it where the loop itself knows how it was left."
mutable struct Run
    bar::Union{Nothing,Bar}
    job::Union{Nothing,Job}
end

@inline function Base.iterate(track::Track)
    next = iterate(track.items)
    run = begin_run(track)
    next === nothing && (end_run!(run); return nothing)
    return next[1], (next[2], run)
end

@inline function Base.iterate(track::Track, (state, run))
    bar = run.bar
    if bar !== nothing
        bar.n += 1
        bar.n & bar.mask == 0 && look!(run.job, bar)
    end
    next = iterate(track.items, state)
    next === nothing && (end_run!(run); return nothing)
    return next[1], (next[2], run)
end

@noinline function begin_run(track::Track)
    job = running_job()
    job === nothing && return Run(nothing, nothing)
    bar = begin_bar(track.total, track.desc, track.unit, track.initial)
    bar === nothing && return Run(nothing, nothing)
    run = Run(bar, job)
    bar.loop = WeakRef(run)
    return run
end

@noinline function end_run!(run::Run)
    run.bar === nothing || close(run.bar)
    return
end

function begin_bar(total, desc::String, unit::String, initial)
    job = running_job()
    job === nothing && return Bar()
    try
        stack = stack_of(job)
        now = time_ns()
        outer = stack.bar
        while outer !== nothing && !is_open(outer)  # ended by somebody else than its own loop
            outer = outer.outer
        end
        bar = open_bar!(job.record, outer, stack.top, desc, unit, total, initial, now)
        stack.bar = bar
        bar.repeats == 0 ? report!(job, now) : report_if_due!(job, now)
        return bar
    catch
        job.faults += 1
        return Bar()
    end
end

"A bar of no job: counts, and nobody is told."
Bar() = Bar(0, NaN, 0, 0, nothing, nothing, "", "", "running", 0, 0, 0, Pace(), Told(), 0, 0, WeakRef(nothing), Node(""), nothing)

"""
    Macaw.update!(bar, steps = 1)

Moves the bar on, or back by a negative number.
"""
function update!(bar::Bar, steps::Real = 1)
    is_whole = steps isa Integer && isnan(bar.real)
    is_whole ? (bar.n += as_steps(steps)) : (bar.real = Float64(count_of(bar)) + Float64(steps))
    job = CURRENT[]
    job !== nothing && bar.n & bar.mask == 0 && look!(job, bar)
    return bar
end
as_steps(steps::Integer) = clamp(steps, typemin(Int64), typemax(Int64)) % Int64

"""
    Macaw.set!(bar; n, total, desc)

Sets what is given. `n` may go back, and beyond the total; a total of `nothing` is unknown.
"""
function set!(bar::Bar; n = count_of(bar), total = bar.total, desc = bar.desc)
    amount = as_amount(n)
    amount isa Int64 ? ((bar.n, bar.real) = (amount, NaN)) : amount === nothing || (bar.real = amount)
    bar.total = as_amount(total)
    bar.desc = cut_text(valid_utf8(string(desc)), MAX_NAME_BYTES)
    bar.told.changed = true
    job = CURRENT[]
    job === nothing || look!(job, bar)
    return bar
end

"Ends the bar: done, or left where it is short of its total."
function Base.close(bar::Bar)
    is_open(bar) || return
    now = time_ns()
    end_bar!(bar, is_short(bar) ? "left" : "done", now)
    job = CURRENT[]
    (job === nothing || !job.is_running) && return
    stack = stack_of(job)
    while stack.bar !== nothing && !is_open(stack.bar)
        stack.bar = stack.bar.outer
    end
    report_if_due!(job, now)
    return
end

"""
    Macaw.@track ["description"] for x in items ... end

`for x in Macaw.track(items; desc)`, and the bar ends with the loop however that is left.
"""
macro track(arguments...)
    loop = isempty(arguments) ? nothing : arguments[end]
    loop isa Expr && loop.head === :for && loop.args[1].head === :(=) && length(arguments) <= 2 ||
        throw(ArgumentError("@track takes a description and a loop over one iterator"))
    variable, items = loop.args[1].args
    desc = length(arguments) == 2 ? arguments[1] : ""
    outer = gensym("outer")
    tracked = Expr(:for, :($variable = $track($items; desc = $desc)), loop.args[2])
    return esc(Expr(:block, :($outer = $before_loop()), Expr(:tryfinally, tracked, :($after_loop($outer)))))
end

"The task's stack, its innermost bar and how many exceptions it handles, as they stand before a loop."
function before_loop()
    job = running_job()
    job === nothing && return nothing
    stack = stack_of(job)
    return stack, stack.bar, handled_exceptions()
end

after_loop(::Nothing) = nothing
function after_loop((stack, outer, exceptions))
    now = time_ns()
    failed = handled_exceptions() > exceptions
    while stack.bar !== nothing && stack.bar !== outer
        end_bar!(stack.bar, failed ? "failed" : is_short(stack.bar) ? "left" : "done", now)
        stack.bar = stack.bar.outer
    end
    return
end
