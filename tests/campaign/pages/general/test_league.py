"""The league page: public, with the whole table, the best first."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from campaign.pages.ships import league
from tests.campaign.pages.general.browser_pages import page
from tools.bench.league import TABLE

pytestmark = pytest.mark.django_db


def test_league_is_public() -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert league.TABLE == TABLE
    text = page(Client(), "/league/").text.replace("\xa0", " ")
    places = [text.index(line["words"]) for line in table["bots"]]
    assert places == sorted(places)
    for line in table["bots"]:
        assert f"{line['rating']} ± {line['error']}" in text
    assert "New Anglian Confederation, The Lafayette Incident" in text
    assert "1000 wars" in text
