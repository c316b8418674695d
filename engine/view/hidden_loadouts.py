"""Record sheets as other sides see them, with the contents of magazines and bays hidden.

Sheets are open, but their loads are not. A missile magazine is assumed to be full of standard
missiles; one of boarding torpedoes is obvious from its launcher. A bay is assumed to be full of the
first type on the list, even if it is empty, until other sides have seen it launch. The ship's price
follows from these assumptions. Other sides cannot tell which of several equal bays a group came
from, so bays that have launched are listed first.

Rules: Continuum "Information" 2.6, "Mountings and magazines" 6.6, "Fighter types" 8.15, "Gunboat
types" 9.2 [pc.open-book] [pc.salvo-missiles] [pc.fighter-types] [pc.gunboats]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from engine.core.cache import rules_cache
from engine.core.sheet import Sheet
from engine.craft.craft_type import CraftTrait, Family
from engine.craft.registry import family_of
from engine.design.loads import BAYS, Load
from engine.design.mass_pricing import system_price_of
from engine.design.value import Fitting
from engine.notation.designs import design_json, parse_design, stored_sheet
from engine.notation.extra_marines import CREW
from engine.prices.continuum import MAGAZINE, TORPEDOES
from engine.prices.system_price import SystemPrice
from engine.ruleset import RuleSet, ruleset

Craft = tuple[Load, tuple[str, ...]]  # a load and the modifications of its craft


@rules_cache
def hidden_store_types(edition: str) -> frozenset[str]:
    """Return the types of systems with hidden contents: magazines, and bays sold with craft."""
    return frozenset(
        (
            MAGAZINE,
            *(type_ for type_, (_, usual) in ruleset(edition).profile.bays.items() if not usual),
        )
    )


def hidden_systems(sheet: Sheet, revealed_bays: Collection[str]) -> frozenset[str]:
    """Return the systems of a sheet whose contents other sides do not know.

    Args:
        revealed_bays: The bays, and scanned magazines, whose contents they know.
    """
    stores = hidden_store_types(sheet.edition)
    systems: set[str] = set()
    for fit in sheet.fits:
        if fit.type not in stores:
            continue
        is_known = fit.id in revealed_bays
        if fit.type == MAGAZINE and TORPEDOES in dict(fit.load):
            is_known = True
        if not is_known:
            systems.add(fit.id)
    return frozenset(systems)


@rules_cache
def sheet_for_others(
    sheet: Sheet, revealed_bays: frozenset[str], options: tuple[str, ...]
) -> tuple[Sheet, frozenset[str]]:
    """Return the sheet with the assumed loads, and the bays whose craft are known.

    Args:
        revealed_bays: The bays that were seen to launch.
        options: The options of the battle, which affect the ship's price.
    """
    rules = ruleset(sheet.edition, options)
    stores = hidden_store_types(sheet.edition)
    design = parse_design({key: value for key, value in sheet.design.items() if key != CREW})
    rows: list[Fitting] = []
    for row in design.systems:
        if row.type == MAGAZINE and TORPEDOES not in dict(row.load):
            rows += _single_systems(replace(row, load=()))
        elif row.type in stores:
            rows += _single_systems(row)
        else:
            rows.append(row)
    known_bays: list[str] = []
    for bay, look_alikes in _bays_by_look(rows, stores).items():
        revealed_craft = []
        for index, name in look_alikes:
            if name in revealed_bays and rows[index].load:
                revealed_craft.append(_revealed_craft(rows[index], rules))
        revealed_craft.sort()
        unseen_count = len(look_alikes) - len(revealed_craft)
        crafts = [*revealed_craft, *[_assumed_craft(bay, rules)] * unseen_count]
        for (index, _), (load, mods) in zip(look_alikes, crafts, strict=True):
            rows[index] = replace(bay, load=load, mods=mods)
        known_bays += [name for _, name in look_alikes[: len(revealed_craft)]]
    # A printed price could reveal the load.
    document = design_json(replace(design, systems=_merge_rows(rows, stores), printed=()))
    crew = {CREW: sheet.design[CREW]} if CREW in sheet.design else {}
    return stored_sheet({**document, **crew}, options), frozenset(known_bays)


def _bays_by_look(
    rows: list[Fitting], stores: Collection[str]
) -> dict[Fitting, list[tuple[int, str]]]:
    """Return the bays that look the same from outside, by that look.

    Returns:
        For each look (a bay without its craft): the index in `rows` and the id of each such bay.
    """
    bays: dict[Fitting, list[tuple[int, str]]] = {}
    numbers: Counter[str] = Counter()
    for index, row in enumerate(rows):
        numbers[row.type] += row.count
        if row.type in stores and row.type != MAGAZINE:
            look = replace(row, load=(), mods=())
            bays.setdefault(look, []).append((index, f"{row.type}-{numbers[row.type]}"))
    return bays


def _single_systems(row: Fitting) -> list[Fitting]:
    """Split a row into rows of one system each."""
    return [replace(row, count=1)] * row.count


def _revealed_craft(row: Fitting, rules: RuleSet) -> Craft:
    """Return the assumed craft of a bay whose group was seen: a full group of its type.

    For a squadron of several types these are the types that it shows.
    """
    _, family = _price_and_family(row, rules)
    mods = tuple(mod.name for mod in family.mods if mod.name in row.mods)
    if len(row.load) > 1:
        return row.load, mods
    craft_type, _ = row.load[0]
    return _full_group(row, rules, craft_type, mods), mods


def _assumed_craft(bay: Fitting, rules: RuleSet) -> Craft:
    """Return the assumed craft of an unseen bay: a full group of the first type.

    Racks for robots hold robots.
    """
    system_price, family = _price_and_family(bay, rules)
    first = family.types[0]
    robots = []
    for mod in family.mods:
        if CraftTrait.ROBOT in mod.change(first).traits:
            robots.append(mod.name)
    mods = tuple(robots[:1]) if system_price.holds == "robots" else ()
    return _full_group(bay, rules, first.type, mods), mods


def _full_group(bay: Fitting, rules: RuleSet, kind: str, mods: tuple[str, ...]) -> Load:
    """Return a full group of a type; in a boat bay as many as fit."""
    system_price, family = _price_and_family(bay, rules)
    row = family.of(kind)
    assert row is not None  # it was bought
    craft = family.modified(row, mods)
    if system_price.room:
        number = int(system_price.room * bay.mass) // craft.berth
    else:
        number = craft.full
    if number:
        return ((kind, number),)
    return ()


def _price_and_family(bay: Fitting, rules: RuleSet) -> tuple[SystemPrice, Family]:
    """Return the price row of a bay, and the family of craft for it."""
    system_price = system_price_of(bay, rules)
    assert system_price is not None  # the ship was built
    family = family_of(rules.edition, BAYS[system_price.holds])
    assert family is not None  # every edition that sells the bay has the family
    return system_price, family


def _merge_rows(rows: Collection[Fitting], stores: Collection[str]) -> tuple[Fitting, ...]:
    """Merge consecutive equal rows of magazines and bays."""
    merged: list[Fitting] = []
    for row in rows:
        if merged and row.type in stores and replace(merged[-1], count=1) == replace(row, count=1):
            merged[-1] = replace(row, count=merged[-1].count + row.count)
        else:
            merged.append(row)
    return tuple(merged)
