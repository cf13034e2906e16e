# SPDX-License-Identifier: MIT
"""What only Python knows about the job's end: the exception that nobody caught. The exit code comes from the core.

The interpreter itself keeps the exception that it printed last. Hooked is os._exit() alone, by which multiprocessing
ends its workers, since nothing else runs after it: first the last words, then the real one.
"""

from __future__ import annotations

import atexit
import functools
import os
import signal
import sys

from macaw import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

MAX_TRACE = 15_000  # the wire takes 16 KiB a line; of a longer traceback the end tells most


def job_started() -> None:
    """Called by the core once the job stands; again in the child of a fork."""
    os.environ.update(_core.left_to_children())
    if not isinstance(os._exit, Exit):
        os._exit = Exit(os._exit)
        atexit.register(interpreter_ends)
    util = sys.modules.get("multiprocessing.util")
    if util and worker_name():
        util.Finalize(None, worker_ends, exitpriority=-100)
        watch_bootstrap()
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None:
        from macaw import _ipython

        _ipython.follow_cells(shell)
    if _core.console_is_live():
        from macaw import _prints

        _prints.keep_above_console()


class Exit:
    """os._exit(), after what the job still has to say."""

    def __init__(self, real: Callable[[int], NoReturn]) -> None:
        functools.update_wrapper(self, real)
        self.real = real

    def __call__(self, status: int) -> NoReturn:
        try:
            _core.exits(status & 0xFF)
        except Exception:
            pass  # no number: the real one says so
        self.real(status)

    def __reduce__(self) -> str:
        return "_exit"


def worker_name() -> str:
    """What multiprocessing calls this process, if it made it."""
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        return ""
    return f" {process.current_process().name}"


def worker_ends() -> None:
    """Runs while the exception that ends a worker is under way; os._exit() follows."""
    error = sys.exc_info()[1]
    if error is not None and not isinstance(error, SystemExit):
        _core.set_error(type_name(error), message(error), formatted(error)[-MAX_TRACE:])


def watch_bootstrap() -> None:
    """From Python 3.13 on a worker's finalizers run when its exception is gone: then it is seen as it is printed."""
    import traceback

    real = traceback.print_exc

    @functools.wraps(real)
    def print_exc(*args: Any, **named: Any) -> None:
        if sys._getframe(1).f_code.co_name == "_bootstrap":
            worker_ends()
        real(*args, **named)

    traceback.print_exc = print_exc


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
