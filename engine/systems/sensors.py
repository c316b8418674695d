"""Sensors, weasels and electronic counter measures: what finds a ship out, and what keeps it from
being found.

Sensors themselves come free with every hull. A ship shows one signature, so it carries one weasel.
Rules: Continuum "ECM" 7.18, "Area ECM" 7.19, "Electronic counter measures" 12.4 [pc.ecm]
"""

from __future__ import annotations

from engine.core.kinds import HullKind, ScanDetail
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.prices.system_price import SystemSpec

WEASELS = (
    SystemSpec(
        "weasel", "cruiser", phrase("Weasel, cruiser signature"), 1, 20, "2e.dummies", most=1
    ),
    SystemSpec(
        "weasel", "capital", phrase("Weasel, capital signature"), 1, 40, "2e.dummies", most=1
    ),
)

# Contacts an active scan may identify in a turn, by the MASS from which a hull may.
CRUISER_MASS, CAPITAL_MASS = 19, 37

# Suites of better sensors, the best first, each with what it adds to the die of a scan.
SUITES = {"superior-sensors": 2, "enhanced-sensors": 0}

MOST_ECM = 3  # levels that a ship's own suites and area ECM make together
ECM_REACH = 6.0  # MU around a ship with area ECM within which its friends' lock-ons are covered too
SCAN_REACH = 12.0  # MU within which it disturbs active scans, of friend and foe
DEBLIP_STEP = 6.0  # MU that each level takes from the range at which sensors tell what a contact is
LOCK_ON_STEP = 1.0  # MU that each level takes from a lock-on
HOLOFIELD_STEP = 1.0  # and a holofield


def scan_detail(result: int) -> ScanDetail:
    """What the result of a scan tells. Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]"""
    return ScanDetail(min(max(result - 2, ScanDetail.NOTHING), ScanDetail.EVERYTHING))


def active_scans_of(sheet: Sheet) -> int:
    """The number of contacts a ship may scan actively in a turn: escorts one, cruisers two, capital
    ships three.

    Merchants and civil installations have no active sensors; Q ships and military installations
    count by their MASS.
    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    if sheet.kind == HullKind.MERCHANT or sheet.design.get("civil"):
        return 0
    return 1 if sheet.mass < CRUISER_MASS else (2 if sheet.mass < CAPITAL_MASS else 3)


def scans_by_mass(_state: BattleState, ship: ShipState) -> int:
    """The number of contacts a ship may scan actively in a turn, by its MASS alone.

    Rules: 2E "Sensors and target identification" [2e.sensors]
    """
    return active_scans_of(ship.sheet)


def signature(sheet: Sheet, lost: tuple[str, ...] = ()) -> str:
    """The classification a ship shows as a bogey: its weasel's while that works, else its own.

    Rules: 2E "Dummy bogeys and weasel boats" [2e.dummies]
    """
    for fit in sheet.fits:
        if fit.type == "weasel" and fit.id not in lost:
            return fit.variant
    return sheet.classification


def ecm_level(own: int, area: int) -> int:
    """The level of a ship's own suites and of area ECM around it together.

    Rules: Continuum "Area ECM" 7.19 [pc.ecm]
    """
    return min(own + area, MOST_ECM)


def lock_on_range(
    radius: float, ecm: int, *, holofield: bool = False, rocket: bool = False
) -> float:
    """MU from which missiles, fighters and gunboats still lock on to a ship; ECM does nothing
    against rockets.

    `radius`: their own, after stealth. Rules: Continuum "ECM" 7.18, "Holofield" 7.17 [pc.ecm]
    """
    reduction = 0.0 if rocket else ecm * LOCK_ON_STEP
    return max(radius - reduction - (HOLOFIELD_STEP if holofield else 0.0), 0.0)


def deblip_range(reach: float, ecm: int) -> float:
    """MU at which sensors of a reach still make a contact out.

    Rules: Continuum "ECM" 7.18 [pc.ecm]
    """
    return max(reach - ecm * DEBLIP_STEP, 0.0)


def scan_result(die: int, bonus: int, jamming: tuple[int, ...]) -> int:
    """An active scan's result: the die and its sensors' bonus, less the die of each jammer in the
    way.

    The target's side throws one where the target is jammed, the scanning side one where its own ECM
    jams it.
    Rules: Continuum "Electronic counter measures" 12.4 [pc.ecm]
    """
    return die + bonus - sum(jamming)


def suites_in_use(ship: ShipState, type_: str) -> int:
    """The working suites of a type that have read no foe's ship this turn: these help with fire.

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.sensors]
    """
    places, busy = ship.profile.places.get(type_, ()), ship.this_turn.reading
    if not busy:
        return sum(ship.alive[place] > 0 for place in places)
    return sum(ship.alive[place] > 0 and ship.sheet.fits[place].id not in busy for place in places)
