"""The public bot league, best first, as `python -m tools.bench.league --write` wrote it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.rules.files import fixture_scenario
from campaign.web.common import show

WIDE, EDGE = 120, 5  # width of the rating scale in drawing units, and margin at its ends
# Initial rating; standard errors on each side of the rating interval
START, SURE = 25.0, 3


@dataclass(frozen=True, slots=True)
class LeagueMark:
    """A rating on the drawn scale, with its interval and the initial rating."""

    at: float
    low: float
    high: float
    start: float


TABLE = Path(__file__).resolve().parents[3] / "fixtures" / "league.json"


@cache
def league_table() -> dict[str, Any]:
    """Return the table, with the names of the seats' scenarios and factions."""
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    for line in table["seats"]:
        scenario = fixture_scenario(line["scenario"])
        line["war"] = scenario.name
        line["seat"] = next(
            faction.name for faction in scenario.factions if faction.id == line["faction"]
        )
    lines = [*table["bots"], *table["seats"]]
    low = min(START, *(line["rating"] - SURE * line["error"] for line in lines))
    high = max(START, *(line["rating"] + SURE * line["error"] for line in lines))

    def at(rating: float) -> float:
        return round(EDGE + float((rating - low) / (high - low)) * (WIDE - 2 * EDGE), 1)

    for line in lines:
        far = SURE * line["error"]
        line["mark"] = LeagueMark(
            at(line["rating"]), at(line["rating"] - far), at(line["rating"] + far), at(START)
        )
    return table


@never_cache
@require_safe
def league(request: HttpRequest) -> HttpResponse:
    """Show bots and seats with their ratings."""
    return show(request, "league", league=league_table())


urlpatterns: list[URLPattern | URLResolver] = [path("league/", league, name="league")]
