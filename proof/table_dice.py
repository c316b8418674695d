"""Dice that the site rolled for battles at a table, as their records have them.

They are reserved with a number first, which counts the throws of the faction, and shown by a later
entry. Releases before 1.1 rolled them in one step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.table_record import RESERVED
from proof.archive import BattleLines, Line

SITE = "site"  # who rolled


@dataclass(frozen=True, slots=True)
class SiteRoll:
    """An entry with dice that the site rolled.

    Attributes:
        first: The entry that reserved them; the same entry if they were rolled in one step.
        rolls: The values.
        fault: What is wrong with the entry; empty for nothing.
    """

    line: Line
    first: Line
    rolls: Sequence[Any] = ()
    fault: str = ""

    @property
    def is_in_one_step(self) -> bool:
        """Return whether the dice were not reserved before they were rolled."""
        return self.first is self.line


@dataclass(frozen=True, slots=True)
class TableCounts:
    """How many throws a record has that were never shown, and that were rolled in one step."""

    unshown: int
    in_one_step: int


def site_rolls(entries: Iterable[Line]) -> Iterator[SiteRoll]:
    """Yield the dice that the site rolled for a table, and what is wrong with their entries."""
    reserved: dict[tuple[Any, Any], Line] = {}
    counts: Counter[str] = Counter()
    for line in entries:
        entry = line.body["body"]
        faction = line.body["faction"]
        throw = faction, entry.get("number")
        if entry.get("kind") == RESERVED:
            counts[faction] += 1
            reserved[throw] = line
            if throw != (faction, counts[faction]):
                yield SiteRoll(line, line, fault="dice are reserved with another number")
        elif entry.get("by") == SITE:
            first = reserved.pop(throw, None) if "number" in entry else line
            yield _shown(line, entry, first)


def table_counts(battles: Iterable[BattleLines]) -> TableCounts:
    """Count the throws of the records of battles."""
    unshown = 0
    in_one_step = 0
    for battle in battles:
        kinds = [line.body["body"].get("kind") for line in battle.table_entries]
        rolls = list(site_rolls(battle.table_entries))
        one_step = sum(roll.is_in_one_step for roll in rolls)
        in_one_step += one_step
        unshown += kinds.count(RESERVED) - (len(rolls) - one_step)
    return TableCounts(unshown, in_one_step)


def _shown(line: Line, entry: Mapping[str, Any], first: Line | None) -> SiteRoll:
    """Return the dice of an entry, compared with what was reserved."""
    parts = _parts(entry)
    rolls = entry["rolls"] if "rolls" in entry else [value for _, value in entry["dice"]]
    if first is None:
        return SiteRoll(line, line, rolls, "these dice were not reserved")
    if first is not line and first.body["body"] != {**parts, "number": entry["number"]}:
        return SiteRoll(line, first, rolls, "other dice were reserved")
    return SiteRoll(line, first, rolls)


def _parts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the reservation of an entry's dice says."""
    if "rolls" in entry:
        return {"kind": RESERVED, "about": entry.get("about"), "dice": len(entry["rolls"])}
    systems = [system for system, _ in entry["dice"]]
    return {"kind": RESERVED, "ship": entry["ship"], "row": entry["row"], "systems": systems}
