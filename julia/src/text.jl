# SPDX-License-Identifier: MIT
# Texts as the wire wants them: valid UTF-8, cut at character boundaries, paths shortened in the middle
# (sdk/PROTOCOL.md, "Limits and how they are kept"). Pure functions.

const MAX_NAME_BYTES = 256
const MAX_NOTE_BYTES = 512
const MAX_PATH_BYTES = 600
const MAX_LOG_BYTES = 16 * 1024

"`text` with each broken sequence replaced by U+FFFD."
function valid_utf8(text::AbstractString)
    string = String(text)
    isvalid(string) && return string
    return join(isvalid(char) ? char : '\ufffd' for char in string)
end

"The longest start of `text` that has at most `limit` bytes and ends at a character boundary."
function cut_text(text::String, limit::Integer)
    sizeof(text) <= limit && return text
    limit <= 0 && return ""
    last = thisind(text, limit)
    nextind(text, last) - 1 <= limit || (last = prevind(text, last))
    return text[1:last]
end

"`text` within `limit` bytes; what was cut is told at its end as `…+N`."
function shorten(text::String, limit::Integer)
    sizeof(text) <= limit && return text
    mark = 24  # the ellipsis, a plus, any number
    kept = cut_text(text, limit - mark)
    return string(kept, "…+", sizeof(text) - sizeof(kept))
end

"The 32-bit FNV-1a hash of `names`, each followed by a zero byte."
function hash_names(names)
    hash = 0x811c9dc5
    for name in names
        for byte in codeunits(name)
            hash = (hash ⊻ byte) * 0x01000193
        end
        hash *= 0x01000193  # the zero byte
    end
    return hash
end

head_size(length::Integer) = length < 24 ? 1 : length <= 0xff ? 2 : length <= 0xffff ? 3 : 5
name_size(name::String) = (size = min(sizeof(name), MAX_NAME_BYTES); head_size(size) + size)

"`path` so that its encoding stays within `limit`: the last name says most, then the first, then inwards in turn."
function shorten_path(path::Vector{String}, limit::Integer = MAX_PATH_BYTES)
    depth = length(path)
    cut_names(names) = String[cut_text(name, MAX_NAME_BYTES) for name in names]
    head_size(depth) + sum(Int[name_size(name) for name in path]) <= limit && return cut_names(path)
    room = limit - head_size(depth) - name_size("…00000000")
    head, tail = 0, 0
    back, front = true, true
    while back || front
        back = back && head + tail < depth && name_size(path[depth - tail]) <= room
        back && (room -= name_size(path[depth - tail]); tail += 1)
        front = front && head + tail < depth && name_size(path[head + 1]) <= room
        front && (room -= name_size(path[head + 1]); head += 1)
    end
    mark = "…" * string(hash_names(path[head + 1:depth - tail]); base = 16, pad = 8)
    return vcat(cut_names(path[1:head]), mark, cut_names(path[depth - tail + 1:depth]))
end
