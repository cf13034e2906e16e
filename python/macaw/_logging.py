# SPDX-License-Identifier: MIT
"""The standard library's log records as the job's log lines. Imported when asked for, as logging is not small."""

from __future__ import annotations

import logging
import warnings
from typing import Any

from macaw import _core

LEVELS = (
    (logging.CRITICAL, _core.log.critical),
    (logging.ERROR, _core.log.error),
    (logging.WARNING, _core.log.warning),
    (logging.INFO, _core.log.info),
)


class LogHandler(logging.Handler):
    """logging.getLogger().addHandler(macaw.LogHandler())"""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line: tuple[object, ...] = (self.format(record),)
        except Exception:  # arguments that do not fit: the core shows them as they are
            arguments = record.args or ()
            line = (record.msg, *(arguments if isinstance(arguments, tuple) else (arguments,)))
        write = next((write for level, write in LEVELS if record.levelno >= level), _core.log.debug)
        write(*line)


def capture_all() -> None:
    """Every record of every logger, and every warning. No handler of ours is in the way: basicConfig() and what
    the program prints stay as they were."""
    if getattr(logging.Logger.callHandlers, "is_macaws", False):
        return
    handler = LogHandler()
    call_handlers, show_warning = logging.Logger.callHandlers, warnings.showwarning

    def call_handlers_too(self: logging.Logger, record: logging.LogRecord) -> None:
        handler.handle(record)
        call_handlers(self, record)

    def show_warning_too(message: Any, category: Any, filename: str, lineno: int, *more: Any, **named: Any) -> None:
        _core.log.warning(warnings.formatwarning(message, category, filename, lineno).rstrip())
        show_warning(message, category, filename, lineno, *more, **named)

    call_handlers_too.is_macaws = True  # type: ignore[attr-defined]
    logging.Logger.callHandlers = call_handlers_too  # type: ignore[method-assign]
    warnings.showwarning = show_warning_too
