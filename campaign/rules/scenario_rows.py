"""Parts of a scenario file as rows of the editor's form, where the two have different shapes.

The form has a field for each choice: `deploy: [sol]` is the choice "only these systems" and a list
of ticks. Parts of a system, such as its terrain, are groups of rows with a field for the system.
`campaign.rules.scenario_editing` reads and writes all other groups; objectives and goods are in
`campaign.rules.objective_rows`, names of classes in `campaign.rules.class_name_rows`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from campaign.rules.choice_rows import (
    ANY,
    ENTRY,
    HEX,
    OWN,
    OWN_BASE,
    SEVERAL,
    join_choice,
    split_choice,
    unused_key,
)
from campaign.rules.objective_checks import ALL, SETTLED
from engine.core.errors import fault_path
from engine.notation.terms import ROLL

Document = dict[str, Any]
Row = dict[str, Any]
PlacedRows = Iterator[tuple[str, Row]]

CONDITIONS = ("superiority", "ruins", "score")


def faction_rows(document: Document) -> PlacedRows:
    """Yield a row for each faction, with the choice of its tech base."""
    for number, faction in enumerate(document.get("factions") or ()):
        row = dict(faction)
        base = row.get("tech_base")
        if isinstance(base, list):
            row |= {"tech_base": OWN_BASE, "technologies": base}
        elif isinstance(base, dict):
            row |= {
                "tech_base": OWN_BASE,
                "technologies": base.get("technologies") or [],
                "tech_base_name": base.get("name"),
            }
        yield fault_path("factions", number), row


def set_faction_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the factions of the form."""
    factions = []
    for row in rows:
        technologies = row.pop("technologies", None) or []
        name = row.pop("tech_base_name", None)
        if row.get("tech_base") == OWN_BASE:
            row["tech_base"] = technologies
            if name:
                row["tech_base"] = {"name": name, "technologies": technologies}
        factions.append(row)
    document["factions"] = factions


def victory_rows(document: Document) -> PlacedRows:
    """Yield a row for each result, with the kind of its condition."""
    for number, result in enumerate(document.get("victory") or ()):
        row = dict(result)
        conditions = [key for key in CONDITIONS if row.get(key) is not None]
        if conditions:
            row["condition"] = conditions[0] if len(conditions) == 1 else SEVERAL
        superiority = row.get("superiority")
        if isinstance(superiority, dict):
            superiority = dict(superiority)
            row["superiority"] = superiority
            if "of" in superiority:
                row["of"] = superiority.pop("of")
            split_choice(row, "of", (SETTLED, ALL), "of_word", "of_systems")
        yield fault_path("victory", number), row


def set_victory_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the results of the form, each with the conditions of its kind."""
    results = []
    for row in rows:
        condition = row.pop("condition", None)
        join_choice(row, "of", "of_word", "of_systems")
        systems = row.pop("of", None)
        for key in CONDITIONS:
            if condition not in (key, SEVERAL):
                row.pop(key, None)
        if condition in ("superiority", SEVERAL) and (systems is not None or "superiority" in row):
            superiority = row.setdefault("superiority", {})
            if systems is not None:
                superiority["of"] = systems
        elif condition in CONDITIONS and condition not in row:
            row[condition] = {}
        results.append(row)
    document["victory"] = results


def arrival_rows(document: Document) -> PlacedRows:
    """Yield a row for each reinforcement, with the choice of where it arrives."""
    for number, arrival in enumerate(document.get("reinforcements") or ()):
        row = dict(arrival)
        split_place(row, document)
        yield fault_path("reinforcements", number), row


def set_arrival_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the reinforcements of the form."""
    arrivals = []
    for row in rows:
        join_place(row)
        arrivals.append(row)
    document["reinforcements"] = arrivals


def split_place(row: Row, document: Document) -> None:
    """Replace `at` by the form's choice: a system, the faction's entry, or a hex."""
    value = row.get("at")
    if value is None:
        return
    places = {str(system.get("id")) for system in document.get("systems") or ()}
    if value != ENTRY and value not in places:
        row |= {"at": HEX, "at_hex": value}


def join_place(row: Row) -> None:
    """Put the form's choice of a place back together; the reverse of `split_place`."""
    hex_ = row.pop("at_hex", None)
    if row.get("at") == HEX:
        row.pop("at")
        if hex_ is not None:
            row["at"] = hex_


def split_starts(row: Row) -> None:
    """Replace `deploy` by the form's choice and its systems."""
    split_choice(row, "deploy", (OWN, ENTRY, ANY), "deploy", "deploy_systems")


def join_starts(row: Row) -> None:
    """Put the form's choice of where fleets start back together."""
    join_choice(row, "deploy", "deploy", "deploy_systems")


def system_rows(document: Document) -> PlacedRows:
    """Yield a row for each system, with a tick instead of a drift by dice."""
    for number, system in enumerate(document.get("systems") or ()):
        row = dict(system)
        if row.get("drift") == ROLL:
            del row["drift"]
            row["drift_dice"] = True
        yield fault_path("systems", number), row


def set_system_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the systems of the form; the reverse of `system_rows`."""
    systems = []
    for row in rows:
        if row.pop("drift_dice", False):
            row["drift"] = ROLL
        systems.append(row)
    document["systems"] = systems


def system_part_rows(document: Document, key: str) -> PlacedRows:
    """Yield a row for each item of a list that systems have, with the system's id."""
    for number, system in enumerate(document.get("systems") or ()):
        items = system.get(key)
        if not isinstance(items, list):
            continue
        where = fault_path("systems", number)
        for n, item in enumerate(items):
            if isinstance(item, dict):
                place = f"{where}.{fault_path(key, n)}"
                yield place, {"system": str(system.get("id") or ""), **item}


def set_system_part_rows(document: Document, rows: Iterable[Row], key: str) -> None:
    """Store the items of a list that systems have; those of a removed system go with it."""
    items_of: dict[str, list[Row]] = {}
    for row in rows:
        items_of.setdefault(str(row.pop("system", "")), []).append(row)
    for system in document.get("systems") or ():
        items = items_of.pop(str(system.get("id") or ""), [])
        others = system.get(key)
        if items:
            system[key] = items
        elif isinstance(others, list) and all(isinstance(item, dict) for item in others):
            system.pop(key)


def class_movement_rows(document: Document) -> PlacedRows:
    """Yield a row for each class with a movement of its own."""
    for cls, movement in (document.get("class_movement") or {}).items():
        yield fault_path("class_movement", str(cls)), {"class": str(cls), "movement": movement}


def set_class_movement_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the movement of single classes."""
    document.pop("class_movement", None)
    movements: Row = {}
    for row in rows:
        movements[unused_key(movements, str(row.get("class") or ""))] = row.get("movement")
    if movements:
        document["class_movement"] = movements
