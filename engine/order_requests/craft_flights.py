"""Where Continuum's craft fly.

Main moves are written with the plots (`{"fighters": {"n1/hangar-1": "to 20 24; face 3"}}`), also
for groups that are launched this turn. Secondary moves (`{"secondary": {"n1/hangar-1": "to 26
24"}}`) come once ships have moved; robots' are written with the plots.

Rules: Continuum "Movement" 8.5 [pc.fighter-move]
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from typing_extensions import override

from engine.continuum.craft.moves import flight_violations, secondary_violations
from engine.core.errors import Violation
from engine.core.orders import Flight
from engine.core.phrase import phrase
from engine.core.state import PLOT, BattleState
from engine.notation.fire import FireNames
from engine.order_requests.base import OptionalOrderRequest
from engine.order_requests.flights import FlightRequest
from engine.pieces.group import groups_from

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

SECONDARY = "secondary"


class PlottedFlightRequest(FlightRequest, OptionalOrderRequest[Flight]):
    """Flights ordered with the plots; no side is asked for them alone."""

    @override
    def allowed_groups(self, names: FireNames) -> Collection[str]:
        """Return a side's groups in flight, and those that its ships may launch."""
        groups: set[str] = {*names.groups}
        for ship in names.ships.values():
            groups.update(group for group, _ in groups_from(ship))
        return groups

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return flights that groups cannot make, as far as is known before anything moves."""
        if sound:
            return flight_violations(state, orders, f"{where}{self.key}")
        return []


class SecondaryMoveRequest(PlottedFlightRequest):
    """Secondary moves: of robots with the plots, of pilots with the attacks."""

    key = SECONDARY
    title = phrase("secondary moves")
    task = phrase("Order secondary moves for your fighters")

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return secondary moves that cannot be made: with the plots pilots', later robots'."""
        robots = state.stop == PLOT
        if sound:
            return secondary_violations(state, orders, f"{where}{self.key}", robots=robots)
        return []

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Flight]:
        """Return the captain's secondary moves for pilots, by group.

        Robots get none: their moves are due before any unit has moved.
        """
        if view.stop == PLOT:
            return {}
        return captain.secondary(view)


PLOTTED_FLIGHT_REQUEST = PlottedFlightRequest()
SECONDARY_REQUEST = SecondaryMoveRequest()
