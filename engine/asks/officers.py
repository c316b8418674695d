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

from engine.asks.ask import BesideAsk
from engine.core.errors import Violation
from engine.core.noting import note
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

OFFICERS = "officers"


class OfficersAsk(BesideAsk[bool]):
    """Whether officers direct a ship's point defence from now on, by ship; of a ship left out
    nothing changes.
    """

    key = OFFICERS
    title = "officers"
    task = phrase("Leave point defence to your officers")

    @override
    def read(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, bool]:
        """The entry `officers`: true or false by ship. Every fault goes to the reader."""
        data, where = self.entries(
            reader,
            document,
            where,
            reason(
                "leaves-point-defence-true", "who leaves point defence is true or false by ship"
            ),
        )
        found: dict[str, bool] = {}
        for name, said in data.items():
            if name not in names.ships:
                reader.fault(
                    f"{where}.{name}",
                    "unknown-ship",
                    reason("unknown-ship-named", "no ship has the id '{}'", name),
                )
            elif not isinstance(said, bool):
                reader.fault(
                    f"{where}.{name}",
                    OFFICERS,
                    reason(
                        "true-leaves-point-defence",
                        "true leaves point defence to officers, false takes it back",
                    ),
                )
            else:
                found[str(name)] = said
        return found

    @override
    def judge(
        self, state: BattleState, orders: dict[str, bool], where: str, *, sound: bool
    ) -> list[Violation]:
        """No faults: every ship has officers."""
        return []

    @override
    def entry(self, one: bool) -> bool:
        """True or false, as it is written."""
        return one

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, bool]:
        """No captain changes what his side has said of its officers."""
        return {}


def say_who_directs(table: Table, orders: Mapping[str, bool]) -> None:
    """Write down in place which ships leave point defence to their officers; its own side alone is
    told.
    """
    for name, said in orders.items():
        note(table, table.state.named(name), OFFICERS, int(said))


def left_to_officers(state: BattleState, unit: ShipState | Group) -> bool:
    """Whether point defence of what calls for it is left to officers; that of boats by the ship
    they came from.
    """
    ship = unit.carrier(state) if isinstance(unit, Group) else unit
    return ship is not None and bool(ship.record.officers)


OFFICERS_ASK = OfficersAsk()
