"""Measure wars between computer admirals: who wins, how long they take, which ones cannot be
played.

`python -m tools.bench.admirals [--scenario lafayette ...] [--wars 100] [--first 0] [--jobs 2]
[--admiral esu=bold ...]` plays whole wars of each scenario (`--scenario all`: of every one) in
memory. It prints the shares, the balance with 95% intervals (`umpire.balance`), and one line of
JSON for each scenario. A war that ends in an error is printed with its seed and error; the others
continue, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing import Pool

from campaign.rules.files import fixture_scenario, fixture_scenarios
from umpire.balance import WarEnd, balance_of
from umpire.rehearsal import PlayedStage, play


@dataclass(frozen=True, slots=True)
class WarFigures:
    """The figures of one war; `seconds` is processor time."""

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


@dataclass(frozen=True, slots=True)
class WarFailure:
    """A war that could not be played to its end: its seed, the error in one line, and where it
    happened.
    """

    seed: int
    error: str
    trace: str


def play_war(task: tuple[str, tuple[tuple[str, str], ...], int]) -> WarFigures | WarFailure:
    """Play one war; return its figures or its error."""
    slug, admirals, seed = task
    scenario = fixture_scenario(slug)
    began = time.process_time()
    try:
        war = play(scenario, dict(admirals), seed)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is told with its seed, and the others are played)
        return WarFailure(seed, repr(error), "".join(traceback.format_exception(error)))
    seconds = time.process_time() - began
    events = [event for played in war.history for event in played.outcome.week_events]
    return WarFigures(
        seed=seed,
        result=war.result,
        winner=war.winner,
        weeks=war.weeks,
        battles=sum(event.code == "battle-over" for event in events),
        withdrew=sum(event.code == "withdrew" for event in events),
        glared=sum(
            event.code == "decided" and dict(event.facts)["outcome"] == "apart" for event in events
        ),
        repaired=sum(event.code == "repaired" for event in events),
        retaken=sum(map(_count_retaken, war.history)),
        seconds=seconds,
    )


def _count_retaken(played: PlayedStage) -> int:
    """Return how many systems passed from one faction's superiority to another's in a stage."""
    before = {holding.system: holding.superior for holding in played.before.holdings}
    after = {holding.system: holding.superior for holding in played.outcome.world.holdings}
    return sum(
        before[id_] is not None and now is not None and now != before[id_]
        for id_, now in after.items()
    )


def summary(wars: Sequence[WarFigures]) -> dict[str, object]:
    """Return the shares by result and by winner (also of decided wars only), and means per war."""
    count = len(wars)
    decided = Counter(war.winner for war in wars if war.winner)
    winners = Counter(war.winner or "nobody" for war in wars)
    results = Counter(war.result for war in wars)
    return {
        "wars": count,
        "winners": {name: round(number / count, 3) for name, number in sorted(winners.items())},
        "decided": {
            name: round(number / decided.total(), 3) for name, number in sorted(decided.items())
        },
        "results": {name: round(number / count, 3) for name, number in sorted(results.items())},
        "weeks": dict(sorted(Counter(war.weeks for war in wars).items())),
        **{
            name: round(sum(getattr(war, name) for war in wars) / count, 2)
            for name in ("battles", "withdrew", "glared", "repaired", "retaken", "seconds")
        },
        "slowest": round(max(war.seconds for war in wars), 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scenario", action="append", help="of the scenarios that come with the project, or all"
    )
    parser.add_argument("--wars", type=int, default=100, help="how many of each")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--admiral", action="append", default=[], help="faction=character")
    parser.add_argument("--each", action="store_true", help="a line of JSON for every war")
    args = parser.parse_args()
    admirals = tuple(sorted(tuple(item.split("=", 1)) for item in args.admiral))
    slugs = args.scenario or ["lafayette"]
    died = 0
    with Pool(args.jobs) as pool:
        for slug in fixture_scenarios() if slugs == ["all"] else slugs:
            tasks = [(slug, admirals, seed) for seed in range(args.first, args.first + args.wars)]
            played = pool.map(play_war, tasks, chunksize=1)
            died += print_results(slug, admirals, played, each=args.each)
    return 1 if died else 0


def print_results(
    slug: str,
    admirals: Sequence[tuple[str, str]],
    played: Sequence[WarFigures | WarFailure],
    *,
    each: bool,
) -> int:
    """Print the results of a scenario's wars; return how many ended in an error."""
    wars = [war for war in played if isinstance(war, WarFigures)]
    dead = [war for war in played if isinstance(war, WarFailure)]
    for war in wars if each else ():
        print(json.dumps(asdict(war)))
    for one_dead in dead:
        print(f"{slug}, seed {one_dead.seed}: {one_dead.error}\n{one_dead.trace}", file=sys.stderr)
    figures = summary(wars) if wars else {"wars": 0}
    for name, value in figures.items():
        print(f"{name:10} {value}")
    if wars:
        balance = balance_of(
            fixture_scenario(slug), (WarEnd(war.result, war.winner, war.weeks) for war in wars)
        )
        print(
            f"last week  {balance.last_week}",
            *(share.words for share in balance.shares),
            balance.verdict,
            sep="\n",
        )
    seeds = [war.seed for war in dead]
    print(
        json.dumps({"scenario": slug, "admirals": dict(admirals), "died": seeds, **figures}),
        flush=True,
    )
    return len(dead)


if __name__ == "__main__":
    sys.exit(main())
