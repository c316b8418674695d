"""The zones in which the sides of a battle of a war set up, by the situation of the battle.

Wars by rules older than version 1.1 have none. Every side begins at the edge of the table that
`campaign.rules.starting_positions` gives it.

Rules: Continuum "Deployment" 18.1 [pc.deployment]; 2E "When fleets meet" [camp.meeting], "The stand
off" [camp.stand-off-set-up]; Continuum "Hyper limit" 11.2 [pc.ftl-entry]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, Literal, cast

from campaign.rules.codec import plain_number
from campaign.rules.ground_targets import planets_of
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.starting_positions import EDGES
from campaign.rules.world import Engagement
from engine.core.deployment import BY_SIDE
from engine.core.geometry import Point
from engine.core.kinds import Edge
from engine.core.terms import NO_FTL
from engine.core.zones import (
    DEEP,
    MAX_VELOCITY,
    Box,
    Surroundings,
    Zone,
    is_in_body,
    nearest_place,
)
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.notation.deployments import read_deployment
from engine.notation.reading import Reader
from engine.notation.terms import laid_asteroids
from engine.notation.terrain import read_terrain

Situation = Literal["meeting", "occupant", "stand-off", "contested", "caught"]
MEETING: Final = "meeting"
OCCUPANT: Final = "occupant"
STAND_OFF: Final = "stand-off"
CONTESTED: Final = "contested"
CAUGHT: Final = "caught"
# Keys of ships whose place does not depend on their side: stations, their sections, docked ships
STATIONARY = frozenset(("fixed", "section", "docked"))
CAUGHT_VELOCITY = 12  # MU a turn, the most of a side that was caught while it withdrew

FACING = {Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}

ZoneEntry = dict[str, Any]  # a zone as battle files write it


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """How the sides of a battle came to fight.

    Attributes:
        inner: The number of the side that has the better place: the occupant, the side in the inner
            system, or the one that was caught; None: no side.
        arrived: The numbers of the sides that came this week and so may hold ships back in FTL.
    """

    kind: Situation
    inner: int | None
    arrived: frozenset[int]


def situation_of(engagement: Engagement, occupant: int | None) -> BattleSituation:
    """Return the situation of a battle.

    Args:
        occupant: The number of the side that held the system before; None if none did.
    """
    sides = engagement.sides
    for number, side in enumerate(sides):
        if all(faction in engagement.caught for faction in side):
            return BattleSituation(CAUGHT, number, frozenset())
    arrived = _newcomers(engagement, occupant)
    states = {contact.state for contact in engagement.contacts}
    if len(sides) == 2 and CONTESTED in states:
        return BattleSituation(CONTESTED, None, frozenset())
    if len(sides) == 2 and STAND_OFF in states:
        return BattleSituation(STAND_OFF, _inner_side(engagement, occupant), frozenset())
    if occupant is not None:
        return BattleSituation(OCCUPANT, occupant, arrived)
    return BattleSituation(MEETING, None, arrived)


def _newcomers(engagement: Engagement, occupant: int | None) -> frozenset[int]:
    """Return the numbers of the sides that came this week: not in contact there before."""
    factions_in_contact = set()
    for contact in engagement.contacts:
        factions_in_contact |= {contact.a, contact.b}
    newcomers = set()
    for number, side in enumerate(engagement.sides):
        if number != occupant and factions_in_contact.isdisjoint(side):
            newcomers.add(number)
    return frozenset(newcomers)


def _inner_side(engagement: Engagement, occupant: int | None) -> int | None:
    """Return the side in the inner system in a stand-off; without one, the occupant."""
    for contact in engagement.contacts:
        for number, side in enumerate(engagement.sides):
            if contact.inner in side:
                return number
    return occupant


def has_ftl(scenario: Scenario, system: StarSystem) -> bool:
    """Return whether ships can enter and leave FTL in battles at a system."""
    return not system.hyper_limit and NO_FTL not in scenario.options


def add_deployment(
    scenario: Scenario,
    system: StarSystem,
    situation: BattleSituation,
    file: BattleFileDocument,
    edge_order: Sequence[int],
) -> None:
    """Add the zones of all sides to a battle file, and move ships that were caught into theirs.

    The zones include all ships in their places, which are the proposal of the captains.

    Args:
        file: With its sides, whose ships have their places, and its terrain.
        edge_order: The numbers of the sides in the order in which they take the table's edges.
    """
    width, height = file["table"]
    names = [side["name"] for side in file["sides"]]
    zones: dict[str, list[ZoneEntry]] = {}
    for number, side in enumerate(file["sides"]):
        side_zones = _zones_of(
            situation,
            number,
            (width, height),
            edge=EDGES[edge_order.index(number) % len(EDGES)][0],
            side_count=len(names),
            ships=side["ships"],
        )
        for zone in side_zones:
            _add_limits(scenario, system, situation, number, zone)
        zones[side["name"]] = side_zones
        for ship in side["ships"]:
            _limit_velocity(ship, side_zones[0])
    deployment: dict[str, Any] = {"zones": zones}
    is_settled = situation.kind == OCCUPANT and system.settled
    if scenario.set_up.manner == BY_SIDE and is_settled and situation.inner is not None:
        deployment["manner"] = BY_SIDE
        deployment["first"] = names[situation.inner]
    file["deployment"] = deployment
    if "asteroids" in file:
        _move_off_asteroids(file)
    if situation.kind == CAUGHT and situation.inner is not None:
        side = file["sides"][situation.inner]
        _move_to_middle(file, side, zones[side["name"]][0]["box"])
    if not has_ftl(scenario, system) and NO_FTL not in file["options"]:
        file["options"] = [*file["options"], NO_FTL]


def _limit_velocity(ship: ShipEntry, zone: ZoneEntry) -> None:
    """Draw the velocity of a ship into the limits of its zone; installations stay at rest."""
    least, most = zone.get("velocity", (0, MAX_VELOCITY))
    if ship["velocity"]:
        ship["velocity"] = min(max(ship["velocity"], least), most)


def _zones_of(
    situation: BattleSituation,
    number: int,
    table: tuple[float, float],
    *,
    edge: str,
    side_count: int,
    ships: Sequence[ShipEntry],
) -> list[ZoneEntry]:
    """Return the parts of a side's zone, without their further limits."""
    width, height = table
    is_inner = number == situation.inner
    own_edge: ZoneEntry = {"edge": str(edge), "deep": _depth(edge, table, ships)}
    if situation.kind == CAUGHT:
        if is_inner:
            box = [plain_number(width / 3), 0, plain_number(2 * width / 3), plain_number(height)]
            return [{"box": box, "velocity": [0, CAUGHT_VELOCITY]}]
        facing = FACING.get(Edge(edge))
        if facing is None:
            return [own_edge]
        return [own_edge, {**own_edge, "edge": str(facing)}]
    if is_inner:
        share = 2 if side_count == 2 else 3
        return [{"edge": str(edge), "deep": plain_number(width / share)}]
    if situation.kind == STAND_OFF and situation.inner is not None:
        third = plain_number(width / 3)
        deep = plain_number(DEEP)
        return [
            own_edge,
            {"box": [0, 0, third, deep]},
            {"box": [0, plain_number(height - DEEP), third, plain_number(height)]},
        ]
    return [own_edge]


