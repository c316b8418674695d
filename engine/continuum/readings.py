"""Closed record sheets: what a side has learnt of a foe's ship, and the scans by which it learns
more.

Where it is so agreed nobody reads the record sheet of a foe's ship, identified or not: he sees its
class, and what it does. A scan with enhanced or superior sensors tells its mass, its drive and
screens, its systems, or how it is now; a side keeps what it was told.

Rules: Continuum "Information" 2.6 [pc.open-book]; Continuum "Advanced sensors" 12.2, "Electronic
counter measures" 12.4, "Enhanced sensors", "Superior sensors" 13.13 [pc.sensors]
"""

from __future__ import annotations

from engine.combat.unidentified import decoy_design
from engine.continuum.defence_orders import Jam
from engine.continuum.defences import is_jammed, working_count
from engine.core.errors import RuleViolations
from engine.core.kinds import FtlDrive, HullKind, ScanDetail
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ADVANCED_SENSORS, SENSOR_ECM
from engine.core.versions import SENSORS
from engine.events.sheet_scans import SheetScanned
from engine.notation.designs import stored_sheet
from engine.ship_profiles import profile_of
from engine.systems.sensors import SUITES, active_scans_of, scan_detail, scan_result

# What a model is taken for of which nothing else is known, by its classification: mass, boxes of
# hull, thrust.
TYPICAL: dict[str, tuple[int, int, int]] = {
    "escort": (30, 8, 6),
    "cruiser": (75, 22, 4),
    "capital": (130, 40, 3),
    "merchant": (80, 12, 2),
    "installation": (200, 60, 0),
}
LEAST_HULL = 10  # of a ship's mass, one part is hull at least
SCREENS = ("screen", "advanced-screen")


def is_sheet_closed(state: BattleState, side: int, ship: ShipState) -> bool:
    """Whether a ship's record sheet lies closed for a side: a foe's, where that is agreed on.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return ADVANCED_SENSORS in state.terms.options and bool(
        state.hostile[side] >> ship.commander & 1
    )


def knowledge_of(state: BattleState, side: int, ship: ShipState) -> ScanDetail:
    """What a side knows of a ship that it sees. What is its own was built by it.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    if not is_sheet_closed(state, side, ship):
        return ScanDetail.EVERYTHING
    reading_ = ScanDetail(ship.record.read.get(str(side), ScanDetail.NOTHING))
    return max(reading_, ScanDetail.SYSTEMS) if ship.owner == side else reading_


def knows_systems(state: BattleState, side: int, ship: ShipState) -> bool:
    """Whether a side knows which systems a ship has.

    Rules: Continuum "Needle beams" 5.13 [pc.sensors]
    """
    return knowledge_of(state, side, ship) >= ScanDetail.SYSTEMS


