"""Warnings for designs: sizes that the book advises against, and systems without effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli.design import price_design
from engine.continuum.edition import CONTINUUM
from engine.notation.designs import parse_design
from engine.notation.files import fixture_classes
from engine.ruleset import ruleset
from engine.weapons.registry import weapon_of
from tests.engine.design.continuum_designs import ship

pytestmark = pytest.mark.rule("pc.design")

PEACEFUL = ("hold", "passengers", "troops", "shipyard")  # they are used outside battles
# the packages of the engine that fight
BATTLE = ("combat", "continuum", "fighters", "movement", "second_edition", "systems", "weapons")


def warnings_of(document: dict[str, Any]) -> list[tuple[str, str]]:
    answer = price_design(parse_design(document))
    assert answer["violations"] == []
    return [(warning["where"], warning["code"]) for warning in answer.get("warnings", ())]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"mass": 300, "boxes": 30}, []),
        ({"mass": 301, "boxes": 31}, [("mass", "mass-suggested")]),
        ({"mass": 301, "boxes": 31, "kind": "merchant"}, [("mass", "mass-suggested")]),
        ({"mass": 3000, "boxes": 300, "kind": "installation"}, []),
    ],
)
def test_ship_above_mass_300_is_a_warning(
    more: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert warnings_of(ship(**more)) == expected


def test_systems_without_effect_are_reported() -> None:
    cruiser = parse_design(
        ship(systems=[{"type": "shroud"}, {"type": "minesweeper"}, {"type": "firecon"}])
    )
    answer = price_design(cruiser)
    idle = [cruiser.systems[int(warning["where"][8:-1])].type for warning in answer["warnings"]]
    assert idle == [item.type for item in cruiser.systems if item.type in CONTINUUM.idle]
    assert "shroud" in idle
    assert answer["warnings"][0]["message"].endswith(
        "has no effect in a battle, because the rulebook has no rule for it"
    )
    assert "warnings" not in price_design(fixture_classes("continuum")["Heavy Cruiser"])
    assert "warnings" not in price_design(fixture_classes("second-edition")["Superdreadnought"])


def test_every_system_has_an_effect_or_a_warning() -> None:
    """Systems with a warning are not mentioned in code that fights; all others are, or work
    elsewhere.
    """
    root = Path(engine.__file__).parent
    homes = (root / "ship_profiles.py", root / "core" / "transport.py")
    files = [path for part in BATTLE for path in (root / part).rglob("*.py")]
    spoken = "".join(path.read_text(encoding="utf-8") for path in (*files, *homes))
    for type_ in CONTINUUM.system_prices:
        if type_ in CONTINUUM.idle:
            assert not weapon_of("continuum", type_).is_aimed
            assert not weapon_of("continuum", type_).stock
        else:
            assert type_ in PEACEFUL or f'"{type_}"' in spoken, type_
    assert all(ruleset("continuum").system_prices.get(type_) for type_ in CONTINUUM.idle)
