"""A type of craft that one row adds: it flies and fires as its row says, tires, is seen, valued and stored as such.

`bomber`: eight to a group, slow, two dice at ships, none at craft, one attack; `hot` makes any type half as fast again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from campaign.pages.battle_log import Names
from campaign.pages.fights import things_of
from engine.battle import Battle, battle_from
from engine.captains.flying import points_of, taken_by
from engine.core.dice import Dice
from engine.core.orders import Flight
from engine.core.rolls import Effect, plain
from engine.core.state import BattleState
from engine.documents import replay
from engine.fighters.flights import flight_fault
from engine.pieces.craft_types import STANDARD, CraftType, craft_type, registered
from engine.pieces.group import Group
from engine.stops import resolve, side_view
from tests.engine.battle.flightdeck import aloft, deck
from tests.engine.battle.table import setup


def bombs(dice: Dice, purpose: str, subject: str, _screens: int) -> Effect:
    """Two dice, past any screens: a point for each 4 and more."""
    thrown = tuple(dice.roll(purpose, subject) for _ in range(2))
    return Effect(thrown, damage_types=plain(sum(die >= 4 for die in thrown)))


def nothing(_dice: Dice, _purpose: str, _subject: str, _screens: int) -> Effect:
    return Effect()


A = "r1/fighter-bay-1"
BOMBER = CraftType("bomber", bombs, nothing, full=8, speed=8.0, reach=4.0, endurance=1, word="bombers")


def hot(row: CraftType) -> CraftType:
    return replace(row, type=f"{row.type}+hot", speed=row.speed * 1.5)


@pytest.fixture(autouse=True)
def bombers() -> Iterator[None]:
    with registered(BOMBER, hot=hot):
        yield
    with pytest.raises(KeyError):
        craft_type("bomber")


def test_a_type_with_what_modifies_it_is_a_row_of_its_own() -> None:
    assert (craft_type("bomber+hot").speed, craft_type("standard+hot").speed) == (12.0, 18.0)
    assert craft_type("standard") is STANDARD
    with pytest.raises(ValueError, match="bomber"), registered(BOMBER):
        pass


def bombing(type_: str = "bomber") -> Battle:
    """Group `A` of red of that type, right before the bow of `b1`."""
    battle = aloft(setup([deck("r1", 60, 20, bays=1)], [deck("b1", 60, 60, course=6)]), (A, 60.0, 40.0, 12, 6))
    group = battle.state.piece(Group, A)
    target = next(ship for ship in battle.state.ships if ship.side == 1)
    target.bogey = False
    group.type, group.craft, group.x, group.y, group.course = type_, 8, target.x, target.y - 3, 12
    return battle


def test_it_flies_as_far_as_its_row_says() -> None:
    state: BattleState = bombing().state
    group = state.piece(Group, A)
    faults = {far: flight_fault(state, group, Flight(to=(group.x, group.y - far))) for far in (8.0, 10.0)}
    assert faults == {8.0: "", 10.0: "it flies 8 MU a turn"}
    group.type = "bomber+hot"
    assert flight_fault(state, group, Flight(to=(group.x, group.y - 10.0))) == ""


def test_it_fires_its_own_dice_once_and_is_stored_so() -> None:
    battle = bombing()
    battle.state.stop = "engage"
    target = next(ship for ship in battle.state.ships if ship.side == 1)
    order = {"engage": {A: [{"weapon": "fighters", "target": target.contact}]}}
    after, stop = resolve(battle, {0: order}, Dice("bombs"))
    (fired,) = (event for event in stop.events if event.kind == "fighters-fired")
    assert len(fired.to_json()["dice"]) == 16
    group = after.state.piece(Group, A)
    assert (group.spent, group.exhausted) == (1, True)
    again = battle_from(json.loads(json.dumps(after.to_json())))
    assert again.state.piece(Group, A) == group
    assert replay(battle.state, stop.events).piece(Group, A).spent == 1
    after.state.stop = "engage"
    refused = [event.to_json() for event in resolve(after, {0: order}, Dice("more"))[1].events]
    assert [line["why"] for line in refused if line["event"] == "shot-refused"] == ["its endurance is spent"]


def test_each_side_sees_what_it_is() -> None:
    battle = bombing()
    own, foreign = side_view(battle, 0)["groups"][0], side_view(battle, 1)["flyers"][0]
    assert (own["type"], foreign["type"]) == ("bomber", "bomber")
    (thing,) = things_of(side_view(battle, 1), Names({}), 120.0)
    assert thing.words.endswith("8 bombers")
    battle.state.piece(Group, A).type = STANDARD.type
    assert "type" not in side_view(battle, 0)["groups"][0]


def test_captains_value_it_by_its_own_dice() -> None:
    assert (points_of(BOMBER, 0), points_of(BOMBER, 2), taken_by(BOMBER)) == (1.0, 1.0, 0.0)
    assert points_of(STANDARD, 0) > points_of(STANDARD, 2) > 0
    assert taken_by(STANDARD) == 4 / 6
