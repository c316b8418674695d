"""The cost of fighters and gunboats in Continuum, by type and modification."""

from __future__ import annotations

import pytest

from tests.engine.design.continuum_designs import added, system_entry

# fmt: off
GROUPS = [
    ({"standard": 6},        [],                       18), ({"interceptor": 6},  [],                       18),
    ({"attack": 6},          [],                       24), ({"torpedo": 6},      [],                       36),
    ({"graser": 6},          [],                       42), ({"plasma": 6},       [],                       42),
    ({"mkp": 6},             [],                       36), ({"missile": 6},      [],                       24),
    ({"multi-role": 6},      [],                       24), ({"assault-shuttle": 6}, [],                     6),
    ({"standard": 6},        ["heavy"],                36), ({"standard": 6},     ["fast"],                 24),
    ({"standard": 6},        ["long-range"],           24), ({"standard": 6},     ["ftl"],                  24),
    ({"attack": 6},          ["heavy", "fast"],        48), ({"standard": 6},     ["robot"],                12),
    ({"torpedo": 6},         ["robot", "long-range"],  36), ({"standard": 8},     ["light"],                18),
    ({"attack": 8},          ["light"],                24), ({"attack": 8},       ["light", "fast"],        30),
    ({"standard": 6},        ["cannon"],               18), ({"attack": 5},       [],                       20),
]
SQUADRONS = [
    ({"beam": 6}, [], 54), ({"plasma": 6}, [], 54), ({"graser": 6}, [], 54), ({"gatling": 6}, [], 90),
    ({"needle": 6}, [], 54), ({"pulse-torpedo": 6}, [], 72), ({"submunition": 6}, [], 72), ({"mkp": 6}, [], 90),
    ({"k-gun": 6}, [], 72), ({"missile": 6}, [], 72), ({"rocket": 6}, [], 72), ({"point-defence": 6}, [], 54),
    ({"area-defence": 6}, [], 72), ({"scatterpack": 6}, [], 90), ({"plasma-bomber": 6}, [], 90),
    ({"beam": 6}, ["heavy"], 66), ({"beam": 6}, ["ecm-1"], 72), ({"beam": 6}, ["ecm-3"], 108),
    ({"beam": 2, "graser": 4}, [], 54), ({"beam": 4, "rocket": 2}, ["heavy"], 72),
]
# fmt: on


@pytest.mark.rule("pc.fighter-types")
@pytest.mark.parametrize(("load", "mods", "points"), GROUPS)
def test_fighter_group_price_follows_type_and_modifications(
    load: dict[str, int], mods: list[str], points: int
) -> None:
    empty = added([system_entry("combined-hangar")])
    mass, price = added([system_entry("combined-hangar", load=load, mods=mods)])
    assert (mass - empty[0], price - empty[1]) == (0, points)


@pytest.mark.rule("pc.gunboats")
@pytest.mark.parametrize(("load", "mods", "points"), SQUADRONS)
def test_gunboat_squadron_price_follows_its_boats(
    load: dict[str, int], mods: list[str], points: int
) -> None:
    assert added([system_entry("gunboat-rack", load=load, mods=mods)]) == (18, points)
    assert added([system_entry("boat-bay", mass=36, load={"beam": 6}, mods=["ftl"])]) == (36, 60)
