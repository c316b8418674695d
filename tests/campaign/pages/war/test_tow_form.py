"""Tugs, stores and cargo on the orders page: what can be towed, and the resulting orders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.faults import Faults, faults_of
from campaign.forms.week.order_form import week_form
from campaign.forms.week.order_parts import FleetBlock, OrderedShip
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.week_payload import week_payload
from campaign.orders.codec import parse_orders
from campaign.orders.validation import order_violations
from campaign.pages.ships.ships import fleets_of
from campaign.rules.view import Cargo, View
from tests.campaign.rules import space
from tests.campaign.rules.space import HOME, OUTPOST, fleet, ship

TUG = replace(space.ship_class("Tug", "merchant", 50, 300), tug=True)
CARRIER = replace(
    space.ship_class("Carrier", "capital", 60, 500),
    stock=(("fighter-bay-1", 6), ("submunition-1", 1)),
)
SCENARIO = space.scenario(catalogue=(*space.CATALOGUE, TUG, CARRIER))
VIEW = space.view(
    fleet("red/f1", HOME),
    fleet("red/f2", HOME),
    fleet("red/f3", OUTPOST),
    fleet("red/f4", HOME),
    ship("red/s1", "red/f1", "Tug"),
    ship("red/s2", "red/f2", "Guard"),
    ship("red/s3", "red/f2", "Guard"),
    ship("red/s4", "red/f3", "Guard"),
    ship(
        "red/s5",
        "red/f4",
        "Carrier",
        lost=("ftl",),
        stock=(("fighter-bay-1", 4), ("submunition-1", 0)),
    ),
    ship("red/s6", "red/f1", cargo=Cargo("colonists", 100, 60)),
)


def post_towing(**fields: str) -> dict[str, Any]:
    """Return the payload of a form with only these fields filled; `_` stands for `/`, `__` for `-`."""
    query = QueryDict(mutable=True)
    query.update(
        {name.replace("__", "-").replace("_", "/"): value for name, value in fields.items()}
    )
    return week_payload(VIEW, query)


def form(payload: dict[str, Any], view: View = VIEW) -> dict[str, FleetBlock]:
    places = week_form(SCENARIO, view, payload, Faults())
    return {block.key: block for place in places for block in place.fleets}


def rows(payload: dict[str, Any], view: View = VIEW) -> dict[str, OrderedShip]:
    return {row.key: row for block in form(payload, view).values() for row in block.ships}


def view_with_tows(*keys: str) -> View:
    """Return the view with these guards in tow, in the tug's own fleet."""
    return replace(
        VIEW,
        ships=tuple(
            replace(member, tug="red/s1", fleet="red/f1") if member.key in keys else member
            for member in VIEW.ships
        ),
    )


@pytest.mark.rule("camp.tugs")
def test_large_tugs_in_the_hex_can_tow_a_ship() -> None:
    rows_by_ship = rows({})
    assert [target.key for target in rows_by_ship["red/s2"].tugs] == ["red/s1"]
    assert rows_by_ship["red/s2"].tugs[0].name == "HMS s1, MASS 0 of 50 in use"
    assert rows_by_ship["red/s4"].tugs == ()  # in another hex
    assert rows_by_ship["red/s5"].tugs == ()  # MASS 60, too large for it
    assert rows_by_ship["red/s6"].tugs == ()  # it has a drive of its own
    drafted = rows({"tow": [{"tug": "red/s1", "ships": ["red/s6"]}]})
    assert [target.key for target in drafted["red/s6"].tugs] == [
        "red/s1"
    ]  # ordered nevertheless, elsewhere
    assert rows_by_ship["red/s1"].tugs == ()
    drafted = rows({"tow": [{"tug": "red/s1", "ships": ["red/s2"]}]})
    assert drafted["red/s3"].tugs[0].name == "HMS s1, MASS 20 of 50 in use"
    assert (drafted["red/s2"].tug, drafted["red/s3"].tug) == ("red/s1", "")


@pytest.mark.rule("camp.tugs")
def test_tow_order_moves_the_ship_to_the_tugs_fleet() -> None:
    payload = post_towing(tow__red_s2="red/s1", tow__red_s3="red/s1", move__red_f1=OUTPOST)
    assert payload["tow"] == [{"tug": "red/s1", "ships": ["red/s2", "red/s3"]}]
    assert payload["detach"] == [{"ships": ["red/s2", "red/s3"], "into": "red/f1"}]
    orders, faults = parse_orders(payload)
    assert faults == ()
    assert orders is not None
    assert order_violations(SCENARIO, VIEW, orders) == ()
    words = orders_words(SCENARIO, VIEW, payload)
    assert "HMS s1 has HMS s2, HMS s3 in tow" in words


