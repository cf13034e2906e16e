# SPDX-License-Identifier: MIT
new_record() = Macaw.Record(UInt64(0))

@testset "a stage's numbers" begin
    record = new_record()
    node = Macaw.child!(record, record.root, "x")
    @test Macaw.child!(record, record.root, "x") === node
    for (start, stop) in ((0, 10), (20, 50), (60, 80))
        Macaw.begin_entry!(node, UInt64(start))
        Macaw.end_entry!(node, UInt64(start), UInt64(stop), start == 20)
    end
    @test (node.n, node.sum, node.min, node.max, node.last, node.open, node.errors) == (3, 60, 10, 30, 20, 0, 1)
    @test node.mean == 20 && node.m2 == 200
end

@testset "too many stages and metric names fold into other" begin
    record = new_record()
    outer = Macaw.child!(record, record.root, "outer")
    nodes = [Macaw.child!(record, outer, "stage $k") for k in 1:5000]
    @test length(record.nodes) == Macaw.MAX_STAGES + 1
    @test nodes[end] === nodes[end - 1] && Macaw.path_of(nodes[end]) == ["other"]
    foreach(k -> Macaw.add_point!(record, UInt64(k), "metric $k", nothing, k), 1:5000)
    @test length(record.latest) == Macaw.MAX_METRIC_NAMES + 1
    @test record.latest[end].name == "other" && record.latest[end].value == 5000
    @test record.point_no == 5000
end

@testset "deeper than the bound counts into the deepest stage" begin
    record = new_record()
    node = record.root
    for k in 1:1000
        node = Macaw.child!(record, node, "deep")
    end
    @test length(Macaw.path_of(node)) == Macaw.MAX_DEPTH
end

@testset "logs and points are bounded, also when nobody ever listens" begin
    record = new_record()
    foreach(k -> Macaw.add_log!(record, UInt64(k), "info", "x"^10_000, record.root), 1:1000)
    @test record.log_bytes <= 4 * Macaw.MAX_LOG_BYTES_KEPT
    @test record.logs[end].no == 1000
    line = Macaw.add_log!(record, UInt64(1), "info", "y"^20_000, record.root)
    @test sizeof(line.text) + line.cut == 20_000 && sizeof(line.text) == Macaw.MAX_LOG_BYTES
    foreach(k -> Macaw.add_point!(record, UInt64(k), "m", k, 0.5), 1:50_000)
    @test length(record.points) <= 4 * Macaw.MAX_POINTS_KEPT
end

@testset "the pace counts this run's steps only, and recovers from being set back" begin
    pace = Macaw.Pace()
    foreach(k -> Macaw.update!(pace, Float64(k), Float64(k)), 1:9)
    @test Macaw.rate_of(pace) ≈ 1
    @test Macaw.left_of(pace, 10.0, 9.0) ≈ 10
    @test Macaw.left_of(pace, 10.0, 9.5) ≈ 9.5
    Macaw.update!(pace, 10.0, 2.0)
    @test isfinite(Macaw.rate_of(pace)) && Macaw.rate_of(pace) > 0
    @test Macaw.left_of(pace, -1.0, 10.0) === nothing
    @test Macaw.rate_of(Macaw.Pace()) === nothing
end

@testset "the next bar of the same place is a repeat" begin
    record = new_record()
    open_bar(desc, total) = Macaw.open_bar!(record, nothing, record.root, desc, "", total, nothing, UInt64(0))
    first = open_bar("a", 3)
    @test open_bar("a", 3) !== first  # still open
    Macaw.end_bar!(first, "done", UInt64(5))
    again = open_bar("a", 4)
    @test again === first && again.repeats == 1 && again.total == 4 && Macaw.is_open(again)
    foreach(k -> open_bar("bar $k", k), 1:1000)
    @test length(record.bars) == Macaw.MAX_BARS
end
