"""Captains who board: a ship with marines goes alongside one that cannot steer, where one move
takes it there.

How a captain leads squadrons that others have formed: those led fly by their leader's plot until he
breaks off.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]; Continuum "Squadron operations" 3.7
[pc.squadrons]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.continuum.marks import Mark, going
from engine.continuum.alongside import Board
from engine.continuum.boarding import in_force
from engine.continuum.drives import allowed, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import FlyAlone, cannot_follow, leader_of, led_by, squadron_fault
from engine.core.geometry import within
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.movement.docking import docking_rules
from engine.systems.outfit import marines_of, parties_of

TEAM = 3  # parties that go at one boarder


def stormings(
    state: BattleState, ships: Sequence[ShipState], marks: Sequence[Mark]
) -> dict[str, Plot]:
    """The plots of ships that board a foe this turn; foes without thrust alone, for only they are
    where one expects.

    A ship boards where its marines have a chance against the foe's people. Who moves by vectors, or
    leads others, does not try.
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
        if (
            not marines
            or ship.drift is not None
            or ship.warm
            or ship.status != FIGHTING
            or led_by(state, ship)
        ):
            continue
        for mark in adrift:
            against = len(marines_of(mark.ship)) + parties_of(mark.ship) // TEAM
            way = _way_to(state, ship, mark) if 2 * marines >= against else None
            if way is not None:
                found[ship.id] = Plot(way[0], way[1], further=(Board(mark.contact.id, marines, 0),))
                break
    return found


def _way_to(state: BattleState, ship: ShipState, mark: Mark) -> tuple[int, int] | None:
    """The turn and the thrust that bring a ship alongside a foe which holds course and velocity,
    the least of them.
    """
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


def in_formation(
    state: BattleState, plots: dict[str, Plot], *, scatter: bool = False
) -> dict[str, Plot]:
    """A side's plots as its squadrons can fly them: none for a ship that is led, and of its leader
    only one that all can follow. `scatter`: those led leave, but for stands, each with a plot of
    its own; their leader can jump when they have left.
    """
    if not any(ship.record.squadron for ship in state.ships):
        return plots
    found: dict[str, Plot] = {}
    for name, plot in plots.items():
        ship = state.named(name)
        led = leader_of(state, ship) is not None
        if led and (not scatter or ship.record.stand):
            continue
        kept = replace(plot, further=(*plot.further, FlyAlone())) if led else plot
        flown = not squadron_fault(state, ship, kept) and not (
            ship.record.stand and cannot_follow(state, ship, kept)
        )
        found[name] = kept if flown else HOLD
    return found
