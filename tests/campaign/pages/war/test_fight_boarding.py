"""The form of damage control on a boarded ship expresses the same as a captain's orders."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.phase_forms import fire_payload, fire_rows
from campaign.pages.battle.fights import _payload, _rows
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import start
from engine.captains.common.doctrine import Doctrine
from engine.core.state import ENGAGE
from engine.known_battle import known_battle
from tests.engine.control.hulls import battle, play_to_control, resolve_next, ship
from tests.engine.control.test_boarding import BLUE, KIANG, RED, SENDER, boarded_battle
from tests.engine.control.test_boarding_torpedoes import tubes


@pytest.mark.rule("pc.boarding")
@pytest.mark.parametrize("side", [RED, BLUE])
def test_form_assigns_defenders_and_boarders(side: int) -> None:
    battle_known = known_battle(play_to_control(boarded_battle({"blue": {"marines": 3}})), side)
    advice: Any = stops.advise(battle_known, side, Doctrine(), "x")
    if side == RED:
        advice["control"]["n1"]["marines"] = {"marines": 1, "hull": 1}
    mine = [ship.id for ship in battle_known.state.ships if ship.commander == side]
    sheet = {
        "battle_document": battle_known.to_json(),
        "view": stops.side_view(battle_known, side),
        "at": side,
        "mine": mine,
        "kind": "control",
    }
    post = QueryDict(mutable=True)
    for row in _rows(sheet, advice, SideNames({}), {}):
        for pick in row.picks:
            post[pick.name] = pick.chosen[0]
        for field in row.inputs:
            post[field.name] = field.value
    payload = _payload(sheet, SideNames({}), post)
    assert stops.read_orders(battle_known, side, payload)[1] == ()
    if side == RED:
        assert payload["control"] == advice["control"]
    else:
        assert payload["board"] == advice["board"]


@pytest.mark.rule("pc.boarding-torpedoes")
@pytest.mark.parametrize(
    ("extra", "offered"),
    [
        ({}, True),
        ({"lost": ["magazine-1"]}, False),
        ({"stock": 0}, False),
    ],
)
def test_boarding_torpedoes_are_offered_while_the_magazine_lasts(
    extra: dict[str, Any], offered: bool
) -> None:
    file = tubes()
    ours = file["sides"][0]["ships"][0]
    if "stock" in extra:
        ours["stock"] = {"magazine-1": {"boarding": extra["stock"]}}
    ours["lost"] = extra.get("lost", [])
    started = resolve_next(start(file))
    assert started.state.stop == ENGAGE
    battle_known = known_battle(started, RED)
    sheet = {
        "battle_document": battle_known.to_json(),
        "view": stops.side_view(battle_known, RED),
        "at": RED,
        "mine": ["r1"],
        "kind": "engage",
    }
    (row,) = _rows(sheet, {}, SideNames({}), {})
    names = [pick.name for pick in row.picks]
    assert any(name.startswith("fire-r1-beam-1") for name in names)
    assert any(name.startswith("fire-r1-boarding-torpedo-1") for name in names) is offered


@pytest.mark.rule("pc.boarding", "pc.transporters")
def test_transporter_targets_are_chosen_and_landings_predicted() -> None:
    """By default one marine for each hit; parties are offered only where there are any."""
    started = resolve_next(
        battle([ship("n1", 20, 20, SENDER)], "boarding", foes=[ship("e1", 24, 20, KIANG)])
    )
    battle_known = known_battle(started, RED)
    form_sight = FormSight(battle_known.state, RED, frozenset({"n1"}), {})
    (row,) = fire_rows(form_sight, {}, {})
    picks = {pick.name: [value for value, _ in pick.options] for pick in row.picks}
    assert picks["aboard-n1-transporter-1-marines"] == ["", "0", "1", "2"]
    (prospect,) = (
        candidate
        for candidate in form_sight.prospects(form_sight.ships[0])
        if candidate.weapon == "transporter-1"
    )
    assert (prospect.target, prospect.dice, prospect.points, prospect.people) == (
        "e1",
        1,
        0.0,
        0.67,
    )  # 4 and 5 send one, a 6 two
    post = QueryDict(mutable=True)
    post["fire-n1-transporter-1-0"] = "e1"
    for parties, expected_parties in (
        ({}, {}),
        ({"parties": "1"}, {"marines": 2, "parties": 1}),
        ({"marines": "1"}, {"marines": 1}),
    ):
        for kind, count in parties.items():
            post[f"aboard-n1-transporter-1-{kind}"] = count
        payload = fire_payload(form_sight, post)
        expected = (
            {"weapon": "transporter-1", "target": "e1"}
            | ({"marines": 0, "parties": 0} if expected_parties else {})
            | expected_parties
        )
        assert payload == [["n1", [expected]]]
        assert stops.read_orders(battle_known, RED, {"engage": payload})[1] == ()
        for kind in parties:
            del post[f"aboard-n1-transporter-1-{kind}"]
