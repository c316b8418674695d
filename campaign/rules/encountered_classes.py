"""The classes that foes showed in a faction's battles, as battle reports describe them.

They count how many ships of each class there were, and how many were seen destroyed. All functions
are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.events.damage import ShipDestroyed
from engine.view.event_reader import read_events_of


@dataclass(frozen=True, slots=True)
class EncounteredClass:
    """Ships of a class of another faction, met in a battle at a hex.

    Attributes:
        destroyed: How many of the `count` ships were destroyed.
    """

    faction: str
    cls: str
    hex: str
    count: int
    destroyed: int


def foreign_contacts(view: Mapping[str, Any], own_side: int) -> list[Mapping[str, Any]]:
    """Return the ships in sight of a known class that were built by others.

    Args:
        view: The view of a phase, as stored.
        own_side: The number of the viewer's side.
    """
    contacts: list[Mapping[str, Any]] = []
    for contact in view["contacts"]:
        if "class" in contact and contact.get("owner", contact["side"]) != own_side:
            contacts.append(contact)
    return contacts


def classes_in_report(body: Mapping[str, Any], hex_: str) -> tuple[EncounteredClass, ...]:
    """Return the foreign classes in the report of a battle.

    The report does not tell allies on one side apart: each may have had any of their ships.
    """
    own_side = body["sides"].index(body["side"])
    classes: dict[str, tuple[int, str]] = {}  # side and class, by contact code
    destroyed: set[str] = set()
    for phase in body["phases"]:
        if not phase:
            continue
        for contact in foreign_contacts(phase, own_side):
            side = int(contact.get("owner", contact["side"]))
            classes[str(contact["id"])] = (side, str(contact["class"]))
        destroyed |= {event.ship for event in read_events_of(phase["log"], ShipDestroyed)}
    counts = Counter(classes.values())
    destroyed_counts = Counter(cls for code, cls in classes.items() if code in destroyed)
    result: list[EncounteredClass] = []
    for (side, cls), count in sorted(counts.items()):
        for faction in str(body["sides"][side]).split("+"):
            result.append(
                EncounteredClass(
                    faction=faction,
                    cls=cls,
                    hex=hex_,
                    count=count,
                    destroyed=destroyed_counts[side, cls],
                )
            )
    return tuple(result)


def count_ships_of(
    encounters: Iterable[EncounteredClass], faction: str, hex_: str = ""
) -> tuple[Counter[str], Counter[str]]:
    """Return how many ships of each class a faction had at least, and how many were destroyed.

    Args:
        hex_: Count only ships met there; "": everywhere.
    """
    most: Counter[str] = Counter()
    destroyed: Counter[str] = Counter()
    for encounter in encounters:
        if encounter.faction == faction and hex_ in ("", encounter.hex):
            cls = encounter.cls
            # Ships met now may be those met before, except the ones that were destroyed.
            most[cls] = max(most[cls], destroyed[cls] + encounter.count)
            destroyed[cls] += encounter.destroyed
    return most, destroyed
