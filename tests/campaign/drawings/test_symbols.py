"""The symbols of record sheets: one for every system, in one file that pages refer to."""

from __future__ import annotations

from functools import cache
from itertools import chain
from xml.etree import ElementTree

import pytest

from campaign.drawings.symbols import LOST_SYMBOL, STAR, UNKNOWN, arc_symbols, silhouette, symbol_of
from engine.continuum.cores import CORE
from engine.core.edition import EDITIONS, Edition
from engine.core.sheet import Sheet
from engine.craft.craft_type import OUTLINES
from engine.notation.designs import sheet_of
from engine.notation.files import fixture_classes
from engine.ruleset import rules_of
from tests.sources import ROOT

SPRITE = ROOT / "static/img/battle.svg"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def symbols() -> tuple[str, ...]:
    return tuple(
        symbol.get("id", "") for symbol in ElementTree.parse(SPRITE).getroot().iter(f"{SVG}symbol")
    )


@cache
def fixture_sheets(edition: Edition) -> tuple[Sheet, ...]:
    return tuple(sheet_of(design) for design in fixture_classes(edition).values())


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_purchasable_system_has_a_symbol(edition: Edition) -> None:
    rules = rules_of(edition)
    system_types = dict.fromkeys(chain((spec.type for spec in rules.systems), rules.system_prices))
    assert len(system_types) > 10
    assert [type_ for type_ in (*system_types, *CORE) if type_ not in symbols()] == []
    assert UNKNOWN in symbols()
    assert UNKNOWN not in system_types


@pytest.mark.parametrize("edition", EDITIONS)
def test_printed_classes_have_no_unknown_symbol(edition: Edition) -> None:
    fit_symbols = [
        (sheet.cls, symbol_of(fit, sheet))
        for sheet in fixture_sheets(edition)
        for fit in sheet.fits
    ]
    assert len(fit_symbols) > 50
    assert [
        (cls, symbol) for cls, symbol in fit_symbols if symbol not in symbols() or symbol == UNKNOWN
    ] == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_arc_and_classification_has_a_symbol(edition: Edition) -> None:
    rules = rules_of(edition)
    ring = arc_symbols(rules.arcs[:2], rules.arcs)
    assert [bears for _, bears in ring] == [True, True, *[False] * (len(rules.arcs) - 2)]
    hulls = {row.classification for row in rules.hulls if row.classification}
    names = [name for name, _ in ring]
    names += [silhouette(name) for name in (*hulls, *(row.name for row in rules.classifications))]
    assert [
        name
        for name in (*names, *map(silhouette, OUTLINES), STAR, LOST_SYMBOL)
        if name not in symbols()
    ] == []


def test_symbols_are_unique_and_use_the_page_colour() -> None:
    assert len(symbols()) == len(set(symbols()))
    root = ElementTree.parse(SPRITE).getroot()
    assert {symbol.get("viewBox") for symbol in root.iter(f"{SVG}symbol")} == {"0 0 32 32"}
    colours = {
        element.get(name)
        for element in root.iter()
        for name in ("fill", "stroke")
        if element.get(name)
    }
    assert colours <= {"none", "currentColor"}
    assert not {element.tag.removeprefix(SVG) for element in root.iter()} & {
        "script",
        "style",
        "image",
        "use",
        "a",
    }
    assert not [
        name
        for element in root.iter()
        for name in element.attrib
        if name == "style" or name.startswith("on")
    ]
