"""Refusing dogfights: groups that may fly on when attacked, and groups that still get a shot."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.core.errors import RuleViolations
from engine.stops import read_orders
from tests.engine.craft import carrier_battles
from tests.engine.craft.carrier_battles import (
    E1,
    E2,
    F1,
    N1,
    S1,
    carriers,
    flying_groups,
    group,
    turn,
)
from tests.engine.craft.test_squadron_fights import to_attack
from tests.engine.defences.battles import log_lines, play_turns, start_battle

pytestmark = pytest.mark.rule("pc.dogfights")
OPTION = ("refuse-dogfights",)
AWAY = [60.0, 10.0]


def facing_groups(
    ours: str,
    theirs: str,
    options: tuple[str, ...] = OPTION,
    **more: Any,
) -> dict[str, Any]:
    """Return a battle with two groups in flight 2 MU from each other, each standard or fast."""
    document = carriers("standard", "standard", 14.0, options=options, **more)
    places = ([60, 27], [60, 29])
    for side, at, kind in zip(document["sides"], places, (ours, theirs), strict=True):
        for item in side["ships"][0]["design"]["systems"]:
            if item["type"] == "hangar" and kind == "fast":
                item["mods"] = ["fast"]
        course = 12 if at[1] < 28 else 6
        side["ships"][0]["groups"] = {"hangar-1": {"at": at, "course": course}}
    return document


def systems_of(document: dict[str, Any], side: int) -> list[dict[str, Any]]:
    """Return the systems of a side's ship in a battle document."""
    systems: list[dict[str, Any]] = document["sides"][side]["ships"][0]["design"]["systems"]
    return systems


def refused(**more: Any) -> dict[str, Any]:
    """Return a turn in which b1's group attacks r1's, which flies on."""
    attack = {E1: {"weapon": "fighters", "target": N1}, N1: {"to": AWAY}}
    return turn(attack=attack, **more)


def place(battle: Battle) -> list[float]:
    return [group(battle, N1).x, group(battle, N1).y]


def refusals(battle: Battle) -> list[str]:
    """Return why orders in the attack phase were not carried out."""
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


HAS_MOVED = "a group that has moved this turn cannot refuse a dogfight"
STAYS_BESIDE = "a group that screens or pursues cannot refuse a dogfight"


def test_faster_group_escapes_without_a_shot() -> None:
    battle = play_turns(facing_groups("fast", "standard"), refused())
    assert (place(battle), group(battle, N1).used_endurance, group(battle, E1).used_endurance) == (
        AWAY,
        0,
        0,
    )
    assert log_lines(battle, "fighters-fired") == []
    assert [line["group"] for line in log_lines(battle, "group-moved")] == [N1]
    assert [(line["group"], line["target"]) for line in log_lines(battle, "outrun")] == [(E1, N1)]


@pytest.mark.parametrize(("ours", "theirs"), [("standard", "standard"), ("standard", "fast")])
def test_equally_fast_group_is_fired_at_once(ours: str, theirs: str) -> None:
    battle = play_turns(facing_groups(ours, theirs), refused(), dogfight=[4, 1, 1, 1, 1, 1])
    assert [line["group"] for line in log_lines(battle, "fighters-fired")] == [E1]
    assert log_lines(battle, "outrun") == []
    assert (place(battle), group(battle, N1).craft) == (AWAY, 5)
    assert (group(battle, N1).used_endurance, group(battle, E1).used_endurance) == (0, 1)


def test_destroyed_group_does_not_fly() -> None:
    battle = play_turns(facing_groups("standard", "standard"), refused(), dogfight=[5] * 6)
    assert flying_groups(battle) == [E1]


def test_unattacked_group_stays() -> None:
    battle = play_turns(facing_groups("fast", "standard"), turn(attack={N1: {"to": AWAY}}))
    assert place(battle) == [60, 27]


def test_faster_fighters_get_a_shot() -> None:
    """b1's first group is as fast as the one that flies on, its second group is slower."""
    document = facing_groups("fast", "fast")
    document["sides"][1]["ships"][0]["groups"]["hangar-2"] = {"at": [61, 29], "course": 6}
    second = [item for item in systems_of(document, 1) if item["type"] == "hangar"][1]
    second.pop("mods", None)
    attackers = {name: {"weapon": "fighters", "target": N1} for name in (E1, E2)}
    battle = play_turns(document, turn(attack=attackers | {N1: {"to": AWAY}}), dogfight=[1] * 6)
    assert [line["group"] for line in log_lines(battle, "fighters-fired")] == [E1]
    assert [group(battle, name).used_endurance for name in (N1, E1, E2)] == [0, 1, 0]
    assert place(battle) == AWAY


def test_gunboats_fire_once_at_fighters_that_fly_on() -> None:
    """They are slower, but fire from a distance."""
    document = carriers("standard", "", 24.0, guard="gunboat-rack", options=OPTION)
    systems_of(document, 1)[-1]["load"] = {"beam": 6}
    red, blue = (side["ships"][0] for side in document["sides"])
    red["groups"] = {"hangar-1": {"at": [60, 27], "course": 12}}
    blue["groups"] = {"gunboat-rack-1": {"at": [60, 37], "course": 6}}
    attack = {F1: {"weapon": "boats", "target": N1}, N1: {"to": AWAY}}
    battle = play_turns(document, turn(attack=attack), dogfight=[5] + [1] * 11)
    assert [line["group"] for line in log_lines(battle, "fighters-fired")] == [F1]
    assert (place(battle), group(battle, N1).craft) == (AWAY, 5)


