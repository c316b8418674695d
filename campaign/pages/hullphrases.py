"""Words for what befalls hulls and systems by the later rulebook: fire, armour, notes on the sheet, repairs, cores.

A part of `campaign.pages.battlesayings`.
"""

from __future__ import annotations

from campaign.pages.battlephrases import Called, Event, Saying, die, of_ship, place, systems, thrown
from engine.continuum.cores import BRIDGE, LIFE_SUPPORT
from engine.continuum.damage import FLAW
from engine.core.notes import FOREVER
from engine.english import counted_noun, system_words

WHYS = {
    "no-air": "is abandoned, its life support has failed, and drifts",
    "dumped": "dumps its power core and drifts",
    "abandoned": "is abandoned and drifts, its power core still out of control",
}
# A note that is set, and one that is rubbed out; {of} is the system it is about, {value} its number. Those without
# words say nothing that another line does not say.
NOTES = {
    "for-good": ("can no longer repair its {of}", "can repair its {of} again"),
    "rolled": ("rolls over", "rolls back upright"),
    "setting": ("changes the setting of its {of}", "resets its {of}"),
    "off-line": ("changes the setting of its {of}", "has its {of} online again"),
    "overloaded": ("overloads its {of}", "uses its {of} normally again"),
    "facing": ("turns its {of}", "turns its {of} back"),
    "charge": ("holds {value} in its {of}", "has nothing left in its {of}"),
    "cloaked": ("will decloak in turn {value}", "stops cloaking"),
    "out-of-control": ("is out of control", "is under command again"),
    "air-fails": ("has air to the end of turn {value}", "has life support again"),
    "reactor": ("has a power core that explodes on {value} or more", "no longer has its power core"),
    "veiled": ("is hidden by its cloaking device", "is no longer hidden"),
    "stealth-off": ("switches its stealth fields off", "switches its stealth fields on"),
    "stealth-active": ("scans actively in spite of its stealth", "scans passively again"),
    "jamming": ("switches its jamming on", "switches its jamming off"),
    "scarred": ("has armour that cannot be repaired", "repairs its armour"),
    "reflex": ("raises its reflex field", "lowers its reflex field"),
    **dict.fromkeys(("thrust-used", "fired", "marker-x", "marker-y", "unread"), ("", "")),
    **dict.fromkeys(("turned", "emergencies", "squadron"), ("", "")),
    "detonating": ("is about to blow itself up", "does not blow itself up"),
}
UNCLOAKED = {
    "time": "decloaks",
    "speed": "is too fast for its cloak and decloaks",
    "damaged": "loses its cloak",
    "over": "decloaks at the end of the battle",
}
EMERGENCIES = {
    "held": "gets emergency thrust from its drive",
    "strained": "gets emergency thrust from its drive",
    "failed": "gets no emergency thrust from its drive",
    "burnt-out": "burns out its drive with emergency thrust",
}
PENCILLED = ("notes {words} {value} on its sheet", "removes {words} from its sheet")


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
    to, off = NOTES.get(name, PENCILLED)
    told = (to if event["value"] else off).format(
        of=system_words(system), value=event["value"], words=name.replace("-", " ")
    )
    return (f"{names.of(event['ship'])} {told}" if told else ""), ""


def squadron(event: Event, names: Called) -> tuple[str, str]:
    if not event["by"]:
        return f"{names.of(event['ship'])} leaves its squadron", ""
    return f"{names.of(event['ship'])} joins the squadron of {names.of(event['by'])}", ""


def emergency(event: Event, names: Called) -> tuple[str, str]:
    outcome = EMERGENCIES.get(event["outcome"], event["outcome"])
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
    return f"{names.of(event['ship'])} {UNCLOAKED.get(event['why'], 'decloaks')} {place(event)}", ""


def cloaked(event: Event, names: Called) -> tuple[str, str]:
    how = (
        "is removed from the table under its cloaking field"
        if event["how"] == "field"
        else "is hidden by its cloaking device"
    )
    return f"{names.of(event['ship'])} {how} {place(event)}", ""


def reflected(event: Event, names: Called) -> tuple[str, str]:
    ship, by = names.of(event["ship"]), names.of(event["by"])
    words = f"{ship} reflects the fire of {by}: takes {event['taken']}, returns {event['returned']}"
    return words, f"{event['points']} points, {die(event)}"


def destroyed(event: Event, names: Called) -> tuple[str, str]:
    flaw = ": its design was flawed" if event["cause"] == FLAW else ""
    return f"{names.of(event['ship'])} is destroyed{flaw}", ""


def adrift(event: Event, names: Called) -> tuple[str, str]:
    return f"{names.of(event['ship'])} {WHYS.get(event['why'], 'drifts without a crew')}", ""


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
    "ftl-entry": lambda event, names: (f"{names.of(event['ship'])} will come out of FTL {place(event)}", ""),
    # weapons that reach more than one ship
    "swept": of_ship("fires a sweep across the table", lambda event: system_words(event["weapon"])),
    "flak": lambda event, names: (
        f"{names.of(event['ship'])} sets off flak {place(event)}, {event['radius']:.0f} MU around",
        system_words(event["weapon"]),
    ),
}
