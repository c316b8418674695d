"""A captain's missiles, rockets, shaped bolts and flak: who launches what, and where it is aimed.

A missile is aimed at the place near most of the positions that its target can reach. The ships'
missiles go at few targets, to overwhelm point defence. Flak goes where craft and missiles will have
to pass that are about to attack.

Rules: Continuum "Ordnance weapons" 6 [pc.salvo-missiles]; Continuum "Flak ammunition" 5.16
[pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import ceil

from engine.captains.common.doctrine import CaptainContext
from engine.captains.continuum.anti_boat_fire import boats_worth_firing_at
from engine.captains.continuum.bombing import bomb_launches
from engine.captains.continuum.point_defence import KILLS_PER_DIE
from engine.captains.continuum.targets import drift_of, visible_state
from engine.continuum import aiming
from engine.continuum.craft.loads import launchable_loads, load_fault
from engine.continuum.defence_orders import Cloak, Jam, RaiseReflexField, cloak_kind
from engine.continuum.defence_plans import defence_weapon_count, in_flight
from engine.continuum.defences import acquisition_radius, is_cloaked_ship
from engine.continuum.flak import flak_guns
from engine.continuum.launching import choose_store, launch_fault
from engine.continuum.legs import leg_of
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.geometry import (
    COURSES,
    Point,
    dist,
    squared_length,
    squared_limit,
    turn_course,
)
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Fire, Launch, Plot
from engine.core.ship import ShipState
from engine.core.ship_facts import MAX_PIPS
from engine.core.state import BattleState
from engine.core.terms import FLAK, SHAPED_BOLTS
from engine.craft.craft_type import Armament
from engine.pieces.group import Group, rocket_modifier_at
from engine.pieces.point_defence_targets import IncomingUnit
from engine.systems.defences import FIELD
from engine.view.side_view import SideView
from engine.weapons.kinetics import FLAK_RADIUS
from engine.weapons.ordnance import Ordnance

LEAST_CHANCE = 0.4  # chance of finding its target for which a salvo is launched
LEAST_OF_ONE = 0.6  # the same for a weapon with one shot
MEAN_SALVO = 3.5  # missiles of a salvo that find their target
MEAN_DIE = 3.5  # points of each
SAFE_RANGE = 10.0  # MU between a ship and its side's explosions
MEAN_HIT = 2.0  # points of a rocket that hits, or of each class of a shaped bolt
CLOSE_ENOUGH = 3  # highest die that rockets may need to hit
BOLT_NEEDS = 4  # the same for a shaped bolt, which its ship can make again
DAMAGE_SHARE = 0.5  # share of its boxes lost at which a ship no longer saves its rockets
SALVO_SIZE = 6.0  # missiles or shots of ordnance that comes in a rolled number, at most
SINGLE_SIZE = 2.0  # kills that stop ordnance that comes alone
MIN_SHARE_THROUGH = 0.15  # share of ordnance that gets through any point defence
ENOUGH_POINTS = 1.5  # points sent at a ship before another is chosen, as a multiple of its boxes


@dataclass(frozen=True, slots=True)
class AimPoint:
    """A place to aim at for a target, and the share of the target's moves that end near enough."""

    point: Point
    target: ShipState
    chance: float


@dataclass(slots=True)
class LaunchPlan:
    """What a side's launches can be aimed at, and what is on its way already.

    Attributes:
        aims: Places to aim at, the most certain first.
        boats_left: Boats of each hostile squadron that are likely to survive other fire.
        points_sent: Points on their way to each foe.
    """

    state: BattleState
    foes: list[ShipState]
    aims: list[AimPoint]
    boats_left: dict[str, float]
    points_sent: dict[str, float] = field(default_factory=dict)

    def send(self, name: str, points: float) -> None:
        """Note that so many points are on their way to a foe."""
        self.points_sent[name] = self.points_sent.get(name, 0.0) + points


@dataclass(slots=True)
class ShipLaunches:
    """What a ship has launched so far in a plan."""

    ship: ShipState
    weapons_used: list[str] = field(default_factory=list)
    stock_used: dict[str, int] = field(default_factory=dict)

    def fault(self, state: BattleState, launch: Launch) -> str:
        """Return why the ship cannot make this launch too, or ""; nothing is changed."""
        return launch_fault(
            state,
            self.ship,
            launch,
            weapons_used=list(self.weapons_used),
            stock_used=dict(self.stock_used),
        )

    def add(self, state: BattleState, launch: Launch) -> None:
        """Note the weapon and ammunition that a launch uses."""
        launch_fault(
            state, self.ship, launch, weapons_used=self.weapons_used, stock_used=self.stock_used
        )


