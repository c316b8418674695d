"""Renames keys and values in stored documents by patterns.

A pattern names a key by the end of its path; lists on the way do not count:

    why                     every key `why`, at any depth
    ships.notes.read        a key `read` in the object `notes` of an object in `ships`
    .asked                  a key `asked` of the document itself
    pieces.*.spent          `*` is any key
    event:shot-refused.why  a key `why` of an object whose `event` is `shot-refused`
    event:*.why             a key `why` of an object with any `event`

A pattern that ends in `read` also renames `read:0`, and keeps what follows the colon. Where several
patterns match, the one with the most parts counts, and then the one without `*`. New keys keep the place of the old ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tools.prerelease import renames

ANY = "*"
ROOT = ""
EVERY_DOCUMENT = "anywhere"


@dataclass(frozen=True, slots=True)
class Place:
    """An object in a document: the key it is found under, and the object that contains it."""

    key: str
    body: Mapping[str, Any]
    parent: Place | None


class NameCollision(Exception):
    """Two keys of an object would have the same new name."""


def rename_document(kind: str, document: Any) -> Any:
    """Return a document of a kind with the names of release 1.0.0."""
    return _renamed(_rules_of(kind), document, ROOT, None)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of a kind of document, by the last part of their path, the most exact first."""

    keys: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    values: Mapping[str, tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]]


@lru_cache(maxsize=64)
def _rules_of(kind: str) -> _Rules:
    own_keys = renames.KEYS.get(kind, {})
    shared_keys = {key: new for key, new in renames.ANYWHERE.items() if key not in own_keys}
    own_values = renames.DOCUMENT_VALUES.get(kind, {})
    shared_values = renames.DOCUMENT_VALUES.get(EVERY_DOCUMENT, {})
    return _Rules(_by_last({**own_keys, **shared_keys}), _by_last({**shared_values, **own_values}))


def _by_last(patterns: Mapping[str, Any]) -> dict[str, tuple[tuple[tuple[str, ...], Any], ...]]:
    grouped: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
    for pattern, new in patterns.items():
        *path, last = pattern.split(".")
        grouped.setdefault(last, []).append((tuple(path), new))
    return {
        last: tuple(sorted(rules, key=lambda rule: _precedence(rule[0])))
        for last, rules in grouped.items()
    }


def _precedence(path: tuple[str, ...]) -> tuple[int, int]:
    return -len(path), sum(ANY in part for part in path)


def _renamed(rules: _Rules, part: Any, key: str, parent: Place | None) -> Any:
    """Return a part of a document with its new names; `key` is the one it is found under."""
    if isinstance(part, list):
        return [_renamed(rules, item, key, parent) for item in part]
    if not isinstance(part, dict):
        return part
    place = Place(key, part, parent)
    result: dict[str, Any] = {}
    for name, value in part.items():
        new_name = _new_name(rules, name, place)
        if new_name in result:
            raise NameCollision(f"{key}: {name} and another key become {new_name}")
        result[new_name] = _new_value(rules, name, value, place)
    return result


def _new_name(rules: _Rules, name: str, place: Place) -> str:
    stem, colon, rest = name.partition(":")
    for known, suffix in ((name, ""), (stem, colon + rest)):
        for path, new in rules.keys.get(known, ()):
            if _is_at(path, place):
                return f"{new}{suffix}"
    return name


def _new_value(rules: _Rules, name: str, value: Any, place: Place) -> Any:
    for path, new in rules.values.get(name, ()):
        if not _is_at(path, place):
            continue
        if isinstance(value, str | list):
            return _with_new_values(new, value)
    return _renamed(rules, value, name, place)


def _with_new_values(new: Mapping[str, str], value: Any) -> Any:
    """Return a text or list with the new names; what follows a colon stays."""
    if isinstance(value, list):
        return [_with_new_values(new, item) for item in value]
    if not isinstance(value, str):
        return value
    stem, colon, rest = value.partition(":")
    return new.get(value, f"{new.get(stem, stem)}{colon}{rest}")


def _is_at(path: tuple[str, ...], place: Place) -> bool:
    """Return whether an object is at the end of a path."""
    at: Place | None = place
    for part in reversed(path):
        if at is None or not _matches(part, at):
            return False
        at = at.parent
    return True


def _matches(part: str, place: Place) -> bool:
    key, colon, value = part.partition(":")
    if colon:
        return key in place.body and value in (ANY, place.body[key])
    if part == ROOT:
        return place.parent is None
    return part in (ANY, place.key)


def rename_week_events(part: Any) -> Any:
    """Return a document, or a part of one, with the new names of the facts of week events."""
    if isinstance(part, list):
        return [rename_week_events(item) for item in part]
    if not isinstance(part, dict):
        return part
    if "code" not in part or not isinstance(part.get("facts"), list):
        return {key: rename_week_events(value) for key, value in part.items()}
    names = {
        **renames.WEEK_EVENT_FACTS.get(ANY, {}),
        **renames.WEEK_EVENT_FACTS.get(str(part["code"]), {}),
    }
    return {**part, "facts": [[names.get(name, name), *rest] for name, *rest in part["facts"]]}
