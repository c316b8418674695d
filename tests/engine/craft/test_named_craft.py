"""Craft that the book only names: EMP, needle and rocket fighters; EMP, gravitic and boarding boats.

Their figures are ours.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.rolls import Shot
from engine.core.terms import BOARDING, NAMED_CRAFT
from engine.craft.registry import craft_type
from engine.design.offers import offers_of
from engine.design.techbase import TechBase, base_violations
from engine.design.warnings import missing_options
from engine.notation.designs import parse_design
from engine.notation.ftlibship_export import to_ftlibship
from engine.ruleset import ruleset
from engine.view.side_view import observe
from tests.engine.battle.table import scripted
from tests.engine.craft.carrier_battles import N1, S1, carriers, group, launch, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

pytestmark = pytest.mark.rule("pc.named-craft")
OPTIONS = (NAMED_CRAFT, BOARDING)


def wing(type_: str, **more: Any) -> dict[str, Any]:
    """Return `r1` with a group of such fighters 4 MU in front of `b1`, which has one screen."""
    document = carriers(type_, "", guard="screen pds", options=OPTIONS, **more)
    document["sides"][0]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 56], "course": 12}}
    return document


def run(type_: str, entry: dict[str, Any], **dice: list[int]) -> Battle:
    """Let the fighters attack `b1`, which fires no point defence."""
    attack = {N1: {"weapon": "fighters", "target": "b1", **entry}}
    return play_turns(wing(type_), turn(attack=attack, defend={"b1": []}), **dice)


def boats(type_: str, **more: Any) -> Battle:
    """Let six such boats fire at `b1` at 4 MU."""
    entry = {"weapon": "boats", "target": "b1"} | (more.pop("entry", None) or {})
    orders = turn(
        launch("gunboat-rack-1"),
        {S1: "to 60 28; face 12"},
        attack={S1: entry},
        defend={"b1": []},
    )
    distance = 12.0 + more.get("b", {}).get("velocity", 0)
    document = squadrons(
        type_, distance, guard="screen", options=more.pop("options", OPTIONS), b=more.pop("b", {})
    )
    return play_turns(document, orders, **more)


def test_emp_fighters_test_electronics_through_screens() -> None:
    """Three hits lose a system on 4 or more; a screen stops none, and the hull is unharmed."""
    dice = {"fighter": [4, 4, 5, 3, 2, 1], "threshold": [4, 3, 3]}
    battle = run("emp", {"system": "drive"}, **dice)
    (fired,) = log_lines(battle, "craft-emp-fired")
    assert (fired["hits"], fired["system"]) == (3, "drive")
    (checked,) = log_lines(battle, "system-check")
    assert (checked["loses_on"], checked["lost"]) == (4, ["drive"])
    assert (ship_of(battle, "b1").damage, group(battle, N1).used_endurance) == (0, 2)


def test_needle_fighters_destroy_a_system_on_a_6() -> None:
    battle = run("needle", {"system": "pds-1"}, fighter=[6, 4, 3, 2, 1, 5])
    (fired,) = log_lines(battle, "fighters-fired")
    (lost,) = log_lines(battle, "system-lost")
    assert (fired["hits"], lost["system"]) == (3, "pds-1")
    assert (ship_of(battle, "b1").damage, group(battle, N1).used_endurance) == (3, 2)
    assert not log_lines(run("needle", {}), "fighters-fired")


def test_rocket_fighters_launch_one_each_within_12_mu() -> None:
    """Within 6 MU a rocket needs a 2, as those of pods do."""
    orders = turn(launch={N1: [{"weapon": "rockets", "target": "b1"}]}, defend={"b1": []})
    battle = play_turns(wing("rocket"), orders, to_hit=[1, 2, 3, 4, 5, 1], damage=[1, 3, 5, 6])
    (launched,) = log_lines(battle, "craft-launched")
    assert (launched["rounds"], launched["strength"]) == (6, 4)
    assert (ship_of(battle, "b1").damage, group(battle, N1).loads) == (
        1 + 2 + 3 + 3,
        {"rockets": 0},
    )


def test_emp_boats_fire_two_dice_each_with_the_ships() -> None:
    dice = {"beam": [4] + [1] * 11, "threshold": [6]}
    battle = boats("emp", **dice)
    (fired,) = log_lines(battle, "craft-emp-fired")
    (checked,) = log_lines(battle, "system-check")
    assert (fired["hits"], checked["loses_on"], checked["lost"]) == (1, 6, ["firecon-1"])


@pytest.mark.parametrize(("velocity", "points"), [(6, 2), (12, 4)])
def test_gravitic_boats_do_more_to_fast_ships(velocity: int, points: int) -> None:
    """Two hits through one screen do a point for every 6 MU of the target's velocity."""
    battle = boats("gravitic", beam=[5, 5, 4] + [1] * 9, b={"velocity": velocity})
    assert [line["hits"] for line in log_lines(battle, "boats-fired")] == [points]


