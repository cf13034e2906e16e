# SPDX-License-Identifier: MIT
# The reporter: which rows go out when. Rounds happen inside the calls of the job itself, at most one an interval, as no
# ticker of Julia runs while a program computes; for the same reason a report promises no next one.
# The caller holds the record's lock.

const HELLO_EVERY, USAGE_EVERY, REFRESH_EVERY = 5.0, 1.0, 8.0
const MAX_DATAGRAMS_A_ROUND = 64

mutable struct Reporter
    record::Record
    hello::HelloRow
    transport::Transport
    packer::Packer
    sent::Int64
    unsent::Int64
    self_ns::UInt64             # what reporting has cost
    in_round::Int               # datagrams of this round
    most_in_round::Int
    hello_at::Float64
    usage_at::Float64
    was_refused::Bool
    finish_seq::Int64
    acknowledged::Int64
    answered::Bool
    is_asked::Bool              # an answer named what is missing
    function Reporter(record::Record, hello::HelloRow, transport::Transport, mtu::Int, job::Vector{UInt8})
        self = new(record, hello, transport)
        self.packer = Packer(datagram -> deliver!(self, datagram), mtu, job)
        self.sent = self.unsent = self.in_round = self.finish_seq = self.acknowledged = 0
        self.self_ns = 0
        self.most_in_round = MAX_DATAGRAMS_A_ROUND
        self.hello_at = self.usage_at = -Inf
        self.was_refused = self.answered = self.is_asked = false
        return self
    end
end

function deliver!(self::Reporter, datagram::Bytes)
    self.in_round += 1
    send!(self.transport, datagram) ? (self.sent += 1) : (self.unsent += 1)
    return
end

function send_round!(self::Reporter, now::UInt64)
    at = up(self.record, now)
    if !is_ready!(self.transport, at)
        self.was_refused = true
        return
    end
    begin_round!(self, at)
    if is_refused(self.transport)
        # Nobody listened a second ago: one hello asks whether somebody does now.
        add_row!(self.packer, self.hello)
        end_round!(self.packer)
        self.was_refused = true
        return
    end
    self.was_refused && mark_all_changed!(self)
    self.was_refused = false
    if at - self.hello_at >= HELLO_EVERY
        self.hello_at = at
        add_row!(self.packer, self.hello)
    end
    if at - self.usage_at >= USAGE_EVERY
        self.usage_at = at
        add_row!(self.packer, usage_row(self))
    end
    send_changed!(self, at, now)
    send_rows!(self, at, now, told -> at - told.up >= REFRESH_EVERY)
    end_round!(self.packer)
    while read_answers!(self, 0.0) end
    self.self_ns += time_ns() - now
    return
end

begin_round!(self::Reporter, at::Float64) = (self.in_round = 0; begin_round!(self.packer, at, time()))

usage_row(self::Reporter) = read_usage(seconds(self.self_ns), self.sent, self.unsent)

function send_changed!(self::Reporter, at::Float64, now::UInt64)
    send_rows!(self, at, now, told -> told.changed)
    send_each!(point -> point_row(point), self, at, self.record.points, told -> told.changed)
    for line in self.record.logs
        line.told.changed && self.in_round < self.most_in_round || continue
        row = LogRow(line.no, line.up, line.level, path_of(line.stage), (1, 1), line.cut, line.text)
        foreach(piece -> tell!(self, line.told, at, piece), log_pieces(row, self.packer.mtu))
    end
end

function send_rows!(self::Reporter, at::Float64, now::UInt64, is_due)
    for bar in self.record.bars  # a step touches nothing but its counter
        count_of(bar) === bar.told_n && continue
        bar.told_n = count_of(bar)
        bar.told.changed = true
    end
    send_each!(bar -> bar_row(bar, now), self, at, self.record.bars, is_due)
    send_each!(node -> stage_row(node, now), self, at, self.record.nodes, is_due)
    send_each!(point_row, self, at, self.record.latest, told -> !told.changed && is_due(told))
end

function send_each!(make_row, self::Reporter, at::Float64, entries, is_due)
    for entry in entries
        is_due(entry.told) && self.in_round < self.most_in_round || continue
        entry.told.changed = false  # first, so that what changes meanwhile is told again
        tell!(self, entry.told, at, make_row(entry))
    end
end

function tell!(self::Reporter, told::Told, at::Float64, row)
    told.changed = false
    told.seq = add_row!(self.packer, row)
    told.up = at
    return
