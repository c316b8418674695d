"""What a page costs beyond an empty one grows with what is on it: fleets, contacts, weeks. Queries stay the same."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import models
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.codec import to_document
from campaign.rules.hexes import labels
from campaign.rules.view import Sighting, View
from campaign.sight import views
from campaign.sight.views import Sight, sight
from campaign.store.cache import ProcessCache
from campaign.store.documents import scenario_of
from engine.core.canonical import digest
from tests.campaign.pages.war.browsing import Player, at
from tests.steps import MOST_GROWTH, count_steps

pytestmark = pytest.mark.django_db

FLEETS, SHIPS = 12, 2
PAGES = ("", "map/", "orders/", "ships/", "known-of-me/")
WEEKS = 30
TOLD = ("", "reports/", "gazette/")


def with_fleets(view: View, hexes: Sequence[str], count: int) -> View:
    """The view with so many fleets of a few ships each, and as many contacts read."""
    model = view.fleets[0]
    crew = [ship for ship in view.ships if ship.fleet == model.key][:SHIPS]
    fleets, ships, seen = [], [], []
    for number in range(1, count + 1):
        key, hex_ = f"ember/f{number}", hexes[number % len(hexes)]
        fleets.append(replace(model, key=key, name=f"Fleet {number}", hex=hex_))
        for place, ship in enumerate(crew):
            id_ = f"ember/s{number * SHIPS + place}"
            ships.append(replace(ship, key=id_, name=f"{ship.name} {number}", fleet=key))
        week = view.week - number // len(hexes)
        seen.append(Sighting(week, hex_, "frost", (("capital", 1), ("escort", 4))))
    return replace(view, fleets=tuple(fleets), ships=tuple(ships), sightings=tuple(seen))


def shown(ember: Player, begun: View, patch: pytest.MonkeyPatch, count: int) -> dict[str, tuple[int, int]]:
    """Return the queries and the steps of each page for a view with so many fleets."""
    scenario = scenario_of(ember.campaign)
    hexes = labels(scenario.columns, scenario.rows)
    view = with_fleets(begun, hexes, count)
    seen = Sight(1, view, digest(to_document(view)))
    patch.setattr(views, "_sight", lambda _: seen)
    return work_of(ember, PAGES)


def forget_all() -> None:
    """Empty the caches of the process: one that overflows in the middle would cost work of its own."""
    # By `type`: to ask a lazy object for its class would wake it.
    for kept in [one for one in gc.get_objects() if issubclass(type(one), ProcessCache)]:
        kept.clear()


def work_of(ember: Player, pages: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the queries and the steps of each page."""
    found = {}
    for page in pages:
        with CaptureQueriesContext(connection) as queries:
            steps, _ = count_steps(partial(ember.get, page))
        found[page] = (len(queries), steps)
    return found


def test_pages_grow_with_the_fleets_and_ask_no_more_queries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ember = at("orders")
    forget_all()
    begun = sight(ember.campaign, ember.faction).view
    for page in PAGES:  # modules and templates are loaded
        ember.get(page)
    none, few, many = (shown(ember, begun, monkeypatch, count) for count in (0, FLEETS, 2 * FLEETS))
    for page in PAGES:
        assert many[page][0] == few[page][0], page
        grown = (many[page][1] - none[page][1]) / (few[page][1] - none[page][1])
        assert grown <= MOST_GROWTH, (page, grown)


def told_more(ember: Player, weeks: int) -> None:
    """Give the player one more stage report for each of so many weeks."""
    model = models.Report.objects.filter(faction=ember.faction, kind=STAGE_REPORT).latest("seq")
    rows = [
        models.Report(
            public_id=uuid4(),
            branch=model.branch,
            seq=model.seq,
            week=number,
            stage=model.stage,
            faction=model.faction,
            kind=model.kind,
            subject=f"week {number} of {weeks}",
            schema=model.schema,
            body=model.body,
        )
        for number in range(1, weeks + 1)
    ]
    models.Report.objects.bulk_create(rows)


def test_pages_of_the_past_grow_with_the_weeks() -> None:
    """Pages that tell of past weeks, and the war room, which tells of the newest alone."""
    ember = at("orders")
    for page in TOLD:  # modules and templates are loaded
        ember.get(page)
    found = []
    for weeks in (0, WEEKS, 2 * WEEKS):
        models.Report.objects.filter(subject__startswith="week ").delete()
        told_more(ember, weeks)
        found.append(work_of(ember, TOLD))
    none, few, many = found
    for page in TOLD:
        assert many[page][0] == few[page][0], page
        noise = none[page][1] // 100  # of a page that shows no more for more weeks
        grown = many[page][1] - none[page][1]
        assert grown <= MOST_GROWTH * (few[page][1] - none[page][1]) + noise, page
