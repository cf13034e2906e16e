# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of libraries, with the real ones: what is counted, and that nothing else changes.

torch is not among the packages that tests have: its rows are tried with a stand-in of the same module structure.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run
from receiver import Job

ORDERS = ["import macaw, {0}", "import {0}\nimport macaw"]


def calls(job: Job) -> dict[str, int]:
    return {path: n for path, n in job.counts.items() if job.stages[path]["kind"] == "call"}


@pytest.mark.parametrize("order", ORDERS, ids=["after", "before"])
def test_scipy(run: Run, order: str) -> None:
    job = run(
        order.format("scipy.fft, scipy.linalg, scipy.optimize, scipy.integrate, scipy.signal, scipy.sparse.linalg")
        + """
import numpy as np, scipy
with macaw.stage("s"):
    scipy.fft.dct(np.ones(8))
    scipy.linalg.expm(np.eye(2))
    scipy.optimize.brentq(lambda x: x - 1, 0, 3)
    scipy.integrate.quad(lambda x: x, 0, 1)
    scipy.signal.detrend(np.arange(8.0))
    scipy.sparse.linalg.spsolve(scipy.sparse.eye(3, format="csc"), np.ones(3))
    scipy.optimize.minimize_scalar(lambda x: np.linalg.det(np.eye(2)) * x * x)
"""
    )
    counted = calls(job)
    for name in ("fft.dct", "linalg.expm", "optimize.brentq", "integrate.quad", "signal.detrend"):
        assert counted[f"s/scipy.{name}"] == 1
    assert counted["s/scipy.sparse.linalg.spsolve"] == 1
    assert counted["s/scipy.optimize.minimize_scalar/numpy.linalg.det"] > 1  # the user's function is seen


@pytest.mark.parametrize("order", ORDERS, ids=["after", "before"])
def test_pandas(run: Run, tmp_path: Path, order: str) -> None:
    job = run(
        order.format("pandas as pd")
        + f"""
with macaw.stage("s"):
    a = pd.DataFrame({{"k": [1, 2], "shape": [3, 4]}})
    a.to_csv({str(tmp_path / "a.csv")!r}, index=False)
    b = pd.read_csv({str(tmp_path / "a.csv")!r})
    assert a.merge(b, on="k").shape == (2, 3)
"""
    )
    assert calls(job) == {"s/pandas.DataFrame.to_csv": 1, "s/pandas.read_csv": 1, "s/pandas.DataFrame.merge": 1}
    assert job.stages["s/pandas.read_csv"]["note"] == "shape=(2, 2)"


def test_groupby_apply_gives_the_same_and_calls_as_often(run: Run) -> None:
    job = run("""
        import pandas as pd
        frame = pd.DataFrame({"k": list("abcdefgabcdefg"), "x": range(14)})
        groups = frame.groupby("k")["x"]
        functions = (max, len, lambda g: g.max(), lambda g: g * 2)
        def applied():
            results = []
            for function in functions:
                times = []
                def counting(group):
                    times.append(1)
                    return function(group)
                results += [groups.apply(counting), groups.apply(function), len(times)]
            return results
        plain = applied()
        import macaw
        with macaw.stage("s"):
            tracked = applied()
        for a, b in zip(plain, tracked):
            assert a == b == 7 if isinstance(a, int) else a.equals(b)
    """)
    assert calls(job) == {"s/pandas.core.groupby.SeriesGroupBy.apply": 8}


ESTIMATORS = """
import inspect, io, pickle
import numpy as np
from sklearn.base import clone
X, y = np.arange(12.0).reshape(6, 2), np.array([0.0, 1, 0, 1, 0, 1])
with macaw.stage("s"):
    model = Ridge(alpha=2.0).fit(X, y)
    guess = model.predict(X)
    Lasso().fit(X, y).predict(X)
copy = clone(model)
assert type(copy) is Ridge and copy.get_params() == model.get_params() and isinstance(model, Ridge)
assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), guess)
for method in (Ridge.fit, Ridge.predict, Lasso.predict):  # the last is inherited
    assert pickle.loads(pickle.dumps(method)) is method
assert np.array_equal(pickle.loads(pickle.dumps(model.predict))(X), guess)
assert list(inspect.signature(Ridge.fit).parameters) == ["self", "X", "y", "sample_weight"]
assert inspect.isfunction(Ridge.fit) and inspect.ismethod(model.fit)

class Mine(Ridge):
    def fit(self, X, y):
        return super().fit(X, y)
with macaw.stage("t"):
    Mine().fit(X, y)

import sklearn
with sklearn.config_context(enable_metadata_routing=True):
    asked = Ridge().set_fit_request(sample_weight=True)
    assert asked.get_metadata_routing().fit.requests == {"sample_weight": True}
"""


