"""Writing a fact about a ship down, with the line of the log that tells it to those who may
know.
"""

from __future__ import annotations

from engine.core.facts import Kind
from engine.core.ship import ShipState
from engine.core.ship_facts import find_fact
from engine.core.table import Table
from engine.events.damage import FactNoted, OpenFactNoted


def write_fact(table: Table, ship: ShipState, name: str, number: int, of: str = "") -> None:
    """Write a fact down, or rub it out (0); `of`: the system it is about.

    What is so already is told to nobody.

    Raises ValueError for a fact that names another ship: its line would name it to everybody by its
    id.
    """
    if find_fact(name).kind is Kind.SHIP:
        raise ValueError(f"{name} is told by an event of its own")
    if ship.fact(name, of) == number:
        return
    ship.write_fact(name, number, of)
    tell_fact(table, ship, name, number, of)


def tell_fact(table: Table, ship: ShipState, name: str, number: int, of: str = "") -> None:
    """Tell that a fact is written down: everybody where it is an open one, else its own side."""
    if table.listens:
        table.tell(
            OpenFactNoted if find_fact(name).open else FactNoted,
            ship.id,
            f"{name}:{of}" if of else name,
            number,
        )
