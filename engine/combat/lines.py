"""Lines across the table: what lies between two points, and targets on the line between two arcs.

Rules: 2E "Asteroids" [2e.asteroids]; 2E "Fire arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.geometry import NEAR
from engine.core.table import Table
from engine.events.fire import ArcRolled
from engine.pieces import Rock

Point = tuple[float, float]


def distance_to_path(x: float, y: float, a: Point, b: Point) -> float:
    """How near a straight path from `a` to `b` comes to a point, in MU."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else min(max(((x - a[0]) * dx + (y - a[1]) * dy) / length, 0.0), 1.0)
    px, py = a[0] + dx * share - x, a[1] + dy * share - y
    return float((px * px + py * py) ** 0.5)


def blocked(rocks: list[Rock], a: Point, b: Point) -> bool:
    """Whether any asteroid lies across the line of sight and fire between two points; grazing it does not block.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return any(distance_to_path(rock.x, rock.y, a, b) < rock.radius - NEAR for rock in rocks)


def arc_by_die(table: Table, bits: int, of: str, at: str, names: Mapping[int, str]) -> int:
    """Which of two arcs (bits) a target on the line between them is in: odd the one that comes first in the list.

    `of`, `at`: the ids of who fires and of the target; `names`: the arcs' names by their bits.
    Rules: 2E "Fire arcs" [2e.arcs]; Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    die = table.dice.roll("arc", f"{of}>{at}")
    first = bits & -bits
    arc = first if die % 2 else bits ^ first
    table.tell(ArcRolled, of, at, die, names[arc])
    return arc