def known_ship(state: BattleState, side: int, ship: ShipState) -> ShipState:
    """A foe's ship as a side has read it: made of what it was told, and of what is to be seen on
    the table.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    knowledge, side_key = knowledge_of(state, side, ship), str(side)
    drive = (ship.sheet.thrust, ship.sheet.drive) if knowledge >= ScanDetail.DRIVE else (-1, "")
    fitted = (
        [fit.type for fit in ship.sheet.fits if fit.type in SCREENS]
        if knowledge >= ScanDetail.DRIVE
        else []
    )
    sheet = ship.sheet
    if knowledge < ScanDetail.SYSTEMS:
        mass = ship.sheet.mass if knowledge >= ScanDetail.MASS else 0
        sheet = assumed_sheet(
            sheet.edition, sheet.cls, sheet.kind, sheet.classification, mass, drive, tuple(fitted)
        )
    is_complete = knowledge is ScanDetail.EVERYTHING
    alive = list(profile_of(sheet).undamaged)
    for name, times in ship.record.seen_lost.items() if is_complete else ():
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
        damage=ship.record.seen_damage.get(side_key, 0) if is_complete else 0,
        alive=alive,
        stock=list(profile_of(sheet).full),
        status=ship.status,
        label=ship.sheet.classification,
        contact=ship.contact,
        warm=ship.warm,
        armed=ship.armed,
        docking=ship.docking,
        armour=_known_armour(ship, side_key) if is_complete else sheet.armour,
        record=ship.record.outward_only().with_values(unread=ship.record.unread),
        this_turn=ship.this_turn.outward_only(),
        drift=ship.drift,
    )
    result.recompute()
    return result


def _known_armour(ship: ShipState, side_key: str) -> tuple[tuple[int, int], ...]:
    """The boxes of armour that a ship had left when a scan told all."""
    known_boxes = ship.record.seen_armour
    return tuple(
        (
            known_boxes.get(f"{side_key}/{layer}/standard", 0),
            known_boxes.get(f"{side_key}/{layer}/regenerative", 0),
        )
        for layer in range(len(ship.sheet.armour))
    )


def screens_of(sheet: Sheet) -> list[str]:
    """The ids of a ship's screens. Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]"""
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
    """The record sheet that a ship is given of which no more is known: a hull of its
    classification, without systems.

    `mass`: 0 where it is not known; `drive`: its thrust, below 0 where that is not known, and its
    kind.
    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    usual, boxes, thrust = TYPICAL[classification]
    mass, boxes = mass or usual, boxes * mass // usual if mass else boxes
    least = (
        mass // LEAST_HULL + 1
    )  # what fits beside any drive and screens that fit with a hull of its own
    for hull_boxes in (boxes, least, 1):
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


def scans_of(state: BattleState, ship: ShipState) -> int:
    """The number of contacts a ship may scan actively in a turn: one for each working FireCon of a
    military ship.

    Rules: Continuum "Sensors and ECM" 12.1 [pc.sensors]
    """
    by_mass = active_scans_of(ship.sheet)
    return ship.firecons if by_mass and state.terms.follows(SENSORS) else by_mass


def blinding_fault(_state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a ship's own area ECM keeps it from the scan it is told to make; "" where it
    does not.

    Rules: Continuum "Area ECM" 7.19 [pc.ecm]
    """
    jam = plot.find(Jam) if plot.scan else None
    if (
        jam is not None
        and working_count(ship, "area-ecm")
        and "area-ecm" in (jam.suites or ("area-ecm",))
    ):
        return reason(
            "own-area-ecm-blinds", "its own area ECM blinds its FireCons, and the sensors in them"
        )
    return ""


def suites_of(state: BattleState, ship: ShipState) -> list[str]:
    """The suites with which a ship may still read record sheets this turn, the best first.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    if ADVANCED_SENSORS not in state.terms.options:
        return []
    return [
        ship.sheet.fits[place].id
        for type_ in SUITES
        for place in ship.profile.places.get(type_, ())
        if ship.alive[place] and ship.sheet.fits[place].id not in ship.this_turn.reading
    ]


def can_learn_more(state: BattleState, ship: ShipState, target: ShipState) -> bool:
    """Whether a scan could tell a ship's side more of an identified foe than it knows.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return bool(suites_of(state, ship)) and is_sheet_closed(state, ship.commander, target)


def scan_sheet(table: Table, ship: ShipState, target: ShipState) -> None:
    """The best suite that is left reads the record sheet of a ship: a die by the table, less a die
    for each jammer.

    Its own side's ECM disturbs who scans as the target's does.
    Rules: Continuum "Advanced sensors" 12.2, "Electronic counter measures" 12.4 [pc.sensors]
    [pc.ecm]
    """
    state, side = table.state, ship.commander
    suite = suites_of(state, ship)[0]
    die = table.dice.roll("sensor", f"{ship.id}>{target.id}")
    jamming: tuple[int, ...] = ()
    if SENSOR_ECM in state.terms.options:
        jamming = tuple(
            table.dice.roll("ecm", f"{ship.id}>{target.id}/{jammer.id}")
            for jammer in (target, ship)
            if is_jammed(state, jammer)
        )
    knowledge = scan_detail(
        scan_result(die, SUITES[ship.sheet.fits[ship.profile.index_of[suite]].type], jamming)
    )
    event = SheetScanned(
        table.turn, ship.id, target.id, suite, die, jamming, knowledge,
        mass=target.sheet.mass if knowledge >= ScanDetail.MASS else 0,
        thrust=target.sheet.thrust if knowledge >= ScanDetail.DRIVE else 0,
        drive=target.sheet.drive if knowledge >= ScanDetail.DRIVE else "",
        systems=(
            tuple(fit.id for fit in target.sheet.fits) if knowledge >= ScanDetail.SYSTEMS
            else tuple(screens_of(target.sheet)) if knowledge >= ScanDetail.DRIVE else ()
        ),
        damage=target.damage if knowledge is ScanDetail.EVERYTHING else 0,
        lost=target.lost_systems() if knowledge is ScanDetail.EVERYTHING else (),
        armour=target.armour if knowledge is ScanDetail.EVERYTHING else (),
        side=side,
    )  # fmt: skip
    table.carry_out(event)
