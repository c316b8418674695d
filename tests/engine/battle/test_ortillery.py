"""Ortillery: ground targets are bombarded from orbit, and by nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import battle_from, fight, start
from engine.continuum.ortillery import target_fault
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, LANDED
from engine.events.battle import TableCleared
from engine.notation.battles import read_battle
from engine.notation.ground import ground_of
from engine.pieces.planet import Planet
from engine.pieces.site import Site
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table

WORLD = {"kind": "planet", "at": [60, 80], "radius": 6, "atmosphere": 6}
GROUND = [
    {"side": "blue", "planet": "planet-1", "boxes": 3},
    {"side": "blue", "planet": "planet-1", "boxes": 6},
]
VICTORY = [
    {"winner": "red", "ships": ["site-1"], "fate": "destroyed", "reason": "the port is in ruins"}
]


def table_over_planet(
    systems: str = "ortillery ortillery", planet: dict[str, Any] = WORLD, **more: Any
) -> dict[str, Any]:
    """Return `r1` with ortillery in orbit of a planet with two targets of blue's."""
    own = ship("r1", 60, 74, systems, 9, velocity=6, **more.pop("ours", {"orbit": "planet-1"}))
    return table(
        [own], [more.pop("foe", ship("b1", 60, 110, ""))], terrain=[planet], ground=GROUND, **more
    )


def bombard(*targets: str) -> dict[str, Any]:
    return {"plot": {"r1": f"bombard {' '.join(targets)}"}}


@pytest.mark.rule("pc.ortillery")
def test_system_rolls_a_beam_die_at_its_target() -> None:
    document = table_over_planet()
    battle = play(document, [bombard("site-1")], ortillery=[6, 3], re_roll=[4])
    (fired,) = events_of(battle, "bombarded")
    assert (fired.target, fired.points) == ("site-1", 3)
    assert [site["damage"] for site in ground_of(battle.state)] == [3, 0]
    assert replays(start(document, classes()), battle)
    shared = play(document, [bombard("site-1", "site-2")], ortillery=[4, 5])
    assert [site["damage"] for site in ground_of(shared.state)] == [1, 1]


@pytest.mark.rule("pc.ortillery")
def test_ortillery_fires_from_orbit_or_close_above() -> None:
    far = table_over_planet(ours={})
    far["sides"][0]["ships"][0] |= {"at": [60, 66], "velocity": 0}
    missed = play(far, [bombard("site-1")])
    assert events_of(missed, "not-over-target")[0].target == "site-1"
    assert not events_of(missed, "bombarded")
    bare = {"kind": "planet", "at": [60, 80], "radius": 6}
    for y, fires in ((68, True), (67, False)):
        above = table_over_planet(planet=bare, ours={})
        above["sides"][0]["ships"][0] |= {"at": [60, y], "velocity": 0}
        dice = {"ortillery": [1, 1]} if fires else {}
        assert bool(events_of(play(above, [bombard("site-1")], **dice), "bombarded")) is fires


@pytest.mark.rule("pc.ortillery")
def test_ortillery_hits_only_landed_ships() -> None:
    refused = play(table_over_planet(), [bombard("b1")])
    assert "only at targets on a planet" in events_of(refused, "order-refused")[0].reason
    foe = ship("b1", 60, 86, "", 3, velocity=6, orbit="planet-1")
    foe["design"]["streamlining"] = "full"
    document = table_over_planet(foe=foe) | {}
    document["sides"][1]["ships"].append(ship("b2", 10, 10, ""))
    battle = play(document, [{"plot": {"b1": "-1"}}, bombard("b1")], ortillery=[6, 5], re_roll=[1])
    assert at(battle, "b1").status == LANDED
    assert at(battle, "b1").damage == 3


@pytest.mark.rule("pc.ortillery")
def test_order_faults_are_reported() -> None:
    for document, order, words in (
        (table_over_planet(systems=""), bombard("site-1"), "no working ortillery"),
        (
            table_over_planet() | {"ground": [{**GROUND[0], "side": "red"}, GROUND[1]]},
            bombard("site-1"),
            "not hostile",
        ),
        (
            table_over_planet() | {"ground": [{**GROUND[0], "damage": 3}, GROUND[1]]},
            bombard("site-1"),
            "already destroyed",
        ),
    ):
        assert words in events_of(play(document, [order]), "order-refused")[0].reason


@pytest.mark.rule("pc.ortillery")
def test_ground_targets_can_decide_a_battle() -> None:
    battle = play(
        table_over_planet(victory=VICTORY), [bombard("site-1")], ortillery=[6, 4], re_roll=[1]
    )
    (over_,) = events_of(battle, "battle-over")
    assert (over_.winner, over_.reason) == ("red", "the port is in ruins")


@pytest.mark.rule("pc.ortillery")
def test_ground_target_state_is_public_and_stored() -> None:
    battle = play(table_over_planet(), [bombard("site-1")], ortillery=[4, 1])
    for side in (0, 1):
        view: dict[str, Any] = {**observe(battle.state, side).to_json()}
        assert [(site["id"], site["boxes"], site["damage"]) for site in view["sites"]] == [
            ("site-1", 3, 1),
            ("site-2", 6, 0),
        ]
    for wrong, words in (
        ({"planet": "planet-2"}, "no planet is called"),
        ({"boxes": 0}, "boxes"),
        ({"side": "gold"}, "gold"),
    ):
        with pytest.raises(RuleViolations, match=words):
            read_battle(table_over_planet() | {"ground": [GROUND[0] | wrong]}, classes())


@pytest.mark.rule("pc.ortillery")
def test_captains_use_ortillery_from_orbit() -> None:
    document = table_over_planet(
        victory=VICTORY, foe=ship("b1", 10, 112, "", thrust=0, ftl="none"), ours={}
    )
    document["sides"][0]["ships"][0] |= {"at": [60, 40], "course": 12, "velocity": 4}
    ended = fight(start(document, classes()), {}, Dice(5), "captains", 20)
    assert events_of(ended, "bombarded")
    assert not events_of(ended, "order-refused")
    assert ended.winner == "red"
    assert at(ended, "r1").status != DESTROYED


@pytest.mark.rule("pc.ortillery", "pc.disengaging")
def test_targets_left_behind_in_a_pursuit_count_but_cannot_be_hit() -> None:
    """The planet is out of sight with its targets; a side that ruined one of two has one to go."""
    victory = [
        {
            "winner": "red",
            "ships": ["site-1", "site-2"],
            "fate": "destroyed",
            "least": 2,
            "reason": "all is in ruins",
        }
    ]
    battle = play(
        table_over_planet(victory=victory), [bombard("site-1")], ortillery=[6, 4], re_roll=[1]
    )
    state = battle.state
    assert state.pieces
    TableCleared(state.turn).apply(state)
    for side in (0, 1):
        view = observe(state, side)
        assert (view.foreign_pieces_of(Site), view.own_pieces_of(Site), view.pieces_of(Planet)) == (
            [],
            [],
            [],
        )
        assert view.terms.victory[0].least == 1
    assert target_fault(state, at(battle, "r1"), "site-2")
    again = battle_from(json.loads(json.dumps(battle.to_json()))).state
    assert [(site.damage, site.is_behind) for site in again.pieces_of(Site)] == [
        (3, True),
        (0, True),
    ]
    assert [site["damage"] for site in ground_of(again)] == [3, 0]
