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
    scan_counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ScanIndex:
    """The hostile factions in a faction's scans of this week and the last, by hex.

    Attributes:
        now: Those with ships there this week.
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
        # Foes that left or died have scanned, too
        had_presence = item.counts or item.source != SCAN
        if item.week == view.week and had_presence:
            now.setdefault(item.hex, set()).add(item.faction)
    return ScanIndex(_frozen(now), _frozen(recent), _frozen(last))


def _frozen(by_hex: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
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
    if scenario.open_play:
        marked = {mark.key for mark in view.marks}
    else:
        marked = set()
    start_hexes = _hex_of_ships(start_of_week) if start_of_week is not None else {}
    result = []
    for fleet in view.fleets:
        ships = ships_in.get(fleet.key, [])
        origins = {start_hexes[ship.key] for ship in ships if ship.key in start_hexes} or None
        if view.fleets_have_moved:
            before = _scanners_before(scenario, scan_index, fleet, origins)
        else:
            before = set()
        reads = _scan_of(classes, fleet, ships)
        system = systems.get(fleet.hex)
        visibility = _visibility_of(
            scenario, view, scan_index, fleet, before, reads, system, is_marked=fleet.key in marked
        )
        result.append(
            _with_scans_from_afar(scenario, view, visibility) if scanned_afar else visibility
        )
    return tuple(result)


def _with_scans_from_afar(
    scenario: Scenario, view: View, exposed: FleetVisibility
) -> FleetVisibility:
    """Return a fleet's visibility where any faction may scan it from outside its hex."""
    if exposed.visibility != Visibility.NOT or exposed.fleet.in_ftl:
        return exposed
    factions = {power.id for power in scenario.factions}
    hostile = factions.difference(side_of(scenario, view.faction))
    return replace(
        exposed, visibility=Visibility.POSSIBLY, by=tuple(sorted(hostile)), reason="afar"
    )


def _hex_of_ships(view: View) -> dict[str, str]:
    """Return the hex of each ship by key. Ships keep their keys when fleets split or join."""
    places = {fleet.key: fleet.hex for fleet in view.fleets}
    return {ship.key: places[ship.fleet] for ship in view.ships if ship.fleet in places}


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
        for faction in scan_index.last.get(hex_, ()):
            result.add(faction)
    return result


def _visibility_of(
    scenario: Scenario,
    view: View,
    scan_index: ScanIndex,
    fleet: Fleet,
    before: set[str],
    reads: tuple[tuple[str, int], ...],
    system: StarSystem | None,
    *,
    is_marked: bool,
) -> FleetVisibility:
    if not fleet.in_ftl:
        scanners = scan_index.now.get(fleet.hex, frozenset())
        own_side = side_of(scenario, view.faction)
        owner = system.owner if system is not None and system.settled else None
        settled = {owner} if owner is not None and owner not in own_side else set()
        if scanners or settled:
            certain = (
                _with_allies(scenario, scanners | settled)
                if scenario.shared_sight
                else scanners | settled
            )
            return FleetVisibility(
                fleet,
                Visibility.CERTAINLY,
                tuple(sorted(certain)),
                "met" if scanners else "settlement",
                reads,
            )
    if is_marked:
        other_factions = sorted(power.id for power in scenario.factions if power.id != view.faction)
        return FleetVisibility(fleet, Visibility.POSSIBLY, tuple(other_factions), "marker", ())
    there = scan_index.recent.get(fleet.hex, frozenset())
    if there or before:
        by = tuple(sorted(_with_allies(scenario, there | before)))
        return FleetVisibility(
            fleet, Visibility.POSSIBLY, by, "there" if there else "before", reads
        )
    return FleetVisibility(fleet, Visibility.NOT, (), "", ())


def _with_allies(scenario: Scenario, factions: Iterable[str]) -> set[str]:
    """Return factions with their allies, with whom they may share what they know."""
    allies: set[str] = set()
    for faction in factions:
        for ally in side_of(scenario, faction):
            allies.add(ally)
    return allies


def _scan_of(
    classes: Mapping[str, ShipClass], fleet: Fleet, ships: list[Ship]
) -> tuple[tuple[str, int], ...]:
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
    drones = min(fleet.decoys_out, len(ships))
    if drones:
        counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + drones
    return sort_by_count(counts)
