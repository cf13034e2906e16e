# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way in which a job's processes multiply: who uses macaw appears under its parent, as itself; nobody hangs."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from conftest import Run, Start
from receiver import Job, Receiver

WORK = """
import multiprocessing, os, signal, sys, threading, time
import macaw

def work(x):
    with macaw.stage("child"):
        macaw.log.info("child %d", x)
        for i in macaw.track(range(3), desc="child"): pass
    return x * x

def idle(x):
    return x + 1
"""


def program(main: str) -> str:
    lines = "\n".join("    " + line for line in main.strip("\n").splitlines())
    return f"{WORK}\nif __name__ == '__main__':\n  with macaw.stage('parent'):\n{lines}\n"


def family(receiver: Receiver) -> tuple[Job, list[Job]]:
    """The parent and its workers; nobody else was heard."""
    with receiver.changed:
        jobs = dict(receiver.jobs)
    (parent,) = [(key, job) for key, job in jobs.items() if job.hello["name"] == "job.py"]
    workers = [job for job in jobs.values() if job is not parent[1]]
    assert all(worker.hello["parent"] == parent[0] for worker in workers)
    return parent[1], workers


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_pool(run: Run, receiver: Receiver, method: str) -> None:
    run(
        program(f"""
pool = multiprocessing.get_context("{method}").Pool(2)
assert pool.map(work, range(6), chunksize=1) == [x * x for x in range(6)]
pool.close()
pool.join()
""")
    )
    parent, workers = family(receiver)
    assert parent.counts == {"parent": 1}
    assert (parent.finish["state"], parent.finish["code"]) == ("finished", 0)
    assert 1 <= len(workers) <= 2
    assert sum(worker.counts["child"] for worker in workers) == 6
    lines = sorted(text for worker in workers for _, text in worker.logs)
    assert lines == [f"child {x}" for x in range(6)]
    for worker in workers:
        assert worker.hello["pid"] != parent.hello["pid"]
        assert "PoolWorker-" in worker.hello["name"]
        assert (worker.finish["state"], worker.finish["code"]) == ("finished", 0)
        assert "parent" not in worker.counts


def test_what_a_pool_did_is_told_before_it_is_terminated(run: Run, receiver: Receiver) -> None:
    """Leaving a pool's with block sends its workers SIGTERM, at once after their last result."""
    run(program("with multiprocessing.get_context('fork').Pool(2) as pool: pool.map(work, range(6), chunksize=1)"))
    _, workers = family(receiver)
    assert sum(worker.counts["child"] for worker in workers) == 6
    for worker in workers:
        assert [bar["state"] for bar in worker.bars] == ["done"]
        seqs = sorted(worker.seqs)
        assert seqs == list(range(1, len(seqs) + 1)), "no number is skipped, so none looks lost"


def test_a_process_executor(run: Run, receiver: Receiver) -> None:
    run(
        program("""
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as executor:
    assert list(executor.map(work, range(4))) == [0, 1, 4, 9]
""")
    )
    _, workers = family(receiver)
    assert sum(worker.counts["child"] for worker in workers) == 4
    assert all(worker.finish["code"] == 0 for worker in workers)


def test_joblib(run: Run, receiver: Receiver) -> None:
    run(
        program("""
import joblib
assert joblib.Parallel(n_jobs=2)(joblib.delayed(work)(x) for x in range(4)) == [0, 1, 4, 9]
from joblib.externals.loky import get_reusable_executor
get_reusable_executor().shutdown(wait=True)
""")
    )
    _, workers = family(receiver)
    assert sum(worker.counts["child"] for worker in workers) == 4


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_who_does_not_use_it_never_appears(run: Run, receiver: Receiver, method: str) -> None:
    run(
        program(f"""
with multiprocessing.get_context("{method}").Pool(2) as pool:
    assert pool.map(idle, range(4)) == [1, 2, 3, 4]
pid = os.fork()
if pid == 0:
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
""")
    )
    parent, workers = family(receiver)
    assert workers == []
    assert parent.finish["code"] == 0


