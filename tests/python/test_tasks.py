# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages and bars where code takes turns: asyncio tasks, threads, executors, generators between two of their items."""

from __future__ import annotations

import pytest
from conftest import Run


def test_gather_never_cross_nests(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def work(k):
            with macaw.stage(f"task {k}"):
                for i in macaw.track(range(3), desc=f"loop {k}"):
                    await asyncio.sleep(0)
                    with macaw.stage("inner"):
                        await asyncio.sleep(0)
                        macaw.log.info("from %d", k)
        async def main():
            with macaw.stage("main"):
                await asyncio.gather(*(work(k) for k in range(4)))
        with macaw.stage("program"):
            asyncio.run(main())
            with macaw.stage("after"): pass
    """)
    top = "program/main"
    assert job.counts == {
        "program": 1,
        "program/after": 1,
        top: 1,
        **{f"{top}/task {k}": 1 for k in range(4)},
        **{f"{top}/task {k}/inner": 3 for k in range(4)},
    }
    assert all("parent" not in bar for bar in job.bars) and [bar["n"] for bar in job.bars] == [3] * 4
    for no in job.pieces:
        (line,) = job.pieces[no].values()
        assert line["stage"] == ["program", "main", f"task {line['text'][-1]}", "inner"]


def test_a_task_nests_where_it_was_created_and_goes_on_when_that_has_ended(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def late(go):
            await go.wait()
            with macaw.stage("late"): pass
        async def main():
            go = asyncio.Event()
            with macaw.stage("creator"):
                task = asyncio.create_task(late(go))
            with macaw.stage("other"):
                go.set()
                await task
        asyncio.run(main())
    """)
    assert job.counts == {"creator": 1, "creator/late": 1, "other": 1}


def test_the_first_use_may_be_in_a_task(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def work(k):
            with macaw.stage(f"task {k}"):
                await asyncio.sleep(0)
        async def main():
            await asyncio.gather(*(work(k) for k in range(3)))
        asyncio.run(main())
        asyncio.run(main())
        with macaw.stage("after"): pass
    """)
    assert job.counts == {"task 0": 2, "task 1": 2, "task 2": 2, "after": 1}


def test_one_stage_object_in_many_tasks(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        shared = macaw.stage("shared")
        async def work(seconds):
            async with shared:
                await asyncio.sleep(seconds)
        async def main():
            await asyncio.gather(work(0.2), work(0.01), work(0.1))
        asyncio.run(main())
    """)
    row = job.stages["shared"]
    assert row["n"] == 3 and row["open"] == 0
    assert row["min"] < 0.09 and row["max"] > 0.19, "each entry has its own start"


