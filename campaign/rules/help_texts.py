"""The texts of help, read from `fixtures/help`: the words of the game, and how each part of it is
played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from campaign.rules.files import FIXTURES, read_yaml
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game and what it means. `see`: other words that belong to it, as (id, word)."""

    id: str
    word: str
    means: str
    see: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Words that belong together."""

    id: str
    title: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of help.

    `lead`: what it is about in a line; `parts`: (heading, paragraphs). `words`: those it needs;
    `pages`: the names of the addresses that it explains.
    """

    id: str
    title: str
    lead: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    words: tuple[Word, ...]
    pages: tuple[str, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """The words, chapter by chapter."""
    data = read_yaml(FIXTURES / "help" / "words.yaml")
    words_by_id = {
        item["id"]: phrase(item["word"]) for chapter in data for item in chapter["words"]
    }
    return tuple(
        Chapter(
            chapter["id"],
            phrase(chapter["title"]),
            tuple(
                Word(
                    item["id"],
                    words_by_id[item["id"]],
                    phrase(item["means"]),
                    tuple((key, words_by_id[key]) for key in item.get("see", ())),
                )
                for item in chapter["words"]
            ),
        )
        for chapter in data
    )


@cache
def topics() -> tuple[Topic, ...]:
    """The pages of help, in their order."""
    words_by_id = {word.id: word for chapter in chapters() for word in chapter.words}
    return tuple(
        Topic(
            item["id"],
            phrase(item["title"]),
            phrase(item["lead"]),
            tuple(
                (phrase(part["heading"]), tuple(phrase(line) for line in part["says"]))
                for part in item["parts"]
            ),
            tuple(words_by_id[key] for key in item["words"]),
            tuple(item["pages"]),
        )
        for item in read_yaml(FIXTURES / "help" / "topics.yaml")
    )


def topic_of_page() -> Mapping[str, str]:
    """The topic that explains a page, by the name of the page's address."""
    return {page: topic.id for topic in topics() for page in topic.pages}


@dataclass(frozen=True, slots=True)
class GuideText:
    """What a step says: to everybody (""), or by faction.

    `go`: the name of the address that it leads on to.
    """

    texts: Mapping[str, str]
    go: str = ""


def _guide_text(data: str | Mapping[str, str]) -> GuideText:
    """A text; else texts by faction, or `says` and `go`."""
    if isinstance(data, str):
        return GuideText({"": phrase(data)})
    if "says" in data:
        return GuideText({"": phrase(data["says"])}, data["go"])
    return GuideText({faction: phrase(text) for faction, text in data.items()})


@cache
def guides() -> Mapping[str, Mapping[str, Mapping[str, GuideText]]]:
    """What wars to learn by say, step by step: by scenario, by page, by the place on it."""
    data = read_yaml(FIXTURES / "help" / "guide.yaml")
    return {
        scenario: {
            page: {at: _guide_text(data_of_step) for at, data_of_step in steps.items()}
            for page, steps in pages.items()
        }
        for scenario, pages in data.items()
    }


@dataclass(frozen=True, slots=True)
class GuideStep:
    """A step of a guided war.

    `id`: by which accounts keep that it was taken; `at`: the place on the page; `number` of the
    `many` steps of its page; `go`: the name of the address that it leads on to.
    """

    id: str
    at: str
    text: str
    number: int
    total: int
    go: str = ""


def guide_steps(scenario: str, page: str, week: int, faction: str) -> tuple[GuideStep, ...]:
    """The steps of a page in a week, in their order, as a faction is told them; none where a war
    has no guide.
    """
    pages = guides().get(scenario, {})
    key = f"{page}-{week}" if f"{page}-{week}" in pages else page
    texts = {
        at: (text, words)
        for at, text in pages.get(key, {}).items()
        if (words := text.texts.get("") or text.texts.get(faction))
    }
    return tuple(
        GuideStep(f"{scenario}/{key}/{at}", at, words, n, len(texts), text.go)
        for n, (at, (text, words)) in enumerate(texts.items(), 1)
    )


def guide_ids() -> frozenset[str]:
    """The ids of all steps there are."""
    return frozenset(
        f"{scenario}/{page}/{at}"
        for scenario, pages in guides().items()
        for page, steps in pages.items()
        for at in steps
    )
