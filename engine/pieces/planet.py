"""Planets and suns: ships that run into one are lost, nobody sees or fires through one, and its zones of gravity bend
ways.

Rules: Continuum "Planets", "Large scale" 17.7, 17.9 [pc.planets]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, radians, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.core.geometry import NEAR, Point, distance_to_path
from engine.core.kinds import FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import Terms
from engine.events.damage import Destroyed
from engine.events.event import Audience, Event, LogOrder, Open, ShipRef
from engine.pieces.piece import Met, Piece, Pull, Seen

if TYPE_CHECKING:
    from engine.notation.reading import Reader

STRENGTHS = (1, 2, 4, 8)  # of its zones from the outermost on; only a sun has the last one
FORE = cos(radians(30))  # of the angle up to which a centre is in the arc F, or A
LARGEST = 60.0  # MU of radius


@dataclass(slots=True)
class Planet(Piece):
    """A planet or a sun; `gravity`: how far each of its zones reaches from its centre, the outermost first.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """

    kind: ClassVar[str] = "planet"
    word: ClassVar[str] = "planet"
    order: ClassVar[int] = 9
    body: ClassVar[bool] = True
    view_keys: ClassVar[tuple[str, ...]] = ("planets",)
    listed_empty: ClassVar[bool] = False
    seen: ClassVar[Seen] = Seen.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    file_kinds: ClassVar[tuple[str, ...]] = ("planet",)

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    gravity: Open[tuple[float, ...]] = ()

    def __post_init__(self) -> None:
        self.gravity = tuple(self.gravity)

    @classmethod
    def read(cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point) -> Self:
        """A planet of a battle file: `{"kind": "planet", "at": [36, 24], "radius": 4, "gravity": [9, 7, 5]}`."""
        reader.keys(item, ("kind", "at", "radius", "gravity"), where)
        radius = reader.measure(item, "radius", where, LARGEST)
        given = reader.items(item, "gravity", where, default=())
        zones = [float(far) for far in given if isinstance(far, (int, float)) and not isinstance(far, bool)]
        steps = [*zones, radius]
        apart = all(outer - inner >= 1 for outer, inner in pairwise(steps))
        if len(zones) < len(given) or len(zones) > len(STRENGTHS) or not apart or max(steps) > 2 * LARGEST:
            words = "give the radii of up to four zones, the outermost first, each 1 MU or more beyond the next"
            reader.fault(f"{where}.gravity", "gravity", words)
            zones = []
        return cls(name, *at, radius, tuple(zones))

    def filed(self) -> dict[str, Any]:
        """The entry of a battle file that it is."""
        made: dict[str, Any] = {"kind": "planet", "at": [self.x, self.y], "radius": self.radius}
        return made | ({"gravity": list(self.gravity)} if self.gravity else {})

    @classmethod
    def in_the_way(cls, table: Table, ship: ShipState, path: tuple[Point, ...], met: Met) -> None:  # noqa: ARG003
        """A ship that runs into a planet is lost. Rules: Continuum "Medium scale" 17.8 [pc.planets]"""
        for planet in table.state.of(cls):
            if ship.status == FIGHTING and planet.stops(path):
                ship.destroy()
                table.tell(RanInto, ship.id, planet.id)
                table.tell(Destroyed, ship.id, f"planet:{planet.id}")

    def stops(self, path: tuple[Point, ...]) -> bool:
        """Whether a path ends at it: it crosses the planet, or, where zones lead ships round, its end is in it.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        return self._near(path[-1:] * 2 if self.gravity else path) < self.radius - NEAR

    def danger(self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int) -> float:  # noqa: ARG002
        """Certain, for who runs into it."""
        return 1.0 if self.stops(path) else 0.0

    def blocks(self, a: Point, b: Point) -> bool:
        """It lies across a line that comes nearer than its rim. Rules: Continuum "Planets" 17.7 [pc.planets]"""
        return distance_to_path(self.x, self.y, a, b) < self.radius - NEAR

    def pull(self, path: tuple[Point, ...]) -> Pull | None:
        """The pull of the innermost zone that a path meets, where it enters it; of who begins in a zone, at once.

        Who ends a move in a zone feels it at the start of the next. Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        legs = [(a, b) for a, b in pairwise(path) if dist(a, b) > NEAR]
        if not self.gravity or not legs:
            return None
        if self._strength(dist((self.x, self.y), path[0])):
            return self._pull_at(0.0, *legs[0], self._strength(dist((self.x, self.y), path[0])))
        nearest = self._near(path)
        if not self._strength(nearest) or self._strength(dist((self.x, self.y), path[-1])):
            return None
        zone = min(far for far in self.gravity if nearest < far - NEAR)
        gone = 0.0
        for a, b in legs:
            step = dist(a, b)
            ux, uy = (b[0] - a[0]) / step, (b[1] - a[1]) / step
            ahead, aside = (self.x - a[0]) * ux + (self.y - a[1]) * uy, (self.x - a[0]) * uy - (self.y - a[1]) * ux
            if abs(aside) < zone:
                enters = max(ahead - sqrt(zone * zone - aside * aside), 0.0)
                if enters <= step and distance_to_path(self.x, self.y, a, b) < zone - NEAR:
                    at = a[0] + ux * enters, a[1] + uy * enters
                    return self._pull_at(gone + enters, at, b, self._strength(nearest))
            gone += step
        return None

    def pulled(self, table: Table, ship: ShipState, pull: Pull) -> None:
        """Tell of a way that it bent."""
        table.tell(Attracted, ship.id, self.id, pull.turn, pull.velocity)

    def _pull_at(self, far: float, at: Point, towards: Point, strength: int) -> Pull:
        """What a zone does to a ship there that flies on towards a point: ahead it makes it faster, behind slower; on a
        side it turns it, and adds half its strength.

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

    def _strength(self, away: float) -> int:
        """The strength of the zone so far from the centre, 0 beyond them."""
        inside = sum(away < far - NEAR for far in self.gravity)
        return STRENGTHS[inside - 1] if inside else 0

    def _near(self, path: tuple[Point, ...]) -> float:
        """How near to its centre a path comes."""
        return min(distance_to_path(self.x, self.y, a, b) for a, b in pairwise((*path[:1], *path)))


@dataclass(frozen=True, slots=True)
class Attracted(Event):
    """The gravity of a planet bent a ship's way: points of turn to starboard, and MU a turn that it is faster."""

    kind: ClassVar[str] = "attracted"
    said: ClassVar[str] = "The gravity of a planet bends the way of {ship}"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    planet: Open[str]
    turn_by: Open[int]
    faster: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).swing(self.turn_by, self.faster)


@dataclass(frozen=True, slots=True)
class RanInto(Event):
    """A ship ran into a planet; its end follows."""

    kind: ClassVar[str] = "ran-into-planet"
    said: ClassVar[str] = "{ship} runs into a planet"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    planet: Open[str]
