"""Conversion of a scenario file to the fields of a form, and back.

The file being edited may have faults, but it must have the outline of a scenario
(`outline_faults`), so that nothing is lost between file and form. The fields and groups are in
`campaign.rules.scenario_sections`.
"""

from __future__ import annotations

import copy
import hashlib
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from campaign.rules.battle_builder import READERS as BATTLE_READERS
from campaign.rules.battle_builder import WRITERS as BATTLE_WRITERS
from campaign.rules.choice_rows import unused_key
from campaign.rules.class_name_rows import (
    class_name_rows,
    navy_rows,
    own_class_names,
    set_class_name_rows,
    set_navy_rows,
)
from campaign.rules.form_fields import Field, Group, Section
from campaign.rules.form_values import read_hexes, read_number, read_numbers, read_words
from campaign.rules.objective_rows import (
    capacity_rows,
    goods_rows,
    objective_rows,
    set_capacity_rows,
    set_goods_rows,
    set_objective_rows,
)
from campaign.rules.scenario_file import TOP_KEYS
from campaign.rules.scenario_rows import (
    arrival_rows,
    class_movement_rows,
    faction_rows,
    join_place,
    join_starts,
    set_arrival_rows,
    set_class_movement_rows,
    set_faction_rows,
    set_system_part_rows,
    set_system_rows,
    set_victory_rows,
    split_place,
    split_starts,
    system_part_rows,
    system_rows,
    victory_rows,
)
from campaign.rules.scenario_sections import SECTIONS
from campaign.rules.skirmish import BATTLE, own_battle_faults
from campaign.rules.station_rows import GROUP as STATIONS_GROUP
from campaign.rules.station_rows import set_station_rows, station_rows
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.limits import FACTIONS, SHIPS_OF_A_WAR
from engine.core.phrase import phrase
from engine.notation.documents import Limits, read_yaml
from engine.notation.reading import prefix_places

OWN_FILE_LIMITS = Limits(characters=150_000, depth=12, values=10_000)  # a user's own scenario
MAX_SYSTEMS = 500
MAX_ROWS = 600  # of any other list
GROUPS = {group.key: group for section in SECTIONS for group in section.groups}
# Groups whose rows are in the `forces` of the file, with their key in each force.
FORCE_KEYS = {"budgets": "budgets", "defences": "system_defence", "fleets": "default"}
# Keys of the file that hold the rows of a group as a table.
TABLES = ("class_names", "navies", "objectives", "goods", "capacity", "class_movement")
# Groups whose rows are in lists of the systems of the file.
SYSTEM_PARTS = ("terrain", "mines", "ground", STATIONS_GROUP)
# Keys of the file that hold the rows of a group as a list.
LISTS = tuple(
    key
    for key, group in GROUPS.items()
    if not (group.single or key in (*TABLES, *SYSTEM_PARTS, *FORCE_KEYS))
)
# Groups whose rows have an id, which is made from their name, kind or class.
WITH_IDS = ("factions", "systems", STATIONS_GROUP, "reinforcements", "objectives")
NUMBERED_TICKS = ("turns",)  # options that files have as numbers
NUMBERED_MENUS = ("clock-courses", "drifts", "asteroid-counts")  # choices whose values are numbers
NEW_BUDGET = {"key": "new", "ftl": "required", "deploy": "own"}
NEW_SCENARIO = """slug: new-war
version: 1
name: New war
edition: second-edition
weeks: 6
hexes_per_week: 6
map: {columns: 16, rows: 12}
table: [72, 48]
factions:
- {id: ember, name: Ember Cooperative}
- {id: frost, name: Frost Assembly}
class_names: {ember: ember, frost: frost}
decoys: {allowed: true, points: 20}
victory:
- {result: draw}
"""  # a new scenario: an empty map, whose faults say what it needs

