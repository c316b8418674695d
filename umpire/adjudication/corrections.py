"""What a ruling changes, line by line: for umpires in the world, for a faction in its view. Pure.

Both have fleets, ships and so on with the same fields, so one function compares them. A faction's
lines follow from its own two views and from nothing else, and tell it no more than they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.view import View
from campaign.rules.world import World

SHIP, FLEET, SYSTEM, CONTACT = "ship", "fleet", "system", "contact"
FUNDS, WORK, OBJECTIVE, OTHER = "funds", "work", "objective", "other"
PRESENT = "present"  # the field of what was added or removed: "yes" or empty
YES = "yes"

# The fields that are compared, of each kind of thing.
FIELDS: Mapping[str, Sequence[str]] = {
    FLEET: ("name", "hex", "decoys", "decoys_out"),
    SHIP: ("name", "fleet", "damage", "lost", "stock", "docked", "laid_up", "tug"),
    SYSTEM: ("holder", "state"),
    CONTACT: ("state",),
    OBJECTIVE: ("reached",),
    WORK: (),
}


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing that a ruling changes.

    Attributes:
        what: The kind of thing.
        name: Its name, or the key of a system or faction.
        field: What of it changes; `PRESENT`: whether it is there.
        before: A number, name, key or hex, or several with commas between; empty: none.
    """

    what: str
    name: str
    field: str
    before: str
    after: str


def corrections_of(before: World | View, after: World | View) -> tuple[Correction, ...]:
    """Return what differs between two worlds, or between two views of a faction."""
    result: list[Correction] = []
    names = _names(before) | _names(after)
    things_before = _things(before, names)
    things_after = _things(after, names)
    for kind, rows_before in things_before.items():
        rows_after = things_after[kind]
        for key in sorted({*rows_before, *rows_after}):
            result += _differences(kind, rows_before.get(key), rows_after.get(key))
    funds_before = _funds(before)
    for faction, points in _funds(after).items():
        if points != funds_before.get(faction):
            stood = str(funds_before.get(faction, 0))
            result.append(Correction(FUNDS, faction, FUNDS, stood, str(points)))
    if not result and before != after:
        result.append(Correction(OTHER, "", OTHER, "", ""))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something with its name and the texts of its fields."""

    name: str
    values: Mapping[str, str]


def _names(state: World | View) -> dict[str, str]:
    """Return the names of ships and fleets by key."""
    names = {fleet.key: fleet.name for fleet in state.fleets}
    return names | {ship.key: ship.name for ship in state.ships}


def _things(state: World | View, names: Mapping[str, str]) -> dict[str, dict[str, _Thing]]:
    """Return everything with a key, by kind and key.

    Args:
        names: The names of ships and fleets by key. They are the same for both states, so that a
            fleet's new name is no change of its ships.
    """
    contacts: dict[str, Any]
    if isinstance(state, World):
        systems: Iterable[Any] = state.holdings
        contacts = {f"{item.hex}/{item.a}/{item.b}": item for item in state.contacts}
    else:
        systems = state.systems
        contacts = {f"{item.hex}/{item.toward}": item for item in state.in_contact}
    return {
        FLEET: {item.key: _thing(FLEET, item.name, item, names) for item in state.fleets},
        SHIP: {item.key: _thing(SHIP, item.name, item, names) for item in state.ships},
        SYSTEM: {item.system: _thing(SYSTEM, item.system, item, names) for item in systems},
        CONTACT: {key: _thing(CONTACT, item.hex, item, names) for key, item in contacts.items()},
        WORK: {item.key: _thing(WORK, item.name or item.cls, item, names) for item in state.works},
        OBJECTIVE: {
            item.key: _thing(OBJECTIVE, item.key, item, names) for item in state.objectives
        },
    }


def _thing(kind: str, name: str, item: Any, names: Mapping[str, str]) -> _Thing:
    """Return a thing with its fields as texts.

    Args:
        names: The names of ships and fleets by key.
    """
    values = {}
    for field in FIELDS[kind]:
        values[field] = _text(getattr(item, field), names)
    return _Thing(name, values)


def _text(value: object, names: Mapping[str, str]) -> str:
    """Return a value as text; keys of ships and fleets become names."""
    if isinstance(value, bool):
        return YES if value else ""
    if isinstance(value, tuple):
        return ", ".join(_part(item) for item in value)
    text = "" if value is None else str(value)
    return names.get(text, text)


def _part(item: object) -> str:
    """Return an entry of a list as text: a system, or a store with what is left of it."""
    if isinstance(item, tuple):
        store, amount = item
        return f"{store} {amount}"
    return str(item)


def _differences(kind: str, before: _Thing | None, after: _Thing | None) -> list[Correction]:
    """Return what differs between a thing before and after; None: it is not there."""
    if before is None or after is None:
        thing = before or after
        assert thing is not None
        there = (YES if before else "", YES if after else "")
        return [Correction(kind, thing.name, PRESENT, *there)]
    result = []
    for field, value in after.values.items():
        if value != before.values[field]:
            result.append(Correction(kind, before.name, field, before.values[field], value))
    return result


def _funds(state: World | View) -> dict[str, int]:
    """Return the points for building ships by faction."""
    if isinstance(state, World):
        return dict(state.funds)
    return {state.faction: state.funds}
