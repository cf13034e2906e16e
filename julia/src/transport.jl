# SPDX-License-Identifier: MIT
# UDP through libc, because Julia's own sockets yield to other tasks when they send: connected, non-blocking sockets, and
# names resolved by glibc in a thread of its own (getaddrinfo_a), as nothing in Julia runs while a program computes.
# Linux only: elsewhere no target is ever ready, and a job is told to its console alone.

const AF_NUMERIC_FLAGS = Cint(0x0404)  # AI_NUMERICHOST | AI_NUMERICSERV
const SOCK_DGRAM_NONBLOCK_CLOEXEC = Cint(2 | 0x800 | 0x80000)
const MSG_DONTWAIT_NOSIGNAL = Cint(0x40 | 0x4000)
const ECONNREFUSED = 111

"One collector. `fd` is a connected socket, or -1 while its name is not resolved."
mutable struct Peer
    target::Target
    fd::Cint
    lookup::Ptr{UInt8}        # glibc's gaicb while a name is being resolved
    try_again::Float64        # resolving; seconds since the job's start
    pause::Float64
    refusing::Bool
    asked::Bool               # something was sent since the last refusal
    ask_again::Float64
end
Peer(target::Target) = Peer(target, -1, C_NULL, 0.0, 0.5, false, false, 0.0)

mutable struct Transport
    peers::Vector{Peer}
    now::Float64
end

function Transport(targets::Vector{Target})
    transport = Transport(Peer[], 0.0)
    Sys.islinux() || return transport
    for target in targets[1:min(end, 8)]
        peer = Peer(target)
        # The one name that every machine has needs no resolver; neither does an address.
        host = target.host == "localhost" ? "127.0.0.1" : target.host
        peer.fd = connect_numeric(host, target.port)
        peer.fd < 0 && start_lookup!(peer)
        push!(transport.peers, peer)
    end
    return transport
end

# struct addrinfo of Linux on 64 bits: four ints, addrlen, the address, a name, the next one.
field(::Type{T}, pointer::Ptr, offset::Int) where {T} = unsafe_load(Ptr{T}(pointer + offset))

"A socket connected to the first address of the list that takes one; -1 when none does."
function connect_first(address::Ptr)
    while address != C_NULL
        fd = ccall(:socket, Cint, (Cint, Cint, Cint), field(Cint, address, 4), SOCK_DGRAM_NONBLOCK_CLOEXEC, 0)
        if fd >= 0
            done = ccall(:connect, Cint, (Cint, Ptr{Cvoid}, Cuint), fd, field(Ptr{Cvoid}, address, 24), field(Cuint, address, 16))
            done == 0 && return fd
            ccall(:close, Cint, (Cint,), fd)
        end
        address = field(Ptr{UInt8}, address, 40)
    end
    return Cint(-1)
end

hints(flags::Cint) = Cint[flags, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]  # socktype SOCK_DGRAM

function connect_numeric(host::String, port::String)
    found = Ref{Ptr{UInt8}}(C_NULL)
    failed = ccall(:getaddrinfo, Cint, (Cstring, Cstring, Ptr{Cint}, Ptr{Ptr{UInt8}}), host, port, hints(AF_NUMERIC_FLAGS), found)
    failed == 0 || return Cint(-1)
    fd = connect_first(found[])
    ccall(:freeaddrinfo, Cvoid, (Ptr{UInt8},), found[])
    return fd
end

"The address of a function of libc, or of its resolver, which older ones keep in a library of its own."
function libc_function(name::String)
    for library in (C_NULL, ccall(:dlopen, Ptr{Cvoid}, (Cstring, Cint), "libanl.so.1", 1))
        address = ccall(:dlsym, Ptr{Cvoid}, (Ptr{Cvoid}, Cstring), library, name)
        address == C_NULL || return address
    end
    return C_NULL
end

