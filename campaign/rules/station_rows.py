"""The stations of a scenario file as rows of the editor's form, and back.

`campaign.rules.scenario_editing` reads and writes all other groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Document = dict[str, Any]
Row = dict[str, Any]

GROUP = "stations"
# The keys of a station in the order in which files have them.
KEYS = (
    *("id", "class", "faction", "name", "at", "base", "berths"),
    *("course", "velocity", "gate"),
)
NEW_LINK = "link-"  # the beginning of the ids of links that had none when they were chosen


def station_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield the place and row of each station, system by system."""
    for n, system in _systems(document):
        stations = system.get(GROUP)
        for m, row in enumerate(stations if isinstance(stations, list) else ()):
            if isinstance(row, dict):
                system_id = str(system.get("id") or "")
                yield f"systems[{n}].{GROUP}[{m}]", {"system": system_id, **row}


def set_station_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the rows of the form in the systems that they name.

    Stations of a system that no longer exists are dropped with it. A row without a system goes to
    the first one. A link that is chosen as a gate gets an id if it has none.
    """
    systems = [system for _, system in _systems(document)]
    by_id = {str(system.get("id") or ""): system for system in systems}
    for system in systems:
        system.pop(GROUP, None)
    for row in rows:
        target = by_id.get(str(row.get("system") or ""))
        if target is None and systems and not row.get("system"):
            target = systems[0]
        if target is not None:
            target.setdefault(GROUP, []).append(_entry(row))
            _name_link(document, str(row.get("gate") or ""))


def _entry(row: Row) -> Row:
    """Return a row of the form as the file has it: known keys in their order, then others."""
    entry = {key: row[key] for key in KEYS if key in row}
    for key, value in row.items():
        if key != "system":
            entry.setdefault(key, value)
    return entry


def gate_choices(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield the id of each link, or the one that it gets when it is chosen, and the link."""
    for n, link in enumerate(document.get("links") or ()):
        if isinstance(link, dict):
            yield str(link.get("id") or f"{NEW_LINK}{n + 1}"), link


def _name_link(document: Document, chosen: str) -> None:
    """Give a link without an id the id by which it was chosen."""
    for id_, link in gate_choices(document):
        if id_ == chosen:
            link["id"] = chosen


def _systems(document: Document) -> Iterator[tuple[int, Row]]:
    """Yield the readable systems of a file with their numbers."""
    for n, system in enumerate(document.get("systems") or ()):
        if isinstance(system, dict):
            yield n, system
