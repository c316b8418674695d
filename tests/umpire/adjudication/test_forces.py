"""The rulebook's two example forces: one with balanced classifications, one with too many escorts."""

from __future__ import annotations

import pytest

from campaign.orders.deploy import deploy_faults
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.scenario import Budget
from engine.core.dice import Dice
from tests.umpire.adjudication.small_sector import PORT, resolve, scenario
from umpire.adjudication import week

FIELD = scenario(budgets=(Budget("mobile", "red", 20_000, "required", ("any",)),))


def force(capitals: int, cruisers: int, escorts: int) -> tuple[DeployedFleet, ...]:
    classes = ["Battleship"] * capitals + ["Cruiser"] * cruisers + ["Destroyer"] * escorts
    return (
        DeployedFleet(
            "Main", "mobile", PORT, tuple((cls, f"Ship {n}") for n, cls in enumerate(classes))
        ),
    )


@pytest.mark.rule("camp.budget")
def test_ten_capitals_sixteen_cruisers_and_twenty_five_escorts_are_valid() -> None:
    assert deploy_faults(FIELD, "red", force(10, 16, 25)) == []
    world_after = resolve(
        FIELD, week.create_world(FIELD), {"red": Orders(deploy=force(10, 16, 25))}, Dice(1)
    ).world
    assert len(world_after.ships) == 51


@pytest.mark.rule("camp.budget")
def test_eight_capitals_twelve_cruisers_and_forty_escorts_are_not() -> None:
    (fault,) = deploy_faults(FIELD, "red", force(8, 12, 40))
    assert "escort" in fault.message
