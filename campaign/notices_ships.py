"""The wording of notices about single ships: lost, taken, mended, short of stores. Pure: facts in, sentences out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from campaign.rules.dock_violations import FIGHTER_BAYS
from engine.english import counted_noun, system_words

if TYPE_CHECKING:
    from campaign.notices import Reader

Facts = Mapping[str, str | int]

HOW = {
    "destroyed": "destroyed",
    "captured": "captured",
    "struck": "surrendered",
    "hulk": "left adrift as a hulk",
    "scuttled": "scuttled by its crew",
}
HULL = "hull"  # what is repaired by as many points as the die shows


def ship_lost(reader: Reader, facts: Facts) -> tuple[str, str]:
    captor, how = facts.get("captor"), str(facts["how"])
    by = f" by {reader.power(captor)}" if captor and how == "captured" else ""
    after = f", and {reader.power(captor)} now has it" if captor and how in ("struck", "hulk") else ""
    return f"You lost {facts['ship']} ({facts['class']}): {HOW.get(how, how)}{by}{after}.", "bad"


def taken(reader: Reader, facts: Facts) -> tuple[str, str]:
    what = f"a {facts['class']} of {reader.power(facts['owner'])} in dock"
    if facts["how"] != "captured":
        return f"You found {what}, scuttled.", ""
    return f"You took {what}. {_called(facts)}".strip(), "good"


def _called(facts: Facts) -> str:
    """What a prize is called; reports from before prizes were sailed name none."""
    return f"It is now {facts['ship']}, under a prize crew." if facts.get("ship") else ""


def prize(reader: Reader, facts: Facts) -> tuple[str, str]:
    how = {"hulk": "found drifting", "struck": "which surrendered"}.get(str(facts["how"]), "boarded")
    return f"A {facts['class']} of {reader.power(facts['owner'])}, {how}, is your prize. {_called(facts)}", "good"


def recovered(_: Reader, facts: Facts) -> tuple[str, str]:
    how = {"captured": "retaken", "struck": "recovered after its surrender", "hulk": "found drifting"}
    again = how.get(str(facts["how"]), "recovered")
    return f"{facts['ship']} ({facts['class']}) was {again}. It is laid up until a base repairs it.", "warm"


def in_service(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']} is back in service.", "good"


def stores(_: Reader, facts: Facts) -> tuple[str, str]:
    short = [stock_words(system, int(left)) for system, left in facts.items() if system != "ship"]
    return f"{facts['ship']} is short of stores: {', '.join(short)}.", "warm"


def cargo_lost(_: Reader, facts: Facts) -> tuple[str, str]:
    left = f"{facts['left']} left" if facts["left"] else "none left"
    return f"{facts['ship']} lost {facts['lost']} {facts['what']}; {left}.", "bad"


def tow_ended(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']} was released from tow for the battle.", ""


def repaired(_: Reader, facts: Facts) -> tuple[str, str]:
    if facts["system"] == HULL:
        return f"{facts['ship']}: {counted(facts['die'], 'point')} of damage repaired.", "good"
    return f"{facts['ship']}: {system_words(str(facts['system']))} repaired (rolled {facts['die']}).", "good"


def not_repaired(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']}: {system_words(str(facts['system']))} not repaired (rolled {facts['die']}).", ""


def replenished(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']} was replenished.", "good"


def rearmed(_: Reader, facts: Facts) -> tuple[str, str]:
    loaded = f"loaded with {facts['load']}" if facts["load"] else "loaded as it was designed"
    return f"{facts['ship']}: {system_words(str(facts['system']))} {loaded}.", "good"


def stock_words(system: str, left: int) -> str:
    """What is left in a bay, pack or minelayer: fighter bay 1 with 4 craft, submunition 1 used up."""
    bay = system.rpartition("-")[0] in FIGHTER_BAYS
    if not left:
        return f"{system_words(system)} {'empty' if bay else 'used up'}"
    unit = "craft" if bay else "salvo" if system.startswith("magazine") else "mine"
    return f"{system_words(system)} with {counted_noun(left, unit)}"


def counted(many: str | int, noun: str) -> str:
    """A number of a notice with its noun."""
    return counted_noun(int(many), noun)
