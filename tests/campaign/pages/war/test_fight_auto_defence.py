"""The checkbox for automatic point defence: shown as stored, sent back, sealed, one for each side."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.auto_defence_form import (
    AUTOMATED,
    BY_SHIP,
    WAS_AUTOMATED,
    auto_defence_payload,
    auto_defence_tick,
)
from campaign.forms.battle.fight_form import FormSight
from campaign.pages.battle.fights import _payload
from campaign.services.phases import phase_payload, phase_violations
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import Battle, start
from engine.core.dice import Dice
from engine.known_battle import known_battle
from tests.campaign.pages.war.test_fight_ordnance import missile_attack, missiles, sheet_of
from tests.engine.battle.table import classes, gunship, setup


def sight_of(battle: Battle, side: int) -> FormSight:
    state = known_battle(battle, side).state
    return FormSight(
        state, side, frozenset(ship.id for ship in state.ships if ship.owner == side), {}
    )


def payload_after(sight: FormSight, payload: dict[str, Any], *, click: bool) -> dict[str, Any]:
    """Return what a browser sends of the checkbox for a payload, with or without a click."""
    tick = auto_defence_tick(sight, payload)
    assert tick is not None
    post = QueryDict(mutable=True)
    for name, value in tick.hidden_fields:
        post[name] = value
    if tick.tick.is_on != click:
        post[tick.tick.name] = tick.tick.value
    return auto_defence_payload(sight, post)


@pytest.mark.parametrize(("battle", "ship"), [(missiles(), "n1"), (missile_attack(), "e1")])
def test_click_toggles_automatic_point_defence(battle: Battle, ship: str) -> None:
    side = 0 if ship == "n1" else 1
    sight = sight_of(battle, side)
    automated = {"officers": {ship: True}}
    assert payload_after(sight, {}, click=False) == {}
    assert payload_after(sight, {}, click=True) == automated
    assert payload_after(sight, automated, click=False) == automated  # a draft stays unchanged
    assert payload_after(sight, automated, click=True) == {}
    after, _ = stops.resolve_documents(
        battle, {side: {battle.state.stop: {}, **automated}}, Dice(3)
    )
    while after.state.stop not in ("plot", "over"):
        after, _ = stops.resolve_documents(after, {}, Dice(3))
    assert after.state.stop == "plot"
    later = sight_of(after, side)
    assert payload_after(later, {}, click=False) == {}
    assert payload_after(later, {}, click=True) == {"officers": {ship: False}}
    assert auto_defence_tick(sight_of(after, 1 - side), {}) == auto_defence_tick(
        sight_of(battle, 1 - side), {}
    )


def test_orders_of_single_ships_are_kept() -> None:
    assert payload_after(sight_of(missiles(), 0), {"officers": {"n1": False}}, click=False) == {
        "officers": {"n1": False}
    }


def test_setting_is_sealed_with_the_plots_for_own_ships_only() -> None:
    sheet = sheet_of(missiles(), 0)
    post = QueryDict(f"{WAS_AUTOMATED.name()}=&{BY_SHIP.name()}=&{AUTOMATED.name()}=on")
    orders = _payload(sheet, SideNames({}), post)
    assert orders["officers"] == {"n1": True}
    assert phase_violations(sheet, orders) == ()
    assert phase_payload(sheet, orders)["officers"] == {"n1": True}
    allied = phase_violations({**sheet, "mine": []}, orders)
    assert ("officers.n1", "not-yours") in [(fault.where, fault.code) for fault in allied]


def test_no_tick_box_without_point_defence() -> None:
    battle = missiles()
    while battle.state.stop != "engage":
        battle, _ = stops.resolve_documents(battle, {}, Dice(3))
    assert auto_defence_tick(sight_of(battle, 0), {}) is None
    second = start(setup([gunship("r1", 9, 9, "C")], [gunship("b1", 40, 9, "C")]), classes())
    assert auto_defence_tick(sight_of(second, 0), {}) is None
