"""What an ask is: the orders that sides are asked for at a stop, from the text people write to the
rule they feed.

Everything about it stands in its one module: whose pieces call for orders, how orders are read from
a side's document and from a battle file, judged, written, advised by a captain, and put together. A
stop of an edition names its ask (`engine.sequences`); command line, captains, services and pages
come from there.
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
    """One ask; `T` is what all sides together order at its stop.

    `key`: the entry of an orders' document, and the name of its stop. `keys`: every entry that
    belongs to it. `title` and `task`: what the stop is called, and what is to be done at it.
    """

    key: str
    title: str
    task: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The entries of an orders document that it reads."""
        return (self.key,)

    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """The ships and groups that call for orders, whatever they could do: who is asked tells
        nobody anything.
        """
        return [*state.pieces_of(Group), *(ship for ship in state.ships if ship.status in IN_PLAY)]

    def is_automatic(self, _state: BattleState, _unit: ShipState | Group, /) -> bool:
        """Whether its side has left what calls for orders to its captain for good, so that nobody
        need be asked.
        """
        return False

    def is_idle(self, _state: BattleState, /) -> bool:
        """Whether everybody can see that nobody has anything to order at the stop.

        It may look at nothing but what every side knows, for a stop that is passed over tells all
        sides so.
        """
        return False

    @abstractmethod
    def no_orders(self) -> T:
        """The orders of a stop at which nobody orders anything."""

    @abstractmethod
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> T:
        """The orders of all sides from a turn of a battle file; every fault goes to the reader.

        `where`: the place before its entries, with its dot. `sides`: the names of all sides.
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
        """The orders of one side, of so many, from its own document."""

    @abstractmethod
    def find_violations(
        self, state: BattleState, orders: T, where: str, *, sound: bool
    ) -> list[Violation]:
        """Every fault of a side's orders: those that cannot be carried out now.

        `sound`: nothing else was wrong with its document.
        """

    @abstractmethod
    def to_document(self, orders: T, side: int) -> OrdersDocument:
        """The entries of a side's document that say these orders."""

    @abstractmethod
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """The entries of a side's document, of those of the factions that fight on it together (one
        at least).
        """

    @abstractmethod
    def to_log(self, orders: T, sides: Sequence[str]) -> dict[str, Any]:
        """The orders of all sides as a log of the battle tells them, in an order of their own."""

    @abstractmethod
    def suggest(self, captain: Captain, view: SideView) -> T:
        """The orders a side's captain would give; ships are meant by what the side calls them."""

    @abstractmethod
    def with_ids(self, orders: T, ids: Mapping[str, str]) -> T:
        """The same orders, whoever is meant and whoever gets them by their ids (`ids`: by what a
        side calls them).
        """

    @abstractmethod
    def merge(self, orders: T, further: T) -> T:
        """Orders of several sides, or a captain's beside given ones, which come first."""


class UnitOrderRequest(OrderRequest[dict[str, UnitOrders]], Generic[UnitOrders]):
    """An ask whose orders stand by ship, or by group."""

    @override
    def no_orders(self) -> dict[str, UnitOrders]:
        """No unit's orders: an empty mapping."""
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
        """The orders of one side, read as those of all sides are: units tell whose they are."""
        return self.parse(reader, document, where, names, ())

    def parse_entries(
        self, reader: Reader, document: Mapping[object, object], where: str, words: str
    ) -> tuple[Mapping[Any, Any], str]:
        """Its entry of a document, by unit, and the place of that; nothing, with a fault in these
        words, where it is no mapping.
        """
        data, where = document.get(self.key, {}), f"{where}{self.key}"
        if isinstance(data, Mapping):
            return data, where
        reader.fault(where, "not-a-mapping", words)
        return {}, where

    @abstractmethod
    def to_entry(self, unit_orders: UnitOrders) -> Any:
        """A unit's orders as a document has them."""

    @override
    def to_document(self, orders: dict[str, UnitOrders], side: int) -> OrdersDocument:
        """One entry: each unit's orders by its name, whatever side it is on."""
        return cast(
            OrdersDocument,
            {self.key: {name: self.to_entry(unit_orders) for name, unit_orders in orders.items()}},
        )

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """One entry with the units of all documents; of a unit in several the last one's orders."""
        all_units = {
            name: unit_orders
            for document in documents
            for name, unit_orders in document[self.key].items()
        }
        return cast(OrdersDocument, {self.key: all_units})

    @override
    def to_log(self, orders: dict[str, UnitOrders], sides: Sequence[str]) -> dict[str, Any]:
        """Each unit's orders as a document has them, units by name."""
        return {name: self.to_entry(unit_orders) for name, unit_orders in sorted(orders.items())}

    @override
    def with_ids(
        self, orders: dict[str, UnitOrders], ids: Mapping[str, str]
    ) -> dict[str, UnitOrders]:
        """The same orders under the units' ids; the orders themselves stay as they are."""
        return (
            {ids.get(name, name): unit_orders for name, unit_orders in orders.items()}
            if ids
            else orders
        )

    @override
    def merge(
        self, orders: dict[str, UnitOrders], further: dict[str, UnitOrders]
    ) -> dict[str, UnitOrders]:
        """Each unit's orders; of a unit in both the given ones."""
        return orders | further


class OptionalOrderRequest(UnitOrderRequest[UnitOrders]):
    """An ask that stands beside others of its stop: a side that orders nothing of the kind need not
    say so.
    """

    @override
    def to_document(self, orders: dict[str, UnitOrders], side: int) -> OrdersDocument:
        """Its entry; none where nothing is ordered."""
        return super().to_document(orders, side) if orders else {}

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """One entry with the units of all documents; none where nobody orders anything."""
        all_units = {
            name: unit_orders
            for document in documents
            for name, unit_orders in (document.get(self.key) or {}).items()
        }
        return cast(OrdersDocument, {self.key: all_units} if all_units else {})


class TurnOrders:
    """The orders of a turn, or of a stop, by ask: of all sides, or of one."""

    __slots__ = ("_by",)

    def __init__(self, by: Mapping[str, Any] | None = None) -> None:
        self._by: dict[str, Any] = dict(by or {})

    def of(self, request: OrderRequest[T]) -> T:
        """The orders of an ask."""
        if request.key not in self._by:
            self._by[request.key] = request.no_orders()
        orders: T = self._by[request.key]
        return orders
