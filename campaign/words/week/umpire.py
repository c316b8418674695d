"""The sentences about what an umpire wrote: reports, reported contacts, bulletins, press items."""

from __future__ import annotations

from campaign.events.umpire import Bulletin, ContactReported, Intelligence, PressItem
from campaign.words.week.reader import NoticeReader
from campaign.words.week.words import (
    EventWords,
    EventWordsTable,
    JournalLine,
    Line,
    Story,
    StoryKind,
    Words,
    counted_contacts,
)
from engine.core.phrase import join_phrases, phrase

BULLETIN = StoryKind(
    "bulletin",
    10,
    (phrase("Bulletin"),),
    (phrase("The umpire announces: {text}"),),
    of_the_war=True,
)
PRESS_ITEM = StoryKind("press-item", 5, ("{headline}",), ("{text}",), of_the_war=True)


def _intelligence_line(_: NoticeReader, event: Intelligence) -> Line:
    if event.unconfirmed:
        return phrase("Unconfirmed report: {}", event.text), "warm"
    return phrase("Report: {}", event.text), "warm"


def _contact_line(reader: NoticeReader, event: ContactReported) -> Line:
    contacts = join_phrases(", ", counted_contacts(event.counts))
    return phrase("Reported contact with {}: {}.", reader.power(event.faction), contacts), "warm"


def _contact_journal(event: ContactReported) -> Words:
    return {"contacts": join_phrases(", ", counted_contacts(event.counts))}


def _bulletin_line(_: NoticeReader, event: Bulletin) -> Line:
    return phrase("Bulletin: {}", event.text), "info"


def _bulletin_story(_: NoticeReader, event: Bulletin) -> Story:
    return Story(BULLETIN, {"text": event.text})


def _press_line(_: NoticeReader, event: PressItem) -> Line:
    return phrase("In the newspaper: {}", event.headline), "info"


def _press_story(_: NoticeReader, event: PressItem) -> Story:
    return Story(PRESS_ITEM, {"headline": event.headline, "text": event.text})


WORDS: EventWordsTable = {
    Intelligence: EventWords(
        own_line=_intelligence_line,
        journal=JournalLine(phrase("{whom} gets a report from the umpire: {text}")),
    ),
    ContactReported: EventWords(
        own_line=_contact_line,
        journal=JournalLine(
            phrase("{place}: the umpire reports to {whom} a contact with {faction}: {contacts}"),
            _contact_journal,
        ),
    ),
    Bulletin: EventWords(
        own_line=_bulletin_line,
        story=_bulletin_story,
        journal=JournalLine(phrase("Bulletin: {text}")),
    ),
    PressItem: EventWords(
        own_line=_press_line,
        story=_press_story,
        journal=JournalLine(phrase("The umpire's paragraph in the newspaper: {headline}")),
    ),
}
