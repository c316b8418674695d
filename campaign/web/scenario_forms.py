"""A section of a scenario file as a form: rows, fields, options, and each fault at its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.battle_builder import MENUS
from campaign.rules.files import available_sheets, fixture_navies
from campaign.rules.hexes import on_map
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import (
    GROUPS,
    NESTED,
    Document,
    PlacedRow,
    is_untouched,
    name_of,
    rows_of,
    text_of,
    ticked_options,
)
from campaign.rules.scenario_fields import (
    ALL_SHIPS,
    CHOICE_LABELS,
    CHOICES,
    SECTIONS,
    Field,
    Group,
    Of,
    Section,
)
from campaign.rules.scenario_set_up import MANNERS
from campaign.rules.station_rows import gate_choices
from campaign.web.agreement_forms import OptionSection, option_sections, restriction_choices
from campaign.words.scenario_faults import fault_at_field, fault_at_row, fault_in_form
from engine.core.edition import EDITIONS
from engine.core.errors import Violation, limit_violations
from engine.core.kinds import INSTALLATION
from engine.core.phrase import phrase
from engine.notation.reading import join_place

# Keys that can name a row, best first
TITLE_KEYS = ("name", "result", "key", "system", "class", "id")
Option = tuple[str, str]  # value, label


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

    @property
    def lines(self) -> int:
        """The number of lines of its text box."""
        return min(max(2, self.text.count("\n") + 1, len(self.text) // 90), 12)

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

    @property
    def has_faults(self) -> bool:
        """Whether the row or one of its fields has faults."""
        return bool(self.faults) or any(field.faults for field in self.fields)


@dataclass(frozen=True, slots=True)
class FormGroup:
    """A group of a section, with its rows."""

    group: Group
    rows: tuple[FormRow, ...]


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


def form_groups(
    document: Document, section: Section, faults: Sequence[Violation]
) -> tuple[tuple[FormGroup, ...], tuple[str, ...]]:
    """Return the groups of a section, and its faults that belong to no field or row."""
    section_faults = _section_faults(section, faults)
    faults_in_rows = set[Violation]()
    # Rows may be inside rows of another group; their faults are shown once.
    places = []
    for group in section.groups:
        if group.key in NESTED:
            places += [placed.where for placed in rows_of(document, group)]
    groups = []
    for group in section.groups:
        rows = []
        for number, placed in enumerate(rows_of(document, group)):
            inside = [where for where in places if where.startswith(f"{placed.where}.")]
            own_faults = []
            for fault in section_faults:
                if not any(_is_fault_at(fault, where) for where in inside):
                    own_faults.append(fault)
            row, row_faults = _row(document, group, number=number, placed=placed, faults=own_faults)
            rows.append(row)
            faults_in_rows |= row_faults
        groups.append(FormGroup(group, tuple(rows)))
    other_faults = [fault for fault in section_faults if fault not in faults_in_rows]
    messages = [fault_in_form(fault) for fault in limit_violations(other_faults)]
    return tuple(groups), tuple(messages)


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
    document: Document, group: Group, number: int, placed: PlacedRow, faults: Sequence[Violation]
) -> tuple[FormRow, set[Violation]]:
    """Return a row of a group, and the faults that it shows at its fields or as a whole."""
    shown_faults = set[Violation]()
    fields = []
    for field in group.fields:
        where = join_place(placed.where, field.key)
        field_faults = [fault for fault in faults if _is_fault_at(fault, where)]
        shown_faults.update(field_faults)
        fields.append(
            _field(document, group, number=number, row=placed.row, field=field, faults=field_faults)
        )
    row_faults = []
    for fault in faults:
        is_in_row = bool(placed.where) and _is_fault_at(fault, placed.where)
        if is_in_row and fault not in shown_faults:
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
    """Return the title of a row: its name with its faction, or the two ends of a link."""
    if row.get("a") and row.get("b"):
        kind = phrase(row.get("kind") or group.noun)
        return phrase("{} {} to {}", kind, row["a"], row["b"]).capitalize()
    names = [str(row[key]) for key in TITLE_KEYS if row.get(key)]
    title = names[0] if names else phrase("{} {}", phrase(group.noun), number + 1).capitalize()
    faction_id = str(row.get("faction") or "")
    if faction_id:
        powers = dict(_named_rows("factions", document))
        return phrase("{}, {}", title, powers.get(faction_id, faction_id))
    return title


def _is_fault_at(fault: Violation, where: str) -> bool:
    """Return whether a fault is at a path or below it."""
    return fault.where == where or fault.where.startswith((f"{where}.", f"{where}["))


def _messages(faults: Iterable[Violation]) -> tuple[str, ...]:
    return tuple(fault_at_row(fault) for fault in limit_violations(faults))


def _field(
    document: Document,
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
        ticked = document.get("options")
        names = list(map(str, ticked)) if isinstance(ticked, list) else []
        sections = option_sections(str(document.get("edition")), names)
    elif field.of and field.kind != "text":
        options += _options(field.of, document)
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
    )


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
    """Return the suggestions of one kind: classes, places, or the keys of forces."""
    if of == "classes":
        return [(sheet.cls, sheet.classification) for sheet in available_sheets(document)]
    if of == "places":
        entry: Option = ("entry", phrase("where its faction enters the map"))
        return [entry, *_named_rows("systems", document)]
    keys = []
    for placed in rows_of(document, GROUPS["budgets"]):
        keys.append(str(placed.row.get("key")))
    for placed in rows_of(document, GROUPS["defences"]):
        keys.append(str(placed.row.get("system")))
    return [(key, "") for key in dict.fromkeys(keys) if key]


def _options(of: Of, document: Document) -> Iterable[Option]:
    """Return the options of a field by their kind; those of selects begin with an empty one."""
    if of == "restrictions":
        return restriction_choices(str(document.get("edition")))
    if of == "editions":
        return [(edition.value, edition.label) for edition in EDITIONS]
    if of == "fleet-limits":
        return list(MENUS[of].items())
    return [("", "-"), *_menu(of, document)]


def _menu(of: Of, document: Document) -> Iterable[Option]:
    """Return the options of a select after the empty one."""
    if of in CHOICES:
        return [(value, CHOICE_LABELS.get(value, value)) for value in CHOICES[of]]
    if of in MENUS:
        return list(MENUS[of].items())
    reader = _MENUS.get(of)
    if reader is not None:
        return reader(document)
    return _named_rows(of, document)


def _manners(_document: Document) -> Iterable[Option]:
    """Return the ways in which sides may set up."""
    return [(value, phrase(label)) for value, label in MANNERS.items()]


def _ship_kinds(document: Document) -> Iterable[Option]:
    """Return all classifications and all classes of the document's edition."""
    classes = [(sheet.cls, sheet.cls) for sheet in available_sheets(document)]
    return [*ALL_SHIPS.items(), *classes]


