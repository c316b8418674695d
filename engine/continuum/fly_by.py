"""What barrages of flak do to craft and ordnance that fly by.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from engine.continuum.defences import tell_cover
from engine.core.geometry import NEAR, Point, distance_to_path
from engine.core.table import Table
from engine.pieces.flak import Flak, FlakAtCraft, FlakAtOrdnance, unmet
from engine.pieces.group import Group
from engine.pieces.quarry import Prey, quarry_of
from engine.weapons.guard import AT_BOATS, BY_GUN, Quarry, defence_dice
from engine.weapons.kinetics import FLAK_MODIFIER, FLAK_RADIUS


def flies_by(table: Table, unit: Prey, start: Point, end: Point) -> None:
    """Craft or ordnance has gone straight from one point to another: each barrage within 2 MU of
    its way goes off at it, once in the turn.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    if not table.state.has(Flak):
        return
    for flak in table.state.of(Flak):
        if unmet(flak, unit) and distance_to_path(flak.x, flak.y, start, end) <= FLAK_RADIUS + NEAR:
            _go_off(table, flak, unit)


def _go_off(table: Table, flak: Flak, unit: Prey) -> None:
    """As many dice of point defence as the gun's class, one less on each; at gunboats two more
    less, at bolts none.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]; Continuum "Heavy", "Light fighter" 8.15,
    "Gunboat rules" 9.1 [pc.fighter-types]
    """
    quarry = quarry_of(table.state, unit)
    if quarry not in BY_GUN or (isinstance(unit, Group) and not unit.craft):
        return
    toughness = max(unit.row.modifier if isinstance(unit, Group) else unit.toughness, 0)
    modifier = FLAK_MODIFIER + toughness + (AT_BOATS if quarry is Quarry.GUNBOATS else 0)
    subject = f"{flak.ship}/{flak.weapon}>{unit.id}"
    screens = tell_cover(table, unit).advanced if isinstance(unit, Group) else 0
    dice, hits = defence_dice(
        flak.rating, BY_GUN[quarry], quarry, modifier, subject, table.dice, screens=screens
    )
    if isinstance(unit, Group):
        table.carry_out(FlakAtCraft(table.turn, flak.ship, flak.id, unit.id, dice, hits))
        unit.take(table, hits, f"flak:{flak.ship}")
    else:
        table.carry_out(FlakAtOrdnance(table.turn, flak.ship, flak.id, unit.id, dice, hits))
