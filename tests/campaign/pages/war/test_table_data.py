"""Data for the scripts of an online battle: from the side's own sight, with names that do not
overlap.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

from campaign.drawings.symbols import silhouette
from campaign.drawings.table_picture import RADII, place_names, table_picture, width_of
from campaign.forms.battle.fire_data import fires_data
from campaign.forms.battle.plot_data import plots_data
from campaign.pages.battle.fights import _form_sight, script_data
from campaign.pages.table.table_data import Colours, table_data
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import Battle, ResolvedStop, start
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import MEAN_POINTS
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.view.side_log import side_log
from tests.campaign.drawings.test_symbols import symbols
from tests.campaign.pages.war.test_fight_later import gunnery
from tests.campaign.pages.war.test_fights import sheet_at
from tests.engine.battle.continuum_hulls import hull, table
from tests.engine.craft.carrier_battles import carriers
from tests.engine.defences.battles import start_battle
from tests.engine.secrecy.pairs import PAIRS
from tests.engine.secrecy.worlds import Chance, untold

NAMES = SideNames({})
SEEDS = range(2)


def sheet_of(battle: Battle, side: int, log: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return a side's sheet in a phase of a battle."""
    battle_known, view = known_battle(battle, side), stops.side_view(battle, side)
    return {
        "kind": battle.state.stop, "at": side, "turn": battle.turn, "number": 1, "table": list(battle.state.table),
        "sides": list(battle.state.sides), "mine": [*view["own"], *(group["id"] for group in view.get("groups", ()))],
        "view": view, "log": log or [], "battle_document": battle_known.to_json(),
        "advice": stops.advise(battle_known, side, Doctrine(), "x"),
    }  # fmt: skip


def page_scripts_data(sheet: dict[str, Any]) -> dict[str, Any]:
    """Return all data for the page's scripts, and the picture for readers without scripts."""
    colours = Colours(
        {name: number for number, name in enumerate(sheet["sides"], 1)},
        tuple(sheet["sides"]),
        sheet["sides"][0],
    )
    form_sight = _form_sight(sheet, NAMES)
    ships = {str(ship.id): ship for ship in form_sight.state.ships}
    data = table_data(sheet, NAMES, colours, ships=ships, silhouettes={})
    return (
        data
        | {"picture": repr(table_picture(data))}
        | script_data(sheet["kind"], form_sight, sheet["advice"], sheet["advice"])
    )


def _sheet_after(phase: ResolvedStop) -> dict[str, Any]:
    """Return red's sheet when a phase of a fought battle opens, and its log."""
    battle = Battle(phase.before.terms.edition, (), phase.before, None, [])
    return sheet_of(battle, 0, side_log(phase.events, phase.before, 0))


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize("kind", PAIRS)
def test_indistinguishable_worlds_send_equal_bytes(kind: str) -> None:
    compared_count = 0
    for number in SEEDS:
        for worlds in untold(PAIRS[kind](Chance(f"{kind}{number}")), str(number)):
            first, second = (json.dumps(page_scripts_data(_sheet_after(world))) for world in worlds)
            assert first == second
            compared_count += 1
    assert compared_count


def test_bogey_has_no_class_hull_or_screens() -> None:
    place = {"design": gunnery("plot").state.ships[0].sheet.design, "velocity": 6}
    sides = [
        {"name": "red", "ships": [{"id": "n1", "at": [20, 20], "course": 3, **place}]},
        {"name": "blue", "ships": [{"id": "e1", "at": [110, 20], "course": 9, **place}]},
    ]
    battle = start({"edition": "continuum", "bogeys": True, "table": [120, 48], "sides": sides})
    (contact,) = page_scripts_data(sheet_of(battle, 0))["contacts"]
    assert set(contact) == {"id", "name", "size", "seat", "x", "y", "course", "v", "foe"}
    assert contact["name"].startswith("Bogey ")


def test_ship_data_lists_possible_plots_and_bearings() -> None:
    sheet = sheet_of(gunnery("plot"), 0)
    ship = page_scripts_data(sheet)["ships"]["n1"]
    assert (ship["main"], ship["turning"], ship["whole"]) == (
        5,
        2,
        True,
    )  # emergency thrust is a separate word
    assert ship["pressed"] == {"main": 7, "turning": 5}
    assert ship["captain"] == sheet["advice"]["plot"].get("n1", "")
    assert ship["cover"]["F"][0] > ship["cover"]["F"][1] > 0
    assert "A" not in ship["cover"]


def test_unreachable_ends_have_no_dots() -> None:
    battle = start(
        table(hull("r1", 50, 50, velocity=4, thrust=0), hull("r2", 90, 90, velocity=3, thrust=1))
    )
    ships = page_scripts_data(sheet_of(battle, 0))["ships"]
    assert (ships["r1"]["main"], ships["r1"]["turning"]) == (0, 0)
    assert (ships["r2"]["main"], ships["r2"]["turning"]) == (1, 1)