def launches(context: CaptainContext, view: SideView) -> dict[str, tuple[Launch, ...]]:
    """Return every launch that is worth its missiles, best targets first, and flak.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """
    return with_flak(context, view, _plan_launches(context, view))


def _plan_launches(context: CaptainContext, view: SideView) -> dict[str, tuple[Launch, ...]]:
    """Return every launch that is worth its missiles, without flak."""
    launchers = _all_launchers(context, view)
    craft = [group for group in view.own_pieces_of(Group) if any(launchable_loads(group))]
    if not (launchers or craft) or context.fleeing:
        return {}
    state = visible_state(view)
    foes = [ship for ship in state.ships if _may_be_aimed_at(state, ship, view.side)]
    aims: list[AimPoint] = []
    for foe in foes:
        aims += _aims(state, foe)
    aims.sort(key=lambda aim: -aim.chance)
    plan = LaunchPlan(state, foes, aims, boats_left=boats_worth_firing_at(state, view))
    launches: dict[str, tuple[Launch, ...]] = {}
    launches_by_ship = {ship.id: ShipLaunches(ship) for ship, _ in launchers}
    for ship, index in launchers:
        launch = _launch_of(plan, launches_by_ship[ship.id], index)
        if launch is not None:
            launches[ship.id] = (*launches.get(ship.id, ()), launch)
    for group in craft:
        if group_launches := _craft_launches(plan, group):
            launches[group.id] = group_launches
    return launches


def _all_launchers(context: CaptainContext, view: SideView) -> list[tuple[ShipState, int]]:
    """Return the launchers that may launch now: each as a ship and an index in its systems."""
    result = []
    for ship in view.own_ships:
        if not _cannot_launch(ship, context.plotted.get(ship.id, HOLD)):
            for index in _launchers(ship, context.doctrine.never):
                result.append((ship, index))
    return result


def _launch_of(plan: LaunchPlan, launches: ShipLaunches, index: int) -> Launch | None:
    """Return the launch of one launcher, at whatever its ordnance can be aimed at, or None.

    A bolt is shaped only if it has no target for a free burst that would not burn its own side.
    """
    row = launches.ship.profile.weapons[index].ordnance
    assert row is not None
    launch = None
    if not row.needs:
        launch = _at_place(plan, launches, index)
    if row.at_boats:
        launch = _at_boats(plan, launches, index)
    if launch is None and (row.needs or row.shaped is not None):
        launch = _at_ship(plan, launches, index)
    return launch


def with_shaped_bolts(
    context: CaptainContext, view: SideView, plots: dict[str, Plot]
) -> dict[str, Plot]:
    """Add to plots the bolts to be shaped, because plots must announce those to be fired at a ship.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    if SHAPED_BOLTS not in view.terms.options:
        return plots
    context.plotted = plots
    launches = _plan_launches(context, view)
    shaping_plots: dict[str, Plot] = {}
    for ship in view.own_ships:
        bolts = []
        for launch in launches.get(ship.id, ()):
            if launch.target and ship.profile.weapons[ship.profile.index_of[launch.weapon]].shapes:
                bolts.append(launch.weapon)
        if bolts:
            plot = plots.get(ship.id, HOLD)
            shaping_plots[ship.id] = replace(plot, further=(*plot.further, ShapeBolt(tuple(bolts))))
    return plots | shaping_plots


def _at_boats(plan: LaunchPlan, launches: ShipLaunches, index: int) -> Launch | None:
    """Return rockets at the gunboats that most of them hit, or None.

    A boat costs more than the damage of a rocket at a ship.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    state, ship = plan.state, launches.ship
    row = ship.profile.weapons[index].ordnance
    assert row is not None
    best_launch: Launch | None = None
    best_hits = 0.0
    for name, boats in plan.boats_left.items():
        launch = Launch(ship.sheet.fits[index].id, target=name)
        if boats <= 0 or launches.fault(state, launch):
            continue
        group = state.piece(Group, name)
        distance = dist((ship.x, ship.y), (group.x, group.y))
        die_needed = row.needed(distance) + rocket_modifier_at(group)
        hits = row.strength * (7 - die_needed) / 6
        if die_needed <= MAX_PIPS and (best_launch is None or hits > best_hits):
            best_launch = launch
            best_hits = hits
    if best_launch is not None:
        launches.add(state, best_launch)
        plan.boats_left[best_launch.target] -= best_hits
    return best_launch


