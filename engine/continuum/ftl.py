"""FTL by Continuum: ships that drop out of it, then ships that leave under it, after all others
have moved.

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
FAILS, STRAINED_UP_TO = 1, 4  # 1 fails, 2-4 leaves and is hurt itself, 5-6 blows up


def ships_due(state: BattleState, turn: int) -> list[ShipState]:
    """The ships that drop out of FTL this turn by their own drives, in file order."""
    return [
        ship
        for ship in state.ships
        if ship.status == INBOUND and ship.due <= turn and not ship.record.by_gate
    ]


def place_arrival_markers(table: Table) -> None:
    """As orders are opened: markers lie where ships mean to drop out of FTL.

    Rules: Continuum "FTL entry" 11.5 [pc.ftl-entry]
    """
    if table.listens:
        for ship in ships_due(table.state, table.turn):
            table.tell(EntryAnnounced, ship.id, (ship.x, ship.y))


def jumps_precisely(ship: ShipState) -> bool:
    """Whether a ship jumps by an advanced drive, a tug's too: it neither strays nor strikes
    anything.

    Rules: Continuum "Advanced FTL drives" 11.3 [pc.ftl-entry]
    """
    return ADVANCED in (ship.sheet.ftl, ship.sheet.fits[ship.profile.ftl].variant)


def near_ships(state: BattleState, ship: ShipState, at: Point) -> list[ShipState]:
    """The other ships and bases within 6 MU of a point, in file order."""
    return [
        neighbour
        for neighbour in state.ships
        if neighbour is not ship
        and neighbour.status == FIGHTING
        and neighbour.docking != BERTHED
        and is_within((neighbour.x - at[0]) ** 2 + (neighbour.y - at[1]) ** 2, DANGER_RADIUS)
    ]


def near_bodies(state: BattleState, at: Point) -> list[str]:
    """The asteroids and hulks within 6 MU of a point: they make a jump dangerous, and nothing is
    done to them.
    """
    bodies = [(piece.id, piece.x, piece.y) for piece in state.pieces if piece.body and piece.solid]
    bodies += [
        (ship.id, ship.x, ship.y) for ship in state.ships if ship.status in DERELICT_STATUSES
    ]
    return [
        name
        for name, x, y in bodies
        if is_within((x - at[0]) ** 2 + (y - at[1]) ** 2, DANGER_RADIUS)
    ]


def damage_nearby(table: Table, ship: ShipState, at: Point, near: list[ShipState]) -> None:
    """Apply a jump to what is near: two dice to each ship, past screens and armour; craft and
    ordnance are gone.

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
    """The ships due this turn are on the table, then what their coming does, both in file order;
    returns who came.

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
    """A ship that came out within 6 MU of ships or asteroids takes a die, a 6 times another; then
    what is near.

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
    """A warmed-up ship's move: to the middle of it, then FTL, with a die where ships or asteroids
    are within 6 MU; an advanced drive needs none. Returns the rest of its path where it stays.
    `lent`: the mass that other tugs transfer for it.

    1: the drive fails, the ship completes its move and must warm up anew. 2-4: it is hurt by a die
    as it leaves. 5-6: it is destroyed, and what is near is struck.
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
    die = table.dice.roll("ftl", ship.id) if names and works and not jumps_precisely(ship) else 0
    if not works or die == FAILS:
        return _stay(
            table, ship, at, names, die, JumpOutcome.FAILED if works else JumpOutcome.NO_DRIVE
        )
    exploded = die > STRAINED_UP_TO
    by = at[0] - ship.x, at[1] - ship.y
    ship.jump(at, exploded=exploded)
    if table.listens:
        table.tell(
            FtlExit,
            ship.id,
            at,
            names,
            die,
            JumpOutcome.EXPLODED
            if exploded
            else (JumpOutcome.STRAINED if die else JumpOutcome.SAFE),
        )
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


def jump_point(ship: ShipState) -> Point:
    """The point at which a warmed-up ship jumps: the middle of the move it would make."""
    if ship.drift is None:
        return leg_of(ship, HOLD).path[1]
    dx, dy = motion(ship)
    return ship.x + dx / 2, ship.y + dy / 2


def _stay(
    table: Table, ship: ShipState, at: Point, near: tuple[str, ...], die: int, outcome: str
) -> tuple[Point, ...]:
    """The drive did not engage: the ship completes its move at its course and velocity."""
    leg = leg_of(ship, HOLD)
    table.tell(FtlExit, ship.id, at, near, die, outcome)
    path = tell_move(table, ship, leg)
    leave_if_off(table, ship, path)
    return at, path[-1]
