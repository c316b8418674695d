"""A captain's missiles, rockets, shaped bolts and flak: who launches what, and where it is aimed.

A missile is aimed at the place near most of the positions that its target can reach. The ships'
missiles go at few targets, to overwhelm point defence. Flak goes where craft and missiles will have
to pass that are about to attack.

Rules: Continuum "Ordnance weapons" 6 [pc.salvo-missiles]; Continuum "Flak ammunition" 5.16
[pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, dist

from engine.captains.common.doctrine import CaptainContext
from engine.captains.continuum.anti_boat_fire import boats_worth_firing_at
from engine.captains.continuum.bombing import bomb_launches
from engine.captains.continuum.point_defence import KILLS_PER_DIE
from engine.captains.continuum.targets import visible_state
from engine.continuum import aiming
from engine.continuum.craft.loads import launchable_loads, load_fault
from engine.continuum.defence_orders import Cloak, Jam, RaiseReflexField, cloak_kind
from engine.continuum.defence_plans import defence_weapon_count, in_flight
from engine.continuum.defences import acquisition_radius, is_under_device
from engine.continuum.flak import flak_guns
from engine.continuum.launching import choose_store, launch_fault
from engine.continuum.legs import leg_of
from engine.continuum.weapon_orders import ShapeBolt
from engine.core.geometry import COURSES, NEAR, Point, turn_course
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Fire, Launch, Plot
from engine.core.ship import ShipState
from engine.core.ship_facts import MOST_PIPS
from engine.core.state import BattleState
from engine.core.terms import FLAK, SHAPED_BOLTS
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
ENOUGH_POINTS = 1.5  # points sent at a ship before another is chosen, as a multiple of its boxes


@dataclass(frozen=True, slots=True)
class AimPoint:
    """A place to aim at for a target, and the share of the target's moves that end near enough."""

    at: Point
    target: ShipState
    chance: float


def launches(context: CaptainContext, view: SideView) -> dict[str, tuple[Launch, ...]]:
    """Return every launch that is worth its missiles, best targets first, and flak.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """
    return with_flak(context, view, _plan_launches(context, view))


def _plan_launches(context: CaptainContext, view: SideView) -> dict[str, tuple[Launch, ...]]:
    able = [
        ship
        for ship in view.own_ships
        if not _cannot_launch(ship, context.plotted.get(ship.id, HOLD))
    ]
    armed = [(ship, index) for ship in able for index in _launchers(ship, context.doctrine.never)]
    craft = [group for group in view.own_pieces_of(Group) if any(launchable_loads(group))]
    if not (armed or craft) or context.fleeing:
        return {}
    state = visible_state(view)
    foes = [ship for ship in state.ships if _may_be_aimed_at(state, ship, view.side)]
    aims = [aim for foe in foes for aim in _aims(state, foe)]
    aims.sort(key=lambda aim: -aim.chance)
    points_sent: dict[str, float] = {}
    boats = boats_worth_firing_at(state, view)
    launches_by_ship: dict[str, tuple[Launch, ...]] = {}
    busy: dict[str, tuple[list[str], dict[str, int]]] = {ship.id: ([], {}) for ship, _ in armed}
    for ship, index in armed:
        weapons_used, stock_used = busy[ship.id]
        row = ship.profile.weapons[index].ordnance
        assert row is not None
        # A bolt is shaped only if it has no target for a free burst that would not burn its own
        # side.
        launch = (
            None
            if row.needs
            else _best(
                state,
                ship,
                index,
                aims,
                points_sent=points_sent,
                weapons_used=weapons_used,
                stock_used=stock_used,
            )
        )
        if row.at_boats:
            launch = _at_boats(
                state,
                ship,
                index,
                boats_left=boats,
                weapons_used=weapons_used,
                stock_used=stock_used,
            )
        if launch is None and (row.needs or row.shaped is not None):
            launch = _at_ship(
                state,
                ship,
                index,
                foes,
                points_sent=points_sent,
                weapons_used=weapons_used,
                stock_used=stock_used,
            )
        if launch is not None:
            launches_by_ship[ship.id] = (*launches_by_ship.get(ship.id, ()), launch)
    for group in craft:
        if loads := _loads(state, group, aims, foes, boats=boats):
            launches_by_ship[group.id] = loads
    return launches_by_ship


