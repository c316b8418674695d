"""A kind of order that exists only here goes through form, API, client, words, resolution and
admirals.

docs/how-to/add-an-order.md refers to this file. The tests at its end check that no module names a
kind of order that is added after the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
from blindjump import notation
from django.http import QueryDict

from campaign.api.order_shapes import order_set
from campaign.events.event import WeekEvent
from campaign.forms.faults import Faults, faults_of
from campaign.forms.week.fleet_lines import week_lines
from campaign.forms.week.order_form import week_form
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.week_payload import week_payload
from campaign.orders import registry
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.line import Line
from campaign.orders.order import (
    Control,
    Order,
    OrderContext,
    OwnForces,
    Wording,
    fleets_limit,
    tables,
)
from campaign.orders.validation import order_violations
from campaign.pages.ships.ship_history import orders_about
from campaign.rules.orders import Detachment, Orders, OrderValue
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Ship, World
from engine.core.dice import KeyedDice
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason
from tests.campaign.api.calls import json_of, war_at
from tests.sources import origins_in, source_trees, texts_in, tree_of
from tests.umpire.adjudication.small_sector import DEEP, fleet, scenario, world
from tests.umpire.admirals.sector import Sector, lafayette
from tools.order_lines import page
from umpire.adjudication import week
from umpire.admirals.admiral import orders_for

# --- the toy: a fleet drills this week, and breaks off later for it


@dataclass(frozen=True, slots=True)
class Drill(OrderValue):
    """A fleet drills in gunnery or in boarding."""

    fleet: str
    what: str


class DrillOrder(Order):
    """The drills of a week."""

    key = "drills"
    value = Drill
    fault_anchor = ("fleet", "fleet")
    fleet_name = "fleet"
    lines = (Line("drill", "drill FLEET gunnery|boarding", ("fleet", "what")),)

    def limit(self, view: View) -> int:
        return fleets_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults = []
        for n, item in enumerate(self.items(context.orders)):
            if item.fleet in context.fleets_not_formed:
                continue
            if item.fleet not in context.fleets:
                faults.append(context.unknown_fleet(fault_path(self.key, n, "fleet"), item.fleet))
            if item.what not in ("gunnery", "boarding"):
                faults.append(
                    Violation(
                        fault_path(self.key, n, "what"),
                        "unknown-drill",
                        reason("toy-unknown-drill", "no such drill"),
                    )
                )
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        for item in self.items(orders):
            drilled = own.fleets[item.fleet]
            own.fleets[item.fleet] = replace(
                drilled, doctrine=replace(drilled.doctrine, break_off=90)
            )

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        moving = {move.fleet for move in orders.moves}
        leaving = {ship for item in orders.detach for ship in item.ships}
        manned = {ship.fleet for ship in view.ships if ship.key not in leaving}
        return tuple(Drill(key, "gunnery") for key in sorted(manned - moving))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [
            phrase("{} drills in {}", wording.name_of(item.get("fleet")), item.get("what"))
            for item in tables(items)
        ]

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        return [phrase("drills") for _ in items]

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        chosen = next((str(item.get("what")) for item in items), "")
        choices = (("gunnery", phrase("Gunnery")), ("boarding", phrase("Boarding")))
        return (Control(self.key, phrase("Drills in"), "choice", chosen, choices),)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        drills = ((fleet, controls.get(self.key)) for fleet, controls in posted.items())
        return [{"fleet": fleet, "what": kind} for fleet, kind in drills if kind]


@pytest.fixture(autouse=True)
def toy() -> Iterator[Order]:
    with registry.register_temporarily(DrillOrder()) as order:
        yield order


WAR = scenario()
WORLD = world(WAR, fleet("red/f1", DEEP, "Cruiser"))
ORDERS = Orders(other_kinds=(Drill("red/f1", "gunnery"),))
PAYLOAD = {"schema": 1, "drills": [{"fleet": "red/f1", "what": "gunnery"}]}


def view() -> View:
    return build_view(WAR, WORLD, "red", None, ())


def test_order_is_stored_and_read_back() -> None:
    assert orders_payload(ORDERS) == PAYLOAD
    assert parse_orders(PAYLOAD) == (ORDERS, ())


def test_faults_are_beside_their_fleet() -> None:
    wrong = {"schema": 1, "drills": [{"fleet": "red/f1", "what": "chess"}]}
    orders, _ = parse_orders(wrong)
    assert orders is not None
    faults = order_violations(WAR, view(), orders)
    assert [(fault.where, fault.code) for fault in faults] == [("drills[0].what", "unknown-drill")]
    assert [fault.code for fault in faults_of(wrong, faults).at("fleet-red-f1")] == [
        "unknown-drill"
    ]
    too_many = Orders(other_kinds=ORDERS.other_kinds * 100)
    assert [fault.code for fault in order_violations(WAR, view(), too_many)] == ["too-many"]


def test_page_offers_and_reads_the_order() -> None:
    payload = week_payload(view(), QueryDict("control-drills-red/f1=gunnery"))
    assert payload["drills"] == PAYLOAD["drills"]
    (hex_,) = week_form(WAR, view(), payload, Faults())
    (control,) = hex_.fleets[0].controls
    assert (control.name, control.kind, control.value) == ("drills", "choice", "gunnery")


def test_order_is_on_receipt_fleet_line_and_history() -> None:
    assert orders_words(WAR, view(), PAYLOAD) == ("red/f1 drills in gunnery",)
    assert orders_about(WAR, view(), "red/f1/1", PAYLOAD) == ("red/f1 drills in gunnery",)
    assert "drills" in week_lines(WAR, view(), PAYLOAD, Faults(), {}).fleets[0].words


def test_week_carries_out_the_order() -> None:
    after = week.resolve(WAR, WORLD, {"red": ORDERS}, {}, KeyedDice(b"seed", ("toy",))).world
    assert after.fleets[0].doctrine.break_off == 90


def test_events_know_fleets_formed_this_week(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[str] = []

    def week_events(
        order: DrillOrder,
        _scenario: Scenario,
        before: World,
        after: World,
        orders: Mapping[str, Orders],
    ) -> list[WeekEvent]:
        fleets = {fleet.key: fleet for fleet in after.fleets}
        heard.extend(fleets[item.fleet].hex for item in order.items(orders["red"]))
        assert "red/f9" not in {fleet.key for fleet in before.fleets}
        return []

    monkeypatch.setattr(DrillOrder, "week_events", week_events)
    before = world(WAR, fleet("red/f1", DEEP, "Cruiser", "Destroyer"))
    formed = Orders(
        detach=(Detachment(("red/f1/2",), "red/f9"),), other_kinds=(Drill("red/f9", "gunnery"),)
    )
    week.resolve(WAR, before, {"red": formed}, {}, KeyedDice(b"seed", ("toy",)))
    assert heard == [DEEP]


def test_admiral_gives_the_order() -> None:
    sector = Sector()
    sector.fleet("nac/f1", "0713", {"Heavy Cruiser": 1}, hurt={"lost": ("ftl",)})
    nac_view = sector.view("nac")
    orders = orders_for(lafayette(), nac_view, "", KeyedDice(b"seed", ("toy",)))
    assert Drill("nac/f1", "gunnery") in orders.other_kinds
    assert order_violations(lafayette(), nac_view, orders) == ()


def test_client_types_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    module: dict[str, Any] = {"__name__": "lines"}
    exec(page(), module)
    (line,) = (line for line in module["LINES"] if line.part == "drills")
    monkeypatch.setitem(notation.VERBS, line.verb, [line])
    monkeypatch.setitem(notation.PARTS, line.part, [line])
    orders, _ = notation.parse_orders("drill red/f1 gunnery")
    assert orders == PAYLOAD
    assert notation.format_orders(orders) == "drill red/f1 gunnery"


@pytest.mark.django_db
def test_api_describes_accepts_and_shows_the_order() -> None:
    assert "drills" in {field.name for field in fields(order_set())}
    war = war_at("orders")
    fleet_key = json_of(war.ember.get("fleets/"))["fleets"][0]["key"]
    payload = {"schema": 1, "drills": [{"fleet": fleet_key, "what": "boarding"}]}
    assert json_of(war.ember.put("orders/", payload, If_Match="*"))["violations"] == []
    assert json_of(war.ember.get("orders/"))["orders"] == payload


# --- modules that may name a kind of order

# Kinds whose names also name something else: stages, designs, entries of scenarios.
OTHER_MEANINGS = {
    *("deploy", "designs", "dummies", "settings", "build", "load", "set_up"),
    "patrol",  # a limit of fleets in single battles
}

# Battles have docks and moves of their own. These packages know nothing of weekly orders.
BATTLES = ("campaign/forms/battle/", "campaign/replays/", "campaign/words/battle/")

# Modules that name one of the first kinds of orders, with the reason.
EXCEPTIONS = {
    "campaign/forms/week/week_fields.py": "fields of the form have names of their own",
    "clients/blindjump/src/blindjump/lines.py": "written by tools.order_lines",
    "clients/blindjump/src/blindjump/orders.py": "its command `decide` adds a choice to the draft",
    "clients/bot.py": "an example of a bot, which writes its orders itself",
    "clients/first_bot.py": "the bot of the tutorial, likewise",
}


def modules() -> dict[str, frozenset[str]]:
    """Return the texts of each module outside `campaign/orders/`, by its path."""
    names = [name for name in source_trees() if name.startswith(("campaign/", "umpire/"))]
    names += [path.as_posix() for path in sorted(Path("clients").rglob("*.py"))]
    elsewhere = ("campaign/orders/", "campaign/migrations/", *BATTLES)
    return {name: texts_in(tree_of(name)) for name in names if not name.startswith(elsewhere)}


def test_few_modules_name_the_first_kinds_of_order() -> None:
    keys = {order.key for order in registry.ORDERS} - OTHER_MEANINGS
    naming = {name for name, texts in modules().items() if texts & keys}
    assert sorted(naming - set(EXCEPTIONS)) == [], "only campaign/orders/ names a kind of order"
    assert sorted(set(EXCEPTIONS) - naming) == [], "take these off the exceptions"


def test_battle_packages_know_nothing_of_weekly_orders() -> None:
    of_battles = [name for name in source_trees() if name.startswith(BATTLES)]
    origins = {origin for name in of_battles for origin in origins_in(tree_of(name))}
    assert of_battles
    assert not [name for name in origins if name.startswith("campaign.orders")]


def test_no_module_names_a_later_kind_of_order() -> None:
    later = {order.key for order in registry.ORDERS if not order.has_own_field} - OTHER_MEANINGS
    naming = {name: sorted(texts & later) for name, texts in modules().items() if texts & later}
    naming.pop("clients/blindjump/src/blindjump/lines.py", None)  # written by tools.order_lines
    assert naming == {}, "choose another key: there it is the text of an option, an event or a word"
