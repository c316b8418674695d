"""What a kind of order is: its entry in the stored orders, its faults, what it does, and its words.

A kind is one subclass of `Order` in one file of this package, and one line in
`campaign.orders.registry`. Whatever reads or writes orders goes through that list and names none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import GenericAlias
from typing import Any, ClassVar

from campaign.kinds import StageKind
from campaign.rules.orders import Further, Orders
from campaign.rules.own_keys import page_id
from campaign.rules.queries import ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation
from engine.core.phrase import phrase

SLACK = 10  # what is named once too often is told as such, not as too much

# What a key that names nothing of the faction any more begins with, after the faction's own.
GONE = {
    "f": phrase("a fleet that is gone"),
    "s": phrase("a ship that is gone"),
    "d": phrase("a counter that is gone"),
}


@dataclass(slots=True)
class Judging:
    """A faction's orders while they are judged, by its own View alone.

    Attributes:
        scenario: The scenario with the classes that the faction can see.
        fleets: Its fleets by key, as the orders judged so far leave them.
        ships: Its ships by key, likewise.
        detach_faulty: The detachments have faults and were not carried out.
        unformed: The new fleets that these would form: nothing more is said of them.
    """

    scenario: Scenario
    view: View
    orders: Orders
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    detach_faulty: bool = False
    unformed: frozenset[str] = frozenset()
    _crews: tuple[dict[str, Ship], dict[str, list[Ship]]] | None = None  # of which ships, and these by fleet

    @property
    def crews(self) -> dict[str, list[Ship]]:
        """The ships by fleet, grouped again only when orders have put other ships in place of `ships`."""
        if self._crews is None or self._crews[0] is not self.ships:
            self._crews = self.ships, ships_by_fleet(self.ships.values())
        return self._crews[1]

    @property
    def classes(self) -> Mapping[str, ShipClass]:
        """All ship classes that the faction can see."""
        return ship_classes(self.scenario)


@dataclass(slots=True)
class OwnForces:
    """A faction's fleets and ships by key, on which its lawful orders are carried out one after another."""

    classes: Mapping[str, ShipClass]
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]


@dataclass(slots=True)
class Wording:
    """What the words of orders need: names of fleets and ships, of places and of powers."""

    scenario: Scenario
    view: View
    place: Callable[[object], str]
    powers: Mapping[str, str]
    names: dict[str, str] = field(default_factory=dict)

    def named(self, key: object) -> str:
        """Return the name of one of the faction's fleets, ships or counters."""
        part = str(key).rpartition("/")[2]
        gone = next((words for mark, words in GONE.items() if part.startswith(mark)), str(key))
        return self.names.get(str(key), gone)


@dataclass(frozen=True, slots=True)
class Control:
    """A control of the orders form.

    Attributes:
        name: Its name among the controls of a fleet, small letters.
        label: What it says beside it.
        kind: `flag` (a box to tick) or `choice` (one of `choices`).
        value: What the draft says: `on` or empty for a flag, else the value chosen.
        choices: (value, words), of a choice.
        hint: What it does, in a sentence.
    """

    name: str
    label: str
    kind: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """How an order is typed: a verb, then one word for each of `names`, in their order.

    `form` shows it to people. Without names the order is the one word after the verb.
    """

    verb: str
    form: str
    names: tuple[str, ...] = ()


