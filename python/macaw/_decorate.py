# SPDX-License-Identifier: MIT
"""Functions as stages: each kind is timed while it runs, not while it is made. Imported with the first decorator."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from typing import Any, Callable

from macaw import _core

COROUTINE, GENERATOR, ASYNC_GENERATOR = 0x80, 0x20, 0x200  # inspect.CO_…, without importing inspect


def bare_stage(function: Callable[..., Any]) -> Callable[..., Any]:
    """@macaw.stage without a name takes the function's."""
    return stage(function, getattr(function, "__qualname__", repr(function)), None, None)


def stage(
    function: Callable[..., Any], name: str, note: object, sync: Callable[[], object] | None
) -> Callable[..., Any]:
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
            with _core.stage(name, note, sync):
                async for item in function(*args, **kwargs):
                    yield item

        return async_generator

    if flags & GENERATOR:

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            with _core.stage(name, note, sync):
                return (yield from function(*args, **kwargs))

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
