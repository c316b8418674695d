"""Goods are loaded and landed on the orders page: a choice of goods, and an exact amount."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from campaign.forms.faults import Faults
from campaign.forms.week.order_form import week_form
from campaign.forms.week.week_payload import week_payload
from campaign.orders.codec import parse_orders
from campaign.orders.land import LAND
from campaign.orders.load import LOAD
from campaign.orders.order import Control
from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario
from campaign.rules.view import View
from umpire.rehearsal import WarInMemory

pytestmark = pytest.mark.rule("camp.convoys")
SCENARIO = fixture_scenario("convoy-to-baffin")


@pytest.fixture(scope="module")
def view() -> View:
    """Return what NAC knows in week 1: six empty freighters at Lafayette."""
    war = WarInMemory(SCENARIO, seed=1)
    war.play_stage({})
    return war.views["nac"]


def controls(view: View, draft: dict[str, Any]) -> dict[str, Control]:
    """Return the controls of all fleets on the orders page, by name."""
    result: dict[str, Control] = {}
    for place in week_form(SCENARIO, view, draft, Faults()):
        for block in place.fleets:
            result.update((control.name, control) for control in block.controls)
    return result


def freighter(view: View) -> tuple[str, str, str]:
    """Return the fleet and the key of a freighter, and the key without its faction."""
    ship = next(ship for ship in view.ships if ship.cls == "Heavy Freighter")
    return ship.fleet, ship.key, ship.key.rpartition("/")[2]


def sent(view: View, **fields: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the payload of a sent form, and the place and code of each of its faults.

    Args:
        fields: The values of a freighter's controls by the kind of order.
    """
    fleet, _, ship = freighter(view)
    post = QueryDict(mutable=True)
    for name, value in fields.items():
        post[f"control-{name}_{ship}-{fleet}"] = value
    payload = week_payload(view, post)
    orders, faults = parse_orders(payload)
    if orders is not None:
        faults = tuple(order_violations(SCENARIO, view, orders))
    return payload, [(fault.where, fault.code) for fault in faults]


def test_exact_amounts_are_sent_and_shown_again(view: View) -> None:
    _, key, name = freighter(view)
    payload, faults = sent(
        view, load="supplies", amount_load="70", land="supplies", amount_land="30"
    )
    assert payload["load"] == [{"ship": key, "what": "supplies", "amount": 70}]
    assert payload["land"] == [{"ship": key, "what": "supplies", "amount": 30}]
    assert faults == []
    shown_controls = controls(view, payload)
    for kind, amount in (("load", "70"), ("land", "30")):
        control = shown_controls[f"{kind}_{name}"]
        assert control.amount is not None
        assert (control.value, control.amount.value, control.amount.most) == (
            *("supplies", amount, 100),
        )


def test_an_empty_amount_means_all(view: View) -> None:
    _, key, name = freighter(view)
    payload, faults = sent(view, load="supplies")
    assert payload["load"] == [{"ship": key, "what": "supplies"}]
    assert faults == []
    field = controls(view, {"schema": 1})[f"land_{name}"]
    assert field.choices == (("supplies", "supplies: at most 100, if it loads them this week"),)
    assert field.value == ""


def test_wrong_amounts_are_faults_and_change_nothing(view: View) -> None:
    assert sent(view, load="supplies", amount_load="101")[1] == [("load[0].amount", "no-room")]
    assert sent(view, load="supplies", amount_load="0")[1] == [("load[0].amount", "out-of-range")]
    assert [where for where, _ in sent(view, load="supplies", amount_load="many")[1]] == [
        "load[0].amount"
    ]
    assert sent(view, amount_load="5")[1] == [("load[0].what", "no-goods")]
    assert sent(view, amount_land="5")[1] == [("land[0].what", "no-goods")]


def test_fleet_line_names_amounts_and_ships() -> None:
    names = {"nac/s1": "Elk", "nac/s2": "Ox"}
    all_of_it = [{"ship": key, "what": "supplies"} for key in names]
    assert LOAD.changes(all_of_it, names) == ["loads as much supplies as fits: Elk, Ox"]
    assert LAND.changes(all_of_it, names) == ["lands all supplies: Elk, Ox"]
    amounts = [{**item, "amount": 30} for item in all_of_it]
    assert LOAD.changes(amounts, names) == ["loads 60 supplies: Elk, Ox"]
    assert LAND.changes(amounts * 3, names) == ["lands 180 supplies: 6 ships"]


def test_all_ships_of_a_fleet_load_with_one_choice(view: View) -> None:
    fleet, _, _ = freighter(view)
    own = [ship.key for ship in view.ships if ship.fleet == fleet]
    numbers = ",".join(ship.rpartition("/")[2] for ship in own)
    name, value = f"control-all_load-{fleet}", f"{numbers}:supplies"
    blocks = [block for place in week_form(SCENARIO, view, {}, Faults()) for block in place.fleets]
    control = next(block for block in blocks if block.key == fleet).controls[0]
    assert control.choices == ((value, "supplies: as much as fits, 300 of 1200"),)
    loads = week_payload(view, QueryDict(urlencode({name: value})))["load"]
    assert loads == [{"ship": ship, "what": "supplies"} for ship in own]
