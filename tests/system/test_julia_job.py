# SPDX-License-Identifier: GPL-3.0-or-later
"""The Julia example as the collector shows it, and as the mirror tells it."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import REPOSITORY, Collector, stages_by_path

sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
from lossy_relay import LossyRelay

JULIA = shutil.which("julia") or shutil.which("julia", path=str(REPOSITORY / ".dev" / "julia" / "bin"))
pytestmark = pytest.mark.skipif(JULIA is None, reason="no julia on PATH; tests/support/get-julia FOLDER fetches one")


def run_julia(script: Path, url: str) -> subprocess.CompletedProcess[str]:
    assert JULIA
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MACAW_")}
    environment |= {"MACAW_URL": url, "JULIA_LOAD_PATH": f"{REPOSITORY / 'julia'}:@stdlib"}
    return subprocess.run(
        [JULIA, str(script)], env=environment, capture_output=True, text=True, timeout=240, check=False
    )


def test_the_example(collector: Collector) -> None:
    run = run_julia(REPOSITORY / "julia" / "examples" / "doing_nothing.jl", collector.url)
    assert run.returncode == 0, run.stderr
    job = collector.wait_for_state("finished")
    assert job["name"] == "doing_nothing.jl"
    assert job["exit_code"] == 0
    assert job["iterations"] == {"n": 200, "total": 200}
    (bar,) = job["bars"]
    assert (bar["desc"], bar["n"], bar["total"], bar["state"]) == ("doing nothing", 200, 200, "done")

    stages = stages_by_path(job)
    assert set(stages) == {
        "generate_data",
        "singular_values",
        "singular_values/LinearAlgebra.mul!",
        "singular_values/LinearAlgebra.svdvals",
    }
    assert {stage["count"] for stage in stages.values()} == {200}
    assert {name: job["metrics"][name]["step"] for name in ("mean", "is_big", "vibes")} == dict.fromkeys(
        ("mean", "is_big", "vibes"), 200
    )
    assert job["lost"] == {"datagrams": 0, "logs": 0, "metrics": 0}

    rows = csv.DictReader(io.StringIO(collector.text(f"/api/jobs/{job['id']}/stages.csv")))
    assert {row["path"]: int(row["count"]) for row in rows} == dict.fromkeys(stages, 200)
    for path, stage in stages.items():
        average = f"{path.split('/')[-1]} "
        assert any(
            line.strip().startswith(average) and f"avg: {stage['avg']:.3f}s" in line for line in run.stderr.splitlines()
        ), (path, stage, run.stderr)


def test_a_failure(collector: Collector, script: Callable[..., Path]) -> None:
    path = script('using Macaw\nMacaw.@stage "work" throw(ArgumentError("no infs"))\n', "fails.jl")
    assert run_julia(path, collector.url).returncode == 1
    job = collector.wait_for_state("failed")
    assert job["exit_code"] == 1
    assert job["error"]["type"] == "ArgumentError"
    assert job["error"]["message"] == "no infs"
    assert "fails.jl" in job["error"]["traceback"]
    assert stages_by_path(job)["work"]["errors"] == 1


def test_an_exit_status(collector: Collector, script: Callable[..., Path]) -> None:
    path = script("using Macaw\nMacaw.init()\nexit(3)\n", "exits.jl")
    assert run_julia(path, collector.url).returncode == 3
    assert collector.wait_for_state("failed")["exit_code"] == 3


def test_a_lossy_way(collector: Collector) -> None:
    with LossyRelay(("127.0.0.1", collector.port), drop=0.2, duplicate=0.1, seed=7) as relay:
        run = run_julia(REPOSITORY / "julia" / "examples" / "doing_nothing.jl", f"udp://127.0.0.1:{relay.port}")
        assert run.returncode == 0, run.stderr
        assert relay.dropped > 0
        job = collector.wait_for_state("finished")
    assert job["iterations"] == {"n": 200, "total": 200}
    assert job["bars"][0]["state"] == "done"
    assert {stage["count"] for stage in job["stages"]} == {200}
    assert job["lost"]["logs"] == 0
    assert job["lost"]["metrics"] == 0
