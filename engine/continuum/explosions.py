"""What goes off among ships: whom it can reach, and what its dice do to one of them.

Rules: Continuum "Antimatter missiles" 6.6, "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import dist

from engine.continuum.craft.moves import in_order
from engine.continuum.damage import mark_damage
from engine.continuum.defences import Protection, protection_of, tell_cover
from engine.core.geometry import Point
from engine.core.kinds import ON_TABLE, PLAIN
from engine.core.reason import reason
from engine.core.rolls import TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import ExplosionDamage
from engine.pieces.craft_events import CraftBurned
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.mine import Mine
from engine.systems.defences import MOST_OWN
from engine.weapons.antimatter import roll_explosion
from engine.weapons.guard import PointDefenceTarget

BLASTED = reason("caught-blast", "caught in a blast")

# How many dice an explosion has for craft and other things so many MU from it.
DiceAtDistance = Callable[[float], int]


def ships_exposed(state: BattleState) -> Iterator[ShipState]:
    """The ships that an explosion could reach, in file order: all on the table but those in a
    bay.
    """
    return (ship for ship in state.ships if ship.status in ON_TABLE and ship.docking != BERTHED)


def burn_ship(table: Table, ship: ShipState, number: int, of: str, cause: str) -> None:
    """So many dice of an explosion do plain damage to a ship; each level of screens of either kind,
    two at most, takes one off each die. `of`: what goes off, whose dice they are; `cause`: what the
    damage is put down to.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.suicide-charge]
    """
    screens = _screens_against(protection_of(table.state, ship))
    rolls, points = roll_explosion(number, screens, table.dice, f"{of}>{ship.id}")
    if table.listens:
        table.tell(ExplosionDamage, ship.id, cause, rolls, screens, points)
    mark_damage(table, ship, (TypedDamage(points, PLAIN),), cause)


def burn_craft_and_pieces(
    table: Table,
    at: Point,
    number: DiceAtDistance,
    of: str,
    cause: str,
    *,
    mines: bool,
    boats: bool = False,
    past_standard: bool = False,
) -> None:
    """An explosion reaches craft, of which each point of its dice takes one, and what lies on the
    table: it destroys missiles and rockets, and `mines` where it clears them; no bolts. `boats`:
    all gunboats that it reaches are lost. `past_standard`: of the area screens over craft only
    advanced ones weaken it. `of`: what goes off; `cause`: what that is put down to.

    Rules: Continuum "Antimatter missiles" 6.6, "Plasma bolt launchers" 6.8, "Antimatter suicide
    charge" 7.9, "Reactor breaches" 10.3 [pc.suicide-charge]
    """
    state = table.state
    for group in in_order(state):
        dice = number(dist(at, (group.x, group.y)))
        if dice > 0:
            if boats and group.row.berth:
                _destroy_gunboats(table, group, cause)
            else:
                protection = tell_cover(table, group)
                screens = protection.advanced if past_standard else _screens_against(protection)
                _burn_craft(table, group, dice, screens, of, cause)
    for piece in list(state.pieces):
        caught = (
            _is_destroyed(state, piece)
            if isinstance(piece, Marker)
            else mines and isinstance(piece, Mine)
        )
        if caught and number(dist(at, (piece.x, piece.y))) > 0:
            piece.destroy(table, BLASTED)


def _screens_against(protection: Protection) -> int:
    """Return the levels of screens that weaken an explosion's dice: two at most."""
    return min(protection.screens, MOST_OWN)


def _burn_craft(table: Table, group: Group, number: int, screens: int, of: str, cause: str) -> None:
    """Throw an explosion's dice at craft: each point takes one.

    Rules: Continuum "Antimatter missiles" 6.6, "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    rolls, points = roll_explosion(number, screens, table.dice, f"{of}>{group.id}")
    craft = min(points, group.craft)
    table.tell(CraftBurned, group.id, cause, rolls, craft)
    group.take_damage(table, craft, cause)


def _destroy_gunboats(table: Table, group: Group, cause: str) -> None:
    """Take all gunboats that an explosion reaches, without a die.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    craft = group.craft
    table.tell(CraftBurned, group.id, cause, (), craft)
    group.take_damage(table, craft, cause)


def _is_destroyed(state: BattleState, marker: Marker) -> bool:
    """Whether an explosion destroys ordnance that it reaches: missiles and rockets, not bolts."""
    return marker.row(state).defence_target is not PointDefenceTarget.PLASMA_BOLT