@pytest.mark.rule("camp.tugs")
def test_tug_takes_its_tow_to_another_fleet() -> None:
    payload = post_towing(tow__red_s2="red/s1", to__red_s1="red/f9")
    assert payload["detach"] == [{"ships": ["red/s1", "red/s2"], "into": "red/f9"}]


@pytest.mark.rule("camp.tugs")
def test_tow_lasts_until_the_form_ends_it() -> None:
    view = view_with_tows("red/s2", "red/s3")

    def orders_sent(**fields: str) -> dict[str, Any]:
        query = QueryDict(mutable=True)
        query.update({f"tow-red/{key}": value for key, value in fields.items()})
        return week_payload(view, query)

    assert rows({}, view)["red/s2"].tug == "red/s1"
    assert "tow" not in orders_sent(s2="red/s1", s3="red/s1")
    assert orders_sent(s2="red/s1", s3="")["tow"] == [{"tug": "red/s1", "ships": ["red/s2"]}]
    assert orders_sent(s2="", s3="")["tow"] == [{"tug": "red/s1"}]
    assert orders_words(SCENARIO, view, orders_sent(s2="", s3="")) == ("HMS s1 casts off its tow",)


@pytest.mark.rule("camp.tugs", "camp.non-ftl")
def test_fleet_with_an_available_tug_can_be_given_a_move() -> None:
    blocks = form({})
    assert (blocks["red/f2"].stuck_reason, blocks["red/f3"].stuck_reason) == ("", "")
    assert blocks["red/f3"].needs.startswith("No working FTL drive: the fleet stays here")
    assert blocks["red/f2"].needs.startswith("HMS s2, HMS s3: no working FTL drive. Have it towed")
    assert form({}, view_with_tows("red/s2", "red/s3"))["red/f1"].needs == ""


@pytest.mark.rule("camp.tugs")
def test_tow_faults_are_beside_their_ships() -> None:
    payload = {"tow": [{"tug": "red/s5", "ships": ["red/s4"]}]}
    orders, _ = parse_orders(payload)
    assert orders is not None
    faults = faults_of(payload, order_violations(SCENARIO, VIEW, orders))
    assert {fault.anchor: fault.code for fault in faults.all} == {
        "ship-red-s5": "cannot-tow",
        "ship-red-s4": "not-together",
    }
    places = week_form(SCENARIO, VIEW, payload, faults)
    rows_by_ship = {
        row.key: row for place in places for block in place.fleets for row in block.ships
    }
    assert [fault.code for fault in rows_by_ship["red/s4"].faults] == ["not-together"]


@pytest.mark.rule("camp.replenish")
def test_stores_and_cargo_are_beside_their_ship() -> None:
    rows_by_ship = rows({})
    assert rows_by_ship["red/s5"].stock_left == (
        "fighter bay 1 with 4 craft",
        "submunition 1 used up",
    )
    assert rows_by_ship["red/s5"].can_replenish
    assert not rows_by_ship["red/s6"].can_replenish  # lacks nothing
    assert rows_by_ship["red/s6"].cargo == "60 of 100 colonists"


@pytest.mark.rule("camp.replenish", "camp.tugs", "camp.prizes")
def test_ships_page_marks_short_loaded_towed_and_laid_up_ships() -> None:
    view = view_with_tows("red/s2")
    view = replace(view, ships=tuple(replace(s, laid_up=s.key == "red/s6") for s in view.ships))
    lines = {line.key: line for group in fleets_of(SCENARIO, view) for line in group.ships}
    assert lines["red/s5"].stock_left == ("fighter bay 1 with 4 craft", "submunition 1 used up")
    assert "it can be replenished." in lines["red/s5"].repair_text
    assert lines["red/s6"].cargo == "60 of 100 colonists"
    assert ("laid up: cannot fight", "warm") in lines["red/s6"].badges
    assert "makes it fit for service" in lines["red/s6"].repair_text
    assert ("in tow of HMS s1", "info") in lines["red/s2"].badges
    assert ("tows MASS 20 of 50", "quiet") in lines["red/s1"].badges
