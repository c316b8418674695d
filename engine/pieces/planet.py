"""Planets and suns: collisions, atmospheres, orbits, gravity zones, and blocked lines of fire.

Rules: Continuum "Planets", "Medium scale", "Large scale" 17.7-17.10 [pc.planets]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import pi, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.core.geometry import (
    COURSES,
    NEAR,
    Point,
    along_orbit,
    course_towards,
    dist,
    distance_to_path,
    path_length,
    turn_course,
)
from engine.core.kinds import FIGHTING, INSTALLATION, ON_TABLE
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import SHARED_ORBITS, Terms
from engine.events.damage import ShipDestroyed
from engine.events.event import Audience, Event, LogOrder, Open, ShipRef
from engine.events.orbits import InOrbit, LeftOrbit, OrbitTested
from engine.pieces.atmosphere import enter_atmosphere
from engine.pieces.piece import FREE_FALL, Encounters, Piece, PieceDrawing, Pull, Visibility

if TYPE_CHECKING:
    from engine.notation.reading import Reader

STRENGTHS = (1, 2, 4, 8)  # of its zones, the outermost first; only a sun has the last one
NEIGHBOURS = 0.5176380902050415  # distance of neighbouring points of an orbit, in its radius
BOW_ARC_COSINE = 0.8660254037844387  # of the angle up to which a centre is in arc F or A
ORBIT_SYSTEMS = ("drive", "bridge")  # a hit on these may end an orbit
LARGEST = 60.0  # MU of radius
MAX_SPEED, MAX_PULL = 60, 20  # of an orbit, MU a turn; of gravity on the ground, in g
# A simple planet: its radius, the radius of its orbit, and the velocities for entering that.
SIMPLE_RADIUS, SIMPLE_ORBIT_RADIUS, SIMPLE_SPEEDS = 2.0, 3.0, (6, 8)


@dataclass(slots=True)
class Planet(Piece):
    """A planet or a sun.

    Attributes:
        gravity: The radius of each gravity zone in MU, the outermost first.
        air: Whether it has an atmosphere.
        speeds: The lowest and highest velocity at which ships enter orbit; empty: they cannot.
        points: By how many of the twelve points of its orbit ships move in a turn; 0: as many as
            the velocity covers.
        pulls: Gravity on the ground, in g.
        simple: Whether the rules for simple planets apply: radius 2 MU, orbit 3 MU from its centre.

    Rules: Continuum "Medium scale", "Large scale", 17.8-17.10 [pc.planets]; Continuum 17.11
    [pc.atmosphere]
    """

    kind: ClassVar[str] = "planet"
    word: ClassVar[str] = phrase("planet")
    order: ClassVar[int] = 9
    body: ClassVar[bool] = True
    view_keys: ClassVar[tuple[str, ...]] = ("planets",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    file_kinds: ClassVar[tuple[str, ...]] = ("planet",)
    omitted_defaults: ClassVar[tuple[str, ...]] = ("air", "speeds", "points", "pulls", "simple")

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    gravity: Open[tuple[float, ...]] = ()
    air: Open[bool] = False
    speeds: Open[tuple[int, ...]] = ()
    points: Open[int] = 0
    pulls: Open[int] = 1
    simple: Open[bool] = False

    def __post_init__(self) -> None:
        self.gravity = tuple(self.gravity)
        self.speeds = tuple(self.speeds)

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the planet of a battle file.

        `{"kind": "planet", "at": [36, 24], "radius": 4, "gravity": [9, 7, 5], "atmosphere": 6,
        "orbit": {"velocity": 6, "points": 2}, "g": 1}`, or `{"kind": "planet", "at": [36, 24],
        "simple": true}`.
        """
        if reader.flag(item, "simple", where):
            return cls._simple_from_entry(reader, item, where=where, name=name, at=at)
        reader.keys(
            item, ("kind", "at", "radius", "gravity", "atmosphere", "orbit", "g", "simple"), where
        )
        radius = reader.measure(item, "radius", where, LARGEST)
        zones = _gravity_zones(reader, item, where, radius)
        entry = _positive_number(reader, item=item, key="atmosphere", where=where, most=MAX_SPEED)
        speed, points = _orbit(reader, item, where, entry)
        pulls = _positive_number(reader, item=item, key="g", where=where, most=MAX_PULL) or 1
        return cls(
            name,
            *at,
            radius,
            gravity=zones,
            air=entry > 0,
            speeds=(speed, speed) if speed else (),
            points=points,
            pulls=pulls,
        )

    @classmethod
    def _simple_from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the planet of an entry with `simple`."""
        reader.keys(item, ("kind", "at", "radius", "simple", "orbit"), where)
        if item.get("radius", SIMPLE_RADIUS) != SIMPLE_RADIUS:
            words = reason(
                "simple-planet-radius-mu", "a simple planet has a radius of {:g} MU", SIMPLE_RADIUS
            )
            reader.fault(f"{where}.radius", "simple", words)
        _, points = _orbit(reader, item, where, 0, simple=True)
        return cls(name, *at, SIMPLE_RADIUS, speeds=SIMPLE_SPEEDS, points=points, simple=True)

    def to_entry(self) -> dict[str, Any]:
        """Return its entry in a battle file."""
        entry: dict[str, Any] = {"kind": "planet", "at": [self.x, self.y], "radius": self.radius}
        orbit: dict[str, int] = {}
        if self.simple:
            entry["simple"] = True
        elif self.gravity:
            entry["gravity"] = list(self.gravity)
        if self.air:
            entry["atmosphere"] = self.fastest
        elif self.speeds and not self.simple:
            orbit["velocity"] = self.fastest
        if self.points:
            orbit["points"] = self.points
        if orbit:
            entry["orbit"] = orbit
        if self.pulls != 1:
            entry["g"] = self.pulls
        return entry

    @property
    def fastest(self) -> int:
        """The highest velocity for entering orbit, and the entry velocity; 0 if it has no orbit."""
        return max(self.speeds, default=0)

    @property
    def orbit_radius(self) -> float:
        """The radius of its orbit in MU.

        Rules: Continuum 17.8, 17.10 [pc.planets]
        """
        if self.simple:
            return SIMPLE_ORBIT_RADIUS
        return self.radius

    @property
    def points_per_turn(self) -> int:
        """The points of its orbit by which ships move in a turn."""
        return self.points or max(round(6 * self.fastest / (pi * self.orbit_radius)), 1)

    def at_point(self, point: int) -> Point:
        """Return the place of a clock point on its orbit."""
        ux, uy = COURSES[abs(point)]
        return self.x + ux * self.orbit_radius, self.y + uy * self.orbit_radius

    def meets_orbit(self, path: tuple[Point, ...]) -> bool:
        """Return whether a path meets its orbit.

        Rules: Continuum "Medium scale" 17.8, 17.10 [pc.planets]
        """
        return self._near(path) <= self.orbit_radius + NEAR

    def enters_at(self, path: tuple[Point, ...]) -> int:
        """Return the orbit point nearest to where a path first meets the orbit.

        It is negative for a ship that orbits to port.

        Rules: Continuum "Medium scale" 17.8 [pc.planets]
        """
        for a, b in pairwise((*path[:1], *path)):
            step = dist(a, b)
            if step < NEAR or distance_to_path(self.x, self.y, a, b) > self.orbit_radius + NEAR:
                continue
            ux, uy = (b[0] - a[0]) / step, (b[1] - a[1]) / step
            ahead = (self.x - a[0]) * ux + (self.y - a[1]) * uy
            aside = (self.x - a[0]) * uy - (self.y - a[1]) * ux
            half_chord_squared = self.orbit_radius * self.orbit_radius - aside * aside
            along = max(ahead - sqrt(max(half_chord_squared, 0.0)), 0.0)
            point = course_towards((self.x, self.y), (a[0] + ux * along, a[1] + uy * along), 12)
            if aside >= -NEAR:
                return point
            return -point
        return course_towards((self.x, self.y), path[-1], 12)

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Put a ship into orbit if ordered, or bring it down if it runs into a planet.

        A ship that is too slow or too fast for the orbit also comes down. A ship never meets the
        planet that it orbits.

        Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11
        [pc.atmosphere]
        """
        for planet in table.state.pieces_of(cls):
            if ship.status != FIGHTING or ship.orbits == planet.id:
                continue
            if ship.this_turn.makes_orbit and planet.speeds and planet.meets_orbit(path):
                if planet.can_enter_orbit(ship, path):
                    planet.put_in_orbit(table, ship, planet.enters_at(path))
                    return
                if not planet.simple or planet.is_in_path(path):
                    planet.bring_down(table, ship)
            elif planet.is_in_path(path):
                planet.bring_down(table, ship)

    def can_enter_orbit(self, ship: ShipState, path: tuple[Point, ...]) -> bool:
        """Return whether a ship whose path meets the orbit has the velocity to enter it.

        A path into a simple planet itself never ends in orbit.

        Rules: Continuum "Medium scale" 17.8, 17.10 [pc.planets]
        """
        if self.simple and self.is_in_path(path):
            return False
        slowest, fastest = self.speeds
        return slowest <= ship.velocity <= fastest

    def put_in_orbit(self, table: Table, ship: ShipState, point: int) -> None:
        """Put a ship at a point of its orbit, or at the next free one.

        Rules: Continuum 17.8 [pc.planets]
        """
        point = free_point(table.state, ship, self.id, point)
        if ship.drift is not None:
            course = ship.course
        else:
            course = along_orbit(point)
        if ship.sheet.kind == INSTALLATION:  # it faces away from the planet
            course = abs(point)
        table.carry_out(
            InOrbit(
                table.turn,
                ship=ship.id,
                planet=self.id,
                point=point,
                at=self.at_point(point),
                course=course,
            )
        )

    def bring_down(self, table: Table, ship: ShipState, *, controlled: bool = False) -> None:
        """Bring a ship down: through the atmosphere, or to its destruction.

        Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
        """
        if self.air:
            enter_atmosphere(
                table,
                ship=ship,
                planet=self.id,
                entry_velocity=self.fastest,
                gravity=self.pulls,
                controlled=controlled,
            )
            return
        ship.destroy()
        table.tell(PlanetCollision, ship.id, self.id)
        table.tell(ShipDestroyed, ship.id, f"planet:{self.id}")

    def check_orbit(
        self, table: Table, ship: ShipState, lost: Sequence[str], loses_on: int
    ) -> None:
        """Roll whether a ship in its orbit stays there after a hit on its drive or bridge.

        The odds are those of the threshold check.

        Rules: Continuum "Entering and leaving orbit" 17.8 [pc.planets]
        """
        if ship.orbits != self.id or ship.status not in ON_TABLE:
            return
        if not any(name in lost for name in ORBIT_SYSTEMS):
            return
        die = table.dice.roll("threshold", f"{ship.id}/orbit")
        table.tell(OrbitTested, ship=ship.id, planet=self.id, die=die, needs=loses_on)
        if die >= loses_on:
            table.carry_out(LeftOrbit(table.turn, ship.id, self.id))
            self.bring_down(table, ship)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle of its size, with rings for gravity zones or for an orbit outside it."""
        planet = cls.from_json(document)
        words = join_phrases(
            ", ", (phrase("{} {}", phrase(cls.word), planet.id), *cls.about(planet.to_entry()))
        )
        rings = planet.gravity
        if planet.orbit_radius > planet.radius:
            rings = (*rings, planet.orbit_radius)
        return PieceDrawing((planet.x, planet.y), words, radius=planet.radius, rings=rings)

    @classmethod
    def about(cls, entry: Mapping[str, Any]) -> tuple[str, ...]:
        """Describe its gravity, its velocities for entry and orbit, and its g."""
        words = (
            [phrase("gravity up to {:g} MU", max(entry["gravity"]))] if entry.get("gravity") else []
        )
        if entry.get("atmosphere"):
            words.append(phrase("with air: entry and orbit at {} MU a turn", entry["atmosphere"]))
        elif speed := entry.get("orbit", {}).get("velocity"):
            words.append(phrase("without air: orbit at {} MU a turn", speed))
        if entry.get("simple"):
            words.append(
                phrase(
                    "simple rules: orbit at {} to {} MU a turn",
                    SIMPLE_SPEEDS[0],
                    SIMPLE_SPEEDS[1],
                )
            )
        if entry.get("g", 1) != 1:
            return (*words, phrase("{} g on the ground", entry["g"]))
        return tuple(words)

    def is_in_path(self, path: tuple[Point, ...]) -> bool:
        """Return whether a path hits it.

        With gravity zones, which bend paths, only the end of the path counts.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        if self.gravity:
            return distance_to_path(self.x, self.y, path[-1], path[-1]) < self.radius - NEAR
        return self._near(path) < self.radius - NEAR

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return 1 for a path that runs into it."""
        if self.is_in_path(path):
            return 1.0
        return 0.0

    def blocks(self, a: Point, b: Point) -> bool:
        """Return whether it blocks a line; it does not between neighbouring points of its orbit.

        Rules: Continuum "Planets", "Medium scale" 17.7, 17.8 [pc.planets]
        """
        if distance_to_path(self.x, self.y, a, b) >= self.radius - NEAR:
            return False
        here = self.x, self.y
        in_orbit = self.speeds and all(
            abs(dist(here, end) - self.orbit_radius) <= NEAR for end in (a, b)
        )
        return not (in_orbit and dist(a, b) <= self.orbit_radius * NEIGHBOURS + NEAR)

    def pull(self, path: tuple[Point, ...], heading: Point | None = None) -> Pull | None:
        """Return the pull of the innermost zone that a path meets, where the path enters it.

        A ship that starts in a zone is pulled at once, also at rest. A ship that ends its move in a
        zone is pulled at the start of its next move.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        if not self.gravity:
            return None
        away = dist((self.x, self.y), path[0])
        if away - path_length(path) > max(self.gravity) + NEAR:
            return None  # too far away for the whole move
        legs = [(a, b) for a, b in pairwise(path) if dist(a, b) > NEAR]
        if not legs:
            if heading is not None:
                return self._pull_at_rest(path[0], heading)
            return None
        if self._strength(away):
            return self._pull_at(0.0, *legs[0], self._strength(away))
        nearest = self._near(path)
        if not self._strength(nearest) or self._strength(dist((self.x, self.y), path[-1])):
            return None
        zone = min(radius for radius in self.gravity if nearest < radius - NEAR)
        flown = 0.0
        for a, b in legs:
            entry = self._zone_entry(zone, a, b)
            if entry is not None:
                enters, at = entry
                return self._pull_at(flown + enters, at, b, self._strength(nearest))
            flown += dist(a, b)
        return None

    def _zone_entry(self, zone: float, a: Point, b: Point) -> tuple[float, Point] | None:
        """Return where a leg from `a` to `b` enters a zone of this radius: MU from `a`, and point.

        None if it does not enter the zone.
        """
        step = dist(a, b)
        ux, uy = (b[0] - a[0]) / step, (b[1] - a[1]) / step
        ahead = (self.x - a[0]) * ux + (self.y - a[1]) * uy
        aside = (self.x - a[0]) * uy - (self.y - a[1]) * ux
        if abs(aside) >= zone:
            return None
        enters = max(ahead - sqrt(zone * zone - aside * aside), 0.0)
        if enters <= step and distance_to_path(self.x, self.y, a, b) < zone - NEAR:
            return enters, (a[0] + ux * enters, a[1] + uy * enters)
        return None

    def tell_pull(self, table: Table, ship: ShipState, pull: Pull) -> None:
        """Report that it bent a ship's course."""
        table.tell(
            CourseBentByGravity,
            ship=ship.id,
            planet=self.id,
            turn_by=pull.turn,
            faster=pull.velocity,
        )

    def _pull_at(self, far: float, at: Point, towards: Point, strength: int) -> Pull:
        """Return a zone's pull at a ship that flies towards a point.

        With the planet ahead the ship becomes faster, with it astern slower. On a side it is
        turned, and becomes faster by half the strength.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        away = dist((self.x, self.y), at)
        step = dist(at, towards)
        if away < NEAR or step < NEAR:
            return Pull(far, velocity=strength)
        ux, uy = (towards[0] - at[0]) / step, (towards[1] - at[1]) / step
        ahead = ((self.x - at[0]) * ux + (self.y - at[1]) * uy) / away
        if abs(ahead) >= BOW_ARC_COSINE - NEAR:
            return Pull(far, velocity=strength if ahead > 0 else -strength)
        right = (self.x - at[0]) * uy - (self.y - at[1]) * ux
        return Pull(far, strength if right > 0 else -strength, (strength + 1) // 2)

    def _pull_at_rest(self, at: Point, heading: Point) -> Pull | None:
        """Return a zone's pull at a ship at rest.

        With the planet ahead the ship starts to move, on a side it also turns, astern nothing
        happens. Under vector movement it falls towards the centre.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        away = dist((self.x, self.y), at)
        strength = self._strength(away)
        if not strength or away < NEAR:
            return None
        if heading == FREE_FALL:
            centre = (self.x - at[0]) / away, (self.y - at[1]) / away
            return Pull(0.0, velocity=strength, falls=centre)
        pull = self._pull_at(0.0, at, (at[0] + heading[0], at[1] + heading[1]), strength)
        if pull.velocity > 0:
            return replace(pull, falls=heading)
        return None

    def _strength(self, away: float) -> int:
        """Return the strength of the zone at a distance from the centre, 0 beyond all zones."""
        inside = sum(away < far - NEAR for far in self.gravity)
        if inside:
            return STRENGTHS[inside - 1]
        return 0

    def _near(self, path: tuple[Point, ...]) -> float:
        """Return the smallest distance between a path and its centre."""
        return min(distance_to_path(self.x, self.y, a, b) for a, b in pairwise((*path[:1], *path)))


