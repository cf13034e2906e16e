# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrapped functions: counted where they should be, and otherwise the same as ever."""

from __future__ import annotations

import pytest
from conftest import Run
from receiver import Job

USE = """
x = np.ones(16)
with macaw.stage("s"):
    np.fft.fft(x)
    fft(x)
    np.fft.fft2(np.ones((4, 4)))
    np.linalg.norm(x)
"""


def calls(job: Job) -> dict[str, int]:
    assert {row["kind"] for path, row in job.stages.items() if "numpy" in path} <= {"call"}
    return {path: n for path, n in job.counts.items() if "numpy" in path}


@pytest.mark.parametrize(
    "imports",
    [
        "import macaw\nimport numpy as np\nfrom numpy.fft import fft",
        "import numpy as np\nfrom numpy.fft import fft\nimport macaw",
        "import numpy as np\nimport macaw\nfrom numpy.fft import fft",
    ],
    ids=["after", "before", "between"],
)
def test_numpy_before_or_after_its_import(run: Run, imports: str) -> None:
    job = run(imports + USE)
    assert calls(job) == {"s/numpy.fft.fft": 2, "s/numpy.fft.fft2": 1, "s/numpy.linalg.norm": 1}


@pytest.mark.parametrize("order", ["import macaw, numpy as np", "import numpy as np, macaw"])
@pytest.mark.parametrize("way", ["macaw.init(wrap=False)", "pass"])
def test_libraries_are_left_alone_when_asked_to(run: Run, order: str, way: str) -> None:
    environment = {"MACAW_WRAP": "0"} if way == "pass" else {}
    job = run(f"{order}\n{way}\nfrom numpy.fft import fft\nassert 'macaw' not in str(type(fft)){USE}", **environment)
    assert calls(job) == {}


def test_only_inside_a_stage_or_a_track(run: Run) -> None:
    job = run("""
        import macaw, numpy as np
        x = np.ones(4)
        np.fft.fft(x)
        macaw.log.info("the job is on")
        np.fft.fft(x)
        for i in macaw.track(range(3)):
            np.fft.fft(x)
    """)
    assert job.counts == {"numpy.fft.fft": 3}


def test_notes(run: Run) -> None:
    job = run("""
        import macaw, numpy as np
        with macaw.stage("s"):
            np.fft.fft(np.ones(8))
            np.fft.fftshift(np.ones(8))
            np.fft.ifft([1, 2])
            np.linalg.inv(np.eye(2, dtype=np.float32))
            np.linalg.cond(np.eye(2))
    """)
    assert {path.rpartition("/")[2]: row["note"] for path, row in job.stages.items() if path != "s"} == {
        "numpy.fft.fft": "shape=(8,) dtype=complex128",
        "numpy.fft.fftshift": "shape=(8,)",
        "numpy.fft.ifft": "shape=(2,) dtype=complex128",
        "numpy.linalg.inv": "shape=(2, 2)",
        "numpy.linalg.cond": "shape=()",
    }


def test_errors_pass_through_and_are_counted(run: Run) -> None:
    job = run("""
        import macaw, numpy as np
        with macaw.stage("s"):
            try:
                np.linalg.inv(np.zeros((2, 2)))
            except np.linalg.LinAlgError:
                pass
    """)
    assert job.stages["s/numpy.linalg.inv"]["errors"] == 1
    assert job.stages["s"]["errors"] == 0


def test_a_wrapped_function_is_still_itself(run: Run) -> None:
    run("""
        import copy, inspect, pickle, weakref
        import numpy as np
        signature, doc = inspect.signature(np.fft.fft), np.fft.fft.__doc__
        kept = [np.fft.fft]  # a list is out of the wrapping's reach
        import macaw
        fft, original = np.fft.fft, kept[0]
        assert fft is not original and fft.__wrapped__ is original
        assert inspect.signature(fft) == signature and fft.__doc__ == doc
        assert (fft.__name__, fft.__qualname__, fft.__module__) == ("fft", "fft", "numpy.fft")
        assert pickle.loads(pickle.dumps(fft)) is fft
        assert copy.copy(fft) is fft and copy.deepcopy(fft) is fft
        assert repr(fft) == repr(original) and callable(fft) and inspect.isroutine(fft)
        weakref.ref(fft)
        fft.note = 1
        assert fft.note == 1
        loader = type(np.fft.__loader__).__module__
        assert not loader.startswith("macaw"), loader
        class Array:
            def __array_function__(self, function, types, args, kwargs): return function.__name__
        assert np.fft.fft(Array()) == "fft"
        try:
            fft.no_such_attribute
        except AttributeError as error:
            assert "no_such_attribute" in str(error)
        with macaw.stage("so that there is a job"): pass
    """)


def test_the_module_keeps_its_real_loader(run: Run) -> None:
    run("""
        import macaw, numpy as np, importlib
        assert not type(np.fft.__loader__).__module__.startswith("macaw")
        assert not type(np.fft.__spec__.loader).__module__.startswith("macaw")
        importlib.reload(np.fft)
        macaw.init()
    """)


def test_pools_take_wrapped_functions(run: Run) -> None:
    job = run("""
        import multiprocessing, macaw, numpy as np
        if __name__ == "__main__":
            with macaw.stage("pools"):
                for method in ("fork", "spawn"):
                    with multiprocessing.get_context(method).Pool(1) as pool:
                        assert pool.map(np.linalg.det, [np.eye(2)]) == [1.0]
    """)
    assert job.counts == {"pools": 1}


def test_own_functions_classes_and_names(run: Run) -> None:
    job = run("""
        import asyncio, pickle, macaw

        def mine(x): return x
        assert macaw.wrap(mine) is mine  # the name stands for the wrapper now

        @macaw.wrap
        def decorated(x, *, y=1): return x + y

        @macaw.wrap
        async def coroutine(): await asyncio.sleep(0.01)

        class Model:
            def fit(self, x): return x
            def _private(self): return 1
            @staticmethod
            def static(x): return x
            @classmethod
            def made(cls): return cls()
            def __call__(self, x): return x
        assert macaw.wrap(Model) is Model

        macaw.wrap("json.dumps", "textwrap.dedent", "no_such_package.f", "json.no_such_function")
        import json, textwrap

        with macaw.stage("s"):
            assert mine(1) == 1 and decorated(1, y=2) == 3
            asyncio.run(coroutine())
            model = Model.made()
            assert isinstance(model, Model) and model.fit(2) == 2 and model.static(3) == 3 and Model.fit(model, 4) == 4
            assert model(5) == 5 and model._private() == 1
            assert json.dumps([1]) == "[1]" and textwrap.dedent(" a") == "a"
        assert pickle.loads(pickle.dumps(mine)) is mine
        assert pickle.loads(pickle.dumps(Model())).fit(1) == 1
    """)
    assert {path.rpartition("/")[2]: n for path, n in job.counts.items()} == {
        "s": 1,
        "mine": 1,
        "decorated": 1,
        "coroutine": 1,
        "Model.made": 1,
        "Model.fit": 2,
        "Model.static": 1,
        "Model.__call__": 1,
        "json.dumps": 1,
        "textwrap.dedent": 1,
    }
    assert job.stages["s/coroutine"]["min"] >= 0.01


def test_nested_calls_of_wrapped_functions_nest(run: Run) -> None:
    job = run("""
        import macaw, numpy as np
        @macaw.wrap
        def power(x): return np.abs(np.fft.fft(x)) ** 2
        with macaw.stage("s"):
            power(np.ones(4))
    """)
    assert job.counts == {"s": 1, "s/power": 1, "s/power/numpy.fft.fft": 1}
