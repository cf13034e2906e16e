# SPDX-License-Identifier: GPL-3.0-or-later
"""A real macaw-collector under load: what it loses, what its streams cost and how late they are, what a job weighs.

Prints one JSON object as every benchmark does. Counts, shares of a core and KiB stand as "ours" over a reference of 1.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import selectors
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cbor2

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "system"))
from programs import Collector

QUICK = "--quick" in sys.argv
SECONDS = 2 if QUICK else 10


@contextmanager
def collector() -> Iterator[Collector]:
    with tempfile.TemporaryDirectory() as folder:
        running = Collector(Path(folder))
        try:
            yield running
        finally:
            running.stop()


def connected(port: int) -> socket.socket:
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.connect(("127.0.0.1", port))
    return sender


def paced(rate: float, seconds: float, step: Callable[[int], None], at_once: int = 100) -> None:
    start = time.monotonic()
    for i in range(int(rate * seconds)):
        step(i)
        if i % at_once == at_once - 1:
            time.sleep(max(0.0, start + i / rate - time.monotonic()))


def flood(port: int, job: int, rate: float, seconds: float, size: int) -> None:
    """Reports of one job that say a bar's count, padded to `size` bytes by a key that nobody knows."""
    sender = connected(port)
    head = b"\xa6\x61v\x01\x63job\x50" + uuid.UUID(int=job).bytes
    bar = b"\x62up\x01\x64bars\x81\xa2\x62id\x01\x61n\x1a"
    pad = size - len(head) - 9 - len(bar) - 4 - 8
    tail = b"\x63pad\x59" + struct.pack(">H", pad) + bytes(pad)

    def send(i: int) -> None:
        number = struct.pack(">I", i + 1)
        sender.send(head + b"\x63seq\x1a" + number + bar + number + tail)

    paced(rate, seconds, send)


def lost(running: Collector, sent: int) -> int:
    deadline = time.monotonic() + 5
    while (received := running.get("/healthz")["received"]) < sent and time.monotonic() < deadline:
        time.sleep(0.05)
    return sent - int(received)


def loss_stall() -> float:
    with collector() as running:
        sender = threading.Thread(target=flood, args=(running.port, 1, 10_000, 1, 1200))
        sender.start()
        time.sleep(0.3)
        os.kill(running.process.pid, signal.SIGSTOP)
        time.sleep(0.2)
        os.kill(running.process.pid, signal.SIGCONT)
        sender.join()
        return lost(running, 10_000)


class Browsers:
    """Event streams, read in a thread. Calls `heard(data)` for what the first of them gets."""

    def __init__(self, port: int, count: int, heard: Callable[[bytes], None] = lambda data: None) -> None:
        self.over = False
        self.heard = heard
        self.streams = []
        for _ in range(count):
            stream = socket.create_connection(("127.0.0.1", port))
            stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream.setblocking(False)
            self.streams.append(stream)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        selector = selectors.DefaultSelector()
        for i, stream in enumerate(self.streams):
            selector.register(stream, selectors.EVENT_READ, i)
        while not self.over:
            for key, _ in selector.select(0.2):
                data = key.fileobj.recv(1 << 20)  # type: ignore[union-attr]
                if key.data == 0:
                    self.heard(data)

    def close(self) -> None:
        self.over = True
        self.thread.join()
        for stream in self.streams:
            stream.close()


def loss_load() -> float:
    rate = 50_000
    with collector() as running:
        browsers = Browsers(running.port, 10)
        senders = [
            multiprocessing.Process(target=flood, args=(running.port, job, rate, SECONDS, 200)) for job in (1, 2)
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        missing = lost(running, 2 * rate * SECONDS)
        browsers.close()
        return missing


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def streams() -> tuple[float, float]:
    """Share of a core, and the 99th percentile of a change's way in ms: 50 browsers, 200 jobs, 5 changes a second."""
    jobs, changes = 200, 5
    with collector() as running:
        ids = [uuid.UUID(int=1000 + job) for job in range(jobs)]
        sender = connected(running.port)
        sent: dict[str, float] = {}
        delays: list[float] = []

        def heard(data: bytes) -> None:
            now = time.monotonic()
            for event in data.split(b"\n\n"):
                at = event.find(b'"n":')
                if at < 0:
                    continue
                number = event[at + 4 : at + 16].split(b",")[0].split(b"}")[0].decode()
                if number in sent:
                    delays.append(now - sent.pop(number))

        def change(i: int) -> None:
            sent[str(i + 1)] = time.monotonic()
            bar = {"id": 1, "desc": "loop", "n": i + 1}
            sender.send(cbor2.dumps({"v": 1, "job": ids[i % jobs].bytes, "seq": i // jobs + 1, "up": 1, "bars": [bar]}))

        browsers = Browsers(running.port, 50, heard)
        time.sleep(0.5)
        before, start = cpu_seconds(running.process.pid), time.monotonic()
        paced(jobs * changes, SECONDS, change, at_once=1)
        share = (cpu_seconds(running.process.pid) - before) / (time.monotonic() - start)
        time.sleep(0.5)
        browsers.close()
        delays.sort()
        return share, 1000 * delays[int(len(delays) * 0.99)]


def memory_job() -> float:
    """KiB that a running job with 100 stages, 5 bars and 10 metrics adds."""
    jobs = 1_000 if QUICK else 10_000
    stages = [{"path": ["epoch", f"stage number {i}"], "n": 10, "sum": 1.0, "min": 0.05, "max": 0.2} for i in range(99)]
    bars = [{"id": i + 1, "desc": f"loop {i}", "n": 5, "total": 100} for i in range(5)]
    metrics = [{"no": i + 1, "name": f"metric {i}", "value": 0.5} for i in range(10)]

    with collector() as running:

        def resident() -> int:
            return int(running.get("/healthz")["memory"])

        before = resident()
        sender = connected(running.port)
        for job in range(jobs):
            head = {"v": 1, "job": uuid.UUID(int=1 + job).bytes, "up": 1}
            parts: list[dict[str, Any]] = [{"stages": stages[i : i + 10]} for i in range(0, 99, 10)]
            parts.append({"hello": {"name": "job.py", "host": "atlas"}, "bars": bars, "metrics": metrics})
            for seq, part in enumerate(parts):
                sender.send(cbor2.dumps({**head, "seq": seq + 1, **part}))
            if job % 20 == 19:
                time.sleep(0.02)
        deadline = time.monotonic() + 30
        while running.get("/healthz")["jobs"] < jobs and time.monotonic() < deadline:
            time.sleep(0.1)
        return (resident() - before) / jobs / 1024


def main() -> None:
    share, latency = streams()
    figures = {
        "loss_stall": (loss_stall(), ""),
        "loss_load": (loss_load(), ""),
        "sse_cpu": (share, "of a core"),
        "sse_latency": (latency, "ms"),
        "memory_job": (memory_job(), "KiB"),
    }
    print(json.dumps({n: {"ratio": v, "ours": v, "reference": 1, "unit": unit} for n, (v, unit) in figures.items()}))


if __name__ == "__main__":
    main()
