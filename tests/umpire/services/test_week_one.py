"""The week that the browser tests play is followed by another one, whatever the dice.

The seed does not determine a war with players, because dice also depend on random nonces.
"""

from __future__ import annotations

import dataclasses

import pytest

from campaign.orders.defaults import default_orders
from campaign.rules.orders import Decision, Move, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from engine.core.dice import Dice
from tests.browser.week import ATTACKER, FROST, HALFWAY
from tests.umpire.services.wars import start_campaign
from umpire.services.stages import stage_resolve
from umpire.services.stand_ins import Admiral

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
EMBER_WINS = 3  # with this seed Ember's whole fleet takes Frost's world at once


def leader(goals: dict[str, str]) -> Admiral:
    """Return an admiral that sends Ember's fleets as told; everybody stays and fights."""

    def lead(scenario: Scenario, view: View, doctrine: str, dice: Dice) -> Orders:
        orders = default_orders(scenario, view)
        if view.stage == "decisions":
            fixed = [item for item in view.open_decisions if item.fixed is None]
            return dataclasses.replace(
                orders, decide=tuple(Decision(item.hex, item.toward, "fight") for item in fixed)
            )
        if view.stage != "orders" or view.faction != "ember":
            return orders
        moves = [
            Move(fleet.key, to=goals[fleet.name]) for fleet in view.fleets if fleet.name in goals
        ]
        assert len(moves) == len(goals)
        return dataclasses.replace(orders, moves=tuple(moves))

    return lead


def follows_week_one(seed: int, goals: dict[str, str]) -> str:
    """Return the stage that opens after the first week; "" if the war is over."""
    _, stage = start_campaign(seed=seed, admirals={"ember": "steady", "frost": "steady"})
    for kind in ("deploy", "orders", "decisions", "battles"):
        assert stage.kind == kind
        resolution = stage_resolve(stage=stage.pk, force=True, admiral=leader(goals))
        assert resolution is not None
        if resolution.next is None:
            return ""
        stage = resolution.next
    return stage.kind


@pytest.mark.parametrize("seed", [EMBER_WINS, 11, 13, 16])
def test_scripted_attack_does_not_end_the_war(seed: int) -> None:
    assert follows_week_one(seed, {ATTACKER: FROST, "Lance": HALFWAY}) == "orders"


def test_attack_with_all_fleets_may_end_it() -> None:
    assert follows_week_one(EMBER_WINS, {ATTACKER: FROST, "Lance": FROST}) == ""
