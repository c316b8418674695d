"""Public moments: who publishes them, what they show and what they do not, and taking them back."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from campaign.access import viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.models import Battle, BattlePhase, Campaign, PublicMoment, Stage
from campaign.replays.replay import document_of
from campaign.rules.world import Ship, World
from campaign.selectors.truth import snapshot_before_battles, world_of
from campaign.services.campaigns import membership_add
from campaign.services.gallery import consent_set
from campaign.services.scenarios import scenarios_load
from campaign.services.seats import seat_leave
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from tests.campaign.pages.general.browser_pages import browser
from tests.row_cache import build_once
from tests.umpire.pages.test_gallery import build_with_battle
from tests.umpire.services.wars import resolve_stage
from umpire.pages.battle_replay import ships_in, true_replay
from umpire.services.moments import (
    moment_agree,
    moment_publish,
    moment_take_back,
    phases_of_turn,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FILM = re.compile(r'<script id="replay" type="application/json">(.*?)</script>', re.S)
MOST_BYTES = 200_000  # of the picture
TITLE = "Contact off Ember"


def play_to_end() -> Campaign:
    """Return a finished war with a battle."""
    campaign, stage = build_with_battle(3)
    following: Stage | None = stage
    while following is not None:
        following = resolve_stage(following).next
    return campaign


def finished_war(*names: str) -> Campaign:
    """Return a finished war with players of Ember."""
    campaign, _ = build_once("moments", lambda: (play_to_end(), None))
    campaign.refresh_from_db()
    for name in names:
        user = User.objects.create_user(name)
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
        )
    return campaign


def viewer(campaign: Campaign, name: str) -> Any:
    return viewer_of(User.objects.get(username=name), campaign.public_id)


def battle() -> Battle:
    """Return the longest battle."""
    rows = Battle.objects.all()
    return max(rows, key=lambda row: BattlePhase.objects.filter(battle=row).count())


def publish(
    campaign: Campaign, name: str = "ann", turn: int = 2, title: str = TITLE, **more: Any
) -> PublicMoment:
    return moment_publish(
        viewer=viewer(campaign, name), battle=battle().public_id, turn=turn, title=title, **more
    )


def address(moment: PublicMoment) -> str:
    return f"/gallery/moments/{moment.public_id}/"


def film_of(text: str) -> Any:
    match = FILM.search(text)
    assert match is not None
    return json.loads(match[1])


def test_owner_publishes_by_page_and_takes_back() -> None:
    campaign = finished_war("ann")
    client = browser("ann")
    at = f"/c/{campaign.public_id}/battles/{battle().public_id}/moment/?turn=2"
    preview = client.get(at)
    assert preview.status_code == 200
    answer = client.post(at, {"title": TITLE, "named": "yes"})
    moment = PublicMoment.objects.get()
    assert answer["Location"] == address(moment)
    stranger = Client()
    public = stranger.get(address(moment))
    text = public.content.decode()
    assert TITLE in text
    assert "shared by ann" in text
    assert not public.cookies
    assert not stranger.cookies
    assert {"no-store", "private"} <= set(public["Cache-Control"].split(", "))
    assert "noindex" in public["X-Robots-Tag"]
    assert film_of(text) == film_of(preview.content.decode())
    assert {item["t"] for item in film_of(text)["moments"]} == {2}
    assert campaign.seed not in text
    picture = stranger.get(f"{address(moment)}picture.png")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    assert len(picture.content) < MOST_BYTES
    assert not picture.cookies
    assert f'property="og:image" content="http://testserver{address(moment)}picture.png"' in text
    listed = client.get(f"/c/{campaign.public_id}/moments/").content.decode()
    assert address(moment) in listed
    form = {"act": "take-back", "moment": str(moment.public_id)}
    assert client.post(f"/c/{campaign.public_id}/moments/", form).status_code == 302
    assert stranger.get(f"{address(moment)}picture.png").status_code == 404
    gone = stranger.get(address(moment))
    assert gone.status_code == 404
    assert (
        gone.content == stranger.get("/gallery/moments/" + "0" * 8 + at[3 + 8 : 39] + "/").content
    )


def test_all_players_must_agree_and_each_can_take_back() -> None:
    campaign = finished_war("ann", "bob")
    moment = publish(campaign)
    stranger = Client()
    assert stranger.get(address(moment)).status_code == 404
    assert (
        "Still to agree" in browser("bob").get(f"/c/{campaign.public_id}/moments/").content.decode()
    )
    moment_agree(viewer=viewer(campaign, "bob"), moment=moment)
    assert stranger.get(address(moment)).status_code == 200
    assert "shared by" not in stranger.get(address(moment)).content.decode()
    assert publish(campaign) == moment
    assert stranger.get(address(moment)).status_code == 200
    assert publish(campaign, title="Bob runs away") == moment
    assert stranger.get(address(moment)).status_code == 404  # nobody agreed to these words
    moment_agree(viewer=viewer(campaign, "bob"), moment=moment)
    consent_set(viewer=viewer(campaign, "bob"), show_war=False)
    assert stranger.get(address(moment)).status_code == 404
    moment_agree(viewer=viewer(campaign, "bob"), moment=moment)
    seat_leave(viewer=viewer(campaign, "bob"))
    assert stranger.get(address(moment)).status_code == 200  # the last choice remains
    moment_take_back(viewer=viewer(campaign, "ann"), moment=moment)
    assert stranger.get(address(moment)).status_code == 404


def test_only_finished_wars_and_turns_that_exist() -> None:
    campaign, _ = build_once("gallery True 3", lambda: build_with_battle(3))
    campaign.refresh_from_db()
    user = User.objects.create_user("ann")
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
    )
    at = f"/c/{campaign.public_id}/battles/{battle().public_id}/moment/?turn=1"
    assert browser("ann").get(at).status_code == 404
    with pytest.raises(NotAllowed):
        publish(campaign, turn=1)


def test_faults_and_strangers_are_refused() -> None:
    campaign = finished_war("ann")
    with pytest.raises(RuleViolations):
        publish(campaign, turn=99)
    User.objects.create_user("eve")
    with pytest.raises(NotFound):
        publish(campaign, "eve")
    at = f"/c/{campaign.public_id}/battles/{battle().public_id}/moment/"
    client = browser("ann")
    assert client.post(f"{at}?turn=2", {"title": " "}).status_code == 422
    for query in ("", "?turn=99", "?turn=x"):
        assert client.get(f"{at}{query}").status_code == 404
    moment = publish(campaign)
    publish(campaign, is_named=True)
    assert PublicMoment.objects.get().is_named
    assert Client().get(address(moment)).status_code == 200


def test_film_depends_on_nothing_but_its_turn() -> None:
    campaign = finished_war("ann")
    row = battle()
    phases = phases_of_turn(row, 2)
    assert {phase.inputs["turn"] for phase in phases} == {2}
    shown = ships_in(phases)
    world = world_of(snapshot_before_battles(battle=row))
    scenario = scenario_of(campaign)

    def document(other_world: World) -> str:
        return json.dumps(
            document_of(true_replay(scenario, other_world, row, phases, is_excerpt=True))
        )

    before = document(world)
    hidden = Ship("ember/s999", "ember", "Secret", world.ships[0].cls, world.fleets[0].key)
    fleets = tuple(
        replace(fleet, doctrine=replace(fleet.doctrine, flee=True)) for fleet in world.fleets
    )
    ships = tuple(
        ship if ship.key in shown else replace(ship, name="Secret") for ship in world.ships
    )
    row.start["sides"][0]["ships"].append({**row.start["sides"][0]["ships"][0], "id": hidden.key})
    row.start["sides"][0]["doctrine"] = {"flee": 1}
    assert document(replace(world, fleets=fleets, ships=(*ships, hidden))) == before


def test_api_publishes_agrees_and_takes_back() -> None:
    campaign = finished_war("ann", "bob")
    at = f"/api/campaigns/{campaign.public_id}/moments/"
    ann, bob = browser("ann"), browser("bob")
    body = {"battle": str(battle().public_id), "turn": 1, "title": TITLE}
    answer = ann.post(at, body, content_type="application/json")
    (sheet,) = answer.json()["moments"]
    assert (sheet["public"], sheet["by"], sheet["turn"]) == (False, "ann", 1)
    agreed = bob.post(f"{at}{sheet['id']}/agree/", content_type="application/json")
    assert agreed.json()["moments"][0]["public"]
    assert Client().get(sheet["page"]).status_code == 200
    assert bob.delete(f"{at}{sheet['id']}/").json() == {"moments": []}
    for missing in (sheet["id"], "x"):
        assert bob.delete(f"{at}{missing}/").status_code == 404
    assert Client().get(sheet["page"]).status_code == 404


@pytest.mark.parametrize("turn", [1, 2])
def test_position_is_played_on_by_a_guest(turn: int, settings: Any) -> None:
    settings.GUESTS = True
    cache.clear()
    scenarios_load()
    moment = publish(finished_war("ann"), turn=turn)
    stranger = Client()
    at = f"{address(moment)}play/"
    assert at in stranger.get(address(moment)).content.decode()
    assert 'value="ember"' in stranger.get(at).content.decode()
    answer = stranger.post(at, {"side": "ember"})
    assert answer["Location"].endswith("/now/")
    assert stranger.get(answer["Location"]).status_code == 200
    campaign = Campaign.objects.latest("pk")
    assert campaign.scenario.private is not None
    assert stranger.post(at, {"side": "frost"})["Location"] == answer["Location"]
    moment.delete()
    assert stranger.get(at).status_code == 404
