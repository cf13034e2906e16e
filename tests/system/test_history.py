# SPDX-License-Identifier: GPL-3.0-or-later
"""What a collector keeps on disk: through restarts and kills, and when the disk or the file will not have it."""

from __future__ import annotations

import json
import random
import resource
import signal
import socket
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import Collector

Start = Callable[..., Collector]


@pytest.fixture
def start(start_collector: Start, tmp_path: Path) -> Iterator[Start]:
    """Starts a collector with history; its `errors` are lines on stderr so far."""

    def started(*options: str, **more: Any) -> Collector:
        path = tmp_path / f"errors-{time.monotonic_ns()}"
        with path.open("w") as file:
            collector = start_collector(*options, history=True, errors=file, **more)
        collector.errors = lambda: path.read_text()  # type: ignore[attr-defined]
        return collector

    yield started


def database(tmp_path: Path) -> sqlite3.Connection:
    return sqlite3.connect(tmp_path / "data" / "history.sqlite")


class Sender:
    """A job that says what it is told to."""

    def __init__(self, port: int, job: str | None = None) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        self.job = job or str(uuid.uuid4())
        self.seq = 0

    def send(self, **rows: Any) -> None:
        self.seq += 1
        report = {"v": 1, "job": self.job, "seq": self.seq, "up": self.seq / 10, **rows}
        self.socket.send(json.dumps(report).encode())

    def run_to_its_end(self, name: str, lines: int = 3) -> None:
        self.send(hello={"name": name, "start": time.time()})
        for no in range(1, lines + 1):
            self.send(logs=[{"no": no, "text": "x" * 1000}])
        self.send(stages=[{"path": ["solve"], "n": 7, "sum": 1.5}], finish={"elapsed": 1, "code": 0})


