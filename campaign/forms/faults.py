"""Faults beside what they concern: from a violation's place in the payload to the fleet, ship or
row on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.orders.registry import KEY, order_of, stored_items
from campaign.rules.own_keys import page_id
from engine.core.errors import Violation, limit_violations

_PLACE = re.compile(rf"^(?:orders\.)?({KEY})(?:\[([0-9]+)\])?(?:\.(.*))?$")

PLANS = "plans."  # before the fleet whose plan is meant


@dataclass(frozen=True, slots=True)
class PageFault:
    """A violation with the place on the page it belongs to; `anchor` is empty for what concerns the
    whole.

    `subject`: what it is about, where the words alone do not say so.
    """

    words: str
    where: str
    code: str
    anchor: str
    subject: str = ""


@dataclass(slots=True)
class Faults:
    """All faults of a payload. `at` gives those of one anchor."""

    all: tuple[PageFault, ...] = ()
    _by_anchor: dict[str, list[PageFault]] = field(default_factory=dict)

    def at(self, anchor: str) -> tuple[PageFault, ...]:
        return tuple(self._by_anchor.get(anchor, ()))

    @property
    def general(self) -> tuple[PageFault, ...]:
        return self.at("")

    def __bool__(self) -> bool:
        return bool(self.all)


def faults_of(payload: Mapping[str, Any], violations: Iterable[Violation]) -> Faults:
    """The violations of a payload, each with its anchor; the first hundred are listed, the others
    counted.
    """
    return index_faults(
        PageFault(
            violation.message, violation.where, violation.code, anchor(payload, violation.where)
        )
        for violation in limit_violations(violations)
    )


def faults_about(
    violations: Iterable[Violation],
    about: Callable[[str], str],
    names: Callable[[str], str],
    anchors: Callable[[str], str],
) -> Faults:
    """Violations by what they are about.

    `about`: a place's ship or group, or nothing; then its name and its anchor.
    """
    faults = []
    for violation in limit_violations(violations):
        key = about(violation.where)
        faults.append(
            PageFault(
                violation.message,
                violation.where,
                violation.code,
                anchors(key) if key else "",
                names(key) if key else "",
            )
        )
    return index_faults(faults)


def index_faults(page_faults: Iterable[PageFault]) -> Faults:
    """Faults by their anchors."""
    faults = Faults(tuple(page_faults))
    for fault in faults.all:
        faults._by_anchor.setdefault(fault.anchor, []).append(fault)
    return faults


def anchor(payload: Mapping[str, Any], where: str) -> str:
    """The id of what a place is about: `fleet-<key>`, `ship-<key>`, `decide-<hex>-<toward>`,
    `deploy-<n>`.
    """
    if where.startswith(PLANS):
        return page_id("fleet", where.removeprefix(PLANS))
    match = _PLACE.match(where)
    if match is None or match[2] is None:
        return ""
    order = order_of(match[1])
    if order is None:
        return ""
    number = int(match[2])
    items = stored_items(payload, order)
    item = items[number] if number < len(items) else None
    return order.anchor(item, number, match[3] or "")
