"""What others may know of the reader's own fleets, as his View and the published scenario tell
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.belief.exposure import Exposed, Seen, exposure
from campaign.kinds import StageKind
from campaign.orders.registry import can_be_scanned_afar
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.sight.views import sight_then
from campaign.web.seat_marks import power_names
from campaign.web.war import War, player_page, war_of
from campaign.words.sayings import place_words, strength_words
from engine.core.phrase import joined_phrases, phrase

WHY = {
    "met": phrase("It met {} here this week, and each scanned the other."),
    "settlement": phrase("A settlement here scans every arrival ({})."),
    "marker": phrase("Its marker is visible ({}), its ships are not."),
    "there": phrase("This hex was scanned this week or last ({})."),
    "afar": phrase("A fleet nearby may have scanned it from its own hex ({})."),
    "before": phrase("A hex it may have come from was scanned last week ({})."),
    "": "",
}


@dataclass(frozen=True, slots=True)
class ExposedRow:
    """A fleet, and what others may know of it, in words."""

    name: str
    place: str
    seen: str
    why: str
    reads: str


@player_page
def known_of_me(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What others may know of the reader's fleets."""
    war = war_of(viewer)
    rows = [
        _exposed(war.scenario, item)
        for item in _exposures(war.scenario, war.sight.view, _began(war))
    ]
    context = {"war": war, "rows": rows, **war.tabs("")}
    return render(request, "campaign/known_of_me.html", context)


def _exposures(scenario: Scenario, view: View, began: View | None = None) -> tuple[Exposed, ...]:
    return exposure(scenario, view, began, scanned_afar=can_be_scanned_afar(scenario))


def _began(war: War) -> View | None:
    """The reader's View as the orders of this week were due, once they were resolved; None
    before.
    """
    for moment in reversed(war.moments):
        if (moment.week, moment.kind) == (
            war.week,
            StageKind.ORDERS,
        ) and moment.seq < war.sight.seq:
            return sight_then(war.viewer.campaign, war.faction, moment.seq).view
    return None


def _exposed(scenario: Scenario, item: Exposed) -> ExposedRow:
    names = power_names(scenario)
    where = place_words(scenario, item.fleet.hex)
    where = phrase("{}, in FTL space", where) if item.fleet.in_ftl else where
    by = joined_phrases(" and ", (names[power] for power in item.by))
    reads = strength_words(item.reads) if item.reads else ""
    return ExposedRow(item.fleet.name, where, item.seen, WHY[item.why].format(by), reads)


def known_told(scenario: Scenario, view: View) -> dict[str, Any]:
    """The same for the map of the desk.

    `fleets`: of each that somebody knows of, in words; `eyes`: by hex, what stands beside it on the
    map.
    """
    told = [item for item in _exposures(scenario, view) if item.seen != Seen.NOT]
    by_place: dict[tuple[str, Seen], list[Exposed]] = {}
    for item in told:
        by_place.setdefault((item.fleet.hex, item.seen), []).append(item)
    return {
        "fleets": {item.fleet.key: _told(_exposed(scenario, item)) for item in told},
        "eyes": [
            {"hex": hex_, "sure": seen == Seen.CERTAINLY, "words": _beside(seen, items)}
            for (hex_, seen), items in by_place.items()
        ],
    }


def _told(row: ExposedRow) -> str:
    """A row of the page as a sentence."""
    if row.seen == Seen.CERTAINLY:
        return phrase("They can see it. {} They see {}.", row.why, row.reads)
    return phrase("They may know of it. {}", row.why)


def _beside(seen: Seen, items: Sequence[Exposed]) -> str:
    """What the map says of fleets that are known alike."""
    name = items[0].fleet.name if len(items) == 1 else phrase("{} fleets", len(items))
    return phrase("{}: certainly", name) if seen == Seen.CERTAINLY else phrase("{}: possibly", name)


urlpatterns = [path("c/<str:c>/known-of-me/", known_of_me, name="known-of-me")]
