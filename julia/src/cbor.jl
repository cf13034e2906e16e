# SPDX-License-Identifier: MIT
# CBOR (RFC 8949), both ways. Written: shortest heads, shortest exact floats, definite lengths. Read: everything that is
# well-formed, as Dict, Vector, String, numbers, Bool, bytes and nothing; for answers and for tests.

"A byte buffer that is filled again and again without allocating."
mutable struct Bytes
    data::Vector{UInt8}
    size::Int
end
Bytes() = Bytes(Vector{UInt8}(undef, 2048), 0)

empty_bytes!(out::Bytes) = (out.size = 0; out)
taken(out::Bytes) = out.data[1:out.size]

function make_room!(out::Bytes, count::Int)
    wanted = out.size + count
    wanted > length(out.data) && resize!(out.data, max(wanted, 2 * length(out.data)))
    return nothing
end

function put_byte!(out::Bytes, byte::UInt8)
    make_room!(out, 1)
    @inbounds out.data[out.size += 1] = byte
    return nothing
end

function put_bytes!(out::Bytes, bytes, count::Int = length(bytes))
    make_room!(out, count)
    copyto!(out.data, out.size + 1, bytes, 1, count)
    out.size += count
    return nothing
end

function put_big_endian!(out::Bytes, value::Unsigned)
    for shift in 8 * (sizeof(value) - 1):-8:0
        put_byte!(out, (value >> shift) % UInt8)
    end
end

const MAJOR_UINT, MAJOR_NEGATIVE, MAJOR_BYTES, MAJOR_TEXT, MAJOR_ARRAY, MAJOR_MAP = 0x00, 0x20, 0x40, 0x60, 0x80, 0xa0

function put_head!(out::Bytes, major::UInt8, value::UInt64)
    value < 24 && return put_byte!(out, major | value % UInt8)
    value <= 0xff && return (put_byte!(out, major | 0x18); put_byte!(out, value % UInt8))
    value <= 0xffff && return (put_byte!(out, major | 0x19); put_big_endian!(out, value % UInt16))
    value <= 0xffffffff && return (put_byte!(out, major | 0x1a); put_big_endian!(out, value % UInt32))
    put_byte!(out, major | 0x1b)
    put_big_endian!(out, value)
end
put_head!(out::Bytes, major::UInt8, value::Integer) = put_head!(out, major, UInt64(value))

put!(out::Bytes, value::Unsigned) = put_head!(out, MAJOR_UINT, UInt64(value))
function put!(out::Bytes, value::Signed)
    value < 0 ? put_head!(out, MAJOR_NEGATIVE, (~Int64(value)) % UInt64) : put_head!(out, MAJOR_UINT, value % UInt64)
end
put!(out::Bytes, value::Bool) = put_byte!(out, value ? 0xf5 : 0xf4)
function put!(out::Bytes, value::AbstractFloat)
    double = Float64(value)
    isnan(double) && return (put_byte!(out, 0xf9); put_big_endian!(out, 0x7e00))
    half, single = Float16(double), Float32(double)
    half == double && return (put_byte!(out, 0xf9); put_big_endian!(out, reinterpret(UInt16, half)))
    single == double && return (put_byte!(out, 0xfa); put_big_endian!(out, reinterpret(UInt32, single)))
    put_byte!(out, 0xfb)
    put_big_endian!(out, reinterpret(UInt64, double))
end
function put!(out::Bytes, text::String)
    put_head!(out, MAJOR_TEXT, sizeof(text))
    put_bytes!(out, codeunits(text))
end
function put!(out::Bytes, bytes::Vector{UInt8})
    put_head!(out, MAJOR_BYTES, length(bytes))
    put_bytes!(out, bytes)
end
function put!(out::Bytes, list::Union{Vector{String},Vector{Float64},Tuple})
    put_head!(out, MAJOR_ARRAY, length(list))
    foreach(item -> put!(out, item), list)
end

# Maps: `at = open_map!(out)`, the sum of the entries, `close_map!(out, at, entries)`. At most 23 entries.
open_map!(out::Bytes) = (put_byte!(out, MAJOR_MAP); out.size)
close_map!(out::Bytes, at::Int, entries::Int) = (out.data[at] = MAJOR_MAP | entries % UInt8; nothing)

"Writes an entry, unless there is no value or it is the `default`. Says how many entries that made."
function put_entry!(out::Bytes, key::String, value, default = nothing)
    (value === nothing || value == default) && return 0
    put!(out, key)
    put!(out, value)
    return 1
