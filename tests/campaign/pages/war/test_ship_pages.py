"""A ship's page and the record sheets of a fleet: one's own ships as they are, and nobody else's at
all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from campaign.drawings.codes import code_of
from campaign.pages.ships.ship_history import Past, chapters, orders_about
from campaign.pages.ships.ship_sheets import own_sheets
from campaign.pages.ships.ships import alike, fellows, fleets_of, ship_remarks
from campaign.rules.files import fixture_scenario
from campaign.rules.perceive import perceive
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import LostShip, View
from campaign.sight.views import sight
from campaign.store.documents import scenario_of
from tests.campaign.pages.war.browsing import at, player
from tests.umpire.services.test_single_battles import opened as single
from umpire.rehearsal import play


@cache
def scenario() -> Scenario:
    return fixture_scenario("first-steps")


@cache
def before() -> View:
    """What Ember knows at the first orders."""
    return perceive(
        scenario(), play(scenario(), {}, 1, captains=False).history[1].before, "ember", None, ()
    )


def changed(view: View, **ship: Any) -> View:
    """The view with its first ship changed."""
    first = view.ships[0]
    return dataclasses.replace(view, ships=(dataclasses.replace(first, **ship), *view.ships[1:]))


def page_at(key: str) -> str:
    """Where a ship's page is, in these tests."""
    return f"https://war.example/ships/{key}/"


def told(after: View, orders: dict[str, Any] | None = None) -> Iterator[str]:
    """What the history of the first ship says of a week in which Ember's view became `after`."""
    past = Past(1, "orders", before(), after, orders, ())
    for chapter in chapters(scenario(), before().ships[0].key, [past]):
        assert chapter.title == "Week 1, orders"
        yield from (f"Ordered: {line}" for line in chapter.ordered)
        yield from chapter.happened


def test_a_week_in_which_nothing_happened_is_no_chapter() -> None:
    assert list(told(before())) == []


def test_damage_losses_and_repairs_are_told_and_so_is_the_end() -> None:
    hurt = changed(before(), damage=3, lost=("battery-1", "drive", "drive"))
    boxes = own_sheets(scenario(), before(), "", page_at)[0].sheet.boxes
    assert list(told(hurt)) == [
        f"Takes 3 points of damage: {boxes - 3} of {boxes} boxes left.",
        "Loses battery 1, main drive twice.",
    ]
    key = before().ships[0].key
    mended = Past(2, "orders", hurt, before(), None, ())
    (chapter,) = chapters(scenario(), key, [mended])
    assert chapter.happened[1] == "Works again: battery 1, main drive twice."
    name, cls = before().ships[0].name, before().ships[0].cls
    gone = dataclasses.replace(
        before(),
        ships=before().ships[1:],
        losses=(LostShip(name, cls, 1, before().fleets[0].hex, "destroyed"),),
    )
    assert [line.partition(" at ")[0] for line in told(gone)] == ["Lost"]
    assert list(told(dataclasses.replace(gone, losses=()))) == ["Is no longer yours."]


