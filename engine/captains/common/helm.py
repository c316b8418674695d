"""A captain's helm: each ship searches the moves its thrust allows for the best place to fight
from.

A place is worth the fire given less the fire feared there, cover, company, and room to fly on, with
foes where they will be if they search in the same way. A search goes from coarse to fine: of every
bundle of moves its first, then all the moves of the best bundles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.captains.common.courses import Move, Moves, Way
from engine.captains.common.expected import STEP, STEPS, Ward
from engine.captains.common.foes import Foe, Watched
from engine.captains.common.range_tables import (
    ASTERN,
    PLACES,
    Armament,
    RangeTable,
    arc_place,
    step_of,
)
from engine.core.cache import Cache
from engine.core.dice import Dice
from engine.core.geometry import NEAR, Point
from engine.core.ship import ShipState
from engine.systems.defences import SCREEN_REACH as AREA_REACH
from engine.view.side_view import Contact

LINE = 1e-6
OFF_TABLE = 50.0
PUSHED = 4  # of the best moves by vectors that are tried with pushes

# How many of the nearest foes a ship weighs, how many bundles it looks into, and how the terms of a
# place are weighed.
WATCHED = 3
FINEST = 3
FEAR = 0.75  # of damage taken against damage done
BLIND = 0.5  # the nearest foe in the aft arc
COMPANY = (0.012, 12.0)  # a MU away from the fleet's middle, beyond so many
FORMED = (0.2, 3.0)  # the same while fighters are about
APPROACH = 0.05  # a MU off the preferred range while nothing bears
EDGE = 0.8  # a MU beyond the edge, where it is heading
# What of the fire at a ship gets through each level of area screens above it, about.
THROUGH = (1.0, 0.78, 0.6)
GATHER = 0.8  # what a MU outside friends' area screens costs, up to so many
STRAGGLES = 12.0
TARGETS_OF_FOES = "dangerous"  # whom foes are taken to prefer
MOST_CHOICES = 8192  # searches that are kept

# The step of range of a squared range, in parts of so many to the MU.
FINE = 4.0
STEP_AT = tuple(
    step_of((place / FINE) ** 0.5) for place in range(int((STEPS * STEP) ** 2 * FINE) + 2)
)

# Where the arcs after the bow's begin in the rows of a range table (`range_tables.PLACES`).
BOW_STARBOARD, STERN_STARBOARD, STERN, STERN_PORT, BOW_PORT = (
    place * STEPS for place in range(1, PLACES)
)

Lure = Callable[
    [float, float, int, float], float
]  # what else a place is worth: by x, y, the course and the speed
Risk = Callable[[Move], float]  # what a move may cost among asteroids
Rated = tuple[list[float], list[Move]]  # what moves are worth, and the moves
Rows = tuple[float, ...]
# A foe as the search meets it: the most that fire at it and at those after it is worth; where it is
# and faces; the squared MU to which the ship's fire is worth anything there, how a squared range
# counts, the foe's weight and the table of that fire; the same of the foe's fire, with what it
# faces drawn out by the slope of arcs.
Sighted = tuple[
    float, float, float, float, float, float, float, float, Rows, float, float, float, float, Rows
]


class Umbrella(NamedTuple):
    """Area screens of a friend: where they will be, and how many levels."""

    x: float
    y: float
    levels: int


Flown = ShipState | Contact  # a ship of the side, or one that it sees


class Outlook(NamedTuple):
    """All that a search follows from beside its moves: like outlooks lead to the same choice.

    `near`: the foes that are weighed, the nearest first; `fires`, `ward`, `shell`: of the ship, and
    `stretch`, how much longer ranges to it count; `greed`: what fire given counts. `wanted`: None:
    as its fire does best. The others: see Helm.
    """

    ship: Flown
    near: tuple[Watched, ...]
    fires: Armament
    ward: Ward
    middle: Point
    table: Point
    shell: float = 0.0
    stretch: float = 1.0
    greed: float = 1.0
    wanted: float | None = None
    company: Point = COMPANY
    covers: tuple[Umbrella, ...] = ()
    fear: float = FEAR
    blind: float = BLIND

    def helm(self, lures: tuple[Lure, ...] = (), risk: Risk | None = None) -> Helm:
        """What the ship's moves are judged by."""
        wanted = self.wanted
        if wanted is None:
            _, _, _, _, _, _, ward, shell, _ = self.near[0]
            wanted = self.fires.table(ward, shell).liked
        return Helm(
            self.ship, sighted(self), wanted, self.middle, self.table, self.company, lures, self.covers, risk,
            self.fear, self.blind,
        )  # fmt: skip


