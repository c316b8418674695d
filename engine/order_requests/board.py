"""What a side's boarders do, by the ship they are aboard, in the damage control phase.

An entry looks like `{"board": {"e1": {"at_marines": 2}}}`: two fight the ship's marines, the others
damage the ship.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import override

from engine.continuum.boarding import ANY_SIDE, BoarderOrders, boarded_ships
from engine.core.errors import Violation
from engine.core.orders import OrdersDocument
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest
from engine.order_requests.control import entries_by_ship

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

BOARD = "board"
AT_MARINES = "at_marines"


class BoarderRequest(OrderRequest[BoarderOrders]):
    """How many of a side's boarders fight a ship's marines, by side and ship.

    It is optional, together with damage control.
    """

    key = BOARD
    title = "boarders"
    task = phrase("Order your boarders")

    @override
    def no_orders(self) -> BoarderOrders:
        """Return an empty mapping."""
        return {}

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> BoarderOrders:
        """Parse the entry `board` of a turn of a battle file, for boarders of any side."""
        return self._parse(reader, document=document, where=where, names=names, side=ANY_SIDE)

    @override
    def parse_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> BoarderOrders:
        """Parse the entry `board` of a side's document, for its own boarders."""
        return self._parse(reader, document=document, where=where, names=names, side=side)

    def _parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
    ) -> BoarderOrders:
        """Parse the entry `board` for the boarders of a side, or of ANY_SIDE."""
        orders: BoarderOrders = {}
        if document.get(BOARD) is None:
            return orders
        entries = entries_by_ship(
            reader,
            data=document[BOARD],
            where=f"{where}{BOARD}",
            ships=names.targets,
            keys=(AT_MARINES,),
            missing='write the orders of boarders as {"at_marines": a number} by ship',
            unknown=reason("no-ship-called", "no ship is called '{}'"),
            malformed="orders of boarders must be an object with at_marines",
        )
        for name, item, spot in entries:
            count = reader.number(item, AT_MARINES, spot, default=0)
            if count < 0:
                reader.fault(
                    f"{spot}.{AT_MARINES}",
                    "boarders",
                    reason("number-0-more-needed", "expected a number of 0 or more"),
                )
            orders[side, names.targets[name]] = count
        return orders

    @override
    def find_violations(
        self, state: BattleState, orders: BoarderOrders, where: str, *, sound: bool
    ) -> list[Violation]:
        """Return a fault (nobody-aboard) for each ship on which the side has no boarders."""
        violations: list[Violation] = []
        sides_aboard: dict[str, dict[int, tuple[int, int]]] = {}
        for boarded_ship in boarded_ships(state):
            sides_aboard[boarded_ship.id] = boarded_ship.boarders_by_side()
        for side, ship in orders:
            if side not in sides_aboard.get(ship, {}):
                spot = f"{where}{BOARD}.{state.foreign_names(side).get(ship, ship)}"
                words = reason("nobody-aboard", "this side has no boarders on that ship")
                violations.append(Violation(spot, "nobody-aboard", words))
        return violations

    @override
    def to_document(self, orders: BoarderOrders, side: int) -> OrdersDocument:
        """Return the entry `board`, or nothing if there are no orders for boarders."""
        boards = {ship: {AT_MARINES: count} for (_, ship), count in orders.items()}
        if boards:
            return {"board": boards}
        return {}

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Merge the orders of allies who are aboard together; the last ones count."""
        boards = {}
        for document in documents:
            for name, entry in (document.get(BOARD) or {}).items():
                boards[name] = entry
        return cast(OrdersDocument, {BOARD: boards} if boards else {})

    @override
    def to_log(self, orders: BoarderOrders, sides: Sequence[str]) -> dict[str, Any]:
        """Return how many fight marines by ship and side, which is "" for any side."""
        log: dict[str, Any] = {}
        for (side, ship), count in sorted(orders.items()):
            log.setdefault(ship, {})["" if side == ANY_SIDE else sides[side]] = count
        return log

    @override
    def suggest(self, captain: Captain, view: SideView) -> BoarderOrders:
        """Return the captain's orders to the side's boarders."""
        return captain.boards(view)

    @override
    def with_ids(self, orders: BoarderOrders, ids: Mapping[str, str]) -> BoarderOrders:
        """Return the same orders by the ids of the boarded ships."""
        result = {}
        for (side, ship), count in orders.items():
            result[(side, ids.get(ship, ship))] = count
        return result

    @override
    def merge(self, orders: BoarderOrders, further: BoarderOrders) -> BoarderOrders:
        """Return the orders by side and ship; for the same boarders, those of `further`."""
        return orders | further


BOARDER_REQUEST = BoarderRequest()