Document = dict[str, Any]
Row = dict[str, Any]
Values = Mapping[str, Sequence[str]]  # of a form, by field name


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row with its place in the file."""

    where: str
    row: Row


def read_file(text: str) -> Document:
    """Read a scenario file, valid or not. Raises RuleViolations if it has no outline."""
    document = read_yaml(text, OWN_FILE_LIMITS)
    if not isinstance(document, dict):
        raise RuleViolations(
            [Violation("", "not-a-table", phrase("a scenario must be an object (keys and values)"))]
        )
    if BATTLE in document:
        if faults := _battle_outline_faults(document):
            raise RuleViolations(faults)
        return document
    faults = outline_faults(document) or size_faults(document)
    if faults:
        raise RuleViolations(faults)
    return document


def _battle_outline_faults(document: Document) -> list[Violation]:
    """Return the faults that prevent showing the file of a single battle in a form."""
    faults = _list_faults(document.get("factions"), "factions")
    battle = document[BATTLE]
    if isinstance(battle, dict):
        faults += prefix_places(BATTLE, own_battle_faults(battle))
    elif not isinstance(battle, str):
        faults.append(_no_table(BATTLE))
    return faults


def new_scenario_text(name: str) -> str:
    """Return the text of a new scenario, whose faults say what it needs."""
    return write_file({**read_file(NEW_SCENARIO), "name": name})


def write_file(document: Document) -> str:
    """Return the text of a scenario file, with its keys in the usual order."""
    ordered = {key: document[key] for key in TOP_KEYS if key in document}
    ordered |= {key: value for key, value in document.items() if key not in ordered}
    return yaml.safe_dump(
        ordered, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110
    )


def outline_faults(document: Document) -> list[Violation]:
    """Return the faults that prevent showing a file as rows of tables."""
    faults = []
    for key in LISTS:
        faults += _list_faults(document.get(key), key)
    for faction, force in _items(document.get("forces")):
        if isinstance(force, dict):
            faults += _list_faults(force.get("default"), f"{fault_path('forces', faction)}.default")
    for where, value in dict(_expected_tables(document)).items():
        if value is not None and not isinstance(value, dict):
            faults.append(_no_table(where))
    return faults


def _items(value: object) -> Iterable[tuple[str, Any]]:
    """Return the keys, as texts, and the values of a mapping; nothing of any other value."""
    if not isinstance(value, dict):
        return ()
    return [(str(key), item) for key, item in value.items()]


def _expected_tables(document: Document) -> Iterable[tuple[str, object]]:
    """Yield the place and value of everything that must be a mapping if the file has it."""
    for key in ("map", "decoys", "forces", "judging", *TABLES):
        yield key, document.get(key)
    for faction, force in _items(document.get("forces")):
        where = fault_path("forces", faction)
        yield where, force
        if isinstance(force, dict):
            yield f"{where}.budgets", force.get("budgets")
            yield f"{where}.system_defence", force.get("system_defence")
            for key, budget in _items(force.get("budgets")):
                yield f"{where}.budgets.{key}", budget
    for faction, names in own_class_names(document).items():
        yield fault_path("class_names", faction), names
    for list_key, key in (
        ("systems", "facility"),
        ("victory", "superiority"),
        ("victory", "ruins"),
        ("victory", "score"),
    ):
        rows = document.get(list_key)
        if not isinstance(rows, list):
            continue
        for n, row in enumerate(rows):
            if isinstance(row, dict):
                yield f"{fault_path(list_key, n)}.{key}", row.get(key)


def _list_faults(value: object, where: str) -> list[Violation]:
    """Return the faults of a value that must be a list of mappings, if the file has it."""
    if value is None:
        return []
    if not isinstance(value, list):
        return [Violation(where, "not-a-list", phrase("expected a list"))]
    faults: list[Violation] = []
    for n, row in enumerate(value):
        if not isinstance(row, dict):
            faults.append(_no_table(fault_path(where, n)))
    return faults


def _no_table(where: str) -> Violation:
    """Return the fault of a value that is no mapping."""
    return Violation(where, "not-a-table", phrase("must be an object (keys and values)"))


def size_faults(document: Document) -> list[Violation]:
    """Return the faults of a file that is too large to be judged and played here."""
    faults = []
    limits = {"factions": FACTIONS, "systems": MAX_SYSTEMS}
    for group in GROUPS.values():
        if group.single:
            continue
        most = limits.get(group.key, MAX_ROWS)
        count = len(rows_of(document, group))
        if count > most:
            words = phrase("{} rows of {}: the limit is {}", count, group.title.lower(), most)
            faults.append(Violation(group.key, "too-many", words))
    ships = _count_ships(document)
    if ships > SHIPS_OF_A_WAR:
        words = phrase("{} ships: the limit is {}", ships, SHIPS_OF_A_WAR)
        faults.append(Violation("forces", "too-many", words))
    return faults


def _count_ships(document: Document) -> int:
    """Return the ships of all force lists and reinforcements."""
    total = 0
    for key in ("fleets", "reinforcements"):
        for placed in rows_of(document, GROUPS[key]):
            ships = placed.row.get("ships")
            if isinstance(ships, dict):
                total += sum(number for number in ships.values() if isinstance(number, int))
    return total


def find_section(slug: str) -> Section | None:
    """Return the section of the form with this slug."""
    return next((section for section in SECTIONS if section.slug == slug), None)


def section_tag(document: Document, section: Section) -> str:
    """Return a hash of a section's content, for noticing concurrent changes."""
    text = yaml.safe_dump([[key, document.get(key)] for key in section.keys], sort_keys=False)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def rows_of(document: Document, group: Group) -> list[PlacedRow]:
    """Return the rows of a group, in the order of the file."""
    if group.single:
        return [PlacedRow("", document)]
    reader = _ROW_READERS.get(group.key)
    if reader is not None:
        return list(reader(document))
    if group.key in BATTLE_READERS:
        return list(_placed(BATTLE_READERS[group.key](document)))
    result: list[PlacedRow] = []
    for n, row in enumerate(document.get(group.key) or ()):
        result.append(PlacedRow(fault_path(group.key, n), row))
    return result


