"""Words for what ordnance does in a battle: how lines of its log about launches, point defence and strikes are made."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.pages.battle_phrases import Called, Event, Saying, die, far, place, thrown
from engine.english import counted_noun, system_words


def launched(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} launches {system_words(event['marker'])} {place(event)}"
    return f"{words} from its {system_words(event['weapon'])}", ", ".join(_grade(event))


def _grade(event: Event) -> list[str]:
    """What only its own side is told of a launch."""
    return [str(event[part]) for part in ("grade", "fuse") if event.get(part)]


def rockets(event: Event, names: Called) -> tuple[str, str]:
    hits = sum(die >= event["needed"] for die in event["dice"])
    made = f"{counted_noun(hits, 'rocket')} on the way ({system_words(event['marker'])})" if hits else "all miss"
    words = f"{names.of(event['ship'])} fires {system_words(event['weapon'])} at {names.of(event['target'])}: {made}"
    return words, f"{event['range']:.0f} MU, {event['needed']} or more, {thrown(event)}"


def staged(event: Event, _names: Called) -> tuple[str, str]:
    return f"{_marker(event)} flies on, {place(event)}, facing course {event['course']}", ""


def homed(event: Event, names: Called) -> tuple[str, str]:
    detail = ", ".join(part for part in (f"{event['range']:.0f} MU", die(event)) if part)
    return f"{_marker(event)} attacks {names.of(event['ship'])}", detail


def met(event: Event, names: Called) -> tuple[str, str]:
    made = f"{event['hits']} shot down" if event["hits"] else "none hit"
    for_whom = "" if event["guarded"] == event["ship"] else f" for {names.of(event['guarded'])}"
    weapon, marker = system_words(event["weapon"]), system_words(event["marker"])
    return f"{names.of(event['ship'])} fires {weapon} at {marker}{for_whom}: {made}", far(event)


def struck(event: Event, names: Called) -> tuple[str, str]:
    if event["through"]:
        words = f"{_marker(event)} strikes {names.of(event['ship'])} for {counted_noun(event['points'], 'point')}"
    else:
        words = f"Nothing of {system_words(event['marker'])} reaches {names.of(event['ship'])}"
    got = f"{event['through']} got through" if event["through"] else ""
    screens = f"advanced screens {event['screens']}" if event["screens"] else ""
    return words, ", ".join(part for part in (die(event), got, screens, thrown(event)) if part)


def shaped(event: Event, names: Called) -> tuple[str, str]:
    made = "hits" if event["marker"] else "misses"
    words = f"{names.of(event['ship'])} fires a shaped bolt from {system_words(event['weapon'])} at"
    detail = f"{event['range']:.0f} MU, needs {event['needed']}, die {event['die']}"
    return f"{words} {names.of(event['target'])} and {made}", detail


def burst(event: Event, _names: Called) -> tuple[str, str]:
    return f"{_marker(event)} goes off {place(event)}", f"{event['left']} left of it"


def level_thrown(event: Event, names: Called) -> tuple[str, str]:
    whom = "" if event["guarded"] == event["ship"] else f" for {names.of(event['guarded'])}"
    made = counted_noun(event["hits"], "hit") if event["hits"] else "nothing"
    words = f"{names.of(event['ship'])} fires {system_words(event['weapon'])} as point defence{whom}: {made}"
    return words, thrown(event)


def defence_level(event: Event, names: Called) -> tuple[str, str]:
    less = f"{event['at_salvoes']} against its salvoes" if event["at_salvoes"] != event["level"] else ""
    return f"{names.of(event['ship'])} has a point defence level of {event['level']}", less


def gone(event: Event, _names: Called) -> tuple[str, str]:
    return f"{_marker(event)} is gone: {event['why']}", ""


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
