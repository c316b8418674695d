"""A section of a scenario file as a form: rows, fields, options, and each fault at its field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from campaign.rules.forces import force_costs, planned_fleet
from campaign.rules.form_fields import Field, Group, Of, Section
from campaign.rules.hexes import on_map
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import (
    SYSTEM_PARTS,
    Document,
    PlacedRow,
    is_untouched,
    name_of,
    numbers_of,
    pair_of,
    rows_of,
    ships_of,
    text_of,
    ticked_options,
)
from campaign.rules.scenario_menus import CHOICE_LABELS
from campaign.rules.scenario_sections import SECTIONS
from campaign.rules.skirmish import BATTLE
from campaign.web.agreement_forms import OptionSection, option_sections
from campaign.web.scenario_menus import FormMenus, Option, goods_options, named_rows
from campaign.words.scenario_faults import (
    fault_at_field,
    fault_at_row,
    fault_in_form,
    names_in,
)
from engine.core.errors import Violation, fault_path, limit_violations
from engine.core.phrase import phrase
from engine.english import capitalize_first

# Keys that can name a row, best first
TITLE_KEYS = ("name", "result", "key", "class")
SPARE_BOXES = 2  # empty boxes at the end of a list of numbers


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form."""

    field: Field
    name: str
    text: str
    options: tuple[Option, ...]
    chosen: frozenset[str]  # the selected options
    faults: tuple[str, ...]
    sections: tuple[OptionSection, ...] = ()  # the optional rules by subject, in their own field
    pair: tuple[tuple[str, str], ...] = ()  # the labels and texts of a pair of numbers
    ships: tuple[tuple[str, str], ...] = ()  # the classes and numbers of a field of ships
    numbers: tuple[str, ...] = ()  # the texts of a list of numbers
    deciding_name: str = ""  # the form's name of the field on which it depends, if any
    is_hidden: bool = False  # whether its row does not have it as it is

    @property
    def lines(self) -> int:
        """The number of lines of its text box."""
        return min(max(2, self.text.count("\n") + 1, len(self.text) // 90), 12)

    @property
    def number_boxes(self) -> tuple[tuple[str, bool], ...]:
        """The texts of a list of numbers, with spare boxes, and whether each can be a number."""
        texts = (*self.numbers, *[""] * SPARE_BOXES)
        return tuple((text, text == "" or text.isdigit()) for text in texts)

    @property
    def described_by(self) -> str:
        """The ids of its descriptions."""
        parts = (("hint", self.field.hint), ("fault", self.faults))
        return " ".join(f"{self.name}-{part}" for part, words in parts if words)


@dataclass(frozen=True, slots=True)
class FormRow:
    """A row of the form."""

    number: int
    title: str
    fields: tuple[FormField, ...]
    faults: tuple[str, ...]  # of the row as a whole
    is_untouched: bool  # added, and not filled in yet
    note: str = ""  # beside the title

    @property
    def has_faults(self) -> bool:
        """Whether the row or one of its fields has faults."""
        return bool(self.faults) or any(field.faults for field in self.fields)


@dataclass(frozen=True, slots=True)
class FormGroup:
    """A group of a section, with its rows."""

    group: Group
    rows: tuple[FormRow, ...]
    needs_system: bool = False  # no row can be added before there is a system


@dataclass(frozen=True, slots=True)
class Tab:
    """A section of the editor, with its number of faults."""

    section: Section
    faults: int


def drawable(scenario: Scenario) -> Scenario:
    """Return the scenario without anything that is not on its map."""

    def are_on_map(*hexes: str) -> bool:
        return all(on_map(label, scenario.columns, scenario.rows) for label in hexes)

    return replace(
        scenario,
        systems=tuple(system for system in scenario.systems if are_on_map(system.hex)),
        links=tuple(link for link in scenario.links if are_on_map(link.a, link.b)),
        closed=tuple(label for label in scenario.closed if are_on_map(label)),
    )


def tabs_of(faults: Sequence[Violation]) -> tuple[Tab, ...]:
    """Return the tabs of all sections."""
    result: list[Tab] = []
    for section in SECTIONS:
        result.append(Tab(section, len(_section_faults(section, faults))))
    return tuple(result)


def budget_notes(scenario: Scenario) -> dict[str, str]:
    """Return what the preset fleets of each budget cost, by the budget's place in the file."""
    costs: Counter[str] = Counter()
    for _, fleets in scenario.defaults:
        costs += force_costs(scenario, [planned_fleet(pick, "") for pick in fleets])
    notes = {}
    for budget in scenario.budgets:
        faction, _, key = budget.id.partition("/")
        note = phrase("preset fleets: {} of {} points", costs[budget.id], budget.points)
        for table in ("budgets", "system_defence"):
            notes[f"{fault_path('forces', faction)}.{table}.{key}"] = note
    return notes


def form_groups(
    document: Document,
    section: Section,
    faults: Sequence[Violation],
    notes: Mapping[str, str],
) -> tuple[tuple[FormGroup, ...], tuple[str, ...]]:
    """Return the groups of a section, and its faults that belong to no field or row.

    Args:
        notes: What rows show beside their titles, by their places in the file.
    """
    section_faults = _section_faults(section, faults)
    placed_rows = {group.key: rows_of(document, group) for group in section.groups}
    places = {placed.where for placed in chain.from_iterable(placed_rows.values())}
    faults_at: dict[str, list[Violation]] = {}
    for fault in section_faults:
        faults_at.setdefault(_row_place(fault, places), []).append(fault)
    faults_in_rows = set[Violation]()
    menus = FormMenus(document)
    groups = []
    for group in section.groups:
        rows = []
        for number, placed in enumerate(placed_rows[group.key]):
            row, row_faults = _row(
                document,
                menus,
                group,
                number=number,
                placed=placed,
                faults=faults_at.get(placed.where, ()),
            )
            rows.append(replace(row, note=notes.get(placed.where, "")))
            faults_in_rows |= row_faults
        needs_system = group.key in SYSTEM_PARTS and not document.get("systems")
        groups.append(FormGroup(group, tuple(rows), needs_system))
    other_faults = [fault for fault in section_faults if fault not in faults_in_rows]
    names = names_in(document)
    messages = [fault_in_form(fault, names) for fault in limit_violations(other_faults)]
    return tuple(groups), tuple(messages)


def _row_place(fault: Violation, places: Set[str]) -> str:
    """Return the place of the row that a fault is in; "" if it is in none.

    A row can be inside another one, as the terrain of a system is.
    """
    where = fault.where
    for end in range(len(where), 0, -1):
        is_end_of_step = end == len(where) or where[end] in ".["
        if is_end_of_step and where[:end] in places:
            return where[:end]
    return ""


def _section_faults(section: Section, faults: Iterable[Violation]) -> list[Violation]:
    """Return the faults of a section's keys; the first section also gets those of unknown keys."""
    all_keys = {key for any_section in SECTIONS for key in any_section.keys}
    is_first_section = section is SECTIONS[0]
    section_faults = []
    for fault in faults:
        key = fault.where.partition(".")[0].partition("[")[0]
        if key in section.keys or (is_first_section and key not in all_keys):
            section_faults.append(fault)
    return section_faults


def _row(
    document: Document,
    menus: FormMenus,
    group: Group,
    number: int,
    placed: PlacedRow,
    faults: Sequence[Violation],
) -> tuple[FormRow, set[Violation]]:
    """Return a row of a group, and the faults that it shows at its fields or as a whole.

    Args:
        faults: The faults in this row.
    """
    shown_faults = set[Violation]()
    fields = []
    for field in group.fields:
        field_faults = []
        for fault in faults:
            path = fault.where[len(placed.where) :].removeprefix(".")
            if field.covers(path) and group.has_field(field, placed.row):
                field_faults.append(fault)
        field_faults = [fault for fault in field_faults if fault not in shown_faults]
        shown_faults.update(field_faults)
        fields.append(
            _field(
                document,
                menus,
                group,
                number=number,
                row=placed.row,
                field=field,
                faults=field_faults,
            )
        )
    row_faults = []
    for fault in faults:
        if placed.where and fault not in shown_faults:
            row_faults.append(fault)
    title = _title(document, group, number, placed.row)
    row = FormRow(
        number,
        title,
        tuple(fields),
        faults=_messages(row_faults),
        is_untouched=is_untouched(group, placed.row, document),
    )
    return row, shown_faults | set(row_faults)


def _title(document: Document, group: Group, number: int, row: dict[str, Any]) -> str:
    """Return the title of a row: its name with its place or owner, or the two ends of a link."""
    if row.get("a") and row.get("b"):
        kind = phrase(row.get("kind") or group.noun)
        return phrase("{} {} to {}", kind, row["a"], row["b"]).capitalize()
    names = [str(row[key]) for key in TITLE_KEYS if row.get(key)]
    kind = str(row.get("kind") or "")
    if kind:
        names.append(capitalize_first(CHOICE_LABELS.get(kind, kind)))
    title = names[0] if names else phrase("{} {}", phrase(group.noun), number + 1).capitalize()
    system_id = str(row.get("system") or "")
    if system_id:
        systems = dict(named_rows("systems", document))
        title = phrase("{}, {}", title, systems.get(system_id, system_id))
    faction_id = str(row.get("faction") or "")
    if faction_id:
        powers = dict(named_rows("factions", document))
        return phrase("{}, {}", title, powers.get(faction_id, faction_id))
    return title


def _messages(faults: Iterable[Violation]) -> tuple[str, ...]:
    return tuple(fault_at_row(fault) for fault in limit_violations(faults))


def _field(
    document: Document,
    menus: FormMenus,
    group: Group,
    number: int,
    row: dict[str, Any],
    field: Field,
    faults: Sequence[Violation],
) -> FormField:
    """Return a field of a row, with its value and its options."""
    text = text_of(field, row)
    options: list[Option] = []
    sections: tuple[OptionSection, ...] = ()
    if field.of == "options":
        sections = option_sections(
            str(document.get("edition")),
            sorted(ticked_options(field, row)),
            is_single_battle=BATTLE in document,
        )
    elif field.of and field.kind != "text":
        options += menus.options(field.of)
        if field.is_required and text:
            options = [option for option in options if option[0]]
    if field.kind == "choice" and text not in [value for value, _ in options]:
        options.append((text, text))  # invalid, but kept until the user selects another
    if field.kind == "ticks" and field.of != "options":
        options = [option for option in options if option[0]]
        known = [value for value, _ in options]
        options += [(value, value) for value in sorted(ticked_options(field, row) - set(known))]
    return FormField(
        field=field,
        name=name_of(group, number, field),
        text=text,
        options=tuple(options),
        chosen=ticked_options(field, row),
        faults=_field_messages(field, faults),
        sections=sections,
        pair=_pair(field, row),
        ships=ships_of(field, row) if field.kind == "ships" else (),
        numbers=numbers_of(field, row) if field.kind == "numbers" else (),
        deciding_name=f"{group.key}-{number}-{field.by}" if field.only else "",
        is_hidden=not group.has_field(field, row),
    )


def _pair(field: Field, row: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the labels and texts of the two numbers of a pair; empty for other fields."""
    if field.kind != "pair":
        return ()
    return tuple(zip(field.parts, pair_of(field, row), strict=True))


def _field_messages(field: Field, faults: Sequence[Violation]) -> tuple[str, ...]:
    """Return the messages beside a field, each once."""
    messages = [fault_at_field(fault, field) for fault in limit_violations(faults)]
    return tuple(dict.fromkeys(messages))


def proposals_by_kind(document: Document, section: Section) -> dict[Of, tuple[Option, ...]]:
    """Return suggestions for a section's text fields by kind, once for all rows of a page."""
    kinds = set()
    for group in section.groups:
        for field in group.fields:
            if field.kind == "text" and field.of:
                kinds.add(field.of)
    return {of: tuple(_proposals(of, document)) for of in sorted(kinds)}


def _proposals(of: Of, document: Document) -> Iterable[Option]:
    """Return the suggestions of one kind for a text."""
    if of == "alliances":
        names = [row.get("alliance") for row in document.get("factions") or ()]
        return [(str(name), "") for name in dict.fromkeys(names) if name]
    return goods_options(document)
