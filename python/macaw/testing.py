# SPDX-License-Identifier: MIT
"""What code reports, as plain values, for the tests of that code.

    def test_training():
        with macaw.testing.collect() as job:
            train(epochs=3)
        assert job.stages["epoch/solve"].count == 3
        assert job.bars[0].n == 3 and job.bars[0].state == "done"
        assert job.metrics["loss"][-1] < 0.1
        assert ("warning", "no GPU") in job.log

Nothing is sent or printed, and everything is there at once, from every thread and task of this process. It works with
MACAW_DISABLE=1 as well, which keeps tests that collect nothing from starting a job; a process that has collected
starts none. Blocks may nest: each sees what happened since it began.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Union

from macaw import _core
from macaw._summary import joined

__all__ = ["Bar", "Collected", "Line", "Point", "Stage", "collect"]

Number = Union[int, float]
Value = Union[int, float, bool, str]


@dataclass(frozen=True)
class Stage:
    """What was counted under one path."""

    path: tuple[str, ...]
    kind: str  # "stage", or "call" for a wrapped function
    count: int
    total: float  # s
    errors: int
    open: int  # entered and not left yet
    note: str


@dataclass(frozen=True)
class Bar:
    """One track(); where the same one ran several times, the last run, and how many came before it."""

    desc: str
    n: Number
    total: Number | None
    initial: Number | None
    unit: str
    state: str  # "running", "done", "left", "failed" or "interrupted"
    repeats: int
    stage: tuple[str, ...]


class Point(NamedTuple):
    name: str
    value: Value
    step: Number | None


class Line(NamedTuple):
    level: str
    text: str


class Collected:
    """What has been reported since the block began; after its end, what had been by then."""

    def __init__(self) -> None:
        self._before = _core.collected()
        self._after: dict[str, list[dict[str, Any]]] | None = None

    def _rows(self, kind: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        return self._before[kind], (self._after or _core.collected())[kind]

    @property
    def stages(self) -> dict[str, Stage]:
        """By path, its names joined with "/" as in Summary.to_dict(), parents first."""
        before, rows = self._rows("stages")
        known = {(row["path"], row["kind"]): row for row in before}
        stages = [since(known.get((row["path"], row["kind"])), row, "count", "total", "errors") for row in rows]
        return {joined(row["path"]): Stage(**row) for row in stages if row["count"] or row["open"]}

    @property
    def bars(self) -> list[Bar]:
        """In the order in which each was first opened."""
        before, rows = self._rows("bars")
        known = {row["id"]: row for row in before}
        bars = [bar_since(known.get(row["id"]), row) for row in rows if row != known.get(row["id"])]
        return [Bar(**{key: row[key] for key in Bar.__dataclass_fields__}) for row in bars]

    @property
    def points(self) -> list[Point]:
        """Every value given to macaw.metrics(), in order."""
        before, rows = self._rows("points")
        return [Point(**row) for row in rows[len(before) :]]

    @property
    def metrics(self) -> dict[str, list[Value]]:
        """The values of each name, in order."""
        values: dict[str, list[Value]] = {}
        for point in self.points:
            values.setdefault(point.name, []).append(point.value)
        return values

    @property
    def log(self) -> list[Line]:
        """Level and text of every line, in order."""
        before, rows = self._rows("log")
        return [Line(row["level"], row["text"]) for row in rows[len(before) :]]


@contextmanager
def collect() -> Iterator[Collected]:
    """Collects what runs inside. RuntimeError where this process is a job already."""
    _core.collect()
    try:
        collected = Collected()
        try:
            yield collected
        finally:
            collected._after = _core.collected()
    finally:
        _core.stop_collecting()


def since(before: dict[str, Any] | None, row: dict[str, Any], *counters: str) -> dict[str, Any]:
    """The row with only what its counters gained."""
    return {**row, **{key: row[key] - before[key] for key in counters}} if before else row


def bar_since(before: dict[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    if not before or row["repeats"] == before["repeats"]:
        return row if not before else {**row, "repeats": 0}
    return {**row, "repeats": row["repeats"] - before["repeats"] - 1}
