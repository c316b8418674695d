"""Faults of scenario files in the words of the editor's form: labels and rows instead of keys.

The form, the lists of faults and the YAML part of the editor all use these words. The API keeps
the paths. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from campaign.rules.scenario_editing import FORCE_KEYS, GROUPS
from campaign.rules.scenario_fields import SECTIONS, SHIPS, Field, Group
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase

_ROW = re.compile(r"([a-z_]+)\[(\d+)\](.*)", re.DOTALL)  # a list's key, an index, the rest
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")  # of a path inside a field: a key or an index
# Groups of the form by their key in a faction's part of `forces`.
FORCE_GROUPS = {key: GROUPS[group] for group, key in FORCE_KEYS.items()}
# Fields in which a reader sees the whole list at once, so that an index says nothing.
LISTS_IN_ONE_LINE = ("numbers", "hexes", "words", "ticks")
SHIPS_NEEDED = phrase("write a class and a number on each line, such as Frigate: 2")
FILL_IN = phrase("fill this in")
# What to do about the faults whose messages describe the file, by their codes.
WORDS_BY_CODE = {
    "not-a-number": phrase("enter a whole number"),
    "not-a-text": phrase("enter a text; in YAML, a number needs quotes"),
    "not-a-list": phrase("write a list: a line for each item, starting with a hyphen"),
    "not-a-table": phrase("write keys with values, such as points: 100"),
}
NOTHING_THERE = {
    "forces": phrase("add a budget for each faction"),
    "budgets": phrase("add a budget"),
}  # instead of "fill this in", by the last key of a path
# Faults of a key that is a field of the form: the system of a defence, the class of a name.
UNKNOWN_KEYS = {"unknown-system": "system", "unknown-class": "class"}


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A place of a scenario file as the form shows it.

    Attributes:
        parts: The words from the outside in: title of a group, row, label, place in the field.
        field: The field of the form, if the place is in one.
    """

    parts: tuple[str, ...]
    field: Field | None = None


def fault_in_form(fault: Violation) -> str:
    """Return a fault after the labels of its field: "Factions, row 2, Name: fill this in"."""
    return _fault_after_place(fault, with_path=False)


def faults_in_form(faults: Sequence[Violation]) -> list[Violation]:
    """Return faults for a page's list, each after the labels of its field."""
    return _distinct_faults(faults, with_path=False)


def faults_in_yaml(faults: Sequence[Violation]) -> list[Violation]:
    """Return faults for the YAML part: "Weeks (weeks): enter a whole number"."""
    return _distinct_faults(faults, with_path=True)


def _distinct_faults(faults: Sequence[Violation], *, with_path: bool) -> list[Violation]:
    """Return faults in words, without those that read like an earlier one."""
    result: dict[str, Violation] = {}
    for fault in faults:
        words = _fault_after_place(fault, with_path=with_path)
        result.setdefault(words, Violation(fault.where, fault.code, words))
    return list(result.values())


def _fault_after_place(fault: Violation, *, with_path: bool) -> str:
    """Return a fault after the labels of its field, and after its path in parentheses if asked."""
    place = find_place(fault)
    message = fault_message(fault, place.field)
    if not place.parts:
        return message
    labels = join_phrases(", ", place.parts)
    if with_path and labels != fault.where:
        return phrase("{} ({}): {}", labels, fault.where, message)
    return phrase("{}: {}", labels, message)


def fault_at_field(fault: Violation, field: Field) -> str:
    """Return a fault as shown beside its field: only with its place inside the field, if any."""
    message = fault_message(fault, field)
    inner_parts = _inner_parts(fault.where, field)
    if not inner_parts:
        return message
    return phrase("{}: {}", join_phrases(", ", inner_parts), message)


def fault_at_row(fault: Violation) -> str:
    """Return a fault as shown above the fields of its row: after the label of a field, if any."""
    field = find_place(fault).field
    message = fault_message(fault, field)
    if field is None:
        return message
    return phrase("{}: {}", phrase(field.label), message)


def fault_message(fault: Violation, field: Field | None) -> str:
    """Return what is wrong, in words for somebody who fills in a form."""
    last_key = fault.where.rpartition(".")[2]
    if fault.code == "missing":
        if field is not None and _inner_parts(fault.where, field):
            return fault.message  # the message names the missing key of a value in YAML
        return NOTHING_THERE.get(last_key, FILL_IN)
    if not last_key and fault.code in UNKNOWN_KEYS:
        return FILL_IN
    if fault.code == "not-a-table" and field is not None and field.key == SHIPS.key:
        return SHIPS_NEEDED
    return WORDS_BY_CODE.get(fault.code, fault.message)


