"""The base class of all kinds of orders: storage, faults, effects, texts and form controls.

A kind is one subclass of `Order` in one file of this package, and one line in
`campaign.orders.registry`. All code that reads or writes orders goes through that list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import GenericAlias
from typing import Any, ClassVar

from campaign.events.event import WeekEvent
from campaign.kinds import StageKind
from campaign.orders.line import Line
from campaign.rules.codec import as_list
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.own_keys import page_id, unknown_fleet, unknown_ship
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason

# Added to the number of orders that could make sense, so that the kind itself can report which
# order is one too many. Beyond it the whole list is refused.
SPARE_ORDERS = 10

_SHIP_PLACE = re.compile(r"^ships\[([0-9]+)\]")

# Shown for a key that no longer exists, by the first letter after the faction.
GONE_NAMES = {
    "f": phrase("a fleet that no longer exists"),
    "s": phrase("a ship that no longer exists"),
    "d": phrase("a dummy counter that no longer exists"),
}


@dataclass(frozen=True, slots=True)
class LostShip:
    """A ship that an order destroys, with its hex and how it is lost (a `LossCause`)."""

    ship: Ship
    hex: str
    how: str


@dataclass(slots=True, kw_only=True)
class OwnForces:
    """A faction's fleets and ships by key, as the orders carried out so far leave them.

    Attributes:
        lost: The ships that the orders carried out so far destroyed.
    """

    classes: Mapping[str, ShipClass]
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    lost: list[LostShip] = field(default_factory=list, init=False)
    _ships_of: dict[str, list[Ship]] | None = field(default=None, init=False)

    @property
    def ships_of(self) -> dict[str, list[Ship]]:
        """Return the ships of each fleet, grouped again only after ships have changed."""
        if self._ships_of is None:
            self._ships_of = ships_by_fleet(self.ships.values())
        return self._ships_of

    def change_ships(self, changed: Mapping[str, Ship]) -> None:
        """Replace the ships with these keys."""
        if changed:
            self.ships |= changed
            self._ships_of = None

    def lose_ships(self, keys: Collection[str], how: str) -> None:
        """Remove ships from the map for good, and fleets that have no other ships.

        They count as losses of the war, and their owner is notified. Ships in their tow are
        released. Only kinds that come first may call it (`Order.comes_first`).

        Args:
            how: How they are lost, a `LossCause`.
        """
        if not keys:
            return
        lost_ships = {key: self.ships[key] for key in sorted(keys)}
        for ship in lost_ships.values():
            self.lost.append(LostShip(ship, self.fleets[ship.fleet].hex, how))
        remaining = {}
        for key, ship in self.ships.items():
            if key not in lost_ships:
                remaining[key] = replace(ship, tug="") if ship.tug in lost_ships else ship
        self.ships = remaining
        self._ships_of = None
        empty_fleets = {ship.fleet for ship in lost_ships.values()} - set(self.ships_of)
        self.fleets = {key: fleet for key, fleet in self.fleets.items() if key not in empty_fleets}


@dataclass(slots=True, kw_only=True)
class OrderContext(OwnForces):
    """A faction's orders while they are judged, with what the faction knows and nothing else.

    Attributes:
        scenario: The scenario with the classes that the faction can see.
        detachments_failed: Whether the detachments have faults and were not carried out.
        fleets_not_formed: The new fleets of those detachments. Other orders to them have no faults
            of their own.
    """

    scenario: Scenario
    view: View
    orders: Orders
    detachments_failed: bool = False
    fleets_not_formed: frozenset[str] = frozenset()

    def unknown_ship(self, where: str, key: str) -> Violation:
        """Return the fault of a ship's key that is not the faction's own or was just lost."""
        for loss in self.lost:
            if loss.ship.key == key:
                words = reason("ship-lost-by-order", "{} is lost this week", loss.ship.name)
                return Violation(where, "lost-ship", words)
        return unknown_ship(where, key)

    def unknown_fleet(self, where: str, key: str) -> Violation:
        """Return the fault of a fleet's key that is not the faction's own or was just emptied."""
        for fleet in self.view.fleets:
            if fleet.key == key and any(loss.ship.fleet == key for loss in self.lost):
                words = reason(
                    "fleet-lost-by-order", "{} loses its last ship this week", fleet.name
                )
                return Violation(where, "lost-fleet", words)
        return unknown_fleet(where, key)


@dataclass(slots=True)
class Wording:
    """The names of fleets, ships, places and factions, for texts about orders.

    Attributes:
        place: Returns the name of a hex.
        powers: The names of factions.
        names: The names of the faction's fleets, ships and counters, by key.
    """

    scenario: Scenario
    view: View
    place: Callable[[object], str]
    powers: Mapping[str, str]
    names: dict[str, str] = field(default_factory=dict)

    def name_of(self, key: object) -> str:
        """Return the name of one of the faction's fleets, ships or counters."""
        name = self.names.get(str(key))
        if name is not None:
            return name
        kind_letter = str(key).rpartition("/")[2][:1]
        return GONE_NAMES.get(kind_letter, str(key))


