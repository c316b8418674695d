"""Who wins a war led by computer admirals, how often, and how long one takes.

`python -m bench.admirals [--scenario lafayette] [--seeds 100] [--first 0] [--jobs 2] [--admiral esu=bold ...]` plays
whole wars in memory and prints the shares, then one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing import Pool

from campaign.rules.files import fixture_scenario
from umpire.rehearsal import Played, play


@dataclass(frozen=True, slots=True)
class Ended:
    """A war in figures."""

    seed: int
    result: str
    winner: str | None
    weeks: int
    battles: int
    withdrew: int
    glared: int
    repaired: int
    retaken: int
    seconds: float


def one(task: tuple[str, tuple[tuple[str, str], ...], int]) -> Ended:
    """One war."""
    slug, admirals, seed = task
    scenario = fixture_scenario(slug)
    began = time.perf_counter()
    war = play(scenario, dict(admirals), seed)
    seconds = time.perf_counter() - began
    told = [happening for played in war.history for happening in played.outcome.happenings]
    return Ended(
        seed=seed,
        result=war.result,
        winner=war.winner,
        weeks=war.weeks,
        battles=sum(happening.code == "battle-over" for happening in told),
        withdrew=sum(happening.code == "withdrew" for happening in told),
        glared=sum(happening.code == "decided" and dict(happening.facts)["came-to"] == "apart" for happening in told),
        repaired=sum(happening.code == "repaired" for happening in told),
        retaken=sum(map(_retaken, war.history)),
        seconds=seconds,
    )


def _retaken(played: Played) -> int:
    """How many systems changed from one superior to another in a stage."""
    before = {holding.system: holding.superior for holding in played.before.holdings}
    after = {holding.system: holding.superior for holding in played.outcome.world.holdings}
    return sum(before[id_] is not None and now is not None and now != before[id_] for id_, now in after.items())


def summary(wars: Sequence[Ended]) -> dict[str, object]:
    """Shares by result and by winner (a draw has none), and means a war."""
    count = len(wars)
    winners = Counter(war.winner or "nobody" for war in wars)
    results = Counter(war.result for war in wars)
    return {
        "wars": count,
        "winners": {name: round(many / count, 3) for name, many in sorted(winners.items())},
        "results": {name: round(many / count, 3) for name, many in sorted(results.items())},
        "weeks": dict(sorted(Counter(war.weeks for war in wars).items())),
        **{
            name: round(sum(getattr(war, name) for war in wars) / count, 2)
            for name in ("battles", "withdrew", "glared", "repaired", "retaken", "seconds")
        },
        "slowest": round(max(war.seconds for war in wars), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="lafayette")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--admiral", action="append", default=[], help="faction=character")
    parser.add_argument("--each", action="store_true", help="a line of JSON for every war")
    given = parser.parse_args()
    admirals = tuple(sorted(tuple(item.split("=", 1)) for item in given.admiral))
    tasks = [(given.scenario, admirals, seed) for seed in range(given.first, given.first + given.seeds)]
    with Pool(given.jobs) as pool:
        wars = pool.map(one, tasks, chunksize=1)
    if given.each:
        for war in wars:
            print(json.dumps(asdict(war)))
    found = summary(wars)
    for name, value in found.items():
        print(f"{name:10} {value}")
    print(json.dumps({"scenario": given.scenario, "admirals": dict(admirals), **found}))


if __name__ == "__main__":
    main()
