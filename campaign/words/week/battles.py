"""The sentences about battles: beginning, result, ships lost and taken, stores, cargo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.events.battles import (
    BattleJoined,
    BattleOver,
    CargoLost,
    LossCause,
    PrizeTaken,
    ShipLost,
    ShipRecovered,
    ShipTaken,
    StoresShort,
    TakenAtDock,
    TowEnded,
)
from campaign.words.stock import stock_words
from campaign.words.week.reader import NoticeReader, counted_words
from campaign.words.week.words import (
    EventWords,
    EventWordsTable,
    JournalLine,
    Line,
    Story,
    StoryKind,
    Words,
)
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first

# How a ship was taken as a prize; others were boarded
PRIZES: dict[str, str] = {
    LossCause.HULK: phrase("found drifting"),
    LossCause.STRUCK: phrase("which surrendered"),
    LossCause.LANDED: phrase("found on the ground"),
}
BOARDED = phrase("boarded")
RECOVERED_BY_CAUSE: dict[str, str] = {
    LossCause.CAPTURED: phrase("retaken"),
    LossCause.STRUCK: phrase("recovered after its surrender"),
    LossCause.HULK: phrase("found drifting"),
}
HELD_BY_CAPTOR = (LossCause.STRUCK, LossCause.HULK, LossCause.LANDED)
YOU_LOST = (phrase("you lost {}"), phrase("you lost no ship"))
WE_LOST = (phrase("we lost {}"), phrase("we lost no ship"))

VICTORY = StoryKind(
    "won",
    10,
    (
        phrase("Victory at {place}"),
        phrase("{place}: the battle is ours"),
        phrase("We win at {place}"),
    ),
    (
        phrase("After {turns} the battle was ours. {losses}."),
        phrase("We won in {turns}. {losses}."),
        phrase("It took {turns} to win the battle. {losses}."),
        phrase("The enemy held for {turns}; then the battle was won. {losses}."),
    ),
)
BATTLE_LOST = StoryKind(
    "lost",
    20,
    (
        phrase("Defeat at {place}"),
        phrase("{place}: the battle is theirs"),
        phrase("We are beaten at {place}"),
    ),
    (
        phrase("After {turns} the battle was won by {victors}. {losses}."),
        phrase("{Victors} won in {turns}. {losses}."),
        phrase("We held for {turns}; then the battle went to {victors}. {losses}."),
    ),
)
NO_VICTOR = StoryKind(
    "drawn",
    30,
    (
        phrase("No victor at {place}"),
        phrase("{place}: fought without a decision"),
        phrase("A battle without a winner at {place}"),
    ),
    (
        phrase("After {turns} there was no winner. {losses}."),
        phrase("It ended after {turns} without a winner. {losses}."),
        phrase("Neither side could win in {turns}. {losses}."),
    ),
)
BATTLE = StoryKind(
    "battle",
    40,
    (
        phrase("Battle at {place}"),
        phrase("Guns heard at {place}"),
        phrase("Fighting at {place}"),
    ),
    (phrase("Battle was joined: {sides}."), phrase("The lines met: {sides}.")),
)
# Two sides, one of them the reader's
OWN_BATTLE = replace(
    BATTLE,
    sentences=(phrase("{Own} joined battle with {foes}."), phrase("{Own} met {foes} in battle.")),
)
LOSS = StoryKind(
    "loss",
    50,
    (
        phrase("Ships lost at {place}"),
        phrase("{place}: not all came back"),
        phrase("Losses at {place}"),
    ),
    (
        phrase("We lost {ship} ({class}): {how}."),
        phrase("{ship} ({class}) is lost: {how}."),
    ),
)
LOSSES = StoryKind(
    LOSS.name,
    LOSS.weight,
    LOSS.headlines,
    (
        phrase("We lost {ships}, destroyed: {names}."),
        phrase("{Ships} destroyed: {names}."),
        phrase("Destroyed, {ships} in all: {names}."),
    ),
)
TAKEN_IN_DOCK = StoryKind(
    "taken",
    60,
    (
        phrase("Taken in dock at {place}"),
        phrase("{place}: ships in dock change hands"),
        phrase("A catch in the docks of {place}"),
    ),
    (
        phrase("We took a {class} of {power} in dock.{name}"),
        phrase("A {class} of {power} was in dock and is now ours.{name}"),
    ),
)
SCUTTLED = StoryKind(
    TAKEN_IN_DOCK.name,
    TAKEN_IN_DOCK.weight,
    TAKEN_IN_DOCK.headlines,
    (phrase("We found a {class} of {power} in dock, scuttled by its crew."),),
)
PRIZE = StoryKind(
    "prize",
    70,
    (
        phrase("A prize at {place}"),
        phrase("{place}: an enemy ship is ours"),
        phrase("Prize crew put aboard at {place}"),
    ),
    (
        phrase("A {class} of {power}, {how}, is our prize.{name}"),
        phrase("Our prize: a {class} of {power}, {how}.{name}"),
    ),
)


def _joined_line(reader: NoticeReader, event: BattleJoined) -> Line:
    sides = [join_phrases(" and ", map(reader.power, side)) for side in event.factions]
    alone = (reader.faction,)
    if len(sides) == 2 and event.factions[0] == alone:
        return phrase("A battle begins: you against {}.", sides[1]), "warm"
    if len(sides) == 2 and event.factions[1] == alone:
        return phrase("A battle begins: {} against you.", sides[0]), "warm"
    return phrase("A battle begins: {}.", join_phrases(" against ", sides)), "warm"


def _joined_story(reader: NoticeReader, event: BattleJoined) -> Story:
    own_side = next((side for side in event.factions if reader.faction in side), None)
    if own_side is not None and len(event.factions) == 2:
        (foes,) = (side for side in event.factions if side != own_side)
        names = {"own": _side_words(reader, own_side), "foes": _side_words(reader, foes)}
        return Story(OWN_BATTLE, names)
    sides = sorted(event.factions, key=lambda side: reader.faction in side)
    words = [_side_words(reader, side, phrase("us")) for side in sides]
    return Story(BATTLE, {"sides": join_phrases(" against ", words)})


def _side_words(reader: NoticeReader, side: Sequence[str], us: str = phrase("we")) -> str:
    """Return the factions of a side in the newspaper, the reader's own first."""
    factions = sorted(side, key=lambda faction: faction != reader.faction)
    return join_phrases(" and ", [reader.us(faction, us) for faction in factions])


