"""Fire along lines: where a captain aims spinal mounts, wave guns and nova cannons.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from engine.captains.common.expected_damage import STEP, DefenceProfile
from engine.captains.common.range_tables import Mount, mount_worths, mounts_of
from engine.captains.continuum.targets import Target, armour_ratio_of, defence_of, drift_of
from engine.combat.nova import CANNON
from engine.continuum.area_fire import in_line
from engine.core.geometry import COURSES, Point, distance_to_path, length_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire
from engine.core.sheet import Fit
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.weapons.nova import ARMED_AT, FLARES
from engine.weapons.spinal import BEAMS
from engine.weapons.wave import FULL_CHARGE, WAVE, charge_fault
from engine.weapons.weapon import BOW, LINE

FRIEND = 3.0  # weight of a friend's loss
SHOT_WORTH = 3.0  # least points for a shot, because the mount and its ship rest a turn afterwards
NOVA_PRICE = 2.0  # least worth of a nova, as a multiple of its ship's guns
CANNON_MEAN = 3.5 * FLARES[0].dice
MARGIN = 2.0  # MU that friends must be away from the path of a nova or wave, apart from their moves
Hit = tuple[float, float, float]  # the worth of a shot at a unit, and its position


def line_fires(
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...]
) -> tuple[Fire, ...]:
    """Return the fire of a ship's spinal mounts, each along its best line.

    Friends on the line count against it. A ship with an armed nova cannon has no such fire.
    """
    fires: list[Fire] = []
    if ship.armed or not ship.firecons:
        return ()
    for weapon in _working(ship, LINE, never):
        fit = ship.sheet.fits[weapon.place]
        if weapon.kind.unready_fault(ship, fit, "", state.turn):
            continue
        reach = weapon.kind.reach(fit, "")
        width = BEAMS[fit.variant][1]
        in_arc = [target for target in targets if in_line(state, ship, reach, target.ship)]
        hits = _hits_in_sweep(state, weapon, ship, targets) if in_arc else []
        rated = []
        for target in in_arc:
            to = (target.x, target.y)
            worth = _line_worth(ship, hits, to, reach_mu=reach, radius_mu=width / 2)
            rated.append((worth, target.contact.id))
        best_worth, name = max(rated, default=(0.0, ""))
        if best_worth > SHOT_WORTH:
            fires.append(Fire(fit.id, (name,)))
    return tuple(fires)


def _working(ship: ShipState, along: str, never: tuple[str, ...]) -> list[Mount]:
    """Return a ship's working weapons that fire along a line of this kind."""
    if along not in ship.profile.along:
        return []
    result: list[Mount] = []
    for weapon in mounts_of(ship.profile, ship.sheet):
        if weapon.kind.along != along or not ship.alive[weapon.place] or weapon.fit.type in never:
            continue
        if not (ship.sweeping and weapon.fit.offensive):
            result.append(weapon)
    return result


def _line_worth(
    ship: ShipState, hits: list[Hit], to: Point, *, reach_mu: float, radius_mu: float
) -> float:
    """Return the worth of everything that a line from a ship through a point touches."""
    start = (ship.x, ship.y)
    length = length_of(to[0] - ship.x, to[1] - ship.y)
    end = (
        ship.x + (to[0] - ship.x) * reach_mu / length,
        ship.y + (to[1] - ship.y) * reach_mu / length,
    )
    return _worth_on_path(hits, start, end, radius_mu)


def _worth_on_path(hits: list[Hit], start: Point, end: Point, radius: float) -> float:
    """Return the worth of the hits within a radius in MU of a path."""
    return sum(worth for worth, x, y in hits if distance_to_path(x, y, start, end) <= radius)


def _hits_in_sweep(
    state: BattleState, weapon: Mount, ship: ShipState, targets: list[Target]
) -> list[Hit]:
    """Return a sweeping weapon's worth at each ship, wherever it is; negative for friends."""
    hits: list[Hit] = []
    for target in targets:
        worth = _worth_at(
            weapon, ship, target.ship, defence=target.defence, armour_ratio=target.armour_ratio
        )
        hits.append((worth * target.weight, target.x, target.y))
    for friend in _friends_of(state, ship):
        defence, _ = defence_of(state, friend)
        worth = _worth_at(
            weapon, ship, friend, defence=defence, armour_ratio=armour_ratio_of(friend)
        )
        hits.append((-FRIEND * worth, friend.x, friend.y))
    return hits


def _friends_of(state: BattleState, ship: ShipState) -> list[ShipState]:
    """Return the other ships of a ship's side that could be hit by its fire."""
    friends = []
    for friend in state.ships:
        is_other = friend is not ship and friend.commander == ship.commander
        if is_other and friend.status == FIGHTING and not friend.dummy:
            friends.append(friend)
    return friends


