"""What the design editor shows: figures, rows with costs and faults, controls, record sheet.

Every figure and every fault is the engine's. All functions are pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from campaign.rules.class_cards import fitting_words
from campaign.rules.design_editor import LAYERS, DesignEditor
from engine.core.errors import Violation, limit_violations
from engine.core.kinds import FtlDrive
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.design.loads import magazines
from engine.design.offers import Model, Offer, offer_of
from engine.design.value import Cost, Design, Figures, Fitting, record_sheet
from engine.design.warnings import design_warnings, needed_options
from engine.english import capitalize_first
from engine.notation.designs import design_json, read_design
from engine.ruleset import RuleSet

ROW_PLACE = re.compile(r"systems\[([0-9]+)\]")  # the place of a fault in a row of systems
MAX_DRAWN = 600  # boxes of hull and armour, or systems, of a sheet that is drawn at every change
MAX_LOAD_LINES = 6  # in the form
# The labels of the editor's fields by their keys in a design.
FIELD_LABELS = {
    "class": phrase("Class name"),
    "mass": phrase("Mass"),
    "thrust": phrase("Thrust"),
    "hull.boxes": phrase("Hull boxes"),
    "hull.rows": phrase("Rows"),
    "ftl.tug": phrase("Mass it tows"),
    "armour": phrase("Armour"),
    "stealth": phrase("Stealth hull"),
    "section.of": phrase("Name of the whole"),
    "section.at": phrase("Section of a starbase or monster ship"),
    "total_mass": phrase("If this section has the drives: mass of the whole"),
}
ROW_LABELS = {
    "class": phrase("Class"),
    "count": phrase("Number"),
    "mass": phrase("Mass"),
}  # of a row of systems
# The codes of faults whose messages do not say what they are about.
WITHOUT_SUBJECT = (
    "characters",
    "missing",
    "not-a-number",
    "not-a-text",
    "number-too-large",
    "too-long",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a form control: its value, its label, and whether it is chosen."""

    value: str
    title: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class LoadLine:
    """A kind of craft or ordnance and its number; the last line is empty, for another kind.

    Attributes:
        number: Its place among the lines, from 0.
        count: How many are held, as written in the design.
    """

    number: int
    kinds: tuple[Choice, ...]
    count: Any


