"""The sentences about the whole war and about orders."""

from __future__ import annotations

from campaign.events.war import ForceDeployed, OrderDropped, ReinforcementArrived, WarOver
from campaign.words.week.reader import NoticeReader, counted_words
from campaign.words.week.words import (
    EventWords,
    EventWordsTable,
    JournalLine,
    Line,
    Story,
    StoryKind,
)
from engine.core.phrase import phrase
from engine.english import capitalize_first

WAR_OVER = StoryKind(
    "war-over",
    0,
    (
        phrase("The war is over"),
        phrase("Peace at last"),
        phrase("The last week of the war"),
    ),
    (phrase("The war is over: {result}."), phrase("It has ended: {result}.")),
    of_the_war=True,
)
DEPLOYED = StoryKind(
    "deployed",
    230,
    (
        phrase("The fleets are in position"),
        phrase("Deployment is complete"),
        phrase("All squadrons in place"),
    ),
    (
        phrase("We deployed {ships} in {fleets}, worth {points}."),
        phrase("{Ships} in {fleets} are deployed, worth {points}."),
    ),
    of_the_war=True,
)


def _war_over_line(reader: NoticeReader, event: WarOver) -> Line:
    tone = "info"
    if event.winner:
        tone = "good" if event.winner == reader.faction else "bad"
    result = capitalize_first(reader.result(event.result))
    if reader.single:
        return phrase("The battle is over: {}.", result), tone
    return phrase("The war is over: {}.", result), tone


def _war_over_story(reader: NoticeReader, event: WarOver) -> Story:
    return Story(WAR_OVER, {"result": reader.result(event.result)})


def _deployed_line(_: NoticeReader, event: ForceDeployed) -> Line:
    ships = counted_words(event.ships, "ship")
    fleets = counted_words(event.fleets, "fleet")
    points = counted_words(event.points, "point")
    return phrase("You deployed {} in {}, worth {}.", ships, fleets, points), "info"


def _deployed_story(_: NoticeReader, event: ForceDeployed) -> Story:
    return Story(
        DEPLOYED,
        {
            "ships": counted_words(event.ships, "ship"),
            "fleets": counted_words(event.fleets, "fleet"),
            "points": counted_words(event.points, "point"),
        },
    )


def _dropped_line(_: NoticeReader, event: OrderDropped) -> Line:
    words = phrase("An order could not be carried out ({}): {}.", event.order, event.why)
    return words, "warm"


def _reinforced_line(_: NoticeReader, event: ReinforcementArrived) -> Line:
    ships = counted_words(event.ships, "ship")
    points = counted_words(event.points, "point")
    return phrase("{} arrived: {} worth {}.", event.fleet, ships, points), "good"


WORDS: EventWordsTable = {
    WarOver: EventWords(own_line=_war_over_line, story=_war_over_story),
    ForceDeployed: EventWords(own_line=_deployed_line, story=_deployed_story),
    OrderDropped: EventWords(
        own_line=_dropped_line,
        journal=JournalLine(
            phrase("{whom}: an order is not carried out, {order}: {why}"),
            lambda event: {"why": event.why},
        ),
    ),
    ReinforcementArrived: EventWords(
        own_line=_reinforced_line,
        journal=JournalLine(
            phrase("{place}: {fleet} arrives for {whom}, {ships:ship} of {points:point}")
        ),
    ),
}
