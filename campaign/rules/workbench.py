"""A design on a designer's bench: read from the fields of its form, changed by one act, and laid out to be shown. Pure.

The form is all that there is: nothing of a design is kept between two acts. Rows of systems stand in it as JSON, one
field a row; of the row that is open its own controls count. What cannot be read stays as it was written, so that the
engine names the fault at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from campaign.rules.limits import DESIGNS
from engine.core.errors import RuleViolations
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import phrase
from engine.design.offers import Model, Offer, first_arcs, first_fitted, offer_of
from engine.design.tonnage import ARMOUR_RATES
from engine.notation.designs import FLAGS, MOST_FITTINGS, ORIENTATIONS, STANDARD_ROWS, fitting_json
from engine.notation.documents import read_json
from engine.ruleset import RuleSet

Fields = Mapping[str, Sequence[str]]
Document = dict[str, Any]
LAYERS = len(ARMOUR_RATES)
FIRST_MASS, FIRST_THRUST, FIRST_BOXES = 40, 4, 12  # of a new ship
WHOLE = re.compile(r"-?[0-9]{1,9}")
SHOW = "show"


@dataclass(frozen=True, slots=True)
class Bench:
    """A design as JSON, lawful or not, and the row of systems that is open, None: none is."""

    document: Document
    at: int | None = None


def blank(rules: RuleSet) -> Bench:
    """A new ship: a hull with its drives, and nothing in it."""
    document: Document = {
        "class": phrase("New class"),
        "edition": rules.edition.value,
        "kind": HullKind.WARSHIP.value,
        "mass": FIRST_MASS,
        "thrust": FIRST_THRUST,
        "ftl": FtlDrive.STANDARD.value,
    }
    if by_mass(rules):
        document["hull"] = {"boxes": FIRST_BOXES, "rows": STANDARD_ROWS}
    return Bench(document | {"systems": []})


def by_mass(rules: RuleSet) -> bool:
    """Whether designers of the edition choose hull boxes, armour and drives."""
    return "hull" in rules.yard.notation.design_keys


def read_bench(fields: Fields, rules: RuleSet) -> Bench:
    """The bench of a form's fields."""
    document: Document = {
        "class": _text(fields, "class").strip(),
        "edition": rules.edition.value,
        "kind": _text(fields, "kind") or HullKind.WARSHIP.value,
        "mass": _number(fields, "mass"),
        "thrust": _number(fields, "thrust"),
        "ftl": _ftl(fields, rules),
    }
    if by_mass(rules):
        document |= _frame(fields)
    if "civil" in fields:
        document["civil"] = True
    printed = _json(_text(fields, "printed"))
    if isinstance(printed, Mapping):
        document["printed"] = printed
    document["systems"] = _rows(fields, rules)
    at = _text(fields, "at")
    opened = int(at) if at.isdecimal() and int(at) < len(document["systems"]) else None
    return Bench(document, opened)


def acted(bench: Bench, act: str, rules: RuleSet, offers: Sequence[Offer]) -> Bench:
    """The bench after an act: `add:beam`, `edit:2`, `copy:2`, `remove:2`, `up:2`, `down:2`, `close`; others change
    nothing.
    """
    verb, _, rest = act.partition(":")
    if verb == "add":
        return _added(bench, rest, rules, offers)
    if verb == "close":
        return Bench(bench.document)
    doing = ACTS.get(verb)
    if doing is None or not rest.isdecimal() or int(rest) >= len(bench.document["systems"]):
        return bench
    document = deepcopy(bench.document)
    return doing(document, int(rest), bench.at)


def _added(bench: Bench, type_: str, rules: RuleSet, offers: Sequence[Offer]) -> Bench:
    offer = next((one for one in offers if one.type == type_), None)
    systems = bench.document["systems"]
    if offer is None or len(systems) >= MOST_FITTINGS:
        return bench
    fitting = first_fitted(offer, offer.models[0], rules)
    document = deepcopy(bench.document)
    document["systems"].append(fitting_json(fitting, rules.yard.notation))
    return Bench(document, len(systems))


def _edit(document: Document, n: int, _at: int | None) -> Bench:
    return Bench(document, n)


def _copy(document: Document, n: int, _at: int | None) -> Bench:
    if len(document["systems"]) < MOST_FITTINGS:
        document["systems"].insert(n + 1, deepcopy(document["systems"][n]))
    return Bench(document, n + 1)


def _remove(document: Document, n: int, at: int | None) -> Bench:
    del document["systems"][n]
    return Bench(document, None if at is None or at == n else at - (at > n))


def _moved(by: int) -> Callable[[Document, int, int | None], Bench]:
    def move(document: Document, n: int, at: int | None) -> Bench:
        systems, to = document["systems"], n + by
        if not 0 <= to < len(systems):
            return Bench(document, at)
        systems[n], systems[to] = systems[to], systems[n]
        return Bench(document, {n: to, to: n}.get(at, at) if at is not None else None)

    return move


ACTS: dict[str, Callable[[Document, int, int | None], Bench]] = {
    "edit": _edit,
    "copy": _copy,
    "remove": _remove,
    "up": _moved(-1),
    "down": _moved(1),
}


