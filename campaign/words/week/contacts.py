"""The sentences of scans, dummy counters, decisions, pursuits, withdrawals and stand-offs."""

from __future__ import annotations

from campaign.events.contacts import (
    Chase,
    Contested,
    Decided,
    DummyFound,
    DummyLost,
    ForceCounted,
    Scan,
    StandOff,
    StillInContact,
    Survivors,
    Withdrew,
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
)
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_kind, listed

CHOICES = {
    "fight": phrase("to fight"),
    "stand-off": phrase("to stand off"),
    "withdraw": phrase("to withdraw"),
}
CAME_TO = {
    "battle": phrase("There will be a battle."),
    "overrun": phrase("Docked ships are captured without a battle."),
    "apart": phrase("Both stay: a stand-off."),
    "gone": phrase("No battle: one side leaves."),
}
OUTCOMES = {  # in the newspaper
    "battle": phrase(" That means battle."),
    "overrun": phrase(" Ships in dock were captured without a battle."),
    "apart": phrase(" Both stay: a stand-off."),
    "gone": phrase(" No battle: one side leaves."),
}
TO_BATTLE = ("battle", "overrun")  # what two choices came to, where somebody is taken or shot at

CAUGHT = StoryKind(
    "caught",
    80,
    (
        phrase("Chased and caught at {place}"),
        phrase("{place}: no way out"),
        phrase("Overtaken at {place}"),
    ),
    (
        phrase("{power} pursued us, rolled {die}, and caught us."),
        phrase("On a roll of {die} {power} overtook us."),
    ),
)
CAUGHT_THEM = StoryKind(
    "caught-them",
    90,
    (
        phrase("Run down at {place}"),
        phrase("{place}: the chase succeeds"),
        phrase("We catch them at {place}"),
    ),
    (
        phrase("We pursued {power}, rolled {die}, and caught them."),
        phrase("On a roll of {die} we overtook {power}."),
    ),
)
CONTESTED = StoryKind(
    "contested",
    130,
    (
        phrase("{place} is contested"),
        phrase("Two flags at {place}"),
        phrase("Both sides stay at {place}"),
    ),
    (
        phrase("We and {power} both stay: nobody holds the system."),
        phrase("{Power} did not leave, and neither did we: nobody holds the system."),
    ),
)
APART = StoryKind(
    "apart",
    140,
    (
        phrase("Stand-off at {place}"),
        phrase("{place}: both stay, nobody fires"),
        phrase("Guns silent at {place}"),
    ),
    (
        phrase("We and {power} both stay, and nobody fires."),
        phrase("Neither we nor {power} left, and no shot was fired."),
    ),
)
AWAY = StoryKind(
    "away",
    150,
    (
        phrase("We withdraw from {place}"),
        phrase("{place}: our ships leave"),
        phrase("Our squadrons quit {place}"),
    ),
    (
        phrase("Our ships withdrew under FTL and must move this week."),
        phrase("We left under FTL; the ships hold nothing and must move this week."),
    ),
)
AWAY_SAFE = StoryKind(
    "away-safe",
    160,
    (
        phrase("We slip away from {place}"),
        phrase("{place}: pursued, and not caught"),
        phrase("A clean escape from {place}"),
    ),
    (
        phrase("{power} pursued us, rolled {die}, and did not catch us."),
        phrase("{power} gave chase in vain, on a {die}."),
    ),
)
AWAY_THEM = StoryKind(
    "away-them",
    170,
    (
        phrase("They slip away at {place}"),
        phrase("{place}: the chase fails"),
        phrase("Pursuit in vain at {place}"),
    ),
    (
        phrase("We pursued {power}, rolled {die}, and lost them."),
        phrase("On a roll of {die} {power} got away from us."),
    ),
)
DECIDED = StoryKind(
    "decided",
    180,
    (
        phrase("A decision at {place}"),
        phrase("{place}: the choice is made"),
        phrase("Fleets meet at {place}"),
    ),
    (
        phrase("We chose {own}; {power} chose {theirs}.{outcome}"),
        phrase("Our order was {own}. {power} chose {theirs}.{outcome}"),
    ),
)
REMAIN = StoryKind(
    "remain",
    190,
    (phrase("{power} still at {place}"), phrase("{place}: what is left of {power}")),
    (
        phrase("As far as we saw, {power} still has {contacts} here."),
        phrase("Of {power} we still count {contacts}."),
    ),
)
NONE_LEFT = StoryKind(
    "none-left",
    200,
    (phrase("{power} gone from {place}"), phrase("{place}: nothing left of {power}")),
    (
        phrase("As far as we saw, no ship of {power} is left here."),
        phrase("Of {power} we count no ship here any more."),
    ),
)
SEEN = StoryKind(
    "seen",
    210,
    (
        phrase("{power} read at {place}"),
        phrase("Contacts at {place}"),
        phrase("{place}: ships on the long range scan"),
    ),
    (
        phrase("Our long range scan of {power} reads {contacts}."),
        phrase("Of {power} we read {contacts} at long range."),
        phrase("At long range {power} shows {contacts}."),
    ),
)
SILENT = StoryKind(
    "silent",
    220,
    (
        phrase("Nothing read at {place}"),
        phrase("{place}: an empty scan"),
        phrase("No contacts at {place}"),
    ),
    (
        phrase("Our long range scan of {power} finds no contacts."),
        phrase("We scanned for {power} at long range and read nothing."),
    ),
)


