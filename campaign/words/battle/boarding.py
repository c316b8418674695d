"""Sentences of a battle's log about fights aboard a ship."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.words.battle.phrases import BattleNames, Words, words_of
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun
from engine.events.boarding import BoardersChecked, BoardingFight


@words_of(BoardingFight)
def fought_aboard_words(event: BoardingFight, names: BattleNames) -> Words:
    """Describe a turn's fight: who is left aboard, with the dice of both sides."""
    dice = []
    for party_count, die in event.repelled:
        dice.append(phrase("{} sent, die {}", counted_noun(party_count, "party"), die))
    dice += _dice(phrase("marines"), event.defended)
    dice += _dice(phrase("boarders"), event.attacked)
    return phrase(
        "Boarders fight aboard {}: {}", names.of(event.ship), _left_aboard_words(event, names)
    ), join_phrases("; ", dice)


@words_of(BoardersChecked)
def boarders_checked_words(event: BoardersChecked, names: BattleNames) -> Words:
    """Describe a damage check among boarders: who is left aboard, with its dice."""
    words = phrase(
        "Boarders aboard {} take losses with the ship: {}",
        names.of(event.ship),
        _left_aboard_words(event, names),
    )
    return words, join_phrases(
        "; ", (phrase("lost on {} or more", event.loses_on), *_dice(phrase("dice"), event.rolls))
    )


def _left_aboard_words(event: BoardingFight | BoardersChecked, names: BattleNames) -> str:
    """Describe who is left aboard: `New Anglian Confederation with 2 marines and 1 party`."""
    sides = []
    for name, marines, parties in event.aboard:
        if marines or parties:
            sides.append(
                phrase(
                    "{} with {} and {}",
                    names.side(name),
                    counted_noun(marines, "marine"),
                    counted_noun(parties, "party"),
                )
            )
    if sides:
        return phrase("left: {}", join_phrases("; ", sides))
    return phrase("none of them are left")


def _dice(side_words: str, dice: Iterable[int]) -> list[str]:
    rolls = " ".join(str(die) for die in dice)
    if rolls:
        return [phrase("{} {}", side_words, rolls)]
    return []
