"""How the sides of a battle set up, and what they have still to place before the first turn.

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.geometry import Point, initial_drift
from engine.core.kinds import INBOUND, INSTALLATION
from engine.core.ship import ShipState
from engine.core.zones import (
    Surroundings,
    Zone,
    nearest_place,
    parts_at,
    zone_from,
    zone_json,
)

SEALED, BY_SIDE, BY_SHIP = "sealed", "by-side", "by-ship"
MANNERS = (SEALED, BY_SIDE, BY_SHIP)

Zones = tuple[Zone, ...]  # the parts of one side's zone


@dataclass(frozen=True, slots=True)
class DeploymentPlan:
    """How the sides of a battle set up.

    Attributes:
        zones: The zones of each side, by its number.
        manner: In secret, or in turn by sides or by ships.
        first: The number of the side that begins in turn; None: dice decide.
        step: The number of ships that a side places at a time.
        order: The classifications that are placed first, in this order.
        is_table: Whether the file has a table, so that ships need no velocity and no course.
    """

    zones: tuple[Zones, ...]
    manner: str = SEALED
    first: int | None = None
    step: int = 1
    order: tuple[str, ...] = ()
    is_table: bool = False

    def rank(self, ship: ShipState) -> int:
        """Return the place of a ship's classification in the order of placing, from 0."""
        return self.order.index(ship.label) if ship.label in self.order else len(self.order)


@dataclass(frozen=True, slots=True)
class SetUpStage:
    """The set-up of a battle while it lasts.

    Attributes:
        plan: How the sides set up.
        side: The number of the side whose turn it is; None: all sides set up at once.
        open_ids: The ids of the ships that have not been placed, in the order of the file. Until
            a ship is placed, its state has the place that its captain proposes.
    """

    plan: DeploymentPlan
    side: int | None
    open_ids: tuple[str, ...]

    def is_asked(self, side: int) -> bool:
        """Return whether a side places ships now."""
        return self.side is None or self.side == side

    def hides(self, ship: ShipState, side: int) -> bool:
        """Return whether a side does not see a ship because its owner has not placed it."""
        return ship.owner != side and ship.id in self.open_ids

    def ships_of(self, side: int, ships: Sequence[ShipState]) -> list[ShipState]:
        """Return the ships that a side has still to place, in the order of placing."""
        own = [ship for ship in ships if ship.owner == side and ship.id in self.open_ids]
        return sorted(own, key=self.plan.rank)

    def placeable(self, side: int, ships: Sequence[ShipState]) -> list[ShipState]:
        """Return the ships from which a side chooses now, in the order of placing.

        Ship by ship, those of a later classification wait.
        """
        own = self.ships_of(side, ships)
        if self.plan.manner != BY_SHIP or not own:
            return own
        last = own[min(self.plan.step, len(own)) - 1]
        return [ship for ship in own if self.plan.rank(ship) <= self.plan.rank(last)]

    def known_to(self, side: int, ships: Sequence[ShipState]) -> SetUpStage:
        """Return the set-up as a side knows it: without the ships that others have to place."""
        own_ids = [ship.id for ship in self.ships_of(side, ships)]
        return replace(self, open_ids=tuple(id_ for id_ in self.open_ids if id_ in own_ids))

    def without(self, ship_id: str) -> SetUpStage:
        """Return the set-up after a ship has been placed."""
        return replace(self, open_ids=tuple(id_ for id_ in self.open_ids if id_ != ship_id))

    def at_turn_of(self, side: int) -> SetUpStage:
        """Return the set-up at the turn of a side, by its number."""
        return replace(self, side=side)

    def to_json(self) -> dict[str, Any]:
        """Return the set-up as JSON; `set_up_stage_from` is the inverse."""
        plan = self.plan
        return {
            "zones": [[zone_json(zone) for zone in zones] for zones in plan.zones],
            "manner": plan.manner,
            "step": plan.step,
            "order": list(plan.order),
            "side": self.side,
            "open": list(self.open_ids),
        }


def set_up_stage_from(document: Mapping[str, Any]) -> SetUpStage:
    """Return the set-up that `SetUpStage.to_json` wrote."""
    plan = DeploymentPlan(
        tuple(tuple(zone_from(zone) for zone in zones) for zones in document["zones"]),
        manner=document["manner"],
        step=document["step"],
        order=tuple(document["order"]),
        is_table=True,
    )
    return SetUpStage(plan, document["side"], tuple(document["open"]))


def settle_ship(
    ship: ShipState,
    zones: Zones,
    around: Surroundings,
    *,
    wanted: Point,
    taken: Sequence[Point],
    entries: Sequence[Point] = (),
) -> bool:
    """Move a ship to the valid place nearest to a point, with a course and velocity valid there.

    Args:
        zones: The zones of its side.
        taken: The places of ships from which it keeps its distance if it cannot be at the point.
        entries: Where ships of its side drop out of FTL, from which it keeps 6 MU.

    Returns:
        Whether there is such a place; otherwise the ship stays where it is.
    """
    place = nearest_place(wanted, zones, around, taken, entries)
    if place is None:
        return False
    ship.x, ship.y = place
    adapt_movement(ship, parts_at(place, zones, around))
    return True


def entry_places(side_ships: Sequence[ShipState]) -> list[Point]:
    """Return where ships of a side drop out of FTL by their own drives."""
    places = []
    for ship in side_ships:
        if ship.status == INBOUND and not ship.record.by_gate:
            places.append((ship.x, ship.y))
    return places


def adapt_movement(ship: ShipState, parts: Sequence[Zone]) -> None:
    """Give a ship a course and velocity that the parts of a zone allow, if its own are invalid.

    Installations may begin at rest everywhere.
    """
    part = parts[0]
    before = (ship.course, ship.velocity)
    if not any(other.allows_course(ship.course) for other in parts):
        ship.course = part.usual_course
    is_at_rest = ship.sheet.kind == INSTALLATION and not ship.velocity
    if not is_at_rest and not any(other.allows_velocity(ship.velocity) for other in parts):
        ship.velocity = part.usual_velocity(ship.velocity)
    if ship.drift is not None and (ship.course, ship.velocity) != before:
        ship.drift = initial_drift(ship.course, ship.velocity)