def _text(fields: Fields, name: str) -> str:
    values = fields.get(name) or ("",)
    return values[0]


def _number(fields: Fields, name: str, default: int = 0) -> int | str:
    """The whole number of a field; its text where it is none, which the engine then refuses."""
    text = _text(fields, name).strip()
    if not text:
        return default
    return int(text) if WHOLE.fullmatch(text) else text


def _json(text: str) -> Any:
    """The value of a field that this program wrote; None where it is none any more."""
    try:
        return read_json(text, DESIGNS)
    except RuleViolations:
        return None


def _ftl(fields: Fields, rules: RuleSet) -> Any:
    name = _text(fields, "ftl") or FtlDrive.NONE.value
    if name != FtlDrive.TUG or not by_mass(rules):
        return name
    return {"tug": _number(fields, "tows")} | ({"advanced": True} if "advanced_tug" in fields else {})


def _frame(fields: Fields) -> Document:
    """What designers choose of a hull; what is as usual is left out."""
    found: Document = {"hull": {"boxes": _number(fields, "boxes"), "rows": _number(fields, "rows", STANDARD_ROWS)}}
    if (drive := _text(fields, "drive")) not in ("", "standard"):
        found["drive"] = drive
    layers = [[_number(fields, f"armour-{n}-{kind}") for kind in ("standard", "regenerative")] for n in range(LAYERS)]
    while layers and layers[-1] == [0, 0]:
        layers.pop()
    if layers:
        found["armour"] = layers
    if stealth := _number(fields, "stealth"):
        found["stealth"] = stealth
    if (streamlining := _text(fields, "streamlining")) not in ("", "none"):
        found["streamlining"] = streamlining
    found |= {flag: True for flag in ("flawed", "rams") if flag in fields}
    if "beta" in fields:
        found["orientation"] = ORIENTATIONS[1]
    if whole := _number(fields, "whole"):
        found["whole"] = whole
    if of := _text(fields, "of").strip():
        found["section"] = {"of": of, "at": [_number(fields, "spot-x"), _number(fields, "spot-y")]}
    return found


def _rows(fields: Fields, rules: RuleSet) -> list[Any]:
    """The rows of systems in their order. The open one is read from its controls, if they were on the page."""
    at = _text(fields, "at")
    found: list[Any] = []
    for n in range(MOST_FITTINGS):
        name = f"row-{n}"
        if name not in fields:
            break
        row = _json(_text(fields, name))
        if isinstance(row, dict):
            row = _counted(row, fields, n)
            if at == str(n):
                row = _opened(row, fields, rules)
        found.append(row)
    return found


def _counted(row: Document, fields: Fields, n: int) -> Document:
    count = _number(fields, f"count-{n}", 1)
    kept = {key: value for key, value in row.items() if key != "count"}
    return kept if count == 1 else kept | {"count": count}


def _opened(row: Document, fields: Fields, rules: RuleSet) -> Document:
    """The row as its controls have it. What is no control of such a system stays as it was."""
    offer = offer_of(rules, str(row.get("type", "")))
    if offer is None:
        return row
    notation = rules.yard.notation
    found: Document = {key: row[key] for key in ("type", "count") if key in row}
    size, _, variant = (_text(fields, "at-model") or offer.models[0].key).partition("/")
    if size:
        found["class"] = int(size) if size.isdecimal() else size
    if variant:
        found[notation.variant_key(offer.type)] = variant
    turret = _text(fields, "at-turret")
    arcs = [arc for arc in rules.arcs if arc in fields.get("at-arcs", ())]
    model = offer.model(variant, int(size) if size.isdecimal() else 0)
    if model is not None and not turret and model.key != _model_key(row, offer, rules):
        arcs = _arcs_of_a_new_model(arcs, model, rules)
    if arcs and not turret:
        found["arcs"] = arcs
    if offer.free:
        found["mass"] = _number(fields, "at-mass")
    if turret:
        found["turret"] = turret
    if magazine := _text(fields, "at-magazine"):
        found["magazine"] = magazine
    if load := _load(fields, offer):
        found["load"] = load
    if mods := [mod for mod in offer.mods if mod in fields.get("at-mods", ())]:
        found["mods"] = mods
    return found | {flag: True for flag in FLAGS if flag in fields.get("at-flags", ())}


def _model_key(row: Document, offer: Offer, rules: RuleSet) -> str:
    """The key of the model that a row is of."""
    return f"{row.get('class') or ''}/{row.get(rules.yard.notation.variant_key(offer.type) or '', '')}"


def _arcs_of_a_new_model(arcs: list[str], model: Model, rules: RuleSet) -> list[str]:
    """The arcs as they are, where the model is sold with so many; else those it is first fitted with."""
    return arcs if len(arcs) in model.mounts else list(first_arcs(model, rules))


def _load(fields: Fields, offer: Offer) -> Document:
    """What it holds: kinds with their numbers; a kind that is named twice counts together."""
    found: Document = {}
    for n in range(len(offer.holds) + 1):
        kind = _text(fields, f"at-load-{n}-kind")
        if not kind:
            continue
        number, before = _number(fields, f"at-load-{n}-number"), found.get(kind, 0)
        both = isinstance(number, int) and isinstance(before, int)
        found[kind] = number + before if both else number
    return found
