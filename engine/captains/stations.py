"""Where a ship of Continuum is to stand after its move: every move its drive allows, judged by fire given and taken."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.courses import Option, options_of, pushed, thrust_of
from engine.captains.doctrine import Doctrine
from engine.captains.expected import STEP, STEPS, Ward
from engine.captains.helm import ALOOF, APPROACH, BLIND, COMPANY, EDGE, FEAR, HASTE, SHUN, WATCHED
from engine.captains.marks import Mark, bearer_of, defences, facing, going, shell_of
from engine.captains.range_tables import Table, arc_place, range_table, weapons_of, worths
from engine.combat.guns import GUNS, LINE
from engine.dice import Dice
from engine.geometry import COURSES
from engine.state import BattleState, ShipState
from engine.systems.spinal import ahead_of_bow

Point = tuple[float, float]
_LINE = 1e-6
_OFF_TABLE = 50.0
PUSHED = 4  # of the best moves by vectors that are tried with pushes
_ASTERN = 3  # the place of the aft arc


class Helm(NamedTuple):
    """What a ship's moves are judged by. `near`: foes with the fire it gives each and takes from each; `wanted`: MU it
    likes to be away while nothing bears; `fast`: velocity its drive can handle; `middle`: of its fleet; `spines`: what
    its mounts along the bow do to each of the near at each step of range.
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
    spines: list[list[tuple[float, ...]]]


def steer(
    state: BattleState,
    ship: ShipState,
    marks: list[Mark],
    middle: Point,
    doctrine: Doctrine,
    dice: Dice,
    *,
    aloof: bool = False,
) -> Option:
    """The move to the best place; of equally good ones a die decides.

    `marks` stand where they will be if they fly on; `middle` is where the fleet's middle will be. `aloof`: it keeps
    away from the foe.
    """
    options = options_of(state, ship)
    if not marks:
        return _wait(ship, options, state.table)
    helm = at_helm(state, ship, marks, middle, doctrine, aloof=aloof)
    rated = [(fire_balance(helm, option) + lie(helm, option), option) for option in options]
    if ship.drift is not None:
        rated += _pushing(helm, rated, thrust_of(state, ship)[1])
    best = max(score for score, _ in rated) - _LINE
    found = [option for score, option in rated if score > best]
    return found[0] if len(found) == 1 else found[dice.roll("captain", ship.id, len(found)) - 1]


def _pushing(helm: Helm, rated: list[tuple[float, Option]], thrusters: int) -> list[tuple[float, Option]]:
    """The best moves by vectors again, with pushes."""
    ranked = sorted(range(len(rated)), key=lambda place: (-rated[place][0], place))[:PUSHED]
    options = [option for place in ranked for option in pushed(rated[place][1], thrusters)]
    return [(fire_balance(helm, option) + lie(helm, option), option) for option in options]


def at_helm(
    state: BattleState, ship: ShipState, marks: list[Mark], middle: Point, doctrine: Doctrine, *, aloof: bool = False
) -> Helm:
    """What a ship's moves are judged by this turn. What it fires along a line is judged by itself."""
    gx, gy = going(ship)
    ax, ay = ship.x + gx, ship.y + gy
    near = sorted(marks, key=lambda mark: (mark.x - ax) ** 2 + (mark.y - ay) ** 2)[:WATCHED]
    ward, stretch = defences(state, ship)
    bearer, shell = bearer_of(ship, doctrine.never), shell_of(ship)
    lines = [
        weapon
        for weapon in weapons_of(ship.rig, ship.sheet)
        if GUNS[weapon.fit.type].along and weapon.place not in bearer.out
    ]
    if lines:
        bearer = bearer._replace(out=tuple(sorted((*bearer.out, *(weapon.place for weapon in lines)))))
    fires = [(mark, range_table(bearer, ship.sheet, mark.ward, mark.shell), mark.fire_at(ward, shell)) for mark in near]
    spines = [
        [worths(weapon.fit, "", mark.ward, mark.shell) for weapon in lines if GUNS[weapon.fit.type].along == LINE]
        for mark in near
    ]
    wanted = float(doctrine.range) if doctrine.range is not None else liked_range(fires[0][1])
    fast = 2.5 * ship.thrust + 6.0
    return Helm(
        ship, fires, ward, stretch, ALOOF if aloof else wanted, fast, middle, state.table, aloof,
        spines if lines else [],
    )  # fmt: skip


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
    if helm.spines:
        along = _along_bow(helm, option)
        score, bears = score + along, bears or along > 0
    if astern and not helm.aloof:
        score -= BLIND
    if not bears:
        score -= abs(closest - helm.wanted) * APPROACH + 0.5
    return score


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
