"""Antimatter suicide charges: exploded by order, or by damage not repaired in time.

Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine.continuum.damage import check_after_damage, mark_damage
from engine.continuum.defences import ship_distance
from engine.continuum.explosions import burn_craft_and_pieces, burn_ship, ships_exposed
from engine.core.ids import ShipId
from engine.core.kinds import DESTROYED, FIGHTING, HULK, HULL, IN_PLAY, ON_TABLE, SHIP_SURRENDERED
from engine.core.rolls import TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.table import Table
from engine.events.damage import ChargeRolled, ChargesDetonated, ExplosionDamage, ShipDestroyed
from engine.weapons.antimatter import AT_THE_CORE, EXPLODES_ON, blast_dice, roll_explosion
from engine.weapons.weapon import Trait

SUICIDE = Trait.SUICIDE  # a constant, because looking up an enum member takes longer


def remaining_charges(ship: ShipState) -> tuple[str, ...]:
    """Return the charges of a ship that have not exploded, damaged or not."""
    places = ship.profile.having.get(SUICIDE)
    if not places:
        return ()
    names = (ship.sheet.fits[place].id for place in places)
    return tuple(name for name in names if name not in ship.record.irreparable)


def detonate(table: Table) -> None:
    """Explode the ships ordered to do so at the start of phase 13, all at once.

    Ships wrecked by this turn's fire explode too. The damage counts in the checks of this phase.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    for ship in [
        ship for ship in table.state.ships if ship.status == FIGHTING and ship.this_turn.detonating
    ]:
        charges = remaining_charges(ship)
        if charges:
            cause = _charge_type(ship, charges)
            _explode_charges(table, ship, charges)
            mark_damage(table, ship, (TypedDamage(ship.sheet.boxes, HULL),), cause)
            ship.destroy()
            table.tell(ShipDestroyed, ship.id, cause)


def detonate_destroyed(table: Table) -> None:
    """Explode the charges of destroyed ships that were ordered to explode, at the end of a phase.

    Damaged ships check at once.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    state = table.state
    for ship in [
        ship for ship in state.ships if ship.status == DESTROYED and ship.this_turn.detonating
    ]:
        charges = remaining_charges(ship)
        if charges:
            before = {other.id: other.damage for other in state.ships}
            _explode_charges(table, ship, charges)
            _check_damaged_ships(table, before, f"{_charge_type(ship, charges)}:{ship.id}")


def roll_damaged_charges(table: Table) -> None:
    """Roll for every damaged charge before any explodes; damaged ships check at once (phase 15).

    The ship that carries a charge takes hull damage that ignores armour and screens, and may
    survive. Under a cloaking field, or off the table, other units take no damage.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    exploding: list[tuple[ShipState, tuple[str, ...]]] = []
    for ship in table.state.ships:
        if ship.status in (*IN_PLAY, HULK):
            charges = _roll_ship_charges(table, ship)
            if charges:
                exploding.append((ship, charges))
    for ship, charges in exploding:
        _explode_aboard(table, ship, charges)


def _roll_ship_charges(table: Table, ship: ShipState) -> tuple[str, ...]:
    """Roll for the damaged charges of a ship, and return those that explode."""
    damaged: list[str] = []
    for name in remaining_charges(ship):
        if not ship.alive[ship.profile.index_of[name]]:
            damaged.append(name)
    if not damaged:
        return ()
    rolls = tuple((name, table.dice.roll("charge", f"{ship.id}/{name}")) for name in damaged)
    table.tell(ChargeRolled, ship.id, rolls)
    return tuple(name for name, die in rolls if die >= EXPLODES_ON)


def _explode_aboard(table: Table, ship: ShipState, charges: tuple[str, ...]) -> None:
    """Explode damaged charges of a ship, which may survive; all damaged ships check at once."""
    before = {other.id: other.damage for other in table.state.ships}
    cause = f"{_charge_type(ship, charges)}:{ship.id}"
    _explode_charges(table, ship, charges)
    damage_dice, points = roll_explosion(
        AT_THE_CORE * len(charges),
        screens=0,
        dice=table.dice,
        subject=f"{ship.id}/{charges[0]}>{ship.id}",
    )
    if table.listens:
        table.tell(
            ExplosionDamage, ship=ship.id, cause=cause, dice=damage_dice, screens=0, points=points
        )
    mark_damage(table, ship, (TypedDamage(points, HULL),), cause)
    _check_damaged_ships(table, before, cause)


def _charge_type(ship: ShipState, charges: tuple[str, ...]) -> str:
    """Return the type of the charges, the recorded cause of the damage."""
    return ship.sheet.fits[ship.profile.index_of[charges[0]]].type


def _explode_charges(table: Table, ship: ShipState, charges: tuple[str, ...]) -> None:
    """Explode charges: damage ships within 3 MU, friends too, then craft, ordnance and mines.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """
    cause = f"{_charge_type(ship, charges)}:{ship.id}"
    ship.remove_charges(charges)
    table.tell(ChargesDetonated, ship=ship.id, at=(ship.x, ship.y), charges=charges)
    if ship.status not in (*ON_TABLE, DESTROYED):
        return
    for other in ships_exposed(table.state):
        if other is ship:
            continue
        number = blast_dice(ship_distance(ship, other), len(charges))
        if number:
            burn_ship(table, other, number=number, of=f"{ship.id}/{charges[0]}", cause=cause)
    if ship.docking != BERTHED:
        dice = partial(blast_dice, charges=len(charges))
        burn_craft_and_pieces(
            table,
            at=(ship.x, ship.y),
            number=dice,
            of=f"{ship.id}/{charges[0]}",
            cause=cause,
            mines=True,
        )


def _check_damaged_ships(table: Table, before: Mapping[ShipId, int], cause: str) -> None:
    """Destroy or check every ship that an explosion damaged."""
    for other in table.state.ships:
        if other.damage > before[other.id] and other.status in (*IN_PLAY, HULK, SHIP_SURRENDERED):
            check_after_damage(table, other, before[other.id], cause)
