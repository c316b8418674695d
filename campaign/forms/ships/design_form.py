"""The form of the design editor: its fields, and the design read from them.

The form holds the whole design: nothing is stored between two actions. Each row of systems is one
field with JSON; for the open row its own controls count. Unreadable values stay as they are, so
that the engine reports the fault in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.field import ChoiceField, Field, HiddenField, NumberField, number, text
from campaign.rules.design_editor import LAYERS, DesignEditor, Document, is_built_by_mass
from campaign.rules.limits import DESIGNS
from engine.core.errors import RuleViolations
from engine.core.kinds import FtlDrive, HullKind
from engine.design.offers import Model, Offer, first_arcs, offer_of
from engine.notation.designs import FLAGS, MAX_FITTINGS, ORIENTATIONS, STANDARD_ROWS
from engine.notation.documents import read_json
from engine.ruleset import RuleSet

# For a row of systems, or a layer of armour
ROW = HiddenField("row")
COUNT = NumberField("count", least=1, most=1000)
ARMOUR = NumberField("armour-standard")
REGENERATIVE = NumberField("armour-regenerative")

# For a line of the open row's load
LOAD_KIND = ChoiceField("at-load-kind")
LOAD_NUMBER = NumberField("at-load-number")

# Their names in templates
FIELDS: dict[str, Field] = {
    "row": ROW,
    "count": COUNT,
    "armour": ARMOUR,
    "regenerative": REGENERATIVE,
    "load_kind": LOAD_KIND,
    "load_number": LOAD_NUMBER,
}


def read_design_form(post: QueryDict, rules: RuleSet) -> DesignEditor:
    """Return the design in a form, and its open row."""
    document: Document = {
        "class": text(post, "class"),
        "edition": rules.edition.value,
        "kind": text(post, "kind") or HullKind.WARSHIP.value,
        "mass": _number(post, "mass"),
        "thrust": _number(post, "thrust"),
        "ftl": _ftl(post, rules),
    }
    if is_built_by_mass(rules):
        document |= _frame(post)
    if "civil" in post:
        document["civil"] = True
    printed = _parse_json(text(post, "printed"))
    if isinstance(printed, Mapping):
        document["printed"] = printed
    document["systems"] = _rows(post, rules)
    open_row = text(post, "at")
    if open_row.isdecimal() and int(open_row) < len(document["systems"]):
        return DesignEditor(document, int(open_row))
    return DesignEditor(document, None)


def _number(post: QueryDict, name: str, default: int = 0) -> int | str:
    """Return the number in a field, or its text, which the engine then rejects."""
    value = text(post, name)
    if value:
        return number(value)
    return default


def _parse_json(text_value: str) -> Any:
    """Return the value of a field that this program wrote, or None if it is invalid JSON now."""
    try:
        return read_json(text_value, DESIGNS)
    except RuleViolations:
        return None


def _ftl(post: QueryDict, rules: RuleSet) -> Any:
    """Return the FTL drive in the form: its name, or what a tug's drive can tow."""
    name = text(post, "ftl") or FtlDrive.NONE.value
    if name != FtlDrive.TUG or not is_built_by_mass(rules):
        return name
    tug: Document = {"tug": _number(post, "tows")}
    if "advanced_tug" in post:
        tug["advanced"] = True
    return tug


def _frame(post: QueryDict) -> Document:
    """Return the hull choices that differ from the usual ones."""
    frame: Document = {
        "hull": {"boxes": _number(post, "boxes"), "rows": _number(post, "rows", STANDARD_ROWS)}
    }
    drive = text(post, "drive")
    if drive not in ("", "standard"):
        frame["drive"] = drive
    if layers := _armour_layers(post):
        frame["armour"] = layers
    if stealth := _number(post, "stealth"):
        frame["stealth"] = stealth
    streamlining = text(post, "streamlining")
    if streamlining not in ("", "none"):
        frame["streamlining"] = streamlining
    for flag in ("flawed", "rams"):
        if flag in post:
            frame[flag] = True
    if "beta" in post:
        frame["orientation"] = ORIENTATIONS[1]
    if total_mass := _number(post, "total_mass"):
        frame["total_mass"] = total_mass
    if parent_class := text(post, "of"):
        position = [_number(post, "spot-x"), _number(post, "spot-y")]
        frame["section"] = {"of": parent_class, "at": position}
    return frame


