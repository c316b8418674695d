"""Flak: K-gun shells set to burst at a point, against all units that pass it this turn.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import is_blocked
from engine.continuum.aiming import arcs_to, firing_arcs
from engine.continuum.area_fire import tell_hit
from engine.continuum.craft.moves import in_order
from engine.continuum.damage import apply_damage
from engine.continuum.fly_by import resolve_fly_by
from engine.core.geometry import NEAR, length_of
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

NO_SHELLS = reason("no-shells", "it has no flak ammunition")
NO_POINT = reason("flak-must-aimed-point", "flak must be aimed at a point on the table")
TOO_FAR = reason("point-out-range-arc", "that point is outside its range or arc")
BURST_NEEDS_FIRECON = reason("burst-needs-firecon", "each burst needs a FireCon")
POINT_ALONE = reason("point-alone", "flak can be aimed only at a point on the table")


def flak_guns(ship: ShipState) -> list[int]:
    """Return the places in `fits` of a ship's guns with flak ammunition."""
    return [place for place, fit in enumerate(ship.sheet.fits) if FLAK in fit.flags]


def barrage_count(ship: ShipState, weapons_fired: Sequence[str]) -> int:
    """Return how many weapons a ship has used for flak in this phase; each takes its own FireCon.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    names = {ship.sheet.fits[place].id for place in flak_guns(ship)}
    return sum(name in names for name in weapons_fired)


def barrage_fault(
    state: BattleState, ship: ShipState, index: int, launch: Launch, firecons_in_use: int
) -> str:
    """Return the reason why a gun cannot fire flak as ordered, or "".

    Args:
        index: The gun's place in `fits`.
        firecons_in_use: The FireCons set to other barrages and to missiles.

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
    distance = length_of(x - ship.x, y - ship.y)
    if distance > ship.profile.weapons[index].reach(fit, FLAK) + NEAR:
        return TOO_FAR
    if not firing_arcs(state, ship, index, distance) & arcs_to(ship, x, y):
        return TOO_FAR
    if is_blocked(state.pieces, (ship.x, ship.y), launch.at):
        return TOO_FAR
    return ""


def fire_flak(table: Table, ship: ShipState, launch: Launch) -> None:
    """Set a gun's shells to burst at a point; the order has been checked.

    Rules: Continuum 5.16 [pc.k-guns]
    """
    assert launch.at is not None
    reveal_ship(table, ship, launch.weapon)
    fit = ship.sheet.fits[ship.profile.index_of[launch.weapon]]
    number = 1 + len(table.state.pieces_of(Flak))
    table.carry_out(
        FlakLaid(
            table.turn,
            ship.id,
            weapon=launch.weapon,
            barrage=f"flak-{number}",
            at=launch.at,
            rating=fit.size,
        )
    )


def burst_all_flak(table: Table) -> None:
    """Burst each barrage after all ships have moved.

    It hits craft and ordnance still within 2 MU, and ships there, friend or foe, which lose a point
    on a 1. Damaged ships check at once.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    state = table.state
    for flak in state.pieces_of(Flak):
        at = (flak.x, flak.y)
        flying: list[IncomingUnit] = [*in_order(state), *state.pieces_of(Marker)]
        for unit in flying:
            resolve_fly_by(table, unit, (unit.x, unit.y), (unit.x, unit.y))
        table.tell(FlakBurst, ship=flak.ship, weapon=flak.weapon, at=at, radius=FLAK_RADIUS)
        for ship in state.ships:
            distance = length_of(ship.x - flak.x, ship.y - flak.y)
            if (
                ship.status not in ON_TABLE
                or ship.docking == BERTHED
                or distance > FLAK_RADIUS + NEAR
            ):
                continue
            die, points = roll_flak_burst(f"{flak.ship}/{flak.weapon}>{ship.id}", table.dice)
            effect = Effect((die,), damage_types=(TypedDamage(points),) if points else ())
            shot = Shot(flak.weapon, distance, distance, screens=ship.screens)
            tell_hit(
                table,
                by=flak.ship,
                weapon=flak.weapon,
                target=ship,
                shot=shot,
                effect=effect,
                mode=FLAK,
            )
            if points:
                apply_damage(table, ship, effect.damage_types, f"flak:{flak.ship}")
