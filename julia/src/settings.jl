# SPDX-License-Identifier: MIT
# How a job reports: from what init() was given, the environment, and $XDG_CONFIG_HOME/macaw/config.toml, in this order.
# A wrong value gives one warning and its default; nothing here throws for it.

struct Target
    host::String
    port::String
end

mutable struct Settings
    targets::Vector{Target}
    name::String
    console::Symbol      # :auto, :live, :plain, :off
    interval::Float64    # s
    mtu::Int
    tags::Labels
    disabled::Bool
    warnings::Vector{String}
end

is_disabled(environment) = get(environment, "MACAW_DISABLE", "") ∉ ("", "0")

"`wishes` are init()'s own; `config` is the text of config.toml."
function read_settings(wishes, environment, config::AbstractString)
    settings = Settings([Target("localhost", "6229")], "", :auto, 0.1, DEFAULT_MTU, Labels(), is_disabled(environment), String[])
    warn(text) = push!(settings.warnings, text)
    wanted(key) = something(get(wishes, Symbol(key), nothing), get(environment, "MACAW_" * uppercase(key), nothing),
                            config_value(config, key), Some(nothing))
    name, url, console, key = wanted("name"), wanted("url"), wanted("console"), wanted("key")
    name === nothing || (settings.name = valid_utf8(string(name)))
    url === nothing || read_targets!(settings, string(url))
    if console !== nothing
        word = string(console)
        word in ("auto", "live", "plain", "off") ? (settings.console = Symbol(word)) :
            warn("MACAW_CONSOLE: \"$word\" is none of auto, live, plain, off; using auto")
    end
    if key !== nothing && !isempty(key)
        empty!(settings.targets)
        warn("MACAW_KEY: sealed reports are not supported by this version; nothing is sent")
    end
    read_number(environment, "MACAW_INTERVAL", 0.01, 60.0, warn, "0.1") do seconds
        settings.interval = seconds
    end
    read_number(environment, "MACAW_MTU", MIN_MTU, MAX_MTU, warn, "1200") do bytes
        settings.mtu = floor(Int, bytes)
    end
    read_tags!(settings, get(environment, "MACAW_TAGS", ""))
    tags = get(wishes, :tags, nothing)
    tags === nothing || append!(settings.tags, [valid_utf8(string(k)) => valid_utf8(string(v)) for (k, v) in pairs(tags)])
    return settings
end

"The value of a line `key = \"value\"`; everything else in the file is none of our business."
function config_value(config::AbstractString, key::AbstractString)
    found = match(Regex("^\\s*$key\\s*=\\s*\"([^\"\\n]*)\"", "m"), config)
    return found === nothing ? nothing : String(found.captures[1])
end

const URL_FORM = r"^udp://(?:\[([0-9A-Fa-f:.%]+)\]|([^\[\]:/@]+))(?::(\d{1,5}))?/?$"

function read_targets!(settings::Settings, urls::String)
    empty!(settings.targets)
    for url in strip.(split(urls, ','; keepempty = false))
        found = match(URL_FORM, url)
        if startswith(url, "http://") || occursin('@', url)
            # Without what follows the scheme, which may be a key.
            push!(settings.warnings, "MACAW_URL: $(first(split(url, "://"))) with a key or over HTTP is not supported by " *
                                     "this version; use udp://host:6229")
        elseif found === nothing || !(1 <= parse(Int, something(found.captures[3], "6229")) <= 65535)
            push!(settings.warnings, "MACAW_URL: cannot read \"$url\"; it looks like udp://host:6229")
        else
            push!(settings.targets, Target(something(found.captures[1], found.captures[2]), something(found.captures[3], "6229")))
        end
    end
end

function read_number(take, environment, variable, least, most, warn, default)
    text = get(environment, variable, nothing)
    text === nothing && return
    value = tryparse(Float64, text)
    value !== nothing && least <= value <= most && return take(value)
    warn("$variable: \"$text\" is not between $least and $most; using $default")
end

function read_tags!(settings::Settings, text::AbstractString)
    for tag in strip.(split(text, ','; keepempty = false))
        parts = split(tag, '='; limit = 2)
        length(parts) == 2 && !isempty(parts[1]) ? push!(settings.tags, valid_utf8(parts[1]) => valid_utf8(parts[2])) :
            push!(settings.warnings, "MACAW_TAGS: \"$tag\" is not name=value; left out")
    end
end

function read_config_file(environment)
    home = get(environment, "XDG_CONFIG_HOME", "")
    isempty(home) && (home = joinpath(get(environment, "HOME", ""), ".config"))
    path = joinpath(home, "macaw", "config.toml")
    return isfile(path) ? read(path, String) : ""
end
