"""The toy page of docs/how-to/add-a-page.md does what every page with a form does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from tests.campaign.pages.toy_page import COURSE, FLEET, WEEKS
from tests.campaign.pages.war.browsing import Page, Player, at
from tests.sources import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.campaign.pages.toy_page")]

TABS = 'include "campaign/_tabs.html"'


@pytest.fixture(autouse=True)
def _its_template() -> Iterator[None]:
    """Let the site find the toy's template."""
    templates: Any = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"] = [*templates[0]["DIRS"], Path(__file__).parent / "templates"]
    with override_settings(TEMPLATES=templates):
        yield


@pytest.fixture
def ember() -> Player:
    return at("orders")


def test_form_is_drawn_read_and_described_to_scripts(ember: Player) -> None:
    answer = ember.client.get(ember.url("voyage/"), {COURSE.name(): "n", WEEKS.name(): "3"})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert '<p id="hexes">3</p>' in page
    assert '<option value="n" selected>' in page
    assert 'name="weeks" value="3"' in page
    assert Page(page).forms[-1]["course"] == ["n"]
    (described,) = [json.loads(data) for data in Page(page).data if "weeks" in data]
    assert described == {"fields": {"course": COURSE.for_script(), "weeks": WEEKS.for_script()}}


def test_choice_accepts_only_offered_values(ember: Player) -> None:
    page = Page(ember.client.get(ember.url("voyage/")).content.decode())
    offered = page.options[FLEET.name()]
    assert all(key.startswith("ember/") for key in offered)
    assert ember.client.get(ember.url("voyage/"), {FLEET.name(): offered[0]}).status_code == 200
    refused = ember.client.get(ember.url("voyage/"), {FLEET.name(): "frost/f1"})
    assert refused.status_code == 422
    assert "frost/f1 is not one of the available choices" in refused.content.decode()


def test_page_has_the_tabs_of_the_war(ember: Player) -> None:
    where = ember.url("voyage/")
    first = ember.client.get(where)
    assert f'<a href="{ember.url("ships/")}" aria-current="page">' in first.content.decode()
    ember.fill("orders/", "seal")  # the tabs no longer say that orders are due
    again = ember.client.get(where, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200


def test_every_page_includes_the_tabs_alike() -> None:
    included = [
        path for path in sorted((ROOT / "templates").rglob("*.html")) if TABS in path.read_text()
    ]
    assert len(included) > 20
    otherwise = [path.name for path in included if f"{TABS} %}}" not in path.read_text()]
    assert otherwise == [], "put war.tabs(...) or tabs(viewer, ...) into the context instead"


def test_fault_is_shown_and_input_kept(ember: Player) -> None:
    answer = ember.client.get(ember.url("voyage/"), {WEEKS.name(): "10"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "less than or equal to 9" in page
    assert 'name="weeks" value="10"' in page
    assert 'id="hexes"' not in page


def test_page_is_for_players_only(ember: Player) -> None:
    where = ember.url("voyage/")
    other = at("orders")
    assert other.client.get(where).status_code == 404
    ember.client.logout()
    assert ember.client.get(where).status_code == 302


def test_unchanged_page_is_not_sent_again(ember: Player) -> None:
    where = ember.url("voyage/")
    first = ember.client.get(where)
    assert (
        ember.client.get(where, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    )
    other = ember.client.get(
        where, {WEEKS.name(): "2"}, headers={"If-None-Match": first.headers["ETag"]}
    )
    assert other.status_code == 200


def test_texts_and_faults_are_german_for_german_readers(ember: Player) -> None:
    answer = ember.client.get(
        ember.url("voyage/"), {WEEKS.name(): "viel"}, headers={"Accept-Language": "de"}
    )
    page = answer.content.decode()
    assert "Kurs" in page
    assert "Bitte eine ganze Zahl eingeben" in page
