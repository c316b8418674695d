"""A captain's orders for weapons at the end of a move: settings, turrets, overloads, charging.

Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Turrets" 5.22 [pc.turrets]
"""

from __future__ import annotations

from math import sqrt

from engine.captains.common.expected_damage import STEP
from engine.captains.common.move_options import Option, arc_reference
from engine.captains.common.range_tables import (
    ROLLED_OVER,
    Mount,
    arc_place,
    compass_of,
    mount_worths,
    mounts_of,
)
from engine.captains.continuum.line_fire import guns_to_charge
from engine.captains.continuum.targets import Target
from engine.continuum.fire_control import fire_mode_of
from engine.continuum.weapon_orders import ChargeWaveGuns, Overload, SetWeapon, TurnTurret
from engine.core.geometry import SIX_ARC_BITS
from engine.core.orders import FurtherOrder
from engine.core.sheet import Fit, Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import OVERLOAD
from engine.weapons.weapon import Trait, Weapon

OVERLOAD_FACTOR = 1.15  # least damage of an overloaded torpedo, as a multiple of a plain one's
# Least damage in a new setting, as a multiple of the present, if the weapon goes off line
RESET_FACTOR = 2.0


def weapon_orders(
    state: BattleState,
    ship: ShipState,
    option: Option,
    targets: list[Target],
    never: tuple[str, ...],
) -> list[FurtherOrder]:
    """Return the orders for weapons in a plot with this move.

    Args:
        never: The types of system left unused.
    """
    orders: list[FurtherOrder] = []
    overloaded: list[str] = []
    working = []
    for mount in _settable_weapons(ship.profile, ship.sheet):
        if ship.alive[mount.place] and mount.fit.type not in never:
            working.append(mount)
    for mount in working:
        fit = ship.sheet.fits[mount.place]
        if _may_be_set(mount.kind, fit):
            setting = _setting(ship, mount, option, targets)
            if setting:
                orders.append(SetWeapon(fit.id, setting))
        elif _should_overload(state, ship, mount, option, targets=targets):
            overloaded.append(fit.id)
    if overloaded:
        orders.append(Overload(tuple(overloaded)))
    if charge := guns_to_charge(ship, never):
        orders.append(ChargeWaveGuns(charge))
    return orders + _turrets(ship, working, option, targets)


def _may_be_set(weapon: Weapon, fit: Fit) -> bool:
    """Return whether a weapon has settings that can be changed in a battle."""
    return bool(weapon.settings.get(fit.variant)) and Trait.SET_IN_PORT not in weapon.traits


def _should_overload(
    state: BattleState, ship: ShipState, mount: Mount, option: Option, targets: list[Target]
) -> bool:
    """Return whether a torpedo can be overloaded and then does enough more damage than plain."""
    fit = ship.sheet.fits[mount.place]
    if OVERLOAD not in fit.flags or fit.variant not in mount.kind.overloads:
        return False
    if ship.record.last_fired.get(fit.id) == state.turn - 1:
        return False
    plain = _max_damage(ship, mount, "", option, targets=targets)
    overloaded = _max_damage(ship, mount, OVERLOAD, option, targets=targets)
    return overloaded > plain * OVERLOAD_FACTOR


def _settable_weapons(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """Return the weapons of a sheet that take orders in a plot: set, overloaded or in a turret."""
    settable = []
    for mount in mounts_of(profile, sheet):
        fit = sheet.fits[mount.place]
        if mount.kind.settings.get(fit.variant) or OVERLOAD in fit.flags or fit.turret:
            settable.append(mount)
    return tuple(settable)


def _max_damage(
    ship: ShipState,
    weapon: Mount,
    mode: str,
    option: Option,
    targets: list[Target],
    bits: int | None = None,
) -> float:
    """Return the most damage, times the foe's weight, that a weapon does at the end of a move.

    Args:
        bits: The arcs it bears to; None for its own.
    """
    ux, uy = arc_reference(option.course, ship.sheet.beta)
    arcs = weapon.bits if bits is None else bits
    compass = compass_of(ship.sheet.edition)
    most = 0.0
    for target in targets:
        dx, dy = target.x - option.x, target.y - option.y
        arc = compass.bits[arc_place(dx, dy, ux, uy, slope=compass.slope)]
        if not arcs & (ROLLED_OVER[arc] if ship.record.rolled else arc):
            continue
        row = mount_worths(weapon, mode, target.defence, target.armour_ratio)
        step = int(sqrt(dx * dx + dy * dy) * target.range_factor / STEP)
        if step < len(row):
            most = max(most, row[step] * target.weight)
    return most


def _setting(ship: ShipState, weapon: Mount, option: Option, targets: list[Target]) -> str:
    """Return the setting to change a weapon to, or "" to leave it.

    A weapon that goes off line for it needs a gain of RESET_FACTOR.
    """
    present = fire_mode_of(ship, weapon.place, "")
    damage = {}
    for mode in weapon.modes:
        damage[mode] = _max_damage(ship, weapon, mode, option, targets=targets)
    best = max(weapon.modes, key=lambda mode: (damage[mode], mode == present, mode))
    factor = RESET_FACTOR if Trait.OFF_LINE_TO_SET in weapon.kind.traits else 1.0
    if best == present or damage[best] <= damage[present] * factor:
        return ""
    return best


def _turrets(
    ship: ShipState, working: list[Mount], option: Option, targets: list[Target]
) -> list[FurtherOrder]:
    """Return orders for turrets to turn, each to the arc in which its weapons do most damage."""
    orders: list[FurtherOrder] = []
    for place in ship.profile.indexes_by_type.get("turret", ()):
        turret = ship.sheet.fits[place]
        inside = []
        for weapon in working:
            if ship.sheet.fits[weapon.place].turret == turret.id:
                inside.append(weapon)
        if not ship.alive[place] or not inside:
            continue
        present = turret.arcs[ship.record.facing.get(turret.id, 0)]
        rated = []
        for arc in turret.arcs:
            damage = _damage_in_arc(ship, inside, arc, option, targets=targets)
            rated.append((damage, arc == present, arc))
        best = max(rated)[2]
        if best != present:
            orders.append(TurnTurret(turret.id, best))
    return orders


def _damage_in_arc(
    ship: ShipState, weapons: list[Mount], arc: str, option: Option, targets: list[Target]
) -> float:
    """Return the most damage that the weapons of a turret do if it is turned to an arc."""
    bits = SIX_ARC_BITS[arc]
    damage = 0.0
    for weapon in weapons:
        damage += _max_damage(ship, weapon, mode="", option=option, targets=targets, bits=bits)
    return damage
