# SPDX-License-Identifier: GPL-3.0-or-later
"""A running macaw-collector and what its mirror says, for the tests of whole programs."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("MACAW_BIN_DIR", REPOSITORY / "build" / "dev" / "bin"))

Job = dict[str, Any]


class Collector:
    """macaw-collector on a free port. `url` is what a job's MACAW_URL takes."""

    def __init__(
        self, data: Path, *options: str, port: int = 0, history: bool = False, errors: IO[str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [
                str(BIN / "macaw-collector"),
                *("--port", str(port), "--bind", "127.0.0.1", "--data", str(data)),
                *([] if history else ["--no-history"]),
                *("--print-config", *options),
            ],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"macaw-collector ended with {self.process.wait()}"
        self.config: dict[str, Any] = json.loads(line)
        self.port: int = self.config["port"]
        self.url = f"udp://127.0.0.1:{self.port}"
        self.http: str = self.config["http"]

    def text(self, path: str) -> str:
        with urllib.request.urlopen(self.http + path, timeout=10) as answer:
            return str(answer.read().decode())

    def get(self, path: str) -> Any:
        return json.loads(self.text(path))

    def jobs(self) -> list[Job]:
        return list(self.get("/api/jobs")["jobs"])

    def wait_for(self, wanted: Callable[[Job], bool], seconds: float = 20) -> Job:
        """The first job that is as wanted; fails with what there was instead when `seconds` have passed."""
        deadline = time.monotonic() + seconds
        while True:
            jobs = self.jobs()
            for job in jobs:
                if wanted(job):
                    return job
            assert time.monotonic() < deadline, f"not seen within {seconds} s; jobs are {json.dumps(jobs)[:2000]}"
            time.sleep(0.05)

    def wait_for_state(self, state: str, seconds: float = 20) -> Job:
        return self.wait_for(lambda job: job["state"] == state, seconds)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        if self.process.stdout:
            self.process.stdout.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def stages_by_path(job: Job) -> dict[str, dict[str, Any]]:
    return {"/".join(stage["path"]): stage for stage in job["stages"]}
