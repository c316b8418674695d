"""An unmarked field of a piece is in the umpire's battle, and in nothing that a faction gets."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from campaign import models
from engine.battle import battle_from
from tests.engine.secrecy.hidden_fields import SECRET, loaded_pieces, plant
from tests.umpire.services.online_war import OnlineWar
from umpire.services.battle_phases import phase_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.rule("2e.sensors")]


def test_new_piece_field_reaches_no_document_and_no_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    war = OnlineWar()
    battle = battle_from(war.battle.state or {})
    battle.state.pieces += loaded_pieces(battle.state)
    models.Battle.objects.filter(pk=war.battle.pk).update(state=battle.to_json())
    for key in ("ember", "frost"):
        war.seal(key, {"plot": {}})
    stage = war.open_phase()
    assert stage is not None
    phase_resolve(stage=stage.pk)
    war.battle.refresh_from_db()
    assert SECRET in json.dumps(war.battle.state)
    for key in ("ember", "frost"):
        sheet = war.sheet(key)
        assert sheet["view"]["rocks"]
        assert sheet["view"]["mines"]
        assert SECRET not in json.dumps(sheet)
        client = Client()
        client.force_login(war.users[key])
        page = client.get(f"/c/{war.campaign.public_id}/battles/{war.fight(key).id}/now/")
        assert page.status_code == 200
        assert "rock-77" in page.content.decode()
        assert SECRET not in page.content.decode()
    bodies = [*models.Report.objects.values_list("body", flat=True)]
    bodies += [*models.View.objects.values_list("body", flat=True)]
    assert SECRET not in json.dumps(bodies)
