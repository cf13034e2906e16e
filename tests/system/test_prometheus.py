# SPDX-License-Identifier: GPL-3.0-or-later
"""/metrics, checked by Prometheus's own tool and scraped by a real Prometheus."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import Collector

pytestmark = pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool on PATH: no package of Prometheus")

HOSTILE = ["=1+1", '"quoted\\\\"', "two\nlines", "nul\0inside", "<script>", "naïve \u202e", "{}"]


def send(port: int, **rows: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", port))
        report = {"v": 1, "job": str(uuid.uuid4()), "seq": 1, "up": 1, **rows}
        sender.send(json.dumps(report).encode())


def busy_job(port: int, name: str) -> None:
    send(
        port,
        hello={"name": name, "host": "atlas"},
        usage={"rss": 1000, "cpu": 1.5},
        bars=[{"id": 1, "desc": name, "n": 41, "total": 200, "elapsed": 1}],
        stages=[{"path": [name, "inner/of"], "n": 3, "sum": 0.25}],
        metrics=[
            {"no": 1, "name": name, "value": 0.5},
            {"no": 2, "name": "nan", "value": "nan"},
            {"no": 3, "name": "text", "value": "bad"},
            {"no": 4, "name": "flag", "value": True},
        ],
    )


@pytest.fixture
def busy(start_collector: Callable[..., Collector]) -> Collector:
    collector = start_collector("--accept-unsealed")
    for name in HOSTILE:
        busy_job(collector.port, name)
    deadline = time.monotonic() + 10
    while len(collector.jobs()) < len(HOSTILE):
        assert time.monotonic() < deadline
    return collector


def test_promtool_finds_nothing_to_complain_about(busy: Collector) -> None:
    send(busy.port, v=2)  # one that is refused, so that there is a reason to show
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=busy.text("/metrics"), capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_what_a_scrape_names_is_bounded(start_collector: Callable[..., Collector]) -> None:
    collector = start_collector("--accept-unsealed")
    for first in range(0, 200, 20):
        send(
            collector.port,
            job="00000000-0000-0000-0000-000000000001",
            seq=first + 1,
            hello={"name": "many"},
            stages=[{"path": [f"stage {i}"], "n": 1, "sum": i} for i in range(first, first + 20)],
        )
    collector.wait_for(lambda job: len(job["stages"]) == 200)
    lines = collector.text("/metrics").splitlines()
    named = [line for line in lines if line.startswith("macaw_stage_seconds_total{")]
    assert len(named) == 50
    assert any('stage="stage 199"' in line for line in named), "the ones that took longest are kept"
    assert "macaw_scrape_left_out 150" in lines


def test_a_real_prometheus_scrapes_it(busy: Collector, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = {
        "global": {"scrape_interval": "1s"},
        "scrape_configs": [{"job_name": "macaw", "static_configs": [{"targets": [f"127.0.0.1:{busy.port}"]}]}],
    }
    (tmp_path / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
    prometheus = subprocess.Popen(
        [
            "prometheus",
            f"--config.file={tmp_path / 'prometheus.yml'}",
            f"--storage.tsdb.path={tmp_path / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 30
        while len(result := query(port, "macaw_bar_steps_done")) < len(HOSTILE):
            assert time.monotonic() < deadline, "nothing was scraped within 30 s"
            time.sleep(0.2)
        assert {series["metric"]["desc"] for series in result} == {
            "".join(" " if c < " " else c for c in name) for name in HOSTILE
        }
        assert {series["value"][1] for series in result} == {"41"}
        assert query(port, "up")[0]["value"][1] == "1"
    finally:
        prometheus.terminate()
        prometheus.wait(20)


def query(port: int, text: str) -> list[Any]:
    try:
        url = f"http://127.0.0.1:{port}/api/v1/query?query={urllib.parse.quote(text)}"
        with urllib.request.urlopen(url, timeout=5) as answer:
            return list(json.load(answer)["data"]["result"])
    except OSError:
        return []  # not up yet
