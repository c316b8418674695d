"""A kind of order that loses a ship, from the orders page to the report and the ship's history.

It is the second toy of docs/how-to/add-an-order.md. It comes first, so all other kinds are judged
by the remaining ships, and an enemy in the system sees an explosion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from blindjump import notation
from django.http import QueryDict
from django.test import Client

from campaign.events.battles import LossCause
from campaign.events.event import Audience, Open, WeekEvent
from campaign.events.registry import WEEK_EVENTS
from campaign.forms.faults import Faults, faults_of
from campaign.forms.week.fleet_lines import week_lines
from campaign.forms.week.order_form import week_form
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.week_payload import week_payload
from campaign.orders import registry
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.effects import preview_week
from campaign.orders.line import Line
from campaign.orders.order import (
    Control,
    Order,
    OrderContext,
    OwnForces,
    Wording,
    ships_limit,
    tables,
)
from campaign.orders.validation import order_violations
from campaign.pages.ships.ship_history import orders_about
from campaign.rules.codec import encode
from campaign.rules.orders import Detachment, Dock, FleetSetting, Move, Orders, OrderValue, Tow
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship, World
from campaign.words.notices import lines_of
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import WEEK_WORDS
from campaign.words.week.words import EventWords, JournalLine
from campaign.words.week.words import Line as EventLine
from engine.core.dice import KeyedDice
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason
from tests.access.client_requests import clear_caches
from tests.campaign.api.calls import json_of, war_at
from tests.campaign.pages.war.browsing import player
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    PORT,
    fleet,
    scenario,
    stand_off,
    world,
)
from tests.umpire.admirals.sector import Sector, lafayette
from tests.umpire.services.wars import resolve_stage
from tools.order_lines import page
from umpire.adjudication import week
from umpire.adjudication.outcome import StageOutcome
from umpire.admirals.admiral import orders_for

# --- the toy event: enemies in the hex see an explosion, but not its owner


@dataclass(frozen=True, slots=True)
class ExplosionObserved(WeekEvent):
    """A ship exploded in the hex."""

    code: ClassVar[str] = "explosion-seen"
    heard_by: ClassVar[Audience] = Audience.OTHERS
    explosions: Open[int]


def saw_it(_: NoticeReader, event: ExplosionObserved) -> EventLine:
    return phrase("Explosions were seen: {}.", event.explosions), "info"


# --- the toy order: a fleet blows up one of its ships


@dataclass(frozen=True, slots=True)
class Scuttle(OrderValue):
    """A fleet blows up one of its ships."""

    fleet: str
    ship: str


class ScuttleOrder(Order):
    """The ships that are blown up at the beginning of a week."""

    key = "scuttled_ships"
    value = Scuttle
    comes_first = True
    fault_anchor = ("fleet", "fleet")
    fleet_name = "fleet"
    ship_names = ("ship",)
    lines = (Line("scuttle", "scuttle FLEET SHIP", ("fleet", "ship")),)
    title = phrase("Scuttling")
    help = phrase("A fleet can blow up one of its ships if it is not in contact with an enemy.")

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        valid = []
        for n, item in enumerate(self.items(context.orders)):
            own_faults = self._faults(context, item, fault_path(self.key, n))
            if item in valid:
                own_faults.append(
                    Violation(
                        fault_path(self.key, n, "ship"), "twice", reason("toy-twice", "named twice")
                    )
                )
            if not own_faults:
                valid.append(item)
            faults += own_faults
        self.carry_out(context, Orders(other_kinds=tuple(valid)))
        return faults

    def _faults(self, context: OrderContext, item: Scuttle, where: str) -> list[Violation]:
        scuttling = context.fleets.get(item.fleet)
        ship = context.ships.get(item.ship)
        if scuttling is None:
            return [context.unknown_fleet(f"{where}.fleet", item.fleet)]
        if ship is None:
            return [context.unknown_ship(f"{where}.ship", item.ship)]
        if ship.fleet != item.fleet:
            words = reason("toy-elsewhere", "{} is not in {}", ship.name, scuttling.name)
            return [Violation(f"{where}.ship", "elsewhere", words)]
        if any(touch.hex == scuttling.hex for touch in context.view.in_contact):
            words = reason("toy-watched", "{} is in contact with an enemy", scuttling.name)
            return [Violation(f"{where}.fleet", "watched", words)]
        return []

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.lose_ships({item.ship for item in self.items(orders)}, LossCause.SCUTTLED)

    def week_events(
        self,
        scenario: Scenario,
        before: World,
        after: World,
        orders: Mapping[str, Orders],
    ) -> list[WeekEvent]:
        # Not `after`: a fleet that blew up its last ship is no longer in it.
        fleets = {each_fleet.key: each_fleet for each_fleet in before.fleets}
        events: list[WeekEvent] = []
        for faction in sorted(orders):
            for item in self.items(orders[faction]):
                hex_ = fleets[item.fleet].hex
                there = {
                    each_fleet.faction for each_fleet in before.fleets if each_fleet.hex == hex_
                }
                audience = tuple(sorted(there - {faction}))
                if audience:
                    events.append(ExplosionObserved(audience, hex_, 1))
        return events

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Blow up a laid-up ship far from any base; in this toy the first ship of the first fleet."""
        if len(view.ships) < 2:
            return ()
        ship = view.ships[0]
        return (Scuttle(ship.fleet, ship.key),)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [
            phrase(
                "{} blows up {}",
                wording.name_of(item.get("fleet")),
                wording.name_of(item.get("ship")),
            )
            for item in tables(items)
        ]

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        chosen = next((str(item.get("ship")) for item in items), "")
        choices = tuple((ship.key, ship.name) for ship in ships)
        return (Control(self.key, phrase("Blows up"), "choice", chosen, choices),) if ships else ()

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        chosen = ((fleet, controls.get(self.key)) for fleet, controls in posted.items())
        return [{"fleet": fleet, "ship": ship} for fleet, ship in chosen if ship]


