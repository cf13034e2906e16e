# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes that are no reports: counted by reason, and nothing else happens."""

from __future__ import annotations

import random
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import REPOSITORY, Collector


def refused(collector: Collector) -> int:
    return sum(collector.get("/healthz")["refused"].values())


def test_garbage_is_counted_by_reason(collector: Collector) -> None:
    numbers = random.Random(1)
    vectors = sorted((REPOSITORY / "tests" / "vectors").glob("*.hex"))
    whole = [bytes.fromhex("".join(path.read_text().split())) for path in vectors]
    garbage = [b"", b"hello", b"\x00" * 65507, b"{" * 5000, b"\xbf" * 5000, b'{"v":1}', b"\xa1\x61v\x02"]
    garbage += [numbers.randbytes(numbers.randrange(1, 1400)) for _ in range(200)]
    garbage += [report[: len(report) // 2] for report in whole]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for datagram in garbage:
            sender.sendto(datagram, ("127.0.0.1", collector.port))
    deadline = time.monotonic() + 10
    while refused(collector) < len(garbage):
        assert time.monotonic() < deadline, collector.get("/healthz")
        time.sleep(0.05)
    health = collector.get("/healthz")
    assert len(health["refused"]) >= 3
    assert collector.jobs() == []
    assert collector.process.poll() is None


@pytest.mark.parametrize("path", ["/", "/events", "/api/jobs", "/healthz", "/metrics", "/nowhere"])
@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_foreign_names_are_refused_on_every_route(collector: Collector, path: str, header: str) -> None:
    request = urllib.request.Request(collector.http + path)
    request.add_header(header, "evil.example" if header == "Host" else "http://evil.example")
    with pytest.raises(urllib.error.HTTPError) as failure:
        urllib.request.urlopen(request, timeout=10)
    assert failure.value.code == 403
    assert "Access-Control-Allow-Origin" not in failure.value.headers


def test_wrong_token_is_refused_even_from_the_same_user(collector: Collector) -> None:
    with pytest.raises(urllib.error.HTTPError) as failure:
        collector.get("/api/jobs?token=wrong")
    assert failure.value.code == 401


def test_hostile_names_reach_the_csv_as_text(
    collector: Collector, script: Callable[..., Path], start_job: Callable[..., subprocess.Popen[str]]
) -> None:
    source = r"""
import macaw
for name in ("=1+1", "+x", "@x", "\tt", 'a,b"c', "a/b~c"):
    with macaw.stage(name):
        pass
"""
    assert start_job(script(source), collector.url).wait(30) == 0
    job = collector.wait_for_state("finished")
    text = collector.text(f"/api/jobs/{job['id']}/stages.csv")
    first = [line.split(",")[0] for line in text.splitlines()[1:5]]
    assert first == ["'=1+1", "'+x", "'@x", "'\tt"]
    assert '"a,b""c"' in text
    assert "a~1b~0c" in text
