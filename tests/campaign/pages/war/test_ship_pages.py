"""A ship's page and the record sheets of a fleet: own ships exactly, and no others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from campaign.drawings.codes import code_of
from campaign.pages.ships import ship_sheets
from campaign.pages.ships.ship_history import (
    PastStage,
    chapters,
    find_loss,
    find_ship,
    orders_about,
)
from campaign.pages.ships.ship_sheets import own_sheets
from campaign.pages.ships.ships import fleets_of, neighbours_in_fleet, ship_cards, ship_remarks
from campaign.rules.files import fixture_scenario
from campaign.rules.perception import build_view
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import LostShip, Ship, View
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from tests.campaign.pages.war.browsing import at, player
from tests.umpire.services.test_single_battles import start_single_battle as single
from umpire.rehearsal import play


@cache
def scenario() -> Scenario:
    return fixture_scenario("first-steps")


@cache
def before() -> View:
    """Return what Ember knows at the first orders."""
    return build_view(
        scenario(), play(scenario(), {}, 1, captains=False).history[1].before, "ember", None, ()
    )


def view_with_changed_ship(view: View, **ship: Any) -> View:
    """Return the view with its first ship changed."""
    first = view.ships[0]
    return dataclasses.replace(view, ships=(dataclasses.replace(first, **ship), *view.ships[1:]))


def page_at(key: str) -> str:
    """Return the address of a ship's page in these tests."""
    return f"https://war.example/ships/{key}/"


def history_lines(after: View, orders: dict[str, Any] | None = None) -> Iterator[str]:
    """Return the first ship's history of a week in which Ember's view became `after`."""
    past = PastStage(1, "orders", before(), after, orders, ())
    for chapter in chapters(scenario(), before().ships[0].key, [past]):
        assert chapter.title == "Week 1, orders"
        yield from (f"Ordered: {line}" for line in chapter.orders)
        yield from chapter.events


def _find_in_old_views(newest: View) -> Callable[[View, str], Ship | None]:
    """Return a search for ships that finds none in the newest view."""

    def find(view: View, key: str) -> Ship | None:
        return None if view == newest else find_ship(view, key)

    return find


def test_uneventful_week_has_no_chapter() -> None:
    assert list(history_lines(before())) == []


def test_damage_losses_repairs_and_end_are_reported() -> None:
    hurt = view_with_changed_ship(before(), damage=3, lost=("battery-1", "drive", "drive"))
    boxes = own_sheets(scenario(), before(), "", page_at)[0].sheet.boxes
    assert list(history_lines(hurt)) == [
        f"Takes 3 points of damage: {boxes - 3} of {boxes} boxes left.",
        "Loses battery 1, main drive twice.",
    ]
    key = before().ships[0].key
    mended = PastStage(2, "orders", hurt, before(), None, ())
    (chapter,) = chapters(scenario(), key, [mended])
    assert chapter.events[1] == "Repaired: battery 1, main drive twice."
    name, cls = before().ships[0].name, before().ships[0].cls
    view_after = dataclasses.replace(
        before(),
        ships=before().ships[1:],
        losses=(LostShip(name, cls, 1, before().fleets[0].hex, "destroyed"),),
    )
    assert [line.partition(" at ")[0] for line in history_lines(view_after)] == ["Lost"]
    assert list(history_lines(dataclasses.replace(view_after, losses=()))) == [
        "Is no longer yours."
    ]


def test_loss_of_a_ship_is_not_that_of_an_earlier_namesake() -> None:
    ship = before().ships[0]
    hex_ = next(fleet.hex for fleet in before().fleets if fleet.key == ship.fleet)
    earlier_loss = LostShip(ship.name, ship.cls, 1, "0101", "captured")
    own_loss = LostShip(ship.name, ship.cls, 1, hex_, "destroyed")
    lost_elsewhere = LostShip(ship.name, ship.cls, 1, "0202", "scuttled")
    view = dataclasses.replace(before(), losses=(earlier_loss,))
    without_ship = dataclasses.replace(view, ships=view.ships[1:])
    assert find_loss(view, without_ship, ship) is None
    both_lost = dataclasses.replace(without_ship, losses=(earlier_loss, lost_elsewhere, own_loss))
    assert find_loss(view, both_lost, ship) == own_loss
    assert find_loss(without_ship, both_lost, ship) == own_loss