@pytest.mark.parametrize("order", ["import macaw\n{0}", "{0}\nimport macaw"], ids=["after", "before"])
def test_estimators_count_under_their_own_names(run: Run, order: str) -> None:
    job = run(order.format("from sklearn.linear_model import Lasso, Ridge") + ESTIMATORS)
    counted = {path: n for path, n in calls(job).items() if path.count("/") == 1}
    assert counted == {
        "s/sklearn.linear_model.Ridge.fit": 1,
        "s/sklearn.linear_model.Ridge.predict": 1,
        "s/sklearn.linear_model.Lasso.fit": 1,
        "s/sklearn.linear_model.Lasso.predict": 1,
        "t/sklearn.linear_model.Ridge.fit": 1,
    }


@pytest.mark.parametrize("order", ORDERS, ids=["after", "before"])
def test_h5py(run: Run, tmp_path: Path, order: str) -> None:
    job = run(
        order.format("h5py")
        + f"""
import numpy as np
with macaw.stage("s"), h5py.File({str(tmp_path / "a.h5")!r}, "w") as file:
    data = file.create_dataset("x", data=np.arange(4))
    data[0] = 7
    assert list(data[:]) == [7, 1, 2, 3]
"""
    )
    counted = calls(job)
    assert counted["s/h5py.Dataset.__setitem__"] == 1 and counted["s/h5py.Dataset.__getitem__"] == 1
    assert counted["s/h5py.Group.create_dataset"] == 1


@pytest.mark.parametrize("order", ["import macaw\n{0}", "{0}\nimport macaw"], ids=["after", "before"])
def test_torch_by_a_stand_in(run: Run, tmp_path: Path, order: str) -> None:
    """A package with torch's modules and classes, not torch: it proves the rows, not torch's own behaviour."""
    files = {
        "__init__.py": "class Tensor:\n def backward(self): pass\ndef save(x, f): pass\ndef load(f): return f\n"
        "from torch import optim, utils\n",
        "optim/__init__.py": "from torch.optim.sgd import SGD\n",
        "optim/sgd.py": "class SGD:\n def step(self): pass\n",
        "utils/__init__.py": "from torch.utils import data\n",
        "utils/data/__init__.py": "from torch.utils.data.dataloader import DataLoader\n",
        "utils/data/dataloader.py": "class _BaseDataLoaderIter:\n"
        " def __init__(self): self.left = 2\n"
        " def __iter__(self): return self\n"
        " def __next__(self):\n  self.left -= 1\n  if self.left < 0: raise StopIteration\n  return self.left\n"
        "class DataLoader:\n def __iter__(self): return _BaseDataLoaderIter()\n",
    }
    for name, text in files.items():
        file = tmp_path / "torch" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    job = run(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        + order.format("import torch")
        + """
with macaw.stage("s"):
    for batch in torch.utils.data.DataLoader():
        torch.Tensor().backward()
        torch.optim.SGD().step()
    torch.save(1, 2)
"""
    )
    assert calls(job) == {
        "s/torch.utils.data.DataLoader.__next__": 3,
        "s/torch.Tensor.backward": 2,
        "s/torch.optim.sgd.SGD.step": 2,
        "s/torch.save": 1,
    }
    assert job.stages["s/torch.utils.data.DataLoader.__next__"]["errors"] == 0  # the end of the data is none


def test_nothing_is_imported_for_it(run: Run) -> None:
    run("""
        import sys, macaw
        wrapped = ("numpy", "scipy", "pandas", "sklearn", "torch", "h5py")
        assert not [name for name in wrapped if name in sys.modules]
        import scipy
        assert "scipy.optimize" not in sys.modules and "scipy.signal" not in sys.modules
        with macaw.stage("so that there is a job"): pass
    """)


def test_a_lazy_module_stays_asleep(run: Run) -> None:
    run("""
        import importlib.util, sys
        spec = importlib.util.find_spec("colorsys")
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        sys.modules["colorsys"] = module
        spec.loader.exec_module(module)
        import numpy as np, macaw
        assert type(module).__name__ == "_LazyModule"
        with macaw.stage("so that there is a job"): pass
    """)


@pytest.mark.parametrize("order", ["import macaw\n{0}", "{0}\nimport macaw"], ids=["after", "before"])
def test_unwrapping_restores_everything(run: Run, order: str) -> None:
    libraries = "import numpy, scipy.linalg, pandas, sklearn.linear_model, h5py"
    run(
        order.format(libraries)
        + """
import sys
def wrappers():
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("numpy", "scipy", "pandas", "sklearn", "h5py"):
            for owner in [module, *(v for v in list(vars(module).values()) if isinstance(v, type))]:
                for key, value in list(vars(owner).items()):
                    if isinstance(value, macaw._core.Call):
                        yield name, key
assert ("sklearn.linear_model._coordinate_descent", "predict") in set(wrappers())
macaw.init(wrap=False)
assert not list(wrappers()), list(wrappers())[:5]
from sklearn.linear_model import Lasso
assert "predict" not in vars(Lasso)
import sklearn.cluster  # comes later, and is left alone too
assert not list(wrappers())
"""
    )


