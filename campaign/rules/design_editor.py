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
from engine.notation.designs import MOST_FITTINGS, STANDARD_ROWS, fitting_json
from engine.ruleset import RuleSet

Fields = Mapping[str, Sequence[str]]
Document = dict[str, Any]
LAYERS = len(ARMOUR_RATES)
FIRST_MASS, FIRST_THRUST, FIRST_BOXES = 40, 4, 12  # of a new ship
INTEGER = re.compile(r"-?[0-9]{1,9}")
SHOW = "show"


@dataclass(frozen=True, slots=True)
class DesignEditor:
    """A design as JSON, lawful or not, that is being edited.

    Attributes:
        at: The number of the row of systems that is open; None: none.
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
    offer = next((item for item in offers if item.type == type_), None)
    systems = editor.document["systems"]
    if offer is None or len(systems) >= MOST_FITTINGS:
        return editor
    fitting = first_fitting(offer, offer.models[0], rules)
    document = deepcopy(editor.document)
    document["systems"].append(fitting_json(fitting, rules.yard.notation))
    return DesignEditor(document, len(systems))


def _edit(document: Document, n: int, _at: int | None) -> DesignEditor:
    return DesignEditor(document, n)


def _copy(document: Document, n: int, _at: int | None) -> DesignEditor:
    if len(document["systems"]) < MOST_FITTINGS:
        document["systems"].insert(n + 1, deepcopy(document["systems"][n]))
    return DesignEditor(document, n + 1)


def _remove(document: Document, n: int, at: int | None) -> DesignEditor:
    del document["systems"][n]
    return DesignEditor(document, None if at is None or at == n else at - (at > n))


def _move_by(by: int) -> Callable[[Document, int, int | None], DesignEditor]:
    def move(document: Document, n: int, at: int | None) -> DesignEditor:
        systems = document["systems"]
        to = n + by
        if not 0 <= to < len(systems):
            return DesignEditor(document, at)
        systems[n], systems[to] = systems[to], systems[n]
        return DesignEditor(document, {n: to, to: n}.get(at, at) if at is not None else None)

    return move


ACTS: dict[str, Callable[[Document, int, int | None], DesignEditor]] = {
    "edit": _edit,
    "copy": _copy,
    "remove": _remove,
    "up": _move_by(-1),
    "down": _move_by(1),
}
