# SPDX-License-Identifier: MIT
# What the operating system knows about this process: who it is, what it uses, how it ends.

"An identity that nobody else has: a random UUID (version 4)."
function random_job_id()
    id = open(file -> read(file, 16), "/dev/urandom")
    id[7] = id[7] & 0x0f | 0x40
    id[9] = id[9] & 0x3f | 0x80
    return id
end

function uuid_text(id::Vector{UInt8})
    hex = bytes2hex(id)
    return join((hex[1:8], hex[9:12], hex[13:16], hex[17:20], hex[21:32]), "-")
end

function parse_uuid(text::AbstractString)
    hex = replace(text, "-" => "")
    return occursin(r"^[0-9A-Fa-f]{32}$", hex) ? hex2bytes(hex) : nothing
end

const SCHEDULER_VARIABLES = ("SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "PBS_JOBID",
                             "LSB_JOBID", "CUDA_VISIBLE_DEVICES")

function user_name()
    for variable in ("USER", "LOGNAME")
        isempty(get(ENV, variable, "")) || return valid_utf8(ENV[variable])
    end
    user = ccall(:getuid, Cuint, ())
    entry = ccall(:getpwuid, Ptr{Ptr{UInt8}}, (Cuint,), user)  # struct passwd begins with the name
    return entry == C_NULL ? string(user) : valid_utf8(unsafe_string(unsafe_load(entry)))
end

function hello_row(settings::Settings, start::Float64)
    name = !isempty(settings.name) ? settings.name : isempty(PROGRAM_FILE) ? "julia" : basename(PROGRAM_FILE)
    parent = parse_uuid(get(ENV, "MACAW_JOB", ""))
    environment = Labels([name => valid_utf8(ENV[name]) for name in SCHEDULER_VARIABLES if haskey(ENV, name)])
    argv = isempty(PROGRAM_FILE) ? ["julia"] : ["julia", PROGRAM_FILE]
    return HelloRow(name = valid_utf8(name), pid = Int64(getpid()), start = start, parent = parent,
                    host = valid_utf8(gethostname()), user = user_name(), lang = "julia $VERSION",
                    sdk = "macaw $MACAW_VERSION", cwd = valid_utf8(pwd()), tags = settings.tags, env = environment,
                    argv = valid_utf8.(vcat(argv, ARGS)))
end

function read_usage(self_cpu::Float64, sent::Int64, unsent::Int64)
    known = Dict("VmRSS" => nothing, "VmHWM" => nothing, "Threads" => nothing)
    status = isfile("/proc/self/status") ? read("/proc/self/status", String) : ""
    number(key) = (found = match(Regex("^$key:\\s*(\\d+)", "m"), status);
                   found === nothing ? nothing : parse(Int64, found.captures[1]))
    bytes(kilobytes) = kilobytes === nothing ? nothing : 1024 * kilobytes
    return UsageRow(rss = bytes(number("VmRSS")), peak = something(bytes(number("VmHWM")), Int64(Sys.maxrss())),
                    cpu = cpu_seconds(), threads = number("Threads"), self_cpu = self_cpu, sent = sent, unsent = unsent)
end

"Processor time of all threads of this process."
function cpu_seconds()
    usage = zeros(Clong, 18)  # struct rusage begins with user and system time, each seconds and microseconds
    ccall(:getrusage, Cint, (Cint, Ptr{Clong}), 0, usage)
    return usage[1] + usage[3] + 1e-6 * (usage[2] + usage[4])
end

"Messages of exceptions and the first of their types, as they stand on this task's stack; nothing when there are none."
function current_error()
    stack = @static VERSION >= v"1.7" ? current_exceptions() : Base.catch_stack()
    isempty(stack) && return nothing
    exception, backtrace = stack[end]
    while exception isa LoadError  # says where the script was, not what went wrong
        exception = exception.error
    end
    message = join(split(sprint(showerror, exception)), " ")
    type = string(nameof(typeof(exception)))
    trace = sprint((io) -> showerror(io, exception, backtrace))
    # Where showerror() begins with the type ("TypeError: ..."), it need not stand there twice.
    return (type = type, message = valid_utf8(replace(message, Regex("^$type: ") => "")), trace = valid_utf8(trace))
end

struct SymbolInfo   # Dl_info
    file::Ptr{UInt8}
    base::Ptr{Cvoid}
    name::Ptr{UInt8}
    address::Ptr{Cvoid}
end

