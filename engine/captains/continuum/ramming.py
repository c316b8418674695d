"""Captains who ram: a ship that is built for it goes for a foe worth as much or more, where a move
may take it there.

Rules: Continuum "Ramming" 16.7 [pc.ramming]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.continuum.marks import Mark
from engine.continuum.drives import allowed, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import led_by
from engine.core.geometry import within
from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.movement.rams import REACH, ram_fault


def rammings(
    state: BattleState, ships: Sequence[ShipState], marks: Sequence[Mark]
) -> dict[str, Plot]:
    """The plots of ships built to ram that may reach a foe this turn, the dearest first, one ship
    for each foe.

    Who moves by vectors, or leads others, does not try.
    """
    found: dict[str, Plot] = {}
    chosen: set[str] = set()
    for ship in ships:
        if not ship.sheet.rams or ship.drift is not None or ship.warm or led_by(state, ship):
            continue
        for mark in sorted(marks, key=lambda one: -_worth(one)):
            if (
                mark.contact.id in chosen
                or _worth(mark) < ship.sheet.points
                or not _may_be_rammed(state, ship, mark)
            ):
                continue
            plot = _way_to(state, ship, mark)
            if plot is not None:
                found[ship.id] = plot
                chosen.add(mark.contact.id)
                break
    return found


def _worth(mark: Mark) -> int:
    """The points of a foe, none of one that is not identified."""
    return mark.contact.sheet.points if mark.contact.sheet is not None else 0


def _may_be_rammed(state: BattleState, ship: ShipState, mark: Mark) -> bool:
    return mark.contact.status == FIGHTING and not ram_fault(state, ship, Plot(ram=mark.contact.id))


def _way_to(state: BattleState, ship: ShipState, mark: Mark) -> Plot | None:
    """The move, of those within a ram's reach of where a foe is expected, that needs the least
    thrust.
    """
    most = allowed(ship, state.turn)
    moves = [
        (turn, thrust)
        for turn in range(-most.turning, most.turning + 1)
        for thrust in range(-most.main, most.main + 1)
        if abs(turn) + abs(thrust) <= most.main and ship.velocity + thrust >= 0
    ]
    for turn, thrust in sorted(moves, key=lambda move: (abs(move[0]) + abs(move[1]), move)):
        plot = Plot(turn, thrust, ram=mark.contact.id)
        x, y = leg_of(ship, plot).path[-1]
        if within((x - mark.x) ** 2 + (y - mark.y) ** 2, REACH) and not move_fault(
            state, ship, plot
        ):
            return plot
    return None
