"""How the sides of a battle set up, and what they have still to place before the first turn.

Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core.geometry import Point, initial_drift
from engine.core.kinds import INBOUND, INSTALLATION
from engine.core.ship import ShipState
from engine.core.zones import (
    DEEP,
    Surroundings,
    Zone,
    nearest_place,
    parts_at,
    zone_from,
    zone_json,
)

SEALED, BY_SIDE, BY_SHIP = "sealed", "by-side", "by-ship"
MANNERS = (SEALED, BY_SIDE, BY_SHIP)

EASTWARD = (2, 3, 4)  # courses mainly along +x
NORTHWARD = (11, 12, 1)  # courses mainly along +y
ALONG_X = (*EASTWARD, 8, 9, 10)

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
class OpenBody:
    """A body that a side places before anybody places ships.

    Attributes:
        id: The id of an asteroid, of other terrain, or of an installation.
        by: The number of the side that places it; None: the sides place such bodies in turn.
        apart: The least distance from other bodies, in MU; of asteroids from other asteroids.
        edges: The least distance from the edges of the table, in MU.
        radius: In MU.
        is_asteroid: Whether it is one of a field of asteroids.
    """

    id: str
    by: int | None
    apart: float = 0.0
    edges: float = 0.0
    radius: float = 0.0
    is_asteroid: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON; `open_body_from` is the inverse."""
        return {
            "id": self.id,
            "by": self.by,
            "apart": self.apart,
            "edges": self.edges,
            "radius": self.radius,
            "asteroid": self.is_asteroid,
        }


def open_body_from(document: Mapping[str, Any]) -> OpenBody:
    """Return the body that `OpenBody.to_json` wrote."""
    return OpenBody(
        document["id"],
        document["by"],
        apart=document["apart"],
        edges=document["edges"],
        radius=document["radius"],
        is_asteroid=document["asteroid"],
    )


@dataclass(frozen=True, slots=True)
class SetUpStage:
    """The set-up of a battle while it lasts.

    Attributes:
        plan: How the sides set up.
        side: The number of the side whose turn it is; None: all sides set up at once.
        open_ids: The ids of the ships that have not been placed, in the order of the file. Until
            a ship is placed, its state has the place that its captain proposes.
        open_gates: The gates out of which a ship may come, for ships with a list of them.
        bodies: The bodies that have not been placed; until all are, no ships are placed.
    """

    plan: DeploymentPlan
    side: int | None
    open_ids: tuple[str, ...]
    open_gates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bodies: tuple[OpenBody, ...] = ()

    def is_asked(self, side: int) -> bool:
        """Return whether a side places ships now."""
        return self.side is None or self.side == side

    def hides(self, ship: ShipState, side: int) -> bool:
        """Return whether a side does not see a ship because its owner has not placed it."""
        is_open = ship.id in self.open_ids or ship.id in self.body_ids
        return ship.owner != side and is_open

    @property
    def body_ids(self) -> tuple[str, ...]:
        """Return the ids of the bodies that have not been placed."""
        return tuple(body.id for body in self.bodies)

    def bodies_due(self, side: int) -> list[OpenBody]:
        """Return the bodies from which a side chooses now.

        Of those that the sides place in turn it is one at a time, and these come first.
        """
        if not self.is_asked(side):
            return []
        shared = [body for body in self.bodies if body.by is None]
        return shared or [body for body in self.bodies if body.by == side]

    def most_bodies(self, side: int) -> int:
        """Return how many bodies a side places now."""
        due = self.bodies_due(side)
        return min(len(due), 1) if any(body.by is None for body in due) else len(due)

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
        return replace(
            self,
            open_ids=tuple(id_ for id_ in self.open_ids if id_ in own_ids),
            open_gates={id_: names for id_, names in self.open_gates.items() if id_ in own_ids},
            bodies=tuple(body for body in self.bodies if body.by in (None, side)),
        )

    def without(self, ship_id: str) -> SetUpStage:
        """Return the set-up after a ship has been placed."""
        return replace(self, open_ids=tuple(id_ for id_ in self.open_ids if id_ != ship_id))

    def without_body(self, body_id: str) -> SetUpStage:
        """Return the set-up after a body has been placed."""
        return replace(self, bodies=tuple(body for body in self.bodies if body.id != body_id))

    def with_ships_next(
        self, table: tuple[float, float], centres: Mapping[str, Point]
    ) -> SetUpStage:
        """Return the set-up after all bodies have been placed: ships come next.

        Args:
            centres: The places of ships and bodies by id, for zones that depend on them.
        """
        zones = []
        for side_zones in self.plan.zones:
            zones.append(tuple(zone.settled(table, centres) for zone in side_zones))
        side = None if self.plan.manner == SEALED else self.plan.first
        return replace(self, plan=replace(self.plan, zones=tuple(zones)), side=side)

    def at_turn_of(self, side: int) -> SetUpStage:
        """Return the set-up at the turn of a side, by its number."""
        return replace(self, side=side)

    def to_json(self) -> dict[str, Any]:
        """Return the set-up as JSON; `set_up_stage_from` is the inverse."""
        plan = self.plan
        document: dict[str, Any] = {
            "zones": [[zone_json(zone) for zone in zones] for zones in plan.zones],
            "manner": plan.manner,
            "step": plan.step,
            "order": list(plan.order),
            "side": self.side,
            "open": list(self.open_ids),
        }
        if self.open_gates:
            document["gates"] = {id_: list(names) for id_, names in self.open_gates.items()}
        if self.bodies:
            document["bodies"] = [body.to_json() for body in self.bodies]
            document["first"] = plan.first
        return document


