# SPDX-License-Identifier: MIT
# Jobs of this process, as a collector on loopback sees them.

counts(receiver) = Dict(join(path, "/") => row["n"] for (path, row) in stages(receiver))
main_bar(receiver) = bars(receiver)[1]

@testset "a loop with stages, metrics and log lines" begin
    seen = record_job(nothing; name = "mine", tags = (a = 1,)) do
        for i in Macaw.track(1:20; desc = "doing nothing")
            Macaw.@stage "outer" begin
                Macaw.info("line ", i)
                Macaw.@stage "inner" sqrt(i)
            end
            Macaw.metrics(value = i / 2, flag = iseven(i), word = "w", step = i)
        end
    end
    @test latest(seen, "hello")["name"] == "mine"
    @test latest(seen, "hello")["tags"] == Dict("a" => "1")
    @test latest(seen, "hello")["lang"] == "julia $VERSION"
    @test latest(seen, "finish")["code"] == 0 && !haskey(latest(seen, "finish"), "state")
    @test latest(seen, "usage")["peak"] > 10^7
    bar = main_bar(seen)
    @test (bar["n"], bar["total"], bar["state"], bar["desc"]) == (20, 20, "done", "doing nothing")
    @test counts(seen) == Dict("outer" => 20, "outer/inner" => 20)
    row = stages(seen)[("outer",)]
    @test row["sum"] >= stages(seen)[("outer", "inner")]["sum"] > 0
    @test row["min"] <= row["sum"] / 20 <= row["max"]
    @test !haskey(row, "open")
    points = latest(seen, "metrics")
    @test sort(collect(keys(points))) == 1:60
    @test (points[58]["name"], points[58]["value"], points[58]["step"]) == ("value", 10.0, 20)
    @test points[59]["value"] === true && points[60]["value"] == "w"
    lines = latest(seen, "logs")
    @test [lines[(k, 1)]["text"] for k in 1:20] == ["line $k" for k in 1:20]
    @test lines[(1, 1)]["stage"] == ["outer"]
    @test all(report -> !haskey(report, "next"), seen.reports)
    @test maximum(seen.sizes) <= 1200
    seqs = [report["seq"] for report in seen.reports]
    @test sort(seqs) == 1:length(seqs)
end

@testset "an iterator keeps what it is" begin
    Macaw.forget_job()
    ENV["MACAW_DISABLE"] = "1"
    Macaw.forget_job()
    for items in (1:3, [1.5 2.5; 3.5 4.5], "abc", Dict(1 => 2), (x for x in 1:3), Iterators.filter(isodd, 1:5), zip(1:3, 4:6))
        tracked = Macaw.track(items)
        @test collect(tracked) == collect(items)
        @test Base.IteratorSize(tracked) == Base.IteratorSize(items)
        @test eltype(tracked) == eltype(items)
    end
    @test size(Macaw.track(zeros(2, 3))) == (2, 3) && length(Macaw.track(1:7)) == 7
    @test (Macaw.@stage "off" 1 + 1) == 2
    @test Macaw.metrics(x = 1) === nothing && Macaw.job_id() === nothing
    delete!(ENV, "MACAW_DISABLE")
    Macaw.forget_job()
end

@testset "A01: nothing to do is done at once" begin
    seen = record_job(nothing) do
        foreach(identity, Macaw.track([]))
        bar = Macaw.track(total = 5)
        Macaw.set!(bar; total = 0)
        close(bar)
    end
    @test [(bars(seen)[k]["n"], bars(seen)[k]["total"], bars(seen)[k]["state"]) for k in 1:1] == [(0, 0, "done")]
    @test all(bar -> !haskey(bar, "rate") || isfinite(bar["rate"]), values(bars(seen)))
end

@testset "A02: a wrong total shows the real numbers" begin
    seen = record_job(nothing) do
        foreach(identity, Macaw.track((x for x in 1:130); total = 100, desc = "over"))
        foreach(identity, Macaw.track((x for x in 1:60); total = 100, desc = "under"))
    end
    @test (bars(seen)[1]["n"], bars(seen)[1]["total"], bars(seen)[1]["state"]) == (130, 100, "done")
    @test (bars(seen)[2]["n"], bars(seen)[2]["total"], bars(seen)[2]["state"]) == (60, 100, "left")
end

@testset "A05: a bar may go back" begin
    seen = record_job(nothing) do
        bar = Macaw.track(total = 100)
        foreach(n -> (Macaw.set!(bar; n = n); sleep(0.02)), (50, 49, 60))
        Macaw.update!(bar, -10)
        Macaw.update!(bar, 0)
        Macaw.update!(bar, 0.5)
        close(bar)
    end
    @test main_bar(seen)["n"] == 50.5
    @test all(bar -> isfinite(get(bar, "rate", 0.0)) && isfinite(get(bar, "eta", 0.0)),
              (bar for report in seen.reports for bar in get(report, "bars", [])))
