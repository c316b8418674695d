"""Asteroids: laying and drifting of fields, collisions with ships, and fire that breaks them.

Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Planetoids", "Collisions" 17.1, 17.6
[pc.planetoids]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.combat.collisions import BLIND, asteroid_rules, crosses, die_needed, evading_thrust
from engine.combat.line_of_sight import is_blocked
from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation
from engine.core.geometry import (
    COURSES,
    NEAR,
    Point,
    arcs_of,
    distance_to_path,
    length_of,
    squared_length,
)
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ASTEROID_DESTRUCTION, Terms
from engine.events.damage import ShipDestroyed
from engine.events.event import Audience, Cause, Event, Listener, LogOrder, Open, PieceRefs, ShipRef
from engine.pieces.piece import Encounters, Piece, PieceDrawing, Visibility
from engine.systems.defences import beam_points
from engine.weapons.beams import BANDS, roll_volley
from engine.weapons.weapon import Trait


@dataclass(slots=True)
class Asteroid(Piece):
    """A round asteroid and its drift (course, MU a turn); with 0 `boxes` it is indestructible.

    Rules: 2E "Asteroids" [2e.asteroids]
    """

    kind: ClassVar[str] = "rock"
    word: ClassVar[str] = phrase("asteroid")
    order: ClassVar[int] = 1
    body: ClassVar[bool] = True
    view_keys: ClassVar[tuple[str, ...]] = ("rocks",)
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    course: Open[int] = 12
    speed: Open[float] = 0.0
    boxes: Open[int] = 0
    damage: Open[int] = 0

    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        """Move the asteroids, test the ships they meet, and remove those wholly off the table.

        Rules: 2E "Movement of asteroids" [2e.asteroids]
        """
        state = table.state
        moving = [rock for rock in state.pieces_of(Asteroid) if rock.speed]
        if not moving:
            return
        start_of = {rock.id: (rock.x, rock.y) for rock in moving}
        for rock in moving:
            rock.move_on()
        off_table = [rock.id for rock in moving if rock.is_off_table(state.table)]
        if table.listens:
            places = tuple((rock.id, rock.x, rock.y) for rock in moving)
            table.tell(AsteroidsDrifted, places, tuple(off_table))
        ships = [ship for ship in state.ships if ship.docking != BERTHED]
        for ship in ships:
            for rock in moving:
                if ship.status == FIGHTING and rock.passed_over(ship, start_of[rock.id]):
                    _meet(table, ship, rock, encounters)
        if off_table:
            state.remove(off_table)

    def move_on(self) -> None:
        """Move it by a turn's drift."""
        ux, uy = COURSES[self.course]
        self.x, self.y = self.x + ux * self.speed, self.y + uy * self.speed

    def passed_over(self, ship: ShipState, start: Point) -> bool:
        """Return whether it passed over a ship on its drift from a point."""
        end = (self.x, self.y)
        return distance_to_path(ship.x, ship.y, start, end) < self.radius - NEAR

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Roll a die for every asteroid on a ship's path, in the order of the field.

        Asteroids that the ship has already passed this turn are not tested again.

        Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
        """
        at_end = asteroid_rules(table.state.terms).at_end
        for rock in table.state.pieces_of(Asteroid):
            if at_end and rock.speed:
                met_path = path[-1:] * 2
            else:
                met_path = path
            if ship.status == FIGHTING and crosses((rock.x, rock.y), rock.radius, met_path):
                _meet(table, ship, rock, encounters)

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return the chance of a collision at its place in that turn, or on its next drift."""
        needs = die_needed(velocity, thrust)
        if needs <= 1:
            return 0.0
        ux, uy = COURSES[self.course]
        drifted = self.speed * turns
        start = (self.x + ux * drifted, self.y + uy * drifted)
        if self.speed and asteroid_rules(terms).at_end:
            end = (start[0] + ux * self.speed, start[1] + uy * self.speed)
            is_met = distance_to_path(*path[-1], start, end) < self.radius + MARGIN - NEAR
        else:
            is_met = crosses(start, self.radius + MARGIN, path)
        if is_met:
            return min(needs - 1, 6) / 6
        return 0.0

    def take_damage(self, table: Table, points: int, cause: str, die: int = 0) -> None:
        """Mark damage off an asteroid with boxes; at zero it breaks into chunks.

        Chunks are half as wide, indestructible, and have random courses and speeds.

        Rules: 2E "Movement of asteroids" [2e.asteroids]; Continuum "Damage to asteroids" 17.1
        [pc.planetoids]
        """
        if points <= 0 or not self.boxes:
            return
        self.damage = min(self.damage + points, self.boxes)
        table.tell(AsteroidDamaged, rock=self.id, cause=cause, points=points, total=self.damage)
        if self.damage < self.boxes:
            return
        chunks = []
        most_chunks = asteroid_rules(table.state.terms).chunks
        chunk_count = table.dice.roll("asteroid", self.id, most_chunks)
        for number in range(1, chunk_count + 1):
            name = f"{self.id}.{number}"
            course = table.dice.roll("direction", name, 12)
            speed = table.dice.roll("distance", name)
            chunks.append((name, self.radius / 2, course, speed))
        if table.listens:
            table.tell(AsteroidBroken, self.id, tuple(chunks))
        self.break_up(table.state, tuple(chunks))

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle of its size with its name."""
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("{} {}", cls.word, document["id"]),
            radius=document["radius"],
        )

    def blocks(self, a: Point, b: Point) -> bool:
        """Return whether it blocks a line; a line that only touches its rim is free.

        Rules: 2E [2e.asteroids]
        """
        return distance_to_path(self.x, self.y, a, b) < self.radius - NEAR

    def is_off_table(self, table: Point) -> bool:
        """Return whether its whole body is off the table."""
        width, height = table
        radius = self.radius
        touches_width = -radius <= self.x <= width + radius
        touches_height = -radius <= self.y <= height + radius
        return not (touches_width and touches_height)

    def break_up(self, state: BattleState, chunks: tuple[tuple[str, float, int, int], ...]) -> None:
        """Replace it by its chunks (name, radius, course, speed).

        Rules: 2E "Asteroids" [2e.asteroids]
        """
        state.take_off(self)
        for name, radius, course, speed in chunks:
            chunk = Asteroid(name, self.x, self.y, radius, course=course, speed=float(speed))
            state.pieces.append(chunk)


@dataclass(frozen=True, slots=True)
class AsteroidsDrifted(Event):
    """The asteroids drifted: their new places (name, x, y), and the names of those now gone."""

    kind: ClassVar[str] = "drifted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rocks: Open[tuple[tuple[str, float, float], ...]]
    removed: PieceRefs

    def apply(self, state: BattleState) -> None:
        places = {name: (x, y) for name, x, y in self.rocks}
        for rock in state.pieces_of(Asteroid):
            rock.x, rock.y = places.get(rock.id, (rock.x, rock.y))
        state.remove(self.removed)


@dataclass(frozen=True, slots=True)
class AsteroidAvoided(Event):
    """A ship got past an asteroid: its die (0: none was needed) and the number it needed."""

    kind: ClassVar[str] = "avoided"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    rock: Open[str]
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class AsteroidCollision(Event):
    """A ship collided with an asteroid; its destruction follows.

    `die` is 0 if no die could have saved it.
    """

    kind: ClassVar[str] = "crashed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    rock: Open[str]
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class AsteroidShot(Event):
    """A weapon fired at an asteroid: the range in MU, its dice and the damage points."""

    kind: ClassVar[str] = "rock-shot"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    rock: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class AsteroidDamaged(Event):
    """An asteroid took `points` of damage; `total` are marked off now."""

    kind: ClassVar[str] = "rock-damaged"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rock: Open[str]
    cause: Cause
    points: Open[int]
    total: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Asteroid, self.rock).damage = self.total


@dataclass(frozen=True, slots=True)
class AsteroidBroken(Event):
    """An asteroid broke up: each chunk's name, radius in MU, course and speed."""

    kind: ClassVar[str] = "rock-broken"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rock: Open[str]
    chunks: Open[tuple[tuple[str, float, int, int], ...]]

    def apply(self, state: BattleState) -> None:
        state.piece(Asteroid, self.rock).break_up(state, self.chunks)

    def notice(self, listener: Listener) -> None:
        for name, *_ in self.chunks:
            listener.pieces[name] = name


