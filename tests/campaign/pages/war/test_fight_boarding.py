"""The form of damage control aboard a boarded ship: what it says is what a captain's orders say."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.pages.battle_log import SideNames
from campaign.pages.fights import _payload, _rows
from engine import stops
from engine.battle import start
from engine.captains.doctrine import Doctrine
from engine.core.state import ENGAGE
from engine.known_battle import known_battle
from tests.engine.control.hulls import at_control, go
from tests.engine.control.test_boarding import BLUE, RED, held
from tests.engine.control.test_boarding_torpedoes import tubes


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


@pytest.mark.rule("pc.boarding-torpedoes")
@pytest.mark.parametrize(
    ("more", "offered"),
    [({}, True), ({"rules": "0.4"}, False), ({"lost": ["magazine-1"]}, False), ({"stock": 0}, False)],
)
def test_boarding_torpedoes_are_offered_while_their_magazine_feeds_them(more: dict[str, Any], offered: bool) -> None:
    file = tubes()
    ours = file["sides"][0]["ships"][0]
    if "stock" in more:
        ours["stock"] = {"magazine-1": {"boarding": more["stock"]}}
    ours["lost"] = more.get("lost", [])
    begun = go(start({**file, **({"rules": more["rules"]} if "rules" in more else {})}))
    assert begun.state.stop == ENGAGE
    known = known_battle(begun, RED)
    sheet = {
        "known": known.to_json(),
        "view": stops.side_view(known, RED),
        "at": RED,
        "mine": ["r1"],
        "kind": "engage",
    }
    (row,) = _rows(sheet, {}, SideNames({}), {})
    names = [pick.name for pick in row.picks]
    assert any(name.startswith("fire-r1-beam-1") for name in names)
    assert any(name.startswith("fire-r1-boarding-torpedo-1") for name in names) is offered