def test_an_exception_in_one_task_closes_its_own_stages(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        async def fail():
            with macaw.stage("failing"):
                await asyncio.sleep(0)
                raise ValueError
        async def work():
            with macaw.stage("working"):
                await asyncio.sleep(0.01)
                with macaw.stage("inner"): pass
        async def main():
            await asyncio.gather(fail(), work(), return_exceptions=True)
        asyncio.run(main())
    """)
    assert job.counts == {"failing": 1, "working": 1, "working/inner": 1}
    assert {path: row["errors"] for path, row in job.stages.items()} == {"failing": 1, "working": 0, "working/inner": 0}


def test_what_a_task_hands_to_a_thread_nests_there_as_well(run: Run) -> None:
    job = run("""
        import asyncio, macaw
        def blocking():
            with macaw.stage("blocking"): pass
        async def main():
            with macaw.stage("main"):
                await asyncio.gather(asyncio.to_thread(blocking), asyncio.to_thread(blocking))
        asyncio.run(main())
    """)
    assert job.counts["main"] == 1 and job.counts["main/blocking"] == 2


def test_threads_and_executors_stand_on_their_own(run: Run) -> None:
    job = run("""
        import threading, macaw
        from concurrent.futures import ThreadPoolExecutor
        def work(barrier):
            with macaw.stage("root"):
                barrier.wait()
                with macaw.stage("work"):
                    barrier.wait()
        barrier = threading.Barrier(8)
        with ThreadPoolExecutor(8) as executor:
            list(executor.map(work, [barrier] * 8))
    """)
    assert job.counts == {"root": 8, "root/work": 8}


def test_a_decorated_generator_is_timed_inside_and_nests_nothing_of_its_consumer(run: Run) -> None:
    job = run("""
        import time, macaw
        @macaw.stage("produce")
        def produce(n):
            for i in range(n):
                with macaw.stage("item"):
                    time.sleep(0.01)
                got = yield i
                assert got in (None, "sent")
            return "returned"
        def consume():
            generator = produce(3)
            assert next(generator) == 0
            assert generator.send("sent") == 1
            with macaw.stage("consume"):
                time.sleep(0.2)
            assert list(generator) == [2]
        with macaw.stage("loop"):
            consume()
            for i in produce(2):
                with macaw.stage("consume"):
                    time.sleep(0.1)
    """)
    assert job.counts == {"loop": 1, "loop/consume": 3, "loop/produce": 2, "loop/produce/item": 5}
    produce = job.stages["loop/produce"]
    assert 0.05 <= produce["sum"] < 0.15, "the consumer's time is not the producer's"
    assert produce["open"] == 0


def test_generators_that_do_not_come_to_their_end(run: Run) -> None:
    job = run("""
        import macaw
        @macaw.stage("fails")
        def fails():
            yield 1
            raise ValueError
        @macaw.stage("dropped")
        def dropped():
            try:
                yield 1
                yield 2
            finally:
                with macaw.stage("cleanup"): pass
        @macaw.stage("catches")
        def catches():
            try:
                yield 1
            except KeyError:
                yield "caught"
        try: list(fails())
        except ValueError: pass
        for x in dropped(): break
        generator = catches()
        next(generator)
        assert generator.throw(KeyError("x")) == "caught"
        generator.close()
        never_started = dropped()
        del never_started
    """)
    assert job.counts == {"fails": 1, "dropped": 1, "dropped/cleanup": 1, "catches": 1}
    assert {p: r["errors"] for p, r in job.stages.items() if r["errors"]} == {"fails": 1}


def test_async_generators(run: Run) -> None:
    job = run("""
        import asyncio, inspect, macaw
        @macaw.stage("produce")
        async def produce(n):
            for i in range(n):
                await asyncio.sleep(0.01)
                with macaw.stage("item"): pass
                yield i
        assert inspect.isasyncgenfunction(produce)
        async def consume(k):
            with macaw.stage(f"task {k}"):
                async for i in macaw.track(produce(3), desc=f"loop {k}", total=3):
                    with macaw.stage("consume"):
                        await asyncio.sleep(0.03)
        async def main():
            await asyncio.gather(consume(0), consume(1))
            async for i in produce(5):
                break
        asyncio.run(main())
    """)
    for k in range(2):
        assert job.counts[f"task {k}/produce"] == 1
        assert job.counts[f"task {k}/produce/item"] == job.counts[f"task {k}/consume"] == 3
        assert job.stages[f"task {k}/produce"]["sum"] < 0.09
    assert {path: (row["open"], row["errors"]) for path, row in job.stages.items()} == dict.fromkeys(job.stages, (0, 0))


@pytest.mark.parametrize("closer", ["another task", "the garbage collector"])
def test_a_generator_that_is_closed_by_somebody_else(run: Run, closer: str) -> None:
    """Its stage ends once, the closer's place is what it was, and there is no noise."""
    close = {
        "another task": "await asyncio.create_task(close(generator))",
        "the garbage collector": "del generator; gc.collect(); await asyncio.sleep(0.01)",
    }[closer]
    job = run(f"""
        import asyncio, gc, macaw
        async def produce():
            with macaw.stage("inside"):
                yield 1
                yield 2
        async def close(generator):
            with macaw.stage("closer"):
                await generator.aclose()
                with macaw.stage("still here"): pass
        async def main():
            generator = produce()
            await generator.__anext__()
            {close}
        asyncio.run(main())
    """)
    assert job.stages["inside"]["n"] == 1 and job.stages["inside"]["open"] == 0
    if closer == "another task":
        assert job.counts["inside/closer/still here"] == 1


def test_coroutines_are_timed_over_their_run(run: Run) -> None:
    job = run("""
        import asyncio, inspect, macaw
        @macaw.stage("slow")
        async def slow(seconds):
            await asyncio.sleep(seconds)
            return seconds
        assert inspect.iscoroutinefunction(slow)
        async def main():
            assert await asyncio.gather(slow(0.05), slow(0.1)) == [0.05, 0.1]
        asyncio.run(main())
    """)
    assert job.stages["slow"]["n"] == 2 and job.stages["slow"]["min"] >= 0.05 and job.stages["slow"]["max"] >= 0.1


def test_contexts_without_a_loop_change_nothing(run: Run) -> None:
    job = run("""
        import contextvars, decimal, macaw
        def inside():
            with macaw.stage("inside"): pass
        with macaw.stage("outer"):
            decimal.getcontext()
            contextvars.copy_context().run(inside)
            contextvars.ContextVar("x").set(1)
            inside()
    """)
    assert job.counts == {"outer": 1, "outer/inside": 2}


def test_a_shared_bar_counts_every_step_of_every_thread(run: Run) -> None:
    job = run("""
        import threading, macaw
        with macaw.track(total=160_000, desc="shared") as bar:
            def work():
                for _ in range(10_000): bar.update()
            threads = [threading.Thread(target=work) for _ in range(16)]
            for t in threads: t.start()
            for t in threads: t.join()
        assert bar.n == 160_000
    """)
    assert (job.bar["n"], job.bar["state"]) == (160_000, "done")
