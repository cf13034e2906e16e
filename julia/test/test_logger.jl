# SPDX-License-Identifier: MIT
using Logging

struct FakeProgress   # as ProgressLogging's Progress looks
    id::Int
    parentid::Int
    fraction::Union{Float64,Nothing}
    name::String
    done::Bool
end

@testset "records become log lines, and go on to the inner logger" begin
    inner = Test.TestLogger(min_level = Logging.Warn)
    seen = record_job(nothing) do
        with_logger(Macaw.JobLogger(inner)) do
            Macaw.@stage "stage" @info "fitting" model = "a b" _private = 1
            @warn "slow"
            @error "bad"
            @debug "not for all"
        end
    end
    lines = latest(seen, "logs")
    told = [(get(lines[(k, 1)], "level", "info"), lines[(k, 1)]["text"]) for k in 1:length(lines)]
    @test told == [("info", "fitting  model = \"a b\""), ("warning", "slow"), ("error", "bad")]
    @test lines[(1, 1)]["stage"] == ["stage"]
    @test [record.message for record in inner.logs] == ["slow", "bad"]
end

@testset "progress records become bars" begin
    seen = record_job(nothing) do
        with_logger(Macaw.JobLogger()) do
            for k in 0:4
                @logmsg LogLevel(-1) "by key" progress = k / 4 _id = :loop
            end
            @logmsg LogLevel(-1) FakeProgress(1, 0, nothing, "by record", false)
            @logmsg LogLevel(-1) FakeProgress(1, 0, 0.5, "by record", false)
            @logmsg LogLevel(-1) "ends" progress = NaN _id = :other
            @logmsg LogLevel(-1) "ends" progress = "done" _id = :other
        end
    end
    told = Dict(bar["desc"] => (bar["n"], bar["state"]) for bar in values(bars(seen)))
    @test told == Dict("by key" => (1.0, "done"), "by record" => (0.5, "left"), "ends" => (1.0, "done"))
    @test isempty(latest(seen, "logs"))
end

@testset "a record that cannot be printed harms nobody" begin
    seen = record_job(nothing) do
        with_logger(Macaw.JobLogger()) do
            @info Unprintable()
            @info "after"
        end
    end
    @test length(latest(seen, "logs")) == 1
end
