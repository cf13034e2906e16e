# SPDX-License-Identifier: MIT
"""A notebook's kernel is one job. A cell that fails is an event in it, not its end, and leaves nothing open for the
next one. Imported when a job starts inside IPython."""

from __future__ import annotations

from typing import Any

from macaw import _core, _ends


def follow_cells(shell: Any) -> None:
    """Hears of every cell's end, that of the running one included."""
    shell.events.register("post_run_cell", cell_ended)


def cell_ended(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    if error is None:
        return
    interrupted = isinstance(error, KeyboardInterrupt)
    _core.start_clean(interrupted)
    if interrupted:
        _core.log.warning("the cell was interrupted")
    else:
        _core.log.error(_ends.formatted(error)[-_ends.MAX_TRACE :])