def simple_planet(name: str, at: Point) -> Planet:
    """Return a simple planet.

    Rules: Continuum 17.10 [pc.planets]
    """
    return Planet(name, *at, SIMPLE_RADIUS, speeds=SIMPLE_SPEEDS, simple=True)


def free_point(state: BattleState, ship: ShipState, planet: str, point: int) -> int:
    """Return an orbit point for a ship.

    It is the given point, or the next one on its way without a ship of another side. Ships that
    have not moved along their orbit yet do not count. With the option for it, and if no point is
    free, ships of different sides share points.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    if SHARED_ORBITS in state.terms.options:
        return point
    occupied = []
    for other in state.ships:
        if _holds_point(other, planet) and other.commander != ship.commander:
            occupied.append(abs(other.record.orbit[planet]))
    direction = 1 if point > 0 else -1
    for steps in range(12):
        next_point = turn_course(abs(point), steps * direction)
        if next_point not in occupied:
            return next_point * direction
    return point


def _holds_point(ship: ShipState, planet: str) -> bool:
    """Return whether a ship has its place in a planet's orbit for this turn."""
    return ship.status == FIGHTING and bool(ship.this_turn.orbit_moved) and ship.orbits == planet


def _gravity_zones(
    reader: Reader, item: Mapping[object, object], where: str, planet_radius: float
) -> tuple[float, ...]:
    """Return the radii of an entry's gravity zones in MU, the outermost first."""
    entries = reader.items(item, "gravity", where, default=())
    radii = []
    for entry in entries:
        if isinstance(entry, (int, float)) and not isinstance(entry, bool):
            radii.append(float(entry))
    are_all_numbers = len(radii) == len(entries)
    are_spaced = all(outer - inner >= 1 for outer, inner in pairwise([*radii, planet_radius]))
    are_small = max([*radii, planet_radius]) <= 2 * LARGEST
    if are_all_numbers and are_spaced and are_small and len(radii) <= len(STRENGTHS):
        return tuple(radii)
    words = reason(
        "give-radii-up-four",
        "give the radii of up to four zones, the outermost first, each 1 MU or more "
        "beyond the next",
    )
    reader.fault(f"{where}.gravity", "gravity", words)
    return ()


