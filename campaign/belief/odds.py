"""Odds from one's own knowledge: imagined battles fought by computer captains, and what they come to as a distribution.

Sample n is the same whenever it is asked for, so that more samples go on where fewer ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaign.belief.forces import Belief
from campaign.belief.meetings import Question, imagined
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from engine.notation.battles import read_battle
from engine.odds import one_run

FEWEST = 5  # battles that something is said of: their lowest and highest hold two in three
SHARE = 90  # per cent of battles that an interval is to hold
TENTHS = 10


@dataclass(frozen=True, slots=True)
class Imagined:
    """What came of an imagined battle: 1 won, 0 drawn, -1 lost; the share of the points each side lost in it.

    `met`: whether there was anybody to fight.
    """

    result: int
    mine: float
    theirs: float
    met: bool = True


@dataclass(frozen=True, slots=True)
class Odds:
    """What imagined battles came to. `mine`, `theirs`: battles by tenths of the points lost; `..._within`: the per cent
    between which nine in ten lie; `..._usual`: the middle one's. `empty`: samples in which nobody was there.
    """

    runs: int
    won: int
    drawn: int
    lost: int
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    mine_within: tuple[int, int]
    theirs_within: tuple[int, int]
    mine_usual: int
    theirs_usual: int
    empty: int = 0


def imagine(belief: Belief, question: Question, numbers: Iterable[int], rules: str = NEWEST) -> list[Imagined]:
    """The samples of those numbers, fought."""
    return [_fought(belief, question, number, rules) for number in numbers]


def _fought(belief: Belief, question: Question, number: int, rules: str) -> Imagined:
    document = imagined(belief, question, number, rules)
    if document is None:
        return Imagined(0, 0.0, 0.0, met=False)
    run = one_run(read_battle(document, {}), number)
    us, them = (side["name"] for side in document["sides"])
    losses = [_lost_in_it(belief, document, side, after) for side, after in enumerate(run.losses)]
    return Imagined({us: 1, them: -1}.get(run.winner or "", 0), losses[0], losses[1])


def _lost_in_it(belief: Belief, document: BattleFileDocument, side: int, after: float) -> float:
    """The share of what a side brought that it lost in the battle, without what was damaged before."""
    whole = before = 0.0
    boxes = {repr(cls.design): (cls.points, cls.damage_points) for cls in belief.scenario.catalogue}
    for ship in document["sides"][side]["ships"]:
        if not ship.get("dummy"):
            points, most = _worth(boxes, ship)
            whole += points
            before += points * ship.get("damage", 0) / most if most else 0.0
    start = before / whole if whole else 0.0
    return min(1.0, max(0.0, (after - start) / (1 - start))) if start < 1 else 1.0


def _worth(boxes: dict[str, tuple[int, int]], ship: ShipEntry) -> tuple[int, int]:
    return boxes.get(repr(ship.get("design")), (0, 0))


def odds_of(samples: Sequence[Imagined]) -> Odds:
    """What samples come to together."""
    fought = [sample for sample in samples if sample.met]
    mine, theirs = [sample.mine for sample in fought], [sample.theirs for sample in fought]
    return Odds(
        runs=len(fought),
        won=sum(sample.result > 0 for sample in fought),
        drawn=sum(sample.result == 0 for sample in fought),
        lost=sum(sample.result < 0 for sample in fought),
        mine=tenths(mine),
        theirs=tenths(theirs),
        mine_within=within(mine),
        theirs_within=within(theirs),
        mine_usual=_percent(sorted(mine)[len(mine) // 2]) if mine else 0,
        theirs_usual=_percent(sorted(theirs)[len(theirs) // 2]) if theirs else 0,
        empty=len(samples) - len(fought),
    )


def tenths(shares: Sequence[float]) -> tuple[int, ...]:
    """How many shares lie in each tenth; all of it is in the last."""
    found = [0] * TENTHS
    for share in shares:
        found[min(TENTHS - 1, int(share * TENTHS))] += 1
    return tuple(found)


def within(shares: Sequence[float], share: int = SHARE) -> tuple[int, int]:
    """The per cent between which a further battle lies with that chance, as far as so many tell it (whole per cent,
    outwards): of n in order the k-th lowest and k-th highest hold (n + 1 - 2k) in n + 1 of those to come.
    """
    if not shares:
        return (0, 100)
    ranked = sorted(shares)
    k = _left_out(len(ranked), share)
    return int(ranked[k - 1] * 100), -int(-ranked[-k] * 100 // 1)


def held(count: int, share: int = SHARE) -> int:
    """The per cent of battles to come that an interval of so many holds; fewer than 19 cannot say nine in ten."""
    return round(100 * (count + 1 - 2 * _left_out(count, share)) / (count + 1)) if count else 0


def _left_out(count: int, share: int) -> int:
    """Which from either end bounds an interval, counted from 1."""
    return max(1, (count + 1) * (100 - share) // 200)


def _percent(share: float) -> int:
    return int(share * 100 + 0.5)
