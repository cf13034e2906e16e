# SPDX-License-Identifier: GPL-3.0-or-later
"""The package itself: its version, its types, its table of libraries."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import macaw
import numpy.fft
import numpy.linalg
import pytest
from macaw._wrap_tables import LIBRARIES

REPOSITORY = Path(__file__).resolve().parents[2]

USE = """
import macaw
from collections.abc import AsyncIterator

for i, text in macaw.track(enumerate(["a"]), total=1, desc="d"):
    whole: int = i
    part: str = text
with macaw.track(total=3, unit="B", initial=1) as bar:
    bar.update(1)
    bar.total = None
@macaw.stage("f")
def f(x: int) -> str: return str(x)
@macaw.stage
def g(x: int) -> str: return f(x)
a: str = f(1) + g(2)
async def main(source: AsyncIterator[int]) -> None:
    async with macaw.stage("z", note="n", sync=lambda: 1) as z:
        name: str = z.name
    async for y in macaw.track(source):
        number: int = y
macaw.metrics(a=1, b=True, c="x", step=3)
macaw.log.info("x %d", 1, exc_info=True)
rows, identity = macaw.summary().rows, macaw.job_id.upper()
macaw.init(name="x", tags={"a": 1}, wrap=False)
handler = macaw.LogHandler()
"""


def test_the_version_is_the_headers() -> None:
    header = (REPOSITORY / "sdk" / "include" / "macaw" / "version.hpp").read_text(encoding="utf-8")
    assert f'"{macaw.__version__}"' in header
    assert re.fullmatch(r"\d+\.\d+\.\d+", macaw.__version__)


def test_importing_starts_nothing() -> None:
    code = "import macaw, sys, threading\nprint(macaw.job_id, threading.active_count(), 'logging' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (" 1 False\n", "")


@pytest.mark.parametrize("module", [numpy.fft, numpy.linalg])
def test_the_table_has_every_public_function(module: object) -> None:
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and hasattr(value, "__qualname__")
        and not isinstance(value, type)
        and getattr(value, "__module__", "").startswith(module.__name__)  # type: ignore[attr-defined]
    }
    public &= set(getattr(module, "__all__", public))
    assert public - set(LIBRARIES[module.__name__]) == set()  # type: ignore[attr-defined]


def test_types_as_users_see_them(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    checker = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py"]
    package = Path(macaw.__file__).parents[1]
    run = subprocess.run(
        checker, cwd=tmp_path, env={"MYPYPATH": str(package)}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