end

@testset "A06: an unknown total stays unknown" begin
    seen = record_job(nothing) do
        foreach(identity, Macaw.track(Iterators.filter(isodd, 1:9)))
    end
    @test main_bar(seen)["n"] == 5 && !haskey(main_bar(seen), "total") && main_bar(seen)["state"] == "done"
end

@testset "A03: what an earlier run did counts for the share alone" begin
    seen = record_job(nothing) do
        bar = Macaw.track(total = 100, initial = 90)
        sleep(0.2)
        Macaw.update!(bar, 1)
        close(bar)
    end
    @test (main_bar(seen)["n"], main_bar(seen)["initial"]) == (91, 90)
    @test 0 < main_bar(seen)["rate"] <= 5.1
end

returns() = Macaw.@stage "leave" return 1
function continues()
    for i in 1:3
        Macaw.@stage "leave" i == 2 ? continue : nothing
    end
end
function breaks()
    while true
        Macaw.@stage "leave" break
    end
end
throws() = Macaw.@stage "leave" throw(ArgumentError("x"))
caught() = try
    throws()
catch
end

@testset "A09: every way out closes the stage" begin
    seen = record_job(nothing) do
        Macaw.@stage "around" begin
            for _ in 1:100
                @test returns() == 1
                continues()
                breaks()
                caught()
            end
            Macaw.@stage "sibling" nothing
        end
        Macaw.@stage "after" nothing
    end
    @test counts(seen) == Dict("around" => 1, "around/leave" => 600, "around/sibling" => 1, "after" => 1)
    @test stages(seen)[("around", "leave")]["errors"] == 100
    @test all(row -> !haskey(row, "open"), values(stages(seen)))
    @test !haskey(stages(seen)[("around",)], "errors")
end

@testset "an exception that is handled inside does not fail the stage, nor one that is handled around it" begin
    seen = record_job(nothing) do
        Macaw.@stage "inside" caught()
        try
            throw(ArgumentError("y"))
        catch
            Macaw.@stage "around" 1
            (() -> Macaw.@stage "around" return 2)()
        end
    end
    @test !haskey(stages(seen)[("inside",)], "errors") && !haskey(stages(seen)[("around",)], "errors")
end

Macaw.@stage function summed(xs::Vector{T}; scale = 1) where {T}
    total = zero(T)
    for x in xs
        total += scale * x
    end
    total
end
Macaw.@stage "renamed" short(x) = x + 1

@testset "the forms of @stage" begin
    seen = record_job(nothing) do
        @test summed([1, 2, 3]; scale = 2) == 12
        @test short(1) == 2
        @test (Macaw.@stage sqrt(16.0)) == 4
        @test (Macaw.@stage Base.Math.cbrt(27.0)) ≈ 3
        @test Macaw.stage(() -> 5, "block") == 5
        Macaw.@stage "assigns" y = 7
        @test y == 7
        name = "dynamic"
        foreach(k -> Macaw.@stage("$name $k", k), 1:3)
    end
    @test sort(collect(keys(counts(seen)))) ==
        sort(["summed", "renamed", "sqrt", "Base.Math.cbrt", "block", "assigns", "dynamic 1", "dynamic 2", "dynamic 3"])
    for wrong in (:(Macaw.@stage x + 1 2 3), :(Macaw.@stage begin end), :(Macaw.@track 5))
        @test_throws Exception macroexpand(Main, wrong)
    end
end

@testset "loops that are left" begin
    seen = record_job(nothing) do
        Macaw.@stage "stage" for i in Macaw.track(1:10; desc = "by its stage")
            i == 4 && break
        end
        Macaw.@track "by itself" for i in 1:10
            i == 6 && break
        end
        try
            Macaw.@track "by exception" for i in 1:10
                i == 2 && throw(ArgumentError("z"))
            end
        catch
        end
        (() -> for i in Macaw.track(1:10; desc = "by the end")
            i == 3 && break
        end)()
    end
    by_name = Dict(bar["desc"] => bar for bar in values(bars(seen)))
    states = Dict(name => (bar["n"], bar["state"], get(bar, "parent", 0)) for (name, bar) in by_name)
    @test states == Dict("by its stage" => (3, "left", 0), "by itself" => (5, "left", 0), "by exception" => (1, "failed", 0),
                         "by the end" => (2, "left", 0))
end

@testset "nested loops: one row for the inner one, with its repeats" begin
    seen = record_job(nothing) do
        for _ in Macaw.track(1:4; desc = "outer"), _ in Macaw.track(1:3; desc = "inner")
        end
    end
    @test length(bars(seen)) == 2
    inner = bars(seen)[2]
    @test (inner["desc"], inner["parent"], inner["repeats"], inner["n"]) == ("inner", 1, 3, 3)
end

