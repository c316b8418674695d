"""Whether the Python that runs this can make Blind Jump's environment, and how fast it is.

Prints the microseconds of a small piece of work, the shortest of some tries; exit status 1 where it is no Python 3.11
or cannot make virtual environments. Pythons of one version differ by half: one built from its sources without
profile-guided optimisation is that much slower than a distribution's.
"""

from __future__ import annotations

import ensurepip
import sys
import time
import venv

TRIES = 7
ROUNDS = 10_000


class Thing:
    """Something to be made, asked and forgotten, as a program does all day."""

    def __init__(self, first: int, second: int) -> None:
        self.first, self.second = first, second

    def total(self) -> int:
        return self.first + self.second


def work() -> float:
    """Seconds of making objects, calling methods and filling a dictionary."""
    started = time.perf_counter()
    sums: dict[int, int] = {}
    for number in range(ROUNDS):
        sums[number % 100] = Thing(number, number + 1).total()
    sorted(sums.values())
    return time.perf_counter() - started


if __name__ == "__main__":
    if sys.version_info[:2] != (3, 11) or not (ensurepip and venv):
        sys.exit(1)
    print(round(min(work() for _ in range(TRIES)) * 1e6))
