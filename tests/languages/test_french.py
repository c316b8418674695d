"""French: vous and never tu, typographic apostrophes, and `de` shortened before vowels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po
from django.template import Context, Template
from django.utils import translation

from campaign.words.languages import READER_LANGUAGE, in_language
from campaign.words.links import html_of, linked
from engine.core.phrase import phrase
from engine.english import per_cent
from tests.sources import ROOT, nodes_of, source_trees
from tools.catalogue import BLOCK, SCRIPTS, po_of

FAMILIAR = re.compile(r"\b(?:tu|te|tes|toi|ton|ta)\b|\bt’", re.IGNORECASE)
STRAIGHT = re.compile(r"[a-zà-ÿ]'[a-zà-ÿ]", re.IGNORECASE)
# Values that Django and scripts insert are not shortened: `de` and `que` only precede numbers.
UNCUT = re.compile(r"\b(?:de|que) (?:«\s)?%\((\w+)\)s", re.IGNORECASE)
UNCUT_IN_SCRIPTS = re.compile(r'"([^"]+)":"[^"]*\b(?:de|que) \{', re.IGNORECASE)
BEFORE_PER_CENT = re.compile(r"(?:\}|\)s|\d)([^\d\w%]?)%%?(?![(%\w])")
NUMBERS = frozenset(["moves", "n0", "n02", "n1", "n12", "n14", "n03", "n04", "held", "before"])
NUMBERS_IN_SCRIPTS = [
    "out of range by {} MU",
    "turns {} points; the limit is {}",
    "velocity {} cannot be reduced by {}",
]


def _texts(language: str = "fr") -> Iterator[str]:
    with po_of(language).open("rb") as file:
        for message in read_po(file):
            if message.id:
                yield from (
                    (message.string,) if isinstance(message.string, str) else message.string or ()
                )


def test_catalogue_uses_vous_and_french_punctuation() -> None:
    texts = list(_texts())
    assert len(texts) > 5000
    assert [text for text in texts if FAMILIAR.search(text)] == [], "say vous, never tu"
    assert [text for text in texts if STRAIGHT.search(text)] == [], (
        "write the apostrophe ’ instead of '"
    )


def test_no_template_or_script_has_de_before_a_name() -> None:
    faults = [
        (name, text) for text in _texts() for name in UNCUT.findall(text) if name not in NUMBERS
    ]
    assert faults == []
    script = (SCRIPTS / "phrases" / "fr.js").read_text(encoding="utf-8")
    assert sorted(UNCUT_IN_SCRIPTS.findall(script)) == NUMBERS_IN_SCRIPTS


@pytest.mark.parametrize(
    ("name", "expected"), [("Ember", "d’"), ("Karst", "de "), ("Écueil", "d’")]
)
def test_de_is_elided_before_a_vowel(name: str, expected: str) -> None:
    with translation.override("fr"):
        assert (
            in_language(phrase("You are a guest of {}.", name))
            == f"Vous êtes l’invité {expected}{name}."
        )
        html = html_of(phrase("You are a guest of {}.", linked(name, "/x")), READER_LANGUAGE)
    assert html == f'Vous êtes l’invité {expected}<a href="/x">{name}</a>.'


def test_percentages_use_their_filter_or_a_message() -> None:
    faults = [
        f"{name}:{node.lineno}"
        for name, tree in source_trees().items()
        for node in nodes_of(tree)
        if isinstance(node, ast.JoinedStr) and _share(node.values)
    ]
    for path in sorted((ROOT / "templates").rglob("*.html")):
        plain = BLOCK.sub("", path.read_text(encoding="utf-8"))
        faults += [f"{path.name}: {match}" for match in re.findall(r"\}\}\s*%(?!\})", plain)]
    assert faults == []


def _share(parts: list[ast.expr]) -> bool:
    """Return whether a number is right before a per cent sign."""
    after = [
        part.value
        for part in parts[1:]
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return any(re.match(r"\s?%(?:\W|$)", text) for text in after)


def test_percentage_follows_the_language() -> None:
    shares = {}
    for code in ("en", "de", "fr"):
        with translation.override(code):
            shares[code] = (
                in_language(per_cent(16.7)),
                Template("{{ share|per_cent }}").render(Context({"share": 8})),
            )
    for code in ("de", "fr"):
        assert {shares for text in _texts(code) for shares in BEFORE_PER_CENT.findall(text)} == {
            "\u202f"
        }
    assert shares == {
        "en": ("17%", "8%"),
        "de": ("17\u202f%", "8\u202f%"),
        "fr": ("17\u202f%", "8\u202f%"),
    }
