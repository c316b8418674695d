"""The bot of docs/tutorials/first-bot.md plays a war to its end, against the site in this
process.
"""

from __future__ import annotations

import httpx
import pytest
from blindjump.api import Api
from django.core.handlers.wsgi import WSGIHandler

from campaign.models import Stage, Submission
from clients import first_bot
from tests.campaign.api.calls import war_at
from tests.clients.site_user import SITE
from tests.umpire.services.wars import resolve_stage

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_first_bot_plays_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The war is the tutorial's: Ember against a computer admiral. A pause closes the stage."""
    war = war_at("deploy")
    open_stages = Stage.objects.filter(branch__campaign=war.campaign, status="open")
    monkeypatch.setattr("clients.first_bot.time.sleep", lambda _: resolve_stage(open_stages.get()))
    api = Api(SITE, war.ember.token, transport=httpx.WSGITransport(app=WSGIHandler()))
    result = first_bot.play(api, f"campaigns/{war.campaign.public_id}/")
    assert result
    sealed = Submission.objects.filter(stage__branch__campaign=war.campaign, faction__key="ember")
    orders = sealed.get(stage__week=1, stage__kind="orders").payload
    assert {move["to"] for move in orders["moves"]} == {first_bot.GOAL}
    decisions = sealed.get(stage__week=1, stage__kind="decisions").payload
    assert [each["choice"] for each in decisions["decide"]] == ["fight"]
