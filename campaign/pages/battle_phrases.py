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
from engine.core.ship_facts import FOREVER, ShipRecord, ThisTurn, facts_of
from engine.documents import KINDS, kinds
from engine.english import Count, counted_noun, system_words
from engine.events.event import FieldMark, field_marks_of

# What people enter that a ship came to, as a sentence.
ENDS: dict[str, str] = {
    ShipStatus.FIGHTING: "is still on the table",
    ShipStatus.LEFT: "left the table",
    ShipStatus.FTL: "left under FTL",
    ShipStatus.DESTROYED: "is destroyed",
    ShipStatus.CAPTURED: "is captured",
    ShipStatus.STRUCK: "struck its colours, and is held",
    ShipStatus.SCANNED_AWAY: "was found to be a decoy drone",
    ShipStatus.HULK: "is adrift",
    ShipStatus.LANDED: "is on the ground",
}
STRIKES = {"strike": "attack", "range": "fire at", "dogfight": "dogfight with", "parting": "take a parting shot at"}
DOCKS = {
    "alongside": "comes alongside",
    "docked": "docks with",
    "berthed": "is berthed in",
    "casting-off": "undocks from",
    "free": "is clear of",
}
# How a fact that is written down on a ship's sheet is told, and one that is rubbed out; those without words say nothing
# that another line does not say.
SAID = {name: one.said for name, one in {**facts_of(ShipRecord), **facts_of(ThisTurn)}.items()}
NOTED = ("notes {words} {value} on its sheet", "removes {words} from its sheet")


class Called(Protocol):
    """The names a side has for ships and groups, by the keys of its log."""

    def of(self, ship: object) -> str: ...

    def bogey(self, code: object) -> str: ...


Event = Mapping[str, Any]
Saying = Callable[[Event, Called], tuple[str, str]]


def thrown(event: Event) -> str:
    """The dice of an event."""
    found = " ".join(str(die) for die in event.get("dice", ()))
    return f"dice {found}" if found else ""


def die(event: Event) -> str:
    """The die of an event, where one was thrown."""
    return f"die {event['die']}" if event["die"] else ""


def hits_words(event: Event) -> str:
    """The hits of a weapon's fire in words."""
    return f"hits for {event['hits']}" if event["hits"] else "misses"


def far(event: Event, *more: str) -> str:
    """The range and what else decided a weapon's fire."""
    parts = [f"{event['range']:.0f} MU", *more]
    if event.get("screens"):
        parts.append(f"screens {event['screens']}")
    return ", ".join(part for part in (*parts, thrown(event)) if part)


def systems(names: Iterable[str]) -> str:
    return ", ".join(system_words(name) for name in names)


def place(event: Event) -> str:
    """The place of an event in words."""
    x, y = event["at"]
    return f"at {x:.0f}, {y:.0f}"


def shot(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} fires {system_words(event['weapon'])} at {names.of(event['target'])} and "
    arc = f"arc {event['arc']}" if "arc" in event else ""
    return words + hits_words(event), far(event, arc)


def torpedo(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} fires {system_words(event['weapon'])} at {names.of(event['target'])} and "
    return words + hits_words(event), f"{event['range']:.0f} MU, needs {event['needed']}, die {event['die']}"


def needle(event: Event, names: Called) -> tuple[str, str]:
    aimed = f"at {system_words(event['system'])} of {names.of(event['target'])}"
    return f"{names.of(event['ship'])} aims a needle beam {aimed}", f"{event['range']:.0f} MU, die {event['die']}"


def threshold(event: Event, names: Called) -> tuple[str, str]:
    lost = systems(event["lost"])
    rolls = ", ".join(f"{system_words(system)} {die}" for system, die in event["rolls"])
    words = f"{names.of(event['ship'])} makes a threshold check: {'loses ' + lost if lost else 'nothing lost'}"
    return words, f"lost on {event['loses_on']}+: {rolls}"


def revealed(event: Event, names: Called) -> tuple[str, str]:
    if event["ship"] != event["contact"]:
        return f"{names.of(event['ship'])} is identified by the other side", ""
    return f"{names.bogey(event['contact'])} is identified: {names.of(event['ship'])}", ""


