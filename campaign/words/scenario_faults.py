"""Faults of scenario files in the words of the editor's form: labels and rows instead of keys.

The form, the lists of faults and the YAML part of the editor all use these words. The API keeps
the paths. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.form_fields import Field, Group
from campaign.rules.scenario_editing import FORCE_KEYS, GROUPS, SYSTEM_PARTS
from campaign.rules.scenario_fields import SHIPS
from campaign.rules.scenario_sections import SECTIONS
from campaign.words.design_faults import with_option_titles
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase

_ROW = re.compile(r"([a-z_]+)\[(\d+)\](.*)", re.DOTALL)  # a list's key, an index, the rest
_SYSTEM_PART = re.compile(r"systems\[(\d+)\]\.([a-z_]+)\[(\d+)\](.*)", re.DOTALL)
_OBJECTIVE = re.compile(r"objectives\.([^\[]*)\[(\d+)\](.*)", re.DOTALL)
# Groups whose rows the file stores by the name of goods or of a class.
_NAMED_ROW = re.compile(r"(goods|capacity|class_movement)\.([^.]*)(.*)", re.DOTALL)
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")  # of a path inside a field: a key or an index
# Groups of the form by their key in a faction's part of `forces`.
FORCE_GROUPS = {key: GROUPS[group] for group, key in FORCE_KEYS.items()}
# Fields in which a reader sees the whole list at once, so that an index says nothing.
LISTS_IN_ONE_LINE = ("numbers", "hexes", "words", "ticks", "choice")
SHIPS_NEEDED = phrase("choose a class and enter a number")
FILL_IN = phrase("fill this in")
TWO_NUMBERS = phrase("enter two numbers")
HOW_MANY = phrase("How many")  # the number of an objective, whose label depends on its kind
# What to do about the faults whose messages describe the file, by their codes.
WORDS_BY_CODE = {
    "not-a-number": phrase("enter a whole number"),
    "not-a-text": phrase("enter a text; in YAML, a number needs quotes"),
    "not-a-pair": TWO_NUMBERS,
    "not-a-position": TWO_NUMBERS,
    "not-a-size": TWO_NUMBERS,
    "asteroids": phrase("tick that dice roll how many, or enter a number"),
    "unknown-budget": phrase("choose a budget of this faction"),
    "velocity": phrase("enter two numbers from 0 to 24, the smaller one first"),
    "no-place": phrase("choose one, or several systems"),
    "not-a-list": phrase("in YAML, write a list: a line for each item, starting with a hyphen"),
    "not-a-table": phrase("in YAML, write keys with values, such as points: 100"),
}
NOTHING_THERE = {
    "forces": phrase("add a budget for each faction"),
    "budgets": phrase("add a budget"),
}  # instead of "fill this in", by the last key of a path
# Faults of a key that is a field of the form: the system of a defence, the class of a name.
UNKNOWN_KEYS = {"unknown-system": "system", "unknown-class": "class"}
# The menus that offer what a fault says is unknown.
MENU_OF_CODE = {
    "unknown-system": "systems",
    "unknown-faction": "sides",
    "unknown-objective": "objectives",
    "unknown-ships": "ship-kinds",
    "unknown-tech-base": "tech-bases",
}


@dataclass(frozen=True, slots=True)
class AuthorNames:
    """What the author of a file calls its factions, its systems and their rows.

    Attributes:
        factions: By id.
        systems: By id.
        rows: By place in the file, such as `systems[2]`.
    """

    factions: Mapping[str, str]
    systems: Mapping[str, str]
    rows: Mapping[str, str]

    def faction(self, id_: str) -> str:
        """Return the name of a faction, or its id."""
        return self.factions.get(id_, id_)

    def system(self, id_: str) -> str:
        """Return the name of a system, or its id."""
        return self.systems.get(id_, id_)

    def row(self, key: str, index: str) -> str:
        """Return the name of a row of a list, or its number."""
        return self.rows.get(f"{key}[{index}]") or _row_words(index)


NO_NAMES = AuthorNames({}, {}, {})


def names_in(document: Mapping[str, Any]) -> AuthorNames:
    """Return the names in a scenario file that has an outline."""
    by_id: dict[str, dict[str, str]] = {"factions": {}, "systems": {}}
    rows = {}
    for key, names in by_id.items():
        for number, row in enumerate(document.get(key) or ()):
            name = row.get("name")
            if isinstance(name, str) and name:
                names[str(row.get("id"))] = name
                rows[f"{key}[{number}]"] = name
    return AuthorNames(by_id["factions"], by_id["systems"], rows)


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A place of a scenario file as the form shows it.

    Attributes:
        parts: The words from the outside in: title of a group, row, label, place in the field.
        field: The field of the form, if the place is in one.
    """

    parts: tuple[str, ...]
    field: Field | None = None


