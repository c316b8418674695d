"""Bogeys: what identifies them, and what they appear to be until then.

Passive sensors see to 36 MU, active to 54, or to 72 with an advanced FireCon.

Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Dummy bogeys and weasel boats"
[2e.dummies]; Continuum "Dummy bogeys and weasel boats" 12.3
"""

from __future__ import annotations

from engine.combat.line_of_sight import is_blocked
from engine.combat.q_ships import FIRES, SCANS, may_be_known, reveal
from engine.continuum.defences import ecm_level_over, working_count
from engine.continuum.readings import can_learn_more, scan_sheet
from engine.core.geometry import is_within, squared_length, squared_limit
from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import SENSORS_BY_RANGE, Terms
from engine.core.versions import ACTIVE_SCANS_TO_72
from engine.events.detection import ContactIdentified, DummyIdentified, ScanFailed, Scanning
from engine.ruleset import rules_of
from engine.systems.sensors import active_scans_of, deblip_range

PASSIVE_RANGE = 36.0  # MU
ACTIVE_RANGE = 54.0  # MU
SUPERIOR_PASSIVE_RANGE = 48.0  # MU, of superior sensors with the option `sensors-by-range`
ADVANCED_ACTIVE_RANGE = 72.0  # MU, with an advanced FireCon
_PASSIVE_RANGE_SQUARED = squared_limit(PASSIVE_RANGE)
NO_SENSORS = reason(
    "no-active-sensors-only", "it has no active sensors; only military ships have them"
)
NO_FIRECON = reason("no-working-firecon-scan", "it has no working FireCon to scan with")
HIDDEN_BY_ECM = reason("in-the-noise", "ECM hides it at this range")

# Ships that scan actively this turn, each with the ids of the contacts it names, most wanted first.
Scanners = list[tuple[ShipState, tuple[str, ...]]]


def passive_scans(table: Table) -> None:
    """Identify every bogey within 36 MU of a hostile ship; remove the decoys among them.

    This happens after ship movement. All scans use the same positions, so two bogeys can identify
    each other. Decoys cannot scan; asteroids block the view; ECM shortens the range. The event
    names the nearest of the scanning ships, so that it does not reveal the order of a roster. With
    an option, superior sensors see to 48 MU.

    Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "ECM" 7.18 [pc.ecm];
    Continuum "Superior sensors" 13.13 [pc.sensors-by-range]
    """
    state = table.state
    if not state.bogeys:
        return
    identified: list[tuple[ShipState, ShipState]] = []
    is_jamming = any(ship.this_turn.jamming for ship in state.ships)
    for ship in state.ships:
        if not ship.bogey or ship.status != FIGHTING:
            continue
        range_squared = _PASSIVE_RANGE_SQUARED
        if is_jamming:
            range_squared = squared_limit(_detection_range(state, ship, PASSIVE_RANGE))
        far_squared = range_squared
        if SENSORS_BY_RANGE in state.terms.options:
            far_squared = squared_limit(_detection_range(state, ship, SUPERIOR_PASSIVE_RANGE))
        scanner = _nearest_scanner(state, ship, range_squared, far_squared)
        if scanner is not None:
            identified.append((ship, scanner))
    for ship, scanner in identified:
        _identify(table, ship, scanner)


def _nearest_scanner(
    state: BattleState, bogey: ShipState, range_squared: float, far_squared: float
) -> ShipState | None:
    """Return the nearest hostile ship that sees a bogey; of two equally near, by contact name.

    Args:
        far_squared: The square of the range of superior sensors.
    """
    hostile_sides = state.hostile[bogey.commander]
    scanner = None
    nearest = far_squared
    for other in state.ships:
        if other.status != FIGHTING or other.dummy or not hostile_sides >> other.commander & 1:
            continue
        dx, dy = other.x - bogey.x, other.y - bogey.y
        squared = dx * dx + dy * dy
        if squared > nearest:
            continue
        if squared > range_squared and not working_count(other, "superior-sensors"):
            continue
        if scanner is not None and squared == nearest and other.contact > scanner.contact:
            continue
        if state.pieces and is_blocked(state.pieces, (bogey.x, bogey.y), (other.x, other.y)):
            continue
        scanner = other
        nearest = squared
    return scanner


