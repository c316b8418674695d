"""Rows of the form of a single battle: victory conditions, and fighters from bases off the table.

Files name the ships of a condition one by one. The form offers all ships of a side and all of a
class; such a choice is `red` or `red/Destroyer`, and `ship_choices` says which ships it means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from engine.core.edition import EDITIONS
from engine.core.errors import fault_path
from engine.craft.registry import family_of
from engine.notation.based import BASED_KEY, FULL_GROUP

Document = dict[str, Any]
Row = dict[str, Any]

CONDITIONS_GROUP, BASED_GROUP = "battle-conditions", "battle-based"
VICTORY, SIDES = "victory", "sides"  # keys of battle files
SEPARATOR = ", "  # between the ids of ships that no choice means
FIGHTERS = "fighters"
FIGHTER = "-fighter"  # ends the ids of craft types, but not their names in a load


def ship_choices(document: Document) -> dict[str, list[str]]:
    """Return the ids of the ships for which each choice of a condition stands, by choice."""
    choices: dict[str, list[str]] = {}
    for side in document["battle"].get(SIDES) or ():
        ships = side.get("ships")
        if not isinstance(ships, list) or not ships:
            continue
        name = str(side.get("name"))
        choices[name] = [str(ship.get("id")) for ship in ships]
        for ship in ships:
            if "class" in ship:
                of_class = choices.setdefault(f"{name}/{ship['class']}", [])
                of_class.append(str(ship.get("id")))
    return choices


def condition_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each victory condition."""
    choices = ship_choices(document)
    for number, entry in enumerate(document["battle"].get(VICTORY) or ()):
        row = dict(entry)
        ships = row.get("ships")
        if isinstance(ships, list):
            ids = [str(name) for name in ships]
            row["ships"] = SEPARATOR.join(ids)
            for choice, ids_of_choice in choices.items():
                if ids == ids_of_choice:
                    row["ships"] = choice
                    break
        yield f"battle.{fault_path(VICTORY, number)}", row


def set_condition_rows(document: Document, rows: list[Row]) -> None:
    """Store victory conditions in the file, each with the ids of its ships."""
    choices = ship_choices(document)
    entries = []
    for row in rows:
        entry = dict(row)
        choice = entry.get("ships")
        if isinstance(choice, str):
            entry["ships"] = choices.get(choice, choice.split(SEPARATOR))
        entries.append(entry)
    document["battle"].pop(VICTORY, None)
    if entries:
        document["battle"][VICTORY] = entries


def based_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each group of fighters from a base off the table."""
    for number, side in enumerate(document["battle"].get(SIDES) or ()):
        where = f"battle.{fault_path(SIDES, number)}"
        for index, entry in enumerate(side.get(BASED_KEY) or ()):
            row = {"faction": side.get("name"), **entry}
            load = row.get("load", {"standard": FULL_GROUP})
            if isinstance(load, dict) and len(load) == 1:
                row.pop("load", None)
                row["craft"], row["number"] = next(iter(load.items()))
            yield f"{where}.{fault_path(BASED_KEY, index)}", row


def set_based_rows(document: Document, rows: list[Row]) -> None:
    """Store the groups of fighters with the sides to which they belong."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        entry = dict(row)
        side = str(entry.pop("faction", ""))
        craft = entry.pop("craft", None)
        number = entry.pop("number", None)
        if craft is not None or number is not None:
            entry["load"] = {craft or "standard": FULL_GROUP if number is None else number}
        groups.setdefault(side, []).append(entry)
    for side in document["battle"].get(SIDES) or ():
        side.pop(BASED_KEY, None)
        own = groups.get(str(side.get("name")))
        if own:
            side[BASED_KEY] = own


def fighter_types(edition: str, options: Collection[str]) -> list[str]:
    """Return the names of the types of fighters that loads may have under these options."""
    if edition not in EDITIONS:
        return []
    family = family_of(edition, FIGHTERS)
    if family is None:
        return []
    return [row.id.removesuffix(FIGHTER) for row in family.types_under(options)]
