"""Fire: batteries, bands, screens, arcs, FireCons. Examples of the rulebook by name."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.geometry import AFT, COURSES, FORE, PORT, STARBOARD, arcs_of
from engine.systems.defences import beam_points
from engine.weapons.beams import DICE_BY_BAND
from tests.engine.battle.table import at, events_of, fire, gunship, play, setup, ship


def duel(shooter: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    return setup([shooter], [target])


@pytest.mark.rule("2e.beams")
def test_example_an_a_and_a_b_battery_at_18_roll_three_dice() -> None:
    document = duel(gunship("r1", 60, 20, "ABC"), gunship("b1", 60, 38, "C"))
    turn = {"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b1"), ("battery-3", "b1"))}}
    battle = play(document, [turn], beam=[1, 5, 6])
    assert at(battle, "b1").damage == 3
    assert [shot.dice for shot in events_of(battle, "shot")] == [(1, 5), (6,)]
    assert events_of(battle, "shot-refused")[0].weapon == "battery-3"


@pytest.mark.rule("2e.screens")
def test_example_the_same_dice_through_level_2_screens_do_two() -> None:
    document = duel(gunship("r1", 60, 20, "AB"), gunship("b1", 60, 38, "C", screens=2))
    turn = {"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b1"))}}
    assert at(play(document, [turn], beam=[1, 5, 6]), "b1").damage == 2


@pytest.mark.rule("2e.screens")
def test_example_three_screens_less_two_leave_one() -> None:
    whole = gunship("b1", 60, 38, "C", screens=3)
    battle = play(duel(gunship("r1", 60, 20, "A"), whole), [])
    assert at(battle, "b1").screens == 3
    hurt = gunship("b1", 60, 38, "C", screens=3, lost=["screen-1", "screen-3"])
    battle = play(
        duel(gunship("r1", 60, 20, "A"), hurt),
        [{"engage": {"r1": fire(("battery-1", "b1"))}}],
        beam=[4, 6],
    )
    assert at(battle, "b1").screens == 1
    assert at(battle, "b1").damage == 2


@pytest.mark.rule("2e.screens")
@pytest.mark.parametrize(
    ("level", "points"),
    [
        (0, (0, 0, 0, 1, 1, 2)),
        (1, (0, 0, 0, 0, 1, 2)),
        (2, (0, 0, 0, 0, 1, 1)),
        (3, (0, 0, 0, 0, 0, 1)),
    ],
)
def test_points_of_each_die_by_screen_level(level: int, points: tuple[int, ...]) -> None:
    assert beam_points(level)[1:] == points


@pytest.mark.rule("2e.beams")
@pytest.mark.parametrize(("letter", "dice"), [("A", (3, 2, 1)), ("B", (2, 1, 0)), ("C", (1, 0, 0))])
def test_dice_of_each_class_by_band(letter: str, dice: tuple[int, int, int]) -> None:
    assert DICE_BY_BAND[letter] == dice


@pytest.mark.rule("2e.beams")
@pytest.mark.parametrize(
    ("distance", "dice"), [(12, 3), (12.01, 2), (24, 2), (24.01, 1), (36, 1), (36.01, 0)]
)
def test_range_on_the_limit_is_in_the_nearer_band(distance: float, dice: int) -> None:
    document = duel(gunship("r1", 60, 20, "A"), gunship("b1", 60, 20 + distance, "C"))
    battle = play(document, [{"engage": {"r1": fire(("battery-1", "b1"))}}], beam=[1] * dice)
    assert [len(shot.dice) for shot in events_of(battle, "shot")] == ([dice] if dice else [])


@pytest.mark.rule("2e.arcs")
@pytest.mark.parametrize("course", range(1, 13))
def test_four_arcs_turn_with_the_course(course: int) -> None:
    ux, uy = COURSES[course]
    assert arcs_of(ux, uy, course) == FORE
    assert arcs_of(-ux, -uy, course) == AFT
    assert arcs_of(uy, -ux, course) == STARBOARD
    assert arcs_of(-uy, ux, course) == PORT


@pytest.mark.rule("2e.arcs")
def test_nothing_fires_aft() -> None:
    document = duel(gunship("r1", 60, 60, "ABC"), gunship("b1", 60, 50, "C"))
    battle = play(document, [{"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b1"))}}])
    assert not events_of(battle, "shot")
    assert len(events_of(battle, "shot-refused")) == 2


@pytest.mark.rule("2e.arcs")
@pytest.mark.parametrize(
    ("dx", "dy", "die", "arc"),
    [(8, 8, 1, "F"), (8, 8, 2, "S"), (-8, 8, 3, "F"), (-8, 8, 4, "P"), (8, -8, 5, "S"),
     (8, -8, 6, "A"), (-8, -8, 1, "A"), (-8, -8, 2, "P")],
)  # fmt: skip
def test_arc_of_a_target_on_the_line_is_rolled(dx: int, dy: int, die: int, arc: str) -> None:
    document = duel(gunship("r1", 60, 60, "C"), gunship("b1", 60 + dx, 60 + dy, "C"))
    battle = play(
        document,
        [{"engage": {"r1": fire(("battery-1", "b1"))}}],
        arc=[die],
        beam=[4] if arc != "A" else [],
    )
    assert events_of(battle, "arc")[0].arc == arc
    assert at(battle, "b1").damage == (0 if arc == "A" else 1)


@pytest.mark.rule("2e.arcs")
def test_one_die_decides_the_arc_for_all_batteries_of_a_ship() -> None:
    design = gunship("r1", 60, 60, "CC")
    design["design"]["systems"] = [
        {"type": "battery", "battery": "C", "arcs": ["F", "P"]},
        {"type": "battery", "battery": "C", "arcs": ["S"]},
    ]
    battle = play(
        duel(design, gunship("b1", 68, 68, "C")),
        [{"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b1"))}}],
        arc=[2],
        beam=[6],
    )
    assert [shot.weapon for shot in events_of(battle, "shot")] == ["battery-2"]


@pytest.mark.rule("2e.arcs")
def test_battery_fires_only_in_its_arcs() -> None:
    design = gunship("r1", 60, 60, "A")
    design["design"]["systems"] = [{"type": "battery", "battery": "A", "arcs": ["F", "P"]}]
    for x, shots in ((50, 1), (70, 0)):
        turn = {"engage": {"r1": fire(("battery-1", "b1"))}}
        assert (
            len(
                events_of(
                    play(duel(design, gunship("b1", x, 60, "C")), [turn], beam=[1, 1, 1]), "shot"
                )
            )
            == shots
        )


def three_targets(firecons: int, lost: int) -> Any:
    """Return a ship with so many FireCons, some lost, that fires one battery at each of three
    targets.
    """
    mass = {1: 12, 2: 30, 3: 40}[firecons]
    shooter = gunship(
        "r1", 60, 60, "CCC", mass=mass, lost=[f"firecon-{n + 1}" for n in range(lost)]
    )
    targets = [gunship(f"b{n}", 58 + n, 66, "C") for n in (1, 2, 3)]
    turn = {"engage": {"r1": fire(("battery-1", "b1"), ("battery-2", "b2"), ("battery-3", "b3"))}}
    working = firecons - lost
    return play(setup([shooter], targets), [turn], beam=[1] * working)


@pytest.mark.rule("2e.fire-control")
@pytest.mark.parametrize(
    ("firecons", "lost"), [(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (2, 1), (1, 1)]
)
def test_each_target_takes_a_firecon(firecons: int, lost: int) -> None:
    battle = three_targets(firecons, lost)
    assert len(events_of(battle, "shot")) == firecons - lost
    assert len(events_of(battle, "shot-refused")) == 3 - (firecons - lost)


@pytest.mark.rule("2e.fire-control")
def test_one_firecon_directs_every_battery_at_one_target() -> None:
    document = duel(gunship("r1", 60, 60, "CCC", mass=12), gunship("b1", 60, 66, "C"))
    turn = {"engage": {"r1": fire(*((f"battery-{n}", "b1") for n in (1, 2, 3)))}}
    assert len(events_of(play(document, [turn], beam=[1, 1, 1]), "shot")) == 3


@pytest.mark.rule("2e.beams")
def test_battery_fires_once_a_turn() -> None:
    document = setup(
        [gunship("r1", 60, 60, "C")], [gunship("b1", 60, 66, "C"), gunship("b2", 61, 66, "C")]
    )
    battle = play(
        document, [{"engage": {"r1": fire(("battery-1", "b1"), ("battery-1", "b2"))}}], beam=[4]
    )
    assert [shot.target for shot in events_of(battle, "shot")] == ["b1"]
    assert events_of(battle, "shot-refused")[0].reason == "it has already fired this turn"


@pytest.mark.rule("2e.beams")
def test_other_ships_do_not_block_fire() -> None:
    document = setup(
        [gunship("r1", 60, 60, "C")],
        [ship("b1", "Superdreadnought", 60, 63), gunship("b2", 60, 66, "C")],
    )
    battle = play(document, [{"engage": {"r1": fire(("battery-1", "b2"))}}], beam=[4])
    assert at(battle, "b2").damage == 1
