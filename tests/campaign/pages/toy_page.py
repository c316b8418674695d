"""A toy page with a form of three fields: where a fleet is after some weeks. Copy it to begin a page of your own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.forms.field import ChoiceField, Fields, NumberField, TickField, for_scripts
from campaign.web.common import UNLAWFUL, if_changed
from campaign.web.war import player_page, war_of
from config.urls import urlpatterns as site
from engine.core.errors import Violation
from engine.core.phrase import phrase

COURSE = ChoiceField("course", options=(("n", phrase("north")), ("s", phrase("south"))))
WEEKS = NumberField("weeks", least=1, most=9)
RETURNS = TickField("returns")
FORM = (COURSE, WEEKS, RETURNS)


@player_page
@require_safe
def voyage(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The form, and where the fleet is then."""
    war = war_of(viewer)
    faults = [fault for field in FORM if (fault := field.check(request.GET)) is not None]
    if faults:
        return _page(request, faults)
    return if_changed(request, ("voyage", war.id, war.sight.etag), lambda: _page(request, []))


def _page(request: HttpRequest, faults: list[Violation]) -> HttpResponse:
    asked = request.GET
    context = {
        "fields": _drawn(asked),
        "violations": faults,
        "hexes": None if faults else _hexes(asked),
        "data": {"fields": for_scripts(course=COURSE, weeks=WEEKS)},
    }
    return render(request, "toy_page.html", context, status=UNLAWFUL if faults else 200)


def _drawn(asked: QueryDict) -> Fields:
    """The fields with what was sent in them."""
    course = COURSE.draw(label=phrase("Course"), chosen=COURSE.read(asked))
    weeks = WEEKS.draw(label=phrase("Week"), value=WEEKS.read(asked))
    returns = RETURNS.draw(label=phrase("Return"), on=RETURNS.read(asked))
    return Fields((course,), (returns,), (weeks,))


def _hexes(asked: QueryDict) -> int:
    """How many hexes north the fleet is: none where it returns."""
    weeks = WEEKS.read(asked)
    if not isinstance(weeks, int) or RETURNS.read(asked):
        return 0
    return weeks if COURSE.read(asked) == "n" else -weeks


urlpatterns = [path("c/<str:c>/voyage/", voyage, name="voyage"), *site]
