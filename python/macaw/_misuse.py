# SPDX-License-Identifier: MIT
"""Wrong use of macaw: said once on stderr, never raised; the job goes on as if the call were not there."""

from __future__ import annotations

import sys

said: set[str] = set()


def warn_once(text: str) -> None:
    if text in said:
        return
    said.add(text)
    if sys.stderr is not None:
        print(f"[macaw] {text}", file=sys.stderr, flush=True)
