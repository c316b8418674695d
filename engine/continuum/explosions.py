"""Explosions among ships: the units they can reach and their damage.

Rules: Continuum "Antimatter missiles" 6.6, "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.continuum.craft.moves import in_order
from engine.continuum.damage import mark_damage
from engine.continuum.defences import Protection, protection_of, tell_cover
from engine.core.geometry import Point, dist
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
from engine.pieces.piece import Piece
from engine.systems.defences import MAX_OWN
from engine.weapons.antimatter import roll_explosion
from engine.weapons.guard import PointDefenceTarget

BLASTED = reason("caught-blast", "caught in a blast")

# Returns the number of dice of an explosion against craft and pieces at a distance in MU.
DiceAtDistance = Callable[[float], int]


def ships_exposed(state: BattleState) -> Iterator[ShipState]:
    """Return the ships an explosion can reach, in file order: all on the table and not in a bay."""
    return (ship for ship in state.ships if ship.status in ON_TABLE and ship.docking != BERTHED)


def burn_ship(table: Table, ship: ShipState, number: int, of: str, cause: str) -> None:
    """Roll an explosion's dice as normal damage against a ship.

    Each level of screens of either kind, up to two, subtracts one from each die.

    Args:
        number: The number of dice.
        of: The exploding unit, whose dice these are.
        cause: The recorded cause of the damage.

    Rules: Continuum "Antimatter missiles" 6.6 [pc.suicide-charge]
    """
    screens = _screens_against(protection_of(table.state, ship))
    rolls, points = roll_explosion(number, screens, table.dice, f"{of}>{ship.id}")
    if table.listens:
        table.tell(
            ExplosionDamage, ship=ship.id, cause=cause, dice=rolls, screens=screens, points=points
        )
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
    """Roll an explosion's dice against craft, and destroy the pieces in its range.

    Each point destroys one craft. Missiles and rockets are destroyed; plasma bolts are not.

    Args:
        number: Returns the number of dice at a distance.
        of: The exploding unit.
        cause: The recorded cause of the losses.
        mines: Whether mines are destroyed too.
        boats: Whether all gunboats in range are lost.
        past_standard: Whether only advanced area screens protect craft.

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
                if past_standard:
                    screens = protection.advanced
                else:
                    screens = _screens_against(protection)
                _burn_craft(table, group, number=dice, screens=screens, of=of, cause=cause)
    for piece in list(state.pieces):
        if not _is_vulnerable(state, piece, mines=mines):
            continue
        if number(dist(at, (piece.x, piece.y))) > 0:
            piece.destroy(table, BLASTED)


def _screens_against(protection: Protection) -> int:
    """Return the levels of screens that weaken an explosion's dice, at most two."""
    return min(protection.screens, MAX_OWN)


def _burn_craft(table: Table, group: Group, number: int, screens: int, of: str, cause: str) -> None:
    """Roll an explosion's dice against craft; each point destroys one.

    Rules: Continuum "Antimatter missiles" 6.6, "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    rolls, points = roll_explosion(number, screens, table.dice, f"{of}>{group.id}")
    craft = min(points, group.craft)
    table.tell(CraftBurned, group=group.id, cause=cause, dice=rolls, craft=craft)
    group.take_damage(table, craft, cause)


def _destroy_gunboats(table: Table, group: Group, cause: str) -> None:
    """Destroy all gunboats of a group without a die.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    craft = group.craft
    table.tell(CraftBurned, group=group.id, cause=cause, dice=(), craft=craft)
    group.take_damage(table, craft, cause)


def _is_vulnerable(state: BattleState, piece: Piece, *, mines: bool) -> bool:
    """Return whether an explosion destroys a piece: missiles and rockets, and mines if it may."""
    if isinstance(piece, Marker):
        return piece.row(state).defence_target is not PointDefenceTarget.PLASMA_BOLT
    return mines and isinstance(piece, Mine)