def _over_line(reader: NoticeReader, event: BattleOver) -> Line:
    result = phrase("there was no winner")
    tone = ""
    if reader.faction in event.winners:
        result = phrase("you won")
        tone = "good"
    elif event.winners:
        result = phrase("{} won", join_phrases(" and ", map(reader.power, event.winners)))
        tone = "bad"
    turns = counted_words(event.turns, "turn")
    losses = _losses(reader, event, YOU_LOST)
    return phrase("The battle ended after {}; {}. {}.", turns, result, losses), tone


def _over_story(reader: NoticeReader, event: BattleOver) -> Story:
    if not event.winners:
        kind = NO_VICTOR
    elif reader.faction in event.winners:
        kind = VICTORY
    else:
        kind = BATTLE_LOST
    words = {
        "turns": counted_words(event.turns, "turn"),
        "victors": join_phrases(" and ", [reader.us(faction) for faction in event.winners]),
        "losses": _losses(reader, event, WE_LOST),
    }
    return Story(kind, words)


def _losses(reader: NoticeReader, event: BattleOver, own_words: tuple[str, str]) -> str:
    """Describe what a battle cost each faction.

    Args:
        own_words: Sentences for the reader's own losses: of some ships, and of none.
    """
    own_ships_lost, own_none_lost = own_words
    parts = []
    for faction, count in event.losses:
        ships = counted_words(count, "ship")
        if faction == reader.faction:
            parts.append(own_ships_lost.format(ships) if count else own_none_lost)
        elif count:
            parts.append(phrase("{} lost {}", reader.power(faction), ships))
        else:
            parts.append(phrase("{} lost no ship", reader.power(faction)))
    return capitalize_first(join_phrases(", ", parts))


def _lost_line(reader: NoticeReader, event: ShipLost) -> Line:
    end_words = _end(event.cause, reader.power(event.captor) if event.captor else "")
    ship = reader.ship(event.ship)
    return phrase("You lost {} ({}): {}.", ship, phrase(event.ship_class), end_words), "bad"


def _lost_story(reader: NoticeReader, event: ShipLost) -> Story:
    end_words = _end(event.cause, reader.us(event.captor) if event.captor else "")
    return Story(
        LOSS, {"ship": reader.ship(event.ship), "class": phrase(event.ship_class), "how": end_words}
    )


def _end(cause: str, captor: str) -> str:
    """Describe how a ship ended for its owner.

    Args:
        captor: The name of the faction that has it now, or empty.
    """
    words = LossCause.label_of(cause)
    if captor and cause == LossCause.CAPTURED:
        return phrase("captured by {}", captor)
    if captor and cause in HELD_BY_CAPTOR:
        return phrase("{}; {} now has it", words, captor)
    return words


def destroyed_together(reader: NoticeReader, events: Sequence[ShipLost]) -> Line:
    """Return the line for several ships that were destroyed at one place."""
    names = join_phrases(", ", [reader.ship(event.ship) for event in events])
    return phrase("You lost {}, destroyed: {}.", counted_words(len(events), "ship"), names), "bad"


