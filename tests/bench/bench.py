# SPDX-License-Identifier: MIT
"""Runs every benchmark program, prints one table of ratios against the peers and writes build/bench.json.

Each program prints one JSON object on stdout: {"name": {"ratio": r, "ours": x, "reference": y, "unit": "ns"}}, measured
against its reference inside one run: absolute figures drift by two on shared machines, ratios hold.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
Figures = dict[str, dict[str, Any]]


def programs(quick: bool) -> list[list[str]]:
    built = sorted(Path(os.environ["MACAW_BIN_DIR"]).glob("bench_*"))
    commands = [[str(path)] for path in built]
    for script in ("python/bench_python.py", "collector/bench_receiver.py"):
        commands.append([sys.executable, str(TOP / "tests/bench" / script), *(["--quick"] if quick else [])])
    julia = TOP / "tests/bench/julia/bench_julia.jl"
    if julia.exists() and shutil.which("julia"):
        commands.append(["julia", str(julia)])
    return commands


def page_size() -> Figures:
    """What a browser loads at first, compressed as it travels."""
    files = [
        path
        for path in (TOP / "web/dist").rglob("*")
        if path.is_file() and path.suffix in (".html", ".js", ".css", ".svg")
    ]
    kb = sum(len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in files) / 1000
    return {"page": {"ratio": kb, "ours": kb, "reference": 1, "unit": "kB"}} if files else {}


def main() -> int:
    figures: Figures = {}
    code = 0
    for command in programs("--quick" in sys.argv):
        print(f"==> {Path(command[command[0] == sys.executable]).name}", file=sys.stderr)
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if run.returncode:
            print(f"bench: {' '.join(command)} ended with {run.returncode}", file=sys.stderr)
            code = 1
            continue
        figures |= json.loads(run.stdout)
    figures |= page_size()
    targets: dict[str, float] = json.loads((TOP / "tests/bench/targets.json").read_text())
    (TOP / "build/bench.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(f"{'name':<14}{'ours':>12}{'reference':>12}{'':>4}{'ratio':>10}{'target':>9}")
    for name in sorted(figures, key=lambda n: list(targets).index(n) if n in targets else len(targets)):
        figure, target = figures[name], targets.get(name)
        mark = "" if target is None else "ok" if figure["ratio"] <= target else "MISSED"
        print(
            f"{name:<14}{figure['ours']:>12.4g}{figure['reference']:>12.4g} {figure['unit']:<3}"
            f"{figure['ratio']:>10.4f}{target if target is not None else '':>9}  {mark}"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
