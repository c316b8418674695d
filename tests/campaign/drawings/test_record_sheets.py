"""Record sheets as drawings: every system once, no overlaps, and losses marked by shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from campaign.drawings.cells import all_round
from campaign.drawings.condition import Condition, campaign_condition, fresh_condition
from campaign.drawings.lettering import fit_text, truncate, width_of
from campaign.drawings.record_sheet import TURNS, WIDTH, RecordSheet, arc_ring, record_sheet
from campaign.drawings.strips import strip
from campaign.rules.world import Ship
from engine.core.edition import EDITIONS, Edition
from engine.core.sheet import Sheet
from engine.design.mass_pricing import CORE
from engine.notation.designs import load_sheet, sheet_of
from engine.notation.files import fixture_classes
from engine.ruleset import rules_of

Area = tuple[str, float, float, float, float]  # name, left, top, right, bottom
TOUCHING = 0.4  # units of tolerance for rounding


@cache
def classes() -> dict[str, Sheet]:
    return {
        f"{edition}: {name}": sheet_of(design)
        for edition in EDITIONS
        for name, design in fixture_classes(edition).items()
    }


def damaged_condition(sheet: Sheet) -> Condition:
    """Return a ship with half its hull, every second system, a drive hit, and half its stores gone."""
    whole = fresh_condition(sheet, "Her Majesty's Starship Indefatigable of Trafalgar")
    lost = tuple(fit.id for fit in sheet.fits[::2] if fit.id != "drive")
    stock = tuple((name, count // 2) for name, count in whole.stock or ())
    armour = tuple((standard // 2, 0) for standard, _ in sheet.armour)
    drive = ("drive",) if sheet.thrust else ()
    return replace(
        whole, damage=sheet.boxes // 2, lost_systems=(*lost, *drive), stock=stock, armour=armour
    )


def areas(drawing: RecordSheet) -> Iterator[Area]:
    """Return the areas of a sheet that must not overlap."""
    for system in drawing.systems:
        yield (
            f"system {system.cell.fit.id}",
            system.x,
            system.y,
            system.x + system.cell.size,
            system.y + system.cell.size,
        )
    for number, box in enumerate(drawing.boxes):
        yield (f"{box.kind} {number}", box.x, box.y, box.x + box.size, box.y + box.size)
    for threshold in drawing.thresholds:
        yield (
            f"threshold {threshold.text}",
            threshold.x,
            threshold.y,
            threshold.x + 26,
            threshold.y + 16,
        )
    for slot in drawing.slots:
        yield (f"turn {slot.turn}", slot.x, slot.y, slot.x + slot.width, slot.y + slot.height)
    if drawing.code is not None:
        x, y, size = drawing.code.x, drawing.code.y, drawing.code.size
        yield ("code", x, y, x + size, y + size)
    for words in drawing.words:
        wide = width_of(words.text, words.size)
        left_edge = words.x - {"start": 0, "middle": wide / 2, "end": wide}[words.anchor]
        yield (
            f"words {words.text}",
            left_edge,
            words.y - words.size * 0.75,
            left_edge + wide,
            words.y + words.size * 0.2,
        )


def overlapping(drawing: RecordSheet) -> list[tuple[str, str]]:
    return [
        (a[0], b[0])
        for a, b in combinations(list(areas(drawing)), 2)
        if a[1] < b[3] - TOUCHING
        and b[1] < a[3] - TOUCHING
        and a[2] < b[4] - TOUCHING
        and b[2] < a[4] - TOUCHING
    ]


@pytest.mark.parametrize("address", ["", "https://war.example/c/0e2c/ships/ember/s12/"])
def test_sheet_shows_each_system_once_without_overlaps(address: str) -> None:
    faults = {}
    for name, sheet in classes().items():
        for condition in (fresh_condition(sheet), damaged_condition(sheet)):
            drawing = record_sheet(sheet, condition, core=True, address=address)
            if class_faults := sheet_faults(sheet, drawing, address):
                faults[name] = class_faults
    assert faults == {}


def sheet_faults(sheet: Sheet, drawing: RecordSheet, address: str) -> list[str]:
    """Return what a class's drawing has too little or too much of."""
    armour = sum(box.kind in ("armour", "regenerative") for box in drawing.boxes)
    factors = sum(box.crew_factors for box in drawing.boxes)
    drawn_systems = Counter(system.cell.fit.id for system in drawing.systems)
    is_right = {
        "systems": drawn_systems == Counter(fit.id for fit in sheet.fits),
        "hull": sum(box.kind == "hull" for box in drawing.boxes) == sheet.boxes,
        "armour": armour == sum(map(sum, sheet.armour)),
        "crew": factors == len(sheet.crew) == len(drawing.stars),
        "turns": len(drawing.slots) == TURNS,
        "code": (drawing.code is None) == (not address),
    }
    outside = [
        area[0]
        for area in areas(drawing)
        if area[1] < 0 or area[3] > WIDTH or area[2] < 0 or area[4] > drawing.height
    ]
    overlaps = [f"{first} over {second}" for first, second in overlapping(drawing)]
    return [*(name for name, right in is_right.items() if not right), *overlaps, *outside]


