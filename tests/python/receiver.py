# SPDX-License-Identifier: GPL-3.0-or-later
"""What a job reports, read by a decoder that is not ours. Newer rows replace older ones, as in any collector."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2

Row = dict[str, Any]


class Job:
    """One job as its reports tell it."""

    def __init__(self) -> None:
        self.hello: Row = {}
        self.finish: Row = {}
        self.bars_by_id: dict[int, Row] = {}
        self.stages: dict[str, Row] = {}
        self.metrics_by_no: dict[int, Row] = {}
        self.pieces: dict[int, dict[int, Row]] = {}
        self.newest: dict[object, int] = {}
        self.seqs: set[int] = set()

    def take(self, report: Row) -> None:
        seq = report["seq"]
        self.seqs.add(seq)
        self.hello = report.get("hello", self.hello)
        if "finish" in report:
            self.finish = {"state": "finished", **report["finish"]}
        for row in report.get("bars", []):
            if self.is_newer(row["id"], seq):
                self.bars_by_id[row["id"]] = {"state": "running", "n": 0, **row}
        for row in report.get("stages", []):
            path = "/".join(row["path"])
            if self.is_newer(path, seq):
                self.stages[path] = {"n": 0, "open": 0, "errors": 0, "note": "", "kind": "stage", **row}
        for row in report.get("metrics", []):
            self.metrics_by_no[row["no"]] = row
        for row in report.get("logs", []):
            self.pieces.setdefault(row["no"], {})[row.get("part", [1, 1])[0]] = row

    def is_newer(self, key: object, seq: int) -> bool:
        if self.newest.get(key, 0) > seq:
            return False
        self.newest[key] = seq
        return True

    @property
    def bars(self) -> list[Row]:
        return [self.bars_by_id[i] for i in sorted(self.bars_by_id)]

    @property
    def bar(self) -> Row:
        (bar,) = self.bars_by_id.values()
        return bar

    @property
    def counts(self) -> dict[str, int]:
        return {path: row["n"] for path, row in self.stages.items()}

    @property
    def metrics(self) -> list[tuple[str, Any, Any]]:
        """Name, value and step of every point, in order."""
        rows = [self.metrics_by_no[no] for no in sorted(self.metrics_by_no)]
        return [(row["name"], row["value"], row.get("step")) for row in rows]

    @property
    def logs(self) -> list[tuple[str, str]]:
        """Level and text of every line, in order."""
        lines = [[pieces[k] for k in sorted(pieces)] for _, pieces in sorted(self.pieces.items())]
        return [(line[0].get("level", "info"), "".join(piece["text"] for piece in line)) for line in lines]


class Receiver:
    """A loopback port that takes reports and acknowledges what asks for it."""

    def __init__(self, port: int = 0) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.bind(("127.0.0.1", port))
        self.url = f"udp://127.0.0.1:{self.socket.getsockname()[1]}"
        self.jobs: dict[bytes, Job] = {}
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while True:
            data, sender = self.socket.recvfrom(65536)
            if data == b"close":
                return
            report = cbor2.loads(data)
            if "hello" in report or "finish" in report:
                answer = {"v": 1, "job": report["job"], "ack": report["seq"]}
                self.socket.sendto(cbor2.dumps(answer), sender)
            with self.changed:
                self.jobs.setdefault(report["job"], Job()).take(report)
                self.changed.notify_all()

    def wait_for(self, wanted: Callable[[Job], Any], seconds: float = 20) -> Job:
        deadline = time.monotonic() + seconds
        with self.changed:
            while True:
                for job in self.jobs.values():
                    if wanted(job):
                        return job
                left = deadline - time.monotonic()
                assert left > 0, f"not seen within {seconds} s: {[vars(job) for job in self.jobs.values()]}"
                self.changed.wait(left)

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"close", self.socket.getsockname())
        self.thread.join()
        self.socket.close()


class Program:
    """A Python program that runs as a job."""

    def __init__(self, path: Path, url: str, *arguments: str, **environment: str) -> None:
        env = {k: v for k, v in os.environ.items() if not k.startswith("MACAW_")}
        self.process = subprocess.Popen(
            [sys.executable, str(path), *arguments],
            env=env | {"MACAW_URL": url, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.out = self.err = ""

    def wait(self, seconds: float = 60) -> int:
        self.out, self.err = self.process.communicate(timeout=seconds)
        return self.process.returncode

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def terminate(self) -> None:
        self.process.terminate()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
