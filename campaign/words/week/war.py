"""The sentences of events of the whole war and of orders."""

from __future__ import annotations

from campaign.events.war import Deployed, OrderDropped, Reinforced, WarOver
from campaign.words.stored_reasons import reason_words
from campaign.words.week.reader import NoticeReader, counted
from campaign.words.week.words import (
    EventWords,
    EventWordsTable,
    JournalLine,
    Line,
    Story,
    StoryKind,
)
from engine.core.phrase import phrase
from engine.english import capital

WAR_OVER = StoryKind(
    "war-over",
    0,
    (
        phrase("The war is over"),
        phrase("Peace, and an account of it"),
        phrase("The last week of the war"),
    ),
    (phrase("The war is over: {result}."), phrase("It has ended: {result}.")),
    of_the_war=True,
)
DEPLOYED = StoryKind(
    "deployed",
    230,
    (
        phrase("The fleets are at their posts"),
        phrase("Deployment is complete"),
        phrase("All squadrons in place"),
    ),
    (
        phrase("We deployed {ships} in {fleets}, worth {points}."),
        phrase("{Ships} in {fleets} took post, worth {points}."),
    ),
    of_the_war=True,
)


def _war_over(reader: NoticeReader, event: WarOver) -> Line:
    tone = "info"
    if event.winner:
        tone = "good" if event.winner == reader.faction else "bad"
    result = capital(phrase(event.result))
    if reader.single:
        return phrase("The battle is over: {}.", result), tone
    return phrase("The war is over: {}.", result), tone


def _war_over_story(_: NoticeReader, event: WarOver) -> Story:
    return Story(WAR_OVER, {"result": phrase(event.result)})


def _deployed(_: NoticeReader, event: Deployed) -> Line:
    ships = counted(event.ships, "ship")
    fleets = counted(event.fleets, "fleet")
    points = counted(event.points, "point")
    return phrase("You deployed {} in {}, worth {}.", ships, fleets, points), "info"


def _deployed_story(_: NoticeReader, event: Deployed) -> Story:
    return Story(
        DEPLOYED,
        {
            "ships": counted(event.ships, "ship"),
            "fleets": counted(event.fleets, "fleet"),
            "points": counted(event.points, "point"),
        },
    )


def _dropped(_: NoticeReader, event: OrderDropped) -> Line:
    why = reason_words(event.why)
    return phrase("An order could not be carried out ({}): {}.", event.order, why), "warm"


def _reinforced(_: NoticeReader, event: Reinforced) -> Line:
    ships, points = counted(event.ships, "ship"), counted(event.points, "point")
    return phrase("{} arrived: {} worth {}.", event.fleet, ships, points), "good"


WORDS: EventWordsTable = {
    WarOver: EventWords(own=_war_over, story=_war_over_story),
    Deployed: EventWords(own=_deployed, story=_deployed_story),
    OrderDropped: EventWords(
        own=_dropped,
        journal=JournalLine(
            phrase("{whom}: an order is not carried out, {order}: {why}"),
            lambda event: {"why": reason_words(event.why)},
        ),
    ),
    Reinforced: EventWords(
        own=_reinforced,
        journal=JournalLine(
            phrase("{place}: {fleet} arrives for {whom}, {ships:ship} of {points:point}")
        ),
    ),
}
