# SPDX-License-Identifier: MIT
# A collector's socket on loopback, and programs that report to it.

const CBOR = Macaw.read_cbor

mutable struct Receiver
    fd::Cint
    port::Int
    reports::Vector{Dict{Any,Any}}
    sizes::Vector{Int}
    answers::Bool
    sender::Vector{UInt8}
end

const LOOPBACK = UInt8[2, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]  # struct sockaddr_in: AF_INET, a free port

function Receiver(; answers = false)
    fd = ccall(:socket, Cint, (Cint, Cint, Cint), 2, 2, 0)
    address, size = copy(LOOPBACK), Ref{Cuint}(16)
    @assert ccall(:bind, Cint, (Cint, Ptr{UInt8}, Cuint), fd, address, 16) == 0
    ccall(:getsockname, Cint, (Cint, Ptr{UInt8}, Ptr{Cuint}), fd, address, size)
    return Receiver(fd, 256 * Int(address[3]) + address[4], [], [], answers, copy(LOOPBACK))
end

url(receiver::Receiver) = "udp://127.0.0.1:$(receiver.port)"
Base.close(receiver::Receiver) = ccall(:close, Cint, (Cint,), receiver.fd)

"Takes what has come, without waiting."
function drain!(receiver::Receiver)
    buffer, size = Vector{UInt8}(undef, 65536), Ref{Cuint}(16)
    while true
        got = ccall(:recvfrom, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint, Ptr{UInt8}, Ptr{Cuint}),
                    receiver.fd, buffer, length(buffer), 0x40, receiver.sender, size)
        got < 0 && return receiver
        report = CBOR(buffer[1:got])
        report === nothing && Base.error("a datagram that is not CBOR")
        push!(receiver.reports, report)
        push!(receiver.sizes, got)
        receiver.answers && (haskey(report, "hello") || haskey(report, "finish")) && answer(receiver, report)
    end
end

function answer(receiver::Receiver, report; want = nothing)
    out = Macaw.Bytes()
    at = Macaw.open_map!(out)
    entries = Macaw.put_entry!(out, "v", 1) + Macaw.put_entry!(out, "job", report["job"]) + Macaw.put_entry!(out, "ack", report["seq"])
    if want !== nothing
        Macaw.put!(out, "want")
        inner = Macaw.open_map!(out)
        for (key, ranges) in pairs(want)
            Macaw.put!(out, String(key))
            Macaw.put_head!(out, Macaw.MAJOR_ARRAY, length(ranges))
            foreach(range -> Macaw.put!(out, range), ranges)
        end
        Macaw.close_map!(out, inner, length(want))
        entries += 1
    end
    Macaw.close_map!(out, at, entries)
    ccall(:sendto, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint, Ptr{UInt8}, Cuint),
          receiver.fd, out.data, out.size, 0, receiver.sender, 16)
end

"Which row an entry of a report is."
row_key(section, row) = section == "bars" ? row["id"] : section == "stages" ? Tuple(row["path"]) :
                        section == "logs" ? (row["no"], get(row, "part", [1, 1])[1]) : row["no"]

"The newest copy of each row, by section and key, and of hello, usage and finish."
function latest(receiver::Receiver, section::String)
    rows = Dict{Any,Any}()
    for report in sort(receiver.reports; by = report -> report["seq"])
        haskey(report, section) || continue
        section in ("hello", "usage", "finish") ? (rows[section] = report[section]) :
            foreach(row -> rows[row_key(section, row)] = row, report[section])
    end
    return section in ("hello", "usage", "finish") ? get(rows, section, nothing) : rows
end
stages(receiver::Receiver) = latest(receiver, "stages")
bars(receiver::Receiver) = latest(receiver, "bars")

"Runs `f()` as a job of this process, and returns all that it reported."
function record_job(f; answers = false, wishes...)
    receiver = Receiver(; answers = answers)
    Macaw.forget_job()
    ENV["MACAW_CONSOLE"] = "off"
    try
        Macaw.init(; url = url(receiver), wishes...)
        f(receiver)
        Macaw.finish()
        return drain!(receiver)
    finally
        delete!(ENV, "MACAW_CONSOLE")
        Macaw.forget_job()
        close(receiver)
    end
end
record_job(f::Function, ::Nothing; options...) = record_job(_ -> f(); options...)

function wait_until(condition, seconds = 10)
    deadline = time() + seconds
    while !condition()
        time() < deadline || return false
        sleep(0.01)
    end
    return true
end

const LONGEST_RUN = 120

struct Ran
    code::Int
    signal::Int
    console::String
    seconds::Float64
    receiver::Receiver
end

"Runs a script as a program of its own, its reports received meanwhile. `meanwhile(process, receiver)` is called all along."
function run_script(source::String; answers = true, console = "plain", urls = url, threads = 1, meanwhile = (process, receiver) -> nothing)
    receiver = Receiver(; answers = answers)
    folder = mktempdir()
    path = joinpath(folder, "script.jl")
    write(path, source)
    julia = joinpath(Sys.BINDIR, Base.julia_exename())
    command = setenv(`$julia --startup-file=no $path`, merge(filter(((name, _),) -> name != "MACAW_JOB", Dict(ENV)), Dict(
        "MACAW_URL" => urls(receiver), "MACAW_CONSOLE" => console, "JULIA_NUM_THREADS" => string(threads),
        "JULIA_LOAD_PATH" => "$(dirname(@__DIR__)):@stdlib")))
    output = joinpath(folder, "console.txt")
    start = time()
    process = run(pipeline(ignorestatus(command); stdout = devnull, stderr = output); wait = false)
    while process_running(process)
        drain!(receiver)
        meanwhile(process, receiver)
        time() - start < LONGEST_RUN || kill(process, 9)  # hangs: the test fails instead of waiting for ever
        sleep(0.01)
    end
    seconds = time() - start
    drain!(receiver)
    close(receiver)
    return Ran(process.exitcode, process.termsignal, read(output, String), seconds, receiver)
end
