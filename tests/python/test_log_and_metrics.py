# SPDX-License-Identifier: GPL-3.0-or-later
"""Log lines and metric points: every kind of value arrives, and none can hurt the program."""

from __future__ import annotations

import math

from conftest import Run, Start
from receiver import Receiver


def test_levels_and_formatting(run: Run) -> None:
    job = run("""
        import macaw
        macaw.log.debug("a")
        macaw.log.info("100 %")
        macaw.log.warning("%d of %s", 1, "two")
        macaw.log.error("%(name)s", {"name": "by name"})
        macaw.log.critical(ValueError("an object"))
        macaw.log.info("%d", "no number")
        macaw.log.info("one", "too many", stacklevel=2, extra={})
    """)
    assert job.logs == [
        ("debug", "a"),
        ("info", "100 %"),
        ("warning", "1 of two"),
        ("error", "by name"),
        ("critical", "an object"),
        ("info", "%d ('no number',)"),
        ("info", "one ('too many',)"),
    ]


def test_arguments_are_formatted_only_if_there_are_any(run: Run) -> None:
    job = run("import macaw\nmacaw.log.info('%s 100%')\nmacaw.log.info('%s', '%d')")
    assert [text for _, text in job.logs] == ["%s 100%", "%d"]


def test_tracebacks(run: Run) -> None:
    job = run("""
        import macaw
        try:
            1 / 0
        except ZeroDivisionError as error:
            macaw.log.exception("caught %s", "it")
            macaw.log.warning("again", exc_info=error)
            macaw.log.info("without", exc_info=False)
    """)
    (level, first), (_, second), (_, third) = job.logs
    assert level == "error"
    assert first.startswith("caught it\nTraceback") and first.endswith("ZeroDivisionError: division by zero")
    assert second.startswith("again\nTraceback")
    assert third == "without"


def test_bytes_that_are_no_text_arrive_escaped_and_later_lines_too(run: Run) -> None:
    job = run(r"""
        import macaw
        macaw.log.info(b"before \x97 after".decode("utf-8", "surrogateescape"))
        macaw.log.info("lone \ud800 %s", "\udfff")
        macaw.log.info("nul \0 and Größe")
    """)
    assert [text for _, text in job.logs] == [
        r"before \udc97 after",
        r"lone \ud800 \udfff",
        "nul \0 and Größe",
    ]


def test_objects_that_cannot_be_shown(run: Run) -> None:
    job = run("""
        import macaw
        class Bad:
            def __str__(self): raise RuntimeError
            __repr__ = __str__
        macaw.log.info(Bad())
        macaw.log.info("%s", Bad())
        macaw.metrics(bad=Bad())
        with macaw.stage(Bad()): pass
        macaw.log.info("still here")
    """)
    assert job.logs[-1] == ("info", "still here")
    assert job.finish["state"] == "finished"


def test_long_lines_are_cut_and_say_so(run: Run) -> None:
    job = run("import macaw\nmacaw.log.info('x' * 100_000)\nmacaw.log.info('y' * 5_000)")
    (_, long), (_, whole) = job.logs
    assert whole == "y" * 5000
    assert long == "x" * 16384
    assert {piece.get("cut", 0) for piece in job.pieces[1].values()} == {100_000 - 16384}


def test_standard_logging(run: Run) -> None:
    job = run("""
        import logging, macaw
        logger = logging.getLogger()
        logger.setLevel(logging.DEBUG)
        logger.addHandler(macaw.LogHandler())
        logging.debug("d %d", 1); logging.info("i"); logging.warning("w"); logging.error("e"); logging.critical("c")
        try:
            1 / 0
        except ZeroDivisionError:
            logging.exception("caught")
    """)
    assert job.logs[:5] == [("debug", "d 1"), ("info", "i"), ("warning", "w"), ("error", "e"), ("critical", "c")]
    assert "ZeroDivisionError" in job.logs[5][1]


def test_lines_know_their_stage(run: Run) -> None:
    job = run("import macaw\nwith macaw.stage('a'), macaw.stage('b'):\n    macaw.log.info('inside')")
    (pieces,) = job.pieces.values()
    assert pieces[1]["stage"] == ["a", "b"]


def test_values_of_every_kind(run: Run) -> None:
    job = run("""
        import decimal, fractions, macaw, numpy as np
        macaw.metrics(real=0.5, whole=3, flag=True, text="bad", step=12)
        macaw.metrics(f32=np.float32(0.5), i64=np.int64(7), yes=np.bool_(True), array=np.array([2.5]), step=np.int64(3))
        macaw.metrics(dec=decimal.Decimal("1.5"), half=fractions.Fraction(1, 2), step=0.5)
        macaw.metrics(huge=10**400, large=2**62, none=None, many=np.zeros(2))
    """)
    assert job.metrics == [
        *[("real", 0.5, 12), ("whole", 3, 12), ("flag", True, 12), ("text", "bad", 12)],
        *[("f32", 0.5, 3), ("i64", 7, 3), ("yes", True, 3), ("array", 2.5, 3)],
        *[("dec", 1.5, 0.5), ("half", 0.5, 0.5)],
        *[("huge", math.inf, None), ("large", 2**62, None), ("none", "None", None), ("many", "[0. 0.]", None)],
    ]
    kinds = [type(value) for _, value, _ in job.metrics[:4]]
    assert kinds == [float, int, bool, str]


def test_infinities_and_nan_stay_what_they_are(run: Run) -> None:
    job = run("import macaw\nfor v in ('1', 'inf', '-inf', 'nan', '2'): macaw.metrics(x=float(v))")
    values = [value for _, value, _ in job.metrics]
    assert values[:3] == [1, math.inf, -math.inf]
    assert math.isnan(values[3])
    assert values[4] == 2


def test_steps_in_any_order_are_all_kept(run: Run) -> None:
    job = run("import macaw\nfor step in (5, 3, 4, 5): macaw.metrics(loss=step / 10, step=step)")
    assert job.metrics == [("loss", 0.5, 5), ("loss", 0.3, 3), ("loss", 0.4, 4), ("loss", 0.5, 5)]


def test_capturing_logging_and_warnings(start: Start, receiver: Receiver) -> None:
    program = start("""
        import logging, sys, warnings, macaw
        macaw.init(capture=True, console="off")
        macaw.init(capture=True)
        logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
        logging.getLogger("lib.part").info("line %d", 1)
        logging.getLogger("lib").propagate = False
        logging.getLogger("lib").error("line 2")
        warnings.warn("careful", stacklevel=1)
    """)
    assert program.wait() == 0
    assert program.out == "line 1\n" and "UserWarning: careful" in program.err
    job = receiver.wait_for(lambda job: job.finish)
    assert job.logs[:2] == [("info", "line 1"), ("error", "line 2")]
    level, text = job.logs[2]
    assert len(job.logs) == 3 and level == "warning" and "UserWarning: careful" in text
