"""Words for what ordnance does in a battle: how lines of its log about launches, point defence and strikes are made."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.words.battle.phrases import Called, Event, Saying, die, far, fired_for, guarded_by, place, thrown
from campaign.words.stored_reasons import told_again
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, system_words


def launched(event: Event, names: Called) -> tuple[str, str]:
    words = phrase("{} launches {} {}", names.of(event["ship"]), system_words(event["marker"]), place(event))
    return phrase("{} from its {}", words, system_words(event["weapon"])), joined_phrases(", ", _grade(event))


def _grade(event: Event) -> list[str]:
    """What only its own side is told of a launch."""
    return [str(event[part]) for part in ("grade", "fuse") if event.get(part)]


def rockets(event: Event, names: Called) -> tuple[str, str]:
    hits = sum(die >= event["needed"] for die in event["dice"])
    made = (
        phrase("{} on the way ({})", counted_noun(hits, "rocket"), system_words(event["marker"]))
        if hits
        else phrase("all miss")
    )
    words = phrase(
        "{} fires {} at {}: {}", names.of(event["ship"]), system_words(event["weapon"]), names.of(event["target"]), made
    )
    return words, phrase("{:.0f} MU, {} or more, {}", event["range"], event["needed"], thrown(event))


def staged(event: Event, _names: Called) -> tuple[str, str]:
    return phrase("{} flies on, {}, facing course {}", _marker(event), place(event), event["course"]), ""


def homed(event: Event, names: Called) -> tuple[str, str]:
    detail = joined_phrases(", ", (part for part in (f"{event['range']:.0f} MU", die(event)) if part))
    return phrase("{} attacks {}", _marker(event), names.of(event["ship"])), detail


def met(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("{} shot down", event["hits"]) if event["hits"] else phrase("none hit")
    ship, weapon, marker = names.of(event["ship"]), system_words(event["weapon"]), system_words(event["marker"])
    return fired_for(ship, weapon, marker, guarded_by(event, names), made), far(event)


def struck(event: Event, names: Called) -> tuple[str, str]:
    if event["through"]:
        words = phrase(
            "{} strikes {} for {}", _marker(event), names.of(event["ship"]), counted_noun(event["points"], "point")
        )
    else:
        words = phrase("Nothing of {} reaches {}", system_words(event["marker"]), names.of(event["ship"]))
    got = phrase("{} got through", event["through"]) if event["through"] else ""
    screens = phrase("advanced screens {}", event["screens"]) if event["screens"] else ""
    return words, joined_phrases(", ", (part for part in (die(event), got, screens, thrown(event)) if part))


def shaped(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("hits") if event["marker"] else phrase("misses")
    words = phrase("{} fires a shaped bolt from {} at", names.of(event["ship"]), system_words(event["weapon"]))
    detail = phrase("{:.0f} MU, needs {}, die {}", event["range"], event["needed"], event["die"])
    return phrase("{} {} and {}", words, names.of(event["target"]), made), detail


def burst(event: Event, _names: Called) -> tuple[str, str]:
    return phrase("{} goes off {}", _marker(event), place(event)), phrase("{} left of it", event["left"])


def level_thrown(event: Event, names: Called) -> tuple[str, str]:
    made = counted_noun(event["hits"], "hit") if event["hits"] else phrase("nothing")
    ship, weapon, whom = names.of(event["ship"]), system_words(event["weapon"]), guarded_by(event, names)
    if whom:
        return phrase("{} fires {} as point defence for {}: {}", ship, weapon, whom, made), thrown(event)
    return phrase("{} fires {} as point defence: {}", ship, weapon, made), thrown(event)


def defence_level(event: Event, names: Called) -> tuple[str, str]:
    less = phrase("{} against its salvoes", event["at_salvoes"]) if event["at_salvoes"] != event["level"] else ""
    return phrase("{} has a point defence level of {}", names.of(event["ship"]), event["level"]), less


def gone(event: Event, _names: Called) -> tuple[str, str]:
    return phrase("{} is gone: {}", _marker(event), told_again(str(event["why"]))), ""


def _marker(event: Event) -> str:
    return system_words(event["marker"]).capitalize()


ORDNANCE_SAYINGS: Mapping[str, Saying] = {
    "ordnance-launched": launched,
    "rockets-launched": rockets,
    "shaped-bolt": shaped,
    "ordnance-staged": staged,
    "ordnance-homed": homed,
    "ordnance-met": met,
    "ordnance-struck": struck,
    "ordnance-gone": gone,
    "ordnance-burst": burst,
    "level-thrown": level_thrown,
    "defence-level": defence_level,
}
