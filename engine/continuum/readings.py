"""Closed record sheets, an option: what a side knows of enemy ships, and scans that reveal more.

Players cannot see the record sheet of an enemy ship, identified or not. They see its class and its
actions. A scan with enhanced or superior sensors reveals its mass, its drive and screens, its
systems, or its present state; the side keeps that knowledge.

Rules: Continuum "Information" 2.6 [pc.open-book]; Continuum "Advanced sensors" 12.2, "Electronic
counter measures" 12.4, "Enhanced sensors", "Superior sensors" 13.13 [pc.sensors]
"""

from __future__ import annotations

from engine.combat.unidentified import decoy_design
from engine.continuum.defence_orders import Jam
from engine.continuum.defences import ecm_level_over, is_jammed, working_count
from engine.core.errors import RuleViolations
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import FtlDrive, HullKind, ScanDetail
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ADVANCED_SENSORS, SENSOR_ECM, SENSORS_BY_RANGE
from engine.events.sheet_scans import SheetScanned, StoresScanned
from engine.notation.designs import stored_sheet
from engine.ship_profiles import profile_of, stock_in
from engine.systems.sensors import (
    SUITES,
    active_scans_of,
    deblip_range,
    scan_detail,
    scan_result,
)

# Assumed mass, hull boxes and thrust of an unknown ship, by its classification.
TYPICAL: dict[str, tuple[int, int, int]] = {
    "escort": (30, 8, 6),
    "cruiser": (75, 22, 4),
    "capital": (130, 40, 3),
    "merchant": (80, 12, 2),
    "installation": (200, 60, 0),
}
# With the option, the MU to which a suite shows what basic sensors do not, and what it shows.
DETAIL_BY_RANGE = {
    "enhanced-sensors": (24.0, ScanDetail.SYSTEMS),
    "superior-sensors": (36.0, ScanDetail.EVERYTHING),
}
LEAST_HULL = 10  # at least one tenth of a ship's mass is hull
SCREENS = ("screen", "advanced-screen")


def is_sheet_closed(state: BattleState, side: int, ship: ShipState) -> bool:
    """Return whether a ship's record sheet is closed to a side: an enemy's, under the option.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return ADVANCED_SENSORS in state.terms.options and bool(
        state.hostile[side] >> ship.commander & 1
    )


def knowledge_of(state: BattleState, side: int, ship: ShipState) -> ScanDetail:
    """Return what a side knows of a ship it sees; a side knows the systems of ships it built.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    if not is_sheet_closed(state, side, ship):
        return ScanDetail.EVERYTHING
    scanned = ScanDetail(ship.record.scan_levels.get(str(side), ScanDetail.NOTHING))
    if ship.owner == side:
        return max(scanned, ScanDetail.SYSTEMS)
    return scanned


def knows_systems(state: BattleState, side: int, ship: ShipState) -> bool:
    """Return whether a side knows the systems of a ship.

    Rules: Continuum "Needle beams" 5.13 [pc.sensors]
    """
    return knowledge_of(state, side, ship) >= ScanDetail.SYSTEMS


