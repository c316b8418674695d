"""The league of bots, for everybody: the table that `python -m bench.league --write` has kept, best first."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.pages.common import show
from campaign.rules.files import fixture_scenario

TABLE = Path(__file__).resolve().parents[2] / "fixtures" / "league.json"


@cache
def league_kept() -> dict[str, Any]:
    """The table, with the names of the seats' scenarios and factions."""
    found: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    for line in found["seats"]:
        scenario = fixture_scenario(line["scenario"])
        line["war"] = scenario.name
        line["seat"] = next(faction.name for faction in scenario.factions if faction.id == line["faction"])
    return found


@never_cache
@require_safe
def league(request: HttpRequest) -> HttpResponse:
    """Bots and seats with their ratings."""
    return show(request, "league", league=league_kept())


urlpatterns: list[URLPattern | URLResolver] = [path("league/", league, name="league")]
