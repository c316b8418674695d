"""What other factions may know of the reader's fleets, from the reader's view and the scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.belief.visibility import FleetVisibility, Visibility, fleet_visibility
from campaign.kinds import StageKind
from campaign.orders.registry import can_be_scanned_afar
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.sight.views import sight_after
from campaign.web.seat_marks import power_names
from campaign.web.war import War, player_page, war_of
from campaign.words.common import place_words, strength_words
from engine.core.phrase import join_phrases, phrase

# Why others may know of a fleet, by `FleetVisibility.reason`; the gap is for their names
REASONS = {
    "met": phrase("It met {} here this week, and each scanned the other."),
    "settlement": phrase("A settlement here scans every arrival ({})."),
    "marker": phrase("Its marker is visible ({}), its ships are not."),
    "there": phrase("This hex was scanned this week or last ({})."),
    "afar": phrase("A fleet nearby may have scanned it from its own hex ({})."),
    "before": phrase("A hex it may have come from was scanned last week ({})."),
    "": "",
}


@dataclass(frozen=True, slots=True)
class VisibilityRow:
    """A fleet and what other factions may know of it, in words."""

    name: str
    place: str
    visibility: str  # a value of Visibility
    reason: str
    appears_as: str  # what their scan shows; "" if it was not scanned


@player_page
def fleet_visibility_page(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show what other factions may know of the reader's fleets."""
    war = war_of(viewer)
    rows = []
    for fleet in _fleet_visibilities(war.scenario, war.sight.view, _start_of_week(war)):
        rows.append(_visibility_row(war.scenario, fleet))
    context = {"war": war, "rows": rows, **war.tabs("")}
    return render(request, "campaign/visibility.html", context)


def _fleet_visibilities(
    scenario: Scenario, view: View, start_of_week: View | None = None
) -> tuple[FleetVisibility, ...]:
    """Return what others may know of each of the viewer's fleets.

    Args:
        start_of_week: The view when this week's orders were due, if they are resolved.
    """
    return fleet_visibility(
        scenario, view, start_of_week, scanned_afar=can_be_scanned_afar(scenario)
    )


def _start_of_week(war: War) -> View | None:
    """Return the reader's view when this week's orders were due; None until they are resolved."""
    for moment in reversed(war.moments):
        is_orders_stage = moment.week == war.week and moment.kind == StageKind.ORDERS
        if is_orders_stage and moment.seq < war.sight.seq:
            return sight_after(war.viewer.campaign, war.faction, moment.seq).view
    return None


def _visibility_row(scenario: Scenario, item: FleetVisibility) -> VisibilityRow:
    """Return in words what others may know of a fleet."""
    names = power_names(scenario)
    place = place_words(scenario, item.fleet.hex)
    if item.fleet.in_ftl:
        place = phrase("{}, in FTL space", place)
    observers = join_phrases(" and ", (names[power] for power in item.by))
    return VisibilityRow(
        name=item.fleet.name,
        place=place,
        visibility=item.visibility,
        reason=REASONS[item.reason].format(observers),
        appears_as=strength_words(item.scan_counts) if item.scan_counts else "",
    )


def visibility_data(scenario: Scenario, view: View) -> dict[str, Any]:
    """Return the visibility of fleets for the map of the orders page.

    Returns:
        `fleets` has a sentence for each fleet that others know or may know of, by its key; `eyes`
        lists the markers of the map, each with its hex, certainty and text.
    """
    sentences = {}
    fleets_by_marker: dict[tuple[str, Visibility], list[FleetVisibility]] = {}
    for item in _fleet_visibilities(scenario, view):
        if item.visibility != Visibility.NOT:
            sentences[item.fleet.key] = _row_sentence(_visibility_row(scenario, item))
            fleets_by_marker.setdefault((item.fleet.hex, item.visibility), []).append(item)
    markers = []
    for (hex_, visibility), items in fleets_by_marker.items():
        marker = {
            "hex": hex_,
            "sure": visibility == Visibility.CERTAINLY,
            "words": _marker_text(visibility, items),
        }
        markers.append(marker)
    return {"fleets": sentences, "eyes": markers}


def _row_sentence(row: VisibilityRow) -> str:
    """Return a row of the page as a sentence."""
    if row.visibility == Visibility.CERTAINLY:
        return phrase("They can see it. {} They see {}.", row.reason, row.appears_as)
    return phrase("They may know about it. {}", row.reason)


def _marker_text(visibility: Visibility, items: Sequence[FleetVisibility]) -> str:
    """Return the map's text for fleets of equal visibility."""
    if len(items) == 1:
        name = items[0].fleet.name
    else:
        name = phrase("{} fleets", len(items))
    if visibility == Visibility.CERTAINLY:
        return phrase("{}: certainly", name)
    return phrase("{}: possibly", name)


urlpatterns = [path("c/<str:c>/visibility/", fleet_visibility_page, name="visibility")]