def _armour_layers(post: QueryDict) -> list[list[Any]]:
    """Return [standard, regenerative] boxes of each layer, without empty layers at the end."""
    layers = []
    for layer in range(LAYERS):
        layers.append([ARMOUR.read(post, layer) or 0, REGENERATIVE.read(post, layer) or 0])
    while layers and layers[-1] == [0, 0]:
        layers.pop()
    return layers


def _rows(post: QueryDict, rules: RuleSet) -> list[Any]:
    """Return the rows of systems in order.

    The open row is read from its controls, if the page had them.
    """
    open_row = text(post, "at")
    rows: list[Any] = []
    for place in range(MAX_FITTINGS):
        if not ROW.is_sent(post, place):
            break
        row = _parse_json(ROW.read(post, place))
        if isinstance(row, dict):
            row = _row_with_count(row, COUNT.read(post, place))
            if open_row == str(place):
                row = _edited_row(row, post, rules)
        rows.append(row)
    return rows


def _row_with_count(row: Document, count: int | str) -> Document:
    """Return a row with a number of systems, which is left out if it is one."""
    other_values = {key: value for key, value in row.items() if key != "count"}
    if count in ("", 1):
        return other_values
    return other_values | {"count": count}


def _edited_row(row: Document, post: QueryDict, rules: RuleSet) -> Document:
    """Return the open row with the values of its controls; other values stay unchanged."""
    offer = offer_of(rules, str(row.get("type", "")))
    if offer is None:
        return row
    edited: Document = {key: row[key] for key in ("type", "count") if key in row}
    model_key = text(post, "at-model") or offer.models[0].key  # like `3/long`
    size, _, variant = model_key.partition("/")
    if size:
        edited["class"] = int(size) if size.isdecimal() else size
    if variant:
        edited[rules.yard.notation.variant_key(offer.type)] = variant
    turret = text(post, "at-turret")
    if not turret:
        model = offer.model(variant, int(size) if size.isdecimal() else 0)
        is_new_model = model is not None and model.key != _model_key(row, offer, rules)
        edited |= _arcs(post, rules, model if is_new_model else None)
    if offer.free:
        edited["mass"] = _number(post, "at-mass")
    return edited | _optional_values(post, offer, turret)


def _optional_values(post: QueryDict, offer: Offer, turret: str) -> Document:
    """Return the values of the open row that a system may have: turret, load, upgrades and so on.

    Values without content are left out.
    """
    mods_ticked = post.getlist("at-mods")
    values: Document = {
        "turret": turret,
        "magazine": text(post, "at-magazine"),
        "load": _load(post, offer),
        "mods": [mod for mod in offer.mods if mod in mods_ticked],
    }
    for flag in FLAGS:
        values[flag] = flag in post.getlist("at-flags")
    return {key: value for key, value in values.items() if value}


def _arcs(post: QueryDict, rules: RuleSet, new_model: Model | None) -> Document:
    """Return the arcs in the form, adjusted to a newly chosen model; nothing without any."""
    arcs = [arc for arc in rules.arcs if arc in post.getlist("at-arcs")]
    if new_model is not None:
        arcs = _arcs_of_a_new_model(arcs, new_model, rules)
    if arcs:
        return {"arcs": arcs}
    return {}


def _model_key(row: Document, offer: Offer, rules: RuleSet) -> str:
    """Return the key of a row's model, like `3/long`."""
    variant_key = rules.yard.notation.variant_key(offer.type) or ""
    return f"{row.get('class') or ''}/{row.get(variant_key, '')}"


def _arcs_of_a_new_model(arcs: list[str], model: Model, rules: RuleSet) -> list[str]:
    """Return the arcs unchanged if the model is sold with as many, else its initial arcs."""
    if len(arcs) in model.mounts:
        return arcs
    return list(first_arcs(model, rules))


def _load(post: QueryDict, offer: Offer) -> Document:
    """Return the load as counts by kind; duplicate kinds are added up."""
    load: Document = {}
    for place in range(len(offer.holds) + 1):
        kind = LOAD_KIND.read(post, place)
        if not kind:
            continue
        count = LOAD_NUMBER.read(post, place) or 0
        count_before = load.get(kind, 0)
        is_sum = isinstance(count, int) and isinstance(count_before, int)
        load[kind] = count + count_before if is_sum else count
    return load
