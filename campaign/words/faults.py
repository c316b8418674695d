"""Faults beside what they concern: from a violation's place in the payload to the fleet, ship or row on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.errors import Violation, listed

_PLACE = re.compile(r"^(?:orders\.)?([a-z]+)(?:\[([0-9]+)\])?(?:\.(.*))?$")
_SHIP = re.compile(r"^ships\[([0-9]+)\]")

PLANS = "plans."  # before the fleet whose plan is meant

# The key that names the subject of an item of each part, and the kind of thing it is on the page.
SUBJECTS = {
    "settings": ("fleet", "fleet"),
    "detach": ("into", "fleet"),
    "moves": ("fleet", "fleet"),
    "dock": ("ship", "ship"),
    "tow": ("tug", "ship"),
    "refit": ("ship", "ship"),
    "dummies": ("dummy", "fleet"),
}


@dataclass(frozen=True, slots=True)
class PageFault:
    """A violation with the place on the page it belongs to; `anchor` is empty for what concerns the whole.

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
    """The violations of a payload, each with its anchor; the first hundred are listed, the others counted."""
    return faults_at(
        PageFault(one.message, one.where, one.code, anchor(payload, one.where)) for one in listed(violations)
    )


def faults_about(
    violations: Iterable[Violation],
    about: Callable[[str], str],
    names: Callable[[str], str],
    anchors: Callable[[str], str],
) -> Faults:
    """Violations by what they are about. `about`: a place's ship or group, or nothing; then its name and its anchor."""
    found = []
    for one in listed(violations):
        key = about(one.where)
        found.append(
            PageFault(one.message, one.where, one.code, anchors(key) if key else "", names(key) if key else "")
        )
    return faults_at(found)


def faults_at(all_of_them: Iterable[PageFault]) -> Faults:
    """Faults by their anchors."""
    found = Faults(tuple(all_of_them))
    for fault in found.all:
        found._by_anchor.setdefault(fault.anchor, []).append(fault)
    return found


def anchor(payload: Mapping[str, Any], where: str) -> str:
    """The id of what a place is about: `fleet-<key>`, `ship-<key>`, `decide-<hex>-<toward>`, `deploy-<n>`."""
    if where.startswith(PLANS):
        return slug("fleet", where.removeprefix(PLANS))
    match = _PLACE.match(where)
    if match is None or match[2] is None:
        return ""
    part, number, rest = match[1], int(match[2]), match[3] or ""
    if part == "deploy":
        return f"deploy-{number}"
    items = payload.get(part)
    item = items[number] if isinstance(items, list) and number < len(items) else None
    if part == "weasels":
        return slug("ship", item) if isinstance(item, str) else ""
    if not isinstance(item, dict):
        return ""
    if part == "build":
        return f"yard-{item.get('hex')}"
    if part == "decide":
        return f"decide-{item.get('hex')}-{item.get('toward')}"
    if part not in SUBJECTS:
        return ""
    ship = _SHIP.match(rest)
    if part in ("detach", "tow") and ship is not None:
        ships = item.get("ships")
        if isinstance(ships, list) and int(ship[1]) < len(ships):
            return slug("ship", ships[int(ship[1])])
    key, kind = SUBJECTS[part]
    return slug(kind, item.get(key))


def slug(kind: str, key: object) -> str:
    """The id on the page of a fleet or ship: its own key without the slash."""
    return f"{kind}-{str(key).replace('/', '-')}"