def known_ship(state: BattleState, side: int, ship: ShipState) -> ShipState:
    """Return an enemy ship as a side knows it, from its scans and from what is visible.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    knowledge = knowledge_of(state, side, ship)
    side_key = str(side)
    if knowledge >= ScanDetail.SYSTEMS:
        sheet = ship.sheet
    else:
        sheet = _partial_sheet(ship.sheet, knowledge)
    is_complete = knowledge is ScanDetail.EVERYTHING
    alive = list(profile_of(sheet).undamaged)
    for name, times in ship.record.scanned_losses.items() if is_complete else ():
        of, _, system = name.partition("/")
        if of == side_key:
            alive[profile_of(sheet).index_of[system]] -= times
    result = ShipState(
        id=ship.id,
        owner=ship.owner,
        commander=ship.commander,
        sheet=sheet,
        profile=profile_of(sheet),
        x=ship.x,
        y=ship.y,
        course=ship.course,
        velocity=ship.velocity,
        damage=ship.record.scanned_damage.get(side_key, 0) if is_complete else 0,
        alive=alive,
        stock=list(profile_of(sheet).full),
        status=ship.status,
        label=ship.sheet.classification,
        contact=ship.contact,
        warm=ship.warm,
        armed=ship.armed,
        docking=ship.docking,
        armour=_known_armour(ship, side_key) if is_complete else sheet.armour,
        record=ship.record.outward_only().with_values(decloaked_turn=ship.record.decloaked_turn),
        this_turn=ship.this_turn.outward_only(),
        drift=ship.drift,
    )
    result.recompute()
    return result


def _partial_sheet(sheet: Sheet, knowledge: ScanDetail) -> Sheet:
    """Return the sheet assumed for a ship whose systems are unknown."""
    mass = sheet.mass if knowledge >= ScanDetail.MASS else 0
    drive = (-1, "")
    screens: tuple[str, ...] = ()
    if knowledge >= ScanDetail.DRIVE:
        drive = (sheet.thrust, sheet.drive)
        screens = tuple(fit.type for fit in sheet.fits if fit.type in SCREENS)
    return assumed_sheet(
        sheet.edition,
        sheet.cls,
        kind=sheet.kind,
        classification=sheet.classification,
        mass=mass,
        drive=drive,
        screens=screens,
    )


def _known_armour(ship: ShipState, side_key: str) -> tuple[tuple[int, int], ...]:
    """Return the armour boxes a ship had left at the last full scan."""
    known_boxes = ship.record.scanned_armour
    result: list[tuple[int, int]] = []
    for layer in range(len(ship.sheet.armour)):
        result.append(
            (
                known_boxes.get(f"{side_key}/{layer}/standard", 0),
                known_boxes.get(f"{side_key}/{layer}/regenerative", 0),
            )
        )
    return tuple(result)


def screens_of(sheet: Sheet) -> list[str]:
    """Return the ids of a ship's screens.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return [fit.id for fit in sheet.fits if fit.type in SCREENS]


def assumed_sheet(
    edition: str,
    cls: str,
    kind: HullKind,
    classification: str,
    mass: int,
    drive: tuple[int, str],
    screens: tuple[str, ...],
) -> Sheet:
    """Return the record sheet assumed for a ship of which no more is known.

    It has a typical hull of its classification and no systems.

    Args:
        mass: Its mass, or 0 if unknown.
        drive: Its thrust, below 0 if unknown, and the kind of drive.
        screens: The types of its screens.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    typical_mass, boxes, thrust = TYPICAL[classification]
    if mass:
        boxes = boxes * mass // typical_mass
    else:
        mass = typical_mass
    least_boxes = mass // LEAST_HULL + 1  # leaves room for any drive and screens of a legal hull
    for hull_boxes in (boxes, least_boxes, 1):
        design = {
            "class": cls,
            "edition": edition,
            "kind": kind,
            "mass": mass,
            "hull": {"boxes": max(hull_boxes, 1), "rows": 4},
            "thrust": thrust if drive[0] < 0 else drive[0],
            "drive": drive[1] or "standard",
            "ftl": "none",
            "systems": [{"type": type_} for type_ in screens],
        }
        try:
            return stored_sheet(design)
        except RuleViolations:
            continue
    return stored_sheet(decoy_design(edition, cls, FtlDrive.NONE))


def scans_of(ship: ShipState) -> int:
    """Return how many active scans a ship has in a turn: one for each FireCon of a military ship.

    Rules: Continuum "Sensors and ECM" 12.1 [pc.sensors]
    """
    return ship.firecons if active_scans_of(ship.sheet) else 0


def blinding_fault(_state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship's own area ECM prevents its scan, or "".

    Rules: Continuum "Area ECM" 7.19 [pc.ecm]
    """
    jam = plot.find(Jam) if plot.scan else None
    if jam is None or not working_count(ship, "area-ecm"):
        return ""
    if not jam.suites or "area-ecm" in jam.suites:
        return reason(
            "own-area-ecm-blinds", "its own area ECM blinds its FireCons and their sensors"
        )
    return ""


