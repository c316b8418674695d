"""A star map as data for the script that draws it (`static/js/chart.js`). Pure.

Everything comes from a view and the public scenario through `campaign.web.chart`, as the picture
and its lists do. `ground` is the same for everybody at any time; `moment` is one view;
`arrivals_of` gives arrival weeks that cannot be computed from steps on the plain map.

The arguments of the script's `chart` and `show`, with what scripts add to them:

    chart   {columns, rows, closed: [hex], systems: [{hex, name, settled, base, about}],
             links: [{a, b, kind}], limits: the masses that gates take, the least first,
             powers: {id: {name, seat}}}
    show    {holds: {hex: {power, state, here, stations: [line]}}, fights: [hex],
             fleets: [{key, name, hex, seat, n: [ships by kind], ftl, dummy, code, on, todo}],
             contacts: [{hex, seat, n, words, age, gone, on}], marks: [{hex, seat, label}],
             ways: [{hexes, seat, cls, tip, week}], rings: [{hex, far, seat, cls}],
             reach: {id, bands: [[hex, ...] of this week, of the next, ...]}, eta: Map of hex and
                 words,
             fan: the hex with flags spread out, start: the hex of the cursor}
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from campaign.rules.arrivals import weeks_text
from campaign.rules.perception import Counts
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import star_map
from campaign.rules.system_terrain import system_text
from campaign.rules.view import Sighting, View
from campaign.web.chart import Chart, ChartContact, OpenMarks, chart, open_marks
from campaign.web.hexmap import facility_words
from campaign.web.seat_marks import seats
from campaign.web.station_words import lines_by_system
from engine.core.phrase import phrase

Data = dict[str, Any]
DEPARTURE = re.compile(r"(?P<hex>\d{4})\.(?P<beyond>\d{1,3})(?P<gates>g?)", re.ASCII)
# Order of the ship counts; a fourth number counts all other kinds
KINDS = ("capital", "cruiser", "escort")


def static_map_data(scenario: Scenario) -> Data:
    """Return the map itself."""
    seat_numbers = seats(scenario)
    powers = {}
    for power in scenario.factions:
        powers[power.id] = {"name": power.name, "seat": seat_numbers[power.id]}
    links = []
    for link in scenario.links:
        words = phrase(link.kind.replace("-", " "))
        links.append({"a": link.a, "b": link.b, "kind": link.kind, "words": words})
    systems = []
    for system in scenario.systems:
        systems.append(
            {
                "name": system.name,
                "hex": system.hex,
                "settled": system.settled,
                "base": facility_words(system.facility.kind) if system.facility else "",
                "about": system_text(scenario, system),
            }
        )
    return {
        "columns": scenario.columns,
        "rows": scenario.rows,
        "jump": scenario.hexes_per_week,
        "weeks": scenario.weeks,
        "closed": list(scenario.closed),
        "powers": powers,
        "links": links,
        "limits": _mass_limits(scenario),
        "systems": systems,
    }


def moment_data(scenario: Scenario, view: View, prepared: Chart | None = None) -> Data:
    """Return what a faction knows after a stage, with scanned ships counted by `KINDS`.

    Args:
        prepared: The view's chart, if already made.
    """
    star_chart = prepared or chart(scenario, view)
    seat_numbers = seats(scenario)
    marks = open_marks(scenario, view)
    station_lines = lines_by_system(scenario, view)
    holds: dict[str, Data] = {}
    for system in star_chart.systems:
        holds[system.hex] = {
            "power": system.power,
            "state": system.state,
            "week": system.week,
            "here": system.is_present,
        }
        if system.system in station_lines:
            holds[system.hex]["stations"] = station_lines[system.system]
    return {
        "week": view.week,
        "stage": view.stage,
        "fleets": _fleets(star_chart, marks),
        "dummies": _dummies(marks),
        "contacts": [_contact(contact) for contact in star_chart.contacts],
        "came": _contact_origins(scenario, view, star_chart.contacts),
        "holds": holds,
        "fights": list(view.fighting),
        "marks": _marks(marks, seat_numbers),
        "tracks": _tracks(view, seat_numbers),
    }


def _marks(marks: OpenMarks | None, seat_numbers: Mapping[str, int]) -> list[Data]:
    """Return the open markers of other factions by hex."""
    result: list[Data] = []
    for mark in marks.other_marks if marks else ():
        result.append(
            {
                "hex": mark.hex,
                "seat": seat_numbers[mark.faction],
                "label": mark.label,
                "words": phrase("{}: {}", mark.name, mark.words),
            }
        )
    return result


def _tracks(view: View, seat_numbers: Mapping[str, int]) -> list[Data]:
    """Return the moves of open markers since the week before."""
    tracks: list[Data] = []
    for marker in view.markers:
        if marker.previous_hex not in ("", marker.hex):
            hexes = [marker.previous_hex, marker.hex]
            tracks.append({"hexes": hexes, "seat": seat_numbers[marker.faction]})
    return tracks


def count_by_kind(counts: Iterable[tuple[str, int]]) -> list[int]:
    """Count ships in the order of `KINDS`, other kinds last."""
    numbers = [0] * (len(KINDS) + 1)
    for kind, count in counts:
        numbers[KINDS.index(kind) if kind in KINDS else len(KINDS)] += count
    return numbers


def _fleets(star_chart: Chart, marks: OpenMarks | None) -> list[Data]:
    """Return the viewer's fleets, with the numbers of their open markers if there are any."""
    codes: Mapping[str, int] = marks.codes if marks else {}
    fleets: list[Data] = []
    for fleet in star_chart.fleets:
        data: Data = {
            "key": fleet.key,
            "name": fleet.name,
            "hex": fleet.hex,
            "n": count_by_kind(fleet.counts),
            "words": fleet.strength,
            "ftl": fleet.in_ftl,
            "notes": list(fleet.notes),
        }
        if fleet.key in codes:
            data["marker"] = codes[fleet.key]
        fleets.append(data)
    return fleets