def with_shaped_bolts(
    context: CaptainContext, view: SideView, plots: dict[str, Plot]
) -> dict[str, Plot]:
    """Add to plots the bolts to be shaped, because plots must announce those to be fired at a ship.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    if SHAPED_BOLTS not in view.terms.options:
        return plots
    context.plotted = plots
    planned = _plan_launches(context, view)
    shaping_plots: dict[str, Plot] = {}
    for ship in view.own_ships:
        able = set()
        for fit, weapon in zip(ship.sheet.fits, ship.profile.weapons, strict=True):
            if weapon.shapes:
                able.add(fit.id)
        bolts = tuple(
            launch.weapon
            for launch in planned.get(ship.id, ())
            if launch.target and launch.weapon in able
        )
        if bolts:
            plot = plots.get(ship.id, HOLD)
            shaping_plots[ship.id] = replace(plot, further=(*plot.further, ShapeBolt(bolts)))
    return plots | shaping_plots


def _at_boats(
    state: BattleState,
    ship: ShipState,
    index: int,
    boats_left: dict[str, float],
    weapons_used: list[str],
    stock_used: dict[str, int],
) -> Launch | None:
    """Return rockets at the gunboats that most of them hit, or None.

    A boat costs more than the damage of a rocket at a ship.

    Args:
        boats_left: Boats of each squadron that are likely to survive other fire; updated.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    fit = ship.sheet.fits[index]
    row = ship.profile.weapons[index].ordnance
    assert row is not None
    best: tuple[float, Launch] | None = None
    for name in (name for name, boats in boats_left.items() if boats > 0):
        launch = Launch(fit.id, target=name)
        if launch_fault(
            state, ship, launch, weapons_used=list(weapons_used), stock_used=dict(stock_used)
        ):
            continue
        group = state.piece(Group, name)
        needed = row.needed(dist((ship.x, ship.y), (group.x, group.y))) + rocket_modifier_at(group)
        hits = row.strength * (7 - needed) / 6
        if needed <= MOST_PIPS and (best is None or hits > best[0]):
            best = (hits, launch)
    if best is None:
        return None
    launch_fault(state, ship, launch=best[1], weapons_used=weapons_used, stock_used=stock_used)
    boats_left[best[1].target] -= best[0]
    return best[1]


def _loads(
    state: BattleState,
    group: Group,
    aims: list[AimPoint],
    foes: list[ShipState],
    boats: dict[str, float],
) -> tuple[Launch, ...]:
    """Return what a group launches: missiles at places, rockets at gunboats or ships, or bombs.

    Rules: Continuum "Missile fighters" 8.15, "Gunboat types" 9.2 [pc.gunboats]
    """
    launches: list[Launch] = []
    used: dict[str, int] = {}
    for load in launchable_loads(group):
        near = []
        for name, boats_left in boats.items():
            if boats_left > 0:
                near.append(
                    Launch(load.name, target=name, count=min(ceil(boats_left), group.rounds(load)))
                )
        near += [
            Launch(load.name, target=foe.id)
            for foe in sorted(foes, key=lambda foe: -foe.sheet.points)
        ]
        at = [Launch(load.name, aim.at) for aim in aims if aim.chance >= LEAST_CHANCE]
        if load.dropped:
            launches += bomb_launches(state, group, load)
            continue
        for launch in near if load.at_target else at:
            while not load_fault(state, group, launch, used):
                launches.append(launch)
                if launch.target in boats:
                    boats[launch.target] = 0.0
                    break
    return tuple(launches)


