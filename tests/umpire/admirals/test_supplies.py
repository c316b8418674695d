"""Computer admirals load stores and supply ships that stay together; raiders look for convoys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.load import Load
from campaign.orders.supply import Supply
from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import Move, Orders
from campaign.rules.scenario import Goods, Scenario
from campaign.rules.view import HostileContact, Sighting, View
from campaign.rules.world import Cargo
from umpire.admirals.raids import raid_values
from umpire.admirals.situation import Situation
from umpire.admirals.supplies import with_supplies_planned
from umpire.rehearsal import WarInMemory

EL_DORADO = fixture_scenario("el-dorado")
STORES = Goods("stores", "cargo", (("nordheim", 10),))
SCENARIO = replace(EL_DORADO, goods=(*EL_DORADO.goods, STORES), capacity=())
TUG = "Ox Fleet Tug"


@pytest.fixture(scope="module")
def view() -> View:
    """Return what the Federation knows in week 1: a full tug, an empty one and a needy cruiser."""
    war = WarInMemory(SCENARIO, seed=1)
    war.play_stage({})
    view = war.views["sf"]
    ships = []
    is_first = True
    for ship in view.ships:
        if ship.cls == TUG and is_first:
            ship = replace(ship, cargo=Cargo("stores", amount=5, remaining=5))
            is_first = False
        elif ship.name == "Baikal Heavy Cruiser 1":
            ship = replace(ship, stock=(("magazine-1/standard", 0),))
        ships.append(ship)
    return replace(view, ships=tuple(ships))


def kinds_of(orders: Orders) -> list[str]:
    return [type(item).__name__ for item in orders.other_kinds]


@pytest.mark.rule("camp.fleet-auxiliary")
def test_stores_are_loaded_and_given_to_a_ship_that_stays(view: View) -> None:
    orders = with_supplies_planned(SCENARIO, view, Orders())
    full, empty = [ship for ship in view.ships if ship.cls == TUG]
    needy = next(ship for ship in view.ships if ship.stock)
    assert orders.other_kinds == (Load(empty.key, "stores"), Supply(full.key, needy.key))
    assert order_violations(SCENARIO, view, orders) == ()


def test_ships_that_part_or_face_a_foe_are_not_supplied(view: View) -> None:
    needy = next(ship for ship in view.ships if ship.stock)
    parting = Orders(moves=(Move(needy.fleet, to="0708"),))
    assert kinds_of(with_supplies_planned(SCENARIO, view, parting)) == ["Load"]
    here = next(fleet.hex for fleet in view.fleets if fleet.key == needy.fleet)
    disputed = replace(view, in_contact=(HostileContact(here, "ou", "stand-off"),))
    assert with_supplies_planned(SCENARIO, disputed, Orders()) == Orders()


def raided(scenario: Scenario, view: View, week: int, **counts: int) -> dict[str, float]:
    """Return the value of raids if a convoy of NAC was seen at HR-1306."""
    sighting = Sighting(week, "1008", "nac", tuple(counts.items()))
    return raid_values(scenario, replace(view, sightings=(sighting,)))


@pytest.mark.rule("camp.objective-kinds")
def test_raiders_go_where_a_convoy_is_bound() -> None:
    scenario = fixture_scenario("convoy-to-baffin")
    war = WarInMemory(scenario, seed=3)
    war.play_stage({})
    view = war.views["esu"]
    values = raided(scenario, view, 1, merchant=3, cruiser=1)
    assert values == {"hr-1306": 0.3, "baffin": 0.5}
    assert raided(scenario, view, 1, cruiser=4) == {}
    assert raided(scenario, replace(view, week=4), 1, merchant=3) == {}
    assert raid_values(scenario, war.views["nac"]) == {}, "only raiders hunt"
    convoy = Sighting(1, "1008", "nac", (("merchant", 3),))
    without = Situation(scenario, view).stake("baffin")
    hunting = Situation(scenario, replace(view, sightings=(convoy,))).stake("baffin")
    assert hunting == pytest.approx(without + 0.5)
