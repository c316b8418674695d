"""Computer admirals load goods, carry them with an escort, and land them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.load import Load
from campaign.rules.files import fixture_scenario
from umpire.admirals.convoys import plan_convoys
from umpire.admirals.situation import VictoryAims
from umpire.rehearsal import PlayedStage, WarInMemory

SLUG = "convoy-to-baffin"
BAFFIN = "0713"


@pytest.fixture(scope="module")
def stages() -> list[PlayedStage]:
    """Two weeks of a war between admirals."""
    war = WarInMemory(fixture_scenario(SLUG), seed=3)
    played = []
    while war.world.week < 3:
        orders = {faction: war.admiral_orders(faction) for faction in war.factions}
        played.append(war.play_stage(orders, captains=False))
    return played


@pytest.mark.rule("camp.convoys")
def test_freighters_load_sail_with_an_escort_and_land(stages: list[PlayedStage]) -> None:
    orders = stages[1].orders["nac"]
    loads = [item for item in orders.other_kinds if isinstance(item, Load)]
    assert len(loads) == 6
    freighters = {ship.fleet for ship in stages[1].before.ships if ship.cls == "Heavy Freighter"}
    assert freighters <= {move.fleet for move in orders.moves}
    view = next(item.views["nac"] for item in stages if item.before.week == 2)
    assert sum(ship.cargo.remaining for ship in view.ships if ship.cargo is not None) == 600
    plan = plan_convoys(fixture_scenario(SLUG), replace(view, sightings=()))
    assert {item.ship for item in plan.lands} == {item.ship for item in loads}
    assert {move.to for move in plan.moves} == {BAFFIN}


def test_a_convoy_waits_where_foes_were_seen(stages: list[PlayedStage]) -> None:
    """It does not go to a system that its foe is known to hold."""
    scenario = fixture_scenario(SLUG)
    view = stages[1].views["nac"]
    assert plan_convoys(scenario, view).moves
    lost = []
    for known in view.systems:
        holder = "esu" if known.system == "baffin" else known.holder
        lost.append(replace(known, holder=holder))
    plan = plan_convoys(scenario, replace(view, systems=tuple(lost)))
    assert not plan.moves
    assert plan.fleets


def test_raiders_want_the_ends_of_the_way() -> None:
    want = VictoryAims(fixture_scenario(SLUG), "esu").want
    others = [want[name] for name in ("merrills", "kakisa", "hudson")]
    assert min(want["baffin"], want["lafayette"]) > max(others)