@pytest.fixture(autouse=True)
def toy() -> Iterator[Order]:
    WEEK_EVENTS.append(ExplosionObserved)
    WEEK_WORDS[ExplosionObserved] = EventWords(
        other_line=saw_it, journal=JournalLine(phrase("{place}: {whom} sees an explosion"))
    )
    clear_caches()  # pages cached without the toy
    with registry.register_temporarily(ScuttleOrder()) as order:
        yield order
    clear_caches()
    WEEK_EVENTS.remove(ExplosionObserved)
    del WEEK_WORDS[ExplosionObserved]


WAR = scenario()
SCUTTLE = Orders(other_kinds=(Scuttle("red/f1", "red/f1/2"),))
PAYLOAD = {"schema": 1, "scuttled_ships": [{"fleet": "red/f1", "ship": "red/f1/2"}]}


def lone(*extra: tuple[Fleet, list[Ship]], **changes: Any) -> World:
    return world(WAR, fleet("red/f1", DEEP, "Tug", "Destroyer", "Cruiser"), *extra, **changes)


def view(before: World | None = None) -> View:
    return build_view(WAR, before or lone(), "red", None, ())


def resolve(before: World, orders: Orders = SCUTTLE) -> StageOutcome:
    return week.resolve(
        WAR, before, {"red": orders, "blue": Orders()}, {}, KeyedDice(b"seed", ("toy",))
    )


def faults(orders: Orders, before: World | None = None) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in order_violations(WAR, view(before), orders)]


# --- what it does


def test_ship_is_lost_and_its_owner_notified() -> None:
    outcome = resolve(lone())
    assert [ship.key for ship in outcome.world.ships] == ["red/f1/1", "red/f1/3"]
    (loss,) = outcome.world.losses
    assert (loss.ship.key, loss.week, loss.hex, loss.cause) == ("red/f1/2", 3, DEEP, "scuttled")
    notices = notices_by_faction(outcome.week_events, 3, "orders")
    (line,) = lines_of(WAR, "red", notices["red"])
    assert line.words == "You lost Destroyer 2 (Destroyer): scuttled by its crew."
    assert "blue" not in notices


def test_enemy_in_the_hex_is_notified() -> None:
    outcome = resolve(lone(fleet("blue/f1", DEEP, "Cruiser")))
    notices = notices_by_faction(outcome.week_events, 3, "orders")
    words = [line.words for line in lines_of(WAR, "blue", notices["blue"])]
    assert "Explosions were seen: 1." in words
    assert "Destroyer 2" not in str(notices["blue"])


