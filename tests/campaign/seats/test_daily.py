"""The battle of the day: the same for everybody, one try each, secret until its table closes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from campaign.access import viewer_of
from campaign.models import DailyBattle, DailyTry
from campaign.models.campaign import Campaign
from campaign.rules.files import fixture_scenario
from campaign.selectors.clock import waiting_stage
from campaign.selectors.daily import COUNTS_FOR, counts_until, standings
from campaign.selectors.families import may_be_public
from campaign.services.daily import POSITIONS, daily_open, position_of
from campaign.services.invites import invite_create
from campaign.services.scenarios import scenarios_load
from tests.campaign.seats.people import person
from umpire.services.daily import daily_results_store
from umpire.services.reveal import may_propose_reveal
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def players(settings: Any) -> tuple[User, User]:
    """Return two users of a site with the scenarios of the release."""
    settings.GUESTS = True
    cache.clear()
    scenarios_load()
    return person("ada"), person("bea")


def play(user: User, now: datetime = NOON) -> Campaign:
    """Let captains fight a user's try to its end."""
    campaign = daily_open(user=user, now=now).campaign
    stage = waiting_stage(campaign=campaign)
    assert stage is not None
    stage_resolve(stage=stage.pk, force=True, now=now)
    return Campaign.objects.select_related("head_branch__head").get(pk=campaign.pk)


def test_everybody_gets_the_same_battle_once(players: tuple[User, User]) -> None:
    first, second = (daily_open(user=user, now=NOON).campaign for user in players)
    assert first.pk != second.pk
    assert (first.seed, first.dice_key) == (second.seed, second.dice_key)
    assert first.scenario_id == second.scenario_id
    assert daily_open(user=players[0], now=NOON).campaign.pk == first.pk
    later = daily_open(user=players[0], now=NOON + timedelta(days=1)).campaign
    assert (later.seed == first.seed, later.pk == first.pk) == (False, False)


def test_positions_are_single_battles_of_the_release(players: tuple[User, User]) -> None:
    for number, (slug, side) in enumerate(POSITIONS):
        scenario = fixture_scenario(slug)
        assert scenario.battle is not None
        assert side in {faction.id for faction in scenario.factions}
        assert position_of((NOON + timedelta(days=number)).date()) is not None


def test_table_lists_finished_tries_best_first(players: tuple[User, User]) -> None:
    for user in players:
        play(user)
    assert daily_results_store(now=NOON) == 2
    assert daily_results_store(now=NOON) == 0
    daily = DailyBattle.objects.get()
    table = standings(daily, players[1].pk)
    assert {line.name for line in table} == {"ada", "bea"}
    figures = [(-line.result, -line.score, line.turns) for line in table]
    assert figures == sorted(figures)
    assert [line.name for line in table if line.is_own] == ["bea"]
    assert all(line.turns > 0 and line.result in (-1, 0, 1) for line in table)


def test_try_with_others_or_too_late_does_not_count(players: tuple[User, User]) -> None:
    ada, bea = players
    helped = play(ada)
    host = viewer_of(ada, helped.public_id)
    invite_create(viewer=host, role="observer", now=NOON)
    play(bea)
    assert daily_results_store(now=NOON + COUNTS_FOR) == 0
    assert daily_results_store(now=NOON) == 1
    assert DailyTry.objects.get(result__isnull=False).user == bea


def test_story_and_seed_stay_secret_until_the_table_closes(
    players: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who is done would otherwise know the dice of all others."""
    campaign = play(players[0])
    client = Client()
    client.force_login(players[0])
    closes = counts_until(NOON.date())
    for moment, status in ((NOON, 404), (closes - timedelta(seconds=1), 404), (closes, 200)):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        assert may_be_public(campaign=campaign) == (status == 200)
        assert not may_propose_reveal(viewer_of(players[0], campaign.public_id))
        answer = client.get(f"/c/{campaign.public_id}/story/")
        assert answer.status_code == status
        assert ("Others still play this battle of the day" in answer.content.decode()) == (
            status == 404
        )


def test_guest_and_player_start_from_the_page(players: tuple[User, User]) -> None:
    stranger = Client()
    assert 'action="/daily/start/"' in stranger.get("/daily/").content.decode()
    assert stranger.post("/daily/start/")["Location"].startswith("/c/")
    guest = DailyTry.objects.get().user
    assert guest is not None
    assert stranger.get("/daily/").status_code == 200
    ada = Client()
    ada.force_login(players[0])
    assert ada.post("/daily/start/")["Location"].startswith("/c/")
    assert ada.get("/daily/2020-01-01/").status_code == 404
    assert ada.get("/daily/yesterday/").status_code == 404
    own = ada.get("/api/daily/").json()
    assert own["campaign"] == str(DailyTry.objects.get(user=players[0]).campaign.public_id)
    assert DailyBattle.objects.get().seed not in ada.get("/daily/").content.decode() + str(own)


def test_table_hides_the_names_of_guests(players: tuple[User, User]) -> None:
    stranger = Client()
    stranger.post("/daily/start/")
    guest = DailyTry.objects.get()
    DailyTry.objects.filter(pk=guest.pk).update(result=1, score=5, turns=3)
    assert [line.name for line in standings(guest.daily, None)] == [""]
    text = Client().get("/daily/").content.decode()
    assert "a guest" in text
    assert guest.user is not None
    assert guest.user.username not in text