def test_what_has_kept_a_wrapper_stops_counting(run: Run) -> None:
    job = run("""
        import macaw, numpy as np
        kept = [np.linalg.det]
        macaw.init(wrap=False)
        with macaw.stage("s"):
            assert kept[0](np.eye(2)) == 1.0
    """)
    assert job.counts == {"s": 1}


def test_pools_take_early_imports_methods_and_models(run: Run) -> None:
    run("""
        import functools, multiprocessing, pydoc
        import numpy as np
        from numpy.linalg import det
        from scipy.linalg import expm
        from sklearn.linear_model import Lasso
        import macaw

        @functools.wraps(det)
        def mine(x): return det(x)

        if __name__ == "__main__":
            assert mine.__wrapped__ is np.linalg.det and mine.__doc__ == np.linalg.det.__wrapped__.__doc__
            for function in (det, expm, Lasso.fit, Lasso.predict):
                texts = [pydoc.render_doc(f).partition("\\n")[2] for f in (function, function.__wrapped__)]
                assert texts[0] == texts[1]  # the title says where pickling finds it
                assert isinstance(function, type(function.__wrapped__))
            X = np.arange(12.0).reshape(6, 2)
            model = Lasso().fit(X, X[:, 0])
            with macaw.stage("pools"):
                for method in ("fork", "spawn"):
                    with multiprocessing.get_context(method).Pool(1) as pool:
                        assert pool.map(det, [np.eye(2)]) == [1.0]
                        assert np.array_equal(pool.map(expm, [np.zeros((2, 2))])[0], np.eye(2))
                        assert np.array_equal(pool.map(model.predict, [X])[0], model.predict(X))
    """)


def test_loky_and_cloudpickle_take_wrapped_functions(run: Run) -> None:
    run("""
        import macaw, numpy as np
        from joblib import Parallel, delayed
        if __name__ == "__main__":
            @macaw.wrap
            def mine(x): return x + 1
            with macaw.stage("s"):
                assert Parallel(n_jobs=2)(delayed(mine)(i) for i in range(3)) == [1, 2, 3]
                assert Parallel(n_jobs=2)(delayed(np.linalg.det)(np.eye(2)) for i in range(2)) == [1.0, 1.0]
    """)


def test_ufuncs_are_left_alone(run: Run) -> None:
    run("""
        import macaw, numpy as np, scipy.special
        macaw.wrap("numpy", "scipy.special")
        assert isinstance(np.exp, np.ufunc) and isinstance(scipy.special.erf, np.ufunc)
        assert type(np.exp) is np.ufunc and type(scipy.special.erf) is np.ufunc
        with macaw.stage("so that there is a job"): pass
    """)


def test_notes_never_compute_nor_raise(run: Run) -> None:
    job = run("""
        import macaw
        asked = []
        class Lazy:
            @property
            def shape(self): asked.append(1); return (1,)
        class Raising:
            @property
            def shape(self): raise RuntimeError
        class Answering:
            def __getattr__(self, name): asked.append(name); return (1,)
        class Method:
            def shape(self): return (1,)
        class Unknown:
            def __init__(self): self.shape = (None, 3)
        class Stored:
            def __init__(self): self.shape, self.dtype = (2, 3), "int8"
        with macaw.stage("s"):
            for cls in (Lazy, Raising, Answering, Method, Unknown, Stored):
                macaw._core.Call(lambda x, made=cls(): made, cls.__name__)(Lazy())
        assert not asked, asked
    """)
    notes = {path: row.get("note") for path, row in job.stages.items() if path != "s"}
    assert notes.pop("s/Stored") == "shape=(2, 3) dtype=int8"
    assert not any(notes.values())


def test_notes_of_what_libraries_return(run: Run) -> None:
    job = run("""
        import macaw, numpy as np, pandas as pd, scipy.sparse
        frame = pd.DataFrame({"a": [1, 2], "dtype": [3, 4]})
        made = {
            "frame": frame, "series": frame["a"], "index": frame.index, "masked": np.ma.zeros(2),
            "sparse": scipy.sparse.eye(3, format="csr"), "groups": frame.groupby("a")["dtype"],
        }
        with macaw.stage("s"):
            for name, value in made.items():
                macaw._core.Call(lambda value: value, name)(value)
                macaw._core.Call(lambda value=value: value, name + "_made")()
    """)
    notes = {path[2:]: row["note"] for path, row in job.stages.items() if path != "s" and row["note"]}
    assert notes == {
        "frame": "shape=(2, 2)",
        "frame_made": "shape=(2, 2)",
        "series": "shape=(2,)",
        "series_made": "shape=(2,) dtype=int64",
        "index": "shape=(2,)",
        "index_made": "shape=(2,) dtype=int64",
        "masked": "shape=(2,)",
        "masked_made": "shape=(2,) dtype=float64",
        "sparse": "shape=(3, 3)",
        "sparse_made": "shape=(3, 3) dtype=float64",
    }
