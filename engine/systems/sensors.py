"""Sensors, weasels and electronic counter measures: how ships are detected, and how they hide.

Every hull has sensors for free. A ship shows one signature, so it carries at most one weasel.

Rules: Continuum "ECM" 7.18, "Area ECM" 7.19, "Electronic counter measures" 12.4 [pc.ecm]
"""

from __future__ import annotations

from engine.core.kinds import HullKind, ScanDetail
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.prices.system_price import WEASEL_GROUP, SystemSpec

WEASELS = (
    SystemSpec(
        "weasel",
        variant="cruiser",
        title=phrase("Weasel, cruiser signature"),
        mass=1,
        points=20,
        rule="2e.dummies",
        most=1,
        group=WEASEL_GROUP,
    ),
    SystemSpec(
        "weasel",
        variant="capital",
        title=phrase("Weasel, capital signature"),
        mass=1,
        points=40,
        rule="2e.dummies",
        most=1,
        group=WEASEL_GROUP,
    ),
)

# The MASS from which a hull may scan two, and three, contacts actively in a turn.
CRUISER_MASS, CAPITAL_MASS = 19, 37

# Better sensors, the best first, and their bonus to the die of a scan.
SUITES = {"superior-sensors": 2, "enhanced-sensors": 0}

MAX_ECM = 3  # levels of a ship's own ECM and area ECM together
ECM_REACH = 6.0  # MU within which area ECM also protects friends from lock-on
SCAN_REACH = 12.0  # MU within which it disturbs active scans, of friend and foe
DEBLIP_STEP = 6.0  # MU by which each level shortens the range at which sensors identify a contact
LOCK_ON_STEP = 1.0  # MU by which each level shortens lock-on
HOLOFIELD_STEP = 1.0  # the same for a holofield


def scan_detail(result: int) -> ScanDetail:
    """Return how much the result of a scan reveals.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """
    return ScanDetail(min(max(result - 2, ScanDetail.NOTHING), ScanDetail.EVERYTHING))


def active_scans_of(sheet: Sheet) -> int:
    """Return how many contacts a ship may scan actively in a turn.

    Escorts may scan one, cruisers two, capital ships three. Merchants and civil installations have
    no active sensors; Q ships and military installations count by their MASS.

    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    if sheet.kind == HullKind.MERCHANT or sheet.design.get("civil"):
        return 0
    if sheet.mass < CRUISER_MASS:
        return 1
    if sheet.mass < CAPITAL_MASS:
        return 2
    return 3


def scans_by_mass(ship: ShipState) -> int:
    """Return how many contacts a ship may scan actively in a turn, by its MASS alone.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return active_scans_of(ship.sheet)


def signature(sheet: Sheet, lost_systems: tuple[str, ...] = ()) -> str:
    """Return the classification that a ship shows as a bogey: its working weasel's, or its own.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    for fit in sheet.fits:
        if fit.type == "weasel" and fit.id not in lost_systems:
            return fit.variant
    return sheet.classification


def ecm_level(own: int, area: int) -> int:
    """Return the combined level of a ship's own ECM and of area ECM around it.

    Rules: Continuum "Area ECM" 7.19 [pc.ecm]
    """
    return min(own + area, MAX_ECM)


def lock_on_range(
    radius: float, ecm: int, *, holofield: bool = False, rocket: bool = False
) -> float:
    """Return the MU within which missiles, fighters and gunboats lock on to a ship.

    ECM has no effect on rockets.

    Args:
        radius: The attackers' lock-on radius in MU, already reduced by stealth.

    Rules: Continuum "ECM" 7.18, "Holofield" 7.17 [pc.ecm]
    """
    reduction = 0.0 if rocket else ecm * LOCK_ON_STEP
    return max(radius - reduction - (HOLOFIELD_STEP if holofield else 0.0), 0.0)


def deblip_range(reach: float, ecm: int) -> float:
    """Return the MU within which sensors with this range still identify a contact.

    Rules: Continuum "ECM" 7.18 [pc.ecm]
    """
    return max(reach - ecm * DEBLIP_STEP, 0.0)


def scan_result(die: int, bonus: int, jamming: tuple[int, ...]) -> int:
    """Return the result of an active scan: die and bonus, less the die of each jammer.

    The target's side rolls a die if the target is jammed, the scanning side if its own ECM jams it.

    Rules: Continuum "Electronic counter measures" 12.4 [pc.ecm]
    """
    return die + bonus - sum(jamming)


def suites_in_use(ship: ShipState, type_: str) -> int:
    """Return how many working suites of a type have not scanned this turn and can help with fire.

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.sensors]
    """
    places = ship.profile.indexes_by_type.get(type_, ())
    busy = ship.this_turn.scanning_suites
    if not busy:
        return sum(ship.alive[place] > 0 for place in places)
    return sum(ship.alive[place] > 0 and ship.sheet.fits[place].id not in busy for place in places)
