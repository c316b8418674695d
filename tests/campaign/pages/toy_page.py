"""A toy page with a form of four fields: where a fleet is after some weeks.

Copy it to begin a new page.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.forms.field import ChoiceField, Fields, NumberField, Option, TickField, for_scripts
from campaign.web.common import UNPROCESSABLE, if_changed
from campaign.web.tabs import tabs_key
from campaign.web.war import War, player_page, war_of
from config.urls import urlpatterns as site
from engine.core.errors import Violation
from engine.core.phrase import phrase

FLEET = ChoiceField("fleet")  # its options depend on the war
COURSE = ChoiceField("course", options=(("n", phrase("north")), ("s", phrase("south"))))
WEEKS = NumberField("weeks", least=1, most=9)
RETURNS = TickField("returns")


@player_page
@require_safe
def voyage(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the form, and where the fleet will be."""
    war = war_of(viewer)
    shared = war.tabs("ships")
    faults = _faults(request.GET, war)
    if faults:
        return _page(request, war, shared, faults)
    key = ("voyage", war.id, war.sight.etag, *tabs_key(shared))
    return if_changed(request, key, lambda: _page(request, war, shared, []))


def _faults(query: QueryDict, war: War) -> list[Violation]:
    faults = (
        FLEET.check(query, options=_own_fleets(war)),
        COURSE.check(query),
        WEEKS.check(query),
        RETURNS.check(query),
    )
    return [fault for fault in faults if fault is not None]


def _page(
    request: HttpRequest, war: War, shared: dict[str, Any], faults: list[Violation]
) -> HttpResponse:
    query = request.GET
    context = {
        "fields": _draw_fields(query, war),
        "violations": faults,
        "hexes": None if faults else _hexes(query),
        "data": {"fields": for_scripts(course=COURSE, weeks=WEEKS)},
    }
    return render(
        request, "toy_page.html", context | shared, status=UNPROCESSABLE if faults else 200
    )


def _draw_fields(query: QueryDict, war: War) -> Fields:
    """Return the fields with the values that were sent."""
    fleet = FLEET.draw(label=phrase("Fleet"), chosen=FLEET.read(query), options=_own_fleets(war))
    course = COURSE.draw(label=phrase("Course"), chosen=COURSE.read(query))
    weeks = WEEKS.draw(label=phrase("Week"), value=WEEKS.read(query))
    returns = RETURNS.draw(label=phrase("Return"), on=RETURNS.read(query))
    return Fields((fleet, course), (returns,), (weeks,))


def _own_fleets(war: War) -> list[Option]:
    """Return the fleets that the faction sees as its own."""
    return [(fleet.key, fleet.name) for fleet in war.sight.view.fleets]


def _hexes(query: QueryDict) -> int:
    """Return how many hexes north the fleet is: none if it returns."""
    weeks = WEEKS.read(query)
    if not isinstance(weeks, int) or RETURNS.read(query):
        return 0
    return weeks if COURSE.read(query) == "n" else -weeks


urlpatterns = [path("c/<str:c>/voyage/", voyage, name="voyage"), *site]