def _contacts(event: ForceCounted) -> list[str]:
    return [counted_kind(many, kind) for kind, many in event.counts]


def _force(reader: NoticeReader, event: ForceCounted) -> Words:
    return {"power": reader.us(event.faction), "contacts": listed(_contacts(event))}


def _scan(reader: NoticeReader, event: Scan) -> Line:
    whose = reader.power(event.faction)
    if not event.counts:
        return phrase("Long range scan of {}: no contacts.", whose), "warm"
    contacts = joined_phrases(", ", _contacts(event))
    return phrase("Long range scan of {}: {}.", whose, contacts), "warm"


def _scan_story(reader: NoticeReader, event: Scan) -> Story:
    return Story(SEEN if event.counts else SILENT, _force(reader, event))


def _survivors(reader: NoticeReader, event: Survivors) -> Line:
    whose = reader.power(event.faction)
    if not event.counts:
        return phrase("As far as you saw, no ship of {} is left here.", whose), "good"
    contacts = joined_phrases(", ", _contacts(event))
    return phrase("As far as you saw, {} still has here: {}.", whose, contacts), "warm"


def _survivors_story(reader: NoticeReader, event: Survivors) -> Story:
    return Story(REMAIN if event.counts else NONE_LEFT, _force(reader, event))


def _dummy_lost(_: NoticeReader, event: DummyLost) -> Line:
    return phrase("{} met another fleet and is removed from the map.", event.dummy), "warm"


def _dummy_found(reader: NoticeReader, event: DummyFound) -> Line:
    whose = reader.power(event.faction)
    return phrase("Marker {} of {} is a dummy.", event.marker, whose), "good"


def choice_words(choice: str) -> str:
    """A choice in words."""
    return CHOICES.get(choice, choice)


def _decided(reader: NoticeReader, event: Decided) -> Line:
    other = event.other(reader.faction)
    own = choice_words(event.choice_of(reader.faction))
    theirs = choice_words(event.choice_of(other))
    words = phrase("You chose {}; {} chose {}.", own, reader.power(other), theirs)
    told = phrase("{} {}", words, CAME_TO.get(event.came_to, "")).strip()
    return told, "warm" if event.came_to in TO_BATTLE else ""


def _decided_story(reader: NoticeReader, event: Decided) -> Story:
    other = event.other(reader.faction)
    return Story(
        DECIDED,
        {
            "own": choice_words(event.choice_of(reader.faction)),
            "theirs": choice_words(event.choice_of(other)),
            "power": reader.us(other),
            "outcome": OUTCOMES.get(event.came_to, ""),
        },
    )


