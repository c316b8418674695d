"""The included ship classes of Continuum: legal, full, and true to their comments."""

from __future__ import annotations

import pytest

from engine.continuum.edition import CONTINUUM
from engine.notation.designs import sheet_of
from engine.notation.files import fixture_classes

pytestmark = pytest.mark.rule("pc.design")

CLASSES = fixture_classes("continuum")


@pytest.mark.parametrize("name", CLASSES)
def test_class_uses_all_its_mass(name: str) -> None:
    figures = CONTINUUM.yard.figures(CLASSES[name], CONTINUUM)
    assert figures.mass_used == CLASSES[name].mass


@pytest.mark.rule("pc.intro-scenario")
def test_introductory_cruiser_is_as_printed() -> None:
    sheet = sheet_of(CLASSES["Heavy Cruiser"])
    beams = [fit.size for fit in sheet.fits if fit.type == "beam"]
    assert sorted(beams) == [1, 2, 2, 2, 3, 3]
    types = [fit.type for fit in sheet.fits]
    assert (types.count("firecon"), types.count("screen")) == (2, 1)
    assert types.count("pds") > 1
    assert (sheet.thrust, sheet.boxes, sheet.armour, sheet.rows) == (4, 26, ((5, 0),), (7, 7, 6, 6))


@pytest.mark.rule("pc.intro-scenario")
def test_introductory_frigate_is_faster_and_weaker() -> None:
    cruiser, frigate = sheet_of(CLASSES["Heavy Cruiser"]), sheet_of(CLASSES["Frigate"])
    types = [fit.type for fit in frigate.fits]
    assert frigate.thrust > cruiser.thrust
    assert (frigate.armour, types.count("screen"), types.count("firecon")) == ((), 0, 1)
    assert frigate.boxes < cruiser.boxes
    assert types.count("beam") < sum(fit.type == "beam" for fit in cruiser.fits)