def test_orders_of_ship_and_fleet_are_listed() -> None:
    ship, other = (
        before().ships[0],
        next(
            candidate for candidate in before().ships if candidate.fleet != before().ships[0].fleet
        ),
    )
    payload = {
        "moves": [{"fleet": ship.fleet, "to": "0505"}, {"fleet": other.fleet, "to": "0101"}],
        "dock": [{"ship": other.key, "repair": ["drive"]}],
        "settings": [{"fleet": ship.fleet, "standing": "fight"}],
    }
    lines = orders_about(scenario(), before(), ship.key, payload)
    assert len(lines) == 2
    assert not any("drive" in line for line in lines)
    assert orders_about(scenario(), before(), other.key, payload)[0].endswith(
        "docks, repairs main drive"
    )
    assert orders_about(scenario(), before(), ship.key, {"dock": payload["dock"]}) == ()
    assert orders_about(scenario(), before(), "frost/s1", payload) == ()
    assert [line for line in history_lines(before(), payload) if line.startswith("Ordered")] == [
        f"Ordered: {x}" for x in lines
    ]
    away = {"detach": [{"ships": [ship.key, other.key], "into": "ember/f9", "name": "Watch"}]}
    assert orders_about(scenario(), before(), other.key, away) == (f"{other.name} → Watch",), (
        "others have their own"
    )


def test_pencil_marks_are_drawn_on_the_sheet() -> None:
    ship = dataclasses.replace(
        before().ships[0], notes=(("reactor", 5),), settings=(("bay-1", "fast"),), laid_up=True
    )
    assert ship_remarks(ship) == (
        "Power core out of control",
        "Bay 1: fast",
        "Laid up: cannot fight",
    )
    view = dataclasses.replace(before(), ships=(ship, *before().ships[1:]))
    sheet = next(
        sheet_row
        for sheet_row in own_sheets(scenario(), view, "", page_at)
        if sheet_row.key == ship.key
    )
    assert "Power core out of control" in sheet.drawing


def test_fleet_sheets_are_those_of_its_ships() -> None:
    fleet = before().fleets[0].key
    assert {sheet_row.key for sheet_row in own_sheets(scenario(), before(), fleet, page_at)} == {
        ship.key for ship in before().ships if ship.fleet == fleet
    }


def test_identical_ships_share_a_card_and_damaged_ones_come_first() -> None:
    (group, *_) = fleets_of(scenario(), before())
    first_ship = group.ships[0]
    names = ("Aldous 10", "Aldous 9", "Aldous 2", "Borodino")
    ships = [
        dataclasses.replace(first_ship, key=name, name=name, class_name="Aldous") for name in names
    ]
    hurt = dataclasses.replace(ships[1], damage=1)
    cards = ship_cards([ships[0], hurt, *ships[2:]])
    assert [card.line.damage for card in cards] == [1, 0]
    assert [card.ships for card in cards] == [
        (("Aldous 9", "Aldous ", "9"),),
        (
            ("Aldous 2", "Aldous ", "2"),
            ("Aldous 10", "Aldous ", "10"),
            ("Borodino", "", "Borodino"),
        ),
    ]


