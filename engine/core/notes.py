"""Setting a fact about a ship together with the log line for the sides that may know it."""

from __future__ import annotations

from engine.core.facts import FactKind
from engine.core.ship import ShipState
from engine.core.ship_facts import find_fact
from engine.core.table import Table
from engine.events.damage import FactNoted, OpenFactNoted


def write_fact(table: Table, ship: ShipState, name: str, number: int, key: str = "") -> None:
    """Set a fact (0 clears it) and report it in the log, unless it has that number already.

    Args:
        key: What the fact concerns: the id of a system or the index of a side.

    Raises:
        ValueError: The fact names another ship. Its log line would reveal the id of that ship.
    """
    if find_fact(name).kind is FactKind.SHIP:
        raise ValueError(f"{name} is told by an event of its own")
    if ship.fact(name, key) == number:
        return
    ship.write_fact(name, number, key)
    tell_fact(table, ship, name, number, key=key)


def tell_fact(table: Table, ship: ShipState, name: str, number: int, key: str = "") -> None:
    """Report a fact: to every side that may read the sheet if it is open, else to its own side."""
    if table.listens:
        table.tell(
            OpenFactNoted if find_fact(name).is_open else FactNoted,
            ship.id,
            f"{name}:{key}" if key else name,
            number,
        )
