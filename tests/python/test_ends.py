# SPDX-License-Identifier: GPL-3.0-or-later
"""Every end of a program as its job reports it, with the program's own end unchanged."""

from __future__ import annotations

import signal

import pytest
from conftest import Run, Start
from receiver import Receiver

ENDLESS = """
import time, macaw
for i in macaw.track(range(10**9), desc="endless"):
    with macaw.stage("wait"):
        time.sleep(0.01)
"""


def test_a_normal_end(run: Run) -> None:
    job = run("import macaw\nwith macaw.stage('a'): pass")
    assert (job.finish["state"], job.finish["code"]) == ("finished", 0)
    assert job.hello["name"] == "job.py"
    assert job.hello["lang"].startswith("python 3.")
    assert job.hello["sdk"].startswith("macaw ")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("sys.exit(3)", 3),
        ("sys.exit('text')", 1),
        ("sys.exit(None)", 0),
        ("raise SystemExit(5)", 5),
        ("exit(7)", 7),
        ("try: sys.exit(9)\nexcept SystemExit: pass", 0),
        ("t = threading.Thread(target=sys.exit, args=(9,)); t.start(); t.join()", 0),
        ("atexit.register(lambda: macaw.log.info('late'))", 0),
    ],
)
def test_exit_codes(run: Run, statement: str, code: int) -> None:
    job = run(f"import atexit, sys, threading, macaw\nwith macaw.stage('a'): pass\n{statement}", code=code)
    assert (job.finish["state"], job.finish["code"]) == ("failed" if code else "finished", code)
    assert "error" not in job.finish


def test_an_exception(start: Start, receiver: Receiver) -> None:
    program = start("""
        import macaw
        def solve(i):
            with macaw.stage("solve"):
                raise ValueError(f"no infs: {i}")
        for i in macaw.track(range(9)):
            if i == 4: solve(i)
    """)
    assert program.wait() == 1
    assert program.err.count("Traceback") == 1
    job = receiver.wait_for(lambda job: job.finish)
    assert (job.finish["state"], job.finish["code"]) == ("failed", 1)
    error = job.finish["error"]
    assert (error["type"], error["message"]) == ("ValueError", "no infs: 4")
    pieces = job.pieces[error["trace"]]
    assert pieces[1]["level"] == "critical"
    trace = "".join(pieces[k]["text"] for k in sorted(pieces))
    assert trace.startswith("Traceback") and "in solve" in trace and trace.endswith("ValueError: no infs: 4")
    assert (job.bar["state"], job.bar["n"], job.stages["solve"]["errors"]) == ("failed", 4, 1)


def test_exceptions_of_every_sort(run: Run) -> None:
    job = run(
        """
        import json, macaw, sys
        sys.excepthook = lambda *args: print("mine", file=sys.stderr)
        with macaw.stage("a"): pass
        json.loads("{")
        """,
        code=1,
    )
    assert job.finish["error"]["type"] == "json.decoder.JSONDecodeError"


def test_an_exception_whose_message_raises(run: Run) -> None:
    job = run(
        """
        import macaw
        class Odd(Exception):
            def __str__(self): raise RuntimeError
        with macaw.stage("a"): pass
        raise Odd
        """,
        code=1,
    )
    assert job.finish["error"]["type"] == "Odd"
    assert job.finish["state"] == "failed"


def test_a_very_deep_traceback(run: Run) -> None:
    job = run("import macaw\ndef f(): f()\nwith macaw.stage('a'): f()", code=1)
    assert job.finish["error"]["type"] == "RecursionError"


def test_ctrl_c(start: Start, receiver: Receiver) -> None:
    program = start(ENDLESS)
    receiver.wait_for(lambda job: job.bars and job.bars[0]["n"] > 0)
    program.interrupt()
    assert program.wait() == -signal.SIGINT
    assert "KeyboardInterrupt" in program.err
    job = receiver.wait_for(lambda job: job.finish)
    assert (job.finish["state"], job.finish["signal"]) == ("interrupted", signal.SIGINT)
    assert job.bar["state"] == "interrupted"


def test_ctrl_c_that_the_program_handles(start: Start, receiver: Receiver) -> None:
    program = start("""
        import time, macaw
        try:
            for i in macaw.track(range(10**9)): time.sleep(0.01)
        except KeyboardInterrupt:
            pass
    """)
    receiver.wait_for(lambda job: job.bars and job.bars[0]["n"] > 0)
    program.interrupt()
    assert program.wait() == 0, program.err
    job = receiver.wait_for(lambda job: job.finish)
    assert (job.finish["state"], job.bar["state"]) == ("finished", "interrupted")


def test_sigterm(start: Start, receiver: Receiver) -> None:
    program = start(ENDLESS)
    receiver.wait_for(lambda job: job.bars and job.bars[0]["n"] > 0)
    program.terminate()
    assert program.wait() == -signal.SIGTERM
    job = receiver.wait_for(lambda job: job.finish)
    assert (job.finish["state"], job.finish["signal"]) == ("interrupted", signal.SIGTERM)


def test_finish_and_what_comes_after(run: Run) -> None:
    job = run("""
        import macaw
        with macaw.stage("before"): pass
        assert len(macaw.job_id) == 36
        macaw.finish()
        with macaw.stage("after"): pass
        for x in macaw.track(range(3)): pass
        macaw.log.info("after")
        macaw.finish()
    """)
    assert job.finish["state"] == "finished"
    assert set(job.stages) == {"before"} and not job.bars and not job.logs


def test_init(run: Run, receiver: Receiver) -> None:
    job = run(
        f"import macaw\nmacaw.init(name='mine', url='{receiver.url}', console='off', tags={{'run': 7}})",
        MACAW_NAME="not this",
        MACAW_URL="udp://127.0.0.1:1",
    )
    assert job.hello["name"] == "mine"
    assert job.hello["tags"] == {"run": "7"}


def test_names(run: Run) -> None:
    assert run("import macaw\nmacaw.init()", MACAW_NAME="from outside").hello["name"] == "from outside"
