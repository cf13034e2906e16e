# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole programs on loopback: a real collector, real jobs, real signals. Nothing here knows a room's inside."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import REPOSITORY, Collector


@pytest.fixture
def start_collector(tmp_path: Path) -> Iterator[Callable[..., Collector]]:
    """Starts collectors that share one data folder; `port=` puts a second one where the first one was."""
    started: list[Collector] = []

    def start(*options: str, **more: Any) -> Collector:
        started.append(Collector(tmp_path / "data", *options, **more))
        return started[-1]

    yield start
    for collector in started:
        collector.stop()


@pytest.fixture
def collector(start_collector: Callable[..., Collector]) -> Collector:
    return start_collector()


@pytest.fixture
def example() -> Path:
    return REPOSITORY / "python" / "examples" / "doing_nothing.py"


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a job's source to a file of its own."""

    def write(source: str, name: str = "job.py") -> Path:
        path = tmp_path / name
        path.write_text(source)
        return path

    return write


@pytest.fixture
def start_job() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a Python job that reports to `url`; what is still running at the end of the test is killed."""
    import sys

    started: list[subprocess.Popen[str]] = []

    def start(
        script: Path, url: str, *arguments: str, stdin: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith("MACAW_")}
        env |= {"MACAW_URL": url, **environment}
        started.append(
            subprocess.Popen(
                [sys.executable, str(script), *arguments],
                env=env,
                stdin=subprocess.PIPE if stdin else None,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for job in started:
        if job.poll() is None:
            job.kill()
        job.communicate()
