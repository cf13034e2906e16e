# SPDX-License-Identifier: MIT
# The golden vectors (tests/vectors), both ways, and what the packer does with rows.

const VECTORS = joinpath(REPOSITORY, "tests", "vectors")
read_hex(path) = hex2bytes(filter(!isspace, read(path, String)))
read_meaning(name) = read_json(read(joinpath(VECTORS, "$name.json"), String))
names_in(folder, ending) = sort([replace(file, ending => "") for file in readdir(joinpath(VECTORS, folder)) if endswith(file, ending)])

number(value) = get(Dict("nan" => NaN, "inf" => Inf, "-inf" => -Inf), value, value)
uuid(text) = Macaw.parse_uuid(text)

"The JSON form of a value as what CBOR carries."
on_the_wire(object::Vector{Pair{String,Any}}) = Dict{Any,Any}(
    key => key in ("job", "parent") && value isa String ? uuid(value) : key == "value" ? number(value) : on_the_wire(value)
    for (key, value) in object)
on_the_wire(list::Vector{Any}) = Any[on_the_wire(value) for value in list]
on_the_wire(value) = value

# isequal() tells NaN from numbers, but not 3 from 3.0.
same(a, b) = typeof(a) == typeof(b) && isequal(a, b)
same(a::Dict, b::Dict) = keys(a) == keys(b) && all(same(a[key], b[key]) for key in keys(a))
same(a::Vector, b::Vector) = length(a) == length(b) && all(same.(a, b))

const ROWS = Dict("hello" => Macaw.HelloRow, "usage" => Macaw.UsageRow, "finish" => Macaw.FinishRow, "bars" => Macaw.BarRow,
                  "stages" => Macaw.StageRow, "metrics" => Macaw.MetricRow, "logs" => Macaw.LogRow)

field_value(key, value) = value
field_value(key, object::Vector{Pair{String,Any}}) =
    key == "git" ? row(Macaw.GitRow, object) : key == "error" ? row(Macaw.ErrorRow, object) :
    Macaw.Labels([name => value for (name, value) in object])
field_value(key, list::Vector{Any}) = key == "part" ? Tuple(list) : key == "gpu" ? Float64.(list) : String.(list)
function row(type, object)
    value(key, value) = key == "parent" && value isa String ? uuid(value) : key == "value" ? number(value) : field_value(key, value)
    return type(; (Symbol(key) => value(key, v) for (key, v) in object)...)
end

"A report's meaning through the rows and the packer. Julia promises no next report, so `next` is left out."
function encode(meaning)
    head = Dict(meaning)
    datagrams = Vector{UInt8}[]
    packer = Macaw.Packer(datagram -> push!(datagrams, Macaw.taken(datagram)), 1200, uuid(head["job"]))
    packer.seq = head["seq"]
    Macaw.begin_round!(packer, head["up"], head["t"])
    for (section, rows) in meaning
        haskey(ROWS, section) || continue
        for object in (section in ("hello", "usage", "finish") ? [rows] : rows)
            Macaw.add_row!(packer, row(ROWS[section], object))
        end
    end
    Macaw.end_round!(packer)
    return datagrams
end

@testset "golden $name" for name in names_in("", ".json")
    bytes, meaning = read_hex(joinpath(VECTORS, "$name.hex")), read_meaning(name)
    @test same(CBOR(bytes), on_the_wire(meaning))
    if startswith(name, "answer")
        answer = Macaw.read_answer(bytes, uuid(Dict(meaning)["job"]))
        @test answer.ack == Dict(meaning)["ack"]
        @test Macaw.read_answer(bytes, rand(UInt8, 16)) === nothing
    elseif !haskey(Dict(meaning), "up")
        continue  # Julia always says when
    elseif haskey(Dict(meaning), "next")
        wanted = delete!(on_the_wire(meaning), "next")
        @test same(CBOR(only(encode(meaning))), wanted)
    else
        @test only(encode(meaning)) == bytes
    end
end

@testset "wants are read" begin
    bytes = read_hex(joinpath(VECTORS, "answer.hex"))
    answer = Macaw.read_answer(bytes, uuid(Dict(read_meaning("answer"))["job"]))
    @test (answer.logs, answer.metrics, answer.reports) == ([(3, 3), (7, 12)], [(1, 4294967296)], [(398, 399)])
    @test Macaw.wants_more(answer) && Macaw.is_within(answer.logs, 8) && !Macaw.is_within(answer.logs, 4)
end

@testset "every decoder reads $name" for name in ("indefinite", "wide", "tags", "invalid-utf8")
    read = CBOR(read_hex(joinpath(VECTORS, "reads", "$name.hex")))
    wanted = on_the_wire(read_meaning("reads/$name"))
    @test isequal(read, wanted)