@dataclass(frozen=True, slots=True)
class AmountField:
    """A number beside a choice; an empty one means all.

    Attributes:
        name: Its name among the controls of a fleet, in lower case.
        label: What the number is, for screen readers.
        value: Its value in the draft; empty for all.
        most: The greatest number that can be valid.
        unset: The text of an empty field.
    """

    name: str
    label: str
    value: str
    most: int
    unset: str


@dataclass(frozen=True, slots=True)
class PlacePlan:
    """A plan of the middle of a battle table, on which places are clicked; lengths are in MU.

    Attributes:
        half_width: From the middle to the right edge of the plan.
        half_depth: From the middle to its upper edge.
        most: How many places may be chosen.
        bodies: The place and radius of terrain.
        mines: The places of known mines.
    """

    half_width: int
    half_depth: int
    most: int
    bodies: tuple[tuple[float, float, float], ...]
    mines: tuple[tuple[float, float], ...]

    @property
    def view_box(self) -> str:
        """Return the plan's `viewBox` in SVG, whose y points down."""
        width, depth = 2 * self.half_width, 2 * self.half_depth
        return f"{-self.half_width} {-self.half_depth} {width} {depth}"

    @property
    def body_circles(self) -> list[tuple[str, str, str]]:
        """Return the centre and radius of terrain in the coordinates of SVG."""
        return [(f"{x:g}", f"{-y:g}", f"{radius:g}") for x, y, radius in self.bodies]

    @property
    def mine_points(self) -> list[tuple[str, str]]:
        """Return the places of known mines in the coordinates of SVG."""
        return [(f"{x:g}", f"{-y:g}") for x, y in self.mines]


@dataclass(frozen=True, slots=True)
class Control:
    """A control of a fleet on the orders page.

    Attributes:
        name: Its name among the controls of a fleet, in lower case.
        label: The text beside it.
        kind: `flag` (a checkbox), `choice` (one of `choices`), `all` (a choice for all ships of
            the fleet, which fills in theirs) or `places` (a text of places that can be clicked on
            `plan`).
        value: Its value in the draft: `on` or empty for a flag, else the chosen value.
        choices: The (value, text) pairs of a choice.
        hint: A sentence that explains it.
        amount: How much of the choice, if that can be chosen.
        unset: The text of an empty choice; empty for `unchanged`.
    """

    name: str
    label: str
    kind: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    amount: AmountField | None = None
    unset: str = ""
    plan: PlacePlan | None = None


