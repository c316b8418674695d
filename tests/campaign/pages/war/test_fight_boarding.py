"""The form of damage control aboard a boarded ship: what it says is what a captain's orders say."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.pages.battle_log import SideNames
from campaign.pages.fights import _payload, _rows
from engine import stops
from engine.captains.doctrine import Doctrine
from engine.known_battle import known_battle
from tests.engine.control.hulls import at_control
from tests.engine.control.test_boarding import BLUE, RED, held


@pytest.mark.rule("pc.boarding")
@pytest.mark.parametrize("side", [RED, BLUE])
def test_the_form_says_who_repels_boarders_and_what_boarders_do(side: int) -> None:
    known = known_battle(at_control(held({"blue": {"marines": 3}})), side)
    advice: Any = stops.advise(known, side, Doctrine(), "x")
    if side == RED:
        advice["control"]["n1"]["marines"] = {"marines": 1, "hull": 1}
    mine = [ship.id for ship in known.state.ships if ship.commander == side]
    sheet = {
        "known": known.to_json(),
        "view": stops.side_view(known, side),
        "at": side,
        "mine": mine,
        "kind": "control",
    }
    posted = QueryDict(mutable=True)
    for row in _rows(sheet, advice, SideNames({}), {}):
        for pick in row.picks:
            posted[pick.name] = pick.chosen[0]
        for field in row.written:
            posted[field.name] = field.value
    given = _payload(sheet, SideNames({}), posted)
    assert stops.read_orders(known, side, given)[1] == ()
    if side == RED:
        assert given["control"] == advice["control"]
    else:
        assert given["board"] == advice["board"]
