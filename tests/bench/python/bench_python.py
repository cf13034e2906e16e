# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Python package costs, as ratios to what programs use in its place. Prints one JSON object.

    python bench_python.py [--quick] [NAME...]

Machines change their speed while one looks. So ours, the reference and the bare loop take turns in random order, each
turn in CPU time of this thread and between two calibrations; a round counts when these agree. The ratio is the median
over the rounds, the bare loop taken off both sides.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import logging
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Loop = Callable[[int], Any]
now = time.thread_time_ns
SINK = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs


@dataclass
class Case:
    ours: Loop
    reference: Loop
    bare: Loop
    steps: int
    rounds: int = 41
    settle: float = 0.0  # s before each turn, for the reporter to take what the last one left


def loop(statement: str, setup: str = "", **names: Any) -> Loop:
    """A function that runs `statement` n times."""
    exec(f"def run(n):\n {setup or 'pass'}\n for _ in range(n):\n  {statement}", names)
    return names["run"]  # type: ignore[no-any-return]


def calibrate() -> int:
    start = now()
    for _ in range(20_000):
        pass
    return now() - start


def turn(run: Loop, steps: int) -> tuple[float, int]:
    """CPU ns a step, and the slower of the calibrations around it."""
    before = calibrate()
    start = now()
    run(steps)
    took = now() - start
    return took / steps, max(before, calibrate())


