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
from engine.view.hidden_loadouts import hidden_systems

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
    lost_systems: tuple[str, ...] = ()
    armour: Layers = ()
    stock: tuple[tuple[str, int], ...] | None = None
    fate_text: str = ""
    remarks: tuple[str, ...] = ()
    unknown_stores: frozenset[str] = frozenset()

    @property
    def hits(self) -> Counter[str]:
        """How often each system was hit."""
        return Counter(self.lost_systems)

    @property
    def stores(self) -> Mapping[str, int]:
        """What is left by the names of stores; empty where nobody knows it."""
        return dict(self.stock or ())


def fresh_condition(sheet: Sheet, name: str = "", remarks: Iterable[str] = ()) -> Condition:
    """A ship as the yard delivers it; without a name a sheet of its class."""
    return Condition(
        name, armour=sheet.armour, stock=tuple(full_stock(sheet).items()), remarks=tuple(remarks)
    )


def campaign_condition(
    sheet: Sheet, ship: Ship, remarks: Iterable[str] = (), fate_text: str = ""
) -> Condition:
    """A ship between battles, as its owner's view has it."""
    stock = full_stock(sheet) | dict(ship.stock)
    armour = armour_from(sheet, stock)
    return Condition(
        ship.name, ship.damage, ship.lost, armour, tuple(stock.items()), fate_text, tuple(remarks)
    )


def battle_condition(
    ship: ShipState, name: str, *, is_own: bool, side: int = -1, remarks: Iterable[str] = ()
) -> Condition:
    """A ship in a battle, as the `side` knows it whose view it is from.

    Of a ship that is not its `own` nobody tells it what is left in the stores.
    """
    fate_text = (
        ""
        if ship.status in (FIGHTING, ShipStatus.INBOUND, ShipStatus.CLOAKED)
        else ShipStatus.label_of(ship.status)
    )
    stock = tuple(stock_now(ship).items()) if is_own else None
    closed = frozenset[str]() if is_own else unknown_stores_of(ship, side)
    return Condition(
        name,
        ship.damage,
        ship.lost_systems(),
        ship.armour,
        stock,
        fate_text,
        tuple(remarks),
        closed,
    )


def unknown_stores_of(ship: ShipState, side: int) -> frozenset[str]:
    """The systems of a ship that others command, as a side knows it, of which it does not know what
    they were loaded with; it knows that of ships which were taken from it.
    """
    return frozenset() if ship.owner == side else hidden_systems(ship.sheet, ship.record.shown)
