"""The form of damage control aboard a boarded ship: what it says is what a captain's orders say."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.stop_forms import fire_payload, fire_rows
from campaign.pages.battle.fights import _payload, _rows
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import start
from engine.captains.common.doctrine import Doctrine
from engine.core.state import ENGAGE
from engine.known_battle import known_battle
from tests.engine.control.hulls import at_control, battle, go, ship
from tests.engine.control.test_boarding import BLUE, KIANG, RED, SENDER, held
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
    [
        ({}, True),
        ({"rules": "0.4"}, False),
        ({"lost": ["magazine-1"]}, False),
        ({"stock": 0}, False),
    ],
)
def test_boarding_torpedoes_are_offered_while_their_magazine_feeds_them(
    more: dict[str, Any], offered: bool
) -> None:
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


@pytest.mark.rule("pc.boarding", "pc.transporters")
def test_whom_a_transporter_sends_is_said_by_lists_and_how_many_land_is_foretold() -> None:
    """Marines one a hit where nothing else is said, parties beside them only where they are."""
    begun = go(battle([ship("n1", 20, 20, SENDER)], "boarding", foes=[ship("e1", 24, 20, KIANG)]))
    known = known_battle(begun, RED)
    seen = FormSight(known.state, RED, frozenset({"n1"}), {})
    (row,) = fire_rows(seen, {}, {})
    picks = {pick.name: [value for value, _ in pick.options] for pick in row.picks}
    assert picks["aboard-n1-transporter-1-marines"] == ["", "0", "1", "2"]
    (one,) = (found for found in seen.prospects(seen.ships[0]) if found.weapon == "transporter-1")
    assert (one.target, one.dice, one.points, one.people) == (
        "e1",
        1,
        0.0,
        0.67,
    )  # 4 and 5 send one, a 6 two
    posted = QueryDict(mutable=True)
    posted["fire-n1-transporter-1-0"] = "e1"
    for sent, said in (
        ({}, {}),
        ({"parties": "1"}, {"marines": 2, "parties": 1}),
        ({"marines": "1"}, {"marines": 1}),
    ):
        for who, many in sent.items():
            posted[f"aboard-n1-transporter-1-{who}"] = many
        given = fire_payload(seen, posted)
        expected = (
            {"weapon": "transporter-1", "target": "e1"}
            | ({"marines": 0, "parties": 0} if said else {})
            | said
        )
        assert given == [["n1", [expected]]]
        assert stops.read_orders(known, RED, {"engage": given})[1] == ()
        for who in sent:
            del posted[f"aboard-n1-transporter-1-{who}"]
