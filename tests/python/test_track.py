# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars: loops and their ends, totals known, unknown and wrong, and bars moved by hand."""

from __future__ import annotations

import pytest
from conftest import Run, Start
from receiver import Receiver


def test_a_loop(run: Run) -> None:
    job = run("""
        import macaw
        assert list(macaw.track(range(7), desc="seven", unit="B")) == list(range(7))
    """)
    bar = job.bar
    assert (bar["n"], bar["total"], bar["desc"], bar["unit"], bar["state"]) == (7, 7, "seven", "B", "done")


@pytest.mark.parametrize("nothing", ["[]", "range(0)", "iter(())", "{}"])
def test_nothing_to_do(run: Run, nothing: str) -> None:
    job = run(f"import macaw\nfor x in macaw.track({nothing}, desc='none'): pass\nprint(macaw.summary())")
    assert (job.bar["n"], job.bar["state"]) == (0, "done")


@pytest.mark.parametrize(
    ("really", "total", "state"), [(130, 100, "done"), (60, 100, "done"), (999, 1000, "done"), (41, 40, "done")]
)
def test_a_wrong_total_is_reported_as_it_was(run: Run, really: int, total: int, state: str) -> None:
    job = run(f"import macaw\nfor x in macaw.track(range({really}), total={total}): pass")
    assert (job.bar["n"], job.bar["total"], job.bar["state"]) == (really, total, state)


@pytest.mark.parametrize("source", ["zip('abc', 'abc')", "enumerate('abc')", "(c for c in 'abc')", "map(str, 'abc')"])
def test_an_unknown_total_stays_unknown_and_nothing_is_consumed(run: Run, source: str) -> None:
    job = run(f"import macaw\nassert len(list(macaw.track({source}))) == 3")
    assert job.bar["n"] == 3
    assert "total" not in job.bar


def test_an_explicit_total_for_what_has_no_length(run: Run) -> None:
    job = run("import macaw\nfor x in macaw.track(enumerate('abc'), total=3): pass")
    assert (job.bar["n"], job.bar["total"]) == (3, 3)


def test_a_length_that_raises_is_no_length(run: Run) -> None:
    job = run("""
        import macaw
        class Stream:
            def __len__(self): raise TypeError("no length")
            def __iter__(self): return iter("ab")
        assert list(macaw.track(Stream())) == ["a", "b"]
    """)
    assert "total" not in job.bar


@pytest.mark.parametrize(
    ("body", "state", "n"),
    [
        ("if x == 5: break", "left", 5),
        ("if x == 5: return", "left", 5),
        ("if x == 5: raise ValueError", "failed", 5),
        ("if x == 5: raise KeyboardInterrupt", "interrupted", 5),
        ("pass", "done", 9),
    ],
)
def test_how_a_loop_ended(run: Run, body: str, state: str, n: int) -> None:
    job = run(f"""
        import macaw
        def loop():
            for x in macaw.track(range(9), desc="loop"):
                {body}
        try:
            loop()
        except BaseException:
            pass
    """)
    assert (job.bar["state"], job.bar["n"], job.bar["total"]) == (state, n, 9)


def test_a_source_that_raises(run: Run) -> None:
    job = run("""
        import macaw
        def source():
            yield 1
            raise OSError("disk")
        try:
            list(macaw.track(source()))
        except OSError:
            pass
    """)
    assert (job.bar["state"], job.bar["n"]) == ("failed", 1)


def test_by_hand(run: Run) -> None:
    job = run("""
        import macaw
        with macaw.track(total=10, desc="copy", unit="B", initial=2) as bar:
            bar.update()
            bar.update(3)
            bar.n = bar.n + 1
            bar.total = 8
            bar.desc = "copied"
            assert (bar.n, bar.total, bar.desc, bar.unit, bar.initial) == (7, 8, "copied", "B", 2)
            bar.update(1)
        assert (bar.n, bar.total, bar.desc) == (8, 8, "copied")
        bar.update(100)
    """)
    bar = job.bar
    assert (bar["n"], bar["total"], bar["initial"], bar["desc"], bar["state"]) == (8, 8, 2, "copied", "done")


def test_fractions(run: Run) -> None:
    job = run("import macaw\nwith macaw.track(total=1.5) as bar:\n    bar.update(0.5)\n    bar.update(0.25)")
    assert (job.bar["n"], job.bar["total"], job.bar["state"]) == (0.75, 1.5, "left")


@pytest.mark.parametrize("move", ["bar.update(-1)", "bar.n = 49"])
def test_going_back_is_taken_as_said(run: Run, move: str) -> None:
    job = run(f"import macaw\nwith macaw.track(total=100) as bar:\n    bar.n = 50\n    {move}\n    assert bar.n == 49")
    assert (job.bar["n"], job.bar["state"]) == (49, "left")


@pytest.mark.parametrize("value", ["None", "'many'", "float('nan')", "float('inf')", "-1", "object()"])
def test_a_total_that_is_none(run: Run, value: str) -> None:
    job = run(f"import macaw\nbar = macaw.track(total={value})\nbar.update()\nbar.close()")
    assert (job.bar["n"], job.bar["state"]) == (1, "done")
    assert "total" not in job.bar