class Order:
    """A kind of order. A subclass overrides what it needs.

    Attributes:
        key: The name of the kind in stored orders, of lower case letters and `_`. No other string
            in the program equals it, not even the scenario's option that allows the kind.
        value: The type of one order of this kind, a frozen dataclass.
        stages: The stages in which it can be given.
        comes_first: Whether it is judged and carried out before all kinds that do not come first. A
            kind whose orders lose ships comes first, so that the others are judged by what is left.
        missing: Codes of faults about orders that were not given. No order is dropped for them.
        fault_anchor: The kind of page element beside which faults are shown, `fleet` or `ship`, and
            the entry with its key.
        is_listed_separately: Whether the orders page lists it apart from the lines of fleets,
            because it does not belong to one fleet.
        ship_names: The entries that name ships, whose histories show the order.
        control_ship: The entry that names a ship, if the controls of a fleet are for single ships.
        fleet_name: The entry that names a fleet, if there is one: the order is shown on its line
            and with its controls. Without `ship_names` it is in the history of every ship of the
            fleet.
        lines: How the order is typed on the command line.
        title: Its heading in the help about orders. Empty if `fixtures/help` has the text.
        help: Its text in the help about orders.
    """

    key: ClassVar[str]
    value: ClassVar[Any]
    stages: ClassVar[tuple[StageKind, ...]] = (StageKind.ORDERS,)
    comes_first: ClassVar[bool] = False
    missing: ClassVar[tuple[str, ...]] = ()
    fault_anchor: ClassVar[tuple[str, str] | None] = None
    is_listed_separately: ClassVar[bool] = False
    ship_names: ClassVar[tuple[str, ...]] = ()
    control_ship: ClassVar[str] = ""
    fleet_name: ClassVar[str] = ""
    lines: ClassVar[tuple[Line, ...]] = ()
    title: ClassVar[str] = ""
    help: ClassVar[str] = ""

    # --- storage

    @property
    def has_own_field(self) -> bool:
        """Return whether `Orders` has a field for this kind; else it uses `Orders.other_kinds`."""
        return not (isinstance(self.value, type) and issubclass(self.value, OrderValue))

    @property
    def list_type(self) -> Any:
        """Return the type of a list of orders of this kind."""
        return GenericAlias(tuple, (self.value, ...))

    def items(self, orders: Orders) -> tuple[Any, ...]:
        """Return the orders of this kind."""
        if self.has_own_field:
            own_items: tuple[Any, ...] = getattr(orders, self.key)
            return own_items
        if not orders.other_kinds:
            return ()
        return tuple(item for item in orders.other_kinds if isinstance(item, self.value))

    def with_items(self, orders: Orders, items: Sequence[Any]) -> Orders:
        """Return the orders with those of this kind replaced."""
        if self.has_own_field:
            return replace(orders, **{self.key: tuple(items)})
        other_items = []
        for item in orders.other_kinds:
            if not isinstance(item, self.value):
                other_items.append(item)
        return replace(orders, other_kinds=(*other_items, *items))

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the orders of this kind sorted, so that equal orders are stored equally."""
        return tuple(sorted(items, key=repr))

    # --- limits

    def limit(self, view: View) -> int:
        """Return how many orders of this kind a faction can give."""
        raise NotImplementedError(
            f"{type(self).__name__} says nowhere how many orders a faction can give: write `limit`,"
            " for example `return fleets_limit(view)` or `return ships_limit(view)`"
        )

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        """Yield the place, length and greatest length of each list within orders of this kind.

        Args:
            items: Orders of this kind, or unchecked input for them.
        """
        return iter(())

    # --- effects

    def default(self, scenario: Scenario, view: View) -> tuple[Any, ...]:
        """Return the orders of this kind for a faction that submits none at all."""
        return ()

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return every fault, and apply these orders to the fleets and ships of `context`.

        The orders may have any faults. Apply only those that have none.
        """
        return []

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        """Apply a faction's valid orders to its fleets and ships, before any fleet moves.

        Change ships with `own.change_ships`, and remove them from the map with `own.lose_ships`.
        """

    def carry_out_in_world(
        self,
        scenario: Scenario,
        world: World,
        orders: Mapping[str, Orders],
    ) -> World:
        """Return the world after the valid orders of all factions, before any fleet moves.

        For kinds that change more than a faction's own fleets and ships.
        """
        return world

    def week_events(
        self,
        scenario: Scenario,
        before: World,
        after: World,
        orders: Mapping[str, Orders],
    ) -> list[WeekEvent]:
        """Return the events of these valid orders for the reports of factions.

        The loss of a ship is reported to its owner without this.

        Args:
            before: The world before any order was carried out, with the ships and fleets that
                orders of this week lose.
            after: The world after all orders of the week, before any fleet moves, with the fleets
                that detachments of this week form.
        """
        return []

    def scans_afar(self, scenario: Scenario) -> bool:
        """Return whether this kind of order can scan fleets in other hexes."""
        return False

    def scanned_hexes(
        self,
        scenario: Scenario,
        world: World,
        orders: Orders,
        before: Mapping[str, str],
    ) -> set[str]:
        """Return the hexes that a faction scans by orders of this kind, after all moves.

        Args:
            before: The hex of each fleet before it moved.
        """
        return set()

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Return the orders of this kind that a computer admiral gives.

        Args:
            orders: The admiral's other orders.
        """
        return self.items(orders)

    # --- texts

    def name_new(self, wording: Wording, items: Sequence[Any]) -> None:
        """Add the names of new fleets and counters to `wording`, for the lines of all orders."""

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        """Return the lines of the order sheet and the receipt.

        Args:
            items: The orders of this kind as stored; their entries may have any type.
        """
        return []

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        """Return what the orders to one fleet do besides moving it, for its line on the page.

        Args:
            items: The orders of this kind that name the fleet (`fleet_name`), as stored.
            names: The names of the faction's ships, by key.
        """
        return []

    def anchor(self, item: object, number: int, rest: str) -> str:
        """Return the id of the page element beside which a fault is shown, or "" for the page.

        A fault of one of several `ships` is shown beside that ship.

        Args:
            item: The order with the fault, as stored.
            number: Its place among the orders of its kind.
            rest: The fault's place within the order.
        """
        if not isinstance(item, dict) or self.fault_anchor is None:
            return ""
        if "ships" in self.ship_names:
            ship = _ship_at(item, rest)
            if ship is not None:
                return page_id("ship", ship)
        kind, entry = self.fault_anchor
        return page_id(kind, item.get(entry))

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        """Return the orders that name a ship, for its history.

        For a kind that names no ships: the orders to the fleets in which it is.
        """
        return [item for item in tables(items) if self._names(item, ship, fleets)]

    def _names(self, item: Mapping[str, Any], ship: str, fleets: Sequence[str]) -> bool:
        """Return whether an order names a ship; if its kind names none, one of these fleets."""
        if self.ship_names:
            return any(ship in texts(item.get(name)) for name in self.ship_names)
        return bool(self.fleet_name) and item.get(self.fleet_name) in fleets

    # --- form controls

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        """Return the controls of a fleet on the orders page.

        Args:
            fleet: The fleet's key. A fleet that only the draft forms is not in the View.
            ships: The ships that are in the fleet now.
            items: The orders of this kind to the fleet, from the draft.
        """
        return ()

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        """Return the orders that were given by controls, as stored.

        Args:
            posted: For each fleet the values of its controls by name, without empty ones.
        """
        return []


def _ship_at(item: Mapping[str, Any], rest: str) -> object:
    """Return the ship at the place `ships[n]` within a stored order, or None for other places."""
    match = _SHIP_PLACE.match(rest)
    ships = as_list(item.get("ships"))
    if match is None or int(match[1]) >= len(ships):
        return None
    return ships[int(match[1])]


def texts(value: object) -> list[str]:
    """Return a value, or each value of a list, as text."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return [str(value)]


def entries(item: object, name: str) -> Sequence[object]:
    """Return a list within an order or its unchecked input; an empty one if there is none."""
    if isinstance(item, Mapping):
        values = item.get(name)
    else:
        values = getattr(item, name, None)
    if isinstance(values, (list, tuple)):
        return values
    return ()


def count_entries(items: Sequence[object], name: str) -> int:
    """Return how many entries the lists of this name have in all these orders."""
    return sum(len(entries(item, name)) for item in items)


def ships_limit(view: View) -> int:
    """Return how many orders to ships can be given."""
    return len(view.ships) + SPARE_ORDERS


def fleets_limit(view: View) -> int:
    """Return how many orders to fleets and dummy counters can be given, including new ones."""
    return len(view.fleets) + len(view.dummies) + view.reserve + ships_limit(view)


def tables(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Return those of some unchecked orders that are dictionaries."""
    return [item for item in items if isinstance(item, dict)]
