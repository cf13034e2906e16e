# SPDX-License-Identifier: MIT
# Log lines and metrics. Whatever is given becomes text or a number; what cannot is counted as a fault and left out.

for level in (:debug, :info, :warning, :error, :critical)
    @eval $level(text...) = log_line($(string(level)), text)
end
const warn = warning

@doc """
    Macaw.debug(text...), Macaw.info(text...), Macaw.warn(text...), Macaw.error(text...), Macaw.critical(text...)

A log line, joined from its parts as by `print`.
""" info

@noinline function log_line(level::String, parts::Tuple)
    job = running_job()
    job === nothing && return
    try
        text = valid_utf8(string(parts...))
        now = time_ns()
        add_log!(job.record, now, level, text, stack_of(job).top)
        put_paragraph!(job.console, :log, log_text(level, text))
        report_if_due!(job, now)
    catch
        job.faults += 1
    end
    return
end

"""
    Macaw.metrics(; step, name = value...)

A point of each metric: numbers, Bools, or what prints as text.
"""
function metrics(; step = nothing, values...)
    job = running_job()
    job === nothing && return
    try
        now = time_ns()
        at = as_amount(step)
        for (name, value) in pairs(values)
            add_point!(job.record, now, String(name), at, metric_value(value))
        end
        report_if_due!(job, now)
    catch
        job.faults += 1
    end
    return
end

metric_value(value::Bool) = value
metric_value(value::Real) = as_amount(value)
metric_value(value) = valid_utf8(string(value))
