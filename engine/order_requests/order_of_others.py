"""In which order a side lets the others act if it wins the initiative.

A side's document says it for the rest of the battle: `{"lets": ["esu", "fse"]}`; an empty list
leaves it to the dice again. A battle file says it for one turn, by the side that may win:
`{"initiative": {"nac": ["esu", "fse"]}}`. It matters only with three sides or more.

Rules: Continuum "Roll for initiative phase" 2.6 [pc.initiative-order]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.orders import OrdersDocument
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.versions import ORDER_OF_OTHERS
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

LETS, INITIATIVE = "lets", "initiative"
MIN_SIDES = 3

# The names of the other sides in the order in which a side lets them act, by that side's number.
NamesBySide = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class OthersOrders:
    """In which order sides let the others act.

    Attributes:
        standing: For the rest of the battle; an empty order leaves it to the dice again.
        this_turn: For this turn alone.
    """

    standing: NamesBySide = field(default_factory=dict)
    this_turn: NamesBySide = field(default_factory=dict)


class OrderOfOthersRequest(OrderRequest[OthersOrders]):
    """In which order a side lets the others act if it wins the initiative."""

    key = LETS
    title = "lets"
    task = phrase("Choose the order of the other sides")

    @property
    @override
    def keys(self) -> tuple[str, ...]:
        """The entry of a side's document, and that of a turn of a battle file."""
        return (LETS, INITIATIVE)

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return no units: sides are asked."""
        return ()

    @override
    def no_orders(self) -> OthersOrders:
        """Return orders that change nothing."""
        return OthersOrders()

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> OthersOrders:
        """Parse `initiative` of a turn of a battle file: lists of sides by side.

        A list that does not name all other sides leaves their order to the dice.
        """
        _refuse_key(reader, document, where, LETS)
        data = document.get(INITIATIVE, {})
        where = f"{where}{INITIATIVE}"
        if not isinstance(data, Mapping):
            words = reason("initiative-mapping", "initiative must be lists of sides by side")
            reader.fault(where, "not-a-mapping", words)
            return OthersOrders()
        orders: dict[int, tuple[str, ...]] = {}
        for winner, others in data.items():
            if winner not in sides:
                words = reason("no-side-called", "no side is called '{}'", winner)
                reader.fault(f"{where}.{winner}", "unknown-side", words)
            else:
                orders[sides.index(winner)] = _names(reader, others, f"{where}.{winner}")
        return OthersOrders(this_turn=orders)

    @override
    def parse_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> OthersOrders:
        """Parse `lets` of a side's document: the other sides in order."""
        _refuse_key(reader, document, where, INITIATIVE)
        if LETS not in document:
            return OthersOrders()
        return OthersOrders({side: _names(reader, document[LETS], f"{where}{LETS}")})

    @override
    def find_violations(
        self, state: BattleState, orders: OthersOrders, where: str, *, sound: bool
    ) -> list[Violation]:
        """Return a fault for a standing order that does not name every other side once."""
        faults: list[Violation] = []
        for side, names in orders.standing.items():
            if not names or is_order_of_others(state, side, names):
                continue
            if may_order_others(state):
                words = reason("lets-all-others", "name each of the other sides once, in order")
            else:
                words = reason(
                    "lets-needs-three-sides",
                    "the order of other sides needs three sides and rules 1.1 or later",
                )
            faults.append(Violation(f"{where}{LETS}", LETS, words))
        return faults

    @override
    def to_document(self, orders: OthersOrders, side: int) -> OrdersDocument:
        """Return the side's standing order, or nothing if it gives none."""
        if side not in orders.standing:
            return {}
        return cast(OrdersDocument, {LETS: list(orders.standing[side])})

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Return the last order that an ally gives, or nothing."""
        orders_of_allies = [
            document[LETS] for document in documents if document.get(LETS) is not None
        ]
        return cast(OrdersDocument, {LETS: orders_of_allies[-1]} if orders_of_allies else {})

    @override
    def to_log(self, orders: OthersOrders, sides: Sequence[str]) -> dict[str, Any]:
        """Return the orders given now, by side."""
        orders_now = {**orders.standing, **orders.this_turn}
        return {sides[side]: list(orders_now[side]) for side in sorted(orders_now)}

    @override
    def suggest(self, captain: Captain, view: SideView) -> OthersOrders:
        """Return a captain's order: friends first, then foes, those with the fewest ships first.

        Who acts late may lose ships before they fire, so the largest foe acts last.
        """
        if len(view.sides) < MIN_SIDES or not view.terms.follows(ORDER_OF_OTHERS):
            return OthersOrders()
        contacts = Counter(contact.side for contact in view.contacts)
        others = [side for side in range(len(view.sides)) if side != view.side]
        others.sort(key=lambda side: (view.hostile >> side & 1, contacts[side], side))
        return OthersOrders({view.side: tuple(view.sides[side] for side in others)})

    @override
    def with_ids(self, orders: OthersOrders, ids: Mapping[str, str]) -> OthersOrders:
        """Return the same orders, which name no units."""
        return orders

    @override
    def merge(self, orders: OthersOrders, further: OthersOrders) -> OthersOrders:
        """Return the orders of both; those of `further` replace others of the same side."""
        return OthersOrders(
            {**orders.standing, **further.standing}, {**orders.this_turn, **further.this_turn}
        )


def may_order_others(state: BattleState) -> bool:
    """Return whether the winner of the initiative decides the order of the other sides."""
    if len(state.sides) < MIN_SIDES or state.terms.edition not in ORDER_OF_OTHERS.editions:
        return False
    return state.terms.follows(ORDER_OF_OTHERS)


def is_order_of_others(state: BattleState, side: int, names: Sequence[str]) -> bool:
    """Return whether a side names every other side once."""
    others = [name for number, name in enumerate(state.sides) if number != side]
    return may_order_others(state) and sorted(names) == sorted(others)


def chosen_order(state: BattleState, orders: OthersOrders, winner: int) -> list[int] | None:
    """Return the other sides in the order that the winner chose, or None for the dice."""
    names = orders.this_turn.get(winner) or state.lets.get(winner, ())
    if not names or not is_order_of_others(state, winner, names):
        return None
    return [state.sides.index(name) for name in names]


def _refuse_key(reader: Reader, document: Mapping[object, object], where: str, key: str) -> None:
    """Report a key that belongs in the other kind of document."""
    if key in document:
        words = reason("key-elsewhere", "this document cannot contain '{}'", key)
        reader.fault(f"{where}{key}", "unknown-key", words)


def _names(reader: Reader, value: object, where: str) -> tuple[str, ...]:
    """Return the sides of a list; anything else is a fault."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return tuple(value)
    reader.fault(where, "not-a-list", reason("sides-list", "expected a list of sides"))
    return ()


ORDER_OF_OTHERS_REQUEST = OrderOfOthersRequest()
