"""Allies on one side: each orders its own ships, and their orders are combined."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any
from uuid import UUID

import pytest

from campaign import models
from campaign.services.phases import phase_violations
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.combat.capture import take_over
from engine.core.dice import Dice
from engine.core.kinds import DESTROYED
from engine.core.table import Table
from engine.stops import resolve_documents
from tests.engine.battle.table import classes
from tests.engine.battle.test_whole_battles import first_battle
from tests.umpire.services.wars import campaign_of
from umpire.adjudication.phase_orders import merge_by_side, valid_part
from umpire.services.battle_sheets import (
    BattleParties,
    PhaseSheets,
    phase_sheets_for,
)

pytestmark = pytest.mark.django_db
CHAIN = "0" * 64


def allied_battle() -> tuple[Battle, BattleParties, dict[str, list[str]]]:
    """Return the first battle with one side's ships divided among two factions, and the owners."""
    battle = start(json.loads(json.dumps(first_battle())), classes())
    flags: dict[str, list[str]] = {"red": [], "blue": [], "green": []}
    for number, ship in enumerate(ship for ship in battle.state.ships if ship.owner == 0):
        flags["red" if number % 2 else "blue"].append(ship.id)
    flags["green"] = [ship.id for ship in battle.state.ships if ship.owner == 1]
    for name in flags["green"]:
        battle.state.ship_by_name(name).x -= 30  # near enough for a fire phase
    owners = {ship: key for key, ships in flags.items() for ship in ships}
    return (
        battle,
        BattleParties((("blue", "red"), ("green",)), owners, (Doctrine(), Doctrine())),
        flags,
    )


def sheets_of_phase(battle: Battle, parties: BattleParties, number: int = 0) -> PhaseSheets:
    campaign = campaign_of()
    row = models.Battle(
        branch=campaign.head_branch,
        week=1,
        key="0101/w1/blue+green+red",
        start={"table": [72, 48]},
        public_id=UUID(int=1),
    )
    return phase_sheets_for(
        row, battle, parties, number=number, since=(), before=battle.state, chain=CHAIN
    )


def test_allies_order_their_own_ships_only() -> None:
    battle, parties, flags = allied_battle()
    phase = sheets_of_phase(battle, parties)
    assert phase.awaited_factions == ("blue", "green", "red")
    for key, ships in flags.items():
        body = phase.bodies[key]
        assert body["mine"] == ships
        assert set(body["advice"]["plot"]) <= set(ships)
    red = phase.bodies["red"]
    assert red["view"] == phase.bodies["blue"]["view"]  # allies see the same
    faults = phase_violations(
        red, {"plot": {flags["blue"][0]: "+1", flags["red"][0]: "+1", flags["green"][0]: "+1"}}
    )
    fault_codes = {(fault.where, fault.code) for fault in faults}
    assert fault_codes == {
        (f"plot.{flags['blue'][0]}", "not-yours"),
        (f"plot.{flags['green'][0]}", "unknown-ship"),
    }


def test_faction_without_ships_is_not_asked() -> None:
    battle, parties, flags = allied_battle()
    for name in flags["red"]:
        battle.state.ship_by_name(name).status = DESTROYED
    assert sheets_of_phase(battle, parties).awaited_factions == ("blue", "green")


def test_plots_of_allies_are_joined_and_their_fire_alternates() -> None:
    battle, parties, flags = allied_battle()
    sealed: dict[str, Any] = {
        key: {"schema": 1, "battle": "x", "stop": 0, "plot": dict.fromkeys(ships, "+1")}
        for key, ships in flags.items()
    }
    assert merge_by_side(battle, parties.sides, sealed)[0] == {
        "plot": dict.fromkeys(flags["blue"] + flags["red"], "+1")
    }
    battle, _ = resolve_documents(battle, {}, Dice(1))
    fire = {key: {"engage": [[ship, []] for ship in ships]} for key, ships in flags.items()}
    fire["red"] = {"engage": {ship: [] for ship in flags["red"]}}  # type: ignore[dict-item]
    order = [name for name, _ in merge_by_side(battle, parties.sides, fire)[0]["engage"]]
    turns = zip_longest(flags["blue"], sorted(flags["red"]))
    assert order == [name for turn in turns for name in turn if name is not None]


def test_impossible_orders_are_dropped_and_named() -> None:
    battle, _, flags = allied_battle()
    first, second = flags["blue"][0], flags["red"][0]
    document, faults = valid_part(battle, 0, {"plot": {first: "P6+6", second: "+1"}})
    assert document == {"plot": {second: "+1"}}
    assert [fault["where"] for fault in faults] == [f"plot.{first}"]
    assert valid_part(battle, 0, document) == (document, [])
    battle, _ = resolve_documents(battle, {}, Dice(1))
    rows = [
        [first, []],
        ["nobody", []],
        [first, []],
        [second, [{"weapon": "battery-1", "target": "nothing"}]],
    ]
    document, faults = valid_part(battle, 0, {"engage": rows})
    assert document == {"engage": [[first, []]]}
    assert len(faults) == 3


def test_captured_ship_is_ordered_by_its_captors_first_faction() -> None:
    battle, parties, flags = allied_battle()
    state = battle.state
    own_ship, lost_ship = flags["red"][0], flags["green"][0]
    for name, code in ((own_ship, "code-1"), (lost_ship, "code-2")):
        state.ship_by_name(name).contact = code
    take_over(Table(state, Dice(1)), state.ship_by_name(lost_ship), 0, "boarded")
    take_over(Table(state, Dice(1)), state.ship_by_name(own_ship), 1, "boarded")
    phase = sheets_of_phase(battle, parties)
    assert phase.bodies["blue"]["mine"] == [*flags["blue"], "code-2"]
    assert phase.bodies["red"]["mine"] == flags["red"][1:]
    assert sorted(phase.bodies["green"]["mine"]) == sorted([*flags["green"][1:], "code-1"])
    assert "code-2" in phase.bodies["blue"]["advice"]["plot"]
    assert f'"{lost_ship}"' not in json.dumps(phase.bodies["blue"])
    assert phase_violations(phase.bodies["blue"], {"plot": {"code-2": "+1"}}) == ()
    for key, name, code in (
        ("red", "code-2", "not-yours"),
        ("green", lost_ship, "unknown-ship"),
        ("red", own_ship, "unknown-ship"),
    ):
        faults = phase_violations(phase.bodies[key], {"plot": {name: "+1"}})
        assert [fault.code for fault in faults] == [code]
    after, _ = resolve_documents(battle, {0: {"plot": {"code-2": "+1"}}}, Dice(1))
    assert (
        after.state.ship_by_name(lost_ship).velocity == state.ship_by_name(lost_ship).velocity + 1
    )
