"""Checks of a scenario that its owner is still writing.

Rows that were added in the editor and not filled in yet count as if they were not there.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable

from campaign.rules.battle_builder import BATTLE_SECTION, can_be_edited
from campaign.rules.files import check_scenario
from campaign.rules.form_fields import Group
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import (
    GROUPS,
    Document,
    is_untouched,
    rows_of,
    set_rows,
)
from campaign.rules.skirmish import BATTLE
from engine.core.errors import Violation

# Missing parts of which other faults already say what to enter.
REPEATED_IF_MISSING = ("forces", "map")


def check_draft(document: Document) -> tuple[Scenario, tuple[Violation, ...]]:
    """Return the readable part of a scenario, and its faults with their places in the document.

    Args:
        document: A scenario with the outline of one (`scenario_editing.outline_faults`).
    """
    if BATTLE not in document:
        groups: Iterable[Group] = GROUPS.values()
    elif can_be_edited(document):
        groups = BATTLE_SECTION.groups
    else:
        return check_scenario(document)
    filled, old_place_of = _without_untouched_rows(document, groups)
    scenario, faults = check_scenario(filled)
    result = []
    for fault in faults:
        if fault.code == "missing" and fault.where in REPEATED_IF_MISSING:
            continue
        where = _old_place(fault.where, old_place_of)
        result.append(Violation(where, fault.code, fault.message))
    return scenario, tuple(result)


def _without_untouched_rows(
    document: Document, groups: Iterable[Group]
) -> tuple[Document, dict[str, str]]:
    """Return the document without untouched rows, and the old place of each row that moved."""
    result = copy.deepcopy(document)
    old_place_of: dict[str, str] = {}
    for group in groups:
        rows = rows_of(document, group)
        filled_rows = [placed for placed in rows if not is_untouched(group, placed.row, document)]
        if len(filled_rows) == len(rows):
            continue
        set_rows(result, group, [copy.deepcopy(placed.row) for placed in filled_rows])
        for before, after in zip(filled_rows, rows_of(result, group), strict=True):
            if before.where != after.where:
                old_place_of[after.where] = before.where
    return result, old_place_of


def _old_place(where: str, old_place_of: dict[str, str]) -> str:
    """Return the place in the document of a fault that was found without the untouched rows."""
    for row in reversed(list(re.finditer(r"\[\d+\]", where))):
        new_place = where[: row.end()]
        if new_place in old_place_of:
            return old_place_of[new_place] + where[row.end() :]
    return where
