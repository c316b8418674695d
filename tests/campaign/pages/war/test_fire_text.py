"""The fire of ships whose weapons the page does not show one by one: a text, from which the same
orders are read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.stop_forms import fire_payload, fire_rows
from campaign.pages.battle.fights import _sight
from campaign.words.battle.log import SideNames
from campaign.words.fire_text import fires_read, fires_text
from tests.campaign.pages.war.test_fights import sheet_at


def test_a_text_of_fire_is_read_as_it_was_written() -> None:
    fires: list[dict[str, Any]] = [
        {"weapon": "beam-1", "target": ["e1", "e2"]},
        {"weapon": "beam-2", "target": "e2"},
        {"weapon": "nova"},
    ]
    written = fires_text(fires)
    assert written == "beam-1 e1 e2; beam-2 e2; nova"
    assert fires_read(written) == {"beam-1": ["e1", "e2"], "beam-2": ["e2"], "nova": []}
    assert fires_read(" ;; ") == {}


def _sent(seen: Any, payload: Any) -> Any:
    posted = QueryDict(mutable=True)
    for row in fire_rows(seen, payload, {}):
        for name, value in row.kept:
            posted[name] = value
        for pick in row.picks:
            posted[pick.name] = pick.chosen[0]
        for field in row.written:
            posted[field.name] = field.value
    return fire_payload(seen, posted)


def test_who_is_not_opened_fires_as_he_did() -> None:
    sheet = sheet_at("engage")
    seen, advice = _sight(sheet, SideNames({})), sheet["advice"]
    first = advice["engage"][0][0]
    for opened in (None, frozenset[str](), frozenset({first})):
        assert _sent(replace(seen, opened=opened), advice) == advice["engage"]
    shut = fire_rows(replace(seen, opened=frozenset()), advice, {})
    ships = [row for row in shut if row.key in {ship.id for ship in seen.ships}]
    assert ships
    assert all(row.more is None and not row.picks and not row.written for row in ships)


@pytest.mark.parametrize("text", ["laser-9 e1", "beam-1 nobody nowhere", "; ;", "beam-1"])
def test_what_no_ship_could_fire_raises_nothing(text: str) -> None:
    sheet = sheet_at("engage")
    seen = replace(_sight(sheet, SideNames({})), opened=frozenset())
    posted = QueryDict(mutable=True)
    posted[f"fires-{seen.ships[0].id}"] = text
    assert isinstance(fire_payload(seen, posted), list)
