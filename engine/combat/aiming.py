"""Whether a weapon of Continuum may fire at a ship: range, arcs and what lies between.

Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from engine.combat.guns import GUNS
from engine.combat.lines import blocked
from engine.combat.shields import shot_at
from engine.combat.wounds import wrecked
from engine.dice import Dice
from engine.events import ArcRolled, Sink
from engine.geometry import AFT_6, NEAR, SIX_ARC_NAMES, six_arcs_of
from engine.notes import THRUST_USED
from engine.orders import Fire
from engine.sheet import INSTALLATION
from engine.state import BERTHED, FIGHTING, BattleState, ShipState
from engine.terms import AFT_FIRE


def in_reach(state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState) -> bool:
    """Whether a weapon may fire at a target: hostile, identified, whole enough, in range, arcs and sight."""
    if (
        target.status != FIGHTING
        or target.bogey
        or target.docking == BERTHED
        or wrecked(target)
        or not state.hostile[ship.side] >> target.side & 1
    ):
        return False
    fit = ship.sheet.fits[index]
    gun = GUNS[fit.type]
    if shot_at(state, ship, index, fire, target).distance > gun.reach(fit, fire.mode) + NEAR:
        return False
    bits = six_arcs_of(target.x - ship.x, target.y - ship.y, ship.course, ship.sheet.beta)
    if not bearing(state, ship, index) & bits:
        return False
    if gun.at_system and not has_system(target, fire.system):
        return False
    return not (state.rocks and blocked(state.rocks, (ship.x, ship.y), (target.x, target.y)))


def has_system(target: ShipState, system: str) -> bool:
    """Whether a ship has a system in working order."""
    place = target.rig.index_of.get(system, -1)
    return place >= 0 and target.alive[place] > 0


def bearing(state: BattleState, ship: ShipState, index: int) -> int:
    """The arcs (bits) a weapon may fire through now: never offensive weapons through the stern, but at a base, or where
    that is agreed and the ship used no thrust this turn.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    bits = ship.rig.bears[index]
    if not bits & AFT_6 or GUNS[ship.sheet.fits[index].type].astern or ship.sheet.kind == INSTALLATION:
        return bits
    if AFT_FIRE in state.terms.options and not ship.notes.get(THRUST_USED):
        return bits
    return bits & ~AFT_6


def arc_of(
    ship: ShipState,
    target: ShipState,
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> int:
    """The one arc a target is in for this ship this turn; on a line a die decides, odd the arc first in the list.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    bits = six_arcs_of(target.x - ship.x, target.y - ship.y, ship.course, ship.sheet.beta)
    if not bits & (bits - 1):
        return bits
    key = (ship.id, target.id)
    if key not in arcs:
        die = dice.roll("arc", f"{ship.id}>{target.id}")
        first = bits & -bits
        arcs[key] = first if die % 2 else bits ^ first
        if sink is not None:
            sink(ArcRolled(turn, ship.id, target.id, die, SIX_ARC_NAMES[arcs[key]]))
    return arcs[key]
