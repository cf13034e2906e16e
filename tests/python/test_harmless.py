# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong use and hostile objects: nothing raises, no result changes, one line of ours at most says what was wrong."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import macaw
import macaw.testing
import numpy as np
import pytest
from conftest import Run, Start
from macaw import _misuse
from receiver import Receiver


class Bad:
    """Shows itself to nobody."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__

    def item(self) -> object:
        raise RuntimeError("no value")


def use(statement: str, **names: object) -> tuple[Any, macaw.testing.Collected]:
    """What the statement leaves as `result`, and what it reports. No library warns of what we do with its objects."""
    scope: dict[str, Any] = {"macaw": macaw, "np": np, "functools": functools, "Bad": Bad, **names}
    with macaw.testing.collect() as job, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        exec(statement, scope)
    assert not warned, [str(warning.message) for warning in warned]
    return scope.get("result"), job


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_misuse, "said", set())


METHODS = """
class Solver:
    @macaw.stage{name}
    {kind}
    def solve(self): return 42
result = {call}
"""


@pytest.mark.parametrize("name", ['("solve")', ""])
@pytest.mark.parametrize(
    ("kind", "call"),
    [
        ("@classmethod", "Solver.solve(), Solver().solve()"),
        ("@property", "Solver().solve, Solver().solve"),
        ("", "Solver().solve(), Solver.solve(None)"),
    ],
)
def test_decorated_methods_of_every_kind(kind: str, call: str, name: str) -> None:
    result, job = use(METHODS.format(name=name, kind=kind, call=call))
    assert result == (42, 42)
    assert [stage.count for stage in job.stages.values()] == [2]
    assert next(iter(job.stages)) == ("solve" if name else "Solver.solve")


def test_a_decorated_static_method_and_a_property_that_can_be_set() -> None:
    result, job = use("""
class Solver:
    @macaw.stage("static")
    @staticmethod
    def static(x): return x
    @macaw.stage("get")
    @property
    def x(self): return self.y
    @x.setter
    def x(self, y): self.y = y
solver = Solver()
solver.x = 3
result = Solver.static(1), solver.static(2), solver.x
""")
    assert result == (1, 2, 3)
    assert {path: stage.count for path, stage in job.stages.items()} == {"static": 2, "get": 1}


@pytest.mark.parametrize(
    ("thing", "kind"),
    [
        ("5", "int"),
        ("None", "NoneType"),
        ("int", "type"),
        ("functools.partialmethod(print)", "partialmethod"),
        ("functools.cached_property(len)", "cached_property"),
    ],
)
def test_what_is_no_function_stays_what_it_is(thing: str, kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    result, job = use(f"thing = {thing}\nresult = all(macaw.stage('x')(thing) is thing for _ in range(3))")
    assert result
    assert not job.stages
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("[macaw] @macaw.stage times functions") and kind in line


@pytest.mark.parametrize(
    ("name", "shown"),
    [("3", "3"), ("None", "None"), ("Bad()", "Bad"), (r"'\ud800'", r"\ud800"), ("(1, 'a')", "(1, 'a')")],
)
def test_names_of_every_type(name: str, shown: str, capfd: pytest.CaptureFixture[str]) -> None:
    result, job = use(f"""
def f(): return 1
def g(): yield 2
async def h(): return 3
with macaw.stage({name}): pass
result = macaw.stage({name})(f)(), *macaw.stage({name}, note={name})(g)()
try: macaw.stage({name})(h)().send(None)
except StopIteration as end: result += end.value,
""")
    assert result == (1, 2, 3)
    assert {path: stage.count for path, stage in job.stages.items()} == {shown: 4}
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("Bad()", "Bad"),
        ("Bad(), 1", "Bad (1,)"),
        ("'%d', 'x'", "%d ('x',)"),
        ("'%s', Bad()", "%s"),
        ("b'\\xff'", r"b'\xff'"),
        ("None", "None"),
    ],
)
def test_lines_of_every_type(arguments: str, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    _, job = use(f"macaw.log.info({arguments})")
    assert job.log == [("info", text)]
    _, job = use(f"""
import logging
logger = logging.Logger("ours")
logger.addHandler(macaw.LogHandler())
logger.info({arguments})
""")
    assert job.log == [("info", text)]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("value", "reported"),
    [
        ("Bad()", "Bad"),
        ("1 + 2j", "(1+2j)"),
        ("np.complex64(1 + 2j)", "(1+2j)"),
        ("np.complex128(1 + 2j)", "(1+2j)"),
        ("np.clongdouble(1 + 2j)", "(1+2j)"),
        ("np.array([1 + 2j])", "[1.+2.j]"),
        ("np.longdouble(1.5)", 1.5),
        ("np.array(['a'])", "a"),
        ("[1, 2]", "[1, 2]"),
        (r"'\ud800'", r"\ud800"),
    ],
)
def test_values_of_every_type(value: str, reported: object) -> None:
    _, job = use(f"macaw.metrics(x={value}, step={value})")
    assert job.metrics["x"] == [reported]


@pytest.mark.parametrize("value", ["Bad()", "''", "'many'", "1j", "np.complex64(2)", "[]", "-1", "float('nan')"])
def test_totals_and_words_of_every_type(value: str) -> None:
    result, job = use(f"""
result = list(macaw.track(range(3), total={value}, desc={value}, unit={value}, initial={value}))
bar = macaw.track(total={value}, desc="by hand")
bar.total = bar.n = bar.desc = {value}
bar.update({value})
bar.close()
""")
    assert result == [0, 1, 2]
    assert [bar.total for bar in job.bars] == [None, None]


@pytest.mark.parametrize(
    ("wishes", "name", "tags"),
    [
        (r"name='lone \ud800'", r"lone \ud800", {}),
        ("name=7", "7", {}),
        ("name=pathlib.Path('a/b.py')", "a/b.py", {}),
        ("name=Bad()", "Bad", {}),
        ("tags={1: 2, 'bad': Bad(), Bad: None}", "job.py", {"1": "2", "bad": "Bad", "<class '__main__.Bad'>": "None"}),
    ],
)
def test_init_takes_what_it_gets(run: Run, wishes: str, name: str, tags: dict[str, str]) -> None:
    job = run(f"""
        import pathlib, macaw
        class Bad:
            def __str__(self): raise RuntimeError
        macaw.init({wishes})
    """)
    assert job.hello["name"] == name
    assert job.hello.get("tags", {}) == tags


@pytest.mark.parametrize("tags", ["['a', 'b']", "'a=b'", "7"])
def test_tags_that_are_no_mapping_are_left_out_with_one_line(start: Start, receiver: Receiver, tags: str) -> None:
    program = start(f"import macaw\nfor _ in range(3): macaw.init(tags={tags}, name='n', console='off')")
    assert program.wait() == 0
    assert program.err == "[macaw] init(): tags is no mapping of names to values, and left out\n"
    assert receiver.wait_for(lambda job: job.finish).hello["name"] == "n"
