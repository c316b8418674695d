"""The wording of the newspaper: one of several headlines and sentences is chosen for an event.

Pure.

Which wording stands is chosen by a hash of the week and of the event as the reader was told it, so
that a week reads the same whenever it is read and nothing hidden can turn a phrase. What is said is
in the reader's report, no more and no less: a wording names whom and where, and no cause that
nobody reported.
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
    """One of some wordings, by a hash of the event as it was told."""
    number = int.from_bytes(hashlib.sha256(repr(event).encode()).digest()[:4], "big")
    return choices[number % len(choices)]


def story_sentence(reader: NoticeReader, several: Sequence[Notice]) -> tuple[StoryKind, str, Words]:
    """The kind of story that notices make, its sentence, and what fills it.

    They are one notice, or several of ships that were destroyed together. Raises KeyError for an
    unknown code, LookupError for one that makes no story.
    """
    notice = several[0]
    story = story_of(reader, [event_of_notice(item) for item in several])
    if story is None:
        raise LookupError(notice.code)
    words = story.words
    every = {
        **words,
        **{capitalize_first(name): capitalize_first(text) for name, text in words.items()},
    }
    choice = choose_wording(
        story.kind.sentences, notice.week, notice.code, notice.hex, notice.facts
    )
    return story.kind, capitalize_first(story.complete(choice.format_map(every))), words


def headline(kind: StoryKind, week: int, place: str, words: Words) -> str:
    """The headline of a place whose weightiest event is of a kind."""
    choices = tuple(choice for choice in kind.headlines if place or "{place}" not in choice)
    return capitalize_first(
        choose_wording(choices, week, kind.name, place).format_map({**words, "place": place})
    )
