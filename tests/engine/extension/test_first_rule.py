"""The weapon of docs/tutorials/first-rule.md works, and the tutorial shows its code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.core.dice import ScriptedDice
from engine.core.rolls import Shot
from engine.weapons.registry import temporary_weapons
from tests.engine.battle.table import at, fire, play, setup, vessel
from tests.engine.extension.first_rule import SECOND_EDITION, coilgun


@pytest.fixture(autouse=True)
def coilguns() -> Iterator[None]:
    with temporary_weapons("second-edition", SECOND_EDITION[0]):
        yield


@pytest.mark.parametrize(
    ("distance", "die", "points"),
    [(9, 2, 0), (9, 3, 3), (9.01, 4, 0), (9.01, 5, 3), (18, 6, 3)],
)
def test_coilgun_hits_on_3_near_and_on_5_far(distance: float, die: int, points: int) -> None:
    shot = Shot("r1/coilgun-1", distance, distance)
    effect = coilgun(shot, ScriptedDice({"to-hit": [die]}))
    assert sum(typed.points for typed in effect.damage_types) == points


def test_ship_fires_its_coilgun_in_a_battle() -> None:
    armed = vessel("r1", 60, 20, "firecon coilgun:F")
    target = vessel("b1", 60, 28, "screen")
    orders = {"engage": {"r1": fire(("coilgun-1", "b1"))}}
    battle = play(setup([armed], [target]), [orders], to_hit=[3])
    assert at(battle, "b1").damage == 3
