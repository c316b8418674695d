"""A section of a scenario file as a form: rows, fields, options, and each fault at its field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.files import available_sheets
from campaign.rules.hexes import on_map
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import (
    GROUPS,
    Document,
    PlacedRow,
    name_of,
    rows_of,
    text_of,
    ticked_options,
)
from campaign.rules.scenario_fields import CHOICES, SECTIONS, Field, Group, Of, Section
from campaign.words.design_faults import placed_words
from engine.core.edition import EDITIONS
from engine.core.errors import Violation, limit_violations
from engine.core.phrase import phrase
from engine.notation.reading import join_place
from engine.ruleset import rules_of

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

    @property
    def has_faults(self) -> bool:
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

    def there(*hexes: str) -> bool:
        return all(on_map(label, scenario.columns, scenario.rows) for label in hexes)

    return replace(
        scenario,
        systems=tuple(system for system in scenario.systems if there(system.hex)),
        links=tuple(link for link in scenario.links if there(link.a, link.b)),
        closed=tuple(label for label in scenario.closed if there(label)),
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
    mine = _section_faults(section, faults)
    placed_faults = set[Violation]()
    groups = []
    for group in section.groups:
        rows = []
        for number, placed in enumerate(rows_of(document, group)):
            row, row_faults = _row(document, group, number, placed, mine)
            rows.append(row)
            placed_faults |= row_faults
        groups.append(FormGroup(group, tuple(rows)))
    return tuple(groups), tuple(
        placed_words(fault) for fault in limit_violations(f for f in mine if f not in placed_faults)
    )


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
    at = {}
    for field in group.fields:
        at[field.key] = [f for f in faults if _is_fault_at(f, join_place(placed.where, field.key))]
    placed_faults = set()
    for field_faults in at.values():
        for fault in field_faults:
            placed_faults.add(fault)
    row_faults = []
    for f in faults:
        if placed.where and f not in placed_faults and _is_fault_at(f, placed.where):
            row_faults.append(f)
    fields = tuple(
        _field(document, group, number, placed.row, field, at[field.key]) for field in group.fields
    )
    return FormRow(
        number, _title(document, group, number, placed.row), fields, _words(row_faults)
    ), placed_faults | set(row_faults)


def _title(document: Document, group: Group, number: int, row: dict[str, Any]) -> str:
    """Return the title of a row: its name with its faction, or the two ends of a link."""
    if row.get("a") and row.get("b"):
        return phrase("{} {} to {}", row.get("kind") or group.noun, row["a"], row["b"]).capitalize()
    name = next(
        (str(row[key]) for key in TITLE_KEYS if row.get(key)),
        phrase("{} {}", group.noun, number + 1).capitalize(),
    )
    powers = dict(_named_rows("factions", document))
    faction_id = str(row.get("faction") or "")
    if faction_id:
        return phrase("{}, {}", name, powers.get(faction_id, faction_id))
    return name


def _is_fault_at(fault: Violation, where: str) -> bool:
    return fault.where == where or fault.where.startswith((f"{where}.", f"{where}["))


def _words(faults: Iterable[Violation]) -> tuple[str, ...]:
    return tuple(fault.message for fault in limit_violations(faults))


def _field(
    document: Document,
    group: Group,
    number: int,
    row: dict[str, Any],
    field: Field,
    faults: Sequence[Violation],
) -> FormField:
    text = text_of(field, row)
    options = list(_options(field.of, document)) if field.of and field.kind != "text" else []
    if field.kind == "choice" and text not in (value for value, _ in options):
        options.append((text, text))  # invalid, but kept until the user selects another
    return FormField(
        field,
        name_of(group, number, field),
        text,
        tuple(options),
        ticked_options(field, row),
        _words(faults),
    )


def proposals_by_kind(document: Document, section: Section) -> dict[Of, tuple[Option, ...]]:
    """Return suggestions for a section's text fields by kind, once for all rows of a page."""
    kinds = set()
    for group in section.groups:
        for field in group.fields:
            if field.kind == "text" and field.of:
                kinds.add(field.of)
    return {of: tuple(_proposals(of, document)) for of in sorted(kinds)}


def _proposals(of: Of, document: Document) -> Iterable[Option]:
    if of == "classes":
        return [(sheet.cls, sheet.classification) for sheet in available_sheets(document)]
    if of == "places":
        return [
            ("entry", phrase("where its faction enters the map")),
            *_named_rows("systems", document),
        ]
    keys = [str(placed.row.get("key")) for placed in rows_of(document, GROUPS["budgets"])]
    guards = []
    for placed in rows_of(document, GROUPS["defences"]):
        guards.append(str(placed.row.get("system")))
    return [(key, "") for key in dict.fromkeys((*keys, *guards)) if key]


def _options(of: Of, document: Document) -> Iterable[Option]:
    if of == "options":
        edition = document.get("edition")
        titles_by_name = (
            {row.name: phrase(row.title) for row in rules_of(edition).choices}
            if edition in EDITIONS
            else {}
        )
        chosen = document.get("options")
        unknown_names = (
            [str(name) for name in chosen if name not in titles_by_name]
            if isinstance(chosen, list)
            else []
        )
        return [*titles_by_name.items(), *((name, name) for name in unknown_names)]
    if of == "editions":
        return [(edition.value, edition.label) for edition in EDITIONS]
    return [
        ("", "-"),
        *(
            _named_rows(of, document)
            if of not in CHOICES
            else ((value, value) for value in CHOICES[of])
        ),
    ]


def _named_rows(of: Of, document: Document) -> Iterable[Option]:
    """Yield factions, systems, or factions and alliances, with their names."""
    rows = document.get("systems" if of == "systems" else "factions") or ()
    for row in rows:
        if row.get("id"):
            yield (str(row["id"]), str(row.get("name") or row["id"]))
    if of == "sides":
        for name in sorted({str(row["alliance"]) for row in rows if row.get("alliance")}):
            yield (name, name)
