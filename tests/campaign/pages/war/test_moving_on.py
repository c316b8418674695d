"""A page that waits updates itself, says so, and offers nothing that is too late."""

from __future__ import annotations

import re

import pytest
from django.test.utils import override_settings

from campaign.models import Stage
from tests.campaign.pages.war.browsing import at, player
from tests.campaign.pages.war.test_fights import Seat
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import attack
from umpire.services.battle_phases import phase_resolve
from umpire.services.stages import stage_close, stage_resolve

pytestmark = pytest.mark.django_db
STATE_SHOWN = re.compile(r'data-at="([^"]*)"')
PULSE_URL = re.compile(r'data-hx-get="([^"]*)"')


@pytest.mark.parametrize("kind", ["deploy", "orders", "decisions", "battles"])
def test_sealed_page_continues_when_the_stage_closes_and_resolves(kind: str) -> None:
    ember = at(kind) if kind != "deploy" else at("deploy")
    player(ember.campaign, "frost")  # who the stage waits for
    name = "deploy/" if kind == "deploy" else "decisions/" if kind == "decisions" else "orders/"
    writing = ember.get(name)
    assert "updates by itself" not in writing.text
    ember.fill(name, "seal")
    text = ember.client.get(ember.url(name)).content.decode()
    assert text.index("This page updates by itself") < text.index("Unseal and change")
    (asks,) = PULSE_URL.findall(text)
    asks = asks.replace("&amp;", "&")
    assert ember.client.get(asks).status_code == 204
    stage = ember.stage()
    assert stage_close(stage=stage.pk, force=True)
    assert ember.client.get(asks).headers["HX-Refresh"] == "true"
    closed = ember.client.get(ember.url(name)).content.decode()
    assert "Unseal and change" not in closed
    assert "closed and being resolved" in closed
    (asks,) = PULSE_URL.findall(closed)
    asks = asks.replace("&amp;", "&")
    assert ember.client.get(asks).status_code == 204
    with override_settings(PUBLICATION_GRID=0):
        assert stage_resolve(stage=stage.pk, admiral=attack) is not None
    assert ember.client.get(asks).headers["HX-Refresh"] == "true"
    assert ember.client.get(ember.url(name), follow=True).status_code == 200


@override_settings(PUBLICATION_GRID=600, PUBLICATION_ALLOWANCE=300)
def test_unpublished_outcome_moves_no_page() -> None:
    """The outcome is stored but published later: until then all answers are byte for byte the same."""
    ember = at("orders")
    player(ember.campaign, "frost")
    ember.fill("orders/", "seal")
    stage = ember.stage()
    assert stage_close(stage=stage.pk, force=True)
    where = ember.url(f"pulse/?at={stage.ordinal}-closed&go=1")
    before = ember.client.get(where)
    assert stage_resolve(stage=stage.pk, admiral=attack) is not None
    assert Stage.objects.get(pk=stage.pk).status == "resolved"
    after = ember.client.get(where)
    assert (before.status_code, before.content) == (after.status_code, after.content) == (204, b"")


def test_late_player_is_offered_no_seal() -> None:
    ember = at("orders")
    player(ember.campaign, "frost")
    assert stage_close(stage=ember.stage().pk, force=True)
    page = ember.get("orders/")
    assert ("action", "seal") not in [button for form in page.buttons for button in form]
    assert "you can no longer seal" in page.text


def test_online_battle_continues_by_itself() -> None:
    war = OnlineWar()
    ember = Seat(war, "ember")
    ember.fill("seal")
    text = ember.client.get(ember.url).content.decode()
    assert text.index("This page updates by itself") < text.index("Unseal and change")
    (state,) = STATE_SHOWN.findall(text)
    film_url = f"{ember.url}?at={state}"
    war_room = ember.client.get(f"/c/{war.campaign.public_id}/").content.decode()
    (asked_by,) = (url.replace("&amp;", "&") for url in PULSE_URL.findall(war_room))
    assert [ember.client.get(url).status_code for url in (film_url, asked_by)] == [204, 204]
    war.seal("frost")
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    assert ember.client.get(asked_by).headers["HX-Refresh"] == "true"
    assert "turn 1, fire" in ember.get().text
    film = ember.client.get(film_url).json()["film"]
    moves = next(moment for moment in film["moments"] if moment["k"] == "moves")
    assert {act["k"] for act in moves["acts"]} == {"move"}
    assert ember.client.get(f"{ember.url}?at=99-open").json()["film"] is None


def test_seal_by_script_is_answered_with_the_film_once_all_have_sealed() -> None:
    war = OnlineWar()
    ember = Seat(war, "ember")
    form = {**ember.form(), "action": "seal"}
    answer = ember.client.post(ember.url, form, headers={"X-Film": "0-open"})
    assert answer.json() == {
        "film": None,
        "said": ["Sealed. The orders are carried out when everybody has sealed."],
    }
