"""The fighters' stop: every group's orders, a text a group (`{"fighters": {"n1/fighter-bay-1": "to 12 20; face 3"}}`).

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.asks.ask import UnitAsk
from engine.core.errors import Violation
from engine.core.orders import Flight
from engine.core.ship import ShipState
from engine.core.state import FIGHTERS, BattleState
from engine.fighters.flights import flight_violations
from engine.notation.fire import Names
from engine.notation.flights import parse_flight
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView


class FlightAsk(UnitAsk[Flight]):
    """Orders of the fighter groups in flight; a group without any stays where it is."""

    key = FIGHTERS
    title = "fighters"
    task = "Give orders to your fighters"

    @override
    def callers(self, state: BattleState) -> Sequence[ShipState | Group]:
        return state.of(Group)

    @override
    def read(
        self, reader: Reader, document: Mapping[object, object], where: str, names: Names, sides: Sequence[str]
    ) -> dict[str, Flight]:
        data, where = document.get(self.key, {}), f"{where}{self.key}"
        if not isinstance(data, Mapping):
            reader.fault(where, "not-a-mapping", "fighters' orders are texts such as to 12 20; face 3, by group")
            return {}
        flights: dict[str, Flight] = {}
        for name, text in data.items():
            spot = f"{where}.{name}"
            if name not in names.groups:
                reader.fault(spot, "unknown-group", f"no fighter group is called '{name}'")
            elif not isinstance(text, str):
                reader.fault(spot, "not-a-text", "a group's orders are a text such as to 12 20; face 3")
            else:
                flight, faults = parse_flight(text, spot)
                reader.faults.extend(faults)
                named = [] if flight is None else [n for n in (flight.dogfight, flight.land) if n]
                unknown = [n for n in named if n not in names.targets]
                for missing in unknown:
                    reader.fault(spot, "unknown-target", f"nothing is called '{missing}'")
                if flight is not None and not unknown:
                    flights[name] = flight.renamed(names.targets)
        return flights

    @override
    def judge(self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool) -> list[Violation]:
        return flight_violations(state, orders, f"{where}{self.key}")

    @override
    def entry(self, one: Flight) -> Any:
        return one.words()

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, Flight]:
        return captain.flights(view)

    @override
    def by_id(self, orders: dict[str, Flight], ids: Mapping[str, str]) -> dict[str, Flight]:
        return {name: flight.renamed(ids) for name, flight in orders.items()} if ids else orders


FLIGHTS = FlightAsk()
