# SPDX-License-Identifier: MIT
# Programs of their own: how they end, and what that looks like from outside.

finish_of(ran) = latest(ran.receiver, "finish")
const HEAD = "using Macaw\n"

@testset "a script that ends" begin
    ran = run_script(HEAD * """
        function main()
            for i in Macaw.track(1:5; desc = "steps")
                Macaw.@stage "work" sum(rand(10))
            end
            Macaw.info("done")
        end
        main()
        """)
    @test ran.code == 0
    @test finish_of(ran)["code"] == 0 && !haskey(finish_of(ran), "state")
    @test bars(ran.receiver)[1]["state"] == "done" && stages(ran.receiver)[("work",)]["n"] == 5
    @test startswith(ran.console, "[macaw] job started: script.jl (pid: ")
    @test occursin("\n[INFO] done\n\n[macaw] job finished: script.jl\n  elapsed:     ", ran.console)
    @test occursin("\n  exit code:   0\n  peak memory: ", ran.console)
    @test occursin(r"\n  iterations:  5/5\n\n  stage summary:\n  work +avg: 0\.\d{3}s  min: .*\n$", ran.console)
end

@testset "an exception" begin
    ran = run_script(HEAD * """
        f(x) = Macaw.@stage "f" (x < 3 || throw(DomainError(x, "too large")))
        for i in Macaw.track(1:5); f(i); end
        """)
    @test ran.code == 1
    finish = finish_of(ran)
    @test (finish["code"], finish["state"], finish["error"]["type"]) == (1, "failed", "DomainError")
    @test finish["error"]["message"] == "DomainError with 3: too large"
    trace = latest(ran.receiver, "logs")[(finish["error"]["trace"], 1)]
    @test trace["level"] == "critical" && occursin("too large", trace["text"]) && occursin("script.jl", trace["text"])
    @test bars(ran.receiver)[1]["state"] == "failed"
    @test stages(ran.receiver)[("f",)]["errors"] == 1
    @test occursin("[macaw] job failed: script.jl\n  error:       DomainError with 3: too large\n", ran.console)
end

@testset "exit($code)" for (code, state) in ((0, nothing), (3, "failed"), (255, "failed"))
    ran = run_script(HEAD * "Macaw.@stage \"a\" 1\ntry; error(\"handled\"); catch; exit($code); end")
    @test ran.code == code
    @test finish_of(ran)["code"] == code && get(finish_of(ran), "state", nothing) == state
    @test haskey(finish_of(ran), "error") == (code != 0)
    @test occursin("\n  exit code:   $code\n", ran.console)
end

@testset "exit() inside of a loop leaves its bar open, break does not" begin
    ran = run_script(HEAD * "f() = for i in Macaw.track(1:9); i == 3 && exit(); end\nf()")
    @test get(bars(ran.receiver)[1], "state", "running") == "running"
    ran = run_script(HEAD * "f() = for i in Macaw.track(1:9); i == 3 && break; end\nf()\nexit(0)")
    @test bars(ran.receiver)[1]["state"] == "left"
end

@testset "SIGTERM and SIGINT interrupt" for (signal, code) in ((15, 143), (2, 130))
    sent = Ref(false)
    # Not before it is at rest, as a signal in the midst of Julia's compiler may end in that.
    is_at_rest(receiver) = any(report -> report["up"] > 3 && haskey(report, "usage"), receiver.reports)
    ran = run_script(HEAD * "Macaw.@stage \"forever\" while true; sleep(0.01); end";
                     meanwhile = (process, receiver) -> if !sent[] && is_at_rest(receiver)
                         sent[] = true
                         kill(process, signal)
                     end)
    @test stages(ran.receiver)[("forever",)]["open"] == 1
    @test ran.code == code || ran.signal == signal
    finish = finish_of(ran)
    @test (finish["state"], finish["signal"]) == ("interrupted", signal) && !haskey(finish, "code")
    @test occursin("[macaw] job interrupted: script.jl\n", ran.console)