def test_totals_keep_every_digit(run: Run) -> None:
    job = run("import macaw\nbar = macaw.track(total=2**53 + 2)\nbar.n = 2**53 + 1\nbar.close()")
    assert (job.bar["n"], job.bar["total"]) == (2**53 + 1, 2**53 + 2)


def test_loops_in_loops(run: Run) -> None:
    job = run("""
        import macaw
        for i in macaw.track(range(3), desc="outer"):
            with macaw.stage("step"):
                for j in macaw.track(range(4), desc="inner"):
                    pass
    """)
    outer, inner = job.bars
    assert inner["parent"] == outer["id"]
    assert inner["stage"] == ["step"]
    assert (inner["n"], inner["repeats"], outer["n"]) == (4, 2, 3)


def test_a_bar_open_at_the_end_stays_open(run: Run) -> None:
    job = run("import macaw\nbar = macaw.track(total=10)\nbar.update(4)")
    assert (job.bar["n"], job.bar["state"], job.finish["state"]) == (4, "running", "finished")


def test_async_iteration(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def source():
            for i in range(5):
                await asyncio.sleep(0)
                yield i
        async def main():
            assert [x async for x in macaw.track(source(), total=5, desc="async")] == [0, 1, 2, 3, 4]
        asyncio.run(main())
    """)
    assert (job.bar["n"], job.bar["total"], job.bar["state"]) == (5, 5, "done")


def test_arguments_are_checked_as_in_any_function(run: Run) -> None:
    run("""
        import macaw
        for wrong in (lambda: macaw.track(5), lambda: macaw.track([], no=1), lambda: macaw.track([], iterable=[])):
            try:
                wrong()
            except TypeError:
                continue
            raise AssertionError
        with macaw.stage("so that there is a job"): pass
    """)


def test_more_bars_than_are_reported_still_count_for_the_program(run: Run) -> None:
    job = run("""
        import macaw
        for i in range(600):
            with macaw.track(total=1, desc=f"bar {i}") as bar:
                bar.update()
            assert bar.n == 1
    """)
    *own, other = job.bars
    assert len(own) == 500
    assert (other["desc"], other["n"]) == ("other", 100)


def test_the_bars_of_a_parent_leave_its_worker_all_of_the_room(run: Run, receiver: Receiver) -> None:
    run("""
        import os, macaw
        for i in range(500):
            macaw.track(total=1, desc=f"bar {i}").close()
        if os.fork() == 0:
            list(macaw.track(range(3), desc="the worker's"))
            os._exit(0)
        os.wait()
    """)
    worker = receiver.wait_for(lambda job: "parent" in job.hello and job.finish)
    assert [(bar["desc"], bar["n"]) for bar in worker.bars] == [("the worker's", 3)]


def test_switched_off(start: Start, receiver: Receiver) -> None:
    program = start(
        """
        import macaw
        assert list(macaw.track("abc")) == ["a", "b", "c"]
        with macaw.track(total=4) as bar:
            bar.update(3)
            assert bar.n == 3
        with macaw.stage("s") as s:
            macaw.log.info("unseen %d", 1)
            macaw.metrics(a=1)
        @macaw.stage("f")
        def f(x): return x + 1
        assert f(1) == 2
        assert macaw.wrap(f) is f
        assert macaw.summary().rows == []
        assert macaw.job_id == ""
        """,
        MACAW_DISABLE="1",
    )
    assert program.wait() == 0, program.err
    assert program.err == ""
    assert receiver.jobs == {}


@pytest.mark.parametrize(("change", "state"), [("bar.total = 0", "done"), ("bar.total = None", "done")])
def test_a_total_that_goes_away(run: Run, change: str, state: str) -> None:
    job = run(f"""
        import macaw
        with macaw.track(total=5, desc="changing") as bar:
            bar.update(2)
            {change}
            bar.update(1)
        print(macaw.summary())
    """)
    assert (job.bar["n"], job.bar.get("total", 0), job.bar["state"]) == (3, 0, state)
    assert job.bar.get("rate", 1) > 0


def test_the_rate_counts_this_sessions_steps_alone(run: Run) -> None:
    job = run("""
        import macaw, time
        with macaw.track(total=1_000_000, initial=900_000, desc="resumed") as bar:
            for _ in range(10):
                time.sleep(0.01)
                bar.update()
    """)
    assert (job.bar["n"], job.bar["initial"], job.bar["state"]) == (900_010, 900_000, "left")
    assert 0 < job.bar["rate"] <= 100


def test_a_place_that_runs_many_times_is_one_row(run: Run) -> None:
    job = run("""
        import macaw
        def some(n):
            for _ in macaw.track(range(n), desc="some"): pass
        for n in range(1000): some(n)
        def recurse(depth):
            for _ in macaw.track([depth], desc="deeper"):
                if depth: recurse(depth - 1)
        recurse(3)
    """)
    some, *deeper = job.bars
    assert (some["n"], some["total"], some["repeats"], some["state"]) == (999, 999, 999, "done")
    assert [bar.get("parent") for bar in deeper] == [None, *(bar["id"] for bar in deeper[:-1])]
    assert [(bar["n"], bar["state"]) for bar in deeper] == [(1, "done")] * 4
