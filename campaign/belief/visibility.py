"""What others may know of a faction's fleets, from its own reports and from public facts.

Scans by other factions are never used, because the faction does not see them. A faction that meets
a fleet in a system scans it, and so does a settlement; a faction that scanned it in its last hex
knows how far it may have gone. A View does not say which way a fleet came: it may have come from
any hex within one week's move of its last step. What the faction could not notice cannot be ruled
out, so all answers below "certainly" say no more than "may".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum

from campaign.rules.battle_entries import DECOY_LABEL, sensor_label
from campaign.rules.queries import (
    ship_classes,
    ships_by_fleet,
    side_of,
    sort_by_count,
    systems_by_hex,
)
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.starmap import star_map
from campaign.rules.towing import is_aboard
from campaign.rules.view import SCAN, Fleet, Ship, View

Counts = tuple[tuple[str, int], ...]  # (classification, contacts)


class Visibility(StrEnum):
    """Whether others know of a fleet."""

    CERTAINLY = "certainly"
    POSSIBLY = "possibly"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class FleetVisibility:
    """What hostile factions may know of one of the faction's fleets.

    Attributes:
        by: Ids of the factions that know or may know of it.
        reason: "met", "settlement", "marker", "there" (they were at its hex, last week or before it
            withdrew), "before" (they were last week at a hex where it may have come from), "afar"
            (any faction may have scanned it from another hex), or "".
        scan_counts: What a long range scan of it shows, by classification.
    """

    fleet: Fleet
    visibility: Visibility
    by: tuple[str, ...]
    reason: str
    scan_counts: Counts


@dataclass(frozen=True, slots=True)
class ScanIndex:
    """The hostile factions in a faction's scans of this week and the last, by hex.

    Attributes:
        now: Those with ships there this week, including ones that have left or been lost since.
        recent: Those with ships or a settlement there this week or last week.
        last: Those with ships or a settlement there last week.
    """

    now: Mapping[str, frozenset[str]]
    recent: Mapping[str, frozenset[str]]
    last: Mapping[str, frozenset[str]]


def build_scan_index(view: View) -> ScanIndex:
    """Index the newest scans of a View, once for all its fleets."""
    now: dict[str, set[str]] = {}
    recent: dict[str, set[str]] = {}
    last: dict[str, set[str]] = {}
    for item in view.sightings:
        if item.week >= view.week - 1:
            recent.setdefault(item.hex, set()).add(item.faction)
        if item.week == view.week - 1:
            last.setdefault(item.hex, set()).add(item.faction)
        # A sighting without contacts after a battle or withdrawal is of foes that scanned before.
        had_ships = item.counts or item.source != SCAN
        if item.week == view.week and had_ships:
            now.setdefault(item.hex, set()).add(item.faction)
    return ScanIndex(_frozen(now), _frozen(recent), _frozen(last))


def _frozen(by_hex: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    """Return the factions of each hex as frozen sets."""
    return {hex_: frozenset(factions) for hex_, factions in by_hex.items()}


def fleet_visibility(
    scenario: Scenario, view: View, start_of_week: View | None = None, *, scanned_afar: bool
) -> tuple[FleetVisibility, ...]:
    """Return what others may know of each of the faction's fleets, in the order of their keys.

    Args:
        start_of_week: The faction's View when this week's orders were due, which shows where each
            fleet came from. Without it, any hex within one move of a fleet's last step counts.
        scanned_afar: Whether fleets can be scanned from outside their hex in this war.
    """
    ships_in = ships_by_fleet(view.ships)
    classes = ship_classes(scenario)
    systems = systems_by_hex(scenario)
    scan_index = build_scan_index(view)
    fleets_with_marker: set[str] = set()
    if scenario.open_play:
        fleets_with_marker = {mark.key for mark in view.marks}
    start_hexes = _hex_of_ships(start_of_week) if start_of_week is not None else {}
    result = []
    for fleet in view.fleets:
        ships = ships_in.get(fleet.key, [])
        origins = {start_hexes[ship.key] for ship in ships if ship.key in start_hexes} or None
        scanners_before: set[str] = set()
        if view.fleets_have_moved:
            scanners_before = _scanners_before(scenario, scan_index, fleet, origins)
        scan_counts = _scan_of(classes, fleet, ships)
        visibility = _certain_visibility(
            scenario,
            view,
            fleet,
            scan_index=scan_index,
            system=systems.get(fleet.hex),
            scan_counts=scan_counts,
        )
        if visibility is None:
            visibility = _possible_visibility(
                scenario,
                view,
                fleet,
                scanners_here=scan_index.recent.get(fleet.hex, frozenset()),
                scanners_before=scanners_before,
                has_marker=fleet.key in fleets_with_marker,
                scan_counts=scan_counts,
            )
        if scanned_afar:
            visibility = _with_scans_from_afar(scenario, view, visibility)
        result.append(visibility)
    return tuple(result)


def _with_scans_from_afar(
    scenario: Scenario, view: View, visibility: FleetVisibility
) -> FleetVisibility:
    """Return a fleet's visibility where any faction may scan it from outside its hex."""
    if visibility.visibility != Visibility.NOT or visibility.fleet.in_ftl:
        return visibility
    factions = {power.id for power in scenario.factions}
    hostile = factions.difference(side_of(scenario, view.faction))
    return replace(
        visibility, visibility=Visibility.POSSIBLY, by=tuple(sorted(hostile)), reason="afar"
    )