def dummy_found(event: Event, names: Called) -> tuple[str, str]:
    if event["ship"] != event["contact"]:
        return f"{names.of(event['ship'])} is recognised as a decoy by the other side", ""
    return f"{names.bogey(event['contact'])} was a decoy drone", ""


def left_table(event: Event, names: Called) -> tuple[str, str]:
    back = "does not return" if not event["due"] else f"may return in turn {event['due']}"
    edge = Edge.words(event["edge"])
    return f"{names.of(event['ship'])} leaves over the {edge} edge and {back}", die(event)


def ftl_exit(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} {JumpOutcome.words(event['outcome'])}", die(event)


def initiative(event: Event, _: Called) -> tuple[str, str]:
    rolls = ", ".join(f"{side} {die}" for side, die in event["rolls"])
    return f"Fire order: {', '.join(event['order'])}", f"dice {rolls}"


def fighters_fired(event: Event, names: Called) -> tuple[str, str]:
    how = STRIKES.get(event["how"], f"fire {event['how']} at")
    made = f"hit for {event['hits']}" if event["hits"] else "miss"
    return f"{names.of(event['group'])} {how} {names.of(event['target'])} and {made}", far(event)


def point_defence(event: Event, names: Called) -> tuple[str, str]:
    made = f"{event['hits']} shot down" if event["hits"] else "none hit"
    weapon = system_words(event["weapon"])
    return f"{names.of(event['ship'])} fires {weapon} at {names.of(event['target'])}: {made}", far(event)


def launched(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} launches {names.of(event['group'])}, {event['craft']} craft", ""


def craft_lost(event: Event, names: Called) -> tuple[str, str]:
    left = f"{event['left']} left" if event["left"] else "none left"
    return f"{names.of(event['group'])} lose {event['craft']} craft, {left}", die(event)


def ram(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} {RamOutcome.words(event['outcome'])}"
    if event["outcome"] in (RamOutcome.EVADED, RamOutcome.RAMMED):
        words += f" {names.of(event['target'])}"
    dice = [f"crew check {event['will']}, needs {event['needs']}"] if event["will"] else []
    dice += [f"totals {' '.join(map(str, event['sums']))}"] if event["sums"] else []
    dice += [f"damage dice {' '.join(map(str, event['blows']))}"] if event["blows"] else []
    return words, ", ".join(dice)


# What becomes of a ship that a gate has not put down anywhere.
GATE_ENDS = {GateOutcome.THROUGH: ShipStatus.FTL.label, GateOutcome.LOST: ShipStatus.DESTROYED.label}


def gate_set(event: Event, _names: Called) -> tuple[str, str]:
    """A gate that is activated."""
    return f"{event['gate']} is activated: it takes ships from turn {event['opens']} on", die(event)


def gate_passed(event: Event, names: Called) -> tuple[str, str]:
    """A ship's way through a gate."""
    return f"{names.of(event['ship'])} {GateOutcome.words(event['outcome'])} {event['gate']}", die(event)


def arrived(event: Event, names: Called) -> tuple[str, str]:
    if not event["on_table"]:
        return f"{names.of(event['ship'])} comes out of FTL beyond the edge of the table", thrown(event)
    return f"{names.of(event['ship'])} comes out of FTL {place(event)}, course {event['course']}", thrown(event)


def disengaged(event: Event, _: Called) -> tuple[str, str]:
    rolls = ", ".join(f"{side} {die}, total {total}" for side, die, total in event["rolls"])
    edge = Edge.words(event["edge"])
    words = f"{event['side']} left over the {edge} edge and {ChaseOutcome.words(event['outcome'])}"
    return words, f"dice {rolls}" if rolls else ""


def table_moved(event: Event, names: Called) -> tuple[str, str]:
    gone = ", ".join(names.of(name) for name in event["gone"])
    words = f"The table moves by {event['by_x']:.0f}, {event['by_y']:.0f} MU"
    return words + (f"; left behind: {gone}" if gone else ""), ""


def drifted(event: Event, _: Called) -> tuple[str, str]:
    many = len(event["rocks"])
    gone = f", {len(event['gone'])} off the table" if event["gone"] else ""
    return f"{counted_noun(many, 'asteroid')} {'drifts' if many == 1 else 'drift'}{gone}", ""


