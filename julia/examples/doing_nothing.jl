# SPDX-License-Identifier: MIT
# The first example: a loop with a bar, two stages with a library's function inside, log lines and metrics.
using LinearAlgebra
using Macaw

function do_nothing(iterations)
    for i in Macaw.track(1:iterations; desc = "doing nothing")
        numbers = Macaw.@stage "generate_data" begin
            Macaw.info("generated 4096 numbers")
            i .* randn(64, 64)
        end
        values = Macaw.@stage "singular_values" begin
            product = similar(numbers)
            Macaw.@stage LinearAlgebra.mul!(product, numbers, numbers')
            Macaw.@stage LinearAlgebra.svdvals(product)
        end
        largest = maximum(values)
        Macaw.metrics(mean = sum(values) / length(values), is_big = largest > 100, vibes = "bad", step = i)
    end
    Macaw.info("done")
end

do_nothing(200)
