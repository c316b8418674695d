"""Where the ships of a faction must, or should, be uniform: torpedoes, drives and hangars.

Ships taken from other factions do not count.

Rules: Continuum 5.14, 13.10, 13.12 [pc.fleet-wide]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from campaign.rules.codec import as_list
from campaign.rules.designs import buildable_classes
from campaign.rules.queries import ship_classes
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
    """Return the faults of ships of these classes that differ where they must be uniform.

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


def deployment_warnings(
    scenario: Scenario, faction: str, payload: Mapping[str, Any]
) -> tuple[Violation, ...]:
    """Return the warnings of a deployment whose ships differ where they should be uniform.

    With the option that makes it a fault there is no warning.

    Args:
        payload: Orders as a player wrote them, with or without faults.
    """
    if ONE_NAVY in scenario.options:
        return ()
    designs = [item for item in as_list(payload.get("designs")) if isinstance(item, Mapping)]
    classes = dict(ship_classes(scenario))
    for cls in buildable_classes(scenario, faction, designs):
        classes[cls.name] = cls
    deployed = [classes[name] for name in _deployed_names(payload) if name in classes]
    warnings = navy_warnings(_sheets(scenario, deployed))
    return tuple(Violation("deploy", item.code, item.message) for item in warnings)


def _deployed_names(payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of the class of each ship in a deployment."""
    for fleet in as_list(payload.get("deploy")):
        for ship in as_list(fleet.get("ships")) if isinstance(fleet, Mapping) else ():
            if isinstance(ship, list) and ship:
                yield str(ship[0])


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
