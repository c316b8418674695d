"""FireCons, arcs, the stern, turrets, the order of fire: what a ship may fire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.battle.table import at, events_of, fire
from tests.engine.guns.duels import duel, play, ship, table, volley

NO_FIRECON = "all working FireCons already have other targets"
NO_TARGET = "no target in range, in its arcs and in sight"


def whys(battle: Any) -> list[str]:
    return [refused.reason for refused in events_of(battle, "shot-refused")]


def shots(battle: Any) -> list[str]:
    return [shot.weapon for shot in events_of(battle, "fire")]


def targets(count: int) -> list[dict[str, Any]]:
    return [ship(f"b{n}", 56 + 2 * n, 30, "") for n in range(1, count + 1)]


@pytest.mark.rule("pc.fire-control")
@pytest.mark.parametrize(
    ("firecons", "systems", "hit"),
    [("", "", 1), ("x2", "", 2), ("", "advanced-firecon", 3), ("x2", "advanced-firecon", 4)],
)
def test_each_target_takes_a_firecon_and_advanced_ones_direct_two(
    firecons: str, systems: str, hit: int
) -> None:
    document = table([ship("r1", 60, 20, f"meson@Fx4 {systems}", firecons=firecons)], targets(4))
    orders = fire(*((f"meson-{n}", f"b{n}") for n in range(1, 5)))
    battle = play(document, [{"engage": {"r1": orders}}], beam=[1] * hit)
    assert len(shots(battle)) == hit
    assert whys(battle) == [NO_FIRECON] * (4 - hit)


@pytest.mark.rule("pc.fire-control")
def test_weapons_at_one_target_share_a_firecon() -> None:
    document = duel("beam:1 pulse-torpedo@F k-gun:3@F meson@F", 10, ours={"firecons": ""})
    battle = play(
        document,
        [volley("beam-1", "pulse-torpedo-1", "k-gun-1", "meson-1")],
        beam=[1, 1],
        to_hit=[1, 1],
    )
    assert len(shots(battle)) == 4


@pytest.mark.rule("pc.fire-control")
def test_nothing_fires_without_a_firecon() -> None:
    battle = play(duel("beam:1", ours={"lost": ["firecon-1", "firecon-2"]}), [volley("beam-1")])
    assert whys(battle) == [NO_FIRECON]


@pytest.mark.rule("pc.fire-control", "pc.needle-beams")
def test_each_needled_system_takes_a_firecon_shared_with_other_fire() -> None:
    document = table([ship("r1", 60, 20, "needle:1@F+FSx3 beam:1 beam:1")], targets(2))
    orders = [
        {"weapon": "needle-1", "target": "b1", "system": "drive"},
        {"weapon": "needle-2", "target": "b1", "system": "drive"},
        {"weapon": "beam-1", "target": "b1"},
        {"weapon": "needle-3", "target": "b1", "system": "ftl"},
        {"weapon": "beam-2", "target": "b2"},
    ]
    battle = play(document, [{"engage": {"r1": orders}}], to_hit=[1, 1, 1], beam=[1])
    assert shots(battle) == ["needle-1", "needle-2", "beam-1", "needle-3"]
    assert whys(battle) == [NO_FIRECON]


@pytest.mark.rule("pc.sequence")
def test_weapon_fires_once_and_a_lost_one_never() -> None:
    battle = play(
        duel("beam:1 beam:1", ours={"lost": ["beam-2"]}),
        [volley("beam-1", "beam-1", "beam-2")],
        beam=[1],
    )
    assert whys(battle) == ["it has already fired this turn", "it is out of action"]


@pytest.mark.rule("pc.sequence")
def test_fire_is_simultaneous() -> None:
    document = table(
        [ship("r1", 60, 20, "spinal-beam:small meson@F")],
        [ship("b1", 60, 30, "meson@F", 6, mass=60, boxes=12)],
    )
    turn = {"engage": {"r1": fire(("spinal-beam-1", "b1")), "b1": fire(("meson-1", "r1"))}}
    battle = play(document, [turn], initiative=[6, 1], beam=[5] * 12 + [5])
    assert at(battle, "b1").status == "destroyed"
    assert at(battle, "r1").damage == 1
    kinds = [event.kind for event in battle.events]
    assert kinds.index("destroyed") > max(n for n, kind in enumerate(kinds) if kind == "fire")


# Positions of a target from r1 (MU to starboard, MU ahead) and its arc, alpha and beta.
ARCS = [
    (0, 10, "F", "F/FP"), (4, 10, "F", "F"), (-4, 10, "F", "FP"), (8, 6, "FS", "F"), (10, 4, "FS", "FS"),
    (10, -4, "AS", "FS"), (4, -10, "A", "AS"), (-4, -10, "A", "A"), (-10, -4, "AP", "AP"), (-10, 4, "FP", "AP"),
]  # fmt: skip


@pytest.mark.rule("pc.arcs")
@pytest.mark.parametrize(("right", "ahead", "alpha", "beta"), ARCS)
@pytest.mark.parametrize("orientation", ["alpha", "beta"])
def test_six_arcs_and_their_beta_equivalents(
    right: float, ahead: float, alpha: str, beta: str, orientation: str
) -> None:
    arc = alpha if orientation == "alpha" else beta
    here = ship("r1", 60, 60, "k-gun:1", orientation=orientation)
    document = table([here], [ship("b1", 60 + right, 60 + ahead, "")], options=("aft-fire",))
    die = {"arc": [1]} if "/" in arc else {}
    battle = play(document, [volley("k-gun-1")], to_hit=[1], **die)
    assert [shot.arc for shot in events_of(battle, "fire")] == [arc.partition("/")[0]]


@pytest.mark.rule("pc.arcs")
@pytest.mark.parametrize(
    ("course", "right", "ahead"), [(1, 5, 9), (3, 10, -2), (7, -4, -10), (12, 2, 10)]
)
def test_arcs_turn_with_the_ship(course: int, right: float, ahead: float) -> None:
    document = table(
        [ship("r1", 60, 60, "beam:3@F", course)], [ship("b1", 60 + right, 60 + ahead, "")]
    )
    assert len(shots(play(document, [volley("beam-1")], beam=[1, 1, 1]))) == 1


@pytest.mark.rule("pc.arcs", "pc.rolling")
def test_inverted_ship_swaps_its_arcs() -> None:
    document = table([ship("r1", 60, 60, "beam:3@FS beam:3@FP")], [ship("b1", 70, 62, "")])
    upright = play(document, [volley("beam-1", "beam-2")], beam=[1, 1, 1])
    assert shots(upright) == ["beam-1"]
    rolled = play(document, [{"plot": {"r1": "roll"}} | volley("beam-1", "beam-2")], beam=[1, 1, 1])
    assert shots(rolled) == ["beam-2"]


@pytest.mark.rule("pc.arcs")
def test_odd_die_on_a_line_gives_the_first_arc() -> None:
    document = table([ship("r1", 60, 60, "beam:3@F")], [ship("b1", 60 + 5, 60 + 5 * 3**0.5, "")])
    assert len(shots(play(document, [volley("beam-1")], arc=[3], beam=[1, 1, 1]))) == 1
    assert not shots(play(document, [volley("beam-1")], arc=[4]))


def astern(systems: str, distance: float, *options: str, **more: Any) -> dict[str, Any]:
    """Return `b1` right behind `r1`."""
    return table(
        [ship("r1", 60, 60, systems, **more)], [ship("b1", 60, 60 - distance, "")], options=options
    )


@pytest.mark.rule("pc.arcs")
def test_nothing_fires_aft() -> None:
    assert whys(play(astern("beam:1", 10), [volley("beam-1")])) == [NO_TARGET]


@pytest.mark.rule("pc.arcs")
def test_option_opens_the_aft_arc_without_thrust() -> None:
    document = astern("beam:1", 8, "aft-fire", velocity=2)
    coasting = play(document, [volley("beam-1")], beam=[4])
    assert at(coasting, "b1").damage == 1
    assert whys(play(document, [{"plot": {"r1": "+2"}} | volley("beam-1")])) == [NO_TARGET]


@pytest.mark.rule("pc.arcs")
def test_base_has_no_aft_restriction() -> None:
    document = astern("beam:1", 10, kind="installation", thrust=0, ftl="none")
    assert at(play(document, [volley("beam-1")], beam=[4]), "b1").damage == 1


@pytest.mark.rule("pc.arcs")
@pytest.mark.parametrize("plot", ["", "+2"])
def test_enhanced_sensors_hit_aft_with_sixes_within_24(plot: str) -> None:
    document = astern("beam:2@ALL enhanced-sensors", 8, velocity=2)
    battle = play(document, [{"plot": {"r1": plot}} | volley("beam-1")], beam=[5, 6], re_roll=[5])
    assert at(battle, "b1").damage == 2
    far = astern("meson@ALL enhanced-sensors", 24)
    assert len(shots(play(far, [volley("meson-1")], beam=[5]))) == 1
    farther = astern("meson@ALL enhanced-sensors", 24.1)
    assert whys(play(farther, [volley("meson-1")])) == [NO_TARGET]


@pytest.mark.rule("pc.arcs")
def test_superior_sensors_fire_aft_at_minus_one_within_36() -> None:
    document = astern("meson@ALL superior-sensors enhanced-sensors", 36)
    assert at(play(document, [volley("meson-1")], beam=[4]), "b1").damage == 0
    assert at(play(document, [volley("meson-1")], beam=[6], re_roll=[4]), "b1").damage == 2
    farther = astern("meson@ALL superior-sensors", 36.1)
    assert whys(play(farther, [volley("meson-1")])) == [NO_TARGET]
    broken = astern("meson@ALL superior-sensors", 36, lost=["superior-sensors-1"])
    assert whys(play(broken, [volley("meson-1")])) == [NO_TARGET]


@pytest.mark.rule("pc.arcs")
def test_torpedoes_aft_need_a_six() -> None:
    document = astern("k-gun:1 enhanced-sensors", 5)
    [shot] = events_of(play(document, [volley("k-gun-1")], to_hit=[5]), "fire")
    assert (shot.needed, shot.hits) == (6, 0)


@pytest.mark.rule("pc.rear-attack", "pc.damage-kinds")
@pytest.mark.parametrize(
    ("options", "course", "damage", "armour"),
    [(("rear-attack",), 12, 3, 5), (("rear-attack",), 6, 0, 2), ((), 12, 0, 2)],
)
def test_option_ignores_armour_against_fire_from_astern(
    options: tuple[str, ...], course: int, damage: int, armour: int
) -> None:
    document = duel("beam:3@F", 10, options=options, armour=[[5, 0]], course=course)
    target = at(play(document, [volley("beam-1")], beam=[4, 4, 4]), "b1")
    assert (target.damage, sum(map(sum, target.armour))) == (damage, armour)


@pytest.mark.rule("pc.rear-attack")
def test_starbase_has_no_rear() -> None:
    document = duel(
        "beam:3@F",
        10,
        options=("rear-attack",),
        armour=[[5, 0]],
        kind="installation",
        thrust=0,
        ftl="none",
    )
    assert at(play(document, [volley("beam-1")], beam=[4, 4, 4]), "b1").damage == 0


TURRET = "turret@FP+F+FS beam:3>turret-1 beam:1>turret-1"


@pytest.mark.rule("pc.turrets")
def test_turret_weapons_fire_only_where_it_faces() -> None:
    document = table(
        [ship("r1", 60, 60, TURRET, settings={"turret-1": "F"})], [ship("b1", 70, 64, "")]
    )
    assert whys(play(document, [volley("beam-1", "beam-2")])) == [NO_TARGET, NO_TARGET]
    turned = play(
        document,
        [{"plot": {"r1": "turret turret-1 FS"}} | volley("beam-1", "beam-2")],
        beam=[4] * 4,
    )
    assert at(turned, "b1").damage == 4
    [mark] = [mark for mark in events_of(turned, "marked") if mark.note == "facing:turret-1"]
    assert mark.value == 1
    kinds = [event.kind for event in turned.events]
    assert kinds.index("marked") > max(n for n, kind in enumerate(kinds) if kind == "moved")


@pytest.mark.rule("pc.turrets")
def test_turret_keeps_its_facing() -> None:
    document = table([ship("r1", 60, 60, TURRET)], [ship("b1", 70, 64, "")])
    turns = [{"plot": {"r1": "turret turret-1 FS"}}, volley("beam-2")]
    assert at(play(document, turns, beam=[4]), "b1").damage == 1


@pytest.mark.rule("pc.turrets")
def test_turret_weapons_fire_at_one_target() -> None:
    document = table([ship("r1", 60, 20, TURRET, settings={"turret-1": "F"})], targets(2))
    battle = play(
        document, [{"engage": {"r1": fire(("beam-1", "b1"), ("beam-2", "b2"))}}], beam=[1, 1, 1]
    )
    assert whys(battle) == ["its turret is trained on another target"]


@pytest.mark.rule("pc.turrets")
@pytest.mark.parametrize(
    ("plot", "lost", "why"),
    [("turret turret-1 A", [], "'turret-1' can face only one of"), ("turret turret-2 F", [], "it has no turret 'turret-2'"),
     ("turret turret-1 FS", ["turret-1"], "'turret-1' is out of action")],
)  # fmt: skip
def test_turret_turns_within_its_arcs_and_jams_when_hit(
    plot: str, lost: list[str], why: str
) -> None:
    document = table(
        [ship("r1", 60, 20, TURRET, lost=lost, settings={"turret-1": "F"})], targets(1)
    )
    battle = play(document, [{"plot": {"r1": plot}} | volley("beam-2")], beam=[4])
    assert events_of(battle, "order-refused")[0].reason.startswith(why)
    assert at(battle, "b1").damage == 1  # it still fires ahead