end

# --- reading ---

struct Malformed <: Exception end

mutable struct Reader
    bytes::Vector{UInt8}
    at::Int
end

const MAX_NESTING = 20
const BREAK = :break

"The one item that `bytes` hold, or `nothing` where they are not well-formed."
function read_cbor(bytes::Vector{UInt8})
    reader = Reader(bytes, 1)
    try
        item = read_item(reader, 0)
        return item === BREAK || reader.at != length(bytes) + 1 ? nothing : item
    catch error
        error isa Malformed || rethrow()
        return nothing
    end
end

function take_byte!(reader::Reader)
    reader.at <= length(reader.bytes) || throw(Malformed())
    byte = reader.bytes[reader.at]
    reader.at += 1
    return byte
end

function take_unsigned!(reader::Reader, count::Int)
    value = UInt64(0)
    for _ in 1:count
        value = value << 8 | take_byte!(reader)
    end
    return value
end

function take_bytes!(reader::Reader, count::UInt64)
    left = length(reader.bytes) - reader.at + 1
    count <= left || throw(Malformed())
    reader.at += Int(count)
    return reader.bytes[reader.at - Int(count):reader.at - 1]
end

function read_item(reader::Reader, depth::Int)
    depth <= MAX_NESTING || throw(Malformed())
    initial = take_byte!(reader)
    major, info = initial & 0xe0, initial & 0x1f
    initial == 0xff && return BREAK
    major == 0xe0 && return read_simple(reader, info)
    unbounded = info == 0x1f
    unbounded && !(MAJOR_BYTES <= major <= MAJOR_MAP) && throw(Malformed())
    0x1c <= info <= 0x1e && throw(Malformed())
    value = unbounded ? typemax(UInt64) : info < 24 ? UInt64(info) : take_unsigned!(reader, 1 << (info - 0x18))
    major == MAJOR_UINT && return value <= typemax(Int64) ? Int64(value) : value
    major == MAJOR_NEGATIVE && return value <= typemax(Int64) ? ~Int64(value) : -1.0 - value
    major == MAJOR_BYTES && return read_string(reader, major, value, unbounded)
    major == MAJOR_TEXT && return valid_utf8(String(read_string(reader, major, value, unbounded)))
    major == MAJOR_ARRAY && return read_array(reader, value, depth)
    major == MAJOR_MAP && return read_map(reader, value, depth)
    return no_break(read_item(reader, depth + 1))  # a tag says nothing that is needed here
end

no_break(item) = item === BREAK ? throw(Malformed()) : item

function read_simple(reader::Reader, info::UInt8)
    info == 20 && return false
    info == 21 && return true
    info == 22 && return nothing
    info == 23 && return nothing
    info == 24 && return take_byte!(reader) < 32 ? throw(Malformed()) : nothing
    info == 25 && return Float64(reinterpret(Float16, take_unsigned!(reader, 2) % UInt16))
    info == 26 && return Float64(reinterpret(Float32, take_unsigned!(reader, 4) % UInt32))
    info == 27 && return reinterpret(Float64, take_unsigned!(reader, 8))
    throw(Malformed())
end

function read_string(reader::Reader, major::UInt8, count::UInt64, unbounded::Bool)
    unbounded || return take_bytes!(reader, count)
    joined = UInt8[]
    while true
        initial = take_byte!(reader)
        initial == 0xff && return joined
        info = initial & 0x1f
        (initial & 0xe0 == major && info < 0x1c) || throw(Malformed())
        size = info < 24 ? UInt64(info) : take_unsigned!(reader, 1 << (info - 0x18))
        append!(joined, take_bytes!(reader, size))
    end
end

function read_array(reader::Reader, count::UInt64, depth::Int)
    items = Any[]
    while length(items) < count
        item = read_item(reader, depth + 1)
        item === BREAK && count == typemax(UInt64) && return items
        push!(items, no_break(item))
    end
    return items
end

function read_map(reader::Reader, count::UInt64, depth::Int)
    map = Dict{Any,Any}()
    read = UInt64(0)
    while read < count
        key = read_item(reader, depth + 1)
        key === BREAK && count == typemax(UInt64) && return map
        no_break(key)
        map[key] = no_break(read_item(reader, depth + 1))
        read += 1
    end
    return map
end