class Sought(NamedTuple):
    """A search to be made: what it follows from, how its moves are listed, and functions that judge
    places and moves too. A search with any of these is never kept: a function made anew is like no
    other.
    """

    outlook: Outlook
    way: Way
    lures: tuple[Lure, ...] = ()
    risk: Risk | None = None


class Choice(NamedTuple):
    """What a search came to: the best move and its worth, and the moves that are as good, it among
    them.
    """

    worth: float
    best: Move
    alike: tuple[Move, ...]


class Helm(NamedTuple):
    """What a ship's moves are judged by.

    `near`: the foes as sighted; `wanted`: MU it likes to be away while nothing bears; `middle`: of
    its fleet; `table`: its size; `company`: see COMPANY; `lures`: what else is worth something;
    `covers`: friends' area screens; `risk`: of asteroids. `fear`, `blind`: what fire taken, and a
    foe astern, count.
    """

    ship: Flown
    near: list[Sighted]
    wanted: float
    middle: Point
    table: Point
    company: Point = COMPANY
    lures: tuple[Lure, ...] = ()
    covers: tuple[Umbrella, ...] = ()
    risk: Risk | None = None
    fear: float = FEAR
    blind: float = BLIND


def nearest(watched: Sequence[Watched], ship: Flown, going: Point) -> list[int]:
    """The places of the foes a ship weighs: those nearest to where it will be if it flies on, the
    nearest first.
    """
    x, y = ship.x + going[0], ship.y + going[1]
    squares = [(foe[0] - x) * (foe[0] - x) + (foe[1] - y) * (foe[1] - y) for foe in watched]
    return sorted(range(len(squares)), key=squares.__getitem__)[:WATCHED]


def sighted(outlook: Outlook) -> list[Sighted]:
    """Foes as the search of a ship meets them.

    Those that no move brings into reach of either side are left out; where that is all, the nearest
    one stays.
    """
    ship, near, fires, ward, _, _, shell, stretch, greed, _, _, _, _, _ = outlook
    found: list[Sighted] = []
    slope = fires.compass.slope
    x, y, travel = ship.x, ship.y, ship.velocity + ship.thrust
    own = stretch * stretch * FINE
    still = 0.0
    for fx, fy, ux, uy, weight, far, foes_ward, foes_shell, foes_fire in reversed(near):
        given, taken = fires.table(foes_ward, foes_shell), foes_fire.table(ward, shell)
        given_to, taken_to = given.reach * STEP / far, taken.reach * STEP / stretch
        dx, dy = fx - x, fy - y
        away = (dx * dx + dy * dy) ** 0.5 - travel
        if away <= given_to:
            still += given.most[int(away * far / STEP) if away > 0.0 else 0] * weight * greed
        elif away > taken_to:
            continue
        found.append(
            (
                still, fx, fy, ux, uy, given_to * given_to, far * far * FINE, weight * greed, given.rows,
                taken_to * taken_to, own, ux * slope, uy * slope, taken.rows,
            )
        )  # fmt: skip
    if not found:
        return [
            (0.0, near[0][0], near[0][1], 0.0, 0.0, -1.0, 1.0, 0.0, (), -1.0, 1.0, 0.0, 0.0, ())
        ]
    found.reverse()
    return found


