"""A ship's move in Continuum: the best place in reach, also by rolls and emergency thrust."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.expected_damage import STEP
from engine.captains.common.foes import Foe, FoeFactors
from engine.captains.common.move_options import (
    Move,
    Option,
    move_lister_for,
    option_of,
    options_of,
    thrust_of,
    thruster_pushes,
)
from engine.captains.common.move_search import (
    FEAR,
    OFF_TABLE,
    PUSH_TRIALS,
    AreaScreenCover,
    CollisionRisk,
    MoveScorer,
    ScoreBonus,
    ScoredMoves,
    SearchInputs,
    SearchRequest,
    SearchResult,
    find_best_move,
    nearest_foes,
    pick_move,
    score_moves,
    subtract_risks,
)
from engine.captains.common.objectives import dangerous_pieces, path_loss_odds
from engine.captains.common.range_tables import Mount, mount_worths, mounts_of, unused_weapons
from engine.captains.continuum.gravity_and_gates import has_gravity, loss_odds
from engine.captains.continuum.targets import (
    Target,
    armament_of,
    armour_ratio_of,
    defence_of,
    drift_of,
)
from engine.combat.collisions import evading_thrust
from engine.continuum.drives import Roll, Thrust, UseEmergencyThrust, emergency_thrust
from engine.continuum.legs import leg_of
from engine.core.dice import Dice
from engine.core.geometry import COURSES, Point
from engine.core.kinds import FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import EMERGENCY_THRUST
from engine.weapons.spinal import is_ahead_of_bow
from engine.weapons.weapon import LINE

LOPSIDED_RATIO = 1.25  # ratio of the broadsides above which a ship considers rolling
ROLL_GAIN = 0.5  # points that rolling must gain
# Weights of fire for a ship that hides and closes in.
UNSEEN_GAIN_WEIGHT = 0.5
UNSEEN_FEAR = 0.15
LOSS_POINTS = 40.0  # worth of a ship that might be lost to an asteroid


def search_inputs(  # noqa: PLR0913 -- the inputs of one search
    state: BattleState,
    ship: ShipState,
    watched: Sequence[FoeFactors],
    fleet_centre: Point,
    doctrine: Doctrine,
    covers: list[AreaScreenCover],
    *,
    unseen: bool = False,
    rolling: bool = False,
    known_foe: Foe | None = None,
) -> SearchInputs:
    """Return the inputs of a ship's search this turn, without its fire along lines.

    Args:
        rolling: The ship rolls with its moves.
        known_foe: The estimate of the ship, if its defences are known from that.
    """
    near = nearest_foes(watched, ship, drift_of(ship))
    if known_foe is None:
        defence, range_factor = defence_of(state, ship)
        armour_ratio = armour_ratio_of(ship)
    else:
        defence = known_foe.defence
        range_factor = known_foe.range_factor
        armour_ratio = known_foe.armour_ratio
    return SearchInputs(
        ship,
        foes=tuple([watched[place] for place in near]),
        armament=armament_of(ship, doctrine.never, rolling=rolling, along=False),
        defence=defence,
        fleet_centre=fleet_centre,
        table=state.table,
        armour_ratio=armour_ratio,
        range_factor=range_factor,
        gain_weight=UNSEEN_GAIN_WEIGHT if unseen else 1.0,
        preferred_range=float(doctrine.range) if doctrine.range is not None else None,
        covers=tuple(covers),
        fear=UNSEEN_FEAR if unseen else FEAR,
    )


def bow_bonuses(
    ship: ShipState, targets: list[Target], never: tuple[str, ...]
) -> tuple[ScoreBonus, ...]:
    """Return the additional worth of places for a ship with mounts that fire straight ahead."""
    if LINE not in ship.profile.along:
        return ()
    unused = unused_weapons(ship, never)
    bow_mounts = []
    for mount in mounts_of(ship.profile, ship.sheet):
        if mount.kind.along == LINE and mount.place not in unused:
            bow_mounts.append(mount)
    if bow_mounts:
        return (_along_bow(bow_mounts, targets),)
    return ()


def _along_bow(mounts: list[Mount], targets: list[Target]) -> ScoreBonus:
    """Return the worth of places for such mounts, each at the foe to which it does most."""
    aims = []
    for target in targets:
        worths = [mount_worths(mount, "", target.defence, target.armour_ratio) for mount in mounts]
        aims.append((target, worths))

    def worth(x: float, y: float, course: int, _speed: float) -> float:
        ux, uy = COURSES[course]
        best = [0.0] * len(mounts)
        for target, rows in aims:
            dx, dy = target.x - x, target.y - y
            if is_ahead_of_bow(dx * ux + dy * uy, dx * uy - dy * ux):
                step = int(sqrt(dx * dx + dy * dy) / STEP)
                for place, row in enumerate(rows):
                    if step < len(row):
                        best[place] = max(best[place], row[step] * target.weight)
        return sum(best)

    return worth


def collision_risk(state: BattleState, ship: ShipState) -> CollisionRisk | None:
    """Return the expected cost of moves past asteroids and bodies with gravity, or None.

    It counts this turn and half of the next one's risk; with gravity, whether the ship can still
    get past in the next turn.
    """
    bodies = dangerous_pieces(state.pieces)
    terms = state.terms
    if not bodies:
        return None
    thrust = evading_thrust(terms, ship)
    bends = has_gravity(bodies)

    def risk(move: Move) -> float:
        option = option_of(ship, move)
        leg = leg_of(ship, option.plot())
        if bends:
            return loss_odds(state, bodies, ship, leg, thrust=thrust) * LOSS_POINTS
        odds = path_loss_odds(
            terms, pieces=bodies, path=leg.path, velocity=leg.velocity, thrust=thrust, turns=1
        )
        ahead = option.x + option.gx, option.y + option.gy
        slower = max(leg.velocity - ship.thrust, 0)
        odds += 0.5 * path_loss_odds(
            terms,
            pieces=bodies,
            path=((option.x, option.y), ahead),
            velocity=slower,
            thrust=thrust,
            turns=2,
        )
        return odds * LOSS_POINTS

    return risk


def steer(
    state: BattleState,
    ship: ShipState,
    targets: list[Target],
    fleet_centre: Point,
    doctrine: Doctrine,
    dice: Dice,
    covers: list[AreaScreenCover],
    *,
    unseen: bool = False,
) -> Option:
    """Return the move to the best place; a die decides between equally good ones.

    Args:
        targets: The foes where they will be if they fly on.
        fleet_centre: Where the centre of the fleet will be.
        covers: Friends' area screens at the end of this move.
        unseen: The ship hides this turn, and fires in the next.
    """
    if not targets:
        return _option_without_foes(ship, options_of(state, ship), state.table)
    watched = [target.factors() for target in targets]
    bonuses = bow_bonuses(ship, targets, doctrine.never)
    risk = collision_risk(state, ship)

    def inputs_for(*, rolling: bool) -> SearchInputs:
        return search_inputs(
            state,
            ship,
            watched,
            fleet_centre,
            doctrine=doctrine,
            covers=covers,
            unseen=unseen,
            rolling=rolling,
        )

    def search(inputs: SearchInputs, thrust: Thrust) -> SearchResult:
        request = SearchRequest(inputs, move_lister_for(ship, thrust), bonuses, risk)
        return _search(ship, request, thrust)

    inputs = inputs_for(rolling=False)
    thrust = thrust_of(state, ship)
    result = search(inputs, thrust)
    is_off_table = result.worth < -OFF_TABLE / 2
    if is_off_table and EMERGENCY_THRUST in state.terms.options and thrust.main:
        with_emergency = search(inputs, emergency_thrust(ship, state.turn))
        return _emergency_option(ship, result, with_emergency)
    if thrust.turning and ship.status == FIGHTING and _is_lopsided(inputs):
        main_cost = 1 if ship.drift is None else 0
        thrust_left = Thrust(thrust.main - main_cost, thrust.turning - 1)
        rolled_result = search(inputs_for(rolling=True), thrust_left)
        if rolled_result.worth > result.worth + ROLL_GAIN:
            move = pick_move(ship.id, rolled_result, dice)
            return option_of(ship, move)._replace(further=(Roll(),))
    return option_of(ship, pick_move(ship.id, result, dice))


def _search(ship: ShipState, request: SearchRequest, thrust: Thrust) -> SearchResult:
    """Return the best of the moves that a thrust allows, for vector movement with pushes."""

    def rate_pushes(scorer: MoveScorer, scored: ScoredMoves) -> ScoredMoves:
        worths, moves = scored
        ranked = sorted(range(len(worths)), key=lambda place: (-worths[place], place))
        pushed: list[Move] = []
        for place in ranked[:PUSH_TRIALS]:
            pushed += thruster_pushes(ship, moves[place], thrust.turning)
        return subtract_risks(scorer, score_moves(scorer, pushed), pushed), pushed

    return find_best_move(request, rate_pushes if ship.drift is not None else None)


def _is_lopsided(inputs: SearchInputs) -> bool:
    """Return whether a ship's broadsides differ, so that a roll may help."""
    _, _, _, _, _, _, defence, armour_ratio, _ = inputs.foes[0]
    starboard, port = inputs.armament.table(defence, armour_ratio).broadsides
    return max(starboard, port) > LOPSIDED_RATIO * min(starboard, port)


def _emergency_option(ship: ShipState, usual: SearchResult, pressing: SearchResult) -> Option:
    """Return a move with emergency thrust if that keeps the ship on the table, else the best one.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    option = option_of(ship, usual.best)
    if pressing.worth < usual.worth + OFF_TABLE / 2:
        return option
    return option_of(ship, pressing.best)._replace(
        further=(UseEmergencyThrust(),), otherwise=option.plot()
    )


def _option_without_foes(ship: ShipState, options: list[Option], table: Point) -> Option:
    """Fly on while there is enough table ahead, otherwise slow down or turn back."""

    def overshoot(option: Option) -> float:
        ahead = 2.0 + 0.5 * max(ship.velocity, 1) / max(ship.thrust, 1)
        x, y = option.x + option.gx * ahead, option.y + option.gy * ahead
        return max(-x, x - table[0], 0.0) + max(-y, y - table[1], 0.0)

    if overshoot(options[0]) == 0.0:
        return options[0]
    return min(options, key=overshoot)
