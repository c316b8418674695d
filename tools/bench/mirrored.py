"""Test whether one end of a mirrored table is better: 4,000 battles of equal fleets.

`python -m tools.bench.mirrored [--battles N]` prints, for each pair of fleets, how many battles
each side won, and the deviation from a fair coin in standard errors. The exit status is 1 if it is
more than three. The gate fights 200 battles of each pair.
"""

from __future__ import annotations

import argparse
import sys

from tests.engine.battle.test_captains import CAPTAIN, count_wins, mixed_squadrons
from tests.engine.battle.test_whole_battles import first_battle

BATTLES = 2000  # battles for each pair of fleets
MAX_ERRORS = 3.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--battles", type=int, default=BATTLES, help=f"of each pair of fleets (default {BATTLES})"
    )
    battles = parser.parse_args().battles
    unfair = 0
    print(f"{'fleets':<14} {'red':>6} {'blue':>6} {'errors':>7}")
    for name, document in (("first battle", first_battle()), ("mixed", mixed_squadrons())):
        red, blue = count_wins(document, CAPTAIN, CAPTAIN, range(1000, 1000 + battles))
        errors = abs(red - blue) / max(red + blue, 1) ** 0.5
        unfair += errors > MAX_ERRORS
        print(f"{name:<14} {red:>6} {blue:>6} {errors:>7.2f}")
    return 1 if unfair else 0


if __name__ == "__main__":
    sys.exit(main())