@pytest.mark.parametrize(
    ("end", "code"),
    [("os._exit(0)", 0), ("os._exit(9)", 9), ("sys.exit(3)", 3), ("raise SystemExit(4)", 4), ("os._exit(256 + 5)", 5)],
)
def test_a_short_child_gets_its_line_out(run: Run, receiver: Receiver, end: str, code: int) -> None:
    run(
        program(f"""
pid = os.fork()
if pid == 0:
    macaw.log.info("all I have to say")
    {end}
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == {code}
""")
    )
    parent, (child,) = family_of_fork(receiver)
    assert child.logs == [("info", "all I have to say")]
    assert (child.finish["state"], child.finish["code"]) == ("failed" if code else "finished", code)
    assert (parent.finish["state"], parent.finish["code"]) == ("finished", 0)


def family_of_fork(receiver: Receiver) -> tuple[Job, list[Job]]:
    """A bare fork has its parent's name."""
    with receiver.changed:
        jobs = dict(receiver.jobs)
    (parent,) = [key for key, job in jobs.items() if "parent" not in job.hello]
    workers = [job for key, job in jobs.items() if key != parent]
    assert all(worker.hello["parent"] == parent for worker in workers)
    return jobs[parent], workers


def test_an_exception_in_a_worker(run: Run, receiver: Receiver) -> None:
    run(
        WORK
        + """
def fail():
    macaw.log.info("about to fail")
    raise ValueError("in the worker")

if __name__ == "__main__":
    macaw.log.info("parent")
    process = multiprocessing.get_context("fork").Process(target=fail, name="failing")
    process.start()
    process.join()
    assert process.exitcode == 1
"""
    )
    parent, (worker,) = family(receiver)
    assert worker.hello["name"] == "job.py failing"
    assert (worker.finish["state"], worker.finish["code"]) == ("failed", 1)
    assert (worker.finish["error"]["type"], worker.finish["error"]["message"]) == ("ValueError", "in the worker")
    assert "error" not in parent.finish


def test_a_worker_that_is_killed(start: Start, receiver: Receiver, tmp_path: Path) -> None:
    job = start(
        program("""
context = multiprocessing.get_context("fork")
def load(queue):
    macaw.log.info("loading")
    for i in macaw.track(range(10**9)):
        queue.put(i)
queue = context.Queue(4)
loader = context.Process(target=load, args=(queue,))
loader.start()
assert [queue.get() for _ in range(10)] == list(range(10))
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
loader.kill()
loader.join()
assert loader.exitcode == -signal.SIGKILL
"""),
        str(tmp_path / "heard"),
    )
    receiver.wait_for(lambda job: "parent" in job.hello)
    (tmp_path / "heard").touch()
    assert job.wait() == 0, job.err
    receiver.wait_for(lambda job: job.finish)
    parent, (worker,) = family(receiver)
    assert worker.finish == {}
    assert (parent.finish["state"], parent.finish["code"]) == ("finished", 0)


def test_a_worker_that_is_terminated(start: Start, receiver: Receiver, tmp_path: Path) -> None:
    job = start(
        program("""
def wait():
    with macaw.stage("wait"):
        time.sleep(600)
process = multiprocessing.get_context("fork").Process(target=wait)
process.start()
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
process.terminate()
process.join()
assert process.exitcode == -signal.SIGTERM
"""),
        str(tmp_path / "heard"),
    )
    receiver.wait_for(lambda job: "wait" in job.stages)
    (tmp_path / "heard").touch()
    assert job.wait() == 0, job.err
    receiver.wait_for(lambda job: job.finish and "parent" not in job.hello)
    parent, (worker,) = family(receiver)
    assert (worker.finish["state"], worker.finish["signal"]) == ("interrupted", signal.SIGTERM)
    assert parent.finish["state"] == "finished"


def test_what_runs_between_fork_and_exec(run: Run, receiver: Receiver) -> None:
    run(
        program("""
import subprocess
done = subprocess.run([sys.executable, "-c", "print(1)"], preexec_fn=lambda: os.umask(0), capture_output=True)
assert done.stdout == b"1\\n"
""")
    )
    _, workers = family(receiver)
    assert workers == []


