"""The form of a design on its bench: its fields, and what is read from them.

The form is all that there is: nothing of a design is kept between two acts. Rows of systems are
written in it as JSON, one field a row; of the row that is open its own controls count. What cannot
be read stays as it was written, so that the engine names the fault at its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.field import ChoiceField, Field, HiddenField, NumberField, number, text
from campaign.rules.limits import DESIGNS
from campaign.rules.workbench import LAYERS, Bench, Document, by_mass
from engine.core.errors import RuleViolations
from engine.core.kinds import FtlDrive, HullKind
from engine.design.offers import Model, Offer, first_arcs, offer_of
from engine.notation.designs import FLAGS, MOST_FITTINGS, ORIENTATIONS, STANDARD_ROWS
from engine.notation.documents import read_json
from engine.ruleset import RuleSet

# Of a row of systems, and of a layer of armour
ROW = HiddenField("row")
COUNT = NumberField("count", least=1, most=1000)
ARMOUR = NumberField("armour-standard")
REGENERATIVE = NumberField("armour-regenerative")

# Of a line of what the open row holds
LOAD_KIND = ChoiceField("at-load-kind")
LOAD_NUMBER = NumberField("at-load-number")

# What templates call them
FIELDS: dict[str, Field] = {
    "row": ROW,
    "count": COUNT,
    "armour": ARMOUR,
    "regenerative": REGENERATIVE,
    "load_kind": LOAD_KIND,
    "load_number": LOAD_NUMBER,
}


def read_bench(posted: QueryDict, rules: RuleSet) -> Bench:
    """Return the design that a form holds, and the row of it that is open."""
    document: Document = {
        "class": text(posted, "class"),
        "edition": rules.edition.value,
        "kind": text(posted, "kind") or HullKind.WARSHIP.value,
        "mass": _number(posted, "mass"),
        "thrust": _number(posted, "thrust"),
        "ftl": _ftl(posted, rules),
    }
    if by_mass(rules):
        document |= _frame(posted)
    if "civil" in posted:
        document["civil"] = True
    printed = _json(text(posted, "printed"))
    if isinstance(printed, Mapping):
        document["printed"] = printed
    document["systems"] = _rows(posted, rules)
    at = text(posted, "at")
    opened = int(at) if at.isdecimal() and int(at) < len(document["systems"]) else None
    return Bench(document, opened)


def _number(posted: QueryDict, name: str, default: int = 0) -> int | str:
    """Return the number of a field; its text where it is none, which the engine then refuses."""
    given = text(posted, name)
    return number(given) if given else default


def _json(written: str) -> Any:
    """Return the value of a field that this program wrote; None where it is none any more."""
    try:
        return read_json(written, DESIGNS)
    except RuleViolations:
        return None


def _ftl(posted: QueryDict, rules: RuleSet) -> Any:
    name = text(posted, "ftl") or FtlDrive.NONE.value
    if name != FtlDrive.TUG or not by_mass(rules):
        return name
    return {"tug": _number(posted, "tows")} | (
        {"advanced": True} if "advanced_tug" in posted else {}
    )


def _frame(posted: QueryDict) -> Document:
    """What designers choose of a hull; what is as usual is left out."""
    found: Document = {
        "hull": {"boxes": _number(posted, "boxes"), "rows": _number(posted, "rows", STANDARD_ROWS)}
    }
    if (drive := text(posted, "drive")) not in ("", "standard"):
        found["drive"] = drive
    layers = [
        [ARMOUR.read(posted, n) or 0, REGENERATIVE.read(posted, n) or 0] for n in range(LAYERS)
    ]
    while layers and layers[-1] == [0, 0]:
        layers.pop()
    if layers:
        found["armour"] = layers
    if stealth := _number(posted, "stealth"):
        found["stealth"] = stealth
    if (streamlining := text(posted, "streamlining")) not in ("", "none"):
        found["streamlining"] = streamlining
    found |= {flag: True for flag in ("flawed", "rams") if flag in posted}
    if "beta" in posted:
        found["orientation"] = ORIENTATIONS[1]
    if whole := _number(posted, "whole"):
        found["whole"] = whole
    if of := text(posted, "of"):
        found["section"] = {"of": of, "at": [_number(posted, "spot-x"), _number(posted, "spot-y")]}
    return found


def _rows(posted: QueryDict, rules: RuleSet) -> list[Any]:
    """The rows of systems in their order.

    The open one is read from its controls, if they were on the page.
    """
    at = text(posted, "at")
    found: list[Any] = []
    for n in range(MOST_FITTINGS):
        if not ROW.is_sent(posted, n):
            break
        row = _json(ROW.read(posted, n))
        if isinstance(row, dict):
            row = _counted(row, posted, n)
            if at == str(n):
                row = _opened(row, posted, rules)
        found.append(row)
    return found


def _counted(row: Document, posted: QueryDict, n: int) -> Document:
    count = COUNT.read(posted, n)
    kept = {key: value for key, value in row.items() if key != "count"}
    return kept if count in ("", 1) else kept | {"count": count}


def _opened(row: Document, posted: QueryDict, rules: RuleSet) -> Document:
    """The row as its controls have it. What is no control of such a system stays as it was."""
    offer = offer_of(rules, str(row.get("type", "")))
    if offer is None:
        return row
    notation = rules.yard.notation
    found: Document = {key: row[key] for key in ("type", "count") if key in row}
    size, _, variant = (text(posted, "at-model") or offer.models[0].key).partition("/")
    if size:
        found["class"] = int(size) if size.isdecimal() else size
    if variant:
        found[notation.variant_key(offer.type)] = variant
    turret = text(posted, "at-turret")
    arcs = [arc for arc in rules.arcs if arc in posted.getlist("at-arcs")]
    model = offer.model(variant, int(size) if size.isdecimal() else 0)
    if model is not None and not turret and model.key != _model_key(row, offer, rules):
        arcs = _arcs_of_a_new_model(arcs, model, rules)
    if arcs and not turret:
        found["arcs"] = arcs
    if offer.free:
        found["mass"] = _number(posted, "at-mass")
    if turret:
        found["turret"] = turret
    if magazine := text(posted, "at-magazine"):
        found["magazine"] = magazine
    if load := _load(posted, offer):
        found["load"] = load
    if mods := [mod for mod in offer.mods if mod in posted.getlist("at-mods")]:
        found["mods"] = mods
    return found | {flag: True for flag in FLAGS if flag in posted.getlist("at-flags")}


def _model_key(row: Document, offer: Offer, rules: RuleSet) -> str:
    """The key of the model that a row is of."""
    return (
        f"{row.get('class') or ''}/{row.get(rules.yard.notation.variant_key(offer.type) or '', '')}"
    )


def _arcs_of_a_new_model(arcs: list[str], model: Model, rules: RuleSet) -> list[str]:
    """The arcs as they are, where the model is sold with so many; else those it is first fitted
    with.
    """
    return arcs if len(arcs) in model.mounts else list(first_arcs(model, rules))


def _load(posted: QueryDict, offer: Offer) -> Document:
    """What it holds: kinds with their numbers; a kind that is named twice counts together."""
    found: Document = {}
    for n in range(len(offer.holds) + 1):
        kind = LOAD_KIND.read(posted, n)
        if not kind:
            continue
        many = LOAD_NUMBER.read(posted, n) or 0
        before = found.get(kind, 0)
        both = isinstance(many, int) and isinstance(before, int)
        found[kind] = many + before if both else many
    return found
