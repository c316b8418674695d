"""The tick by which a side leaves point defence to its officers: shown as things are, given back,
sealed, its own.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.battle.officers_form import (
    AUTOMATED,
    BY_SHIP,
    WAS_AUTOMATED,
    officers_payload,
    officers_tick,
)
from campaign.pages.battle.fights import _payload
from campaign.services.stops import stop_payload, stop_violations
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import Battle, start
from engine.core.dice import Dice
from engine.known_battle import known_battle
from tests.campaign.pages.war.test_fight_ordnance import attacked, missiles, sheet_of
from tests.engine.battle.table import classes, gunship, setup


def seen(battle: Battle, side: int) -> FormSight:
    known = known_battle(battle, side).state
    return FormSight(
        known, side, frozenset(ship.id for ship in known.ships if ship.owner == side), {}
    )


def sent(sight: FormSight, payload: dict[str, Any], *, click: bool) -> dict[str, Any]:
    """What a browser sends of the tick as a payload shows it, clicked or not."""
    tick = officers_tick(sight, payload)
    assert tick is not None
    posted = QueryDict(mutable=True)
    for name, value in tick.kept:
        posted[name] = value
    if tick.tick.on != click:
        posted[tick.tick.name] = tick.tick.value
    return officers_payload(sight, posted)


@pytest.mark.parametrize(("battle", "ship"), [(missiles(), "n1"), (attacked(), "e1")])
def test_a_click_leaves_point_defence_of_all_ships_and_another_takes_it_back(
    battle: Battle, ship: str
) -> None:
    side = 0 if ship == "n1" else 1
    sight = seen(battle, side)
    left = {"officers": {ship: True}}
    assert sent(sight, {}, click=False) == {}
    assert sent(sight, {}, click=True) == left
    assert sent(sight, left, click=False) == left  # a draft stays what it is
    assert sent(sight, left, click=True) == {}
    after, _ = stops.resolve(battle, {side: {battle.state.stop: {}, **left}}, Dice(3))
    while after.state.stop not in ("plot", "over"):
        after, _ = stops.resolve(after, {}, Dice(3))
    assert after.state.stop == "plot"
    later = seen(after, side)
    assert sent(later, {}, click=False) == {}
    assert sent(later, {}, click=True) == {"officers": {ship: False}}
    assert officers_tick(seen(after, 1 - side), {}) == officers_tick(seen(battle, 1 - side), {})


def test_what_orders_say_of_single_ships_goes_along_unseen() -> None:
    assert sent(seen(missiles(), 0), {"officers": {"n1": False}}, click=False) == {
        "officers": {"n1": False}
    }


def test_it_is_sealed_beside_the_plots_and_for_own_ships_alone() -> None:
    sheet = sheet_of(missiles(), 0)
    posted = QueryDict(f"{WAS_AUTOMATED.name()}=&{BY_SHIP.name()}=&{AUTOMATED.name()}=on")
    orders = _payload(sheet, SideNames({}), posted)
    assert orders["officers"] == {"n1": True}
    assert stop_violations(sheet, orders) == ()
    assert stop_payload(sheet, orders)["officers"] == {"n1": True}
    allied = stop_violations({**sheet, "mine": []}, orders)
    assert ("officers.n1", "not-yours") in [(fault.where, fault.code) for fault in allied]


def test_there_is_no_tick_where_nobody_is_asked_for_point_defence() -> None:
    battle = missiles()
    while battle.state.stop != "engage":
        battle, _ = stops.resolve(battle, {}, Dice(3))
    assert officers_tick(seen(battle, 0), {}) is None
    second = start(setup([gunship("r1", 9, 9, "C")], [gunship("b1", 40, 9, "C")]), classes())
    assert officers_tick(seen(second, 0), {}) is None
