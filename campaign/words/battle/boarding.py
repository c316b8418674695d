"""Sentences of a battle's log about fights aboard a ship."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.words.battle.phrases import BattleNames, Words, boarders_words, words_of
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun
from engine.events.boarding import BoardersChecked, BoardingFight, ShipBoarded


@words_of(BoardingFight)
def boarding_fight_words(event: BoardingFight, names: BattleNames) -> Words:
    """Describe a turn's fight: who is left aboard, with the dice of both sides."""
    dice = []
    for party_count, die in event.repelled:
        dice.append(phrase("{} sent, die {}", counted_noun(party_count, "party"), die))
    dice += _dice(phrase("marines"), event.defended)
    dice += _dice(phrase("boarders"), event.attacked)
    words = phrase(
        "Boarders fight aboard {}. {}", names.of(event.ship), _left_aboard_words(event, names)
    )
    return words, join_phrases("; ", dice)


@words_of(ShipBoarded)
def ship_boarded_words(event: ShipBoarded, names: BattleNames) -> Words:
    people = boarders_words(event.marines, event.parties)
    return phrase("{} sends {} aboard {}", names.side(event.side), people, names.of(event.ship)), ""


@words_of(BoardersChecked)
def boarders_checked_words(event: BoardersChecked, names: BattleNames) -> Words:
    """Describe a damage check among boarders: who is left aboard, with its dice."""
    words = phrase(
        "Boarders aboard {} take losses with the ship. {}",
        names.of(event.ship),
        _left_aboard_words(event, names),
    )
    details = [phrase("lost on {} or more", event.loses_on), *_dice(phrase("dice"), event.rolls)]
    return words, join_phrases("; ", details)


def _left_aboard_words(event: BoardingFight | BoardersChecked, names: BattleNames) -> str:
    """Say who is left aboard: `Still aboard: New Anglian Confederation with 2 marines`."""
    sides = []
    for side, marines, parties in event.aboard:
        if marines or parties:
            people = boarders_words(marines, parties)
            sides.append(phrase("{} with {}", names.side(side), people))
    if sides:
        return phrase("Still aboard: {}", join_phrases("; ", sides))
    return phrase("None of them are left")


def _dice(people: str, dice: Iterable[int]) -> list[str]:
    """Return the dice of marines or boarders as a detail; none without dice."""
    rolls = " ".join(str(die) for die in dice)
    if rolls:
        return [phrase("{} {}", people, rolls)]
    return []
