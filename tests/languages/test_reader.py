"""A page's language: the reader's choice, or the browser's, or English; never another reader's."""

from __future__ import annotations

import pytest
import yaml
from django.contrib.auth.models import User
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from campaign.models import Stage
from campaign.rules.files import check_scenario, fixture_text
from campaign.services.campaigns import membership_add
from campaign.services.scenarios import scenarios_load
from campaign.words.languages import in_language
from engine.core.phrase import phrase
from tests.umpire.services.wars import campaign_at, resolve_stage

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def people() -> tuple[Client, Client]:
    """Return two logged-in readers."""
    clients = []
    for name in ("anna", "ben"):
        client = Client()
        client.force_login(User.objects.create_user(name))
        clients.append(client)
    return clients[0], clients[1]


def _heading(client: Client, path: str, accept: str = "") -> tuple[str, str]:
    answer = client.get(path, headers={"Accept-Language": accept} if accept else {})
    page = answer.content.decode()
    assert answer.headers["Content-Language"] == page.partition('<html lang="')[2].partition('"')[0]
    return answer.headers["Content-Language"], page.partition("<h1>")[2].partition("</h1>")[0]


def test_stranger_gets_the_browser_language(client: Client) -> None:
    assert _heading(client, "/help/words/") == ("en", "Glossary")
    assert _heading(client, "/help/words/", "de-AT,de;q=0.9,en;q=0.5") == ("de", "Glossar")
    assert _heading(client, "/help/words/", "fr") == ("fr", "Lexique")
    assert _heading(client, "/help/words/", "ja") == ("en", "Glossary")
    assert "Accept-Language" in client.get("/help/words/").headers["Vary"]
    assert (
        "für Programme"
        in client.get("/api/docs/", headers={"Accept-Language": "de"}).content.decode()
    )


def test_stranger_chooses_a_language_in_the_footer(
    client: Client, people: tuple[Client, Client]
) -> None:
    page = client.get("/league/?of=all", headers={"Accept-Language": "fr"}).content.decode()
    assert 'href="?of=all&amp;language=de" lang="de" hreflang="de">Deutsch</a>' in page
    assert 'lang="fr" hreflang="fr" aria-current="true">Français</a>' in page
    assert _heading(client, "/help/words/?language=xx", "fr") == ("fr", "Lexique")
    assert not client.cookies
    assert _heading(client, "/help/words/?language=de", "fr") == ("de", "Glossar")
    assert _heading(client, "/help/words/", "fr") == ("de", "Glossar")
    assert _heading(people[0], "/help/words/?language=de", "fr") == ("fr", "Lexique")
    assert "language=de" not in people[0].get("/help/words/").content.decode()


def test_language_choice_is_personal(people: tuple[Client, Client]) -> None:
    anna, ben = people
    anna.post("/me/", {"act": "preferences", "theme": "auto", "language": "de"})
    assert _heading(anna, "/") == ("de", "Dein erster Krieg")
    assert _heading(anna, "/", "fr") == ("de", "Dein erster Krieg")
    assert _heading(ben, "/") == ("en", "Your first war")
    refused = anna.post("/me/", {"act": "preferences", "theme": "auto", "language": "xx"})
    assert refused.status_code == 422
    assert _heading(anna, "/")[0] == "de"
    anna.post("/me/", {"act": "preferences", "theme": "auto", "language": ""})
    assert _heading(anna, "/", "fr") == ("fr", "Votre première guerre")


def test_api_is_always_english(people: tuple[Client, Client]) -> None:
    anna, _ = people
    anna.post("/me/", {"act": "preferences", "theme": "auto", "language": "de"})
    answer = anna.get("/api/campaigns/nowhere/", headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert "Content-Language" not in answer.headers
    assert "nicht" not in answer.content.decode()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_drawings_use_a_point_and_sentences_the_local_separator(
    language: str,
) -> None:
    with translation.override(language):
        assert (
            Template('<path d="M{{ x }} 0">').render(Context({"x": 12.5})) == '<path d="M12.5 0">'
        )
        words = in_language(phrase("{:.1f} of {} boarders expected", 2.5, 4))
    assert ("2.5" if language == "en" else "2,5") in words


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Before the deployment", "before the deployment"),
        ("de", "Before the deployment", "vor der Aufstellung"),
        ("fr", "Before the deployment", "avant le déploiement"),
        ("de", "Orders", "Befehle"),
        ("fr", "Orders", "ordres"),
        ("fr", "ADFC", "ADFC"),
    ],
)
def test_text_within_a_line_is_capitalised_by_language(
    language: str, text: str, expected: str
) -> None:
    with translation.override(language):
        assert Template("{{ text|lower }}").render(Context({"text": phrase(text)})) == expected


def test_bundled_scenarios_are_translated_and_player_texts_unchanged(
    people: tuple[Client, Client],
) -> None:
    anna, _ = people
    scenarios_load()
    german, french = (
        anna.get("/campaigns/new", headers={"Accept-Language": language}).text
        for language in ("de", "fr")
    )
    assert "Sieben Wochen bleiben" in german
    assert "Il reste sept semaines" in french
    campaign, stage = campaign_at("orders")
    membership_add(
        campaign=campaign,
        user=User.objects.get(username="anna"),
        role="player",
        faction=campaign.factions.get(key="ember"),
    )
    at = f"/c/{campaign.public_id}/"
    assert "Sieg für Frost" in anna.get(at, headers={"Accept-Language": "de"}).text
    over: Stage | None = stage
    while over is not None:
        over = resolve_stage(over).next
    page_text = anna.get(at, headers={"Accept-Language": "fr"}).text
    assert any(
        words in page_text for words in ("Victoire de Frost", "Victoire d’Ember", "Match nul")
    )
    assert not any(words in page_text for words in ("Frost victory", "Ember victory"))
    words = "Ours {}, 100 %, and <b>draw</b>."
    body = {**yaml.safe_load(fixture_text("first-steps")), "intro": words}
    scenario, _ = check_scenario(body)
    assert in_language(scenario.intro) == words
    with translation.override("de"):
        assert in_language(scenario.intro) == words


def test_digits_are_grouped_from_five_on_as_in_scripts() -> None:
    rendered = Template(
        "{{ points|number }} {{ points|counted_noun:'point' }} {{ few|number }} {{ said }}"
    )
    context = Context(
        {"points": 12345, "few": 9585, "said": phrase("{} and {}", "10000", phrase("{}", 1234567))}
    )
    for language, noun, expected in (
        ("en", "points and", ","),
        ("de", "Punkte und", "."),
        ("fr", "points et", "\u202f"),
    ):
        with translation.override(language):
            noun, both = noun.split()
            sign = expected
            assert (
                rendered.render(context)
                == f"12{sign}345 12{sign}345 {noun} 9585 10000 {both} 1{sign}234{sign}567"
            )
    assert str(phrase("{} points", 12345)) == "12345 points", (
        "what is stored and sent stays as it is"
    )
