"""French: vous and never tu, its own apostrophe, `de` cut short before what begins with a vowel."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po
from django.utils import translation

from campaign.languages import CATALOGUE, in_language
from campaign.links import html_of, linked
from docs.catalogue import po_of
from engine.core.phrase import phrase

FAMILIAR = re.compile(r"\b(?:tu|te|tes|toi|ton|ta)\b|\bt’", re.IGNORECASE)
STRAIGHT = re.compile(r"[a-zà-ÿ]'[a-zà-ÿ]", re.IGNORECASE)
# What Django puts into a template's text is not cut short: there `de` and `que` stand before numbers alone.
UNCUT = re.compile(r"\b(?:de|que) (?:«\s)?%\((\w+)\)s", re.IGNORECASE)
NUMBERS = frozenset(["moves", "n0", "n02", "n1", "n12", "n14", "n03", "n04", "held", "before"])


def _texts() -> Iterator[str]:
    with po_of("fr").open("rb") as file:
        for message in read_po(file):
            if message.id:
                yield from (message.string,) if isinstance(message.string, str) else message.string or ()


def test_the_catalogue_says_vous_and_has_french_signs() -> None:
    texts = list(_texts())
    assert len(texts) > 5000
    assert [text for text in texts if FAMILIAR.search(text) or STRAIGHT.search(text)] == []


def test_no_template_has_de_before_a_name() -> None:
    found = [(name, text) for text in _texts() for name in UNCUT.findall(text) if name not in NUMBERS]
    assert found == []


@pytest.mark.parametrize(("name", "told"), [("Ember", "d’"), ("Karst", "de "), ("Écueil", "d’")])
def test_de_is_cut_short_before_a_vowel(name: str, told: str) -> None:
    with translation.override("fr"):
        assert in_language(phrase("Doctrine of {}", name)) == f"Doctrine {told}{name}"
        said = html_of(phrase("Doctrine of {}", linked(name, "/x")), CATALOGUE)
    assert said == f'Doctrine {told}<a href="/x">{name}</a>'
