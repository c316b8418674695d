"""Mines: laid along the path, active a turn later, met in the order of the path, swept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, battle_from, start
from engine.core.errors import RuleViolations
from engine.core.orders import Plot
from engine.documents import event_from_json, replay
from engine.events.event import Event
from engine.notation.orders import parse_plot
from engine.order_requests.base import TurnOrders
from engine.order_requests.plot import plot_faults
from engine.pieces.mine import Mine
from engine.pieces.piece import NOBODY
from engine.sequences import resolve_orders
from engine.stops import read_orders
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, events_of, fire, play, scripted, setup, ship
from tests.engine.field.ships import fitted_cruiser, play_stops

pytestmark = pytest.mark.rule("2e.mines")


def layer(x: float = 20, y: float = 60, layers: int = 2, **more: Any) -> dict[str, Any]:
    return fitted_cruiser("r1", x, y, *["minelayer"] * layers, **{"velocity": 10, **more})


def mines(battle: Battle) -> list[tuple[float, float]]:
    return [(mine.x, mine.y) for mine in battle.state.pieces_of(Mine)]


FAR = ship("b1", "Frigate", 20, 100, 3, 0)


@pytest.mark.parametrize(
    ("plot", "places"),
    [
        ("mine", [(30, 60)]),
        ("mine 0", [(20, 60)]),
        ("mine 3 7", [(23, 60), (27, 60)]),
        ("mine 4 4", [(24, 60), (24, 60)]),
        ("+2; mine 12", [(32, 60)]),
        ("P1; mine 5 10", [(25, 60), (29.33, 62.5)]),
    ],
)
def test_minelayer_lays_one_anywhere_along_its_move(
    plot: str, places: list[tuple[float, float]]
) -> None:
    battle = play(setup([layer()], [FAR]), [{"plot": {"r1": plot}}])
    assert [(round(x, 2), round(y, 2)) for x, y in mines(battle)] == places
    assert [event.mine for event in events_of(battle, "mine-laid")] == [
        f"r1/minelayer-{n}/1" for n in range(1, len(places) + 1)
    ]


def test_minelayer_carries_three() -> None:
    battle = play(setup([layer(layers=1, velocity=2)], [FAR]), [{"plot": {"r1": "mine"}}] * 4)
    assert mines(battle) == [(22, 60), (24, 60), (26, 60)]
    assert battle.to_json()["ships"]["r1"]["stock"] == {"minelayer-1": 0}
    assert "its minelayers can lay only 0" in events_of(battle, "order-refused")[0].reason


@pytest.mark.parametrize(
    ("ship_", "plot", "why"),
    [
        (layer(), "mine 1 2 3", "it lays 3 mines; its minelayers can lay only 2"),
        (layer(), "-3; mine 8", "a mine cannot be 8 MU along a path of 7 MU"),
        (layer(lost=["minelayer-1"]), "mine 1 2", "its minelayers can lay only 1"),
        (
            layer(stock={"minelayer-1": 0, "minelayer-2": 0}),
            "mine",
            "its minelayers can lay only 0",
        ),
        (layer(), "sweep", "it has no working minesweeper"),
        (
            fitted_cruiser("r1", 20, 60, "minesweeper", lost=["minesweeper-1"]),
            "sweep",
            "it has no working minesweeper",
        ),
        (ship("r1", "Frigate", 20, 60), "mine", "its minelayers can lay only 0"),
    ],
)
def test_impossible_laying_or_sweeping_is_reported_before_sealing(
    ship_: dict[str, Any], plot: str, why: str
) -> None:
    battle = start(setup([ship_], [FAR]), classes())
    _, faults = read_orders(battle, 0, {"plot": {"r1": plot}})
    assert len(faults) == 1
    assert why in faults[0].message


@pytest.mark.parametrize(
    ("change", "plot", "why"),
    [
        ({"warm": True}, "mine", "about to engage: it cannot lay mines"),
        ({"warm": True}, "sweep", "about to engage: it cannot sweep mines"),
        ({"status": "returning"}, "mine", "off the table cannot lay mines"),
        ({"docking": 2}, "mine", "while docked it cannot lay mines"),
    ],
)
def test_ships_that_lay_no_mines(change: dict[str, Any], plot: str, why: str) -> None:
    state = start(setup([layer()], [FAR]), classes()).state
    for name, value in change.items():
        setattr(state.ship_by_name("r1"), name, value)
    words = parse_plot(plot, "")[0]
    assert words is not None
    assert any(why in fault for fault in plot_faults(state, state.ship_by_name("r1"), words))


def test_mine_beyond_the_edge_stays_aboard() -> None:
    battle = play(setup([layer(115)], [FAR]), [{"plot": {"r1": "mine 2 9"}}], re_entry=[1])
    assert mines(battle) == [(117, 60)]
    assert battle.to_json()["ships"]["r1"]["stock"] == {"minelayer-1": 2}


def field(*foes: dict[str, Any], velocity: int = 10) -> dict[str, Any]:
    """Return a battle in which red lays a mine at 25,60 in turn 1 and leaves; `foes` come by."""
    return setup([layer(layers=1, velocity=velocity)], list(foes))


LAY_MINE: dict[str, Any] = {"plot": {"r1": "mine 5"}}


@pytest.mark.parametrize(
    ("foe", "hit"),
    [
        (ship("b1", "Battleship", 22, 80, 6, 10), True),  # passes 3 MU off in the second turn
        (ship("b1", "Battleship", 21.99, 80, 6, 10), False),  # 3.01 MU off
        (
            ship("b1", "Battleship", 25, 73, 6, 5),
            True,
        ),  # reaches a point 3 MU away at the end of its move
        (ship("b1", "Battleship", 25, 63, 3, 0), True),  # always at rest
        (ship("b1", "Battleship", 25, 63.01, 3, 0), False),
    ],
)
def test_whole_path_counts_within_three_mu(foe: dict[str, Any], hit: bool) -> None:
    battle = play(field(foe), [LAY_MINE, {}], mine=[5, 6])
    # a battleship has two screens: 5 is one point, 6 is one
    assert at(battle, "b1").damage == (2 if hit else 0)
    assert mines(battle) == ([] if hit else [(25, 60)])


@pytest.mark.parametrize(("screens", "points"), [(0, 3), (1, 3), (2, 2), (3, 1)])
def test_mine_rolls_two_beam_dice(screens: int, points: int) -> None:
    battle = play(
        field(fitted_cruiser("b1", 25, 62, *["screen"] * screens)), [LAY_MINE, {}], mine=[5, 6]
    )
    (shot,) = events_of(battle, "mine-fired")
    assert (shot.dice, shot.screens, shot.hits) == ((5, 6), screens, points)
    assert events_of(battle, "damaged")[0].cause == "mine"


def test_mine_is_active_from_the_next_turn() -> None:
    battle = play(field(ship("b1", "Battleship", 25, 63, 3, 0)), [LAY_MINE])
    assert mines(battle) == [(25, 60)]
    assert events_of(battle, "mine-detonated") == []


def test_friends_drones_and_neutrals_never_trigger_a_mine() -> None:
    document = setup(
        [layer(layers=1), ship("r2", "Frigate", 25, 62, 3, 0)],
        [ship("b1", "Frigate", 100, 110, 3, 0), ship("b2", "Scout Ship", 25, 61, 3, 0, dummy=True)],
        [ship("g1", "Frigate", 25, 59, 3, 0)],
        bogeys=True,
        hostile=[["red", "blue"], ["blue", "gold"]],
    )
    battle = play(document, [LAY_MINE, {}])
    assert mines(battle) == [(25, 60)]


def test_several_mines_explode_in_path_order() -> None:
    # Blue flies down the line of three mines from above, the one laid first being the farthest; the
    # second one it meets destroys it.
    document = setup(
        [layer(30, 20, layers=3, course=12, velocity=30)], [ship("b1", "Courier", 30, 110, 6, 42)]
    )
    battle = play(document, [{"plot": {"r1": "mine 5 15 25"}}, {}], mine=[1, 1, 6, 1])
    events = events_of(battle, "mine-detonated")
    assert [event.at for event in events] == [(30, 45), (30, 35)]
    assert at(battle, "b1").status == "destroyed"
    assert mines(battle) == [(30, 25)]


def test_ship_destroyed_on_its_way_neither_leaves_nor_lays() -> None:
    courier = fitted_cruiser("b1", 8, 60, "minelayer", course=9, velocity=0, damage=17)
    document = setup([layer(0, 60, layers=1)], [courier])
    battle = play(
        document, [{"plot": {"r1": "mine 5"}}, {"plot": {"b1": "+6; mine 6"}}], mine=[6, 6]
    )
    assert at(battle, "b1").status == "destroyed"
    assert mines(battle) == []


def sweeper(x: float = 25, y: float = 70, **more: Any) -> dict[str, Any]:
    return fitted_cruiser("b1", x, y, "minesweeper", **{"course": 6, "velocity": 10, **more})


@pytest.mark.parametrize(
    ("die", "outcome", "mine_count", "damage"),
    [
        (1, "detonates", 0, 4),
        (2, "missed", 1, 0),
        (3, "swept", 0, 0),
        (4, "swept", 0, 0),
        (6, "swept", 0, 0),
    ],
)
def test_minesweeper_die(die: int, outcome: str, mine_count: int, damage: int) -> None:
    battle = play(
        field(sweeper()), [LAY_MINE, {"plot": {"b1": "-6; sweep"}}], sweep=[die], mine=[6, 6]
    )
    # turn 1 takes it to 25,60 (the mine is inactive); in turn 2 it begins there
    assert [event.outcome for event in events_of(battle, "mine-swept")] == [outcome]
    assert len(battle.state.pieces_of(Mine)) == mine_count
    assert at(battle, "b1").damage == damage


def test_missed_mine_attacks_the_next_ship_and_becomes_public() -> None:
    document = setup(
        [layer(layers=1)],
        [sweeper(), ship("b2", "Battleship", 27, 60, 3, 0)],
        [ship("g1", "Frigate", 90, 9)],
    )
    battle = play(document, [LAY_MINE, {"plot": {"b1": "sweep"}}], sweep=[2], mine=[1, 1])
    assert [event.near for event in events_of(battle, "mine-detonated")] == ["b2"]
    alone = setup([layer(layers=1)], [sweeper()], [ship("g1", "Frigate", 90, 9)])
    battle = play(alone, [LAY_MINE, {"plot": {"b1": "sweep"}}], sweep=[2])
    for side, name in ((0, "r1/minelayer-1/1"), (1, ""), (2, "")):
        (mine,) = observe(battle.state, side).pieces_of(Mine)
        assert (mine.id, mine.x, mine.y, mine.side) == (name, 25, 60, 0 if name else NOBODY)


def test_sweeping_ship_fires_nothing_offensive() -> None:
    aim = fire(("battery-1", "r1"))
    document = setup(
        [layer(30, 50, velocity=0)], [fitted_cruiser("b1", 30, 60, "minesweeper", course=6)]
    )
    turns: list[dict[str, Any]] = [
        {"plot": {"b1": "sweep"}, "engage": {"b1": aim}},
        {"engage": {"b1": aim}},
    ]
    battle = play(document, turns, beam=[1, 1, 1])
    assert [event.turn for event in events_of(battle, "shot")] == [2]
    assert "minesweepers are active" in events_of(battle, "shot-refused")[0].reason


def test_returning_and_leaving_ships_meet_mines() -> None:
    """A mine on the path of a jumping ship counts before the middle of its move, not after."""
    jumper = ship("b1", "Battleship", 60, 72, 6, 20)
    turns: list[dict[str, Any]] = [{"plot": {"r1": "mine 8", "b1": "ftl"}}, {}]
    near = setup(
        [layer(52, 48, layers=1)], [jumper]
    )  # the mine at 60,48: four MU on in the second turn
    assert len(events_of(play(near, turns, mine=[1, 1]), "mine-detonated")) == 1
    beyond = setup(
        [layer(52, 37, layers=1)], [jumper]
    )  # at 60,37: it jumps at 60,42 before it comes near
    battle = play(beyond, turns, mine=[1, 1])
    assert events_of(battle, "mine-detonated") == []
    assert at(battle, "b1").status == "ftl"
    gone = ship("b1", "Battleship", 60, 118, 12, 8)
    lying = layer(52, 116, layers=1, velocity=8)
    battle = play(
        setup([lying], [gone]), [{"plot": {"r1": "mine 8"}}, *[{}] * 4], re_entry=[4], mine=[1, 1]
    )
    assert events_of(battle, "returned")
    assert [event.turn for event in events_of(battle, "mine-detonated")] == [5]


def test_laying_is_secret_and_an_explosion_is_not() -> None:
    document = field(ship("b1", "Battleship", 22, 80, 6, 10))
    stops = play_stops(document, [LAY_MINE, {}], scripted(mine=[1, 1]))
    text = json.dumps([stop.view(1) for stop in stops[:2]])
    assert "mine-laid" not in text
    assert "minelayer" not in text
    after = [
        line
        for stop in stops
        for line in side_log(stop.events, stop.before, 1)
        if "mine" in line["event"]
    ]
    assert [line["event"] for line in after] == ["mine-detonated", "mine-fired"]
    assert "mine" not in after[0]
    own = [
        line
        for stop in stops
        for line in side_log(stop.events, stop.before, 0)
        if "mine" in line["event"]
    ]
    assert [line.get("mine") for line in own] == ["r1/minelayer-1/1", "r1/minelayer-1/1", None]


def test_mine_damage_to_a_bogey_is_private() -> None:
    red = [layer(25, 20, layers=1, course=12, velocity=30)]
    document = setup(
        red, [ship("b1", "Battleship", 25, 90, 6, 20, contact="B")], bogeys=True, table=[300, 300]
    )
    (_, _, moves, *_) = play_stops(document, [{"plot": {"r1": "mine"}}, {}], scripted(mine=[5, 6]))
    state = moves.before.copy()
    state.ship_by_name("b1").bogey, state.ship_by_name("r1").x = (
        True,
        250.0,
    )  # no ship is near enough to identify it
    events: list[Event] = []
    resolve_orders(state, TurnOrders(), scripted(mine=[5, 6]), events.append)
    kinds_by_side = [[line["event"] for line in side_log(events, state, side)] for side in (0, 1)]
    assert [[kind for kind in kinds if kind != "moved"] for kinds in kinds_by_side] == [
        ["mine-detonated"],
        ["mine-detonated", "mine-fired", "damaged"],
    ]


def test_mines_round_trip_and_replay() -> None:
    document = setup([layer(layers=2)], [sweeper(), ship("b2", "Battleship", 27, 62, 3, 0)])
    turns: list[dict[str, Any]] = [
        {"plot": {"r1": "mine 4 6"}},
        {"plot": {"b1": "sweep; -2", "r1": "mine"}},
        {"plot": {"b1": "sweep; -6"}},
    ]
    battle = play(document, turns, sweep=[2, 1, 3], mine=[1, 4, 6, 6])
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.to_json() == battle.to_json()
    log = [event_from_json(line) for line in json.loads(json.dumps(battle.events_json))]
    replayed = replay(start(document, classes()).state, log)
    assert (
        Battle(battle.edition, battle.options, replayed, battle.winner, []).to_json()
        == battle.to_json()
    )


@pytest.mark.parametrize("text", ["mine -1", "mine x", "mine 3; mine 4", "sweep now"])
def test_incomplete_orders(text: str) -> None:
    plot, faults = parse_plot(text, "p")
    assert plot is None
    assert faults
    assert parse_plot("mine 3 7; sweep", "p")[0] == Plot(mines=(3.0, 7.0), sweep=True)


def test_stock_in_a_battle_file() -> None:
    with pytest.raises(RuleViolations, match="0 to 3"):
        start(setup([layer(stock={"minelayer-1": 4})], [FAR]), classes())