def _forces(document: Document) -> list[tuple[str, str, Row]]:
    """Return the faction, the place and the content of each force."""
    forces: list[tuple[str, str, Row]] = []
    for key, force in (document.get("forces") or {}).items():
        forces.append((str(key), fault_path("forces", str(key)), force or {}))
    return forces


def _budgets(document: Document) -> Iterable[PlacedRow]:
    """Yield a row for each budget of each force."""
    for faction, where, force in _forces(document):
        for key, row in (force.get("budgets") or {}).items():
            full_row = {"faction": faction, "key": str(key), **(row or {})}
            split_starts(full_row)
            yield PlacedRow(f"{where}.budgets.{key}", full_row)


def _defences(document: Document) -> Iterable[PlacedRow]:
    """Yield a row for the system defence points of each force in each system."""
    for faction, where, force in _forces(document):
        for key, points in (force.get("system_defence") or {}).items():
            row = {"faction": faction, "system": str(key), "points": points}
            yield PlacedRow(f"{where}.system_defence.{key}", row)


def _fleets(document: Document) -> Iterable[PlacedRow]:
    """Yield a row for each fleet of each force list."""
    for faction, where, force in _forces(document):
        for n, row in enumerate(force.get("default") or ()):
            full_row = {"faction": faction, **row}
            split_place(full_row, document)
            yield PlacedRow(f"{where}.{fault_path('default', n)}", full_row)


def _placed(rows: Iterable[tuple[str, Row]]) -> Iterable[PlacedRow]:
    """Yield rows that come with their places."""
    for where, row in rows:
        yield PlacedRow(where, row)


_ROW_READERS: dict[str, Callable[[Document], Iterable[PlacedRow]]] = {
    "budgets": _budgets,
    "defences": _defences,
    "fleets": _fleets,
    "factions": lambda document: _placed(faction_rows(document)),
    "reinforcements": lambda document: _placed(arrival_rows(document)),
    "victory": lambda document: _placed(victory_rows(document)),
    "class_movement": lambda document: _placed(class_movement_rows(document)),
    "terrain": lambda document: _placed(system_part_rows(document, "terrain")),
    "mines": lambda document: _placed(system_part_rows(document, "mines")),
    "ground": lambda document: _placed(system_part_rows(document, "ground")),
    "systems": lambda document: _placed(system_rows(document)),
    "class_names": lambda document: _placed(class_name_rows(document)),
    "navies": lambda document: _placed(navy_rows(document)),
    "objectives": lambda document: _placed(objective_rows(document)),
    "goods": lambda document: _placed(goods_rows(document)),
    "capacity": lambda document: _placed(capacity_rows(document)),
    STATIONS_GROUP: lambda document: _placed(station_rows(document)),
}
_ROW_WRITERS: dict[str, Callable[[Document, list[Row]], None]] = {
    "factions": set_faction_rows,
    "reinforcements": set_arrival_rows,
    "victory": set_victory_rows,
    "class_movement": set_class_movement_rows,
    "terrain": lambda document, rows: set_system_part_rows(document, rows, "terrain"),
    "mines": lambda document, rows: set_system_part_rows(document, rows, "mines"),
    "ground": lambda document, rows: set_system_part_rows(document, rows, "ground"),
    "systems": set_system_rows,
    "class_names": lambda document, rows: set_class_name_rows(document, rows, unused_key),
    "navies": set_navy_rows,
    "objectives": set_objective_rows,
    "goods": set_goods_rows,
    "capacity": set_capacity_rows,
    STATIONS_GROUP: set_station_rows,
    **BATTLE_WRITERS,
}


