"""What Continuum captains do with ships: better than a simple rule, each weapon for its purpose."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, fight, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.expected_damage import DefenceProfile, mean_effects
from engine.continuum.weapon_orders import TurnTurret
from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.sheet import Fit
from engine.events.movement import ShipMoved
from engine.view.side_view import observe
from engine.weapons.registry import weapon_of
from tests.engine.battle.table import at

FORWARD = ["FP", "F", "FS"]
STRAIGHT = Doctrine(style="straight")


def design(
    *systems: dict[str, Any], mass: int = 60, boxes: int = 18, **more: Any
) -> dict[str, Any]:
    return {
        "class": "Test Ship", "edition": "continuum", "kind": "warship", "mass": mass, "thrust": 4, "ftl": "standard",
        "hull": {"boxes": boxes, "rows": 4}, "systems": [{"type": "firecon", "count": 2}, *systems], **more,
    }  # fmt: skip


def beam(class_: int = 2, **more: Any) -> dict[str, Any]:
    return {"type": "beam", "class": class_, "arcs": FORWARD} | more


def ship(
    id_: str, document: dict[str, Any], x: float, y: float, course: int, velocity: int = 6
) -> dict[str, Any]:
    return {"id": id_, "design": document, "at": [x, y], "course": course, "velocity": velocity}


def setup(red: list[dict[str, Any]], blue: list[dict[str, Any]], *options: str) -> Battle:
    return start(
        {
            "edition": "continuum", "table": [96, 72], "options": list(options),
            "sides": [{"name": "red", "ships": red}, {"name": "blue", "ships": blue}],
        }
    )  # fmt: skip


def mirrored(document: dict[str, Any], number: int, apart: float, *options: str) -> Battle:
    """Return equal fleets abreast at both ends of the table, the second turned by 180°."""
    rows = [36 + apart * (n - (number - 1) / 2) for n in range(number)]
    red = [ship(f"r{n}", document, 12, y, 3) for n, y in enumerate(rows)]
    return setup(
        red, [ship(f"b{n}", document, 84, y, 9) for n, y in enumerate(rows[::-1])], *options
    )


def fire_of(battle: Battle, **doctrine: Any) -> dict[str, Any]:
    """Return the fire of red's ship r0, by weapon."""
    battle.state.stop = "engage"
    orders = dict(Captain(Doctrine(**doctrine), Dice(1)).fire(observe(battle.state, 0)))
    return {fire.weapon: fire for fire in orders.get("r0", ())}


@pytest.mark.rule("pc.movement", "pc.vector")
@pytest.mark.parametrize("options", [(), ("vector",)], ids=["cinematic", "vector"])
def test_captains_beat_straight_flyers_in_either_movement(options: tuple[str, ...]) -> None:
    battle = mirrored(design(beam(3), beam(), {"type": "screen"}), 2, 12, *options)
    ends = [
        fight(battle, {("red", "blue")[n % 2]: STRAIGHT}, Dice(n), str(n), log=False).winner
        for n in range(10)
    ]
    assert sum(end == ("blue", "red")[n % 2] for n, end in enumerate(ends)) >= 9


@pytest.mark.rule("pc.beams", "pc.k-guns", "pc.screens")
@pytest.mark.parametrize(
    ("fit", "profile", "step", "expected"),
    [
        (
            Fit("", "beam", "", (), size=3),
            DefenceProfile(),
            0,
            3 * 0.8,
        ),  # 4/6, and a sixth of a re-roll of 0.8
        (Fit("", "beam", "", (), size=3), DefenceProfile(), 4, 2 * 0.8),
        (Fit("", "beam", "", (), size=2), DefenceProfile(screens=2), 0, 2 * (2 / 6 + 0.8 / 6)),
        (
            Fit("", "k-gun", "", (), size=3),
            DefenceProfile(screens=2),
            1,
            5 / 6 * 4.5,
        ),  # 2 or more, doubled by half of the dice
        (Fit("", "k-gun", "", (), size=3), DefenceProfile(), 7, 2 / 6 * 4.5),
    ],
)
def test_expected_damage_equals_the_mean(
    fit: Fit, profile: DefenceProfile, step: int, expected: float
) -> None:
    mean = mean_effects(weapon_of("continuum", fit.type), fit, "", profile)[step]
    assert mean.plain + mean.piercing == pytest.approx(expected, rel=0.12)


