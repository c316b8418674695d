"""What a shot costs the ship that fires it: loads, rest, marines that stay behind, a tube that bursts.

Rules: Continuum "Direct fire weapons" 5 [pc.pulse-torpedoes]
"""

from __future__ import annotations

from engine.continuum.crew import marines_of
from engine.core.notes import FIRED, FOR_GOOD, note
from engine.core.rolls import Effect
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import OVERLOAD
from engine.core.written_notes import pencil
from engine.events.damage import SystemLost
from engine.events.fire import Spent


def pay(table: Table, ship: ShipState, index: int, mode: str, effect: Effect) -> None:
    """After a shot of a weapon (its place in `fits`) of a ship: what is spent, noted, lost.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    fit = ship.sheet.fits[index]
    if ship.rig.weapons[index].once:
        ship.stock[index] -= 1
        table.tell(Spent, ship.id, fit.id, ship.stock[index])
    if OVERLOAD in fit.flags and not effect.burst:
        pencil(table, ship, note(FIRED, fit.id), table.turn)
    if effect.burst:
        lose_for_good(table, ship, index, f"{mode}:{ship.id}")
    for place in marines_of(ship)[: effect.lost]:
        lose_for_good(table, ship, place, f"{mode}:{ship.id}")


def lose_for_good(table: Table, ship: ShipState, index: int, cause: str) -> None:
    """A system is hit and never repaired in this battle; a drive is halved, then out.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    system = ship.sheet.fits[index].id
    ship.lose((system,))
    table.tell(SystemLost, ship.id, system, cause)
    pencil(table, ship, note(FOR_GOOD, system), 1)
