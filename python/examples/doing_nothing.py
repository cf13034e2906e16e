# SPDX-License-Identifier: MIT
"""Two hundred rounds of honest work that leads nowhere: the shortest tour of what a watched job looks like.

python doing_nothing.py [rounds]
"""

import sys

import macaw
import numpy as np

SAMPLES = 65_536
MOODS = ("good", "bad", "strange")


def main(rounds: int = 200) -> None:
    random = np.random.default_rng(1)
    for i, x in macaw.track(enumerate(range(rounds)), total=rounds, desc="doing nothing"):
        with macaw.stage("generate_data"):
            data = random.random(SAMPLES) * i
            macaw.log.info("generated %d numbers", data.size)

        with macaw.stage("fourier_transform"):
            spectrum = np.fft.fftshift(np.fft.fft(data))
            macaw.log.info("transformed round %d", i)

        mean = float(np.abs(spectrum).mean())
        macaw.metrics(mean=mean, is_big=mean > 5_000, confidence=float(random.random()), vibes=MOODS[x % len(MOODS)])
    macaw.log.info("done")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
