"""What a place is worth to a ship of Continuum: the fire given and taken there, cover, company, room to fly on."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.courses import Option
from engine.captains.doctrine import Doctrine
from engine.captains.expected import STEP, STEPS
from engine.captains.helm import APPROACH, BLIND, COMPANY, EDGE, FEAR, HASTE, WATCHED
from engine.captains.marks import Mark, bearer_of, defences, facing, going, shell_of
from engine.captains.range_tables import Table, arc_place, range_table, weapons_of, worths
from engine.core.geometry import COURSES
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.systems.defences import SCREEN_REACH as AREA_REACH
from engine.weapons.spinal import ahead_of_bow
from engine.weapons.weapon import LINE

Point = tuple[float, float]
OFF_TABLE = 50.0
ASTERN = 3  # the place of the aft arc
# What of the fire at a ship gets through each level of area screens above it, about.
THROUGH = (1.0, 0.78, 0.6)
GATHER = 0.12  # what a MU outside friends' area screens costs, up to so many
STRAGGLES = 18.0


class Umbrella(NamedTuple):
    """Area screens of a friend: where they will be, and how many levels."""

    x: float
    y: float
    levels: int


class Helm(NamedTuple):
    """What a ship's moves are judged by.

    `near`: foes with the fire it gives each and takes from each; `stretch`: how much longer ranges to it count;
    `wanted`: MU it likes to be away while nothing bears; `fast`: velocity its drive can handle; `middle`: of its fleet;
    `spines`: what its mounts along the bow do to each of the near at each step of range; `covers`: friends' area
    screens. `greed`, `fear`: what fire given and taken counts.
    """

    ship: ShipState
    near: list[tuple[Mark, Table, Table]]
    stretch: float
    wanted: float
    fast: float
    middle: Point
    table: Point
    spines: list[list[tuple[float, ...]]]
    covers: list[Umbrella]
    greed: float = 1.0
    fear: float = FEAR


def at_helm(
    state: BattleState,
    ship: ShipState,
    marks: list[Mark],
    middle: Point,
    doctrine: Doctrine,
    covers: list[Umbrella],
    *,
    rolling: bool = False,
) -> Helm:
    """What a ship's moves are judged by this turn; `rolling`: it rolls over with them.

    What it fires along a line is judged by itself.
    """
    gx, gy = going(ship)
    ax, ay = ship.x + gx, ship.y + gy
    near = sorted(marks, key=lambda mark: (mark.x - ax) ** 2 + (mark.y - ay) ** 2)[:WATCHED]
    ward, stretch = defences(state, ship)
    bearer, shell = bearer_of(ship, doctrine.never), shell_of(ship)
    lines = [
        weapon for weapon in weapons_of(ship.rig, ship.sheet) if weapon.kind.along and weapon.place not in bearer.out
    ]
    if lines:
        bearer = bearer._replace(out=tuple(sorted((*bearer.out, *(weapon.place for weapon in lines)))))
    if rolling:
        bearer = bearer._replace(rolled=not bearer.rolled)
    fires = [(mark, range_table(bearer, ship.sheet, mark.ward, mark.shell), mark.fire_at(ward, shell)) for mark in near]
    spines = [
        [worths(weapon.kind, weapon.fit, "", mark.ward, mark.shell) for weapon in lines if weapon.kind.along == LINE]
        for mark in near
    ]
    wanted = float(doctrine.range) if doctrine.range is not None else liked_range(fires[0][1])
    fast = 2.5 * ship.thrust + 6.0
    return Helm(ship, fires, stretch, wanted, fast, middle, state.table, spines if lines else [], covers)


def liked_range(table: Table) -> float:
    """Just inside the farthest range at which the best arc still does half of what it does at best."""
    fore = max((table[at : at + STEPS] for at in range(0, len(table), STEPS)), key=sum)
    most = max(fore)
    steps = [step for step in range(STEPS) if fore[step] * 2 >= most]
    return max((steps[-1] + 1) * STEP - 1.0, STEP) if most else STEP


def value(helm: Helm, option: Option) -> float:
    """What the end of a move is worth."""
    return fire_balance(helm, option) + lie(helm, option)


def fire_balance(helm: Helm, option: Option) -> float:
    """The fire given less the fire feared at the end of a move; while nothing bears, how far off the place is."""
    ux, uy = facing(option.course, helm.ship.sheet.beta)
    score, feared, closest, astern, bears = 0.0, 0.0, 1e9, False, False
    for mark, given, taken in helm.near:
        dx, dy = mark.x - option.x, mark.y - option.y
        distance = (dx * dx + dy * dy) ** 0.5
        arc = arc_place(dx, dy, ux, uy)
        if distance < closest:
            closest, astern = distance, arc == ASTERN
        step = int(distance * mark.stretch / STEP)
        if step < STEPS:
            worth = given[arc * STEPS + step]
            if worth:
                bears = True
                score += worth * mark.weight * helm.greed
        step = int(distance * helm.stretch / STEP)
        if step < STEPS:
            feared += taken[arc_place(-dx, -dy, mark.ux, mark.uy) * STEPS + step]
    if helm.spines:
        along = _along_bow(helm, option)
        score, bears = score + along, bears or along > 0
    if helm.covers and feared:
        feared *= _through(helm.covers, option)
    score -= feared * helm.fear
    if astern:
        score -= BLIND
    if not bears:
        score -= abs(closest - helm.wanted) * APPROACH + 0.5
    return score


def _through(covers: list[Umbrella], option: Option) -> float:
    """What of the fire at a place gets through friends' area screens."""
    levels = sum(
        cover.levels
        for cover in covers
        if (cover.x - option.x) ** 2 + (cover.y - option.y) ** 2 <= AREA_REACH * AREA_REACH
    )
    return THROUGH[min(levels, len(THROUGH) - 1)]