def test_orders_are_those_of_the_ship_and_of_its_fleet() -> None:
    ship, other = (
        before().ships[0],
        next(one for one in before().ships if one.fleet != before().ships[0].fleet),
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
    assert [line for line in told(before(), payload) if line.startswith("Ordered")] == [
        f"Ordered: {x}" for x in lines
    ]
    away = {"detach": [{"ships": [ship.key, other.key], "into": "ember/f9", "name": "Watch"}]}
    assert orders_about(scenario(), before(), other.key, away) == (f"{other.name} → Watch",), (
        "others have their own"
    )


def test_what_is_pencilled_on_a_sheet_is_drawn_on_it() -> None:
    ship = dataclasses.replace(
        before().ships[0], notes=(("reactor", 5),), settings=(("bay-1", "fast"),), laid_up=True
    )
    assert ship_remarks(ship) == (
        "Power core out of control",
        "Bay 1: fast",
        "Laid up: cannot fight",
    )
    view = dataclasses.replace(before(), ships=(ship, *before().ships[1:]))
    sheet = next(one for one in own_sheets(scenario(), view, "", page_at) if one.key == ship.key)
    assert "Power core out of control" in sheet.drawn


def test_sheets_of_one_fleet_are_those_of_its_ships() -> None:
    fleet = before().fleets[0].key
    assert {one.key for one in own_sheets(scenario(), before(), fleet, page_at)} == {
        ship.key for ship in before().ships if ship.fleet == fleet
    }


def test_ships_alike_share_a_card_and_those_that_a_base_could_help_come_first_in_their_own() -> (
    None
):
    (group, *_) = fleets_of(scenario(), before())
    one = group.ships[0]
    names = ("Aldous 10", "Aldous 9", "Aldous 2", "Borodino")
    ships = [dataclasses.replace(one, key=name, name=name, called="Aldous") for name in names]
    hurt = dataclasses.replace(ships[1], damage=1)
    cards = alike([ships[0], hurt, *ships[2:]])
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
    def test_the_ships_page_leads_to_every_ship_and_to_the_sheets(self) -> None:
        found = at("orders")
        view, links = sight(found.campaign, found.faction).view, found.get("ships/").links
        assert found.url("ships/sheets/") in links
        assert all(found.url(f"ships/{ship.key}/") in links for ship in view.ships)

    def test_the_sheets_are_of_ones_own_ships_alone(self) -> None:
        found = at("orders")
        mine, theirs = (
            sight(found.campaign, one).view for one in found.campaign.factions.order_by("key")
        )
        text = found.client.get(found.url("ships/sheets/")).content.decode()
        assert text.count('class="ssd"') == len(mine.ships)
        assert text.count('<details class="of-fleet"') == len(
            {ship.fleet for ship in mine.ships}
        ), "folded by fleets"
        assert all(f'aria-label="{ship.name}' in text for ship in mine.ships)
        assert not any(ship.name in text for ship in theirs.ships)
        one = found.client.get(
            found.url(f"ships/sheets/?fleet={mine.fleets[0].key}")
        ).content.decode()
        assert one.count('class="ssd"') == sum(
            ship.fleet == mine.fleets[0].key for ship in mine.ships
        )
        for missing in (theirs.fleets[0].key, "nobody/f1"):
            assert found.client.get(found.url(f"ships/sheets/?fleet={missing}")).status_code == 404

    def test_a_ship_has_a_page_with_its_sheet_orders_and_history(self) -> None:
        found = at("battles", ember="attack")
        view = sight(found.campaign, found.faction).view
        ship = next(ship for ship in view.ships if ship.fleet in {one.key for one in view.fleets})
        words = found.get(f"ships/{ship.key}/").text
        assert ship.name in words
        assert "History" in words
        assert "Joins " in words
        assert "Nothing is ordered of it now." in words
        shown = found.client.get(found.url(f"ships/{ship.key}/")).content.decode()
        cls = ship_classes(scenario_of(found.campaign))[ship.cls]
        assert all(f"#{row['type']}" in shown for row in cls.design["systems"]), (
            "what it carries, by its symbols"
        )
        before, after = fellows(scenario_of(found.campaign), view, ship)
        near = [one for one in (before, after) if one is not None]
        assert near
        assert all(found.url(f"ships/{one.key}/") in shown for one in near), (
            "the next ships of its fleet"
        )

    def test_a_sheet_holds_the_address_of_its_ships_page(self, settings: Any) -> None:
        found = at("orders")
        ships = sight(found.campaign, found.faction).view.ships
        for settings.SITE_URL in ("", "https://war.example"):
            text = found.client.get(found.url("ships/sheets/")).content.decode()
            for ship in ships:
                address = (
                    f"{settings.SITE_URL or 'http://testserver'}{found.url(f'ships/{ship.key}/')}"
                )
                assert code_of(address, 0, 0, 1).path in text
            assert (
                text.count('class="code"')
                == text.count("opens the page of this ship")
                == len(ships)
            )
        assert 'class="code"' not in found.client.get(found.url("classes/sheets/")).content.decode()

    def test_ships_of_a_single_battle_have_pages_too(self) -> None:
        campaign = single("first-battle")
        mine, theirs = (
            sight(campaign, campaign.factions.get(key=key)).view.ships for key in ("nac", "esu")
        )
        found = player(campaign, "nac")
        links, text = (
            found.get("ships/").links,
            found.client.get(found.url("ships/sheets/")).content.decode(),
        )
        assert all(found.url(f"ships/{ship.key}/") in links for ship in mine)
        assert text.count('class="code"') == len(mine)
        for ships, status in ((mine, 200), (theirs, 404)):
            found_there = [
                found.client.get(found.url(f"ships/{ship.key}/")).status_code for ship in ships
            ]
            assert found_there == [status] * len(ships)

    def test_a_foreign_ship_has_no_page_and_neither_has_one_that_is_not_there(self) -> None:
        found = at("orders")
        rival = player(found.campaign, "frost")
        theirs = sight(rival.campaign, rival.faction).view.ships[0]
        assert rival.client.get(rival.url(f"ships/{theirs.key}/")).status_code == 200
        answers = [
            found.client.get(found.url(f"ships/{key}/"))
            for key in (theirs.key, "frost/s999", "ember/s999")
        ]
        assert {(answer.status_code, answer.content) for answer in answers} == {
            (404, answers[0].content)
        }
        assert theirs.name.encode() not in answers[0].content