def test_expectation_ends_at_weapon_range() -> None:
    assert (
        len(
            mean_effects(
                weapon_of("continuum", "beam"),
                Fit("", "beam", "", (), size=2),
                "",
                DefenceProfile(),
            )
        )
        == 8
    )  # steps of 3 MU
    assert (
        len(
            mean_effects(
                weapon_of("continuum", "k-gun"),
                Fit("", "k-gun", "long", (), size=2),
                "",
                DefenceProfile(),
            )
        )
        == 15
    )


@pytest.mark.rule("pc.needle-beams")
def test_needles_aim_at_the_last_firecon() -> None:
    needle = {"type": "needle", "class": 2, "arcs": ["F"]}
    foe = design(beam()) | {"systems": [beam(), {"type": "screen"}, {"type": "firecon"}]}
    fires = fire_of(setup([ship("r0", design(needle), 40, 36, 3)], [ship("b0", foe, 48, 36, 9)]))
    assert fires["needle-1"].system == "firecon-1"


@pytest.mark.rule("pc.emp")
def test_projectors_spread_hits_over_systems() -> None:
    emp = {"type": "emp", "class": 2, "arcs": FORWARD, "count": 2}
    fires = fire_of(
        setup([ship("r0", design(emp), 40, 36, 3)], [ship("b0", design(beam()), 48, 36, 9)])
    )
    assert fires["emp-1"].spread != fires["emp-2"].spread
    assert "firecon-1" in fires["emp-1"].spread


@pytest.mark.rule("pc.submunitions")
def test_one_shot_weapons_wait_for_a_worthy_target() -> None:
    pack = design({"type": "submunition", "arcs": FORWARD})
    far, near = (
        setup([ship("r0", pack, 40, 36, 3)], [ship("b0", design(beam()), x, 36, 9)])
        for x in (56, 45)
    )
    assert not fire_of(far)
    assert fire_of(near)["submunition-1"].targets == ("b0",)


@pytest.mark.rule("pc.fire-control")
def test_weapon_that_is_off_line_is_not_fired_like_others_of_its_kind() -> None:
    array = {"type": "fusion-array", "arcs": ["F"], "count": 2}
    battle = setup([ship("r0", design(array), 30, 36, 3)], [ship("b0", design(), 54, 36, 9)])
    for off_line, fired in ((2, 1), (1, 2)):
        red = battle.state.ship(ShipId("r0"))
        red.this_turn = red.this_turn.with_fact("off-line", 1, f"fusion-array-{off_line}")
        assert list(fire_of(battle)) == [f"fusion-array-{fired}"]
        red.this_turn = red.this_turn.with_fact("off-line", 0, f"fusion-array-{off_line}")


def test_captain_obeys_never() -> None:
    gunship = design({"type": "k-gun", "class": 3, "arcs": ["F"]}, beam())
    battle = setup([ship("r0", gunship, 40, 36, 3)], [ship("b0", gunship, 48, 36, 9)])
    assert set(fire_of(battle)) == {"k-gun-1", "beam-1"}
    assert set(fire_of(battle, never=("k-gun",))) == {"beam-1"}


@pytest.mark.rule("pc.turrets")
def test_turret_is_turned_to_the_enemy() -> None:
    turret = {"type": "turret", "arcs": ["F", "FS", "AS", "A", "AP", "FP"]}
    inside = {"type": "pulse-torpedo", "turret": "turret-1"}
    red = ship("r0", design(turret, inside, thrust=0), 40, 20, 3, 0)
    battle = setup([red], [ship("b0", design(beam()), 42, 36, 9, 0)])
    plot = Captain(Doctrine(), Dice(1)).plots(observe(battle.state, 0))["r0"]
    assert plot.find(TurnTurret) == TurnTurret("turret-1", "FP")


@pytest.mark.rule("pc.area-screens")
def test_friends_gather_under_area_screens() -> None:
    screen_design = design({"type": "area-screen"}, beam(), mass=80)
    gunship = design(beam(3), beam())

    def covered(**doctrine: Any) -> int:
        red = [
            ship("r0", screen_design, 12, 36, 3),
            ship("r1", gunship, 12, 38, 3),
            ship("r2", gunship, 12, 34, 3),
        ]
        blue = [ship(f"b{n}", gunship, 84, 30 + 6 * n, 9) for n in range(3)]
        count = 0
        for seed in range(4):
            ended = fight(setup(red, blue), {"red": Doctrine(**doctrine)}, Dice(seed), str(seed), 4)
            ends = {
                (event.turn, event.ship): event.path[-1]
                for event in ended.events
                if isinstance(event, ShipMoved)
            }
            for turn, name in ends:
                if name in ("r1", "r2") and (turn, "r0") in ends:
                    (x, y), (mx, my) = ends[turn, ShipId(name)], ends[turn, ShipId("r0")]
                    count += (x - mx) ** 2 + (y - my) ** 2 <= 9
        return count

    assert covered() > covered(never=("area-screen",))