def judge(helm: Helm, moves: Sequence[Move], least: float | None = None) -> list[float]:
    """What the end of each move is worth; where it cannot come near the best nor reach `least`, no
    less than that.

    Without `least` each is judged to the end. What moves risk is left to `at_risk`. Captains spend
    most of their time here, so this is the one loop written for speed: arcs (see `arc_place`) are
    worked out on the spot, and what a move costs anyhow comes first.
    """
    ship, near, wanted, (mx, my), (width, height), (cost, reach), lures, covers, _, fear, blind = (
        helm
    )
    x0, y0 = ship.x, ship.y
    reach_squared = reach * reach
    pruned = least is not None and not lures and not covers
    limit = least if least is not None and pruned else -1e9
    most = near[0][0] if near else 0.0
    found: list[float] = []
    for move in moves:
        wx, wy, course, ux, uy, sx, sy, speed, ex, ey, haste = move.judged
        x, y = x0 + wx, y0 + wy
        score = -haste
        dx, dy = x - mx, y - my
        apart = dx * dx + dy * dy
        if apart > reach_squared:
            score -= (apart**0.5 - reach) * cost
        if x < 0.0 or y < 0.0 or x > width or y > height:
            score -= OFF_TABLE
        ex += x
        ey += y
        if ex < 0.0:
            score += ex * EDGE
        elif ex > width:
            score -= (ex - width) * EDGE
        if ey < 0.0:
            score += ey * EDGE
        elif ey > height:
            score -= (ey - height) * EDGE
        if score + most <= limit:
            found.append(score + most)
            continue
        feared, closest, cx, cy, bears, step = 0.0, 1e9, 0.0, 0.0, False, 0
        for (
            still,
            fx,
            fy,
            fux,
            fuy,
            given_to,
            far,
            weight,
            given,
            taken_to,
            near_by,
            fsx,
            fsy,
            taken,
        ) in near:
            if score - feared * fear + still <= limit:
                break
            dx, dy = fx - x, fy - y
            squared = dx * dx + dy * dy
            if squared < closest:
                closest, cx, cy = squared, dx, dy
            if squared <= given_to:
                step = STEP_AT[int(squared * far)]
                ahead = dx * ux + dy * uy
                right = dx * sy - dy * sx
                if right >= 0.0:
                    if right <= ahead:
                        worth = given[step]
                    elif right <= -ahead:
                        worth = given[STERN + step]
                    else:
                        worth = given[(BOW_STARBOARD if ahead > 0.0 else STERN_STARBOARD) + step]
                elif right >= -ahead:
                    worth = given[step]
                elif right >= ahead:
                    worth = given[STERN + step]
                else:
                    worth = given[(BOW_PORT if ahead > 0.0 else STERN_PORT) + step]
                if worth:
                    bears = True
                    score += worth * weight
            if squared <= taken_to:
                if squared > given_to or near_by != far:  # else the step is found
                    step = STEP_AT[int(squared * near_by)]
                ahead = -dx * fux - dy * fuy
                right = dy * fsx - dx * fsy
                if right >= 0.0:
                    if right <= ahead:
                        feared += taken[step]
                    elif right <= -ahead:
                        feared += taken[STERN + step]
                    else:
                        feared += taken[(BOW_STARBOARD if ahead > 0.0 else STERN_STARBOARD) + step]
                elif right >= -ahead:
                    feared += taken[step]
                elif right >= ahead:
                    feared += taken[STERN + step]
                else:
                    feared += taken[(BOW_PORT if ahead > 0.0 else STERN_PORT) + step]
        else:
            still = 0.0
        if still:
            found.append(score - feared * fear + still)
            continue
        for lure in lures:
            extra = lure(x, y, course, speed)
            score += extra
            bears = bears or extra > 0
        if covers:
            if feared:
                feared *= _through(covers, x, y)
            score -= _beside(covers, x, y) * GATHER
        if feared:
            score -= feared * fear
        ahead = cx * ux + cy * uy
        if ahead < 0.0:
            right = cx * sy - cy * sx
            if ahead <= right <= -ahead:  # the nearest foe is astern
                score -= blind
        if not bears:
            away = closest**0.5
            score -= (away - wanted if away > wanted else wanted - away) * APPROACH + 0.5
        found.append(score)
        if pruned and score - LINE > limit:
            limit = score - LINE
    return found


def at_risk(helm: Helm, worths: list[float], moves: Sequence[Move]) -> list[float]:
    """Worths of moves less what each risks, as far as that matters: a risk takes long to work out,
    so it is left out of moves that are neither among the first few nor as good as the best even
    without it.
    """
    if helm.risk is None:
        return worths
    found = list(worths)
    few = 1 if helm.ship.drift is None else PUSHED
    first: list[float] = []  # what the best few are worth, the best first
    for place in sorted(range(len(found)), key=found.__getitem__, reverse=True):
        if len(first) == few and found[place] < first[-1] and found[place] <= first[0] - LINE:
            break
        found[place] -= helm.risk(moves[place])
        first = sorted((*first, found[place]), reverse=True)[:few]
    return found


def rated(helm: Helm, tried: Moves) -> Rated:
    """What moves are worth: the first of every bundle, and the others of the best bundles."""
    firsts, others = tried
    whole = helm.ship.drift is not None or helm.risk is not None
    scores = judge(helm, firsts, None if whole else -1e9)
    coarse = len(firsts) > FINEST and helm.risk is None
    least = sorted(scores)[-FINEST] if coarse else -1e9
    rest = [
        move
        for score, bundle in zip(scores, others, strict=True)
        if score >= least
        for move in bundle
    ]
    worths = scores + judge(helm, rest, None if whole else max(scores) - LINE) if rest else scores
    moves = [*firsts, *rest]
    if helm.risk is not None:
        return at_risk(helm, worths, moves), moves
    if coarse and max(worths) < -OFF_TABLE / 2:  # whatever keeps it on the table
        rest = [
            move
            for score, bundle in zip(scores, others, strict=True)
            if score < least
            for move in bundle
        ]
        return worths + judge(helm, rest), moves + rest
    return worths, moves


