# SPDX-License-Identifier: MIT
# All tests of the package, offline: JULIA_LOAD_PATH=julia:@stdlib julia julia/test/runtests.jl, or Pkg.test().
# The last line counts them for scripts.
using Test
using Macaw

const REPOSITORY = dirname(dirname(@__DIR__))
const MACAW_VARIABLES = filter(name -> startswith(name, "MACAW_"), collect(keys(ENV)))
foreach(name -> delete!(ENV, name), MACAW_VARIABLES)

include("json.jl")
include("receiver.jl")

passed(set::Test.DefaultTestSet) =
    set.n_passed + sum(Int[passed(inner) for inner in set.results if inner isa Test.DefaultTestSet])

function run_all()
    set = @testset "Macaw.jl" begin
        for file in ("text", "wire", "settings", "record", "console", "transport", "job", "logger", "exit")
            @testset "$file" begin
                include("test_$file.jl")
            end
        end
    end
    return passed(set), 0
end

pass, fail = try
    run_all()
catch failure
    failure isa Test.TestSetException || rethrow()
    failure.pass, failure.fail + failure.error
end
println("$pass passed, $fail failed")
exit(fail == 0 ? 0 : 1)