ADDED = 4  # added to the die for the number of asteroids
MAX_PLACE_TRIES = 100  # for one asteroid
MAX_FIELD_TRIES = 100  # for a whole field


@dataclass(frozen=True, slots=True)
class AsteroidField:
    """An asteroid field laid by the battle's dice, or asteroids that only get a drift.

    Attributes:
        spacing: The least distance in MU between asteroids, and from edges and installations.
        is_rolled: The dice lay asteroids.
        drift: (course, MU a turn) of the whole field; None: dice decide it.
        count: The number of asteroids that the dice lay; 0: they also roll it, 1D6+4.
    """

    radius: float
    spacing: float
    boxes: int
    is_rolled: bool
    drift: tuple[int, int] | None
    count: int = 0


def lay_asteroids(state: BattleState, field: AsteroidField, dice: Dice) -> None:
    """Lay a field and set its drift.

    Raises:
        RuleViolations: The table has no room for the field.

    Rules: 2E "Asteroids" [2e.asteroids]; 2E "Mining station Con-Am 12" [2e.con-am-12]
    """
    if field.is_rolled:
        obstacles = []
        for ship in state.ships:
            if ship.sheet.kind == INSTALLATION:
                obstacles.append((ship.x, ship.y))
        places = roll_places(state.table, field, obstacles, dice)
        for name, (x, y) in enumerate(places, 1):
            state.pieces.append(Asteroid(f"rock-{name}", x, y, field.radius, boxes=field.boxes))
    if field.drift is not None:
        course, speed = field.drift
    else:
        course = dice.roll("direction", "asteroids", 12)
        speed = dice.roll("distance", "asteroids")
    for rock in state.pieces_of(Asteroid):
        rock.course = course
        rock.speed = float(speed)