def heavy_cruiser() -> Sheet:
    return sheet_of(fixture_classes("second-edition")["Heavy Cruiser"])


def test_overlap_check_finds_overlaps() -> None:
    drawing = record_sheet(heavy_cruiser(), fresh_condition(heavy_cruiser()))
    first = drawing.systems[0]
    moved = replace(drawing, systems=(first, replace(drawing.systems[1], x=first.x + 5, y=first.y)))
    assert overlapping(moved)


@pytest.mark.rule("2e.thresholds")
def test_threshold_number_ends_each_row_but_the_last() -> None:
    sheet = heavy_cruiser()
    drawing = record_sheet(sheet, replace(fresh_condition(sheet), damage=sheet.rows[0]))
    assert [(threshold.text, threshold.is_passed) for threshold in drawing.thresholds] == [
        ("6", True),
        ("5+", False),
    ]
    assert len(sheet.rows) == 3


def test_lost_systems_are_crossed_twice_and_halved_ones_once() -> None:
    sheet = heavy_cruiser()
    lost = sheet.fits[0].id
    drawing = record_sheet(
        sheet, replace(fresh_condition(sheet), damage=3, lost_systems=(lost, "drive"))
    )
    by_id = {system.cell.fit.id: system for system in drawing.systems}
    assert [system.cell.fit.id for system in drawing.systems if system.is_crossed] == [lost]
    assert by_id["drive"].is_halved
    assert f"thrust {sheet.thrust // 2}" in [words.text for words in drawing.words]
    assert sum(box.is_crossed for box in drawing.boxes) == 3
    assert drawing.strokes_path.count("M") == 3
    twice = record_sheet(sheet, replace(fresh_condition(sheet), lost_systems=("drive", "drive")))
    assert [system.cell.fit.id for system in twice.systems if system.is_crossed] == ["drive"]


def test_core_systems_are_drawn_only_with_the_option() -> None:
    sheet = next(sheet for name, sheet in classes().items() if name.startswith("continuum"))
    drawings = {
        core: record_sheet(sheet, fresh_condition(sheet), core=core) for core in (True, False)
    }
    core_fits = {
        core: [s.cell.fit.id for s in drawing.systems if s.cell.fit.id in CORE]
        for core, drawing in drawings.items()
    }
    assert core_fits == {True: list(CORE), False: []}
    assert "life support" in drawings[True].alt
    assert "life support" not in drawings[False].alt


def test_port_systems_are_on_the_left_and_heavy_ones_first() -> None:
    for name, sheet in classes().items():
        drawing = record_sheet(sheet, fresh_condition(sheet))
        rows: dict[float, list[int]] = {}
        for system in drawing.systems:
            if system.cell.fit.offensive:
                rows.setdefault(system.y, []).append(
                    (system.cell.lean > 0) - (system.cell.lean < 0)
                )
        assert all(row == sorted(row) for row in rows.values()), name
        sizes = [system.cell.size for system in drawing.systems if system.cell.fit.offensive]
        assert sizes == sorted(sizes, reverse=True), name


