"""Words for what happens in a battle: how lines of its log are made, one function for each sort of event.

Each takes an event as it stands in a side's log and what that side calls things, and gives words and a detail. Here are
the parts they are made of, and what moves, shoots, comes and goes; hulls, craft, ordnance, scans, orbits and boarding
have modules of their own. `campaign.words.battle.log` asks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from campaign.words.stored_reasons import told_again
from engine.core.kinds import (
    ChaseOutcome,
    Edge,
    GateOutcome,
    JumpOutcome,
    RamOutcome,
    ShipStatus,
)
from engine.core.phrase import joined_phrases, phrase
from engine.documents import KINDS, kinds
from engine.english import Count, counted_noun, system_words
from engine.events.event import FieldMark, field_marks_of

# What people enter that a ship came to, as a sentence.
ENDS: dict[str, str] = {
    ShipStatus.FIGHTING: phrase("is still on the table"),
    ShipStatus.LEFT: phrase("left the table"),
    ShipStatus.FTL: phrase("left under FTL"),
    ShipStatus.DESTROYED: phrase("is destroyed"),
    ShipStatus.CAPTURED: phrase("is captured"),
    ShipStatus.STRUCK: phrase("struck its colours, and is held"),
    ShipStatus.SCANNED_AWAY: phrase("was found to be a decoy drone"),
    ShipStatus.HULK: phrase("is adrift"),
    ShipStatus.LANDED: phrase("is on the ground"),
}
STRIKE = "strike"  # fire of fighters at a ship that they attack
STRIKES = {
    "range": phrase("fire at"),
    "dogfight": phrase("dogfight with"),
    "parting": phrase("take a parting shot at"),
}
DOCKS = {
    "alongside": phrase("comes alongside"),
    "docked": phrase("docks with"),
    "berthed": phrase("is berthed in"),
    "casting-off": phrase("undocks from"),
    "free": phrase("is clear of"),
}


class Called(Protocol):
    """The names a side has for ships and groups, by the keys of its log."""

    def of(self, ship: object) -> str: ...

    def bogey(self, code: object) -> str: ...

    def side(self, key: str) -> str: ...


Event = Mapping[str, Any]
Saying = Callable[[Event, Called], tuple[str, str]]


def thrown(event: Event) -> str:
    """The dice of an event."""
    found = " ".join(str(die) for die in event.get("dice", ()))
    return phrase("dice {}", found) if found else ""


def die(event: Event) -> str:
    """The die of an event, where one was thrown."""
    return phrase("die {}", event["die"]) if event["die"] else ""


def hits_words(event: Event) -> str:
    """The hits of a weapon's fire in words."""
    return phrase("hits for {}", event["hits"]) if event["hits"] else phrase("misses")


def far(event: Event, *more: str) -> str:
    """The range and what else decided a weapon's fire."""
    parts = [f"{event['range']:.0f} MU", *more]
    if event.get("screens"):
        parts.append(phrase("screens {}", event["screens"]))
    return joined_phrases(", ", (part for part in (*parts, thrown(event)) if part))


def systems(names: Iterable[str]) -> str:
    return joined_phrases(", ", (system_words(name) for name in names))


def place(event: Event) -> str:
    """The place of an event in words."""
    x, y = event["at"]
    return phrase("at {:.0f}, {:.0f}", x, y)


def shot(event: Event, names: Called) -> tuple[str, str]:
    return _fires(event, names), far(event, phrase("arc {}", event["arc"]) if "arc" in event else "")


def torpedo(event: Event, names: Called) -> tuple[str, str]:
    return _fires(event, names), phrase("{:.0f} MU, needs {}, die {}", event["range"], event["needed"], event["die"])


def _fires(event: Event, names: Called) -> str:
    ship, target = names.of(event["ship"]), names.of(event["target"])
    return phrase("{} fires {} at {} and {}", ship, system_words(event["weapon"]), target, hits_words(event))


def guarded_by(event: Event, names: Called) -> str:
    """Whom point defence protects where that is not the ship that fires; empty where it is."""
    guarded = event.get("guarded", event["ship"])
    return "" if guarded == event["ship"] else names.of(guarded)


def fired_for(ship: str, weapon: str, target: str, guarded: str, made: str) -> str:
    """A shot of point defence, for another ship where one is named."""
    if guarded:
        return phrase("{} fires {} at {} for {}: {}", ship, weapon, target, guarded, made)
    return phrase("{} fires {} at {}: {}", ship, weapon, target, made)