def test_empty_fleet_is_gone_and_other_orders_to_it_are_faults() -> None:
    before = world(WAR, fleet("red/f1", PORT, "Destroyer"), fleet("red/f2", PORT, "Cruiser"))
    last = Orders(other_kinds=(Scuttle("red/f1", "red/f1/1"),))
    assert {fleet_left.key for fleet_left in resolve(before, last).world.fleets} == {"red/f2"}
    assert set(preview_week(WAR, view(before), last).fleets) == {"red/f2"}
    with_orders = replace(
        last,
        moves=(Move("red/f1", to="0405"),),
        settings=(FleetSetting("red/f1", name="Ghosts"),),
        detach=(Detachment(("red/f1/1",), "red/f2"),),
        dock=(Dock("red/f1/1"),),
        weasels=("red/f1/1",),
        tow=(Tow("red/f1/1", ("red/f2/1",)),),
    )
    assert faults(with_orders, before) == [
        ("detach[0].ships[0]", "lost-ship"),
        ("dock[0].ship", "lost-ship"),
        ("moves[0].fleet", "lost-fleet"),
        ("settings[0].fleet", "lost-fleet"),
        ("tow[0].tug", "lost-ship"),
        ("weasels[0]", "lost-ship"),
    ]


def test_towed_ship_is_released() -> None:
    towing = lone(ships={"red/f1/3": {"tug": "red/f1/1"}})
    ships_left = resolve(towing, Orders(other_kinds=(Scuttle("red/f1", "red/f1/1"),))).world.ships
    assert {ship.key: ship.tug for ship in ships_left} == {"red/f1/2": "", "red/f1/3": ""}


def test_ship_losing_order_must_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ScuttleOrder, "comes_first", False)
    with pytest.raises(ValueError, match="ScuttleOrder loses ships: it needs comes_first"):
        preview_week(WAR, view(), SCUTTLE)


@pytest.mark.parametrize(
    ("key", "words"), [("blow-up", "small letters"), ("patrol", "another kind")]
)
def test_unreadable_key_is_refused(key: str, words: str) -> None:
    kind = type("OtherOrder", (ScuttleOrder,), {"key": key})
    with pytest.raises(ValueError, match=words), registry.register_temporarily(kind()):
        pass
    assert "OtherOrder" not in {type(order).__name__ for order in registry.ORDERS}


# --- its faults, and its secrecy


def test_order_faults() -> None:
    assert faults(SCUTTLE) == []
    second = fleet("red/f2", COLONY, "Cruiser")
    in_contact = lone(
        second, fleet("blue/f1", COLONY, "Cruiser"), contacts=(stand_off(COLONY, "blue", "red"),)
    )
    wrong = Orders(
        other_kinds=(
            Scuttle("red/f1", "red/f2/1"),
            Scuttle("red/f2", "red/f2/1"),
            Scuttle("blue/f1", "red/f1/1"),
            Scuttle("red/f1", "blue/f1/1"),
        ),
    )
    assert faults(wrong, in_contact) == [
        ("scuttled_ships[0].ship", "elsewhere"),
        ("scuttled_ships[1].fleet", "watched"),
        ("scuttled_ships[2].fleet", "unknown-fleet"),
        ("scuttled_ships[3].ship", "unknown-ship"),
    ]


def test_fault_is_shown_beside_its_fleet() -> None:
    before = lone(fleet("red/f2", COLONY, "Cruiser"))
    wrong = {"schema": 1, "scuttled_ships": [{"fleet": "red/f1", "ship": "red/f2/1"}]}
    orders, _ = parse_orders(wrong)
    assert orders is not None
    faults_by_place = faults_of(wrong, order_violations(WAR, view(before), orders))
    assert [fault.code for fault in faults_by_place.at("fleet-red-f1")] == ["elsewhere"]
    first = week_lines(WAR, view(before), wrong, faults_by_place, {}).fleets[0]
    assert "Cruiser 1 is not in red/f1" in first.problem


def test_unseen_enemy_changes_no_fault() -> None:
    """In two worlds that red cannot tell apart the same orders are allowed."""
    alone, watched = lone(), lone(fleet("blue/f1", DEEP, "Cruiser"))
    assert encode(view(alone)) == encode(view(watched))
    assert faults(SCUTTLE, alone) == faults(SCUTTLE, watched) == []


# --- input and display


