"""Where a ship of Continuum is to stand after its move: every move its drive allows, judged by fire given and taken."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.courses import Option, options_of
from engine.captains.doctrine import Doctrine
from engine.captains.expected import STEP, STEPS, Ward
from engine.captains.helm import ALOOF, APPROACH, BLIND, COMPANY, EDGE, FEAR, HASTE, SHUN, WATCHED
from engine.captains.marks import Mark, bearer_of, defences, facing, going, shell_of
from engine.captains.range_tables import Table, arc_place, range_table
from engine.dice import Dice
from engine.state import ShipState

Point = tuple[float, float]
_LINE = 1e-6
_OFF_TABLE = 50.0
_ASTERN = 3  # the place of the aft arc


class Helm(NamedTuple):
    """What a ship's moves are judged by. `near`: foes with the fire it gives each and takes from each; `wanted`: MU it
    likes to be away while nothing bears; `fast`: velocity its drive can handle; `middle`: of its fleet.
    """

    ship: ShipState
    near: list[tuple[Mark, Table, Table]]
    ward: Ward
    stretch: float
    wanted: float
    fast: float
    middle: Point
    table: Point
    aloof: bool


def steer(
    ship: ShipState,
    marks: list[Mark],
    middle: Point,
    table: Point,
    doctrine: Doctrine,
    dice: Dice,
    *,
    aloof: bool = False,
) -> Option:
    """The move to the best place; of equally good ones a die decides.

    `marks` stand where they will be if they fly on; `middle` is where the fleet's middle will be. `aloof`: it keeps
    away from the foe.
    """
    options = options_of(ship)
    if not marks:
        return _wait(ship, options, table)
    helm = at_helm(ship, marks, middle, table, doctrine, aloof=aloof)
    best = -1e9
    found: list[Option] = []
    for option in options:
        score = fire_balance(helm, option) + lie(helm, option)
        if score > best + _LINE:
            best, found = score, [option]
        elif score > best - _LINE:
            found.append(option)
    return found[0] if len(found) == 1 else found[dice.roll("captain", ship.id, len(found)) - 1]


def at_helm(
    ship: ShipState, marks: list[Mark], middle: Point, table: Point, doctrine: Doctrine, *, aloof: bool = False
) -> Helm:
    """What a ship's moves are judged by this turn."""
    gx, gy = going(ship)
    ax, ay = ship.x + gx, ship.y + gy
    near = sorted(marks, key=lambda mark: (mark.x - ax) ** 2 + (mark.y - ay) ** 2)[:WATCHED]
    ward, stretch = defences(ship)
    bearer, shell = bearer_of(ship, doctrine), shell_of(ship, ship.sheet.boxes)
    fires = [(mark, range_table(bearer, ship.sheet, mark.ward, mark.shell), mark.fire_at(ward, shell)) for mark in near]
    wanted = float(doctrine.range) if doctrine.range is not None else liked_range(fires[0][1])
    fast = 2.5 * ship.thrust + 6.0
    return Helm(ship, fires, ward, stretch, ALOOF if aloof else wanted, fast, middle, table, aloof)


def liked_range(table: Table) -> float:
    """Just inside the farthest range at which the best arc still does half of what it does at best."""
    fore = max((table[at : at + STEPS] for at in range(0, len(table), STEPS)), key=sum)
    most = max(fore)
    steps = [step for step in range(STEPS) if fore[step] * 2 >= most]
    return max((steps[-1] + 1) * STEP - 1.0, STEP) if most else STEP


def fire_balance(helm: Helm, option: Option) -> float:
    """The fire given less the fire feared at the end of a move; while nothing bears, how far off the place is."""
    ux, uy = facing(option.course, helm.ship.sheet.beta)
    score, closest, astern, bears = 0.0, 1e9, False, False
    fear = FEAR * (4.0 if helm.aloof else 1.0)
    for mark, given, taken in helm.near:
        dx, dy = mark.x - option.x, mark.y - option.y
        distance = (dx * dx + dy * dy) ** 0.5
        arc = arc_place(dx, dy, ux, uy)
        if distance < closest:
            closest, astern = distance, arc == _ASTERN
        step = int(distance * mark.stretch / STEP)
        if step < STEPS:
            worth = given[arc * STEPS + step]
            if worth:
                bears = True
                score += worth * mark.weight
        step = int(distance * helm.stretch / STEP)
        if step < STEPS:
            score -= taken[arc_place(-dx, -dy, mark.ux, mark.uy) * STEPS + step] * fear
    if astern and not helm.aloof:
        score -= BLIND
    if not bears:
        score -= abs(closest - helm.wanted) * APPROACH + 0.5
    return score


def lie(helm: Helm, option: Option) -> float:
    """What a place is worth apart from fire: speed in hand, company, room before the edges of the table."""
    x, y, gx, gy = option.x, option.y, option.gx, option.gy
    width, height = helm.table
    score = 0.0
    speed = (gx * gx + gy * gy) ** 0.5
    if speed > helm.fast:
        score -= (speed - helm.fast) * HASTE
    if helm.aloof:
        mark = helm.near[0][0]
        away = ((mark.x - x) ** 2 + (mark.y - y) ** 2) ** 0.5 + 1.0
        score -= (gx * (mark.x - x) + gy * (mark.y - y)) / away * SHUN
    cost, reach = COMPANY
    apart = ((x - helm.middle[0]) ** 2 + (y - helm.middle[1]) ** 2) ** 0.5
    if apart > reach:
        score -= (apart - reach) * cost
    glide = 0.5 + speed * 0.35 / max(helm.ship.thrust, 1)
    ex, ey = x + gx * glide, y + gy * glide
    if x < 0.0 or y < 0.0 or x > width or y > height:
        score -= _OFF_TABLE
    beyond = max(-ex, ex - width, 0.0) + max(-ey, ey - height, 0.0)
    return float(score - beyond * EDGE * 0.1)


def _wait(ship: ShipState, options: list[Option], table: Point) -> Option:
    """Nobody in sight: fly on while the table is long enough ahead, else slow down or turn back."""

    def room(option: Option) -> float:
        ahead = 2.0 + 0.5 * max(ship.velocity, 1) / max(ship.thrust, 1)
        x, y = option.x + option.gx * ahead, option.y + option.gy * ahead
        return max(-x, x - table[0], 0.0) + max(-y, y - table[1], 0.0)

    return options[0] if room(options[0]) == 0.0 else min(options, key=room)
