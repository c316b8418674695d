"""Entries of a tabletop battle's record, read from the buttons of its page without scripts.

A button's value has the kind of entry and its data; typed values are in fields beside it.
"""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from campaign.forms.field import TextField, for_scripts, number, text
from campaign.forms.table.table_form import CAPTOR, DESTROYED_HOW, STATUS
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

CHECK_DICE = TextField("check")
PLOT = TextField("plot")
# The fields that the page's script reads and writes.
ENTRY_FIELDS = for_scripts(
    check=CHECK_DICE, plot=PLOT, status=STATUS, captor=CAPTOR, how=DESTROYED_HOW
)

SEP = "|"  # between the parts of a button's value


def entry_from(  # noqa: PLR0911, PLR0912, C901 -- one case for each button
    post: QueryDict,
) -> dict[str, Any]:
    """Return the entry of a button and the fields beside it.

    No rule is checked; invalid numbers stay text.
    """
    kind, *rest = text(post, "do").split(SEP)
    if kind == "boxes" and len(rest) == 4:
        return {
            "kind": kind,
            "ship": rest[0],
            "first": number(rest[1]),
            "last": number(rest[2]),
            "off": rest[3] == "1",
        }
    if kind == "system" and len(rest) == 3:
        return {"kind": kind, "ship": rest[0], "system": rest[1], "hits": number(rest[2])}
    if kind == "stock" and len(rest) == 3:
        return {"kind": kind, "ship": rest[0], "name": rest[1], "left": number(rest[2])}
    if kind == "ground" and len(rest) == 2:
        return {"kind": kind, "site": rest[0], "damage": number(rest[1])}
    if kind == "shown" and len(rest) == 1:
        return {"kind": kind, "ship": rest[0]}
    if kind == "phase" and len(rest) == 2:
        return {"kind": kind, "turn": number(rest[0]), "phase": number(rest[1])}
    if kind == "check" and len(rest) == 3:
        if rest[2] == "hand":
            typed = CHECK_DICE.text(post, rest[0], rest[1])
        else:
            typed = ""
        row = number(rest[1])
        site = rest[2] == "site"
        return {
            "kind": kind,
            "ship": rest[0],
            "row": row,
            "site": site,
            "rolls": _typed_dice(typed),
        }
    if kind == "end" and len(rest) == 1:
        ship = rest[0]
        return {
            "kind": kind,
            "ship": ship,
            "status": STATUS.text(post, ship),
            "captor": CAPTOR.text(post, ship),
            "how": DESTROYED_HOW.text(post, ship),
        }
    if kind == "dice":
        return {
            "kind": kind,
            "about": text(post, "about"),
            "rolls": _typed_dice(text(post, "rolls")),
        }
    if kind == "throw":
        return {
            "kind": kind,
            "about": text(post, "about"),
            "dice": number(text(post, "dice") or "1"),
        }
    if kind == "plot":
        orders = {ship: PLOT.text(post, ship) for ship in PLOT.name_suffixes(post)}
        return {"kind": kind, "turn": number(text(post, "turn")), "orders": orders}
    raise RuleViolations([Violation("do", "unknown", phrase("this page has no such button"))])


def _typed_dice(words: str) -> list[Any]:
    """Return dice rolled by hand, as typed."""
    return [number(word) for word in words.replace(",", " ").split()]