@pytest.mark.django_db
class TestPages:
    def test_ships_page_links_to_ships_and_sheets(self) -> None:
        ember = at("orders")
        view, links = current_sight(ember.campaign, ember.faction).view, ember.get("ships/").links
        assert ember.url("ships/sheets/") in links
        assert all(ember.url(f"ships/{ship.key}/") in links for ship in view.ships)

    def test_sheets_show_own_ships_only(self) -> None:
        ember = at("orders")
        mine, theirs = (
            current_sight(ember.campaign, item).view
            for item in ember.campaign.factions.order_by("key")
        )
        text = ember.client.get(ember.url("ships/sheets/")).content.decode()
        assert text.count('class="ssd"') == len(mine.ships)
        assert text.count('<details class="of-fleet"') == len(
            {ship.fleet for ship in mine.ships}
        ), "folded by fleets"
        assert all(f'aria-label="{ship.name}' in text for ship in mine.ships)
        assert not any(ship.name in text for ship in theirs.ships)
        item = ember.client.get(
            ember.url(f"ships/sheets/?fleet={mine.fleets[0].key}")
        ).content.decode()
        assert item.count('class="ssd"') == sum(
            ship.fleet == mine.fleets[0].key for ship in mine.ships
        )
        for missing in (theirs.fleets[0].key, "nobody/f1"):
            assert ember.client.get(ember.url(f"ships/sheets/?fleet={missing}")).status_code == 404

    def test_ship_page_has_sheet_orders_and_history(self) -> None:
        ember = at("battles", ember="attack")
        view = current_sight(ember.campaign, ember.faction).view
        ship = next(ship for ship in view.ships if ship.fleet in {item.key for item in view.fleets})
        words = ember.get(f"ships/{ship.key}/").text
        assert ship.name in words
        assert "History" in words
        assert "Joins " in words
        assert "It has no orders now." in words
        html = ember.client.get(ember.url(f"ships/{ship.key}/")).content.decode()
        cls = ship_classes(scenario_of(ember.campaign))[ship.cls]
        assert all(f"#{row['type']}" in html for row in cls.design["systems"]), (
            "what it carries, by its symbols"
        )
        before, after = neighbours_in_fleet(scenario_of(ember.campaign), view, ship)
        near = [item for item in (before, after) if item is not None]
        assert near
        assert all(ember.url(f"ships/{item.key}/") in html for item in near), (
            "the next ships of its fleet"
        )

    def test_page_of_a_lost_ship_tells_its_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ember = at("battles", ember="attack")
        view = current_sight(ember.campaign, ember.faction).view
        ship = view.ships[0]
        url = f"ships/{ship.key}/"
        loss = LostShip(ship.name, ship.cls, 1, view.fleets[0].hex, "destroyed")
        monkeypatch.setattr(ship_sheets, "find_ship", _find_in_old_views(view))
        assert "No longer in service. The sheet shows" in ember.get(url).text
        monkeypatch.setattr(ship_sheets, "find_loss", lambda before, after, ship: loss)
        assert "Destroyed in week 1. The sheet shows it as it was before." in ember.get(url).text

    def test_pages_of_lost_namesakes_tell_their_own_ends(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ember = at("battles", ember="attack")
        view = current_sight(ember.campaign, ember.faction).view
        first, second, *others = view.ships
        both = dataclasses.replace(
            view, ships=(first, dataclasses.replace(second, name=first.name), *others)
        )
        first_loss = LostShip(first.name, first.cls, 1, view.fleets[0].hex, "destroyed")
        second_loss = LostShip(first.name, second.cls, 2, view.fleets[0].hex, "captured")
        one = dataclasses.replace(both, ships=both.ships[1:], losses=(first_loss,))
        none = dataclasses.replace(one, ships=one.ships[1:], losses=(first_loss, second_loss))
        monkeypatch.setattr(ship_sheets, "_views_newest_first", lambda war: iter((none, one, both)))
        for ship, fate_text in ((first, "Destroyed in week 1."), (second, "Captured in week 2.")):
            assert fate_text in ember.get(f"ships/{ship.key}/").text

    def test_sheet_has_the_address_of_its_ship_page(self, settings: Any) -> None:
        ember = at("orders")
        ships = current_sight(ember.campaign, ember.faction).view.ships
        for settings.SITE_URL in ("", "https://war.example"):
            text = ember.client.get(ember.url("ships/sheets/")).content.decode()
            for ship in ships:
                address = (
                    f"{settings.SITE_URL or 'http://testserver'}{ember.url(f'ships/{ship.key}/')}"
                )
                assert code_of(address, 0, 0, 1).path in text
            assert (
                text.count('class="code"')
                == text.count("opens the page of this ship")
                == len(ships)
            )
        assert 'class="code"' not in ember.client.get(ember.url("classes/sheets/")).content.decode()

    def test_single_battle_ships_have_pages(self) -> None:
        campaign = single("first-battle")
        mine, theirs = (
            current_sight(campaign, campaign.factions.get(key=key)).view.ships
            for key in ("nac", "esu")
        )
        nac = player(campaign, "nac")
        links, text = (
            nac.get("ships/").links,
            nac.client.get(nac.url("ships/sheets/")).content.decode(),
        )
        assert all(nac.url(f"ships/{ship.key}/") in links for ship in mine)
        assert text.count('class="code"') == len(mine)
        nac.client.cookies["django_language"] = "de"
        assert "Die Streitmacht" in nac.get("ships/").text
        nac.client.cookies["django_language"] = "en"
        for ships, status in ((mine, 200), (theirs, 404)):
            found_there = [
                nac.client.get(nac.url(f"ships/{ship.key}/")).status_code for ship in ships
            ]
            assert found_there == [status] * len(ships)

    def test_foreign_and_missing_ships_have_no_page(self) -> None:
        ember = at("orders")
        rival = player(ember.campaign, "frost")
        theirs = current_sight(rival.campaign, rival.faction).view.ships[0]
        assert rival.client.get(rival.url(f"ships/{theirs.key}/")).status_code == 200
        answers = [
            ember.client.get(ember.url(f"ships/{key}/"))
            for key in (theirs.key, "frost/s999", "ember/s999")
        ]
        assert {(answer.status_code, answer.content) for answer in answers} == {
            (404, answers[0].content)
        }
        assert theirs.name.encode() not in answers[0].content
