"""Entries of a tabletop battle's record, read from the buttons of its page without scripts.

A button's value has the kind of entry and its data; typed values are in fields beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import QueryDict

from campaign.forms.field import TextField, coordinate, for_scripts, number, text
from campaign.forms.table.table_form import CAPTOR, DESTROYED_HOW, STATUS
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

CHECK_DICE = TextField("check")
PLOT = TextField("plot")
BODY = TextField("body")  # by body and part: `x`, `y`
PLACE = TextField("place")  # by ship and part: `x`, `y`, `course`, `velocity`, `ftl_entry`
PLACE_PARTS = ("x", "y", "course", "velocity", "ftl_entry")
# The fields that the page's script reads and writes.
ENTRY_FIELDS = for_scripts(
    check=CHECK_DICE,
    plot=PLOT,
    place=PLACE,
    body=BODY,
    status=STATUS,
    captor=CAPTOR,
    how=DESTROYED_HOW,
)

BUTTON_SEPARATOR = "|"  # between the parts of a button's value


def _is_one(text_value: str) -> bool:
    return text_value == "1"


# The data of each kind of button in order: the keys of the entry, and how each is read.
BUTTON_DATA: dict[str, dict[str, Callable[[str], Any]]] = {
    "boxes": {"ship": str, "first": number, "last": number, "off": _is_one},
    "system": {"ship": str, "system": str, "hits": number},
    "stock": {"ship": str, "name": str, "left": number},
    "ground": {"site": str, "damage": number},
    "shown": {"ship": str},
    "phase": {"turn": number, "phase": number},
    "check": {"ship": str, "row": number, "site": str},
    "end": {"ship": str},
    "dice": {},
    "throw": {},
    "reveal": {"number": number},
    "plot": {},
    "body": {"body": str},
    "set_up": {},
}
# Kinds whose buttons may have further data, which is ignored
KINDS_WITH_FIELDS = ("dice", "throw", "plot", "set_up")


def entry_from(post: QueryDict) -> dict[str, Any]:
    """Return the entry of a button and the fields beside it.

    No rule is checked; invalid numbers stay text.
    """
    kind, *data = text(post, "do").split(BUTTON_SEPARATOR)
    keys = BUTTON_DATA.get(kind)
    if keys is None or (len(data) != len(keys) and kind not in KINDS_WITH_FIELDS):
        raise RuleViolations([Violation("do", "unknown", phrase("this page has no such button"))])
    entry: dict[str, Any] = {"kind": kind}
    for (key, read), value in zip(keys.items(), data, strict=False):
        entry[key] = read(value)
    return entry | _fields_of_entry(entry, data, post)


def _fields_of_entry(entry: dict[str, Any], data: list[str], post: QueryDict) -> dict[str, Any]:
    """Return the parts of an entry from the fields beside its button."""
    match entry["kind"]:
        case "check":
            ship, row, how = data
            typed = CHECK_DICE.text(post, ship, row) if how == "hand" else ""
            return {"site": how == "site", "rolls": _typed_dice(typed)}
        case "end":
            ship = entry["ship"]
            return {
                "status": STATUS.text(post, ship),
                "captor": CAPTOR.text(post, ship),
                "how": DESTROYED_HOW.text(post, ship),
            }
        case "dice":
            return {"about": text(post, "about"), "rolls": _typed_dice(text(post, "rolls"))}
        case "throw":
            dice = number(text(post, "dice") or "1")
            return {"about": text(post, "about"), "dice": dice}
        case "plot":
            orders = {ship: PLOT.text(post, ship) for ship in PLOT.name_suffixes(post)}
            return {"turn": number(text(post, "turn")), "orders": orders}
        case "body":
            x, y = (BODY.text(post, entry["body"], part) for part in ("x", "y"))
            return {"at": [coordinate(x), coordinate(y)]}
        case "set_up":
            return {"places": _typed_places(post)}
    return {}


def _typed_places(post: QueryDict) -> dict[str, dict[str, Any]]:
    """Return where each ship begins, as typed; empty fields are left out."""
    typed: dict[str, dict[str, str]] = {}
    for suffix in PLACE.name_suffixes(post):
        part, _, ship = suffix.partition("-")
        value = PLACE.text(post, suffix)
        if part in PLACE_PARTS and value:
            typed.setdefault(ship, {})[part] = value
    places: dict[str, dict[str, Any]] = {}
    for ship, parts in typed.items():
        place: dict[str, Any] = {}
        if "x" in parts or "y" in parts:
            place["at"] = [coordinate(parts.get("x", "")), coordinate(parts.get("y", ""))]
        for part in ("course", "velocity", "ftl_entry"):
            if part in parts:
                place[part] = number(parts[part])
        places[ship] = place
    return places


def _typed_dice(words: str) -> list[Any]:
    """Return dice rolled by hand, as typed."""
    return [number(word) for word in words.replace(",", " ").split()]