def _craft_launches(plan: LaunchPlan, group: Group) -> tuple[Launch, ...]:
    """Return what a group launches: missiles at places, rockets at gunboats or ships, or bombs.

    Rules: Continuum "Missile fighters" 8.15, "Gunboat types" 9.2 [pc.gunboats]
    """
    launches: list[Launch] = []
    used: dict[str, int] = {}
    for load in launchable_loads(group):
        if load.dropped:
            launches += bomb_launches(plan.state, group, load)
            continue
        candidates = _at_targets(plan, group, load) if load.at_target else _at_places(plan, load)
        for launch in candidates:
            while not load_fault(plan.state, group, launch, used):
                launches.append(launch)
                if launch.target in plan.boats_left:
                    plan.boats_left[launch.target] = 0.0
                    break
    return tuple(launches)


def _at_targets(plan: LaunchPlan, group: Group, load: Armament) -> list[Launch]:
    """Return the launches of a load at targets: boats, then ships by their points."""
    launches = []
    for name, boats in plan.boats_left.items():
        if boats > 0:
            count = min(ceil(boats), group.rounds(load))
            launches.append(Launch(load.name, target=name, count=count))
    for foe in sorted(plan.foes, key=lambda ship: -ship.sheet.points):
        launches.append(Launch(load.name, target=foe.id))
    return launches


def _at_places(plan: LaunchPlan, load: Armament) -> list[Launch]:
    """Return the launches of a load at the places where a target is likely enough."""
    return [Launch(load.name, aim.point) for aim in plan.aims if aim.chance >= LEAST_CHANCE]


