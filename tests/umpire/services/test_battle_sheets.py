"""Allies on one side: each orders its own ships, and their orders become those of the side."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any
from uuid import UUID

import pytest

from campaign import models
from campaign.services.stops import stop_violations
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.combat.taking_over import take_over
from engine.core.dice import Dice
from engine.core.kinds import DESTROYED
from engine.core.table import Table
from engine.stops import resolve
from tests.engine.battle.table import classes
from tests.engine.battle.test_whole_battles import first_battle
from tests.umpire.services.wars import campaign_of
from umpire.services.battle_sheets import Parties, StopSheets, lawful, merged, stop_told

pytestmark = pytest.mark.django_db
CHAIN = "0" * 64


def allied() -> tuple[Battle, Parties, dict[str, list[str]]]:
    """The first battle, with the ships of one side under two flags in turn, and whose they are."""
    battle = start(json.loads(json.dumps(first_battle())), classes())
    flags: dict[str, list[str]] = {"red": [], "blue": [], "green": []}
    for number, ship in enumerate(ship for ship in battle.state.ships if ship.owner == 0):
        flags["red" if number % 2 else "blue"].append(ship.id)
    flags["green"] = [ship.id for ship in battle.state.ships if ship.owner == 1]
    for name in flags["green"]:
        battle.state.named(name).x -= 30  # near enough that there is a stop for fire
    owners = {ship: key for key, ships in flags.items() for ship in ships}
    return battle, Parties((("blue", "red"), ("green",)), owners, (Doctrine(), Doctrine())), flags


def told(battle: Battle, parties: Parties, number: int = 0) -> StopSheets:
    campaign = campaign_of()
    row = models.Battle(
        branch=campaign.head_branch,
        week=1,
        key="0101/w1/blue+green+red",
        start={"table": [72, 48]},
        public_id=UUID(int=1),
    )
    return stop_told(row, battle, parties, number, (), battle.state, CHAIN)


def test_each_ally_is_asked_for_its_own_ships_and_may_order_no_others() -> None:
    battle, parties, flags = allied()
    stop = told(battle, parties)
    assert stop.asked == ("blue", "green", "red")
    for key, ships in flags.items():
        body = stop.bodies[key]
        assert body["mine"] == ships
        assert set(body["advice"]["plot"]) <= set(ships)
    red = stop.bodies["red"]
    assert red["view"] == stop.bodies["blue"]["view"]  # one side sees alike
    faults = stop_violations(
        red, {"plot": {flags["blue"][0]: "+1", flags["red"][0]: "+1", flags["green"][0]: "+1"}}
    )
    found = {(fault.where, fault.code) for fault in faults}
    assert found == {
        (f"plot.{flags['blue'][0]}", "not-yours"),
        (f"plot.{flags['green'][0]}", "unknown-ship"),
    }


def test_who_has_lost_all_is_not_asked_any_more() -> None:
    battle, parties, flags = allied()
    for name in flags["red"]:
        battle.state.named(name).status = DESTROYED
    assert told(battle, parties).asked == ("blue", "green")


def test_plots_of_allies_are_joined_and_their_fire_takes_turns() -> None:
    battle, parties, flags = allied()
    sealed: dict[str, Any] = {
        key: {"schema": 1, "battle": "x", "stop": 0, "plot": dict.fromkeys(ships, "+1")}
        for key, ships in flags.items()
    }
    assert merged(battle, parties.sides, sealed)[0] == {
        "plot": dict.fromkeys(flags["blue"] + flags["red"], "+1")
    }
    battle, _ = resolve(battle, {}, Dice(1))
    fire = {key: {"engage": [[ship, []] for ship in ships]} for key, ships in flags.items()}
    fire["red"] = {"engage": {ship: [] for ship in flags["red"]}}  # type: ignore[dict-item]
    order = [name for name, _ in merged(battle, parties.sides, fire)[0]["engage"]]
    turns = zip_longest(flags["blue"], sorted(flags["red"]))
    assert order == [name for turn in turns for name in turn if name is not None]


def test_what_cannot_be_carried_out_is_left_out_and_named() -> None:
    battle, _, flags = allied()
    first, second = flags["blue"][0], flags["red"][0]
    document, faults = lawful(battle, 0, {"plot": {first: "P6+6", second: "+1"}})
    assert document == {"plot": {second: "+1"}}
    assert [fault["where"] for fault in faults] == [f"plot.{first}"]
    assert lawful(battle, 0, document) == (document, [])
    battle, _ = resolve(battle, {}, Dice(1))
    rows = [
        [first, []],
        ["nobody", []],
        [first, []],
        [second, [{"weapon": "battery-1", "target": "nothing"}]],
    ]
    document, faults = lawful(battle, 0, {"engage": rows})
    assert document == {"engage": [[first, []]]}
    assert len(faults) == 3


def test_a_ship_that_a_side_takes_over_is_ordered_by_its_first_faction_under_its_code() -> None:
    battle, parties, flags = allied()
    state = battle.state
    ours, lost = flags["red"][0], flags["green"][0]
    for name, code in ((ours, "code-1"), (lost, "code-2")):
        state.named(name).contact = code
    take_over(Table(state, Dice(1)), state.named(lost), 0, "boarded")
    take_over(Table(state, Dice(1)), state.named(ours), 1, "boarded")
    stop = told(battle, parties)
    assert stop.bodies["blue"]["mine"] == [*flags["blue"], "code-2"]
    assert stop.bodies["red"]["mine"] == flags["red"][1:]
    assert sorted(stop.bodies["green"]["mine"]) == sorted([*flags["green"][1:], "code-1"])
    assert "code-2" in stop.bodies["blue"]["advice"]["plot"]
    assert f'"{lost}"' not in json.dumps(stop.bodies["blue"])
    assert stop_violations(stop.bodies["blue"], {"plot": {"code-2": "+1"}}) == ()
    for key, name, code in (
        ("red", "code-2", "not-yours"),
        ("green", lost, "unknown-ship"),
        ("red", ours, "unknown-ship"),
    ):
        faults = stop_violations(stop.bodies[key], {"plot": {name: "+1"}})
        assert [fault.code for fault in faults] == [code]
    after, _ = resolve(battle, {0: {"plot": {"code-2": "+1"}}}, Dice(1))
    assert after.state.named(lost).velocity == state.named(lost).velocity + 1
