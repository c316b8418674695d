"""The move search: each ship looks for the best place to fight from that its thrust can reach.

A place is rated by the damage expected at the foes and from them, cover, nearness to the fleet and
room to fly on. Foes are assumed to move by the same search. The search first rates one move of
every bundle, then all moves of the best bundles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import sqrt
from typing import NamedTuple

from engine.captains.common.expected_damage import STEP, STEPS, DefenceProfile
from engine.captains.common.foes import Foe, FoeFactors
from engine.captains.common.move_options import Move, MoveLister, Moves
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
from engine.core.geometry import NEAR, Point, squared_length
from engine.core.ship import ShipState
from engine.systems.defences import SCREEN_REACH as AREA_REACH
from engine.view.side_view import Contact

LINE = 1e-6
OFF_TABLE = 50.0
PUSH_TRIALS = 4  # the best vector moves that are tried with pushes

# How many of the nearest foes a ship considers, how many bundles it searches in full, and the
# weights of a place's factors.
MAX_FOES_WEIGHED = 3
MAX_BUNDLES = 3
FEAR = 0.75  # weight of damage taken against damage done
STERN_PENALTY = 0.5  # for the nearest foe in the aft arc
COMPANY = (0.012, 12.0)  # per MU from the fleet's centre, beyond so many MU
COMPANY_UNDER_FIGHTERS = (0.2, 3.0)  # the same while fighters are about
APPROACH = 0.05  # per MU off the preferred range while nothing bears
EDGE = 0.8  # per MU beyond the edge, where the ship is heading
# Share of the fire at a ship that passes each level of area screens over it, approximately.
COVER_FACTORS = (1.0, 0.78, 0.6)
COVER_COST = 0.8  # per MU outside friends' area screens, up to the limit
COVER_LIMIT = 12.0
TARGETS_OF_FOES = "dangerous"  # the assumed target priority of foes
MAX_RESULTS = 8192  # searches that are cached

# Step of range by squared range; FINE is the number of entries per squared MU.
FINE = 4.0
FARTHEST = STEPS * STEP  # MU
STEP_AT = tuple(step_of(sqrt(place / FINE)) for place in range(int(FARTHEST * FARTHEST * FINE) + 2))

# Offsets in the rows of a range table of the arcs after the bow's (`range_tables.PLACES`).
BOW_STARBOARD, STERN_STARBOARD, STERN, STERN_PORT, BOW_PORT = (
    place * STEPS for place in range(1, PLACES)
)

# Additional worth of a place, by x, y, course and speed.
ScoreBonus = Callable[[float, float, int, float], float]
CollisionRisk = Callable[[Move], float]  # expected cost of a move among asteroids
ScoredMoves = tuple[list[float], list[Move]]  # the worth of each move, and the moves
Rows = tuple[float, ...]
# A foe as the search uses it: the most that fire at it and at the foes after it can be worth; its
# position and facing; for the ship's fire at it the squared reach in MU, the factor of squared
# ranges, the foe's weight and the rows of the range table; for its own fire the squared reach, the
# factor, its facing times the slope of arcs, and the rows.
FoeInSearch = tuple[
    float, float, float, float, float, float, float, float, Rows, float, float, float, float, Rows
]


class AreaScreenCover(NamedTuple):
    """Area screens of a friend: where they will be, and how many levels."""

    x: float
    y: float
    levels: int


MovingShip = ShipState | Contact  # a ship of the side, or one that it sees


class SearchInputs(NamedTuple):
    """Everything that decides a search apart from the moves; equal inputs give equal results.

    Attributes:
        ship: The ship that moves.
        foes: The foes to consider, nearest first.
        armament: The ship's armament.
        defence: The ship's defences.
        armour_ratio: The ship's boxes of armour per box of hull.
        range_factor: The factor for ranges to the ship.
        gain_weight: The weight of damage done.
        preferred_range: In MU; None for the best range of its weapons.

    The other attributes are explained in MoveScorer.
    """

    ship: MovingShip
    foes: tuple[FoeFactors, ...]
    armament: Armament
    defence: DefenceProfile
    fleet_centre: Point
    table: Point
    armour_ratio: float = 0.0
    range_factor: float = 1.0
    gain_weight: float = 1.0
    preferred_range: float | None = None
    company: Point = COMPANY
    covers: tuple[AreaScreenCover, ...] = ()
    fear: float = FEAR
    stern_penalty: float = STERN_PENALTY

    def scorer(
        self, bonuses: tuple[ScoreBonus, ...] = (), risk: CollisionRisk | None = None
    ) -> MoveScorer:
        """Return the scorer for the ship's moves."""
        preferred_range = self.preferred_range
        if preferred_range is None:
            _, _, _, _, _, _, defence, armour_ratio, _ = self.foes[0]
            preferred_range = self.armament.table(defence, armour_ratio).preferred_range
        return MoveScorer(
            self.ship,
            foes=foes_in_search(self),
            preferred_range=preferred_range,
            fleet_centre=self.fleet_centre,
            table=self.table,
            company=self.company,
            bonuses=bonuses,
            covers=self.covers,
            risk=risk,
            fear=self.fear,
            stern_penalty=self.stern_penalty,
        )


