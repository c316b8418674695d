"""The sentences about scans, dummy counters, decisions, pursuits, withdrawals and stand-offs."""

from __future__ import annotations

from campaign.events.contacts import (
    Chase,
    ContactDecision,
    DummyFound,
    DummyLost,
    ForceCounted,
    ForceWithdrew,
    Scan,
    StandOff,
    StillInContact,
    Survivors,
    SystemContested,
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
from engine.english import join_names

CHOICES = {
    "fight": phrase("to fight"),
    "stand-off": phrase("to stand off"),
    "withdraw": phrase("to withdraw"),
}
# What two choices came to, in reports
REPORT_OUTCOMES = {
    "battle": phrase("There will be a battle."),
    "overrun": phrase("Docked ships are captured without a battle."),
    "apart": phrase("Both stay: a stand-off."),
    "gone": phrase("No battle: one side leaves."),
}
# The same in the newspaper
GAZETTE_OUTCOMES = {
    "battle": phrase(" That means battle."),
    "overrun": phrase(" Ships in dock were captured without a battle."),
    "apart": phrase(" Both stay: a stand-off."),
    "gone": phrase(" No battle: one side leaves."),
}
TO_BATTLE = ("battle", "overrun")  # outcomes of two choices in which ships are captured or fired at

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
        phrase("Both sides still at {place}"),
    ),
    (
        phrase("We and {power} both still have ships here: nobody holds the system."),
        phrase("{Power} still has ships in the system, and so do we: nobody holds it."),
    ),
)
STAND_OFF = StoryKind(
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
        phrase("Our ships withdrew by FTL and must move on."),
        phrase("We left by FTL; until the ships move on, they hold no system."),
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
        phrase("{power} rolled {die} and failed to catch us."),
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
        phrase("We pursued {power}, rolled {die}, and did not catch them."),
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
        phrase("Our order: {own}. {power} chose {theirs}.{outcome}"),
        phrase("{Power} chose {theirs}. We chose {own}.{outcome}"),
    ),
)
REMAIN = StoryKind(
    "remain",
    190,
    (phrase("{power} still at {place}"), phrase("{place}: what is left of {power}")),
    (
        phrase("As far as we saw, {power} still has {contacts} here."),
        phrase("By our count {power} still has {contacts}."),
        phrase("Left here, by what we saw: {contacts} of {power}."),
    ),
)
NONE_LEFT = StoryKind(
    "none-left",
    200,
    (phrase("{power} gone from {place}"), phrase("{place}: nothing left of {power}")),
    (
        phrase("As far as we saw, no ship of {power} is left here."),
        phrase("We can find no more ships of {power} here."),
    ),
)
SCAN_CONTACTS = StoryKind(
    "seen",
    210,
    (
        phrase("{power} found at {place}"),
        phrase("Contacts at {place}"),
        phrase("{place}: ships on the long range scan"),
    ),
    (
        phrase("Our long range scan of {power} shows {contacts}."),
        phrase("We scanned {power} at long range: {contacts}."),
        phrase("Our long range scan shows {contacts} of {power}."),
    ),
)
SILENT = StoryKind(
    "silent",
    220,
    (
        phrase("Nothing found at {place}"),
        phrase("{place}: scan finds nothing"),
        phrase("No contacts at {place}"),
    ),
    (
        phrase("Our long range scan of {power} finds no contacts."),
        phrase("We scanned for {power} at long range and found nothing."),
    ),
)


def _force_values(reader: NoticeReader, event: ForceCounted) -> Words:
    return {
        "power": reader.us(event.faction),
        "contacts": join_names(counted_contacts(event.counts)),
    }


def _scan_line(reader: NoticeReader, event: Scan) -> Line:
    power = reader.power(event.faction)
    if not event.counts:
        return phrase("Long range scan of {}: no contacts.", power), "warm"
    contacts = join_phrases(", ", counted_contacts(event.counts))
    return phrase("Long range scan of {}: {}.", power, contacts), "warm"


def _scan_story(reader: NoticeReader, event: Scan) -> Story:
    return Story(SCAN_CONTACTS if event.counts else SILENT, _force_values(reader, event))


def _survivors_line(reader: NoticeReader, event: Survivors) -> Line:
    power = reader.power(event.faction)
    if not event.counts:
        return phrase("As far as you saw, no ship of {} is left here.", power), "good"
    contacts = join_phrases(", ", counted_contacts(event.counts))
    return phrase("As far as you saw, {} still has {} here.", power, contacts), "warm"


def _survivors_story(reader: NoticeReader, event: Survivors) -> Story:
    return Story(REMAIN if event.counts else NONE_LEFT, _force_values(reader, event))


def _dummy_lost_line(_: NoticeReader, event: DummyLost) -> Line:
    return phrase("{} met another fleet and is removed from the map.", event.dummy), "warm"


def _dummy_found_line(reader: NoticeReader, event: DummyFound) -> Line:
    power = reader.power(event.faction)
    return phrase("Marker {} of {} is a dummy.", event.marker, power), "good"


def choice_words(choice: str) -> str:
    """Return a choice in words."""
    return CHOICES.get(choice, choice)


