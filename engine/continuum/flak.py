"""Flak: K-guns that burst shells at a point instead of firing at a ship.

Rules: Continuum "K-guns" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import give_away
from engine.continuum.aiming import arcs_to, bearing
from engine.continuum.cores import uncommanded
from engine.continuum.damage import mark_damage
from engine.continuum.defences import silenced
from engine.continuum.fire_control import FirePhase
from engine.continuum.swept_fire import tell_struck
from engine.core.geometry import NEAR
from engine.core.orders import Fire, FireOrders
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, FIGHTING, HULK, ShipState
from engine.core.terms import FLAK
from engine.events.fire import FIRED, OUT_OF_ACTION, FlakBurst, ShotRefused
from engine.weapons.kinetics import FLAK_RADIUS, flak_burst

NO_SHELLS = "it has no flak ammunition"
NO_POINT = "flak must be aimed at a point of the table"
TOO_FAR = "that point is out of its range or its arc"
NO_FIRECON = "each burst needs a FireCon"


def burst_flak(phase: FirePhase, orders: Mapping[int, FireOrders]) -> dict[str, list[int]]:
    """Before all other fire: every burst ordered, side by side and ship by ship; the guns (places in `fits`) used up.

    Each takes a FireCon of this phase alone. Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    used: dict[str, list[int]] = {}
    for side in sorted(orders):
        for name, fires in orders[side]:
            if any(fire.mode == FLAK for fire in fires) and name in phase.ships:
                ship = phase.ships[name]
                guns = used.setdefault(name, [])
                for fire in fires:
                    if fire.mode == FLAK and ship.status == FIGHTING:
                        _burst(phase, ship, fire, guns)
    return used


def _burst(phase: FirePhase, ship: ShipState, fire: Fire, guns: list[int]) -> None:
    index = ship.profile.index_of[fire.weapon]
    why = _why_not(phase, ship, index, fire, guns)
    if why or fire.at is None:
        phase.table.tell(ShotRefused, ship.id, fire.weapon, fire.targets, why)
        return
    guns.append(index)
    give_away(phase.table, ship, fire.weapon)
    x, y = fire.at
    phase.table.tell(FlakBurst, ship.id, fire.weapon, (x, y), FLAK_RADIUS)
    for target in phase.table.state.ships:
        away = ((target.x - x) ** 2 + (target.y - y) ** 2) ** 0.5
        if target.status not in (FIGHTING, HULK) or target.docking == BERTHED or away > FLAK_RADIUS + NEAR:
            continue
        die, points = flak_burst(f"{ship.id}/{fire.weapon}>{target.id}", phase.table.dice)
        effect = Effect((die,), damage_types=(TypedDamage(points),) if points else ())
        shot = Shot(fire.weapon, away, away, screens=target.screens)
        tell_struck(phase, ship, fire.weapon, target, shot, effect, FLAK)
        if points:
            mark_damage(phase.table, target, effect.damage_types, f"flak:{ship.id}")


def _why_not(phase: FirePhase, ship: ShipState, index: int, fire: Fire, guns: list[int]) -> str:
    """Why a gun bursts no flak, nothing where it does."""
    fit = ship.sheet.fits[index]
    if FLAK not in fit.flags:
        return NO_SHELLS
    if fire.at is None:
        return NO_POINT
    if why := uncommanded(ship) or silenced(ship):
        return why
    if not ship.alive[index] or ship.dummy or ship.holds_fire or ship.armed:
        return OUT_OF_ACTION
    if index in guns:
        return FIRED
    if len(guns) >= ship.firecons:
        return NO_FIRECON
    x, y = fire.at
    away = ((x - ship.x) ** 2 + (y - ship.y) ** 2) ** 0.5
    if away > ship.profile.weapons[index].reach(fit, FLAK) + NEAR:
        return TOO_FAR
    return "" if bearing(phase.table.state, ship, index, away) & arcs_to(ship, x, y) else TOO_FAR
