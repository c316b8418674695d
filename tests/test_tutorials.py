"""Tutorials and guides name buttons and titles as the pages do."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CATALOGUE = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.mo"
GUIDES = (
    "tutorials/first-war.md",
    "tutorials/first-umpired-war.md",
    "tutorials/first-bot.md",
    "how-to/play-a-battle-at-a-table.md",
    "how-to/write-a-scenario.md",
    "how-to/import-designs.md",
)
# Names from the scenario First Steps, which are not translated.
NAMES = {"Lance", "Lantern", "Ember Cooperative", "Frost (0804)"}
QUOTED = re.compile(r"(?<!\*)\*([^*\s`][^*`]*)\*(?!\*)")
FENCED = re.compile(r"```.*?```", re.DOTALL)
PLACE = re.compile(r"\\\{[^}]*\\\}|%\\\(\w+\\\)[sd]")  # for a value, in an escaped message
FEWEST_LETTERS = 2  # further characters that a message with values needs to be worth comparing


@cache
def messages() -> tuple[str, ...]:
    """Return every text of pages, in English."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_mo(file)
    texts: list[str] = []
    for message in catalogue:
        texts += [message.id] if isinstance(message.id, str) else message.id
    return tuple(texts)


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """Return the texts with values, as patterns."""
    compiled_patterns = []
    for text in messages():
        escaped = re.escape(text)
        literal = PLACE.sub("", escaped)
        if literal != escaped and sum(map(str.isalpha, literal)) >= FEWEST_LETTERS:
            compiled_patterns.append(re.compile(PLACE.sub(".+", escaped), re.DOTALL))
    return tuple(compiled_patterns)


def is_on_a_page(label: str) -> bool:
    """Return whether a label is a text of pages, a part of one, or one with its values."""
    plain = label.rstrip(".")
    return any(plain in text for text in messages()) or any(
        each.fullmatch(plain) for each in patterns()
    )


@pytest.mark.parametrize("name", GUIDES)
def test_guide_quotes_pages_exactly(name: str) -> None:
    text = FENCED.sub("", (DOCS / name).read_text(encoding="utf-8"))
    labels = {" ".join(label.split()) for label in QUOTED.findall(text)} - NAMES
    assert labels
    assert sorted(label for label in labels if not is_on_a_page(label)) == []


def test_unknown_label_is_found() -> None:
    assert is_on_a_page("Seal orders")
    assert not is_on_a_page("Press this imaginary button")
