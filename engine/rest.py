"""What the end of a turn ends by itself; the battle and its log alone do the same."""

from __future__ import annotations

from engine.notes import wipe
from engine.rigging import refit
from engine.state import BattleState


def rest(state: BattleState) -> None:
    """The turn is over: groups may move and fire again, ships fire again and begin anew to hold their course.

    No minesweeper is active any more, and what was armed is armed no more, fired or not.
    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Minesweeping" [2e.mines]; 2E "Nova cannon" [2e.nova-cannon]
    """
    for group in state.groups:
        group.moved = group.fired = False
    for ship in state.ships:
        ship.swerved = ship.holds_fire = ship.sweeping = False
        if ship.armed:
            ship.armed = False
            refit(ship)
        if ship.notes and wipe(ship.notes):
            refit(ship)
