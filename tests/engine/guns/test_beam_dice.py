"""Weapons with beam dice: range bands, screens, holofields, the stern, modifiers and re-rolls."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.kinds import HULL, PIERCING, PLAIN, SEMI
from engine.core.rolls import Shot, roll_beams
from tests.engine.battle.table import events_of, scripted
from tests.engine.guns.duels import duel, play, points, shoot, total, volley

LEVELS = (0, 1, 2, 3)


@pytest.mark.rule("pc.beams")
@pytest.mark.parametrize(
    ("distance", "dice"),
    [(1, 3), (12, 3), (12.01, 2), (24, 2), (24.01, 1), (36, 1), (36.01, 0), (60, 0)],
)
def test_class_3_beam_rolls_a_die_less_in_each_band(distance: float, dice: int) -> None:
    battle = play(duel("beam:3@F", distance), [volley("beam-1")], beam=[1] * dice)
    assert [len(shot.dice) for shot in events_of(battle, "fire")] == ([dice] if dice else [])


@pytest.mark.rule("pc.beams")
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_beam_range_is_12_per_class(size: int) -> None:
    assert len(shoot("beam", 12 * size, size=size, beam=[1]).dice) == 1
    assert len(shoot("beam", 12, size=size, beam=[1] * size).dice) == size


@pytest.mark.rule("pc.beams")
def test_first_worked_volley_does_four_points() -> None:
    battle = play(
        duel("beam:3@F beam:2@FP+F+FS", 18),
        [volley("beam-1", "beam-2")],
        beam=[1, 5, 6],
        re_roll=[4],
    )
    assert battle.state.ship_by_name("b1").damage == 4


@pytest.mark.rule("pc.beams", "pc.screens")
def test_second_worked_volley_does_five_points_through_level_2() -> None:
    shot = Shot("r1/beam-1", 10, 10, screens=2)
    thrown, hits = roll_beams(6, shot, scripted(beam=[2, 3, 3, 4, 6, 6], re_roll=[4, 6, 3]))
    assert sum(hits) == 5
    assert thrown == (2, 3, 3, 4, 6, 4, 6, 6, 3)
    assert hits == (2, 3, 0)


# The effect of single dice of 1 to 6, with a re-roll of 1 after the six: (unscreened, level 1,
# level 2, level 3, holofield).
ONE_DIE: dict[str, tuple[str, dict[str, Any]]] = {
    "beam": ("000112 000012 000011 000011 000011", {"size": 1}),
    "gatling": ("000112 000012 000011 000011 000011", {}),
    "particle-array": ("000112 000012 000011 000011 000011", {}),
    "meson": ("000112 000012 000011 000011 000011", {}),
    "pulser": ("000112 000012 000011 000011 000011", {"mode": "long"}),
    "plasma-cannon": ("001234 000123 000012 000012 000004", {"size": 1}),
    "gravitic": ("000112 000012 000011 000011 000112", {"size": 1, "velocity": 6}),
    "submunition": ("000112 000112 000112 000112 000011", {}),
}
DICE_AT_10 = {"gatling": 6, "particle-array": 2, "submunition": 2}
NEVER_AGAIN_AT_3 = (
    "beam",
    "gatling",
    "particle-array",
    "meson",
    "pulser",
    "plasma-cannon",
    "gravitic",
)


@pytest.mark.rule(
    *(
        "pc.beams",
        "pc.gatling",
        "pc.twin-particle-array",
        "pc.meson",
        "pc.pulsers",
        "pc.plasma-cannon",
    ),
    *("pc.gravitic-guns", "pc.submunitions", "pc.screens", "pc.holofield"),
)
@pytest.mark.parametrize("type_", ONE_DIE)
def test_points_of_each_die_through_screens_and_holofields(type_: str) -> None:
    text, more = ONE_DIE[type_]
    rows = [[int(points) for points in row] for row in text.split()]
    situations: list[dict[str, Any]] = [
        *({"screens": level} for level in LEVELS),
        {"holofield": True},
    ]
    for row, situation in zip(rows, situations, strict=True):
        for die, expected in enumerate(row, 1):
            again = die == 6 and not (situation.get("screens") == 3 and type_ in NEVER_AGAIN_AT_3)
            dice = [die] + [1] * (DICE_AT_10.get(type_, 1) - 1)
            effect = shoot(type_, beam=dice, re_roll=[1] if again else [], **more, **situation)
            assert total(effect) == expected, (die, situation)
            assert len(effect.dice) == len(dice) + again


@pytest.mark.rule("pc.beams", "pc.damage-kinds")
def test_rerolls_pass_screens_and_go_a_layer_deeper() -> None:
    effect = shoot("beam", size=1, screens=2, beam=[6], re_roll=[6, 6, 4])
    assert points(effect) == [(1, PLAIN, 0), (2, PLAIN, 1), (2, PLAIN, 2), (1, PLAIN, 3)]


@pytest.mark.rule("pc.plasma-cannon")
def test_plasma_rerolls_pass_screens() -> None:
    assert points(shoot("plasma-cannon", size=1, screens=2, beam=[6], re_roll=[6, 3])) == [
        (2, PLAIN, 0),
        (4, PLAIN, 1),
        (1, PLAIN, 2),
    ]


@pytest.mark.rule("pc.dice-modifiers")
def test_modifiers_change_damage_but_not_rerolls() -> None:
    assert shoot("beam", size=1, modifier=1, beam=[5]).dice == (5,)
    assert total(shoot("beam", size=1, modifier=1, beam=[5])) == 2
    effect = shoot("beam", size=1, modifier=-2, beam=[6], re_roll=[4])
    assert points(effect) == [(1, PLAIN, 0), (1, PLAIN, 1)]


@pytest.mark.rule("pc.dice-modifiers")
def test_dice_stay_between_one_and_six() -> None:
    assert total(shoot("plasma-cannon", size=1, modifier=-2, beam=[1])) == 0
    assert total(shoot("plasma-cannon", size=1, modifier=3, beam=[5])) == 4


@pytest.mark.rule("pc.dice-modifiers", "pc.cloaks")
def test_cloak_modifies_rerolls_too() -> None:
    assert points(
        shoot("beam", size=1, modifier=-2, rerolls_modified=-2, beam=[6], re_roll=[5])
    ) == [(1, PLAIN, 0)]


@pytest.mark.rule("pc.arcs")
def test_enhanced_sensors_hit_aft_with_sixes_only() -> None:
    effect = shoot("beam", size=3, stern=True, beam=[4, 5, 6], re_roll=[5])
    assert points(effect) == [(1, PLAIN, 0), (1, PLAIN, 1)]
    assert total(shoot("beam", size=1, stern=True, beam=[6], re_roll=[4])) == 1
    assert total(shoot("plasma-cannon", size=2, stern=True, beam=[5, 6], re_roll=[5])) == 5
    assert (
        total(shoot("plasma-cannon", size=2, stern=True, screens=1, beam=[5, 6], re_roll=[4])) == 3
    )


@pytest.mark.rule("pc.emp")
@pytest.mark.parametrize(
    ("screens", "advanced", "hits"), [(0, 0, 5), (2, 0, 5), (3, 0, 5), (1, 1, 4), (2, 2, 3)]
)
def test_emp_passes_screens_but_advanced_ones_count(screens: int, advanced: int, hits: int) -> None:
    effect = shoot(
        "emp", size=4, screens=screens, advanced=advanced, beam=[3, 4, 5, 6], re_roll=[4]
    )
    assert (effect.emp, effect.damage_types) == (hits, ())


@pytest.mark.rule("pc.emp")
def test_emp_rolls_like_a_beam_of_its_class() -> None:
    assert [
        len(shoot("emp", distance, size=3, beam=[1] * 3).dice) for distance in (12, 12.1, 30)
    ] == [3, 2, 1]


@pytest.mark.rule("pc.grasers", "pc.phasers")
@pytest.mark.parametrize("type_", ["graser", "phaser"])
def test_graser_and_phaser_hits_are_a_d3_past_half_the_armour(type_: str) -> None:
    effect = shoot(type_, size=2, beam=[4, 6], re_roll=[5], damage=[1, 3, 6, 4])
    assert points(effect) == [(1, SEMI, 0), (2, SEMI, 0), (3, SEMI, 0), (2, SEMI, 1)]
    assert effect.damage == (1, 3, 6, 4)
    assert total(shoot(type_, 24, size=2, screens=1, beam=[4])) == 0


@pytest.mark.rule("pc.heavy-grasers")
def test_worked_heavy_grasers_do_seven_points() -> None:
    systems = "heavy-graser:2@F heavy-graser:2@F"
    battle = play(
        duel(systems, 24, fitted="screen"),
        [volley("heavy-graser-1", "heavy-graser-2")],
        beam=[4, 6],
        damage=[4, 3],
    )
    assert battle.state.ship_by_name("b1").damage == 7


@pytest.mark.rule("pc.heavy-grasers")
@pytest.mark.parametrize(("distance", "dice"), [(18, 3), (18.1, 2), (36, 2), (36.1, 1), (54, 1)])
def test_heavy_graser_bands_are_18_wide(distance: float, dice: int) -> None:
    assert len(shoot("heavy-graser", distance, size=3, beam=[1] * 3).dice) == dice


@pytest.mark.rule("pc.heavy-grasers")
def test_only_high_intensity_grasers_reroll() -> None:
    assert points(shoot("heavy-graser", size=1, beam=[6], damage=[5, 2])) == [
        (5, SEMI, 0),
        (2, SEMI, 0),
    ]
    effect = shoot(
        "heavy-graser", size=1, variant="high-intensity", beam=[6], re_roll=[4], damage=[5, 2, 6]
    )
    assert points(effect) == [(5, SEMI, 0), (2, SEMI, 0), (6, SEMI, 1)]


@pytest.mark.rule("pc.gatling", "pc.twin-particle-array", "pc.meson", "pc.pulsers")
@pytest.mark.parametrize(
    ("type_", "setting", "reach", "dice"),
    [("gatling", "", 12, 6), ("particle-array", "", 24, 2), ("meson", "", 48, 1),
     ("pulser", "short", 12, 6), ("pulser", "medium", 24, 2), ("pulser", "long", 48, 1), ("pulser", "", 24, 2)],
)  # fmt: skip
def test_classless_mounts_roll_equal_dice_to_their_range(
    type_: str, setting: str, reach: float, dice: int
) -> None:
    settings = {"settings": {f"{type_}-1": setting}} if setting else {}
    for distance, thrown in ((1, dice), (reach, dice), (reach + 0.1, 0)):
        document = duel(f"{type_}@F", distance, ours=settings)
        battle = play(document, [volley(f"{type_}-1")], beam=[1] * thrown)
        assert [len(shot.dice) for shot in events_of(battle, "fire")] == ([dice] if thrown else [])


@pytest.mark.rule("pc.gravitic-guns")
@pytest.mark.parametrize(("velocity", "each"), [(0, 0), (5, 0), (6, 1), (11, 1), (12, 2), (30, 5)])
def test_gravitic_hit_is_a_point_per_six_of_velocity(velocity: int, each: int) -> None:
    effect = shoot("gravitic", size=2, velocity=velocity, beam=[4, 6], re_roll=[5])
    assert total(effect) == 4 * each


@pytest.mark.rule("pc.submunitions")
@pytest.mark.parametrize(
    ("distance", "dice"), [(6, 3), (6.1, 2), (12, 2), (12.1, 1), (18, 1), (18.1, 0)]
)
def test_pack_rolls_by_range_and_is_used_up(distance: float, dice: int) -> None:
    document = duel("submunition@FP+F+FS", distance)
    battle = play(document, [volley("submunition-1"), volley("submunition-1")], beam=[1] * dice)
    assert [len(shot.dice) for shot in events_of(battle, "fire")] == ([dice] if dice else [])
    if dice:
        assert [refused.reason for refused in events_of(battle, "shot-refused")] == [
            "it has already been fired"
        ]
        assert (
            battle.state.ship_by_name("r1").stock[
                battle.state.ship_by_name("r1").profile.index_of["submunition-1"]
            ]
            == 0
        )


@pytest.mark.rule("pc.submunitions", "pc.advanced-screens")
def test_only_advanced_screens_stop_packs() -> None:
    assert total(shoot("submunition", screens=2, beam=[4, 4])) == 2
    assert total(shoot("submunition", screens=2, advanced=2, beam=[4, 6], re_roll=[4])) == 2


@pytest.mark.rule("pc.spinal-mounts")
def test_spinal_dice_are_equal_at_any_range() -> None:
    assert total(shoot("spinal-beam", 47, beam=[4] * 12)) == 12
    assert total(shoot("spinal-beam", 1, screens=2, beam=[5] * 11 + [6], re_roll=[4])) == 13
    assert total(shoot("spinal-plasma", 40, screens=1, beam=[4] * 5 + [6], re_roll=[3])) == 9


@pytest.mark.rule("pc.spinal-mounts")
@pytest.mark.parametrize(
    ("mass", "each"), [(10, 1), (50, 1), (51, 2), (100, 2), (101, 3), (150, 3)]
)
def test_singularity_rolls_a_die_per_50_mass_past_screens(mass: int, each: int) -> None:
    effect = shoot(
        "spinal-singularity", mass=mass, screens=2, advanced=2, beam=[3, 6], damage=[4] * 2 * each
    )
    assert points(effect) == [(4 * each, PIERCING, 0)] * 2


@pytest.mark.rule("pc.wave-gun")
@pytest.mark.parametrize(("stage", "dice"), [(0, 4), (1, 3), (2, 2)])
def test_wave_weakens_by_stage_and_advanced_screens(stage: int, dice: int) -> None:
    assert points(shoot("wave-gun", size=stage, screens=2, damage=[5] * dice)) == [
        (5 * dice, HULL, 0)
    ]
    assert total(
        shoot("wave-gun", size=stage, screens=2, advanced=2, damage=[1] + [5] * (dice - 1))
    ) == 3 * (dice - 1)
