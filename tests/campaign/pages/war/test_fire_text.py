"""Fire of ships whose weapons the page does not list: a text from which the same orders are read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.phase_forms import fire_payload, fire_rows
from campaign.pages.battle.fights import _form_sight
from campaign.words.battle.log import SideNames
from campaign.words.fire_text import fires_text, parse_fires
from tests.campaign.pages.war.test_fights import sheet_at


def test_fire_text_is_read_as_written() -> None:
    fires: list[dict[str, Any]] = [
        {"weapon": "beam-1", "target": ["e1", "e2"]},
        {"weapon": "beam-2", "target": "e2"},
        {"weapon": "nova"},
    ]
    fires_words = fires_text(fires)
    assert fires_words == "beam-1 e1 e2; beam-2 e2; nova"
    assert parse_fires(fires_words) == {"beam-1": ["e1", "e2"], "beam-2": ["e2"], "nova": []}
    assert parse_fires(" ;; ") == {}


def _post_fire(form_sight: Any, payload: Any) -> Any:
    post = QueryDict(mutable=True)
    for row in fire_rows(form_sight, payload, {}):
        for name, value in row.hidden_fields:
            post[name] = value
        for pick in row.picks:
            post[pick.name] = pick.chosen[0]
        for field in row.inputs:
            post[field.name] = field.value
    return fire_payload(form_sight, post)


def test_closed_ship_keeps_its_fire_orders() -> None:
    sheet = sheet_at("engage")
    form_sight, advice = _form_sight(sheet, SideNames({})), sheet["advice"]
    first = advice["engage"][0][0]
    for opened in (None, frozenset[str](), frozenset({first})):
        assert _post_fire(replace(form_sight, opened_ids=opened), advice) == advice["engage"]
    shut = fire_rows(replace(form_sight, opened_ids=frozenset()), advice, {})
    ships = [row for row in shut if row.key in {ship.id for ship in form_sight.ships}]
    assert ships
    assert all(row.more_controls is None and not row.picks and not row.inputs for row in ships)


@pytest.mark.parametrize("text", ["laser-9 e1", "beam-1 nobody nowhere", "; ;", "beam-1"])
def test_impossible_fire_raises_no_error(text: str) -> None:
    sheet = sheet_at("engage")
    form_sight = replace(_form_sight(sheet, SideNames({})), opened_ids=frozenset())
    post = QueryDict(mutable=True)
    post[f"fires-{form_sight.ships[0].id}"] = text
    assert isinstance(fire_payload(form_sight, post), list)