def test_gravitic_boats_destroy_a_boat_with_each_hit() -> None:
    at_boats = craft_type("gravitic-gunboat").guns.at_boats
    assert at_boats is not None
    shot = Shot("x", 6.0, 6.0)
    assert at_boats(shot, scripted(beam=[4, 5, 3, 1]), 2).craft == 2


@pytest.mark.parametrize(("options", "marines"), [(OPTIONS, 4), ((NAMED_CRAFT,), 0)])
def test_boarding_boats_land_two_marines_a_hit(options: tuple[str, ...], marines: int) -> None:
    battle = boats("boarding-torpedo", to_hit=[2, 2, 1, 1, 1, 1], options=options, boarding=[1] * 9)
    (fired,) = log_lines(battle, "boats-fired")
    assert fired["hits"] == 2
    assert sum(line["marines"] for line in log_lines(battle, "boarded")) == marines
    assert len(log_lines(battle, "landing-not-agreed")) == (not marines)
    assert group(battle, S1).loads == {"boats": 0}


@pytest.mark.parametrize(
    ("system", "load"),
    [
        ("hangar", {"emp": 6}),
        ("hangar", {"needle": 6}),
        ("hangar", {"rocket": 6}),
        ("gunboat-rack", {"beam": 3, "emp": 3}),
        ("gunboat-rack", {"gravitic": 6}),
        ("gunboat-rack", {"boarding-torpedo": 6}),
    ],
)
def test_designs_have_them_only_by_the_option(system: str, load: dict[str, int]) -> None:
    document = squadrons("beam")["sides"][0]["ships"][0]["design"]
    design = parse_design({**document, "systems": [{"type": system, "load": load}]})
    without = missing_options(design, ruleset("continuum"))
    assert [(fault.where, fault.code) for fault in without] == [("systems[0].load", "not-agreed")]
    assert not missing_options(design, ruleset("continuum", [NAMED_CRAFT]))
    with pytest.raises(RuleViolations, match="ftLibShip does not support"):
        to_ftlibship(design, ruleset("continuum", [NAMED_CRAFT]))


def test_menus_and_tech_bases_have_them_only_by_the_option() -> None:
    def holds(*options: str) -> set[str]:
        offers = offers_of(ruleset("continuum", options), agreed=True)
        return {kind for offer in offers for kind in offer.holds}

    named = {"emp", "rocket", "gravitic", "boarding-torpedo"}
    assert holds(NAMED_CRAFT) - holds() == {*named} - {"rocket"}
    base = TechBase("ours", ("emp", "emp-fighters"))
    assert [fault.code for fault in base_violations(base)] == ["not-agreed"]
    assert base_violations(base, options=[NAMED_CRAFT]) == ()
    assert {row.id for row in base.lacking([NAMED_CRAFT])} - {row.id for row in base.lacking()} == {
        "needle-fighters",
        "rocket-fighters",
    }


@pytest.mark.parametrize("type_", ["emp", "needle", "rocket"])
def test_captains_attack_with_named_fighters(type_: str) -> None:
    battle = start_battle(wing(type_, beside="firecon"))
    captain = Captain(Doctrine(), Dice("a"))
    view = observe(battle.state, 0)
    orders = captain.launches(view) if type_ == "rocket" else captain.attacks(view)
    assert orders[N1]
