"""A page that waits goes on by itself, says so on top, and offers nothing for which it is too
late.
"""

from __future__ import annotations

import re

import pytest
from django.test.utils import override_settings

from campaign.models import Stage
from tests.campaign.pages.war.browsing import at, player
from tests.campaign.pages.war.test_fights import Seat
from tests.umpire.services.fights import War
from tests.umpire.services.wars import attack
from umpire.services.battle_stops import stop_resolve
from umpire.services.stages import stage_close, stage_resolve

pytestmark = pytest.mark.django_db
ASKED = re.compile(r'data-hx-get="([^"]*)"')


@pytest.mark.parametrize("kind", ["deploy", "orders", "decisions", "battles"])
def test_a_sealed_page_leads_on_when_its_stage_closes_and_when_it_resolves(kind: str) -> None:
    one = at(kind) if kind != "deploy" else at("deploy")
    player(one.campaign, "frost")  # whom the stage waits for
    name = "deploy/" if kind == "deploy" else "decisions/" if kind == "decisions" else "orders/"
    writing = one.get(name)
    assert "goes on by itself" not in writing.text
    one.fill(name, "seal")
    text = one.client.get(one.url(name)).content.decode()
    assert text.index("This page goes on by itself") < text.index("Unseal and change")
    (asks,) = ASKED.findall(text)
    asks = asks.replace("&amp;", "&")
    assert one.client.get(asks).status_code == 204
    stage = one.stage()
    assert stage_close(stage=stage.pk, force=True)
    assert one.client.get(asks).headers["HX-Refresh"] == "true"
    closed = one.client.get(one.url(name)).content.decode()
    assert "Unseal and change" not in closed
    assert "closed and being resolved" in closed
    (asks,) = ASKED.findall(closed)
    asks = asks.replace("&amp;", "&")
    assert one.client.get(asks).status_code == 204
    with override_settings(PUBLICATION_GRID=0):
        assert stage_resolve(stage=stage.pk, admiral=attack) is not None
    assert one.client.get(asks).headers["HX-Refresh"] == "true"
    assert one.client.get(one.url(name), follow=True).status_code == 200


@override_settings(PUBLICATION_GRID=600, PUBLICATION_ALLOWANCE=300)
def test_what_is_not_public_yet_moves_no_page() -> None:
    """The outcome is written, but public at a later instant: until then the answers are the same to
    the byte.
    """
    one = at("orders")
    player(one.campaign, "frost")
    one.fill("orders/", "seal")
    stage = one.stage()
    assert stage_close(stage=stage.pk, force=True)
    where = one.url(f"pulse/?at={stage.ordinal}-closed&go=1")
    before = one.client.get(where)
    assert stage_resolve(stage=stage.pk, admiral=attack) is not None
    assert Stage.objects.get(pk=stage.pk).status == "resolved"
    after = one.client.get(where)
    assert (before.status_code, before.content) == (after.status_code, after.content) == (204, b"")


def test_who_has_not_sealed_in_time_is_offered_no_seal() -> None:
    one = at("orders")
    player(one.campaign, "frost")
    assert stage_close(stage=one.stage().pk, force=True)
    page = one.get("orders/")
    assert ("action", "seal") not in [button for form in page.buttons for button in form]
    assert "nothing can be sealed any more" in page.text


def test_a_battle_online_goes_on_by_itself() -> None:
    war = War()
    ember = Seat(war, "ember")
    ember.fill("seal")
    text = ember.client.get(ember.url).content.decode()
    assert text.index("This page goes on by itself") < text.index("Unseal and change")
    (asks,) = ASKED.findall(text)
    room = ember.client.get(f"/c/{war.campaign.public_id}/").content.decode()
    asked_by = [asks, *(one.replace("&amp;", "&") for one in ASKED.findall(room))]
    assert len(asked_by) == 2
    assert [ember.client.get(one).status_code for one in asked_by] == [204, 204]
    war.seal("frost")
    stage = war.open_stop()
    assert stage is not None
    assert stop_resolve(stage=stage.pk)
    for one in asked_by:
        assert ember.client.get(one).headers["HX-Refresh"] == "true"
    assert "Choose targets" in ember.get().text