class SearchRequest(NamedTuple):
    """A search to be made: its inputs, the move lister, and functions that rate places and moves.

    A search with such functions is never cached, because two functions never compare equal.
    """

    inputs: SearchInputs
    move_lister: MoveLister
    bonuses: tuple[ScoreBonus, ...] = ()
    risk: CollisionRisk | None = None


class SearchResult(NamedTuple):
    """The result of a search: the best worth, the best move, and all equally good moves."""

    worth: float
    best: Move
    equals: tuple[Move, ...]


class MoveScorer(NamedTuple):
    """Everything that rates a ship's moves.

    Attributes:
        ship: The ship that moves.
        foes: The foes as the search uses them.
        preferred_range: The distance in MU to keep while nothing bears.
        fleet_centre: The centre of the fleet.
        table: The size of the table.
        company: See COMPANY.
        bonuses: Additional worth of places.
        covers: Friends' area screens.
        risk: Of asteroids.
        fear: The weight of damage taken.
        stern_penalty: The cost of a foe astern.
    """

    ship: MovingShip
    foes: list[FoeInSearch]
    preferred_range: float
    fleet_centre: Point
    table: Point
    company: Point = COMPANY
    bonuses: tuple[ScoreBonus, ...] = ()
    covers: tuple[AreaScreenCover, ...] = ()
    risk: CollisionRisk | None = None
    fear: float = FEAR
    stern_penalty: float = STERN_PENALTY


def nearest_foes(watched: Sequence[FoeFactors], ship: MovingShip, going: Point) -> list[int]:
    """Return the indexes of the foes to consider, nearest first from where the ship glides to."""
    x, y = ship.x + going[0], ship.y + going[1]
    squares = []
    for foe in watched:
        squares.append((foe[0] - x) * (foe[0] - x) + (foe[1] - y) * (foe[1] - y))
    return sorted(range(len(squares)), key=squares.__getitem__)[:MAX_FOES_WEIGHED]


# The rest of a FoeInSearch that neither fires nor can be fired at.
NO_FIRE: tuple[float, float, float, float, float, Rows, float, float, float, float, Rows] = (
    0.0,
    0.0,
    -1.0,
    1.0,
    0.0,
    (),
    -1.0,
    1.0,
    0.0,
    0.0,
    (),
)


def foes_in_search(inputs: SearchInputs) -> list[FoeInSearch]:
    """Return the foes as a ship's search uses them.

    Foes that no move brings into reach of either side are left out; if that is all of them, the
    nearest stays.
    """
    own_armament = inputs.armament
    armour_ratio, range_factor = inputs.armour_ratio, inputs.range_factor
    slope = own_armament.compass.slope
    x, y = inputs.ship.x, inputs.ship.y
    travel = inputs.ship.velocity + inputs.ship.thrust
    foe_factor = range_factor * range_factor * FINE
    most_remaining = 0.0
    result: list[FoeInSearch] = []
    for foe in reversed(inputs.foes):
        fx, fy, ux, uy, weight, foe_range_factor, foe_defence, foe_armour_ratio, foe_armament = foe
        own_table = own_armament.table(foe_defence, foe_armour_ratio)
        foe_table = foe_armament.table(inputs.defence, armour_ratio)
        own_reach = own_table.reach * STEP / foe_range_factor
        foe_reach = foe_table.reach * STEP / range_factor
        dx, dy = fx - x, fy - y
        least_distance = sqrt(dx * dx + dy * dy) - travel
        if least_distance <= own_reach:
            step = int(least_distance * foe_range_factor / STEP) if least_distance > 0.0 else 0
            most_remaining += own_table.most[step] * weight * inputs.gain_weight
        elif least_distance > foe_reach:
            continue
        result.append(
            (
                most_remaining,
                fx,
                fy,
                ux,
                uy,
                own_reach * own_reach,
                foe_range_factor * foe_range_factor * FINE,
                weight * inputs.gain_weight,
                own_table.rows,
                foe_reach * foe_reach,
                foe_factor,
                ux * slope,
                uy * slope,
                foe_table.rows,
            )
        )
    if not result:
        x, y = inputs.foes[0][:2]
        return [(0.0, x, y, *NO_FIRE)]
    result.reverse()
    return result


