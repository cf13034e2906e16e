# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages: nesting, every way out, threads, decorators, notes and waiting for other devices."""

from __future__ import annotations

import pytest
from conftest import Run


def test_nesting_and_counts(run: Run) -> None:
    job = run("""
        import macaw
        for i in range(3):
            with macaw.stage("outer"):
                with macaw.stage("inner"): pass
                with macaw.stage("inner"): pass
    """)
    assert job.counts == {"outer": 3, "outer/inner": 6}
    assert {row["open"] for row in job.stages.values()} == {0}
    outer, inner = job.stages["outer"], job.stages["outer/inner"]
    assert 0 <= inner["min"] <= inner["max"] <= inner["sum"] <= outer["sum"]


@pytest.mark.parametrize(
    ("way_out", "errors"), [("continue", 0), ("break", 0), ("return", 0), ("1 / 0", 1), ("raise SystemExit", 1)]
)
def test_every_way_out_closes_the_stage(run: Run, way_out: str, errors: int) -> None:
    job = run(f"""
        import macaw
        def work():
            for i in range(2):
                with macaw.stage("left"):
                    with macaw.stage("deep"):
                        {way_out}
        try:
            work()
        except (ZeroDivisionError, SystemExit):
            pass
        with macaw.stage("sibling"): pass
    """)
    assert set(job.stages) == {"left", "left/deep", "sibling"}
    for path in ("left", "left/deep"):
        assert job.stages[path]["open"] == 0
        assert job.stages[path]["errors"] == errors


def test_time_is_the_wall_clocks(run: Run) -> None:
    job = run("""
        import macaw, time
        with macaw.stage("sleep"):
            time.sleep(0.05)
    """)
    assert 0.05 <= job.stages["sleep"]["sum"] < 0.5


def test_one_object_entered_again_and_by_many_threads(run: Run) -> None:
    job = run("""
        import macaw, threading
        work = macaw.stage("work")
        def recurse(depth):
            with work:
                if depth: recurse(depth - 1)
        recurse(2)
        barrier = threading.Barrier(8)
        def thread():
            with macaw.stage("root"):
                for _ in range(50):
                    with work:
                        barrier.wait()
        threads = [threading.Thread(target=thread) for _ in range(8)]
        for t in threads: t.start()
        for t in threads: t.join()
    """)
    assert job.counts == {"work": 1, "work/work": 1, "work/work/work": 1, "root": 8, "root/work": 400}
    assert {row["open"] for row in job.stages.values()} == {0}


def test_decorators_time_the_run_of_each_kind(run: Run) -> None:
    job = run("""
        import asyncio, inspect, macaw, time

        @macaw.stage("plain")
        def plain(a, b=2):
            "Adds."
            time.sleep(0.01)
            return a + b

        @macaw.stage
        def bare(): return 1

        @macaw.stage("coroutine")
        async def coroutine(x):
            await asyncio.sleep(0.01)
            return x

        @macaw.stage("generator")
        def generator(n):
            time.sleep(0.01)
            sent = yield n
            return sent

        @macaw.stage("async generator")
        async def async_generator():
            await asyncio.sleep(0.01)
            yield 1

        class Model:
            @macaw.stage("fit")
            def fit(self, x): return (self, x)
            @staticmethod
            @macaw.stage("static")
            def static(x): return x

        assert plain(1) == 3 and plain(a=1, b=1) == 2 and bare() == 1
        assert (plain.__name__, plain.__doc__, str(inspect.signature(plain))) == ("plain", "Adds.", "(a, b=2)")
        assert inspect.iscoroutinefunction(coroutine) and asyncio.run(coroutine(5)) == 5
        assert inspect.isgeneratorfunction(generator)
        g = generator(7)
        assert next(g) == 7
        try:
            g.send(8)
        except StopIteration as stop:
            assert stop.value == 8
        async def collect(): return [x async for x in async_generator()]
        assert asyncio.run(collect()) == [1]
        model = Model()
        assert model.fit(3) == (model, 3) and Model.fit(model, 4) == (model, 4) and model.static(5) == 5
    """)
    assert job.counts == {
        "plain": 2,
        "bare": 1,
        "coroutine": 1,
        "generator": 1,
        "async generator": 1,
        "fit": 2,
        "static": 1,
    }
    for path in ("plain", "coroutine", "generator", "async generator"):
        assert job.stages[path]["min"] >= 0.01