def active_scans(table: Table, scanners: Scanners) -> None:
    """Reveal the ships that scan actively, then identify the contacts they name.

    This happens after the passive scans. Each ship scans the first of its contacts that are still
    bogeys, within range and in sight, as many as its edition allows. All scanning ships are
    revealed before anything is found. Better sensors also read the hidden record sheets of
    identified ships.
    Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Sensors and ECM" 12.1,
    "Advanced sensors" 12.2 [pc.sensors]
    """
    state = table.state
    scanners = [(ship, names) for ship, names in scanners if ship.status == FIGHTING]
    for ship, _ in scanners:
        table.tell(Scanning, ship.id)
        reveal(table, ship, SCANS)
        reveal_ship(table, ship)
    for ship, names in scanners:
        scans_left = rules_of(state.terms.edition).active_scans(ship)
        for name in names:
            target = state.ship_by_name(name)
            if scans_left:
                fault = _scan_failure(state, ship, target)
            else:
                fault = reason("no-scans-left-turn", "it has no scans left this turn")
            if fault:
                table.tell(ScanFailed, ship=ship.id, target=target.id, reason=fault)
                continue
            scans_left -= 1
            if target.bogey:
                _identify(table, target, ship)
            if target.status == FIGHTING and can_learn_more(state, ship, target):
                scan_sheet(table, ship, target)


def _scan_failure(state: BattleState, ship: ShipState, target: ShipState) -> str:
    """Return why an active scan of a contact would fail, or "" if it learns something."""
    if target.status != FIGHTING:
        return reason("not-there-any-more", "it is no longer there")
    if not target.bogey and not can_learn_more(state, ship, target):
        return reason("identified-already", "it is already identified")
    if not state.hostile[ship.commander] >> target.commander & 1:
        return reason("target-not-hostile", "it is not hostile")
    reach = active_range(state.terms, ship)
    range_mu = _detection_range(state, target, reach)
    if not is_within(squared_length(target.x - ship.x, target.y - ship.y), range_mu):
        if range_mu == reach:
            return reason("beyond-mu", "it is beyond {:g} MU", reach)
        return HIDDEN_BY_ECM
    if state.pieces and is_blocked(state.pieces, (ship.x, ship.y), (target.x, target.y)):
        return reason("asteroid-way", "an asteroid is in the way")
    return ""


def active_range(terms: Terms, ship: ShipState) -> float:
    """Return the MU to which a ship scans actively.

    Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Advanced Fire Control"
    5.2 [pc.advanced-firecon-range]
    """
    if terms.follows(ACTIVE_SCANS_TO_72) and working_count(ship, "advanced-firecon"):
        return ADVANCED_ACTIVE_RANGE
    return ACTIVE_RANGE


def _detection_range(state: BattleState, ship: ShipState, reach: float) -> float:
    """Return the range in MU at which sensors of a given reach see a ship through its ECM cover.

    Rules: Continuum "ECM" 7.18 [pc.ecm]
    """
    return deblip_range(reach, ecm_level_over(state, ship))


def scan_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot scan actively, or "" if it can or its plot orders no scan.

    Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Sensors and ECM" 12.1
    [pc.sensors]
    """
    if not plot.scan:
        return ""
    if ship.status != FIGHTING:
        return reason("ship-off-table-cannot", "a ship off the table cannot scan")
    if ship.warm:
        return reason("about-to-jump-no-scan", "its FTL drive is about to engage: it cannot scan")
    if ship.dummy:
        return reason("drone-no-sensors", "a decoy has no sensors")
    if not rules_of(state.terms.edition).active_scans(ship):
        if not active_scans_of(ship.sheet):
            return NO_SENSORS
        return NO_FIRECON
    return ""


def _identify(table: Table, ship: ShipState, by: ShipState) -> None:
    """Identify a bogey as what it appears to be; take a decoy off the table."""
    ship.identify()
    if table.listens:
        if ship.dummy:
            table.tell(DummyIdentified, ship=ship.id, contact=ship.contact, by=by.id)
        else:
            table.tell(
                ContactIdentified,
                ship=ship.id,
                contact=ship.contact,
                cls=(ship.cover or ship.sheet).cls,
                by=by.id,
            )


def reveal_ship(table: Table, ship: ShipState, fit: str = "") -> None:
    """Identify a ship that fires or launches; uncover a Q ship unless its cover has that system.

    Args:
        fit: The id of the system that fires; "" for a launch.

    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    if ship.cover is not None and not (fit and may_be_known(ship, fit)):
        reveal(table, ship, FIRES)
    if ship.bogey:
        ship.bogey = False
        table.tell(
            ContactIdentified,
            ship=ship.id,
            contact=ship.contact,
            cls=(ship.cover or ship.sheet).cls,
            by=ship.id,
        )
