"""Flak barrages against craft and ordnance that fly past.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from engine.continuum.defences import tell_guard_cover
from engine.core.geometry import NEAR, Point, distance_to_path
from engine.core.table import Table
from engine.pieces.flak import Flak, FlakAtCraft, FlakAtOrdnance, can_fire_at
from engine.pieces.group import Group
from engine.pieces.point_defence_targets import IncomingUnit, point_defence_target
from engine.weapons.guard import AT_BOATS, BY_GUN, PointDefenceTarget, roll_defence_dice
from engine.weapons.kinetics import FLAK_MODIFIER, FLAK_RADIUS


def resolve_fly_by(table: Table, unit: IncomingUnit, start: Point, end: Point) -> None:
    """Fire each barrage within 2 MU of a straight path at the unit that flew it, once a turn.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    if not table.state.has(Flak):
        return
    for flak in table.state.pieces_of(Flak):
        if not can_fire_at(flak, unit):
            continue
        if distance_to_path(flak.x, flak.y, start, end) <= FLAK_RADIUS + NEAR:
            _burst_at(table, flak, unit)


def _burst_at(table: Table, flak: Flak, unit: IncomingUnit) -> None:
    """Roll one point-defence die for each class of the gun, with a modifier of -1.

    Gunboats get another -2; plasma bolts cannot be hit.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]; Continuum "Heavy", "Light fighter" 8.15,
    "Gunboat rules" 9.1 [pc.fighter-types]
    """
    target_kind = point_defence_target(table.state, unit)
    if target_kind not in BY_GUN or (isinstance(unit, Group) and not unit.craft):
        return
    toughness = unit.row.modifier if isinstance(unit, Group) else unit.toughness
    modifier = FLAK_MODIFIER + max(toughness, 0)
    if target_kind is PointDefenceTarget.GUNBOATS:
        modifier += AT_BOATS
    subject = f"{flak.ship}/{flak.weapon}>{unit.id}"
    if isinstance(unit, Group):
        screens = tell_guard_cover(table, unit).advanced
    else:
        screens = 0
    dice, hits = roll_defence_dice(
        number=flak.rating,
        kills=BY_GUN[target_kind],
        target_kind=target_kind,
        modifier=modifier,
        subject=subject,
        dice=table.dice,
        screens=screens,
    )
    if isinstance(unit, Group):
        table.carry_out(
            FlakAtCraft(table.turn, flak.ship, barrage=flak.id, group=unit.id, dice=dice, hits=hits)
        )
        unit.take_damage(table, hits, f"flak:{flak.ship}")
    else:
        table.carry_out(
            FlakAtOrdnance(
                table.turn, flak.ship, barrage=flak.id, marker=unit.id, dice=dice, hits=hits
            )
        )
