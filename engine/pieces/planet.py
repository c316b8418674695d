"""Planets and suns: ships that run into one are lost or fly into its air, others circle it; nobody
fires through one, and its zones of gravity bend ways.

Rules: Continuum "Planets", "Medium scale", "Large scale" 17.7-17.10 [pc.planets]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap
from math import cos, dist, pi, radians, sin, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.core.geometry import (
    COURSES,
    NEAR,
    Point,
    along_orbit,
    course_towards,
    distance_to_path,
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

STRENGTHS = (1, 2, 4, 8)  # of its zones from the outermost on; only a sun has the last one
NEIGHBOURS = 2 * sin(
    radians(15)
)  # how far neighbouring points of an orbit are apart, in its radius
FORE = cos(radians(30))  # of the angle up to which a centre is in the arc F, or A
SHAKES = ("drive", "bridge")  # what may end an orbit when it is hit
LARGEST = 60.0  # MU of radius
MOST_SPEED, MOST_PULL = 60, 20  # of an orbit, MU a turn; of gravity on the ground
# A planet of the simple kind: its radius, that of its orbit, and the velocities at which ships make
# that.
SIMPLE_RADIUS, SIMPLE_TRACK, SIMPLE_SPEEDS = 2.0, 3.0, (6, 8)


@dataclass(slots=True)
class Planet(Piece):
    """A planet or a sun; `gravity`: how far each of its zones reaches from its centre, the
    outermost first.

    `air`: it has an atmosphere. `speeds`: the least and the greatest velocity at which ships go
    into orbit; none: they cannot. `points`: how many of the twelve points of its orbit they go on
    by in a turn, 0: as many as that velocity covers. `pulls`: gravity on the ground, in that of
    Earth. `simple`: its orbit is 3 MU from its centre, its rim 2.
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
        self.gravity, self.speeds = tuple(self.gravity), tuple(self.speeds)

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """A planet of a battle file: `{"kind": "planet", "at": [36, 24], "radius": 4, "gravity":
        [9, 7, 5], "atmosphere": 6, "orbit": {"velocity": 6, "points": 2}, "g": 1}`, or `{"kind":
        "planet", "at": [36, 24], "simple": true}`.
        """
        if reader.flag(item, "simple", where):
            reader.keys(item, ("kind", "at", "radius", "simple", "orbit"), where)
            if item.get("radius", SIMPLE_RADIUS) != SIMPLE_RADIUS:
                reader.fault(
                    f"{where}.radius",
                    "simple",
                    reason(
                        "simple-planet-radius-mu",
                        "a simple planet has a radius of {:g} MU",
                        SIMPLE_RADIUS,
                    ),
                )
            _, points = _orbit(reader, item, where, 0, simple=True)
            return cls(name, *at, SIMPLE_RADIUS, (), False, SIMPLE_SPEEDS, points, 1, True)
        reader.keys(
            item, ("kind", "at", "radius", "gravity", "atmosphere", "orbit", "g", "simple"), where
        )
        radius = reader.measure(item, "radius", where, LARGEST)
        zone_entries = reader.items(item, "gravity", where, default=())
        zones = [
            float(far)
            for far in zone_entries
            if isinstance(far, (int, float)) and not isinstance(far, bool)
        ]
        steps = [*zones, radius]
        is_spaced = all(outer - inner >= 1 for outer, inner in pairwise(steps))
        if (
            len(zones) < len(zone_entries)
            or len(zones) > len(STRENGTHS)
            or not is_spaced
            or max(steps) > 2 * LARGEST
        ):
            words = reason(
                "give-radii-up-four",
                "give the radii of up to four zones, the outermost first, each 1 MU or more beyond the next",
            )
            reader.fault(f"{where}.gravity", "gravity", words)
            zones = []
        entry = _positive_number(reader, item, "atmosphere", where, MOST_SPEED)
        speed, points = _orbit(reader, item, where, entry)
        pulls = _positive_number(reader, item, "g", where, MOST_PULL) or 1
        return cls(
            name,
            *at,
            radius,
            tuple(zones),
            entry > 0,
            (speed, speed) if speed else (),
            points,
            pulls,
        )

    def to_entry(self) -> dict[str, Any]:
        """The entry of a battle file that it is."""
        entry: dict[str, Any] = {"kind": "planet", "at": [self.x, self.y], "radius": self.radius}
        points = {"points": self.points} if self.points else {}
        if self.simple:
            return entry | {"simple": True} | ({"orbit": points} if points else {})
        entry |= {"gravity": list(self.gravity)} if self.gravity else {}
        entry |= {"atmosphere": self.fastest} if self.air else {}
        orbit = ({"velocity": self.fastest} if self.speeds and not self.air else {}) | points
        return (
            entry
            | ({"orbit": orbit} if orbit else {})
            | ({"g": self.pulls} if self.pulls != 1 else {})
        )

    @property
    def fastest(self) -> int:
        """The velocity beyond which nobody goes into orbit, and that of an entry; 0 where nobody
        does at all.
        """
        return max(self.speeds, default=0)

    @property
    def track(self) -> float:
        """The radius of its orbit in MU. Rules: Continuum 17.8, 17.10 [pc.planets]"""
        return SIMPLE_TRACK if self.simple else self.radius

    @property
    def points_per_turn(self) -> int:
        """The points of its orbit by which ships go on in a turn."""
        return self.points or max(round(6 * self.fastest / (pi * self.track)), 1)

    def at_point(self, point: int) -> Point:
        """Where a point of the clock on its orbit is."""
        ux, uy = COURSES[abs(point)]
        return self.x + ux * self.track, self.y + uy * self.track

    def meets_track(self, path: tuple[Point, ...]) -> bool:
        """Whether a path meets the track of its orbit.

        Rules: Continuum "Medium scale" 17.8, 17.10 [pc.planets]
        """
        return self._near(path) <= self.track + NEAR

    def enters_at(self, path: tuple[Point, ...]) -> int:
        """The point of its orbit that is nearest to where a path first meets the track; negative
        for who goes round to port. Rules: Continuum "Medium scale" 17.8 [pc.planets]
        """
        for a, b in pairwise((*path[:1], *path)):
            step = dist(a, b)
            if step < NEAR or distance_to_path(self.x, self.y, a, b) > self.track + NEAR:
                continue
            ux, uy = (b[0] - a[0]) / step, (b[1] - a[1]) / step
            ahead, aside = (
                (self.x - a[0]) * ux + (self.y - a[1]) * uy,
                (self.x - a[0]) * uy - (self.y - a[1]) * ux,
            )
            along = max(ahead - sqrt(max(self.track**2 - aside**2, 0.0)), 0.0)
            point = course_towards((self.x, self.y), (a[0] + ux * along, a[1] + uy * along), 12)
            return point if aside >= -NEAR else -point
        return course_towards((self.x, self.y), path[-1], 12)

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """A ship that runs into a planet is lost, or flies into its atmosphere; who means to go
        into orbit, and is neither too slow nor too fast, is in it. Who circles a planet never meets
        it.

        Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11
        [pc.atmosphere]
        """
        for planet in table.state.pieces_of(cls):
            if ship.status != FIGHTING or ship.orbits == planet.id:
                continue
            if ship.this_turn.makes_orbit and planet.speeds and planet.meets_track(path):
                slowest, fastest = planet.speeds
                if slowest <= ship.velocity <= fastest and not (
                    planet.simple and planet.is_in_path(path)
                ):
                    planet.put_in_orbit(table, ship, planet.enters_at(path))
                    return
                if not planet.simple or planet.is_in_path(path):
                    planet.bring_down(table, ship)
            elif planet.is_in_path(path):
                planet.bring_down(table, ship)

    def put_in_orbit(self, table: Table, ship: ShipState, point: int) -> None:
        """A ship comes to a point of its orbit, or the next that is free.

        Rules: Continuum 17.8 [pc.planets]
        """
        point = free_point(table.state, ship, self.id, point)
        course = ship.course if ship.drift is not None else along_orbit(point)
        if ship.sheet.kind == INSTALLATION:  # it faces away
            course = abs(point)
        table.carry_out(InOrbit(table.turn, ship.id, self.id, point, self.at_point(point), course))

    def bring_down(self, table: Table, ship: ShipState, *, controlled: bool = False) -> None:
        """A ship comes down on it: through its atmosphere, or to its end.

        Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
        """
        if self.air:
            enter_atmosphere(table, ship, self.id, self.fastest, self.pulls, controlled=controlled)
            return
        ship.destroy()
        table.tell(PlanetCollision, ship.id, self.id)
        table.tell(ShipDestroyed, ship.id, f"planet:{self.id}")

    def check_orbit(
        self, table: Table, ship: ShipState, lost: Sequence[str], loses_on: int
    ) -> None:
        """A ship in its orbit whose drive or bridge was hit is tested by another die of the same
        odds: else it falls.

        Rules: Continuum "Entering and leaving orbit" 17.8 [pc.planets]
        """
        if (
            ship.orbits != self.id
            or ship.status not in ON_TABLE
            or not any(name in lost for name in SHAKES)
        ):
            return
        die = table.dice.roll("threshold", f"{ship.id}/orbit")
        table.tell(OrbitTested, ship.id, self.id, die, loses_on)
        if die >= loses_on:
            table.carry_out(LeftOrbit(table.turn, ship.id, self.id))
            self.bring_down(table, ship)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """A circle as wide as it is, in rings for the zones of its gravity, or for the track of an
        orbit beyond it.
        """
        planet = cls.from_json(document)
        words = join_phrases(
            ", ", (phrase("{} {}", phrase(cls.word), planet.id), *cls.about(planet.to_entry()))
        )
        rings = (*planet.gravity, *((planet.track,) if planet.track > planet.radius else ()))
        return PieceDrawing((planet.x, planet.y), words, radius=planet.radius, rings=rings)

    @classmethod
    def about(cls, entry: Mapping[str, Any]) -> tuple[str, ...]:
        """What else its entry says: gravity up to 9 MU; with air: entry and orbit at 6 MU a
        turn.
        """
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
                    "of the simple kind: orbit at {} to {} MU a turn",
                    SIMPLE_SPEEDS[0],
                    SIMPLE_SPEEDS[1],
                )
            )
        return (
            (*words, phrase("{} g on the ground", entry["g"]))
            if entry.get("g", 1) != 1
            else tuple(words)
        )

    def is_in_path(self, path: tuple[Point, ...]) -> bool:
        """Whether a path ends at it: it crosses the planet, or, where zones lead ships round, its
        end is in it.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        if self.gravity:
            return distance_to_path(self.x, self.y, path[-1], path[-1]) < self.radius - NEAR
        return self._near(path) < self.radius - NEAR

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Certain, for who runs into it."""
        return 1.0 if self.is_in_path(path) else 0.0

    def blocks(self, a: Point, b: Point) -> bool:
        """It lies across a line that comes nearer than its rim, but not between neighbours in its
        orbit.

        Rules: Continuum "Planets", "Medium scale" 17.7, 17.8 [pc.planets]
        """
        if distance_to_path(self.x, self.y, a, b) >= self.radius - NEAR:
            return False
        here = self.x, self.y
        in_orbit = self.speeds and all(abs(dist(here, end) - self.track) <= NEAR for end in (a, b))
        return not (in_orbit and dist(a, b) <= self.track * NEIGHBOURS + NEAR)

    def pull(self, path: tuple[Point, ...], heading: Point | None = None) -> Pull | None:
        """The pull of the innermost zone that a path meets, where it enters it; of who begins in a
        zone, at once, and so of a ship at rest there.

        Who ends a move in a zone feels it at the start of the next. Rules: Continuum "Large scale"
        17.9 [pc.planets]
        """
        if not self.gravity:
            return None
        away = dist((self.x, self.y), path[0])
        if away - sum(starmap(dist, pairwise(path))) > max(self.gravity) + NEAR:
            return None  # too far off for all of the way
        legs = [(a, b) for a, b in pairwise(path) if dist(a, b) > NEAR]
        if not legs:
            return self._pull_at_rest(path[0], heading) if heading is not None else None
        if self._strength(away):
            return self._pull_at(0.0, *legs[0], self._strength(away))
        nearest = self._near(path)
        if not self._strength(nearest) or self._strength(dist((self.x, self.y), path[-1])):
            return None
        zone = min(far for far in self.gravity if nearest < far - NEAR)
        gone = 0.0
        for a, b in legs:
            step = dist(a, b)
            ux, uy = (b[0] - a[0]) / step, (b[1] - a[1]) / step
            ahead, aside = (
                (self.x - a[0]) * ux + (self.y - a[1]) * uy,
                (self.x - a[0]) * uy - (self.y - a[1]) * ux,
            )
            if abs(aside) < zone:
                enters = max(ahead - sqrt(zone * zone - aside * aside), 0.0)
                if enters <= step and distance_to_path(self.x, self.y, a, b) < zone - NEAR:
                    at = a[0] + ux * enters, a[1] + uy * enters
                    return self._pull_at(gone + enters, at, b, self._strength(nearest))
            gone += step
        return None

    def tell_pull(self, table: Table, ship: ShipState, pull: Pull) -> None:
        """Tell of a way that it bent."""
        table.tell(CourseBentByGravity, ship.id, self.id, pull.turn, pull.velocity)

    def _pull_at(self, far: float, at: Point, towards: Point, strength: int) -> Pull:
        """What a zone does to a ship there that flies on towards a point: ahead it makes it faster,
        behind slower; on a side it turns it, and adds half its strength.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        away, step = dist((self.x, self.y), at), dist(at, towards)
        if away < NEAR or step < NEAR:
            return Pull(far, velocity=strength)
        ux, uy = (towards[0] - at[0]) / step, (towards[1] - at[1]) / step
        ahead = ((self.x - at[0]) * ux + (self.y - at[1]) * uy) / away
        if abs(ahead) >= FORE - NEAR:
            return Pull(far, velocity=strength if ahead > 0 else -strength)
        right = (self.x - at[0]) * uy - (self.y - at[1]) * ux
        return Pull(far, strength if right > 0 else -strength, (strength + 1) // 2)

    def _pull_at_rest(self, at: Point, heading: Point) -> Pull | None:
        """What a zone does to a ship at rest there: ahead it sets it moving, on a side it turns it
        as well; behind it cannot make it slower. By vectors the ship falls towards the centre.

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
        return replace(pull, falls=heading) if pull.velocity > 0 else None

    def _strength(self, away: float) -> int:
        """The strength of the zone so far from the centre, 0 beyond them."""
        inside = sum(away < far - NEAR for far in self.gravity)
        return STRENGTHS[inside - 1] if inside else 0

    def _near(self, path: tuple[Point, ...]) -> float:
        """How near to its centre a path comes."""
        return min(distance_to_path(self.x, self.y, a, b) for a, b in pairwise((*path[:1], *path)))


