"""Boarding: how boarders arrive, the fight turn by turn, prizes, and who knows of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, fight, play_orders, start
from engine.captains.common.doctrine import Doctrine
from engine.continuum.damage import apply_damage, mark_damage
from engine.core.dice import Dice
from engine.core.kinds import CAPTURED, DESTROYED, FTL, HULK, HULL
from engine.core.orders import Control
from engine.core.rolls import TypedDamage
from engine.core.state import CONTROL, ENGAGE
from engine.core.table import Table
from engine.notation.battles import read_battle
from engine.notation.boarding import agrees_on_boarding
from engine.systems.outfit import marines_of, parties_of
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.control.hulls import (
    battle,
    design,
    events_of,
    lost_systems,
    play_to_control,
    replays,
    resolve_next,
    scripted,
    ship,
)

RED, BLUE, GREEN = 0, 1, 2
SENDER = design("beam:2 transporter:1 transporter:1 marines marines")
KIANG = design("transporter:1 marines marines marines marines", cls="Kiang")
WULKAN = design("marines marines", cls="Wulkan", mass=120, boxes=36)


def boarded_battle(boarders: dict[str, Any], hull: dict[str, Any] = WULKAN, **more: Any) -> Battle:
    """Return a battle that begins with boarders aboard red's ship."""
    ours = ship("n1", hull=hull, boarders=boarders, **more)
    return battle([ours], foes=[ship("e1", 90, 90, KIANG), ship("e2", 95, 90, KIANG)])


def ordered(battle: Battle, red: dict[str, Any], blue: dict[str, Any], **dice: list[int]) -> Battle:
    """Resolve damage control as people order it."""
    after, _ = stops.resolve_documents(battle, {RED: red, BLUE: blue}, scripted(**dice))
    return after


@pytest.mark.rule("pc.boarding", "pc.damage-control")
def test_example_two_parties_of_three_and_two_marines_meet_four_marines() -> None:
    battle = boarded_battle({"blue": {"marines": 4}})
    ours = battle.state.ship_by_name("n1")
    assert parties_of(ours) == 6
    assert len(marines_of(ours)) == 2
    at = play_to_control(battle)
    repel = {"repel": [[3, "hull"], [3, "hull"]], "marines": {"marines": 2, "hull": 0}}
    fought = ordered(
        at, {"control": {"n1": repel}}, {"board": {at.state.ship_by_name("n1").contact: {"at_marines": 2}}},
        boarding=[2, 5, 4, 3, 4, 6],
    )  # fmt: skip
    ours = fought.state.ship_by_name("n1")
    assert ours.boarders_by_side() == {BLUE: (2, 0)}  # one killed of each pair
    assert lost_systems(ours) == ["marines-1", "marines-2"]
    assert ours.damage == 1  # boarders who fought marines wreck nothing
    (line,) = events_of(fought, "fought-aboard")
    assert line.repelled == ((3, 2), (3, 5))
    assert (line.defended, line.attacked) == ((4, 3), (4, 6))
    assert replays(battle, fought)


@pytest.mark.rule("pc.boarding")
def test_default_boarders_sabotage_and_marines_fire() -> None:
    at = play_to_control(boarded_battle({"blue": {"marines": 2, "parties": 1}}))
    fought = resolve_next(at, boarding=[4, 3])
    ours = fought.state.ship_by_name("n1")
    assert ours.boarders_by_side() == {BLUE: (2, 0)}  # a party is lost before a marine
    assert ours.damage == 2
    assert not events_of(fought, "fought-aboard")[0].repelled


@pytest.mark.rule("pc.boarding")
def test_boarding_hits_bypass_armour_and_finished_rows_check_systems() -> None:
    hull = design("marines screen", armour=[[3, 0]])
    at = play_to_control(boarded_battle({"blue": {"marines": 3}}, hull, notes={}))
    fought = resolve_next(at, boarding=[1], threshold=[1, 1, 6, 1])
    ours = fought.state.ship_by_name("n1")
    assert ours.damage == 3
    assert ours.armour == ((3, 0),)
    assert lost_systems(ours) == ["drive"]
    assert [name for name, _ in events_of(fought, "threshold")[0].rolls] == [
        "firecon-1",
        "screen-1",
        "drive",
    ]


