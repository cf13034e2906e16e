# SPDX-License-Identifier: MIT
@testset "texts are cut at character boundaries" begin
    @test Macaw.cut_text("größe", 3) == "gr"
    @test Macaw.cut_text("größe", 4) == "grö"
    @test Macaw.cut_text("🦜", 3) == ""
    @test Macaw.cut_text("abc", 3) == "abc"
    @test Macaw.cut_text("abc", 0) == ""
    @test all(isvalid(Macaw.cut_text("a🦜ö解", limit)) for limit in 0:12)
    @test Macaw.shorten("x"^300, 256) == "x"^232 * "…+68"
end

@testset "broken UTF-8 is replaced" begin
    @test Macaw.valid_utf8("ab\x97c") == "ab\ufffdc"
    @test Macaw.valid_utf8("größe") == "größe"
end

@testset "a path over its limit keeps its ends" begin
    @test Macaw.hash_names(["x", "y"]) == 0x755ae35c
    @test Macaw.shorten_path(["a", "b"]) == ["a", "b"]
    long = ["n$(k)_" * "x"^90 for k in 1:20]
    short = Macaw.shorten_path(long)
    @test short[1] == long[1] && short[end] == long[end]
    @test count(name -> startswith(name, "…"), short) == 1
    @test sum(Macaw.name_size, short) + 1 <= 600
end