def measure(case: Case, rounds: int) -> dict[str, Any]:
    parts: dict[str, Loop] = {"ours": case.ours, "reference": case.reference, "bare": case.bare}
    for run in parts.values():
        run(min(case.steps, 1000))
    samples = []
    for _ in range(rounds):
        sample, slowest = {}, 0
        for name in random.sample(sorted(parts), len(parts)):
            time.sleep(case.settle)
            sample[name], speed = turn(parts[name], case.steps)
            slowest = max(slowest, speed)
        samples.append((slowest, sample))
    samples.sort(key=lambda pair: pair[0])
    limit = samples[0][0] * 1.15
    kept = [sample for slowest, sample in samples if slowest <= limit]
    kept = kept if len(kept) >= 5 else [sample for _, sample in samples[: max(5, len(samples) // 2)]]
    ours = [sample["ours"] - sample["bare"] for sample in kept]
    reference = [sample["reference"] - sample["bare"] for sample in kept]
    return result([a / b for a, b in zip(ours, reference)], ours, reference, "ns")


def result(ratios: list[float], ours: list[float], reference: list[float], unit: str) -> dict[str, Any]:
    return {
        "ratio": round(statistics.median(ratios), 4),
        "ours": round(statistics.median(ours), 2),
        "reference": round(statistics.median(reference), 2),
        "unit": unit,
    }


# --- the cases ---


def track_case(steps: int) -> Case:
    import macaw
    import tqdm

    def ours(n: int) -> None:
        for _ in macaw.track(range(n)):
            pass

    def reference(n: int) -> None:
        for _ in tqdm.tqdm(range(n), file=SINK):
            pass

    def bare(n: int) -> None:
        for _ in range(n):
            pass

    return Case(ours, reference, bare, steps, rounds=9)


def track_setup_case() -> Case:
    import macaw
    import tqdm

    names = {"macaw": macaw, "tqdm": tqdm.tqdm, "sink": SINK}
    return Case(
        loop("for _ in macaw.track(range(5)): pass", **names),
        loop("for _ in tqdm(range(5), file=sink): pass", **names),
        loop("for _ in range(5): pass", **names),
        steps=300,
    )


def stage_case() -> Case:
    import macaw

    @contextlib.contextmanager
    def manager(name: str) -> Any:
        yield

    return Case(
        loop('with stage("x"): pass', stage=macaw.stage),
        loop('with manager("x"): pass', manager=manager),
        loop("pass"),
        steps=30_000,
    )


def stage_otel_case() -> Case:
    import macaw
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

    class Nowhere(SpanExporter):
        def export(self, spans: Any) -> SpanExportResult:
            return SpanExportResult.SUCCESS

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    tracer = provider.get_tracer("bench")
    return Case(
        loop('with stage("x"): pass', stage=macaw.stage),
        loop('with tracer.start_as_current_span("x"): pass', tracer=tracer),
        loop("pass"),
        steps=2_000,
    )


def wrap_case() -> Case:
    import macaw

    def function(x: int) -> int:
        return x

    count, total, shortest, longest = 0, 0.0, 1e9, 0.0

    @functools.wraps(function)
    def timed(*args: Any, **kwargs: Any) -> int:
        nonlocal count, total, shortest, longest
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            took = time.perf_counter() - start
            count += 1
            total += took
            shortest = min(shortest, took)
            longest = max(longest, took)

    wrapped = macaw._core.Call(function, "function")
    return Case(
        within(macaw.stage, loop("f(1)", f=wrapped)),
        within(macaw.stage, loop("f(1)", f=timed)),
        within(macaw.stage, loop("f(1)", f=function)),
        steps=30_000,
    )


def within(stage: Any, run: Loop) -> Loop:
    def inside(n: int) -> None:
        with stage("around"):
            run(n)

    return inside


def log_case() -> Case:
    import macaw

    logger = logging.getLogger("bench")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(logging.NullHandler())
    return Case(
        loop('info("a line of the job, as long as they are")', info=macaw.log.info),
        loop('info("a line of the job, as long as they are")', info=logger.info),
        loop("pass"),
        steps=3_000,
        settle=0.12,
    )


def metrics_case() -> Case:
    import macaw

    def reference(**values: float) -> str:
        return json.dumps(values)

    return Case(
        loop("metrics(loss=0.25, accuracy=0.5, rate=1e-3)", metrics=macaw.metrics),
        loop("metrics(loss=0.25, accuracy=0.5, rate=1e-3)", metrics=reference),
        loop("pass"),
        steps=1_500,
        settle=0.12,
    )


def disabled_case() -> Case:
    import macaw

    class Empty:
        def __init__(self, name: str) -> None:
            pass

        def __enter__(self) -> None:
            pass

        def __exit__(self, *error: object) -> None:
            pass

    return Case(
        loop('with stage("x"): pass', stage=macaw.stage),
        loop('with Empty("x"): pass', Empty=Empty),
        loop("pass"),
        steps=30_000,
    )


def measure_import(rounds: int) -> dict[str, Any]:
    """Wall time of a fresh interpreter's import statement."""

    def milliseconds(statement: str) -> float:
        code = f"import time; t = time.perf_counter()\n{statement}\nprint((time.perf_counter() - t) * 1e3)"
        return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)

    statements = {"ours": "import macaw", "reference": "import json, socket"}
    samples = []
    for _ in range(rounds):
        samples.append({name: milliseconds(statements[name]) for name in random.sample(sorted(statements), 2)})
    ours, reference = [s["ours"] for s in samples], [s["reference"] for s in samples]
    return result([a / b for a, b in zip(ours, reference)], ours, reference, "ms")


def measure_disabled(quick: bool) -> dict[str, Any]:
    """In a process of its own, as it is decided once for each."""
    arguments = [sys.executable, __file__, "disabled", "--here", *(["--quick"] if quick else [])]
    run = subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, "MACAW_DISABLE": "1"})
    return dict(json.loads(run.stdout)["disabled"])


CASES: dict[str, Callable[[], Case]] = {
    "track_setup": track_setup_case,
    "stage": stage_case,
    "stage_otel": stage_otel_case,
    "wrap": wrap_case,
    "log": log_case,
    "metrics": metrics_case,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, for a first look")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.names or ["track", *CASES, "disabled", "import"]
    if arguments.here:
        print(json.dumps({"disabled": measure(disabled_case(), 9 if arguments.quick else 41)}))
        return

    sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sink.bind(("127.0.0.1", 0))
    import macaw

    macaw.init(url=f"udp://127.0.0.1:{sink.getsockname()[1]}", console="off")
    results = {}
    for name in names:
        if name == "import":
            results[name] = measure_import(9 if arguments.quick else 31)
        elif name == "disabled":
            results[name] = measure_disabled(arguments.quick)
        else:
            case = track_case(1_000_000 if arguments.quick else 8_000_000) if name == "track" else CASES[name]()
            results[name] = measure(case, min(case.rounds, 9) if arguments.quick else case.rounds)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
