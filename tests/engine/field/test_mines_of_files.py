"""Mines on the table at the beginning: given by the battle file, and the remaining ones in its
result.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import battle_from
from engine.core.errors import RuleViolations
from engine.documents import event_from_json
from engine.notation.mines import mines_of
from engine.pieces.mine import Mine
from engine.pieces.piece import NOBODY
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import at
from tests.engine.commanding import run_in_process
from tests.engine.defences.battles import log_lines, play_turns, start_battle, turn
from tests.engine.guns.duels import ship, table

pytestmark = pytest.mark.rule("pc.mines", "2e.mines")

MINES = [{"side": "red", "at": [25, 60]}, {"side": "red", "at": [90, 90]}]


def approach(theirs: str = "", mines: Any = MINES, **more: Any) -> dict[str, Any]:
    """Return a battle in which `b1` comes within 3 MU of red's mine at 25,60 in the first turn."""
    document = table(
        [ship("r1", 80, 20, "")], [ship("b1", 25, 71, theirs, course=6, velocity=9)], **more
    )
    return {**document, "mines": mines}


def test_mine_of_a_file_explodes_in_the_first_turn() -> None:
    battle = play_turns(approach(), turn(), mine=[1, 4, 4, 5])
    assert at(battle, "b1").damage == 3
    assert [(mine.x, mine.y) for mine in battle.state.pieces_of(Mine)] == [(90, 90)]


def test_mines_of_a_file_are_open_markers_and_only_the_layer_passes_them() -> None:
    own = {**approach(), "mines": [{"side": "blue", "at": [25, 60]}]}
    battle = start_battle(own)
    sides = [observe(battle.state, side).pieces_of(Mine)[0].side for side in (0, 1)]
    assert sides == [NOBODY, 1]
    assert play_turns(own, turn()).state.pieces_of(Mine)
    hidden = start_battle({**own, "rules": "1.0"})
    assert [len(observe(hidden.state, side).pieces_of(Mine)) for side in (0, 1)] == [0, 1]


def test_mine_of_no_side_is_hostile_to_all() -> None:
    strangers = {**approach(), "mines": [{"side": None, "at": [25, 60]}]}
    battle = play_turns(strangers, turn(), mine=[1, 4, 4, 5])
    assert at(battle, "b1").damage == 3
    assert mines_of(start_battle(strangers).state) == [{"side": None, "at": [25, 60]}]


def test_minesweeper_finds_and_clears_it() -> None:
    battle = play_turns(approach("minesweeper"), turn({"b1": "sweep"}), sweep=[2])
    assert [mine.y for mine in observe(battle.state, 1).pieces_of(Mine)] == [60, 90]
    assert (
        len(
            play_turns(approach("minesweeper"), turn({"b1": "sweep"}), sweep=[5]).state.pieces_of(
                Mine
            )
        )
        == 1
    )


def test_answer_lists_remaining_mines() -> None:
    document = {**approach(), "turns": [turn()], "seed": 3}
    answer = json.loads(
        run_in_process("battle", "-", stdin_bytes=json.dumps(document).encode()).stdout
    )
    assert answer["state"]["mines"] == [{"side": "red", "at": [90, 90]}]


def test_explosion_clears_it_and_only_its_side_is_told() -> None:
    red = ship("r1", 60, 20, "antimatter-missile@FP+F+FS")
    document = {
        **table([red], [ship("b1", 20, 110, "")]),
        "mines": [{"side": "blue", "at": [60, 34]}],
    }
    shots = turn()
    shots["launch"] = {"r1": [{"weapon": "antimatter-missile-1", "at": [60, 34], "fuse": "open"}]}
    battle = play_turns(document, shots)
    assert battle.state.pieces_of(Mine) == []
    assert [line["at"] for line in log_lines(battle, "mine-lost")] == [[60.0, 34.0]]
    events = [event_from_json(line) for line in battle.events_json]
    read = [side_log(events, start_battle(document).state, side) for side in (0, 1)]
    assert [[line["event"] for line in lines].count("mine-lost") for lines in read] == [0, 1]


def test_stored_battles_keep_mines() -> None:
    battle = start_battle(approach())
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.state.pieces_of(Mine) == battle.state.pieces_of(Mine)


@pytest.mark.parametrize(
    ("mines", "where"),
    [
        ("many", "mines"),
        ([3], "mines[0]"),
        ([{"side": "green", "at": [1, 1]}], "mines[0].side"),
        ([{"side": "red"}], "mines[0].at"),
        ([{"side": "red", "at": [1, 1]}, {"side": "red", "at": [1, 999]}], "mines[1].at"),
        ([{"side": "red", "at": [1, 1], "class": 2}], "mines[0].class"),
        ([{"side": "red", "at": [1, 1]}] * 201, "mines"),
    ],
)
def test_mine_faults_have_their_places(mines: Any, where: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        start_battle(approach(mines=mines))
    assert where in [fault.where for fault in refused.value.violations]