def roll_places(
    table: Point,
    field: AsteroidField,
    obstacles: Sequence[Point],
    dice: Dice,
    tries: int = MAX_FIELD_TRIES,
) -> list[Point]:
    """Roll the number of asteroids of a field, if it has none, and their places.

    Each is at least `spacing` MU from edges, obstacles and the others.

    Args:
        tries: How often all places are rolled again until they have room.

    Raises:
        RuleViolations: The table has no room for them.
    """
    number = field.count or dice.roll("asteroid", "number") + ADDED
    spacing = field.spacing
    width, height = (int(side - 2 * spacing) + 1 for side in table)
    if width < 1 or height < 1:
        words = phrase(
            "a table of {:g} by {:g} MU has no position {:g} MU from every edge",
            table[0],
            table[1],
            spacing,
        )
        raise RuleViolations([Violation("asteroids.apart", "no-room", words)])
    for _ in range(tries):
        places: list[Point] = []
        for name in range(1, number + 1):
            for _ in range(MAX_PLACE_TRIES):
                x = spacing + dice.roll("asteroid", f"rock-{name}/x", width) - 1
                y = spacing + dice.roll("asteroid", f"rock-{name}/y", height) - 1
                if _is_free(x, y, (*obstacles, *places), spacing):
                    places.append((x, y))
                    break
            else:
                break
        if len(places) == number:
            return places
    words = phrase("{} asteroids do not fit on the table {:g} MU from each other", number, spacing)
    raise RuleViolations([Violation("asteroids.apart", "no-room", words)])