def needle(event: Event, names: Called) -> tuple[str, str]:
    aimed = phrase("at {} of {}", system_words(event["system"]), names.of(event["target"]))
    return phrase("{} aims a needle beam {}", names.of(event["ship"]), aimed), phrase(
        "{:.0f} MU, die {}", event["range"], event["die"]
    )


def threshold(event: Event, names: Called) -> tuple[str, str]:
    lost = systems(event["lost"])
    rolls = joined_phrases(", ", (phrase("{} rolled {}", system_words(system), die) for system, die in event["rolls"]))
    words = phrase(
        "{} makes a threshold check: {}",
        names.of(event["ship"]),
        phrase("loses {}", lost) if lost else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event["loses_on"], rolls)


def revealed(event: Event, names: Called) -> tuple[str, str]:
    if event["ship"] != event["contact"]:
        return phrase("They identified {}", names.of(event["ship"])), ""
    return phrase("{} is identified: {}", names.bogey(event["contact"]), names.of(event["ship"])), ""


def dummy_found(event: Event, names: Called) -> tuple[str, str]:
    if event["ship"] != event["contact"]:
        return phrase("{} is recognised as a decoy by the other side", names.of(event["ship"])), ""
    return phrase("{} was a decoy drone", names.bogey(event["contact"])), ""


def left_table(event: Event, names: Called) -> tuple[str, str]:
    back = phrase("does not return") if not event["due"] else phrase("may return in turn {}", event["due"])
    edge = Edge.words(event["edge"])
    return phrase("{} leaves over the {} and {}", names.of(event["ship"]), edge, back), die(event)


def ftl_exit(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} {}", names.of(event["ship"]), JumpOutcome.words(event["outcome"])), die(event)


def initiative(event: Event, names: Called) -> tuple[str, str]:
    rolls = joined_phrases(", ", (phrase("{} {}", names.side(side), die) for side, die in event["rolls"]))
    order = joined_phrases(", ", (names.side(side) for side in event["order"]))
    return phrase("Fire order: {}", order), phrase("dice {}", rolls)


def fighters_fired(event: Event, names: Called) -> tuple[str, str]:
    group, target = names.of(event["group"]), names.of(event["target"])
    made = phrase("hit for {}", event["hits"]) if event["hits"] else phrase("hit nothing")
    if event["how"] == STRIKE:
        return phrase("{} attack {} and {}", group, target, made), far(event)
    how = STRIKES.get(event["how"], phrase("fire {} at", event["how"]))
    return phrase("{} {} {} and {}", group, how, target, made), far(event)


def point_defence(event: Event, names: Called) -> tuple[str, str]:
    made = phrase("{} shot down", event["hits"]) if event["hits"] else phrase("none hit")
    weapon = system_words(event["weapon"])
    return phrase("{} fires {} at {}: {}", names.of(event["ship"]), weapon, names.of(event["target"]), made), far(event)


def launched(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} launches {}, {} craft", names.of(event["ship"]), names.of(event["group"]), event["craft"]), ""


def craft_lost(event: Event, names: Called) -> tuple[str, str]:
    left = phrase("{} left", event["left"]) if event["left"] else phrase("none left")
    return phrase("{} lose {} craft, {}", names.of(event["group"]), event["craft"], left), die(event)


def ram(event: Event, names: Called) -> tuple[str, str]:
    words = phrase("{} {}", names.of(event["ship"]), RamOutcome.words(event["outcome"]))
    if event["outcome"] in (RamOutcome.EVADED, RamOutcome.RAMMED):
        words = joined_phrases(" ", (words, names.of(event["target"])))
    dice = [phrase("crew check {}, needs {}", event["will"], event["needs"])] if event["will"] else []
    dice += [phrase("totals {}", " ".join(map(str, event["sums"])))] if event["sums"] else []
    dice += [phrase("damage dice {}", " ".join(map(str, event["blows"])))] if event["blows"] else []
    return words, joined_phrases(", ", dice)


# What becomes of a ship that a gate has not put down anywhere.
GATE_ENDS = {GateOutcome.THROUGH: ShipStatus.FTL.label, GateOutcome.LOST: ShipStatus.DESTROYED.label}


