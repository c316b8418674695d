"""Dice of Continuum's fighters and gunboats by type: at ships, at craft, and without endurance."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.kinds import PIERCING, PLAIN, SEMI
from engine.core.rolls import Effect, Shot
from engine.craft.craft_type import CraftType, no_fire
from engine.craft.registry import craft_type
from tests.engine.battle.table import scripted
from tests.engine.guns.duels import points, total

PURPOSES = ("fighter", "dogfight", "beam", "re_roll", "damage", "to_hit", "double")


def _shot(purpose: str, shot: dict[str, Any]) -> tuple[Shot, dict[str, list[int]]]:
    dice = {name: shot.pop(name) for name in PURPOSES if name in shot}
    away = shot.pop("distance", 3.0)
    return Shot("r1/hangar-1>b1", away, away, purpose=purpose, **shot), dice


def raid(type_: str, craft: int, load: str = "fighters", **shot: Any) -> Effect:
    """Let so many craft fire at a ship with their guns, or with a load."""
    aimed, dice = _shot("fighter", shot)
    armament = craft_type(type_).armament(load)
    assert armament is not None
    return armament.at_ships(aimed, scripted(**dice), craft)


def fight(type_: str, craft: int, **shot: Any) -> Effect:
    """Let so many craft fight a dogfight."""
    aimed, dice = _shot("dogfight", shot)
    return craft_type(type_).guns.at_craft(aimed, scripted(**dice), craft)


def sail(type_: str, boats: int, distance: float, **shot: Any) -> Effect:
    """Let so many gunboats fire at a ship."""
    aimed, dice = _shot("beam", {"distance": distance, **shot})
    return craft_type(f"{type_}-gunboat").guns.at_ships(aimed, scripted(**dice), boats)


def each_die(type_: str, *, at_ships: bool, **shot: Any) -> str:
    """Return the effect of single dice of 1 to 6, with a re-roll of 1 where a 6 earns one."""
    if at_ships:
        return "".join(
            str(total(raid(type_, 1, fighter=[die], re_roll=[1], **shot))) for die in range(1, 7)
        )
    return "".join(
        str(fight(type_, 1, dogfight=[die], re_roll=[1], **shot).craft) for die in range(1, 7)
    )


@pytest.mark.rule("pc.dogfights")
def test_worked_dogfight_kills_three_and_two() -> None:
    five = fight("standard-fighter", 5, dogfight=[2, 2, 6, 4, 1], re_roll=[3])
    four = fight("standard-fighter", 4, dogfight=[3, 1, 5, 5])
    assert (five.craft, four.craft) == (3, 2)


# Points at a ship by die, unscreened and through level 2; craft by die.
@pytest.mark.rule("pc.fighter-types")
@pytest.mark.parametrize(
    ("type_", "bare", "screened", "craft"),
    [
        ("standard-fighter", "000112", "000011", "000112"),
        ("interceptor-fighter", "000001", "000000", "001122"),
        ("attack-fighter", "001122", "000111", "000001"),
        ("torpedo-fighter", "000001", "000000", "000001"),
        ("mkp-fighter", "000001", "000000", "000001"),
        ("missile-fighter", "000001", "000000", "000001"),
        ("plasma-fighter", "001234", "000012", "000001"),
        ("multi-role-fighter", "000112", "000011", "000112"),
        ("standard-fighter+cannon", "000112", "000112", "000112"),
        ("attack-fighter+cannon", "001122", "001122", "000001"),
    ],
)
def test_guns_by_type(type_: str, bare: str, screened: str, craft: str) -> None:
    assert each_die(type_, at_ships=True) == bare
    assert each_die(type_, at_ships=True, screens=2) == screened
    assert each_die(type_, at_ships=False) == craft


@pytest.mark.rule("pc.fighter-attack")
def test_beams_reroll_past_screens_and_cannon_do_not() -> None:
    beams = raid("standard-fighter", 2, fighter=[6, 1], re_roll=[4], screens=2)
    assert points(beams) == [(1, PLAIN, 0), (1, PLAIN, 1)]
    assert raid("standard-fighter+cannon", 2, fighter=[6, 1], screens=2).dice == (6, 1)
    assert fight("standard-fighter+cannon", 1, dogfight=[6]).dice == (6,)


@pytest.mark.rule("pc.fighter-attack")
def test_advanced_screens_stop_cannon_too() -> None:
    assert each_die("standard-fighter+cannon", at_ships=True, screens=2, advanced=2) == "000011"


@pytest.mark.rule("pc.dice-modifiers")
def test_rerolls_have_no_modifier() -> None:
    assert total(raid("interceptor-fighter", 1, fighter=[6], re_roll=[4])) == 2
    assert fight("attack-fighter", 1, dogfight=[6], re_roll=[6, 5]).craft == 1 + 2 + 1


@pytest.mark.rule("pc.fighter-types")
def test_light_and_heavy_fighters_change_the_hit_number() -> None:
    light, heavy = craft_type("standard-fighter+light"), craft_type("standard-fighter+heavy")
    assert each_die("standard-fighter", at_ships=False, modifier=light.modifier) == "001122"
    assert each_die("standard-fighter", at_ships=False, modifier=heavy.modifier) == "000011"
    assert each_die("interceptor-fighter", at_ships=False, modifier=light.modifier) == "011222"


@pytest.mark.rule("pc.endurance")
def test_exhausted_fighters_kill_on_a_6_only() -> None:
    shot = Shot("r1/hangar-1>b1/hangar-1", 1.0, 1.0, purpose="dogfight", modifier=-1)
    effect = craft_type("interceptor-fighter").exhausted_fire(shot, scripted(dogfight=[5, 6, 6]), 3)
    assert (effect.craft, effect.dice) == (2, (5, 6, 6))


@pytest.mark.rule("pc.fighter-types")
def test_torpedoes_do_their_die_past_screens() -> None:
    effect = raid("torpedo-fighter", 6, "torpedoes", fighter=[1, 3, 4, 5, 6, 2], screens=2)
    assert points(effect) == [(4, SEMI, 0), (5, SEMI, 0), (6, SEMI, 0)]
    assert total(raid("torpedo-fighter", 1, "torpedoes", fighter=[5], screens=2, advanced=2)) == 3
    assert total(raid("torpedo-fighter", 2, "torpedoes", fighter=[5, 6], holofield=True)) == 6


@pytest.mark.rule("pc.fighter-types")
def test_penetrators_do_four_points_a_hit() -> None:
    effect = raid("mkp-fighter", 4, "mkp", fighter=[3, 4, 5, 6], screens=2)
    assert points(effect) == [(4, PIERCING, 0)] * 4
    assert total(raid("mkp-fighter", 2, "mkp", fighter=[5, 6], holofield=True)) == 8


@pytest.mark.rule("pc.fighter-types")
def test_graser_hits_are_a_d3_each_past_half_the_armour() -> None:
    effect = raid("graser-fighter", 3, fighter=[4, 6, 1], re_roll=[5], damage=[1, 4, 6, 3])
    assert points(effect) == [(1, SEMI, 0), (2, SEMI, 0), (3, SEMI, 0), (2, SEMI, 1)]


@pytest.mark.rule("pc.fighter-types")
def test_loads_are_used_once_and_only_penetrators_beside_guns() -> None:
    loads = {
        type_: craft_type(f"{type_}-fighter").loads for type_ in ("torpedo", "mkp", "standard")
    }
    rows = {
        type_: [(load.name, load.rounds, load.combinable) for load in type_loads]
        for type_, type_loads in loads.items()
    }
    assert rows == {"torpedo": [("torpedoes", 1, False)], "mkp": [("mkp", 1, True)], "standard": []}
    assert all(load.at_craft is no_fire for type_loads in loads.values() for load in type_loads)


@pytest.mark.rule("pc.fighter-types", "pc.endurance")
def test_hungry_guns_cost_two_against_ships_and_one_against_craft() -> None:
    costs = {
        type_: (row.guns.cost(at_ship=True), row.guns.cost(at_ship=False))
        for type_ in ("standard", "graser", "plasma")
        for row in (craft_type(f"{type_}-fighter"),)
    }
    assert costs == {"standard": (1, 1), "graser": (2, 1), "plasma": (2, 1)}


def _figures(row: CraftType) -> tuple[float, int, int, int]:
    return row.speed, row.endurance, row.full, row.modifier


@pytest.mark.rule("pc.fighter-move", "pc.fighter-types", "pc.gunboats")
@pytest.mark.parametrize(
    ("type_", "figures"),
    [
        ("standard-fighter", (24.0, 6, 6, 0)),
        ("attack-fighter+fast", (36.0, 6, 6, 0)),
        ("standard-fighter+long-range+robot", (24.0, 9, 6, 0)),
        ("standard-fighter+heavy", (24.0, 6, 6, -1)),
        ("missile-fighter+light", (24.0, 4, 8, 1)),
        ("interceptor-fighter+fast+light", (36.0, 4, 8, 1)),
        ("beam-gunboat", (18.0, 6, 6, 0)),
        ("k-gun-gunboat+heavy", (18.0, 6, 6, -1)),
    ],
)
def test_range_endurance_and_numbers(type_: str, figures: tuple[float, int, int, int]) -> None:
    assert _figures(craft_type(type_)) == figures


@pytest.mark.rule("pc.gunboats")
def test_beam_boats_roll_two_dice_each() -> None:
    assert total(sail("beam", 3, 12, beam=[4, 5, 6, 1, 1, 1], re_roll=[4])) == 5
    assert total(sail("beam", 1, 12, beam=[4, 6], re_roll=[5], screens=2)) == 2


@pytest.mark.rule("pc.gunboats")
@pytest.mark.parametrize(("type_", "near", "far"), [("gatling", 6, 2), ("submunition", 3, 2)])
def test_boats_with_fewer_dice_beyond_6(type_: str, near: int, far: int) -> None:
    assert len(sail(type_, 1, 6.0, beam=[1] * near).dice) == near
    assert len(sail(type_, 1, 6.01, beam=[1] * far).dice) == far
    assert len(sail(type_, 2, 12.0, beam=[1] * far * 2).dice) == far * 2


@pytest.mark.rule("pc.gunboats")
def test_boat_submunitions_pass_standard_screens() -> None:
    assert total(sail("submunition", 1, 12, beam=[4, 5], screens=2)) == 2
    assert total(sail("gatling", 1, 12, beam=[4, 5], screens=2)) == 1


@pytest.mark.rule("pc.gunboats")
@pytest.mark.parametrize(("distance", "needed"), [(4, 2), (4.01, 3), (8, 3), (8.01, 4), (12, 4)])
def test_boat_torpedoes_and_guns_are_short_ranged(distance: float, needed: int) -> None:
    torpedoes = sail("pulse-torpedo", 2, distance, to_hit=[needed - 1, needed], damage=[5])
    assert (torpedoes.needed, points(torpedoes)) == (needed, [(5, SEMI, 0)])
    slugs = sail("k-gun", 3, distance, to_hit=[needed - 1, needed, 6], double=[2, 3])
    assert (slugs.needed, points(slugs)) == (needed, [(4, PIERCING, 0), (2, PIERCING, 0)])


@pytest.mark.rule("pc.gunboats")
def test_plasma_grasers_and_penetrators_of_boats() -> None:
    assert total(sail("plasma", 2, 12, beam=[5, 6], re_roll=[3], screens=1)) == 2 + 3 + 1
    assert points(sail("graser", 2, 12, beam=[4, 3], damage=[5])) == [(3, SEMI, 0)]
    assert points(sail("mkp", 2, 12, to_hit=[4, 6])) == [(4, PIERCING, 0)] * 3


@pytest.mark.rule("pc.gunboats")
def test_boat_needles_destroy_the_system_on_a_6() -> None:
    effect = sail("needle", 3, 12, to_hit=[3, 4, 6])
    assert (total(effect), effect.needled) == (2, True)
    assert not sail("needle", 2, 12, to_hit=[4, 5]).needled
    assert sail("needle", 0, 12).dice == ()


@pytest.mark.rule("pc.gunboats")
def test_boats_have_two_packs_each() -> None:
    rounds = {
        type_: craft_type(f"{type_}-gunboat").guns.rounds
        for type_ in ("submunition", "mkp", "beam")
    }
    assert rounds == {"submunition": 2, "mkp": 2, "beam": 0}
