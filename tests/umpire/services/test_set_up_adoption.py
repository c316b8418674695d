"""The set-up of a battle follows the week's orders, however the battle is fought in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from campaign.access import viewer_of
from campaign.models import Battle, Stage
from campaign.rules.orders import BattleSetUp
from engine.battle import start
from engine.captains.common.doctrine import Doctrine
from engine.known_battle import known_battle
from tests.engine.battle.test_set_up import battle
from tests.sealing import orders_seal
from tests.umpire.services.online_war import OnlineWar
from umpire.services import battle_sheets
from umpire.services.battle_phases import phase_resolve
from umpire.services.computing import week_battles
from umpire.services.control import battle_mode_set
from umpire.services.set_up_advice import set_up_advice

pytestmark = pytest.mark.rule("camp.table-set-up")
PLACE = {"at": [2, 30], "velocity": 5}


def ships_of(war: OnlineWar, key: str) -> list[dict[str, Any]]:
    start_file = Battle.objects.get(pk=war.battle.pk).start
    return next(side["ships"] for side in start_file["sides"] if side["name"] == key)


def seal_week(war: OnlineWar, ships: Mapping[str, Any], formation: str = "") -> None:
    """Seal a week's orders in which Ember sets up its ships."""
    item = {"hex": war.battle.key.partition("/")[0], "ships": ships, "formation": formation}
    payload = {"schema": 1, "set_up": [item]}
    orders_seal(stage=war.stage, faction=war.factions["ember"], payload=payload)


@pytest.mark.django_db
@pytest.mark.any_database
def test_week_orders_are_the_proposal_of_a_battle_that_its_players_get_later() -> None:
    war = OnlineWar(battles="captains", umpire=True, rules="1.1")
    first, *others = [ship["id"] for ship in ships_of(war, "ember")]
    seal_week(war, {first: PLACE}, "column")
    umpire = viewer_of(war.users["umpire"], war.campaign.public_id)
    battle_mode_set(viewer=umpire, battle=war.battle, mode="online", reason="asked")
    places = war.sheet("ember")["advice"]["set_up"]
    assert (places[first]["at"], places[first]["velocity"]) == ([2, 30], 5)
    assert places[first]["course"] == 3
    assert {places[ship]["at"][1] for ship in others} <= {20, 24, 28}
    assert {places[ship]["velocity"] for ship in others} == {8}


@pytest.mark.any_database
@pytest.mark.django_db
def test_orders_that_are_sealed_while_the_set_up_lasts_count_at_its_end() -> None:
    war = OnlineWar(rules="1.1")
    first = ships_of(war, "ember")[0]["id"]
    seal_week(war, {first: PLACE})
    stage = Stage.objects.get(battle=war.battle, status="open")
    assert phase_resolve(stage=stage.pk, force=True)
    ship = war.sheet("ember")["view"]["own"][first]
    assert (ship["at"], ship["velocity"]) == ([2, 30], 5)


@pytest.mark.any_database
@pytest.mark.django_db
def test_set_up_that_was_sealed_online_counts_if_captains_fight() -> None:
    war = OnlineWar(umpire=True, rules="1.1")
    first = ships_of(war, "ember")[0]["id"]
    war.seal("ember", {"set_up": {first: PLACE}})
    umpire = viewer_of(war.users["umpire"], war.campaign.public_id)
    battle_mode_set(viewer=umpire, battle=war.battle, mode="captains", reason="no time")
    (fought,) = week_battles(war.stage)
    assert fought.task.start.get("set_up", {}) == {first: PLACE}


def test_captain_places_the_others_around_the_ships_of_the_orders() -> None:
    """Places that are not valid are the captain's; a velocity alone leaves the place to it."""
    now = start(battle({"kind": "meeting"}), asks_set_up=True)
    item = BattleSetUp(
        "0101",
        {"n1": {"at": [3, 24]}, "n2": {"velocity": 3}, "n3": {"at": [40, 9]}, "e1": {"at": [1, 1]}},
        "wedge",
    )
    places = advice_of(now, [item])
    assert set(places) == {"n1", "n2", "n3"}
    assert places["n1"]["at"] == [3, 24]
    assert (places["n2"]["at"], places["n2"]["velocity"]) != ([3, 24], 8)
    assert places["n2"]["velocity"] == 3
    assert places["n3"]["at"][0] <= 6


