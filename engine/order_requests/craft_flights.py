"""Continuum's craft: where they fly, written with the plots (`{"fighters": {"n1/hangar-1": "to 20
24; face 3"}}`), of those that are launched this turn too; and where they fly on once ships have
moved (`{"secondary": {"n1/hangar-1": "to 26 24"}}`), robots before.

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


def _bays(names: FireNames) -> Collection[str]:
    """The groups of a side: those in flight, and those that its ships may launch."""
    return {
        *names.groups,
        *(name for ship in names.ships.values() for name, _ in groups_from(ship)),
    }


class PlottedFlightRequest(FlightRequest, OptionalOrderRequest[Flight]):
    """Flights beside the plots: nothing asks for them alone."""

    @override
    def allowed_groups(self, names: FireNames) -> Collection[str]:
        """The groups of a side in flight, and those that its ships may launch."""
        return _bays(names)

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Flights that groups cannot make, as far as that can be known before anything moves."""
        return flight_violations(state, orders, f"{where}{self.key}") if sound else []


class SecondaryMoveRequest(PlottedFlightRequest):
    """Secondary moves: with the plots those of robots, with the attacks those of pilots."""

    key = SECONDARY
    title = phrase("secondary moves")
    task = phrase("Fly on with your fighters")

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Flight], where: str, *, sound: bool
    ) -> list[Violation]:
        """Second moves that cannot be made: with the plots those of pilots, later those of
        robots.
        """
        robots = state.stop == PLOT
        return (
            secondary_violations(state, orders, f"{where}{self.key}", robots=robots)
            if sound
            else []
        )

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Flight]:
        """The captain's second moves, by group: of pilots, with the attacks.

        Where robots would fly on he cannot tell before anybody has moved.
        """
        return {} if view.stop == PLOT else captain.secondary(view)


PLOTTED_FLIGHT_REQUEST = PlottedFlightRequest()
SECONDARY_REQUEST = SecondaryMoveRequest()