def test_workers_of_workers(run: Run, receiver: Receiver) -> None:
    run(
        program("""
pid = os.fork()
if pid == 0:
    macaw.log.info("child")
    inner = os.fork()
    if inner == 0:
        macaw.log.info("grandchild")
        os._exit(0)
    os.waitpid(inner, 0)
    os._exit(0)
os.waitpid(pid, 0)
""")
    )
    by_line = {job.logs[0][1]: (key, job) for key, job in receiver.jobs.items() if job.logs}
    assert by_line["grandchild"][1].hello["parent"] == by_line["child"][0]


def test_forks_while_everything_runs(run: Run, receiver: Receiver) -> None:
    """Threads that record, log and print, and a fork from one of them, again and again: locks are free in the child."""
    run(
        program("""
over = threading.Event()
def noise():
    while not over.is_set():
        with macaw.stage("noise"):
            macaw.log.info("noise")
            macaw.metrics(x=1)
threads = [threading.Thread(target=noise) for _ in range(3)]
for thread in threads: thread.start()
def fork_some():
    for i in range(20):
        pid = os.fork()
        if pid == 0:
            with macaw.stage("child"): macaw.log.info("child")
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
forker = threading.Thread(target=fork_some)
forker.start()
forker.join()
over.set()
for thread in threads: thread.join()
"""),
        MACAW_CONSOLE="off",
    )
    _, workers = family_of_fork(receiver)
    assert [worker.logs for worker in workers] == [[("info", "child")]] * 20
    assert all(worker.counts == {"child": 1} for worker in workers)


def test_a_fork_inside_an_open_loop(run: Run, receiver: Receiver) -> None:
    """What the parent had open is the parent's: the child's way out of it counts nowhere."""
    run(
        program("""
for i in macaw.track(range(3), desc="outer"):
    if i == 1:
        pid = os.fork()
        if pid == 0:
            with macaw.stage("child"): pass
            break
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
""")
    )
    parent, (child,) = family_of_fork(receiver)
    assert (parent.bar["n"], parent.bar["state"]) == (3, "done")
    assert child.bars == [] and child.counts == {"child": 1}


def test_a_child_after_the_job_has_ended_says_nothing(run: Run, receiver: Receiver) -> None:
    run(
        WORK
        + """
macaw.log.info("parent")
macaw.finish()
pid = os.fork()
if pid == 0:
    macaw.log.info("child")
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""
    )
    assert len(receiver.jobs) == 1


def test_a_workers_console_is_its_lines(start: Start) -> None:
    job = start(program("work(5)\nif (pid := os.fork()) == 0:\n    work(7)\n    os._exit(0)\nos.waitpid(pid, 0)"))
    assert job.wait() == 0
    assert job.err.count("job started") == job.err.count("job finished") == 1
    assert job.err.count("[INFO] child 5") == job.err.count("[INFO] child 7") == 1


@pytest.mark.parametrize("how", ["init(url=", "MACAW_URL"])
def test_spawned_workers_report_to_where_their_parent_does(start: Start, receiver: Receiver, how: str) -> None:
    wish = f"macaw.init(url={receiver.url!r})" if how == "init(url=" else ""
    job = start(
        WORK
        + f"""
if __name__ == "__main__":
    {wish or "pass"}
    macaw.log.info("parent")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.map(work, [1])
        pool.close()
        pool.join()
""",
        url="udp://127.0.0.1:9" if wish else "",
    )
    assert job.wait() == 0, job.err
    receiver.wait_for(lambda job: job.counts.get("child") == 1 and job.finish)


def test_a_spawned_process_is_a_job_of_its_own(start: Start, receiver: Receiver) -> None:
    program = start("""
        import subprocess, sys, macaw
        with macaw.stage("parent"):
            subprocess.run([sys.executable, "-c", "import macaw; macaw.init(name='child')"], check=True)
    """)
    assert program.wait() == 0, program.err
    child = receiver.wait_for(lambda job: job.hello.get("name") == "child" and job.finish)
    parent = next(key for key, job in receiver.jobs.items() if job is not child)
    assert child.hello["parent"] == parent