def text_of(field: Field, row: Row) -> str:
    """Return the text that a field shows of a row; "" if the file leaves it out."""
    value = _nested_value(row, field.key)
    if value is None or (field.kind == "flag"):
        return ""
    if field.kind in ("words", "hexes") and isinstance(value, list):
        separator = " " if field.kind == "hexes" else ", "
        return separator.join(map(str, value))
    if isinstance(value, dict | list):
        return _yaml_text(field, value)
    return str(value)


def _yaml_text(field: Field, value: Any) -> str:
    """Return a value as YAML; in a field of YAML, each item of a list is on its own line."""
    flow_style = None if field.kind == "yaml" and isinstance(value, list) else False
    text: str = yaml.safe_dump(
        value, sort_keys=False, allow_unicode=True, default_flow_style=flow_style, width=90
    )
    return text.strip()


def ticked_options(field: Field, row: Row) -> frozenset[str]:
    """Return the ticked options of a field by name; a ticked flag is `yes`."""
    value = _nested_value(row, field.key)
    if field.kind == "flag":
        is_ticked = field.default if value is None else value
        if is_ticked:
            return frozenset(("yes",))
        return frozenset()
    if isinstance(value, list):
        return frozenset(map(str, value))
    return frozenset()


def _nested_value(row: Row, key: str) -> Any:
    """Return the value at a key such as `facility.yard`; None if the row has none."""
    value: Any = row
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def entries_of(group: Group, number: int, field: Field, row: Row) -> dict[str, list[str]]:
    """Return what a browser sends of a field that shows a row, by the names in the form."""
    name = name_of(group, number, field)
    if field.kind in ("flag", "ticks"):
        ticked = sorted(ticked_options(field, row))
        return {name: ticked} if ticked else {}
    if field.kind == "ships":
        ships = ships_of(field, row)
        return {
            f"{name}-class": [cls for cls, _ in ships],
            f"{name}-count": [count for _, count in ships],
        }
    if field.kind == "pair":
        return {name: list(pair_of(field, row))}
    if field.kind == "numbers":
        return {name: list(numbers_of(field, row))}
    return {name: [text_of(field, row)]}


def pair_of(field: Field, row: Row) -> tuple[str, str]:
    """Return the two texts that a field of two numbers shows of a row."""
    value = _nested_value(row, field.key)
    if not isinstance(value, list):
        return "", ""
    first, second = [*map(str, value), "", ""][:2]
    return first, second


def numbers_of(field: Field, row: Row) -> tuple[str, ...]:
    """Return the texts that a field of a list of numbers shows of a row."""
    value = _nested_value(row, field.key)
    if value is None:
        return ()
    return tuple(map(str, value if isinstance(value, list) else (value,)))


def ships_of(field: Field, row: Row) -> tuple[tuple[str, str], ...]:
    """Return the classes and numbers that a field of ships shows of a row."""
    value = _nested_value(row, field.key)
    if not isinstance(value, dict):
        return ()
    return tuple((str(cls), str(count)) for cls, count in value.items())


def name_of(group: Group, number: int, field: Field) -> str:
    """Return the name of a field in the form."""
    return f"{group.key}-{number}-{field.key}"


