# SPDX-License-Identifier: MIT
# Just enough JSON for the golden vectors: objects keep their order as vectors of pairs, whole numbers all their 64 bits.

mutable struct JsonText
    text::String
    at::Int
end

read_json(text::String) = (json = JsonText(text, 1); value = json_value(json); value)

function json_next(json::JsonText)
    while json.text[json.at] in " \n\r\t"
        json.at += 1
    end
    return json.text[json.at]
end
json_skip(json::JsonText, char::Char) = json_next(json) == char && (json.at += 1; true)

function json_value(json::JsonText)
    char = json_next(json)
    char == '{' && return json_list(Pair{String,Any}[], json_entry, json, '}')
    char == '[' && return json_list(Any[], json_value, json, ']')
    char == '"' && return json_string(json)
    word = match(r"[-+.0-9A-Za-z]+", json.text, json.at).match
    json.at += sizeof(word)
    word in ("true", "false") && return word == "true"
    word == "null" && return nothing
    occursin(r"[.eE]", word) && return parse(Float64, word)
    return something(tryparse(Int64, word), Some(tryparse(UInt64, word)))
end

function json_list(items, read_item, json::JsonText, close::Char)
    json.at += 1
    while !json_skip(json, close)
        push!(items, read_item(json))
        json_skip(json, ',')
    end
    return items
end

function json_entry(json::JsonText)
    json_next(json)
    key = json_string(json)
    json_skip(json, ':')
    return key => json_value(json)
end

function json_string(json::JsonText)
    from = json.at + 1
    to = match(r"\"(?:[^\"\\]|\\.)*\"", json.text, json.at).match
    json.at += sizeof(to)
    return unescape_string(replace(SubString(json.text, from, prevind(json.text, json.at - 1)), "\\/" => "/"))
end
