"""Words for what craft of Continuum do in a battle: whom they attack, what shoots at them, when they fly again."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.words.battle.phrases import Called, Event, Saying, die, far, fired_for, guarded_by, thrown
from engine.core.kinds import Pilots
from engine.core.phrase import joined_phrases, phrase
from engine.craft.squadron import FightAction
from engine.english import counted_noun, listed, system_words


def declared(event: Event, names: Called) -> tuple[str, str]:
    at = [*map(names.of, event["targets"]), *map(system_words, event["meets"])]
    words = phrase("{} attacks {}", names.of(event["group"]), listed(at) or "something out of sight")
    using = [system_words(one) for one in event["using"] if one not in ("fighters", "boats")]
    return words, phrase("with {}", listed(using)) if using else ""


def shot_at(event: Event, names: Called) -> tuple[str, str]:
    made = counted_noun(event["hits"], "hit") if event["hits"] else phrase("no hit")
    ship, weapon, group = names.of(event["ship"]), system_words(event["weapon"]), names.of(event["group"])
    return fired_for(ship, weapon, group, guarded_by(event, names), made), far(event)


def boats_fired(event: Event, names: Called) -> tuple[str, str]:
    made = counted_noun(event["hits"], "point") if event["hits"] else "nothing"
    group, target = names.of(event["group"]), names.of(event["target"])
    if event.get("system"):
        return phrase("{} fires at the {} of {}: {}", group, system_words(event["system"]), target, made), far(event)
    return phrase("{} fires at {}: {}", group, target, made), far(event)


def craft_launched(event: Event, names: Called) -> tuple[str, str]:
    what = phrase("{} of {}", counted_noun(event["rounds"], "round"), system_words(event["how"]))
    who = names.of(event["group"])
    if event["dice"]:
        made = phrase("{} hit", event["strength"]) if event["strength"] else phrase("none hits")
        return phrase("{} fires {} at {}: {}", who, what, names.of(event["target"]), made), thrown(event)
    return phrase("{} launches {}: {}", who, what, system_words(event["marker"])), ""


def shuttles_landed(event: Event, names: Called) -> tuple[str, str]:
    aboard = phrase(
        "{} and {} aboard", counted_noun(event["marines"], "marine"), counted_noun(event["parties"], "party")
    )
    dice = {**event, "dice": [*event["marine_dice"], *event["party_dice"]]}
    return phrase("{} lands on {}: {}", names.of(event["group"]), names.of(event["target"]), aboard), thrown(dice)


def marker_met(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("{} shot down", event["hits"]) if event["hits"] else phrase("none hit")
    return phrase("{} fires at {}: {}", names.of(event["group"]), system_words(event["marker"]), made), far(event)


def boats_guarded(event: Event, names: Called) -> tuple[str, str]:
    at = system_words(event["marker"]) if "marker" in event else names.of(event["prey"])
    made = counted_noun(event["hits"], "hit") if event["hits"] else phrase("no hit")
    who = phrase("{} of {}", counted_noun(event["boats"], "boat"), names.of(event["group"]))
    if event["guarded"]:
        guarded = names.of(event["guarded"])
        return phrase("point defence by {} at {} for {}: {}", who, at, guarded, made), far(event)
    return phrase("point defence by {} at {}: {}", who, at, made), far(event)


def burned(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} is caught in a blast: {} lost", names.of(event["group"]), event["craft"]), thrown(event)


def rearmed(event: Event, names: Called) -> tuple[str, str]:
    when = (
        phrase("it can fly again from turn {}", event["ready"])
        if event["ready"]
        else phrase("it flies no more in this battle")
    )
    return phrase("{} is aboard: {}", names.of(event["group"]), when), phrase("die {}", event["die"]) if event[
        "die"
    ] else ""


def morale_thrown(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("goes through with its attack") if event["holds"] else phrase("loses heart and breaks off its attack")
    return phrase("{} {}", names.of(event["group"]), made), phrase(
        "die {}, {} craft left", event["die"], event["craft"]
    )


def pilots_rolled(event: Event, names: Called) -> tuple[str, str]:
    words = phrase("the group of {} has {}", system_words(event["bay"]), Pilots.words(event["pilots"]))
    return phrase("{}: {}", names.of(event["ship"]), words), phrase("die {}", event["die"])


def pilots_shown(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} shows {}", names.of(event["group"]), Pilots.words(event["pilots"])), ""


def ace_fired(event: Event, names: Called) -> tuple[str, str]:
    made = (
        phrase("hits it") if event["needled"] else counted_noun(event["hits"], "point") if event["hits"] else "nothing"
    )
    at = phrase("the {} of {}", system_words(event["system"]), names.of(event["target"]))
    return phrase("the ace of {} aims at {}: {}", names.of(event["group"]), at, made), far(event)


def ace_duel(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("shoots him down") if event["won"] else phrase("misses")
    return phrase(
        "the ace of {} goes for that of {}: {}", names.of(event["group"]), names.of(event["target"]), made
    ), far(event)


def scrambled(event: Event, names: Called) -> tuple[str, str]:
    who, away = names.of(event["ship"]), event["groups"]
    if event["wrecked"]:
        return phrase("{} scrambles, and a mishap puts its {} out of action", who, system_words(event["wrecked"])), die(
            event
        )
    groups = counted_noun(away, "group")
    made = phrase("{} got away", groups) if away else phrase("nobody gets away")
    return phrase("{} scrambles: {}", who, made), die(event)


def hangar_checked(event: Event, names: Called) -> tuple[str, str]:
    bay, ship = system_words(event["bay"]), names.of(event["ship"])
    made = (
        phrase("explodes for {}", counted_noun(event["points"], "point"))
        if event["dice"]
        else phrase("does not explode")
    )
    least = event.get("explodes_to")  # nothing for those who do not know how its decks are
    told = phrase("die {}", event["die"]) if least is None else phrase("die {}, up to {}", event["die"], least)
    dice = thrown(event)
    words = phrase("The {} of {} {}", bay, ship, made)
    return words, phrase("{}; {}", told, dice) if dice else told


def run_met(event: Event, names: Called) -> tuple[str, str]:
    level = event["level"] + event["screens"]
    by = phrase("{} and {} by its screens", event["level"], event["screens"]) if event["screens"] else ""
    words = phrase("{} meets level {} at {}", names.of(event["group"]), level, names.of(event["ship"]))
    return phrase("{}, {} lower", words, counted_noun(event["lower"], "band")) if event["lower"] else words, by


def screen_thrown(event: Event, names: Called) -> tuple[str, str]:
    hits = event["hits"]
    made = counted_noun(hits, "hit") if hits else phrase("nothing")
    group, guarded = names.of(event["group"]), names.of(event["guarded"])
    return phrase("{} defends {}: {}", group, guarded, made), thrown(event)


def craft_caught(event: Event, names: Called) -> tuple[str, str]:
    who = joined_phrases(" and ", (names.of(group) for group in event["groups"]))
    made = phrase("{} craft hit", event["craft"]) if event["craft"] else phrase("nobody hit")
    return phrase("point defence of {} at {}: {}", names.of(event["ship"]), who, made), thrown(event)


def actions_ordered(event: Event, names: Called) -> tuple[str, str]:
    actions = [phrase(str(action)) for action in event["actions"]]
    told = [phrase("first {}", action) for action in actions[:1]]
    told += [phrase("then {}", action) for action in actions[1:]]
    to = event["leaves_to"]
    leaves = phrase("then flies to {:g}, {:g}", to[0], to[1]) if to else ""
    parts = joined_phrases(", ", [*told, *([leaves] if leaves else [])])
    return phrase("{} is told for a dogfight: {}", names.of(event["group"]), parts), ""


def dogfight_action(event: Event, names: Called) -> tuple[str, str]:
    who, foe = names.of(event["group"]), names.of(event["target"])
    pools, at = [], 0
    for dice in event["weapons"]:
        pools.append(" ".join(map(str, event["dice"][at : at + dice])))
        at += dice
    thrown_dice = phrase("dice {}", " / ".join(pools)) if event["dice"] else ""
    if event["action"] == FightAction.BREAK_OFF:
        if event["done"]:
            return phrase("{} breaks off its dogfight with {}", who, foe), thrown_dice
        return phrase("{} cannot break off its dogfight with {}", who, foe), thrown_dice
    made = phrase("{} of damage", counted_noun(event["points"], "point")) if event["points"] else phrase("nothing")
    if event["action"] == FightAction.STAY:
        return phrase("{} stays on its target, and fires at {}: {}", who, foe, made), thrown_dice
    return phrase("{} engages {}: {}", who, foe, made), thrown_dice


CRAFT_SAYINGS: Mapping[str, Saying] = {
    "attack-declared": declared,
    "craft-met": shot_at,
    "group-shot-at": shot_at,
    "boats-fired": boats_fired,
    "craft-launched": craft_launched,
    "shuttles-landed": shuttles_landed,
    "marker-met": marker_met,
    "boats-met-craft": boats_guarded,
    "boats-met-ordnance": boats_guarded,
    "scrambled": scrambled,
    "morale-thrown": morale_thrown,
    "pilots-rolled": pilots_rolled,
    "pilots-shown": pilots_shown,
    "ace-fired": ace_fired,
    "ace-duel": ace_duel,
    "craft-burned": burned,
    "hangar-checked": hangar_checked,
    "rearmed": rearmed,
    "run-met": run_met,
    "screen-thrown": screen_thrown,
    "craft-caught": craft_caught,
    "actions-ordered": actions_ordered,
    "dogfight-action": dogfight_action,
}
