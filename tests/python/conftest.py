# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of a few lines, run as jobs of their own, and what they report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from receiver import Job, Program, Receiver

Start = Callable[..., Program]
Run = Callable[..., Job]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def start(tmp_path: Path, receiver: Receiver) -> Iterator[Start]:
    """Starts a program from its source, reporting to `receiver` or to `url`."""
    started: list[Program] = []

    def start(source: str, *arguments: str, url: str = "", name: str = "job.py", **environment: str) -> Program:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        started.append(Program(path, url or receiver.url, *arguments, **environment))
        return started[-1]

    yield start
    for program in started:
        program.stop()


@pytest.fixture
def run(start: Start, receiver: Receiver) -> Run:
    """Runs a program to its end; its job as reported."""

    def run(source: str, *arguments: str, code: int = 0, **environment: str) -> Job:
        program = start(source, *arguments, **environment)
        assert program.wait() == code, program.err
        return receiver.wait_for(lambda job: job.finish and "parent" not in job.hello)

    return run