def destroyed_together_story(reader: NoticeReader, events: Sequence[ShipLost]) -> Story:
    """Return the story of several ships that were destroyed at one place."""
    names = join_phrases(", ", [reader.ship(event.ship) for event in events])
    return Story(LOSSES, {"ships": counted_words(len(events), "ship"), "names": names})


def _taken_line(reader: NoticeReader, event: TakenAtDock) -> Line:
    ship_words = phrase("a {} of {} in dock", phrase(event.ship_class), reader.power(event.owner))
    if not event.captured:
        return phrase("You found {}, scuttled.", ship_words), ""
    crew_words = _prize_crew_words(reader, event)
    return phrase("You took {}. {}", ship_words, crew_words).strip(), "good"


def _taken_story(reader: NoticeReader, event: TakenAtDock) -> Story:
    return Story(TAKEN_IN_DOCK if event.captured else SCUTTLED, _prize_values(reader, event))


def _prize_line(reader: NoticeReader, event: PrizeTaken) -> Line:
    words = phrase(
        "A {} of {}, {}, is your prize. {}",
        phrase(event.ship_class),
        reader.power(event.owner),
        PRIZES.get(event.cause, BOARDED),
        _prize_crew_words(reader, event),
    )
    return words, "good"


def _prize_story(reader: NoticeReader, event: PrizeTaken) -> Story:
    cause_words = PRIZES.get(event.cause, BOARDED)
    return Story(PRIZE, {**_prize_values(reader, event), "how": cause_words})


def _prize_crew_words(reader: NoticeReader, event: ShipTaken) -> str:
    """Return the new name of a ship that was taken, or "" if it has none."""
    if not event.ship:
        return ""
    return phrase("It is now {}, under a prize crew.", reader.ship(event.ship))


def _prize_values(reader: NoticeReader, event: ShipTaken) -> Words:
    name = phrase(" It is called {} now.", reader.ship(event.ship)) if event.ship else ""
    return {"class": phrase(event.ship_class), "power": reader.us(event.owner), "name": name}


def _recovered_line(reader: NoticeReader, event: ShipRecovered) -> Line:
    words = phrase(
        "{} ({}) was {}. It is laid up until a base repairs it.",
        reader.ship(event.ship),
        phrase(event.ship_class),
        RECOVERED_BY_CAUSE.get(event.cause, phrase("recovered")),
    )
    return words, "warm"


def _cargo_lost_line(reader: NoticeReader, event: CargoLost) -> Line:
    ship = reader.ship(event.ship)
    if not event.remaining:
        return phrase("{} lost {} {}; none left.", ship, event.lost, event.what), "bad"
    words = phrase("{} lost {} {}; {} left.", ship, event.lost, event.what, event.remaining)
    return words, "bad"


def _stores_line(reader: NoticeReader, event: StoresShort) -> Line:
    stores = [stock_words(system, amount) for system, amount in event.remaining]
    ship = reader.ship(event.ship)
    return phrase("{} is short of stores: {}.", ship, join_phrases(", ", stores)), "warm"


def _tow_ended_line(reader: NoticeReader, event: TowEnded) -> Line:
    return phrase("{} was released from tow for the battle.", reader.ship(event.ship)), ""


def _cause_values(event: ShipLost | ShipTaken | ShipRecovered) -> Words:
    return {"how": phrase(event.cause)}


WORDS: EventWordsTable = {
    BattleJoined: EventWords(own_line=_joined_line, story=_joined_story),
    BattleOver: EventWords(own_line=_over_line, story=_over_story),
    ShipLost: EventWords(
        own_line=_lost_line,
        story=_lost_story,
        journal=JournalLine(phrase("{place}: {whom} loses {ship} ({class}), {how}"), _cause_values),
    ),
    TakenAtDock: EventWords(
        own_line=_taken_line,
        story=_taken_story,
        journal=JournalLine(
            phrase("{place}: {whom} takes a docked {class} of {owner}, {how}"), _cause_values
        ),
    ),
    PrizeTaken: EventWords(
        own_line=_prize_line,
        story=_prize_story,
        journal=JournalLine(
            phrase(
                "{place}: {whom} takes a {class} of {owner} as a prize, {how}; it is called {ship}"
            ),
            _cause_values,
        ),
    ),
    ShipRecovered: EventWords(
        own_line=_recovered_line,
        journal=JournalLine(
            phrase("{place}: {whom} recovers {ship} ({class}), {how}; it is laid up"), _cause_values
        ),
    ),
    CargoLost: EventWords(
        own_line=_cargo_lost_line,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} loses {lost} {what}; {remaining} left")
        ),
    ),
    StoresShort: EventWords(own_line=_stores_line),
    TowEnded: EventWords(
        own_line=_tow_ended_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} is no longer in tow")),
    ),
}
