"""The texts of the help, read from `fixtures/help`: glossary, topics and guided wars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from campaign.rules.files import FIXTURES, read_yaml
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class Word:
    """A term of the game and its meaning.

    Attributes:
        see: Related terms as (id, word).
    """

    id: str
    word: str
    means: str
    see: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the glossary."""

    id: str
    title: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of help.

    Attributes:
        lead: A line that says what it is about.
        parts: (heading, paragraphs).
        words: The glossary terms that it uses.
        pages: The URL names of the pages that it explains.
    """

    id: str
    title: str
    lead: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    words: tuple[Word, ...]
    pages: tuple[str, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the glossary, chapter by chapter."""
    data = read_yaml(FIXTURES / "help" / "words.yaml")
    words_by_id = {}
    for chapter in data:
        for item in chapter["words"]:
            words_by_id[item["id"]] = phrase(item["word"])
    result: list[Chapter] = []
    for chapter in data:
        words = tuple(_word(item, words_by_id) for item in chapter["words"])
        result.append(Chapter(chapter["id"], phrase(chapter["title"]), words))
    return tuple(result)


def _word(item: Mapping[str, Any], words_by_id: Mapping[str, str]) -> Word:
    """Return a term of the glossary with the names of related terms."""
    see = tuple((key, words_by_id[key]) for key in item.get("see", ()))
    return Word(item["id"], words_by_id[item["id"]], phrase(item["means"]), see)


@cache
def topics() -> tuple[Topic, ...]:
    """Return the pages of help in order."""
    words_by_id = {}
    for chapter in chapters():
        for word in chapter.words:
            words_by_id[word.id] = word
    data = read_yaml(FIXTURES / "help" / "topics.yaml")
    return tuple(_topic(item, words_by_id) for item in data)


def _topic(item: Mapping[str, Any], words_by_id: Mapping[str, Word]) -> Topic:
    """Return a page of help from its entry in the file."""
    parts = []
    for part in item["parts"]:
        paragraphs = tuple(phrase(line) for line in part["says"])
        parts.append((phrase(part["heading"]), paragraphs))
    return Topic(
        id=item["id"],
        title=phrase(item["title"]),
        lead=phrase(item["lead"]),
        parts=tuple(parts),
        words=tuple(words_by_id[key] for key in item["words"]),
        pages=tuple(item["pages"]),
    )


def topic_words(topic_id: str) -> tuple[Word, ...]:
    """Return the glossary terms of a topic; none if there is no such topic."""
    return next((topic.words for topic in topics() if topic.id == topic_id), ())


def topic_of_page() -> Mapping[str, str]:
    """Return the id of the topic that explains each page, by the page's URL name."""
    result: dict[str, str] = {}
    for topic in topics():
        for page in topic.pages:
            result[page] = topic.id
    return result


@dataclass(frozen=True, slots=True)
class GuideText:
    """The text of a step, by faction ("": for all).

    Attributes:
        go: The URL name of the page to which it leads.
    """

    texts: Mapping[str, str]
    go: str = ""


def _guide_text(data: str | Mapping[str, str]) -> GuideText:
    """Read a text, texts by faction, or a table with `says` and `go`."""
    if isinstance(data, str):
        return GuideText({"": phrase(data)})
    if "says" in data:
        return GuideText({"": phrase(data["says"])}, data["go"])
    return GuideText({faction: phrase(text) for faction, text in data.items()})


@cache
def guides() -> Mapping[str, Mapping[str, Mapping[str, GuideText]]]:
    """Return the texts of guided wars by scenario, page and place on the page."""
    data = read_yaml(FIXTURES / "help" / "guide.yaml")
    result: dict[str, Mapping[str, Mapping[str, GuideText]]] = {}
    for scenario, pages in data.items():
        texts_by_page = {}
        for page, steps in pages.items():
            texts_by_page[page] = {at: _guide_text(step) for at, step in steps.items()}
        result[scenario] = texts_by_page
    return result


@dataclass(frozen=True, slots=True)
class GuideStep:
    """A step of a guided war.

    Attributes:
        id: The id under which accounts store that the step was taken.
        at: Its place on the page.
        number: Its number among the steps of its page, from 1.
        total: The number of steps of its page.
        go: The URL name of the page to which it leads.
    """

    id: str
    at: str
    text: str
    number: int
    total: int
    go: str = ""


def guide_steps(scenario: str, page: str, week: int, faction: str) -> tuple[GuideStep, ...]:
    """Return a faction's steps on a page in a week, in order; none in a war without a guide."""
    pages = guides().get(scenario, {})
    week_page = f"{page}-{week}"  # a page may have other steps in one week
    key = week_page if week_page in pages else page
    texts = []
    for at, text in pages.get(key, {}).items():
        words = text.texts.get("") or text.texts.get(faction)
        if words:
            texts.append((at, words, text.go))
    steps = []
    for number, (at, words, go) in enumerate(texts, 1):
        step = GuideStep(
            id=f"{scenario}/{key}/{at}",
            at=at,
            text=words,
            number=number,
            total=len(texts),
            go=go,
        )
        steps.append(step)
    return tuple(steps)


def guide_ids() -> frozenset[str]:
    """Return the ids of all steps."""
    result: set[str] = set()
    for scenario, pages in guides().items():
        for page, steps in pages.items():
            for at in steps:
                result.add(f"{scenario}/{page}/{at}")
    return frozenset(result)