def entered(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} {ENDS.get(event['status'], event['status'])}"
    if event["captor"]:
        words += f" by {event['captor']}"
    lost = systems(event["lost"])
    return words, f"{event['damage']} damage" + (f", lost {lost}" if lost else "")


def _filled(text: str, event: Event) -> str:
    """Words with the event's fields in braces; a number may be given a noun: `{craft:craft}`."""
    return text.format(**{name: Count(value) if type(value) is int else value for name, value in event.items()})


def of_ship(text: str, detail: Callable[[Event], str] | None = None) -> Saying:
    """A saying about one ship (or group): its name, and words with the event's fields in braces."""

    def say(event: Event, names: Called) -> tuple[str, str]:
        name = names.of(event.get("ship", event.get("group", "")))
        return f"{name} {_filled(text, event)}", detail(event) if detail else ""

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
        return _filled(cls.said, {**event, **spot, **called}), thrown(event) or (die(event) if "die" in event else "")

    return say


def between(text: str, other: str, detail: Callable[[Event], str] | None = None) -> Saying:
    """A saying about a ship or group and the thing in the field `other`."""

    def say(event: Event, names: Called) -> tuple[str, str]:
        name = names.of(event.get("ship", event.get("group", "")))
        return f"{name} {_filled(text, event)} {names.of(event[other])}", detail(event) if detail else ""

    return say


def fired(event: Event, names: Called) -> tuple[str, str]:
    """A weapon's fire: whom it met, from where, through what, and its dice."""
    made = f"hits for {event['hits']}" if event["hits"] else "misses"
    weapon, target = system_words(event["weapon"]), names.of(event["target"])
    how = f" ({event['mode'].replace('-', ' ')})" if event["mode"] else ""
    parts = [f"{event['range']:.0f} MU", f"arc {event['arc']}"]
    parts += [f"screens {event['screens']}"] if event["screens"] else []
    parts += [f"needs {event['needed']}"] if event["needed"] else []
    parts += [thrown(event), _dice("damage", event["damage"])]
    words = f"{names.of(event['ship'])} fires {weapon}{how} at {target} and {made}"
    return words, ", ".join(part for part in parts if part)


def _dice(what: str, dice: list[int]) -> str:
    return f"{what} {' '.join(map(str, dice))}" if dice else ""


def absorbed(event: Event, names: Called) -> tuple[str, str]:
    left = [f"{standard + regenerative}" for standard, regenerative in reversed(event["armour"])]
    words = f"{names.of(event['ship'])} takes {counted_noun(event['points'], 'point')} on its armour"
    return words, f"left, the outermost layer first: {', '.join(left)}" if left else ""


def spent(event: Event, names: Called) -> tuple[str, str]:
    weapon = system_words(event["weapon"])
    left = f"has {event['left']} left in {weapon}" if event["left"] else f"has used up {weapon}"
    return f"{names.of(event['ship'])} {left}", ""


def noted(event: Event, names: Called) -> tuple[str, str]:
    name, _, system = str(event["note"]).partition(":")
    to, off = SAID.get(name, NOTED)
    told = (to if event["value"] else off).format(
        of=system_words(system), value=event["value"], words=name.replace("-", " ")
    )
    return (f"{names.of(event['ship'])} {told}" if told else ""), ""


def squadron(event: Event, names: Called) -> tuple[str, str]:
    if not event["by"]:
        return f"{names.of(event['ship'])} leaves its squadron", ""
    return f"{names.of(event['ship'])} joins the squadron of {names.of(event['by'])}", ""


def emergency(event: Event, names: Called) -> tuple[str, str]:
    outcome = DriveOutcome.words(event["outcome"])
    hit = {0: "", 1: ", which is hit"}.get(event["hits"], ", which is hit twice")
    return f"{names.of(event['ship'])} {outcome}{hit}", f"{thrown(event)}, in all {event['score']}"


def system_check(event: Event, names: Called) -> tuple[str, str]:
    lost = systems(event["lost"])
    rolls = ", ".join(f"{system_words(system)} {die}" for system, die in event["rolls"])
    words = f"{names.of(event['ship'])} checks individual systems: {'loses ' + lost if lost else 'nothing lost'}"
    return words, f"lost on {event['loses_on']}+: {rolls}" if rolls else f"lost on {event['loses_on']}+"