def apply_form(document: Document, section: Section, values: Values, act: str = "") -> Document:
    """Return the file with a section as the form has it; keys without a field stay unchanged.

    A row with a name and no id gets an id made from the name. Rows without any input are left
    out, except while rows are added or removed.

    Args:
        act: `add:GROUP` adds a row, `add:GROUP:HEX` one at that hex, `drop:GROUP:N` removes one.
    """
    result = copy.deepcopy(document)
    verb, _, rest = act.partition(":")
    act_group, _, act_detail = rest.partition(":")
    rows_of_group = {}
    for group in section.groups:
        rows_of_group[group.key] = [placed.row for placed in rows_of(result, group)]
    for group in section.groups:
        rows_before = rows_of_group[group.key]
        numbers = [0] if group.single else _row_numbers(group, values)
        rows = []
        for number in numbers:
            row = rows_before[number] if number < len(rows_before) else {}
            _fill_row(row, group, number, values)
            if act != f"drop:{group.key}:{number}":
                rows.append(row)
        if verb == "add" and act_group == group.key and not group.single:
            rows.append(_new_row(group, result, hex_=act_detail))
        _name_ids(group, rows, document)
        if verb not in ("add", "drop"):
            rows = [row for row in rows if not is_untouched(group, row, document)]
        if not group.single:
            set_rows(result, group, rows)
    return result


def is_untouched(group: Group, row: Row, document: Document) -> bool:
    """Return whether a row has nothing but what a new row of its group has."""
    if group.single:
        return False
    filled_keys = {}
    for key, value in row.items():
        if key in ("key", "system", "class"):  # stored with a suffix if there are two new rows
            value = re.sub(r"(-2)+$", "", str(value or ""))
        if value not in (None, ""):
            filled_keys[key] = value
    return filled_keys == _new_row(group, document)


def _row_numbers(group: Group, values: Values) -> list[int]:
    """Return the numbers of a group's rows in the form."""
    heads = []
    for name in values:
        if name.endswith("-row"):
            heads.append(name.removeprefix(f"{group.key}-").removesuffix("-row"))
    numbers: set[int] = set()
    for head in heads:
        if head.isascii() and head.isdigit() and len(head) < 5:
            numbers.add(int(head))
    return sorted(numbers)


def _fill_row(row: Row, group: Group, number: int, values: Values) -> None:
    """Set the keys of a row that have fields to the submitted values of a row of the form."""
    for field in group.fields:
        name = name_of(group, number, field)
        if field.kind == "ships":
            value: Any = _ships(values.get(f"{name}-class", ()), values.get(f"{name}-count", ()))
            if value is None and not isinstance(row.get(field.key, {}), dict):
                continue  # another notation, which no field shows
        else:
            value = _value(field, values.get(name, ()))
        if field.kind == "ticks":
            value = _in_old_order(value, _nested_value(row, field.key))
        _set_nested(row, field.key.split("."), value)
    _drop_hidden_values(row, group)


def _drop_hidden_values(row: Row, group: Group) -> None:
    """Remove the values of fields that a row does not have, such as those of its old kind."""
    hidden = [field for field in group.fields if not group.has_field(field, row)]
    for field in hidden:
        _set_nested(row, field.key.split("."), None)


def _in_old_order(ticked: list[str] | None, old: Any) -> list[str] | None:
    """Return ticked values in the order of the file, with new ones at the end."""
    if ticked is None or not isinstance(old, list):
        return ticked
    stayed = [value for value in old if value in ticked]
    return [*stayed, *(value for value in ticked if value not in stayed)]


def _ships(classes: Sequence[str], counts: Sequence[str]) -> dict[str, int | str] | None:
    """Return the ships of a fleet by class; a class without a number, or with 0, is left out."""
    ships: dict[str, int | str] = {}
    for cls, count in zip(classes, counts, strict=False):
        number = read_number(count.strip())
        earlier = ships.get(cls, 0)
        if not cls or number in ("", 0):
            continue
        if isinstance(number, int) and isinstance(earlier, int):
            number += earlier
        ships[cls] = number
    return ships or None


def _set_nested(table: Row, path: Sequence[str], value: Any) -> None:
    """Set the value at a path of keys, or remove it; tables that become empty are removed too."""
    key, *rest = path
    if not rest:
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
        return
    inner = table.get(key)
    if not isinstance(inner, dict):
        if value is None:
            return  # another notation, which no field shows
        inner = table[key] = {}
    _set_nested(inner, rest, value)
    if not table[key]:
        table.pop(key)


