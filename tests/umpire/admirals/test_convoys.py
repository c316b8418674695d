"""Computer admirals load goods, carry them with an escort, and land them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.load import Load
from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario, fixture_text
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.rules.view import HostileContact
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


def test_a_convoy_in_contact_is_left_to_the_plan_of_the_week(stages: list[PlayedStage]) -> None:
    """All fleets of a hex fight, stand off or withdraw together."""
    view = stages[1].views["nac"]
    convoys = plan_convoys(fixture_scenario(SLUG), view)
    hex_ = next(fleet.hex for fleet in view.fleets if fleet.key in convoys.fleets)
    contact = HostileContact(hex_, "esu", "stand-off")
    plan = plan_convoys(fixture_scenario(SLUG), replace(view, in_contact=(contact,)))
    moved = {fleet.hex for fleet in view.fleets if fleet.key in plan.fleets}
    assert hex_ not in moved


def test_goods_that_nobody_holds_are_loaded() -> None:
    """In El Dorado the mounts lie in a system without a holder."""
    scenario = fixture_scenario("el-dorado")
    war = WarInMemory(scenario, seed=1)
    war.play_stage({})
    view = war.views["sf"]
    wreck = next(system.hex for system in scenario.systems if system.id == "el-dorado")
    tugs = {ship.fleet for ship in view.ships if ship.cls == "Ox Fleet Tug"}
    there = []
    for fleet in view.fleets:
        there.append(replace(fleet, hex=wreck) if fleet.key in tugs else fleet)
    plan = plan_convoys(scenario, replace(view, fleets=tuple(there)))
    assert {item.what for item in plan.loads} == {"grasers"}
    assert len(plan.loads) == 2
    assert {move.to for move in plan.moves} == {"0708"}, "on its way to Nordheim"


def test_raiders_want_the_ends_of_the_way() -> None:
    want = VictoryAims(fixture_scenario(SLUG), "esu").want
    others = [want[name] for name in ("merrills", "kakisa", "hudson")]
    assert min(want["baffin"], want["lafayette"]) > max(others)


def test_convoys_share_gates_and_names_with_other_fleets() -> None:
    """Two convoys may begin anywhere, and pass a gate that does not take all fleets of a week."""
    document = read_file(fixture_text("knot-of-gates"))
    tarn = document["forces"]["tarn"]
    for budget in ("ore", "coal"):
        tarn["budgets"][budget] = {"points": 400, "ftl": "required", "deploy": "own"}
        fleet = {"name": budget, "budget": budget, "at": "tarn-prime"}
        tarn["default"].append({**fleet, "ships": {"Bulk Freighter": 2}})
    document["goods"] = {"ore": {"kind": "cargo", "at": {"tarn-prime": 400}}}
    deliver = {"id": "ore", "kind": "deliver", "what": "ore", "to": ["umbel"], "amount": 200}
    document["objectives"] = {"tarn": [deliver]}
    scenario, faults = check_draft(document)
    assert faults == ()
    for seed in range(4):
        war = WarInMemory(scenario, seed)
        while war.world.week < 2:
            orders = {faction: war.admiral_orders(faction) for faction in war.factions}
            assert order_violations(scenario, war.views["tarn"], orders["tarn"]) == ()
            war.play_stage(orders, captains=False)
