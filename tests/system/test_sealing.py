# SPDX-License-Identifier: GPL-3.0-or-later
"""Sealed reports: who has the key is heard from anywhere, nobody else is, and nothing is heard twice."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from lossy_relay import LossyRelay
from programs import BIN, Collector

Start = Callable[..., Collector]


@pytest.fixture
def key(tmp_path: Path) -> str:
    made = subprocess.run(
        [str(BIN / "macaw-collector"), "--new-key", "--data", str(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (tmp_path / "data" / "key").stat().st_mode & 0o777 == 0o600
    return made.stdout.strip()


class Sealer:
    """Seals as the protocol says, with another library than the collector's."""

    def __init__(self, key: str, job: uuid.UUID, info: str = "macaw v1") -> None:
        derived = HKDF(algorithm=hashes.SHA256(), length=32, salt=job.bytes, info=info.encode()).derive(key.encode())
        self.cipher = ChaCha20Poly1305(derived)
        self.job = job
        self.protected = cbor2.dumps({1: 24})
        self.vouched = cbor2.dumps(["Encrypt0", self.protected, b""])

    def seal(self, seq: int, report: dict[str, Any], iv: bytes | None = None) -> bytes:
        report = {"v": 1, "job": self.job.bytes, "seq": seq, "t": time.time(), **report}
        iv = iv or seq.to_bytes(12, "big")
        sealed = self.cipher.encrypt(iv, cbor2.dumps(report), self.vouched)
        return cbor2.dumps(cbor2.CBORTag(16, [self.protected, {4: self.job.bytes, 5: iv}, sealed]))

    def open(self, datagram: bytes) -> Any:
        _, header, sealed = cbor2.loads(datagram).value
        return cbor2.loads(self.cipher.decrypt(header[5], sealed, self.vouched))


def connected(port: int) -> socket.socket:
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.connect(("127.0.0.1", port))
    sender.settimeout(5)
    return sender


def refused(collector: Collector, reason: str) -> int:
    return int(collector.get("/healthz")["refused"].get(reason, 0))


def wait_until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_a_job_with_the_key_is_heard_and_answered(
    start_collector: Start, key: str, start_job: Any, example: Path
) -> None:
    collector = start_collector()
    job = start_job(example, collector.url.replace("udp://", f"udp://{key}@"), "20", MACAW_CONSOLE="off")
    job.wait(60)
    ended = collector.wait_for_state("finished")
    assert ended["lost"] == {"datagrams": 0, "logs": 0, "metrics": 0}
    health = collector.get("/healthz")
    assert health["answered"] > 0 and health["refused"] == {}
    _, complaints = job.communicate()
    assert complaints == ""


def test_a_lossy_way_ends_as_one_without_loss(start_collector: Start, key: str, start_job: Any, example: Path) -> None:

    collector = start_collector()
    with LossyRelay(("127.0.0.1", collector.port), drop=0.2, seed=3) as relay:
        url = f"udp://127.0.0.1:{relay.port}"
        start_job(example, url, "50", MACAW_KEY=key, MACAW_CONSOLE="off").wait(60)
        ended = collector.wait_for_state("finished")
    assert ended["iterations"]["n"] == ended["iterations"]["total"]
    assert ended["lost"]["logs"] == ended["lost"]["metrics"] == 0


def test_another_key_is_refused_and_no_key_sends_nothing_open(
    start_collector: Start, key: str, start_job: Any, script: Callable[[str], Path]
) -> None:
    collector = start_collector()
    job = script("import macaw\nmacaw.log.info('hello')\n")
    start_job(job, collector.url, MACAW_KEY="x" * 43, MACAW_CONSOLE="off").wait(60)
    assert refused(collector, "bad_seal") > 0
    received = collector.get("/healthz")["received"]
    short = start_job(job, collector.url, MACAW_KEY="short", MACAW_CONSOLE="off")
    _, complaints = short.communicate(timeout=60)
    assert short.returncode == 0
    assert complaints.count("\n") == 1 and "at least 16 characters" in complaints and "short" not in complaints
    assert collector.get("/healthz")["received"] == received
    assert collector.jobs() == []


def test_a_collector_without_the_key_says_so(start_collector: Start) -> None:
    collector = start_collector()
    connected(collector.port).send(Sealer("0123456789abcdef", uuid.uuid4()).seal(1, {"hello": {"name": "x"}}))
    wait_until(lambda: refused(collector, "sealed") == 1, "counted as sealed")


