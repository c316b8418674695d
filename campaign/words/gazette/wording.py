"""The wording of the newspaper: one of several headlines and sentences is chosen for an event.

Pure functions. The choice depends on a hash of the week and of the event as reported to the reader.
So a week always has the same text, and nothing hidden can influence it. Each wording contains only
what is in the reader's report: it names participants and places, and no cause that was not
reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from campaign.rules.perception import event_of_notice
from campaign.rules.view import Notice
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import story_of
from campaign.words.week.words import StoryKind, Words
from engine.core.phrase import phrase
from engine.english import capitalize_first

QUIET = StoryKind(
    "quiet",
    250,
    (phrase("A quiet week"), phrase("Nothing to report"), phrase("A week without news")),
)


def choose_wording(choices: tuple[str, ...], *event: object) -> str:
    """Choose a wording by a hash of the event as reported."""
    number = int.from_bytes(hashlib.sha256(repr(event).encode()).digest()[:4], "big")
    return choices[number % len(choices)]


def story_sentence(reader: NoticeReader, notices: Sequence[Notice]) -> tuple[StoryKind, str, Words]:
    """Return the kind of story that notices make, its sentence, and the values that fill it.

    Args:
        notices: One notice, or several about ships that were destroyed together.

    Raises:
        KeyError: The code is unknown.
        LookupError: The notice makes no story.
    """
    first = notices[0]
    story = story_of(reader, [event_of_notice(notice) for notice in notices])
    if story is None:
        raise LookupError(first.code)
    # A sentence can begin with a value: `{Ships}` is `{ships}` with a capital
    values = dict(story.words)
    for name, text in story.words.items():
        values[capitalize_first(name)] = capitalize_first(text)
    sentence = choose_wording(
        story.kind.sentences, first.week, first.code, first.hex, first.facts
    ).format_map(values)
    return story.kind, capitalize_first(story.complete(sentence)), story.words


def headline(kind: StoryKind, week: int, place: str, words: Words) -> str:
    """Return the headline of a place whose most important event is of this kind.

    Args:
        words: The values of the event's sentence.
    """
    choices = tuple(choice for choice in kind.headlines if place or "{place}" not in choice)
    wording = choose_wording(choices, week, kind.name, place)
    return capitalize_first(wording.format_map({**words, "place": place}))