def _navies(_document: Document) -> Iterable[Option]:
    """Return the lists of class names."""
    return [(navy.id, phrase(navy.name)) for navy in fixture_navies()]


def _goods(document: Document) -> Iterable[Option]:
    """Return the names of the document's goods."""
    return [(name, name) for name in document.get("goods") or ()]


def _objectives(document: Document) -> Iterable[Option]:
    """Yield the objectives of all factions by key, such as `esu/sink`."""
    powers = dict(_named_rows("factions", document))
    for placed in rows_of(document, GROUPS["objectives"]):
        faction = str(placed.row.get("faction"))
        id_ = str(placed.row.get("id"))
        yield f"{faction}/{id_}", phrase("{}: {}", powers.get(faction, faction), id_)


def _station_classes(document: Document) -> Iterable[Option]:
    """Yield the installations of the document's edition."""
    for sheet in available_sheets(document):
        if sheet.classification == INSTALLATION:
            yield sheet.cls, phrase("{}, MASS {}", sheet.cls, sheet.mass)


def _gates(document: Document) -> Iterable[Option]:
    """Yield the links of the document, named by their ends."""
    for id_, link in gate_choices(document):
        kind = phrase(str(link.get("kind") or "link"))
        yield id_, phrase("{}, {} to {}", kind, link.get("a") or "-", link.get("b") or "-")


def _link_users(_document: Document) -> Iterable[Option]:
    """Return who may use a link."""
    return [("all", phrase("all factions")), ("holder", phrase("only the side that holds it"))]


_MENUS: dict[Of, Callable[[Document], Iterable[Option]]] = {
    "manners": _manners,
    "ship-kinds": _ship_kinds,
    "navies": _navies,
    "goods": _goods,
    "objectives": _objectives,
    "station-classes": _station_classes,
    "gates": _gates,
    "link-users": _link_users,
}


def _named_rows(of: Of, document: Document) -> Iterable[Option]:
    """Yield factions, systems, or factions and alliances, with their names."""
    rows = document.get("systems" if of == "systems" else "factions") or ()
    for row in rows:
        if row.get("id"):
            yield (str(row["id"]), str(row.get("name") or row["id"]))
    if of == "sides":
        alliances = {str(row["alliance"]) for row in rows if row.get("alliance")}
        for name in sorted(alliances):
            yield (name, name)