def _beside(covers: list[Umbrella], x: float, y: float) -> float:
    """How far a place is from the nearest area screens that would cover it."""
    away = min((cover.x - x) ** 2 + (cover.y - y) ** 2 for cover in covers)
    return float(min(max(away**0.5 - AREA_REACH, 0.0), STRAGGLES))


def _along_bow(helm: Helm, option: Option) -> float:
    """What mounts that fire straight ahead do at the end of a move: each at the one foe where it does most."""
    ux, uy = COURSES[option.course]
    best: dict[int, float] = {}
    for (mark, _, _), rows in zip(helm.near, helm.spines, strict=True):
        dx, dy = mark.x - option.x, mark.y - option.y
        if ahead_of_bow(dx * ux + dy * uy, dx * uy - dy * ux):
            step = int((dx * dx + dy * dy) ** 0.5 / STEP)
            for place, row in enumerate(rows):
                if step < len(row):
                    best[place] = max(best.get(place, 0.0), row[step] * mark.weight)
    return sum(best.values())


def lie(helm: Helm, option: Option) -> float:
    """What a place is worth apart from fire: speed in hand, company, room before the edges of the table."""
    x, y, gx, gy = option.x, option.y, option.gx, option.gy
    width, height = helm.table
    score = 0.0
    speed = (gx * gx + gy * gy) ** 0.5
    if speed > helm.fast:
        score -= (speed - helm.fast) * HASTE
    if helm.covers:
        score -= _beside(helm.covers, x, y) * GATHER
    cost, reach = COMPANY
    apart = ((x - helm.middle[0]) ** 2 + (y - helm.middle[1]) ** 2) ** 0.5
    if apart > reach:
        score -= (apart - reach) * cost
    glide = 0.5 + speed * 0.35 / max(helm.ship.thrust, 1)
    ex, ey = x + gx * glide, y + gy * glide
    if x < 0.0 or y < 0.0 or x > width or y > height:
        score -= OFF_TABLE
    beyond = max(-ex, ex - width, 0.0) + max(-ey, ey - height, 0.0)
    return float(score - beyond * EDGE * 0.1)
