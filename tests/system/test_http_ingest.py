# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports over HTTP, the way through what carries no UDP."""

from __future__ import annotations

import io
import json
import urllib.error
import urllib.request
import uuid
from typing import Any

import cbor2
import pytest
from programs import Collector


def post(collector: Collector, body: bytes, **headers: str) -> tuple[int, bytes]:
    request = urllib.request.Request(collector.http + "/ingest", data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def reports(job: uuid.UUID) -> list[dict[str, Any]]:
    return [
        {"v": 1, "job": job.bytes, "seq": 1, "hello": {"name": "through a tunnel", "host": "far-away"}},
        {
            "v": 1,
            "job": job.bytes,
            "seq": 3,
            "bars": [{"id": 1, "n": 4, "total": 9}],
            "logs": [{"no": 2, "text": "two"}],
        },
        {"v": 1, "job": job.bytes, "seq": 4, "hello": {"name": "through a tunnel"}},
    ]


def test_a_sequence_of_reports_is_taken_and_answered(collector: Collector) -> None:
    job = uuid.uuid4()
    status, body = post(collector, b"".join(cbor2.dumps(report) for report in reports(job)))
    assert status == 200
    stream, answers = io.BytesIO(body), []
    while stream.tell() < len(body):
        answers.append(cbor2.load(stream))
    assert [answer["ack"] for answer in answers] == [1, 4]
    assert answers[1]["want"]["reports"] == [[2, 2]]
    shown = collector.wait_for(lambda job: job["name"] == "through a tunnel")
    assert shown["iterations"] == {"n": 4, "total": 9} and shown["lost"]["logs"] == 1


def test_a_line_of_json_each(collector: Collector) -> None:
    job = uuid.uuid4()
    lines = [json.dumps({**report, "job": str(job)}) for report in reports(job)]
    assert post(collector, "\r\n".join(lines).encode())[0] == 200
    assert collector.wait_for(lambda job: bool(job["bars"]))["iterations"]["n"] == 4


@pytest.mark.parametrize("body", [b"", b"\n\n", b"what?", b"\xa1", b"{", cbor2.dumps({"v": 2})])
def test_what_is_no_report_is_refused(collector: Collector, body: bytes) -> None:
    status, answer = post(collector, body)
    assert status == 400 and json.loads(answer)["title"] == "Bad Request"
    assert collector.jobs() == []


def test_what_is_good_in_a_body_is_taken(collector: Collector) -> None:
    good = cbor2.dumps(reports(uuid.uuid4())[0])
    assert post(collector, good + cbor2.dumps({"v": 2}) + good + b"\xa1")[0] == 200
    health = collector.get("/healthz")
    assert health["applied"] == 2 and health["replayed"] == 1
    assert health["refused"] == {"wrong_version": 1, "malformed": 1}


def test_who_may_not_look_may_not_report(collector: Collector) -> None:
    body = cbor2.dumps(reports(uuid.uuid4())[0])
    assert post(collector, body, Authorization="Bearer wrong")[0] == 401
    assert post(collector, body, Origin="http://evil.example")[0] == 403
    assert post(collector, body, Host="evil.example")[0] == 403
    assert post(collector, body, Authorization="Bearer " + collector.config["token"])[0] == 200
    collector.wait_for(lambda job: job["name"] == "through a tunnel")
    assert len(collector.jobs()) == 1
