# SPDX-License-Identifier: GPL-3.0-or-later
"""Notebooks, run by a real kernel: one job, whose cells may fail, be interrupted and run again."""

from __future__ import annotations

import os
from typing import Any

import nbclient
import nbformat
import pytest
from receiver import Receiver
from traitlets.config import Config


def execute(receiver: Receiver, monkeypatch: pytest.MonkeyPatch, *cells: str) -> Any:
    for name in [name for name in os.environ if name.startswith("MACAW_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MACAW_URL", receiver.url)
    monkeypatch.setenv("MACAW_CONSOLE", "off")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    # A kernel that is slow to go is sent a signal after half of this, and would rightly say so.
    patient = Config({"KernelManager": {"shutdown_wait_time": 60}})
    client = nbclient.NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=60, config=patient)
    return client.execute().cells


def test_a_kernel_is_one_job_and_a_failed_cell_an_event(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = "for i in macaw.track(range(5), desc='loop'):\n    with macaw.stage('work'): 1 / (i - FAIL)"
    cells = execute(
        receiver,
        monkeypatch,
        "import macaw\nFAIL = 3",
        loop,
        "FAIL = -1",
        loop,
        "macaw.summary()",
        "macaw.log.info('end')",
    )
    job = receiver.wait_for(lambda job: job.finish)
    assert len(receiver.jobs) == 1
    assert (job.finish["state"], job.finish["code"]) == ("finished", 0)
    assert "error" not in job.finish
    level, text = job.logs[0]
    assert level == "error" and "ZeroDivisionError" in text and "Traceback" in text
    assert job.logs[1:] == [("info", "end")]
    assert job.counts == {"work": 9} and job.stages["work"]["errors"] == 1, "the second run nests in nothing"
    (bar,) = job.bars
    assert (bar["n"], bar["state"]) == (5, "done"), "the second run is the same row, run again"
    (output,) = cells[4]["outputs"]
    assert "<table>" in output["data"]["text/html"] and "work" in output["data"]["text/html"]


def test_an_interrupted_cell(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = "import macaw\nfor i in macaw.track(range(5), desc='loop'):\n    if i == 2: raise KeyboardInterrupt"
    execute(receiver, monkeypatch, cell, "macaw.log.info('next')")
    job = receiver.wait_for(lambda job: job.finish)
    assert job.logs == [("warning", "the cell was interrupted"), ("info", "next")]
    assert job.bar["state"] == "interrupted" and job.finish["state"] == "finished"
