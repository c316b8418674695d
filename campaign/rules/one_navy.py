"""What the ships of a faction must, or should, have as one: torpedoes, drives and hangars.

Ships taken from other factions do not count.

Rules: Continuum 5.14, 13.10, 13.12 [pc.fleet-wide]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from campaign.rules.scenario import Scenario, ShipClass
from engine.core.edition import Edition
from engine.core.errors import RuleViolations, Violation
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.terms import ONE_NAVY
from engine.design.navies import has_mixed_overloads, navy_warnings
from engine.notation.designs import stored_sheet

OVERLOAD_MIXED = reason(
    "overload-mixed",
    "some torpedoes of your navy can be overloaded and others of the same kind cannot: upgrade all "
    "of them or none",
)


def navy_faults(scenario: Scenario, classes: Iterable[ShipClass], where: str) -> list[Violation]:
    """Return what ships of these classes must have as one and do not.

    Rules: Continuum 5.14, 13.10, 13.12 [pc.fleet-wide]
    """
    sheets = _sheets(scenario, classes)
    faults: list[Violation] = []
    if has_mixed_overloads(sheets):
        faults.append(Violation(where, "overload-mixed", OVERLOAD_MIXED))
    if ONE_NAVY in scenario.options:
        for warning in navy_warnings(sheets):
            faults.append(Violation(where, warning.code, warning.message))
    return faults


def navy_advice(scenario: Scenario, classes: Iterable[ShipClass]) -> tuple[str, ...]:
    """Return what ships of these classes should have as one and do not, in words.

    With the option that makes it a fault there is no advice.
    """
    if ONE_NAVY in scenario.options:
        return ()
    return tuple(warning.message for warning in navy_warnings(_sheets(scenario, classes)))


def new_navy_faults(
    scenario: Scenario, present: Sequence[ShipClass], added: ShipClass, where: str
) -> list[Violation]:
    """Return the faults that a ship of another class adds to a navy."""
    codes = {fault.code for fault in navy_faults(scenario, present, where)}
    faults = navy_faults(scenario, [*present, added], where)
    return [fault for fault in faults if fault.code not in codes]


def _sheets(scenario: Scenario, classes: Iterable[ShipClass]) -> list[Sheet]:
    """Return the record sheet of each class once; none in editions without such rules.

    Classes that the war's options forbid are left out: they have that fault already.
    """
    if scenario.edition != Edition.CONTINUUM:
        return []
    by_name = {cls.name: cls for cls in classes}
    sheets: list[Sheet] = []
    for cls in by_name.values():
        with suppress(RuleViolations):
            sheets.append(stored_sheet(cls.design, scenario.options))
    return sheets
