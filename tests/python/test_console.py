# SPDX-License-Identifier: GPL-3.0-or-later
"""The live console and the program's own prints on one terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import textwrap
from pathlib import Path


def on_a_terminal(path: Path, source: str, **environment: str) -> str:
    """All that the program leaves on a terminal of its own, control sequences included."""
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if not k.startswith("MACAW_")}
    env |= {"MACAW_URL": "udp://127.0.0.1:9", "TERM": "xterm", "MACAW_INTERVAL": "0.02", **environment}
    process = subprocess.Popen([sys.executable, str(path)], env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the last writer has gone
            break
        if not data:
            break
        seen += data
    os.close(ours)
    assert process.wait(30) == 0, seen
    return seen.decode()


PRINTS = """
    import sys, time, macaw
    for i in macaw.track(range(20), desc="loop"):
        with macaw.stage("step"):
            print(f"printed {i}")
            print(f"error {i}", file=sys.stderr)
            sys.stdout.write("half ")
            sys.stdout.write("line\\n")
            time.sleep(0.01)
    assert sys.stdout.isatty() and sys.stdout.fileno() == 1
"""


def test_prints_stay_whole_above_the_live_block(tmp_path: Path) -> None:
    seen = on_a_terminal(tmp_path / "job.py", PRINTS)
    assert "\x1b[" in seen
    for i in range(20):
        assert f"printed {i}\r\n" in seen
        assert f"error {i}\r\n" in seen
    assert seen.count("half line\r\n") == 20
    assert "iterations:  20/20" in seen


def test_a_plain_console_leaves_the_streams_alone(tmp_path: Path) -> None:
    source = PRINTS + "    assert type(sys.stdout).__module__ != 'macaw._prints'\n"
    seen = on_a_terminal(tmp_path / "job.py", source, MACAW_CONSOLE="plain")
    assert "\x1b[" not in seen
    assert seen.count("half line\r\n") == 20


def test_a_switched_off_console_prints_nothing(tmp_path: Path) -> None:
    assert on_a_terminal(tmp_path / "job.py", "import macaw\nwith macaw.stage('a'): pass", MACAW_CONSOLE="off") == ""