@dataclass(frozen=True, slots=True)
class Controls:
    """The form controls of the open row; those that do not apply to its system are empty.

    Attributes:
        model: The key of the model, class and variant together.
        arc_count_text: How many arcs the system may have.
        mass: The mass of a system that is sold by mass; None for others.
        mods: Modifications of its craft, which can be ticked.
    """

    model: str
    models: tuple[Choice, ...]
    arcs: tuple[Choice, ...]
    arc_count_text: str
    mass: Any
    turrets: tuple[Choice, ...]
    magazines: tuple[Choice, ...]
    loads: tuple[LoadLine, ...]
    mods: tuple[Choice, ...]
    flags: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class DesignRow:
    """A row of systems.

    Attributes:
        number: Its place among the rows, from 0.
        type: The type of the system, for its symbol.
        mass: Its mass; empty if the yards do not sell it.
        points: Its points; empty if the yards do not sell it.
        text: The row as JSON.
        controls: Its form controls, if it is the open row.
    """

    number: int
    type: str
    title: str
    words: str
    count: Any
    arcs: tuple[str, ...]
    mass: str
    points: str
    text: str
    faults: tuple[str, ...]
    controls: Controls | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a design.

    Attributes:
        row: The row of systems that it concerns; None: none.
        field: The field outside the rows that it concerns; "": none.
    """

    message: str
    row: int | None
    field: str


@dataclass(frozen=True, slots=True)
class DesignSheet:
    """A design as the editor shows it.

    Attributes:
        document: The design as written, legal or not.
        figures: None if the design cannot be read.
        sheet: None if the design cannot be read or drawn.
        layers: (standard, regenerative) boxes of each layer of armour, the innermost first.
        kinds: The kinds of hulls.
        drives: The kinds of FTL drives.
        tows: The MASS of ships that a tug carries; 0: its own.
    """

    document: dict[str, Any]
    rows: tuple[DesignRow, ...]
    faults: tuple[Fault, ...]
    warnings: tuple[str, ...]
    options: tuple[str, ...]
    figures: Figures | None
    mass_left: int
    sheet: Sheet | None
    layers: tuple[tuple[Any, Any], ...]
    kinds: tuple[Choice, ...]
    drives: tuple[Choice, ...]
    tug: bool
    tows: Any
    advanced_tug: bool

    @property
    def mass_over(self) -> int:
        """Return by how much the design exceeds its mass."""
        return max(0, -self.mass_left)

    @property
    def printed_values(self) -> str:
        """Return the values that a rulebook prints for the class as JSON; "" without any."""
        if "printed" in self.document:
            return json.dumps(self.document["printed"])
        return ""


DesignChecker = Callable[[dict[str, Any]], tuple[Violation, ...]]


def build_design_sheet(
    editor: DesignEditor,
    rules: RuleSet,
    offers: Sequence[Offer],
    checker: DesignChecker | None = None,
) -> DesignSheet:
    """Lay out a design for the editor.

    Args:
        checker: Returns the faults for a war's yard, which include those of the rulebook.
    """
    document = editor.document
    reading = read_design(document, options=rules.options)
    if checker is None:
        violations = (*reading.malformed, *reading.illegal)
    else:
        violations = checker(document)
    faults = tuple(map(_fault, limit_violations(dict.fromkeys(violations))))
    values = _known_values(reading.design, rules)
    figures = values.figures
    rows = []
    for number, row in enumerate(document["systems"]):
        rows.append(
            _row(
                number,
                row,
                design=reading.design,
                cost=values.costs[number] if number < len(values.costs) else None,
                rules=rules,
                offers=offers,
                faults=faults,
                is_open=number == editor.at,
            )
        )
    ftl = document.get("ftl")
    tug = ftl if isinstance(ftl, dict) else None  # a tug's drive is described by an object
    return DesignSheet(
        document=document,
        rows=tuple(rows),
        faults=faults,
        warnings=values.warnings,
        options=values.options,
        figures=figures,
        mass_left=figures.capacity - figures.mass_used if figures is not None else 0,
        sheet=values.sheet,
        layers=_layers(document),
        kinds=_kinds(rules, document["kind"]),
        drives=_drives(rules, FtlDrive.TUG.value if tug is not None else str(ftl)),
        tug=tug is not None or ftl == FtlDrive.TUG,
        tows=tug.get("tug", 0) if tug is not None else 0,
        advanced_tug=tug is not None and tug.get("advanced") is True,
    )


@dataclass(frozen=True, slots=True)
class _KnownValues:
    """What the engine works out for a design; empty if the design cannot be read.

    Attributes:
        costs: The cost of each row of systems; None for what the yards do not sell.
    """

    figures: Figures | None = None
    costs: Sequence[Cost | None] = ()
    warnings: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    sheet: Sheet | None = None


def _known_values(design: Design | None, rules: RuleSet) -> _KnownValues:
    """Return what the engine works out for a design, if it was read and its hull is known."""
    if design is None or rules.hull(design.kind) is None:
        return _KnownValues()
    return _KnownValues(
        figures=rules.yard.figures(design, rules),
        costs=rules.yard.costs(design, rules),
        warnings=tuple(warning.message for warning in design_warnings(design, rules)),
        options=rules.titles(needed_options(design, rules)),
        sheet=drawable_sheet(design, rules),
    )


def drawable_sheet(design: Design, rules: RuleSet) -> Sheet | None:
    """Return the record sheet of a design, valid or not; None if it is too large to draw.

    The kind of its hull must be known.
    """
    hull_rows = rules.yard.figures(design, rules).rows
    boxes = _sum_of_positive((*hull_rows, *map(sum, design.armour)))
    systems = _sum_of_positive(fitting.count for fitting in design.systems)
    carried = 0
    for fitting in design.systems:
        load = _sum_of_positive(number for _, number in fitting.load)
        carried += load * max(0, fitting.count)
    if max(boxes, systems, carried) > MAX_DRAWN:
        return None
    return record_sheet(design, rules, design_json(design))


def _sum_of_positive(numbers: Iterable[int]) -> int:
    """Return the sum of numbers; negative ones, which are faults of the design, count as 0."""
    return sum(max(0, number) for number in numbers)


def _layers(document: dict[str, Any]) -> tuple[tuple[Any, Any], ...]:
    """Return all layers that armour may have, innermost first; unused ones are empty."""
    layers = []
    for layer in document.get("armour", ()):
        if isinstance(layer, (list, tuple)) and len(layer) == 2:
            layers.append(tuple(layer))
    return tuple((layers + [(0, 0)] * LAYERS)[:LAYERS])


def _kinds(rules: RuleSet, kind: object) -> tuple[Choice, ...]:
    """Return the kinds of hulls, with the design's own chosen."""
    return tuple(_named_choice(name, kind) for name in rules.yard.notation.kinds)


