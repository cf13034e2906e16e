# SPDX-License-Identifier: MIT
"""A UDP relay between jobs and a collector that loses datagrams at random, both ways, by a seed.

As a program: lossy_relay.py --to 127.0.0.1:6229 [--drop 0.2] [--duplicate 0.1] [--seed 1]
prints {"port": N} once it listens and relays until it is ended.
In tests: `with LossyRelay((host, port), drop=0.2) as relay`.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import socket
import threading

Address = tuple[str, int]


class LossyRelay:
    def __init__(self, target: Address, drop: float = 0.0, duplicate: float = 0.0, seed: int = 1) -> None:
        self.target, self.drop, self.duplicate = target, drop, duplicate
        self.passed = self.dropped = 0
        self._chance = random.Random(seed)
        self._selector = selectors.DefaultSelector()
        self._front = self._socket()
        self._front.bind(("127.0.0.1", 0))
        self.port: int = self._front.getsockname()[1]
        self._selector.register(self._front, selectors.EVENT_READ, None)
        self._back: dict[Address, socket.socket] = {}  # one socket a job, so that answers find their way back
        self._wake, self._stop = socket.socketpair()
        self._selector.register(self._wake, selectors.EVENT_READ, None)
        self._thread = threading.Thread(target=self.run, name="relay")

    def __enter__(self) -> LossyRelay:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.send(b"x")
        self._thread.join()
        for each in (self._front, self._wake, self._stop, *self._back.values()):
            each.close()

    def run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._wake:
                    return
                self._relay(key.fileobj, key.data)  # type: ignore[arg-type]

    def _relay(self, source: socket.socket, job: Address | None) -> None:
        try:
            data, sender = source.recvfrom(65536)
        except OSError:  # the other end is not there; the next datagram asks again
            return
        if self._chance.random() < self.drop:
            self.dropped += 1
            return
        for _ in range(2 if self._chance.random() < self.duplicate else 1):
            self.passed += 1
            if job is None:
                self._towards_collector(sender).sendto(data, self.target)
            else:
                self._front.sendto(data, job)

    def _towards_collector(self, job: Address) -> socket.socket:
        if job not in self._back:
            self._back[job] = self._socket()
            self._back[job].bind(("127.0.0.1", 0))
            self._selector.register(self._back[job], selectors.EVENT_READ, job)
        return self._back[job]

    @staticmethod
    def _socket() -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)  # only the dice lose datagrams
        return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", default="127.0.0.1:6229")
    parser.add_argument("--drop", type=float, default=0.2)
    parser.add_argument("--duplicate", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    host, port = options.to.rsplit(":", 1)
    relay = LossyRelay((host, int(port)), options.drop, options.duplicate, options.seed)
    print(json.dumps({"port": relay.port}), flush=True)
    relay.run()


if __name__ == "__main__":
    main()
