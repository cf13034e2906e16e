# SPDX-License-Identifier: MIT
from __future__ import annotations

import socket

import pytest
from lossy_relay import LossyRelay


def udp() -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(("127.0.0.1", 0))
    made.settimeout(5)
    return made


@pytest.mark.parametrize(("drop", "low", "high"), [(0.0, 300, 300), (0.2, 215, 265), (1.0, 0, 0)])
def test_loses_its_share_and_brings_answers_back(drop: float, low: int, high: int) -> None:
    with udp() as collector, udp() as job, LossyRelay(collector.getsockname(), drop=drop, seed=3) as relay:
        arrived = 0
        for number in range(300):
            before = relay.dropped
            job.sendto(b"%d" % number, ("127.0.0.1", relay.port))
            while True:
                collector.settimeout(0.01)
                try:
                    data, sender = collector.recvfrom(100)
                except TimeoutError:
                    if relay.dropped > before:
                        break
                    continue
                assert data == b"%d" % number
                arrived += 1
                break
        assert low <= arrived <= high
        assert arrived + relay.dropped == 300
        if not drop:
            collector.sendto(b"answer", sender)
            assert job.recv(100) == b"answer"
