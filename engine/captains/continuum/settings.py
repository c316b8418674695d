"""A captain's orders to a ship's weapons for the end of a move: settings, turrets, overloaded
tubes, charging.

Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Turrets" 5.22 [pc.turrets]
"""

from __future__ import annotations

from engine.captains.common.courses import Option, facing
from engine.captains.common.expected import STEP
from engine.captains.common.range_tables import (
    ROLLED_OVER,
    Mount,
    arc_place,
    compass_of,
    mounts_of,
    worths_of,
)
from engine.captains.continuum.lines import charging
from engine.captains.continuum.marks import Mark
from engine.continuum.fire_control import way_of
from engine.continuum.weapon_orders import ChargeWaveGuns, Overload, SetWeapon, TurnTurret
from engine.core.geometry import SIX_ARC_BITS
from engine.core.orders import FurtherOrder
from engine.core.sheet import Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import OVERLOAD
from engine.weapons.weapon import Trait

OVERLOADS_FOR = 1.15  # times the plain torpedo's damage that an overloaded one must be worth
RESETS_FOR = 2.0  # times the present setting's damage for which a weapon goes off line to be set


def weapon_words(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]
) -> list[FurtherOrder]:
    """The orders about weapons that go into a plot with this move.

    `never`: the types of system left unused.
    """
    words: list[FurtherOrder] = []
    overloaded: list[str] = []
    working = [
        weapon
        for weapon in _spoken_of(ship.profile, ship.sheet)
        if ship.alive[weapon.place] and weapon.fit.type not in never
    ]
    for weapon in working:
        fit = ship.sheet.fits[weapon.place]
        if weapon.kind.settings.get(fit.variant) and Trait.SET_IN_PORT not in weapon.kind.traits:
            setting = _setting(ship, weapon, option, marks)
            if setting:
                words.append(SetWeapon(fit.id, setting))
        elif OVERLOAD in fit.flags and fit.variant in weapon.kind.overloads:
            fresh = ship.record.fired.get(fit.id) != state.turn - 1
            plain, loaded = (_outlook(ship, weapon, mode, option, marks) for mode in ("", OVERLOAD))
            if fresh and loaded > plain * OVERLOADS_FOR:
                overloaded.append(fit.id)
    if overloaded:
        words.append(Overload(tuple(overloaded)))
    if charge := charging(ship, never):
        words.append(ChargeWaveGuns(charge))
    return words + _turrets(ship, working, option, marks)


def _spoken_of(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """The weapons of a sheet about which a plot may say anything: those that are set, overloaded or
    in a turret.
    """
    found = []
    for mount in mounts_of(profile, sheet):
        fit = sheet.fits[mount.place]
        if mount.kind.settings.get(fit.variant) or OVERLOAD in fit.flags or fit.turret:
            found.append(mount)
    return tuple(found)


def _outlook(
    ship: ShipState,
    weapon: Mount,
    mode: str,
    option: Option,
    marks: list[Mark],
    bits: int | None = None,
) -> float:
    """The most damage, by weight of foes, that a weapon does to any of them at the end of a move,
    in a mode and through these arcs (None: its own).
    """
    ux, uy = facing(option.course, ship.sheet.beta)
    arcs = weapon.bits if bits is None else bits
    compass = compass_of(ship.sheet.edition)
    most = 0.0
    for mark in marks:
        dx, dy = mark.x - option.x, mark.y - option.y
        arc = compass.bits[arc_place(dx, dy, ux, uy, compass.slope)]
        if not arcs & (ROLLED_OVER[arc] if ship.record.rolled else arc):
            continue
        row = worths_of(weapon, mode, mark.ward, mark.shell)
        step = int((dx * dx + dy * dy) ** 0.5 * mark.stretch / STEP)
        if step < len(row):
            most = max(most, row[step] * mark.weight)
    return most


def _setting(ship: ShipState, weapon: Mount, option: Option, marks: list[Mark]) -> str:
    """The setting to change a weapon to, "" to leave it as it is.

    Going off line for it takes RESETS_FOR.
    """
    now = way_of(ship, weapon.place, "")
    rated = [
        (_outlook(ship, weapon, mode, option, marks), mode == now, mode) for mode in weapon.modes
    ]
    worth, _, mode = max(rated)
    kept = next(worth for worth, _, mode in rated if mode == now)
    if mode == now or worth <= kept * (
        RESETS_FOR if Trait.OFF_LINE_TO_SET in weapon.kind.traits else 1.0
    ):
        return ""
    return mode


def _turrets(
    ship: ShipState, working: list[Mount], option: Option, marks: list[Mark]
) -> list[FurtherOrder]:
    """The turrets to turn, each to the arc in which its weapons do most damage."""
    words: list[FurtherOrder] = []
    for place in ship.profile.places.get("turret", ()):
        turret = ship.sheet.fits[place]
        inside = [weapon for weapon in working if ship.sheet.fits[weapon.place].turret == turret.id]
        if not ship.alive[place] or not inside:
            continue
        now = turret.arcs[ship.record.facing.get(turret.id, 0)]
        rated = [
            (
                sum(
                    _outlook(ship, weapon, "", option, marks, SIX_ARC_BITS[arc])
                    for weapon in inside
                ),
                arc == now,
                arc,
            )
            for arc in turret.arcs
        ]
        arc = max(rated)[2]
        if arc != now:
            words.append(TurnTurret(turret.id, arc))
    return words