end

@testset "finish() by hand is the end" begin
    ran = run_script(HEAD * "Macaw.@stage \"a\" 1\nMacaw.finish(code = 2)\nMacaw.@stage \"b\" 2\nMacaw.info(\"unheard\")")
    @test ran.code == 0
    @test finish_of(ran)["code"] == 2 && finish_of(ran)["state"] == "failed"
    @test collect(keys(stages(ran.receiver))) == [("a",)]
    @test count("job failed", ran.console) == 1 && !occursin("unheard", ran.console)
end

@testset "nobody answers: the finish is repeated, and the exit is quick" begin
    ran = run_script(HEAD * "Macaw.init()\nMacaw.info(string(time()))"; answers = false)
    @test count(report -> haskey(report, "finish"), ran.receiver.reports) >= 3
    start = parse(Float64, latest(ran.receiver, "logs")[(1, 1)]["text"])
    @test latest(ran.receiver, "finish")["elapsed"] < 30
    @test ran.code == 0 && start > 0
end

@testset "nobody listens: $target" for target in ("a closed port", "an unknown host")
    closed = Receiver()
    close(closed)
    address = target == "a closed port" ? url(closed) : "udp://no-such-host.invalid:6229"
    ran = run_script(HEAD * "for i in Macaw.track(1:1000); Macaw.@stage \"a\" i; end"; urls = _ -> address)
    @test ran.code == 0 && isempty(ran.receiver.reports)
    @test occursin("iterations:  1000/1000", ran.console)
    @test !occursin("rror", ran.console)
    @test ran.seconds < 60
end

@testset "a job that another one starts says so" begin
    ran = run_script(HEAD * "Macaw.init(); run(`\$(Base.julia_cmd()) -e 'using Macaw; Macaw.init()'`)")
    ids = Dict(report["job"] => report["hello"] for report in ran.receiver.reports if haskey(report, "hello"))
    @test length(ids) == 2
    child = only(hello for hello in values(ids) if haskey(hello, "parent"))
    @test child["parent"] in keys(ids)
end

@testset "disabled: no datagram, no word" begin
    ran = run_script("ENV[\"MACAW_DISABLE\"] = \"1\"\n" * HEAD * "for i in Macaw.track(1:9); Macaw.@stage \"a\" i; end; Macaw.info(\"x\")")
    @test ran.code == 0 && isempty(ran.receiver.reports) && isempty(ran.console)
end

@testset "A10: threads share the rows and none of the stacks" begin
    ran = run_script(HEAD * """
        Threads.@threads for k in 1:8
            for i in 1:5000
                Macaw.@stage "work" Macaw.@stage "inner" i % 7
                i % 1000 == 0 && Macaw.info("thread \$k")
            end
        end
        """; threads = 4)
    @test ran.code == 0
    @test Dict(join(path, "/") => row["n"] for (path, row) in stages(ran.receiver)) == Dict("work" => 40_000, "work/inner" => 40_000)
    @test length(latest(ran.receiver, "logs")) == 40
end

@testset "the example" begin
    ran = run_script(read(joinpath(dirname(@__DIR__), "examples", "doing_nothing.jl"), String); console = "off")
    @test ran.code == 0 && isempty(ran.console)
    @test (bars(ran.receiver)[1]["n"], bars(ran.receiver)[1]["total"]) == (200, 200)
    @test Dict(join(path, "/") => row["n"] for (path, row) in stages(ran.receiver)) == Dict(
        "generate_data" => 200, "singular_values" => 200, "singular_values/LinearAlgebra.mul!" => 200,
        "singular_values/LinearAlgebra.svdvals" => 200)
    @test length(latest(ran.receiver, "logs")) == 201
end

@testset "an ending that hangs is given up" begin
    ran = run_script(HEAD * "Macaw.init(); Macaw.alarm(1); while true; end")
    @test ran.code == 143
    @test ran.seconds < 60
end
