"""Steps from the first versions of worlds, views and scenarios to those of the release."""

from __future__ import annotations

from typing import Any

import pytest

from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from tools.prerelease.upgrade_steps import UnknownVersion, upgrade

OLD_SHIP = {"key": "red/s1", "spent": ["submunition-2", "submunition-1"]}
SHIP = {"key": "red/s1", "stock": [["submunition-1", 0], ["submunition-2", 0]]}


def test_used_systems_become_empty_stocks() -> None:
    old = {"ships": [OLD_SHIP], "losses": [{"week": 1, "ship": OLD_SHIP}]}
    assert upgrade("world", 1, old) == {"ships": [SHIP], "losses": [{"week": 1, "ship": SHIP}]}
    assert "spent" in OLD_SHIP
    view = upgrade("view", 1, {"ships": [OLD_SHIP], "sightings": [{"hex": "0101"}]})
    assert view == {"ships": [SHIP], "sightings": [{"hex": "0101", "source": "scan"}]}


def scenario(*classes: dict[str, Any]) -> dict[str, Any]:
    return {"catalogue": list(classes), "systems": [{}], "factions": [{}], "victory": [{}]}


def test_scenario_gets_stocks_and_tugs_from_its_designs() -> None:
    design = design_json(fixture_classes("second-edition")["Fleet Carrier"])
    first = upgrade("scenario", 1, scenario({"design": design, "expendables": []}))
    (cls,) = first["catalogue"]
    assert dict(map(tuple, cls["stock"]))["fighter-bay-1"] == 6
    assert cls["tug"] is False
    assert first["systems"] == [{"terrain": [], "ground": []}]
    assert first["factions"] == [{"withdraws_at": 50, "navy": "", "no_quarter": []}]
    assert first["victory"] == [{"ruins": ""}]


def test_class_without_design_has_one_of_each_expendable() -> None:
    first = upgrade("scenario", 1, scenario({"design": None, "expendables": ["submunition-1"]}))
    (cls,) = first["catalogue"]
    assert cls == {"design": None, "stock": [["submunition-1", 1]], "tug": False}


@pytest.mark.parametrize("number", [0, 3, "2", None, True, 2.0, [1]])
def test_unknown_version_is_refused(number: Any) -> None:
    with pytest.raises(UnknownVersion, match="of world"):
        upgrade("world", number, {})
