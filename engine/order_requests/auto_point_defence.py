"""Which ships leave their point defence to their officers, for the rest of the battle
(`{"officers": {"e1": true}}`), or take it back (`false`). It stands beside the plots and beside
point defence.

What officers order is what a side's captain would: who leaves it to them is asked no more where
nothing but point defence is. Rules: Continuum "Point defense" 8.8 [pc.point-defence]
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
    """Whether officers direct a ship's point defence from now on, by ship; of a ship left out
    nothing changes.
    """

    key = AUTO_POINT_DEFENCE
    title = "officers"
    task = phrase("Leave point defence to your officers")

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, bool]:
        """The entry `officers`: true or false by ship. Every fault goes to the reader."""
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason(
                "leaves-point-defence-true", "who leaves point defence is true or false by ship"
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
                        "true leaves point defence to officers, false takes it back",
                    ),
                )
            else:
                orders[str(name)] = value
        return orders

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, bool], where: str, *, sound: bool
    ) -> list[Violation]:
        """No faults: every ship has officers."""
        return []

    @override
    def to_entry(self, value: bool) -> bool:
        """True or false, as it is written."""
        return value

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, bool]:
        """No captain changes what his side has said of its officers."""
        return {}


def record_auto_defence(table: Table, orders: Mapping[str, bool]) -> None:
    """Write down in place which ships leave point defence to their officers; its own side alone is
    told.
    """
    for name, is_automatic in orders.items():
        write_fact(table, table.state.ship_by_name(name), AUTO_POINT_DEFENCE, int(is_automatic))


def is_defence_automatic(state: BattleState, unit: ShipState | Group) -> bool:
    """Whether point defence of what calls for it is left to officers; that of boats by the ship
    they came from.
    """
    ship = unit.carrier(state) if isinstance(unit, Group) else unit
    return ship is not None and bool(ship.record.officers)


AUTO_POINT_DEFENCE_REQUEST = AutoPointDefenceRequest()