def _worth_at(
    weapon: Mount,
    ship: ShipState,
    target_ship: ShipState,
    defence: DefenceProfile,
    armour_ratio: float,
) -> float:
    """Return the worth of a weapon's hit on a ship at its present range."""
    row = mount_worths(weapon, "", defence, armour_ratio)
    step = int(length_of(target_ship.x - ship.x, target_ship.y - ship.y) / STEP)
    if row:
        return row[min(step, len(row) - 1)]
    return 0.0


def wave_fires(
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...], guns: float
) -> tuple[Fire, ...]:
    """Return a wave gun's fire, if it is worth more than all the ship's other `guns`.

    An armed nova cannon fires unless a friend is in the way.
    """
    if ship.armed:
        return _nova_fire(state, ship)
    for weapon in _working(ship, BOW, never):
        fit = ship.sheet.fits[weapon.place]
        if CANNON in weapon.kind.traits or weapon.kind.unready_fault(ship, fit, "", state.turn):
            continue
        hits = _hits_in_sweep(state, weapon, ship, targets)
        worth = 0.0
        stage_start = 0.0
        for stage_end, radius, _ in WAVE:
            start, end = _ahead(ship, stage_start), _ahead(ship, stage_end)
            worth += _worth_on_path(hits, start, end, radius)
            stage_start = stage_end
        if worth > guns and worth > SHOT_WORTH:
            return (Fire(fit.id, ()),)
    return ()


def _ahead(ship: ShipState, distance: float) -> Point:
    """Return the point so many MU ahead of a ship."""
    ux, uy = COURSES[ship.course]
    return ship.x + ux * distance, ship.y + uy * distance


def _nova_fire(state: BattleState, ship: ShipState) -> tuple[Fire, ...]:
    """Return the fire of an armed nova cannon, unless a friend is in the way."""
    if not _is_path_clear(state, ship, (ship.x, ship.y), ship.course, ahead=False):
        return ()
    for place in ship.profile.having[CANNON]:
        if ship.alive[place]:
            return (Fire(ship.sheet.fits[place].id, ()),)
    return ()


def guns_to_charge(ship: ShipState, never: tuple[str, ...]) -> tuple[str, ...]:
    """Return the wave guns a ship charges this turn: all that are not full."""
    result: list[str] = []
    for fit in _wave_guns(ship, never):
        if ship.record.charge.get(fit.id, 0) < FULL_CHARGE:
            result.append(fit.id)
    return tuple(result)


def _wave_guns(ship: ShipState, never: tuple[str, ...]) -> list[Fit]:
    """Return a ship's working wave guns: what fires ahead and is no nova cannon."""
    fits = []
    for weapon in _working(ship, BOW, never):
        if CANNON not in weapon.kind.traits:
            fits.append(ship.sheet.fits[weapon.place])
    return fits


def has_loaded_wave_gun(ship: ShipState, never: tuple[str, ...], turn: int) -> bool:
    """Return whether a wave gun of a ship may fire this turn."""
    return any(not charge_fault(ship, fit, "", turn) for fit in _wave_guns(ship, never))


def should_arm(
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...], guns: float
) -> bool:
    """Return whether to put a ship's power into its nova cannon and fly straight on.

    Foes on the line ahead must be worth more than its `guns`, and no friend may be in the way.
    """
    if ship.warm or ship.dummy or ship.docking != FREE:
        return False
    if not any(CANNON in weapon.kind.traits for weapon in _working(ship, BOW, never)):
        return False
    gx, gy = drift_of(ship)
    x, y = ship.x + gx, ship.y + gy
    if not _is_path_clear(state, ship, (x, y), ship.course, ahead=True):
        return False
    ux, uy = COURSES[ship.course]
    worth = 0.0
    for target in targets:
        dx, dy = target.x - x, target.y - y
        along = dx * ux + dy * uy
        beside = abs(dx * uy - dy * ux)
        if ARMED_AT <= along <= ARMED_AT + FLARES[0].move:
            spread = 1.0 + target.contact.thrust * 0.75  # MU that it may have moved aside by then
            chance = max(1.0 - beside / (2 * spread), 0.0) / spread
            worth += chance * min(CANNON_MEAN, target.boxes_left) * target.weight
    return worth > NOVA_PRICE * guns + SHOT_WORTH


def _is_path_clear(
    state: BattleState, ship: ShipState, at: Point, course: int, *, ahead: bool
) -> bool:
    """Return whether no friend is in the first two turns of a nova's path.

    Args:
        ahead: Friends have still to move.
    """
    ux, uy = COURSES[course]
    far = ARMED_AT + FLARES[0].move + FLARES[1].move
    end = at[0] + ux * far, at[1] + uy * far
    for friend in state.ships:
        if (
            friend is ship
            or friend.commander != ship.commander
            or friend.status != FIGHTING
            or friend.dummy
        ):
            continue
        gx, gy = drift_of(friend)
        turns = (1, 2) if ahead else (0, 1)
        margin = FLARES[1].radius + MARGIN + friend.thrust * 0.75
        if any(
            distance_to_path(friend.x + gx * n, friend.y + gy * n, at, end) <= margin for n in turns
        ):
            return False
    return True
