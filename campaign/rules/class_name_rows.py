"""The `class_names` of a scenario file as rows of the editor, and back.

A faction has either a list of names, stored as the list's id, or names of its own, stored as a
table. They are two groups of the editor; a faction that has a list has no names of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.core.errors import fault_path

Document = dict[str, Any]
Row = dict[str, Any]


def navy_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield the place and row of each faction that uses a list of names."""
    for faction, names in (document.get("class_names") or {}).items():
        if isinstance(names, str):
            row = {"faction": str(faction), "list": names}
            yield fault_path("class_names", str(faction)), row


def set_navy_rows(document: Document, rows: list[Row]) -> None:
    """Store which factions use which list; a list replaces the faction's own names."""
    names = own_class_names(document)
    for row in rows:
        names[row.get("faction", "")] = row.get("list") or ""
    _store(document, names)


def class_name_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield the place and row of each class that a faction calls by a name of its own."""
    for faction, names in own_class_names(document).items():
        for cls, name in (names or {}).items():
            row = {"faction": str(faction), "class": str(cls), "name": name}
            yield fault_path("class_names", str(faction)), row


def set_class_name_rows(
    document: Document, rows: list[Row], unused_key: Callable[[dict[str, Any], str], str]
) -> None:
    """Store the factions' own names of classes, except of factions that use a list.

    Args:
        unused_key: Returns a key that a table does not have yet, for two rows of the same class.
    """
    names: dict[str, Any] = {}
    for _, row in navy_rows(document):
        names[row["faction"]] = row["list"]
    for row in rows:
        own_names = names.setdefault(row.get("faction", ""), {})
        if isinstance(own_names, dict):
            own_names[unused_key(own_names, row.get("class", ""))] = row.get("name")
    _store(document, names)


def own_class_names(document: Document) -> dict[str, Any]:
    """Return the tables of names by faction, without the lists."""
    names = document.get("class_names")
    if not isinstance(names, dict):
        return {}
    return {str(key): table for key, table in names.items() if not isinstance(table, str)}


def _store(document: Document, names: dict[str, Any]) -> None:
    """Set `class_names`, or remove it if no faction has names."""
    document.pop("class_names", None)
    if names:
        document["class_names"] = names