# struct gaicb: name, service, request, result, status, five reserved ints. glibc keeps pointers into what it was given,
# so all of it is malloc's and never freed: some 100 bytes a name.
function start_lookup!(peer::Peer)
    getaddrinfo_a = libc_function("getaddrinfo_a")
    getaddrinfo_a == C_NULL && return
    lookup = Ptr{UInt8}(Libc.calloc(1, 64))
    list = Ptr{Ptr{UInt8}}(Libc.calloc(1, 8))
    request = Ptr{Cint}(Libc.calloc(1, 48))
    unsafe_store!(request, 2, 3)
    fields = Ptr{Ptr{UInt8}}(lookup)
    unsafe_store!(fields, ccall(:strdup, Ptr{UInt8}, (Cstring,), peer.target.host), 1)
    unsafe_store!(fields, ccall(:strdup, Ptr{UInt8}, (Cstring,), peer.target.port), 2)
    unsafe_store!(fields, Ptr{UInt8}(request), 3)
    unsafe_store!(list, lookup)
    nowait = 1
    failed = ccall(getaddrinfo_a, Cint, (Cint, Ptr{Ptr{UInt8}}, Cint, Ptr{Cvoid}), nowait, list, 1, C_NULL)
    peer.lookup = failed == 0 ? lookup : C_NULL
    return
end

"Takes the address when the resolver has it; asks again later when it has none."
function follow_lookup!(peer::Peer, now::Float64)
    if peer.lookup == C_NULL
        now >= peer.try_again && start_lookup!(peer)
        return
    end
    in_progress = -100
    status = ccall(libc_function("gai_error"), Cint, (Ptr{UInt8},), peer.lookup)
    status == in_progress && return
    if status == 0
        addresses = field(Ptr{UInt8}, peer.lookup, 24)
        peer.fd = connect_first(addresses)
        ccall(:freeaddrinfo, Cvoid, (Ptr{UInt8},), addresses)
    end
    peer.lookup = C_NULL
    peer.try_again = now + peer.pause
    peer.pause = min(30.0, 2 * peer.pause)
    return
end

function note_refusal!(transport::Transport, peer::Peer)
    peer.refusing, peer.asked, peer.ask_again = true, false, transport.now + 1
    return
end

"Whether anybody may be listening at `now`. A refusal of an earlier datagram waits on its socket; asking takes it off."
function is_ready!(transport::Transport, now::Float64)
    transport.now = now
    ready = false
    for peer in transport.peers
        peer.fd < 0 && follow_lookup!(peer, now)
        peer.fd < 0 && continue
        code, size = Ref{Cint}(0), Ref{Cuint}(4)
        ccall(:getsockopt, Cint, (Cint, Cint, Cint, Ptr{Cint}, Ptr{Cuint}), peer.fd, 1, 4, code, size)  # SOL_SOCKET, SO_ERROR
        if code[] == ECONNREFUSED
            note_refusal!(transport, peer)
        elseif peer.asked
            peer.refusing = false
        end
        ready |= !peer.refusing || now >= peer.ask_again
    end
    return ready
end

is_refused(transport::Transport) = all(peer -> peer.refusing, transport.peers)

"Sends to every peer that listens; says whether any socket took it."
function send!(transport::Transport, datagram::Bytes)
    is_taken = false
    for peer in transport.peers
        (peer.fd < 0 || (peer.refusing && transport.now < peer.ask_again)) && continue
        sent = ccall(:send, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint), peer.fd, datagram.data, datagram.size, MSG_DONTWAIT_NOSIGNAL)
        if sent == datagram.size
            is_taken = peer.asked = true
        elseif Libc.errno() == ECONNREFUSED
            note_refusal!(transport, peer)
        end
    end
    return is_taken
end

"One datagram that came back, or `nothing` when none came within `wait` seconds."
function receive!(transport::Transport, wait::Float64)
    open_peers = [peer for peer in transport.peers if peer.fd >= 0]
    isempty(open_peers) && return nothing
    # struct pollfd: the descriptor, then two shorts, the wanted (POLLIN, 1) and the seen events.
    waiting = Int32[word for peer in open_peers for word in (peer.fd, Int32(1))]
    ccall(:poll, Cint, (Ptr{Int32}, Culong, Cint), waiting, length(open_peers), round(Cint, 1000 * wait)) > 0 || return nothing
    buffer = Vector{UInt8}(undef, 2048)
    for peer in open_peers
        got = ccall(:recv, Cssize_t, (Cint, Ptr{UInt8}, Csize_t, Cint), peer.fd, buffer, length(buffer), MSG_DONTWAIT_NOSIGNAL)
        got > 0 && return resize!(buffer, got)
        got < 0 && Libc.errno() == ECONNREFUSED && note_refusal!(transport, peer)
    end
    return nothing
end