def _positive_number(
    reader: Reader, item: Mapping[object, object], key: str, where: str, most: int
) -> int:
    """Return a whole number of an entry, at least 1, or 0 if it is missing."""
    if key not in item:
        return 0
    value = item[key]
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value
    reader.fault(
        f"{where}.{key}",
        key,
        reason("whole-number-1-needed", "expected a whole number from 1 to {}", most),
    )
    return 0


def _orbit(
    reader: Reader, item: Mapping[object, object], where: str, entry: int, *, simple: bool = False
) -> tuple[int, int]:
    """Return the velocity of an entry's orbit and its points a turn.

    With an atmosphere the velocity is the entry velocity.
    """
    orbit = item.get("orbit", {})
    if not isinstance(orbit, Mapping):
        reader.fault(
            f"{where}.orbit",
            "orbit",
            reason(
                "orbit-mapping-velocity-points",
                "an orbit must be an object with its velocity and its points a turn",
            ),
        )
        return entry, 0
    spot = f"{where}.orbit"
    reader.keys(orbit, ("points",) if simple or entry else ("velocity", "points"), spot)
    speed = entry or _positive_number(
        reader, item=orbit, key="velocity", where=spot, most=MAX_SPEED
    )
    if "orbit" in item and not (simple or speed):
        reader.fault(
            f"{spot}.velocity",
            "missing",
            reason("velocity-orbit-needed", "expected the velocity of the orbit"),
        )
    return speed, _positive_number(reader, item=orbit, key="points", where=spot, most=11)


@dataclass(frozen=True, slots=True)
class CourseBentByGravity(Event):
    """Gravity bent a ship's course: points of turn to starboard, and added MU a turn."""

    kind: ClassVar[str] = "course-bent-by-gravity"
    text: ClassVar[str] = phrase("Gravity bends {ship}'s course")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    planet: Open[str]
    turn_by: Open[int]
    faster: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).bend_course(self.turn_by, self.faster)


@dataclass(frozen=True, slots=True)
class PlanetCollision(Event):
    """A ship ran into a planet; its destruction follows."""

    kind: ClassVar[str] = "ran-into-planet"
    text: ClassVar[str] = phrase("{ship} runs into a planet")
    plural_text: ClassVar[str] = phrase("{ship} run into a planet")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    planet: Open[str]
