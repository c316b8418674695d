"""Multi-role groups: their role before a battle and in hangars, and who knows it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from
from engine.captains.common.doctrine import Doctrine
from engine.core.errors import RuleViolations
from engine.craft.fighters import GUNS_AT
from engine.craft.registry import craft_type
from engine.craft.roles import row_for_role
from engine.notation.battle_craft import groups_json
from tests.engine.battle.table import scripted
from tests.engine.craft.carrier_battles import N1, carriers, group, launch, turn
from tests.engine.defences.battles import log_lines, play_turns, start_battle

pytestmark = pytest.mark.rule("pc.fighter-types")

RUN = {N1: ["fighters>b1"]}


def wing(setting: str = "", options: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return `r1` with three multi-role groups, the first in flight 4 MU from `b1`."""
    document = carriers("multi-role", "", options=options, **more)
    ship = document["sides"][0]["ships"][0]
    ship["groups"] = {"hangar-1": {"at": [60, 56], "course": 12}}
    if setting:
        ship["settings"] = {"hangar-1": setting}
    return document


def run(setting: str = "", **dice: list[int]) -> Battle:
    return play_turns(wing(setting), turn(attack=RUN), threshold=[1] * 9, **dice)


def hits(battle: Battle) -> int:
    (line,) = log_lines(battle, "fighters-fired")
    return int(line["hits"])


@pytest.mark.parametrize(
    ("setting", "points"),
    [
        ("", 3),
        ("standard", 3),
        ("attack", 6),
        ("interceptor", 0),
        ("cannon", 3),
        ("attack-cannon", 6),
    ],
)
def test_group_fires_the_weapons_of_its_role(setting: str, points: int) -> None:
    """Dice of 3, 3, 4, 4, 5, 2: attack craft add one, interceptors subtract two."""
    battle = run(setting, fighter=[3, 3, 4, 4, 5, 2])
    assert hits(battle) == points


def test_cannon_have_no_rerolls_and_beams_do() -> None:
    assert hits(run("cannon", fighter=[6, 1, 1, 1, 1, 1])) == 2
    assert hits(run("standard", fighter=[6, 1, 1, 1, 1, 1], re_roll=[4])) == 3


def test_role_uses_another_types_weapons_at_its_own_price() -> None:
    for role in ("interceptor", "attack"):
        row, other = row_for_role("multi-role-fighter", role), craft_type(f"{role}-fighter")
        assert (row.type, row.points, row.guns) == ("multi-role", 4, other.guns)
        assert role in GUNS_AT
    with pytest.raises(KeyError):
        craft_type("multi-role-fighter=beam")
    with pytest.raises(KeyError):
        craft_type("attack-fighter=interceptor")


def test_role_is_known_to_its_own_side_only() -> None:
    battle = start_battle(wing("attack"))
    own, other = (stops.side_view(battle, side) for side in (0, 1))
    assert [view["role"] for view in own["groups"]] == ["attack"]
    assert "attack" not in json.dumps(other["flyers"])
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert group(again, N1).role == "attack"
    assert groups_json(again.state)[N1]["type"] == "multi-role"


def test_role_is_set_before_the_first_launch_or_takes_a_turn() -> None:
    document = carriers("multi-role", "")
    first = play_turns(document, turn({"r1": "set hangar-1 attack; launch hangar-1"}))
    assert group(first, N1).role == "attack"
    later = start_battle(document)
    later, _ = stops.resolve_documents(later, {0: {"plot": {}}}, scripted())
    while later.state.stop != "plot":
        later, _ = stops.resolve_documents(later, {}, scripted())
    faults = stops.read_orders(later, 0, {"plot": {"r1": "set hangar-1 attack; launch hangar-1"}})[
        1
    ]
    assert "is being fitted out" in faults[0].message
    both = play_turns(
        document, turn(), turn({"r1": "set hangar-1 attack"}), turn(launch("hangar-1"))
    )
    assert group(both, N1).role == "attack"


