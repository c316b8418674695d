"""Words for what craft of Continuum do in a battle: whom they attack, what shoots at them, when they fly again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, repeat

from campaign.pages.battle_phrases import Called, Event, Saying, die, far, thrown
from engine.core.kinds import Pilots
from engine.craft.squadron import FightAction
from engine.english import counted_noun, listed, system_words


def declared(event: Event, names: Called) -> tuple[str, str]:
    at = [*map(names.of, event["targets"]), *map(system_words, event["meets"])]
    words = f"{names.of(event['group'])} attacks {listed(at) or 'something out of sight'}"
    using = [system_words(one) for one in event["using"] if one not in ("fighters", "boats")]
    return words, f"with {listed(using)}" if using else ""


def shot_at(event: Event, names: Called) -> tuple[str, str]:
    for_whom = "" if event.get("guarded", event["ship"]) == event["ship"] else f" for {names.of(event['guarded'])}"
    made = counted_noun(event["hits"], "hit") if event["hits"] else "no hit"
    weapon, group = system_words(event["weapon"]), names.of(event["group"])
    return f"{names.of(event['ship'])} fires {weapon} at {group}{for_whom}: {made}", far(event)


def boats_fired(event: Event, names: Called) -> tuple[str, str]:
    made = counted_noun(event["hits"], "point") if event["hits"] else "nothing"
    at = f", aimed at its {system_words(event['system'])}" if event.get("system") else ""
    return f"{names.of(event['group'])} fires at {names.of(event['target'])}{at}: {made}", far(event)


def craft_launched(event: Event, names: Called) -> tuple[str, str]:
    what = counted_noun(event["rounds"], "round") + f" of {system_words(event['how'])}"
    who = names.of(event["group"])
    if event["dice"]:
        made = f"{event['strength']} hit" if event["strength"] else "none hits"
        return f"{who} fires {what} at {names.of(event['target'])}: {made}", thrown(event)
    return f"{who} launches {what}: {system_words(event['marker'])}", ""


def shuttles_landed(event: Event, names: Called) -> tuple[str, str]:
    aboard = f"{counted_noun(event['marines'], 'marine')} and {counted_noun(event['parties'], 'party')} aboard"
    dice = {**event, "dice": [*event["marine_dice"], *event["party_dice"]]}
    return f"{names.of(event['group'])} lands on {names.of(event['target'])}: {aboard}", thrown(dice)


def marker_met(event: Event, names: Called) -> tuple[str, str]:
    made = f"{event['hits']} shot down" if event["hits"] else "none hit"
    return f"{names.of(event['group'])} fires at {system_words(event['marker'])}: {made}", far(event)


def boats_guarded(event: Event, names: Called) -> tuple[str, str]:
    at = system_words(event["marker"]) if "marker" in event else names.of(event["prey"])
    for_whom = f" for {names.of(event['guarded'])}" if event["guarded"] else ""
    made = counted_noun(event["hits"], "hit") if event["hits"] else "no hit"
    who = f"{counted_noun(event['boats'], 'boat')} of {names.of(event['group'])}"
    return f"point defence by {who} at {at}{for_whom}: {made}", far(event)


def burned(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['group'])} is caught in a blast: {event['craft']} lost", thrown(event)


def rearmed(event: Event, names: Called) -> tuple[str, str]:
    when = f"it can fly again from turn {event['ready']}" if event["ready"] else "it flies no more in this battle"
    return f"{names.of(event['group'])} is aboard: {when}", f"die {event['die']}" if event["die"] else ""


def morale_thrown(event: Event, names: Called) -> tuple[str, str]:
    made = "goes through with its attack" if event["holds"] else "loses heart and breaks off its attack"
    return f"{names.of(event['group'])} {made}", f"die {event['die']}, {event['craft']} craft left"


def pilots_rolled(event: Event, names: Called) -> tuple[str, str]:
    words = f"the group of {system_words(event['bay'])} has {Pilots.words(event['pilots'])}"
    return f"{names.of(event['ship'])}: {words}", f"die {event['die']}"


def pilots_shown(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['group'])} shows {Pilots.words(event['pilots'])}", ""


def ace_fired(event: Event, names: Called) -> tuple[str, str]:
    made = "hits it" if event["needled"] else counted_noun(event["hits"], "point") if event["hits"] else "nothing"
    at = f"the {system_words(event['system'])} of {names.of(event['target'])}"
    return f"the ace of {names.of(event['group'])} aims at {at}: {made}", far(event)


def ace_duel(event: Event, names: Called) -> tuple[str, str]:
    made = "shoots him down" if event["won"] else "misses"
    return f"the ace of {names.of(event['group'])} goes for that of {names.of(event['target'])}: {made}", far(event)


def scrambled(event: Event, names: Called) -> tuple[str, str]:
    who, away = names.of(event["ship"]), event["groups"]
    if event["wrecked"]:
        return f"{who} scrambles, and a mishap puts its {system_words(event['wrecked'])} out of action", die(event)
    made = counted_noun(away, "group") + (" gets" if away == 1 else " get") + " away" if away else "nobody gets away"
    return f"{who} scrambles: {made}", die(event)


def hangar_checked(event: Event, names: Called) -> tuple[str, str]:
    bay, ship = system_words(event["bay"]), names.of(event["ship"])
    made = f"explodes for {counted_noun(event['points'], 'point')}" if event["dice"] else "does not explode"
    least = event.get("explodes_to")  # nothing for those who do not know how its decks are
    told = f"die {event['die']}" if least is None else f"die {event['die']}, up to {least}"
    return f"The {bay} of {ship} {made}", f"{told}; {thrown(event)}"


def run_met(event: Event, names: Called) -> tuple[str, str]:
    level = event["level"] + event["screens"]
    lower = f", {counted_noun(event['lower'], 'band')} lower" if event["lower"] else ""
    by = f"{event['level']} and {event['screens']} by its screens" if event["screens"] else ""
    return f"{names.of(event['group'])} meets level {level} at {names.of(event['ship'])}{lower}", by


def screen_thrown(event: Event, names: Called) -> tuple[str, str]:
    made = counted_noun(event["hits"], "hit") if event["hits"] else "nothing"
    return f"{names.of(event['group'])} defends {names.of(event['guarded'])}: {made}", thrown(event)


def craft_caught(event: Event, names: Called) -> tuple[str, str]:
    who = " and ".join(names.of(group) for group in event["groups"])
    made = f"{event['craft']} craft hit" if event["craft"] else "nobody hit"
    return f"point defence of {names.of(event['ship'])} at {who}: {made}", thrown(event)


def actions_ordered(event: Event, names: Called) -> tuple[str, str]:
    order = chain(["first"], repeat("then"))
    told = [f"{word} {action}" for word, action in zip(order, event["actions"], strict=False)]
    to = event["leaves_to"]
    leaves = f"then flies to {to[0]:g}, {to[1]:g}" if to else ""
    parts = ", ".join([*told, *([leaves] if leaves else [])])
    return f"{names.of(event['group'])} is told for a dogfight: {parts}", ""


def dogfight_action(event: Event, names: Called) -> tuple[str, str]:
    who, foe = names.of(event["group"]), names.of(event["target"])
    pools, at = [], 0
    for dice in event["weapons"]:
        pools.append(" ".join(map(str, event["dice"][at : at + dice])))
        at += dice
    thrown_dice = f"dice {' / '.join(pools)}" if event["dice"] else ""
    if event["action"] == FightAction.BREAK_OFF:
        return f"{who} {'breaks off' if event['done'] else 'cannot break off'} its dogfight with {foe}", thrown_dice
    made = counted_noun(event["points"], "point") + " of damage" if event["points"] else "nothing"
    does = "stays on its target, and fires at" if event["action"] == FightAction.STAY else "engages"
    return f"{who} {does} {foe}: {made}", thrown_dice


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