def _dummies(marks: OpenMarks | None) -> list[Data]:
    dummies: list[Data] = []
    for dummy in marks.dummies if marks else ():
        dummies.append(
            {"key": dummy.key, "name": dummy.name, "hex": dummy.hex, "code": dummy.marker}
        )
    return dummies


def _contact(contact: ChartContact) -> Data:
    return {
        "hex": contact.hex,
        "power": contact.faction,
        "n": count_by_kind(contact.counts),
        "words": contact.words,
        "week": contact.week,
        "age": contact.age,
        "gone": contact.is_gone,
    }


def _contact_origins(
    scenario: Scenario, view: View, contacts: Iterable[ChartContact]
) -> list[Data]:
    """Return where contacts may have come from: the last earlier scan of the same ships elsewhere.

    Scans too far away for that are left out.
    """
    plain_map = star_map(scenario)
    scans_of = _scans_of_the_same(view.sightings)
    origins = []
    for contact in contacts:
        scan = _last_elsewhere(scans_of.get((contact.faction, contact.counts), ()), contact)
        if scan is None:
            continue
        most_steps = scenario.hexes_per_week * (contact.week - scan.week)
        if plain_map.is_within(scan.hex, contact.hex, most_steps):
            origins.append(
                {"hexes": [scan.hex, contact.hex], "power": contact.faction, "week": scan.week}
            )
    return origins


def _scans_of_the_same(scans: Iterable[Sighting]) -> dict[tuple[str, Counts], list[Sighting]]:
    """Group scans that show the same ships of a faction, each group sorted by week."""
    groups: dict[tuple[str, Counts], list[Sighting]] = {}
    for scan in sorted(scans, key=attrgetter("week", "hex")):
        groups.setdefault((scan.faction, scan.counts), []).append(scan)
    return groups


def _last_elsewhere(scans: Sequence[Sighting], contact: ChartContact) -> Sighting | None:
    """Return the last scan that is older than a contact and in another hex."""
    newer = bisect_left(scans, contact.week, key=attrgetter("week"))
    for place in range(newer - 1, -1, -1):
        if scans[place].hex != contact.hex:
            return scans[place]
    return None


def arrivals_of(scenario: Scenario, view: View, departures: Iterable[str]) -> dict[str, Data]:
    """Return when fleets arrive in each hex if they leave in the given ways (`weeks_text`).

    A departure is the hex of one of the view's units, a dot, the number of the map's mass `limits`
    that the fleet exceeds, and `g` if it can only use gates: `0304.1g`. Others are ignored. Each
    text is long, and few are ever needed, so they are not part of the map's data.
    """
    limits = _mass_limits(scenario)
    own_hexes = {unit.hex for unit in (*view.fleets, *view.dummies)}
    arrivals = {}
    for departure in departures:
        match = DEPARTURE.fullmatch(departure)
        if match is None or match["hex"] not in own_hexes:
            continue
        limits_exceeded = int(match["beyond"])
        if limits_exceeded > len(limits):
            continue
        mass = limits[limits_exceeded - 1] + 1 if limits_exceeded else 0
        fleet_map = star_map(scenario, mass, bool(match["gates"]))
        if fleet_map.has(match["hex"]):
            weeks, halts = weeks_text(fleet_map, match["hex"], scenario.hexes_per_week)
            arrivals[departure] = {"weeks": weeks, "halts": halts}
    return arrivals


def _mass_limits(scenario: Scenario) -> list[int]:
    """Return the masses that gates take, the least first."""
    return sorted({link.mass for link in scenario.links if link.mass is not None})
