# SPDX-License-Identifier: GPL-3.0-or-later
"""macaw.testing, used as its users do: inside a test."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import Run, Start
from receiver import Receiver

macaw = pytest.importorskip("macaw")
testing = pytest.importorskip("macaw.testing")


def test_all_that_is_reported_as_plain_values() -> None:
    with testing.collect() as job:
        for i in macaw.track([1, 2, 3], desc="fit", unit="row"):
            with macaw.stage("solve", note="dense"):
                macaw.metrics(loss=1 / i, step=i)
        with pytest.raises(KeyError), macaw.stage("solve"), macaw.stage("a/b"):
            raise KeyError
        macaw.log.warning("no %s", "GPU")
        macaw.metrics(vibes="bad", is_big=False)
    assert job.bars == [testing.Bar("fit", 3, 3, None, "row", "done", 0, ())]
    solve = job.stages["solve"]
    assert (solve.path, solve.kind, solve.count, solve.errors, solve.open, solve.note) == (
        ("solve",), "stage", 4, 1, 0, "dense")  # fmt: skip
    assert 0 < job.stages["solve/a~1b"].total <= solve.total
    assert job.metrics == {"loss": [1, 1 / 2, 1 / 3], "vibes": ["bad"], "is_big": [False]}
    assert [point.step for point in job.points] == [1, 2, 3, None, None]
    assert job.log == [("warning", "no GPU")]
    assert job.log[0].level == "warning"


def test_each_block_begins_with_nothing_and_keeps_what_it_saw() -> None:
    def work() -> None:
        with macaw.stage("again"):
            macaw.metrics(x=1)
            macaw.log.info("line")
            list(macaw.track(range(2), desc="again"))

    with testing.collect() as first:
        work()
        work()
    with testing.collect() as second:
        assert (second.stages, second.bars, second.metrics, second.log) == ({}, [], {}, [])
        work()
        assert second.stages["again"].count == 1  # at once, also before the end
        with testing.collect() as inner:
            work()
        work()
    macaw.log.info("outside")
    assert [job.stages["again"].count for job in (first, inner, second)] == [2, 1, 3]
    assert [[bar.repeats for bar in job.bars] for job in (first, inner, second)] == [[1], [0], [2]]
    assert [len(job.metrics["x"]) for job in (first, inner, second)] == [2, 1, 3]
    assert [len(job.log) for job in (first, inner, second)] == [2, 1, 3]


def test_a_block_left_by_an_exception_has_what_came_before() -> None:
    with pytest.raises(ZeroDivisionError), testing.collect() as job:
        for _ in macaw.track(range(9), desc="fails"):
            with macaw.stage("fails"):
                _ = 1 / 0
    assert job.stages["fails"].errors == 1
    assert job.bars[0].state == "failed"


def test_every_thread_and_task_of_the_process() -> None:
    async def task() -> None:
        await asyncio.sleep(0)
        async with macaw.stage("task"):
            pass

    async def tasks() -> None:
        await asyncio.gather(*[task() for _ in range(5)])

    def step(bar: object) -> None:
        for _ in range(1000):
            bar.update()  # type: ignore[attr-defined]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: None, range(8)))  # threads older than the block
        with testing.collect() as job:
            with macaw.track(total=16_000, desc="shared") as bar:
                threads = [threading.Thread(target=step, args=(bar,)) for _ in range(16)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            list(pool.map(lambda i: macaw.metrics(pooled=i), range(8)))
            asyncio.run(tasks())
    assert [(bar.n, bar.state) for bar in job.bars] == [(16_000, "done")]
    assert sorted(job.metrics["pooled"]) == list(range(8))
    assert {path: row.count for path, row in job.stages.items()} == {"task": 5}


def test_more_than_the_rings_and_tables_hold() -> None:
    with testing.collect() as job:
        for i in range(100_000):
            macaw.metrics(x=i)
        for i in range(20_000):
            macaw.log.debug("a line of some length, and its number: %d", i)
    assert job.metrics["x"] == list(range(100_000))
    assert [line.text.rpartition(" ")[2] for line in job.log] == [str(i) for i in range(20_000)]


COLLECTS = """
    import macaw, macaw.testing
    with macaw.testing.collect() as job, macaw.stage("x"):
        macaw.log.info("not sent")
    assert job.stages["x"].count == 1, job.stages
    macaw.init()
    with macaw.stage("after"):
        print("ran")
"""


@pytest.mark.parametrize("environment", [{}, {"MACAW_DISABLE": "1"}], ids=["enabled", "disabled"])
def test_nothing_is_sent_or_printed(start: Start, receiver: Receiver, environment: dict[str, str]) -> None:
    program = start(COLLECTS, **environment)
    assert program.wait() == 0, program.err
    assert (program.out, program.err) == ("ran\n", "")
    assert not receiver.jobs


def test_a_process_that_is_a_job_says_so(run: Run) -> None:
    job = run("""
        import macaw, macaw.testing
        macaw.init(console="off")
        try:
            with macaw.testing.collect():
                raise AssertionError
        except RuntimeError as error:
            assert "MACAW_DISABLE=1" in str(error)
        with macaw.stage("goes on"):
            pass
    """)
    assert job.counts == {"goes on": 1}
