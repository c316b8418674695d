"""What a battle was worth by points, where that decides it: losses of ships destroyed, crippled, damaged or gone.

Rules: Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
"""

from __future__ import annotations

from engine.core.notes import CLOAKED
from engine.core.ship import DESTROYED, FIGHTING, FTL, HULK, LEFT, RETURNING, ShipState
from engine.core.state import BattleState

LOSSES = "losses"  # who inflicted the most losses, in points, has won
SCORINGS = (LOSSES,)

WHOLE, DAMAGED, CRIPPLED, GONE = 0, 25, 50, 100  # per cent of a ship's points
GONE_STATUSES = (DESTROYED, LEFT, RETURNING, FTL, HULK)  # whoever disengages counts whole
CRIPPLED_ROWS = 2


def condition(ship: ShipState) -> int:
    """The share of a ship's points, in per cent, that its enemies score.

    Destroyed, disengaged or under cloak: all. Crippled (two rows of its track gone, or no weapon that fires more than
    once, no FireCon or no thrust left that it began with): half. Damaged: a quarter.
    Rules: Continuum "Introductory scenario" 4.12 [pc.intro-scenario]
    """
    if ship.status in GONE_STATUSES or ship.notes.get(CLOAKED):
        return GONE
    if ship.status != FIGHTING:
        return WHOLE
    if _crippled(ship):
        return CRIPPLED
    return DAMAGED if ship.damage else WHOLE


def _crippled(ship: ShipState) -> bool:
    ends = ship.rig.row_ends
    rows = ends[CRIPPLED_ROWS - 1][0] if len(ends) >= CRIPPLED_ROWS else ship.sheet.boxes
    if ship.damage >= rows:
        return True
    fits, alive = ship.sheet.fits, ship.alive
    guns = [index for index, fit in enumerate(fits) if fit.offensive and not fit.expendable]
    if guns and not any(alive[index] for index in guns):
        return True
    return bool(ship.rig.firecons and not ship.firecons) or bool(ship.sheet.thrust and not ship.thrust)


def points_lost(ship: ShipState) -> int:
    """The points a ship's enemies score, rounded down. Rules: Continuum 4.12 [pc.intro-scenario]"""
    return 0 if ship.dummy else ship.sheet.points * condition(ship) // 100


def scores(state: BattleState) -> tuple[int, ...]:
    """What each side has scored: the points that the sides hostile to it have lost."""
    lost = [0] * len(state.sides)
    for ship in state.ships:
        lost[ship.side] += points_lost(ship)
    return tuple(
        sum(points for other, points in enumerate(lost) if state.hostile[side] >> other & 1)
        for side in range(len(state.sides))
    )


def scored(state: BattleState) -> tuple[str | None, str]:
    """The side that scored most (None: several did), and the words for it. Rules: Continuum 4.12 [pc.intro-scenario]"""
    found = scores(state)
    best = max(found)
    first = [side for side, points in enumerate(found) if points == best]
    told = ", ".join(f"{name} {points}" for name, points in zip(state.sides, found, strict=True))
    return (state.sides[first[0]] if len(first) == 1 else None), f"points scored: {told}"
