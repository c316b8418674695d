"""Words for what happens in a battle: how lines of its log are made, one function for each sort of event.

Each takes an event as it stands in a side's log and what that side calls things, and gives words and a detail: orders,
fire, armour, notes on the sheet, repairs, cores. `campaign.pages.battle_log` asks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from engine.continuum.cores import BRIDGE, LIFE_SUPPORT
from engine.continuum.damage import FLAW
from engine.core.kinds import (
    AdriftCause,
    ChaseOutcome,
    CloakKind,
    DecloakReason,
    DriveOutcome,
    Edge,
    GateOutcome,
    JumpOutcome,
    RamOutcome,
    ShipStatus,
)
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship_facts import FOREVER, ShipRecord, ThisTurn, facts_of
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
STRIKES = {
    "strike": "attack",
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
# How a fact that is written down on a ship's sheet is told, and one that is rubbed out; those without words say nothing
# that another line does not say.
SAID = {name: one.said for name, one in {**facts_of(ShipRecord), **facts_of(ThisTurn)}.items()}
NOTED = (phrase("notes {words} {value} on its sheet"), phrase("removes {words} from its sheet"))


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
    rolls = joined_phrases(", ", (phrase("{} {}", system_words(system), die) for system, die in event["rolls"]))
    words = phrase(
        "{} makes a threshold check: {}",
        names.of(event["ship"]),
        phrase("loses {}", lost) if lost else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event["loses_on"], rolls)


def revealed(event: Event, names: Called) -> tuple[str, str]:
    if event["ship"] != event["contact"]:
        return phrase("{} is identified by the other side", names.of(event["ship"])), ""
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
    how = STRIKES.get(event["how"], phrase("fire {} at", event["how"]))
    made = phrase("hit for {}", event["hits"]) if event["hits"] else "miss"
    return phrase("{} {} {} and {}", names.of(event["group"]), how, names.of(event["target"]), made), far(event)


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
    if isinstance(event.get("side"), str):
        told["side"] = names.side(event["side"])
    return text.format(**told | ({"why": phrase(str(event["why"]))} if "why" in event else {}))


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


def fired(event: Event, names: Called) -> tuple[str, str]:
    """A weapon's fire: whom it met, from where, through what, and its dice."""
    made = phrase("hits for {}", event["hits"]) if event["hits"] else phrase("misses")
    weapon, target = system_words(event["weapon"]), names.of(event["target"])
    how = phrase(" ({})", event["mode"].replace("-", " ")) if event["mode"] else ""
    parts = [f"{event['range']:.0f} MU", phrase("arc {}", event["arc"])]
    parts += [phrase("screens {}", event["screens"])] if event["screens"] else []
    parts += [phrase("needs {}", event["needed"])] if event["needed"] else []
    parts += [thrown(event), _dice("damage", event["damage"])]
    words = phrase("{} fires {}{} at {} and {}", names.of(event["ship"]), weapon, how, target, made)
    return words, joined_phrases(", ", (part for part in parts if part))


def _dice(what: str, dice: list[int]) -> str:
    return phrase("{} {}", what, " ".join(map(str, dice))) if dice else ""


def absorbed(event: Event, names: Called) -> tuple[str, str]:
    left = [f"{standard + regenerative}" for standard, regenerative in reversed(event["armour"])]
    words = phrase("{} takes {} on its armour", names.of(event["ship"]), counted_noun(event["points"], "point"))
    return words, phrase("left, the outermost layer first: {}", joined_phrases(", ", left)) if left else ""


def spent(event: Event, names: Called) -> tuple[str, str]:
    weapon = system_words(event["weapon"])
    left = phrase("has {} left in {}", event["left"], weapon) if event["left"] else phrase("has used up {}", weapon)
    return phrase("{} {}", names.of(event["ship"]), left), ""


def noted(event: Event, names: Called) -> tuple[str, str]:
    name, _, system = str(event["note"]).partition(":")
    to, off = SAID.get(name, NOTED)
    told = (to if event["value"] else off).format(
        of=system_words(system), value=event["value"], words=name.replace("-", " ")
    )
    return (phrase("{} {}", names.of(event["ship"]), told) if told else ""), ""


def squadron(event: Event, names: Called) -> tuple[str, str]:
    if not event["by"]:
        return phrase("{} leaves its squadron", names.of(event["ship"])), ""
    return phrase("{} joins the squadron of {}", names.of(event["ship"]), names.of(event["by"])), ""


def emergency(event: Event, names: Called) -> tuple[str, str]:
    outcome = DriveOutcome.words(event["outcome"])
    words = phrase("{} {}", names.of(event["ship"]), outcome)
    if event["hits"]:
        words = phrase("{}, which is hit", words) if event["hits"] == 1 else phrase("{}, which is hit twice", words)
    return words, phrase("{}, in all {}", thrown(event), event["score"])


def system_check(event: Event, names: Called) -> tuple[str, str]:
    lost = systems(event["lost"])
    rolls = joined_phrases(", ", (phrase("{} {}", system_words(system), die) for system, die in event["rolls"]))
    words = phrase(
        "{} checks individual systems: {}",
        names.of(event["ship"]),
        phrase("loses {}", lost) if lost else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event["loses_on"], rolls) if rolls else phrase(
        "lost on {}+", event["loses_on"]
    )


