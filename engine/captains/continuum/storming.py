"""Captains who board: a ship with marines goes alongside one that cannot steer, where one move takes it there.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.continuum.marks import Mark, going
from engine.continuum.alongside import Board
from engine.continuum.boarding import in_force
from engine.continuum.drives import allowed, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import led_by
from engine.core.geometry import within
from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.movement.docking import docking_rules
from engine.systems.outfit import marines_of, parties_of

TEAM = 3  # parties that go at one boarder


def stormings(state: BattleState, ships: Sequence[ShipState], marks: Sequence[Mark]) -> dict[str, Plot]:
    """The plots of ships that board a foe this turn; foes without thrust alone, for only they are where one expects.

    A ship boards where its marines have a chance against the foe's people. Who moves by vectors, or leads others, does
    not try.
    """
    if not in_force(state):
        return {}
    adrift = [
        mark
        for mark in marks
        if mark.contact.sheet is not None
        and mark.contact.status == FIGHTING
        and mark.contact.read
        and not mark.contact.thrust
        and mark.ship.drift is None
    ]
    found: dict[str, Plot] = {}
    for ship in ships if adrift else ():
        marines = len(marines_of(ship))
        if not marines or ship.drift is not None or ship.warm or ship.status != FIGHTING or led_by(state, ship):
            continue
        for mark in adrift:
            against = len(marines_of(mark.ship)) + parties_of(mark.ship) // TEAM
            way = _way_to(state, ship, mark) if 2 * marines >= against else None
            if way is not None:
                found[ship.id] = Plot(way[0], way[1], further=(Board(mark.contact.id, marines, 0),))
                break
    return found


def _way_to(state: BattleState, ship: ShipState, mark: Mark) -> tuple[int, int] | None:
    """The turn and the thrust that bring a ship alongside a foe which holds course and velocity, the least of them."""
    foe, most = mark.ship, allowed(ship, state.turn)
    dx, dy = going(foe)
    x, y = foe.x + dx, foe.y + dy
    reach = docking_rules(state).reach
    thrust = foe.velocity - ship.velocity
    for turn in sorted(range(-most.turning, most.turning + 1), key=abs):
        plot = Plot(turn, thrust)
        if move_fault(state, ship, plot):
            continue
        leg = leg_of(ship, plot)
        (end_x, end_y), on_course = leg.path[-1], not foe.velocity or leg.course == foe.course
        if on_course and within((end_x - x) ** 2 + (end_y - y) ** 2, reach):
            return turn, thrust
    return None
