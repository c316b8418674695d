"""Core system damage carries over between battles of a campaign until a base has repaired it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.codec import decode, encode
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.perception import build_view
from campaign.rules.queries import ship_classes
from campaign.rules.world import Engagement, Fleet, Ship, World
from engine.battle import Battle, resolve_stop, start
from engine.core.dice import KeyedDice, ScriptedDice
from engine.core.versions import NEWEST
from engine.order_requests.base import TurnOrders
from umpire.adjudication.battles import battle_result, battle_setup
from umpire.adjudication.repairs import replenish_ship, roll_repairs
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.core-systems", "camp.battle")

WAR = fixture_scenario("lafayette-continuum")
CLASSES = ship_classes(WAR)
HEX = "1408"
DUEL = Engagement(f"{HEX}/w3/esu+nac", HEX, (("esu",), ("nac",)), (("esu", "nac"),))
CORES = ("bridge", "life-support", "power-core")


def world(**changes: Any) -> World:
    """Return a battle at Lafayette of one cruiser a side; `changes` apply to the NAC's."""
    fleets = (Fleet("esu/f1", "esu", "Red", HEX), Fleet("nac/f1", "nac", "Blue", HEX))
    ships = (
        Ship("esu/s1", "esu", "Baikal", "Baikal Heavy Cruiser", "esu/f1"),
        replace(Ship("nac/s1", "nac", "Warden", "Warden Heavy Cruiser", "nac/f1"), **changes),
    )
    return World(3, "battles", fleets, ships, initial_world(WAR).holdings, engagements=(DUEL,))


def start_battle(before: World, rules: str = NEWEST) -> Battle:
    return start(battle_setup(WAR, before, DUEL, salt=b"salt", rules=rules))


def ship_after(before: World, ended: Battle) -> Ship:
    """Return the NAC's ship after the battle, and its week, as stored."""
    result = battle_result(WAR, before, DUEL, ended.to_json(), ended.winner, ended.turn)
    world_after = resolve(
        WAR, before, {}, {DUEL.key: result}, KeyedDice(b"x" * 32, ("battles",))
    ).world
    assert decode(World, encode(world_after)) == world_after
    return next(ship for ship in world_after.ships if ship.key == "nac/s1")


def test_notes_go_to_the_battle_and_back() -> None:
    notes = (("air-fails", 4), ("irreparable:beam-1", 1), ("out-of-control", 3), ("reactor", 5))
    before = world(lost=("beam-1", *CORES), notes=notes)
    battle = start_battle(before)
    assert battle.state.ship_by_name("nac/s1").facts() == dict(notes)
    for _ in range(2):
        battle, _ = resolve_stop(battle, TurnOrders(), ScriptedDice({"reactor": [4]}))
    assert (battle.state.stop, battle.turn) == ("plot", 2)
    battle.state.stop, battle.state.turn = "over", 1
    ship = ship_after(before, battle)
    assert ship.lost == ("beam-1", *CORES)
    assert dict(ship.notes) == {
        "air-fails": 3,
        "irreparable:beam-1": 1,
        "out-of-control": 2,
        "reactor": 5,
    }
    assert start_battle(world(lost=ship.lost, notes=ship.notes)).state.ship_by_name(
        "nac/s1"
    ).facts() == dict(ship.notes)


def test_missing_notes_are_rolled_from_the_campaign_secret() -> None:
    """This is the case after a battle at a table, whose result does not include them."""
    before = world(lost=CORES)
    first, again = (
        start_battle(before).state.ship_by_name("nac/s1"),
        start_battle(before).state.ship_by_name("nac/s1"),
    )
    assert first.facts() == again.facts()
    assert (
        sorted(first.facts()) == ["air-fails", "out-of-control", "reactor"]
        or "irreparable:bridge" in first.facts()
    )
    others = [
        start(battle_setup(WAR, before, DUEL, salt=bytes([n]))).state.ship_by_name("nac/s1").facts()
        for n in range(8)
    ]
    assert any(notes != first.facts() for notes in others)


def test_notes_are_private() -> None:
    before = world(lost=("power-core",), notes=(("reactor", 5),))
    assert b"reactor" in encode(build_view(WAR, before, "nac", None, ()))
    assert b"reactor" not in encode(build_view(WAR, before, "esu", None, ()))


@pytest.mark.rule("camp.system-repairs", "camp.prizes")
def test_repaired_system_has_no_note() -> None:
    notes = (("irreparable:beam-1", 1), ("reactor", 5))
    hurt = Ship(
        "nac/s1",
        "nac",
        "Warden",
        "Warden Heavy Cruiser",
        "nac/f1",
        lost=("beam-1", "power-core"),
        notes=notes,
    )
    cls = CLASSES[hurt.cls]
    dice = ScriptedDice({"repair": [2, 3]})
    ship, _ = roll_repairs(cls, replace(hurt, repair=("beam-1", "power-core")), dice)
    assert (ship.lost, ship.notes) == (("beam-1",), (("irreparable:beam-1", 1),))
    fit, _ = roll_repairs(
        cls, replace(hurt, laid_up=True, notes=(("irreparable:power-core", 1),)), ScriptedDice({})
    )
    assert (fit.laid_up, fit.lost, fit.notes) == (False, ("beam-1",), ())


@pytest.mark.rule("camp.replenish")
def test_replaced_armour_has_no_scars() -> None:
    base = next(system.facility for system in WAR.systems if system.id == "new-toledo")
    assert base is not None
    hurt = Ship(
        "nac/s1",
        "nac",
        "Prism",
        "Prism Cruiser",
        "nac/f1",
        stock=(("regenerative-1", 3),),
        notes=(("scarred:0", 2),),
    )
    assert (replenish_ship(base, hurt).stock, replenish_ship(base, hurt).notes) == ((), ())