def test_group_in_flight_keeps_its_role() -> None:
    faults = stops.read_orders(start_battle(wing()), 0, {"plot": {"r1": "set hangar-1 attack"}})[1]
    assert "is not aboard" in faults[0].message


def test_missiles_and_shuttles_need_the_option() -> None:
    with pytest.raises(RuleViolations) as refused:
        start_battle(wing("missile"))
    assert [fault.where for fault in refused.value.violations] == [
        "sides[0].ships[0].settings.hangar-1"
    ]
    battle = start_battle(wing("missile", options=("multi-role",)))
    assert [load.name for load in group(battle, N1).row.loads] == ["missiles"]
    orders = {"plot": {}, "launch": {N1: [{"weapon": "missiles", "at": [60, 60], "count": 6}]}}
    assert not stops.read_orders(battle, 0, orders)[1]


CHOSEN = ["torpedo", "attack", "graser"]


@pytest.mark.rule("pc.multi-role-choice")
def test_players_choose_the_types_of_multi_role_fighters() -> None:
    battle = start_battle(wing("graser", multi_role=CHOSEN))
    assert group(battle, N1).row.guns == craft_type("graser-fighter").guns
    assert group(battle, N1).row.points == 4
    (setting,) = {ship.record.setting["hangar-2"] for ship in battle.state.ships[:1]}
    assert craft_type("multi-role-fighter").all_roles[setting] == "torpedo"  # the first is usual
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.state.terms.multi_role == tuple(CHOSEN)
    plot = {"r1": "set hangar-2 attack-cannon; set hangar-3 torpedo"}
    assert not stops.read_orders(battle, 0, {"plot": plot})[1]
    faults = stops.read_orders(battle, 0, {"plot": {"r1": "set hangar-2 interceptor"}})[1]
    assert "torpedo, attack, attack-cannon, graser" in faults[0].message
    with pytest.raises(RuleViolations) as refused:
        start_battle(wing("interceptor", multi_role=CHOSEN))
    assert [fault.code for fault in refused.value.violations] == ["setting"]


@pytest.mark.rule("pc.multi-role-choice")
@pytest.mark.parametrize(
    ("types", "faults"),
    [
        (["torpedo", "attack"], {("multi_role", "multi-role")}),
        (
            ["torpedo", "beam", "torpedo"],
            {("multi_role[1]", "unknown-craft"), ("multi_role[2]", "twice")},
        ),
    ],
)
def test_players_choose_three_different_types(
    types: list[str], faults: set[tuple[str, str]]
) -> None:
    with pytest.raises(RuleViolations) as refused:
        start_battle(wing("graser", multi_role=types))
    assert {(fault.where, fault.code) for fault in refused.value.violations} == faults


@pytest.mark.rule("pc.multi-role-choice")
def test_captains_use_the_chosen_types() -> None:
    battle = start_battle(
        carriers("multi-role", "standard", multi_role=["graser", "mkp", "standard"])
    )
    plot = stops.advise(battle, 0, Doctrine(), "seed")["plot"]["r1"]
    assert [plot.count(word) for word in ("graser", "standard", "attack")] == [2, 1, 0]


def test_other_craft_have_no_role() -> None:
    document = carriers("attack", "")
    document["sides"][0]["ships"][0]["settings"] = {"hangar-1": "interceptor"}
    with pytest.raises(RuleViolations) as refused:
        start_battle(document)
    assert "that can be set" in refused.value.violations[0].message


def test_captains_mix_roles_against_enemies_with_craft() -> None:
    turns: list[dict[str, Any]] = [
        {**stops.advise(start_battle(carriers("multi-role", theirs)), 0, Doctrine(), "seed")}
        for theirs in ("", "standard")
    ]
    plots = [orders["plot"]["r1"] for orders in turns]
    assert [plot.count("attack") for plot in plots] == [3, 2]
    assert [plot.count("interceptor") for plot in plots] == [0, 1]
