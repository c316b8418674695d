"""FTL in Continuum: ships arrive, then ships leave, after all others have moved.

Rules: Continuum "Faster than light" 11 [pc.ftl-exit] [pc.ftl-entry]
"""

from __future__ import annotations

from engine.continuum.damage import apply_damage
from engine.continuum.drives import ADVANCED
from engine.continuum.legs import leg_of, motion, tell_move
from engine.continuum.sections import carry_along, ships_carried
from engine.core.geometry import Point
from engine.core.kinds import DERELICT_STATUSES, FIGHTING, HULL, INBOUND, JumpOutcome
from engine.core.orders import HOLD
from engine.core.reason import reason
from engine.core.rolls import TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import ShipDestroyed
from engine.events.movement import EntryAnnounced, FtlExit
from engine.movement.edges import leave_if_off
from engine.movement.ftl_entries import AGAIN, place_arrival
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.piece import Piece
from engine.second_edition.ftl import is_in_danger
from engine.systems.carried_ships import ships_aboard

TORN = reason("torn-apart-ftl-drive", "torn apart by an FTL drive")
# On a 1 the drive fails, on 2-4 the ship jumps and is damaged, on 5-6 it explodes.
FAILS, STRAINED_UP_TO = 1, 4


def ships_due(state: BattleState, turn: int) -> list[ShipState]:
    """Return the ships that arrive from FTL this turn by their own drives, in file order."""
    result: list[ShipState] = []
    for ship in state.ships:
        if ship.status == INBOUND and ship.due <= turn and not ship.record.by_gate:
            result.append(ship)
    return result


def place_arrival_markers(table: Table) -> None:
    """Announce where ships will arrive from FTL, as orders are opened.

    Rules: Continuum "FTL entry" 11.5 [pc.ftl-entry]
    """
    if table.listens:
        for ship in ships_due(table.state, table.turn):
            table.tell(EntryAnnounced, ship.id, (ship.x, ship.y))


def jumps_precisely(ship: ShipState) -> bool:
    """Return whether a ship jumps with an advanced drive, its own or a tug's.

    Such ships neither stray nor collide.

    Rules: Continuum "Advanced FTL drives" 11.3 [pc.ftl-entry]
    """
    return ADVANCED in (ship.sheet.ftl, ship.sheet.fits[ship.profile.ftl].variant)


def near_ships(state: BattleState, ship: ShipState, at: Point) -> list[ShipState]:
    """Return the other ships and bases within 6 MU of a point, in file order."""
    ships: list[ShipState] = []
    for other in state.ships:
        if other is ship or other.status != FIGHTING or other.docking == BERTHED:
            continue
        if is_in_danger(at, other.x, other.y):
            ships.append(other)
    return ships


def near_bodies(state: BattleState, at: Point) -> list[str]:
    """Return the ids of asteroids and hulks within 6 MU of a point, which endanger a jump."""
    names: list[str] = []
    for piece in state.pieces:
        if piece.body and piece.solid and is_in_danger(at, piece.x, piece.y):
            names.append(piece.id)
    for ship in state.ships:
        if ship.status in DERELICT_STATUSES and is_in_danger(at, ship.x, ship.y):
            names.append(ship.id)
    return names


def damage_nearby(table: Table, ship: ShipState, at: Point, near: list[ShipState]) -> None:
    """Damage the units near a jump.

    Each ship takes two dice of damage, ignoring screens and armour; craft and ordnance are
    destroyed.

    Rules: Continuum "FTL exit", "FTL entry" 11.4, 11.5 [pc.ftl-exit]
    """
    cause = f"ftl:{ship.id}"
    for near_ship in near:
        points = sum(table.dice.roll("damage", f"{ship.id}>{near_ship.id}") for _ in range(2))
        apply_damage(table, near_ship, (TypedDamage(points, HULL),), cause)
    craft_and_ordnance: list[Piece] = [
        *table.state.pieces_of(Group),
        *table.state.pieces_of(Marker),
    ]
    for piece in craft_and_ordnance:
        if is_in_danger(at, piece.x, piece.y):
            piece.destroy(table, TORN if isinstance(piece, Marker) else cause)


def drop_out(table: Table) -> list[str]:
    """Place the ships due from FTL this turn, apply the effects, and return the ids of arrivals.

    Rules: Continuum "FTL entry" 11.5 [pc.ftl-entry]
    """
    due = ships_due(table.state, table.turn)
    for ship in due:
        place_arrival(table, ship, strays=not jumps_precisely(ship))
    for ship in due:
        if ship.status == FIGHTING and not jumps_precisely(ship):
            _emerge(table, ship)
    return [ship.id for ship in due if ship.status == FIGHTING]