def test_what_others_seal_is_understood_and_their_answers_are_sealed(start_collector: Start, key: str) -> None:
    collector = start_collector()
    job = uuid.uuid4()
    sender = connected(collector.port)
    datagram = Sealer(key, job).seal(1, {"hello": {"name": "by hand"}})
    sender.send(datagram)
    answer = sender.recv(2048)
    assert len(answer) <= len(datagram)
    assert Sealer(key, job, "macaw v1 answer").open(answer)["ack"] == 1
    collector.wait_for(lambda job: job["name"] == "by hand")


def test_replays_are_counted_and_change_nothing(start_collector: Start, key: str) -> None:
    collector = start_collector()
    sealer = Sealer(key, uuid.uuid4())
    sender = connected(collector.port)
    first = sealer.seal(1, {"hello": {"name": "job"}})
    for datagram in (first, sealer.seal(2, {"finish": {"elapsed": 1, "code": 0}})):
        sender.send(datagram)
        sender.recv(2048)
    answered = collector.get("/healthz")["answered"]
    for _ in range(10):
        sender.send(first)
    wait_until(lambda: collector.get("/healthz")["replayed"] == 10, "counted as replayed")
    assert collector.get("/healthz")["answered"] == answered, "a replay gets no answer"
    # Beyond the window there is no telling: it counts as seen.
    sender.send(sealer.seal(5000, {}))
    sender.send(sealer.seal(3900, {}))
    wait_until(lambda: collector.get("/healthz")["replayed"] == 11, "too old for the window")


def test_a_restart_opens_no_replay(start_collector: Start, key: str) -> None:
    first = start_collector(history=True)
    sealer = Sealer(key, uuid.uuid4())
    old = sealer.seal(1, {"hello": {"name": "job"}, "bars": [{"id": 1, "n": 1, "total": 9}]})
    new = sealer.seal(2, {"bars": [{"id": 1, "n": 5, "total": 9}]})
    for datagram in (old, new):
        connected(first.port).send(datagram)
    first.wait_for(lambda job: job["iterations"] == {"n": 5, "total": 9})
    first.stop()
    second = start_collector(history=True)
    second.wait_for(lambda job: job["iterations"] == {"n": 5, "total": 9})
    for datagram in (old, new):
        connected(second.port).send(datagram)
    wait_until(lambda: second.get("/healthz")["replayed"] == 2, "both are known")
    assert second.jobs()[0]["iterations"] == {"n": 5, "total": 9}


def test_an_old_recording_of_an_unknown_job_is_stale(start_collector: Start, key: str) -> None:
    collector = start_collector()
    sender = connected(collector.port)
    sender.send(Sealer(key, uuid.uuid4()).seal(1, {"hello": {"name": "old"}, "t": time.time() - 90_000}))
    wait_until(lambda: refused(collector, "stale") == 1, "counted as stale")
    assert collector.jobs() == []


def test_a_seal_vouches_for_its_number_and_its_job(start_collector: Start, key: str) -> None:
    collector = start_collector()
    sender = connected(collector.port)
    sealer = Sealer(key, uuid.uuid4())
    sender.send(sealer.seal(1, {"hello": {"name": "x"}}, iv=(2).to_bytes(12, "big")))
    sender.send(sealer.seal(1, {"hello": {"name": "x"}, "job": uuid.uuid4().bytes}))
    wait_until(lambda: refused(collector, "bad_seal") == 2, "both refused")
    assert collector.jobs() == []


def test_one_address_that_floods_is_held_back(start_collector: Start) -> None:
    collector = start_collector("--rate-limit", "100")
    sender = connected(collector.port)
    for seq in range(1, 1001):
        sender.send(json.dumps({"v": 1, "job": str(uuid.UUID(int=7)), "seq": seq}).encode())
    wait_until(lambda: collector.get("/healthz")["received"] == 1000, "all arrived")
    assert 700 <= refused(collector, "too_many") <= 800
    neighbour = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    neighbour.bind(("127.0.0.2", 0))
    neighbour.connect(("127.0.0.1", collector.port))
    neighbour.send(json.dumps({"v": 1, "job": str(uuid.UUID(int=8)), "seq": 1, "hello": {"name": "calm"}}).encode())
    collector.wait_for(lambda job: job["name"] == "calm")


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("0123456789abcdef\n")
    file.chmod(0o644)
    ended = subprocess.run(
        [str(BIN / "macaw-collector"), "--port", "0", "--data", str(tmp_path / "d"), "--key-file", str(file)],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1 and "chmod 600" in ended.stderr