def gate_set(event: Event, _names: Called) -> tuple[str, str]:
    """A gate that is activated."""
    return phrase("{} is activated: it takes ships from turn {} on", event["gate"], event["opens"]), die(event)


def gate_passed(event: Event, names: Called) -> tuple[str, str]:
    """A ship's way through a gate."""
    return phrase("{} {} {}", names.of(event["ship"]), GateOutcome.words(event["outcome"]), event["gate"]), die(event)


def arrived(event: Event, names: Called) -> tuple[str, str]:
    if not event["on_table"]:
        return phrase("{} comes out of FTL beyond the edge of the table", names.of(event["ship"])), thrown(event)
    return phrase("{} comes out of FTL {}, course {}", names.of(event["ship"]), place(event), event["course"]), thrown(
        event
    )


def disengaged(event: Event, names: Called) -> tuple[str, str]:
    told = (phrase("{} {}, total {}", names.side(side), die, total) for side, die, total in event["rolls"])
    rolls, side = joined_phrases(", ", told), names.side(event["side"])
    edge = Edge.words(event["edge"])
    words = phrase("{} left over the {} and {}", side, edge, ChaseOutcome.words(event["outcome"]))
    return words, phrase("dice {}", rolls) if rolls else ""


def table_moved(event: Event, names: Called) -> tuple[str, str]:
    gone = joined_phrases(", ", (names.of(name) for name in event["gone"]))
    words = phrase("The table moves by {:.0f}, {:.0f} MU", event["by_x"], event["by_y"])
    return phrase("{}; left behind: {}", words, gone) if gone else words, ""


def drifted(event: Event, _: Called) -> tuple[str, str]:
    many = len(event["rocks"])
    rocks = counted_noun(many, "asteroid")
    words = phrase("{} drifts", rocks) if many == 1 else phrase("{} drift", rocks)
    return phrase("{}, {} off the table", words, len(event["gone"])) if event["gone"] else words, ""


def entered(event: Event, names: Called) -> tuple[str, str]:
    words = phrase("{} {}", names.of(event["ship"]), ENDS.get(event["status"], event["status"]))
    if event["captor"]:
        words = phrase("{} by {}", words, names.side(event["captor"]))
    damage, lost = phrase("{} damage", event["damage"]), systems(event["lost"])
    return words, phrase("{}, lost {}", damage, lost) if lost else damage


def _filled(text: str, event: Event, names: Called) -> str:
    """Words with the event's fields in braces; a number may be given a noun: `{craft:craft}`."""
    told = {name: Count(value) if type(value) is int else value for name, value in event.items()}
    for name in ("weapon", "marker"):
        if isinstance(event.get(name), str):
            told[name] = system_words(event[name])
    if isinstance(event.get("side"), str):
        told["side"] = names.side(event["side"])
    return text.format(**told | ({"why": told_again(str(event["why"]))} if "why" in event else {}))


def of_ship(text: str, detail: Callable[[Event], str] | None = None) -> Saying:
    """A saying about one ship (or group): its name, and words with the event's fields in braces."""

    def say(event: Event, names: Called) -> tuple[str, str]:
        name = names.of(event.get("ship", event.get("group", "")))
        return phrase("{} {}", name, _filled(text, event, names)), detail(event) if detail else ""

    return say


def saying_of(kind: str) -> Saying | None:
    """The saying that a kind of event brings itself, None where it brings none."""
    cls = KINDS.get(kind) or kinds().get(kind)
    if cls is None or not cls.said:
        return None
    units = [field for field, mark in field_marks_of(cls).items() if mark is FieldMark.UNIT]

    def say(event: Event, names: Called) -> tuple[str, str]:
        called = {field: names.of(event[field]) for field in units if isinstance(event.get(field), str)}
        spot = {"at": place(event)} if "at" in event else {}
        dice = thrown(event) or (die(event) if "die" in event else "")
        return _filled(cls.said, {**event, **spot, **called}, names), dice

    return say


def between(text: str, other: str, detail: Callable[[Event], str] | None = None) -> Saying:
    """A saying about a ship or group and the thing in the field `other`."""

    def say(event: Event, names: Called) -> tuple[str, str]:
        name = names.of(event.get("ship", event.get("group", "")))
        return phrase("{} {} {}", name, _filled(text, event, names), names.of(event[other])), detail(
            event
        ) if detail else ""

    return say
