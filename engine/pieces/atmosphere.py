"""Ships that enter a planet's atmosphere: streamlined ones may land, others roll to survive.

Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
"""

from __future__ import annotations

from engine.combat.detection import reveal_ship
from engine.core.kinds import EntryOutcome, Streamlining
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import POINT_DEFENCE_LEVEL
from engine.events.damage import ShipDestroyed
from engine.events.orbits import CAME_DOWN, EnteredAtmosphere
from engine.fighters.hangars import free_name
from engine.pieces.group import Group, group_id
from engine.pieces.group_events import GroupLaunched

# Modifiers of the die.
BY_HULL = {Streamlining.NONE: 4, Streamlining.PARTIAL: 0, Streamlining.FULL: -2}
BY_DRIVE = (3, 1, 0)  # by the state of the drive: out, half, full
SURVIVES, CRAFT_SURVIVE = 2, 5  # scores up to which the ship, or its craft, survive


def can_land(ship: ShipState) -> bool:
    """Return whether a ship that enters from orbit comes down under its own drive, hard or not.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    return ship.sheet.streamlining != Streamlining.NONE and ship.thrust > 0 and not ship.dummy


def can_land_undamaged(ship: ShipState, gravity: int) -> bool:
    """Return whether it lands undamaged.

    A partly streamlined ship needs at least as much thrust as the planet's gravity, in g.
    """
    needed_thrust = 1 if ship.sheet.streamlining == Streamlining.FULL else gravity
    return can_land(ship) and ship.thrust >= needed_thrust


def modifiers(ship: ShipState, entry_velocity: int) -> int:
    """Return the modifier of the die of a ship that enters out of control.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    if ship.profile.drive >= 0:
        drive = ship.alive[ship.profile.drive]
    else:
        drive = 0
    return (
        BY_HULL[Streamlining(ship.sheet.streamlining)]
        + BY_DRIVE[drive]
        + max(ship.velocity - entry_velocity, 0)
    )


def enter_atmosphere(
    table: Table,
    ship: ShipState,
    planet: str,
    entry_velocity: int,
    gravity: int,
    *,
    controlled: bool = False,
) -> None:
    """Take a ship into a planet's atmosphere.

    Args:
        entry_velocity: The planet's.
        gravity: The planet's gravity in g.
        controlled: The ship slowed down from an orbit to enter.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    die = score = 0
    if controlled and can_land(ship):
        if can_land_undamaged(ship, gravity):
            outcome = EntryOutcome.LANDED
        else:
            outcome = EntryOutcome.CRASHED
    else:
        die = table.dice.roll("atmosphere", ship.id)
        score = die + modifiers(ship, entry_velocity)
        if score <= SURVIVES:
            outcome = EntryOutcome.CRASHED
        elif score <= CRAFT_SURVIVE:
            outcome = EntryOutcome.BURNT_UP
        else:
            outcome = EntryOutcome.LOST
    if outcome is EntryOutcome.BURNT_UP:
        _launch_all_craft(table, ship)
    entered = EnteredAtmosphere(
        table.turn, ship=ship.id, planet=planet, die=die, score=score, outcome=outcome
    )
    table.carry_out(entered)
    if outcome not in CAME_DOWN:
        ship.destroy()
        table.tell(ShipDestroyed, ship.id, f"planet:{planet}")


def _launch_all_craft(table: Table, ship: ShipState) -> None:
    """Launch all craft aboard that can fly, group by group."""
    state = table.state
    # With point defence levels craft do not fly.
    if ship.dummy or POINT_DEFENCE_LEVEL in state.terms.options:
        return
    for index in ship.profile.bays:
        bay = ship.sheet.fits[index].id
        is_mixed = len(ship.sheet.fits[index].load) > 1
        if is_mixed or not ship.alive[index] or not ship.stock[index]:
            continue
        if state.find(Group, group_id(ship, bay)) is not None:
            continue
        reveal_ship(table, ship)
        contact = free_name(state)
        at = (ship.x, ship.y)
        table.tell(
            GroupLaunched,
            ship=ship.id,
            group=group_id(ship, bay),
            contact=contact,
            at=at,
            course=ship.course,
            craft=ship.stock[index],
        )
        Group.launch(
            state, ship=ship, bay=bay, contact=contact, at=at, course=ship.course, turn=table.turn
        )
