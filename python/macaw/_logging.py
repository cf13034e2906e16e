# SPDX-License-Identifier: MIT
"""The standard library's log records as the job's log lines. Imported when asked for, as logging is not small."""

from __future__ import annotations

import logging

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
            text = self.format(record)
            for level, write in LEVELS:
                if record.levelno >= level:
                    return write(text)
            _core.log.debug(text)
        except Exception:
            self.handleError(record)