@pytest.mark.rule("pc.boarding")
def test_weapon_check_finds_boarders_of_earlier_turns() -> None:
    state = boarded_battle({"blue": {"marines": 2}}, design()).state
    ours = state.ship_by_name("n1")
    ours.add_boarders(BLUE, 1, 0)
    log: list[Any] = []
    apply_damage(
        Table(state, scripted(threshold=[1, 1, 6]), log.append),
        ours,
        (TypedDamage(3, HULL),),
        "missile",
    )
    assert ours.boarders_by_side() == {BLUE: (1, 0)}
    assert [event.kind for event in log] == ["damaged", "threshold", "boarders-checked"]


@pytest.mark.rule("pc.boarding", "pc.damage-control")
def test_defending_parties_repair_nothing() -> None:
    at = play_to_control(
        boarded_battle({"blue": {"marines": 1}}, design("screen", mass=60), lost=["screen-1"])
    )
    wrong = {
        "control": {
            "n1": {"repel": [[3, "hull"]], "repairs": [{"system": "screen-1", "parties": 1}]}
        }
    }
    _, faults = stops.read_orders(at, RED, wrong)
    assert [fault.code for fault in faults] == ["too-many-parties"]
    split = {
        "control": {
            "n1": {"repel": [[2, "hull"]], "repairs": [{"system": "screen-1", "parties": 1}]}
        }
    }
    fought = ordered(at, split, {}, boarding=[5], repair=[1])
    assert fought.state.ship_by_name("n1").boarders_by_side() == {}
    assert not lost_systems(fought.state.ship_by_name("n1"))


@pytest.mark.rule("pc.boarding")
@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ({"control": {"n1": {"repel": [[4, "hull"]]}}}, "parties"),
        ({"control": {"n1": {"repel": [[1, "bridge"]]}}}, "task"),
        ({"control": {"n1": {"repel": [1]}}}, "not-a-pair"),
        ({"control": {"n1": {"marines": 2}}}, "not-a-mapping"),
        ({"control": {"n1": {"marines": {"hull": -1}}}}, "marines"),
        ({"board": {"n1": {"at_marines": 1}}}, "nobody-aboard"),
        ({"board": {"x": {"at_marines": 1}}}, "unknown-ship"),
        ({"board": {"n1": {"at_marines": -1}}}, "boarders"),
        ({"board": {"n1": 3}}, "not-a-mapping"),
        ({"board": []}, "not-a-mapping"),
    ],
)
def test_impossible_orders_are_named(orders: dict[str, Any], code: str) -> None:
    _, faults = stops.read_orders(
        play_to_control(boarded_battle({"blue": {"marines": 1}})), RED, orders
    )
    assert code in [fault.code for fault in faults]


@pytest.mark.rule("pc.boarding")
def test_nobody_defends_without_boarders() -> None:
    at = play_to_control(battle([ship("n1", lost=["firecon-1"])], "boarding"))
    _, faults = stops.read_orders(at, RED, {"control": {"n1": {"repel": [[1, "hull"]]}}})
    assert [fault.code for fault in faults] == ["not-boarded"]


@pytest.mark.rule("pc.boarding")
def test_last_box_takes_the_ship_and_a_point_destroys_it() -> None:
    battle = boarded_battle({"blue": {"marines": 2}}, design("beam:2"), damage=11)
    fought = resolve_next(play_to_control(battle))
    prize = fought.state.ship_by_name("n1")
    assert prize.status == CAPTURED
    assert (prize.owner, prize.commander) == (RED, BLUE)
    assert [event.kind for event in fought.events if event.kind in ("taken-over", "captured")] == [
        "taken-over",
        "captured",
    ]
    assert replays(battle, fought)
    assert fought.winner == "blue"


