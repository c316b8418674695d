"""The nova cannon: armed by the plot, fired along the bow, three turns of template, and its cost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, battle_from, start
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.documents import event_from_json, replay
from engine.notation.orders import parse_plot
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.plot import plot_faults
from engine.pieces.asteroid import Asteroid
from engine.pieces.group import Group
from engine.pieces.mine import Mine
from engine.pieces.nova import Nova
from engine.sequences import resolve_orders
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    fire,
    gunship,
    play,
    scripted,
    setup,
    vessel,
)

SHOT = [{"weapon": "nova-cannon-1"}]
ARM = {"plot": {"r1": "nova"}, "engage": {"r1": SHOT}}
NOVA: dict[int, FireOrders] = {0: [("r1", (Fire("nova-cannon-1", ()),))]}
EMPTY: dict[str, Any] = {}


def cannon(
    x: float, y: float, systems: str = "nova-cannon", course: int = 12, **more: Any
) -> dict[str, Any]:
    """Return a large ship at rest with a nova cannon and more."""
    return vessel("r1", x, y, systems, course, mass=more.pop("mass", 100), **more)


def before_it(*places: tuple[float, float], **more: Any) -> dict[str, Any]:
    """Return a nova cannon at 60, 10 and hostile ships at these places."""
    ships = [gunship(f"b{n}", x, y, "C", mass=100, **more) for n, (x, y) in enumerate(places, 1)]
    return setup([cannon(60, 10)], ships)


@pytest.mark.rule("2e.nova-cannon")
@pytest.mark.parametrize(
    ("x", "ahead", "hit"),
    [
        (60, 6, True),
        (60, 5, True),
        (60, 4.99, False),
        (60, 15, True),
        (60, 24, True),
        (60, 25, True),
        (60, 25.01, False),
        (61, 15, True),
        (59, 15, True),
        (61.01, 15, False),
        (60.8, 24.6, True),
        (60.8, 24.7, False),
        (60, -6, False),
    ],
)
def test_first_turn_template_sweeps_6_to_24_mu(x: float, ahead: float, hit: bool) -> None:
    battle = play(
        before_it((x, 10 + ahead)), [ARM], damage=[6, 5, 4, 3, 2, 1] * hit, threshold=[1] * 6
    )
    assert at(battle, "b1").damage == (21 if hit else 0)
    [shot] = events_of(battle, "nova-fired")
    assert (shot.path, shot.radius, shot.course) == (((60, 16), (60, 34)), 1.0, 12)


@pytest.mark.rule("2e.nova-cannon")
@pytest.mark.parametrize(
    ("turn", "x", "y", "dice"),
    [(2, 60, 58, 4), (2, 62, 40, 4), (2, 62.01, 40, 0), (2, 60, 60, 4), (2, 60, 60.01, 0), (2, 60, 32, 4),
     (3, 60, 82, 2), (3, 63, 70, 2), (3, 63.01, 70, 0), (3, 60, 85, 2), (3, 60, 85.01, 0)],
)  # fmt: skip
def test_template_grows_and_moves_24_before_fire(turn: int, x: float, y: float, dice: int) -> None:
    document = before_it((x, y), (110, 110))
    battle = play(document, [ARM, EMPTY, EMPTY], damage=[3] * 6 * 3, threshold=[1] * 60)
    radii = [(event.age, event.radius, event.path) for event in events_of(battle, "nova-moved")]
    assert radii == [(2, 2.0, ((60, 34), (60, 58))), (3, 3.0, ((60, 58), (60, 82)))]
    assert battle.state.pieces_of(Nova) == []
    struck = [hit for hit in events_of(battle, "nova-struck") if hit.turn == turn]
    assert [len(hit.dice) for hit in struck] == ([dice] if dice else [])


@pytest.mark.rule("2e.nova-cannon")
def test_screens_do_not_help_and_rows_are_checked() -> None:
    battle = play(before_it((60, 30), screens=3), [ARM], damage=[6] * 6, threshold=[1] * 40)
    assert at(battle, "b1").damage == 36
    assert [(check.row, check.loses_on) for check in events_of(battle, "threshold")] == [
        (1, 6),
        (2, 5),
    ]


@pytest.mark.rule("2e.nova-cannon")
def test_template_hits_everything_in_file_order() -> None:
    document = setup(
        [cannon(60, 10), gunship("r2", 60, 20, "C", mass=100)],
        [
            gunship("b1", 60, 34, "C", mass=100),
            gunship("b2", 60, 16, "C", mass=100),
            gunship("b3", 64, 20, "C"),
        ],
    )
    battle = play(document, [ARM], damage=[1] * 6 + [2] * 6 + [3] * 6, threshold=[1] * 20)
    assert [(hit.ship, hit.by, sum(hit.dice)) for hit in events_of(battle, "nova-struck")] == [
        ("r2", "r1", 6),
        ("b1", "r1", 12),
        ("b2", "r1", 18),
    ]
    kinds = [event.kind for event in battle.events if event.kind in ("nova-struck", "damaged")]
    assert kinds == ["nova-struck"] * 3 + ["damaged"] * 3


@pytest.mark.rule("2e.nova-cannon")
def test_firing_ship_may_enter_its_own_template() -> None:
    document = setup([cannon(60, 10, velocity=24)], [gunship("b1", 110, 110, "C")])
    battle = play(document, [ARM, EMPTY], damage=[1] * 4)
    assert [(hit.ship, hit.by) for hit in events_of(battle, "nova-struck")] == [("r1", "r1")]
    assert at(battle, "r1").damage == 4


@pytest.mark.rule("2e.nova-cannon", "2e.screens")
def test_arming_uses_screens_thrust_and_guns_for_the_turn() -> None:
    hunter = gunship("b1", 60, 30, "AA", course=6, mass=100)
    document = setup([cannon(60, 10, "nova-cannon screen screen battery:A", velocity=4)], [hunter])
    orders = {
        "r1": SHOT + fire(("battery-1", "b1")),
        "b1": fire(("battery-1", "r1"), ("battery-2", "r1")),
    }
    battle = play(
        document, [{"plot": {"r1": "nova"}, "engage": orders}],
        initiative=[1, 6], beam=[4, 4, 4, 4], damage=[1] * 6, threshold=[1] * 9,
    )  # fmt: skip
    ship = at(battle, "r1")
    assert (ship.x, ship.y, ship.velocity, ship.damage) == (
        60,
        14,
        4,
        4,
    )  # a 4 does not harm working screens
    assert [(refused.weapon, refused.reason) for refused in events_of(battle, "shot-refused")] == [
        ("battery-1", "its nova cannon takes all its power")
    ]
    assert (ship.armed, ship.screens, ship.power[0]) == (False, 2, 3)


@pytest.mark.rule("2e.nova-cannon")
@pytest.mark.parametrize(
    "more", ["P1", "+1", "-2", "S1+1", "ftl", "sweep", "launch fighter-bay-1", "mine", "scan b1"]
)
def test_armed_ship_does_nothing_else(more: str) -> None:
    document = setup([cannon(60, 10, velocity=6)], [gunship("b1", 60, 90, "C")])
    assert (
        events_of(play(document, [{"plot": {"r1": f"nova; {more}"}}]), "order-refused")[0].ship
        == "r1"
    )
    plot, _ = parse_plot(f"{more}; nova", "plot")
    state = start(document, classes()).state
    assert plot is not None
    assert any(
        "no power for anything else" in why
        for why in plot_faults(state, state.ship_by_name("r1"), plot)
    )


@pytest.mark.rule("2e.nova-cannon")
@pytest.mark.parametrize("lost", [["nova-cannon-1"], []])
def test_only_a_working_cannon_is_armed(lost: list[str]) -> None:
    document = setup([cannon(60, 10, lost=lost)], [gunship("b1", 60, 30, "C", mass=100)])
    plot = {"r1": "nova"} if lost else {"b1": "nova"}
    battle = play(document, [{"plot": plot, "engage": {"r1": SHOT}}])
    assert events_of(battle, "order-refused")[0].reason == "it has no working nova cannon"
    assert events_of(battle, "shot-refused")[0].reason == "its nova cannon was not armed this turn"
    assert not events_of(battle, "nova-fired")


@pytest.mark.rule("2e.nova-cannon")
def test_unfired_charge_is_lost() -> None:
    document = before_it((60, 30))
    battle = play(document, [{"plot": {"r1": "nova"}}, {"engage": {"r1": SHOT}}])
    assert events_of(battle, "nova-armed")
    assert events_of(battle, "shot-refused")[0].reason == "its nova cannon was not armed this turn"


@pytest.mark.rule("2e.nova-cannon", "2e.fire-control")
def test_cannon_needs_a_firecon_of_its_own() -> None:
    lost = ["firecon-1", "firecon-2", "firecon-3"]
    document = setup([cannon(60, 10, lost=lost)], [gunship("b1", 60, 90, "C")])
    assert events_of(play(document, [ARM]), "nova-fired")


@pytest.mark.rule("2e.nova-cannon")
def test_one_cannon_takes_all_the_power() -> None:
    document = setup([cannon(60, 10, "nova-cannon nova-cannon")], [gunship("b1", 60, 90, "C")])
    orders = {"r1": [{"weapon": "nova-cannon-2"}, {"weapon": "nova-cannon-1"}]}
    battle = play(document, [{"plot": {"r1": "nova"}, "engage": orders}])
    assert [shot.weapon for shot in events_of(battle, "nova-fired")] == ["nova-cannon-2"]
    assert [refused.weapon for refused in events_of(battle, "shot-refused")] == ["nova-cannon-1"]


@pytest.mark.rule("2e.nova-cannon", "2e.dummies")
def test_bogeys_are_hit_unseen_and_drones_destroyed() -> None:
    document = setup(
        [cannon(40, 40)],
        [gunship("b1", 40, 60, "C", mass=100), gunship("b2", 40, 62, "C", mass=100)],
        bogeys=True,
        table=[120, 120],
    )
    document["sides"][1]["ships"][1]["dummy"] = True
    battle = start(document, classes())
    for name in ("b1", "b2"):
        battle.state.ship_by_name(name).bogey, battle.state.ship_by_name(name).status = (
            True,
            FIGHTING,
        )
    battle.state.ship_by_name("r1").armed = True
    battle.state.stop = "engage"
    events: list[Any] = []
    after = resolve_orders(
        battle.state,
        TurnOrders({"engage": FireAndPursuit(NOVA)}),
        scripted(damage=[1] * 12, threshold=[1] * 9),
        events.append,
    )
    assert [after.ship_by_name(name).status for name in ("b1", "b2")] == ["fighting", "destroyed"]
    assert after.ship_by_name("b1").damage == 6
    red_kinds = [line["event"] for line in side_log(events, battle.state, 0)]
    assert "nova-struck" not in red_kinds
    assert "damaged" not in red_kinds
    assert red_kinds.count("destroyed") == 1


@pytest.mark.rule("2e.nova-cannon", "2e.fighters")
def test_fighters_in_the_template_die() -> None:
    document = setup(
        [cannon(60, 10, "nova-cannon fighter-bay")],
        [vessel("b1", 60, 20, "fighter-bay", 12, mass=100)],
    )
    launch = {"plot": {"b1": "launch fighter-bay-1", "r1": "nova"}, "engage": {"r1": SHOT}}
    battle = play(document, [launch], damage=[1] * 6)
    assert battle.state.pieces_of(Group) == []
    [gone] = events_of(battle, "craft-lost")
    assert (gone.group, gone.craft, gone.cause) == ("b1/fighter-bay-1", 6, "nova:r1")


@pytest.mark.rule("2e.nova-cannon", "2e.mines")
@pytest.mark.parametrize(("x", "mine_count"), [(61, 0), (61.01, 1)])
def test_mine_in_the_template_burns_without_exploding(x: float, mine_count: int) -> None:
    state = start(before_it((60, 100)), classes()).state
    state.pieces.append(Mine("b1/minelayer-1/1", 1, x, 30, 0, 2))
    state.ship_by_name("r1").armed = True
    state.stop = "engage"
    events: list[Any] = []
    after = resolve_orders(
        state, TurnOrders({"engage": FireAndPursuit(NOVA)}), scripted(), events.append
    )
    assert len(after.pieces_of(Mine)) == mine_count
    assert [
        [line["event"] for line in side_log(events, state, side)].count("mine-blasted")
        for side in (0, 1)
    ] == [
        0,
        1 - mine_count,
    ]
    assert len(replay(state, events).pieces_of(Mine)) == mine_count


@pytest.mark.rule("2e.nova-cannon", "2e.asteroids")
def test_asteroid_does_not_stop_the_template() -> None:
    state = start(before_it((60, 30)), classes()).state
    state.pieces.append(Asteroid("a1", 60, 24, 2.0))
    state.ship_by_name("r1").armed = True
    state.stop = "engage"
    after = resolve_orders(
        state, TurnOrders({"engage": FireAndPursuit(NOVA)}), scripted(damage=[1] * 6), None
    )
    assert (after.ship_by_name("b1").damage, len(after.pieces_of(Asteroid))) == (6, 1)


@pytest.mark.rule("2e.nova-cannon", "2e.asteroids")
@pytest.mark.parametrize(("x", "damage"), [(63, 12), (63.1, 0)])
def test_breakable_asteroid_takes_the_dice(x: float, damage: int) -> None:
    state = start(before_it((60, 110)), classes()).state
    state.pieces.append(Asteroid("a1", x, 24, 2.0, boxes=100))
    state.ship_by_name("r1").armed = True
    state.stop = "engage"
    events: list[Any] = []
    after = resolve_orders(
        state, TurnOrders({"engage": FireAndPursuit(NOVA)}), scripted(damage=[2] * 6), events.append
    )
    assert after.pieces_of(Asteroid)[0].damage == damage
    assert replay(state, events).pieces_of(Asteroid)[0].damage == damage


@pytest.mark.rule("2e.nova-cannon")
def test_battle_with_a_template_resumes_and_replays() -> None:
    document = before_it((60, 50), (61, 80))
    turns = [ARM, EMPTY, EMPTY]
    for number in (1, 2, 3):
        battle = play(document, turns[:number], damage=[2] * 6 + [1] * 12, threshold=[1] * 60)
        assert len(battle.state.pieces_of(Nova)) == (1 if number < 3 else 0)
        assert battle_from(json.loads(json.dumps(battle.to_json()))).to_json() == battle.to_json()
        log = [event_from_json(line) for line in json.loads(json.dumps(battle.events_json))]
        initial_battle = start(document, classes())
        again = Battle(
            initial_battle.edition, (), replay(initial_battle.state, log), battle.winner, []
        )
        assert again.to_json() == battle.to_json()


@pytest.mark.rule("2e.nova-cannon")
def test_others_know_the_firing_ship_by_contact_code() -> None:
    document = before_it((60, 100))
    document["sides"][0]["ships"][0]["contact"] = "x9"
    battle = play(document, [ARM])
    [mine], [theirs] = (
        observe(battle.state, 0).pieces_of(Nova),
        observe(battle.state, 1).pieces_of(Nova),
    )
    assert (mine.ship, theirs.ship) == ("r1", "x9")
    state = start(document, classes()).state
    assert "r1" not in json.dumps(side_log(battle.events, state, 1))


def test_armed_ship_round_trips() -> None:
    battle = start(before_it((60, 100)), classes())
    battle.state.ship_by_name("r1").armed = True
    assert battle_from(battle.to_json()).state.ship_by_name("r1").armed