def test_order_is_stored_and_read_back() -> None:
    assert orders_payload(SCUTTLE) == PAYLOAD
    assert parse_orders(PAYLOAD) == (SCUTTLE, ())


def test_page_offers_the_ships_of_the_fleet() -> None:
    payload = week_payload(view(), QueryDict("control-scuttled_ships-red/f1=red/f1/2"))
    assert payload["scuttled_ships"] == PAYLOAD["scuttled_ships"]
    (hex_,) = week_form(WAR, view(), payload, Faults())
    (control,) = hex_.fleets[0].controls
    assert control.value == "red/f1/2"
    assert [key for key, _ in control.choices] == ["red/f1/1", "red/f1/2", "red/f1/3"]


def test_order_is_in_words_and_only_in_its_ships_history() -> None:
    assert orders_words(WAR, view(), PAYLOAD) == ("red/f1 blows up Destroyer 2",)
    assert orders_about(WAR, view(), "red/f1/2", PAYLOAD) == ("red/f1 blows up Destroyer 2",)
    assert orders_about(WAR, view(), "red/f1/1", PAYLOAD) == ()


def test_fleet_lines_show_losses() -> None:
    (line,) = week_lines(WAR, view(), PAYLOAD, Faults(), {}).fleets
    assert "loses Destroyer 2" in line.words
    before = world(WAR, fleet("red/f1", DEEP, "Destroyer"))
    last = {"schema": 1, "scuttled_ships": [{"fleet": "red/f1", "ship": "red/f1/1"}]}
    (line,) = week_lines(WAR, view(before), last, Faults(), {}).fleets
    assert line.words == "Loses its last ship"


def test_client_types_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    module: dict[str, Any] = {"__name__": "lines"}
    exec(page(), module)
    (line,) = (line for line in module["LINES"] if line.part == "scuttled_ships")
    monkeypatch.setitem(notation.VERBS, line.verb, [line])
    monkeypatch.setitem(notation.PARTS, line.part, [line])
    orders, _ = notation.parse_orders("scuttle red/f1 red/f1/2")
    assert orders == PAYLOAD
    assert notation.format_orders(orders) == "scuttle red/f1 red/f1/2"


def test_admiral_gives_the_order() -> None:
    sector = Sector()
    sector.fleet("nac/f1", "0713", {"Heavy Cruiser": 2}, hurt={"lost": ("ftl",)})
    nac_view = sector.view("nac")
    orders = orders_for(lafayette(), nac_view, "", KeyedDice(b"seed", ("toy",)))
    assert Scuttle("nac/f1", nac_view.ships[0].key) in orders.other_kinds
    assert order_violations(lafayette(), nac_view, orders) == ()


@pytest.mark.django_db
def test_help_explains_the_order(client: Client) -> None:
    assert "A fleet can blow up one of its ships" in client.get("/help/orders/").content.decode()


@pytest.mark.django_db
def test_order_goes_from_page_to_report_and_history() -> None:
    war = war_at("orders")
    ember = player(war.campaign, "ember")
    ship = json_of(war.ember.get("ships/"))["ships"][0]
    control = f"control-scuttled_ships-{ship['fleet']}"
    assert ship["key"] in ember.get("orders/").options[control]
    assert ember.fill("orders/", **{control: ship["key"]}).status_code == 302
    ordered = [{"fleet": ship["fleet"], "ship": ship["key"]}]
    assert json_of(war.ember.get("orders/"))["orders"]["scuttled_ships"] == ordered
    ember.fill("orders/", "seal", **{control: ship["key"]})
    assert f"blows up {ship['name']}" in ember.get("receipts/").text
    resolve_stage(war.stage)
    assert ship["key"] not in {
        ship_row["key"] for ship_row in json_of(war.ember.get("ships/"))["ships"]
    }
    report = json_of(war.ember.get("reports/"))["reports"][-1]
    lines = [line["words"] for line in json_of(war.ember.get(f"reports/{report['id']}/"))["lines"]]
    assert [line for line in lines if line.startswith(f"You lost {ship['name']}")]
    history = ember.get(f"ships/{ship['key']}/").text
    assert f"blows up {ship['name']}" in history
    assert f"You lost {ship['name']}" in history
    for report_row in json_of(war.frost.get("reports/"))["reports"]:
        assert ship["name"] not in str(json_of(war.frost.get(f"reports/{report_row['id']}/")))
