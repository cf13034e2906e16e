# SPDX-License-Identifier: MIT
"""Keeps the program's own prints above the block that the live console redraws."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TextIO

from macaw import _core


class AboveConsole:
    """A terminal stream whose text goes through the console while that is live; else it is the stream itself."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if not _core.console_is_live() or not isinstance(text, str):
            return self._stream.write(text)
        _core.print_above(text.encode("utf-8", "backslashreplace").decode())
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def keep_above_console() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        try:
            if stream.isatty():
                stream.flush()
                setattr(sys, name, AboveConsole(stream))
        except Exception:
            continue  # closed, or no stream at all: leave it as it is
