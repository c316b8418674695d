"""Leaving the table under FTL drive.

Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.geometry import COURSES, Point, is_within, squared_length
from engine.core.kinds import FIGHTING, JumpOutcome
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import ShipDestroyed
from engine.events.movement import FtlExit
from engine.movement.edges import leave_if_off
from engine.movement.paths import move_along
from engine.pieces.piece import Piece, by_kind
from engine.second_edition.damage import mark_damage

DANGER_RADIUS = 6.0  # MU
# A die of 1 fails, 2-4 leaves and damages its neighbours, 5-6 explodes.
FAILS = 1
SAFE_UP_TO = 4


def leave_under_ftl(table: Table, ship: ShipState) -> None:
    """Move a warmed-up ship half its velocity, then jump; roll a die if anything is within 6 MU.

    1: the drive fails; the ship completes its move and must warm up again. 2-4: it leaves, and its
    neighbours take a die of damage that ignores screens. 5-6: it is destroyed, and each neighbour
    takes the ship's original damage points. Asteroids count as neighbours too.
    Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]
    """
    ship.cool_down()
    start = (ship.x, ship.y)
    half = ship.velocity * 0.5
    ux, uy = COURSES[ship.course]
    jump_point = (ship.x + ux * half, ship.y + uy * half)
    if not ship.alive[ship.profile.ftl]:
        _complete_move(
            table,
            ship,
            start=start,
            mid=jump_point,
            neighbours=(),
            die=0,
            outcome=JumpOutcome.NO_DRIVE,
        )
        return
    near_ships = _ships_in_danger(table.state, ship, jump_point)
    near_pieces = pieces_in_danger(table.state, jump_point)
    names = (*(near_ship.id for near_ship in near_ships), *(piece.id for piece in near_pieces))
    die = table.dice.roll("ftl", ship.id) if names else 0
    if die == FAILS:
        _complete_move(
            table,
            ship,
            start=start,
            mid=jump_point,
            neighbours=names,
            die=die,
            outcome=JumpOutcome.FAILED,
        )
        return
    exploded = die > SAFE_UP_TO
    ship.jump(jump_point, exploded=exploded)
    if table.listens:
        outcome = JumpOutcome.BLAST_OTHERS if names else JumpOutcome.SAFE
        if exploded:
            outcome = JumpOutcome.EXPLODED
        table.tell(FtlExit, ship=ship.id, at=jump_point, near=names, die=die, outcome=outcome)
        if exploded:
            table.tell(ShipDestroyed, ship.id, "ftl")
    _damage_neighbours(table, ship, near_ships, near_pieces, exploded=exploded)


def _ships_in_danger(state: BattleState, ship: ShipState, jump_point: Point) -> list[ShipState]:
    """Return the other ships within 6 MU of a jump, except those inside a bay."""
    ships: list[ShipState] = []
    for other in state.ships:
        if other is ship or other.status != FIGHTING or other.docking == BERTHED:
            continue
        if is_in_danger(jump_point, other.x, other.y):
            ships.append(other)
    return ships


def pieces_in_danger(state: BattleState, jump_point: Point) -> list[Piece]:
    """Return the craft and bodies within 6 MU of a jump."""
    pieces: list[Piece] = []
    for piece in by_kind(state.pieces):
        if endangers_jump(piece) and is_in_danger(jump_point, piece.x, piece.y):
            pieces.append(piece)
    return pieces


def is_in_danger(jump_point: Point, x: float, y: float) -> bool:
    """Return whether a place is within 6 MU of a jump."""
    return is_within(squared_length(x - jump_point[0], y - jump_point[1]), DANGER_RADIUS)


def _damage_neighbours(
    table: Table,
    ship: ShipState,
    near_ships: Sequence[ShipState],
    near_pieces: Sequence[Piece],
    *,
    exploded: bool,
) -> None:
    """Damage the neighbours of a jump: by a die each, or by the boxes of a ship that exploded."""
    cause = f"ftl:{ship.id}"
    for near_ship in near_ships:
        die = 0 if exploded else table.dice.roll("damage", f"{ship.id}>{near_ship.id}")
        points = ship.sheet.boxes if exploded else die
        mark_damage(table, near_ship, points=points, cause=cause, die=die)
    for piece in near_pieces:
        if piece.commanded or piece.has_boxes:
            die = 0 if exploded else table.dice.roll("damage", f"{ship.id}>{piece.id}")
            points = ship.sheet.boxes if exploded else die
            piece.take_damage(table, points, cause, die)


def endangers_jump(piece: Piece) -> bool:
    """Return whether a piece makes a jump nearby dangerous: craft in flight, and bodies."""
    return piece.commanded or piece.body


def _complete_move(
    table: Table,
    ship: ShipState,
    start: Point,
    mid: Point,
    neighbours: tuple[str, ...],
    die: int,
    outcome: str,
) -> None:
    """Complete the move of a ship whose drive did not engage, at its course and velocity."""
    ux, uy = COURSES[ship.course]
    ship.x, ship.y = start[0] + ux * ship.velocity, start[1] + uy * ship.velocity
    table.tell(FtlExit, ship=ship.id, at=mid, near=neighbours, die=die, outcome=outcome)
    leave_if_off(table, ship, move_along(table, ship, (start, mid, (ship.x, ship.y))))