def sender_and_target(
    hull: dict[str, Any], target: dict[str, Any], *options: str, **more: Any
) -> Battle:
    """Return a ship with transporters, and one of blue's six MU ahead of it."""
    mine = [ship("n1", 30, 30, hull), ship("n2", 31, 33)]
    return battle(mine, "boarding", *options, foes=[ship("e1", 30, 36, target, **more)])


def fire_transporters(battle: Battle, fire: list[dict[str, Any]], **dice: list[int]) -> Battle:
    """Return the battle after its first fire, with orders as people write them."""
    battle = resolve_next(battle)
    assert battle.state.stop == ENGAGE
    after, _ = stops.resolve_documents(battle, {RED: {"engage": {"n1": fire}}}, scripted(**dice))
    return after


def shot(
    battle: Battle, weapon: str = "transporter-1", target: str = "e1", **more: Any
) -> dict[str, Any]:
    return {"weapon": weapon, "target": battle.state.ship_by_name(target).contact, **more}


@pytest.mark.rule("pc.boarding", "pc.transporters")
def test_each_hit_sends_a_marine_who_fights_the_same_turn() -> None:
    battle = sender_and_target(SENDER, design("", boxes=12))
    aimed = [
        shot(battle, marines=1, parties=1),
        shot(battle, "transporter-2", marines=1, parties=1),
    ]
    there = fire_transporters(battle, aimed, beam=[6, 1])
    sender, target = there.state.ship_by_name("n1"), there.state.ship_by_name("e1")
    assert target.boarders_by_side() == {RED: (1, 1)}
    assert sender.record.marines_away == {"marines-1"}
    assert parties_of(sender) == 4
    assert not lost_systems(sender)
    assert there.state.stop == CONTROL
    after = resolve_next(there)
    assert after.state.ship_by_name("e1").damage == 2
    assert replays(battle, after)


@pytest.mark.rule("pc.transporters")
def test_default_sends_a_marine_per_hit() -> None:
    initial_battle = sender_and_target(SENDER, design())
    there = fire_transporters(
        initial_battle, [shot(initial_battle), shot(initial_battle, "transporter-2")], beam=[6, 6]
    )
    assert there.state.ship_by_name("e1").boarders_by_side() == {RED: (2, 0)}
    initial_battle = battle([ship("n1", 30, 30, SENDER)], foes=[ship("e1", 30, 36)])
    there = fire_transporters(initial_battle, [shot(initial_battle)], beam=[6])
    assert there.state.ship_by_name("e1").boarders_by_side() == {}  # boarding is not allowed


@pytest.mark.rule("pc.transporters")
def test_transporter_reinforces_a_friend() -> None:
    battle = sender_and_target(SENDER, design())
    there = fire_transporters(battle, [{"weapon": "transporter-1", "target": "n2"}], beam=[4])
    friend = there.state.ship_by_name("n2")
    assert friend.boarders_by_side() == {RED: (1, 0)}
    friend.set_boarders({RED: (1, 0), BLUE: (1, 0)})
    there.state.stop = CONTROL
    after = resolve_next(there, boarding=[4])
    assert after.state.ship_by_name("n2").boarders_by_side() == {RED: (1, 0)}
    assert after.state.ship_by_name("n2").damage == 0


@pytest.mark.rule("pc.boarding")
def test_fallen_marines_are_lost_on_their_own_sheet() -> None:
    battle = sender_and_target(SENDER, WULKAN)
    there = fire_transporters(battle, [shot(battle)], beam=[4])
    after = resolve_next(there, boarding=[6])
    assert lost_systems(after.state.ship_by_name("n1")) == ["marines-1"]
    assert not after.state.ship_by_name("n1").record.marines_away
    assert after.state.ship_by_name("e1").boarders_by_side() == {}


