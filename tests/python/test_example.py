# SPDX-License-Identifier: GPL-3.0-or-later
"""The example that every reader sees first."""

from __future__ import annotations

from pathlib import Path

from conftest import Run

EXAMPLE = Path(__file__).resolve().parents[2] / "python" / "examples" / "doing_nothing.py"


def test_names_nesting_and_counts(run: Run) -> None:
    job = run(EXAMPLE.read_text(encoding="utf-8"))
    assert (job.bar["n"], job.bar["total"], job.bar["desc"], job.bar["state"]) == (200, 200, "doing nothing", "done")
    assert job.counts == {
        "generate_data": 200,
        "fourier_transform": 200,
        "fourier_transform/numpy.fft.fft": 200,
        "fourier_transform/numpy.fft.fftshift": 200,
    }
    assert job.stages["fourier_transform/numpy.fft.fft"]["note"] == "shape=(65536,) dtype=complex128"
    assert job.stages["fourier_transform/numpy.fft.fftshift"]["note"] == "shape=(65536,)"
    assert len(job.logs) == 401
    assert job.logs[-1] == ("info", "done")
    kinds = {name: type(value) for name, value, _ in job.metrics}
    assert kinds == {"mean": float, "is_big": bool, "confidence": float, "vibes": str}
    assert len(job.metrics) == 800
    assert (job.finish["state"], job.finish["code"]) == ("finished", 0)
