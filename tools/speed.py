"""How fast this machine is: `python -m tools.speed` prints the processor time of fixed work.

It divides processor times, so that runs on several machines, or at several times, can be compared.
"""

from __future__ import annotations

import sys
import time

TRIES = 5
ROUNDS = 1_000_000
"""Never change this: figures from before could no longer be compared."""


def seconds() -> float:
    """The processor time of the work, the least of a few tries."""
    return min(_tried() for _ in range(TRIES))


def _tried() -> float:
    began = time.process_time()
    _work()
    return time.process_time() - began


def _work() -> None:
    counts: dict[int, int] = {}
    for number in range(ROUNDS):
        key = number * 7919 % 1009
        counts[key] = counts.get(key, 0) + number


if __name__ == "__main__":
    sys.stdout.write(f"{seconds():.3f} s\n")
