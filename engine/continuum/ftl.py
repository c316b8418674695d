"""FTL in Continuum: ships arrive, then ships leave, after all others have moved.

Rules: Continuum "Faster than light" 11 [pc.ftl-exit] [pc.ftl-entry]
"""

from __future__ import annotations

from engine.continuum.damage import apply_damage
from engine.continuum.drives import ADVANCED
from engine.continuum.legs import leg_of, motion, tell_move
from engine.continuum.sections import carry_along, ships_carried
from engine.core.geometry import Point, is_within
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
from engine.second_edition.ftl import DANGER_RADIUS
from engine.systems.carried_ships import ships_aboard

TORN = reason("torn-apart-ftl-drive", "torn apart by an FTL drive")
FAILS, STRAINED_UP_TO = 1, 4  # 1 fails, 2-4 jumps with damage, 5-6 explodes


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
    for neighbour in state.ships:
        if (
            neighbour is not ship
            and neighbour.status == FIGHTING
            and neighbour.docking != BERTHED
            and is_within((neighbour.x - at[0]) ** 2 + (neighbour.y - at[1]) ** 2, DANGER_RADIUS)
        ):
            ships.append(neighbour)
    return ships


def near_bodies(state: BattleState, at: Point) -> list[str]:
    """Return the asteroids and hulks within 6 MU of a point; they make a jump dangerous."""
    bodies = []
    for piece in state.pieces:
        if piece.body and piece.solid:
            bodies.append((piece.id, piece.x, piece.y))
    bodies += [
        (ship.id, ship.x, ship.y) for ship in state.ships if ship.status in DERELICT_STATUSES
    ]
    result: list[str] = []
    for name, x, y in bodies:
        if is_within((x - at[0]) ** 2 + (y - at[1]) ** 2, DANGER_RADIUS):
            result.append(name)
    return result


def damage_nearby(table: Table, ship: ShipState, at: Point, near: list[ShipState]) -> None:
    """Apply a jump to nearby units.

    Each ship takes two dice of damage, ignoring screens and armour; craft and ordnance are
    destroyed.

    Rules: Continuum "FTL exit", "FTL entry" 11.4, 11.5 [pc.ftl-exit]
    """
    cause = f"ftl:{ship.id}"
    for victim in near:
        points = sum(table.dice.roll("damage", f"{ship.id}>{victim.id}") for _ in range(2))
        apply_damage(table, victim, (TypedDamage(points, HULL),), cause)
    light: list[Piece] = [*table.state.pieces_of(Group), *table.state.pieces_of(Marker)]
    for piece in light:
        if is_within((piece.x - at[0]) ** 2 + (piece.y - at[1]) ** 2, DANGER_RADIUS):
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
    near = [unit for unit in near_ships(state, ship, at) if unit not in carried]
    along = [unit.id for unit in carried]
    bodies = [name for name in near_bodies(state, at) if name not in along]
    names = (*(unit.id for unit in near), *bodies)
    works = ship.alive[ship.profile.ftl] > 0
    if names and works and not jumps_precisely(ship):
        die = table.dice.roll("ftl", ship.id)
    else:
        die = 0
    if not works or die == FAILS:
        return _stay(
            table,
            ship,
            at=at,
            near=names,
            die=die,
            outcome=JumpOutcome.FAILED if works else JumpOutcome.NO_DRIVE,
        )
    exploded = die > STRAINED_UP_TO
    by = at[0] - ship.x, at[1] - ship.y
    ship.jump(at, exploded=exploded)
    table.tell(FtlExit, ship=ship.id, at=at, near=names, die=die, outcome=_outcome_of(die))
    if exploded:
        table.tell(ShipDestroyed, ship.id, "ftl")
    carry_along(table, ship, carried, by, exploded=exploded)
    if exploded:
        damage_nearby(table, ship, at, near)
    elif die:
        for unit in (ship, *carried, *ships_aboard(state, ship)):
            damage_types = (TypedDamage(table.dice.roll("damage", unit.id), HULL),)
            apply_damage(table, unit, damage_types, f"ftl:{ship.id}")
    return ()


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
