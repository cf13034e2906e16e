# SPDX-License-Identifier: MIT
"""Which room may include which: the arrows of the house, checked from the include and import lines.

    app -> widgets -> collector/model        collector -> sdk (wire, eta)        python -> sdk        tests -> anything
    web, julia, and the Python package -> nothing of the house: they share documents and vectors

Prints one line for each include that breaks them and exits 1; DEBTS lists the exceptions that are known and regretted.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')

# The room of a file is the longest name that its path begins with. A room may include itself and what it lists: a
# folder with all below it ("x/**"), the files of a folder ("x/*"), one header, or "Qt" for any Qt header.
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
# The other languages: what names a module, and which of these a room may name. Relative names of the page stay inside
# it, as web_escapes() checks; the standard libraries are everybody's.
PYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))")
PYTHON_MODULES = {"macaw", *sys.stdlib_module_names}
WEB_IMPORT = re.compile(r"""^\s*(?:import|export)\b(?:[^'"]*\bfrom)?\s*['"]([^'"]+)['"]""")
WEB_MODULES = (
    "react",
    "react-dom",
    "uplot",
    "@tanstack/react-virtual",
    "vite",
    "@vitejs/",
    "vitest",
    "node:",
    "virtual:",
)
JULIA_IMPORT = re.compile(r"^\s*(?:using|import)\s+(\w+)")
JULIA_MODULES = {"Base", "Dates", "Libdl", "Logging", "Printf", "Random", "Sockets", "Statistics", "UUIDs", "Macaw"}
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
    """One message for each include or import, in (path, text) pairs, that no arrow allows."""
    for path, text in files:
        for number, line in enumerate(text.splitlines(), 1):
            name = forbidden(path, line)
            if name and (path, name) not in DEBTS:
                yield f"{path}:{number}: {room_of(path) or path.split('/')[0]} must not include {name}"


def forbidden(path: str, line: str) -> str | None:
    """What the line takes in that its file must not."""
    if path.startswith("python/macaw/"):
        match = PYTHON_IMPORT.match(line)
        name = (match[1] or match[2]) if match else "macaw"
        return None if name.startswith(".") or name.split(".")[0] in PYTHON_MODULES else name
    if path.startswith("web/") and path.endswith((".ts", ".tsx")):
        match = WEB_IMPORT.match(line)
        return match[1] if match and web_escapes(path, match[1]) else None
    if path.startswith("julia/src/"):
        match = JULIA_IMPORT.match(line)
        return match[1] if match and match[1] not in JULIA_MODULES else None
    match = INCLUDE.match(line)
    room = room_of(path)
    if not match or room is None or may_include(room, match[2], match[1] == '"'):
        return None
    return match[2]


def web_escapes(path: str, name: str) -> bool:
    if name.startswith("."):
        return not posixpath.normpath(posixpath.join(posixpath.dirname(path), name)).startswith("web/")
    return not name.startswith(WEB_MODULES)


def tracked_sources() -> Iterator[tuple[str, str]]:
    top = Path(__file__).resolve().parents[2]
    kinds = ["*.cpp", "*.hpp", "*.h", "*.py", "*.jl", "*.ts", "*.tsx"]
    listed = subprocess.run(["git", "ls-files", *kinds], cwd=top, check=True, capture_output=True, text=True).stdout
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