# Kept searches save 9% of a first battle and nothing of large ones (decision 122).
_CHOICES: Cache[tuple[object, ...], Choice | None] = Cache(MOST_CHOICES)


def search(sought: Sought, more: Callable[[Helm, Rated], Rated] | None = None) -> Choice:
    """The best of a ship's moves; kept for like outlooks.

    `more`: rates other moves once those of its way are rated.
    """
    outlook, way, lures, risk = sought
    if lures or risk is not None:
        return _searched(outlook.helm(lures, risk), way, more)
    ship = outlook.ship
    key = ship.x, ship.y, ship.velocity, ship.thrust, way, more is None, outlook[1:]
    found = _CHOICES.get(key)
    if found is None:
        found = _searched(outlook.helm(), way, more)
        _CHOICES.keep(key, found)
    return found


def expected(sought: Sought) -> Choice | None:
    """The best of a foe's moves; None where none brings anybody into reach of fire."""
    outlook, way, lures, risk = sought
    ship = outlook.ship
    known = not lures and risk is None
    key = ship.x, ship.y, ship.velocity, ship.thrust, way, outlook[1:]
    if known and key in _CHOICES:
        return _CHOICES[key]
    helm = outlook.helm(lures, risk)
    found = _searched(helm, way, None) if in_reach(helm.near) else None
    if known:
        _CHOICES.keep(key, found)
    return found


def _searched(helm: Helm, way: Way, more: Callable[[Helm, Rated], Rated] | None) -> Choice:
    lists, told = way
    worths, moves = rated(helm, lists(*told))
    if more is not None:
        added, others = more(helm, (worths, moves))
        worths, moves = worths + added, moves + others
    worth = max(worths)
    line = worth - LINE
    alike = [move for score, move in zip(worths, moves, strict=True) if score > line]
    return Choice(worth, moves[worths.index(worth)], tuple(alike))


def foresee(foes: Sequence[Foe], search_of: Callable[[Foe], Sought | None]) -> None:
    """Set foes where they will be if each flies the move that is best for it while all others fly
    on.

    `search_of`: a foe's search; None of one that can but fly on. All are judged before any is set.
    """
    found: list[tuple[Foe, Point, Point]] = []
    for foe in foes:
        sought = search_of(foe)
        if sought is not None:
            choice = expected(sought)
            if choice is not None:
                ship, move = sought.outlook.ship, choice.best
                found.append((foe, (ship.x + move.wx, ship.y + move.wy), (move.ux, move.uy)))
    for foe, place, facing in found:
        (foe.x, foe.y), (foe.ux, foe.uy) = place, facing


def in_reach(near: list[Sighted]) -> bool:
    """Whether there is any foe that a move brings into reach of either side's fire."""
    return near[0][5] >= 0.0 or near[0][9] >= 0.0


def pick(name: str, choice: Choice, dice: Dice) -> Move:
    """The best move of the ship of that name; of equally good ones a die decides."""
    moves = choice.alike
    return moves[0] if len(moves) == 1 else moves[dice.roll("captain", name, len(moves)) - 1]


def _through(covers: tuple[Umbrella, ...], x: float, y: float) -> float:
    """What of the fire at a place gets through friends' area screens."""
    levels = sum(
        cover.levels
        for cover in covers
        if (cover.x - x) ** 2 + (cover.y - y) ** 2 <= AREA_REACH * AREA_REACH
    )
    return THROUGH[min(levels, len(THROUGH) - 1)]


def _beside(covers: tuple[Umbrella, ...], x: float, y: float) -> float:
    """How far a place is from the nearest area screens that would cover it."""
    away = min((cover.x - x) ** 2 + (cover.y - y) ** 2 for cover in covers)
    return float(min(max(away**0.5 - AREA_REACH, 0.0), STRAGGLES))


def fire_through(
    table: RangeTable, dx: float, dy: float, facing: Point, slope: float, stretch: float
) -> float:
    """What a table says of fire at a point `dx`, `dy` MU away, which seems `stretch` times as
    far.
    """
    step = int((dx * dx + dy * dy) ** 0.5 * stretch / STEP - NEAR)
    return (
        table.rows[arc_place(dx, dy, facing[0], facing[1], slope) * STEPS + step]
        if step < table.reach
        else 0.0
    )


assert (PLACES, STEPS, ASTERN) == (6, 18, 3)  # by which `judge` finds the rows of an arc
