"""Asteroids: what they hide, ships that hit them, how they drift, and what breaks them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import fight, start
from engine.captains.common.objectives import avoid_hazards
from engine.combat.collisions import die_needed
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.orders import HOLD
from engine.core.state import BattleState
from engine.core.terms import DEFAULT_TERMS
from engine.notation.orders import parse_plot
from engine.pieces.asteroid import Asteroid
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    fire,
    gunship,
    play,
    replays,
    scripted,
    setup,
    ship,
)

pytestmark = pytest.mark.rule("2e.asteroids")


def field(*rocks: tuple[float, float, float], **more: Any) -> dict[str, Any]:
    """Return a cruiser of thrust 4 at (60, 60) on course 12, a distant target, and asteroids (x, y,
    radius).
    """
    velocity = more.pop("velocity", 9)
    return setup(
        [gunship("r1", 60, 60, "A", velocity=velocity)],
        [gunship("b1", 60, 90, "A", 6, mass=60)],
        asteroids=[{"at": [x, y], "radius": radius} for x, y, radius in rocks],
        **more,
    )


def test_asteroid_on_the_line_blocks_fire_and_scans() -> None:
    shot = [{"engage": {"r1": fire(("battery-1", "b1"))}}]
    for x, blocked in ((60, True), (60.9, True), (61, False), (62, False)):
        document = field((x, 75, 1), velocity=0)
        dice = {} if blocked else {"beam": [4]}
        assert bool(events_of(play(document, shot, **dice), "shot")) is not blocked
        bogeys = start({**document, "bogeys": True}, classes())
        assert bogeys.state.ship_by_name("b1").bogey is blocked


def test_piece_beyond_the_target_hides_nothing() -> None:
    battle = play(
        field((60, 93, 1), velocity=0), [{"engage": {"r1": fire(("battery-1", "b1"))}}], beam=[4]
    )
    assert events_of(battle, "shot")


@pytest.mark.parametrize(
    ("die", "status"), [(1, "destroyed"), (4, "destroyed"), (5, "fighting"), (6, "fighting")]
)
def test_example_velocity_9_and_thrust_4_need_a_5(die: int, status: str) -> None:
    document = field((60, 65, 1))
    battle = play(document, [{}], collision=[die])
    assert at(battle, "r1").status == status
    event = events_of(battle, "crashed" if status == "destroyed" else "avoided")[0]
    assert (event.rock, event.die, event.needs) == ("rock-1", die, 5)
    assert replays(start(document, classes()), battle)


@pytest.mark.parametrize(
    ("velocity", "thrust", "needs"), [(9, 4, 5), (5, 4, 1), (4, 6, -2), (12, 4, 8), (10, 4, 6)]
)
def test_required_die(velocity: int, thrust: int, needs: int) -> None:
    assert die_needed(velocity, thrust) == needs


@pytest.mark.parametrize(("velocity", "status"), [(5, "fighting"), (11, "destroyed")])
def test_slow_ships_always_pass_and_fast_ones_never(velocity: int, status: str) -> None:
    battle = play(field((60, 63, 1), velocity=velocity), [{}])
    assert at(battle, "r1").status == status


def test_every_asteroid_on_either_leg_needs_a_die() -> None:
    battle = play(field((60, 62, 1), (60, 66, 1)), [{}], collision=[5, 4])
    assert [event.kind for event in battle.events if event.kind in ("avoided", "crashed")] == [
        "avoided",
        "crashed",
    ]
    turned = play(field((65, 65.77, 0.3), velocity=10), [{"plot": {"r1": "S2"}}], collision=[6])
    assert [event.rock for event in events_of(turned, "avoided")] == ["rock-1"]
    assert not events_of(play(field((60, 68, 1), velocity=10), [{"plot": {"r1": "S2"}}]), "avoided")


def test_asteroids_drift_before_ships_move() -> None:
    document = field((60, 64, 1), drift={"course": 6, "speed": 3}, velocity=8)
    battle = play(document, [{}], collision=[4])
    kinds = [event.kind for event in battle.events]
    assert kinds.index("drifted") < kinds.index("moved")
    assert (battle.state.pieces_of(Asteroid)[0].x, battle.state.pieces_of(Asteroid)[0].y) == (
        60,
        61,
    )
    assert len(events_of(battle, "avoided")) == 1, "one die for one asteroid a turn"
    through = play(
        field((60, 64, 1), drift={"course": 6, "speed": 9}, velocity=9), [{}], collision=[2]
    )
    assert at(through, "r1").status == "destroyed"
    assert replays(start(document, classes()), battle)


def test_asteroid_that_drifts_off_the_table_is_gone() -> None:
    battle = play(field((3, 50, 1), drift={"course": 9, "speed": 5}, velocity=0), [{}])
    assert battle.state.pieces_of(Asteroid) == []
    assert events_of(battle, "drifted")[0].removed == ("rock-1",)


def test_rolled_field_keeps_its_spacing_and_dice() -> None:
    station = {"id": "base", "design": base(), "at": [60, 36], "course": 12, "velocity": 0}
    document = setup(
        [station],
        [gunship("b1", 5, 5, "C")],
        table=[108, 72],
        asteroids={"roll": True},
        drift="roll",
    )
    counts = set()
    for seed in range(20):
        rocks = start(document, classes(), Dice(seed)).state.pieces_of(Asteroid)
        counts.add(len(rocks))
        assert 5 <= len(rocks) <= 10
        assert all(12 <= rock.x <= 96 and 12 <= rock.y <= 60 for rock in rocks)
        points = [(rock.x, rock.y) for rock in rocks] + [(60, 36)]
        assert all(
            (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= 144
            for i, a in enumerate(points)
            for b in points[:i]
        )
        assert len({(rock.course, rock.speed) for rock in rocks}) == 1
        assert rocks == start(document, classes(), Dice(seed)).state.pieces_of(Asteroid)
    assert len(counts) > 3
    dice = scripted(
        asteroid=[1, 1, 1, 2, 2, 1, 20, 1, 40, 60, 1, 80, 1], direction=[4], distance=[3]
    )
    by_hand = start(document, classes(), dice).state.pieces_of(Asteroid)
    assert [(rock.x, rock.y) for rock in by_hand] == [
        (12, 12),
        (12, 31),
        (12, 51),
        (71, 12),
        (91, 12),
    ]
    assert {(rock.course, rock.speed) for rock in by_hand} == {(4, 3.0)}


def base() -> dict[str, Any]:
    return {
        "class": "Base",
        "edition": "second-edition",
        "kind": "installation",
        "mass": 100,
        "systems": [],
    }


def breaking(boxes: int, **more: Any) -> dict[str, Any]:
    document = field((60, 70, 2), velocity=0, options=["asteroid-destruction"], **more)
    document["asteroids"][0]["boxes"] = boxes
    return document


def test_option_lets_fire_break_an_asteroid() -> None:
    document = breaking(4)
    turns: list[dict[str, Any]] = [{"engage": {"r1": fire(("battery-1", "rock-1"))}}, {}]
    battle = play(
        document, turns, beam=[6, 5, 6], asteroid=[3], direction=[12, 3, 7], distance=[2, 6, 1]
    )
    assert events_of(battle, "rock-shot")[0].hits == 5
    assert events_of(battle, "rock-damaged")[0].total == 4
    chunks = {rock.id: (rock.x, rock.y, rock.radius) for rock in battle.state.pieces_of(Asteroid)}
    assert chunks["rock-1.1"] == (60, 72, 1.0)
    assert chunks["rock-1.2"] == (66, 70, 1.0)
    assert len(chunks) == 3
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("2e.fire-control")
def test_weapons_at_one_asteroid_share_a_firecon() -> None:
    document = breaking(30)
    document["sides"][0]["ships"] = [gunship("r1", 60, 60, "AAAA", velocity=0)]
    document["sides"][1]["ships"] = [gunship("b1", 75, 70, "A", mass=60)]
    firecons = start(document, classes()).state.ship_by_name("r1").firecons
    shots = [(f"battery-{number}", "rock-1") for number in range(1, firecons + 1)]
    shots.append((f"battery-{firecons + 1}", "b1"))
    battle = play(document, [{"engage": {"r1": fire(*shots)}}], beam=[1] * 12)
    assert len(events_of(battle, "rock-shot")) == firecons > 1
    assert events_of(battle, "shot-refused") == []
    assert [event.target for event in events_of(battle, "shot")] == ["b1"]


def test_asteroids_cannot_be_targets_without_the_option() -> None:
    document = breaking(4)
    del document["options"]
    with pytest.raises(RuleViolations, match="rock-1"):
        play(document, [{"engage": {"r1": fire(("battery-1", "rock-1"))}}])
    unbreakable = breaking(0)
    battle = play(unbreakable, [{"engage": {"r1": fire(("battery-1", "rock-1"))}}])
    assert not events_of(battle, "rock-shot")


def test_ftl_exit_near_an_asteroid_is_dangerous() -> None:
    document = field((60, 75, 1), velocity=8)
    battle = play(document, [{"plot": {"r1": "ftl"}}, {}], ftl=[3])
    assert events_of(battle, "ftl-exit")[0].near == ("rock-1",)
    assert at(battle, "r1").status == "ftl"


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"asteroids": [{"at": [60, 60]}]}, "asteroids[0].at"),
        ({"asteroids": [{"at": [500, 60]}]}, "asteroids[0].at"),
        ({"asteroids": [{"at": [5, 6], "radius": 0}]}, "asteroids[0].radius"),
        ({"asteroids": [{"at": [5, 6], "boxes": -1}]}, "asteroids[0].boxes"),
        ({"asteroids": {"radius": 1}}, "asteroids.roll"),
        ({"asteroids": {"roll": True, "count": 3}}, "asteroids.roll"),
        ({"asteroids": {"count": 31}}, "asteroids.count"),
        ({"asteroids": {"count": 0}}, "asteroids.count"),
        ({"asteroids": [{"at": [5, 6]}], "drift": {"course": 13, "speed": 1}}, "drift"),
        ({"options": ["comets"]}, "options[0]"),
    ],
)
def test_field_faults_have_their_place(more: dict[str, Any], where: str) -> None:
    with pytest.raises(RuleViolations) as error:
        start({**field(), **more}, classes())
    assert [fault.where for fault in error.value.violations] == [where]


def test_file_can_give_the_number_of_asteroids() -> None:
    document = setup(
        [gunship("r1", 5, 5, "C")],
        [gunship("b1", 90, 90, "C")],
        table=[120, 120],
        asteroids={"count": 3, "apart": 12},
    )
    state = start(document, classes(), Dice(1)).state
    assert len(state.pieces_of(Asteroid)) == 3


def test_too_small_table_is_reported() -> None:
    document = setup(
        [gunship("r1", 5, 5, "C")],
        [gunship("b1", 15, 15, "C")],
        table=[30, 26],
        asteroids={"roll": True},
    )
    with pytest.raises(RuleViolations, match="do not fit"):
        start(document, classes(), Dice(1))
    with pytest.raises(RuleViolations, match="no position"):
        start({**document, "table": [20, 20]}, classes(), Dice(1))


def ahead(velocity: int) -> BattleState:
    return start(field(velocity=velocity), classes()).state


@pytest.mark.parametrize("velocity", [8, 9, 10])
def test_captain_avoids_asteroids_where_possible(velocity: int) -> None:
    ship = ahead(velocity).ship_by_name("r1")
    rocks = [Asteroid("rock-1", 60, 60 + velocity - 1, 1.0)]
    plot = avoid_hazards(DEFAULT_TERMS, ship, HOLD, rocks)
    assert plot is not HOLD
    battle = play(
        field((60, 60 + velocity - 1, 1), velocity=velocity), [{"plot": {"r1": plot.words()}}]
    )
    assert at(battle, "r1").status == "fighting"
    assert avoid_hazards(DEFAULT_TERMS, ship, HOLD, [Asteroid("rock-1", 90, 90, 1.0)]) is HOLD
    assert parse_plot(plot.words(), "")[0] == plot


def crashes(steering: bool, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the ships lost to asteroids in twelve battles through a dense drifting field."""
    rocks = [{"at": [24 + 12 * (n % 6), 8 + 11 * (n // 6)], "radius": 2} for n in range(24)]
    fleet = ("Destroyer", "Light Cruiser", "Heavy Cruiser")
    sides = [
        [ship(f"{key}{n}", cls, x, 12 + 12 * n, course, 8) for n, cls in enumerate(fleet)]
        for key, x, course in (("r", 2, 3), ("b", 106, 9))
    ]
    document = setup(*sides, table=[108, 48], asteroids=rocks, drift={"course": 12, "speed": 1})
    if not steering:
        monkeypatch.setattr(
            "engine.captains.common.objectives.path_loss_odds", lambda *_, **__: 0.0
        )
    initial_battle = start(document, classes())
    battles = [fight(initial_battle, {}, Dice(seed), f"c{seed}", 12) for seed in range(12)]
    return sum(len(events_of(battle, "crashed")) for battle in battles)


def test_captains_lose_far_fewer_ships_to_asteroids_than_straight_flyers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looking = crashes(True, monkeypatch)
    blind = crashes(False, monkeypatch)
    assert blind > 12
    assert looking * 3 < blind