def _is_free(x: float, y: float, obstacles: Iterable[Point], spacing: float) -> bool:
    """Return whether a point is at least `spacing` MU from all obstacles."""
    return all(squared_length(x - ox, y - oy) >= spacing * spacing for ox, oy in obstacles)


def _meet(table: Table, ship: ShipState, rock: Asteroid, encounters: Encounters) -> None:
    """Roll whether a ship gets past an asteroid or is lost with all hands.

    A ship under a cloaking device is always lost.

    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]; Continuum
    "Cloaking device" 7.20 [pc.cloaks]
    """
    if ship.status != FIGHTING or (ship.id, rock.id) in encounters:
        return
    encounters.append((ship.id, rock.id))
    if ship.record.concealed:
        needs = BLIND
    else:
        needs = die_needed(ship.velocity, evading_thrust(table.state.terms, ship))
    if 1 < needs <= 6:
        die = table.dice.roll("collision", f"{ship.id}>{rock.id}")
    else:
        die = 0
    if needs <= 1 or die >= needs:
        table.tell(AsteroidAvoided, ship=ship.id, rock=rock.id, die=die, needs=needs)
        return
    ship.destroy()
    if table.listens:
        table.tell(AsteroidCollision, ship=ship.id, rock=rock.id, die=die, needs=needs)
        table.tell(ShipDestroyed, ship.id, f"rock:{rock.id}")


MARGIN = 0.5  # MU that captains keep from the rim of an asteroid


def find_asteroid_target(
    state: BattleState, ship: ShipState, index: int, name: str
) -> Asteroid | None:
    """Return the asteroid of that name if a ship's battery may fire at it, else None.

    The option must be agreed, and the asteroid breakable and in range, arc and sight. On the line
    between two arcs it is in both.

    Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    if ASTEROID_DESTRUCTION not in state.terms.options or not _can_break(ship, index):
        return None
    rock = find_breakable(state, name)
    if rock is None or not _dice_at(ship, index, rock):
        return None
    if not ship.profile.bears[index] & arcs_of(rock.x - ship.x, rock.y - ship.y, ship.course):
        return None
    others = [other for other in state.pieces if other is not rock]
    if is_blocked(others, (ship.x, ship.y), (rock.x, rock.y)):
        return None
    return rock


def _can_break(ship: ShipState, index: int) -> bool:
    """Return whether a ship's weapon may be fired at asteroids that can be broken."""
    return Trait.BREAKS_ROCKS in ship.profile.weapons[index].traits


def find_breakable(state: BattleState, name: str) -> Asteroid | None:
    """Return the asteroid of that name if it exists and can be broken, else None."""
    for rock in state.pieces_of(Asteroid):
        if rock.id == name and rock.boxes:
            return rock
    return None


def _distance(ship: ShipState, rock: Asteroid) -> float:
    """Return the MU between a ship and the centre of an asteroid."""
    return length_of(rock.x - ship.x, rock.y - ship.y)


def _dice_at(ship: ShipState, index: int, rock: Asteroid) -> int:
    """Return the beam dice of a ship's battery at the distance of an asteroid."""
    distance = _distance(ship, rock)
    dice_by_band = ship.profile.weapons[index].beam_dice[ship.sheet.fits[index].variant]
    for limit, dice in zip(BANDS, dice_by_band, strict=True):
        if distance <= limit:
            return dice
    return 0


def shoot_asteroid(table: Table, ship: ShipState, index: int, name: str) -> int:
    """Roll a battery's fire at an asteroid, which has no screens, and return the damage points.

    Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    rock = find_breakable(table.state, name)
    assert rock is not None
    weapon = ship.sheet.fits[index].id
    number = _dice_at(ship, index, rock)
    rolled, points = roll_volley(number, beam_points(0), table.dice, f"{ship.id}/{weapon}")
    if table.listens:
        table.tell(
            AsteroidShot,
            ship=ship.id,
            weapon=weapon,
            rock=rock.id,
            range=_distance(ship, rock),
            dice=rolled,
            hits=points,
        )
    return points
