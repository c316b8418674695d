"""The base classes for the orders that a phase asks sides for.

One module holds everything about one kind of orders: which units need them, and how they are parsed
from a side's document and from a battle file, checked, written, suggested by a captain and merged.
An edition's phases name their requests (`engine.sequences`); the command line, captains, services
and pages use them from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.kinds import IN_PLAY
from engine.core.orders import OrdersDocument
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

T = TypeVar("T")
UnitOrders = TypeVar("UnitOrders")


class OrderRequest(ABC, Generic[T]):
    """A kind of orders; `T` is the orders of all sides together in one phase.

    Attributes:
        key: The entry in an orders document, and the name of the phase.
        title: What the phase is called.
        task: What the player has to do in the phase.
    """

    key: str
    title: str
    task: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The entries of an orders document that this request reads."""
        return (self.key,)

    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return the ships and groups that are asked for orders, whatever they could do.

        Being asked must reveal nothing to the other sides.
        """
        return [*state.pieces_of(Group), *(ship for ship in state.ships if ship.status in IN_PLAY)]

    def is_automatic(self, _state: BattleState, _unit: ShipState | Group, /) -> bool:
        """Return whether the side has left a unit's orders to its captain for good."""
        return False

    def is_idle(self, _state: BattleState, /) -> bool:
        """Return whether all sides can see that there is nothing to order in the phase.

        It must use only what every side knows, because skipping a phase is visible to all sides.
        """
        return False

    @abstractmethod
    def no_orders(self) -> T:
        """Return the orders of a phase in which no side orders anything."""

    @abstractmethod
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> T:
        """Parse the orders of all sides from a turn of a battle file; all faults go to the reader.

        Args:
            where: The path in the file that precedes the entries, with its dot.
            sides: The names of all sides.
        """

    @abstractmethod
    def parse_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> T:
        """Parse the orders of one side, out of `count` sides, from its own document."""

    @abstractmethod
    def find_violations(
        self, state: BattleState, orders: T, where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of a side's orders: those that cannot be carried out now.

        Args:
            sound: Whether the rest of the document is without faults.
        """

    def find_conflicts(
        self, _state: BattleState, _orders: Mapping[str, Any], _where: str, /
    ) -> list[Violation]:
        """Return faults of a side's orders that depend on its other orders of the phase, by key.

        All of these orders are without faults of their own.
        """
        return []

    @abstractmethod
    def to_document(self, orders: T, side: int) -> OrdersDocument:
        """Return the entries of a side's document that express these orders."""

    @abstractmethod
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Return a side's entries merged from those of its factions, at least one."""

    @abstractmethod
    def to_log(self, orders: T, sides: Sequence[str]) -> dict[str, Any]:
        """Return the orders of all sides for a battle log, in a fixed order."""

    def to_record(self, orders: T, sides: Sequence[str]) -> dict[str, Any]:
        """Return the log with all digits of numbers, so that a battle can be fought from it."""
        return self.to_log(orders, sides)

    @abstractmethod
    def suggest(self, captain: Captain, view: SideView) -> T:
        """Return the captain's orders; ships have the names that the side knows them by."""

    @abstractmethod
    def with_ids(self, orders: T, ids: Mapping[str, str]) -> T:
        """Return the same orders with ids for all units that get them or are named in them.

        Args:
            ids: The ids by the names that a side uses.
        """

    @abstractmethod
    def merge(self, orders: T, further: T) -> T:
        """Return both orders together; where both apply, `further` takes precedence."""


class UnitOrderRequest(OrderRequest[dict[str, UnitOrders]], Generic[UnitOrders]):
    """A request whose orders are listed by ship or group."""

    @override
    def no_orders(self) -> dict[str, UnitOrders]:
        """Return an empty mapping."""
        return {}

    @override
    def parse_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> dict[str, UnitOrders]:
        """Parse the orders of one side like those of all: the units show which side they are on."""
        return self.parse(reader, document, where, names, sides=())

    def parse_entries(
        self, reader: Reader, document: Mapping[object, object], where: str, words: str
    ) -> tuple[Mapping[Any, Any], str]:
        """Return the request's entry of a document by unit, and the path of that entry.

        If the entry is not a mapping, the result is empty and the reader gets a fault with `words`.
        """
        data = document.get(self.key, {})
        where = f"{where}{self.key}"
        if isinstance(data, Mapping):
            return data, where
        reader.fault(where, "not-a-mapping", words)
        return {}, where

    @abstractmethod
    def to_entry(self, unit_orders: UnitOrders) -> Any:
        """Return a unit's orders as they appear in a document."""

    def to_exact_entry(self, unit_orders: UnitOrders) -> Any:
        """Return an entry that reads back as exactly these orders."""
        return self.to_entry(unit_orders)

    @override
    def to_document(self, orders: dict[str, UnitOrders], side: int) -> OrdersDocument:
        """Return one entry with each unit's orders by name, whatever side the unit is on."""
        return cast(
            OrdersDocument,
            {self.key: {name: self.to_entry(unit_orders) for name, unit_orders in orders.items()}},
        )

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Return one entry with all units; a later document replaces a unit's earlier orders."""
        all_units = {}
        for document in documents:
            for name, unit_orders in document[self.key].items():
                all_units[name] = unit_orders
        return cast(OrdersDocument, {self.key: all_units})

    @override
    def to_log(self, orders: dict[str, UnitOrders], sides: Sequence[str]) -> dict[str, Any]:
        """Return each unit's orders as in a document, sorted by name."""
        result: dict[str, Any] = {}
        for name, unit_orders in sorted(orders.items()):
            result[name] = self.to_entry(unit_orders)
        return result

    @override
    def to_record(self, orders: dict[str, UnitOrders], sides: Sequence[str]) -> dict[str, Any]:
        """Return each unit's orders with all digits, sorted by name."""
        result: dict[str, Any] = {}
        for name, unit_orders in sorted(orders.items()):
            result[name] = self.to_exact_entry(unit_orders)
        return result

    @override
    def with_ids(
        self, orders: dict[str, UnitOrders], ids: Mapping[str, str]
    ) -> dict[str, UnitOrders]:
        """Return the same orders under the units' ids; the orders themselves stay unchanged."""
        if ids:
            return {ids.get(name, name): unit_orders for name, unit_orders in orders.items()}
        return orders

    @override
    def merge(
        self, orders: dict[str, UnitOrders], further: dict[str, UnitOrders]
    ) -> dict[str, UnitOrders]:
        """Return each unit's orders; a unit in both has those of `further`."""
        return orders | further


class OptionalOrderRequest(UnitOrderRequest[UnitOrders]):
    """A request for orders that a side may leave out of its document."""

    @override
    def to_document(self, orders: dict[str, UnitOrders], side: int) -> OrdersDocument:
        """Return the entry, or nothing if nothing is ordered."""
        if orders:
            return super().to_document(orders, side)
        return {}

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Return one entry with the units of all documents, or nothing if there are none."""
        all_units = {}
        for document in documents:
            for name, unit_orders in (document.get(self.key) or {}).items():
                all_units[name] = unit_orders
        return cast(OrdersDocument, {self.key: all_units} if all_units else {})


class TurnOrders:
    """The orders of a turn or a phase, of all sides or of one, by the key of their request."""

    __slots__ = ("_orders_by_key",)

    def __init__(self, orders_by_key: Mapping[str, Any] | None = None) -> None:
        self._orders_by_key: dict[str, Any] = dict(orders_by_key or {})

    def of(self, request: OrderRequest[T]) -> T:
        """Return the orders for a request."""
        if request.key not in self._orders_by_key:
            self._orders_by_key[request.key] = request.no_orders()
        orders: T = self._orders_by_key[request.key]
        return orders