def score_moves(  # noqa: PLR0915, PLR0912, C901 -- the one hot loop, written out for speed
    scorer: MoveScorer, moves: Sequence[Move], least: float | None = None
) -> list[float]:
    """Return the worth of each move, or an upper limit for moves that cannot be the best.

    A move that cannot reach `least` gets a limit too; without it each move is rated completely.
    Risks are left to `subtract_risks`. Captains spend most of their time here, so this is the one
    loop written for speed: arcs (see `arc_place`) are computed inline, and the costs that need no
    foes come first.
    """
    (
        ship,
        foes,
        preferred_range,
        (mx, my),
        (width, height),
        (cost, reach),
        bonuses,
        covers,
        _,
        fear,
        stern_penalty,
    ) = scorer
    x0, y0 = ship.x, ship.y
    reach_squared = reach * reach
    pruned = least is not None and not bonuses and not covers
    limit = least if least is not None and pruned else -1e9
    most = foes[0][0] if foes else 0.0
    scores: list[float] = []
    for move in moves:
        wx, wy, course, ux, uy, sx, sy, speed, ex, ey, speed_penalty = move.score_inputs
        x, y = x0 + wx, y0 + wy
        score = -speed_penalty
        dx, dy = x - mx, y - my
        squared_gap = dx * dx + dy * dy
        if squared_gap > reach_squared:
            score -= (sqrt(squared_gap) - reach) * cost
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
            scores.append(score + most)
            continue
        damage_feared, closest, closest_dx, closest_dy, has_effect, step = (
            0.0,
            1e9,
            0.0,
            0.0,
            False,
            0,
        )
        for (
            most_remaining,
            fx,
            fy,
            fux,
            fuy,
            own_reach,
            own_factor,
            weight,
            own_rows,
            foe_reach,
            foe_factor,
            fsx,
            fsy,
            foe_rows,
        ) in foes:
            if score - damage_feared * fear + most_remaining <= limit:
                break
            dx, dy = fx - x, fy - y
            squared = dx * dx + dy * dy
            if squared < closest:
                closest, closest_dx, closest_dy = squared, dx, dy
            if squared <= own_reach:
                step = STEP_AT[int(squared * own_factor)]
                ahead = dx * ux + dy * uy
                right = dx * sy - dy * sx
                if right >= 0.0:
                    if right <= ahead:
                        worth = own_rows[step]
                    elif right <= -ahead:
                        worth = own_rows[STERN + step]
                    else:
                        worth = own_rows[(BOW_STARBOARD if ahead > 0.0 else STERN_STARBOARD) + step]
                elif right >= -ahead:
                    worth = own_rows[step]
                elif right >= ahead:
                    worth = own_rows[STERN + step]
                else:
                    worth = own_rows[(BOW_PORT if ahead > 0.0 else STERN_PORT) + step]
                if worth:
                    has_effect = True
                    score += worth * weight
            if squared <= foe_reach:
                if (
                    squared > own_reach or foe_factor != own_factor
                ):  # otherwise the step is known already
                    step = STEP_AT[int(squared * foe_factor)]
                ahead = -dx * fux - dy * fuy
                right = dy * fsx - dx * fsy
                if right >= 0.0:
                    if right <= ahead:
                        damage_feared += foe_rows[step]
                    elif right <= -ahead:
                        damage_feared += foe_rows[STERN + step]
                    else:
                        damage_feared += foe_rows[
                            (BOW_STARBOARD if ahead > 0.0 else STERN_STARBOARD) + step
                        ]
                elif right >= -ahead:
                    damage_feared += foe_rows[step]
                elif right >= ahead:
                    damage_feared += foe_rows[STERN + step]
                else:
                    damage_feared += foe_rows[(BOW_PORT if ahead > 0.0 else STERN_PORT) + step]
        else:
            most_remaining = 0.0
        if most_remaining:
            scores.append(score - damage_feared * fear + most_remaining)
            continue
        for bonus in bonuses:
            extra = bonus(x, y, course, speed)
            score += extra
            has_effect = has_effect or extra > 0
        if covers:
            if damage_feared:
                damage_feared *= _cover_factor(covers, x, y)
            score -= _distance_to_cover(covers, x, y) * COVER_COST
        if damage_feared:
            score -= damage_feared * fear
        ahead = closest_dx * ux + closest_dy * uy
        if ahead < 0.0:
            right = closest_dx * sy - closest_dy * sx
            if ahead <= right <= -ahead:  # the nearest foe is astern
                score -= stern_penalty
        if not has_effect:
            distance = sqrt(closest)
            score -= (
                distance - preferred_range
                if distance > preferred_range
                else preferred_range - distance
            ) * APPROACH + 0.5
        scores.append(score)
        if pruned and score - LINE > limit:
            limit = score - LINE
    return scores


