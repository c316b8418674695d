"""Record sheets of Continuum: systems in canonical order, with everything a battle needs."""

from __future__ import annotations

import pytest

from engine.continuum.edition import CONTINUUM
from engine.core.sheet import Fit
from engine.design.warnings import missing_options, needed_options
from engine.notation.designs import load_sheet
from engine.ruleset import ruleset
from tests.engine.design.continuum_designs import FRONT, PORT, STARBOARD, design, ship, system_entry

pytestmark = pytest.mark.rule("pc.design")


def test_systems_are_in_design_order_then_drive_ftl_and_core() -> None:
    sheet = load_sheet(
        ship(
            [system_entry("pds", count=2), system_entry("beam", 1), system_entry("pds")],
            thrust=2,
            ftl="standard",
        )
    )
    assert [fit.id for fit in sheet.fits] == [
        *(
            "pds-1",
            "pds-2",
            "beam-1",
            "pds-3",
            "drive",
            "ftl",
            "bridge",
            "life-support",
            "power-core",
        ),
    ]
    assert all(fit.type == fit.id for fit in sheet.fits[4:])


def test_hull_without_drives_has_none_on_its_sheet() -> None:
    assert [fit.id for fit in load_sheet(ship()).fits] == ["bridge", "life-support", "power-core"]


def test_sheet_states_the_hull() -> None:
    sheet = load_sheet(
        ship(
            mass=100, boxes=26, rows=3, thrust=4, drive="advanced", ftl="advanced", armour=[[4, 1], [2, 0]], stealth=2,
            flawed=False, orientation="beta",
        )
    )  # fmt: skip
    assert (sheet.rows, sheet.boxes, sheet.crew) == ((9, 9, 8), 26, (6, 12, 18, 24, 26))
    assert (sheet.drive, sheet.ftl, sheet.thrust) == ("advanced", "advanced", 4)
    assert (sheet.armour, sheet.stealth, sheet.beta, sheet.flawed) == (
        ((4, 1), (2, 0)),
        2,
        True,
        False,
    )
    assert load_sheet(ship(flawed=True)).flawed


def test_sheet_points_include_options() -> None:
    plain, cpv = (
        load_sheet(ship(mass=200, boxes=20)),
        load_sheet(ship(mass=200, boxes=20), options=["cpv"]),
    )
    assert cpv.points - plain.points == 400 - 200


@pytest.mark.rule("pc.arcs")
def test_arcs_are_in_the_editions_order() -> None:
    fits = load_sheet(
        ship(
            [
                system_entry("beam", 3, ["A", "AP", "F"]),
                system_entry("beam", 1),
                system_entry("salvo-rack"),
                system_entry("mkp"),
                system_entry("spinal-beam", model="small"),
                system_entry("beam", 2, PORT),
                system_entry("gatling", 0, STARBOARD, count=2),
                system_entry("scattergun"),
            ]
        )
    ).fits
    assert [fit.arcs for fit in fits[:9]] == [
        ("F", "A", "AP"),
        ("F", "FS", "AS", "A", "AP", "FP"),
        ("F", "FS", "FP"),
        ("F",),
        ("F",),
        ("AP", "FP"),
        ("FS", "AS"),
        ("FS", "AS"),
        (),
    ]


@pytest.mark.rule("pc.turrets")
def test_turret_weapons_fire_in_the_turrets_arcs() -> None:
    turrets = [system_entry("turret", 0, FRONT), system_entry("turret", 0, ["A", "AS"])]
    fits = load_sheet(
        ship(
            [
                *turrets,
                system_entry("beam", 3, turret="turret-2"),
                system_entry("beam", 2, turret="turret-1", count=2),
            ]
        )
    ).fits
    assert [(fit.id, fit.arcs, fit.turret) for fit in fits[:5]] == [
        ("turret-1", ("F", "FS", "FP"), ""),
        ("turret-2", ("AS", "A"), ""),
        ("beam-1", ("AS", "A"), "turret-2"),
        ("beam-2", ("F", "FS", "FP"), "turret-1"),
        ("beam-3", ("F", "FS", "FP"), "turret-1"),
    ]


def test_weapons_are_offensive_and_single_shots_expendable() -> None:
    systems = [
        system_entry("beam", 1),
        system_entry("submunition"),
        system_entry("scattergun"),
        system_entry("pds"),
        system_entry("salvo-launcher"),
    ]
    fits = load_sheet(ship([*systems, system_entry("magazine", mass=2)])).fits
    assert [(fit.type, fit.offensive, fit.expendable) for fit in fits[:5]] == [
        ("beam", True, False),
        ("submunition", True, True),
        ("scattergun", False, True),
        ("pds", False, False),
        ("salvo-launcher", True, False),
    ]