def _value(field: Field, entries: Sequence[str]) -> Any:
    """Return the file's value for the submitted values of a field; None leaves it out."""
    if field.kind == "flag":
        is_ticked = bool(entries)
        return None if is_ticked == field.default else is_ticked
    if field.kind == "ticks":
        read_tick: Callable[[str], Any] = read_number if field.of in NUMBERED_TICKS else str
        return list(map(read_tick, entries)) or None
    if field.kind == "numbers":
        entries = [" ".join(entries)]
    if field.kind == "pair":
        numbers = [read_number(entry.strip()) for entry in entries]
        return numbers if any(number != "" for number in numbers) else None
    lines = entries[-1].splitlines() if entries else []
    text = "\n".join(line.rstrip() for line in lines).strip()
    if not text:
        return None
    read = read_number if field.of in NUMBERED_MENUS else _VALUE_READERS.get(field.kind, str)
    return read(text)


def _parsed_yaml(text: str) -> Any:
    """Return parsed YAML; unreadable text stays unchanged and is a fault of the scenario."""
    try:
        return read_yaml(text, OWN_FILE_LIMITS)
    except RuleViolations:
        return text


# What a field's text means in the file, by the kind of the field; other kinds are plain texts.
_VALUE_READERS: dict[str, Callable[[str], Any]] = {
    "number": read_number,
    "hexes": read_hexes,
    "numbers": read_numbers,
    "words": read_words,
    "yaml": _parsed_yaml,
}


def _name_ids(group: Group, rows: list[Row], document: Document) -> None:
    """Give each filled row without an id a unique one: its name in lower case and hyphens."""
    if group.key not in WITH_IDS:
        return
    used_ids = {row["id"] for row in rows if isinstance(row.get("id"), str)}
    for number, row in enumerate(rows):
        name = row.get("name") or row.get("kind") or row.get("class")
        has_id = row.get("id") or is_untouched(group, row, document)
        if has_id or not isinstance(name, str):
            continue
        id_ = _unused_id(name, used_ids)
        if id_:
            row.pop("id", None)
            rows[number] = {"id": id_, **row}
            used_ids.add(id_)


def _unused_id(name: str, used_ids: Container[str]) -> str:
    """Return an unused id made from a name; "" if the name has no letters or digits."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")
    candidate = slug
    number = 2
    while slug and candidate in used_ids:
        candidate = f"{slug}-{number}"
        number += 1
    return candidate


def _new_row(group: Group, document: Document, hex_: str = "") -> Row:
    """Return a new row, at a hex if its group has hexes, with the keys by which files store it."""
    factions = document.get("factions") or ()
    first_faction = str(factions[0].get("id", "")) if factions else ""
    keys = [field.key for field in group.fields]
    row: Row = {}
    if "faction" in keys:
        row["faction"] = first_faction
    if "key" in keys:
        row |= NEW_BUDGET
    if group.key in SYSTEM_PARTS:
        systems = document.get("systems") or [{}]
        row["system"] = str(systems[0].get("id") or "")
    if hex_ and "hex" in keys:
        row["hex"] = hex_[:4]
        if "name" in keys:
            row["name"] = f"System {hex_[:4]}"
    return row


def set_rows(document: Document, group: Group, rows: list[Row]) -> None:
    """Store the rows of a group in the file, in place of the present ones."""
    if group.key in _ROW_WRITERS:
        _ROW_WRITERS[group.key](document, rows)
    elif group.key in _ROW_READERS:
        _set_force_rows(document, group, rows)
    else:
        document[group.key] = rows
    if not rows and not document.get(group.key):
        document.pop(group.key, None)


def _set_force_rows(document: Document, group: Group, rows: list[Row]) -> None:
    """Set the budgets, system defences or fleets of all factions' forces."""
    key = FORCE_KEYS[group.key]
    forces = {faction: force for faction, _, force in _forces(document)}
    for force in forces.values():
        force.pop(key, None)
    for row in rows:
        force = forces.setdefault(row.pop("faction", ""), {})
        if group.key == "fleets":
            join_place(row)
            force.setdefault(key, []).append(row)
            continue
        table = force.setdefault(key, {})
        if group.key == "budgets":
            join_starts(row)
            table[unused_key(table, row.pop("key", ""))] = row
        else:
            table[unused_key(table, row.get("system", ""))] = row.get("points")
    document["forces"] = {faction: force for faction, force in forces.items() if force}
