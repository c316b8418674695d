"""Planetoids of Continuum: encounters on the way and at the end of moves, escapes, and destruction."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.captains.common.objectives import path_loss_odds
from engine.core.edition import Edition
from engine.core.terms import Terms
from engine.pieces.asteroid import Asteroid
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table

pytestmark = pytest.mark.rule("pc.planetoids")
AGREED = ("asteroid-destruction",)
TERMS = Terms(edition=Edition.CONTINUUM)


def field(
    *rocks: tuple[float, float, float], systems: str = "", drive: str = "", **more: Any
) -> dict[str, Any]:
    """Return a cruiser of thrust 4 at (60, 60) on course 12, a distant target, and asteroids (x, y,
    radius).
    """
    own = ship("r1", 60, 60, systems, velocity=more.pop("velocity", 9), mass=80)
    if drive:
        own["design"]["drive"] = drive
    boxes = more.pop("boxes", 0)
    asteroids = [{"at": [x, y], "radius": radius, "boxes": boxes} for x, y, radius in rocks]
    return table([own], [ship("b1", 100, 110, "", 6)], asteroids=asteroids, **more)


@pytest.mark.parametrize(("die", "status"), [(4, "destroyed"), (5, "fighting")])
def test_example_thrust_4_at_velocity_9_needs_a_5(die: int, status: str) -> None:
    document = field((60, 65, 1))
    battle = play(document, [{}], collision=[die])
    assert at(battle, "r1").status == status
    assert events_of(battle, "crashed" if status == "destroyed" else "avoided")[0].needs == 5
    assert replays(start(document, classes()), battle)


@pytest.mark.parametrize(
    ("velocity", "status"), [(5, "fighting"), (4, "fighting"), (11, "destroyed")]
)
def test_irrelevant_die_is_not_rolled(velocity: int, status: str) -> None:
    assert at(play(field((60, 63, 1), velocity=velocity), [{}]), "r1").status == status


@pytest.mark.parametrize(("velocity", "needs"), [(9, 1), (10, 2), (14, 6), (15, 7)])
def test_advanced_drive_counts_twice(velocity: int, needs: int) -> None:
    battle = play(
        field((60, 65, 1), velocity=velocity, drive="advanced"),
        [{}],
        collision=[6] if 1 < needs < 7 else [],
    )
    assert events_of(battle, "crashed" if needs == 7 else "avoided")[0].needs == needs


def test_moving_asteroid_is_met_where_the_move_ends() -> None:
    """It drifts from (66, 65) to (60, 65) across the ship's path, and ends 4 MU behind the ship."""
    crossing = field((66, 65, 1), drift={"course": 9, "speed": 6})
    assert not events_of(play(crossing, [{}]), "avoided")
    ending = field((66, 69, 1), drift={"course": 9, "speed": 6})
    assert events_of(play(ending, [{}], collision=[5]), "avoided")


def test_moving_asteroid_hits_ships_that_have_not_moved() -> None:
    over = field((63, 60, 1), drift={"course": 9, "speed": 6})
    battle = play(over, [{}], collision=[5])
    assert events_of(battle, "avoided")[0].ship == "r1"
    assert at(battle, "r1").y == 69


def test_stationary_asteroid_is_met_along_the_path() -> None:
    assert events_of(play(field((60, 65, 1)), [{}], collision=[6]), "avoided")


def test_captains_know_its_next_place_and_their_evasion() -> None:
    rock = Asteroid("rock-1", 66, 65, 1.0, 9, 6.0)
    way = ((60.0, 60.0), (60.0, 69.0))
    assert path_loss_odds(TERMS, [rock], way, 9, 4, 1) == 0.0
    ending = Asteroid("rock-1", 66, 69, 1.0, 9, 6.0)
    assert path_loss_odds(TERMS, [ending], way, 9, 4, 1) == pytest.approx(4 / 6)
    next_drift = Asteroid("rock-1", 72, 69, 1.0, 9, 6.0)
    assert path_loss_odds(TERMS, [next_drift], way, 9, 4, 1) == pytest.approx(4 / 6)
    assert path_loss_odds(TERMS, [ending], way, 9, 8, 1) == 0.0


def test_option_lets_weapons_break_an_asteroid() -> None:
    document = field(
        (60, 70, 2), systems="beam:2@FP+F+FS k-gun:3@F", velocity=0, boxes=5, options=AGREED
    )
    volley = {
        "engage": {
            "r1": [
                {"weapon": "beam-1", "target": "rock-1"},
                {"weapon": "k-gun-1", "target": "rock-1"},
            ]
        }
    }
    battle = play(
        document,
        [volley],
        beam=[4, 5],
        to_hit=[6],
        double=[4],
        asteroid=[2],
        direction=[3, 7],
        distance=[4, 1],
    )
    assert [(event.weapon, event.hits) for event in events_of(battle, "rock-shot")] == [
        ("beam-1", 2),
        ("k-gun-1", 3),
    ]
    assert [(rock.id, rock.radius, rock.course, rock.speed) for rock in battle.state.pieces_of(Asteroid)] == [
        ("rock-1.1", 1.0, 3, 4.0), ("rock-1.2", 1.0, 7, 1.0),
    ]  # fmt: skip
    assert replays(start(document, classes()), battle)


@pytest.mark.parametrize(
    ("place", "options", "boxes", "target"),
    [
        # Without the option there is no such name, and the fault says so
        ((60, 70), (), 5, "rock-1"),
        ((60, 70), AGREED, 0, "rock-1"),  # nothing breaks it
        ((60, 90), AGREED, 5, "rock-1"),  # out of range
        ((60, 50), AGREED, 5, "rock-1"),  # out of arc
    ],
)
def test_who_may_not_fire_at_an_asteroid(
    place: tuple[float, float], options: tuple[str, ...], boxes: int, target: str
) -> None:
    document = field(
        (*place, 2), systems="beam:2@FP+F+FS", velocity=0, boxes=boxes, options=options
    )
    if not options:
        with pytest.raises(Exception, match="rock-1"):
            play(document, [{"engage": {"r1": [{"weapon": "beam-1", "target": target}]}}])
        return
    battle = play(document, [{"engage": {"r1": [{"weapon": "beam-1", "target": target}]}}])
    assert events_of(battle, "shot-refused")[0].weapon == "beam-1"


def test_asteroid_takes_a_firecon_like_a_ship() -> None:
    rocks = ((60, 70, 1), (64, 70, 1), (56, 70, 1))
    document = field(*rocks, systems=" ".join(["beam:1"] * 3), velocity=0, boxes=50, options=AGREED)
    fires = [{"weapon": f"beam-{n}", "target": f"rock-{n}"} for n in (1, 2, 3)]
    battle = play(document, [{"engage": {"r1": fires}}], beam=[4, 4])
    assert [event.rock for event in events_of(battle, "rock-shot")] == ["rock-1", "rock-2"]
    assert "FireCons" in events_of(battle, "shot-refused")[0].reason
