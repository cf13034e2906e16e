# SPDX-License-Identifier: GPL-3.0-or-later
"""The vectors' bytes mean what their JSON says, by the judgement of a decoder that is not ours."""

import json
import math
import pathlib
import uuid

import cbor2
import pytest

HERE = pathlib.Path(__file__).parent
WRITTEN = sorted(path.stem for path in HERE.glob("*.json"))
# cbor2.loads() stops behind the first item, so bytes that follow it are no error there.
MALFORMED = sorted(path for path in HERE.glob("refused/malformed/*.hex") if path.stem != "trailing-byte")
NUMBER_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def read_bytes(name: str) -> bytes:
    return bytes.fromhex((HERE / f"{name}.hex").read_text(encoding="ascii"))


def read_meaning(name: str) -> object:
    return on_the_wire(json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")))


def on_the_wire(value: object, key: str = "") -> object:
    """The JSON form of a value as what CBOR carries."""
    if isinstance(value, dict):
        return {name: on_the_wire(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [on_the_wire(item) for item in value]
    if isinstance(value, str):
        if key in ("job", "parent"):
            return uuid.UUID(value).bytes
        if key == "value":
            return NUMBER_WORDS.get(value, value)
    return value


def same(left: object, right: object) -> bool:
    """Equal in value and type, with NaN equal to itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) and math.isnan(left):
        return math.isnan(right)
    return left == right


def test_there_are_vectors_of_every_kind() -> None:
    kinds = {"hello", "usage", "bars", "stages", "metrics", "logs", "finish-ok", "mixed", "answer"}
    assert kinds <= set(WRITTEN)


@pytest.mark.parametrize("name", [*WRITTEN, "reads/indefinite", "reads/wide"])
def test_bytes_have_the_meaning(name: str) -> None:
    assert same(cbor2.loads(read_bytes(name)), read_meaning(name))


@pytest.mark.parametrize("name", WRITTEN)
def test_a_report_fits_a_datagram(name: str) -> None:
    assert len(read_bytes(name)) <= 1200


@pytest.mark.parametrize("path", MALFORMED, ids=lambda path: path.stem)
def test_malformed_bytes_are_malformed_for_others_too(path: pathlib.Path) -> None:
    data = bytes.fromhex(path.read_text(encoding="ascii"))
    if data[:1] == b"{":
        with pytest.raises(ValueError):
            json.loads(data, parse_constant=reject_constant)
    else:
        with pytest.raises(Exception):  # noqa: B017 - which one differs by version; that it refuses is what counts
            cbor2.loads(data)


def reject_constant(word: str) -> None:
    raise ValueError(word)
