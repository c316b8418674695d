"""German: one word for one thing, counted nouns in the right case, correct punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

import pytest
from babel.messages.pofile import read_po
from django.utils import translation
from django.utils.translation import trim_whitespace

from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.rules.queries import budget_name
from campaign.words.languages import DATIVE, READER_LANGUAGE, in_language
from campaign.words.links import html_of, linked
from engine.core.phrase import counted_noun, phrase
from engine.english import join_names
from tests.sources import ROOT
from tools.catalogue import BLOCK, PLACES, TEMPLATE_VALUE, po_of

# An English term, and its German word everywhere.
WORDS = {
    r"alliances?": "bündnis",
    r"bogeys?": "bogey",
    r"budgets?": "budget",
    r"capital ships?": "großkampfschiff",
    r"captured?": "kaper",
    r"cloaking fields?": "tarnfeld",
    r"damage control part(?:y|ies)": "schadenskontrolltrupp",
    r"decoys?": "täuschkörper",
    r"digests? ": "prüfsumme",
    r"doctrine": "doktrin",
    r"dumm(?:y|ies)(?! needs)": "attrappe",
    r"escorts?": "geleit",
    r"gazette": "zeitung",
    r"handicaps?": "vorgabe",
    r"hosts?": "gastgeber",
    r"launch tubes?": "startröhre",
    r"ledger": "register",
    r"long range scans?": "fernortung",
    r"markers?": "marker",
    r"naval base": "flottenbasis",
    r"navy": "marine",
    r"ordnance": "flugkörper",
    r"point defence": "nahbereich",
    r"receipts?": "quittung",
    r"record sheets?": "b[oö]gen",
    r"scuttled?": "spreng",
    r"seed": "startwert",
    r"sites?": "website",
    r"spinal (?:mounts?|beams?|plasmas?)": "kiel",
    r"stages?[^.]* closes?": "^(?!.*schließ)",
    r"standing orders?": "dauerbefehl",
    r"stealth fields?": "stealth-feld",
    r"superiority": "überlegenheit",
    r"tech bases?": "technologiebas",
    r"threshold checks?": "schwellenw[uü]rf",
    r"umpires?": "spielleiter",
    r"war room": "lageraum",
}
KEY = re.compile(r"\w+\[")  # of a document, in texts about it
SOFT = "\N{SOFT HYPHEN}"
COUNTED_NOUNS = re.compile(r"(\w+)=\S*?counted_noun:\"([^\"]+)\"")
UNCHANGED = ("fleet", "turn", "week")  # nouns with the same dative form


def _texts() -> Iterator[tuple[str, str]]:
    """Yield every text in English and German; nouns once for singular and plural."""
    with po_of("de").open("rb") as file:
        for message in read_po(file):
            if isinstance(message.id, str):
                yield message.id, str(message.string)
            else:
                yield from zip(message.id, cast(tuple[str, ...], message.string), strict=True)


def test_each_thing_has_one_word() -> None:
    texts = [
        (KEY.sub("", PLACES.sub("", english_text)), other.replace(SOFT, "").lower())
        for english_text, other in _texts()
    ]
    faults = []
    for english, german in WORDS.items():
        pattern = re.compile(rf"\b{english}\b", re.IGNORECASE)
        faults += [
            (english_text, other)
            for english_text, other in texts
            if pattern.search(english_text) and not re.search(german, other)
        ]
        assert any(pattern.search(english_text) for english_text, _ in texts), english
    assert faults == []


def test_ellipsis_is_separated_from_a_word() -> None:
    assert [other for _, other in _texts() if re.search(r"\w…", other)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (phrase("{} with {}", "Lance", counted_noun(2, "ship")), "Lance mit 2 Schiffen"),
        (phrase("{} with {}", "Lance", counted_noun(1, "ship")), "Lance mit 1 Schiff"),
        (
            phrase("{} with {}", "Lance", counted_noun(2, "heavy graser")),
            "Lance mit 2 schweren Grasern",
        ),
        (
            phrase("{} with {}", "Lance", counted_noun(1, "heavy graser")),
            "Lance mit 1 schweren Graser",
        ),
        (phrase("{} with {}", "Lance", counted_noun(3, "marines")), "Lance mit 3 Marineinfanterie"),
        (phrase("{} with {}", "Lance", counted_noun(3, "pds")), "Lance mit 3 PDS"),
        (phrase("{} with {}", "Lance", counted_noun(1, "asteroid")), "Lance mit 1 Asteroiden"),
        (
            phrase(
                "{} with {}",
                "Lance",
                join_names([counted_noun(2, "point"), counted_noun(3, "beam")]),
            ),
            "Lance mit 2 Punkten und 3 Strahlen",
        ),
        (
            phrase("Closed {} ago and not resolved yet", counted_noun(2, "day")),
            "Seit 2 Tagen geschlossen und noch nicht ausgewertet",
        ),
        (
            phrase("Deadline extended by {}: {}.", counted_noun(2, "day"), "x"),
            "Frist um 2 Tage verlängert: x.",
        ),
    ],
)
def test_counted_noun_has_the_dative_after_prepositions(text: str, expected: str) -> None:
    with translation.override("de"):
        assert in_language(text) == expected


def test_dative_names_keep_their_links() -> None:
    with translation.override("de"):
        html = html_of(
            phrase(
                "{} with {}",
                linked("Pax", "/p"),
                join_names([counted_noun(2, "ship"), linked("Vox", "/v")]),
            ),
            READER_LANGUAGE,
        )
    assert html == '<a href="/p">Pax</a> mit 2 Schiffen und <a href="/v">Vox</a>'


def test_no_template_has_a_counted_noun_after_such_a_preposition() -> None:
    """Values that Django inserts have no case."""
    german = dict(_texts())
    faults = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for options, body in BLOCK.findall(path.read_text(encoding="utf-8")):
            translation = german.get(
                TEMPLATE_VALUE.sub(
                    r"%(\1)s", trim_whitespace(body) if "trimmed" in options else body
                ),
                "",
            )
            for name, noun in COUNTED_NOUNS.findall(options):
                before = translation.partition(f"%({name})s")[0]
                if noun not in UNCHANGED and DATIVE.search(before):
                    faults.append(f"{path.name}: {translation}")
    assert faults == []


def test_budget_names_are_in_the_reader_language() -> None:
    names = {}
    for slug in fixture_scenarios():
        scenario = fixture_scenario(slug)
        for budget in scenario.budgets:
            name = budget_name(scenario, budget)
            with translation.override("de"):
                names[name] = in_language(name)
    assert names
    assert {
        english: german_name
        for english, german_name in names.items()
        if not re.match("Bewegliche Streitmacht$|Konvoi$|Systemvert", german_name)
    } == {}
