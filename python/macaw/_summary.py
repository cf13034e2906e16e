# SPDX-License-Identifier: MIT
"""The stage summary as a value."""

from __future__ import annotations

import csv
import html
import io
from typing import Any

HEADER = "path,name,depth,kind,count,total_s,self_s,avg_s,min_s,max_s,std_s,errors,note".split(",")


class Summary:
    """Prints as the console's table. `rows`: one dict a stage in tree order, times in seconds."""

    def __init__(self, rows: list[dict[str, Any]], table: str) -> None:
        self.rows = rows
        self._table = table

    def __str__(self) -> str:
        return self._table.rstrip("\n")

    __repr__ = __str__

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """By path, its names joined with "/" ("~0" and "~1" stand for "~" and "/" inside a name)."""
        return {joined(row["path"]): dict(row) for row in self.rows}

    def to_csv(self, path: Any = None) -> str:
        """The text, in the columns of the collector's export; also written to `path`, a file name or an open file."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(HEADER)
        for row in self.rows:
            times = [repr(float(row[key])) for key in ("total", "self", "avg", "min", "max", "std")]
            names = [harmless(joined(row["path"])), harmless(row["path"][-1])]
            writer.writerow(
                [*names, row["depth"], row["kind"], row["count"], *times, row["errors"], harmless(row["note"])]
            )
        text = out.getvalue()
        if hasattr(path, "write"):
            path.write(text)
        elif path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def _repr_html_(self) -> str:
        titles = ("stage", "count", "total", "avg", "min", "max", "±", "note")
        head = "".join(f"<th>{title}</th>" for title in titles)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(html_row, self.rows))}</tbody></table>"


def html_row(row: dict[str, Any]) -> str:
    times = "".join(f"<td>{row[key]:.3f}s</td>" for key in ("total", "avg", "min", "max", "std"))
    name = f'<td style="text-align: left; padding-left: {row["depth"] + 0.5}em">{html.escape(row["path"][-1])}</td>'
    return f"<tr>{name}<td>{row['count']}</td>{times}<td>{html.escape(row['note'])}</td></tr>"


def joined(path: tuple[str, ...]) -> str:
    return "/".join(name.replace("~", "~0").replace("/", "~1") for name in path)


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") and text else text
