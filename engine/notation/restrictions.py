"""Reads `barred` and `allowed` in files of battles, fleets and scenarios."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.edition import EDITIONS
from engine.core.errors import fault_path
from engine.core.sheet import Sheet
from engine.design.restrictions import (
    ALLOWED,
    BARRED,
    NO_RESTRICTIONS,
    Restrictions,
    barred_faults,
    class_fault,
    list_faults,
)
from engine.notation.reading import Reader
from engine.ruleset import rules_of

RESTRICTION_KEYS = (BARRED, ALLOWED)


def read_restrictions(
    reader: Reader, data: Mapping[object, object], edition: str, extra: Restrictions | None = None
) -> Restrictions:
    """Return what a file bars, nothing if its lists have faults; these go to the reader.

    Args:
        extra: Restrictions of the command line, which come after those of the file.
    """
    barred = _words(reader, data, BARRED)
    allowed = _words(reader, data, ALLOWED) if ALLOWED in data else None
    if extra is not None:
        barred = (*barred, *extra.barred)
        if extra.allowed is not None:
            allowed = (*(allowed or ()), *extra.allowed)
    restrictions = Restrictions(barred, allowed)
    if edition not in EDITIONS:
        return NO_RESTRICTIONS
    faults = list_faults(restrictions, rules_of(edition))
    if faults:
        reader.faults.extend(faults)
        return NO_RESTRICTIONS
    return restrictions


def restrictions_json(restrictions: Restrictions) -> dict[str, list[str]]:
    """Return the lists of restrictions as files have them, without those that say nothing."""
    document = {}
    if restrictions.barred:
        document[BARRED] = list(restrictions.barred)
    if restrictions.allowed is not None:
        document[ALLOWED] = list(restrictions.allowed)
    return document


def check_barred(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    sheet: Sheet,
    restrictions: Restrictions,
) -> None:
    """Report what is barred in a ship, at its class or within its design.

    Args:
        item: The ship's entry in the file.
    """
    if restrictions.is_empty:
        return
    rules = rules_of(sheet.edition)
    if "design" in item:
        reader.faults += barred_faults(sheet.design, restrictions, rules, f"{where}.design")
    elif fault := class_fault(sheet.design, restrictions, rules, f"{where}.class"):
        reader.faults.append(fault)


def _words(reader: Reader, data: Mapping[object, object], key: str) -> tuple[str, ...]:
    """Return the words of a list; the default is an empty list."""
    items = reader.items(data, key, default=())
    return tuple(
        reader.text_value(item, fault_path(key, number)) for number, item in enumerate(items)
    )
