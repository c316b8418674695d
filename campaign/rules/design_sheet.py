"""What the design editor shows: figures, rows with costs and faults, controls, record sheet.

Every figure and every fault is the engine's. All functions are pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
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
from engine.design.value import Cost, Design, Figures, record_sheet
from engine.design.warnings import design_warnings, needed_options
from engine.english import capitalize_first
from engine.notation.designs import design_json, read_design
from engine.ruleset import RuleSet

ROW = re.compile(r"systems\[([0-9]+)\]")
MAX_DRAWN = 600  # boxes of hull and armour, or systems, of a sheet that is drawn at every change
MOST_LOADS = 6  # lines of a load in the form


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a form control: its value, its label, and whether it is chosen."""

    value: str
    title: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class LoadLine:
    """A kind of craft or ordnance and its number; the last line is empty, for another kind."""

    number: int
    kinds: tuple[Choice, ...]
    count: Any


@dataclass(frozen=True, slots=True)
class Controls:
    """The form controls of the open row; those that do not apply to its system are empty."""

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
        figures: None if the design cannot be read.
        sheet: None if the design cannot be read or drawn.
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
    design = reading.design
    known_design = design if design is not None and rules.hull(design.kind) is not None else None
    figures = rules.yard.figures(known_design, rules) if known_design is not None else None
    costs = rules.yard.costs(known_design, rules) if known_design is not None else ()
    ftl = document.get("ftl")
    tug = isinstance(ftl, dict)
    warnings: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    sheet = None
    if known_design is not None:
        warnings = tuple(warning.message for warning in design_warnings(known_design, rules))
        options = rules.titles(needed_options(known_design, rules))
        sheet = drawable_sheet(known_design, rules)
    rows = []
    for n, row in enumerate(document["systems"]):
        rows.append(_row(n, row, design, costs, rules, offers, faults, opened=n == editor.at))
    kinds = []
    for kind in rules.yard.notation.kinds:
        kinds.append(Choice(kind, capitalize_first(phrase(kind)), kind == document["kind"]))
    return DesignSheet(
        document=document,
        rows=tuple(rows),
        faults=faults,
        warnings=warnings,
        options=options,
        figures=figures,
        mass_left=figures.capacity - figures.mass_used if figures is not None else 0,
        sheet=sheet,
        layers=_layers(document),
        kinds=tuple(kinds),
        drives=_drives(rules, FtlDrive.TUG.value if tug else str(ftl)),
        tug=tug or ftl == FtlDrive.TUG,
        tows=ftl.get("tug", 0) if isinstance(ftl, dict) else 0,
        advanced_tug=isinstance(ftl, dict) and ftl.get("advanced") is True,
    )


def drawable_sheet(design: Design, rules: RuleSet) -> Sheet | None:
    """Return the record sheet of a design, lawful or not; None if it is too large to draw.

    The kind of its hull must be known.
    """
    boxes = sum(
        max(0, number)
        for number in (*rules.yard.figures(design, rules).rows, *map(sum, design.armour))
    )
    systems = sum(max(0, fitting.count) for fitting in design.systems)
    carried = sum(
        max(0, number) * max(0, fitting.count)
        for fitting in design.systems
        for _, number in fitting.load
    )
    if max(boxes, systems, carried) > MAX_DRAWN:
        return None
    return record_sheet(design, rules, design_json(design))


def _layers(document: dict[str, Any]) -> tuple[tuple[Any, Any], ...]:
    """Return all layers that armour may have, innermost first; unused ones are empty."""
    had = []
    for layer in document.get("armour", ()):
        if isinstance(layer, (list, tuple)) and len(layer) == 2:
            had.append(tuple(layer))
    return tuple((had + [(0, 0)] * LAYERS)[:LAYERS])


def _drives(rules: RuleSet, chosen: str) -> tuple[Choice, ...]:
    names = dict.fromkeys(str(name) for hull in rules.hulls for name, _ in hull.ftl)
    drives: list[Choice] = []
    for name in names:
        drives.append(Choice(name, capitalize_first(phrase(name)), name == chosen))
    return tuple(drives)


def _fault(violation: Violation) -> Fault:
    match = ROW.match(violation.where)
    if match:
        return Fault(violation.message, int(match[1]), "")
    field = violation.where.partition(".")[0].partition("[")[0]
    return Fault(violation.message, None, field)


