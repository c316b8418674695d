"""Which ships leave their point defence to the computer for the rest of the battle.

An entry looks like `{"officers": {"e1": true}}`; `false` takes point defence back. It is optional,
together with plots and with point defence.

The computer gives the orders that the side's captain would. A side that leaves all of its point
defence to the computer is not asked in phases that need nothing else.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.notes import write_fact
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import OptionalOrderRequest
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

AUTO_POINT_DEFENCE = "officers"


class AutoPointDefenceRequest(OptionalOrderRequest[bool]):
    """Whether the computer directs a ship's point defence from now on, by ship.

    Nothing changes for ships that are left out.
    """

    key = AUTO_POINT_DEFENCE
    title = "officers"
    task = phrase("Automate point defence")

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, bool]:
        """Parse the entry `officers`: true or false by ship. All faults go to the reader."""
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason(
                "leaves-point-defence-true", "automatic point defence must be true or false by ship"
            ),
        )
        orders: dict[str, bool] = {}
        for name, value in data.items():
            if name not in names.ships:
                reader.fault(
                    f"{where}.{name}",
                    "unknown-ship",
                    reason("unknown-ship-named", "no ship has the id '{}'", name),
                )
            elif not isinstance(value, bool):
                reader.fault(
                    f"{where}.{name}",
                    AUTO_POINT_DEFENCE,
                    reason(
                        "true-leaves-point-defence",
                        "true automates point defence, false takes it back",
                    ),
                )
            else:
                orders[str(name)] = value
        return orders

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, bool], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return no faults: the computer can direct the point defence of any ship."""
        return []

    @override
    def to_entry(self, value: bool) -> bool:
        """Return true or false unchanged."""
        return value

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, bool]:
        """Return no orders: a captain never changes which ships the computer defends."""
        return {}


def record_auto_defence(table: Table, orders: Mapping[str, bool]) -> None:
    """Record which ships leave point defence to the computer; only their own side is notified."""
    for name, is_automatic in orders.items():
        write_fact(table, table.state.ship_by_name(name), AUTO_POINT_DEFENCE, int(is_automatic))


def is_defence_automatic(state: BattleState, unit: ShipState | Group) -> bool:
    """Return whether the computer directs a unit's point defence; boats follow their ship."""
    if isinstance(unit, Group):
        ship = unit.carrier(state)
    else:
        ship = unit
    return ship is not None and bool(ship.record.officers)


AUTO_POINT_DEFENCE_REQUEST = AutoPointDefenceRequest()
