"""What others may know of the reader's own fleets, as his View and the published scenario tell it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.belief.exposure import Exposed, exposure
from campaign.pages.sayings import place_words, strength_words
from campaign.pages.war import player_page, war_of
from campaign.rules.scenario import Scenario
from engine.core.phrase import joined_phrases, phrase

WHY = {
    "met": phrase("met there this week, and read each other's ships"),
    "settlement": phrase("have a settlement there, which reads what comes"),
    "marker": phrase("see its marker, and not its ships"),
    "before": phrase("met it last week, and know how far it may have gone"),
    "": "",
}


@dataclass(frozen=True, slots=True)
class ExposedRow:
    """A fleet, and what others may know of it, in words."""

    name: str
    place: str
    seen: str
    by: str
    why: str
    reads: str


@player_page
def known_of_me(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What others may know of the reader's fleets."""
    war = war_of(viewer)
    rows = [_exposed(war.scenario, item) for item in exposure(war.scenario, war.sight.view)]
    return render(request, "campaign/known_of_me.html", {"war": war, "rows": rows})


def _exposed(scenario: Scenario, item: Exposed) -> ExposedRow:
    names = {power.id: power.name for power in scenario.factions}
    where = place_words(scenario, item.fleet.hex) + (phrase(", in FTL space") if item.fleet.in_ftl else "")
    by = joined_phrases(" and ", (names[power] for power in item.by))
    return ExposedRow(
        item.fleet.name, where, item.seen, by, WHY[item.why], strength_words(item.reads) if item.reads else ""
    )


urlpatterns = [path("c/<str:c>/known-of-me/", known_of_me, name="known-of-me")]
