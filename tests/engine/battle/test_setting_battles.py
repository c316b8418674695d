"""The battles of the setting: who has won, and what the crippled cruiser can still do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.battle.test_scenarios import ended, outcome_of, same_fate, start_scenario

DEFENDERS = "furious zumwalt vampire venom"
TRANSPORTS = "t1 t2 t3"


@pytest.mark.rule("set.hooks")
@pytest.mark.parametrize(
    ("fates", "last", "winner"),
    [
        (same_fate("t2"), False, "nac"),
        ({"e1": 4, "e6": 3}, False, "goes on"),
        ({"e1": 4, "e6": 3} | same_fate(DEFENDERS), False, "nac"),
        ({"e1": 4, "t1": 2} | same_fate(DEFENDERS), False, "esu"),
        (same_fate(TRANSPORTS, "ftl"), True, "esu"),
        (same_fate(TRANSPORTS, "ftl") | {"e4": 7}, True, "nac"),
    ],
)
def test_winner_at_nagisa(fates: dict[str, Any], last: bool, winner: str) -> None:
    assert outcome_of(ended("nagisa-last-stand", fates), last) == winner


@pytest.mark.rule("set.hooks")
@pytest.mark.parametrize(
    ("fates", "winner"),
    [
        ({}, "goes on"),
        (same_fate("vandenburg", "ftl"), "nac"),
        (same_fate("vandenburg"), "esu"),
        (same_fate("n2 n3"), "goes on"),
    ],
)
def test_winner_off_winchester(fates: dict[str, Any], winner: str) -> None:
    assert outcome_of(ended("winchester-bring-her-home", fates), False) == winner


@pytest.mark.rule("set.hooks")
def test_vandenburg_begins_crippled() -> None:
    ship = start_scenario("winchester-bring-her-home").state.ship_by_name("vandenburg")
    assert (ship.damage, ship.thrust) == (9, 2)
    working = [fit.id for fit, alive in zip(ship.sheet.fits, ship.alive, strict=True) if alive]
    assert {"firecon-1", "battery-1", "battery-2"}.isdisjoint(working)
    assert {"firecon-2", "battery-3", "battery-4", "screen-1"} <= set(working)