@pytest.mark.rule("pc.cloaks")
def test_cloaking_ships_vanish_before_enemy_range() -> None:
    lurker = design(
        {"type": "cloaking-field"}, {"type": "submunition", "arcs": FORWARD, "count": 4}
    )
    ended = fight(
        mirrored(lurker, 2, 12), {"blue": Doctrine(never=("cloaking-field",))}, Dice(1), "1", 4
    )
    assert {event.to_json()["ship"] for event in ended.events if event.kind == "cloaked"} == {
        "r0",
        "r1",
    }


@pytest.mark.rule("pc.spinal-mounts")
def test_spinal_mount_is_not_aimed_through_friends() -> None:
    spinal = design({"type": "spinal-beam", "model": "small"}, mass=80)
    foe = ship("b0", design(beam()), 58, 36, 9)
    clear = setup([ship("r0", spinal, 40, 36, 3), ship("r1", design(beam()), 50, 45, 3)], [foe])
    assert fire_of(clear)["spinal-beam-1"].targets == ("b0",)
    assert not fire_of(
        setup([ship("r0", spinal, 40, 36, 3), ship("r1", design(beam()), 50, 36, 3)], [foe])
    )


@pytest.mark.rule("pc.rolling")
def test_ship_without_a_broadside_rolls_to_use_the_other() -> None:
    sides = design(
        *(beam(3, arcs=arcs) for arcs in (["AP", "FP"], ["FS", "AS"])), mass=80, thrust=4
    )
    red = ship("r0", sides, 40, 36, 3) | {"lost": ["beam-1"]}
    battle = setup([red], [ship("b0", design(beam(), thrust=0), 48, 56, 9, 0)])
    ended = fight(battle, {"blue": STRAIGHT}, Dice(1), "1", 8)
    assert at(ended, "b0").damage > 0
    assert any(event.to_json().get("note") == "rolled" for event in ended.events)


@pytest.mark.rule("pc.planetoids")
@pytest.mark.parametrize("options", [[], ["vector"]], ids=["cinematic", "vector"])
def test_captain_flies_around_an_asteroid(options: list[str]) -> None:
    # Fast, and straight at it: on its present course it would have to roll a 6.
    document = {
        "edition": "continuum", "table": [96, 72], "options": options,
        "asteroids": [{"at": [40, 36], "radius": 4}],
        "sides": [
            {"name": "red", "ships": [ship("r0", design(beam()), 12, 36, 3, 14)]},
            {"name": "blue", "ships": [ship("b0", design(beam(), thrust=0), 84, 36, 9, 0)]},
        ],
    }  # fmt: skip
    ended = fight(start(document), {"blue": STRAIGHT}, Dice(1), "1", 4)
    assert at(ended, "r0").status == "fighting"
    assert not {"avoided", "crashed"} & {event.kind for event in ended.events}


@pytest.mark.rule("pc.ftl-entry")
def test_fleeing_captain_leaves_by_ftl() -> None:
    ended = fight(
        mirrored(design(beam()), 1, 0), {"red": Doctrine(flee=True)}, Dice(1), "1", 12, log=False
    )
    assert at(ended, "r0").status in ("ftl", "left")
    assert ended.winner == "blue"


@pytest.mark.rule("pc.nova-cannon")
def test_nova_cannon_is_armed_for_many_enemies_without_friends_in_line() -> None:
    bombard = design({"type": "nova-cannon"}, {"type": "beam", "class": 1}, mass=120, boxes=30)
    hulks = [
        ship(f"b{n}", design(beam(), boxes=16, thrust=1), 42.0 + 3 * n, 36.0 + 0.2 * n, 9, 0)
        for n in range(4)
    ]

    def red_plots(*friends: dict[str, Any]) -> dict[str, Any]:
        battle = setup([ship("r0", bombard, 24, 36, 3, 2), *friends], hulks, "science-fiction")
        return Captain(Doctrine(), Dice(1)).plots(observe(battle.state, 0))

    assert red_plots()["r0"].nova
    in_the_way = ship("r1", design(beam()), 36, 36, 3, 0)
    assert not red_plots(in_the_way)["r0"].nova