@pytest.mark.rule("pc.salvo-missiles")
def test_sheet_shows_magazine_contents_and_launchers() -> None:
    fits = load_sheet(
        ship(
            [
                system_entry("salvo-launcher", magazine="magazine-2"),
                system_entry("boarding-torpedo"),
                system_entry("magazine", mass=3, load={"boarding": 2}),
                system_entry("magazine", mass=8, load={"standard": 1, "extended": 2}),
                system_entry("minelayer", load={"mines": 4}),
            ]
        )
    ).fits
    assert [(fit.magazine, fit.load, fit.mass) for fit in fits[:5]] == [
        ("magazine-2", (), 0),
        ("magazine-1", (), 0),
        ("", (("boarding", 2),), 3),
        ("", (("standard", 1), ("extended", 2)), 8),
        ("", (("mines", 4),), 0),
    ]


def test_default_magazine_load_matches_its_launchers() -> None:
    salvoes = load_sheet(
        ship([system_entry("salvo-launcher"), system_entry("magazine", mass=7)])
    ).fits[1]
    boarding = load_sheet(
        ship([system_entry("boarding-torpedo"), system_entry("magazine", mass=3)])
    ).fits[1]
    assert (salvoes.load, boarding.load) == ((("standard", 3),), (("boarding", 3),))


@pytest.mark.rule("pc.boat-bays")
def test_room_and_craft_are_on_the_sheet() -> None:
    hangar = system_entry("combined-hangar", load={"attack": 6}, mods=["heavy", "fast"])
    fits = load_sheet(
        ship(
            [
                hangar,
                system_entry("tender-bay", mass=30),
                system_entry("troops", mass=2),
                system_entry("passengers", mass=2),
                system_entry("hold", mass=5),
            ]
        )
    ).fits
    assert fits[0] == Fit(
        "combined-hangar-1",
        "combined-hangar",
        "",
        (),
        flags=("heavy", "fast"),
        load=(("attack", 6),),
    )
    assert [(fit.mass, fit.size) for fit in fits[1:5]] == [(30, 20), (2, 6), (2, 8), (5, 5)]
    shipyard = load_sheet(ship([system_entry("shipyard", mass=50)], kind="installation")).fits[0]
    assert shipyard.size == 100


@pytest.mark.rule("pc.tugs")
def test_tug_drive_states_its_transfer_mass() -> None:
    tug = load_sheet(ship(ftl={"tug": 60}))
    assert (tug.ftl, tug.fits[0]) == ("tug", Fit("ftl", "ftl", "", (), size=60))
    assert load_sheet(ship(ftl={"tug": 60, "advanced": True})).fits[0].variant == "advanced"


def test_upgrades_are_flags() -> None:
    fits = load_sheet(
        ship(
            [
                system_entry("k-gun", 2, ["F"], flak=True),
                system_entry("pulse-torpedo", 0, ["F"], overload=True),
            ]
        )
    ).fits
    assert [fit.flags for fit in fits[:2]] == [("flak",), ("overload",)]


def test_needed_options_are_in_the_editions_order() -> None:
    systems = [
        system_entry("nova-cannon"),
        system_entry("combined-hangar"),
        system_entry("k-gun", 2, ["F"], flak=True),
        system_entry("launch-tube", catapult=True),
        system_entry("pulse-torpedo", 0, ["F"], overload=True),
    ]
    assert needed_options(design(systems, flawed=True), CONTINUUM) == (
        *("overload", "flak", "flawed-designs", "catapults", "combined-hangars", "science-fiction"),
    )
    assert needed_options(design([system_entry("beam", 1)]), CONTINUUM) == ()


def test_missing_options_are_reported_at_their_place() -> None:
    ship_ = design(
        [system_entry("combined-hangar"), system_entry("k-gun", 2, ["F"], flak=True)], flawed=True
    )
    faults = missing_options(ship_, ruleset("continuum", ["combined-hangars"]))
    assert [(fault.where, fault.code) for fault in faults] == [
        ("flawed", "not-agreed"),
        ("systems[1].flak", "not-agreed"),
    ]
    assert (
        missing_options(ship_, ruleset("continuum", ["combined-hangars", "flak", "flawed-designs"]))
        == ()
    )
