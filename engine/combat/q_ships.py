"""Q ships: warships that sensors identify as merchants until they act like warships.

A Q ship appears as a merchant (its cover) of its own MASS. The cover's systems are systems of the Q
ship, under the same names, so damage shows on both. Systems that the cover lacks stay unused until
the ship reveals itself: additional screens stay down.
Rules: 2E "Q ships" [2e.q-ships]
"""

from __future__ import annotations

from typing import Any

from engine.core.kinds import FtlDrive, HullKind
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.events.detection import QShipUncovered
from engine.notation.designs import load_sheet, read_design
from engine.second_edition.movement import turn_limit
from engine.ship_profiles import new_ship
from engine.weapons.registry import specs_of

FREIGHTER = "Freighter"
ORDINARY_THRUST = 2
SCREEN = "screen"  # the one system that an ordinary merchant carries besides civil defences
# Causes of uncovering.
FIRES = "fires"
SCANS = "scans"
SWEEPS = "sweeps"
MOVES = "moves"
JUMPS = "jumps"


def ordinary_cover(sheet: Sheet) -> Sheet:
    """Return the merchant a Q ship appears as by default: same MASS, thrust 2 at most, no guns.

    It shows as many of the ship's own screens and point defence systems as a merchant of its MASS
    may carry.
    Rules: 2E "Q ships" [2e.q-ships]
    """
    design: dict[str, Any] = {
        "class": FREIGHTER,
        "edition": sheet.edition,
        "kind": HullKind.MERCHANT,
        "mass": sheet.mass,
        "thrust": min(sheet.thrust, ORDINARY_THRUST),
        "ftl": sheet.ftl,
        "systems": [],
    }
    for type_ in (SCREEN, *_civil_weapons(sheet.edition)):
        for fit in sheet.fits:
            systems = [*design["systems"], {"type": type_}]
            if fit.type == type_ and not read_design(design | {"systems": systems}).illegal:
                design["systems"] = systems
    return load_sheet(design)


def _civil_weapons(edition: str) -> tuple[str, ...]:
    """Return the weapon types that an ordinary merchant may carry: none that can harm a ship."""
    return tuple(
        dict.fromkeys(spec.type for spec in specs_of(edition) if spec.civil and not spec.offensive)
    )


def cover_faults(sheet: Sheet, cover: Sheet) -> tuple[str, ...]:
    """Return the reasons why a ship cannot pass for a class; empty if it can.

    Rules: 2E "Q ships" [2e.q-ships]
    """
    if sheet.kind != HullKind.Q_SHIP:
        return (
            reason(
                "only-q-ship-pass",
                "only a Q ship can pose as another class; {} is not one",
                sheet.cls,
            ),
        )
    faults = []
    if cover.kind != HullKind.MERCHANT:
        faults.append(
            reason(
                "q-ship-pass-only",
                "a Q ship can pose only as a merchant; {} is not one",
                cover.cls,
            )
        )
    if cover.mass != sheet.mass:
        faults.append(
            reason(
                "pass-only-merchant-own",
                "it can pose only as a merchant of its own mass, {}, not {}",
                sheet.mass,
                cover.mass,
            )
        )
    if cover.thrust > sheet.thrust:
        faults.append(
            reason(
                "thrust-more-own",
                "{} has thrust {}; the ship itself has only {}",
                cover.cls,
                cover.thrust,
                sheet.thrust,
            )
        )
    own_fits = {fit.id: (fit.type, fit.variant, fit.arcs) for fit in sheet.fits}
    missing = []
    for fit in cover.fits:
        if own_fits.get(fit.id) != (fit.type, fit.variant, fit.arcs):
            missing.append(fit.id)
    if missing:
        faults.append(
            reason(
                "cover-show-only-systems",
                "its cover may show only systems that it has, by name; it lacks {} of {}",
                ", ".join(missing),
                cover.cls,
            )
        )
    return tuple(faults)


def visible_ship(ship: ShipState) -> ShipState:
    """Return the ship as others see it once identified: its cover, if any, with its losses."""
    cover = ship.cover
    if cover is None:
        return ship
    names = {fit.id for fit in cover.fits}
    result = new_ship(
        ship.id,
        ship.owner,
        sheet=cover,
        at=(ship.x, ship.y),
        course=ship.course,
        velocity=ship.velocity,
        damage=ship.damage,
        lost=tuple(name for name in ship.lost_systems() if name in names),
        contact=ship.contact,
    )
    result.commander = ship.commander
    return result


def may_be_known(ship: ShipState, fit: str) -> bool:
    """Return whether other sides may know that a ship has this system.

    A ship without a cover hides nothing.
    """
    return ship.cover is None or any(cover_fit.id == fit for cover_fit in ship.cover.fits)


def reveal(table: Table, ship: ShipState, cause: str) -> None:
    """Uncover a Q ship and raise its screens.

    Rules: 2E "Q ships" [2e.q-ships]
    """
    if ship.cover is None:
        return
    ship.uncover()
    table.tell(QShipUncovered, ship=ship.id, cls=ship.sheet.cls, cause=cause)


def reveal_by_thrust(table: Table, ship: ShipState) -> None:
    """Uncover an identified Q ship that rams or evades with more thrust than its cover has.

    Rules: 2E "Q ships" [2e.q-ships]
    """
    if ship.cover is not None and not ship.bogey and ship.thrust > visible_ship(ship).thrust:
        reveal(table, ship, MOVES)


def reveal_by_move(table: Table, ship: ShipState, plot: Plot) -> None:
    """Uncover an identified Q ship whose plot its cover could not carry out, before its move.

    A bogey stays covered: the other sides do not know yet what it can do.
    Rules: 2E "Q ships" [2e.q-ships]
    """
    if ship.cover is None or ship.bogey:
        return
    if plot.nova:
        reveal(table, ship, FIRES)
    elif plot.ftl and ship.cover.ftl == FtlDrive.NONE:
        reveal(table, ship, JUMPS)
    elif ship.velocity or plot.thrust:
        thrust = visible_ship(ship).thrust
        points = abs(plot.turn)
        if points > turn_limit(thrust) or points + abs(plot.thrust) > thrust:
            reveal(table, ship, MOVES)