def test_ships_that_are_placed_in_turn_are_those_of_the_orders_first() -> None:
    in_turn = {"kind": "meeting", "manner": "by-ship", "first": "nac", "step": 2}
    now = start(battle(in_turn), asks_set_up=True)
    item = BattleSetUp("0101", {"n3": {"at": [2, 9]}})
    assert [*advice_of(now, [item])] == ["n1", "n3"]


def test_captain_of_a_computer_chooses_a_formation() -> None:
    first = [{"label": label} for label in ("merchant", "escort", "escort")]
    now = start(battle({"kind": "meeting"}, first=first), asks_set_up=True)
    as_placed = advice_of(now, [])
    assert as_placed != advice_of(now, [], chooses=True)
    assert advice_of(now, [], chooses=True) == advice_of(now, [BattleSetUp("", {}, "ranks")])


def advice_of(now: Any, items: list[BattleSetUp], *, chooses: bool = False) -> dict[str, Any]:
    battle = known_battle(now, 0)
    advice: Any = set_up_advice(battle, 0, Doctrine(), items, "seed", chooses=chooses)
    return dict(advice["set_up"])


@pytest.mark.any_database
@pytest.mark.django_db
def test_umpire_sees_the_set_up_of_all_sides_before_the_battle() -> None:
    war = OnlineWar(battles="captains", umpire=True, rules="1.1")
    first = ships_of(war, "ember")[0]["id"]
    seal_week(war, {first: PLACE})
    address = f"/c/{war.campaign.public_id}/umpire/battles/{war.battle.public_id}/"
    pages = {}
    for key in ("umpire", "ember"):
        client = Client()
        client.force_login(war.users[key])
        pages[key] = client.get(address)
    assert "at 2, 30, on course 3, at velocity 5" in pages["umpire"].content.decode()
    assert pages["ember"].status_code in (403, 404)


def seen_by_frost(war: OnlineWar, place: Mapping[str, Any]) -> list[object]:
    """Return what Frost gets after Ember's orders are adopted by an online battle, then undone.

    The last of it is the page on which the umpire reads the set-up of all sides.
    """
    first = ships_of(war, "ember")[0]["id"]
    umpire = viewer_of(war.users["umpire"], war.campaign.public_id)
    page = f"/c/{war.campaign.public_id}/umpire/battles/{war.battle.public_id}/"
    clients = {name: Client() for name in ("frost", "umpire")}
    for name, client in clients.items():
        client.force_login(war.users[name])
    with transaction.atomic():
        seal_week(war, {first: place})
        own = clients["umpire"].get(page).content.decode()
        battle_mode_set(viewer=umpire, battle=war.battle, mode="online", reason="asked")
        sheet = war.sheet("frost")
        fight = f"/c/{war.campaign.public_id}/battles/{war.fight('frost').id}/now/"
        answers = [clients["frost"].get(path) for path in (fight, page)]
        transaction.set_rollback(True)
    lines = [
        line
        for answer in answers
        for line in answer.content.decode().splitlines()
        if "csrf" not in line and "data-reader" not in line
    ]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert f"{place['velocity']}" in own
    return [sheet["view"], sheet["log"], sheet["advice"], sheet["battle_document"], lines]


@pytest.mark.any_database
@pytest.mark.django_db
def test_adopted_set_up_and_umpires_page_tell_the_other_side_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two worlds that differ in the sealed set-up of the other side; a planted leak is found."""
    war = OnlineWar(battles="captains", umpire=True, rules="1.1")
    places: list[dict[str, Any]] = [PLACE, {"at": [1, 20], "velocity": 11, "course": 2}]
    first_world, second_world = (seen_by_frost(war, place) for place in places)
    assert first_world == second_world
    honest = known_battle

    def leak(battle: Any, side: int) -> Any:
        battle_of_side = honest(battle, side)
        parties = battle_sheets.parties_of(war.battle, war.stage.from_snapshot)
        ship = battle_of_side.state.ships[0]
        ship.y = parties.set_ups["ember"].ships[ships_of(war, "ember")[0]["id"]]["at"][1]
        return battle_of_side

    monkeypatch.setattr(battle_sheets, "known_battle", leak)
    first_world, second_world = (seen_by_frost(war, place) for place in places)
    assert first_world != second_world