def wait_until(holds: Callable[[], bool], what: str, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def without_ages(job: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in job.items() if key != "last_contact"}


def test_a_restart_shows_everything_as_it_was(
    start: Start, start_job: Callable[..., Any], example: Path, tmp_path: Path
) -> None:
    collector = start()
    start_job(example, collector.url, MACAW_CONSOLE="off").wait(60)
    job = collector.wait_for_state("finished")
    paths = ["log", "stages.csv", "stages.json", "metrics.csv"]
    exports = {path: collector.text(f"/api/jobs/{job['id']}/{path}") for path in paths}
    wait_until(
        lambda: database(tmp_path).execute("SELECT count(*) FROM job WHERE state = 'finished'").fetchone() == (1,),
        "the end is on disk",
        seconds=2,
    )
    collector.kill()
    again = start()
    restored = again.wait_for_state("finished")
    assert without_ages(restored) == without_ages(job)
    assert {path: again.text(f"/api/jobs/{job['id']}/{path}") for path in paths} == exports


def test_a_job_that_runs_picks_up_by_itself(start: Start, script: Callable[[str], Path], start_job: Any) -> None:
    first = start()
    job = start_job(
        script(
            "import macaw, sys\n"
            "for i in macaw.track(range(3)):\n"
            "    macaw.log.info('line %d', i)\n"
            "    sys.stdout.write(f'{i}\\n'); sys.stdout.flush()\n"
            "    sys.stdin.readline()\n"
        ),
        first.url,
        stdin=True,
        MACAW_CONSOLE="off",
    )
    job.stdout.readline()
    first.wait_for(lambda job: bool(job["bars"]))
    first.stop()
    second = start(port=first.port)
    for _ in range(3):
        job.stdin.write("\n")
    job.stdin.flush()
    ended = second.wait_for_state("finished")
    assert ended["iterations"] == {"n": 3, "total": 3}
    log = second.get(f"/api/jobs/{ended['id']}/log")
    assert [line["text"] for line in log["lines"]] == ["line 0", "line 1", "line 2"]
    assert len(second.jobs()) == 1


def test_killed_at_any_moment_the_file_is_sound(start: Start, tmp_path: Path) -> None:
    dice = random.Random(1)
    ended: list[str] = []
    for _ in range(100):
        collector = start()
        deadline = time.monotonic() + dice.uniform(0, 0.4)
        sender = Sender(collector.port)
        while time.monotonic() < deadline:
            sender.job, sender.seq = str(uuid.uuid4()), 0
            sender.run_to_its_end("burst")
            time.sleep(0.001)
        collector.kill()
        with database(tmp_path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            kept = {row[0] for row in connection.execute("SELECT id FROM job WHERE state = 'finished'")}
            halves = connection.execute(
                "SELECT count(*) FROM job WHERE state = 'finished' AND "
                "(SELECT count(*) FROM log_line WHERE job = key) <> 3"
            ).fetchone()
        assert halves == (0,), "a job that ended is there whole, or not at all"
        assert kept.issuperset(ended), "what was kept once stays"
        ended = list(kept)
    assert ended, "nothing was ever written: the test proves nothing"


def test_a_disk_that_is_full_is_said_once_and_tried_again(start: Start) -> None:
    collector = start()
    resource.prlimit(collector.process.pid, resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    for i in range(20):
        Sender(collector.port).run_to_its_end(f"job {i}", lines=40)
    wait_until(lambda: collector.get("/healthz")["history"] == "failing", "the failure shows")
    assert len(collector.jobs()) == 20, "what is on screen does not depend on the disk"
    resource.prlimit(collector.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    wait_until(lambda: collector.get("/healthz")["history"] == "writing", "writing goes on")
    said = collector.errors().splitlines()  # type: ignore[attr-defined]
    assert [line.partition(" (")[0] for line in said] == [
        "macaw-collector: history cannot be written",
        "macaw-collector: history is written again",
    ]
    collector.kill()
    again = start()
    wait_until(lambda: len(again.jobs()) == 20, "all are back")


@pytest.mark.parametrize("damage", ["not a database", "torn pages"])
def test_a_damaged_file_is_set_aside(start: Start, tmp_path: Path, damage: str) -> None:
    data = tmp_path / "data"
    if damage == "not a database":
        data.mkdir()
        (data / "history.sqlite").write_bytes(b"something else entirely\n" * 400)
    else:
        first = start()
        for i in range(50):
            Sender(first.port).run_to_its_end(f"job {i}")
        first.wait_for(lambda job: job["name"] == "job 49" and job["state"] == "finished")
        first.stop()
        with (data / "history.sqlite").open("r+b") as file:
            size = file.seek(0, 2)
            for at in range(4096, size, 4096):
                file.seek(at)
                file.write(random.Random(at).randbytes(4096))
    before = (data / "history.sqlite").read_bytes()
    collector = start()
    Sender(collector.port).run_to_its_end("new")
    collector.wait_for(lambda job: job["name"] == "new" and job["state"] == "finished")
    wait_until(
        lambda: (
            list(data.glob("history.sqlite.damaged-*")) != []
            and database(tmp_path).execute("SELECT count(*) FROM sqlite_master WHERE name = 'job'").fetchone() == (1,)
        ),
        "a new file",
    )
    aside = next(path for path in data.glob("history.sqlite.damaged-*") if path.name[-4:] not in ("-wal", "-shm"))
    assert aside.read_bytes() == before
    assert "was damaged: it is kept as history.sqlite.damaged-" in collector.errors()  # type: ignore[attr-defined]
    wait_until(
        lambda: database(tmp_path).execute("SELECT count(*) FROM job WHERE name = 'new'").fetchone() == (1,),
        "the new job is in the new file",
    )


def test_a_file_of_a_newer_version_is_left_alone(start: Start, tmp_path: Path) -> None:
    start().stop()
    with database(tmp_path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    collector = start()
    wait_until(lambda: "made by a newer version" in collector.errors(), "a word on it")  # type: ignore[attr-defined]
    assert collector.get("/healthz")["history"] == "off"
    Sender(collector.port).run_to_its_end("shown all the same")
    collector.wait_for_state("finished")


def test_the_second_receiver_of_a_folder_does_not_write(start: Start, tmp_path: Path) -> None:
    first = start()
    second = start()
    wait_until(
        lambda: "another macaw keeps its history in" in second.errors(),  # type: ignore[attr-defined]
        "a word on it",
    )
    Sender(second.port).run_to_its_end("seen by the second alone")
    second.wait_for_state("finished")
    Sender(first.port).run_to_its_end("seen by the first")
    first.wait_for_state("finished")
    first.stop()
    second.stop()
    assert database(tmp_path).execute("SELECT name FROM job").fetchall() == [("seen by the first",)]


def test_a_folder_that_cannot_be_written_costs_history_only(start: Start, tmp_path: Path) -> None:
    start().stop()
    (tmp_path / "data" / "history.lock").unlink()
    (tmp_path / "data" / "history.lock").mkdir()  # what no user can write to, not even root
    collector = start()
    wait_until(lambda: "history is off: cannot write to" in collector.errors(), "a word on it")  # type: ignore[attr-defined]
    Sender(collector.port).run_to_its_end("shown all the same")
    collector.wait_for_state("finished")


def test_old_jobs_leave_pinned_ones_stay(start: Start, tmp_path: Path) -> None:
    first = start()
    for name in ("old", "old but pinned", "young"):
        Sender(first.port).run_to_its_end(name)
    wait_until(lambda: len([j for j in first.jobs() if j["state"] == "finished"]) == 3, "three ends")
    first.stop()
    with database(tmp_path) as connection:
        connection.execute("UPDATE job SET heard = heard - 40 * 86400 WHERE name LIKE 'old%'")
        connection.execute("UPDATE job SET pinned = 1 WHERE name = 'old but pinned'")
    connection.close()
    start("--keep-days", "30").stop()
    names = database(tmp_path).execute("SELECT name FROM job ORDER BY name").fetchall()
    assert names == [("old but pinned",), ("young",)]
    assert database(tmp_path).execute("SELECT count(DISTINCT job) FROM log_line").fetchone() == (2,)


def test_the_file_stays_below_its_size(start: Start, tmp_path: Path) -> None:
    first = start()
    for i in range(100):
        Sender(first.port).run_to_its_end(f"job {i}", lines=20)
    wait_until(lambda: len([j for j in first.jobs() if j["state"] == "finished"]) == 100, "all ends")
    first.stop()
    file = tmp_path / "data" / "history.sqlite"
    assert file.stat().st_size > 2_000_000
    start("--keep-gb", "0.001").stop()
    assert file.stat().st_size < 1_500_000
    kept = [name for (name,) in database(tmp_path).execute("SELECT name FROM job ORDER BY heard")]
    assert 0 < len(kept) < 100
    assert all(int(name[4:]) > 100 - len(kept) - 10 for name in kept), "the oldest leave first"


def test_a_job_from_a_replay_is_not_kept(start: Start, tmp_path: Path) -> None:
    recording = tmp_path / "jobs.rec"
    first = start("--record", str(recording))
    Sender(first.port).run_to_its_end("once")
    first.wait_for_state("finished")
    first.stop()
    start("--replay", str(recording), "--speed", "0").wait_for_state("finished")
    assert database(tmp_path).execute("SELECT count(*) FROM job").fetchone() == (1,)


def test_a_quiet_end_writes_what_is_left(start: Start, tmp_path: Path) -> None:
    collector = start()
    Sender(collector.port).run_to_its_end("last words")
    wait_until(lambda: collector.get("/healthz")["applied"] == 5, "all reports")
    collector.process.send_signal(signal.SIGTERM)
    assert collector.process.wait(10) == 0
    assert database(tmp_path).execute("SELECT name FROM job").fetchall() == [("last words",)]
