"""Spinal mounts: everything along a line from the bow, every other turn, on a ship at rest."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import resolve_stop, start
from engine.captains.common.doctrine import Doctrine
from engine.core.kinds import HULK
from engine.core.orders import Fire
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from engine.stops import advise
from engine.view.side_log import side_log
from tests.engine.battle.table import at, classes, events_of, replays, scripted
from tests.engine.guns.duels import duel, play, ship, table, volley

NO_LINE = "no target is within 15 degrees of the bow, in range and in sight"
MOUNT = "spinal-singularity:small"
WEAPON = "spinal-singularity-1"
TAN_15 = 0.2679491924311227


def whys(battle: Any) -> list[str]:
    return [refused.reason for refused in events_of(battle, "shot-refused")]


def fire_targets(battle: Any) -> list[str]:
    return [shot.target for shot in events_of(battle, "fire")]


def point(x: float, y: float) -> dict[str, Any]:
    return {"engage": {"r1": [{"weapon": WEAPON, "at": [x, y]}]}}


@pytest.mark.rule("pc.spinal-mounts")
@pytest.mark.parametrize(("size", "reach"), [("small", 24), ("medium", 36), ("large", 48)])
@pytest.mark.parametrize("type_", ["spinal-beam", "spinal-plasma", "spinal-singularity"])
def test_range_of_each_size(type_: str, size: str, reach: float) -> None:
    dice = {"spinal-beam": 12, "spinal-plasma": 6, "spinal-singularity": 2}[type_]
    for distance, shots in ((reach, 1), (reach + 0.1, 0)):
        battle = play(
            duel(f"{type_}:{size}", distance), [volley(f"{type_}-1")], beam=[1] * dice * shots
        )
        assert [len(shot.dice) for shot in events_of(battle, "fire")] == [dice] * shots
        assert whys(battle) == ([] if shots else [NO_LINE])


@pytest.mark.rule("pc.spinal-mounts")
@pytest.mark.parametrize(("size", "half"), [("small", 0.5), ("medium", 0.75), ("large", 1.0)])
def test_everything_in_the_beam_is_hit_by_its_own_dice(size: str, half: float) -> None:
    document = table(
        [ship("r1", 60, 20, f"spinal-beam:{size}"), ship("r2", 60 - half, 25, "")],
        [ship("b1", 60, 40, ""), ship("b2", 60 + half, 30, ""), ship("b3", 60.01 + half, 30, "")],
    )
    turn = {"engage": {"r1": [{"weapon": "spinal-beam-1", "target": "b1"}]}}
    battle = play(document, [turn], beam=[4] * 12 + [5] * 12 + [1] * 11 + [4])
    assert fire_targets(battle) == ["r2", "b1", "b2"]
    assert [at(battle, name).damage for name in ("r2", "b1", "b2", "b3")] == [12, 12, 1, 0]
    [swept] = events_of(battle, "swept")
    assert (swept.path[0], swept.radii) == ((60.0, 20.0), (half,))


@pytest.mark.rule("pc.spinal-mounts")
def test_beam_continues_to_its_full_range() -> None:
    document = table(
        [ship("r1", 60, 20, MOUNT)],
        [ship("b1", 60, 25, ""), ship("b2", 60, 44.4, ""), ship("b3", 60, 45, "")],
    )
    assert fire_targets(play(document, [volley(WEAPON)], beam=[1] * 4)) == ["b1", "b2"]


@pytest.mark.rule("pc.spinal-mounts", "pc.arcs")
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("orientation", ["alpha", "beta"])
def test_mount_fires_within_15_degrees_of_the_bow(side: int, orientation: str) -> None:
    for right, shots in ((side * 20 * TAN_15, 1), (side * (20 * TAN_15 + 0.01), 0)):
        document = table(
            [ship("r1", 60, 20, MOUNT, orientation=orientation)], [ship("b1", 60 + right, 40, "")]
        )
        assert len(fire_targets(play(document, [volley(WEAPON)], beam=[1, 1] * shots))) == shots
    astern = table([ship("r1", 60, 20, MOUNT)], [ship("b1", 60, 10, "")])
    assert whys(play(astern, [volley(WEAPON)])) == [NO_LINE]


@pytest.mark.rule("pc.spinal-mounts", "pc.fire-control")
def test_mount_may_fire_at_an_empty_point_with_a_firecon() -> None:
    document = table(
        [ship("r1", 60, 20, f"{MOUNT} meson@F", firecons="")], [ship("b1", 60, 40, "")]
    )
    assert fire_targets(play(document, [point(60, 30)], beam=[1, 1])) == ["b1"]
    both = {
        "engage": {
            "r1": [{"weapon": "meson-1", "target": "b1"}, {"weapon": WEAPON, "at": [60, 30]}]
        }
    }
    assert whys(play(document, [both], beam=[1])) == [
        "all working FireCons already have other targets"
    ]
    aimed = {
        "engage": {
            "r1": [{"weapon": "meson-1", "target": "b1"}, {"weapon": WEAPON, "target": "b1"}]
        }
    }
    assert len(fire_targets(play(document, [aimed], beam=[1, 1, 1]))) == 2


@pytest.mark.rule("pc.spinal-mounts")
def test_mount_fires_every_other_turn_and_two_alternate() -> None:
    document = duel(MOUNT, 20)
    assert whys(play(document, [volley(WEAPON)] * 3, beam=[1] * 4)) == ["it fired last turn"]
    two = duel(f"{MOUNT}x2", 20)
    turns = [volley(WEAPON), volley("spinal-singularity-2"), volley(WEAPON)]
    assert len(fire_targets(play(two, turns, beam=[1] * 6))) == 3


@pytest.mark.rule("pc.spinal-mounts", "pc.movement")
@pytest.mark.parametrize("plot", ["+1", "P1", "S1-1", "ftl"])
def test_ship_neither_manoeuvres_nor_warms_up_in_the_next_turn(plot: str) -> None:
    document = duel(MOUNT, 20, ours={"velocity": 4})
    battle = play(
        document, [volley(WEAPON), {"plot": {"r1": plot}}, {"plot": {"r1": plot}}], beam=[1, 1]
    )
    [refused] = events_of(battle, "order-refused")
    assert refused.reason.startswith(f"it fired {WEAPON} last turn")
    assert refused.turn == 2


@pytest.mark.rule("pc.spinal-mounts", "pc.holofield", "pc.screens")
def test_screens_help_against_beams_and_a_holofield_does_not() -> None:
    screened = play(
        duel("spinal-beam:small", 20, fitted="screen screen"),
        [volley("spinal-beam-1")],
        beam=[4] * 12,
    )
    assert at(screened, "b1").damage == 0
    blurred = play(
        duel("spinal-beam:small", 20, fitted="holofield"), [volley("spinal-beam-1")], beam=[4] * 12
    )
    assert at(blurred, "b1").damage == 12


@pytest.mark.rule("pc.spinal-mounts", "pc.stealth-hull")
def test_stealth_does_not_reduce_its_range() -> None:
    document = duel(MOUNT, 24)
    document["sides"][1]["ships"][0]["design"]["stealth"] = 2
    assert len(fire_targets(play(document, [volley(WEAPON)], beam=[1, 1]))) == 1


@pytest.mark.rule("pc.spinal-mounts", "pc.damage-kinds")
def test_two_singularity_hits_on_100_mass_are_four_dice_past_armour() -> None:
    document = duel(MOUNT, 10, mass=100, armour=[[5, 0]])
    battle = play(document, [volley(WEAPON)], beam=[4, 5], damage=[3, 3, 4, 4])
    target = at(battle, "b1")
    assert (target.armour, target.damage) == (((3, 0),), 12)


@pytest.mark.rule("pc.spinal-mounts")
def test_spinal_fire_replays() -> None:
    document = duel("spinal-plasma:medium", 20)
    ended = play(document, [volley("spinal-plasma-1"), {}], beam=[4] * 6)
    assert replays(start(document, classes()), ended)


@pytest.mark.rule("pc.spinal-mounts", "pc.sensors")
def test_bogey_in_the_beam_is_hit_unseen_and_a_drone_destroyed() -> None:
    document = table(
        [ship("r1", 60, 20, "spinal-beam:large")],
        [
            ship("b1", 60, 60, "screen"),
            {"id": "b2", "at": [60, 61], "course": 6, "velocity": 0, "dummy": True},
        ],
        bogeys=True,
    )
    initial_battle = start(document, classes())
    turn = {"engage": {"r1": [{"weapon": "spinal-beam-1", "at": [60, 30]}]}}
    battle = play(document, [turn], beam=[5] * 12 + [1] * 12)
    assert (at(battle, "b1").damage, at(battle, "b2").status) == (12, "destroyed")
    assert [(hit.ship, hit.by, hit.hits) for hit in events_of(battle, "struck")] == [
        ("b1", "r1", 12),
        ("b2", "r1", 1),
    ]
    heard = [line["event"] for line in side_log(battle.events, initial_battle.state, 0)]
    assert "swept" in heard
    assert not {"struck", "damaged", "fire", "threshold"} & set(heard)


@pytest.mark.rule("pc.spinal-mounts", "pc.rear-attack")
@pytest.mark.parametrize(("options", "hull", "armour"), [(("rear-attack",), 12, 15), ((), 0, 3)])
def test_fire_from_astern_passes_armour_with_the_option(
    options: tuple[str, ...], hull: int, armour: int
) -> None:
    document = duel("spinal-beam:small", 10, options=options, armour=[[15, 0]])
    target = at(play(document, [volley("spinal-beam-1")], beam=[4] * 12), "b1")
    assert (target.damage, sum(map(sum, target.armour))) == (hull, armour)


@pytest.mark.rule("pc.spinal-mounts")
def test_hulk_in_the_beam_is_hit() -> None:
    battle = start(
        table([ship("r1", 60, 20, MOUNT)], [ship("b1", 60, 40, "", mass=60, boxes=12)]), classes()
    )
    battle.state.ship_by_name("b1").status = HULK
    battle.state.stop = "engage"
    orders = TurnOrders({"engage": FireAndPursuit({0: [("r1", (Fire(WEAPON, (), at=(60, 30)),))]})})
    ended, _ = resolve_stop(battle, orders, scripted(beam=[6, 5], damage=[4, 4, 4, 4, 4, 4]))
    assert at(ended, "b1").status == "destroyed"


@pytest.mark.rule("pc.spinal-mounts", "pc.heavy-grasers")
@pytest.mark.parametrize(
    ("weapon", "options", "hit_at", "missed_at"),
    [
        ("spinal-beam:medium", (), 36, 37),
        ("spinal-beam:medium", ("short-spines",), 32, 33),
        ("spinal-beam:large", ("short-spines",), 48, 49),
        ("heavy-graser:3@F", ("short-spines",), 48, 49),
        ("heavy-graser:2@F", ("short-spines",), 36, 37),
    ],
)
def test_shorter_ranges_by_an_option(
    weapon: str, options: tuple[str, ...], hit_at: int, missed_at: int
) -> None:
    name = weapon.partition(":")[0] + "-1"
    for distance, is_refused in ((hit_at, False), (missed_at, True)):
        battle = play(duel(weapon, distance, options=options), [volley(name)], beam=[1] * 12)
        assert bool(whys(battle)) is is_refused


@pytest.mark.rule("pc.spinal-mounts")
def test_captain_knows_the_shorter_range() -> None:
    for distance, fires in ((32, True), (33, False)):
        document = duel("spinal-beam:medium", distance, options=("short-spines",))
        battle = start(document, classes())
        battle.state.stop = "engage"
        assert bool(advise(battle, 0, Doctrine(), "captain")["engage"]) is fires
