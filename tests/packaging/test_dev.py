# SPDX-License-Identifier: MIT
"""What `./dev` promises about its steps and its sums, with suites and steps that are made up."""

from __future__ import annotations

import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
CTEST = "100% tests passed, 0 tests failed out of 7"
GREEN = f"""
cpp_suite() {{ echo "{CTEST}"; }}
python_suite() {{ echo "31 passed in 1.57s"; }}
system_suite() {{ echo "4 passed in 2.00s"; }}
julia_suite() {{ echo "100 passed, 0 failed"; }}
web_suite() {{ echo " Test Files  2 passed (2)"; echo "      Tests  9 passed (9)"; }}
browser_suite() {{ echo " Test Files  1 passed (1)"; echo "      Tests  3 passed (3)"; }}
"""


def shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    head = f"""
set -euo pipefail
top={folder}
. {TOP}/packaging/dev/setup.sh
. {TOP}/packaging/dev/test.sh
use_environment() {{ :; }}
"""
    command = ["bash", "-c", head + script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=False)


def last_line(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.splitlines()[-1]


def test_all_suites_are_added_up(tmp_path: Path) -> None:
    run = shell(tmp_path, GREEN + "run_suites")
    assert (run.returncode, last_line(run)) == (0, "154 passed, 0 failed")


def test_named_suites_run_alone(tmp_path: Path) -> None:
    run = shell(tmp_path, GREEN + "run_suites web julia")
    assert (run.returncode, last_line(run)) == (0, "109 passed, 0 failed")


def test_an_unknown_suite_is_an_error(tmp_path: Path) -> None:
    run = shell(tmp_path, GREEN + "run_suites rust")
    assert run.returncode == 2
    assert "rust" in run.stderr


def test_a_failing_suite_stops_no_other_and_shows_its_words(tmp_path: Path) -> None:
    failing = 'cpp_suite() { echo "a < b is false"; echo "86% tests passed, 1 tests failed out of 7"; return 8; }\n'
    run = shell(tmp_path, GREEN + failing + "run_suites")
    assert (run.returncode, last_line(run)) == (1, "153 passed, 1 failed")
    assert "a < b is false" in run.stdout


def test_a_suite_that_dies_or_counts_nothing_has_failed(tmp_path: Path) -> None:
    dying = "python_suite() { bash -c 'kill -9 $$'; }\nsystem_suite() { :; }\n"
    run = shell(tmp_path, GREEN + dying + "run_suites")
    assert (run.returncode, last_line(run)) == (1, "119 passed, 2 failed")


def test_what_was_skipped_is_told_with_its_reason(tmp_path: Path) -> None:
    skipping = 'python_suite() { echo "SKIPPED [2] test_it.py: no cluster"; echo "29 passed, 2 skipped in 1.0s"; }\n'
    run = shell(tmp_path, GREEN + skipping + 'browser_suite() { skip "no browser"; }\nrun_suites')
    assert (run.returncode, last_line(run)) == (0, "149 passed, 0 failed, 3 skipped")
    assert "no cluster" in run.stdout
    assert "no browser" in run.stdout


def test_a_step_runs_once_for_each_content(tmp_path: Path) -> None:
    run = shell(tmp_path, "for lock in one one two two one; do once npm $lock echo made; done")
    assert run.stdout.count("made") == 3


def test_a_step_that_failed_runs_again(tmp_path: Path) -> None:
    assert shell(tmp_path, "once npm one false").returncode == 1
    assert shell(tmp_path, "once npm one echo made").stdout == "made\n"
