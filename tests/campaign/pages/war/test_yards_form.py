"""Shipyards in the form of a week's orders: shown, read, and worded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from campaign.forms.faults import Faults, faults_of
from campaign.forms.week.conditional_orders import OFFERED
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.yards import yards_form, yards_payload
from campaign.orders.codec import parse_orders
from campaign.orders.validation import order_violations
from campaign.rules.perception import build_view
from campaign.rules.world import Work
from tests.umpire.adjudication.small_sector import PORT, fleet, world
from tests.umpire.adjudication.test_yards import FIELD

pytestmark = pytest.mark.rule("camp.shipyard")
WORKS = (
    Work("red/w1", "red", PORT, "Cruiser", "Keel"),
    Work("red/w2", "red", PORT, "Raider", "", "red/f1/1"),
)
VIEW = build_view(
    FIELD,
    world(FIELD, fleet("red/f1", PORT, "Cruiser"), works=WORKS, funds=(("red", 600),)),
    "red",
    None,
    (),
)


def post_fields(**fields: str) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update({name.replace("_", "-"): value for name, value in fields.items()})
    return query


def test_form_shows_works_points_and_capacity() -> None:
    part = yards_form(FIELD, VIEW, {"cancel": ["red/w1"]}, Faults())
    assert part is not None
    (block,) = part.blocks
    assert (part.funds, part.income, block.largest, len(block.slots)) == (600, 100, 40, 3)
    assert [(work.words, work.points, work.cancelled) for work in block.works] == [
        ("Keel, Cruiser", 190, True),
        ("Cruiser 1 is rebuilt as Raider", 40, False),
    ]
    names = [name for name, _ in block.classes]
    assert "Cruiser" in names
    assert "Battleship" not in names
    page = render_to_string("campaign/_yards.html", {"yards": part, **OFFERED})
    assert "600 construction points, 100 more each week" in page
    assert f'name="build-{PORT}-0"' in page


def test_income_includes_that_of_systems() -> None:
    systems = tuple(replace(system, income=30) for system in FIELD.systems)
    own = [known for known in VIEW.systems if known.present and known.holder == "red"]
    part = yards_form(replace(FIELD, systems=systems), VIEW, {}, Faults())
    assert part is not None
    assert part.income == 100 + 30 * len(own) > 100


def test_posted_form_is_valid_and_read_back() -> None:
    fields = {
        f"build_{PORT}_0": "Cruiser",
        f"buildname_{PORT}_0": " New  born ",
        f"build_{PORT}_1": "",
    }
    payload = yards_payload(VIEW, post_fields(**fields, **{"cancel-red/w1": "on"}))
    assert payload == {
        "build": [{"hex": PORT, "cls": "Cruiser", "name": "New born"}],
        "cancel": ["red/w1"],
    }
    orders, faults = parse_orders(payload)
    assert faults == ()
    assert orders is not None
    assert order_violations(FIELD, VIEW, orders) == ()
    assert orders_words(FIELD, VIEW, payload) == (
        f"The yard at Port ({PORT}) builds New born, Cruiser",
        "Building Keel is cancelled",
    )


def test_faults_are_at_their_yard() -> None:
    payload = {"build": [{"hex": PORT, "cls": "Battleship", "name": "Giant"}]}
    orders, _ = parse_orders(payload)
    assert orders is not None
    faults_found = faults_of(payload, order_violations(FIELD, VIEW, orders))
    part = yards_form(FIELD, VIEW, payload, faults_found)
    assert part is not None
    assert [fault.code for fault in part.blocks[0].faults] == ["ship-too-large"]


def test_faction_without_a_yard_has_no_form() -> None:
    assert (
        yards_form(
            FIELD, replace(VIEW, faction="blue", works=(), ships=(), fleets=()), {}, Faults()
        )
        is None
    )
