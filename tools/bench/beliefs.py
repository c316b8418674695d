"""How often the truth lies within the odds that a faction could reckon before it: meetings of
computer admirals.

`python -m tools.bench.beliefs [--scenario lafayette] [--meetings 300] [--first 0] [--samples 39]
[--jobs 1]` plays wars in memory. Of every meeting that becomes a battle of two factions, neither of
which withdraws, each side's 90 % intervals, reckoned from its View as it had to decide, are held
against what it and the other side lost; and how often the side that strengths alone call the
stronger wins these battles; also the intervals of the first battles alone. It prints the shares,
then a line of JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing import Pool

from campaign.belief.estimate import estimate
from campaign.belief.forces import Belief
from campaign.belief.meetings import Question
from campaign.belief.odds import fight_samples, interval
from campaign.kinds import StageKind
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import Doctrine, View
from umpire.adjudication.outcome import BattleResult
from umpire.rehearsal import PlayedStage, play

EARLY = (1, 2, 3, 5, 9)  # so many battles alone
GONE = ("destroyed", "captured", "struck", "hulk", "carried-off")


@dataclass(frozen=True, slots=True)
class Held:
    """One side's forecast of a battle: the share lost and its interval in per cent, of its own and
    of the others. `early`: of the intervals of the first battles alone (`EARLY`), how many of the
    two hold what was lost. `foretold`: of the `decided` battles fought for it, those won by the
    side that strengths alone call the stronger.
    """

    mine: float
    mine_interval: tuple[int, int]
    theirs: float
    theirs_interval: tuple[int, int]
    early: tuple[int, ...]
    seconds: float
    ships: int
    foretold: int
    decided: int

    @property
    def holds_mine(self) -> bool:
        return _holds(self.mine_interval, self.mine)

    @property
    def holds_theirs(self) -> bool:
        return _holds(self.theirs_interval, self.theirs)


def _holds(within: tuple[int, int], share: float) -> bool:
    return within[0] <= share * 100 <= within[1]


def meetings(scenario: Scenario, seed: int, samples: int) -> Iterator[Held]:
    """Every battle of two factions in a war, as each side foresaw it."""
    war = play(scenario, {}, seed)
    for decided, fought in zip(war.history, war.history[1:], strict=False):
        if decided.before.stage != StageKind.DECISIONS or fought.before.stage != StageKind.BATTLES:
            continue
        for engagement in fought.before.engagements:
            if (
                len(engagement.sides) != 2
                or any(len(side) > 1 for side in engagement.sides)
                or engagement.caught
            ):
                continue
            (a,), (b,) = engagement.sides
            here = [pair for pair in fought.before.pairs if pair.hex == engagement.hex]
            if any("withdraw" in (pair.choice_a, pair.choice_b) for pair in here):
                continue  # what could leave is gone, and the battle another one
            for us, them in ((a, b), (b, a)):
                lost = {
                    name: _lost(scenario, fought, fought.results[engagement.key], name)
                    for name in (us, them)
                }
                told = {
                    item.fleet: item.doctrine
                    for item in fought.orders[us].settings
                    if item.doctrine
                }
                yield _foreseen(
                    scenario, decided.views[us], told, engagement.hex, them, lost, samples
                )


def _foreseen(
    scenario: Scenario,
    view: View,
    told: Mapping[str, Doctrine],
    hex_: str,
    them: str,
    lost: dict[str, float],
    samples: int,
) -> Held:
    """A forecast with the doctrine that its captains were given then."""
    began = time.process_time()
    fleets = tuple(
        replace(fleet, doctrine=told.get(fleet.key, fleet.doctrine)) for fleet in view.fleets
    )
    belief, question = Belief(scenario, replace(view, fleets=fleets)), Question(hex_, them)
    found = fight_samples(belief, question, range(samples))
    spent, known = time.process_time() - began, estimate(belief, question)
    stronger = known is not None and 2 * known.stronger > known.forces
    here = {fleet.key for fleet in view.fleets if fleet.hex == hex_}
    mine, theirs = [one.mine for one in found if one.met], [one.theirs for one in found if one.met]
    return Held(
        lost[view.faction],
        interval(mine),
        lost[them],
        interval(theirs),
        tuple(
            _holds(interval(mine[:n]), lost[view.faction])
            + _holds(interval(theirs[:n]), lost[them])
            for n in EARLY
        ),
        spent,
        sum(ship.fleet in here for ship in view.ships),
        sum(one.result == (1 if stronger else -1) for one in found),
        sum(one.result != 0 for one in found),
    )


def _lost(scenario: Scenario, fought: PlayedStage, result: BattleResult, faction: str) -> float:
    """The share of what a faction brought to a battle that it lost there, in points."""
    classes, before = ship_classes(scenario), {ship.key: ship for ship in fought.before.ships}
    whole = gone = 0.0
    for after in result.ships:
        ship = before[after.ship]
        if ship.faction == faction:
            cls = classes[ship.cls]
            start = ship.damage / cls.damage_points
            whole += cls.points * (1 - start)
            end = 1.0 if after.status in GONE else after.damage / cls.damage_points
            gone += cls.points * (end - start)
    return gone / whole if whole else 0.0


def one(task: tuple[str, int, int]) -> list[Held]:
    """The meetings of one war."""
    slug, seed, samples = task
    return list(meetings(fixture_scenario(slug), seed, samples))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenario", default="lafayette")
    parser.add_argument("--meetings", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--samples", type=int, default=39)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="a line for every forecast")
    given = parser.parse_args()
    found: list[Held] = []
    tasks = (
        (given.scenario, seed, given.samples)
        for seed in range(given.first, given.first + given.meetings)
    )
    with Pool(given.jobs) as pool:
        for held in pool.imap(one, tasks):
            found += held
            for item in held if given.each else ():
                print(item, item.holds_mine, item.holds_theirs, flush=True)
            if len(found) >= 2 * given.meetings:
                break
        pool.terminate()
    count = len(found)
    figures = {
        "bench": "beliefs",
        "scenario": given.scenario,
        "samples": given.samples,
        "meetings": count // 2,
        "own_losses_within": round(sum(item.holds_mine for item in found) / count, 3),
        "their_losses_within": round(sum(item.holds_theirs for item in found) / count, 3),
        "within_after": {
            n: round(sum(i.early[k] for i in found) / 2 / count, 3) for k, n in enumerate(EARLY)
        },
        "foretold_by_strength": round(
            sum(i.foretold for i in found) / max(1, sum(i.decided for i in found)), 3
        ),
        "width_own": round(sum(i.mine_interval[1] - i.mine_interval[0] for i in found) / count, 1),
        "width_theirs": round(
            sum(i.theirs_interval[1] - i.theirs_interval[0] for i in found) / count, 1
        ),
        "seconds": round(sum(item.seconds for item in found) / count, 3),
        "slowest": round(max(item.seconds for item in found), 3),
    }
    for name, value in figures.items():
        print(f"{name:20} {value}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
