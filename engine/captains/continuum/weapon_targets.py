"""What the weapons of a Continuum ship may fire at, and its worth.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]; Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from engine.captains.common.expected_damage import DefenceProfile
from engine.captains.common.gunnery import Aim, fire_at
from engine.captains.common.range_tables import Mount, is_usable, mount_worths, mounts_of, step_of
from engine.captains.continuum.system_targets import best_system, can_find_systems
from engine.captains.continuum.targets import SPEED_STEP, Target
from engine.combat.line_of_sight import chance_hidden, is_blocked
from engine.continuum.aiming import aim, arcs_to, firing_arcs, stern_sensors
from engine.continuum.cores import no_command_reason
from engine.continuum.defences import ShotPath, shot_path, silence_reason
from engine.continuum.fire_control import fire_mode_of, working_count_of
from engine.continuum.fleet_morale import idle_fault
from engine.core.kinds import FIGHTING
from engine.core.rolls import Shot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING

# Share of its best effect below which a one-shot weapon waits for a better target
SAVING_SHARE = 0.6
LAST_BOXES_SHARE = 0.4  # share of its hull left at which a ship no longer waits

# A weapon that may be fired: its mount, the number of its kind and setting on this ship, its
# setting, the arcs it bears to at every range (None if that depends on the range), and whether its
# shots are few.
Loaded = tuple[Mount, int, str, int | None, bool]


def can_fire(ship: ShipState) -> bool:
    """Return whether a ship may fire anything this turn."""
    barred = ship.dummy or ship.holds_fire or ship.docking >= DOCKED
    return ship.status == FIGHTING and not (
        barred or silence_reason(ship) or no_command_reason(ship) or idle_fault(ship)
    )


def find_aims(  # noqa: PLR0912, C901 -- runs for every weapon, written out for speed
    state: BattleState, ship: ShipState, targets: list[Target], never: tuple[str, ...]
) -> list[Aim]:
    """Return what each working weapon of a ship may fire at, and its worth.

    One-shot weapons wait for a target worth it. A target that may stay hidden in a cloud is worth
    less in proportion.
    """
    aims: list[Aim] = []
    if ship.armed:
        return aims
    last = (ship.sheet.boxes - ship.damage) < ship.sheet.boxes * LAST_BOXES_SHARE
    loaded = _loaded(state, ship, never)
    farthest = max((mount.farthest for mount, _, _, _, _ in loaded), default=-1.0)
    x = ship.x
    y = ship.y
    pieces = state.pieces
    for place, target in enumerate(targets):
        distance = ((target.x - x) ** 2 + (target.y - y) ** 2) ** 0.5
        effective_distance = distance * target.stretch
        if effective_distance > farthest:
            continue
        bits = arcs_to(ship, target.x, target.y)
        aim_by_kind: dict[int, Aim | None] = {}  # weapons of one kind in arc have the same effect
        hidden = -1.0  # computed once a weapon bears
        path: ShotPath | None = None
        for mount, kind, fire_mode, arcs, scarce in loaded:
            if effective_distance > mount.farthest:
                continue
            if (
                not (firing_arcs(state, ship, mount.place, distance) if arcs is None else arcs)
                & bits
            ):
                continue
            if hidden < 0.0:
                if pieces and is_blocked(pieces, (x, y), (target.x, target.y)):
                    break
                if pieces:
                    hidden = chance_hidden(pieces, (x, y), (target.x, target.y))
                else:
                    hidden = 0.0
                path = shot_path(state, ship, target.ship)
            if kind in aim_by_kind:
                aim = aim_by_kind[kind]
                if aim is None:
                    continue
                _, _, worth, mode, system, _ = aim
                aim = Aim(places=(mount.place,), foe=place, worth=worth, mode=mode, system=system)
            else:
                aim = aim_by_kind[kind] = _aim(
                    state,
                    ship,
                    mount,
                    way=fire_mode,
                    place=place,
                    target=target,
                    bits=bits,
                    path=path,
                )
                if aim is None:
                    continue
            if hidden:
                aim = aim._replace(worth=aim.worth * (1.0 - hidden))
            if last or not scarce or aim.worth >= SAVING_SHARE * _max_worth(mount, target):
                aims.append(aim)
    return aims


def _loaded(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> list[Loaded]:
    """Return the weapons that a ship may fire this turn."""
    sensors = stern_sensors(ship)
    fits = ship.sheet.fits
    now = ship.this_turn
    kinds: dict[tuple[int, str], int] = {}
    weapons: list[Loaded] = []
    for mount in mounts_of(ship.profile, ship.sheet):
        id_ = fits[mount.place].id
        if mount.kind.along or id_ in now.point_defence_weapons or id_ in now.flak_guns:
            continue
        if is_usable(ship, mount.place, mount.fit.type, never):
            way = fire_mode_of(ship, mount.place, "")
            kind = kinds.setdefault((mount.number, way), len(kinds))
            arcs = _arcs_at_any_range(state, ship, mount.place, sensors)
            weapons.append((mount, kind, way, arcs, mount.kind.is_scarce))
    if any(mount.kind.fed for mount, _, _, _, _ in weapons):
        fed = _launchers_with_loads(ship, [mount for mount, _, _, _, _ in weapons])
        weapons = [entry for entry in weapons if not entry[0].kind.fed or entry[0].place in fed]
    return weapons


def _launchers_with_loads(ship: ShipState, mounts: Sequence[Mount]) -> list[int]:
    """Return the indexes of launchers with a load in their magazine, in the order of the sheet."""
    loads_left: dict[str, int] = {}
    places = []
    for mount in mounts:
        magazine = ship.sheet.fits[mount.place].magazine
        if mount.kind.fed:
            there = loads_left.setdefault(magazine, ship.stock[ship.profile.index_of[magazine]])
            loads_left[magazine] -= 1
            places += [mount.place] if there > 0 else []
    return places


def _arcs_at_any_range(state: BattleState, ship: ShipState, place: int, sensors: str) -> int | None:
    """Return the arcs a weapon may fire through at every range.

    The result is None if they depend on the range, as for fire astern with some `sensors`.
    """
    arcs = firing_arcs(state, ship, place, inf)
    if not sensors or arcs == firing_arcs(state, ship, place, 0.0):
        return arcs
    return None


def _max_worth(mount: Mount, target: Target) -> float:
    return max(mount_worths(mount, "", target.defence, target.shell))


def _aim(
    state: BattleState,
    ship: ShipState,
    mount: Mount,
    way: str,
    place: int,
    target: Target,
    bits: int,
    path: ShotPath | None,
) -> Aim | None:
    """Return a weapon's best shot at a target, in any mode and with no body in the way, or None."""
    gun = mount.kind
    fit = ship.sheet.fits[mount.place]
    fixed = bool(gun.settings.get(fit.variant)) or way not in gun.modes
    modes = mount.modes
    if fixed:
        modes = ("",)
    elif gun.at_system:
        modes = tuple(dict.fromkeys((*mount.modes, *gun.at_system)))
    best: Aim | None = None
    for mode in modes:
        fire_mode = way if fixed else mode
        if gun.unready_fault(ship, fit, mode, state.turn) or (
            mode in gun.advanced and not working_count_of(ship, "advanced-firecon")
        ):
            continue
        if fire_mode in gun.at_system:
            system = best_system(target.ship, guarded=mode not in gun.snipes)
        else:
            system = ""
        shot = aim(
            state,
            ship,
            index=mount.place,
            fire=fire_at(fit.id, (), system),
            mode=fire_mode,
            target=target.ship,
            bits=bits,
            path=path,
        )
        if shot is None or (fire_mode in gun.snipes and not can_find_systems(ship, shot.distance)):
            continue
        worth = _worth(
            mount, fire_mode, shot, target.shell, boarding_allowed=BOARDING in state.terms.options
        )
        if worth and (best is None or worth > best.worth):
            best = Aim(places=(mount.place,), foe=place, worth=worth, mode=mode, system=system)
    return best


def _worth(mount: Mount, mode: str, shot: Shot, shell: float, *, boarding_allowed: bool) -> float:
    """Return the mean worth of a shot."""
    defence = DefenceProfile(
        shot.screens,
        shot.advanced,
        shot.modifier,
        shot.rerolls_modified,
        holofield=shot.holofield,
        mass=shot.mass,
        velocity=shot.velocity // SPEED_STEP * SPEED_STEP,
        counts_boarders=boarding_allowed,
    )
    row = mount_worths(mount, mode, defence, shell)
    if not row:
        return 0.0
    return row[min(step_of(shot.distance), len(row) - 1)]
