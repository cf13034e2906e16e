# SPDX-License-Identifier: GPL-3.0-or-later
"""Every ending as the collector tells it: by itself, by exception, by exit code, by signal, and by silence."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from programs import Collector

Script = Callable[..., Path]
Start = Callable[..., subprocess.Popen[str]]

ENDLESS = """
import time, macaw
for _ in macaw.track(range(10**9), desc="endless"):
    with macaw.stage("wait"):
        time.sleep(0.01)
"""


def test_exception(collector: Collector, script: Script, start_job: Start) -> None:
    source = """
import macaw
for i in macaw.track(range(9)):
    with macaw.stage("solve"):
        if i == 4:
            raise ValueError("no infs")
"""
    run = start_job(script(source), collector.url)
    _, stderr = run.communicate(timeout=30)
    assert run.returncode == 1
    assert stderr.count("ValueError: no infs") >= 1
    job = collector.wait_for_state("failed")
    assert job["exit_code"] == 1
    assert (job["error"]["type"], job["error"]["message"]) == ("ValueError", "no infs")
    assert "Traceback" in job["error"]["traceback"]
    assert "line 6" in job["error"]["traceback"]
    assert job["stages"][0]["errors"] == 1
    assert job["bars"][0]["n"] < 9


def test_exit_code(collector: Collector, script: Script, start_job: Start) -> None:
    source = 'import sys, macaw\nwith macaw.stage("a"): pass\nsys.exit(3)\n'
    assert start_job(script(source), collector.url).wait(30) == 3
    assert collector.wait_for_state("failed")["exit_code"] == 3


def test_ctrl_c(collector: Collector, script: Script, start_job: Start) -> None:
    run = start_job(script(ENDLESS), collector.url)
    collector.wait_for(lambda job: bool(job["bars"]) and job["bars"][0]["n"] > 0)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=30)
    assert run.returncode == -signal.SIGINT
    assert collector.wait_for_state("interrupted")["bars"][0]["state"] == "interrupted"


def test_sigterm(collector: Collector, script: Script, start_job: Start) -> None:
    run = start_job(script(ENDLESS), collector.url)
    collector.wait_for(lambda job: bool(job["bars"]))
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=30)
    assert run.returncode == -signal.SIGTERM
    assert collector.wait_for_state("interrupted")["exit_signal"] == signal.SIGTERM


def test_exit_before_the_total(collector: Collector, script: Script, start_job: Start) -> None:
    source = 'import macaw\nbar = macaw.track(total=10, desc="copy")\nbar.update(4)\n'
    assert start_job(script(source), collector.url).wait(30) == 0
    assert collector.wait_for_state("ended early")["iterations"] == {"n": 4, "total": 10}


def test_left_by_break_is_finished(collector: Collector, script: Script, start_job: Start) -> None:
    source = "import macaw\nfor i in macaw.track(range(100)):\n    if i == 59: break\n"
    assert start_job(script(source), collector.url).wait(30) == 0
    job = collector.wait_for_state("finished")
    assert job["bars"][0]["state"] == "left"
    assert job["iterations"]["total"] == 100


def test_killed_job_loses_contact_and_its_clock_stops(collector: Collector, script: Script, start_job: Start) -> None:
    run = start_job(script(ENDLESS), collector.url)
    collector.wait_for(lambda job: bool(job["bars"]) and job["bars"][0]["n"] > 10)
    run.kill()
    killed = time.monotonic()
    job = collector.wait_for_state("no contact", seconds=20)
    assert time.monotonic() - killed < 20
    time.sleep(1.1)  # the clock must stand still, so let some time pass
    later = collector.get(f"/api/jobs/{job['id']}")
    assert later["elapsed"] == job["elapsed"]
    assert later["exit_code"] is None
