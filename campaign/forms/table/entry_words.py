"""Entries of a tabletop battle's record in words, for players and umpires."""

from __future__ import annotations

from campaign.forms.table.damage_panels import check_words
from campaign.forms.table.table_form import stock_words
from campaign.rules.table_record import RESERVED, Entry
from engine.core.kinds import ShipStatus
from engine.core.phrase import phrase
from engine.english import counted_noun, system_words


def ship_entry_words(entry: Entry, name: str) -> str:
    """Return what a player entered about their ship.

    Args:
        name: The ship's name.
    """
    kind = entry["kind"]
    if kind == "boxes":
        boxes_text = counted_noun(entry["last"] - entry["first"] + 1, "box")
        change = phrase("crossed off") if entry["off"] else phrase("open again")
        return phrase("{}: {} {}", name, boxes_text, change)
    if kind == "system":
        return phrase("{}: {}, {} hits", name, system_words(entry["system"]), entry["hits"] or "no")
    if kind == "stock":
        return phrase("{}: {}, {} left", name, stock_words(entry["name"]), entry["left"])
    if kind == "check":
        rolls = check_words(dict(entry["dice"]))
        return phrase("{}, threshold check: {} ({})", name, rolls, who_rolled(entry))
    if kind == RESERVED:
        return phrase("{}, threshold check: {}", name, reserved_words(entry))
    if kind == "end":
        return phrase("{}: {}", name, ShipStatus.label_of(entry["status"]))
    return phrase("{}: identified", name)


def reserved_words(entry: Entry) -> str:
    """Return dice of the site that are reserved and not shown yet."""
    count = len(entry["systems"]) if "systems" in entry else entry["dice"]
    if "number" in entry:
        return phrase("reserved as number {}, dice: {}", entry["number"], count)
    return phrase("reserved dice: {}", count)


def who_rolled(entry: Entry) -> str:
    """Return who rolled the dice of an entry."""
    if "number" in entry:
        return phrase("rolled by the site, number {}", entry["number"])
    if entry.get("by"):
        return phrase("rolled by the site")
    return phrase("rolled by hand")