def _decided_journal(event: Decided) -> Words:
    return {
        "a-choice": CHOICES.get(event.a_choice, phrase(event.a_choice)),
        "b-choice": CHOICES.get(event.b_choice, phrase(event.b_choice)),
        "came-to": CHOICES.get(event.came_to, phrase(event.came_to)),
    }


def _chased(reader: NoticeReader, event: Chase) -> Line:
    whom = reader.power(event.fights)
    if event.caught:
        return phrase("{} pursued, rolled {}, and caught you.", whom, event.die), "bad"
    return phrase("{} pursued, rolled {}, and you got away.", whom, event.die), "good"


def _chasing(reader: NoticeReader, event: Chase) -> Line:
    whom = reader.power(event.withdraws)
    if event.caught:
        return phrase("You pursued {}, rolled {}; it was caught.", whom, event.die), "good"
    return phrase("You pursued {}, rolled {}; it got away.", whom, event.die), ""


def _chase_story(reader: NoticeReader, event: Chase) -> Story:
    if event.is_own(reader.faction):
        kind, other = (CAUGHT if event.caught else AWAY_SAFE), event.fights
    else:
        kind, other = (CAUGHT_THEM if event.caught else AWAY_THEM), event.withdraws
    return Story(kind, {"power": reader.us(other), "die": str(event.die)})


def _withdrew(reader: NoticeReader, _: Withdrew) -> Line:
    if reader.open_play:
        return phrase(
            "Your ships withdrew under FTL. They hold nothing, and must move this week."
        ), ""
    return phrase(
        "Your ships withdrew under FTL. They are unseen, hold nothing, and must move this week."
    ), ""


def _withdrew_story(_: NoticeReader, __: Withdrew) -> Story:
    return Story(AWAY)


def _stand_off(reader: NoticeReader, event: StandOff) -> Line:
    other = reader.power(event.other(reader.faction))
    return phrase("Stand-off with {}: both sides stay and do not fight.", other), "warm"


def _stand_off_story(reader: NoticeReader, event: StandOff) -> Story:
    return Story(APART, _other(reader, event))


def _contested(reader: NoticeReader, event: Contested) -> Line:
    other = reader.power(event.other(reader.faction))
    return phrase("You and {} both stay. The system is contested; nobody holds it.", other), "warm"


def _contested_story(reader: NoticeReader, event: Contested) -> Story:
    return Story(CONTESTED, _other(reader, event))


def _other(reader: NoticeReader, event: StillInContact) -> Words:
    return {"power": reader.us(event.other(reader.faction))}


WORDS: EventWordsTable = {
    Scan: EventWords(own=_scan, story=_scan_story),
    Survivors: EventWords(own=_survivors, story=_survivors_story),
    DummyLost: EventWords(
        own=_dummy_lost,
        journal=JournalLine(phrase("{place}: {whom} loses the dummy counter {dummy}")),
    ),
    DummyFound: EventWords(
        others=_dummy_found,
        journal=JournalLine(
            phrase("{place}: {whom} finds out that marker {marker} of {faction} is a dummy")
        ),
    ),
    Decided: EventWords(
        own=_decided,
        story=_decided_story,
        journal=JournalLine(
            phrase("{place}: {a} chooses {a-choice}, {b} chooses {b-choice}: {came-to}"),
            _decided_journal,
        ),
    ),
    Chase: EventWords(
        own=_chased,
        others=_chasing,
        story=_chase_story,
        journal=JournalLine(phrase("{place}: {fights} pursues {withdraws}, die {die}")),
    ),
    Withdrew: EventWords(
        own=_withdrew,
        story=_withdrew_story,
        journal=JournalLine(phrase("{place}: {whom} withdraws under FTL")),
    ),
    StandOff: EventWords(
        own=_stand_off,
        story=_stand_off_story,
        journal=JournalLine(phrase("{place}: stand-off between {a} and {b}")),
    ),
    Contested: EventWords(
        own=_contested,
        story=_contested_story,
        journal=JournalLine(phrase("{place}: {a} and {b} both stay; the system is contested")),
    ),
}