def repaired(event: Event, names: Called) -> tuple[str, str]:
    ship, system = names.of(event["ship"]), system_words(event["system"])
    if not event["parties"]:
        return phrase("{} regains its {} without damage control parties", ship, system), ""
    many = counted_noun(event["parties"], "party")
    return phrase(
        "{} {} its {}", ship, phrase("repairs") if event["done"] else phrase("fails to repair"), system
    ), phrase("{}, {}", many, die(event))


def core_hit(event: Event, names: Called) -> tuple[str, str]:
    ship, value = names.of(event["ship"]), event["value"]
    if event["system"] == BRIDGE:
        until = phrase("for good") if value == FOREVER else phrase("to the end of turn {}", value)
        return phrase("{} loses its bridge and is out of control {}", ship, until), die(event)
    if event["system"] == LIFE_SUPPORT:
        return phrase("{} loses its life support and has air to the end of turn {}", ship, value), die(event)
    return phrase("{} loses control of its power core, which explodes on {} or more", ship, value), die(event)


def reactor(event: Event, names: Called) -> tuple[str, str]:
    blown = event["die"] >= event["needed"]
    words = phrase("cannot hold its power core") if blown else phrase("holds its power core this turn")
    return phrase("{} {}", names.of(event["ship"]), words), phrase("explodes on {}+, {}", event["needed"], die(event))


def burned(event: Event, names: Called) -> tuple[str, str]:
    """An explosion's dice to a ship: beside it (`reactor:e1`), or its own."""
    what, _, source = str(event["cause"]).partition(":")
    ship, points = names.of(event["ship"]), counted_noun(event["points"], "point")
    if source and source != event["ship"]:
        words = phrase("{} is caught in the explosion of {}: {}", ship, names.of(source), points)
    else:
        words = phrase("{} is caught in the explosion: {}", ship, points)
    screens = phrase("screens {}", event["screens"]) if event["screens"] else ""
    return words, joined_phrases(", ", (part for part in (what.replace("-", " "), screens, thrown(event)) if part))


def regenerated(event: Event, names: Called) -> tuple[str, str]:
    left = joined_phrases(", ", (f"{standard + regenerative}" for standard, regenerative in reversed(event["armour"])))
    ship = names.of(event["ship"])
    if left:
        return phrase("{} repairs its armour: {} left, the outermost layer first", ship, left), thrown(event)
    return phrase("{} repairs its armour", ship), thrown(event)


def charges(event: Event, names: Called) -> tuple[str, str]:
    rolls = joined_phrases(", ", (phrase("{} {}", system_words(system), die) for system, die in event["rolls"]))
    return phrase("{} has damaged suicide charges aboard", names.of(event["ship"])), phrase(
        "dice {}", rolls
    ) if rolls else ""


def decloaked(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} {} {}", names.of(event["ship"]), DecloakReason.words(event["why"]), place(event)), ""


def cloaked(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} {} {}", names.of(event["ship"]), CloakKind.words(event["how"]), place(event)), ""


def reflected(event: Event, names: Called) -> tuple[str, str]:
    ship, by = names.of(event["ship"]), names.of(event["by"])
    words = phrase("{} reflects the fire of {}: takes {}, returns {}", ship, by, event["taken"], event["returned"])
    return words, phrase("{} points, {}", event["points"], die(event))


def destroyed(event: Event, names: Called) -> tuple[str, str]:
    ship = names.of(event["ship"])
    flawed = event["cause"] == FLAW
    return phrase("{} is destroyed: its design was flawed", ship) if flawed else phrase("{} is destroyed", ship), ""


def adrift(event: Event, names: Called) -> tuple[str, str]:
    return phrase("{} {}", names.of(event["ship"]), AdriftCause.words(event["why"])), ""


def struck(event: Event, names: Called) -> tuple[str, str]:
    words = phrase(
        "{} is struck by the {} of {}", names.of(event["ship"]), system_words(event["weapon"]), names.of(event["by"])
    )
    screens = phrase("screens {}", event["screens"]) if event["screens"] else ""
    parts = [phrase("hits for {}", event["hits"]), screens, thrown(event), _dice("damage", event["damage"])]
    return words, joined_phrases(", ", (part for part in parts if part))


HULL_SAYINGS: dict[str, Saying] = {
    "destroyed": destroyed,
    "fire": fired,
    "struck": struck,
    "absorbed": absorbed,
    "spent": spent,
    "round-drawn": spent,
    "noted": noted,
    "marked": noted,
    "system-check": system_check,
    "repair": repaired,
    "adrift": adrift,
    "core-hit": core_hit,
    "reactor": reactor,
    # defences
    "cloaked": cloaked,
    "decloaked": decloaked,
    "regenerated": regenerated,
    "charge": charges,
    "detonated": lambda event, names: (
        phrase("{} blows up in antimatter {}", names.of(event["ship"]), place(event)),
        "",
    ),
    "burned": burned,
    "reflected": reflected,
    # movement
    "emergency-thrust": emergency,
    "squadron": squadron,
    "taken-over": of_ship(phrase("takes the orders of {side} from now on: {why}")),
    "ftl-entry": lambda event, names: (phrase("{} will come out of FTL {}", names.of(event["ship"]), place(event)), ""),
    # weapons that reach more than one ship
    "swept": of_ship(phrase("fires a sweep across the table"), lambda event: system_words(event["weapon"])),
    "flak": lambda event, names: (
        phrase("{} sets off flak {}, {:.0f} MU around", names.of(event["ship"]), place(event), event["radius"]),
        system_words(event["weapon"]),
    ),
}