def find_place(fault: Violation) -> FormPlace:
    """Return the place of a fault in the form; keys without a field stay as they are."""
    where = fault.where
    if not where:
        return FormPlace(())
    if where == "forces" or where.startswith("forces."):
        return _place_in_forces(fault)
    if where.startswith("class_names"):
        _, *keys = where.split(".", 2)
        group = GROUPS["navies" if fault.code == "unknown-navy" else "class_names"]
        parts = (phrase(group.title), *filter(None, keys))
        if len(keys) < 2:
            return FormPlace(parts)
        return _place_of_pair(group, parts, UNKNOWN_KEYS.get(fault.code, "name"))
    row = _ROW.fullmatch(where)
    if row is not None and row[1] in GROUPS:
        group = GROUPS[row[1]]
        parts = (phrase(group.title), _row_words(row[2]))
        return _place_in_row(group, where, row[3].removeprefix("."), parts)
    for group in GROUPS.values():
        if group.single:
            place = _place_in_row(group, where, where, ())
            if place.field is not None:
                return place
    return _place_of_part(where)


def _place_in_forces(fault: Violation) -> FormPlace:
    """Return the place of a fault in `forces`: a faction, then budgets, defences or fleets."""
    where = fault.where
    _, *keys = where.split(".", 4)
    if len(keys) < 2:
        return FormPlace((_section_title("forces"), *keys))
    faction = keys[0]
    row = _ROW.fullmatch(keys[1])
    list_key = row[1] if row is not None else keys[1]
    group = FORCE_GROUPS.get(list_key)
    if group is None:
        return FormPlace((_section_title("forces"), *keys))
    parts: tuple[str, ...] = (phrase(group.title), faction)
    if row is not None:
        parts = (*parts, _row_words(row[2]))
        return _place_in_row(group, where, ".".join(keys[2:]), parts)
    parts = (*parts, *filter(None, keys[2:3]))
    if group.key == "defences" and len(keys) > 2:
        return _place_of_pair(group, parts, UNKNOWN_KEYS.get(fault.code, "points"))
    return _place_in_row(group, where, ".".join(keys[3:]), parts)


def _place_of_pair(group: Group, parts: tuple[str, ...], field_key: str) -> FormPlace:
    """Return the place of a fault of a row that the file stores as one key and one value."""
    field = next(field for field in group.fields if field.key == field_key)
    return FormPlace((*parts, phrase(field.label)), field)


def _place_in_row(group: Group, where: str, path: str, parts: tuple[str, ...]) -> FormPlace:
    """Return the place of a path in a row.

    Args:
        where: The whole path, of which `path` is the part inside the row.
        parts: The words for the row.
    """
    for field in group.fields:
        if path == field.key or path.startswith((f"{field.key}.", f"{field.key}[")):
            inner_parts = _inner_parts(where, field)
            return FormPlace((*parts, phrase(field.label), *inner_parts), field)
    if path:
        return FormPlace((*parts, path))
    return FormPlace(parts)


def _place_of_part(where: str) -> FormPlace:
    """Return the place of a fault of a whole group or section, or of an unknown key."""
    if where in GROUPS:
        return FormPlace((phrase(GROUPS[where].title),))
    for section in SECTIONS:
        if where in section.keys and where in (section.slug, "classes"):
            return FormPlace((phrase(section.title),))
    return FormPlace((where,))


def _section_title(slug: str) -> str:
    """Return the title of a section of the form."""
    return next(phrase(section.title) for section in SECTIONS if section.slug == slug)


def _row_words(index: str) -> str:
    return phrase("row {}", int(index) + 1)


def _inner_parts(where: str, field: Field) -> tuple[str, ...]:
    """Return the place inside a field: a class of `ships`, or an item and its key in YAML."""
    if field.kind in LISTS_IN_ONE_LINE:
        return ()
    match = re.search(rf"(?:^|\.){re.escape(field.key)}(?=[.\[])", where)
    if match is None:
        return ()
    return tuple(_steps(where[match.end() :]))


def _steps(path: str) -> Iterator[str]:
    """Yield the words for the keys and indices of a path inside a field."""
    for step in _STEP.finditer(path):
        yield step[1] if step[1] is not None else phrase("item {}", int(step[2]) + 1)
