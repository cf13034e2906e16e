# SPDX-License-Identifier: MIT
# Julia's own logging as a source: with_logger(Macaw.JobLogger()) do ... end turns the @info, @warn and @error records of
# any package into log lines, and ProgressLogging's @progress records into bars, known by their shape alone.

using Base.CoreLogging: AbstractLogger, LogLevel, NullLogger, Info, Warn

const PROGRESS_LEVEL = LogLevel(-1)     # of ProgressLogging: below Info, so that other loggers drop it

"""
    Macaw.JobLogger(inner = NullLogger())

A logger that tells the job; records then go on to `inner`, by default to nobody, as the console shows the log lines.
"""
struct JobLogger{Inner<:AbstractLogger} <: AbstractLogger
    inner::Inner
    bars::Dict{Any,Bar}     # of loops under way, by their identity
    lock::ReentrantLock
end
JobLogger(inner::AbstractLogger = NullLogger()) = JobLogger(inner, Dict{Any,Bar}(), ReentrantLock())

Base.CoreLogging.min_enabled_level(logger::JobLogger) = min(PROGRESS_LEVEL, Base.CoreLogging.min_enabled_level(logger.inner))
Base.CoreLogging.shouldlog(::JobLogger, arguments...) = true
Base.CoreLogging.catch_exceptions(logger::JobLogger) = Base.CoreLogging.catch_exceptions(logger.inner)

function Base.CoreLogging.handle_message(logger::JobLogger, level, message, source, group, id, file, line; values...)
    try
        progress = progress_of(message, get(values, :_id, id), values)
        progress !== nothing ? follow_progress!(logger, progress...) :
            level >= Info && log_line(level_word(level), (record_text(message, values),))
    catch
        # What cannot be printed is not told; the inner logger may still take it.
    end
    inner = logger.inner
    level >= Base.CoreLogging.min_enabled_level(inner) && Base.CoreLogging.shouldlog(inner, level, source, group, id) &&
        Base.CoreLogging.handle_message(inner, level, message, source, group, id, file, line; values...)
    return
end

level_word(level) = level < Warn ? "info" : level < Base.CoreLogging.Error ? "warning" : "error"

function record_text(message, values)
    shown = ["$key = $(sprint(show, value))" for (key, value) in values if !startswith(String(key), "_")]
    return join(vcat(string(message), shown), "  ")
end

"Identity, name, fraction (nothing: unknown) and whether it is done, where a record tells of progress; or `nothing`."
function progress_of(message, id, values)
    if haskey(values, :progress)
        progress = values[:progress]
        is_done = progress == "done" || (progress isa Real && progress >= 1)
        return id, string(message), progress isa Real ? known_fraction(progress) : nothing, is_done
    end
    record = hasproperty(message, :progress) ? message.progress : message
    all(name -> hasproperty(record, name), (:id, :fraction, :name, :done)) || return nothing
    fraction = record.fraction isa Real ? known_fraction(record.fraction) : nothing
    return record.id, string(record.name), fraction, record.done === true
end
known_fraction(fraction::Real) = isfinite(fraction) ? Float64(fraction) : nothing

function follow_progress!(logger::JobLogger, id, name::String, fraction, is_done::Bool)
    lock(logger.lock) do
        bar = get!(() -> track(total = 1.0, desc = name), logger.bars, id)
        is_done ? set!(bar; n = 1.0) : fraction === nothing || set!(bar; n = fraction)
        is_done && close(pop!(logger.bars, id))
    end
    return
end
