"""Many battles of one file by computer captains: who wins how often, at what price.

Run i uses the random stream (seed, i): the result does not depend on how many processes share the
runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, sqrt
from typing import Any

from engine.battle import begin, fight
from engine.core.dice import Dice
from engine.core.kinds import DESTROYED
from engine.core.ship import ShipState
from engine.notation.battles import BattleFile

# Battles: what one process fights at a time, and the borders at which a wished precision is looked
# at
BLOCK = 10
CONFIDENCE = 0.95  # the confidence of the intervals
STANDARD_DEVIATIONS = 1.959964  # standard deviations: so sure is whoever goes so far to either side


@dataclass(frozen=True, slots=True)
class Run:
    """One battle's outcome: its winner (None: drawn), the share of points each side lost, the turns
    it took.
    """

    winner: str | None
    losses: tuple[float, ...]
    turns: int


def fight_run(file: BattleFile, number: int) -> Run:
    """The battle `number` of a file: dice and captains from the stream (seed, number)."""
    stream = f"{file.seed}/{number}"
    dice = Dice(f"{stream}/dice")
    battle = fight(
        begin(file, dice),
        file.doctrines,
        dice,
        f"{stream}/captains",
        file.max_turns,
        turns=file.turns,
        log=False,
    )
    losses = tuple(
        _points_lost([ship for ship in battle.state.ships if ship.owner == side])
        for side in range(len(battle.state.sides))
    )
    return Run(battle.winner, losses, battle.turn)


def fight_runs(file: BattleFile, numbers: Iterable[int]) -> Iterator[Run]:
    """The battles of those numbers, in order."""
    for number in numbers:
        yield fight_run(file, number)


def _points_lost(ships: list[ShipState]) -> float:
    """The share of a side's points lost: ships destroyed or taken over whole, damaged ones by their
    boxes.
    """
    real = [ship for ship in ships if not ship.dummy]
    total = sum(ship.sheet.points for ship in real)
    lost = [ship.status == DESTROYED or ship.is_taken_over for ship in real]
    gone = sum(
        ship.sheet.points * (1.0 if all_of_it else ship.damage / ship.sheet.boxes)
        for ship, all_of_it in zip(real, lost, strict=True)
    )
    return gone / total if total else 0.0


def summary(sides: tuple[str, ...], outcomes: list[Run]) -> dict[str, Any]:
    """Shares of wins and draws, and the spread of losses and turns over the battles fought."""
    count = len(outcomes)
    wins = {side: sum(run.winner == side for run in outcomes) for side in sides}
    return {
        "runs": count,
        "wins": {side: round(number / count, 4) if count else 0.0 for side, number in wins.items()},
        "draws": round(sum(run.winner is None for run in outcomes) / count, 4) if count else 0.0,
        "losses": {
            side: percentiles([run.losses[number] for run in outcomes], 4)
            for number, side in enumerate(sides)
        },
        "turns": percentiles([float(run.turns) for run in outcomes], 1),
    }


def precision(sides: tuple[str, ...], outcomes: Sequence[Run]) -> dict[str, Any]:
    """The precision of the shares: the interval of each, and half the width of the widest."""
    count = len(outcomes)
    wins = {side: wilson(sum(run.winner == side for run in outcomes), count) for side in sides}
    draws = wilson(sum(run.winner is None for run in outcomes), count)
    return {
        "confidence": CONFIDENCE,
        "reached": max((high - low) / 2 for low, high in (*wins.values(), draws)),
        "wins": {side: [round(low, 4), round(high, 4)] for side, (low, high) in wins.items()},
        "draws": [round(share, 4) for share in draws],
    }


def wilson(successes: int, count: int) -> tuple[float, float]:
    """The Wilson score interval of a share found in `count` battles: between what it is, with 95 %
    confidence.
    """
    share, doubt = successes / count, STANDARD_DEVIATIONS**2 / count
    middle = share + doubt / 2
    side = STANDARD_DEVIATIONS * sqrt(share * (1 - share) / count + doubt / (4 * count))
    return (middle - side) / (1 + doubt), (middle + side) / (1 + doubt)


def runs_needed(wished: float) -> int:
    """The battles after which every share is known to `wished` to either side, whatever comes of
    them; whole blocks.
    """
    needed = STANDARD_DEVIATIONS**2 * (
        1 / (4 * wished**2) - 1
    )  # a share of one half is the hardest
    return max(BLOCK, BLOCK * ceil(needed / BLOCK))


def percentiles(values: list[float], digits: int) -> dict[str, float]:
    """The 10th, 50th and 90th percentile of values (nearest rank)."""
    ranked = sorted(values)
    if not ranked:
        return {"p10": 0.0, "p50": 0.0, "p90": 0.0}
    last = len(ranked) - 1
    return {
        f"p{share}": round(ranked[min(share * len(ranked) // 100, last)], digits)
        for share in (10, 50, 90)
    }


def blocks(total: int) -> Iterator[list[int]]:
    """The numbers 0 to total - 1 in blocks."""
    numbers = iter(range(total))
    while block := list(islice(numbers, BLOCK)):
        yield block
