# SPDX-License-Identifier: MIT
payload() = (out = Macaw.Bytes(); Macaw.put_bytes!(out, UInt8[0xa0]); out)

@testset "a closed port is noticed and asked again a second later" begin
    closed = Receiver()
    close(closed)
    transport = Macaw.Transport([Macaw.Target("127.0.0.1", string(closed.port))])
    @test Macaw.is_ready!(transport, 0.0)
    Macaw.send!(transport, payload())
    @test wait_until(() -> !Macaw.is_ready!(transport, 0.5))
    @test Macaw.is_refused(transport)
    @test !Macaw.send!(transport, payload())
    @test Macaw.is_ready!(transport, 1.6)
end

@testset "a name is resolved beside the job" begin
    transport = Macaw.Transport([Macaw.Target("localhost.", "9")])
    @test transport.peers[1].fd == -1
    @test wait_until(() -> Macaw.is_ready!(transport, 0.0)) || transport.peers[1].try_again > 0  # where nothing resolves it
end

@testset "an unknown name costs nothing and is asked for again" begin
    start = time()
    transport = Macaw.Transport([Macaw.Target("no-such-host.invalid", "6229")])
    @test !Macaw.is_ready!(transport, 0.0)
    @test !Macaw.send!(transport, payload())
    @test Macaw.receive!(transport, 0.0) === nothing
    @test time() - start < 1
end

@testset "targets are many, and one that is gone does not hide the other" begin
    open_one, closed = Receiver(), Receiver()
    close(closed)
    transport = Macaw.Transport([Macaw.Target("127.0.0.1", string(closed.port)), Macaw.Target("localhost", string(open_one.port))])
    for _ in 1:3
        Macaw.is_ready!(transport, 0.0)
        Macaw.send!(transport, payload())
    end
    @test wait_until(() -> length(drain!(open_one).reports) == 3)
    close(open_one)
end
