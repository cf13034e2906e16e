# SPDX-License-Identifier: MIT
"""What only Python knows about the job's end: the exception that nobody caught. The exit code comes from the core.

Hooks nothing: the interpreter itself keeps the exception that it printed last.
"""

from __future__ import annotations

import atexit
import signal
import sys

from macaw import _core

MAX_TRACE = 15_000  # the wire takes 16 KiB a line; of a longer traceback the end tells most


def job_started() -> None:
    """Called by the core once the job stands."""
    atexit.register(interpreter_ends)
    if _core.console_is_live():
        from macaw import _prints

        _prints.keep_above_console()


def interpreter_ends() -> None:
    _core.interpreter_ends()
    error = uncaught()
    if isinstance(error, KeyboardInterrupt):
        _core.finish_by_signal(int(signal.SIGINT))
    elif error is not None:
        _core.set_error(type_name(error), message(error), formatted(error)[-MAX_TRACE:])


def uncaught() -> BaseException | None:
    """The exception that ends the program. At a prompt it is only that of the last failed line."""
    if hasattr(sys, "ps1") or "IPython" in sys.modules:
        return None
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    return error if isinstance(error, BaseException) else None


def type_name(error: BaseException) -> str:
    module, name = type(error).__module__, type(error).__qualname__
    return name if module in ("builtins", "__main__") else f"{module}.{name}"


def message(error: BaseException) -> str:
    try:
        return utf8(str(error))
    except Exception:
        return ""


def formatted(error: BaseException) -> str:
    import traceback

    return utf8("".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip("\n"))


def utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def with_traceback(text: str, exc_info: object) -> str:
    """A log line with the traceback that logging's exc_info= asks for."""
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if not isinstance(error, BaseException):
        error = sys.exc_info()[1]
    return f"{text}\n{formatted(error)}" if error else text
