"""Bogeys and what gives them away: passive sensors at 36 MU, and their own fire.

Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Dummy bogeys and weasel boats" [2e.dummies]
"""

from __future__ import annotations

from engine.events import DummyFound, Revealed, Sink
from engine.geometry import NEAR
from engine.state import FIGHTING, SCANNED_AWAY, BattleState, ShipState

PASSIVE_RANGE = 36.0  # MU
_REACH_SQUARED = (PASSIVE_RANGE + NEAR) ** 2


def passive_scans(state: BattleState, turn: int, sink: Sink | None) -> None:
    """After ship movement: every bogey within 36 MU of a hostile ship is identified; a drone is taken off.

    All scans are made from the same picture, so two bogeys identify each other. Drones cannot scan.
    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    if not state.bogeys:
        return
    found: list[tuple[ShipState, ShipState]] = []
    for ship in state.ships:
        if not ship.bogey or ship.status != FIGHTING:
            continue
        hostile = state.hostile[ship.side]
        for other in state.ships:
            if other.status == FIGHTING and not other.dummy and hostile >> other.side & 1:
                dx, dy = other.x - ship.x, other.y - ship.y
                if dx * dx + dy * dy <= _REACH_SQUARED:
                    found.append((ship, other))
                    break
    for ship, by in found:
        ship.bogey = False
        if ship.dummy:
            ship.status = SCANNED_AWAY
        if sink is not None:
            if ship.dummy:
                sink(DummyFound(turn, ship.id, ship.contact, by.id))
            else:
                sink(Revealed(turn, ship.id, ship.contact, ship.sheet.cls, by.id))


def give_away(ship: ShipState, turn: int, sink: Sink | None) -> None:
    """A bogey that fires is identified at once. Rules: 2E "Sensors and target identification" [2e.sensors]"""
    if ship.bogey:
        ship.bogey = False
        if sink is not None:
            sink(Revealed(turn, ship.id, ship.contact, ship.sheet.cls, ship.id))
