"""Weapons that roll to hit and then for damage: torpedoes, K-guns, penetrators, fusion arrays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.continuum.damage import Armour, absorb
from engine.core.kinds import HULL, PIERCING, PLAIN, SEMI
from engine.core.rolls import TypedDamage
from tests.engine.battle.table import events_of
from tests.engine.guns.duels import duel, play, points, shoot, volley

BANDS = {"": 6.0, "long": 9.0, "short": 4.0}


@pytest.mark.rule("pc.pulse-torpedoes", "pc.k-guns")
@pytest.mark.parametrize("type_", ["pulse-torpedo", "k-gun"])
@pytest.mark.parametrize("variant", BANDS)
def test_projectile_needs_one_more_in_each_band(type_: str, variant: str) -> None:
    for band, needed in enumerate((2, 3, 4, 5, 6), 1):
        for distance in (BANDS[variant] * band, BANDS[variant] * (band - 1) + 0.1):
            missed = shoot(type_, distance, size=2, variant=variant, to_hit=[needed - 1])
            assert (missed.needed, missed.damage_types) == (needed, ())
            hit = shoot(
                type_, distance, size=2, variant=variant, to_hit=[needed], damage=[3], double=[6]
            )
            assert hit.damage_types


@pytest.mark.rule("pc.pulse-torpedoes")
@pytest.mark.parametrize(("model", "reach"), [("", 30), ("short", 20), ("long", 45)])
def test_torpedo_ranges(model: str, reach: float) -> None:
    word = f"pulse-torpedo:{model}@F" if model else "pulse-torpedo@F"
    for distance, shots in ((reach, 1), (reach + 0.1, 0)):
        battle = play(duel(word, distance), [volley("pulse-torpedo-1")], to_hit=[1] * shots)
        assert len(events_of(battle, "fire")) == shots


@pytest.mark.rule("pc.pulse-torpedoes", "pc.advanced-screens")
@pytest.mark.parametrize(
    ("screens", "advanced", "damage"), [(0, 0, 5), (2, 0, 5), (1, 1, 4), (2, 2, 3)]
)
def test_torpedo_passes_standard_screens_and_loses_points_to_advanced_ones(
    screens: int, advanced: int, damage: int
) -> None:
    effect = shoot("pulse-torpedo", screens=screens, advanced=advanced, to_hit=[6], damage=[5])
    assert points(effect) == [(damage, SEMI, 0)]


@pytest.mark.rule("pc.pulse-torpedoes", "pc.advanced-screens")
def test_damage_is_never_negative() -> None:
    assert points(shoot("pulse-torpedo", advanced=2, to_hit=[6], damage=[1])) == [(0, SEMI, 0)]


@pytest.mark.rule("pc.holofield", "pc.arcs")
@pytest.mark.parametrize("how", ["holofield", "stern"])
@pytest.mark.parametrize("type_", ["pulse-torpedo", "k-gun", "mkp", "fusion-array"])
def test_holofield_and_aft_fire_need_a_six(type_: str, how: str) -> None:
    missed = shoot(type_, 5, size=3, to_hit=[5], **{how: True})
    assert (missed.needed, missed.damage_types) == (6, ())
    hit = shoot(type_, 5, size=3, to_hit=[6], damage=[3], double=[6], beam=[4], **{how: True})
    assert hit.damage_types


@pytest.mark.rule("pc.dice-modifiers")
def test_modifier_changes_the_hit_number() -> None:
    assert not shoot("pulse-torpedo", 20, modifier=-1, to_hit=[5]).damage_types
    assert shoot("pulse-torpedo", 20, modifier=-1, to_hit=[6], damage=[1]).damage_types


@pytest.mark.rule("pc.k-guns", "pc.damage-kinds")
@pytest.mark.parametrize(
    ("size", "double", "damage"),
    [(1, 1, 2), (1, 2, 1), (3, 3, 6), (3, 4, 3), (5, 5, 10), (5, 6, 5), (6, 5, 12), (6, 6, 6)],
)
def test_slug_doubles_up_to_its_class_and_never_on_a_six(
    size: int, double: int, damage: int
) -> None:
    effect = shoot("k-gun", size=size, screens=2, advanced=2, to_hit=[6], double=[double])
    assert points(effect) == [(damage, PIERCING, 0)]
    assert effect.damage == (double,)


@pytest.mark.rule("pc.k-guns", "pc.damage-kinds")
def test_ten_points_of_a_slug_leave_one_in_the_armour() -> None:
    battle = play(duel("k-gun:5@F", armour=[[4, 0]]), [volley("k-gun-1")], to_hit=[6], double=[5])
    target = battle.state.ship_by_name("b1")
    assert (target.armour, target.damage) == (((3, 0),), 9)


@pytest.mark.rule("pc.damage-kinds")
def test_seven_semi_armour_piercing_points_leave_four_in_the_armour() -> None:
    assert absorb(((9, 0),), (TypedDamage(7, SEMI),)) == (((5, 0),), 3)


@pytest.mark.rule("pc.damage-kinds")
@pytest.mark.parametrize(
    ("armour", "damage_types", "armour_left", "hull"),
    [
        (
            ((3, 0), (1, 0)),
            (TypedDamage(7, SEMI),),
            ((0, 0), (0, 0)),
            3,
        ),  # the rest of a layer goes inward
        (((3, 0), (4, 0)), (TypedDamage(7, SEMI),), ((0, 0), (0, 0)), 0),
        (
            ((3, 0), (4, 0)),
            (TypedDamage(6, PIERCING),),
            ((2, 0), (3, 0)),
            4,
        ),  # a point in each layer
        (
            ((3, 0), (4, 0)),
            tuple(TypedDamage(2, PLAIN, depth) for depth in range(3)),
            ((1, 0), (2, 0)),
            2,
        ),
        (
            ((3, 0), (4, 0)),
            (TypedDamage(5, SEMI, 1),),
            ((0, 0), (4, 0)),
            2,
        ),  # a re-roll begins deeper, then splits
        (
            ((2, 1), (0, 0)),
            (TypedDamage(2, PLAIN),),
            ((0, 1), (0, 0)),
            0,
        ),  # plain boxes before regenerative ones
        (((2, 0),), (TypedDamage(3, HULL),), ((2, 0),), 3),
    ],
)
def test_each_kind_of_damage_through_layers(
    armour: Armour, damage_types: tuple[TypedDamage, ...], armour_left: Armour, hull: int
) -> None:
    assert absorb(armour, damage_types) == (armour_left, hull)


@pytest.mark.rule("pc.mkp")
@pytest.mark.parametrize(("die", "hits"), [(3, 0), (4, 1), (5, 1), (6, 2)])
def test_penetrator_hits_once_or_twice_past_screens(die: int, hits: int) -> None:
    assert (
        points(shoot("mkp", 12, screens=2, advanced=2, to_hit=[die])) == [(4, PIERCING, 0)] * hits
    )


@pytest.mark.rule("pc.mkp")
def test_penetrator_reaches_12_and_is_used_up() -> None:
    assert not events_of(play(duel("mkp@F", 12.1), [volley("mkp-1")]), "fire")
    battle = play(duel("mkp@F", 12), [volley("mkp-1"), volley("mkp-1")], to_hit=[3])
    assert [event.remaining for event in events_of(battle, "weapon-used")] == [0]
    assert [refused.reason for refused in events_of(battle, "shot-refused")] == [
        "it has already been fired"
    ]


@pytest.mark.rule("pc.fusion-array")
@pytest.mark.parametrize(
    ("setting", "needed", "dice"),
    [
        ("flare", (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
        ("torpedo", (6, 5, 4, 3, 2, 1), (6, 5, 4, 3, 2, 1)),
    ],
)
def test_fusion_array_by_setting_and_range(
    setting: str, needed: tuple[int, ...], dice: tuple[int, ...]
) -> None:
    for band in range(6):
        effect = shoot(
            "fusion-array", 6 * band + 6, mode=setting, to_hit=[needed[band]], beam=[4] * dice[band]
        )
        assert (effect.needed, points(effect)) == (needed[band], [(dice[band], PLAIN, 0)])
        if needed[band] > 1:
            assert not shoot(
                "fusion-array", 6 * band + 6, mode=setting, to_hit=[needed[band] - 1]
            ).damage_types


@pytest.mark.rule("pc.fusion-array", "pc.advanced-screens")
def test_fusion_hit_rerolls_and_only_advanced_screens_count() -> None:
    plain = shoot("fusion-array", 12, mode="flare", screens=2, to_hit=[2], beam=[4, 6], re_roll=[4])
    assert points(plain) == [(3, PLAIN, 0), (1, PLAIN, 1)]
    hindered = shoot(
        "fusion-array",
        12,
        mode="flare",
        screens=2,
        advanced=2,
        to_hit=[2],
        beam=[4, 6],
        re_roll=[4],
    )
    assert points(hindered) == [(1, PLAIN, 0), (1, PLAIN, 1)]


@pytest.mark.rule("pc.pulse-torpedoes")
def test_variable_tube_by_setting() -> None:
    far = shoot(
        "pulse-torpedo", 45, variant="variable", mode="long", advanced=1, to_hit=[6], damage=[4]
    )
    assert points(far) == [(1, SEMI, 0)]
    middle = shoot(
        "pulse-torpedo", 30, variant="variable", mode="standard", advanced=1, to_hit=[6], damage=[4]
    )
    assert points(middle) == [(3, SEMI, 0)]
    near = shoot(
        "pulse-torpedo", 20, variant="variable", mode="short", advanced=2, to_hit=[6], damage=[4]
    )
    assert points(near) == [(6, PIERCING, 0)]


LAYERS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=4).map(tuple)
DAMAGE_TYPES = st.lists(
    st.builds(
        TypedDamage,
        st.integers(0, 12),
        st.sampled_from([PLAIN, SEMI, PIERCING, HULL]),
        st.integers(0, 3),
    ),
    max_size=6,
).map(tuple)


@pytest.mark.rule("pc.damage-kinds", "pc.armour")
@given(LAYERS, DAMAGE_TYPES)
def test_every_point_is_taken_once(armour: Armour, damage_types: tuple[TypedDamage, ...]) -> None:
    armour_left, hull = absorb(armour, damage_types)
    armour_losses = sum(map(sum, armour)) - sum(map(sum, armour_left))
    assert armour_losses + hull == sum(typed.points for typed in damage_types)
    assert all(
        0 <= now <= then
        for new, old in zip(armour_left, armour, strict=True)
        for now, then in zip(new, old, strict=True)
    )
