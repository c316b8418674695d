"""Two classes compared: those of the reader's own shelf, and the classes that come with the program."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.pages.common import UNLAWFUL, show, weighed
from campaign.rules.files import fixture_designs
from campaign.rules.matchups import duel, equal_points, figures_of, fire_by_arc, lines, odds_of
from campaign.services.shelf import shelf_of
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation

SECONDS = 2.0  # that battles are fought for one request
OWN = "shelf"

Known = dict[str, tuple[str, Mapping[str, Any]]]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest) -> HttpResponse:
    """The comparison of two classes; a POST fights equal points of them, which is a heavy act."""
    asked = request.POST if request.method == "POST" else request.GET
    known = _known(cast(AbstractBaseUser, request.user))
    keys = (asked.get("first", ""), asked.get("second", ""))
    page: dict[str, Any] = {"known": [(key, name) for key, (name, _) in known.items()], "keys": keys}
    if not all(key in known for key in keys):
        return show(request, "compare", **page)
    names, (first, second) = [known[key][0] for key in keys], (known[keys[0]][1], known[keys[1]][1])
    try:
        found = _compared(first, second)
        if request.method == "POST":
            with weighed(request):
                until = monotonic() + SECONDS
                file, many, points = found["battle"]
                found["odds"] = odds_of(file, many, points, lambda: monotonic() < until)
    except RuleViolations as error:
        return show(request, "compare", status=UNLAWFUL, names=names, found=error.listed, **page)
    return show(request, "compare", names=names, **found, **page)


def _compared(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Figures, fire and the battle of equal points. Raises RuleViolations."""
    if first["edition"] != second["edition"]:
        raise RuleViolations([Violation("second", "other-edition", "only classes of one rulebook can be compared")])
    points = (figures_of(first).points, figures_of(second).points)
    many = equal_points(*points)
    file = duel(first, second, many)
    return {"lines": lines(first, second), "arcs": fire_by_arc(file), "many": many, "battle": (file, many, points)}


def _known(user: AbstractBaseUser) -> Known:
    """What can be compared, by key: the reader's own designs first."""
    found: Known = {f"{OWN}/{row.public_id}": (f"{row.name} (your shelf)", row.design) for row in shelf_of(user)}
    for edition in EDITIONS:
        found |= {f"{edition}/{name}": (name, design) for name, design in fixture_designs(edition).items()}
    return found


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/compare/", compare, name="designs-compare"),
]
