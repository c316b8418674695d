"""The people of ships that are aboard others: what befalls them there, on their own ships' sheets
too.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.notes import write_fact
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.boarding import BoardersChecked, Units
from engine.events.damage import SystemLost

MARINE, PARTY = "marines", "parties"
BOARDERS = "boarders"  # the cause of what they wreck, and of what falls to them


def boarder_units(state: BattleState, aboard: Mapping[int, tuple[int, int]]) -> Units:
    """Who is aboard a ship, by the names of their sides."""
    return tuple(
        (state.sides[side], *units) for side, units in sorted(aboard.items()) if any(units)
    )


def lose_marine(table: Table, ship: ShipState, system: str) -> None:
    """A marine has fallen, aboard his ship or away from it."""
    if system in ship.record.away:
        write_fact(table, ship, "away", 0, system)
    ship.lose_systems((system,))
    table.tell(SystemLost, ship.id, system, BOARDERS)


def record_marine_losses(table: Table, there: ShipState, side: int, marines: int) -> None:
    """So many marines of a side that were aboard a ship have fallen: first those that torpedoes
    brought, then those of the side's first ships that have any away.

    A party that falls just never comes back.
    """
    brought = there.record.by_torpedo.get(str(side), 0)
    if fallen := min(brought, marines):
        write_fact(table, there, "by-torpedo", brought - fallen, str(side))
        marines -= fallen
    for ship in table.state.ships if marines else ():
        if ship.owner != side or not ship.record.away:
            continue
        for fit in ship.sheet.fits:
            if marines and fit.id in ship.record.away:
                lose_marine(table, ship, fit.id)
                marines -= 1


def check_boarders(table: Table, ship: ShipState, loses_on: int) -> None:
    """A check that weapons have caused: a die for every boarder that did not come this turn.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    aboard, new = ship.boarders_by_side(), ship.this_turn.landed
    rolls: list[int] = []
    remaining = dict(aboard)
    for side, units in aboard.items():
        survivors = []
        for kind, number in zip((MARINE, PARTY), units, strict=True):
            unit_rolls = [
                table.dice.roll("threshold", f"{ship.id}/{kind}-{side}")
                for _ in range(number - min(new.get(f"{kind}-{side}", 0), number))
            ]
            rolls += unit_rolls
            survivors.append(number - sum(die >= loses_on for die in unit_rolls))
        remaining[side] = (survivors[0], survivors[1])
        record_marine_losses(table, ship, side, units[0] - survivors[0])
    if rolls:
        ship.set_boarders(remaining)
        names = tuple(table.state.sides[side] for side in aboard)
        table.tell(
            BoardersChecked,
            ship.id,
            boarder_units(table.state, remaining),
            names,
            loses_on,
            tuple(rolls),
        )
