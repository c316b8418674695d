"""What is known of a ship now, for its record sheet: marked boxes, systems lost, what is left of
its stores. Pure.

Of a foreign ship it says what a side has seen and no more; a bogey has no sheet, and so no
condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaign.rules.view import Ship
from engine.core.kinds import FIGHTING, ShipStatus
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.ship_profiles import armour_from, full_stock, stock_now
from engine.view.shut_stores import shut

Layers = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Condition:
    """A ship as it is now.

    `lost`: ids of systems, one that stands two hits once for each. `armour`: the boxes left of each
    layer, the innermost first. `stock`: what is left by the names of stores; None where nobody
    knows it. `gone`: how it left the game, "" while it is in it. `remarks`: lines written on the
    sheet. `shut`: systems of which nobody knows what they were loaded with.
    """

    name: str
    damage: int = 0
    lost: tuple[str, ...] = ()
    armour: Layers = ()
    stock: tuple[tuple[str, int], ...] | None = None
    gone: str = ""
    remarks: tuple[str, ...] = ()
    shut: frozenset[str] = frozenset()

    @property
    def hits(self) -> Counter[str]:
        """How often each system was hit."""
        return Counter(self.lost)

    @property
    def stores(self) -> Mapping[str, int]:
        """What is left by the names of stores; empty where nobody knows it."""
        return dict(self.stock or ())


def fresh(sheet: Sheet, name: str = "", remarks: Iterable[str] = ()) -> Condition:
    """A ship as the yard delivers it; without a name a sheet of its class."""
    return Condition(
        name, armour=sheet.armour, stock=tuple(full_stock(sheet).items()), remarks=tuple(remarks)
    )


def in_campaign(sheet: Sheet, ship: Ship, remarks: Iterable[str] = (), gone: str = "") -> Condition:
    """A ship between battles, as its owner's view has it."""
    stock = full_stock(sheet) | dict(ship.stock)
    armour = armour_from(sheet, stock)
    return Condition(
        ship.name, ship.damage, ship.lost, armour, tuple(stock.items()), gone, tuple(remarks)
    )


def in_battle(
    ship: ShipState, name: str, *, own: bool, side: int = -1, remarks: Iterable[str] = ()
) -> Condition:
    """A ship in a battle, as the `side` knows it whose view it is from.

    Of a ship that is not its `own` nobody tells it what is left in the stores.
    """
    gone = (
        ""
        if ship.status in (FIGHTING, ShipStatus.INBOUND, ShipStatus.UNSEEN)
        else ShipStatus.words(ship.status)
    )
    stock = tuple(stock_now(ship).items()) if own else None
    closed = frozenset[str]() if own else shut_in(ship, side)
    return Condition(
        name, ship.damage, ship.lost(), ship.armour, stock, gone, tuple(remarks), closed
    )


def shut_in(ship: ShipState, side: int) -> frozenset[str]:
    """The systems of a ship that others command, as a side knows it, of which it does not know what
    they were loaded with; it knows that of ships which were taken from it.
    """
    return frozenset() if ship.owner == side else shut(ship.sheet, ship.record.shown)