"""
Whether a signal ends this process, asked inside of an exit hook. Then nothing but Julia's runtime stands beyond `jl_exit` on the
stack, as it was called in place of whatever ran.
"""
function is_ended_by_signal()
    info = Ref(SymbolInfo(C_NULL, C_NULL, C_NULL, C_NULL))
    exit_address = ccall(:dlsym, Ptr{Cvoid}, (Ptr{Cvoid}, Cstring), C_NULL, "jl_exit")
    runtime = C_NULL
    for frame in backtrace()
        frame isa Ptr{Cvoid} || return false
        frame == C_NULL && continue  # the end, where there was no caller
        found = ccall(:dladdr, Cint, (Ptr{Cvoid}, Ref{SymbolInfo}), frame - 1, info) != 0
        if runtime != C_NULL
            found && info[].base == runtime || return false
        elseif found && info[].address == exit_address
            runtime = info[].base
        end
    end
    return runtime != C_NULL
end

"Statuses that stand for a signal that asks a job to stop: HUP, INT, QUIT, TERM."
const INTERRUPTIONS = (129, 130, 131, 143)

"How an exit status is told: the state, and such a signal."
function ending_of(status::Integer)
    status in INTERRUPTIONS && return ("interrupted", Int64(status - 128))
    return (status == 0 ? "finished" : "failed", nothing)
end

# A signal may end a program in the middle of its compiler. What an exit hook then still needs compiled waits for the
# compiler's own locks, for ever; so an alarm clock ends the process in its place, with the status of a terminated one.
const LONGEST_ENDING = 10   # s
const SIGALRM = 14
give_up(::Cint)::Cvoid = ccall(:_exit, Cvoid, (Cint,), 143)
function prepare_to_give_up()
    ccall(:signal, Ptr{Cvoid}, (Cint, Ptr{Cvoid}), SIGALRM, @cfunction(give_up, Cvoid, (Cint,)))
    return
end
alarm(seconds) = (ccall(:alarm, Cuint, (Cuint,), seconds); nothing)

# --- the exit status before Julia 1.9 ---
# There an atexit hook is not told the status. glibc's on_exit tells it, but so late that Julia can only run code that
# neither allocates nor throws. So the hook prepares what may be said for each status, and the handler picks.

mutable struct Farewell
    fds::Vector{Cint}
    datagrams::Vector{Vector{UInt8}}         # of each status, 0 to 255
    console_fd::Cint                         # -1: nothing to print
    heads::Vector{Vector{UInt8}}             # the console's text before the status, of each status
    digits::Vector{Vector{UInt8}}
    tail::Vector{UInt8}
    scratch::Vector{UInt8}
    rounds::Int                              # how often to say it; stops at the first answer
    brief::Cint                              # 0, or the seconds that a job took which a signal ended
    name::Vector{UInt8}                      # of that job, zero-terminated
end

const BRIEF_ENDING = Vector{UInt8}("\n[macaw] job interrupted: %s\n  elapsed:     %ds\n  exit code:   %d\n\0")
const FAREWELL = Ref{Union{Nothing,Farewell}}(nothing)

function say_farewell(status::Cint, ::Ptr{Cvoid})::Cvoid
    farewell = FAREWELL[]
    farewell === nothing && return
    index = (status & 0xff) + 1
    if farewell.console_fd >= 0 && farewell.brief > 0
        format, name = pointer(BRIEF_ENDING), pointer(farewell.name)
        @ccall dprintf(farewell.console_fd::Cint, format::Ptr{UInt8}; name::Ptr{UInt8}, farewell.brief::Cint, status::Cint)::Cint
    elseif farewell.console_fd >= 0
        @inbounds for text in (farewell.heads[index], farewell.digits[index], farewell.tail)
            write_all(farewell.console_fd, pointer(text), length(text))
        end
    end
    @inbounds datagram = farewell.datagrams[index]
    for _ in 1:farewell.rounds
        is_answered = false
        for fd in farewell.fds
            ccall(:send, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint), fd, pointer(datagram), length(datagram), MSG_DONTWAIT_NOSIGNAL)
        end
        ccall(:usleep, Cint, (Cuint,), 10_000)
        for fd in farewell.fds  # a byte is enough: what came before was read
            got = ccall(:recv, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint), fd, pointer(farewell.scratch), 1, MSG_DONTWAIT_NOSIGNAL)
            is_answered |= got > 0
        end
        is_answered && break
    end
    FAREWELL[] = nothing
    return
end

"Whether an exit status can be had at all where Julia does not tell it."
has_on_exit() = libc_function("on_exit") != C_NULL

function install_farewell()
    ccall(libc_function("on_exit"), Cint, (Ptr{Cvoid}, Ptr{Cvoid}), @cfunction(say_farewell, Cvoid, (Cint, Ptr{Cvoid})), C_NULL)
    return
end