@pytest.mark.rule("pc.boarding")
def test_fight_continues_aboard_in_ftl() -> None:
    battle = boarded_battle({"blue": {"marines": 2}}, design("", boxes=12))
    at = play_to_control(battle)
    at.state.ship_by_name("n1").status = FTL
    after = resolve_next(at, boarding=[1, 1] * 6, threshold=[1] * 12)
    prize = after.state.ship_by_name("n1")
    assert (prize.status, prize.commander) == (FTL, BLUE)


@pytest.mark.rule("pc.boarding")
def test_boarders_are_lost_with_a_ship_and_a_hulk_is_taken_unopposed() -> None:
    at = play_to_control(boarded_battle({"blue": {"marines": 1}}))
    at.state.ship_by_name("n1").destroy()
    assert resolve_next(at).state.ship_by_name("n1").boarders_by_side() == {}
    at = play_to_control(boarded_battle({"blue": {"marines": 1}}))
    at.state.ship_by_name("n1").status = HULK
    assert resolve_next(at).state.ship_by_name("n1").status == CAPTURED


@pytest.mark.rule("pc.boarding")
def test_prize_can_be_retaken_or_destroyed() -> None:
    captured_battle = resolve_next(
        play_to_control(boarded_battle({"blue": {"marines": 1}}, design("beam:2"), damage=11))
    )
    prize = captured_battle.state.ship_by_name("n1")
    prize.set_boarders({RED: (2, 0), BLUE: (1, 0)})
    captured_battle.state.stop = CONTROL
    after = resolve_next(captured_battle, boarding=[1, 3, 4])
    assert (after.state.ship_by_name("n1").status, after.state.ship_by_name("n1").commander) == (
        HULK,
        RED,
    )

    mark_damage(Table(captured_battle.state, scripted()), prize, (TypedDamage(1, HULL),), "fire:n1")
    assert prize.status == DESTROYED


@pytest.mark.rule("pc.boarding")
def test_parties_alone_fight_to_an_end_in_a_prize_that_left() -> None:
    """They defend nothing, so each would take the ship from the other for ever."""
    battle = resolve_next(
        play_to_control(boarded_battle({"blue": {"marines": 1}}, design("beam:2"), damage=11))
    )
    prize = battle.state.ship_by_name("n1")
    prize.status = FTL
    prize.set_boarders({RED: (0, 1), BLUE: (0, 1)})
    battle.state.stop = CONTROL
    after = resolve_next(battle, boarding=[1, 1, 1, 6]).state.ship_by_name("n1")
    assert (after.commander, after.boarders_by_side()) == (RED, {RED: (0, 1)})


@pytest.mark.rule("pc.boarding")
def test_only_the_two_sides_know_the_numbers_aboard() -> None:
    sides = [
        {"name": "red", "ships": [ship("n1", hull=WULKAN, boarders={"blue": {"marines": 3}})]},
        {"name": "blue", "ships": [ship("e1", 90, 90)]},
        {"name": "green", "ships": [ship("g1", 90, 10)]},
    ]
    battle = start({"edition": "continuum", "table": [120, 120], "sides": sides})
    views = [observe(battle.state, side).to_json() for side in (RED, BLUE, GREEN)]
    contact = battle.state.ship_by_name("n1").contact
    assert views[RED]["own"]["n1"]["notes"] == {"boarders:marines-1": 3}
    assert views[BLUE]["boarders"] == {contact: {"marines": 3, "parties": 0}}
    assert "boarders" not in views[GREEN]
    assert all("notes" not in view for view in views[GREEN]["contacts"])
    at = play_to_control(battle)
    assert stops.awaited_sides(at) == (RED, BLUE)
    after = resolve_next(at, boarding=[1, 1])
    logs = [
        [line["event"] for line in side_log(after.events, battle.state, side)]
        for side in (RED, BLUE, GREEN)
    ]
    assert [log.count("fought-aboard") for log in logs] == [1, 1, 0]
    other = play_to_control(battle)
    other.state.ship_by_name("n1").set_boarders({BLUE: (1, 0)})
    assert observe(other.state, GREEN).to_json() == observe(at.state, GREEN).to_json()