def test_gunboats_cannot_refuse() -> None:
    document = carrier_battles.squadrons("beam", 24.0, options=OPTION)
    squadron = {"at": [60, 27], "course": 12}
    document["sides"][0]["ships"][0]["groups"] = {"gunboat-rack-1": squadron}
    _, faults = read_orders(to_attack(start_battle(document)), 0, {"attack": {S1: [{"to": AWAY}]}})
    assert [fault.message for fault in faults] == [f"{S1}: gunboats cannot refuse a dogfight"]


def launching() -> dict[str, Any]:
    """Return a battle in which r1's groups are aboard at 60, 20 and b1's is beside them."""
    document = facing_groups("standard", "standard")
    document["sides"][0]["ships"][0].pop("groups")
    document["sides"][1]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 24]
    return document


def test_launched_group_flies_on_up_to_12() -> None:
    attack = {E1: {"weapon": "fighters", "target": N1}, N1: {"to": [60, 8]}}
    battle = play_turns(
        launching(), turn(carrier_battles.launch(), attack=attack), dogfight=[1] * 6
    )
    assert place(battle) == [60, 8]


def test_launched_group_flies_no_farther_than_12() -> None:
    battle = to_attack(start_battle(launching()), {0: {"plot": carrier_battles.launch()}})
    _, faults = read_orders(battle, 0, {"attack": {N1: [{"to": [60, 7]}]}})
    assert [fault.message for fault in faults] == [f"{N1}: it can fly only 12 MU"]


@pytest.mark.parametrize(
    ("moves", "at"),
    [
        ({"fighters": {N1: "to 60 26; face 12"}}, [60, 26]),
        ({"fighters": {N1: "face 12"}}, [60, 27]),
        ({"secondary": {N1: "to 60 26; face 12"}}, [60, 26]),
        ({"fighters": {N1: "screen r1", E1: "to 60 24; face 6"}}, [60, 20]),
    ],
)
def test_group_that_moved_must_fight(moves: dict[str, Any], at: list[float]) -> None:
    battle = play_turns(facing_groups("fast", "standard"), refused(**moves), dogfight=[1] * 12)
    assert (place(battle), refusals(battle)) == (at, [HAS_MOVED])


def test_group_screening_a_ship_must_fight() -> None:
    """It took its place in the turn before, and has not moved since."""
    document = facing_groups("fast", "standard")
    moves = {N1: "screen r1", E1: "to 60 24; face 6"}
    battle = play_turns(document, turn(fighters=moves), refused(), dogfight=[1] * 12)
    assert (place(battle), refusals(battle)) == ([60, 20], [STAYS_BESIDE])


def test_group_pursuing_a_ship_must_fight() -> None:
    document = facing_groups("fast", "standard")
    strike = {"fighters": {N1: "to 60 30; face 12"}, "attack": {N1: "fighters>b1"}}
    first = turn(**strike, defend={"b1": []})
    then = refused(fighters={N1: "pursue b1", E1: "to 60 38; face 6"})
    battle = play_turns(document, first, then, fighter=[1] * 6, dogfight=[1] * 12)
    assert (place(battle), refusals(battle)) == ([60, 34], [STAYS_BESIDE])


@pytest.mark.rule("pc.fire-at-fighters", "pc.fighter-targets")
@pytest.mark.parametrize("attacked", [True, False])
def test_ships_fire_neither_at_the_evader_nor_at_its_attacker(attacked: bool) -> None:
    """Both are engaged for the turn (8.7); without an attack ships fire at them."""
    document = facing_groups("fast", "standard", beside="beam:1@ALL", guard="beam:3@ALL")
    shots = {
        "r1": [{"weapon": "beam-1", "target": E1}],
        "b1": [{"weapon": "beam-1", "target": N1}],
    }
    if attacked:
        battle = play_turns(document, refused(engage=shots))
    else:
        battle = play_turns(document, turn(attack={N1: {"to": AWAY}}, engage=shots), to_hit=[1, 1])
    fired = {line["group"] for line in log_lines(battle, "group-shot-at")}
    assert fired == (set() if attacked else {N1, E1})


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ([{"to": [60, 90]}], "it can fly only 24 MU"),
        ([{"actions": ["engage"], "to": AWAY}], "dogfight-actions"),
    ],
)
def test_invalid_refusals(orders: Any, words: str) -> None:
    battle = to_attack(start_battle(facing_groups("standard", "standard")))
    _, faults = read_orders(battle, 0, {"attack": {N1: orders}})
    assert [words in fault.message for fault in faults] == [True]


def test_attacking_group_must_fight() -> None:
    attack = {N1: [{"weapon": "fighters", "target": E1, "to": AWAY}]}
    battle = play_turns(facing_groups("fast", "standard"), turn(attack=attack), dogfight=[1] * 12)
    assert [group(battle, N1).x, group(battle, N1).y] == [60, 27]
    assert refusals(battle) == ["a group that attacks cannot refuse a dogfight"]


def test_dogfight_actions_exclude_refusals() -> None:
    words = "'refuse-dogfights' and 'dogfight-actions' cannot both be in use"
    with pytest.raises(RuleViolations, match=words):
        start_battle(facing_groups("standard", "standard", ("dogfight-actions", *OPTION)))
