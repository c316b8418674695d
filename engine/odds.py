"""Many battles of one file fought by computer captains: shares of wins, losses and turns.

Run i uses the random stream (seed, i), so the result does not depend on the number of processes.
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

# Battles that a process fights at a time; a wished precision is checked after each such block.
BLOCK = 10
CONFIDENCE = 0.95  # of the intervals
STANDARD_DEVIATIONS = 1.959964  # to either side, for this confidence


@dataclass(frozen=True, slots=True)
class Run:
    """One battle's outcome.

    Attributes:
        winner: The winning side; None: a draw.
        losses: The share of points that each side lost.
        turns: The turns it took.
    """

    winner: str | None
    losses: tuple[float, ...]
    turns: int


def fight_run(file: BattleFile, number: int) -> Run:
    """Fight battle `number` of a file with dice and captains from the stream (seed, number)."""
    stream = f"{file.seed}/{number}"
    dice = Dice(f"{stream}/dice")
    battle = fight(
        begin(file, dice),
        file.doctrines,
        dice,
        captain_seed=f"{stream}/captains",
        max_turns=file.max_turns,
        turns=file.turns,
        log=False,
    )
    losses = []
    for side in range(len(battle.state.sides)):
        ships = [ship for ship in battle.state.ships if ship.owner == side]
        losses.append(_share_lost(ships))
    return Run(battle.winner, tuple(losses), battle.turn)


def _share_lost(ships: list[ShipState]) -> float:
    """Return the share of a side's points lost.

    Destroyed and captured ships count in full, damaged ones by their boxes.
    """
    total_points = 0
    points_lost = 0.0
    for ship in ships:
        if ship.dummy:
            continue
        share = ship.damage / ship.sheet.boxes
        if ship.status == DESTROYED or ship.is_taken_over:
            share = 1.0
        total_points += ship.sheet.points
        points_lost += ship.sheet.points * share
    if total_points:
        return points_lost / total_points
    return 0.0


def fight_runs(file: BattleFile, numbers: Iterable[int]) -> Iterator[Run]:
    """Yield the battles of these numbers, in order."""
    for number in numbers:
        yield fight_run(file, number)


def summary(sides: tuple[str, ...], outcomes: list[Run]) -> dict[str, Any]:
    """Return the shares of wins and draws, and the spread of losses and turns."""
    count = len(outcomes)

    def share_won_by(winner: str | None) -> float:
        if not count:
            return 0.0
        return round(sum(run.winner == winner for run in outcomes) / count, 4)

    losses = {}
    for number, side in enumerate(sides):
        losses[side] = percentiles([run.losses[number] for run in outcomes], 4)
    return {
        "runs": count,
        "wins": {side: share_won_by(side) for side in sides},
        "draws": share_won_by(None),
        "losses": losses,
        "turns": percentiles([float(run.turns) for run in outcomes], 1),
    }


def precision(sides: tuple[str, ...], outcomes: Sequence[Run]) -> dict[str, Any]:
    """Return the interval of each share, and half the width of the widest interval."""
    count = len(outcomes)
    wins = {}
    for side in sides:
        wins[side] = wilson(sum(run.winner == side for run in outcomes), count)
    draws = wilson(sum(run.winner is None for run in outcomes), count)
    return {
        "confidence": CONFIDENCE,
        "reached": max((high - low) / 2 for low, high in (*wins.values(), draws)),
        "wins": {side: [round(low, 4), round(high, 4)] for side, (low, high) in wins.items()},
        "draws": [round(share, 4) for share in draws],
    }


def wilson(successes: int, count: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a share found in `count` battles."""
    share = successes / count
    correction = STANDARD_DEVIATIONS**2 / count
    middle = share + correction / 2
    half_width = STANDARD_DEVIATIONS * sqrt(share * (1 - share) / count + correction / (4 * count))
    return (middle - half_width) / (1 + correction), (middle + half_width) / (1 + correction)


def runs_needed(wished: float) -> int:
    """Return the battles after which every share is known to plus or minus `wished`.

    The number is rounded up to whole blocks.
    """
    # A share of one half needs the most battles.
    needed = STANDARD_DEVIATIONS**2 * (1 / (4 * wished**2) - 1)
    return max(BLOCK, BLOCK * ceil(needed / BLOCK))


def percentiles(values: list[float], digits: int) -> dict[str, float]:
    """Return the 10th, 50th and 90th percentile of values (nearest rank)."""
    ranked = sorted(values)
    if not ranked:
        return {"p10": 0.0, "p50": 0.0, "p90": 0.0}
    last = len(ranked) - 1
    result: dict[str, float] = {}
    for share in (10, 50, 90):
        result[f"p{share}"] = round(ranked[min(share * len(ranked) // 100, last)], digits)
    return result


def blocks(total: int) -> Iterator[list[int]]:
    """Yield the numbers 0 to total - 1 in blocks."""
    numbers = iter(range(total))
    while block := list(islice(numbers, BLOCK)):
        yield block