def _depth(edge: str, table: tuple[float, float], ships: Sequence[ShipEntry]) -> float:
    """Return the depth of the zone along an edge: 6 MU, or more for ships in many ranks."""
    width, height = table
    deepest = DEEP
    for ship in ships:
        x, y = ship["at"]
        from_edge = {
            Edge.LEFT: x,
            Edge.RIGHT: width - x,
            Edge.BOTTOM: y,
            Edge.TOP: height - y,
        }
        deepest = max(deepest, from_edge[Edge(edge)])
    return plain_number(ceil(deepest))


def _add_limits(
    scenario: Scenario,
    system: StarSystem,
    situation: BattleSituation,
    number: int,
    zone: ZoneEntry,
) -> None:
    """Add to a part of a side's zone its velocities, and whether ships may wait in FTL or orbit."""
    least, most = scenario.set_up.velocity
    _, zone_most = zone.get("velocity", (0, MAX_VELOCITY))
    velocity = [min(least, zone_most), min(most, zone_most)]
    if velocity != [0, MAX_VELOCITY]:
        zone["velocity"] = velocity
    if number in situation.arrived and scenario.set_up.ftl and has_ftl(scenario, system):
        zone["ftl"] = True
    if planets_of(system.terrain):
        zone["orbit"] = number == situation.inner and situation.kind == OCCUPANT


def _move_to_middle(file: BattleFileDocument, side: SideEntry, box: Sequence[float]) -> None:
    """Move the ships of a side in formation to the middle of the table, beside any terrain.

    Stations and the ships docked at them stay where they are.

    Args:
        box: The rectangle in which they begin: left, bottom, right and top.
    """
    width, height = file["table"]
    left, bottom, right, top = box
    zone = Zone(Box(left, right, bottom, top), 3)
    ships = [ship for ship in side["ships"] if not STATIONARY & ship.keys()]
    if not ships:
        return
    columns = [ship["at"][0] for ship in ships]
    shift = width / 2 - (min(columns) + max(columns)) / 2
    around = Surroundings((width, height), {}, _bodies(file), ())
    taken: list[Point] = []
    for ship in side["ships"]:
        if STATIONARY & ship.keys():
            taken.append((ship["at"][0], ship["at"][1]))
    for ship in ships:
        x, y = ship["at"]
        place = nearest_place((x + shift, y), [zone], around, taken)
        if place is not None:
            ship["at"] = list(place)
        taken.append((ship["at"][0], ship["at"][1]))


def _bodies(file: BattleFileDocument) -> list[tuple[Point, float]]:
    """Return the centre and radius of each body among the terrain of a battle file."""
    width, height = file["table"]
    pieces = read_terrain(
        Reader(),
        {"terrain": file.get("terrain", [])},
        edition=file["edition"],
        options=(),
        table=(width, height),
    )
    bodies = [((piece.x, piece.y), piece.size) for piece in pieces if piece.body]
    return bodies + _asteroids(file)


def _asteroids(file: BattleFileDocument) -> list[tuple[Point, float]]:
    """Return the centre and radius of each asteroid of a battle file."""
    result = []
    for rock in laid_asteroids(file):
        x, y = rock["at"]
        result.append(((x, y), rock.get("radius", 1.0)))
    return result


def _move_off_asteroids(file: BattleFileDocument) -> None:
    """Move the ships that would begin inside an asteroid to the nearest free place, in place."""
    width, height = file["table"]
    rocks = _asteroids(file)
    plan = read_deployment(Reader(), cast(dict[Any, Any], file), (width, height))
    around = Surroundings((width, height), {}, _bodies(file), ())
    for side, zones in zip(file["sides"], plan.zones if plan else (), strict=False):
        occupied = [(ship["at"][0], ship["at"][1]) for ship in side["ships"]]
        for ship in side["ships"]:
            at = (ship["at"][0], ship["at"][1])
            if STATIONARY & ship.keys() or not is_in_body(at, rocks):
                continue
            place = nearest_place(at, zones, around, occupied)
            if place is not None:
                ship["at"] = list(place)
                occupied.append(place)