def _cannot_launch(ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship's plot keeps it from launching.

    A cloaking field has taken it off the table by then, too.
    """
    if plot.find(Cloak) is not None and cloak_kind(ship) == FIELD:
        return True
    if plot.ftl or plot.nova or plot.sweep:
        return True
    return plot.find(RaiseReflexField) is not None or plot.find(Jam) is not None


def _launchers(ship: ShipState, never: tuple[str, ...]) -> list[int]:
    """Return the indexes of a ship's launchers that its captain uses."""
    if ship.status != FIGHTING:
        return []
    fits = ship.sheet.fits
    launchers: list[int] = []
    for index in ship.profile.launchers:
        if ship.alive[index] and fits[index].type not in never:
            launchers.append(index)
    return launchers


def _may_be_aimed_at(state: BattleState, ship: ShipState, side: int) -> bool:
    """Return whether a missile could find a ship."""
    is_hostile = bool(state.hostile[side] >> ship.commander & 1)
    is_visible = not ship.bogey and not is_cloaked_ship(ship)
    return is_hostile and ship.status == FIGHTING and is_visible


def _aims(state: BattleState, foe: ShipState) -> Iterator[AimPoint]:
    """Yield places to aim at for a foe, with the share of its moves within lock-on radius."""
    radius = acquisition_radius(state, foe)
    ends = list(_after_its_move(foe))
    if radius <= 0:
        return
    for x, y in dict.fromkeys([*ends, _middle(ends)]):
        near_count = sum(
            squared_length(end_x - x, end_y - y) <= squared_limit(radius) for end_x, end_y in ends
        )
        yield AimPoint((round(x, 2), round(y, 2)), foe, near_count / len(ends))


def _after_its_move(foe: ShipState) -> Iterator[Point]:
    """Yield where a foe may be after its move: straight or turned, slower, as fast, or faster."""
    thrust = foe.thrust
    if foe.drift is not None:
        for dx, dy in ((0, 0), *COURSES[1:]):
            yield foe.x + foe.drift[0] + dx * thrust, foe.y + foe.drift[1] + dy * thrust
        return
    for turn in dict.fromkeys((0, thrust // 2, -(thrust // 2))):
        first = COURSES[turn_course(foe.course, turn // 2)]
        second = COURSES[turn_course(foe.course, turn)]
        spare_thrust = thrust - abs(turn)
        for change in dict.fromkeys((0, spare_thrust, -min(spare_thrust, foe.velocity))):
            velocity = foe.velocity + change
            yield (
                foe.x + (first[0] + second[0]) * velocity / 2,
                foe.y + (first[1] + second[1]) * velocity / 2,
            )


def _middle(points: list[Point]) -> Point:
    """Return the mean of points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _at_ship(plan: LaunchPlan, launches: ShipLaunches, index: int) -> Launch | None:
    """Return rockets or a shaped bolt at the foe they do most to; None if they would do too little.

    Rules: Continuum "Rocket pods" 6.7, "Plasma bolt launchers" 6.8 [pc.rocket-pods]
    [pc.plasma-bolts]
    """
    state, ship = plan.state, launches.ship
    fit = ship.sheet.fits[index]
    row = ship.profile.weapons[index].ordnance
    assert row is not None
    row = row.shaped or row
    worst_die = _worst_die(ship, row)
    best_launch: Launch | None = None
    best_worth = best_points = 0.0
    for foe in plan.foes:
        launch = Launch(fit.id, target=foe.id)
        if launches.fault(state, launch):
            continue
        shot = aiming.aim(state, ship, index, fire=Fire(fit.id, (foe.id,)), mode="", target=foe)
        assert shot is not None  # launch_fault() has checked it
        die_needed = row.needed(shot.distance)
        points = (row.strength or fit.size) * (7 - die_needed) / 6 * MEAN_HIT
        worth = points * _worth(foe, row) * _diminishing(foe, plan.points_sent)
        if die_needed <= worst_die and (best_launch is None or worth > best_worth):
            best_launch = launch
            best_worth = worth
            best_points = points
    if best_launch is not None:
        launches.add(state, best_launch)
        plan.send(best_launch.target, best_points)
    return best_launch


def _worst_die(ship: ShipState, row: Ordnance) -> int:
    """Return the highest die needed to hit for which a ship fires rockets or a shaped bolt."""
    if row.endless:
        return BOLT_NEEDS
    if ship.damage >= ship.sheet.boxes * DAMAGE_SHARE:
        return MAX_PIPS
    return CLOSE_ENOUGH


def _at_place(plan: LaunchPlan, launches: ShipLaunches, index: int) -> Launch | None:
    """Return the best launch of one launcher at a place, or None if none is worth it."""
    state, ship = plan.state, launches.ship
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    row = weapon.ordnance
    assert row is not None
    least_chance = LEAST_OF_ONE if weapon.once else LEAST_CHANCE
    _, grade, fault = choose_store(ship, index, "", launches.stock_used)
    if fault:
        return None
    best_launch: Launch | None = None
    best_aim: AimPoint | None = None
    best_worth = 0.0
    for aim in plan.aims:
        if aim.chance < least_chance:
            break
        if row.bursts is not None and _endangers_friend(state, ship, aim.point):
            continue
        worth = aim.chance * _worth(aim.target, row) * _diminishing(aim.target, plan.points_sent)
        if best_launch is not None and worth <= best_worth:
            continue
        launch = Launch(fit.id, aim.point, load=grade if fit.magazine else "")
        if not launches.fault(state, launch):
            best_launch, best_aim, best_worth = launch, aim, worth
    if best_launch is not None and best_aim is not None:
        launches.add(state, best_launch)
        plan.send(best_aim.target.id, best_aim.chance * _points(row))
    return best_launch


def _endangers_friend(state: BattleState, ship: ShipState, point: Point) -> bool:
    """Return whether a blast at a point may reach a ship that is no enemy of the launching one."""
    hostile = state.hostile[ship.commander]
    for other in state.ships:
        is_hostile = hostile >> other.commander & 1
        if not is_hostile and _in_danger(other, point):
            return True
    return False


def _in_danger(friend: ShipState, point: Point) -> bool:
    """Return whether a blast at a point may reach a friend, now or where it flies on to."""
    dx, dy = drift_of(friend)
    for share in (0.0, 1.0):
        x, y = friend.x + dx * share, friend.y + dy * share
        if squared_length(x - point[0], y - point[1]) <= SAFE_RANGE * SAFE_RANGE:
            return True
    return False


def _points(row: Ordnance) -> float:
    """Return the mean points of one launch without point defence."""
    if row.has_rolled_number:
        return MEAN_SALVO * MEAN_DIE
    return 3 * MEAN_DIE * row.strength


def _worth(target: ShipState, row: Ordnance) -> float:
    """Return the worth of a launch at a foe: its cost per box, less what point defence stops."""
    size = SALVO_SIZE if row.has_rolled_number else SINGLE_SIZE
    stopped = defence_weapon_count(target) * KILLS_PER_DIE / size
    share_through = max(1.0 - stopped, MIN_SHARE_THROUGH)
    return share_through * target.sheet.points / max(target.sheet.boxes, 1)


def _diminishing(target: ShipState, points_sent: dict[str, float]) -> float:
    """Return a factor for a launch at a foe: low once enough is on its way."""
    boxes_left = target.sheet.boxes - target.damage + sum(map(sum, target.armour))
    if points_sent.get(target.id, 0.0) < ENOUGH_POINTS * boxes_left:
        return 1.0
    return 0.1


THREAT_RANGE = 30.0  # MU within which flying units may attack a ship this turn
BURST_AHEAD = 4.0  # MU from the ship at which flak bursts: attackers come nearer than six
CLEAR = FLAK_RADIUS + 1.0  # MU between a burst and ships of the side
GUN_RANGE = 24.0  # MU to the nearest foe beyond which guns have little to fire at
CRAFT_PER_DIE = 0.4  # mean number of craft that a die destroys
LEAST = 2  # craft that are worth a barrage


@dataclass(slots=True)
class _Threat:
    """A unit that may attack, the place of the ship it attacks, and how much of it may survive."""

    prey: IncomingUnit
    place: Point
    remaining: float


def with_flak(
    context: CaptainContext, view: SideView, launches: dict[str, tuple[Launch, ...]]
) -> dict[str, tuple[Launch, ...]]:
    """Return a side's launches with flak that is worth more than the guns' fire at ships.

    All ships fire it while no foe is near; otherwise only those about to be attacked.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    if FLAK not in view.terms.options or context.fleeing:
        return launches
    state = visible_state(view)
    ships = []
    ends: dict[str, Point] = {}
    for ship in state.ships:
        if ship.commander == view.side and ship.status == FIGHTING:
            ships.append(ship)
            ends[ship.id] = leg_of(ship, context.plotted.get(ship.id, HOLD)).path[-1]
    threats = _threats(view, [*state.pieces_of(Group), *in_flight(state)], list(ends.values()))
    if not threats:
        return dict(launches)
    foes = [ship for ship in state.ships if state.hostile[view.side] >> ship.commander & 1]
    result = dict(launches)
    for ship in ships:
        is_foe_near = any(dist((foe.x, foe.y), ends[ship.id]) <= GUN_RANGE for foe in foes)
        flak = _flak_of(
            context,
            state,
            ship,
            result.get(ship.id, ()),
            ends=ends,
            threats=threats,
            only_at_own=is_foe_near,
        )
        if flak:
            result[ship.id] = (*result.get(ship.id, ()), *flak)
    return result


def _flak_of(
    context: CaptainContext,
    state: BattleState,
    ship: ShipState,
    launched: tuple[Launch, ...],
    *,
    ends: dict[str, Point],
    threats: list[_Threat],
    only_at_own: bool,
) -> list[Launch]:
    """Return a ship's flak, each gun at what is then the largest threat.

    Args:
        launched: What the ship launches already.
        ends: Where the ships of the side are after their moves.
        threats: Units that may attack; what the flak is likely to destroy is taken off.
        only_at_own: A gun is not spent on flak unless the threat is to this ship.
    """
    weapons_used: list[str] = []
    for launch in launched:
        launch_fault(state, ship, launch, weapons_used, stock_used={})
    flak = []
    for index in flak_guns(ship):
        fit = ship.sheet.fits[index]
        if fit.type in context.doctrine.never or not ship.alive[index]:
            continue
        threat = max(threats, key=lambda candidate: candidate.remaining)
        is_for_others = only_at_own and threat.place != ends[ship.id]
        if threat.remaining < LEAST or is_for_others:
            continue
        point = _burst_point(threat)
        launch = Launch(fit.id, point)
        if _is_clear_of(point, ends) and not launch_fault(
            state, ship, launch, weapons_used, stock_used={}
        ):
            flak.append(launch)
            threat.remaining -= fit.size * CRAFT_PER_DIE
    return flak


def _is_clear_of(point: Point, ends: dict[str, Point]) -> bool:
    """Return whether a burst at a point reaches no ship of the side."""
    return all(dist(point, end) > CLEAR for end in ends.values())


def _threats(view: SideView, flying: list[IncomingUnit], ends: list[Point]) -> list[_Threat]:
    """Return the units that may attack one of these places this turn, each at the nearest."""
    threats = []
    for prey in flying:
        if not ends or not view.is_hostile(prey):
            continue
        nearest_end = min(ends, key=lambda at: dist(at, (prey.x, prey.y)))
        if dist(nearest_end, (prey.x, prey.y)) <= THREAT_RANGE:
            if isinstance(prey, Group):
                size = prey.craft
            else:
                size = prey.strength - prey.destroyed
            threats.append(_Threat(prey, nearest_end, float(size)))
    return threats


def _burst_point(threat: _Threat) -> Point:
    """Return the point ahead of a ship that an attacker has to pass or stop at."""
    x, y = threat.place
    distance = dist(threat.place, (threat.prey.x, threat.prey.y))
    share = min(BURST_AHEAD / distance, 1.0) if distance else 0.0
    return round(x + (threat.prey.x - x) * share, 2), round(y + (threat.prey.y - y) * share, 2)
