# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody there, or nobody yet: the program neither fails nor waits."""

from __future__ import annotations

import socket
import time

import pytest
from conftest import Start
from receiver import Receiver

BUSY = """
import macaw
for i in macaw.track(range(200_000)):
    with macaw.stage("x"): pass
macaw.log.info("done")
"""


def closed_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "no-such-host.invalid", "[::1]", "not a host"])
def test_nobody_there(start: Start, host: str) -> None:
    def seconds(**environment: str) -> float:
        begin = time.monotonic()
        program = start(BUSY, url=f"udp://{host}:{closed_port()}", **environment)
        assert program.wait() == 0, program.err
        assert program.err.count("\n[macaw] MACAW_URL") + program.err.startswith("[macaw] MACAW_URL") <= 1
        return time.monotonic() - begin

    off = min(seconds(MACAW_DISABLE="1") for _ in range(2))
    on = min(seconds() for _ in range(3))
    assert on < 2 * off + 0.5


@pytest.mark.parametrize("url", ["nonsense", "udp://", "udp://127.0.0.1:99999", "udp://127.0.0.1:x", "tcp://h:1"])
def test_a_wrong_address_warns_once(start: Start, url: str) -> None:
    program = start("import macaw\nwith macaw.stage('a'): pass", url=url)
    assert program.wait() == 0
    assert program.err.count("MACAW_URL") == 1


def test_a_receiver_that_comes_late_learns_everything(start: Start) -> None:
    port = closed_port()
    program = start(
        """
        import macaw, time
        with macaw.stage("setup"): macaw.log.info("ready")
        bar = macaw.track(total=5, desc="steps")
        bar.update(2)
        with macaw.stage("waiting"):
            print("up", flush=True)
            time.sleep(60)
        """,
        url=f"udp://127.0.0.1:{port}",
    )
    assert program.process.stdout and program.process.stdout.readline() == "up\n"
    receiver = Receiver(port)
    try:
        job = receiver.wait_for(lambda job: job.hello and job.bars and {"setup", "waiting"} <= set(job.stages), 10)
        assert (job.hello["name"], job.bar["total"], job.bar["n"]) == ("job.py", 5, 2)
        assert job.counts["setup"] == 1
        assert job.stages["waiting"]["open"] == 1
    finally:
        program.stop()
        receiver.close()
