"""Goods, supply and late forces, through scripted wars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.supply import SUPPLY
from campaign.rules.world import Cargo
from tests.campaign.rules import space
from tests.umpire.test_objectives import FAR, NEAR, SCENARIO, WILD
from tests.umpire.test_war_command import run

VICTORY = [{"result": "draw"}]
FREIGHTER = {"id": "blue/f1", "at": NEAR, "ships": {"b1": "Heavy Freighter", "b2": "Destroyer"}}
RAIDER = {"id": "red/f1", "at": WILD, "ships": {"r1": "Heavy Cruiser"}}
WEEK_3 = {"week": 3, "stage": "orders"}


def war(
    orders: dict[str, Any],
    /,
    fleets: list[dict[str, Any]] | None = None,
    changes: dict[str, Any] | None = None,
    **script: Any,
) -> dict[str, Any]:
    """Return the record of week 2, in which blue gives these orders."""
    document = {
        "scenario": {**SCENARIO, "victory": VICTORY, **(changes or {})},
        "week": 2,
        "fleets": fleets or [FREIGHTER],
        "orders": {2: {"orders": {"blue": orders}}},
        "until": WEEK_3,
        **script,
    }
    status, record = run("war", document)
    assert status == 0, record
    assert isinstance(record, dict)
    return record


def refused(orders: dict[str, Any], **script: Any) -> list[tuple[str, str]]:
    """Return the place and code of each fault of blue's orders in week 2."""
    record = war(orders, **script)
    faults = record["refused"].get("2", {}).get("orders", {}).get("blue", [])
    return [(fault["where"], fault["code"]) for fault in faults]


def load(**changes: Any) -> dict[str, Any]:
    return {"load": [{"ship": "b1", "what": "grain", **changes}]}


@pytest.mark.rule("camp.convoys")
def test_goods_are_loaded_carried_and_landed_in_one_week() -> None:
    """A Heavy Freighter of mass 60 has room for 30; half of that goes ashore."""
    orders = {
        **load(),
        "moves": [{"fleet": "blue/f1", "to": WILD_HEX}],
        "land": [{"ship": "b1", "what": "grain", "amount": 10}],
    }
    record = war(orders)
    assert record["refused"] == {}
    assert record["ships"]["b1"]["at"] == WILD_HEX
    assert record["ships"]["b1"]["cargo"] == {"what": "grain", "amount": 20, "remaining": 20}
    assert record["goods"] == {NEAR: {"grain": 570}, WILD: {"grain": 10}}
    told = [item["code"] for item in record["told"]["blue"]]
    assert told.count("goods-loaded") == told.count("goods-landed") == 1
    assert not [item for item in record["told"]["red"] if item["code"].startswith("goods")]


WILD_HEX = "0506"


@pytest.mark.rule("camp.convoys")
def test_goods_are_not_landed_beside_a_foe() -> None:
    orders = {
        **load(),
        "moves": [{"fleet": "blue/f1", "to": WILD_HEX}],
        "land": [{"ship": "b1", "what": "grain"}],
    }
    choices = {faction: choice(faction) for faction in ("blue", "red")}
    week = {"orders": {"blue": orders}, "decisions": choices}
    record = war({}, [FREIGHTER, RAIDER], orders={2: week})
    assert record["ships"]["b1"]["cargo"]["remaining"] == 30
    assert WILD not in record["goods"]
    assert "landing-prevented" in [item["code"] for item in record["told"]["blue"]]


def choice(faction: str) -> dict[str, Any]:
    other = {"blue": "red", "red": "blue"}[faction]
    return {"decide": [{"hex": WILD_HEX, "toward": other, "choice": "stand-off"}]}


def test_landed_goods_count_until_somebody_loads_them_again() -> None:
    objective = {"id": "d", "kind": "deliver", "what": "grain", "to": [NEAR], "amount": 60}
    delivered = [{"faction": "blue", "what": "grain", "to": NEAR, "amount": 50, "week": 1}]
    changes = {"objectives": {"blue": [objective]}, "victory": []}
    record = war(load(amount=20), changes=changes, delivered=delivered)
    assert record["scores"]["blue"]["objectives"]["d"]["reached"] == 30


CARRYING = {
    "id": "blue/f1",
    "at": NEAR,
    "ships": {"b1": {"class": "Heavy Freighter", "cargo": {"what": "ore", "amount": 5}}},
}
AT_FAR = {**FREIGHTER, "at": FAR, "ships": {"b1": "Heavy Freighter"}}
IN_SPACE = {**FREIGHTER, "at": "0101"}