def test_order_words_that_keep_the_course_are_listed() -> None:
    ship = page_scripts_data(sheet_of(start_battle(carriers("standard", "")), 0))["ships"]["r1"]
    assert "launch" in ship["steady"]
    assert "steady" not in page_scripts_data(sheet_of(gunnery("plot"), 0))["ships"]["n1"]


def test_ship_out_of_control_has_no_dots() -> None:
    battle = start(table(hull("r1", 50, 50, velocity=4), options=("core-systems",)))
    ship = battle.state.ship_by_name("r1")
    ship.record = ship.record.with_values(out_of_control=9)
    data = plots_data(_form_sight(sheet_of(battle, 0), NAMES), {}, {})
    assert (data["r1"]["main"], data["r1"]["turning"]) == (0, 0)


def test_fire_data_equals_the_engine_figures() -> None:
    place = {"design": gunnery("plot").state.ships[0].sheet.design, "velocity": 6}
    sides = [
        {"name": "red", "ships": [{"id": "n1", "at": [20, 20], "course": 3, **place}]},
        {"name": "blue", "ships": [{"id": "e1", "at": [44, 20], "course": 9, **place}]},
    ]
    battle, _ = stops.resolve_documents(
        start({"edition": "continuum", "options": ["flak"], "table": [72, 48], "sides": sides}),
        {},
        Dice(1),
    )
    sheet = sheet_of(battle, 0)
    ship = fires_data(_form_sight(sheet, NAMES), sheet["advice"])["n1"]
    weapons_by_id = {
        weapon["id"]: weapon | {"t": ship["bears"][weapon["t"]]} for weapon in ship["weapons"]
    }
    (foe,) = {target for weapon in weapons_by_id.values() for target in weapon["t"]}
    assert ship["firecons"] == 5, "an advanced one counts as two"
    assert [weapon["key"] for weapon in weapons_by_id.values()] == [
        "phaser/2",
        "emp/1",
        "k-gun/2/flak",
    ]
    dice, points, bare = weapons_by_id["k-gun-1"]["t"][foe]
    assert dice == 1
    assert 0 < points == bare, "nobody has screens"
    captain = {str(weapon["weapon"]) for weapon in ship["captain"]}
    assert captain <= {name for name, weapon in weapons_by_id.items() if weapon["t"]}


def test_beam_expectations_match_their_dice() -> None:
    sheet = sheet_at("engage")
    foes = [entry for entry in sheet["view"]["contacts"] if "class" in entry]
    form_sight = _form_sight(sheet, NAMES)
    data = fires_data(form_sight, sheet["advice"])
    ships = {str(ship.id): ship for ship in form_sight.state.ships}
    checked_count = 0
    for key, entry in data.items():
        for weapon in entry["weapons"]:
            for target, (dice, points, bare) in entry["bears"][weapon["t"]].items():
                assert target in {foe["id"] for foe in foes}
                if weapon["type"] == "battery":
                    mean = MEAN_POINTS[ships[target].screens]
                    assert points == pytest.approx(dice * mean, abs=0.02), (key, weapon)
                    assert bare == pytest.approx(dice * MEAN_POINTS[0], abs=0.02)
                    checked_count += 1
    assert checked_count


def test_stationary_second_edition_ship_can_pivot() -> None:
    file = table(edition="second-edition")
    design = {
        "class": "Tub",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 20,
        "thrust": 4,
        "ftl": "none",
        "systems": [],
    }
    file["sides"][0]["ships"] = [
        {"id": "r1", "design": design, "at": [50, 50], "course": 3, "velocity": 0}
    ]
    file["sides"][1]["ships"] = [
        {"id": "b1", "design": design, "at": [390, 390], "course": 3, "velocity": 0}
    ]
    ship = page_scripts_data(sheet_of(start(file), 0))["ships"]["r1"]
    assert (ship["main"], ship["turning"], ship["pivot"]) == (4, 2, True)
    assert "whole" not in ship


def test_names_never_overlap_or_leave_the_picture() -> None:
    inside = (0.0, 0.0, 900.0, 600.0)
    marks = [
        (20.0 + 37 * (n % 8), 10.0 + 21 * (n // 8), 12.0, f"Warden Heavy Cruiser {n}")
        for n in range(50)
    ]
    tags = place_names(marks, inside)
    boxes = [
        (*tag, tag[0] + width_of(mark[3]), tag[1] + 15)
        for tag, mark in zip(tags, marks, strict=True)
        if tag
    ]
    assert len(boxes) > 10
    boxes += [(x - r, y - r, x + r, y + r) for x, y, r, _ in marks]
    is_apart = [
        a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for a, b in combinations(boxes, 2)
    ]
    name_count = len(boxes) - len(marks)
    pairs = [pair for pair, _ in zip(combinations(range(len(boxes)), 2), is_apart, strict=True)]
    assert all(free for (first, _), free in zip(pairs, is_apart, strict=True) if first < name_count)
    assert all(
        box[0] >= 0 and box[1] >= 0 and box[2] <= 900 and box[3] <= 600
        for box in boxes[:name_count]
    )


def test_every_silhouette_is_a_symbol() -> None:
    assert [size for size in RADII if silhouette(size) not in symbols()] == []
