# SPDX-License-Identifier: MIT
# What a stage and a step of a tracked loop cost, against two readings of the clock, which is the least that timing costs.
# Both sides run in turn in one process; the best round of each counts. Prints one JSON object:
#   JULIA_LOAD_PATH=julia:@stdlib julia tests/bench/julia/bench_julia.jl
using Macaw

const STEPS = 1_000_000
const ROUNDS = 9

work(i) = i & 1

function bare(n)
    sum = 0
    for i in 1:n
        sum += work(i)
    end
    return sum
end

function clocked(n)
    sum = 0
    for i in 1:n
        start = time_ns()
        sum += work(i)
        sum += (time_ns() - start) >> 40
    end
    return sum
end

function staged(n)
    sum = 0
    for i in 1:n
        Macaw.@stage "x" sum += work(i)
    end
    return sum
end

function tracked(n)
    sum = 0
    for i in Macaw.track(1:n)
        sum += work(i)
    end
    return sum
end

ns_a_step(f) = (start = time_ns(); f(STEPS); (time_ns() - start) / STEPS)

function best(fs...)
    foreach(f -> f(1000), fs)
    rounds = [[ns_a_step(f) for f in fs] for _ in 1:ROUNDS]
    return [minimum(round[k] for round in rounds) for k in eachindex(fs)]
end

function main()
    loop, clock, stage, track = best(bare, clocked, staged, tracked)
    reference = clock - loop
    entry(ours) = "{\"ratio\": $(round(ours / reference; digits = 4)), \"ours\": $(round(ours; digits = 2)), " *
                  "\"reference\": $(round(reference; digits = 2)), \"unit\": \"ns\"}"
    println("{\"julia_stage\": ", entry(stage - loop), ", \"julia_track\": ", entry(track - loop), "}")
    allocated = (staged(1000); @allocated(staged(100_000)))
    allocated < 100_000 || println(stderr, "a stage allocates: $allocated bytes in 100,000 entries")
end

main()
