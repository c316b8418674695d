"""The texts of help, read from `fixtures/help`: the words of the game, and how each part of it is played."""

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
    """A page of help. `lead`: what it is about in a line; `parts`: (heading, paragraphs). `words`: those it needs;
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
    named = {item["id"]: phrase(item["word"]) for chapter in data for item in chapter["words"]}
    return tuple(
        Chapter(
            chapter["id"],
            phrase(chapter["title"]),
            tuple(
                Word(
                    item["id"],
                    named[item["id"]],
                    phrase(item["means"]),
                    tuple((key, named[key]) for key in item.get("see", ())),
                )
                for item in chapter["words"]
            ),
        )
        for chapter in data
    )


@cache
def topics() -> tuple[Topic, ...]:
    """The pages of help, in their order."""
    known = {word.id: word for chapter in chapters() for word in chapter.words}
    return tuple(
        Topic(
            item["id"],
            phrase(item["title"]),
            phrase(item["lead"]),
            tuple((phrase(part["heading"]), tuple(phrase(said) for said in part["says"])) for part in item["parts"]),
            tuple(known[key] for key in item["words"]),
            tuple(item["pages"]),
        )
        for item in read_yaml(FIXTURES / "help" / "topics.yaml")
    )


@cache
def topic_of_page() -> Mapping[str, str]:
    """The topic that explains a page, by the name of the page's address."""
    return {page: topic.id for topic in topics() for page in topic.pages}


@cache
def guides() -> Mapping[str, Mapping[str, str]]:
    """What wars to learn by say at their stages, by scenario and stage."""
    data = read_yaml(FIXTURES / "help" / "guide.yaml")
    return {scenario: {stage: phrase(said) for stage, said in stages.items()} for scenario, stages in data.items()}


def guidance(scenario: str, stage: str, week: int) -> str:
    """What a war to learn by says at a stage of a week, "" where it says nothing."""
    said = guides().get(scenario, {})
    return said.get(f"{stage}-{week}") or said.get(stage, "")
