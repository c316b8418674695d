"""What the weapons of a Continuum ship may fire at, and its worth.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]; Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from engine.captains.common.expected_damage import DefenceProfile
from engine.captains.common.foes import knows_systems
from engine.captains.common.gunnery import Aim, fire_at
from engine.captains.common.range_tables import Mount, is_usable, mount_worths, mounts_of, step_of
from engine.captains.continuum.system_targets import best_system, can_find_systems
from engine.captains.continuum.targets import SPEED_STEP, Target
from engine.combat.line_of_sight import chance_hidden, is_blocked
from engine.continuum.aiming import aim, arcs_for_fire, firing_arcs, stern_sensors
from engine.continuum.cores import no_command_reason
from engine.continuum.defences import ShotPath, shot_path, silence_reason
from engine.continuum.fire_control import fire_mode_of, working_count_of
from engine.continuum.fleet_morale import idle_fault
from engine.core.geometry import length_of
from engine.core.kinds import FIGHTING
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING
from engine.core.versions import RANDOM_MOUNTS
from engine.movement.docking import docked_fire_fault
from engine.weapons.beams import BEAM
from engine.weapons.weapon import no_fault

# Share of its best effect below which a one-shot weapon waits for a better target
SAVING_SHARE = 0.6
LAST_BOXES_SHARE = 0.4  # share of its hull left at which a ship no longer waits


class Loaded(NamedTuple):
    """A weapon that may be fired.

    Attributes:
        kind: The number of its kind and setting on this ship.
        fire_mode: Its setting.
        arcs: The arcs it bears to at every range; None if that depends on the range.
        is_scarce: Its shots are few.
    """

    mount: Mount
    kind: int
    fire_mode: str
    arcs: int | None
    is_scarce: bool


def can_fire(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship may fire anything this turn."""
    barred = ship.dummy or ship.holds_fire or docked_fire_fault(state, ship)
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
    boxes = ship.sheet.boxes
    holds_nothing_back = (boxes - ship.damage) < boxes * LAST_BOXES_SHARE
    loaded = _loaded(state, ship, never)
    farthest = max((weapon.mount.farthest for weapon in loaded), default=-1.0)
    x = ship.x
    y = ship.y
    pieces = state.pieces
    for foe_index, target in enumerate(targets):
        distance = length_of(target.x - x, target.y - y)
        effective_distance = distance * target.range_factor
        if effective_distance > farthest:
            continue
        bits = arcs_for_fire(state, ship, target.x, target.y)
        aim_by_kind: dict[int, Aim | None] = {}  # weapons of one kind in arc have the same effect
        hidden_chance = -1.0  # computed once a weapon bears
        path: ShotPath | None = None
        for weapon in loaded:
            mount, kind, _, arcs, is_scarce = weapon
            if effective_distance > mount.farthest:
                continue
            if arcs is None:
                arcs = firing_arcs(state, ship, mount.place, distance)
            if not arcs & bits:
                continue
            if hidden_chance < 0.0:
                if pieces and is_blocked(pieces, (x, y), (target.x, target.y)):
                    break
                hidden_chance = 0.0
                if pieces:
                    hidden_chance = chance_hidden(pieces, (x, y), (target.x, target.y))
                path = shot_path(state, ship, target.ship)
            if kind in aim_by_kind:
                aim = aim_by_kind[kind]
                if aim is None:
                    continue
                _, _, worth, mode, system, _ = aim
                aim = Aim((mount.place,), foe_index, worth, mode=mode, system=system)
            else:
                aim = aim_by_kind[kind] = _aim(
                    state,
                    ship,
                    weapon,
                    foe_index=foe_index,
                    target=target,
                    bits=bits,
                    path=path,
                )
                if aim is None:
                    continue
            if hidden_chance:
                aim = aim._replace(worth=aim.worth * (1.0 - hidden_chance))
            if (
                holds_nothing_back
                or not is_scarce
                or aim.worth >= SAVING_SHARE * _max_worth(mount, target)
            ):
                aims.append(aim)
    return aims