def _emerge(table: Table, ship: ShipState) -> None:
    """Damage a ship that arrived within 6 MU of ships or asteroids, and then the units nearby.

    It takes a die of damage; a 6 is multiplied by another die.

    Rules: Continuum "FTL entry" 11.5 [pc.ftl-entry]
    """
    state = table.state
    at = (ship.x, ship.y)
    near = near_ships(state, ship, at)
    if near or near_bodies(state, at):
        points = table.dice.roll("ftl", ship.id)
        if points == AGAIN:
            points *= table.dice.roll("damage", ship.id)
        apply_damage(table, ship, (TypedDamage(points, HULL),), f"ftl:{ship.id}")
    damage_nearby(table, ship, at, near)


def jump(table: Table, ship: ShipState, mass_lent: int = 0) -> tuple[Point, ...]:
    """Move a warmed-up ship to its jump point and into FTL.

    A die is needed if ships or asteroids are within 6 MU and the drive is not advanced. On a 1 the
    drive fails; the ship completes its move and must warm up anew. On 2-4 the ship takes a die of
    damage as it leaves. On 5-6 it is destroyed, and nearby units are damaged.

    Args:
        mass_lent: The mass that other tugs transfer for it.

    Returns:
        The rest of its path if it stays.

    Rules: Continuum "FTL exit" 11.4 [pc.ftl-exit]
    """
    state = table.state
    ship.cool_down()
    at = jump_point(ship)
    carried = ships_carried(state, ship, mass_lent)
    near = [other for other in near_ships(state, ship, at) if other not in carried]
    names = _neighbour_names(state, at, near, carried)
    works = ship.alive[ship.profile.ftl] > 0
    die = 0
    if names and works and not jumps_precisely(ship):
        die = table.dice.roll("ftl", ship.id)
    if not works or die == FAILS:
        outcome = JumpOutcome.FAILED if works else JumpOutcome.NO_DRIVE
        return _stay(table, ship, at=at, near=names, die=die, outcome=outcome)
    exploded = die > STRAINED_UP_TO
    offset = at[0] - ship.x, at[1] - ship.y
    ship.jump(at, exploded=exploded)
    table.tell(FtlExit, ship=ship.id, at=at, near=names, die=die, outcome=_outcome_of(die))
    if exploded:
        table.tell(ShipDestroyed, ship.id, "ftl")
    carry_along(table, ship, carried, offset, exploded=exploded)
    if exploded:
        damage_nearby(table, ship, at, near)
    elif die:
        for member in (ship, *carried, *ships_aboard(state, ship)):
            damage_types = (TypedDamage(table.dice.roll("damage", member.id), HULL),)
            apply_damage(table, member, damage_types, f"ftl:{ship.id}")
    return ()


def _neighbour_names(
    state: BattleState, at: Point, near: list[ShipState], carried: list[ShipState]
) -> tuple[str, ...]:
    """Return the ids of what endangers a jump: ships nearby, and bodies that are not carried."""
    carried_ids = [ship.id for ship in carried]
    bodies = [name for name in near_bodies(state, at) if name not in carried_ids]
    return (*(ship.id for ship in near), *bodies)


def _outcome_of(die: int) -> JumpOutcome:
    """Return the outcome of a jump by its die, 0 if none was rolled; the drive has not failed."""
    if die > STRAINED_UP_TO:
        return JumpOutcome.EXPLODED
    if die:
        return JumpOutcome.STRAINED
    return JumpOutcome.SAFE


def jump_point(ship: ShipState) -> Point:
    """Return the point where a warmed-up ship jumps: the middle of its move."""
    if ship.drift is None:
        return leg_of(ship, HOLD).path[1]
    dx, dy = motion(ship)
    return ship.x + dx / 2, ship.y + dy / 2


def _stay(
    table: Table, ship: ShipState, at: Point, near: tuple[str, ...], die: int, outcome: str
) -> tuple[Point, ...]:
    """Complete the move of a ship whose FTL drive failed, at its course and velocity."""
    leg = leg_of(ship, HOLD)
    table.tell(FtlExit, ship=ship.id, at=at, near=near, die=die, outcome=outcome)
    path = tell_move(table, ship, leg)
    leave_if_off(table, ship, path)
    return at, path[-1]