def fault_in_form(fault: Violation, names: AuthorNames = NO_NAMES) -> str:
    """Return a fault after the labels of its field: "Factions, row 2, Name: fill this in"."""
    return _fault_after_place(fault, names, with_path=False)


def faults_in_form(faults: Sequence[Violation], names: AuthorNames = NO_NAMES) -> list[Violation]:
    """Return faults for a page's list, each after the labels of its field."""
    return _distinct_faults(faults, names, with_path=False)


def faults_in_yaml(faults: Sequence[Violation], names: AuthorNames = NO_NAMES) -> list[Violation]:
    """Return faults for the YAML part: "Weeks (weeks): enter a whole number"."""
    return _distinct_faults(faults, names, with_path=True)


def _distinct_faults(
    faults: Sequence[Violation], names: AuthorNames, *, with_path: bool
) -> list[Violation]:
    """Return faults in words, without those that read like an earlier one."""
    result: dict[str, Violation] = {}
    for fault in faults:
        words = _fault_after_place(fault, names, with_path=with_path)
        result.setdefault(words, Violation(fault.where, fault.code, words))
    return list(result.values())


def _fault_after_place(fault: Violation, names: AuthorNames, *, with_path: bool) -> str:
    """Return a fault after the labels of its field, and after its path in parentheses if asked."""
    place = find_place(fault, names)
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
    """Return what is wrong, in words for the reader of a form."""
    last_key = fault.where.rpartition(".")[2]
    if fault.code == "missing":
        if field is not None and _inner_parts(fault.where, field):
            return fault.message  # the message names the missing key of a value in YAML
        return NOTHING_THERE.get(last_key, FILL_IN)
    if not last_key and fault.code in UNKNOWN_KEYS:
        return FILL_IN
    if fault.code == "not-a-text" and field is not None and field.kind == "choice":
        return FILL_IN
    if fault.code == "not-a-table" and field is not None and field.key == SHIPS.key:
        return SHIPS_NEEDED
    return WORDS_BY_CODE.get(fault.code) or with_option_titles(fault.message)


def find_place(fault: Violation, names: AuthorNames = NO_NAMES) -> FormPlace:
    """Return the place of a fault in the form; keys without a field stay as they are."""
    where = fault.where
    if not where:
        return FormPlace(())
    if where == "forces" or where.startswith("forces."):
        return _place_in_forces(fault, names)
    if where.startswith("class_names"):
        return _place_in_names(fault, names)
    return _place_in_list(fault, names) or _place_in_single_rows(where) or _place_of_part(where)


def _place_in_names(fault: Violation, names: AuthorNames) -> FormPlace:
    """Return the place of a fault in `class_names`: a faction, then a class."""
    _, *keys = fault.where.split(".", 2)
    group = GROUPS["navies" if fault.code == "unknown-navy" else "class_names"]
    factions = map(names.faction, filter(None, keys[:1]))
    parts = (phrase(group.title), *factions, *filter(None, keys[1:]))
    if len(keys) < 2:
        return FormPlace(parts)
    return _place_of_pair(group, parts, UNKNOWN_KEYS.get(fault.code, "name"))


