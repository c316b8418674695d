"""The classes that a faction's foes have shown in battles, as the reports of these told it: how
many of each, and how many of them it saw destroyed. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.events.damage import Destroyed
from engine.view.told_events import told_of_kinds


@dataclass(frozen=True, slots=True)
class ClassMet:
    """Ships of a class of one faction, met in a battle at a hex: so many, of which so many were
    destroyed.
    """

    faction: str
    cls: str
    hex: str
    many: int
    gone: int


def foreign_contacts(view: Mapping[str, Any], mine: int) -> list[Mapping[str, Any]]:
    """The ships in sight whose class is known and which others have built."""
    return [
        one for one in view["contacts"] if "class" in one and one.get("owner", one["side"]) != mine
    ]


def met_in_battle(body: Mapping[str, Any], hex_: str) -> tuple[ClassMet, ...]:
    """What the report of a battle tells.

    Allies who fought as one are not told apart: each may have had any of them.
    """
    mine = body["sides"].index(body["side"])
    seen: dict[str, tuple[int, str]] = {}
    destroyed: set[str] = set()
    for stop in body["stops"]:
        if not stop:
            continue
        for contact in foreign_contacts(stop, mine):
            seen[str(contact["id"])] = (
                int(contact.get("owner", contact["side"])),
                str(contact["class"]),
            )
        destroyed |= {event.ship for event in told_of_kinds(stop["log"], Destroyed)}
    many = Counter(seen.values())
    gone = Counter(one for id_, one in seen.items() if id_ in destroyed)
    return tuple(
        ClassMet(faction, cls, hex_, count, gone[side, cls])
        for (side, cls), count in sorted(many.items())
        for faction in str(body["sides"][side]).split("+")
    )


def of_a_faction(
    met: Iterable[ClassMet], faction: str, hex_: str = ""
) -> tuple[Counter[str], Counter[str]]:
    """How many ships of each class a faction had at least, and how many of them are gone.

    `hex_`: those met there.
    """
    most: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for one in met:
        if one.faction == faction and hex_ in ("", one.hex):
            most[one.cls] = max(most[one.cls], gone[one.cls] + one.many)
            gone[one.cls] += one.gone
    return most, gone
