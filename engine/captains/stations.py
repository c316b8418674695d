"""What a place is worth to a ship of Continuum: the fire given and taken there, cover, company, room to fly on."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.courses import Option
from engine.captains.doctrine import Doctrine
from engine.captains.expected import STEP, STEPS
from engine.captains.helm import APPROACH, BLIND, COMPANY, EDGE, FEAR, HASTE, WATCHED
from engine.captains.marks import Mark, bearer_of, defences, facing, going, shell_of
from engine.captains.range_tables import Table, range_table, weapons_of, worths
from engine.core.geometry import COURSES, Point
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.systems.defences import SCREEN_REACH as AREA_REACH
from engine.weapons.spinal import ahead_of_bow
from engine.weapons.weapon import LINE

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
        weapon
        for weapon in weapons_of(ship.profile, ship.sheet)
        if weapon.kind.along and weapon.place not in bearer.out
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


# What arcs are counted from, by whether they are turned and by the course.
FACES = tuple(tuple(facing(course, beta) for course in range(13)) for beta in (False, True))


def values(helm: Helm, options: list[Option]) -> list[float]:
    """What the end of each move is worth: the fire given less the fire feared there (while nothing bears, how far off
    the place is), speed in hand, cover, company, room before the edges of the table.

    All moves in one sweep, arcs (see `arc_place`) worked out on the spot: captains spend most of their time here.
    """
    spines, covers = helm.spines, helm.covers
    faces = FACES[helm.ship.sheet.beta]
    width, height = helm.table
    mx, my = helm.middle
    fast, greed, fear, wanted, stretch = helm.fast, helm.greed, helm.fear, helm.wanted, helm.stretch
    cost, reach = COMPANY
    thrust = max(helm.ship.thrust, 1)
    near = [
        (mark.x, mark.y, mark.ux, mark.uy, mark.stretch, [worth * mark.weight * greed for worth in given], taken)
        for mark, given, taken in helm.near
    ]
    found = []
    for option in options:
        x, y, course, gx, gy = option[0], option[1], option[2], option[3], option[4]
        ux, uy = faces[course]
        score, feared, closest, astern, bears = 0.0, 0.0, 1e9, False, False
        for fx, fy, fux, fuy, far, given, taken in near:
            dx, dy = fx - x, fy - y
            distance = (dx * dx + dy * dy) ** 0.5
            ahead = dx * ux + dy * uy
            right = dx * uy - dy * ux
            if right > 0:
                if right * 1.7320508 <= (ahead if ahead > 0 else -ahead):
                    arc = 0 if ahead > 0 else 3
                else:
                    arc = 1 if ahead > 0 else 2
            elif -right * 1.7320508 <= (ahead if ahead > 0 else -ahead):
                arc = 0 if ahead > 0 else 3
            else:
                arc = 5 if ahead > 0 else 4
            if distance < closest:
                closest, astern = distance, arc == ASTERN
            step = int(distance * far / STEP)
            if step < STEPS:
                worth = given[arc * STEPS + step]
                if worth:
                    bears = True
                    score += worth
            step = int(distance * stretch / STEP)
            if step < STEPS:
                ahead = -dx * fux + -dy * fuy
                right = -dx * fuy - -dy * fux
                if right > 0:
                    if right * 1.7320508 <= (ahead if ahead > 0 else -ahead):
                        arc = 0 if ahead > 0 else 3
                    else:
                        arc = 1 if ahead > 0 else 2
                elif -right * 1.7320508 <= (ahead if ahead > 0 else -ahead):
                    arc = 0 if ahead > 0 else 3
                else:
                    arc = 5 if ahead > 0 else 4
                feared += taken[arc * STEPS + step]
        if spines:
            along = _along_bow(helm, option)
            score, bears = score + along, bears or along > 0
        if covers and feared:
            feared *= _through(covers, option)
        score -= feared * fear
        if astern:
            score -= BLIND
        if not bears:
            score -= abs(closest - wanted) * APPROACH + 0.5
        lying = 0.0
        speed = (gx * gx + gy * gy) ** 0.5
        if speed > fast:
            lying -= (speed - fast) * HASTE
        if covers:
            lying -= _beside(covers, x, y) * GATHER
        apart = ((x - mx) ** 2 + (y - my) ** 2) ** 0.5
        if apart > reach:
            lying -= (apart - reach) * cost
        glide = 0.5 + speed * 0.35 / thrust
        ex, ey = x + gx * glide, y + gy * glide
        if x < 0.0 or y < 0.0 or x > width or y > height:
            lying -= OFF_TABLE
        if ex < 0.0:
            beyond = -ex
        elif ex > width:
            beyond = ex - width
        else:
            beyond = 0.0
        if ey < 0.0:
            beyond += -ey
        elif ey > height:
            beyond += ey - height
        found.append(score + (lying - beyond * EDGE * 0.1))
    return found


def value(helm: Helm, option: Option) -> float:
    """What the end of a move is worth."""
    return values(helm, [option])[0]


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
