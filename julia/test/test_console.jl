# SPDX-License-Identifier: MIT
# The console's words against tests/golden/console-*.txt, to the byte.

golden(name) = read(joinpath(REPOSITORY, "tests", "golden", "console-$name.txt"), String)

bar(n, total; desc = "", unit = "", rate = nothing, eta = nothing, elapsed = 0.0, running = true, outermost = true) =
    Macaw.BarView(desc, unit, n, total, rate, eta, elapsed, running, outermost)
stage(depth, name, count, (last, average, least, most, std); note = "") =
    Macaw.StageView(depth, [name], count, average / 1e3 * count, 0.0, least / 1e3, most / 1e3, last / 1e3, std / 1e3, 0, note)
once(depth, name, ms; note = "") = stage(depth, name, 1, (ms, ms, ms, ms, 0); note = note)
job(name; pid = 7, bars = [], stages = [], metrics = []) =
    Macaw.Snapshot(name, "a3f2c1d0-5b7e-4c19-8f02-9d3e61b7a045", pid, bars, stages, metrics, isempty(bars) ? nothing : bars[1])

"What `f(console)` prints."
function printed(f; mode = :plain)
    path = tempname()
    open(path, "w") do file
        f(Macaw.Console(fd(file), mode))
    end
    return read(path, String)
end
start!(console, job) = Macaw.put_paragraph!(console, :start, Macaw.start_text(job))
block!(console, job, now) = Macaw.is_block_due(console, now) && Macaw.draw_block!(console, job, now)
log!(console, level, text) = Macaw.put_paragraph!(console, :log, Macaw.log_text(level, text))
function finish!(console, job, elapsed, peak; word = "finished", code = 0, error = "")
    Macaw.settle_block!(console, job)
    Macaw.put_paragraph!(console, :finish, Macaw.finish_text(job, word, error, elapsed, code, peak))
end

@testset "the example that every reader sees first" begin
    stages = [stage(0, "generate_data", 200, (1, 1, 1, 2, 0.2)), stage(0, "fourier_transform", 200, (43, 43, 38, 89, 4)),
              stage(1, "numpy.fft.fft", 200, (38, 38, 34, 81, 3); note = "shape=(65536,) dtype=complex128"),
              stage(1, "numpy.fft.fftshift", 200, (4, 4, 3, 6, 1); note = "shape=(65536,)")]
    metrics = ["mean" => 2.3144, "is_big" => false, "confidence" => 0.71, "vibes" => "bad"]
    at(n) = job("very_important_research.py"; pid = 48291, bars = [bar(n, 200; running = n < 200)], stages = stages, metrics = metrics)
    text = printed() do console
        start!(console, at(1))
        block!(console, at(1), 0.1)
        block!(console, at(1), 9.9)  # too soon for a file
        log!(console, "info", "done")
        finish!(console, at(200), 14.32, 200e6)
    end
    @test text == golden("example")
end

@testset "a job without bars says nothing about iterations" begin
    now = job("solve"; stages = [once(0, "solve", 12500)])
    text = printed() do console
        start!(console, now)
        block!(console, now, 1.0)
        log!(console, "warning", "slow")
        log!(console, "info", "two\nlines")
        finish!(console, now, 12.6, 1.25e9)
    end
    @test text == golden("no-bars")
end

@testset "an unknown total shows count, rate and time, and invents nothing" begin
    stream = bar(1234, nothing; unit = "lines", rate = 51.42, elapsed = 24.0)
    text = printed() do console
        start!(console, job("stream.py"))
        block!(console, job("stream.py"; bars = [stream, bar(3, 12; desc = "inner", eta = 64.2, outermost = false)]), 1.0)
        finish!(console, job("stream.py"; bars = [stream]), 2 * 3600.0 + 32 * 60 + 59, 12.34e6)
    end
    @test text == golden("unknown-total")
end

@testset "wide, long and hostile names keep the columns" begin
    now = job("実験"; bars = [bar(130, 100)],
              stages = [once(0, "データを生成する", 100), once(0, "naïve", 200),
                        once(0, "a_package.with_very_long_modules.and_more_modules.transform", 300; note = "bad\x1bnote"), once(1, "子供", 50)])
    text = printed() do console
        start!(console, job("実験"))
        block!(console, now, 1.0)
        finish!(console, now, 9.96, 999.9e6)
    end
    @test text == golden("wide-names")
end

@testset "a failure says why; 999 of 1000 is not 100 %" begin
    now = job("fit.py"; bars = [bar(999, 1000; eta = 0.4)],
              stages = [stage(0, "train", 0, (0, 0, 0, 0, 0)), stage(1, "step", 999, (10, 10, 9, 20, 2))])
    text = printed() do console
        start!(console, job("fit.py"))
        block!(console, now, 1.0)
        log!(console, "error", "loss is nan")
        finish!(console, now, 372.5, 200e6; word = "failed", code = 1, error = "ValueError: no infs")
    end
    @test text == golden("failed")
end

@testset "bars of nothing, over-run and resumed" begin
    @test Macaw.bar_line(bar(0, 0)) == "iter 0/0  [██████████] 100%  eta: --:--"
    @test Macaw.bar_line(bar(130, 100)) == "iter 130/100  [██████████] 100%  eta: --:--"
    @test Macaw.bar_line(bar(-1, 10)) == "iter -1/10  [          ]   0%  eta: --:--"
    @test Macaw.bar_line(bar(0.75, 1.5; eta = 3700.0)) == "iter 0.75/1.5  [█████     ]  50%  eta: 1:01:40"
    @test all(occursin(lpad(n, 3) * "%", Macaw.bar_line(bar(n, 100))) for n in 0:100)
    @test occursin("[█████████ ]  99%", Macaw.bar_line(bar(2^53 + 1, 2^53 + 2)))
end

@testset "live: the block is drawn again in place, log lines stay above it" begin
    now(n) = job("x"; bars = [bar(n, 9)])
    text = printed(mode = :live) do console
        start!(console, now(0))
        block!(console, now(1), 1.0)
        block!(console, now(1), 1.05)  # too soon
        log!(console, "info", "hello")
        block!(console, now(2), 2.0)
        finish!(console, now(9), 3.0, 1e6)
    end
    up = "\e[2A\r\e[J"
    @test occursin("\n" * Macaw.bar_line(bar(1, 9)) * "\n" * up * "\n[INFO] hello\n\n" * Macaw.bar_line(bar(1, 9)) * "\n" * up, text)
    @test count(up, text) == 3
    @test endswith(split(text, up)[end], "iterations:  9/9\n")
end
