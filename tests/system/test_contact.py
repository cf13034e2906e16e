# SPDX-License-Identifier: GPL-3.0-or-later
"""Collectors that come late, go and come back, lose datagrams, or are not there at all."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import REPOSITORY, Collector, Job, stages_by_path

sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
from lossy_relay import LossyRelay

Script = Callable[..., Path]
Start = Callable[..., subprocess.Popen[str]]

STEADY = """
import time, macaw
with macaw.stage("setup"):
    macaw.log.info("ready")
for i in macaw.track(range(4000), desc="steady"):
    with macaw.stage("step"), macaw.stage("inner"):
        time.sleep(0.01)
    macaw.metrics(loss=1.0 / (i + 1), step=i)
"""

COUNTED = """
import macaw
for i in macaw.track(range(500), desc="counted"):
    for name in ("a", "b", "c"):
        with macaw.stage(name), macaw.stage("inner", note="batch 32"):
            pass
    macaw.log.info("line %d", i)
    macaw.metrics(value=i, name=f"step {i}")
"""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_whole(job: Job) -> bool:
    return (
        job["name"] == "job.py"
        and bool(job["bars"])
        and job["bars"][0]["total"] == 4000
        and set(stages_by_path(job)) == {"setup", "step", "step/inner"}
        and "loss" in job["metrics"]
        and job["state"] == "running"
    )


def test_late_and_restarted_collectors_learn_the_whole_job(
    start_collector: Callable[..., Collector], script: Script, start_job: Start
) -> None:
    port = free_port()
    run = start_job(script(STEADY), f"udp://127.0.0.1:{port}")
    time.sleep(2)  # the job is well under way before anybody listens
    first = start_collector(port=port)
    before = first.wait_for(is_whole, seconds=10)
    first.kill()
    second = start_collector(port=port)
    after = second.wait_for(is_whole, seconds=10)
    assert after["id"] == before["id"]
    assert after["bars"][0]["n"] > before["bars"][0]["n"]
    assert stages_by_path(after)["setup"]["count"] == 1
    assert run.poll() is None


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_loss_leaves_the_same_final_state(collector: Collector, script: Script, start_job: Start, share: float) -> None:
    with LossyRelay(("127.0.0.1", collector.port), drop=share, seed=7) as relay:
        run = start_job(script(COUNTED), f"udp://127.0.0.1:{relay.port}")
        assert run.wait(60) == 0
        job = collector.wait_for_state("finished")
        assert relay.dropped > 0
    assert job["iterations"] == {"n": 500, "total": 500}
    stages = stages_by_path(job)
    assert set(stages) == {name + inner for name in "abc" for inner in ("", "/inner")}
    assert {stage["count"] for stage in stages.values()} == {500}
    assert {stage["open"] for stage in stages.values()} == {0}
    assert stages["a/inner"]["note"] == "batch 32"
    assert job["metrics"]["value"]["value"] == 499
    assert job["metrics"]["name"]["value"] == "step 499"
    assert job["lost"]["logs"] == job["lost"]["metrics"] == 0
    log = collector.get(f"/api/jobs/{job['id']}/log?limit=10000")
    assert [line["text"] for line in log["lines"]] == [f"line {i}" for i in range(500)]


@pytest.mark.parametrize("url", ["udp://127.0.0.1:{closed}", "udp://no-such-host.invalid:6229"])
def test_nobody_there_costs_nothing(script: Script, start_job: Start, url: str) -> None:
    source = 'import macaw\nfor i in macaw.track(range(200000)):\n    with macaw.stage("x"): pass\n'
    path = script(source)

    def seconds(**environment: str) -> float:
        start = time.monotonic()
        run = start_job(path, url.format(closed=free_port()), **environment)
        _, stderr = run.communicate(timeout=60)
        assert run.returncode == 0, stderr
        return time.monotonic() - start

    off = min(seconds(MACAW_DISABLE="1") for _ in range(3))
    on = min(seconds() for _ in range(3))
    assert on < off * 2 + 0.5
