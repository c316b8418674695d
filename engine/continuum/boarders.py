"""What happens to boarders aboard other ships, and its effect on their own ships' sheets.

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
BOARDERS = "boarders"  # the cause of damage and losses from boarding


def boarder_units(state: BattleState, aboard: Mapping[int, tuple[int, int]]) -> Units:
    """Return the boarders aboard a ship, with the names of their sides."""
    result = []
    for side, units in sorted(aboard.items()):
        if any(units):
            result.append((state.sides[side], *units))
    return tuple(result)


def lose_marine(table: Table, ship: ShipState, system: str) -> None:
    """Mark a marine as lost, aboard their own ship or away from it."""
    if system in ship.record.marines_away:
        write_fact(table, ship, "marines-away", 0, key=system)
    ship.lose_systems((system,))
    table.tell(SystemLost, ship=ship.id, system=system, cause=BOARDERS)


def record_marine_losses(table: Table, boarded: ShipState, side: int, marines: int) -> None:
    """Record that marines of a side fell aboard another ship.

    Marines that came in torpedoes fall first, then those of the side's first ships with any away.
    Parties that fall need no record: they never come back.
    """
    by_torpedo = boarded.record.by_torpedo.get(str(side), 0)
    if fallen := min(by_torpedo, marines):
        write_fact(table, boarded, "by-torpedo", by_torpedo - fallen, key=str(side))
        marines -= fallen
    if not marines:
        return
    for ship in table.state.ships:
        if ship.owner != side or not ship.record.marines_away:
            continue
        for fit in ship.sheet.fits:
            if marines and fit.id in ship.record.marines_away:
                lose_marine(table, ship, fit.id)
                marines -= 1


def check_boarders(table: Table, ship: ShipState, loses_on: int) -> None:
    """Roll a die for every boarder who did not arrive this turn, at a check caused by weapons.

    Rules: Continuum "Boarding" 12.7 [pc.boarding]
    """
    aboard = ship.boarders_by_side()
    just_landed = ship.this_turn.landed_boarders
    rolls: list[int] = []
    remaining = dict(aboard)
    for side, units in aboard.items():
        survivors = []
        for kind, number in zip((MARINE, PARTY), units, strict=True):
            checked = number - min(just_landed.get(f"{kind}-{side}", 0), number)
            subject = f"{ship.id}/{kind}-{side}"
            unit_rolls = [table.dice.roll("threshold", subject) for _ in range(checked)]
            rolls += unit_rolls
            survivors.append(number - sum(die >= loses_on for die in unit_rolls))
        remaining[side] = (survivors[0], survivors[1])
        record_marine_losses(table, ship, side, units[0] - survivors[0])
    if rolls:
        ship.set_boarders(remaining)
        names = tuple(table.state.sides[side] for side in aboard)
        table.tell(
            BoardersChecked,
            ship=ship.id,
            aboard=boarder_units(table.state, remaining),
            checked=names,
            loses_on=loses_on,
            rolls=tuple(rolls),
        )
