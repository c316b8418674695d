"""Asteroids: how a field is laid, how it drifts, and what becomes of ships that meet one.

Rules: 2E "Asteroids" [2e.asteroids]
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation
from engine.core.geometry import COURSES, NEAR, distance_to_path
from engine.core.notes import VEILED
from engine.core.sheet import INSTALLATION
from engine.core.ship import BERTHED, FIGHTING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.asteroids import Avoided, Crashed, Drifted
from engine.events.damage import Destroyed
from engine.pieces.asteroid import Rock

Point = tuple[float, float]
# What a ship has met this turn and got by: (ship, rock).
Met = list[tuple[str, str]]

BLIND = 7  # what a ship under a cloaking device would have to throw
ADDED = 4  # to the die that says how many asteroids there are
TRIES, FIELDS = 100, 100  # places tried for one asteroid, fields begun anew


@dataclass(frozen=True, slots=True)
class Field:
    """An asteroid field that the battle's dice lay: 1D6+4 of them, `apart` MU from each other and all else.

    `drift`: (course, MU a turn) of the whole field, None where dice decide it.
    """

    radius: float
    apart: float
    boxes: int
    rolled: bool
    drift: tuple[int, int] | None


def lay(state: BattleState, field: Field, dice: Dice) -> None:
    """Lay a field in place, and let it drift. Each asteroid keeps its distance from edges, others and installations.

    Raises RuleViolations where the table has no room for it. Rules: 2E "Asteroids" [2e.asteroids];
    2E "Mining station Con-Am 12" [2e.con-am-12]
    """
    if field.rolled:
        number = dice.roll("asteroid", "number") + ADDED
        kept = [(ship.x, ship.y) for ship in state.ships if ship.sheet.kind == INSTALLATION]
        for name, (x, y) in enumerate(_places(state.table, field.apart, number, kept, dice), 1):
            state.pieces.append(Rock(f"rock-{name}", x, y, field.radius, boxes=field.boxes))
    course, speed = field.drift or (dice.roll("direction", "asteroids", 12), dice.roll("distance", "asteroids"))
    for rock in state.of(Rock):
        rock.course, rock.speed = course, float(speed)


def _places(table: Point, apart: float, number: int, kept: list[Point], dice: Dice) -> list[Point]:
    width, height = (int(side - 2 * apart) + 1 for side in table)
    if width < 1 or height < 1:
        words = f"a table of {table[0]:g} by {table[1]:g} MU has no place {apart:g} MU from every edge"
        raise RuleViolations([Violation("asteroids.apart", "no-room", words)])
    for _ in range(FIELDS):
        found: list[Point] = []
        for name in range(1, number + 1):
            for _ in range(TRIES):
                x = apart + dice.roll("asteroid", f"rock-{name}/x", width) - 1
                y = apart + dice.roll("asteroid", f"rock-{name}/y", height) - 1
                if all((x - ox) ** 2 + (y - oy) ** 2 >= apart * apart for ox, oy in (*kept, *found)):
                    found.append((x, y))
                    break
            else:
                break
        if len(found) == number:
            return found
    words = f"{number} asteroids do not fit on the table {apart:g} MU from each other"
    raise RuleViolations([Violation("asteroids.apart", "no-room", words)])


def drift(table: Table) -> Met:
    """Move the asteroids in place; those whose whole body is off the table are gone. Ships they meet must get by.

    Rules: 2E "Movement of asteroids" [2e.asteroids]
    """
    state = table.state
    met: Met = []
    moving = [rock for rock in state.of(Rock) if rock.speed]
    if not moving:
        return met
    before = {rock.id: (rock.x, rock.y) for rock in moving}
    for rock in moving:
        ux, uy = COURSES[rock.course]
        rock.x, rock.y = rock.x + ux * rock.speed, rock.y + uy * rock.speed
    gone = [rock.id for rock in moving if _off(rock, state.table)]
    if table.listens:
        table.tell(Drifted, tuple((rock.id, rock.x, rock.y) for rock in moving), tuple(gone))
    for ship in state.ships:
        if ship.status == FIGHTING and ship.docking != BERTHED:
            for rock in moving:
                there = (rock.x, rock.y)
                if distance_to_path(ship.x, ship.y, before[rock.id], there) < rock.radius - NEAR:
                    _meet(table, ship, rock, met)
    if gone:
        state.remove(gone)
    return met


def _off(rock: Rock, table: Point) -> bool:
    r = rock.radius
    return not (-r <= rock.x <= table[0] + r and -r <= rock.y <= table[1] + r)


def crosses(rock: Rock, path: tuple[Point, ...]) -> bool:
    """Whether a path meets an asteroid; to graze it is to pass by."""
    return any(distance_to_path(rock.x, rock.y, a, b) < rock.radius - NEAR for a, b in pairwise(path))


def needed(velocity: int, thrust: int) -> int:
    """The least die that gets a ship past an asteroid: 1 or less needs none, more than 6 is certain death.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return velocity - thrust


def collide(table: Table, ship: ShipState, path: tuple[Point, ...], met: Met) -> None:
    """A die for every asteroid a ship's path meets, in the field's order; what it got by this turn stays behind it.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    for rock in table.state.of(Rock):
        if ship.status == FIGHTING and crosses(rock, path):
            _meet(table, ship, rock, met)


def _meet(table: Table, ship: ShipState, rock: Rock, met: Met) -> None:
    """A ship meets an asteroid: it gets by, or is lost with all hands, whatever it is; under a cloaking device it is.

    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    if ship.status != FIGHTING or (ship.id, rock.id) in met:
        return
    met.append((ship.id, rock.id))
    needs = BLIND if VEILED in ship.notes else needed(ship.velocity, ship.thrust)
    die = table.dice.roll("collision", f"{ship.id}>{rock.id}") if 1 < needs <= 6 else 0
    if needs <= 1 or die >= needs:
        table.tell(Avoided, ship.id, rock.id, die, needs)
        return
    ship.destroy()
    if table.listens:
        table.tell(Crashed, ship.id, rock.id, die, needs)
        table.tell(Destroyed, ship.id, f"rock:{rock.id}")
