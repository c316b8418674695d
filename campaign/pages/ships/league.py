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

SCALE_WIDTH = 120  # of the rating scale, in drawing units
SCALE_MARGIN = 5  # at its ends
INITIAL_RATING = 25.0
STANDARD_ERRORS = 3  # on each side of the rating interval

TABLE = Path(__file__).resolve().parents[3] / "fixtures" / "league.json"


@dataclass(frozen=True, slots=True)
class RatingMark:
    """A rating on the drawn scale, with its interval and the initial rating, in drawing units."""

    at: float
    low: float
    high: float
    start: float


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
    low = min(INITIAL_RATING, *(line["rating"] - _half_interval(line) for line in lines))
    high = max(INITIAL_RATING, *(line["rating"] + _half_interval(line) for line in lines))

    def position(rating: float) -> float:
        """Return where the scale shows a rating, in drawing units."""
        share = float((rating - low) / (high - low))
        return round(SCALE_MARGIN + share * (SCALE_WIDTH - 2 * SCALE_MARGIN), 1)

    for line in lines:
        line["mark"] = RatingMark(
            at=position(line["rating"]),
            low=position(line["rating"] - _half_interval(line)),
            high=position(line["rating"] + _half_interval(line)),
            start=position(INITIAL_RATING),
        )
    return table


def _half_interval(line: dict[str, Any]) -> float:
    """Return how far the interval of a rating extends to each side."""
    return STANDARD_ERRORS * float(line["error"])


@never_cache
@require_safe
def league(request: HttpRequest) -> HttpResponse:
    """Show bots and seats with their ratings."""
    return show(request, "league", league=league_table())


urlpatterns: list[URLPattern | URLResolver] = [path("league/", league, name="league")]