def set_up_stage_from(document: Mapping[str, Any]) -> SetUpStage:
    """Return the set-up that `SetUpStage.to_json` wrote."""
    plan = DeploymentPlan(
        tuple(tuple(zone_from(zone) for zone in zones) for zones in document["zones"]),
        manner=document["manner"],
        first=document.get("first"),
        step=document["step"],
        order=tuple(document["order"]),
        is_table=True,
    )
    gates = document.get("gates", {})
    return SetUpStage(
        plan,
        document["side"],
        tuple(document["open"]),
        open_gates={id_: tuple(names) for id_, names in gates.items()},
        bodies=tuple(open_body_from(body) for body in document.get("bodies", ())),
    )


def line_places(zone: Zone, count: int) -> list[Point]:
    """Return places for ships in a line across their course, 3 MU from the edge behind them."""
    box = zone.box
    if zone.ahead in ALONG_X:
        depth = min(DEEP, box.right - box.left) / 2
        x = box.left + depth if zone.ahead in EASTWARD else box.right - depth
        length = box.top - box.bottom
        return [(x, box.bottom + length * (n + 1) / (count + 1)) for n in range(count)]
    depth = min(DEEP, box.top - box.bottom) / 2
    y = box.bottom + depth if zone.ahead in NORTHWARD else box.top - depth
    length = box.right - box.left
    return [(box.left + length * (n + 1) / (count + 1), y) for n in range(count)]


def line_up_open_ships(
    stage: SetUpStage,
    ships: Sequence[ShipState],
    table: tuple[float, float],
    centres: Mapping[str, Point],
) -> None:
    """Propose new places for the ships whose zones depend on a body that was just placed.

    Args:
        centres: The places of ships and bodies by id.
    """
    for side, zones in enumerate(stage.plan.zones):
        if not zones or not (zones[0].near in centres or zones[0].far_from in centres):
            continue
        zone = zones[0].around(table, centres)
        own = [ship for ship in ships if ship.owner == side and ship.id in stage.open_ids]
        for ship, place in zip(own, line_places(zone, len(own)), strict=True):
            ship.x, ship.y = place
            ship.course = zone.usual_course
            if ship.drift is not None:
                ship.drift = initial_drift(ship.course, ship.velocity)


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