end

@testset "malformed $name" for name in filter(name -> !startswith(name, "json"), names_in("refused/malformed", ".hex"))
    @test CBOR(read_hex(joinpath(VECTORS, "refused", "malformed", "$name.hex"))) === nothing
end

@testset "any bytes are an answer or none, never an exception" begin
    bytes = read_hex(joinpath(VECTORS, "answer.hex"))
    job = uuid(Dict(read_meaning("answer"))["job"])
    seed = UInt32(1)
    for _ in 1:5000
        changed = copy(bytes)
        for _ in 1:3
            seed = seed * 0x0019660d + 0x3c6ef35f
            changed[1 + seed % length(bytes)] = (seed >> 16) % UInt8
        end
        answer = Macaw.read_answer(changed[1:1 + (seed >> 8) % length(bytes)], job)
        answer === nothing || answer isa Macaw.Answer || @test false
    end
    @test Macaw.read_answer(UInt8[], job) === nothing
end

@testset "rows are spread over datagrams, none too large and none lost" begin
    datagrams = Vector{UInt8}[]
    packer = Macaw.Packer(datagram -> push!(datagrams, Macaw.taken(datagram)), 1200, rand(UInt8, 16))
    Macaw.begin_round!(packer, 1.0, 2.0)
    seqs = [Macaw.add_row!(packer, Macaw.StageRow(path = ["outer", "stage $k", "x"^(k % 300)], n = k, sum = 0.1 * k)) for k in 1:500]
    Macaw.end_round!(packer)
    @test maximum(length, datagrams) <= 1200
    reports = CBOR.(datagrams)
    @test [report["seq"] for report in reports] == 1:length(reports)
    @test sum(length(report["stages"]) for report in reports) == 500
    @test all(any(row["n"] == k for row in reports[seqs[k]]["stages"]) for k in 1:500)
end

@testset "the largest rows fit the smallest datagram" begin
    path = ["größe"^60 for _ in 1:50]
    rows = (Macaw.StageRow(path = path, n = typemax(Int64), sum = 0.1, min = 0.1, max = 0.1, m2 = 0.1, last = 0.1, open = 5,
                           since = 0.1, errors = 3, note = "n"^2000),
            Macaw.BarRow(id = typemax(UInt64), parent = 1, stage = path, n = 0.1, total = 0.1, initial = 0.1, unit = "u"^99,
                         elapsed = 0.1, rate = 0.1, eta = 0.1, state = "interrupted", repeats = typemax(Int64), desc = "d"^999),
            Macaw.MetricRow(no = typemax(Int64), name = "m"^999, step = 0.1, up = 0.1, value = "v"^999),
            Macaw.LogRow(no = 1, up = 0.1, level = "critical", stage = path, text = "t"^3000),
            Macaw.HelloRow(name = "n"^999, host = "h"^999, user = "u"^999, cwd = "c"^999, tags = ["t$k" => "v"^50 for k in 1:99],
                           env = ["e" => "x"], argv = ["a"^200 for _ in 1:99]),
            Macaw.FinishRow(error = Macaw.ErrorRow(type = "T"^999, message = "m"^999)))
    for row in rows
        datagrams = Vector{UInt8}[]
        packer = Macaw.Packer(datagram -> push!(datagrams, Macaw.taken(datagram)), Macaw.MIN_MTU, rand(UInt8, 16))
        Macaw.begin_round!(packer, 0.1, 0.1)
        Macaw.add_row!(packer, row)
        Macaw.end_round!(packer)
        @test length(only(datagrams)) <= Macaw.MIN_MTU
        @test CBOR(datagrams[1]) isa Dict
    end
end

@testset "a long log line travels in pieces" begin
    line = "größe 🦜 "^1000
    pieces = Macaw.log_pieces(Macaw.LogRow(no = 7, text = line, stage = ["a", "b"], cut = 5), 1200)
    @test length(pieces) > 10
    @test join(piece.text for piece in pieces) == line
    @test [piece.part for piece in pieces] == [(k, length(pieces)) for k in 1:length(pieces)]
    @test [piece.cut for piece in pieces] == [zeros(Int, length(pieces) - 1); 5]
    for piece in pieces
        datagrams = []
        packer = Macaw.Packer(datagram -> push!(datagrams, Macaw.taken(datagram)), 1200, rand(UInt8, 16))
        Macaw.add_row!(packer, piece)
        Macaw.end_round!(packer)
        @test CBOR(only(datagrams))["logs"][1]["text"] == piece.text
    end
end