def _hex_of_ships(view: View) -> dict[str, str]:
    """Return the hex of each ship by key. Ships keep their keys when fleets split or join."""
    fleet_hexes = {fleet.key: fleet.hex for fleet in view.fleets}
    result = {}
    for ship in view.ships:
        if ship.fleet in fleet_hexes:
            result[ship.key] = fleet_hexes[ship.fleet]
    return result


def _scanners_before(
    scenario: Scenario, scan_index: ScanIndex, fleet: Fleet, origins: Set[str] | None
) -> set[str]:
    """Return the hostile factions that scanned, last week, a hex where the fleet may come from.

    Args:
        origins: The hexes where it came from. None if unknown: all hexes in reach of its last step
            count, if it has made one.
    """
    if origins is None:
        chart = star_map(scenario)
        remaining_steps = scenario.hexes_per_week - 1
        origins = set()
        for hex_ in scan_index.last:
            if fleet.back and chart.is_within(hex_, fleet.back, remaining_steps):
                origins.add(hex_)
    result: set[str] = set()
    for hex_ in origins:
        result |= scan_index.last.get(hex_, frozenset())
    return result


def _certain_visibility(
    scenario: Scenario,
    view: View,
    fleet: Fleet,
    *,
    scan_index: ScanIndex,
    system: StarSystem | None,
    scan_counts: Counts,
) -> FleetVisibility | None:
    """Return the visibility of a fleet that hostile ships or a settlement have scanned; else None.

    Args:
        system: The system in the fleet's hex, if there is one.
        scan_counts: What a long range scan of the fleet shows.
    """
    if fleet.in_ftl:
        return None
    ships_of = scan_index.now.get(fleet.hex, frozenset())
    settlement_of: set[str] = set()
    owner = system.owner if system is not None and system.settled else None
    if owner is not None and owner not in side_of(scenario, view.faction):
        settlement_of = {owner}
    observers = ships_of | settlement_of
    if not observers:
        return None
    factions = _with_allies(scenario, observers) if scenario.shared_sight else set(observers)
    return FleetVisibility(
        fleet=fleet,
        visibility=Visibility.CERTAINLY,
        by=tuple(sorted(factions)),
        reason="met" if ships_of else "settlement",
        scan_counts=scan_counts,
    )


def _possible_visibility(
    scenario: Scenario,
    view: View,
    fleet: Fleet,
    *,
    scanners_here: Set[str],
    scanners_before: Set[str],
    has_marker: bool,
    scan_counts: Counts,
) -> FleetVisibility:
    """Return the visibility of a fleet that nobody is known to have scanned this week.

    Args:
        scanners_here: The hostile factions that were in its hex this week or last week.
        scanners_before: Those that were, last week, where it may have come from.
        has_marker: Whether it has a public marker on the map.
        scan_counts: What a long range scan of the fleet shows.
    """
    observers: set[str]
    if has_marker:  # others see the marker, and not what is behind it
        reason = "marker"
        scan_counts = ()
        observers = {power.id for power in scenario.factions if power.id != view.faction}
    elif scanners_here or scanners_before:
        reason = "there" if scanners_here else "before"
        observers = _with_allies(scenario, scanners_here | scanners_before)
    else:
        reason = ""
        scan_counts = ()
        observers = set()
    return FleetVisibility(
        fleet=fleet,
        visibility=Visibility.POSSIBLY if reason else Visibility.NOT,
        by=tuple(sorted(observers)),
        reason=reason,
        scan_counts=scan_counts,
    )


def _with_allies(scenario: Scenario, factions: Iterable[str]) -> set[str]:
    """Return factions with their allies, with whom they may share what they know."""
    result: set[str] = set()
    for faction in factions:
        result.update(side_of(scenario, faction))
    return result


def _scan_of(classes: Mapping[str, ShipClass], fleet: Fleet, ships: list[Ship]) -> Counts:
    """Return what a long range scan of a fleet shows.

    Battleriders aboard their motherships are not contacts of their own.
    """
    counts: dict[str, int] = {}
    carriers = {ship.key: classes[ship.cls] for ship in ships}
    for ship in ships:
        if ship.tug in carriers and is_aboard(classes[ship.cls], ship, carriers[ship.tug]):
            continue
        kind = sensor_label(classes, ship)
        counts[kind] = counts.get(kind, 0) + 1
    decoys = min(fleet.decoys_out, len(ships))
    if decoys:
        counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + decoys
    return sort_by_count(counts)
