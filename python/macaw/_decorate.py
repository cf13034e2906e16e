# SPDX-License-Identifier: MIT
"""Functions as stages: each kind is timed while it runs, not while it is made. Imported with the first decorator."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from typing import Any, Callable

from macaw import _core, _misuse

COROUTINE, GENERATOR, ASYNC_GENERATOR = 0x80, 0x20, 0x200  # inspect.CO_…, without importing inspect


def is_failure(error: BaseException) -> bool:
    """What is closed or cancelled while inside has not failed."""
    return not isinstance(error, GeneratorExit) and type(error).__name__ != "CancelledError"


def bare_stage(function: Callable[..., Any]) -> Callable[..., Any]:
    """@macaw.stage without a name takes the function's."""
    name = getattr(below_descriptor(function), "__qualname__", None)
    return stage(function, name if isinstance(name, str) else type(function).__qualname__, None, None)


def below_descriptor(function: Any) -> Any:
    if isinstance(function, (classmethod, staticmethod)):
        return function.__func__
    return function.fget if isinstance(function, property) else function


def stage(
    function: Callable[..., Any], name: str, note: object, sync: Callable[[], object] | None
) -> Callable[..., Any]:
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(stage(function.__func__, name, note, sync))
    if isinstance(function, property) and function.fget:
        return function.getter(stage(function.fget, name, note, sync))
    if isinstance(function, type) or not callable(function):
        _misuse.warn_once(f"@macaw.stage times functions; the {type(function).__name__} {name!r} stays as it is")
        return function
    flags = getattr(getattr(function, "__code__", None), "co_flags", 0)

    if flags & COROUTINE:

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with _core.stage(name, note, sync):
                return await function(*args, **kwargs)

        return coroutine

    if flags & ASYNC_GENERATOR:

        @functools.wraps(function)
        async def async_generator(*args: Any, **kwargs: Any) -> Any:
            source = function(*args, **kwargs)
            run = _core.Run(name, note, sync)
            step, value = source.asend, None
            while True:
                run.resume()
                try:
                    item = await step(value)
                except StopAsyncIteration:
                    run.end(False)
                    return
                except BaseException as error:
                    run.end(is_failure(error))
                    raise
                run.suspend()
                try:
                    step, value = source.asend, (yield item)
                except GeneratorExit:
                    run.resume()
                    try:
                        if not source.ag_running:  # else the loop is closing it already
                            await source.aclose()
                    finally:
                        run.end(False)
                    raise
                except BaseException as error:
                    step, value = source.athrow, error

        return async_generator

    if flags & GENERATOR:

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            source = function(*args, **kwargs)
            run = _core.Run(name, note, sync)
            step, value = source.send, None
            while True:
                run.resume()
                try:
                    item = step(value)
                except StopIteration as end:
                    run.end(False)
                    return end.value
                except BaseException as error:
                    run.end(is_failure(error))
                    raise
                run.suspend()
                try:
                    step, value = source.send, (yield item)
                except BaseException as error:
                    step, value = source.throw, error

        return generator

    if note is None and sync is None:
        return _core.Call(function, name, True)

    @functools.wraps(function)
    def plain(*args: Any, **kwargs: Any) -> Any:
        with _core.stage(name, note, sync):
            return function(*args, **kwargs)

    return plain


async def count_async(source: Any, bar: _core.Track[Any]) -> AsyncIterator[Any]:
    """track() of an async iterable."""
    with bar:
        async for item in source:
            yield item
            bar.update(1)
