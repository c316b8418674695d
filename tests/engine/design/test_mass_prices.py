"""Continuum's price list: mass and cost of every system, as sections 5 to 9, 13 and 14 print it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.design.continuum_designs import (
    ALL,
    FRONT,
    PORT,
    STARBOARD,
    added,
    design,
    figures,
    system_entry,
)

pytestmark = pytest.mark.rule("pc.design")

TWO, FIVE = ["F", "A"], ["F", "FS", "AS", "AP", "FP"]

# fmt: off
BY_ARCS = [
    # type, class, model      mass with 1, 2, 3, 4, 5, 6 arcs (None: not sold)    points for each mass
    ("beam",          1, "",               (None, None, None, None, None, 1), 3),
    ("beam",          2, "",               (None, None, 2, None, None, 3),    3),
    ("beam",          3, "",               (4, 5, 6, 7, 8, 9),                3),
    ("beam",          4, "",               (8, 10, 12, 14, 16, 18),           3),
    ("beam",          5, "",               (16, 20, 24, 28, 32, 36),          3),
    ("emp",           1, "",               (None, None, None, None, None, 1), 3),
    ("emp",           2, "",               (None, None, 2, None, None, 3),    3),
    ("emp",           3, "",               (4, 5, 6, 7, 8, 9),                3),
    ("emp",           4, "",               (8, 10, 12, 14, 16, 18),           3),
    ("plasma-cannon", 1, "",               (None, None, 1, None, None, 2),    3),
    ("plasma-cannon", 2, "",               (None, None, 4, None, None, 6),    3),
    ("plasma-cannon", 3, "",               (8, 10, 12, 14, 16, 18),           3),
    ("plasma-cannon", 4, "",               (16, 20, 24, 28, 32, 36),          3),
    ("graser",        1, "",               (None, None, 1, None, None, 2),    3),
    ("graser",        2, "",               (None, None, 4, None, None, 6),    3),
    ("graser",        3, "",               (8, 10, 12, 14, 16, 18),           3),
    ("graser",        4, "",               (16, 20, 24, 28, 32, 36),          3),
    ("heavy-graser",  1, "",               (2, None, 3, None, None, 4),       3),
    ("heavy-graser",  2, "",               (9, 12, 15, 18, 21, 24),           3),
    ("heavy-graser",  3, "",               (24, 30, 36, 42, 48, 54),          3),
    ("heavy-graser",  1, "high-intensity", (2, None, 3, None, None, 4),       4),
    ("heavy-graser",  2, "high-intensity", (9, 12, 15, 18, 21, 24),           4),
    ("transporter",   1, "",               (None, None, None, None, None, 1), 3),
    ("transporter",   2, "",               (None, None, 2, None, None, 3),    3),
    ("transporter",   3, "",               (4, 5, 6, 7, 8, 9),                3),
    ("transporter",   4, "",               (8, 10, 12, 14, 16, 18),           3),
    ("gatling",       0, "",               (2, None, 3, None, None, 4),       4),
    ("particle-array", 0, "",              (2, None, 3, None, None, 4),       4),
    ("meson",         0, "",               (2, None, 3, None, None, 4),       4),
    ("pulser",        0, "",               (2, None, 3, None, None, 4),       5),
    ("needle",        1, "",               (None, 2, 3, None, None, None),    3),
    ("needle",        2, "",               (4, 6, 8, None, None, None),       3),
    ("needle",        3, "",               (8, 12, 16, None, None, None),     3),
    ("needle",        4, "",               (16, 24, 32, None, None, None),    3),
    ("pulse-torpedo", 0, "",               (4, 5, 6, None, None, None),       3),
    ("pulse-torpedo", 0, "short",          (2, None, 3, None, None, None),    3),
    ("pulse-torpedo", 0, "long",           (8, 10, 12, None, None, None),     3),
    ("pulse-torpedo", 0, "variable",       (8, 10, 12, None, None, None),     5),
    ("submunition",   0, "",               (None, None, 1, None, None, None), 3),
    ("k-gun",         1, "",               (None, None, None, None, None, 2), 4),
    ("k-gun",         2, "",               (3, 4, None, None, None, None),    4),
    ("k-gun",         3, "",               (5, None, None, None, None, None), 4),
    ("k-gun",         4, "",               (8, None, None, None, None, None), 4),
    ("k-gun",         5, "",               (11, None, None, None, None, None), 4),
    ("k-gun",         6, "",               (14, None, None, None, None, None), 4),
    ("k-gun",         2, "short",          (None, 2, None, None, None, None), 4),
    ("k-gun",         3, "short",          (3, None, None, None, None, None), 4),
    ("k-gun",         4, "short",          (4, None, None, None, None, None), 4),
    ("k-gun",         5, "short",          (6, None, None, None, None, None), 4),
    ("k-gun",         6, "short",          (7, None, None, None, None, None), 4),
    ("k-gun",         1, "long",           (None, None, None, None, None, 4), 4),
    ("k-gun",         2, "long",           (6, 8, None, None, None, None),    4),
    ("k-gun",         3, "long",           (10, None, None, None, None, None), 4),
    ("k-gun",         4, "long",           (16, None, None, None, None, None), 4),
    ("k-gun",         5, "long",           (22, None, None, None, None, None), 4),
    ("k-gun",         6, "long",           (28, None, None, None, None, None), 4),
    ("mkp",           0, "",               (1, None, None, None, None, None), 4),
    ("fusion-array",  0, "",               (3, 4, 5, None, None, None),       3),
    ("gravitic",      1, "",               (None, None, None, None, None, 1), 3),
    ("gravitic",      2, "",               (None, None, 2, None, None, 3),    3),
    ("gravitic",      3, "",               (4, 5, 6, 7, 8, 9),                3),
    ("gravitic",      4, "",               (8, 10, 12, 14, 16, 18),           3),
    ("ads",           0, "",               (None, None, 2, None, None, 3),    3),
    *(("plasma-bolt", n, "",               (3 * n, 4 * n, 5 * n, None, None, None), 3) for n in (1, 2, 3, 4, 5, 6)),
]
# on a ship of mass 100
FIXED = [
    # type                 model      mass  points
    ("screen",               "",          5,  15),
    ("advanced-screen",      "",          8,  32),  # 7.5 rounded up
    ("area-screen",          "",         20,  70),
    ("advanced-area-screen", "",         30, 105),
    ("stealth-field",        "",          5,  30),
    ("holofield",            "",         10,  50),
    ("tuffley-cloak",        "",         10, 100),
    ("reflex-field",         "",         10,  60),
    ("shroud",               "",          5,  15),
    ("cloaking-device",      "",          1,  25),
    ("cloaking-field",       "",          1, 100),
    ("suicide-charge",       "",          1,   5),
    ("adfc",                 "",          2,   8),
    ("advanced-adfc",        "",          2,  10),
    ("pds",                  "",          1,   3),
    ("scattergun",           "",          1,   5),
    ("grapeshot",            "",          1,   4),
    ("ecm",                  "",          1,   3),
    ("area-ecm",             "",          2,   6),
    ("firecon",              "",          1,   4),
    ("advanced-firecon",     "",          1,   5),
    ("enhanced-sensors",     "",          4,  24),
    ("superior-sensors",     "",          8,  48),
    ("weasel",               "cruiser",   2,   8),
    ("weasel",               "capital",   4,  16),
    ("minesweeper",          "",          5,  15),
    ("ortillery",            "",          3,   9),
    ("damage-control",       "",          0,   5),
    ("marines",              "",          0,   5),
    ("spinal-beam",          "small",     8,  32),
    ("spinal-beam",          "medium",   16,  64),
    ("spinal-beam",          "large",    32, 128),
    ("spinal-plasma",        "small",     8,  32),
    ("spinal-plasma",        "medium",   16,  64),
    ("spinal-plasma",        "large",    32, 128),
    ("spinal-singularity",   "small",     8,  40),
    ("spinal-singularity",   "medium",   16,  80),
    ("spinal-singularity",   "large",    32, 160),
    ("nova-cannon",          "",         20,  60),
    ("wave-gun",             "",         12,  36),
    ("salvo-launcher",       "",          3,   9),
    ("salvo-rack",           "",          4,  12),
    ("salvo-rack",           "extended",  5,  15),
    ("salvo-rack",           "two-stage", 6,  24),
    ("heavy-missile",        "",          2,   6),
    ("heavy-missile",        "extended",  3,   9),
    ("heavy-missile",        "two-stage", 4,  12),
    ("antimatter-missile",   "",          2,  10),
    ("rocket-pod",           "",          1,   3),
    ("boarding-torpedo",     "",          2,   6),
    ("hangar",               "",          6,  18),
    ("combined-hangar",      "",          9,  27),
    ("launch-tube",          "",          3,   9),
    ("fighter-rack",         "",          6,   6),
    ("gunboat-rack",         "",         18,   0),
]
# fmt: on


@pytest.mark.parametrize(("type_", "class_", "model", "masses", "rate"), BY_ARCS)
def test_mount_mass_and_price_follow_class_and_arcs(
    type_: str, class_: int, model: str, masses: tuple[int | None, ...], rate: int
) -> None:
    more = {"model": model} if model else {}
    for arcs, mass in zip((["F"], TWO, FRONT, [*FRONT, "A"], FIVE, ALL), masses, strict=True):
        if mass is not None:
            assert added([system_entry(type_, class_, arcs, **more)]) == (mass, mass * rate), arcs


@pytest.mark.parametrize(("type_", "model", "mass", "points"), FIXED)
def test_system_has_one_mass_and_price(type_: str, model: str, mass: int, points: int) -> None:
    more: dict[str, Any] = {"model": model} if model else {}
    assert added([system_entry(type_, **more)]) == (mass, points)


@pytest.mark.rule("pc.phasers")
def test_example_phaser_2_costs_14_and_24_beside_an_advanced_firecon() -> None:
    phaser = system_entry("phaser", 2, FRONT)
    assert added([phaser]) == (4, 14)
    assert added([phaser, system_entry("advanced-firecon")]) == (5, 24 + 5)
    assert added([system_entry("phaser", 1, FRONT)]) == (1, 5)
    assert added([system_entry("phaser", 1, ALL)]) == (2, 8)
    assert added([system_entry("phaser", 3, ["F"])]) == (8, 26)
    assert added([system_entry("phaser", 4, TWO)]) == (20, 62)


def test_broadside_mounts_cover_both_arcs_of_one_side() -> None:
    assert added([system_entry("beam", 2, PORT)]) == (1, 3)
    assert added([system_entry("gatling", 0, PORT), system_entry("gatling", 0, STARBOARD)]) == (
        5,
        20,
    )
    assert added([system_entry("particle-array", 0, STARBOARD, count=2)]) == (5, 20)


@pytest.mark.rule("pc.k-guns")
def test_short_range_k_1_guns_are_sold_in_pairs() -> None:
    assert added([system_entry("k-gun", 1, model="short", count=2)]) == (3, 12)
    assert added([system_entry("k-gun", 1, model="short", count=4)]) == (6, 24)


@pytest.mark.rule("pc.turrets")
@pytest.mark.parametrize(
    ("arcs", "weapons", "turret"),
    [  # a beam 3 of one arc is 4 mass
        (ALL, 4, 2),
        (ALL, 8, 4),
        (FIVE, 4, 2),  # 4/3
        ([*FRONT, "A"], 4, 1),
        ([*FRONT, "A"], 8, 2),
        (FRONT, 8, 2),  # 8/5
        (TWO, 12, 2),
        (TWO, 16, 3),  # 16/6
    ],
)
def test_turret_mass_follows_contents_and_arcs(arcs: list[str], weapons: int, turret: int) -> None:
    fitted = [
        system_entry("turret", 0, arcs),
        system_entry("beam", 3, count=weapons // 4, turret="turret-1"),
    ]
    assert added(fitted) == (weapons + turret, 3 * (weapons + turret))


@pytest.mark.rule("pc.salvo-missiles")
@pytest.mark.parametrize(
    ("mass", "load", "points"),
    [
        (8, {"standard": 4}, 24),
        (8, {"standard": 1, "extended": 2}, 24),
        (8, {"two-stage": 2}, 24),
        (6, {"extended": 2}, 18),
        (6, {}, 18),
    ],
)
def test_magazine_price_follows_its_mass(mass: int, load: dict[str, int], points: int) -> None:
    assert added([system_entry("magazine", mass=mass, load=load)]) == (mass, points)


@pytest.mark.rule("pc.mines")
def test_mines_are_bought_with_their_rack() -> None:
    assert added([system_entry("minelayer", load={"mines": 2})]) == (4, 10)
    assert added([system_entry("minelayer", load={"mines": 5})]) == (7, 16)
    assert added([system_entry("minelayer")]) == (4, 10)  # the minimum of a rack


@pytest.mark.rule("pc.boat-bays")
def test_bay_mass_is_chosen_and_tender_bays_cost_three_per_mass() -> None:
    assert added([system_entry("tender-bay", mass=30)]) == (30, 90)
    assert added([system_entry("boat-bay", mass=7)]) == (7, 0)


@pytest.mark.rule("pc.cargo")
@pytest.mark.rule("pc.berthing")
@pytest.mark.rule("pc.specialist-spaces")
@pytest.mark.parametrize("type_", ["hold", "passengers", "troops", "specialists"])
def test_holds_and_berths_have_chosen_mass_and_no_cost(type_: str) -> None:
    assert added([system_entry(type_, mass=7)]) == (7, 0)


@pytest.mark.rule("camp.shipyard")
def test_shipyard_costs_two_points_per_mass() -> None:
    assert added([system_entry("shipyard", mass=50)], kind="installation") == (50, 100)


@pytest.mark.rule("pc.pulse-torpedoes")
def test_overloading_costs_a_point_per_mass() -> None:
    assert added([system_entry("pulse-torpedo", 0, ["F"], overload=True)]) == (4, 16)
    assert added([system_entry("pulse-torpedo", 0, FRONT, model="long", overload=True)]) == (12, 48)


@pytest.mark.rule("pc.k-guns")
def test_flak_costs_two_points_per_gun_and_catapults_one_per_tube() -> None:
    assert added([system_entry("k-gun", 3, ["F"], flak=True, count=2)]) == (10, 44)
    assert added([system_entry("launch-tube", catapult=True, count=2)]) == (6, 20)


@pytest.mark.parametrize(
    ("option", "system", "mass", "points"),
    [
        ("free-adfc", system_entry("adfc"), 0, 8),
        ("free-adfc", system_entry("advanced-adfc"), 2, 10),
        ("hangar-criticals", system_entry("hangar"), 6, 12),
        ("hangar-criticals", system_entry("combined-hangar"), 9, 18),
    ],
)
def test_options_change_prices(option: str, system: dict[str, Any], mass: int, points: int) -> None:
    assert added([system], options=(option,)) == (mass, points)


@pytest.mark.rule("pdl.costs")
@pytest.mark.parametrize(
    ("mass", "system", "adds"),
    [
        (60, "adfc", (2, 8)), (99, "adfc", (2, 8)), (100, "adfc", (3, 12)), (200, "adfc", (5, 20)),
        (60, "advanced-adfc", (2, 10)), (200, "advanced-adfc", (5, 25)),
    ],
)  # fmt: skip
def test_more_expensive_adfc_takes_a_fortieth_of_its_ship(
    mass: int, system: str, adds: tuple[int, int]
) -> None:
    assert (
        added([system_entry(system)], options=("point-defence-costs",), mass=mass, boxes=mass // 5)
        == adds
    )
    assert added([system_entry(system)], mass=mass, boxes=mass // 5) == (2, adds[1] * 2 // adds[0])


@pytest.mark.rule("pdl.costs")
def test_attack_fighters_cost_more_with_expensive_area_defence() -> None:
    hangar = {"type": "hangar", "load": {"attack": 6}}
    dearer, usual = (
        added([hangar], options=options)[1] for options in (("point-defence-costs",), ())
    )
    assert dearer - usual == 6
    fleet = {"type": "hangar", "load": {"standard": 6}}
    assert added([fleet], options=("point-defence-costs",)) == added([fleet])


def test_free_adfc_is_for_ships_above_20_mass() -> None:
    assert added([system_entry("adfc")], options=("free-adfc",), mass=20, boxes=2) == (2, 8)
    assert added([system_entry("adfc")], options=("free-adfc",), mass=21, boxes=2) == (0, 8)


def test_example_heavy_cruiser_of_86_mass_costs_294() -> None:
    cruiser = design(
        [
            system_entry("beam", 3, FRONT, count=2),
            system_entry("beam", 2, ALL),
            system_entry("beam", 1, count=2),
            system_entry("firecon", count=2),
            system_entry("salvo-launcher", 0, FRONT),
            system_entry("magazine", mass=6, load={"standard": 3}),
            system_entry("screen"),
            system_entry("pds", count=2),
        ],
        mass=86, boxes=26, thrust=4, ftl="standard",
    )  # fmt: skip
    totals = figures(cruiser)
    assert (totals.mass_used, totals.points, totals.rows) == (86, 294, (7, 7, 6, 6))
