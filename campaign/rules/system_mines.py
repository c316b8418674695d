"""Mines of star systems: those of the scenario, and those that a battle there has on its table.

A mine stays in its system until it goes off or is swept. Places are in thousandths of a MU from the
middle of the table, because worlds have no fractions.

Rules: 2E "Mines" [2e.mines] [camp.minefields]; Continuum "Mines and mine racks" 6.9, "Minelaying"
6.10 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from campaign.rules.codec import plain_number
from campaign.rules.rearming import type_of
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.view import KnownMine, View
from campaign.rules.world import Mine, Ship
from engine.core.phrase import Count, phrase
from engine.systems.outfit import SWEEPER
from engine.weapons.registry import types_with
from engine.weapons.weapon import Trait

MAX_MINES = 60  # of a faction in a system
MOST_ON_TABLE = 200  # as battle files allow
THOUSANDTHS = 1000  # of a MU
Table = tuple[float, float]  # width and depth in MU


def initial_mines(scenario: Scenario) -> tuple[Mine, ...]:
    """Return the mines with which a war begins."""
    mines = []
    for system in scenario.systems:
        for placed in system.mines:
            x, y = placed.at
            mines.append(Mine(system.id, placed.faction, x * THOUSANDTHS, y * THOUSANDTHS))
    return sorted_mines(mines)


def sorted_mines(mines: Iterable[Mine]) -> tuple[Mine, ...]:
    """Return mines in the order in which worlds have them."""
    return tuple(sorted(mines, key=lambda mine: (mine.system, mine.faction, mine.x, mine.y)))


def place_in_mu(mine: Mine | KnownMine) -> list[float]:
    """Return a mine's place in MU from the middle of the table, without needless fractions."""
    return [plain_number(mine.x / THOUSANDTHS), plain_number(mine.y / THOUSANDTHS)]


def mines_on_table(mines: Iterable[Mine], table: Table) -> list[Mine]:
    """Return the mines that lie on a table of this size, in the order of its battle file."""
    return [mine for mine in mines if _is_on_table(mine, table)][:MOST_ON_TABLE]


def _is_on_table(mine: Mine | KnownMine, table: Table) -> bool:
    width, depth = table
    x, y = place_in_mu(mine)
    return abs(x) <= width / 2 and abs(y) <= depth / 2


def mine_entries(
    mines: Sequence[Mine], sides: Mapping[str, str | None], table: Table
) -> list[dict[str, Any]]:
    """Return mines as entries of a battle file.

    Args:
        mines: Mines that lie on the table.
        sides: The name of the side for which a faction's mines count; None: they are hostile to
            all.
    """
    entries = []
    for mine in mines:
        entries.append({"side": sides.get(mine.faction), "at": _place_on_table(mine, table)})
    return entries


def known_mine_entries(
    view: View, system: StarSystem, enemy_side: str, table: Table
) -> list[dict[str, Any]]:
    """Return the known mines of a system as entries of a battle file of two sides.

    Args:
        enemy_side: The side for which mines of others count.
    """
    mines = [mine for mine in view.mines if mine.system == system.id and _is_on_table(mine, table)]
    entries = []
    for mine in mines[:MOST_ON_TABLE]:
        side = mine.faction or enemy_side
        entries.append({"side": side, "at": _place_on_table(mine, table)})
    return entries


def _place_on_table(mine: Mine | KnownMine, table: Table) -> list[float]:
    """Return a mine's place in MU from the corner of the table, as battle files have it."""
    width, depth = table
    x, y = place_in_mu(mine)
    return [plain_number(x + width / 2), plain_number(y + depth / 2)]


def within_limit(mines: Iterable[Mine]) -> Iterator[Mine]:
    """Yield mines, of each faction in each system no more than a system can have."""
    counts: dict[tuple[str, str], int] = {}
    for mine in mines:
        owner = (mine.system, mine.faction)
        counts[owner] = counts.get(owner, 0) + 1
        if counts[owner] <= MAX_MINES:
            yield mine


def working_minelayers(cls: ShipClass, ship: Ship) -> dict[str, int]:
    """Return the mines left in each working minelayer of a ship, by the minelayer's id."""
    types = types_with("", Trait.LAYS_MINES)
    stock = {**dict(cls.stock), **dict(ship.stock)}
    result = {}
    for system in cls.systems:
        if type_of(system) in types and system not in ship.lost:
            result[system] = stock.get(system, 0)
    return result


def mines_aboard(cls: ShipClass, ship: Ship) -> int:
    """Return how many mines a ship can lay."""
    return sum(working_minelayers(cls, ship).values())


def can_sweep(cls: ShipClass, ship: Ship) -> bool:
    """Return whether a ship has a working minesweeper."""
    return any(type_of(system) == SWEEPER and system not in ship.lost for system in cls.systems)


def stock_after_laying(cls: ShipClass, ship: Ship, count: int) -> dict[str, int]:
    """Return what is left in a ship's stores that are not full after it laid mines."""
    stock = dict(ship.stock)
    for system, aboard in working_minelayers(cls, ship).items():
        laid = min(aboard, count)
        count -= laid
        if laid:
            stock[system] = aboard - laid
    return stock


def known_mines_words(view: View, system: StarSystem) -> str:
    """Return a text of the mines that a faction knows in a system; "" without any."""
    mines = [mine for mine in view.mines if mine.system == system.id]
    others = [mine for mine in mines if mine.faction != view.faction]
    own_count = len(mines) - len(others)
    texts = []
    if own_count:
        texts.append(phrase("{mines:mine} of your own", mines=Count(own_count)))
    if others:
        week = others[-1].week  # all are of the week in which the faction searched the system last
        texts.append(phrase("{mines:other mine} (week {})", week, mines=Count(len(others))))
    return ", ".join(texts)
