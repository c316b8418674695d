"""A star map as data for the script that draws it (`static/js/chart.js`). Pure.

Everything comes from a View and the public scenario, by way of `campaign.pages.chart`: what the picture and the lists
beside it say. `ground` is the same for everybody and every moment; `moment` is one view; `reach` says when each fleet
is where.

What the script's `chart` and `show` are given, with what scripts add to it:

    chart   {columns, rows, closed: [hex], systems: [{hex, name, settled, base, about}], links: [{a, b, kind}],
             powers: {id: {name, seat}}}
    show    {holds: {hex: {power, state, here}}, fights: [hex],
             fleets: [{key, name, hex, seat, n: [ships by kind], ftl, dummy, code, on, todo}],
             contacts: [{hex, seat, n, words, age, gone, on}], marks: [{hex, seat, label}],
             ways: [{hexes, seat, cls, tip, week}], rings: [{hex, far, seat, cls}],
             reach: {id, bands: [[hex, ...] of this week, of the next, ...]}, eta: Map of hex and words,
             fan: the hex whose flags stand apart, start: the hex of the cursor}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.kinds import StageKind
from campaign.pages.chart import Chart, ChartContact, OpenMarks, chart, open_marks
from campaign.pages.hexmap import facility_words
from campaign.pages.seat_marks import seats
from campaign.rules.arrivals import weeks_text
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import FleetMoves, StarMap, star_map
from campaign.rules.system_terrain import about_system
from campaign.rules.view import Sighting, View
from engine.core.phrase import phrase

Data = dict[str, Any]
KINDS = ("capital", "cruiser", "escort")  # whose numbers stand in this order; a fourth counts all others


def ground(scenario: Scenario) -> Data:
    """The map itself."""
    numbers = seats(scenario)
    return {
        "columns": scenario.columns,
        "rows": scenario.rows,
        "jump": scenario.hexes_per_week,
        "weeks": scenario.weeks,
        "closed": list(scenario.closed),
        "powers": {power.id: {"name": power.name, "seat": numbers[power.id]} for power in scenario.factions},
        "links": [
            {"a": link.a, "b": link.b, "kind": link.kind, "words": phrase(link.kind.replace("-", " "))}
            for link in scenario.links
        ],
        "systems": [
            {
                "name": system.name,
                "hex": system.hex,
                "settled": system.settled,
                "base": facility_words(system.facility.kind) if system.facility else "",
                "about": about_system(scenario, system),
            }
            for system in scenario.systems
        ],
    }


def moment(scenario: Scenario, view: View, known: Chart | None = None) -> Data:
    """What a faction knows after a stage. Seen ships are counted by `KINDS`. `known`: the view's chart, where it is
    drawn already.
    """
    seen, numbers = known or chart(scenario, view), seats(scenario)
    marks = open_marks(scenario, view)
    return {
        "week": view.week,
        "stage": view.stage,
        "fleets": _fleets(seen, marks),
        "dummies": _dummies(marks),
        "contacts": [_contact(one) for one in seen.contacts],
        "came": _came(scenario, view, seen.contacts),
        "holds": {
            hold.hex: {"power": hold.power, "state": hold.state, "week": hold.week, "here": hold.present}
            for hold in seen.holds
        },
        "fights": list(view.fighting),
        "marks": [
            {
                "hex": mark.hex,
                "seat": numbers[mark.faction],
                "label": mark.label,
                "words": phrase("{}: {}", mark.name, mark.words),
            }
            for mark in (marks.others if marks else ())
        ],
        "tracks": [
            {"hexes": [marker.was, marker.hex], "seat": numbers[marker.faction]}
            for marker in view.markers
            if marker.was not in ("", marker.hex)
        ],
    }


def by_kind(counts: Iterable[tuple[str, int]]) -> list[int]:
    """Ships counted in the order of `KINDS`, those of other kinds last."""
    found = [0] * (len(KINDS) + 1)
    for kind, count in counts:
        found[KINDS.index(kind) if kind in KINDS else len(KINDS)] += count
    return found


def _fleets(seen: Chart, marks: OpenMarks | None) -> list[Data]:
    codes: Mapping[str, int] = marks.codes if marks else {}
    return [
        {
            "key": fleet.key,
            "name": fleet.name,
            "hex": fleet.hex,
            "n": by_kind(fleet.counts),
            "words": fleet.strength,
            "ftl": fleet.in_ftl,
            "notes": list(fleet.notes),
            **({"marker": codes[fleet.key]} if fleet.key in codes else {}),
        }
        for fleet in seen.fleets
    ]


def _dummies(marks: OpenMarks | None) -> list[Data]:
    return [
        {"key": dummy.key, "name": dummy.name, "hex": dummy.hex, "code": dummy.marker}
        for dummy in (marks.dummies if marks else ())
    ]


def _contact(contact: ChartContact) -> Data:
    return {
        "hex": contact.hex,
        "power": contact.faction,
        "n": by_kind(contact.counts),
        "words": contact.words,
        "week": contact.week,
        "age": contact.age,
        "gone": contact.gone,
    }


def _came(scenario: Scenario, view: View, contacts: Iterable[ChartContact]) -> list[Data]:
    """Whence contacts may have come: the last earlier scan elsewhere of the same ships, near enough to have done so."""
    plan, found = star_map(scenario), []
    for contact in contacts:
        before = [scan for scan in view.sightings if _may_be(scan, contact)]
        scan = max(before, key=lambda scan: (scan.week, scan.hex), default=None)
        if scan is None:
            continue
        steps = scenario.hexes_per_week * (contact.week - scan.week)
        if plan.within(scan.hex, contact.hex, steps):
            found.append({"hexes": [scan.hex, contact.hex], "power": contact.faction, "week": scan.week})
    return found


def _may_be(scan: Sighting, contact: ChartContact) -> bool:
    same = scan.faction == contact.faction and scan.counts == contact.counts
    return same and scan.week < contact.week and scan.hex != contact.hex


def reach(scenario: Scenario, view: View) -> dict[str, bool]:
    """The fleets that may move now, and the hexes where others may be formed: whether the steps of the plain map say
    when each is where. Of the others `arrivals_of` says it: such a text is long, and few of them are ever asked for.
    """
    return {key: not plan.odd for key, (_, plan) in _leaving(scenario, view).items()}


def arrivals_of(scenario: Scenario, view: View, leaving: Iterable[str]) -> dict[str, Data]:
    """When each of these fleets (or those formed in a hex) is where, as `weeks_text` says it; of others nothing."""
    known, found = _leaving(scenario, view), {}
    for key in leaving:
        if key in known:
            start, plan = known[key]
            weeks, halts = weeks_text(plan, start, scenario.hexes_per_week)
            found[key] = {"weeks": weeks, "halts": halts}
    return found


def _leaving(scenario: Scenario, view: View) -> dict[str, tuple[str, StarMap]]:
    """From where, and on which map: each fleet that may move now, and by hex those that may be formed there."""
    if view.stage != StageKind.ORDERS:
        return {}
    moves, plain = FleetMoves(scenario, view), star_map(scenario)
    found = {}
    for fleet in (*view.fleets, *view.dummies):
        if moves.may_move(fleet.key):
            found[fleet.key] = (fleet.hex, moves.chart(fleet.key))
        if len(moves.crews.get(fleet.key, ())) > 1:
            found[fleet.hex] = (fleet.hex, plain)
    return found