def _place_in_list(fault: Violation, names: AuthorNames) -> FormPlace | None:
    """Return the place of a fault in a row of a list or table; None if it is in none."""
    where = fault.where
    part = _SYSTEM_PART.fullmatch(where)
    if part is not None and part[2] in SYSTEM_PARTS:
        group = GROUPS[part[2]]
        system = names.rows.get(f"systems[{part[1]}]") or phrase("system {}", int(part[1]) + 1)
        return _place_in_row(
            group, fault, part[4], (phrase(group.title), system, _row_words(part[3]))
        )
    objective = _OBJECTIVE.fullmatch(where)
    if objective is not None:
        group = GROUPS["objectives"]
        faction = names.faction(objective[1])
        parts = (phrase(group.title), faction, _row_words(objective[2]))
        return _place_in_row(group, fault, objective[3], parts)
    named_row = _NAMED_ROW.fullmatch(where)
    if named_row is not None:
        key, name, path = named_row.groups()
        return _place_in_named_row(fault, names, key=key, name=name, path=path)
    row = _ROW.fullmatch(where)
    if row is None or row[1] not in GROUPS:
        return None
    group = GROUPS[row[1]]
    return _place_in_row(group, fault, row[3], (phrase(group.title), names.row(row[1], row[2])))


def _place_in_named_row(
    fault: Violation, names: AuthorNames, *, key: str, name: str, path: str
) -> FormPlace:
    """Return the place of a fault of goods or of a class; goods have an amount in each system."""
    group = GROUPS[key]
    parts: tuple[str, ...] = (phrase(group.title), *filter(None, [name]))
    system = re.fullmatch(r"\.at\.(.*)", path)
    if system is not None:
        return _place_in_row(group, fault, "amount", (*parts, names.system(system[1])))
    if key == "class_movement" and not path and fault.code not in UNKNOWN_KEYS:
        return _place_in_row(group, fault, "movement", parts)
    return _place_in_row(group, fault, path, parts)


def _place_in_single_rows(where: str) -> FormPlace | None:
    """Return the place of a fault of a field that the form has once; None if there is none."""
    for group in GROUPS.values():
        if not group.single:
            continue
        for field in group.fields:
            if field.covers(where):
                return FormPlace((phrase(field.label), *_inner_parts(where, field)), field)
    return None


def _place_in_forces(fault: Violation, names: AuthorNames) -> FormPlace:
    """Return the place of a fault in `forces`: a faction, then budgets, defences or fleets."""
    where = fault.where
    _, *keys = where.split(".", 4)
    keys[:1] = map(names.faction, keys[:1])
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
        return _place_in_row(group, fault, ".".join(keys[2:]), parts)
    if group.key == "defences" and len(keys) > 2:
        parts = (*parts, *map(names.system, filter(None, keys[2:3])))
        return _place_of_pair(group, parts, UNKNOWN_KEYS.get(fault.code, "points"))
    parts = (*parts, *filter(None, keys[2:3]))
    return _place_in_row(group, fault, ".".join(keys[3:]), parts)


def _place_of_pair(group: Group, parts: tuple[str, ...], field_key: str) -> FormPlace:
    """Return the place of a fault of a row that the file stores as one key and one value."""
    field = next(field for field in group.fields if field.key == field_key)
    return FormPlace((*parts, phrase(field.label)), field)


def _place_in_row(group: Group, fault: Violation, path: str, parts: tuple[str, ...]) -> FormPlace:
    """Return the place of a fault in a row.

    Several fields can show the same key of the file; the one that offers what is missing wins.

    Args:
        path: The part of the fault's place that is inside the row.
        parts: The words for the row.
    """
    path = path.removeprefix(".")
    fields = [field for field in group.fields if field.covers(path)]
    if not fields:
        return FormPlace((*parts, path) if path else parts)
    menu = MENU_OF_CODE.get(fault.code)
    field = next((field for field in fields if field.of == menu), fields[0])
    label = phrase(field.label)
    if len(fields) > 1 and field.kind == "number":
        label = HOW_MANY
    return FormPlace((*parts, label, *_inner_parts(fault.where, field)), field)


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
    if field.kind == "pair":
        index = re.search(r"\[([01])\]$", where)
        return (phrase(field.parts[int(index[1])]),) if index is not None else ()
    match = re.search(rf"(?:^|\.){re.escape(field.key)}(?=[.\[])", where)
    if match is None:
        return ()
    return tuple(_steps(where[match.end() :]))


def _steps(path: str) -> Iterator[str]:
    """Yield the words for the keys and indices of a path inside a field."""
    for step in _STEP.finditer(path):
        yield step[1] if step[1] is not None else phrase("item {}", int(step[2]) + 1)