def subtract_risks(scorer: MoveScorer, worths: list[float], moves: Sequence[Move]) -> list[float]:
    """Return the worths of moves less their risks, as far as it matters.

    A risk is slow to compute, so it is skipped for moves that are neither among the first few nor
    as good as the best even without it.
    """
    if scorer.risk is None:
        return worths
    result = list(worths)
    if scorer.ship.drift is None:
        trial_count = 1
    else:
        trial_count = PUSH_TRIALS
    first: list[float] = []  # the worths of the best few, best first
    for place in sorted(range(len(result)), key=result.__getitem__, reverse=True):
        if (
            len(first) == trial_count
            and result[place] < first[-1]
            and result[place] <= first[0] - LINE
        ):
            break
        result[place] -= scorer.risk(moves[place])
        first = sorted((*first, result[place]), reverse=True)[:trial_count]
    return result


def score_bundles(scorer: MoveScorer, candidates: Moves) -> ScoredMoves:
    """Rate the first move of every bundle, and the other moves of the best bundles."""
    firsts, others = candidates
    has_risk = scorer.risk is not None
    may_prune = scorer.ship.drift is None and not has_risk
    first_worths = score_moves(scorer, firsts, -1e9 if may_prune else None)
    skips_bundles = len(firsts) > MAX_BUNDLES and not has_risk
    least = sorted(first_worths)[-MAX_BUNDLES] if skips_bundles else -1e9
    rated_bundles = list(zip(first_worths, others, strict=True))
    rest = list(chain.from_iterable(bundle for worth, bundle in rated_bundles if worth >= least))
    worths = first_worths
    if rest:
        limit = max(first_worths) - LINE if may_prune else None
        worths = first_worths + score_moves(scorer, rest, limit)
    moves = [*firsts, *rest]
    if has_risk:
        return subtract_risks(scorer, worths, moves), moves
    is_off_table = max(worths) < -OFF_TABLE / 2
    if skips_bundles and is_off_table:  # the other bundles may keep the ship on the table
        skipped = list(
            chain.from_iterable(bundle for worth, bundle in rated_bundles if worth < least)
        )
        return worths + score_moves(scorer, skipped), moves + skipped
    return worths, moves


# Cached searches save 9% of a first battle and nothing of large ones (decision 122).
_RESULTS: Cache[tuple[object, ...], SearchResult | None] = Cache(MAX_RESULTS)


def find_best_move(
    request: SearchRequest,
    rate_more: Callable[[MoveScorer, ScoredMoves], ScoredMoves] | None = None,
) -> SearchResult:
    """Return the best of a ship's moves; cached for equal inputs.

    Args:
        rate_more: Rates other moves after those that are listed.
    """
    inputs, move_lister, bonuses, risk = request
    if bonuses or risk is not None:
        return _run_search(inputs.scorer(bonuses, risk), move_lister, rate_more)
    ship = inputs.ship
    key = ship.x, ship.y, ship.velocity, ship.thrust, move_lister, rate_more is None, inputs[1:]
    result = _RESULTS.get(key)
    if result is None:
        result = _run_search(inputs.scorer(), move_lister, rate_more)
        _RESULTS.keep(key, result)
    return result


