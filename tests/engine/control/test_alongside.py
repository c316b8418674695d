"""Boarding alongside: which units cross, when, who may not, and how captains do it."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.continuum.boarding_orders import BoardAlongside
from engine.core.dice import Dice
from engine.core.kinds import CAPTURED
from engine.core.state import CONTROL
from engine.systems.outfit import marines_of, parties_of
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.control.hulls import battle, design, events_of, replays, resolve_next, ship

pytestmark = pytest.mark.rule("pc.boarding")
RED, BLUE = 0, 1
RAIDER = design("marines marines marines", cls="Raider")
WRECK = design(cls="Wreck", thrust=0)


def meeting(apart: float = 3, foe: dict[str, Any] | None = None, **more: Any) -> Battle:
    """Return red's raider and blue's ship, flying side by side."""
    other = ship("e1", 30 + apart, 60, foe or design(cls="Prey"), course=3, velocity=4)
    mine = {"course": 3, "velocity": 4, **more}
    return battle(
        [ship("n1", 30, 60, RAIDER, **mine)], "boarding", foes=[other, ship("e2", 100, 20)]
    )


def plotted(battle: Battle, words: str) -> Battle:
    """Return the battle after a turn's movement with an order for n1."""
    contact_code = battle.state.ship_by_name("e1").contact
    after, _ = stops.resolve_documents(
        battle, {RED: {"plot": {"n1": words.format(e1=contact_code)}}, BLUE: {"plot": {}}}, Dice(1)
    )
    return after


def test_boarders_cross_alongside_and_fight_the_same_turn() -> None:
    battle = meeting()
    there = plotted(battle, "board {e1} 2 1")
    ours, prey = (there.state.ship_by_name(name) for name in ("n1", "e1"))
    assert prey.boarders_by_side() == {RED: (2, 1)}
    assert (len(marines_of(ours)), ours.record.parties_away) == (1, 1)
    assert there.state.stop == CONTROL  # nobody has a target in range, so the fire phase is skipped
    fought = resolve_next(there, threshold=[1, 1])
    assert fought.state.ship_by_name("e1").damage == 3
    assert replays(battle, fought)


def test_last_box_decides_who_has_the_ship() -> None:
    other = ship("e1", 33, 60, design(cls="Prey"), damage=10)
    initial_battle = battle(
        [ship("n1", 30, 60, RAIDER)], "boarding", foes=[other, ship("e2", 100, 20)]
    )
    assert (
        resolve_next(resolve_next(plotted(initial_battle, "board {e1} 2")))
        .state.ship_by_name("e1")
        .status
        == CAPTURED
    )


@pytest.mark.parametrize(
    ("apart", "more", "why"),
    [
        (3.5, {}, "within 3 MU"),
        (2, {"velocity": 3}, "did not match the other ship's course and velocity"),
        (0, {"course": 2}, "did not match"),
    ],
)
def test_ship_not_alongside_sends_nobody_and_only_its_side_learns_why(
    apart: float, more: dict[str, Any], why: str
) -> None:
    battle = meeting(apart, **more)
    there = plotted(battle, "board {e1} 2")
    assert not there.state.ship_by_name("e1").boarders_by_side()
    assert why in events_of(there, "docking-missed")[0].reason
    heard = [
        [line["event"] for line in side_log(there.events, battle.state, side)]
        for side in (RED, BLUE)
    ]
    assert ["docking-missed" in lines for lines in heard] == [True, False]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("board {e1} 4", "3 marines"),
        ("board {e1} 0 9", "parties to send"),
        ("board {e1} 0", "one marine or party"),
        ("board n1 1", "only an identified ship"),
        ("ftl; board {e1} 1", "moves freely"),
        ("board {e1}", "marines that board"),
    ],
)
def test_impossible_orders_are_refused_with_a_reason(words: str, why: str) -> None:
    battle = meeting()
    contact_code = battle.state.ship_by_name("e1").contact
    _, faults = stops.read_orders(battle, RED, {"plot": {"n1": words.format(e1=contact_code)}})
    assert any(why in fault.message for fault in faults), faults


def test_nobody_boards_without_the_option() -> None:
    initial_battle = battle([ship("n1", 30, 60, RAIDER)], foes=[ship("e1", 31, 60)])
    _, faults = stops.read_orders(
        initial_battle,
        RED,
        {"plot": {"n1": f"board {initial_battle.state.ship_by_name('e1').contact} 1"}},
    )
    assert "boarding is not allowed" in faults[0].message


@pytest.mark.parametrize("more", [{}, {"course": 12, "velocity": 3}, {"velocity": 5}])
def test_captain_boards_a_ship_that_cannot_steer(
    more: dict[str, Any],
) -> None:
    battle = meeting(foe=WRECK, **more)
    view = observe(battle.state, RED)
    plot = Captain(Doctrine(), Dice(1)).plots(view).get("n1")
    foe = battle.state.ship_by_name("e1")
    boards = plot is not None and plot.find(BoardAlongside) == BoardAlongside(foe.contact, 3, 0)
    assert boards == (more.get("course") != 12)
    if plot is not None and boards:
        assert plotted(battle, plot.words()).state.ship_by_name("e1").boarders_by_side() == {
            RED: (3, 0)
        }


def test_captain_spares_marines_against_many_defenders() -> None:
    fortress = design(" ".join(["marines"] * 9), cls="Fortress", thrust=0, mass=300, boxes=36)
    for foe in (fortress, design(cls="Prey")):
        plot = Captain(Doctrine(), Dice(1)).plots(observe(meeting(foe=foe).state, RED)).get("n1")
        assert plot is None or plot.find(BoardAlongside) is None
    assert parties_of(meeting().state.ship_by_name("n1")) > 0


def test_captured_ship_can_be_boarded_alongside() -> None:
    other = ship("e1", 33, 60, design(cls="Prey"), damage=10)
    rescuer = ship("e2", 36, 60, design("marines marines marines", cls="Rescuer"))
    initial_battle = battle(
        [ship("n1", 30, 60, RAIDER)], "boarding", foes=[other, rescuer, ship("e3", 100, 20)]
    )
    prize = resolve_next(resolve_next(plotted(initial_battle, "board {e1} 2")))
    assert prize.state.ship_by_name("e1").status == CAPTURED
    while prize.state.stop != "plot":
        prize = resolve_next(prize)
    back, _ = stops.resolve_documents(
        prize, {RED: {"plot": {}}, BLUE: {"plot": {"e2": "board e1 3"}}}, Dice(1)
    )
    assert back.state.ship_by_name("e1").boarders_by_side()[BLUE] == (3, 0)
