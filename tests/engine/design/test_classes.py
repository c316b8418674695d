"""The seventeen printed classes, and the project's own classes."""

from __future__ import annotations

import pytest

from engine.design.table_pricing import design_violations, mass_used, points
from engine.design.value import capacity, classification, damage_points
from engine.notation.designs import sheet_of
from engine.second_edition.edition import SECOND_EDITION
from tests.engine.design.second_edition_designs import CLASSES

PRINTED = {  # class: classification, MASS, damage points, points
    "Courier": ("escort", 2, 1, 15),
    "Scout Ship": ("escort", 4, 2, 28),
    "Corvette": ("escort", 6, 3, 43),
    "Frigate": ("escort", 10, 5, 65),
    "Destroyer": ("escort", 14, 7, 92),
    "Light Cruiser": ("cruiser", 22, 11, 190),
    "Escort Cruiser": ("cruiser", 26, 13, 195),
    "Heavy Cruiser": ("cruiser", 32, 16, 238),
    "Battlecruiser": ("capital", 40, 20, 381),
    "Battleship": ("capital", 48, 24, 447),
    "Battledreadnought": ("capital", 60, 30, 431),
    "Superdreadnought": ("capital", 80, 40, 580),
    "Light Carrier": ("capital", 70, 35, 499),
    "Fleet Carrier": ("capital", 98, 49, 687),
    "Bulk Tanker": ("merchant", 100, 25, 502),
    "Heavy Freighter": ("merchant", 60, 15, 306),
    "Survey Cruiser": ("merchant", 48, 12, 333),
}


@pytest.mark.rule("2e.classes")
@pytest.mark.parametrize("name", PRINTED)
def test_printed_class_has_its_printed_figures(name: str) -> None:
    built = CLASSES[name]
    figures = (
        classification(built, SECOND_EDITION),
        built.mass,
        damage_points(built, SECOND_EDITION),
        points(built, SECOND_EDITION),
    )
    assert figures == PRINTED[name]
    assert dict(built.printed) == {"damage_points": PRINTED[name][2], "points": PRINTED[name][3]}
    assert design_violations(built, SECOND_EDITION) == ()


@pytest.mark.rule("2e.classes")
def test_printed_classes_use_their_whole_capacity() -> None:
    assert {name: mass_used(CLASSES[name], SECOND_EDITION) for name in PRINTED} == {
        name: capacity(CLASSES[name], SECOND_EDITION) for name in PRINTED
    }


PRINTED_ELSEWHERE = {  # in examples and scenarios: classification, MASS, damage points, points
    "Missile Destroyer": ("escort", 14, 7, 86),
    "Super Heavy Cruiser": ("cruiser", 36, 18, 267),
    "Mining Station": ("installation", 200, 50, 346),
}


@pytest.mark.rule("2e.sample-designs")
@pytest.mark.parametrize("name", PRINTED_ELSEWHERE)
def test_class_of_an_example_has_its_printed_figures(name: str) -> None:
    design = CLASSES[name]
    figures = (
        classification(design, SECOND_EDITION),
        design.mass,
        damage_points(design, SECOND_EDITION),
        points(design, SECOND_EDITION),
    )
    assert figures == PRINTED_ELSEWHERE[name]
    assert design_violations(design, SECOND_EDITION) == ()


@pytest.mark.rule("2e.sample-designs")
@pytest.mark.parametrize(
    ("name", "mass", "damage", "screens", "fighter_groups"),
    [
        ("Defence Installation", 200, 100, 3, 4),
        ("Research Station", 160, 40, 1, 0),
        ("Starbase", 400, 100, 2, 2),
    ],
)
def test_installation_keeps_the_printed_limits(
    name: str, mass: int, damage: int, screens: int, fighter_groups: int
) -> None:
    design = CLASSES[name]
    types = [fit.type for fit in sheet_of(design).fits]
    assert (design.mass, damage_points(design, SECOND_EDITION)) == (mass, damage)
    assert (types.count("screen"), types.count("fighter-bay")) == (screens, fighter_groups)
    assert mass_used(design, SECOND_EDITION) == capacity(design, SECOND_EDITION)
    assert design_violations(design, SECOND_EDITION) == ()


@pytest.mark.rule("2e.design")
def test_system_defence_classes_stay_home_and_outgun_starships() -> None:
    defenders = [
        built for built in CLASSES.values() if built.kind == "warship" and built.ftl == "none"
    ]
    assert [built.mass for built in defenders] == [6, 10, 14, 14, 20, 36, 60, 80]
    for built in defenders:
        assert built.mass / 2 < mass_used(built, SECOND_EDITION) <= capacity(built, SECOND_EDITION)
        assert "ftl" not in [fit.id for fit in sheet_of(built).fits]
        assert sum(fit.offensive for fit in sheet_of(built).fits) >= 3


@pytest.mark.rule("2e.dummies")
@pytest.mark.parametrize(
    ("name", "cost", "signature"),
    [("Weasel Courier", 30, "cruiser"), ("Weasel Scout", 65, "capital")],
)
def test_weasel_class_pays_for_its_signature(name: str, cost: int, signature: str) -> None:
    sheet = sheet_of(CLASSES[name])
    assert (sheet.points, sheet.classification) == (cost, "escort")
    assert [fit.variant for fit in sheet.fits if fit.id == "weasel-1"] == [signature]