end

function bar_row(bar::Bar, now::UInt64)
    n, elapsed = count_of(bar), elapsed_of(bar, now)
    done = Float64(n - something(bar.initial, 0))
    update!(bar.pace, elapsed, done)
    rate = is_open(bar) ? rate_of(bar.pace) : elapsed > 0 && done > 0 ? done / elapsed : nothing
    eta = is_open(bar) && bar.total !== nothing ? left_of(bar.pace, Float64(bar.total - n), elapsed) : nothing
    return BarRow(bar.id, bar.outer === nothing ? nothing : bar.outer.id, path_of(bar.stage), n, bar.total, bar.initial,
                  bar.unit, elapsed, rate, eta, bar.state, bar.repeats, bar.desc)
end

function stage_row(node::Node, now::UInt64)
    path = path_of(node)
    Base.@lock node.lock begin
        since = node.open > 0 ? seconds(max(now, node.since) - node.since) : nothing
        return StageRow(path, "stage", node.n, seconds(node.sum), node.n > 0 ? seconds(node.min) : 0.0, seconds(node.max),
                        node.m2 * 1e-18, seconds(node.last), node.open, since, node.errors, node.note)
    end
end

point_row(point::Point) = MetricRow(point.no, point.name, point.step, point.up, point.value)

function mark_all_changed!(self::Reporter)
    self.hello_at = self.usage_at = -Inf
    for list in (self.record.bars, self.record.nodes, self.record.points, self.record.logs), entry in list
        entry.told.changed = true
    end
end

"Takes what came back within `wait` seconds; says whether anything did."
function read_answers!(self::Reporter, wait::Float64)
    bytes = receive!(self.transport, wait)
    bytes === nothing && return false
    answer = read_answer(bytes, self.packer.job)
    answer === nothing || follow!(self, answer)
    return true
end

function follow!(self::Reporter, answer::Answer)
    self.answered = true
    self.finish_seq > 0 && (self.acknowledged = max(self.acknowledged, answer.ack))
    self.is_asked = wants_more(answer)
    ask_again(told, ranges, no) =
        (is_within(ranges, no) || (told.seq > 0 && is_within(answer.reports, told.seq))) && (told.changed = true)
    foreach(line -> ask_again(line.told, answer.logs, line.no), self.record.logs)
    foreach(point -> ask_again(point.told, answer.metrics, point.no), self.record.points)
    foreach(row -> ask_again(row.told, Ranges(), 0), self.record.bars)
    foreach(row -> ask_again(row.told, Ranges(), 0), self.record.nodes)
    return
end

"""
Tells everything once more, with `finish` (or without, where the exit status is not known yet), until it is acknowledged:
about 60 ms where nobody ever answered, 500 ms at most.
"""
function send_ending!(self::Reporter, finish::Union{Nothing,FinishRow})
    self.most_in_round = 8192
    for (round, pause) in enumerate((0.01, 0.02, 0.03, 0.06, 0.1, 0.12, 0.15))
        self.answered || round <= 3 || return
        now = time_ns()
        at = up(self.record, now)
        is_ready!(self.transport, at) || return
        is_refused(self.transport) && round > 1 && return
        begin_round!(self, at)
        first_seq = self.packer.seq
        add_row!(self.packer, self.hello)
        add_row!(self.packer, usage_row(self))
        finish === nothing || add_row!(self.packer, finish)
        # Everything once more, as nobody has said what is missing; what was asked for, once somebody has.
        round > 1 && self.acknowledged > 0 || mark_all_changed!(self)
        send_changed!(self, at, now)
        end_round!(self.packer)
        # The finish (or hello) again, in the last datagram: whoever answers it has seen which of the others are missing.
        begin_round!(self, at)
        self.finish_seq = add_row!(self.packer, something(finish, self.hello))
        end_round!(self.packer)
        wait_for_answer!(self, pause) && return
    end
end

"Whether the last datagram was acknowledged within `pause` seconds and nothing is missing."
function wait_for_answer!(self::Reporter, pause::Float64)
    self.is_asked = false
    deadline = time_ns() + round(UInt64, pause * 1e9)
    while true
        now = time_ns()
        now < deadline || return false
        read_answers!(self, max(0.001, seconds(deadline - now))) || continue
        self.is_asked && return false
        self.acknowledged >= self.finish_seq && return true
    end
end
