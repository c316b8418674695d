"""The sentences about mines in systems: laid, seen, swept."""

from __future__ import annotations

from campaign.events.mines import MinesLaid, MinesLost, MinesSeen, MinesSwept, SweepPrevented
from campaign.words.week.reader import NoticeReader
from campaign.words.week.words import EventWords, EventWordsTable, JournalLine, Line
from engine.core.phrase import Count, phrase


def _laid_line(reader: NoticeReader, event: MinesLaid) -> Line:
    ship = reader.ship(event.ship)
    return phrase("{} laid {mines:mine}.", ship, mines=Count(event.mines)), ""


def _seen_line(_reader: NoticeReader, event: MinesSeen) -> Line:
    if not event.mines:
        return phrase("No mines of others are left here."), "good"
    words = phrase("You know of {mines:mine} of others here.", mines=Count(event.mines))
    return words, "warm"


def _swept_line(reader: NoticeReader, event: MinesSwept) -> Line:
    ship = reader.ship(event.ship)
    if not (event.swept or event.missed or event.exploded):
        return phrase("{} searched for mines and found none.", ship), ""
    if event.exploded:
        words = phrase(
            "{} swept {swept:mine} and missed {missed}; {exploded} exploded and did {} damage.",
            ship,
            event.damage,
            swept=Count(event.swept),
            missed=event.missed,
            exploded=event.exploded,
        )
        return words, "bad"
    words = phrase(
        "{} swept {swept:mine} and missed {missed}.",
        ship,
        swept=Count(event.swept),
        missed=event.missed,
    )
    return words, "good"


def _prevented_line(reader: NoticeReader, event: SweepPrevented) -> Line:
    return phrase("{} could not sweep for mines.", reader.ship(event.ship)), "warm"


def _lost_line(_reader: NoticeReader, event: MinesLost) -> Line:
    return phrase("You lost {mines:mine} here.", mines=Count(event.mines)), "warm"


WORDS: EventWordsTable = {
    MinesLaid: EventWords(
        own_line=_laid_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} lays {mines:mine}")),
    ),
    MinesSeen: EventWords(
        own_line=_seen_line,
        journal=JournalLine(phrase("{place}: {whom} knows {mines:mine} of others")),
    ),
    MinesSwept: EventWords(
        own_line=_swept_line,
        journal=JournalLine(
            phrase(
                "{place}: {ship} of {whom} sweeps {swept:mine}, misses {missed} and sets off "
                "{exploded}"
            )
        ),
    ),
    SweepPrevented: EventWords(
        own_line=_prevented_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} cannot sweep for mines")),
    ),
    MinesLost: EventWords(
        own_line=_lost_line,
        journal=JournalLine(phrase("{place}: {whom} loses {mines:mine}")),
    ),
}
