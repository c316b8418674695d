"""Words for what ordnance does in a battle: how lines of its log about launches, point defence and
strikes are made.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    Called,
    Words,
    dice_words,
    die,
    far,
    fired_for,
    guarded_by,
    place,
    words_of,
)
from campaign.words.stored_reasons import reason_words
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, system_words
from engine.events.defence_level import DefenceLevel, LevelThrown
from engine.pieces.marker import (
    OrdnanceBurst,
    OrdnanceGone,
    OrdnanceHomed,
    OrdnanceLaunched,
    OrdnanceMet,
    OrdnanceStaged,
    OrdnanceStruck,
    RocketsLaunched,
    ShapedBolt,
)


@words_of(OrdnanceLaunched)
def launched(event: OrdnanceLaunched, names: Called) -> Words:
    grade = [part for part in (event.grade, event.fuse) if part]  # its own side alone is told
    words = phrase(
        "{} launches {} {}", names.of(event.ship), system_words(event.marker), place(event.at)
    )
    return phrase("{} from its {}", words, system_words(event.weapon)), joined_phrases(", ", grade)


@words_of(RocketsLaunched)
def rockets(event: RocketsLaunched, names: Called) -> Words:
    hits = sum(die >= event.needed for die in event.dice)
    made = (
        phrase("{} on the way ({})", counted_noun(hits, "rocket"), system_words(event.marker))
        if hits
        else phrase("all miss")
    )
    words = phrase(
        "{} fires {} at {}: {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.target),
        made,
    )
    return words, phrase(
        "{:.0f} MU, {} or more, {}", event.range, event.needed, dice_words(event.dice)
    )


@words_of(OrdnanceStaged)
def staged(event: OrdnanceStaged, _names: Called) -> Words:
    return phrase(
        "{} flies on, {}, facing course {}", _marker(event.marker), place(event.at), event.course
    ), ""


@words_of(OrdnanceHomed)
def homed(event: OrdnanceHomed, names: Called) -> Words:
    detail = joined_phrases(
        ", ", (part for part in (f"{event.range:.0f} MU", die(event.die)) if part)
    )
    return phrase("{} attacks {}", _marker(event.marker), names.of(event.ship)), detail


@words_of(OrdnanceMet)
def met(event: OrdnanceMet, names: Called) -> Words:
    made = phrase("{} shot down", event.hits) if event.hits else phrase("none hit")
    ship, weapon, marker = (
        names.of(event.ship),
        system_words(event.weapon),
        system_words(event.marker),
    )
    return fired_for(ship, weapon, marker, guarded_by(event, names), made), far(event)


@words_of(OrdnanceStruck)
def struck(event: OrdnanceStruck, names: Called) -> Words:
    if event.through:
        words = phrase(
            "{} strikes {} for {}",
            _marker(event.marker),
            names.of(event.ship),
            counted_noun(event.points, "point"),
        )
    else:
        words = phrase("Nothing of {} reaches {}", system_words(event.marker), names.of(event.ship))
    got = phrase("{} got through", event.through) if event.through else ""
    screens = phrase("advanced screens {}", event.screens) if event.screens else ""
    return words, joined_phrases(
        ", ", (part for part in (die(event.die), got, screens, dice_words(event.dice)) if part)
    )


@words_of(ShapedBolt)
def shaped(event: ShapedBolt, names: Called) -> Words:
    made = phrase("hits") if event.marker else phrase("misses")
    words = phrase(
        "{} fires a shaped bolt from {} at", names.of(event.ship), system_words(event.weapon)
    )
    detail = phrase("{:.0f} MU, needs {}, die {}", event.range, event.needed, event.die)
    return phrase("{} {} and {}", words, names.of(event.target), made), detail


@words_of(OrdnanceBurst)
def burst(event: OrdnanceBurst, _names: Called) -> Words:
    return phrase("{} goes off {}", _marker(event.marker), place(event.at)), phrase(
        "{} left of it", event.left
    )


@words_of(LevelThrown)
def level_thrown(event: LevelThrown, names: Called) -> Words:
    made = counted_noun(event.hits, "hit") if event.hits else phrase("nothing")
    ship, weapon, whom = names.of(event.ship), system_words(event.weapon), guarded_by(event, names)
    if whom:
        return phrase(
            "{} fires {} as point defence for {}: {}", ship, weapon, whom, made
        ), dice_words(event.dice)
    return phrase("{} fires {} as point defence: {}", ship, weapon, made), dice_words(event.dice)


@words_of(DefenceLevel)
def defence_level(event: DefenceLevel, names: Called) -> Words:
    less = (
        phrase("{} against its salvoes", event.at_salvoes)
        if event.at_salvoes != event.level
        else ""
    )
    return phrase("{} has a point defence level of {}", names.of(event.ship), event.level), less


@words_of(OrdnanceGone)
def gone(event: OrdnanceGone, _names: Called) -> Words:
    return phrase("{} is gone: {}", _marker(event.marker), reason_words(event.why)), ""


def _marker(name: str) -> str:
    return system_words(name).capitalize()
