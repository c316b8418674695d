"""The sentences about what an umpire did: reports, contacts, bulletins, press items, rulings."""

from __future__ import annotations

from campaign.events.umpire import (
    Bulletin,
    ContactReported,
    Intelligence,
    PressItem,
    RecordCorrected,
    UmpireRuled,
)
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


# What a ruling corrects: labels of fields, by the kind of thing and field.
FIELDS = {
    "name": phrase("name"),
    "hex": phrase("place"),
    "decoys": phrase("decoys aboard"),
    "decoys_out": phrase("decoys deployed"),
    "fleet": phrase("fleet"),
    "damage": phrase("damage points"),
    "lost": phrase("lost systems"),
    "stock": phrase("stores that are not full"),
    "docked": phrase("docked"),
    "laid_up": phrase("laid up"),
    "tug": phrase("in tow of"),
    "holder": phrase("held by"),
    "state": phrase("state"),
    "reached": phrase("reached"),
    "funds": phrase("points for building ships"),
}
PRESENT = {
    ("ship", ""): phrase("The ship {} is no longer there."),
    ("ship", "yes"): phrase("The ship {} was added."),
    ("fleet", ""): phrase("The fleet {} is no longer there."),
    ("fleet", "yes"): phrase("The fleet {} was added."),
    ("contact", ""): phrase("No hostile faction is in contact at {} any longer."),
    ("contact", "yes"): phrase("A hostile faction is in contact at {}."),
    ("work", ""): phrase("The work on {} was cancelled."),
    ("work", "yes"): phrase("The work on {} goes on."),
}


def _ruled_line(_: NoticeReader, event: UmpireRuled) -> Line:
    return phrase("Ruling of the umpire: {}", event.reason), "warm"


def _corrected_line(reader: NoticeReader, event: RecordCorrected) -> Line:
    return correction_words(reader, event), "warm"


def correction_words(reader: NoticeReader, event: RecordCorrected) -> str:
    """Return a correction as a sentence."""
    if event.field == "present":
        name = reader.place(event.name) if event.what == "contact" else event.name
        return phrase(PRESENT[event.what, event.after], name)
    if event.what == "other":
        return phrase("Something else on your map was corrected.")
    before = _value_words(reader, event.field, event.before)
    after = _value_words(reader, event.field, event.after)
    name = _thing_name(reader, event)
    return phrase("{}, {}: {} → {}", name, FIELDS[event.field], before, after)


def _thing_name(reader: NoticeReader, event: RecordCorrected) -> str:
    """Return the name of what was corrected."""
    if event.what == "system":
        return reader.system(event.name)
    if event.what == "contact":
        return reader.place(event.name)
    if event.what == "funds":
        return reader.power(event.name)
    return event.name


def _value_words(reader: NoticeReader, field: str, value: str) -> str:
    """Return the value of a field in words."""
    if field in ("docked", "laid_up"):
        return phrase("yes") if value else phrase("no")
    if not value:
        return phrase("none")
    if field == "hex":
        return reader.place(value)
    if field == "holder":
        return reader.power(value)
    return value


def _correction_journal(event: RecordCorrected) -> Words:
    if event.field == "present":
        return {"change": phrase(PRESENT[event.what, event.after], event.name)}
    if event.what == "other":
        return {"change": phrase("something else")}
    values = (event.before or "–", event.after or "–")
    return {"change": phrase("{}, {}: {} → {}", event.name, FIELDS[event.field], *values)}


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
    UmpireRuled: EventWords(
        own_line=_ruled_line,
        journal=JournalLine(phrase("Ruling, told to {whom}: {reason}")),
    ),
    RecordCorrected: EventWords(
        own_line=_corrected_line,
        journal=JournalLine(phrase("Ruling, read by {whom}: {change}"), _correction_journal),
    ),
}