def _drives(rules: RuleSet, drive: str) -> tuple[Choice, ...]:
    """Return the kinds of FTL drives that any hull may have, with the design's own chosen."""
    names: dict[str, None] = {}
    for hull in rules.hulls:
        for name, _ in hull.ftl:
            names[str(name)] = None
    return tuple(_named_choice(name, drive) for name in names)


def _named_choice(name: str, value: object) -> Choice:
    """Return an option under its own name; it is chosen if it equals the present value."""
    return Choice(name, capitalize_first(phrase(name)), name == value)


def design_fault_words(violation: Violation) -> str:
    """Return a fault of a design in words that name the field of the editor."""
    if violation.code not in WITHOUT_SUBJECT:
        return violation.message
    where = violation.where
    if violation.code in ("missing", "not-a-text") and where == "class":
        return phrase("enter a class name")
    row = ROW_PLACE.match(where)
    if row is not None:
        label = ROW_LABELS.get(where[row.end() :].removeprefix("."))
    else:
        path = where.partition("[")[0]
        label = FIELD_LABELS.get(path) or FIELD_LABELS.get(path.partition(".")[0])
    if label is None:
        return violation.message
    return phrase("{}: {}", label, violation.message)


def _fault(violation: Violation) -> Fault:
    """Return a fault with the row or the field that it concerns."""
    words = design_fault_words(violation)
    match = ROW_PLACE.match(violation.where)
    if match:
        return Fault(words, int(match[1]), "")
    field = violation.where.partition(".")[0].partition("[")[0]
    return Fault(words, None, field)


def _row(
    number: int,
    row: Any,
    *,
    design: Design | None,
    cost: Cost | None,
    rules: RuleSet,
    offers: Sequence[Offer],
    faults: Sequence[Fault],
    is_open: bool,
) -> DesignRow:
    """Lay out a row of systems, legal or not.

    Args:
        row: The row as written in the design.
        design: The design as read; None if it cannot be read.
        offers: What these yards sell.
        is_open: Whether the row is shown with form controls.
    """
    entry: dict[str, Any]
    if isinstance(row, dict):
        entry = row
    else:
        entry = {}
    type_ = str(entry.get("type", ""))
    offer = offer_of(rules, type_)
    fitting = design.systems[number] if design is not None else None
    controls = None
    if is_open and offer:
        controls = _controls(entry, offer, _models_for_sale(offers, offer), design, rules=rules)
    return DesignRow(
        number=number,
        type=type_,
        title=phrase(_row_title(type_, offer, fitting)),
        words=fitting_words(fitting) if fitting is not None else type_,
        count=entry.get("count", 1),
        arcs=fitting.arcs if fitting is not None else (),
        mass=_mass_text(cost.mass) if cost is not None else "",
        points=str(cost.points) if cost is not None else "",
        text=json.dumps(row, separators=(",", ":"), ensure_ascii=False),
        faults=tuple(fault.message for fault in faults if fault.row == number),
        controls=controls,
    )


def _row_title(type_: str, offer: Offer | None, fitting: Fitting | None) -> str:
    """Return the title of a row: of its model, else of what is sold, else its type."""
    if offer is None:
        return type_ or "unknown"
    model = offer.model(fitting.variant, fitting.size) if fitting is not None else None
    if model is not None:
        return model.title
    return offer.title


def _mass_text(mass: Fraction) -> str:
    """Return the text of a mass, with a half for half a pair."""
    integer, rest = divmod(mass, 1)
    if rest:
        return f"{integer or ''}½"
    return str(integer)


def _joined_with_or(numbers: Sequence[int]) -> str:
    """Return numbers as alternatives: `1, 3 or 6`."""
    *first, last = map(str, numbers)
    if first:
        return phrase("{} or {}", ", ".join(first), last)
    return last


def _models_for_sale(offers: Sequence[Offer], offer: Offer) -> tuple[Model, ...]:
    """Return the models of an offer's type that these yards sell."""
    for item in offers:
        if item.type == offer.type:
            return item.models
    return ()


