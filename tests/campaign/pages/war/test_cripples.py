"""One button leaves immobile ships behind, and the page says which fleets stay."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest

from campaign.forms.faults import Faults
from campaign.forms.week.fleet_lines import week_lines
from campaign.forms.week.stuck_ships import detach_stuck_ships, stuck_and_all_ships
from campaign.models import Plan
from campaign.orders.codec import parse_orders
from campaign.orders.validation import order_violations
from campaign.rules.starmap import reachable_hexes
from campaign.rules.view import View
from campaign.sight import views
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from tests.campaign.pages.war.browsing import Player, at
from tests.campaign.pages.war.browsing import player as player_of
from tests.umpire.services.wars import play_until, start_campaign

pytestmark = pytest.mark.django_db


def cripple_fleet(monkeypatch: pytest.MonkeyPatch) -> tuple[Player, str]:
    """Return a player with a ship that lost its FTL drive, and the key of its fleet."""
    campaign, stage = start_campaign()  # a new war: nothing of it is cached
    play_until("orders", stage)
    player = player_of(campaign, "ember")
    view = current_sight(player.campaign, player.faction).view
    fleet_keys = [ship.fleet for ship in view.ships]
    able = [
        fleet.key
        for fleet in view.fleets
        if reachable_hexes(scenario_of(player.campaign), view, fleet.key)
    ]
    fleet = next(key for key in able if fleet_keys.count(key) > 1)
    lame = next(ship.key for ship in view.ships if ship.fleet == fleet)
    ships = tuple(
        dataclasses.replace(ship, lost=("ftl",)) if ship.key == lame else ship
        for ship in view.ships
    )
    crippled_view = dataclasses.replace(view, ships=ships)
    monkeypatch.setitem(
        views._view_cache, current_sight(player.campaign, player.faction).etag, crippled_view
    )
    return player, fleet


def now(player: Player) -> View:
    return current_sight(player.campaign, player.faction).view


def test_button_forms_the_fleet_that_can_move(monkeypatch: pytest.MonkeyPatch) -> None:
    player, fleet = cripple_fleet(monkeypatch)
    scenario = scenario_of(player.campaign)
    page = player.client.get(player.url("orders/")).content.decode()
    assert page.count("Leave crippled ships behind") == 1
    assert page.count("Detach them first.") == 1
    assert player.fill("orders/", f"leave {fleet}").status_code == 302
    draft = player.draft()
    (detached,) = draft["detach"]
    assert len(detached["ships"]) == 1
    assert detached["name"].endswith("(crippled)")
    bound, ships_bound = stuck_and_all_ships(scenario, now(player), draft, fleet)
    assert (bound, len(ships_bound) > 0) == ([], True)
    orders, faults = parse_orders(draft)
    assert orders is not None
    assert (*faults, *order_violations(scenario, now(player), orders)) == ()
    page = player.client.get(player.url("orders/")).content.decode()
    assert "Leave crippled ships behind" not in page
    assert "move-" + fleet in player.form("orders/")  # now it can go
    goal = player.get("orders/").options["move-" + fleet][1]
    assert player.fill("orders/", "seal", **{f"move-{fleet}": goal}).status_code == 302
    assert f"{detached['name']}" in player.get("orders/").text


def test_all_or_no_crippled_ships_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    player, fleet = cripple_fleet(monkeypatch)
    scenario, view = scenario_of(player.campaign), now(player)
    well = dataclasses.replace(
        view, ships=tuple(dataclasses.replace(ship, lost=()) for ship in view.ships)
    )
    lame = dataclasses.replace(
        view, ships=tuple(dataclasses.replace(ship, lost=("ftl",)) for ship in view.ships)
    )
    for each_view in (well, lame):
        assert detach_stuck_ships(scenario, each_view, {"schema": 1}, fleet) == {"schema": 1}
    assert detach_stuck_ships(scenario, view, {"schema": 1}, "frost/f1") == {"schema": 1}


def test_sealing_without_orders_lists_the_fleets_that_stay() -> None:
    player = at("orders")
    view, scenario = now(player), scenario_of(player.campaign)
    names = week_lines(scenario, view, {}, Faults(), {}).unordered()
    assert names
    player.fill("orders/", "seal")
    text = player.get("orders/").text
    assert f"{', '.join(names)} stay where they are" in text
    first = next(fleet for fleet in view.fleets if fleet.name == names[0])
    moves = {"moves": [{"fleet": first.key, "to": "0404"}]}
    assert names[0] not in week_lines(scenario, view, moves, Faults(), {}).unordered()


def test_plan_stopped_by_a_crippled_ship_resumes_when_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, fleet = cripple_fleet(monkeypatch)
    lame = next(ship for ship in now(player).ships if ship.fleet == fleet and ship.lost == ("ftl",))
    Plan.objects.create(
        branch=player.stage().branch, faction=player.faction, fleet=fleet, goals="0904", week=0
    )
    line = orders_data(player)[fleet]
    assert (line["state"], line["is_waiting"]) == ("problem", True)
    assert line["problem"] == f"{lame.name} cannot jump: the plan waits"
    player.fill("orders/")  # saving without changes keeps the plan
    assert orders_data(player)[fleet]["is_waiting"] is True
    assert Plan.objects.get(faction=player.faction, fleet=fleet).goals == "0904"
    player.fill("orders/", f"leave {fleet}")
    line = orders_data(player)[fleet]
    assert (line["state"], line["problem"], line["is_waiting"]) == ("done", "", False)
    assert line["words"].startswith("→ ")
    assert Plan.objects.get(faction=player.faction, fleet=fleet).goals == "0904"


def orders_data(player: Player) -> dict[str, Any]:
    """Return the lines of the orders page, by fleet."""
    page = player.client.get(player.url("orders/")).content.decode()
    data = re.search(r'<script id="desk" type="application/json">(.*?)</script>', page)
    assert data is not None
    lines: dict[str, Any] = json.loads(data[1])["lines"]
    return lines
