"""Measure how often real losses lie within the odds that factions could calculate beforehand.

`python -m tools.bench.beliefs [--scenario lafayette] [--meetings 300] [--first 0] [--samples 39]
[--jobs 1]` plays wars between computer admirals in memory. For every meeting that becomes a battle
of two factions without withdrawal, each side's 90% intervals, calculated from its view at the time
of the decision, are compared with the real losses of both sides. It also counts how often the side
that is stronger by points wins, and does the same for intervals from the first battles only. It
prints the shares, then a line of JSON.
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

EARLY = (1, 2, 3, 5, 9)  # number of first battles
LOSS_STATUSES = ("destroyed", "captured", "struck", "hulk", "carried-off")


@dataclass(frozen=True, slots=True)
class Forecast:
    """One side's forecast of a battle.

    It has the share lost and its interval in per cent, for both sides.

    Attributes:
        early: How many of the two intervals from the first battles (`EARLY`) contain the real loss.
        foretold: Of the `decided` simulated battles, how many the side stronger by points won.
    """

    own_share: float
    own_interval: tuple[int, int]
    enemy_share: float
    enemy_interval: tuple[int, int]
    early: tuple[int, ...]
    seconds: float
    ships: int
    foretold: int
    decided: int

    @property
    def holds_own(self) -> bool:
        return _holds(self.own_interval, self.own_share)

    @property
    def holds_enemy(self) -> bool:
        return _holds(self.enemy_interval, self.enemy_share)


def _holds(bounds: tuple[int, int], share: float) -> bool:
    return bounds[0] <= share * 100 <= bounds[1]


def meetings(scenario: Scenario, seed: int, samples: int) -> Iterator[Forecast]:
    """Yield every battle of two factions in a war, as each side foresaw it."""
    war = play(scenario, {}, seed)
    for decided, battle_stage in zip(war.history, war.history[1:], strict=False):
        if (
            decided.before.stage != StageKind.DECISIONS
            or battle_stage.before.stage != StageKind.BATTLES
        ):
            continue
        for engagement in battle_stage.before.engagements:
            if (
                len(engagement.sides) != 2
                or any(len(side) > 1 for side in engagement.sides)
                or engagement.caught
            ):
                continue
            (a,), (b,) = engagement.sides
            here = [pair for pair in battle_stage.before.pairs if pair.hex == engagement.hex]
            if any("withdraw" in (pair.choice_a, pair.choice_b) for pair in here):
                continue  # the ships that could leave are gone, so this is another battle
            for us, them in ((a, b), (b, a)):
                losses = {
                    name: _lost(scenario, battle_stage, battle_stage.results[engagement.key], name)
                    for name in (us, them)
                }
                doctrines = {
                    item.fleet: item.doctrine
                    for item in battle_stage.orders[us].settings
                    if item.doctrine
                }
                yield _forecast(
                    scenario, decided.views[us], doctrines, engagement.hex, them, losses, samples
                )


def _forecast(
    scenario: Scenario,
    view: View,
    doctrines: Mapping[str, Doctrine],
    hex_: str,
    them: str,
    losses: dict[str, float],
    samples: int,
) -> Forecast:
    """Return a forecast with the doctrine that the captains had at that time."""
    began = time.process_time()
    fleets = tuple(
        replace(fleet, doctrine=doctrines.get(fleet.key, fleet.doctrine)) for fleet in view.fleets
    )
    belief, question = Belief(scenario, replace(view, fleets=fleets)), Question(hex_, them)
    samples_fought = fight_samples(belief, question, range(samples))
    cpu_seconds, estimated = time.process_time() - began, estimate(belief, question)
    stronger = estimated is not None and 2 * estimated.stronger > estimated.forces
    here = {fleet.key for fleet in view.fleets if fleet.hex == hex_}
    own_shares, enemy_shares = (
        [sample.mine for sample in samples_fought if sample.was_fought],
        [sample.theirs for sample in samples_fought if sample.was_fought],
    )
    return Forecast(
        losses[view.faction],
        interval(own_shares),
        losses[them],
        interval(enemy_shares),
        tuple(
            _holds(interval(own_shares[:n]), losses[view.faction])
            + _holds(interval(enemy_shares[:n]), losses[them])
            for n in EARLY
        ),
        cpu_seconds,
        sum(ship.fleet in here for ship in view.ships),
        sum(sample.result == (1 if stronger else -1) for sample in samples_fought),
        sum(sample.result != 0 for sample in samples_fought),
    )


def _lost(
    scenario: Scenario, battle_stage: PlayedStage, result: BattleResult, faction: str
) -> float:
    """Return the share of a faction's points in a battle that it lost."""
    classes, before = ship_classes(scenario), {ship.key: ship for ship in battle_stage.before.ships}
    total = lost_points = 0.0
    for after in result.ships:
        ship = before[after.ship]
        if ship.faction == faction:
            cls = classes[ship.cls]
            start = ship.damage / cls.damage_points
            total += cls.points * (1 - start)
            end = 1.0 if after.status in LOSS_STATUSES else after.damage / cls.damage_points
            lost_points += cls.points * (end - start)
    return lost_points / total if total else 0.0


def play_war(task: tuple[str, int, int]) -> list[Forecast]:
    """Return the forecasts of one war."""
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
    args = parser.parse_args()
    forecasts: list[Forecast] = []
    tasks = (
        (args.scenario, seed, args.samples)
        for seed in range(args.first, args.first + args.meetings)
    )
    with Pool(args.jobs) as pool:
        for new_forecasts in pool.imap(play_war, tasks):
            forecasts += new_forecasts
            for item in new_forecasts if args.each else ():
                print(item, item.holds_own, item.holds_enemy, flush=True)
            if len(forecasts) >= 2 * args.meetings:
                break
        pool.terminate()
    count = len(forecasts)
    figures = {
        "bench": "beliefs",
        "scenario": args.scenario,
        "samples": args.samples,
        "meetings": count // 2,
        "own_losses_within": round(sum(item.holds_own for item in forecasts) / count, 3),
        "their_losses_within": round(sum(item.holds_enemy for item in forecasts) / count, 3),
        "within_after": {
            n: round(sum(i.early[k] for i in forecasts) / 2 / count, 3) for k, n in enumerate(EARLY)
        },
        "foretold_by_strength": round(
            sum(i.foretold for i in forecasts) / max(1, sum(i.decided for i in forecasts)), 3
        ),
        "width_own": round(
            sum(i.own_interval[1] - i.own_interval[0] for i in forecasts) / count, 1
        ),
        "width_theirs": round(
            sum(i.enemy_interval[1] - i.enemy_interval[0] for i in forecasts) / count, 1
        ),
        "seconds": round(sum(item.seconds for item in forecasts) / count, 3),
        "slowest": round(max(item.seconds for item in forecasts), 3),
    }
    for name, value in figures.items():
        print(f"{name:20} {value}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