def _decided_line(reader: NoticeReader, event: ContactDecision) -> Line:
    other_power = event.opponent_of(reader.faction)
    own_choice = choice_words(event.choice_of(reader.faction))
    their_choice = choice_words(event.choice_of(other_power))
    words = phrase(
        "You chose {}; {} chose {}.", own_choice, reader.power(other_power), their_choice
    )
    outcome = REPORT_OUTCOMES.get(event.outcome, "")
    tone = "warm" if event.outcome in TO_BATTLE else ""
    return phrase("{} {}", words, outcome).strip(), tone


def _decided_story(reader: NoticeReader, event: ContactDecision) -> Story:
    other_power = event.opponent_of(reader.faction)
    return Story(
        DECIDED,
        {
            "own": choice_words(event.choice_of(reader.faction)),
            "theirs": choice_words(event.choice_of(other_power)),
            "power": reader.us(other_power),
            "outcome": GAZETTE_OUTCOMES.get(event.outcome, ""),
        },
    )


def _decided_journal(event: ContactDecision) -> Words:
    return {
        "a-choice": CHOICES.get(event.a_choice, phrase(event.a_choice)),
        "b-choice": CHOICES.get(event.b_choice, phrase(event.b_choice)),
        "outcome": CHOICES.get(event.outcome, phrase(event.outcome)),
    }


def _chased_line(reader: NoticeReader, event: Chase) -> Line:
    power = reader.power(event.fights)
    if event.caught:
        return phrase("{} pursued, rolled {}, and caught you.", power, event.die), "bad"
    return phrase("{} pursued, rolled {}, and you got away.", power, event.die), "good"


def _chasing_line(reader: NoticeReader, event: Chase) -> Line:
    power = reader.power(event.withdraws)
    if event.caught:
        return phrase("You pursued {} and rolled {}; they were caught.", power, event.die), "good"
    return phrase("You pursued {} and rolled {}; they got away.", power, event.die), ""


def _chase_story(reader: NoticeReader, event: Chase) -> Story:
    if event.is_own(reader.faction):
        kind = CAUGHT if event.caught else AWAY_SAFE
        other_power = event.fights
    else:
        kind = CAUGHT_THEM if event.caught else AWAY_THEM
        other_power = event.withdraws
    return Story(kind, {"power": reader.us(other_power), "die": str(event.die)})


def _withdrew_line(reader: NoticeReader, _: ForceWithdrew) -> Line:
    if reader.open_play:
        words = phrase(
            "Your ships withdrew by FTL. They must move on; until then they hold no system."
        )
    else:
        words = phrase(
            "Your ships withdrew by FTL. They must move on; until then they cannot be scanned "
            "and hold no system."
        )
    return words, ""


def _withdrew_story(_: NoticeReader, __: ForceWithdrew) -> Story:
    return Story(AWAY)


def _stand_off_line(reader: NoticeReader, event: StandOff) -> Line:
    other_power = reader.power(event.opponent_of(reader.faction))
    return phrase("Stand-off with {}: both sides stay and do not fight.", other_power), "warm"


def _stand_off_story(reader: NoticeReader, event: StandOff) -> Story:
    return Story(STAND_OFF, _other_power_values(reader, event))


def _contested_line(reader: NoticeReader, event: SystemContested) -> Line:
    other_power = reader.power(event.opponent_of(reader.faction))
    return phrase(
        "You and {} both still have ships here. The system is contested; nobody holds it.",
        other_power,
    ), "warm"


def _contested_story(reader: NoticeReader, event: SystemContested) -> Story:
    return Story(CONTESTED, _other_power_values(reader, event))


def _other_power_values(reader: NoticeReader, event: StillInContact) -> Words:
    return {"power": reader.us(event.opponent_of(reader.faction))}


WORDS: EventWordsTable = {
    Scan: EventWords(own_line=_scan_line, story=_scan_story),
    Survivors: EventWords(own_line=_survivors_line, story=_survivors_story),
    DummyLost: EventWords(
        own_line=_dummy_lost_line,
        journal=JournalLine(phrase("{place}: {whom} loses the dummy counter {dummy}")),
    ),
    DummyFound: EventWords(
        other_line=_dummy_found_line,
        journal=JournalLine(
            phrase("{place}: {whom} finds out that marker {marker} of {faction} is a dummy")
        ),
    ),
    ContactDecision: EventWords(
        own_line=_decided_line,
        story=_decided_story,
        journal=JournalLine(
            phrase("{place}: {a} chooses {a-choice}, {b} chooses {b-choice}: {outcome}"),
            _decided_journal,
        ),
    ),
    Chase: EventWords(
        own_line=_chased_line,
        other_line=_chasing_line,
        story=_chase_story,
        journal=JournalLine(phrase("{place}: {fights} pursues {withdraws}, die {die}")),
    ),
    ForceWithdrew: EventWords(
        own_line=_withdrew_line,
        story=_withdrew_story,
        journal=JournalLine(phrase("{place}: {whom} withdraws by FTL")),
    ),
    StandOff: EventWords(
        own_line=_stand_off_line,
        story=_stand_off_story,
        journal=JournalLine(phrase("{place}: stand-off between {a} and {b}")),
    ),
    SystemContested: EventWords(
        own_line=_contested_line,
        story=_contested_story,
        journal=JournalLine(
            phrase("{place}: {a} and {b} both still have ships; the system is contested")
        ),
    ),
}
