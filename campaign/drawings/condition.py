"""What is known of a ship's condition for its record sheet. Pure functions.

For a foreign ship it contains only what a side has seen. A bogey has no sheet, and so no condition.
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
    """The present condition of a ship.

    Attributes:
        lost_systems: Ids of systems; one that takes two hits is listed once for each.
        armour: The boxes left of each layer, innermost first.
        stock: What is left by name of store; None if unknown.
        fate_text: How it left the game; empty while it is in it.
        remarks: Lines written on the sheet.
        unknown_stores: Systems whose load is unknown.
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
        """Return how often each system was hit."""
        return Counter(self.lost_systems)

    @property
    def stores(self) -> Mapping[str, int]:
        """Return what is left by name of store; empty if unknown."""
        return dict(self.stock or ())


def fresh_condition(sheet: Sheet, name: str = "", remarks: Iterable[str] = ()) -> Condition:
    """Return the condition of a new ship; without a name, for a sheet of its class."""
    return Condition(
        name, armour=sheet.armour, stock=tuple(full_stock(sheet).items()), remarks=tuple(remarks)
    )


def campaign_condition(
    sheet: Sheet, ship: Ship, remarks: Iterable[str] = (), fate_text: str = ""
) -> Condition:
    """Return a ship's condition between battles, from its owner's view."""
    stock = full_stock(sheet) | dict(ship.stock)
    armour = armour_from(sheet, stock)
    return Condition(
        name=ship.name,
        damage=ship.damage,
        lost_systems=ship.lost,
        armour=armour,
        stock=tuple(stock.items()),
        fate_text=fate_text,
        remarks=tuple(remarks),
    )


def battle_condition(
    ship: ShipState, name: str, *, is_own: bool, side: int = -1, remarks: Iterable[str] = ()
) -> Condition:
    """Return a ship's condition in a battle, as a side knows it.

    Args:
        is_own: Whether the side owns it; otherwise its stores are unknown.
        side: The side whose view it is.
    """
    fate_text = ""
    if ship.status not in (FIGHTING, ShipStatus.INBOUND, ShipStatus.CLOAKED):
        fate_text = ShipStatus.label_of(ship.status)
    return Condition(
        name=name,
        damage=ship.damage,
        lost_systems=ship.lost_systems(),
        armour=ship.armour,
        stock=_known_stock(ship, side, is_own=is_own),
        fate_text=fate_text,
        remarks=tuple(remarks),
        unknown_stores=frozenset() if is_own else unknown_stores_of(ship, side),
    )


def _known_stock(ship: ShipState, side: int, *, is_own: bool) -> tuple[tuple[str, int], ...] | None:
    """Return what a side knows of a ship's stores and armour; None for a ship never read."""
    if is_own:
        return tuple(stock_now(ship).items())
    scanned = ship.record.stock_seen_by(side)
    return tuple(scanned.items()) if scanned else None


def unknown_stores_of(ship: ShipState, side: int) -> frozenset[str]:
    """Return the systems of a foreign ship whose load a side does not know.

    A side knows the loads of ships that were captured from it.
    """
    if ship.owner == side:
        return frozenset()
    return hidden_systems(ship.sheet, ship.record.revealed_bays)