def find_foe_move(request: SearchRequest) -> SearchResult | None:
    """Return the best of a foe's moves; None if no move brings any unit into reach of fire."""
    inputs, move_lister, bonuses, risk = request
    ship = inputs.ship
    is_cacheable = not bonuses and risk is None
    key = ship.x, ship.y, ship.velocity, ship.thrust, move_lister, inputs[1:]
    if is_cacheable and key in _RESULTS:
        return _RESULTS[key]
    scorer = inputs.scorer(bonuses, risk)
    result = _run_search(scorer, move_lister, None) if is_any_in_reach(scorer.foes) else None
    if is_cacheable:
        _RESULTS.keep(key, result)
    return result


def _run_search(
    scorer: MoveScorer,
    move_lister: MoveLister,
    rate_more: Callable[[MoveScorer, ScoredMoves], ScoredMoves] | None,
) -> SearchResult:
    """Rate the listed moves and those that `rate_more` adds, and return the best."""
    list_moves, arguments = move_lister
    worths, moves = score_bundles(scorer, list_moves(*arguments))
    if rate_more is not None:
        more_worths, more_moves = rate_more(scorer, (worths, moves))
        worths = worths + more_worths
        moves = moves + more_moves
    best_worth = max(worths)
    line = best_worth - LINE
    equals = [move for worth, move in zip(worths, moves, strict=True) if worth > line]
    return SearchResult(best_worth, moves[worths.index(best_worth)], tuple(equals))


def predict_foes(foes: Sequence[Foe], search_of: Callable[[Foe], SearchRequest | None]) -> None:
    """Move foes to where they will be if each makes its best move while all others fly on.

    All moves are chosen before any foe is moved.

    Args:
        search_of: Returns a foe's search, or None for a foe that can only fly on.
    """
    predictions: list[tuple[Foe, Point, Point]] = []
    for foe in foes:
        request = search_of(foe)
        result = find_foe_move(request) if request is not None else None
        if request is not None and result is not None:
            ship = request.inputs.ship
            move = result.best
            predictions.append((foe, (ship.x + move.wx, ship.y + move.wy), (move.ux, move.uy)))
    for foe, position, facing in predictions:
        foe.x, foe.y = position
        foe.ux, foe.uy = facing


def is_any_in_reach(foes: list[FoeInSearch]) -> bool:
    """Return whether a move brings any foe into reach of either side's fire."""
    own_reach_squared, foe_reach_squared = foes[0][5], foes[0][9]
    return own_reach_squared >= 0.0 or foe_reach_squared >= 0.0


def pick_move(ship_id: str, result: SearchResult, dice: Dice) -> Move:
    """Return the best move of a ship; a die decides between equally good ones."""
    moves = result.equals
    if len(moves) == 1:
        return moves[0]
    return moves[dice.roll("captain", ship_id, len(moves)) - 1]


def _cover_factor(covers: tuple[AreaScreenCover, ...], x: float, y: float) -> float:
    """Return the share of fire at a place that passes friends' area screens."""
    levels = sum(
        cover.levels
        for cover in covers
        if squared_length(cover.x - x, cover.y - y) <= AREA_REACH * AREA_REACH
    )
    return COVER_FACTORS[min(levels, len(COVER_FACTORS) - 1)]


def _distance_to_cover(covers: tuple[AreaScreenCover, ...], x: float, y: float) -> float:
    """Return the distance from a place to the nearest area screens that would cover it."""
    away = min(squared_length(cover.x - x, cover.y - y) for cover in covers)
    return float(min(max(sqrt(away) - AREA_REACH, 0.0), COVER_LIMIT))


def fire_worth(
    table: RangeTable, dx: float, dy: float, facing: Point, slope: float, range_factor: float
) -> float:
    """Return the worth in a range table of fire at a point `dx`, `dy` MU away.

    Args:
        range_factor: The factor for ranges to the target.
    """
    step = int(sqrt(dx * dx + dy * dy) * range_factor / STEP - NEAR)
    if step < table.reach:
        return table.rows[arc_place(dx, dy, ux=facing[0], uy=facing[1], slope=slope) * STEPS + step]
    return 0.0


# `score_moves` depends on these to find the rows of an arc
assert (PLACES, STEPS, ASTERN) == (6, 18, 3)
