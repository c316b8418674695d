"""What a side's boarders do, beside damage control, by the ship they are aboard
(`{"board": {"e1": {"at_marines": 2}}}`): so many fight its marines, the others wreck it.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import override

from engine.asks.ask import Ask
from engine.asks.control import by_ship
from engine.continuum.boarding import ANYBODY, Boards, boarded
from engine.core.errors import Violation
from engine.core.orders import OrdersDocument
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

BOARD = "board"
AT_MARINES = "at_marines"


class BoardAsk(Ask[Boards]):
    """How many of a side's boarders fight a ship's marines, by side and ship.

    It stands beside damage control.
    """

    key = BOARD
    title = "boarders"
    task = phrase("Order your boarders")

    @override
    def nothing(self) -> Boards:
        """No boarders told anything: an empty mapping."""
        return {}

    @override
    def read(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> Boards:
        """The entry `board` of a turn of a battle file: it says not whose boarders, so those of any
        side.
        """
        return self._read(reader, document, where, names, ANYBODY)

    @override
    def read_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> Boards:
        """The entry `board` of a side's document, for its own boarders."""
        return self._read(reader, document, where, names, side)

    def _read(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
    ) -> Boards:
        found: Boards = {}
        if document.get(BOARD) is None:
            return found
        entries = by_ship(
            reader, document[BOARD], f"{where}{BOARD}", names.targets, (AT_MARINES,),
            whole='boarders are told {"at_marines": a number} by the ship they are aboard',
            unknown=reason("no-ship-called", "no ship is called '{}'"),
            each="boarders are told how many of them are at_marines",
        )  # fmt: skip
        for name, item, spot in entries:
            many = reader.number(item, AT_MARINES, spot, default=0)
            if many < 0:
                reader.fault(
                    f"{spot}.{AT_MARINES}",
                    "boarders",
                    reason("number-0-more-needed", "a number of 0 or more is needed here"),
                )
            found[side, names.targets[name]] = many
        return found

    @override
    def judge(
        self, state: BattleState, orders: Boards, where: str, *, sound: bool
    ) -> list[Violation]:
        """A fault (nobody-aboard) for each ship on which the side has no boarders."""
        found: list[Violation] = []
        for side, ship in orders:
            if not any(ship == one.id and side in one.billeted() for one in boarded(state)):
                spot = f"{where}{BOARD}.{state.called_by(side).get(ship, ship)}"
                found.append(
                    Violation(
                        spot,
                        "nobody-aboard",
                        reason("nobody-aboard", "nobody of this side is aboard that ship to fight"),
                    )
                )
        return found

    @override
    def write(self, orders: Boards, side: int) -> OrdersDocument:
        """The entry `board`; none where no boarders are told anything."""
        boards = {ship: {AT_MARINES: many} for (_, ship), many in orders.items()}
        return {"board": boards} if boards else {}

    @override
    def of_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Allies have boarders aboard together: who orders last says what they do."""
        boards = {
            name: one for document in documents for name, one in (document.get(BOARD) or {}).items()
        }
        return cast(OrdersDocument, {BOARD: boards} if boards else {})

    @override
    def logged(self, orders: Boards, sides: Sequence[str]) -> dict[str, Any]:
        """By ship and side how many fight its marines; the side is "" where the orders are for any
        side.
        """
        found: dict[str, Any] = {}
        for (side, ship), many in sorted(orders.items()):
            found.setdefault(ship, {})["" if side == ANYBODY else sides[side]] = many
        return found

    @override
    def advice(self, captain: Captain, view: SideView) -> Boards:
        """The captain's orders to the side's boarders."""
        return captain.boards(view)

    @override
    def by_id(self, orders: Boards, ids: Mapping[str, str]) -> Boards:
        """The same orders by the ids of the ships that are boarded."""
        return {(side, ids.get(ship, ship)): many for (side, ship), many in orders.items()}

    @override
    def together(self, orders: Boards, given: Boards) -> Boards:
        """The orders by side and ship; where both tell the same boarders, the given ones."""
        return orders | given


BOARDS = BoardAsk()
