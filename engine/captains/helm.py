"""A captain's helm: every ship searches the moves its thrust allows for the best place to fight from."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from engine.captains.doctrine import Doctrine
from engine.captains.estimate import ARC_AT, MEAN_POINTS, Foe
from engine.captains.novas import bow_line, has_cannon
from engine.captains.ordnance import BOW_ON, kit_of, pull
from engine.combat.lines import swept
from engine.core.dice import Dice
from engine.core.geometry import COURSES, NEAR, turned
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.pieces.piece import Sweep
from engine.second_edition.movement import turn_limit

_NEAR_BAND = (12.0 + NEAR) ** 2
_MIDDLE_BAND = (24.0 + NEAR) ** 2
_FAR_BAND = (36.0 + NEAR) ** 2
_LINE = 1e-6

# How many of the nearest foes a ship weighs, and how the terms of a place are weighed.
WATCHED = 3
FEAR = 0.75  # of damage taken against damage done
BLIND = 0.5  # the nearest foe in the aft arc
COMPANY = (0.012, 12.0)  # a MU away from the fleet's middle, beyond so many
FORMED = (0.05, 3.0)  # the same while fighters are about
APPROACH = 0.05  # a MU off the preferred range while nothing bears
HASTE = 0.06  # a MU of velocity above what its thrust can handle
SHY = 4.0  # how much more a carrier fears
SHUN = 0.15  # a MU of velocity towards the nearest foe, for a carrier
ALOOF = 40.0  # MU it stays away
EDGE = 3.0  # a MU beyond the edge, where it is heading


@cache
def moves(thrust: int) -> tuple[tuple[int, int], ...]:
    """The (turn, change of velocity) a search tries for a thrust rating: turns with full, half and no thrust."""
    tried: dict[tuple[int, int], None] = {}
    for points in range(turn_limit(thrust) + 1):
        left = thrust - points
        for change in dict.fromkeys((0, left, -left, left // 2, -(left // 2))):
            for turn in dict.fromkeys((points, -points)):
                tried[turn, change] = None
    return tuple(tried)


class Move(NamedTuple):
    """A move tried, apart from where the ship is.

    `speed`: the velocity then; `wx`, `wy`: the way made; `ux`, `uy`: of the course then; `gx`, `gy`: the way it glides
    on before it can turn away from an edge; `haste`: what its speed costs.
    """

    turn: int
    change: int
    speed: int
    wx: float
    wy: float
    ux: float
    uy: float
    gx: float
    gy: float
    haste: float


@lru_cache(maxsize=16384)
def moves_from(thrust: int, course: int, velocity: int) -> tuple[Move, ...]:
    """The moves a ship of that course and velocity tries: what of each does not depend on where the ship is."""
    tried = []
    fast, stretch = 2.5 * thrust + 6.0, 1.0 / max(thrust, 1)
    for turn, change in moves(thrust):
        speed = velocity + change
        if speed < 0:
            continue
        ax, ay = COURSES[turned(course, turn // 2 if turn > 0 else -(-turn // 2))]
        ux, uy = COURSES[turned(course, turn)]
        glide = speed * (0.5 + speed * stretch * 0.35)
        haste = (speed - fast) * HASTE if speed > fast else 0.0
        sx, sy = (ax + ux) * 0.5, (ay + uy) * 0.5
        tried.append(Move(turn, change, speed, sx * speed, sy * speed, ux, uy, ux * glide, uy * glide, haste))
    return tuple(tried)


def steer(
    ship: ShipState,
    foes: list[Foe],
    middle: tuple[float, float],
    table: tuple[float, float],
    doctrine: Doctrine,
    dice: Dice,
    *,
    aloof: bool = False,
    formed: bool = False,
    burning: tuple[Sweep, ...] = (),
) -> Plot:
    """The plot that leads to the best place by damage done and taken there, arcs, company and the edges of the table.

    `foes` stand where they will be if they fly on; `middle` is where the fleet's middle will be. `aloof`: a carrier
    that leaves the fight to its fighters. `formed`: fighters are about, and ships
    keep together. `burning`: what will be swept after this move.
    """
    if not foes:
        return _wait(ship, table)
    x0, y0, course, velocity = ship.x, ship.y, ship.course, ship.velocity
    ux, uy = COURSES[course]
    ax, ay = x0 + ux * velocity, y0 + uy * velocity
    near = foes if len(foes) <= WATCHED else sorted(foes, key=lambda f: (f.x - ax) ** 2 + (f.y - ay) ** 2)[:WATCHED]
    if ship.velocity == 0 and ship.thrust == 0:
        return _rotate(ship, near)
    power = ship.power
    mine = MEAN_POINTS[ship.screens] * FEAR
    width, height = table
    mx, my = middle
    company, reach = FORMED if formed else COMPANY
    reach_squared = reach * reach
    wanted = float(doctrine.range) if doctrine.range is not None else _best_range(power)
    if aloof:
        mine, wanted = mine * SHY, ALOOF
    kit = kit_of(ship, doctrine.never)
    lure = pull(kit, near) if kit is not None else None
    line = bow_line(near) if has_cannon(ship, doctrine.never) else None
    if kit is not None and kit.tubes:
        wanted = min(wanted, BOW_ON)
    rows = [_row(foe, power, mine) for foe in near]
    farthest = (36.0 + NEAR + velocity + ship.thrust) ** 2  # beyond it no move brings guns into reach of each other
    apart_all = all((row[0] - x0) ** 2 + (row[1] - y0) ** 2 > farthest for row in rows)
    best = limit = -1e9
    found: list[tuple[int, int]] = []
    for turn, change, speed, wx, wy, ux, uy, gx, gy, haste in moves_from(ship.thrust, course, velocity):
        x, y = x0 + wx, y0 + wy
        score = 0.0
        closest, cx, cy = 1e9, 0.0, 0.0
        bears = False
        for fx, fy, fux, fuy, given, taken in rows:
            dx, dy = fx - x, fy - y
            squared = dx * dx + dy * dy
            if squared < closest:
                closest, cx, cy = squared, dx, dy
            if apart_all or squared > _FAR_BAND:
                continue
            band = 0 if squared <= _NEAR_BAND else (1 if squared <= _MIDDLE_BAND else 2)
            ahead = dx * ux + dy * uy
            right = dx * uy - dy * ux
            done = 0.0
            if right > 0.0:
                if ahead >= right:
                    done = given[band]
                elif -ahead <= right:
                    done = given[3 + band]
            elif ahead >= -right:
                done = given[band]
            elif ahead >= right:
                done = given[6 + band]
            if done:
                bears = True
                score += done
            ahead = -dx * fux - dy * fuy
            right = -dx * fuy + dy * fux
            if right > 0.0:
                if ahead >= right:
                    score -= taken[band]
                elif -ahead <= right:
                    score -= taken[3 + band]
            elif ahead >= -right:
                score -= taken[band]
            elif ahead >= right:
                score -= taken[6 + band]
        if lure is not None:
            score += lure(x, y, ux, uy)
        if line is not None:
            score += line(x, y, ux, uy, speed)
        if burning:
            score -= sum(points for path, radius, points in burning if swept(x, y, path, radius))
        if score <= limit and not aloof:  # whatever else there is can but cost
            continue
        if aloof:
            score -= speed * _closing(near, x, y, ux, uy) * SHUN
        elif -(cx * ux + cy * uy) > abs(cx * uy - cy * ux):  # the nearest foe is astern
            score -= BLIND
        if not bears:
            score -= abs(closest**0.5 - wanted) * APPROACH + 0.5
        score -= haste
        dx, dy = x - mx, y - my
        apart = dx * dx + dy * dy
        if apart > reach_squared:
            score -= (apart**0.5 - reach) * company
        if score <= limit and not aloof:
            continue
        ex, ey = x + gx, y + gy
        if x < 0.0 or y < 0.0 or x > width or y > height:
            score -= 50.0
        if ex < 0.0:
            score += ex * EDGE * 0.1
        elif ex > width:
            score -= (ex - width) * EDGE * 0.1
        if ey < 0.0:
            score += ey * EDGE * 0.1
        elif ey > height:
            score -= (ey - height) * EDGE * 0.1
        if score > best + _LINE:
            best = score
            limit = best - _LINE
            found = [(turn, change)]
        elif score > limit:
            found.append((turn, change))
    turn, change = found[0] if len(found) == 1 else found[dice.roll("captain", ship.id, len(found)) - 1]
    return _plot(turn, change) if turn or change else HOLD


Row = tuple[float, float, float, float, tuple[float, ...], tuple[float, ...]]


def _row(foe: Foe, power: tuple[int, ...], mine: float) -> Row:
    """A foe as the search meets it: place, facing, and what fire at it and from it counts by arc and band."""
    worth = MEAN_POINTS[foe.screens] * foe.weight
    given, taken = tuple([dice * worth for dice in power]), tuple([dice * mine for dice in foe.power])
    return foe.x, foe.y, foe.ux, foe.uy, given, taken


@cache
def _plot(turn: int, change: int) -> Plot:
    """A plot of nothing but a turn and a change of velocity; each is made once."""
    return Plot(turn, change)


def _closing(near: list[Foe], x: float, y: float, ux: float, uy: float) -> float:
    """How straight a course from a place leads at the nearest foe: 1 right at it, -1 right away."""
    dx, dy = min(((foe.x - x, foe.y - y) for foe in near), key=_length)
    return (dx * ux + dy * uy) / (_length((dx, dy)) + 1.0)


def _length(way: tuple[float, float]) -> float:
    return float((way[0] * way[0] + way[1] * way[1]) ** 0.5)


def _best_range(power: tuple[int, ...]) -> float:
    """Where its batteries reach: just inside the farthest band in which it throws at least half its dice."""
    if power[2] * 2 >= power[0] > 0:
        return 30.0
    return 20.0 if power[1] else 10.0


def _rotate(ship: ShipState, near: list[Foe]) -> Plot:
    """A ship at rest without drive turns the arc with most dice to the nearest foe."""
    best, found = -1.0, 0
    for points in range(12):
        ux, uy = COURSES[turned(ship.course, points)]
        worth = 0.0
        for foe in near:
            dx, dy = foe.x - ship.x, foe.y - ship.y
            ahead, right = dx * ux + dy * uy, dx * uy - dy * ux
            bits = 1 if ahead >= abs(right) else (4 if -ahead >= abs(right) else (2 if right > 0 else 8))
            if ARC_AT[bits] >= 0:
                worth += ship.power[ARC_AT[bits]] * foe.weight
        if worth > best + _LINE:
            best, found = worth, points
    return Plot(found, 0) if found else HOLD


def _wait(ship: ShipState, table: tuple[float, float]) -> Plot:
    """Nobody in sight: slow down before an edge, else hold."""
    ux, uy = COURSES[ship.course]
    ahead = ship.velocity * (1.0 + ship.velocity / (2.0 * max(ship.thrust, 1)))
    x, y = ship.x + ux * ahead, ship.y + uy * ahead
    if 0.0 <= x <= table[0] and 0.0 <= y <= table[1]:
        return HOLD
    return Plot(0, -min(ship.thrust, ship.velocity)) if ship.thrust and ship.velocity else HOLD
