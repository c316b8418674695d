"""Striking the colours, an option: a damaged ship may surrender to the nearest enemy.

Rules: Continuum "Striking the colors" 12.9 [pc.morale]
"""

from __future__ import annotations

from engine.combat.capture import take_over
from engine.core.geometry import squared_length
from engine.core.kinds import FIGHTING, SHIP_SURRENDERED
from engine.core.ship import BERTHED, FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import LATE_STRIKING, STRIKING
from engine.events.boarding import ShipSurrendered

COLOURS = "colours"  # the name of the roll; it is no system of the sheet
SURRENDERED = "surrendered"
LATE_MODIFIER = 1  # with the option: as for a buried core system, never in the first row


def roll_nerve_test(table: Table, ship: ShipState, loses_on: int) -> list[tuple[str, int]]:
    """Roll whether a ship's captain strikes, at a threshold check; no roll if that is impossible.

    Rules: Continuum "Striking the colors" 12.9 [pc.morale]
    """
    state = table.state
    if STRIKING not in state.terms.options or striking_die(state, loses_on) > 6:
        return []
    if find_captor(state, ship) is None:
        return []
    return [(COLOURS, table.dice.roll("morale", f"{ship.id}/{COLOURS}"))]


def striking_die(state: BattleState, loses_on: int) -> int:
    """Return the lowest die on which a captain strikes, from the one that loses a system.

    Rules: Continuum 12.9 [pc.morale]
    """
    if LATE_STRIKING in state.terms.options:
        return loses_on + LATE_MODIFIER
    return loses_on


def find_captor(state: BattleState, ship: ShipState) -> ShipState | None:
    """Return the nearest hostile ship that a ship sees and could surrender to, or None.

    Unidentified contacts count. Sections, and ships made fast to others, never surrender.

    Rules: Continuum "Striking the colors" 12.9 [pc.morale]
    """
    if ship.status != FIGHTING or ship.dummy or ship.record.section:
        return None
    if ship.docking != FREE or any(candidate.dock == ship.id for candidate in state.ships):
        return None
    captors = [other for other in state.ships if _can_take_surrender(state, ship, other)]
    return min(
        captors,
        key=lambda captor: (squared_length(captor.x - ship.x, captor.y - ship.y), captor.contact),
        default=None,
    )


def _can_take_surrender(state: BattleState, ship: ShipState, captor: ShipState) -> bool:
    """Return whether a ship could surrender to another: an enemy in sight that gives quarter."""
    if captor.status != FIGHTING or captor.docking == BERTHED:
        return False
    if captor.damage >= captor.sheet.boxes:
        return False
    if not state.hostile[ship.commander] >> captor.commander & 1:
        return False
    return state.terms.gives_quarter(ship.commander, captor.commander)


def resolve_striking(
    table: Table, ship: ShipState, rolls: list[tuple[str, int]], loses_on: int
) -> None:
    """Surrender a ship whose roll failed, if it still flies and an enemy is there to take it.

    It then belongs to the side of the nearest enemy, fights no more and drifts.

    Rules: Continuum "Striking the colors" 12.9 [pc.morale]
    """
    state = table.state
    if not rolls or rolls[0][1] < striking_die(state, loses_on):
        return
    captor = find_captor(state, ship)
    if captor is None:
        return
    take_over(table, ship, captor.commander, SURRENDERED)
    ship.capture(SHIP_SURRENDERED)
    table.tell(ShipSurrendered, ship.id)
