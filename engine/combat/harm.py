"""Damage that is marked and checked at once, whatever the rulebook: mines, rams, jumps.

Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.combat.damage import mark_damage
from engine.combat.rows import hurt
from engine.dice import Dice
from engine.events.event import Sink
from engine.rolls import PLAIN, Wound
from engine.ship import DESTROYED, ShipState
from engine.state import BattleState

# (state, ship, points, how they go through armour, cause, the die that made them or 0, turn, dice, sink)
Harm = Callable[[BattleState, ShipState, int, str, str, int, int, Dice, Sink | None], None]


def _by_points(
    _: BattleState, ship: ShipState, points: int, __: str, cause: str, die: int, turn: int, dice: Dice,
    sink: Sink | None,
) -> None:  # fmt: skip
    mark_damage(ship, points, cause, die, turn, dice, sink)


def _by_wounds(
    state: BattleState, ship: ShipState, points: int, kind: str, cause: str, _: int, turn: int, dice: Dice,
    sink: Sink | None,
) -> None:  # fmt: skip
    if points > 0 and ship.status != DESTROYED:
        hurt(state, ship, (Wound(points, kind),), cause, turn, dice, sink)


HARMS: Mapping[str, Harm] = {"second-edition": _by_points, "continuum": _by_wounds}


def harm(
    state: BattleState, ship: ShipState, points: int, cause: str, die: int, turn: int, dice: Dice, sink: Sink | None,
    kind: str = PLAIN,
) -> None:  # fmt: skip
    """Mark damage points off a ship, with the checks that follow. `kind`: how they go through armour (`engine.rolls`).

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    HARMS[state.terms.edition](state, ship, points, kind, cause, die, turn, dice, sink)
