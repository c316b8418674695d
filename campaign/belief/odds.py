"""Odds from one's own knowledge: imagined battles fought by computer captains, and what they come
to as a distribution.

Sample n is the same whenever it is asked for, so that more samples go on where fewer ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question, build_imagined_battle
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from engine.notation.battles import read_battle
from engine.odds import fight_run

FEWEST = 5  # battles from which on tenths of losses are drawn
HEADLINE = 20  # battles from which on it is said how many of 100 are won
COVERAGE = 90  # per cent: the coverage of intervals
TENTHS = 10

# By how many per cent the lowest and the highest of 1, 2, ... 18 battles are widened to hold nine
# in ten of those to come, as 317 forecasts of computer admirals came true; 19 hold as many by
# themselves.
MARGINS = (28, 14, 10, 7, 6, 5, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class SampleResult:
    """What came of one sample.

    `result`: 1 won, 0 drawn, -1 lost; `mine`, `theirs`: the share of its points (0 to 1) that each
    side lost in the battle; `met`: whether there was anybody to fight; `fleet`: whether more was
    there than published defences.
    """

    result: int
    mine: float
    theirs: float
    was_fought: bool = True
    fleet: bool = True


@dataclass(frozen=True, slots=True)
class Odds:
    """What samples came to together.

    `runs`: battles fought, of which so many `won`, `drawn` and `lost`. Of the points lost `mine`
    and `theirs` count battles by tenths; `..._interval`: a prediction interval in per cent,
    `..._median`: the median. `empty`: samples in which nobody was there.
    """

    runs: int
    wins: int
    draws: int
    losses: int
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    mine_interval: tuple[int, int]
    theirs_interval: tuple[int, int]
    mine_median: int
    theirs_median: int
    empty: int = 0


def fight_samples(
    belief: Belief, question: Question, numbers: Iterable[int], rules: str = NEWEST
) -> list[SampleResult]:
    """Fight the samples of those numbers, one battle each, and give their results in that order.

    `rules`: a version of the rules (`engine.core.versions`).
    """
    return [_fight_sample(belief, question, number, rules) for number in numbers]


def _fight_sample(belief: Belief, question: Question, number: int, rules: str) -> SampleResult:
    document = build_imagined_battle(belief, question, number, rules)
    if document is None:
        return SampleResult(0, 0.0, 0.0, was_fought=False)
    run = fight_run(read_battle(document, {}), number)
    own_side, enemy_side = (side["name"] for side in document["sides"])
    losses = [_share_lost(belief, document, side, after) for side, after in enumerate(run.losses)]
    force = belief.force(question.hex, question.toward, number, question.decoys)
    result = {own_side: 1, enemy_side: -1}.get(run.winner or "", 0)
    return SampleResult(result, losses[0], losses[1], fleet=force.has_fleet)


def _share_lost(belief: Belief, document: BattleFileDocument, side: int, after: float) -> float:
    """The share of what a side brought that it lost in the battle, without what was damaged
    before.
    """
    total = before = 0.0
    boxes = {repr(cls.design): (cls.points, cls.damage_points) for cls in belief.scenario.catalogue}
    for ship in document["sides"][side]["ships"]:
        if not ship.get("dummy"):
            points, most = _worth(boxes, ship)
            total += points
            before += points * ship.get("damage", 0) / most if most else 0.0
    start = before / total if total else 0.0
    return min(1.0, max(0.0, (after - start) / (1 - start))) if start < 1 else 1.0


def _worth(boxes: dict[str, tuple[int, int]], ship: ShipEntry) -> tuple[int, int]:
    return boxes.get(repr(ship.get("design")), (0, 0))


def odds_of(samples: Sequence[SampleResult]) -> Odds:
    """The distribution of some samples' results."""
    battles = [sample for sample in samples if sample.was_fought]
    mine, theirs = [sample.mine for sample in battles], [sample.theirs for sample in battles]
    return Odds(
        runs=len(battles),
        wins=sum(sample.result > 0 for sample in battles),
        draws=sum(sample.result == 0 for sample in battles),
        losses=sum(sample.result < 0 for sample in battles),
        mine=tenths(mine),
        theirs=tenths(theirs),
        mine_interval=interval(mine),
        theirs_interval=interval(theirs),
        mine_median=_percent(sorted(mine)[len(mine) // 2]) if mine else 0,
        theirs_median=_percent(sorted(theirs)[len(theirs) // 2]) if theirs else 0,
        empty=len(samples) - len(battles),
    )


def tenths(shares: Sequence[float]) -> tuple[int, ...]:
    """How many shares (0 to 1) lie in each tenth; 1 lies in the last."""
    counts = [0] * TENTHS
    for share in shares:
        counts[min(TENTHS - 1, int(share * TENTHS))] += 1
    return tuple(counts)


def interval(shares: Sequence[float]) -> tuple[int, int]:
    """The prediction interval of a further battle, in whole per cent, rounded outwards, by order
    statistics of the shares (0 to 1): of n the k-th lowest and the k-th highest hold (n + 1 - 2k)
    in n + 1 of those to come. Of too few for the coverage that is wanted it holds them all, and as
    much more as trials asked for.
    """
    if not shares:
        return (0, 100)
    ranked, count = sorted(shares), len(shares)
    k, margin = _bound_rank(count), MARGINS[count - 1] if count <= len(MARGINS) else 0
    low, high = int(ranked[k - 1] * 100), -int(-ranked[-k] * 100 // 1)
    return max(0, low - margin), min(100, high + margin)


def interval_coverage(count: int) -> int:
    """The coverage of the interval that `count` battles give, in per cent of those to come; 0 where
    there are none.
    """
    if count <= len(MARGINS):
        return COVERAGE if count else 0
    return round(100 * (count + 1 - 2 * _bound_rank(count)) / (count + 1))


def _bound_rank(count: int) -> int:
    """Which share from either end bounds an interval of `count`, counted from 1."""
    return max(1, (count + 1) * (100 - COVERAGE) // 200)


def _percent(share: float) -> int:
    return int(share * 100 + 0.5)
