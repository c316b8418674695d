"""Damage points, the damage track and threshold checks.

Rules: 2E "Threshold points" [2e.thresholds]; 2E "Merchant ships: damage to cargo" [2e.cargo]
"""

from __future__ import annotations

from fractions import Fraction

from engine.core.kinds import DESTROYED
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import ShipDamaged, ShipDestroyed, ThresholdChecked


def threshold_check(table: Table, ship: ShipState, row: int, loses_on: int) -> None:
    """Roll once for every surviving system in canonical order; `loses_on` or more loses it.

    The drive is halved the first time and lost the second. A pack that was fired is crossed off and
    takes no roll.
    Rules: 2E "Threshold points" [2e.thresholds]; 2E "Submunition packs" [2e.submunitions]
    """
    alive = ship.alive
    prefix = f"{ship.id}/"
    rolls: list[tuple[str, int]] = []
    lost_ids: list[str] = []
    for index, fit in enumerate(ship.sheet.fits):
        if alive[index] and (ship.stock[index] or not ship.profile.weapons[index].once):
            die = table.dice.roll("threshold", prefix + fit.id)
            rolls.append((fit.id, die))
            if die >= loses_on:
                ship.knock_out(index)
                lost_ids.append(fit.id)
    if lost_ids:
        ship.recompute()
    if table.listens:
        table.tell(
            ThresholdChecked,
            ship=ship.id,
            row=row,
            loses_on=loses_on,
            rolls=tuple(rolls),
            lost=tuple(lost_ids),
        )


def mark_damage(table: Table, ship: ShipState, points: int, cause: str, die: int) -> None:
    """Mark damage points off a ship in play, then check thresholds for each row that ended.

    A ship without points left is destroyed and makes no check. Excess damage is lost.

    Rules: 2E "Threshold points" [2e.thresholds]
    """
    if points <= 0 or ship.status == DESTROYED:
        return
    before = ship.damage
    boxes = ship.sheet.boxes
    ship.mark_damage(points)
    table.tell(ShipDamaged, ship=ship.id, cause=cause, points=points, total=ship.damage, die=die)
    if ship.damage >= boxes:
        ship.destroy()
        table.tell(ShipDestroyed, ship.id, cause)
        return
    for row, (end, loses_on) in enumerate(ship.profile.row_ends, 1):
        if before < end <= ship.damage:
            threshold_check(table, ship, row, loses_on)


def mark_damage_points(
    table: Table, ship: ShipState, points: int, cause: str, die: int, _: str
) -> None:
    """Mark damage points off a ship outside its fire; this edition has no armour."""
    mark_damage(table, ship, points=points, cause=cause, die=die)


def boxes_left(sheet: Sheet, damage: int) -> list[int]:
    """Return the boxes not yet marked in each row, upper row first."""
    result = []
    for row in sheet.rows:
        filled = min(damage, row)
        damage -= filled
        result.append(row - filled)
    return result


def cargo_left(sheet: Sheet, damage: int) -> Fraction:
    """Return the share of a merchant's cargo or passengers that is intact, as of its damage points.

    Rules: 2E "Merchant ships: damage to cargo and holds" [2e.cargo]
    """
    return Fraction(sheet.boxes - min(damage, sheet.boxes), sheet.boxes)
