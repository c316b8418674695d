"""The set-up before the first turn: where each ship begins (`{"set_up": {"n1": {"at": [3, 20]}}}`).

The sides place bodies first, by the same entry.

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import SET_UP, BattleState
from engine.notation.fire import FireNames
from engine.notation.placing import Place, find_place_faults
from engine.notation.reading import Reader
from engine.notation.set_up import PLACE_KEYS
from engine.order_requests.base import UnitOrderRequest
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView


class SetUpRequest(UnitOrderRequest[Place]):
    """Places by ship or body; what has none begins where its captain proposes."""

    key = SET_UP
    title = "set-up"
    task = phrase("Place your ships")

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return all ships of the sides whose turn it is, also where nothing is left to place."""
        stage = state.set_up
        if stage is None:
            return []
        return [ship for ship in state.ships if stage.is_asked(ship.owner)]

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, Place]:
        """Parse the entry `set_up`: a place by ship. All faults go to the reader."""
        words = reason("places-by-ship", "expected the place of each ship by its id")
        data, where = self.parse_entries(reader, document, where, words)
        places: dict[str, Place] = {}
        for name, place in data.items():
            spot = f"{where}.{name}"
            if name not in names.ships and name not in names.bodies:
                words = reason("unknown-ship-named", "no ship has the id '{}'", name)
                reader.fault(spot, "unknown-ship", words)
            elif not isinstance(place, Mapping):
                words = reason("place-keys", "expected at, course and velocity")
                reader.fault(spot, "not-a-mapping", words)
            else:
                if name not in names.bodies:
                    reader.keys(place, PLACE_KEYS, spot)
                places[name] = place
        return places

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Place], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of the places."""
        return find_place_faults(state, orders, f"{where}{self.key}")

    @override
    def to_entry(self, place: Place) -> Any:
        """Return a place as it appears in a document."""
        return dict(place)

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Place]:
        """Return the captain's proposal for what is placed now."""
        return captain.places(view)


SET_UP_REQUEST = SetUpRequest()
