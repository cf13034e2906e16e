# SPDX-License-Identifier: MIT
"""Every source file names its licence in its first lines: MIT where users may link it, GPL where Qt asks for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ENDINGS = (
    "*.cpp",
    "*.hpp",
    "*.h",
    "*.c",
    "*.py",
    "*.pyi",
    "*.jl",
    "*.ts",
    "*.tsx",
    "*.css",
    "*.cmake",
    "CMakeLists.txt",
    "*.sh",
)
MIT_ROOMS = ("sdk/", "python/", "julia/", "web/")


def headless() -> list[str]:
    """One message a file without a licence line, or with one that its room does not allow."""
    top = Path(__file__).resolve().parents[2]
    listed = subprocess.run(["git", "ls-files", *ENDINGS], cwd=top, check=True, capture_output=True, text=True).stdout
    messages = []
    for name in listed.splitlines():
        path = top / name
        if not path.exists() or path.stat().st_size == 0:
            continue
        head = "\n".join(path.read_text().splitlines()[:4])
        if "SPDX-License-Identifier:" not in head:
            messages.append(f"{name}: no SPDX-License-Identifier in the first lines")
        elif name.startswith(MIT_ROOMS) and "GPL" in head:
            messages.append(f"{name}: GPL in a room that is MIT")
    return messages


def main() -> int:
    messages = headless()
    print("\n".join(messages))
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
