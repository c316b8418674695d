"""Knocked off course, an option: a threshold check may turn a ship.

Rules: Continuum "Knocked off course" 12.11 [pc.knocked-off-course]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.geometry import rotate_offset, turn_course, velocity_and_drift
from engine.core.ids import NO_SHIP
from engine.core.kinds import INSTALLATION
from engine.core.ship import FREE, ShipState
from engine.core.table import Table
from engine.core.terms import KNOCKED_OFF_COURSE
from engine.events.movement import InSquadron, ShipKnockedOffCourse

COURSE, DRIFT = "helm", "drift"  # names of the rolls; not systems of the sheet
TO_STARBOARD = 3  # up to this die, else to port


def roll_course_tests(table: Table, ship: ShipState, loses_on: int) -> list[tuple[str, int]]:
    """Roll for a ship's course, and in vector movement for its drift, at a threshold check.

    Installations and docked ships do not roll.
    """
    if KNOCKED_OFF_COURSE not in table.state.terms.options or loses_on > 6:
        return []
    if ship.sheet.kind == INSTALLATION or ship.docking != FREE:
        return []
    tested = (COURSE,) if ship.drift is None else (COURSE, DRIFT)
    tests: list[tuple[str, int]] = []
    for name in tested:
        tests.append((name, table.dice.roll("threshold", f"{ship.id}/{name}")))
    return tests


def knock_off_course(table: Table, ship: ShipState, failed: Sequence[str]) -> None:
    """Turn a ship's failed course or drift by one point each, in a direction by die.

    Ships leave their squadron with it.

    Rules: Continuum "Knocked off course" 12.11 [pc.knocked-off-course]
    """
    if not failed:
        return
    rolls = tuple((name, table.dice.roll("direction", f"{ship.id}/{name}")) for name in failed)
    points = {name: 1 if die <= TO_STARBOARD else -1 for name, die in rolls}
    course = turn_course(ship.course, points.get(COURSE, 0))
    drift = ship.drift
    if drift is not None and DRIFT in points:
        drift = velocity_and_drift((0.0, 0.0), rotate_offset((0.0, 0.0), drift, points[DRIFT]))[1]
    ship.deflect(course, drift)
    table.tell(ShipKnockedOffCourse, ship=ship.id, rolls=rolls, course=course, drift=drift)
    _break_up_squadron(table, ship)


def _break_up_squadron(table: Table, ship: ShipState) -> None:
    """Let a ship leave its squadron, and the ships that followed it fly alone."""
    for other in table.state.ships:
        if other.record.squadron and (other is ship or other.record.squadron == ship.id):
            table.state.set_leader(other, NO_SHIP)
            table.tell(InSquadron, other.id, NO_SHIP)
