# SPDX-License-Identifier: GPL-3.0-or-later
"""Names without end, names without measure, and more lines than anybody can read: bounded, counted, said."""

from __future__ import annotations

import re

from conftest import Run, Start
from receiver import Receiver


def test_200_000_names_need_bounded_memory(start: Start, receiver: Receiver) -> None:
    program = start(
        """
        import macaw, os, time
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        for i in range(200_000):
            with macaw.stage(f"stage {i}"): pass
            macaw.metrics(**{f"metric {i}": i})
            if i % 2_000 == 0: time.sleep(0.001)  # as fast as anything real would be
            if i == 50_000: first = resident()
        print(resident() - first)
        """,
        MACAW_INTERVAL="0.02",
    )
    assert program.wait() == 0, program.err
    assert int(program.out) < 12 << 20
    job = receiver.wait_for(lambda job: job.finish)
    assert len(job.stages) <= 2001
    assert sum(job.counts.values()) == 200_000
    assert job.counts["other"] >= 198_000
    assert len({name for name, _, _ in job.metrics}) <= 1001
    assert "other" in {name for name, _, _ in job.metrics}


def test_names_lines_and_flushes_beyond_measure(run: Run) -> None:
    job = run(
        """
        import macaw
        name = "n" * 20_000
        with macaw.stage(name): pass
        for _ in macaw.track(range(3), desc=name): pass
        macaw.log.info("%s", "é" * (1 << 19))
        macaw.metrics(**{f"m{i}": i for i in range(500)}, **{name: 1})
        """
    )
    (stage,) = job.counts
    assert stage.startswith("nnn")
    assert re.search(r"…\+\d+$", stage)
    assert len(stage.encode()) <= 256
    assert len(job.bar["desc"].encode()) <= 256
    ((_, line),) = job.logs
    assert line == "é" * len(line)
    assert 16_000 < len(line.encode()) <= 16 * 1024
    values = {name: value for name, value, _ in job.metrics}
    assert len(values) == 501
    assert [values[f"m{i}"] for i in range(500)] == list(range(500))


def test_what_found_no_room_is_counted_and_said(start: Start, receiver: Receiver) -> None:
    program = start(
        """
        import macaw
        macaw.init()
        line = "l" * 16_000
        for i in range(3_000): macaw.log.info(line)
        """,
        MACAW_CONSOLE="plain",
    )
    assert program.wait() == 0
    said = re.search(r"lost lines: +(\d+)", program.err)
    assert said, program.err[-2000:]
    job = receiver.wait_for(lambda job: job.finish)
    assert 0 < int(said[1]) < 3_000
    assert max(job.pieces, default=0) <= 3_000