def repaired(event: Event, names: Called) -> tuple[str, str]:
    ship, system = names.of(event["ship"]), system_words(event["system"])
    if not event["parties"]:
        return f"{ship} regains its {system} without damage control parties", ""
    many = counted_noun(event["parties"], "party")
    return f"{ship} {'repairs' if event['done'] else 'fails to repair'} its {system}", f"{many}, {die(event)}"


def core_hit(event: Event, names: Called) -> tuple[str, str]:
    ship, value = names.of(event["ship"]), event["value"]
    if event["system"] == BRIDGE:
        until = "for good" if value == FOREVER else f"to the end of turn {value}"
        return f"{ship} loses its bridge and is out of control {until}", die(event)
    if event["system"] == LIFE_SUPPORT:
        return f"{ship} loses its life support and has air to the end of turn {value}", die(event)
    return f"{ship} loses control of its power core, which explodes on {value} or more", die(event)


def reactor(event: Event, names: Called) -> tuple[str, str]:
    blown = event["die"] >= event["needed"]
    words = "cannot hold its power core" if blown else "holds its power core this turn"
    return f"{names.of(event['ship'])} {words}", f"explodes on {event['needed']}+, {die(event)}"


def burned(event: Event, names: Called) -> tuple[str, str]:
    """An explosion's dice to a ship: beside it (`reactor:e1`), or its own."""
    what, _, source = str(event["cause"]).partition(":")
    of = f" of {names.of(source)}" if source and source != event["ship"] else ""
    words = f"{names.of(event['ship'])} is caught in the explosion{of}: {counted_noun(event['points'], 'point')}"
    screens = f"screens {event['screens']}" if event["screens"] else ""
    return words, ", ".join(part for part in (what.replace("-", " "), screens, thrown(event)) if part)


def regenerated(event: Event, names: Called) -> tuple[str, str]:
    left = ", ".join(f"{standard + regenerative}" for standard, regenerative in reversed(event["armour"]))
    words = f"{names.of(event['ship'])} repairs its armour" + (
        f": {left} left, the outermost layer first" if left else ""
    )
    return words, thrown(event)


def charges(event: Event, names: Called) -> tuple[str, str]:
    rolls = ", ".join(f"{system_words(system)} {die}" for system, die in event["rolls"])
    return f"{names.of(event['ship'])} has damaged suicide charges aboard", f"dice {rolls}" if rolls else ""


def decloaked(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} {DecloakReason.words(event['why'])} {place(event)}", ""


def cloaked(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} {CloakKind.words(event['how'])} {place(event)}", ""


def reflected(event: Event, names: Called) -> tuple[str, str]:
    ship, by = names.of(event["ship"]), names.of(event["by"])
    words = f"{ship} reflects the fire of {by}: takes {event['taken']}, returns {event['returned']}"
    return words, f"{event['points']} points, {die(event)}"


def destroyed(event: Event, names: Called) -> tuple[str, str]:
    flaw = ": its design was flawed" if event["cause"] == FLAW else ""
    return f"{names.of(event['ship'])} is destroyed{flaw}", ""


def adrift(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} {AdriftCause.words(event['why'])}", ""


def struck(event: Event, names: Called) -> tuple[str, str]:
    words = f"{names.of(event['ship'])} is struck by the {system_words(event['weapon'])} of {names.of(event['by'])}"
    screens = f"screens {event['screens']}" if event["screens"] else ""
    parts = [f"hits for {event['hits']}", screens, thrown(event), _dice("damage", event["damage"])]
    return words, ", ".join(part for part in parts if part)


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
    "detonated": lambda event, names: (f"{names.of(event['ship'])} blows up in antimatter {place(event)}", ""),
    "burned": burned,
    "reflected": reflected,
    # movement
    "emergency-thrust": emergency,
    "squadron": squadron,
    "taken-over": of_ship("takes the orders of {side} from now on: {why}"),
    "ftl-entry": lambda event, names: (f"{names.of(event['ship'])} will come out of FTL {place(event)}", ""),
    # weapons that reach more than one ship
    "swept": of_ship("fires a sweep across the table", lambda event: system_words(event["weapon"])),
    "flak": lambda event, names: (
        f"{names.of(event['ship'])} sets off flak {place(event)}, {event['radius']:.0f} MU around",
        system_words(event["weapon"]),
    ),
}
