"""Damage on its way in: through layers of armour, then along the damage track.

Rules: Continuum "Ship damage and how weapons inflict damage" 4.9 [pc.damage-kinds]; Continuum "Armour" 7.6 [pc.armour]
"""

from __future__ import annotations

from engine.core.rolls import HULL, PIERCING, PLAIN, SEMI, Wound
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.damage import Absorbed, Damaged

Armour = tuple[tuple[int, int], ...]


def absorb(armour: Armour, wounds: tuple[Wound, ...]) -> tuple[Armour, int]:
    """What is left of the armour (layers, innermost first) after wounds, in their order, and the points that reach the
    hull.

    Plain damage fills the outermost surviving layer and overflows inward; semi-piercing leaves half of each hit,
    rounded up, there and the rest in the next layer; piercing one point in each surviving layer. Each depth of re-rolls
    begins a layer deeper. Standard boxes of a layer go before regenerative ones.
    Rules: Continuum "Ship damage" 4.9 [pc.damage-kinds]; Continuum "Shell or layered armour" 7.7 [pc.armour]
    """
    if not armour:
        return armour, sum(wound.points for wound in wounds)
    left = [standard + regenerative for standard, regenerative in armour]
    outermost = max((place for place, boxes in enumerate(left) if boxes), default=-1)
    hull = 0
    for wound in wounds:
        if wound.kind == HULL:
            hull += wound.points
        else:
            hull += _through(left, outermost - wound.depth, wound)
    return tuple(_layer(layer, boxes) for layer, boxes in zip(armour, left, strict=True)), hull


def _through(left: list[int], start: int, wound: Wound) -> int:
    """One wound through the layers from `start` inward; what of it reaches the hull."""
    points = wound.points
    if wound.kind == PLAIN:
        for place in range(start, -1, -1):
            points -= _take(left, place, points)
        return points
    surviving = [place for place in range(start, -1, -1) if left[place]]
    if wound.kind == PIERCING:
        for place in surviving:
            points -= _take(left, place, min(points, 1))
        return points
    assert wound.kind == SEMI
    if not surviving:
        return points
    half = (points + 1) // 2
    over = half - _take(left, surviving[0], half)
    rest = points - half + over
    for place in range(surviving[0] - 1, -1, -1):
        rest -= _take(left, place, rest)
    return rest


def _take(left: list[int], place: int, points: int) -> int:
    taken = min(left[place], points)
    left[place] -= taken
    return taken


def _layer(layer: tuple[int, int], boxes: int) -> tuple[int, int]:
    """A layer with so many boxes left, the standard ones gone first."""
    regenerative = min(layer[1], boxes)
    return boxes - regenerative, regenerative


def wound(table: Table, ship: ShipState, wounds: tuple[Wound, ...], cause: str) -> int:
    """Mark wounds off a ship's armour and hull, without any check; the points its hull took.

    A ship with no box left is a wreck; when it is taken off, and when it checks its systems, is its phase's business.
    Rules: Continuum "Ship damage and how weapons inflict damage" 4.9 [pc.damage-kinds]
    """
    armour, points = absorb(ship.armour, wounds)
    if armour != ship.armour:
        taken = sum(map(sum, ship.armour)) - sum(map(sum, armour))
        ship.armour = armour
        table.tell(Absorbed, ship.id, cause, taken, armour)
    before = ship.damage
    ship.take(points)
    if table.listens and ship.damage > before:
        table.tell(Damaged, ship.id, cause, points, ship.damage, 0)
    return ship.damage - before


def wrecked(ship: ShipState) -> bool:
    """Whether a ship has no hull box left."""
    return ship.damage >= ship.sheet.boxes
