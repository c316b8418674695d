"""Faults on the page: from a violation's path in the payload to the fleet, ship or row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.orders.registry import KEY, order_of, stored_items
from campaign.rules.own_keys import page_id
from campaign.words.design_faults import with_option_titles
from engine.core.errors import Violation, limit_violations

# A path in the payload: the part, the number of its item, and the rest, as in `move[2].to`
_PATH = re.compile(rf"^(?:orders\.)?({KEY})(?:\[([0-9]+)\])?(?:\.(.*))?$")

PLANS = "plans."  # prefix of the fleet whose plan is meant


@dataclass(frozen=True, slots=True)
class PageFault:
    """A violation with the element it belongs to."""

    words: str
    where: str  # path in the payload
    code: str
    anchor: str  # element id; empty if it concerns the whole page
    subject: str = ""  # what it is about, if the words alone do not say so


@dataclass(slots=True)
class Faults:
    """All faults of a payload, indexed by anchor."""

    all: tuple[PageFault, ...] = ()
    _by_anchor: dict[str, list[PageFault]] = field(default_factory=dict)

    def at(self, anchor: str) -> tuple[PageFault, ...]:
        """Return the faults of an element."""
        return tuple(self._by_anchor.get(anchor, ()))

    @property
    def general(self) -> tuple[PageFault, ...]:
        """The faults that concern the whole page."""
        return self.at("")

    def __bool__(self) -> bool:
        return bool(self.all)


def faults_of(payload: Mapping[str, Any], violations: Iterable[Violation]) -> Faults:
    """Return a payload's violations with anchors: the first hundred, and a count of the rest."""
    page_faults = []
    for violation in limit_violations(violations):
        page_faults.append(
            PageFault(
                words=with_option_titles(violation.message),
                where=violation.where,
                code=violation.code,
                anchor=anchor(payload, violation.where),
            )
        )
    return index_faults(page_faults)


def faults_about(
    violations: Iterable[Violation],
    about: Callable[[str], str],
    names: Callable[[str], str],
    anchors: Callable[[str], str],
) -> Faults:
    """Return violations grouped by the unit they are about.

    Args:
        about: Returns the ship or group of a path, or "".
        names: Returns the unit's name.
        anchors: Returns the unit's anchor.
    """
    page_faults = []
    for violation in limit_violations(violations):
        key = about(violation.where)
        page_faults.append(
            PageFault(
                words=with_option_titles(violation.message),
                where=violation.where,
                code=violation.code,
                anchor=anchors(key) if key else "",
                subject=names(key) if key else "",
            )
        )
    return index_faults(page_faults)


def index_faults(page_faults: Iterable[PageFault]) -> Faults:
    """Index faults by anchor."""
    faults = Faults(tuple(page_faults))
    for fault in faults.all:
        faults._by_anchor.setdefault(fault.anchor, []).append(fault)
    return faults


def anchor(payload: Mapping[str, Any], where: str) -> str:
    """Return the element id for a path, or "" if it concerns the whole page.

    It is `fleet-<key>`, `ship-<key>`, `decide-<hex>-<toward>` or `deploy-<n>`.
    """
    if where.startswith(PLANS):
        return page_id("fleet", where.removeprefix(PLANS))
    match = _PATH.match(where)
    if match is None or match[2] is None:
        return ""
    order = order_of(match[1])
    if order is None:
        return ""
    number = int(match[2])
    items = stored_items(payload, order)
    item = items[number] if number < len(items) else None
    return order.anchor(item, number, match[3] or "")
