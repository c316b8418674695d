"""Continuum's mines: racks and their contents, four beam dice with re-rolls, and minesweepers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.continuum.damage_control import repair_fault
from engine.core.dice import Dice
from engine.pieces.mine import Mine
from engine.stops import read_orders
from engine.view.side_view import observe
from tests.engine.battle.table import at, events_of
from tests.engine.defences.battles import log_lines, play_turns, start_battle, turn
from tests.engine.guns.duels import ship, table

pytestmark = pytest.mark.rule("pc.mines")

LAY_MINE = turn({"r1": "mine 5"})
SAFE = [1] * 80


def layer(racks: int = 1, load: int = 0, systems: str = "", **more: Any) -> dict[str, Any]:
    """Return `r1` at 20,60 on course 3 at 10 MU, with mine racks of so many mines (0: not given)."""
    keys: dict[str, Any] = {"course": 3, "velocity": 10} | more
    entry = ship("r1", 20, 60, " ".join(["minelayer"] * racks + systems.split()), **keys)
    for system in entry["design"]["systems"]:
        if system["type"] == "minelayer" and load:
            system["load"] = {"mines": load}
    return entry


def field(theirs: str = "", *, armour: Any = (), **foe: Any) -> dict[str, Any]:
    """Return a battle with a mine at 25,60 from turn 2 on, when `b1` crosses it."""
    keys: dict[str, Any] = {"course": 6, "velocity": 9, "armour": list(armour)} | foe
    entry = ship("b1", 25, 80, theirs, **keys)
    return table([layer()], [entry])


def places(battle: Battle) -> list[tuple[float, float]]:
    return [(mine.x, mine.y) for mine in battle.state.pieces_of(Mine)]


def play_mine_contact(
    theirs: str = "", plot: str = "", *, armour: Any = (), **dice: list[int]
) -> Battle:
    """Return the battle after the turn in which `b1` comes within 3 MU of the mine.

    It moves from 25,71 to 25,62 in turn 2.
    """
    return play_turns(
        field(theirs, armour=armour),
        LAY_MINE,
        turn({"b1": plot} if plot else {}),
        threshold=SAFE,
        **dice,
    )


@pytest.mark.parametrize(("load", "laid"), [(0, 2), (2, 2), (4, 4)])
def test_rack_holds_the_bought_mines_two_by_default(load: int, laid: int) -> None:
    document = table([layer(load=load, velocity=2)], [ship("b1", 20, 110, "")])
    turns = [turn({"r1": "mine"})] * 5
    battle = play_turns(document, *turns)
    assert places(battle) == [(22 + 2 * number, 60) for number in range(laid)]
    assert battle.to_json()["ships"]["r1"]["stock"] == {"minelayer-1": 0}
    assert "its minelayers can lay only 0" in events_of(battle, "order-refused")[0].reason


def test_each_rack_lays_one_mine_a_turn() -> None:
    document = table([layer(racks=2)], [ship("b1", 20, 110, "")])
    assert places(play_turns(document, turn({"r1": "mine 3 7"}))) == [(23, 60), (27, 60)]
    faults = read_orders(start_battle(document), 0, {"plot": {"r1": "mine 1 2 3"}})[1]
    assert "its minelayers can lay only 2" in faults[0].message


def test_mine_rolls_four_beam_dice_with_rerolls() -> None:
    battle = play_mine_contact(mine=[3, 4, 5, 6], re_roll=[6, 4])
    assert at(battle, "b1").damage == 0 + 1 + 1 + 2 + 2 + 1
    assert [line["dice"] for line in log_lines(battle, "mine-fired")] == [[3, 4, 5, 6, 6, 4]]
    assert places(battle) == []


@pytest.mark.parametrize(
    ("screens", "points"),
    [
        ("screen", 0 + 0 + 1 + 2 + 1),
        ("screenx2", 0 + 0 + 1 + 1 + 1),
        ("advanced-screen", 0 + 0 + 1 + 2 + 1),
    ],
)
def test_screens_weaken_the_first_dice_only(screens: str, points: int) -> None:
    battle = play_mine_contact(screens, mine=[3, 4, 5, 6], re_roll=[4])
    assert at(battle, "b1").damage == points


def test_holofield_does_not_help_at_close_range() -> None:
    assert at(play_mine_contact("holofield", mine=[4, 4, 4, 4]), "b1").damage == 4


def test_rerolls_go_an_armour_layer_deeper() -> None:
    battle = play_mine_contact(armour=[[2, 0], [3, 0]], mine=[6, 1, 1, 1], re_roll=[4])
    assert at(battle, "b1").armour == ((1, 0), (1, 0))
    assert at(battle, "b1").damage == 0


def test_new_mine_is_inactive_and_friends_pass_it() -> None:
    document = table(
        [layer(), ship("r2", 25, 80, "", course=6, velocity=9)], [ship("b1", 25, 62, "")]
    )
    battle = play_turns(document, LAY_MINE, mine=[])
    assert places(battle) == [(25, 60)]
    again = play_turns(document, LAY_MINE, turn(), mine=[1, 1, 1, 1])
    assert [line["ship"] for line in log_lines(again, "mine-fired")] == ["b1"]


@pytest.mark.parametrize(
    ("die", "outcome", "mine_count", "damage"),
    [(1, "detonates", 0, 4), (2, "missed", 1, 0), (3, "swept", 0, 0), (6, "swept", 0, 0)],
)
def test_minesweeper_die(die: int, outcome: str, mine_count: int, damage: int) -> None:
    battle = play_mine_contact(
        "minesweeper", "sweep", sweep=[die], mine=[4] * 4 if die == 1 else []
    )
    assert [line["outcome"] for line in log_lines(battle, "mine-swept")] == [outcome]
    assert len(places(battle)) == mine_count
    assert at(battle, "b1").damage == damage
    assert bool(observe(battle.state, 1).pieces_of(Mine)) is (die == 2)


def test_sweeping_ship_only_shoots_ordnance_down() -> None:
    red = ship("r1", 60, 20, "minesweeper beam:2@FP+F+FS salvo-rack@FP+F+FS pds")
    document = table([red], [ship("b1", 60, 36, "salvo-rack@FP+F+FS", course=6)])
    shots = turn({"r1": "sweep"}, r1=("beam-1>b1",))
    shots["launch"] = {
        "r1": [{"weapon": "salvo-rack-1", "at": [60, 36]}],
        "b1": [{"weapon": "salvo-rack-1", "at": [60, 20]}],
    }
    battle = play_turns(document, shots, point_defence=[4], missiles=[1])
    assert {line["reason_text"] for line in log_lines(battle, "shot-refused")} == {
        "its ship's minesweepers are active"
    }
    assert [line["weapon"] for line in log_lines(battle, "shot-refused")] == [
        "salvo-rack-1",
        "beam-1",
    ]
    assert log_lines(battle, "point-defence-at-ordnance")
    assert not at(battle, "r1").sweeping


def test_hit_rack_loses_its_mines_for_good() -> None:
    document = table([layer(lost=["minelayer-1"])], [ship("b1", 20, 110, "")])
    battle = start_battle(document)
    assert at(battle, "r1").stock[at(battle, "r1").profile.index_of["minelayer-1"]] == 0
    assert (
        repair_fault(at(battle, "r1"), at(battle, "r1").profile.index_of["minelayer-1"])
        == "its mines are lost"
    )
    refused = play_turns(
        document,
        turn() | {"control": {"r1": {"repairs": [{"system": "minelayer-1", "parties": 1}]}}},
    )
    assert log_lines(refused, "repaired") == []


def plots_of(battle: Battle, **doctrine: Any) -> dict[str, Any]:
    return Captain(Doctrine(**doctrine), Dice(1)).plots(observe(battle.state, 0))


def test_captains_lay_mines_in_front_of_approaching_enemies() -> None:
    for course, laid in ((6, True), (12, False)):
        red = ship("r1", 60, 60, "minelayer beam:2@FP+F+FS", course=12, velocity=4, thrust=0)
        blue = ship("b1", 60, 82, "beam:3@FP+F+FS", course=course, velocity=12, thrust=0)
        battle = start_battle(table([red], [blue]))
        plot = plots_of(battle).get("r1")
        assert bool(plot and plot.mines) is laid
        never = plots_of(battle, never=("minelayer",)).get("r1")
        assert not (never and never.mines)


def test_captains_sweep_known_mines_instead_of_launching() -> None:
    red = ship("r1", 60, 40, "minesweeper beam:2@FP+F+FS salvo-rack@FP+F+FS", velocity=6, thrust=0)
    battle = start_battle(table([red], [ship("b1", 60, 62, "")]))
    assert not (plots_of(battle).get("r1") and plots_of(battle)["r1"].sweep)
    battle.state.pieces.append(Mine("b1/minelayer-1/1", 1, 60.0, 45.0, 0, 3))
    captain = Captain(Doctrine(), Dice(1))
    assert captain.plots(observe(battle.state, 0))["r1"].sweep
    assert captain.launches(observe(battle.state, 0)) == {}