def _controls(
    row: dict[str, Any],
    offer: Offer,
    for_sale: tuple[Model, ...],
    design: Design | None,
    *,
    rules: RuleSet,
) -> Controls:
    """Return the form controls of a row.

    Args:
        row: The row as written in the design.
        offer: The type of its system.
        for_sale: The models of this type that the yards sell.
    """
    variant = row.get(rules.yard.notation.variant_key(offer.type) or "", "")
    key = f"{row.get('class') or ''}/{variant}"
    models = _models_to_choose(offer, for_sale, key)
    model = models.get(key)
    mounts = model.mounts if model is not None else ()
    needs_arcs = bool(mounts) and not row.get("turret")
    return Controls(
        model=key,
        models=_model_choices(models, key),
        arcs=_ticked(rules.arcs, row.get("arcs", ())) if needs_arcs else (),
        arc_count_text=phrase("{} arcs", _joined_with_or(mounts)) if needs_arcs else "",
        mass=row.get("mass", 0) if offer.free else None,
        turrets=_turret_choices(row, offer, design),
        magazines=_magazine_choices(row, offer, design),
        loads=_loads(row, offer),
        mods=_ticked(offer.mods, row.get("mods", ())),
        flags=tuple(Choice(flag, flag, row.get(flag) is True) for flag in offer.flags),
    )


def _models_to_choose(offer: Offer, for_sale: Iterable[Model], key: str) -> dict[str, Model]:
    """Return by key the models for sale, and the row's own model even if it is not for sale."""
    models = {model.key: model for model in for_sale}
    for model in offer.models:
        if model.key == key:
            models[key] = model
    return models


def _model_choices(models: dict[str, Model], key: str) -> tuple[Choice, ...]:
    """Return the choice of a model; empty if there is only one."""
    if len(models) < 2:
        return ()
    return tuple(Choice(item.key, phrase(item.title), item.key == key) for item in models.values())


def _ticked(names: Iterable[str], ticked: Any) -> tuple[Choice, ...]:
    """Return a checkbox for each name, checked if the name is among `ticked`."""
    return tuple(Choice(name, name, name in ticked) for name in names)


def _turret_choices(row: dict[str, Any], offer: Offer, design: Design | None) -> tuple[Choice, ...]:
    """Return the turrets of the design in which the system may be; empty if it may be in none."""
    turrets = _turret_ids(design)
    if not offer.turreted or not turrets:
        return ()
    return _id_choices(row.get("turret", ""), turrets, phrase("not in a turret"))


def _magazine_choices(
    row: dict[str, Any], offer: Offer, design: Design | None
) -> tuple[Choice, ...]:
    """Return the magazines that may feed the system; empty unless there is a choice."""
    if design is None or not offer.fed:
        return ()
    names = [name for name, _ in magazines(design)]
    if len(names) < 2:
        return ()
    return _id_choices(row.get("magazine", ""), names, phrase("the only one that fits"))


def _turret_ids(design: Design | None) -> list[str]:
    """Return the ids of the turrets of a design, as the rows of systems name them."""
    if design is None:
        return []
    count = _sum_of_positive(item.count for item in design.systems if item.type == "turret")
    return [f"turret-{number}" for number in range(1, count + 1)]


def _id_choices(value: object, ids: Sequence[str], none_label: str) -> tuple[Choice, ...]:
    """Return a choice of ids; the row's own value is included even if the design lacks it."""
    choices = [Choice("", none_label, not value)]
    all_ids = list(ids)
    if value and value not in ids:
        all_ids.append(str(value))
    for id_ in all_ids:
        choices.append(Choice(id_, id_.replace("-", " "), id_ == value))
    return tuple(choices)


def _loads(row: dict[str, Any], offer: Offer) -> tuple[LoadLine, ...]:
    """Return a line for each kind that is held, and an empty one if another kind may be added."""
    if not offer.holds:
        return ()
    load = row.get("load", {})
    load_items = list(load.items()) if isinstance(load, dict) else []
    if not load_items or (offer.mixed and len(load_items) < min(len(offer.holds), MAX_LOAD_LINES)):
        load_items.append(("", ""))
    lines = []
    for number, (kind, count) in enumerate(load_items):
        kinds = list(offer.holds)
        if kind and kind not in kinds:
            kinds.append(kind)
        choices = [Choice(name, name.replace("-", " "), name == kind) for name in kinds]
        lines.append(LoadLine(number, tuple(choices), count))
    return tuple(lines)
