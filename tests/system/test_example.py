# SPDX-License-Identifier: GPL-3.0-or-later
"""The example that every reader sees first: JSON, CSV and the job's own console tell the same story."""

from __future__ import annotations

import csv
import io
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import Collector, Job, stages_by_path

STAGES = {
    "generate_data",
    "fourier_transform",
    "fourier_transform/numpy.fft.fft",
    "fourier_transform/numpy.fft.fftshift",
}


@pytest.fixture
def finished(
    collector: Collector, example: Path, start_job: Callable[..., subprocess.Popen[str]]
) -> tuple[Job, str, Collector]:
    run = start_job(example, collector.url)
    _, console = run.communicate(timeout=120)
    assert run.returncode == 0, console
    return collector.wait_for_state("finished"), console, collector


def test_json_csv_and_console_agree(finished: tuple[Job, str, Collector]) -> None:
    job, console, collector = finished
    assert job["name"] == "doing_nothing.py"
    assert job["exit_code"] == 0
    assert job["iterations"] == {"n": 200, "total": 200}
    (bar,) = job["bars"]
    assert (bar["desc"], bar["n"], bar["total"], bar["state"]) == ("doing nothing", 200, 200, "done")

    stages = stages_by_path(job)
    assert set(stages) == STAGES
    assert {stage["count"] for stage in stages.values()} == {200}
    assert {stages[path]["kind"] for path in stages if "numpy" in path} == {"call"}
    assert stages["fourier_transform/numpy.fft.fft"]["note"] == "shape=(65536,) dtype=complex128"
    assert stages["fourier_transform/numpy.fft.fftshift"]["note"] == "shape=(65536,)"

    rows = list(csv.DictReader(io.StringIO(collector.text(f"/api/jobs/{job['id']}/stages.csv"))))
    assert [row["path"] for row in rows] == ["/".join(stage["path"]) for stage in job["stages"]]
    for row in rows:
        stage = stages[row["path"]]
        assert int(row["count"]) == stage["count"]
        assert row["note"] == stage["note"]
        for column in ("total", "self", "avg", "min", "max", "std"):
            assert float(row[f"{column}_s"]) == stage[column]

    summary = {
        name: tuple(map(float, numbers))
        for name, *numbers in re.findall(
            r"^ +(\S+) +avg: (\S+)s  min: (\S+)s  max: (\S+)s  ± (\S+)s$", console, re.MULTILINE
        )
    }
    assert set(summary) == {path.rsplit("/", 1)[-1] for path in STAGES}
    for path, stage in stages.items():
        expected = tuple(stage[key] for key in ("avg", "min", "max", "std"))
        assert summary[path.rsplit("/", 1)[-1]] == pytest.approx(expected, abs=0.0005001)
    assert f"  peak memory: {job['peak_memory'] / 1e6:.1f} MB\n" in console
    assert "  iterations:  200/200\n" in console
    assert "  exit code:   0\n" in console


def test_log_and_metrics_arrive_complete(finished: tuple[Job, str, Collector]) -> None:
    job, console, collector = finished
    log = collector.get(f"/api/jobs/{job['id']}/log?limit=10000")
    assert [line["no"] for line in log["lines"]] == list(range(1, 402))
    assert log["lines"][-1]["text"] == "done"
    assert console.count("[INFO]") == 401
    assert job["lost"]["logs"] == job["lost"]["metrics"] == 0
    kinds = {type(metric["value"]) for metric in job["metrics"].values()}
    assert kinds == {float, bool, str}