@testset "tasks have stacks of their own" begin
    seen = record_job(nothing) do
        Macaw.@stage "root" begin
            tasks = [@async (Macaw.@stage "task" (sleep(0.01); Macaw.@stage "inner" sleep(0.01))) for _ in 1:8]
            foreach(wait, tasks)
        end
    end
    @test counts(seen) == Dict("root" => 1, "task" => 8, "task/inner" => 8)
end

@testset "metrics that are no numbers, and steps that go back" begin
    seen = record_job(nothing) do
        Macaw.metrics(a = Inf, b = NaN, c = -Inf, d = 1 // 3, e = big(2)^70, f = :symbol, g = π, h = 0x05)
        foreach(step -> Macaw.metrics(loss = 1.0, step = step), (5, 3, 4, 5))
    end
    points = latest(seen, "metrics")
    byname = Dict(points[k]["name"] => points[k]["value"] for k in 1:8)
    @test isequal(byname, Dict("a" => Inf, "b" => NaN, "c" => -Inf, "d" => 1 / 3, "e" => 2.0^70, "f" => "symbol", "g" => Float64(π), "h" => 5))
    @test [points[k]["step"] for k in 9:12] == [5, 3, 4, 5]
end

struct Unprintable end
Base.print(io::IO, ::Unprintable) = Base.error("cannot print")

@testset "what cannot be told does not stop the job" begin
    seen = record_job(nothing) do
        Macaw.info(Unprintable())
        Macaw.metrics(x = Unprintable())
        Macaw.metrics(y = 1, step = "no number")
        bar = Macaw.track(total = "", desc = "no number", initial = missing)
        Macaw.set!(bar; n = "x", total = 2im)
        Macaw.info("bad byte \x97 ", "here")
        Macaw.info("x"^20_000)
    end
    lines = latest(seen, "logs")
    @test lines[(1, 1)]["text"] == "bad byte \ufffd here"
    @test [(bar["n"], haskey(bar, "total")) for bar in values(bars(seen))] == [(0, false)]
    long = [lines[(2, k)] for k in 1:count(key -> key[1] == 2, keys(lines))]
    @test join(line["text"] for line in long) == "x"^(16 * 1024)
    @test sum(get(line, "cut", 0) for line in long) == 20_000 - 16 * 1024
end

@testset "a stage that may last is told when it begins" begin
    receiver_sees(receiver, path) = haskey(stages(drain!(receiver)), path)
    record_job() do receiver
        Macaw.@stage "quick" nothing
        Macaw.@stage "long" @test receiver_sees(receiver, ("long",))
        row = stages(receiver)[("long",)]
        @test row["open"] == 1 && row["n"] == 0
    end
end

@testset "what an answer names is sent again" begin
    record_job() do receiver
        Macaw.info("one")
        Macaw.info("two")
        @test wait_until(() -> length(latest(drain!(receiver), "logs")) == 2)
        first_copies = length(receiver.reports)
        answer(receiver, receiver.reports[1]; want = (logs = [(1, 1)],))
        sent_again() = [row["no"] for report in drain!(receiver).reports[first_copies + 1:end] for row in get(report, "logs", [])]
        @test wait_until(() -> !isempty(sent_again()))
        @test sent_again() == [1]
    end
end

@testset "rows are refreshed, so that who comes late sees all" begin
    record = Macaw.Record(UInt64(0))
    receiver = Receiver()
    reporter = Macaw.Reporter(record, Macaw.HelloRow(name = "x"), Macaw.Transport([Macaw.Target("127.0.0.1", string(receiver.port))]),
                              1200, rand(UInt8, 16))
    node = Macaw.child!(record, record.root, "quiet")
    at(seconds) = round(UInt64, 1e9 * seconds)
    Macaw.send_round!(reporter, at(0))
    Macaw.send_round!(reporter, at(1))
    @test count(report -> haskey(report, "stages"), drain!(receiver).reports) == 1
    foreach(second -> Macaw.send_round!(reporter, at(second)), 2:21)
    @test count(report -> haskey(report, "stages"), drain!(receiver).reports) == 3
    @test count(report -> haskey(report, "hello"), receiver.reports) == 5
    close(receiver)
end

@testset "the summary" begin
    record_job(nothing) do
        Macaw.@stage "a" Macaw.@stage "b" nothing
        summary = Macaw.summary()
        @test [row.path for row in summary.rows] == [["a"], ["a", "b"]]
        @test summary.rows[1].count == 0 || summary.rows[1].count == 1
        @test occursin("\n    b", string(summary))
    end
end

@noinline enter_often(n) = for _ in 1:n
    Macaw.@stage "often" nothing
end

@testset "a stage allocates nothing in the steady state" begin
    record_job(nothing; ) do
        Macaw.CURRENT[].next_round = typemax(UInt64)  # but for the reports
        enter_often(10)
        @test @allocated(enter_often(10_000)) == 0
    end
end
