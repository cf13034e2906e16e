# SPDX-License-Identifier: MIT
"""
    Macaw

Tells how a job stands: progress bars, stages, metrics and log lines, on the console and by UDP to a collector.

    using Macaw
    for x in Macaw.track(items; desc = "doing nothing")
        Macaw.@stage "solve" solve(x)
    end

Nothing here raises, blocks or changes a result; without a collector a job runs as without Macaw.
"""
module Macaw

using Printf: @sprintf

# Half the time of the compiler, and the hot path is compiled into the caller's code anyway.
Base.Experimental.@optlevel 1

export @stage, @track

include("text.jl")
include("cbor.jl")
include("wire.jl")
include("settings.jl")
include("record.jl")
include("transport.jl")
include("report.jl")
include("console.jl")
include("process.jl")
include("job.jl")
include("stage.jl")
include("track.jl")
include("events.jl")
include("logger.jl")

__init__() = forget_job()

include("precompile.jl")

end
