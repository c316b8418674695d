"""What a plot says about weapons: settings, overloaded tubes, turrets, wave guns that charge; and what it may not say.

Rules: Continuum "Direct fire weapons" 5 [pc.pulse-torpedoes]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.nova import arm
from engine.core.noting import note
from engine.core.orders import Plot
from engine.core.sheet import Fit
from engine.core.ship import FIGHTING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import OVERLOAD
from engine.english import plural
from engine.weapons.wave import FULL_CHARGE
from engine.weapons.weapon import NO_WEAPON, Trait, Weapon


def fit_of(ship: ShipState, system: str) -> Fit | None:
    """A ship's system by its id, None where it has none of that name."""
    index = ship.profile.index_of.get(system, -1)
    return ship.sheet.fits[index] if index >= 0 else None


def weapon_named(ship: ShipState, system: str) -> Weapon:
    """The row of a ship's weapon by its id, NO_WEAPON where it has none of that name."""
    index = ship.profile.index_of.get(system, -1)
    return ship.profile.weapons[index] if index >= 0 else NO_WEAPON


def _out(ship: ShipState, system: str) -> str:
    return "" if ship.alive[ship.profile.index_of[system]] else f"'{system}' is out of action"


def set_fault(_: BattleState, ship: ShipState, rest: tuple[str, ...], __: Plot) -> str:
    """Why a weapon cannot be set so; nothing where it can. Pulsers are set before a battle alone.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    system, setting = rest
    fit, weapon = fit_of(ship, system), weapon_named(ship, system)
    if fit is None or not weapon.settings.get(fit.variant):
        return f"it has no '{system}' that can be set"
    if Trait.SET_IN_PORT in weapon.traits:
        return f"{plural(fit.type)} can be set only before a battle"
    if setting not in weapon.settings[fit.variant]:
        return f"'{system}' is set to one of {', '.join(weapon.settings[fit.variant])}"
    return _out(ship, system)


def set_weapon(table: Table, ship: ShipState, rest: tuple[str, ...]) -> None:
    """A variable tube is set at once; a fusion array goes off line for the turn in which its setting changes.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19 [pc.fusion-array]
    """
    system, setting = rest
    fit, weapon = fit_of(ship, system), weapon_named(ship, system)
    assert fit is not None
    place = weapon.settings[fit.variant].index(setting)
    if place == ship.record.setting.get(system, 0):
        return
    note(table, ship, "setting", place, system)
    if Trait.OFF_LINE_TO_SET in weapon.traits:
        note(table, ship, "off-line", 1, system)


def overload_fault(state: BattleState, ship: ShipState, rest: tuple[str, ...], _: Plot) -> str:
    """Why a torpedo tube cannot be overloaded; nothing where it can.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    for system in rest:
        fit = fit_of(ship, system)
        if fit is None or OVERLOAD not in fit.flags:
            return f"it has no '{system}' that can be overloaded"
        if _out(ship, system):
            return _out(ship, system)
        if ship.record.fired.get(system) == state.turn - 1:
            return f"'{system}' fired last turn"
    return ""


def overload(table: Table, ship: ShipState, rest: tuple[str, ...]) -> None:
    """Tubes are loaded too hot; what is not fired is thrown out, and counts as fired.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """
    for system in rest:
        note(table, ship, "overloaded", 1, system)
        note(table, ship, "fired", table.turn, system)


def charge_fault(_: BattleState, ship: ShipState, rest: tuple[str, ...], __: Plot) -> str:
    """Why a wave gun cannot be charged; nothing where it can. Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]"""
    for system in rest:
        fit = fit_of(ship, system)
        if fit is None or Trait.CAPACITORS not in weapon_named(ship, system).traits:
            return f"it has no wave gun '{system}'"
        if _out(ship, system):
            return _out(ship, system)
        if ship.record.charge.get(system, 0) >= FULL_CHARGE:
            return f"'{system}' is charged"
    return ""


def charge(table: Table, ship: ShipState, rest: tuple[str, ...]) -> None:
    """A die more in the capacitors of each wave gun. Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]"""
    for system in rest:
        held = ship.record.charge.get(system, 0)
        note(table, ship, "charge", held + table.dice.roll("charge", f"{ship.id}/{system}"), system)


def turret_fault(_: BattleState, ship: ShipState, rest: tuple[str, ...], __: Plot) -> str:
    """Why a turret cannot face that way; nothing where it can. One that is hit is stuck.

    Rules: Continuum "Turrets" 5.22 [pc.turrets]
    """
    system, arc = rest
    fit = fit_of(ship, system)
    if fit is None or fit.type != "turret":
        return f"it has no turret '{system}'"
    if arc.upper() not in fit.arcs:
        return f"'{system}' faces one of {', '.join(fit.arcs)}"
    return _out(ship, system)


def turn_turret(table: Table, ship: ShipState, rest: tuple[str, ...]) -> None:
    """After ship movement everybody sees where a turret faces. Rules: Continuum "Turrets" 5.22 [pc.turrets]"""
    system, arc = rest
    fit = fit_of(ship, system)
    assert fit is not None
    place = fit.arcs.index(arc.upper())
    if ship.status != FIGHTING or _out(ship, system):
        return
    note(table, ship, "facing", place, system)


def rest_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Why a ship may not do what its plot says in the turn after it fired a spinal mount; nothing where it may.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    if not (plot.turn or plot.thrust or plot.second or plot.burns or plot.ftl):
        return ""
    fired = [
        ship.sheet.fits[place].id
        for place in ship.profile.having.get(Trait.RESTS, ())
        if ship.record.fired.get(ship.sheet.fits[place].id) == state.turn - 1
    ]
    if not fired:
        return ""
    return f"it fired {', '.join(fired)} last turn: it can neither manoeuvre nor warm up its FTL drive"


def arm_cannons(table: Table, plots: Mapping[str, Plot]) -> None:
    """Ships that were so ordered put all their power into their nova cannon.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """
    for ship in table.state.ships:
        if ship.id in plots and plots[ship.id].nova and ship.status == FIGHTING:
            arm(table, ship)
