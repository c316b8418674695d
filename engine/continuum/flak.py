"""Flak: shells that K-guns set to burst at a point as ordnance is launched, among all that flies by
there in the turn.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import is_blocked
from engine.continuum.aiming import arcs_to, firing_arcs
from engine.continuum.area_fire import (
    BURST_NEEDS_FIRECON,
    NO_POINT,
    NO_SHELLS,
    TOO_FAR,
    tell_hit,
)
from engine.continuum.craft.moves import in_order
from engine.continuum.damage import apply_damage
from engine.continuum.fly_by import resolve_fly_by
from engine.core.geometry import NEAR
from engine.core.kinds import ON_TABLE
from engine.core.orders import Launch
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FLAK
from engine.events.fire import FlakBurst
from engine.pieces.flak import Flak, FlakLaid
from engine.pieces.marker import Marker
from engine.pieces.point_defence_targets import IncomingUnit
from engine.weapons.kinetics import FLAK_RADIUS, roll_flak_burst

POINT_ALONE = reason("point-alone", "flak is aimed at a point of the table, and at nothing else")


def flak_guns(ship: ShipState) -> list[int]:
    """The places of a ship's guns that have flak ammunition."""
    return [place for place, fit in enumerate(ship.sheet.fits) if FLAK in fit.flags]


def barrage_count(ship: ShipState, weapons_fired: Sequence[str]) -> int:
    """How many of the weapons that a ship has fired in this phase burst flak: each has a FireCon of
    its own.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    names = {ship.sheet.fits[place].id for place in flak_guns(ship)}
    return sum(name in names for name in weapons_fired)


def barrage_fault(
    state: BattleState, ship: ShipState, index: int, launch: Launch, firecons_in_use: int
) -> str:
    """Why a gun (its place in `fits`) bursts no flak as it is told, nothing where it does.

    `others`: FireCons that the ship has set to other barrages, and to its missiles.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    fit = ship.sheet.fits[index]
    if FLAK not in fit.flags:
        return NO_SHELLS
    if launch.at is None:
        return NO_POINT
    if launch.target or launch.load or launch.fuse:
        return POINT_ALONE
    if firecons_in_use >= ship.firecons:
        return BURST_NEEDS_FIRECON
    x, y = launch.at
    away = ((x - ship.x) ** 2 + (y - ship.y) ** 2) ** 0.5
    if away > ship.profile.weapons[index].reach(fit, FLAK) + NEAR:
        return TOO_FAR
    if not firing_arcs(state, ship, index, away) & arcs_to(ship, x, y):
        return TOO_FAR
    return TOO_FAR if is_blocked(state.pieces, (ship.x, ship.y), launch.at) else ""


def fire_flak(table: Table, ship: ShipState, launch: Launch) -> None:
    """A gun's shells are set to burst at a point, as was judged.

    Rules: Continuum 5.16 [pc.k-guns]
    """
    assert launch.at is not None
    reveal_ship(table, ship, launch.weapon)
    fit = ship.sheet.fits[ship.profile.index_of[launch.weapon]]
    number = 1 + len(table.state.pieces_of(Flak))
    table.carry_out(
        FlakLaid(table.turn, ship.id, launch.weapon, f"flak-{number}", launch.at, fit.size)
    )


def burst_all_flak(table: Table) -> None:
    """All ships have moved: each barrage goes off at craft and ordnance that lie still within 2 MU
    of it, and at the ships there, friend or foe, which a 1 costs a point; who is hurt by it checks
    at once.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    state = table.state
    for flak in state.pieces_of(Flak):
        at = (flak.x, flak.y)
        flying: list[IncomingUnit] = [*in_order(state), *state.pieces_of(Marker)]
        for unit in flying:
            resolve_fly_by(table, unit, (unit.x, unit.y), (unit.x, unit.y))
        table.tell(FlakBurst, flak.ship, flak.weapon, at, FLAK_RADIUS)
        for ship in state.ships:
            away = ((ship.x - flak.x) ** 2 + (ship.y - flak.y) ** 2) ** 0.5
            if ship.status not in ON_TABLE or ship.docking == BERTHED or away > FLAK_RADIUS + NEAR:
                continue
            die, points = roll_flak_burst(f"{flak.ship}/{flak.weapon}>{ship.id}", table.dice)
            effect = Effect((die,), damage_types=(TypedDamage(points),) if points else ())
            shot = Shot(flak.weapon, away, away, screens=ship.screens)
            tell_hit(table, flak.ship, flak.weapon, ship, shot, effect, FLAK)
            if points:
                apply_damage(table, ship, effect.damage_types, f"flak:{flak.ship}")
