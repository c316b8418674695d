"""Words for what happens to a ship's hull and systems in a battle: fire, armour, notes on its sheet, repairs, cores."""

from __future__ import annotations

from campaign.words.battle.phrases import Called, Event, Saying, die, of_ship, place, systems, thrown
from engine.continuum.cores import BRIDGE, LIFE_SUPPORT
from engine.continuum.damage import FLAW
from engine.core.facts import FOREVER, facts_of
from engine.core.kinds import (
    AdriftCause,
    CloakKind,
    DecloakReason,
    DriveOutcome,
)
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship_facts import ShipRecord, ThisTurn
from engine.english import counted_noun, kind_words, system_words

# How a fact that is written down on a ship's sheet is told, and one that is rubbed out; those without words say nothing
# that another line does not say.
SAID = {name: one.said for name, one in {**facts_of(ShipRecord), **facts_of(ThisTurn)}.items()}
NOTED = (phrase("notes {words} {value} on its sheet"), phrase("removes {words} from its sheet"))


def fired(event: Event, names: Called) -> tuple[str, str]:
    """A weapon's fire: whom it met, from where, through what, and its dice."""
    made = phrase("hits for {}", event["hits"]) if event["hits"] else phrase("misses")
    weapon, target = system_words(event["weapon"]), names.of(event["target"])
    how = phrase(" ({})", kind_words(event["mode"])) if event["mode"] else ""
    parts = [f"{event['range']:.0f} MU", phrase("arc {}", event["arc"])]
    parts += [phrase("screens {}", event["screens"])] if event["screens"] else []
    parts += [phrase("needs {}", event["needed"])] if event["needed"] else []
    parts += [thrown(event), _dice(phrase("damage"), event["damage"])]
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
    dice = thrown(event)
    total = event["score"]
    return words, phrase("{}, in all {}", dice, total) if dice else phrase("in all {}", total)


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
    details = (kind_words(what), screens, thrown(event))
    return words, joined_phrases(", ", (part for part in details if part))


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
    damage = _dice(phrase("damage"), event["damage"])
    parts = [phrase("hits for {}", event["hits"]), screens, thrown(event), damage]
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