def test_stores_have_a_box_each_and_foreign_stores_are_not_guessed() -> None:
    sheet = sheet_of(fixture_classes("second-edition")["Fleet Carrier"])
    bays = [fit.id for fit in sheet.fits if fit.type == "fighter-bay"]
    whole = fresh_condition(sheet)
    used = replace(
        whole,
        stock=tuple((name, 2 if name == bays[0] else count) for name, count in whole.stock or ()),
    )
    drawing = record_sheet(sheet, used)
    stores = [box.is_crossed for box in drawing.boxes if box.kind == "store"]
    assert len(stores) == 6 * len(bays)
    assert sum(stores) == 4
    assert "2 of 6" in drawing.alt
    foreign = record_sheet(sheet, replace(whole, stock=None))
    assert not any(box.is_crossed for box in foreign.boxes)
    assert " of 6" not in foreign.alt.replace("boxes", "")


def test_campaign_ship_is_drawn_with_damage_and_stores() -> None:
    sheet = sheet_of(fixture_classes("continuum")["Heavy Cruiser"])
    ship = Ship(
        "s1",
        "frost",
        "Valiant",
        sheet.cls,
        "f1",
        damage=4,
        lost=("firecon-1",),
        stock=(("armour-1", 2),),
    )
    condition = campaign_condition(sheet, ship)
    drawing = record_sheet(sheet, condition)
    assert [box.is_crossed for box in drawing.boxes if box.kind == "armour"] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert sum(box.is_crossed for box in drawing.boxes if box.kind == "hull") == 4
    assert drawing.alt.startswith("Valiant, Heavy Cruiser: ")
    assert f"Hull: {sheet.boxes - 4} of {sheet.boxes} boxes" in drawing.alt
    assert "2 × FireCon, 1 of them lost" in drawing.alt


def test_ship_that_left_the_battle_is_stamped() -> None:
    sheet = heavy_cruiser()
    drawing = record_sheet(sheet, replace(fresh_condition(sheet, "Wasp"), fate_text="destroyed"))
    assert drawing.fate_text == "destroyed"
    assert "Destroyed" in drawing.alt


def test_large_hull_continues_on_the_next_line() -> None:
    design = {
        "class": "Anchorage", "edition": "second-edition", "kind": "installation", "mass": 400,
        "systems": [{"type": "battery", "battery": "A", "arcs": ["P", "F", "S"], "count": 30}],
    }  # fmt: skip
    sheet = load_sheet(design)
    drawing = record_sheet(sheet, fresh_condition(sheet))
    assert max(sheet.rows) > 25
    assert sum(box.kind == "hull" for box in drawing.boxes) == sheet.boxes
    assert overlapping(drawing) == []


def test_rings_have_a_segment_for_each_arc() -> None:
    for edition in EDITIONS:
        of = rules_of(edition).arcs
        bears, rest = arc_ring(of[:1], of)
        assert (bears.count("M"), rest.count("M")) == (1, len(of) - 1)
        assert bears.startswith("M10.00 3.13" if edition == Edition.CONTINUUM else "M6.87 5.12")
        assert all_round(replace(heavy_cruiser().fits[0], arcs=of))


def test_texts_are_shortened_to_fit() -> None:
    assert fit_text("Wasp", 200, 18, 10) == ("Wasp", 18)
    text, size = fit_text("Her Majesty's Starship Indefatigable", 200, 18, 10)
    assert size < 18
    assert width_of(text, size) <= 200
    assert truncate("Indefatigable", 40, 12).endswith("…")
    assert width_of("艦", 10) > width_of("W", 10) > width_of("a", 10) > width_of("i", 10)


def test_hull_strip_has_every_box_and_a_text() -> None:
    sheet = sheet_of(fixture_classes("continuum")["Heavy Cruiser"])
    strip_drawing = strip(sheet.rows, 7, sheet.armour, ((2, 0),))
    assert (strip_drawing.intact_path.count("M"), strip_drawing.lost_path.count("M")) == (
        sheet.boxes - 7,
        7,
    )
    assert (strip_drawing.armour.count("M"), strip_drawing.armour_lost.count("M")) == (2, 3)
    assert strip_drawing.alt == f"hull {sheet.boxes - 7} of {sheet.boxes}, armour 2 of 5"
    large = strip((60, 60), 30)
    assert (large.intact_path.count("M"), large.lost_path.count("M")) == (2, 1)
    assert large.alt == "hull 90 of 120"