def simple_planet(name: str, at: Point) -> Planet:
    """A planet of the simple kind. Rules: Continuum 17.10 [pc.planets]"""
    return Planet(name, *at, SIMPLE_RADIUS, speeds=SIMPLE_SPEEDS, simple=True)


def free_point(state: BattleState, ship: ShipState, planet: str, point: int) -> int:
    """A point of an orbit for a ship: that one, or the next on its way round that no ship of
    another side has.

    Who has not moved on yet has none. By option ships of all sides share them; where none is free
    they do anyway.
    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    if SHARED_ORBITS in state.terms.options:
        return point
    occupied = [
        abs(other.record.orbit[planet])
        for other in state.ships
        if other is not ship and other.this_turn.circled and other.orbits == planet
        if other.status == FIGHTING and other.commander != ship.commander
    ]
    way = 1 if point > 0 else -1
    for far in range(12):
        place = turn_course(abs(point), far * way)
        if place not in occupied:
            return place * way
    return point


def _positive_number(
    reader: Reader, item: Mapping[object, object], key: str, where: str, most: int
) -> int:
    """A whole number of an entry from 1 up, 0 where it is not said."""
    if key not in item:
        return 0
    value = item[key]
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value
    reader.fault(
        f"{where}.{key}",
        key,
        reason("whole-number-1-needed", "a whole number from 1 to {} is needed here", most),
    )
    return 0


def _orbit(
    reader: Reader, item: Mapping[object, object], where: str, entry: int, *, simple: bool = False
) -> tuple[int, int]:
    """The velocity of an orbit and its points a turn, as an entry says; the velocity is that of an
    atmosphere's entry, where it has one.
    """
    orbit = item.get("orbit", {})
    if not isinstance(orbit, Mapping):
        reader.fault(
            f"{where}.orbit",
            "orbit",
            reason(
                "orbit-mapping-velocity-points",
                "an orbit is a mapping of its velocity and its points a turn",
            ),
        )
        return entry, 0
    spot = f"{where}.orbit"
    reader.keys(orbit, ("points",) if simple or entry else ("velocity", "points"), spot)
    speed = entry or _positive_number(reader, orbit, "velocity", spot, MOST_SPEED)
    if "orbit" in item and not (simple or speed):
        reader.fault(
            f"{spot}.velocity",
            "missing",
            reason("velocity-orbit-needed", "the velocity of the orbit is needed here"),
        )
    return speed, _positive_number(reader, orbit, "points", spot, 11)


@dataclass(frozen=True, slots=True)
class CourseBentByGravity(Event):
    """The gravity of a planet bent a ship's way: points of turn to starboard, and MU a turn that it
    is faster.
    """

    kind: ClassVar[str] = "attracted"
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
    """A ship ran into a planet; its end follows."""

    kind: ClassVar[str] = "ran-into-planet"
    text: ClassVar[str] = phrase("{ship} runs into a planet")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    planet: Open[str]
