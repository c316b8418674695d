"""The state of a design in the editor: a new design, and the effect of each action.

`campaign.forms.ships.design_form` reads it from its form, and `build_design_sheet` lays it out. All
functions are pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.design.mass_pricing import ARMOUR_RATES
from engine.design.offers import Offer, first_fitting
from engine.notation.designs import MAX_FITTINGS, STANDARD_ROWS, fitting_json
from engine.ruleset import RuleSet

Fields = Mapping[str, Sequence[str]]
Document = dict[str, Any]
LAYERS = len(ARMOUR_RATES)
# A new ship's mass, thrust and hull boxes.
FIRST_MASS = 40
FIRST_THRUST = 4
FIRST_BOXES = 12
INTEGER = re.compile(r"-?[0-9]{1,9}")
SHOW = "show"


@dataclass(frozen=True, slots=True)
class DesignEditor:
    """A design as JSON, valid or not, that is being edited.

    Attributes:
        at: The number of the row of systems whose controls are shown; None: none.
    """

    document: Document
    at: int | None = None


def blank_design(rules: RuleSet) -> DesignEditor:
    """Return a new ship: a hull with drives and no systems."""
    document: Document = {
        "class": phrase("New class"),
        "edition": rules.edition.value,
        "kind": HullKind.WARSHIP.value,
        "mass": FIRST_MASS,
        "thrust": FIRST_THRUST,
        "ftl": FtlDrive.STANDARD.value,
    }
    if is_built_by_mass(rules):
        document["hull"] = {"boxes": FIRST_BOXES, "rows": STANDARD_ROWS}
    return DesignEditor(document | {"systems": []})


def is_built_by_mass(rules: RuleSet) -> bool:
    """Return whether designers of the edition choose hull boxes, armour and drives."""
    return "hull" in rules.yard.notation.design_keys


def apply_action(
    editor: DesignEditor, act: str, rules: RuleSet, offers: Sequence[Offer]
) -> DesignEditor:
    """Return the editor after an action; unknown actions change nothing.

    Args:
        act: `add:beam`, `edit:2`, `copy:2`, `remove:2`, `up:2`, `down:2` or `close`.
    """
    verb, _, rest = act.partition(":")
    if verb == "add":
        return _add_system(editor, rest, rules, offers)
    if verb == "close":
        return DesignEditor(editor.document)
    action = ACTS.get(verb)
    if action is None or not rest.isdecimal() or int(rest) >= len(editor.document["systems"]):
        return editor
    document = deepcopy(editor.document)
    return action(document, int(rest), editor.at)


def _add_system(
    editor: DesignEditor, type_: str, rules: RuleSet, offers: Sequence[Offer]
) -> DesignEditor:
    """Add a system of a type at the end and show its controls."""
    offer = next((item for item in offers if item.type == type_), None)
    systems = editor.document["systems"]
    if offer is None or len(systems) >= MAX_FITTINGS:
        return editor
    fitting = first_fitting(offer, offer.models[0], rules)
    document = deepcopy(editor.document)
    document["systems"].append(fitting_json(fitting, rules.yard.notation))
    return DesignEditor(document, len(systems))


# The actions on a row: each takes a copy of the design, the row's number, and the number of the
# row whose controls are shown.


def _edit(document: Document, row: int, _open_row: int | None) -> DesignEditor:
    """Show the controls of a row."""
    return DesignEditor(document, row)


def _copy(document: Document, row: int, _open_row: int | None) -> DesignEditor:
    """Insert a copy of a row below it and show the copy's controls."""
    if len(document["systems"]) < MAX_FITTINGS:
        document["systems"].insert(row + 1, deepcopy(document["systems"][row]))
    return DesignEditor(document, row + 1)


def _remove(document: Document, row: int, open_row: int | None) -> DesignEditor:
    """Remove a row."""
    del document["systems"][row]
    if open_row is None or open_row == row:
        return DesignEditor(document)
    if open_row > row:
        return DesignEditor(document, open_row - 1)
    return DesignEditor(document, open_row)


def _move_by(rows: int) -> Callable[[Document, int, int | None], DesignEditor]:
    """Return the action that exchanges a row with the one this many rows below it."""

    def move(document: Document, row: int, open_row: int | None) -> DesignEditor:
        systems = document["systems"]
        target = row + rows
        if not 0 <= target < len(systems):
            return DesignEditor(document, open_row)
        systems[row], systems[target] = systems[target], systems[row]
        if open_row == row:
            return DesignEditor(document, target)
        if open_row == target:
            return DesignEditor(document, row)
        return DesignEditor(document, open_row)

    return move


ACTS: dict[str, Callable[[Document, int, int | None], DesignEditor]] = {
    "edit": _edit,
    "copy": _copy,
    "remove": _remove,
    "up": _move_by(-1),
    "down": _move_by(1),
}
