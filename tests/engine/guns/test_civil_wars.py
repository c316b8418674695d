"""Civil wars: the bonus for knowing the enemy's ships, by kind of direct fire."""

from __future__ import annotations

from typing import Any

import pytest

from engine.captains.continuum.targets import defence_of
from engine.continuum.defences import weakness_against
from engine.core.errors import RuleViolations
from engine.core.state import BattleState
from engine.core.terms import Terms
from tests.engine.craft.carrier_battles import E1, N1, carriers, launch
from tests.engine.craft.carrier_battles import turn as flight
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle, turn

pytestmark = pytest.mark.rule("pc.morale")

OPTION = ("civil-war",)


def shot(
    gun: str, weapon: str, *options: str, navies: tuple[str, ...] = (), **dice: Any
) -> dict[str, Any]:
    """Return the effect of one shot of r1 at b1, 10 MU ahead of it."""
    document = facing(gun, "", 10.0, options=options)
    for side, navy in zip(document["sides"], navies, strict=False):
        side["navy"] = navy
    system = {"system": "drive"} if weapon.startswith("needle") else {}
    (line,) = log_lines(
        play_turns(document, turn(r1=[{"weapon": weapon, "target": "b1", **system}]), **dice),
        "fire",
    )
    return line


@pytest.mark.parametrize(
    ("gun", "weapon", "dice", "plain", "between_kin"),
    [
        ("beam:1@ALL", "beam-1", {"beam": [3]}, 0, 1),
        ("beam:1@ALL", "beam-1", {"beam": [5]}, 1, 2),
        ("beam:1@ALL", "beam-1", {"beam": [2]}, 0, 0),
        (
            "beam:1@ALL",
            "beam-1",
            {"beam": [6], "re_roll": [3]},
            2,
            2,
        ),  # nothing on re-rolls, and no die above 6
        ("plasma-cannon:1@ALL", "plasma-cannon-1", {"beam": [4]}, 2, 3),
        ("k-gun:1@ALL", "k-gun-1", {"to_hit": [2], "double": [6]}, 0, 1),
        ("pulse-torpedo@F", "pulse-torpedo-1", {"to_hit": [2], "damage": [4]}, 0, 4),
        ("needle:1@F+FS", "needle-1", {"to_hit": [3]}, 0, 1),
        ("mkp@F", "mkp-1", {"to_hit": [5]}, 4, 8),
    ],
)
def test_each_hitting_die_shows_one_more(
    gun: str, weapon: str, dice: dict[str, Any], plain: int, between_kin: int
) -> None:
    strange = shot(gun, weapon, **dice)
    kin = shot(gun, weapon, *OPTION, **dice)
    assert (strange["hits"], kin["hits"]) == (plain, between_kin)
    assert strange["dice"] == kin["dice"]  # the log has the dice as rolled


@pytest.mark.parametrize(
    ("navies", "hits"), [((), 1), (("esu", "esu"), 1), (("esu", "nac"), 0), (("esu",), 0)]
)
def test_bonus_needs_ships_of_one_navy(navies: tuple[str, ...], hits: int) -> None:
    assert shot("beam:1@ALL", "beam-1", *OPTION, navies=navies, beam=[3])["hits"] == hits


def test_ship_without_navy_shares_none() -> None:
    terms = Terms(navies=("esu", "", ""))
    assert [terms.are_of_one_navy(a, b) for a, b in ((0, 1), (1, 2), (0, 0))] == [
        False,
        False,
        True,
    ]


def test_navies_are_named_only_with_the_option() -> None:
    with pytest.raises(RuleViolations) as refused:
        shot("beam:1@ALL", "beam-1", navies=("esu", "esu"), beam=[3])
    assert {fault.code for fault in refused.value.violations} == {"not-agreed"}


@pytest.mark.parametrize(("navies", "points"), [(("esu", "esu"), 6), (("esu", "nac"), 0)])
def test_craft_know_ships_of_their_navy(navies: tuple[str, ...], points: int) -> None:
    document = carriers("standard", "", 14.0, options=OPTION)
    for side, navy in zip(document["sides"], navies, strict=True):
        side["navy"] = navy
    orders = flight(
        launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"}, defend={"b1": []}
    )
    battle = play_turns(document, orders, fighter=[3] * 6)
    assert ship_of(battle, "b1").damage == points


@pytest.mark.parametrize(("options", "killed"), [((), 0), (OPTION, 0)])
def test_bonus_does_not_apply_against_craft(options: tuple[str, ...], killed: int) -> None:
    document = carriers("standard", "standard", 20.0, options=options)
    launches = {**launch(), **launch(ship="b1")}
    orders = flight(
        launches, {N1: "to 60 30", E1: "to 60 30.5; face 6"}, attack={N1: f"fighters>{E1}"}
    )
    (line,) = [
        entry
        for entry in log_lines(play_turns(document, orders, dogfight=[3] * 12), "fighters-fired")
        if entry["group"] == N1
    ]
    assert line["hits"] == killed


def test_captains_expect_the_bonus() -> None:
    def defence_modifier(*options: str, **navies: str) -> int:
        document = facing("beam:1@ALL", "", 10.0, options=options)
        for side in document["sides"]:
            if side["name"] in navies:
                side["navy"] = navies[side["name"]]
        state: BattleState = start_battle(document).state
        return defence_of(state, state.ship_by_name("b1"))[0].modifier

    assert defence_modifier() == 0
    assert defence_modifier(*OPTION) == 1
    assert defence_modifier(*OPTION, red="esu", blue="nac") == 0


def test_area_effects_have_no_bonus() -> None:
    state = start_battle(facing("", "", options=OPTION)).state
    ours, theirs = state.ship_by_name("r1"), state.ship_by_name("b1")
    assert weakness_against(state, 0, 0, theirs) == 1
    assert weakness_against(state, 0, 0, ours) == 0
