# SPDX-License-Identifier: MIT
"""The arrows hold in the tree, and the check sees each kind of break."""

from __future__ import annotations

import pytest
from check_arrows import broken, tracked_sources
from check_heads import headless


def test_the_tree_keeps_the_arrows() -> None:
    files = list(tracked_sources())
    assert len(files) > 50
    assert list(broken(files)) == []


def test_every_source_file_names_its_licence() -> None:
    assert headless() == []


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("sdk/src/record/ring.hpp", "<QString>"),
        ("sdk/src/wire/encode.cpp", '"sdk/src/record/bar.hpp"'),
        ("collector/model/model.cpp", '"collector/ingest/receiver.hpp"'),
        ("collector/model/model.cpp", "<QUdpSocket>"),
        ("collector/collector.cpp", '"widgets/theme/theme.hpp"'),
        ("collector/ingest/ingest.cpp", '"collector/mirror/mirror.hpp"'),
        ("widgets/models/job_list_model.cpp", '"collector/mirror/mirror.hpp"'),
        ("widgets/models/job_list_model.cpp", '"collector/collector.hpp"'),
        ("app/main.cpp", '"sdk/src/wire/decode.hpp"'),
        ("sdk/include/macaw/bar.hpp", '"sdk/src/record/bar.hpp"'),
        ("collector/model/model.cpp", "<pybind11/pybind11.h>"),
    ],
)
def test_a_broken_arrow_is_seen(path: str, include: str) -> None:
    assert len(list(broken([(path, f"#include {include}\n")]))) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("python/macaw/_wrap.py", "    import numpy as np"),
        ("python/macaw/_wrap.py", "from tests.python import receiver"),
        ("web/src/App.tsx", "import { job } from '../../collector/model';"),
        ("web/src/App.tsx", "import axios from 'axios';"),
        ("web/src/App.tsx", "import 'bootstrap/dist/bootstrap.css';"),
        ("julia/src/wire.jl", "using CBOR"),
    ],
)
def test_a_foreign_import_is_seen(path: str, line: str) -> None:
    assert len(list(broken([(path, line + "\n")]))) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("python/macaw/_wrap.py", "from macaw import _core"),
        ("python/macaw/_wrap.py", "import sys"),
        ("web/src/job/Job.tsx", "import { useEffect } from 'react';"),
        ("web/src/job/Job.tsx", "import { percent } from '../format/format';"),
        ("julia/src/wire.jl", "using Printf: @sprintf"),
    ],
)
def test_the_standard_library_and_the_room_itself_are_allowed(path: str, line: str) -> None:
    assert list(broken([(path, line + "\n")])) == []


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("app/main.cpp", '"widgets/theme/theme.hpp"'),
        ("app/main.cpp", '"collector/collector.hpp"'),
        ("collector/model/model.cpp", '"sdk/src/wire/report.hpp"'),
        ("widgets/paint/paint.cpp", "<QPainter>"),
        ("sdk/src/process/api.cpp", '"macaw/macaw.hpp"'),
        ("collector/mirror/mirror.cpp", '"web/web_resources.hpp"'),
        ("tests/app/window_test.cpp", '"sdk/src/wire/decode.hpp"'),
    ],
)
def test_the_drawn_arrows_are_allowed(path: str, include: str) -> None:
    assert list(broken([(path, f"#include {include}\n")])) == []