@pytest.mark.rule("camp.convoys")
@pytest.mark.parametrize(
    ("orders", "fleet", "where", "code"),
    [
        (load(what="wine"), FREIGHTER, "load[0].what", "no-goods"),
        (load(amount=601), FREIGHTER, "load[0].what", "no-goods"),
        (load(amount=31), FREIGHTER, "load[0].amount", "no-room"),
        (load(ship="b2"), FREIGHTER, "load[0].amount", "no-room"),
        (load(), CARRYING, "load[0].what", "other-goods"),
        (load(), AT_FAR, "load[0].ship", "disturbed"),
        (load(), IN_SPACE, "load[0].ship", "not-there"),
        (load(ship="b9"), FREIGHTER, "load[0].ship", "unknown-ship"),
        ({"land": [{"ship": "b1", "what": "grain"}]}, FREIGHTER, "land[0].what", "no-goods"),
        ({"land": [{"ship": "b1", "what": "grain"}]}, CARRYING, "land[0].what", "other-goods"),
        ({"supply": [{"from": "b1", "to": "b2"}]}, FREIGHTER, "supply[0]", "no-auxiliary"),
    ],
)
def test_refused(orders: dict[str, Any], fleet: dict[str, Any], where: str, code: str) -> None:
    found = refused(orders, fleets=[fleet], holdings={FAR: "red"})
    assert found == [(where, code)]


def test_capacity_of_the_scenario_counts_first() -> None:
    changes = {"capacity": {"Heavy Freighter": 100, "Destroyer": 5}}
    assert war(load(), changes=changes)["goods"] == {NEAR: {"grain": 500}}
    assert war(load(ship="b2"), changes=changes)["goods"] == {NEAR: {"grain": 595}}


CONTINUUM = {"edition": "continuum", "goods": {"stores": {"at": {NEAR: 600}}}}
LINE = {
    "b1": {"class": "Bulk Freighter", "cargo": {"what": "stores", "amount": 9}},
    "b2": {"class": "Longshot Missile Cruiser", "stock": {"magazine-1/standard": 0}},
}


@pytest.mark.rule("camp.fleet-auxiliary")
def test_a_freighter_with_stores_fills_magazines() -> None:
    """Standard salvo missiles have a mass of 2, so that 9 units of stores make 4 of them."""
    fleet = {"id": "blue/f1", "at": "0101", "ships": LINE}
    record = war({"supply": [{"from": "b1", "to": "b2"}]}, [fleet], CONTINUUM)
    assert record["refused"] == {}
    assert record["ships"]["b2"]["stock"] == {"magazine-1/standard": 4}
    assert record["ships"]["b1"]["cargo"]["remaining"] == 1


def test_supply_is_chosen_from_a_menu() -> None:
    freighter = space.ship("red/s1", "red/f1", cargo=Cargo("stores", 9, 9))
    short = space.ship("red/s2", "red/f1", stock=(("magazine-1/standard", 0),))
    view = space.view(space.fleet("red/f1"), freighter, short)
    war = replace(space.scenario(), edition="continuum")
    (control,) = SUPPLY.fleet_controls(war, view, "red/f1", view.ships, [])
    assert control.choices == (("red/s2", short.name),)
    posted = {"red/f1": {control.name: "red/s2"}}
    assert SUPPLY.from_form(posted) == [{"from": "red/s1", "to": "red/s2"}]
    ordered = [{"from": "red/s1", "to": "red/s2"}]
    (control,) = SUPPLY.fleet_controls(war, view, "red/f1", view.ships, ordered)
    assert control.value == "red/s2"


def test_holds_limit_a_load_in_continuum() -> None:
    fleet = {
        "id": "blue/f1",
        "at": NEAR,
        "ships": {"b1": {"class": "Bulk Freighter", "lost": ["hold-2"]}},
    }
    record = war(load(what="stores"), [fleet], CONTINUUM)
    assert record["goods"] == {NEAR: {"stores": 574}}


def late_war(week: int, until: Any) -> tuple[int, Any]:
    """Return the answer to a war from the deployment on, with ships of a late budget."""
    late = {"points": 200, "ftl": "any", "deploy": [NEAR], "week": week}
    forces = {
        "blue": {
            "budgets": {**SCENARIO["forces"]["blue"]["budgets"], "late": late},
            "default": [
                {"name": "Now", "budget": "mobile", "at": NEAR, "ships": {"Destroyer": 1}},
                {"name": "Then", "budget": "late", "at": NEAR, "ships": {"Destroyer": 1}},
            ],
        },
        "red": SCENARIO["forces"]["red"],
    }
    scenario = {**SCENARIO, "victory": VICTORY, "forces": forces}
    return run("war", {"scenario": scenario, "until": until})


@pytest.mark.rule("camp.late-forces")
def test_late_forces_arrive_at_the_start_of_their_week() -> None:
    for week, ships in ((2, 1), (3, 2)):
        status, record = late_war(3, {"week": week, "stage": "orders"})
        assert status == 0, record
        assert len([ship for ship in record["ships"] if ship.startswith("blue")]) == ships
    assert "reinforced" in [item["code"] for item in record["told"]["blue"]]
    assert "reinforced" not in [item["code"] for item in record["told"]["red"]]


@pytest.mark.parametrize("week", [0, 5])
def test_late_forces_arrive_in_a_week_of_the_war(week: int) -> None:
    status, violations = late_war(week, "now")
    assert status == 2
    found = [(fault["where"], fault["code"]) for fault in violations]
    assert found == [("scenario.forces.blue.budgets.late.week", "week")]
