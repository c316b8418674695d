"""Words for fights aboard a ship: how lines of a battle's log about boarders are made."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.words.battle.phrases import Called, Words, words_of
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun
from engine.events.boarding import BoardersChecked, FoughtAboard


@words_of(FoughtAboard)
def fought_aboard(event: FoughtAboard, names: Called) -> Words:
    """A turn's fight: who is left aboard, with the dice of both sides."""
    dice = [
        phrase("{} sent, die {}", counted_noun(sent, "party"), die) for sent, die in event.repelled
    ]
    dice += _dice(phrase("marines"), event.defended)
    dice += _dice(phrase("boarders"), event.attacked)
    return phrase(
        "Boarders fight aboard {}: {}", names.of(event.ship), _left(event, names)
    ), joined_phrases("; ", dice)


@words_of(BoardersChecked)
def boarders_checked(event: BoardersChecked, names: Called) -> Words:
    """A check for damage among boarders: who is left aboard, with its dice."""
    words = phrase(
        "Boarders aboard {} suffer with the ship: {}", names.of(event.ship), _left(event, names)
    )
    return words, joined_phrases(
        "; ", (phrase("lost on {} or more", event.loses_on), *_dice(phrase("dice"), event.rolls))
    )


def _left(event: FoughtAboard | BoardersChecked, names: Called) -> str:
    """Who is left aboard: `New Anglian Confederation with 2 marines and 1 party`."""
    sides = [
        phrase(
            "{} with {} and {}",
            names.side(name),
            counted_noun(marines, "marine"),
            counted_noun(parties, "party"),
        )
        for name, marines, parties in event.aboard
        if marines or parties
    ]
    return (
        phrase("left are {}", joined_phrases("; ", sides))
        if sides
        else phrase("none of them are left")
    )


def _dice(whose: str, dice: Iterable[int]) -> list[str]:
    thrown = " ".join(str(die) for die in dice)
    return [phrase("{} {}", whose, thrown)] if thrown else []