class Order:
    """A kind of order. What it has no use for stays as it is here.

    Attributes:
        key: Its name in the stored orders.
        value: The type of one order of this kind, a frozen dataclass.
        stages: The stages that take it.
        missing: Codes of faults of what is not ordered: nothing can be dropped for them.
        about: The kind of thing on the page that faults belong to, and the entry that names it.
        is_apart: It is about no fleet: the page tells it beside the lines of fleets.
        ship_names: The entries that name ships.
        fleet_name: The entry that names a fleet, if any.
        lines: How it is typed where a word for each entry is all.
        title, help: Its heading and what it does, for the help about orders; empty: `fixtures/help` says it.
    """

    key: ClassVar[str]
    value: ClassVar[Any]
    stages: ClassVar[tuple[StageKind, ...]] = (StageKind.ORDERS,)
    missing: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, str] | None] = None
    is_apart: ClassVar[bool] = False
    ship_names: ClassVar[tuple[str, ...]] = ()
    fleet_name: ClassVar[str] = ""
    lines: ClassVar[tuple[Line, ...]] = ()
    title: ClassVar[str] = ""
    help: ClassVar[str] = ""

    # --- its entry in the orders

    @cached_property
    def is_further(self) -> bool:
        """Whether its orders are kept among `Orders.further`."""
        return isinstance(self.value, type) and issubclass(self.value, Further)

    @property
    def list_type(self) -> Any:
        """The type of a list of orders of this kind."""
        return GenericAlias(tuple, (self.value, ...))

    def items(self, orders: Orders) -> tuple[Any, ...]:
        """Return the orders of this kind."""
        if self.is_further:
            return tuple(item for item in orders.further if isinstance(item, self.value))
        found: tuple[Any, ...] = getattr(orders, self.key)
        return found

    def with_items(self, orders: Orders, items: Sequence[Any]) -> Orders:
        """Return the same orders with these instead of those of this kind."""
        if self.is_further:
            others = (item for item in orders.further if not isinstance(item, self.value))
            return replace(orders, further=(*others, *items))
        return replace(orders, **{self.key: tuple(items)})

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the orders of this kind in their one order, which is total."""
        return tuple(sorted(items, key=repr))

    # --- how many there can be

    def limit(self, view: View) -> int:
        """Return how many orders of this kind a faction can give."""
        raise NotImplementedError

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        """Give the lists within orders: place, length, greatest length. `items` may be as people wrote them."""
        return iter(())

    # --- what it means

    def default(self, scenario: Scenario, view: View) -> tuple[Any, ...]:
        """Return what a faction that hands in nothing orders of this kind."""
        return ()

    def judge(self, judging: Judging) -> list[Violation]:
        """Return every fault; leave in `judging` the fleets and ships as these orders leave them."""
        return []

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        """Change a faction's own fleets and ships, before anybody moves. The orders are lawful."""

    def carry_out_in_world(self, scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> World:
        """Return the world after the lawful orders of all factions, where more than fleets and ships change."""
        return world

    def scans_afar(self, scenario: Scenario) -> bool:
        """Whether fleets can be scanned from outside their hex by orders of this kind."""
        return False

    def scanned_hexes(self, scenario: Scenario, world: World, orders: Orders, before: Mapping[str, str]) -> set[str]:
        """Return the hexes that a faction scans by orders of this kind, after all fleets moved.

        Args:
            before: The hex of each fleet before it moved.
        """
        return set()

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Return what a computer admiral orders of this kind, beside the orders it has."""
        return self.items(orders)

    # --- its words

    def name_new(self, about: Wording, items: Sequence[Any]) -> None:
        """Name in `about` what these orders make, for the lines of all orders."""

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        """Return the lines that people read back. `items` are as stored, and may hold anything."""
        return []

    def changes(self, items: Sequence[Any]) -> list[str]:
        """Return what orders about one fleet do with it beside its move, for its line on the page.

        Args:
            items: The orders of this kind that name the fleet (`fleet_name`), as stored.
        """
        return []

    def anchor(self, item: object, number: int, rest: str) -> str:
        """Return the id on the page of what a fault is about; empty: of the whole.

        Args:
            item: The order with the fault, as stored.
            number: Its place among those of its kind.
            rest: The fault's place within it.
        """
        if not isinstance(item, dict) or self.about is None:
            return ""
        kind, entry = self.about
        return page_id(kind, item.get(entry))

    def about_ship(self, items: Sequence[Any], ship: str, fleets: Sequence[str]) -> list[Any]:
        """Return the orders that are about a ship or the fleets it is in, for its history."""
        return [item for item in items if isinstance(item, dict) and self._names(item, ship, fleets)]

    def _names(self, item: Mapping[str, Any], ship: str, fleets: Sequence[str]) -> bool:
        if self.fleet_name and item.get(self.fleet_name) in fleets:
            return True
        return any(ship in texts(item.get(name)) for name in self.ship_names)

    # --- the form of the week

    def fleet_controls(self, scenario: Scenario, view: View, items: Sequence[Any]) -> tuple[Control, ...]:
        """Return the controls of a fleet on the orders page.

        Args:
            items: The orders of this kind in the draft that name the fleet (`fleet_name`).
        """
        return ()

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        """Return the orders that controls say, as stored.

        Args:
            posted: For each fleet what its controls say, by their names; empty ones are left out.
        """
        return []


def listed(value: object) -> list[Any]:
    """Return the value where it is a list; else nothing of it can be read."""
    return value if isinstance(value, list) else []


def texts(value: object) -> list[str]:
    """Return a value, or each of a list of them, as text."""
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def entries(item: object, name: str) -> Sequence[object]:
    """Return a list of an order, or of what somebody wrote for one; nothing where there is none."""
    found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
    return found if isinstance(found, (list, tuple)) else ()


def count_entries(items: Sequence[object], name: str) -> int:
    """Return the length of all these lists of some orders together."""
    return sum(len(entries(item, name)) for item in items)


def ships_limit(view: View) -> int:
    """Return how many orders can be given where each is about a ship."""
    return len(view.ships) + SLACK


def fleets_limit(view: View) -> int:
    """Return how many orders can be given where each is about a fleet or dummy counter, new ones too."""
    return len(view.fleets) + len(view.dummies) + view.reserve + ships_limit(view)


def tables(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Return those of some orders, as people wrote them, that are tables of keys and values."""
    return [item for item in items if isinstance(item, dict)]
