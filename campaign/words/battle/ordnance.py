"""Sentences of a battle's log about ordnance: launches, point defence and strikes."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    dice_words,
    die,
    guarded_ship_name,
    point_defence_shot_words,
    point_words,
    range_words,
    words_of,
)
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, system_words
from engine.events.defence_level import DefenceLevel, DefenceLevelRolled
from engine.pieces.marker import (
    OrdnanceBurst,
    OrdnanceHomed,
    OrdnanceLaunched,
    OrdnanceRemoved,
    OrdnanceStaged,
    OrdnanceStruck,
    PointDefenceAtOrdnance,
    RocketsLaunched,
    ShapedBolt,
)


@words_of(OrdnanceLaunched)
def ordnance_launched_words(event: OrdnanceLaunched, names: BattleNames) -> Words:
    grade = [part for part in (event.grade, event.fuse) if part]  # known only to its own side
    words = phrase(
        "{} launches {} {}", names.of(event.ship), system_words(event.marker), point_words(event.at)
    )
    return phrase("{} from its {}", words, system_words(event.weapon)), join_phrases(", ", grade)


@words_of(RocketsLaunched)
def rockets_launched_words(event: RocketsLaunched, names: BattleNames) -> Words:
    hits = sum(die >= event.needed for die in event.dice)
    if hits:
        result = phrase(
            "{} in flight ({})", counted_noun(hits, "rocket"), system_words(event.marker)
        )
    else:
        result = phrase("all miss")
    words = phrase(
        "{} fires {} at {}: {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.target),
        result,
    )
    return words, phrase(
        "{:.0f} MU, {} or more, {}", event.range, event.needed, dice_words(event.dice)
    )


@words_of(OrdnanceStaged)
def ordnance_staged_words(event: OrdnanceStaged, _names: BattleNames) -> Words:
    return phrase(
        "{} flies on, {}, facing {}",
        _marker(event.marker),
        point_words(event.at),
        event.course,
    ), ""


@words_of(OrdnanceHomed)
def ordnance_homed_words(event: OrdnanceHomed, names: BattleNames) -> Words:
    detail = join_phrases(
        ", ", (part for part in (f"{event.range:.0f} MU", die(event.die)) if part)
    )
    return phrase("{} attacks {}", _marker(event.marker), names.of(event.ship)), detail


@words_of(PointDefenceAtOrdnance)
def ordnance_met_words(event: PointDefenceAtOrdnance, names: BattleNames) -> Words:
    if event.hits:
        result = phrase("{} shot down", event.hits)
    else:
        result = phrase("none hit")
    ship = names.of(event.ship)
    weapon = system_words(event.weapon)
    marker = system_words(event.marker)
    return point_defence_shot_words(
        ship, weapon, marker, guarded_ship_name(event, names), result
    ), range_words(event)


@words_of(OrdnanceStruck)
def ordnance_struck_words(event: OrdnanceStruck, names: BattleNames) -> Words:
    if event.through:
        words = phrase(
            "{} hits {} for {}",
            _marker(event.marker),
            names.of(event.ship),
            counted_noun(event.points, "point"),
        )
    else:
        words = phrase("None of {} reaches {}", system_words(event.marker), names.of(event.ship))
    if event.through:
        through_text = phrase("{} got through", event.through)
    else:
        through_text = ""
    if event.screens:
        screens = phrase("advanced screens {}", event.screens)
    else:
        screens = ""
    return words, join_phrases(
        ", ",
        (part for part in (die(event.die), through_text, screens, dice_words(event.dice)) if part),
    )


@words_of(ShapedBolt)
def shaped_bolt_words(event: ShapedBolt, names: BattleNames) -> Words:
    if event.marker:
        result = phrase("hits")
    else:
        result = phrase("misses")
    words = phrase(
        "{} fires a shaped bolt from {} at", names.of(event.ship), system_words(event.weapon)
    )
    detail = phrase("{:.0f} MU, needs {}, die {}", event.range, event.needed, event.die)
    return phrase("{} {} and {}", words, names.of(event.target), result), detail


@words_of(OrdnanceBurst)
def ordnance_burst_words(event: OrdnanceBurst, _names: BattleNames) -> Words:
    return phrase("{} explodes {}", _marker(event.marker), point_words(event.at)), phrase(
        "{} of it left", event.remaining
    )


@words_of(DefenceLevelRolled)
def defence_level_rolled_words(event: DefenceLevelRolled, names: BattleNames) -> Words:
    if event.hits:
        result = counted_noun(event.hits, "hit")
    else:
        result = phrase("nothing")
    ship = names.of(event.ship)
    weapon = system_words(event.weapon)
    guarded = guarded_ship_name(event, names)
    if guarded:
        return phrase(
            "{} fires {} as point defence for {}: {}", ship, weapon, guarded, result
        ), dice_words(event.dice)
    return phrase("{} fires {} as point defence: {}", ship, weapon, result), dice_words(event.dice)


@words_of(DefenceLevel)
def defence_level_words(event: DefenceLevel, names: BattleNames) -> Words:
    if event.at_salvoes != event.level:
        salvo_text = phrase("{} against its salvoes", event.at_salvoes)
    else:
        salvo_text = ""
    return phrase(
        "{} has a point defence level of {}", names.of(event.ship), event.level
    ), salvo_text


@words_of(OrdnanceRemoved)
def ordnance_gone_words(event: OrdnanceRemoved, _names: BattleNames) -> Words:
    return phrase("{} is removed: {}", _marker(event.marker), event.reason), ""


def _marker(name: str) -> str:
    return system_words(name).capitalize()