def suites_of(state: BattleState, ship: ShipState) -> list[str]:
    """Return the sensor suites with which a ship can still scan this turn, the best first.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    if ADVANCED_SENSORS not in state.terms.options:
        return []
    result: list[str] = []
    for type_ in SUITES:
        for place in ship.profile.indexes_by_type.get(type_, ()):
            if (
                ship.alive[place]
                and ship.sheet.fits[place].id not in ship.this_turn.scanning_suites
            ):
                result.append(ship.sheet.fits[place].id)
    return result


def can_learn_more(state: BattleState, ship: ShipState, target: ShipState) -> bool:
    """Return whether a scan could reveal more of an identified enemy than a ship's side knows.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return bool(suites_of(state, ship)) and is_sheet_closed(state, ship.commander, target)


def scan_sheet(table: Table, ship: ShipState, target: ShipState) -> None:
    """Scan a ship's record sheet with the best suite left.

    A die decides by the table, minus a die for each jammer. ECM of the scanning side counts as well
    as the target's. With an option the range decides, without dice.

    Rules: Continuum "Advanced sensors" 12.2, "Electronic counter measures" 12.4 [pc.sensors]
    [pc.ecm]
    """
    state = table.state
    side = ship.commander
    suite = suites_of(state, ship)[0]
    by_range = SENSORS_BY_RANGE in state.terms.options
    die = 0 if by_range else table.dice.roll("sensor", f"{ship.id}>{target.id}")
    jamming: list[int] = []
    if SENSOR_ECM in state.terms.options:
        for jammer in (target, ship):
            if is_jammed(state, jammer):
                subject = f"{ship.id}>{target.id}/{jammer.id}"
                jamming.append(table.dice.roll("ecm", subject))
    suite_type = ship.sheet.fits[ship.profile.index_of[suite]].type
    if by_range:
        knowledge = _detail_at_range(state, ship, target, suite_type)
    else:
        knowledge = scan_detail(scan_result(die, SUITES[suite_type], tuple(jamming)))
    sees_drive = knowledge >= ScanDetail.DRIVE
    sees_everything = knowledge is ScanDetail.EVERYTHING
    event = SheetScanned(
        table.turn,
        ship.id,
        target=target.id,
        suite=suite,
        die=die,
        jamming=tuple(jamming),
        detail=knowledge,
        mass=target.sheet.mass if knowledge >= ScanDetail.MASS else 0,
        thrust=target.sheet.thrust if sees_drive else 0,
        drive=target.sheet.drive if sees_drive else "",
        systems=_systems_read(target.sheet, knowledge),
        damage=target.damage if sees_everything else 0,
        lost=target.lost_systems() if sees_everything else (),
        armour=target.armour if sees_everything else (),
        side=side,
    )
    table.carry_out(event)
    stores = _stores_of(target)
    if by_range and sees_everything and stores:
        table.carry_out(
            StoresScanned(table.turn, ship.id, target=target.id, stock=stores, side=side)
        )


def _stores_of(ship: ShipState) -> tuple[tuple[str, int], ...]:
    """Return what a ship has left of its craft, missiles and mines, by the name of the store."""
    stock: dict[str, int] = {}
    for index in range(len(ship.stock)):
        stock |= stock_in(ship, index)
    return tuple(stock.items())


def knows_loads(state: BattleState, side: int, ship: ShipState) -> bool:
    """Return whether scans have shown a side the exact types of a ship's craft and missiles.

    Rules: Continuum "Enhanced sensors" 13.13 [pc.sensors-by-range]
    """
    if SENSORS_BY_RANGE not in state.terms.options or not is_sheet_closed(state, side, ship):
        return False
    return knows_systems(state, side, ship)


def _detail_at_range(
    state: BattleState, ship: ShipState, target: ShipState, suite_type: str
) -> ScanDetail:
    """Return what a suite shows of a ship by their distance, which ECM over the ship shortens.

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.sensors-by-range]
    """
    reach, detail = DETAIL_BY_RANGE[suite_type]
    seen_to = deblip_range(reach, ecm_level_over(state, target))
    squared = squared_length(ship.x - target.x, ship.y - target.y)
    return detail if is_within(squared, seen_to) else ScanDetail.NOTHING


def _systems_read(sheet: Sheet, knowledge: ScanDetail) -> tuple[str, ...]:
    """Return the ids of the systems that a scan reveals."""
    if knowledge >= ScanDetail.SYSTEMS:
        return tuple(fit.id for fit in sheet.fits)
    if knowledge >= ScanDetail.DRIVE:
        return tuple(screens_of(sheet))
    return ()
