"""Leaving the table under FTL drive.

Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]
"""

from __future__ import annotations

from engine.core.geometry import COURSES, is_within
from engine.core.kinds import FIGHTING, JumpOutcome
from engine.core.ship import BERTHED, ShipState
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
    state = table.state
    ship.cool_down()
    start = (ship.x, ship.y)
    half = ship.velocity * 0.5
    ux, uy = COURSES[ship.course]
    at = (ship.x + ux * half, ship.y + uy * half)
    if not ship.alive[ship.profile.ftl]:
        _complete(table, ship, start=start, mid=at, near=(), die=0, outcome=JumpOutcome.NO_DRIVE)
        return
    near = [
        neighbour
        for neighbour in state.ships
        if neighbour is not ship
        and neighbour.status == FIGHTING
        and neighbour.docking != BERTHED
        and is_within((neighbour.x - at[0]) ** 2 + (neighbour.y - at[1]) ** 2, DANGER_RADIUS)
    ]
    pieces = [
        piece
        for piece in by_kind(state.pieces)
        if endangers_jump(piece)
        and is_within((piece.x - at[0]) ** 2 + (piece.y - at[1]) ** 2, DANGER_RADIUS)
    ]
    names = (*(neighbour_ship.id for neighbour_ship in near), *(piece.id for piece in pieces))
    die = table.dice.roll("ftl", ship.id) if names else 0
    if die == FAILS:
        _complete(table, ship, start=start, mid=at, near=names, die=die, outcome=JumpOutcome.FAILED)
        return
    exploded = die > SAFE_UP_TO
    ship.jump(at, exploded=exploded)
    if table.listens:
        outcome = JumpOutcome.BLAST_OTHERS if names else JumpOutcome.SAFE
        if exploded:
            outcome = JumpOutcome.EXPLODED
        table.tell(FtlExit, ship=ship.id, at=at, near=names, die=die, outcome=outcome)
        if exploded:
            table.tell(ShipDestroyed, ship.id, "ftl")
    for neighbour in near:
        roll = 0 if exploded else table.dice.roll("damage", f"{ship.id}>{neighbour.id}")
        mark_damage(
            table,
            neighbour,
            points=ship.sheet.boxes if exploded else roll,
            cause=f"ftl:{ship.id}",
            die=roll,
        )
    for piece in pieces:
        if piece.commanded or piece.has_boxes:
            roll = 0 if exploded else table.dice.roll("damage", f"{ship.id}>{piece.id}")
            piece.take_damage(table, ship.sheet.boxes if exploded else roll, f"ftl:{ship.id}", roll)


def endangers_jump(piece: Piece) -> bool:
    """Return whether a piece makes a jump nearby dangerous: craft in flight, and bodies."""
    return piece.commanded or piece.body


def _complete(
    table: Table,
    ship: ShipState,
    start: tuple[float, float],
    mid: tuple[float, float],
    near: tuple[str, ...],
    die: int,
    outcome: str,
) -> None:
    """Complete the move of a ship whose drive did not engage, at its course and velocity."""
    ux, uy = COURSES[ship.course]
    ship.x, ship.y = start[0] + ux * ship.velocity, start[1] + uy * ship.velocity
    table.tell(FtlExit, ship=ship.id, at=mid, near=near, die=die, outcome=outcome)
    leave_if_off(table, ship, move_along(table, ship, (start, mid, (ship.x, ship.y))))