def _loaded(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> list[Loaded]:
    """Return the weapons that a ship may fire this turn."""
    sensors = stern_sensors(ship)
    fits = ship.sheet.fits
    fired_already = (*ship.this_turn.point_defence_weapons, *ship.this_turn.flak_guns)
    kinds: dict[tuple[int, str, tuple[str, ...]], int] = {}
    weapons: list[Loaded] = []
    for mount in mounts_of(ship.profile, ship.sheet):
        place = mount.place
        if mount.kind.along or fits[place].id in fired_already:
            continue
        if is_usable(ship, place, mount.fit.type, never):
            fire_mode = fire_mode_of(ship, place, "")
            unready = _unready_modes(ship, mount, state.turn)
            kind = kinds.setdefault((mount.number, fire_mode, unready), len(kinds))
            arcs = _arcs_at_any_range(state, ship, place, sensors)
            weapons.append(Loaded(mount, kind, fire_mode, arcs, mount.kind.is_scarce))
    if any(weapon.mount.kind.fed for weapon in weapons):
        fed_places = _launchers_with_loads(ship, [weapon.mount for weapon in weapons])
        return [
            weapon
            for weapon in weapons
            if not weapon.mount.kind.fed or weapon.mount.place in fed_places
        ]
    return weapons


def _unready_modes(ship: ShipState, mount: Mount, turn: int) -> tuple[str, ...]:
    """Return the modes in which a weapon cannot fire this turn, unlike others of its kind."""
    gun = mount.kind
    if gun.unready_fault is no_fault:
        return ()
    fit = ship.sheet.fits[mount.place]
    return tuple(mode for mode in gun.modes if gun.unready_fault(ship, fit, mode, turn))


def _launchers_with_loads(ship: ShipState, mounts: Sequence[Mount]) -> list[int]:
    """Return the indexes of launchers with a load in their magazine, in the order of the sheet."""
    loads_left: dict[str, int] = {}
    places = []
    for mount in mounts:
        if not mount.kind.fed:
            continue
        magazine = ship.sheet.fits[mount.place].magazine
        load_count = loads_left.setdefault(magazine, ship.stock[ship.profile.index_of[magazine]])
        loads_left[magazine] -= 1
        if load_count > 0:
            places.append(mount.place)
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
    """Return the worth of a weapon's shot at a target at the best range."""
    return max(mount_worths(mount, "", target.defence, target.armour_ratio))


def _aim(
    state: BattleState,
    ship: ShipState,
    weapon: Loaded,
    *,
    foe_index: int,
    target: Target,
    bits: int,
    path: ShotPath | None,
) -> Aim | None:
    """Return a weapon's best shot at a target, in any mode and with no body in the way, or None."""
    mount = weapon.mount
    gun = mount.kind
    fit = ship.sheet.fits[mount.place]
    is_set = bool(gun.settings.get(fit.variant)) or weapon.fire_mode not in gun.modes
    best: Aim | None = None
    for mode in _modes_to_try(mount, is_set=is_set):
        needs_advanced = mode in gun.advanced
        if gun.unready_fault(ship, fit, mode, state.turn) or (
            needs_advanced and not working_count_of(ship, "advanced-firecon")
        ):
            continue
        fire_mode = weapon.fire_mode if is_set else mode
        system = ""
        if fire_mode in gun.at_system:
            system = _system_to_hit(state, target, by_commandos=mode not in gun.snipes)
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
            mount,
            fire_mode,
            shot,
            target.armour_ratio,
            boarding_allowed=BOARDING in state.terms.options,
        )
        if worth and (best is None or worth > best.worth):
            best = Aim(places=(mount.place,), foe=foe_index, worth=worth, mode=mode, system=system)
    return best


def _system_to_hit(state: BattleState, target: Target, *, by_commandos: bool) -> str:
    """Return the system to aim at, or on a closed sheet the most common type of weapon."""
    is_closed = not by_commandos and not knows_systems(target.contact)
    if is_closed and state.terms.follows(RANDOM_MOUNTS):
        return BEAM
    return best_system(target.ship, by_commandos=by_commandos)


def _modes_to_try(mount: Mount, *, is_set: bool) -> tuple[str, ...]:
    """Return the modes that a weapon may fire in; a weapon that is set has only that one, ""."""
    if is_set:
        return ("",)
    if mount.kind.at_system:
        return tuple(dict.fromkeys((*mount.modes, *mount.kind.at_system)))
    return mount.modes


def _worth(
    mount: Mount, mode: str, shot: Shot, armour_ratio: float, *, boarding_allowed: bool
) -> float:
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
    row = mount_worths(mount, mode, defence, armour_ratio)
    if not row:
        return 0.0
    return row[min(step_of(shot.distance), len(row) - 1)]
