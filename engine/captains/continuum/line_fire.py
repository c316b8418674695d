"""Fire along lines: where a captain aims spinal mounts, wave guns and nova cannons.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from engine.captains.common.expected_damage import STEP, DefenceProfile
from engine.captains.common.range_tables import Mount, mount_worths, mounts_of
from engine.captains.continuum.targets import Target, armour_share, defence_of, drift_of
from engine.combat.nova import CANNON
from engine.continuum.area_fire import in_line
from engine.core.geometry import COURSES, Point, distance_to_path
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire
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
        reach, width = BEAMS[fit.variant]
        aimed = [target for target in targets if in_line(state, ship, reach, target.ship)]
        hits = _hits_in_sweep(state, weapon, ship, targets) if aimed else []
        ways = []
        for target in aimed:
            ways.append(
                (
                    _line_worth(ship, hits, to=(target.x, target.y), reach=reach, radius=width / 2),
                    target.contact.id,
                )
            )
        worth, name = max(ways, default=(0.0, ""))
        if worth > SHOT_WORTH:
            fires.append(Fire(fit.id, (name,)))
    return tuple(fires)


def _working(ship: ShipState, along: str, never: tuple[str, ...]) -> list[Mount]:
    if along not in ship.profile.along:
        return []
    result: list[Mount] = []
    for weapon in mounts_of(ship.profile, ship.sheet):
        if weapon.kind.along == along and ship.alive[weapon.place] and weapon.fit.type not in never:
            result.append(weapon)
    return result


def _line_worth(ship: ShipState, hits: list[Hit], to: Point, reach: float, radius: float) -> float:
    """Return the worth of everything that a line from a ship through a point touches."""
    length = ((to[0] - ship.x) ** 2 + (to[1] - ship.y) ** 2) ** 0.5
    end = ship.x + (to[0] - ship.x) * reach / length, ship.y + (to[1] - ship.y) * reach / length
    return sum(
        worth for worth, x, y in hits if distance_to_path(x, y, (ship.x, ship.y), end) <= radius
    )


def _hits_in_sweep(
    state: BattleState, weapon: Mount, ship: ShipState, targets: list[Target]
) -> list[Hit]:
    """Return a sweeping weapon's worth at each ship, wherever it is; negative for friends."""
    hits = []
    for target in targets:
        hits.append(
            (
                _worth_at(
                    weapon,
                    ship,
                    target_ship=target.ship,
                    defence=target.defence,
                    shell=target.shell,
                )
                * target.weight,
                target.x,
                target.y,
            )
        )
    for friend in state.ships:
        if (
            friend is not ship
            and friend.commander == ship.commander
            and friend.status == FIGHTING
            and not friend.dummy
        ):
            defence, _ = defence_of(state, friend)
            hits.append(
                (
                    -FRIEND
                    * _worth_at(
                        weapon,
                        ship,
                        target_ship=friend,
                        defence=defence,
                        shell=armour_share(friend),
                    ),
                    friend.x,
                    friend.y,
                )
            )
    return hits


def _worth_at(
    weapon: Mount, ship: ShipState, target_ship: ShipState, defence: DefenceProfile, shell: float
) -> float:
    row = mount_worths(weapon, "", defence, shell)
    step = int(((target_ship.x - ship.x) ** 2 + (target_ship.y - ship.y) ** 2) ** 0.5 / STEP)
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
        ux, uy = COURSES[ship.course]
        worth = 0.0
        stage_start = 0.0
        hits = _hits_in_sweep(state, weapon, ship, targets)
        for end, radius, _ in WAVE:
            a, b = ((ship.x + ux * far, ship.y + uy * far) for far in (stage_start, end))
            worth += sum(
                hit_worth for hit_worth, x, y in hits if distance_to_path(x, y, a, b) <= radius
            )
            stage_start = end
        if worth > guns and worth > SHOT_WORTH:
            return (Fire(fit.id, ()),)
    return ()


def _nova_fire(state: BattleState, ship: ShipState) -> tuple[Fire, ...]:
    place = next((place for place in ship.profile.having[CANNON] if ship.alive[place]), -1)
    if place < 0 or not _is_path_clear(state, ship, (ship.x, ship.y), ship.course, ahead=False):
        return ()
    return (Fire(ship.sheet.fits[place].id, ()),)


def guns_to_charge(ship: ShipState, never: tuple[str, ...]) -> tuple[str, ...]:
    """Return the wave guns a ship charges this turn: all that are not full."""
    fits = []
    for weapon in _working(ship, BOW, never):
        if CANNON not in weapon.kind.traits:
            fits.append(ship.sheet.fits[weapon.place])
    result: list[str] = []
    for fit in fits:
        if ship.record.charge.get(fit.id, 0) < FULL_CHARGE:
            result.append(fit.id)
    return tuple(result)


def has_loaded_wave_gun(ship: ShipState, never: tuple[str, ...], turn: int) -> bool:
    """Return whether a wave gun of a ship may fire this turn."""
    fits = []
    for weapon in _working(ship, BOW, never):
        if CANNON not in weapon.kind.traits:
            fits.append(ship.sheet.fits[weapon.place])
    return any(not charge_fault(ship, fit, "", turn) for fit in fits)


def should_arm(
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...], guns: float
) -> bool:
    """Return whether to put a ship's power into its nova cannon and fly straight on.

    Foes on the line ahead must be worth more than its `guns`, and no friend may be in the way.
    """
    if (
        ship.warm
        or ship.dummy
        or ship.docking != FREE
        or not any(CANNON in weapon.kind.traits for weapon in _working(ship, BOW, never))
    ):
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
        off = abs(dx * uy - dy * ux)
        if ARMED_AT <= along <= ARMED_AT + FLARES[0].move:
            spread = 1.0 + target.contact.thrust * 0.75  # MU that it may have moved aside by then
            worth += (
                max(1.0 - off / (2 * spread), 0.0)
                / spread
                * min(CANNON_MEAN, target.boxes_left)
                * target.weight
            )
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
