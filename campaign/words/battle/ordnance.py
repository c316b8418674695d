"""Sentences of a battle's log about ordnance: launches, point defence and strikes."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    details_words,
    dice_words,
    die,
    guarded_ship_name,
    plural_words_of,
    point_defence_shot_words,
    point_words,
    range_words,
    words_of,
)
from engine.core.phrase import phrase
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
    words = phrase(
        "{} launches {} {}", names.of(event.ship), system_words(event.marker), point_words(event.at)
    )
    words = phrase("{} from its {}", words, system_words(event.weapon))
    return words, details_words(event.grade, event.fuse)  # known only to its own side


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
    marker = _marker_name(event.marker)
    return phrase("{} flies on, {}, facing {}", marker, point_words(event.at), event.course), ""


@words_of(OrdnanceHomed)
def ordnance_homed_words(event: OrdnanceHomed, names: BattleNames) -> Words:
    words = phrase("{} attacks {}", _marker_name(event.marker), names.of(event.ship))
    return words, details_words(f"{event.range:.0f} MU", die(event.die))


@words_of(PointDefenceAtOrdnance)
def point_defence_at_ordnance_words(event: PointDefenceAtOrdnance, names: BattleNames) -> Words:
    words = point_defence_shot_words(
        names.of(event.ship),
        system_words(event.weapon),
        target=system_words(event.marker),
        guarded=guarded_ship_name(event, names),
        result=phrase("{} shot down", event.hits) if event.hits else phrase("none hit"),
    )
    return words, range_words(event)


@words_of(OrdnanceStruck)
def ordnance_struck_words(event: OrdnanceStruck, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    count_text = ""
    if event.through:
        points = counted_noun(event.points, "point")
        words = phrase("{} hits {} for {}", _marker_name(event.marker), ship, points)
        count_text = phrase("{} got through", event.through)
    else:
        words = phrase("None of {} reaches {}", system_words(event.marker), ship)
    detail = details_words(
        die(event.die),
        count_text,
        phrase("advanced screens {}", event.screens) if event.screens else "",
        dice_words(event.dice),
    )
    return words, detail


@words_of(ShapedBolt)
def shaped_bolt_words(event: ShapedBolt, names: BattleNames) -> Words:
    result = phrase("hits") if event.marker else phrase("misses")
    words = phrase(
        "{} fires a shaped bolt from {} at", names.of(event.ship), system_words(event.weapon)
    )
    detail = phrase("{:.0f} MU, needs {}, die {}", event.range, event.needed, event.die)
    return phrase("{} {} and {}", words, names.of(event.target), result), detail


@words_of(OrdnanceBurst)
def ordnance_burst_words(event: OrdnanceBurst, _names: BattleNames) -> Words:
    words = phrase("{} explodes {}", _marker_name(event.marker), point_words(event.at))
    return words, phrase("{} left", event.remaining)


@words_of(DefenceLevelRolled)
def defence_level_rolled_words(event: DefenceLevelRolled, names: BattleNames) -> Words:
    result = counted_noun(event.hits, "hit") if event.hits else phrase("nothing")
    ship = names.of(event.ship)
    weapon = system_words(event.weapon)
    guarded = guarded_ship_name(event, names)
    if guarded:
        words = phrase("{} fires {} as point defence for {}: {}", ship, weapon, guarded, result)
    else:
        words = phrase("{} fires {} as point defence: {}", ship, weapon, result)
    return words, dice_words(event.dice)


@words_of(DefenceLevel)
def defence_level_words(event: DefenceLevel, names: BattleNames) -> Words:
    words = phrase("{} has a point defence level of {}", names.of(event.ship), event.level)
    if event.at_salvoes == event.level:
        return words, ""
    return words, phrase("{} against its salvoes", event.at_salvoes)


@plural_words_of(DefenceLevel)
def defence_levels_words(event: DefenceLevel, names: BattleNames) -> Words:
    return phrase("{} have a point defence level of {}", names.of(event.ship), event.level), ""


@words_of(OrdnanceRemoved)
def ordnance_removed_words(event: OrdnanceRemoved, _names: BattleNames) -> Words:
    return phrase("{} is removed: {}", _marker_name(event.marker), event.reason), ""


def _marker_name(name: str) -> str:
    """Return a marker's name at the beginning of a sentence."""
    return system_words(name).capitalize()