@pytest.mark.rule("pc.boarding")
def test_battle_file_has_boarding_orders_and_boarders() -> None:
    document = {
        "edition": "continuum",
        "table": [120, 120],
        "sides": [
            {"name": "red", "ships": [ship("n1", hull=WULKAN, boarders={"blue": {"marines": 4}})]},
            {"name": "blue", "ships": [ship("e1", 90, 90, KIANG)]},
        ],
        "turns": [
            {
                "board": {"n1": {"at_marines": 2}},
                "control": {
                    "n1": {
                        "repel": [[3, "hull"], [3, "hull"]],
                        "marines": {"marines": 2, "hull": 0},
                    }
                },
            }
        ],
        "dice": {"boarding": [2, 5, 4, 3, 4, 6]},
    }
    file = read_battle(document, {})
    assert file.options == ("boarding",)
    after = play_orders(start(document), file.dice(), file.turns)
    assert after.state.ship_by_name("n1").boarders_by_side() == {BLUE: (2, 0)}


AT_E1 = {"weapon": "transporter-1", "target": "e1"}


@pytest.mark.rule("pc.boarding")
@pytest.mark.parametrize(
    ("turn", "agrees"),
    [
        ({"plot": {"n1": "+1; board e1 1"}}, True),
        ({"plot": [["n1", "BOARD e1 0 1"]]}, True),
        ({"engage": {"n1": [AT_E1]}}, True),
        ({"engage": [["n1", [AT_E1]]]}, True),
        ({"engage": {"n1": [AT_E1 | {"parties": 1}]}}, True),
        ({"engage": {"n1": [{"weapon": "boarding-torpedo-1", "target": "e1"}]}}, True),
        ({"attack": {"n1/hangar-1": [{"weapon": "shuttles", "target": "e1", "marines": 1}]}}, True),
        ({"control": {"n1": {"repel": [[3, "hull"]]}}}, True),
        ({"board": {"e1": {"at_marines": 0}}}, True),
        (
            {"plot": {"n1": "dock e1"}, "engage": {"n1": [{"weapon": "beam-1", "target": "e1"}]}},
            False,
        ),
        ({"engage": {"n1": [AT_E1 | {"mode": "raid", "system": "drive"}]}}, False),
        ({"plot": 7, "engage": "all", "attack": [[]], "control": {"n1": None}}, False),
    ],
)
def test_any_boarding_entry_implies_the_option(turn: Any, agrees: bool) -> None:
    assert agrees_on_boarding({"turns": [turn]}) is agrees


@pytest.mark.rule("pc.boarding")
def test_captains_send_marines_and_repel_boarders() -> None:
    at = play_to_control(boarded_battle({"blue": {"marines": 3}}))
    assert stops.advise(at, RED, Doctrine(), "x")["control"]["n1"]["repel"] == [
        [3, "hull"],
        [3, "hull"],
    ]
    assert stops.advise(at, BLUE, Doctrine(), "x")["board"] == {
        at.state.ship_by_name("n1").contact: {"at_marines": 2}
    }
    at.state.hostile = (0, 0)  # aboard a friend there is nobody to attack
    assert "board" not in stops.advise(at, BLUE, Doctrine(), "x")
    battle = sender_and_target(SENDER, design("beam:2"))
    kinds = {event.kind for event in fight(battle, {}, Dice(3), "x", 6).events}
    assert {"boarded", "fought-aboard"} <= kinds


def test_boarding_orders_have_words() -> None:
    control = Control(repel=((3, "hull"),), marines=(2, 0))
    document: Any = control.to_json()
    assert document == {"repairs": [], "repel": [[3, "hull"]], "marines": {"marines": 2, "hull": 0}}
    assert control.words() == "repel hull with 3"