def _cannot_launch(ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship's plot keeps it from launching.

    A cloaking field has taken it off the table by then, too.
    """
    if plot.find(Cloak) is not None and cloak_kind(ship) == FIELD:
        return True
    return (
        plot.ftl
        or plot.nova
        or plot.sweep
        or plot.find(RaiseReflexField) is not None
        or plot.find(Jam) is not None
    )


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
    hostile = state.hostile[side] >> ship.commander & 1
    return (
        bool(hostile) and ship.status == FIGHTING and not ship.bogey and not is_under_device(ship)
    )


def _aims(state: BattleState, foe: ShipState) -> Iterator[AimPoint]:
    """Yield places to aim at for a foe, with the share of its moves within lock-on radius."""
    radius = acquisition_radius(state, foe)
    places = list(_after_its_move(foe))
    if radius <= 0:
        return
    for x, y in dict.fromkeys([*places, _middle(places)]):
        near = sum((px - x) ** 2 + (py - y) ** 2 <= (radius + NEAR) ** 2 for px, py in places)
        yield AimPoint((round(x, 2), round(y, 2)), foe, near / len(places))


def _after_its_move(foe: ShipState) -> Iterator[Point]:
    """Yield where a foe may be after its move: straight or turned, slower, as fast, or faster."""
    thrust = foe.thrust
    if foe.drift is not None:
        for dx, dy in ((0, 0), *COURSES[1:]):
            yield foe.x + foe.drift[0] + dx * thrust, foe.y + foe.drift[1] + dy * thrust
        return
    for turn in dict.fromkeys((0, thrust // 2, -(thrust // 2))):
        rest = thrust - abs(turn)
        for change in dict.fromkeys((0, rest, -min(rest, foe.velocity))):
            velocity = foe.velocity + change
            first, second = (
                COURSES[turn_course(foe.course, turn // 2)],
                COURSES[turn_course(foe.course, turn)],
            )
            yield (
                foe.x + (first[0] + second[0]) * velocity / 2,
                foe.y + (first[1] + second[1]) * velocity / 2,
            )


def _middle(places: list[Point]) -> Point:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _at_ship(
    state: BattleState,
    ship: ShipState,
    index: int,
    foes: list[ShipState],
    points_sent: dict[str, float],
    weapons_used: list[str],
    stock_used: dict[str, int],
) -> Launch | None:
    """Return rockets or a shaped bolt at the foe they do most to; None if they would do too little.

    Rules: Continuum "Rocket pods" 6.7, "Plasma bolt launchers" 6.8 [pc.rocket-pods]
    [pc.plasma-bolts]
    """
    fit = ship.sheet.fits[index]
    row = ship.profile.weapons[index].ordnance
    assert row is not None
    row = row.shaped or row
    worn = ship.damage >= ship.sheet.boxes * DAMAGE_SHARE
    worst = MOST_PIPS if worn else CLOSE_ENOUGH
    if row.endless:
        worst = BOLT_NEEDS
    best: tuple[float, float, Launch] | None = None
    for foe in foes:
        launch = Launch(fit.id, target=foe.id)
        if launch_fault(
            state, ship, launch, weapons_used=list(weapons_used), stock_used=dict(stock_used)
        ):
            continue
        shot = aiming.aim(state, ship, index, fire=Fire(fit.id, (foe.id,)), mode="", target=foe)
        assert shot is not None  # launch_fault() has checked it
        needed = row.needed(shot.distance)
        points = (row.strength or fit.size) * (7 - needed) / 6 * MEAN_HIT
        worth = points * _worth(foe, row) * _diminishing(foe, points_sent)
        if needed <= worst and (best is None or worth > best[0]):
            best = (worth, points, launch)
    if best is None:
        return None
    launch_fault(state, ship, launch=best[2], weapons_used=weapons_used, stock_used=stock_used)
    points_sent[best[2].target] = points_sent.get(best[2].target, 0.0) + best[1]
    return best[2]


def _best(
    state: BattleState,
    ship: ShipState,
    index: int,
    aims: list[AimPoint],
    points_sent: dict[str, float],
    weapons_used: list[str],
    stock_used: dict[str, int],
) -> Launch | None:
    """Return the best launch of one launcher, or None if none is worth it.

    Args:
        points_sent: Points on their way to each foe; updated.
        weapons_used: What the ship has launched so far; updated.
        stock_used: The ammunition it has used so far; updated.
    """
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    row = weapon.ordnance
    assert row is not None
    least = LEAST_OF_ONE if weapon.once else LEAST_CHANCE
    _, grade, fault = choose_store(ship, index, "", stock_used)
    if fault:
        return None
    best: tuple[float, Launch, AimPoint] | None = None
    friends = []
    for candidate in state.ships:
        if not state.hostile[ship.commander] >> candidate.commander & 1:
            friends.append(candidate)
    for aim in aims:
        if aim.chance < least:
            break
        if row.bursts is not None and any(_in_danger(friend, aim.at) for friend in friends):
            continue
        worth = aim.chance * _worth(aim.target, row) * _diminishing(aim.target, points_sent)
        if best is not None and worth <= best[0]:
            continue
        launch = Launch(fit.id, aim.at, load=grade if fit.magazine else "")
        if not launch_fault(
            state, ship, launch, weapons_used=list(weapons_used), stock_used=dict(stock_used)
        ):
            best = (worth, launch, aim)
    if best is None:
        return None
    launch_fault(state, ship, launch=best[1], weapons_used=weapons_used, stock_used=stock_used)
    points_sent[best[2].target.id] = points_sent.get(best[2].target.id, 0.0) + best[
        2
    ].chance * _points(row)
    return best[1]


def _in_danger(friend: ShipState, at: Point) -> bool:
    """Return whether a blast at a point may reach a friend, now or where it flies on to."""
    ux, uy = COURSES[friend.course]
    dx, dy = (
        friend.drift if friend.drift is not None else (ux * friend.velocity, uy * friend.velocity)
    )
    return any(
        (friend.x + dx * part - at[0]) ** 2 + (friend.y + dy * part - at[1]) ** 2 <= SAFE_RANGE**2
        for part in (0.0, 1.0)
    )


def _points(row: Ordnance) -> float:
    """Return the mean points of one launch without point defence."""
    if row.has_rolled_number:
        return MEAN_SALVO * MEAN_DIE
    return 3 * MEAN_DIE * row.strength


def _worth(target: ShipState, row: Ordnance) -> float:
    """Return the worth of a launch at a foe: its cost per box, less what point defence stops."""
    through = max(
        1.0
        - defence_weapon_count(target) * KILLS_PER_DIE / (6.0 if row.has_rolled_number else 2.0),
        0.15,
    )
    return through * target.sheet.points / max(target.sheet.boxes, 1)


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
    """A unit that may attack, its target's place, and how much of it is likely to survive."""

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
    own_ships = [
        ship for ship in state.ships if ship.commander == view.side and ship.status == FIGHTING
    ]
    ends = {
        ship.id: leg_of(ship, context.plotted.get(ship.id, HOLD)).path[-1] for ship in own_ships
    }
    threats = _threats(view, [*state.pieces_of(Group), *in_flight(state)], list(ends.values()))
    foes = [ship for ship in state.ships if state.hostile[view.side] >> ship.commander & 1]
    result = dict(launches)
    for ship in own_ships if threats else ():
        near = any(dist((foe.x, foe.y), ends[ship.id]) <= GUN_RANGE for foe in foes)
        weapons_used: list[str] = []
        for launch in result.get(ship.id, ()):
            launch_fault(state, ship, launch, weapons_used, stock_used={})
        for index in flak_guns(ship):
            fit = ship.sheet.fits[index]
            if fit.type in context.doctrine.never or not ship.alive[index]:
                continue
            threat = max(threats, key=lambda candidate: candidate.remaining)
            if threat.remaining < LEAST or (near and threat.place != ends[ship.id]):
                continue
            launch = Launch(fit.id, _burst_point(threat))
            clear = all(dist(launch.at or at, at) > CLEAR for at in ends.values())
            if clear and not launch_fault(state, ship, launch, weapons_used, stock_used={}):
                result[ship.id] = (*result.get(ship.id, ()), launch)
                threat.remaining -= fit.size * CRAFT_PER_DIE
    return result


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
    away = dist(threat.place, (threat.prey.x, threat.prey.y))
    share = min(BURST_AHEAD / away, 1.0) if away else 0.0
    return round(x + (threat.prey.x - x) * share, 2), round(y + (threat.prey.y - y) * share, 2)