def test_async_with(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def main():
            async with macaw.stage("outer") as stage:
                assert stage.name == "outer"
                await asyncio.sleep(0.01)
                with macaw.stage("inner"): pass
            try:
                async with macaw.stage("bad"):
                    1 / 0
            except ZeroDivisionError:
                pass
        asyncio.run(main())
    """)
    assert job.counts == {"outer": 1, "outer/inner": 1, "bad": 1}
    assert job.stages["bad"]["errors"] == 1


def test_a_generator_closed_inside_a_stage_has_not_failed(run: Run) -> None:
    job = run("""
        import macaw
        def numbers():
            with macaw.stage("numbers"):
                yield 1
        g = numbers(); next(g); g.close()
        with macaw.stage("after"): pass
    """)
    assert job.stages["numbers"]["errors"] == 0
    assert set(job.stages) == {"numbers", "after"}


def test_note_and_sync(run: Run) -> None:
    job = run("""
        import macaw
        calls = []
        with macaw.stage("forward", note="batch 32", sync=lambda: calls.append(1)):
            pass
        assert calls == [1, 1]
        def broken(): raise RuntimeError
        with macaw.stage("broken", sync=broken): pass
    """)
    assert job.stages["forward"]["note"] == "batch 32"
    assert job.counts["broken"] == 1


def test_names_of_every_sort(run: Run) -> None:
    job = run("""
        import macaw
        for name in ("ascii", "Größe ✓", "lone \\udc97", "a/b", 5, None, ""):
            with macaw.stage(name): pass
        for _ in range(20):
            with macaw.stage("".join(["made ", "up"])): pass
    """)
    names = [row["path"][0] for row in job.stages.values()]
    assert names == ["ascii", "Größe ✓", "lone \\udc97", "a/b", "5", "None", "", "made up"]
    assert job.counts["made up"] == 20


def test_more_names_than_are_kept_fold_into_one_row(run: Run) -> None:
    job = run("""
        import macaw
        for i in range(5000):
            with macaw.stage(f"item {i}"): pass
    """)
    assert len(job.stages) <= 2001
    assert sum(job.counts.values()) == 5000
    assert job.counts["other"] >= 2999


def test_depth_beyond_the_limit_counts_into_the_deepest(run: Run) -> None:
    job = run("""
        import macaw
        def down(n):
            with macaw.stage("d"):
                if n: down(n - 1)
        down(400)
    """)
    assert sum(job.counts.values()) == 401
    assert {row["open"] for row in job.stages.values()} == {0}


def test_summary(run: Run) -> None:
    run("""
        import csv, io, json, macaw
        assert macaw.summary().rows == []
        with macaw.stage("=outer"):
            with macaw.stage("a/b", note="batch 32"): pass
        summary = macaw.summary()
        outer, inner = summary.rows
        assert (outer["path"], outer["depth"], outer["count"], outer["kind"]) == (("=outer",), 0, 1, "stage")
        assert inner["path"] == ("=outer", "a/b") and inner["note"] == "batch 32" and inner["depth"] == 1
        assert abs(outer["total"] - outer["self"] - inner["total"]) < 1e-12
        assert "avg:" in str(summary) and "=outer" in str(summary)
        assert list(summary.to_dict()) == ["=outer", "=outer/a~1b"]
        json.dumps(summary.to_dict())
        header, first, second = csv.reader(io.StringIO(summary.to_csv()))
        assert ",".join(header) == "path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note"
        assert first[:5] == ["'=outer", "'=outer", "0", "stage", "1"]
        assert float(first[5]) == outer["total"]
        assert second[0] == "'=outer/a~1b" and second[1] == "a/b" and second[-1] == "batch 32"
        assert "<td>batch 32</td>" in summary._repr_html_()
    """)


def test_a_summary_from_inside_a_stage_has_its_time_so_far(run: Run) -> None:
    run("""
        import macaw, time
        with macaw.stage("outer"):
            for _ in range(3):
                with macaw.stage("inner"):
                    time.sleep(0.01)
            outer, inner = macaw.summary().rows
            assert outer["count"] == 0 and outer["avg"] == 0 and inner["count"] == 3
            assert outer["total"] >= inner["total"] >= 0.03
            assert abs(outer["total"] - outer["self"] - inner["total"]) < 1e-9
    """)


def test_a_total_beyond_the_time_that_passed_is_marked_as_parallel(run: Run) -> None:
    run("""
        import macaw, threading, time
        def work():
            with macaw.stage("work"):
                barrier.wait()
                time.sleep(0.2)
        barrier = threading.Barrier(32)
        threads = [threading.Thread(target=work) for _ in range(32)]
        with macaw.stage("alone"), macaw.stage("inside"):
            for t in threads: t.start()
            for t in threads: t.join()
        summary = macaw.summary()
        assert {r["path"][-1]: r["parallel"] for r in summary.rows} == {"work": True, "alone": False, "inside": False}
        lines = str(summary).splitlines()
        assert [line.split()[0] for line in lines if line.endswith("  parallel")] == ["work"], lines
    """)
