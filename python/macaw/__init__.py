# SPDX-License-Identifier: MIT
"""Watch a running job: what it is doing, how far it is, where the time goes.

    import macaw

    for x in macaw.track(data, desc="fit"):
        with macaw.stage("solve"):
            ...
        macaw.metrics(loss=0.3)
        macaw.log.info("solved %d", x)

The first use starts the job; nothing here raises, blocks or changes a result.
"""

from __future__ import annotations

from macaw import _core, _wrap
from macaw._core import __version__, finish, log, metrics, stage, track
from macaw._wrap import wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from macaw._logging import LogHandler
    from macaw._summary import Summary

    job_id: str

__all__ = [
    "LogHandler",
    "__version__",
    "finish",
    "init",
    "job_id",
    "log",
    "metrics",
    "stage",
    "summary",
    "track",
    "wrap",
]


def init(
    name: str | None = None,
    url: str | None = None,
    key: str | None = None,
    console: str | None = None,
    tags: Mapping[str, object] | None = None,
    wrap: bool = True,
    capture: bool = False,
) -> None:
    """Starts the job by wish; optional, and without effect once it has started.

    name: shown for the job. url: "udp://host:6229". key: seals the reports, 16 characters or more.
    console: "auto", "live", "plain" or "off". tags: shown beside the job. wrap=False leaves the functions of numpy and
    others alone. capture=True takes what goes through logging and warnings as log lines, too.
    """
    if not wrap:
        _wrap.leave_libraries_alone()
    if capture:
        from macaw._logging import capture_all

        capture_all()
    _core.init(name, url, key, console, tags)


def summary() -> Summary:
    """The stages so far, with their counts and times: prints as a table."""
    from macaw._summary import Summary

    return Summary(*_core.summary())


def __getattr__(name: str) -> object:
    if name == "job_id":
        return _core.job_id()
    if name == "LogHandler":
        from macaw._logging import LogHandler

        return LogHandler
    raise AttributeError(f"module 'macaw' has no attribute {name!r}")


_wrap.wrap_libraries()
