# SPDX-License-Identifier: MIT
"""Which room may include which: the arrows of the house, checked from the include lines.

    app -> widgets -> collector/model        collector -> sdk (wire, eta)        python -> sdk        tests -> anything

Prints one line for each include that breaks them and exits 1; DEBTS lists the exceptions that are known and regretted.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')

# The room of a file is the longest name that its path begins with. A room may include itself and what it lists: a folder
# with all below it ("x/**"), the files of a folder ("x/*"), one header, or "Qt" for any Qt header.
ROOMS: dict[str, tuple[str, ...]] = {
    "sdk/include": ("macaw/**",),
    "sdk/examples": ("macaw/**",),
    "sdk/src/wire": (),
    "sdk/src/record": ("sdk/src/wire/**",),
    "sdk/src/report": ("sdk/src/wire/**", "sdk/src/record/**"),
    "sdk/src/console": ("sdk/src/wire/**",),
    "sdk/src/process": ("sdk/**", "macaw/**"),
    "collector/model": ("sdk/src/wire/**", "sdk/src/record/eta.hpp"),
    "collector/ingest": ("sdk/src/wire/**", "collector/model/**", "collector/*", "Qt"),
    "collector/mirror": ("sdk/src/wire/**", "collector/model/**", "collector/*", "web/*", "Qt"),
    "collector/history": ("collector/model/**", "collector/*", "Qt"),
    "collector": ("sdk/src/wire/**", "collector/**", "macaw/version.hpp", "web/*", "Qt"),
    "widgets": ("collector/model/**", "Qt"),
    "app": ("widgets/**", "collector/**", "macaw/version.hpp", "Qt"),
    "python": ("sdk/**", "macaw/**", "pybind11/**", "Python.h", "structmember.h"),
    "web": ("Qt",),
}
# What stands outside all rooms but is not everybody's.
FOREIGN = ("macaw/", "pybind11/", "Python.h", "structmember.h")
DEBTS: set[tuple[str, str]] = set()


def room_of(path: str) -> str | None:
    fitting = [room for room in ROOMS if path == room or path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def fits(header: str, allowed: str) -> bool:
    folder, _, rest = allowed.rpartition("/")
    if rest == "**":
        return header.startswith(folder + "/")
    if rest == "*":
        return header.rpartition("/")[0] == folder
    return header == allowed


def may_include(room: str, header: str, quoted: bool) -> bool:
    if re.match(r"Q[A-Z]|Qt[A-Z]", header):
        return "Qt" in ROOMS[room]
    if not quoted and not header.startswith(FOREIGN):
        return True  # the standard library and the system
    return any(fits(header, allowed) for allowed in (*ROOMS[room], room + "/**"))


def broken(files: Iterable[tuple[str, str]]) -> Iterator[str]:
    """One message for each include, in (path, text) pairs, that no arrow allows."""
    for path, text in files:
        room = room_of(path)
        if room is None:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or (path, match[2]) in DEBTS:
                continue
            if not may_include(room, match[2], match[1] == '"'):
                yield f"{path}:{number}: {room} must not include {match[2]}"


def tracked_sources() -> Iterator[tuple[str, str]]:
    top = Path(__file__).resolve().parents[2]
    listed = subprocess.run(
        ["git", "ls-files", "*.cpp", "*.hpp", "*.h"], cwd=top, check=True, capture_output=True, text=True
    ).stdout
    for path in listed.splitlines():
        if (top / path).exists():
            yield path, (top / path).read_text()


def main() -> int:
    messages = list(broken(tracked_sources()))
    for message in messages:
        print(message)
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
