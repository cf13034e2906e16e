# SPDX-License-Identifier: MIT
read_settings(environment; config = "", wishes...) = Macaw.read_settings(wishes, Dict{String,String}(environment), config)
targets(url) = [(target.host, target.port) for target in read_settings(["MACAW_URL" => url]).targets]

@testset "defaults" begin
    settings = read_settings([])
    @test [(target.host, target.port) for target in settings.targets] == [("localhost", "6229")]
    @test (settings.interval, settings.mtu, settings.console, settings.disabled) == (0.1, 1200, :auto, false)
    @test isempty(settings.warnings)
end

@testset "targets" begin
    @test targets("udp://example.org") == [("example.org", "6229")]
    @test targets("udp://10.0.0.1:7000/") == [("10.0.0.1", "7000")]
    @test targets("udp://[::1]:7000, udp://b") == [("::1", "7000"), ("b", "6229")]
    for wrong in ("tcp://a", "udp://", "udp://a:0", "udp://a:99999", "udp://a:x", "nonsense", "http://a", "udp://SECRET@a")
        settings = read_settings(["MACAW_URL" => wrong])
        @test isempty(settings.targets)
        @test length(settings.warnings) == 1
        @test !occursin("SECRET", settings.warnings[1])
    end
end

@testset "init() goes before the environment, that before the file" begin
    config = "# comment\nname = \"from file\"\nurl = \"udp://file:1\"\n"
    @test read_settings([]; config = config).name == "from file"
    @test read_settings(["MACAW_NAME" => "from environment"]; config = config).name == "from environment"
    @test read_settings(["MACAW_NAME" => "from environment"]; config = config, name = "mine").name == "mine"
    @test read_settings([]; config = config).targets[1].host == "file"
end

@testset "a wrong value warns once and falls back" begin
    settings = read_settings(["MACAW_INTERVAL" => "soon", "MACAW_MTU" => "5", "MACAW_CONSOLE" => "loud", "MACAW_TAGS" => "a=b,c"])
    @test length(settings.warnings) == 4
    @test (settings.interval, settings.mtu, settings.console, settings.tags) == (0.1, 1200, :auto, ["a" => "b"])
    right = read_settings(["MACAW_INTERVAL" => "0.5", "MACAW_MTU" => "9000", "MACAW_TAGS" => "a=b, k=v=w"]; tags = (x = 1,))
    @test (right.interval, right.mtu, right.tags) == (0.5, 9000, ["a" => "b", "k" => "v=w", "x" => "1"])
    @test isempty(right.warnings)
end

@testset "without sealing a key silences the job" begin
    settings = read_settings(["MACAW_KEY" => "k3y"])
    @test isempty(settings.targets) && !occursin("k3y", join(settings.warnings))
end
