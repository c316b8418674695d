"""A star map as data for the script that draws it (`static/js/chart.js` says what each part is). Pure.

Everything comes from a View and the public scenario, by way of `campaign.pages.chart`: what the picture and the lists
beside it say. `ground` is the same for everybody and every moment; `moment` is one view; `reach` says when each fleet
is where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.kinds import StageKind
from campaign.pages.chart import Chart, ChartContact, OpenMarks, chart, open_marks
from campaign.pages.hexmap import facility_words
from campaign.rules.arrivals import weeks_text
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import FleetMoves, star_map
from campaign.rules.system_terrain import about_system
from campaign.rules.view import Sighting, View
from engine.core.phrase import phrase

Data = dict[str, Any]
KINDS = ("capital", "cruiser", "escort")  # whose numbers stand in this order; a fourth counts all others
SEATS = 6  # colours and emblems there are; further factions share the one of nobody
MOST_TEXTS = 64  # reaches of other than plain maps that a page brings


def seats(scenario: Scenario) -> dict[str, int]:
    """The number of each faction's seat, by which everybody knows its colour and its emblem."""
    return {power.id: n if n <= SEATS else 0 for n, power in enumerate(scenario.factions, 1)}


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


def moment(scenario: Scenario, view: View) -> Data:
    """What a faction knows after a stage. Seen ships are counted by `KINDS`."""
    seen, numbers = chart(scenario, view), seats(scenario)
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


def reach(scenario: Scenario, view: View) -> Data:
    """When each fleet that may move now is where. `of`: by fleet, and by hex for fleets that are formed there, the
    number of its text in `texts`, or -1 where the steps of the plain map say it; a fleet that may not go is not there.
    A text: from which hex, and what `weeks_text` gives.
    """
    if view.stage != StageKind.ORDERS:
        return {"of": {}, "texts": []}
    of: dict[str, int] = {}
    texts: list[Data] = []
    numbers: dict[object, int] = {}
    moves, plain = FleetMoves(scenario, view), star_map(scenario)
    for fleet in (*view.fleets, *view.dummies):
        plans = {fleet.key: moves.chart(fleet.key)} if moves.may_move(fleet.key) else {}
        if len(moves.crews.get(fleet.key, ())) > 1:
            plans[fleet.hex] = plain
        for key, plan in plans.items():
            if not plan.odd:
                of[key] = -1
                continue
            place = (plan, fleet.hex)
            if place not in numbers and len(texts) < MOST_TEXTS:
                numbers[place] = len(texts)
                weeks, halts = weeks_text(plan, fleet.hex, scenario.hexes_per_week)
                texts.append({"from": fleet.hex, "weeks": weeks, "halts": halts})
            if place in numbers:
                of[key] = numbers[place]
    return {"of": of, "texts": texts}
