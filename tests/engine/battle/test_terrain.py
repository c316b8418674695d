"""Clouds, solar flares, fields, swarms and battle debris: effects, knowledge, and placing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.objectives import path_loss_odds
from engine.cli.battle import battle_file
from engine.combat.line_of_sight import chance_hidden
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.core.terms import Terms
from engine.notation.terrain import terrain_of
from engine.pieces.cloud import Cloud
from engine.pieces.debris import Debris
from engine.stops import side_view
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table, volley

CONTINUUM = Terms(edition=Edition.CONTINUUM)


def table_with_terrain(
    *terrain: dict[str, Any], systems: str = "", fitted: str = "", **more: Any
) -> dict[str, Any]:
    """Return `r1` at (60, 60) on course 12, and `b1` 10 MU ahead of it."""
    own = {key: more.pop(key) for key in ("velocity", "armour", "boxes") if key in more}
    return table(
        [ship("r1", 60, 60, systems, **own)],
        [ship("b1", 60, 70, fitted, 12)],
        terrain=list(terrain),
        **more,
    )


def cloud(x: float, y: float, radius: float = 3.0) -> dict[str, Any]:
    return {"kind": "cloud", "at": [x, y], "radius": radius}


# Clouds


@pytest.mark.rule("pc.clouds")
@pytest.mark.parametrize(
    ("velocity", "dice", "damage"),
    [
        (12, {}, 0),
        (13, {"dust": [3]}, 0),
        (13, {"dust": [4]}, 1),
        (13, {"dust": [6], "re_roll": [6, 4]}, 5),
    ],
)
def test_ship_faster_than_12_takes_a_beam_die_in_a_cloud(
    velocity: int, dice: dict[str, Any], damage: int
) -> None:
    document = table_with_terrain(cloud(60, 66), velocity=velocity)
    battle = play(document, [{}], **dice)
    assert at(battle, "r1").damage == damage
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.clouds")
def test_advanced_screens_and_armour_help_in_a_cloud() -> None:
    assert (
        at(
            play(
                table_with_terrain(cloud(60, 66), velocity=13, systems="screenx2"), [{}], dust=[5]
            ),
            "r1",
        ).damage
        == 1
    )
    advanced = table_with_terrain(cloud(60, 66), velocity=13, systems="advanced-screen")
    assert at(play(advanced, [{}], dust=[4]), "r1").damage == 0
    armoured = play(table_with_terrain(cloud(60, 66), velocity=13, armour=[[3, 0]]), [{}], dust=[5])
    assert (at(armoured, "r1").damage, at(armoured, "r1").armour) == (0, ((2, 0),))


@pytest.mark.rule("pc.clouds")
def test_two_clouds_on_the_path_are_one_die() -> None:
    assert (
        at(
            play(table_with_terrain(cloud(60, 64), cloud(60, 70), velocity=13), [{}], dust=[4]),
            "r1",
        ).damage
        == 1
    )
    assert at(play(table_with_terrain(cloud(70, 66), velocity=13), [{}]), "r1").damage == 0


@pytest.mark.rule("pc.clouds")
@pytest.mark.parametrize("where", [(60, 70), (60, 60)])
@pytest.mark.parametrize(("die", "fires"), [(3, False), (4, True)])
def test_die_of_4_finds_a_target_in_a_cloud(
    where: tuple[float, float], die: int, fires: bool
) -> None:
    battle = play(table_with_terrain(cloud(*where), systems="pulse-torpedo@F"), [volley("pulse-torpedo-1")], dust=[die],
                  to_hit=[2] if fires else [])  # fmt: skip
    assert bool(events_of(battle, "shot-refused")) is not fires
    assert events_of(battle, "cloud-searched")[0].die == die


@pytest.mark.rule("pc.clouds")
def test_one_die_per_target_and_none_for_a_cloud_between() -> None:
    both = table_with_terrain(cloud(60, 60), cloud(60, 70), systems="beam:1x2")
    battle = play(both, [volley("beam-1", "beam-2")], dust=[4], beam=[1, 1])
    assert len(events_of(battle, "cloud-searched")) == 1
    assert not events_of(
        play(table_with_terrain(cloud(60, 65, 2), systems="beam:1"), [volley("beam-1")], beam=[1]),
        "cloud-searched",
    )


@pytest.mark.rule("pc.clouds")
@pytest.mark.parametrize(
    ("weapon", "fitted", "screens"),
    [
        ("beam:1", "", 1),
        ("beam:1", "screen", 2),
        ("beam:1", "screenx2", 2),
        ("graser:1@FP+F+FS", "", 1),
        ("phaser:1@FP+F+FS", "", 0),
    ],
)
def test_beams_and_grasers_meet_up_to_two_extra_screens(
    weapon: str, fitted: str, screens: int
) -> None:
    battle = play(
        table_with_terrain(cloud(60, 70), systems=weapon, fitted=fitted),
        [volley(f"{weapon.partition(':')[0]}-1")],
        dust=[4],
        beam=[1],
        to_hit=[1],
    )
    assert [event.screens for event in battle.events if hasattr(event, "screens")] == [screens]


@pytest.mark.rule("pc.clouds")
def test_captains_consider_cloud_dice_and_fly_slowly() -> None:
    here = [Cloud("cloud-1", 60, 60, 3.0), Cloud("cloud-2", 61, 60, 3.0)]
    assert chance_hidden(here, (60.0, 60.0), (60.0, 90.0)) == 0.5
    assert chance_hidden(here, (60.0, 30.0), (60.0, 90.0)) == 0.0
    way = ((60.0, 50.0), (60.0, 63.0))
    assert path_loss_odds(CONTINUUM, here[:1], way, 13, 4, 1) > 0
    assert path_loss_odds(CONTINUUM, here[:1], way, 12, 4, 1) == 0


# Fields, swarms and debris


@pytest.mark.rule("pc.debris", "pc.planetoids")
@pytest.mark.parametrize(
    ("velocity", "dice"), [(5, []), (6, [4]), (11, [4]), (12, [4, 2]), (18, [1, 1, 1])]
)
def test_one_die_per_full_6_mu_past_armour_and_screens(velocity: int, dice: list[int]) -> None:
    field = {"kind": "field", "at": [60, 64], "radius": 3}
    document = table_with_terrain(field, velocity=velocity, armour=[[9, 0]], systems="screen")
    battle = play(document, [{}], damage=dice)
    assert at(battle, "r1").damage == sum(dice)
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.clouds")
def test_captains_prefer_targets_outside_clouds() -> None:
    """Two equal targets at equal range: the one in the cloud, hit by half the dice, is left alone."""
    blues = [ship("b1", 56, 70, "", 12), ship("b2", 64, 70, "", 12)]
    for hidden, aimed_at in ((56, "b2"), (64, "b1")):
        document = table(
            [ship("r1", 60, 60, "beam:2@ALL")],
            [dict(blue_ship) for blue_ship in blues],
            terrain=[cloud(hidden, 70)],
        )
        battle = battle_from(start(document, classes()).to_json())
        while battle.state.stop != "engage":
            battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        (_, fires), *_ = stops.advise(battle, 0, Doctrine(), "x")["engage"]
        targets = fires[0]["target"]
        assert (targets if isinstance(targets, str) else targets[0]) == aimed_at


@pytest.mark.rule("pc.debris")
def test_swarm_moves_and_hits_once_a_turn() -> None:
    swarm = {"kind": "field", "at": [50, 60], "radius": 3, "course": 3, "velocity": 10}
    document = table_with_terrain(swarm, velocity=6)
    battle = play(document, [{}], damage=[5])
    assert at(battle, "r1").damage == 5
    assert terrain_of(battle.state) == [{**swarm, "at": [60.0, 60.0], "radius": 3.0}]
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.debris")
def test_debris_of_a_file_lasts_a_turn() -> None:
    debris = {"kind": "debris", "at": [50, 20], "radius": 2, "course": 3, "velocity": 8}
    document = table_with_terrain(debris)
    assert terrain_of(start(document, classes()).state) == [debris]
    battle = play(document, [{}])
    assert terrain_of(battle.state) == []
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.debris")
@pytest.mark.parametrize(("die", "has_debris"), [(3, True), (4, False)])
def test_example_5_points_at_2_boxes_explode_on_3_or_less(die: int, has_debris: bool) -> None:
    document = table_with_terrain(systems="heavy-graser:1@F", options=("battle-debris",))
    document["sides"][1]["ships"][0] |= {"damage": 28, "velocity": 4, "course": 3}
    document["sides"][1]["ships"].append(ship("b2", 100, 100, ""))
    turn = volley("heavy-graser-1")
    document["sides"][1]["ships"][0]["at"] = [56, 70]
    battle = play(document, [turn], beam=[4], damage=[5], debris=[die])
    assert at(battle, "b1").status == "destroyed"
    event = events_of(battle, "broke-up")[0]
    assert (event.excess, event.die, bool(event.debris)) == (3, die, has_debris)
    assert terrain_of(battle.state) == (
        [{"kind": "debris", "at": [60, 70], "radius": 3.0, "course": 3, "velocity": 4}]
        if has_debris
        else []
    )
    assert replays(start(document, classes()), battle)
    again = play(document, [turn, {}], beam=[4], damage=[5], debris=[die])
    assert terrain_of(again.state) == []


@pytest.mark.rule("pc.debris")
def test_nothing_explodes_without_the_option() -> None:
    document = table_with_terrain(systems="heavy-graser:1@F", fitted="")
    document["sides"][1]["ships"][0] |= {"damage": 28}
    battle = play(document, [volley("heavy-graser-1")], beam=[4], damage=[5])
    assert (at(battle, "b1").status, events_of(battle, "broke-up")) == ("destroyed", [])


@pytest.mark.rule("pc.debris")
def test_captains_avoid_a_swarm() -> None:
    swarm = Debris("field-1", 50, 69, 3.0, 3, 10.0)
    way = ((60.0, 60.0), (60.0, 69.0))
    assert path_loss_odds(CONTINUUM, [swarm], way, 12, 4, 1) == pytest.approx(7 / 40)
    assert path_loss_odds(CONTINUUM, [swarm], way, 5, 4, 1) == 0
    assert path_loss_odds(CONTINUUM, [swarm], way, 12, 4, 3) == 0


# Flares


@pytest.mark.rule("pc.flares")
@pytest.mark.parametrize(
    ("systems", "dice", "lost"),
    [
        ("", [3, 4], ["firecon-1"]),
        ("screen", [3, 2], ["firecon-2"]),
        ("screenx2 enhanced-sensors", [2, 1, 1], ["firecon-2", "enhanced-sensors-1"]),
    ],
)
def test_flare_disables_firecons_and_sensors_below_4_with_screens(
    systems: str, dice: list[int], lost: list[str]
) -> None:
    document = table_with_terrain(systems=systems, flares=[2])
    document["sides"][1]["ships"][0]["design"]["systems"] = []
    assert at(play(document, [{}]), "r1").lost_systems() == ()
    battle = play(document, [{}, {}], flare=dice)
    assert at(battle, "r1").lost_systems() == tuple(lost)
    assert events_of(battle, "flared")
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.flares")
@pytest.mark.parametrize(("die", "flares"), [(5, 0), (6, 1)])
def test_six_brings_a_flare_with_the_option(die: int, flares: int) -> None:
    document = table_with_terrain(options=("flares",))
    assert len(events_of(play(document, [{}], flare=[die] + [4] * 4 * flares), "flared")) == flares


@pytest.mark.rule("pc.flares", "pc.flare-areas")
@pytest.mark.parametrize(("zone", "is_hit"), [(0.0, True), (3.0, True), (3.1, False)])
def test_flare_over_a_part_of_the_table(zone: float, is_hit: bool) -> None:
    """It reaches ships within its radius of 3 MU after movement; r1 is at rest."""
    document = table_with_terrain()
    x, y = document["sides"][0]["ships"][0]["at"]
    flares = {"kind": "flares", "turns": [1], "at": [x, y + zone], "radius": 3}
    document["terrain"] = [flares]
    battle = play(document, [{}], flare=[1] * 9 if is_hit else [])
    assert bool(at(battle, "r1").lost_systems()) is is_hit
    assert [event.radius for event in events_of(battle, "zone-flared")] == [3.0]
    assert terrain_of(battle.state) == [{**flares, "at": [x, y + zone], "radius": 3.0}]
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.flares")
@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"turns": [2]}, None),  # over the whole table
        ({"turns": []}, ("terrain[0].turns", "flares")),
        ({}, ("terrain[0].turns", "flares")),
        ({"turns": [2], "at": [20, 20]}, ("terrain[0].radius", "radius")),
    ],
)
def test_faults_of_flares(entry: dict[str, Any], fault: tuple[str, str] | None) -> None:
    document = table_with_terrain() | {"terrain": [{"kind": "flares", **entry}]}
    if fault is None:
        assert terrain_of(start(document, classes()).state) == [{"kind": "flares", "turns": [2]}]
        return
    with pytest.raises(RuleViolations) as refused:
        start(document, classes())
    assert [(found.where, found.code) for found in refused.value.violations] == [fault]


# Files, views, options


@pytest.mark.rule("pc.clouds", "pc.flares", "pc.debris")
def test_terrain_is_public_and_stored() -> None:
    field = {"kind": "field", "at": [40, 40], "radius": 5}
    battle = start(table_with_terrain(cloud(20, 30), field, flares=[3]), classes())
    for side in (0, 1):
        view = side_view(battle, side)
        assert (len(view["clouds"]), len(view["debris"])) == (1, 1)
        assert view["stars"][0]["turns"] == (3,)
    again = battle_from(json.loads(json.dumps(battle.to_json())))
    assert again.to_json() == battle.to_json()
    assert terrain_of(again.state) == [cloud(20, 30), {**field, "radius": 5.0}]


@pytest.mark.rule("pc.clouds", "pc.debris")
@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"terrain": [{"kind": "fog", "at": [1, 1]}]}, "terrain[0].kind"),
        ({"terrain": [{"kind": "cloud", "at": [1, 999], "radius": 3}]}, "terrain[0].at"),
        ({"terrain": [{"kind": "cloud", "at": [1, 9]}]}, "terrain[0].radius"),
        ({"terrain": [{"kind": "field", "at": [1, 9], "radius": 2, "course": 13}]}, "terrain[0]"),
        ({"terrain": [3]}, "terrain[0]"),
        ({"flares": [0]}, "flares"),
    ],
)
def test_terrain_faults_have_their_places(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        battle_file({**table_with_terrain(), **changes})
    assert where in [fault.where for fault in refused.value.violations]


@pytest.mark.rule("pc.clouds", "pc.debris")
def test_options_place_clouds_and_a_swarm_by_dice() -> None:
    document = table_with_terrain(options=("clouds", "swarms"))
    battle = start(document, classes(), Dice(5))
    kinds = [item["kind"] for item in terrain_of(battle.state)]
    assert 1 <= kinds.count("cloud") <= 3
    assert kinds.count("field") == 1
    named_battle = start(table_with_terrain(cloud(20, 30), options=("clouds",)), classes(), Dice(5))
    assert terrain_of(named_battle.state) == [cloud(20, 30)]
