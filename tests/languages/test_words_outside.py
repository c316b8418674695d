"""Pages have only translated texts, and programs read no translated ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from campaign.rules.files import fixture_designs, fixture_scenario, fixture_scenarios
from campaign.rules.public_ids import outside_id
from engine.core.edition import EDITIONS
from tests.access import client_requests, site_routes
from tests.access.histories import LONG_SEED, SIDES, History, build_history
from tests.access.private_rows import ID_SECRET
from tests.access.route_requests import ROUTE_REQUESTS, C
from tests.access.stored_wars import store
from tests.languages import pseudo
from tools import catalogue

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
CAMPAIGN = str(outside_id(ID_SECRET, "campaign", ""))
WORD = re.compile(r"[A-Za-z][a-z]{3,}(?![0-9])")
DIGEST = re.compile(r"[0-9a-f]{32,}.*")
NOTICE = re.compile(r'<p class="notice[^"]*" role="status">.*?</p>', re.DOTALL)
AS_IT_IS = ("time", "pre")  # elements with dates, and documents as sealed
PARTS = "data"  # a replay's sentences, which are cut at ship names
# Names that no scenario has: of the program, formats, test people, wars, and contacts.
NAMES = frozenset(
    re.findall(
        r"\w+",
        """blind jump full thrust ftjava java ftlibship yaml unnamed mine bogey weasel moth viewer umpire staff
        player guest observer host elsewhere stranger prize offensive gnat wasp colonists decoy allied ship fleet
        from steps first incident later rulebook others english continuum""",
    )
)
# Names that fields propose in the reader's language: of a new design, a new battle and its sides.
FIELD_VALUES = [
    ("value", f"{pseudo.OPEN}{name}{pseudo.CLOSE}")
    for name in ("New class", "Battle by points", "Ember Cooperative", "Frost Assembly")
]
NEW_BATTLE = "slug: battle\n"  # how the file of a new battle begins, which has these names
MESSAGES = C + "messages/"  # written by people


program_texts = cache(catalogue.texts)


def _names(pair: History) -> set[str]:
    """Return every word in the names that players, scenarios and the war itself use."""
    texts = [
        pair.scenario.slug,
        *(name for edition in EDITIONS for name in fixture_designs(edition)),
    ]
    for scenario in (pair.scenario, *map(fixture_scenario, fixture_scenarios())):
        texts += [
            scenario.name,
            *(text for power in scenario.factions for text in (power.name, power.id)),
        ]
        texts += [
            *(system.name for system in scenario.systems),
            *(cls.name for cls in scenario.catalogue),
        ]
    return {*NAMES, *(word.lower() for text in texts for word in WORD.findall(text))}


def _untranslated(
    outside_texts: Iterable[tuple[str, str]], names: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield the texts outside brackets that are no names."""
    for where, text in outside_texts:
        if DIGEST.fullmatch(text) or where in (*AS_IT_IS, PARTS):
            continue
        if any(word.lower() not in names for word in WORD.findall(text)):
            yield where, text


@pytest.fixture(scope="module")
def bracketed_catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the catalogue of a language in which every translated text is in brackets."""
    folder = tmp_path_factory.mktemp("bracketed")
    pseudo.write_catalogue(folder, program_texts())
    return folder


@pytest.fixture
def bracketed_language(settings: Any, bracketed_catalogue: Path) -> None:
    """Offer that language."""
    settings.LANGUAGES = [("en", "English"), (pseudo.LANGUAGE, pseudo.LANGUAGE)]
    settings.LOCALE_PATHS = [str(bracketed_catalogue)]


@pytest.mark.usefixtures("bracketed_language")
def test_page_texts_are_translated() -> None:
    """In a language with every text in brackets, only names are outside."""
    pair = build_history(LONG_SEED)
    guesses, names = site_routes.guesses_of(pair), _names(pair)
    outside: set[tuple[str, str, str]] = set()
    protected_texts: set[tuple[str, str, str]] = set()
    with client_requests.freeze_randomness(), client_requests.roll_back():
        stored_war = store(pair, SIDES[0])
        for person in ("viewer", "umpire"):
            client_requests.clear_caches()
            client = client_requests.client_of(stored_war.people[person])
            client.defaults["HTTP_ACCEPT_LANGUAGE"] = pseudo.LANGUAGE
            for route in site_routes.all_routes():
                if route.route.startswith((MESSAGES, "api/", "static/")):
                    continue
                if person == "umpire" and not route.route.startswith("c/"):  # like the viewer's
                    continue
                asks = site_routes.requests_for(
                    route, ROUTE_REQUESTS[route.route], guesses, CAMPAIGN
                )
                for ask in [ask for ask in asks if ask.method == "get"][:2]:
                    answer = client_requests.send_request(client, ask)
                    if answer.status != 200 or "text/html" not in dict(answer.headers).get(
                        "Content-Type", ""
                    ):
                        continue
                    outside_texts, within = pseudo.read_page(answer.body.decode())
                    outside |= {
                        (route.route, *text) for text in _untranslated(outside_texts, names)
                    }
                    protected_texts |= {
                        (route.route, *item)
                        for item in within
                        if item not in FIELD_VALUES and not item[1].startswith(NEW_BATTLE)
                    }
    assert sorted(outside) == []
    assert sorted(protected_texts) == []


@pytest.mark.usefixtures("bracketed_language")
def test_confirmations_after_redirects_are_translated() -> None:
    """Every form that redirects is followed to the message on the page after it."""
    pair = build_history(LONG_SEED)
    guesses, names = site_routes.guesses_of(pair), _names(pair)
    outside: set[tuple[str, str, str]] = set()
    confirmations = 0
    with client_requests.freeze_randomness(), client_requests.roll_back():
        stored_war = store(pair, SIDES[0])
        for person in ("viewer", "umpire"):
            client_requests.clear_caches()
            client = client_requests.client_of(stored_war.people[person])
            client.defaults["HTTP_ACCEPT_LANGUAGE"] = pseudo.LANGUAGE
            for route, ask in _forms(guesses):
                if person == "umpire" and not route.startswith("c/"):  # like the viewer's
                    continue
                for notice in _confirmations(client, ask):
                    confirmations += 1
                    outside_texts, _ = pseudo.read_page(notice)
                    outside |= {(route, *text) for text in _untranslated(outside_texts, names)}
    assert sorted(outside) == []
    assert confirmations > 20, confirmations


def _forms(guesses: site_routes.Guesses) -> Iterator[tuple[str, client_requests.Request]]:
    """Yield the forms of all pages, each with the route it is sent to."""
    for route in site_routes.all_routes():
        if route.route.startswith(("api/", "static/", MESSAGES)):
            continue
        for ask in site_routes.requests_for(route, ROUTE_REQUESTS[route.route], guesses, CAMPAIGN):
            if ask.method == "post" and not ask.json:
                yield route.route, ask


def _confirmations(client: Client, ask: client_requests.Request) -> list[str]:
    """Send a form, follow its redirect, undo its changes, and return the messages shown."""
    page = ""
    cookies = copy(client.cookies)
    with client_requests.roll_back():
        answer = client.post(ask.path, ask.data or {}, follow=True)
        if answer.status_code == 200 and answer.redirect_chain:
            page = answer.content.decode()
    client.cookies = cookies
    return NOTICE.findall(page)


def test_catalogues_are_complete_and_current(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "texts", program_texts)
    assert catalogue.main(["--check"]) == 0, capsys.readouterr().out
