"""Odds from a player's own knowledge: imagined battles between computer captains.

Sample n is the same each time it is fought, so that later samples continue where fewer ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question, build_imagined_battle, force_of
from engine.core.versions import NEWEST
from engine.notation.battle_file import ShipEntry
from engine.notation.battles import read_battle
from engine.odds import fight_run

FEWEST = 5  # battles before the tenths of losses are shown
HEADLINE = 20  # battles before the share of battles won is shown
COVERAGE = 90  # per cent of further battles that an interval covers
TENTHS = 10
Z_90 = 1.645  # standard deviations on either side that enclose 90% of a normal distribution

# Per cent by which the range of 1, 2, ... 18 battles is widened to cover 90% of further battles,
# measured with 317 forecasts of computer admirals; the range of 19 needs no margin.
MARGINS = (28, 14, 10, 7, 6, 5, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class SampleResult:
    """The result of one sample.

    Attributes:
        result: 1 won, 0 drawn, -1 lost.
        mine: The share of its points (0 to 1) that the player's side lost in the battle.
        theirs: The same of the other side.
        was_fought: Whether both sides had ships, so that there was a battle.
        fleet: Whether the force had more than the published defences.
    """

    result: int
    mine: float
    theirs: float
    was_fought: bool = True
    fleet: bool = True


@dataclass(frozen=True, slots=True)
class Odds:
    """The combined results of samples.

    Attributes:
        runs: The number of battles fought.
        mine: The number of battles by tenths of the player's points lost.
        theirs: The same for the points that the other side lost.
        mine_interval: A prediction interval of the player's losses in per cent.
        theirs_interval: The same for the other side.
        mine_median: The median of the player's losses in per cent.
        theirs_median: The same for the other side.
        empty: The number of samples without hostile ships.
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
    """Fight the samples with these numbers, one battle each, and return their results in order.

    Args:
        rules: A version of the rules (`engine.core.versions`).
    """
    return [_fight_sample(belief, question, number, rules) for number in numbers]


def _fight_sample(belief: Belief, question: Question, number: int, rules: str) -> SampleResult:
    """Fight the battle of one sample."""
    document = build_imagined_battle(belief, question, number, rules)
    if document is None:
        return SampleResult(result=0, mine=0.0, theirs=0.0, was_fought=False)
    run = fight_run(read_battle(document, {}), number)
    own_side, enemy_side = (side["name"] for side in document["sides"])
    own_losses, enemy_losses = run.losses
    force = force_of(belief, question, number)
    return SampleResult(
        result={own_side: 1, enemy_side: -1}.get(run.winner or "", 0),
        mine=_share_lost(belief, document["sides"][0]["ships"], own_losses),
        theirs=_share_lost(belief, document["sides"][1]["ships"], enemy_losses),
        fleet=force.has_fleet,
    )


def _share_lost(belief: Belief, ships: Sequence[ShipEntry], lost_in_all: float) -> float:
    """Return the share of a side's points that it lost in the battle, without earlier damage.

    Args:
        ships: The side's ships in the battle file.
        lost_in_all: The share that is lost after the battle, 0 to 1.
    """
    classes = {}
    for cls in belief.scenario.catalogue:
        classes[repr(cls.design)] = (cls.points, cls.damage_points)
    total = 0.0
    lost_points = 0.0
    for ship in ships:
        if ship.get("dummy"):
            continue
        points, boxes = classes.get(repr(ship.get("design")), (0, 0))
        total += points
        if boxes:
            lost_points += points * ship.get("damage", 0) / boxes
    lost_before = lost_points / total if total else 0.0
    if lost_before < 1:
        return min(1.0, max(0.0, (lost_in_all - lost_before) / (1 - lost_before)))
    return 1.0


def odds_of(samples: Sequence[SampleResult]) -> Odds:
    """Combine the results of samples."""
    battles = [sample for sample in samples if sample.was_fought]
    mine = [sample.mine for sample in battles]
    theirs = [sample.theirs for sample in battles]
    return Odds(
        runs=len(battles),
        wins=sum(sample.result > 0 for sample in battles),
        draws=sum(sample.result == 0 for sample in battles),
        losses=sum(sample.result < 0 for sample in battles),
        mine=tenths(mine),
        theirs=tenths(theirs),
        mine_interval=interval(mine),
        theirs_interval=interval(theirs),
        mine_median=_median_percent(mine),
        theirs_median=_median_percent(theirs),
        empty=len(samples) - len(battles),
    )


def tenths(shares: Sequence[float]) -> tuple[int, ...]:
    """Count shares (0 to 1) in each tenth; 1 counts in the last."""
    counts = [0] * TENTHS
    for share in shares:
        counts[min(TENTHS - 1, int(share * TENTHS))] += 1
    return tuple(counts)


def interval(shares: Sequence[float]) -> tuple[int, int]:
    """Return the prediction interval of a further battle in whole per cent, rounded outwards.

    The interval uses order statistics: of n shares, the k-th lowest and the k-th highest enclose (n
    + 1 - 2k) in n + 1 further ones. Too few shares for the desired coverage are all enclosed, with
    the margin that trials showed to be needed (`MARGINS`).

    Args:
        shares: Losses, 0 to 1.
    """
    if not shares:
        return (0, 100)
    ranked = sorted(shares)
    count = len(shares)
    rank = _bound_rank(count)
    margin = 0
    if count <= len(MARGINS):
        margin = MARGINS[count - 1]
    low = floor(ranked[rank - 1] * 100)
    high = ceil(ranked[-rank] * 100)
    return max(0, low - margin), min(100, high + margin)


def win_margin(wins: int, runs: int) -> tuple[int, int]:
    """Return the margin of the chance to win in whole per cent, rounded outwards.

    It is Wilson's interval of 90%, which also holds for few battles and for chances near 0 and 1.
    """
    share = wins / runs
    spread = Z_90 * sqrt(share * (1 - share) / runs + (Z_90 / (2 * runs)) ** 2)
    scale = 1 + Z_90**2 / runs
    middle = share + Z_90**2 / (2 * runs)
    low = floor(100 * (middle - spread) / scale)
    high = ceil(100 * (middle + spread) / scale)
    return max(0, low), min(100, high)


def interval_coverage(count: int) -> int:
    """Return the coverage of the interval of `count` battles in per cent; 0 without battles."""
    if not count:
        return 0
    if count <= len(MARGINS):
        return COVERAGE
    return round(100 * (count + 1 - 2 * _bound_rank(count)) / (count + 1))


def _bound_rank(count: int) -> int:
    """Return which share from either end bounds the interval of `count`, counted from 1."""
    return max(1, (count + 1) * (100 - COVERAGE) // 200)


def _median_percent(shares: Sequence[float]) -> int:
    """Return the median of shares in whole per cent, the higher one of two; 0 without any."""
    if not shares:
        return 0
    median = sorted(shares)[len(shares) // 2]
    return int(median * 100 + 0.5)