def _row(
    n: int,
    row: Any,
    design: Design | None,
    costs: Sequence[Cost | None],
    rules: RuleSet,
    offers: Sequence[Offer],
    faults: Sequence[Fault],
    *,
    opened: bool,
) -> DesignRow:
    entry: dict[str, Any]
    if isinstance(row, dict):
        entry = row
    else:
        entry = {}
    type_ = str(entry.get("type", ""))
    offer = offer_of(rules, type_)
    fitting = design.systems[n] if design is not None else None
    cost = costs[n] if n < len(costs) else None
    model = (
        offer.model(fitting.variant, fitting.size)
        if offer is not None and fitting is not None
        else None
    )
    controls = None
    if opened and offer:
        controls = _controls(entry, offer, _models_for_sale(offers, offer), design, rules)
    if model is not None:
        title = model.title
    elif offer is not None:
        title = offer.title
    else:
        title = type_ or "unknown"
    return DesignRow(
        number=n,
        type=type_,
        title=phrase(title),
        words=fitting_words(fitting) if fitting is not None else type_,
        count=entry.get("count", 1),
        arcs=fitting.arcs if fitting is not None else (),
        mass=_mass_text(cost.mass) if cost is not None else "",
        points=str(cost.points) if cost is not None else "",
        text=json.dumps(row, separators=(",", ":"), ensure_ascii=False),
        faults=tuple(fault.message for fault in faults if fault.row == n),
        controls=controls,
    )


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


def _models_for_sale(offers: Sequence[Offer], offer: Offer | None) -> tuple[Model, ...]:
    """Return the models of an offer's type that these yards sell."""
    return next(
        (item.models for item in offers if offer is not None and item.type == offer.type), ()
    )


def _controls(
    row: dict[str, Any],
    offer: Offer,
    for_sale: tuple[Model, ...],
    design: Design | None,
    rules: RuleSet,
) -> Controls:
    variant = row.get(rules.yard.notation.variant_key(offer.type) or "", "")
    key = f"{row.get('class') or ''}/{variant}"
    models = {model.key: model for model in for_sale}
    models |= {model.key: model for model in offer.models if model.key == key}
    model = models.get(key)
    turrets = _ids("turret", design)
    fed = [name for name, _ in magazines(design)] if design is not None and offer.fed else []
    mounts = model.mounts if model is not None else ()
    needs_arcs = bool(mounts) and not row.get("turret")
    return Controls(
        model=key,
        models=tuple(
            Choice(item.key, phrase(item.title), item.key == key)
            for item in models.values()
            if len(models) > 1
        ),
        arcs=tuple(Choice(arc, arc, arc in row.get("arcs", ())) for arc in rules.arcs)
        if needs_arcs
        else (),
        arc_count_text=phrase("{} arcs", _joined_with_or(mounts)) if needs_arcs else "",
        mass=row.get("mass", 0) if offer.free else None,
        turrets=_id_choices(row.get("turret", ""), turrets, phrase("not in a turret"))
        if offer.turreted and turrets
        else (),
        magazines=_id_choices(row.get("magazine", ""), fed, phrase("the only one that fits"))
        if len(fed) > 1
        else (),
        loads=_loads(row, offer),
        mods=tuple(Choice(mod, mod, mod in row.get("mods", ())) for mod in offer.mods),
        flags=tuple(Choice(flag, flag, row.get(flag) is True) for flag in offer.flags),
    )


def _ids(type_: str, design: Design | None) -> list[str]:
    if design is not None:
        number = sum(max(0, item.count) for item in design.systems if item.type == type_)
    else:
        number = 0
    return [f"{type_}-{n}" for n in range(1, number + 1)]


def _id_choices(chosen: object, ids: Sequence[str], none: str) -> tuple[Choice, ...]:
    unknown_ids = [str(chosen)] if chosen and chosen not in ids else []
    return (
        Choice("", none, not chosen),
        *(Choice(id_, id_.replace("-", " "), id_ == chosen) for id_ in (*ids, *unknown_ids)),
    )


def _loads(row: dict[str, Any], offer: Offer) -> tuple[LoadLine, ...]:
    """Return a line for each kind that is held, and an empty one if another kind may be added."""
    if not offer.holds:
        return ()
    load = row.get("load", {})
    load_items = list(load.items()) if isinstance(load, dict) else []
    if not load_items or (offer.mixed and len(load_items) < min(len(offer.holds), MOST_LOADS)):
        load_items.append(("", ""))
    lines = []
    for n, (kind, count) in enumerate(load_items):
        load_kinds = dict.fromkeys((*offer.holds, *([kind] if kind else [])))
        lines.append(
            LoadLine(
                n,
                tuple(
                    Choice(load_kind, load_kind.replace("-", " "), load_kind == kind)
                    for load_kind in load_kinds
                ),
                count,
            )
        )
    return tuple(lines)
