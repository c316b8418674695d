"""Rams: permission, nerve, evasion, and the damage to both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.battle import start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import Foe
from engine.captains.common.objectives import last_ram
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.design.warnings import missing_options
from engine.notation.designs import parse_design
from engine.ruleset import ruleset
from engine.stops import read_orders
from engine.view.side_view import observe
from tests.engine.battle.table import at, classes, events_of, gunship, play, replays, setup, ship
from tests.engine.guns.duels import ship as hull
from tests.engine.guns.duels import table

pytestmark = pytest.mark.rule("2e.ramming")

RAM = [{"plot": {"r1": "ram b1"}}]


def corvette(**more: Any) -> dict[str, Any]:
    """Return a Corvette with 2 of 3 damage points left, 8 MU south of a Heavy Cruiser at rest."""
    sides = (
        [ship("r1", "Corvette", 60, 60, 12, 8, damage=1)],
        [ship("b1", "Heavy Cruiser", 60, 68, 6)],
    )
    return setup(*sides, **more)


def test_example_corvette_with_2_points_rolls_4_and_takes_48() -> None:
    document = corvette()
    battle = play(document, RAM, ram=[6, 4, 5], damage=[4, 3], threshold=[1] * 11)
    assert (at(battle, "b1").damage, at(battle, "r1").status) == (8, "destroyed")
    event = events_of(battle, "ram")[0]
    assert (event.outcome, event.sums, event.blows) == ("rammed", (12, 9), (4, 3))
    assert [hit.points for hit in events_of(battle, "damaged")] == [8, 48]
    assert replays(start(document, classes()), battle)


@pytest.mark.parametrize(
    ("dice", "outcome"),
    [([5], "refused"), ([6, 1, 5], "evaded"), ([6, 1, 6], "evaded"), ([6, 2, 5], "rammed")],
)
def test_ram_needs_a_six_and_the_higher_sum(dice: list[int], outcome: str) -> None:
    more = {"damage": [1, 1]} if outcome == "rammed" else {}
    battle = play(corvette(), RAM, ram=dice, **more)
    assert events_of(battle, "ram")[0].outcome == outcome


@pytest.mark.parametrize(("y", "outcome"), [(70, "refused"), (70.1, "far")])
def test_ram_must_end_within_2_mu(y: float, outcome: str) -> None:
    document = corvette()
    document["sides"][1]["ships"][0]["at"] = [60, y]
    more = {"ram": [1]} if outcome == "refused" else {}
    assert events_of(play(document, RAM, **more), "ram")[0].outcome == outcome


@pytest.mark.parametrize(
    ("more", "needs"),
    [({}, 6), ({"options": ["ram-on-4"]}, 4), ({"options": ["ram-on-2", "ram-on-5"]}, 2)],
)
def test_agreement_lowers_the_ramming_number(more: dict[str, Any], needs: int) -> None:
    assert events_of(play(corvette(**more), RAM, ram=[needs, 1, 6]), "ram")[0].needs == needs
    if needs > 2:
        assert (
            events_of(play(corvette(**more), RAM, ram=[needs - 1]), "ram")[0].outcome == "refused"
        )


def test_one_side_may_have_a_lower_ramming_number() -> None:
    document = corvette()
    document["sides"][0]["ram_on"] = 3
    assert events_of(play(document, RAM, ram=[3, 1, 6]), "ram")[0].outcome == "evaded"
    document["sides"][0]["ram_on"] = 7
    with pytest.raises(RuleViolations, match="die from 1 to 6"):
        start(document, classes())


def test_damaged_ship_rams_and_evades_with_remaining_thrust() -> None:
    document = corvette()
    document["sides"][1]["ships"][0] |= {"lost": ["drive", "drive"]}
    assert events_of(play(document, RAM, ram=[6, 1, 6], damage=[1, 1]), "ram")[0].sums == (9, 6)


def test_friends_and_empty_space_cannot_be_rammed() -> None:
    document = setup(
        [gunship("r1", 60, 60, "C"), gunship("r2", 61, 60, "C")], [gunship("b1", 60, 90, "C")]
    )
    battle = play(document, [{"plot": {"r1": "ram r2"}}])
    assert (
        events_of(battle, "order-refused")[0].reason
        == "only a hostile ship on the table can be rammed"
    )


def test_second_ram_meets_what_the_first_left() -> None:
    rams = [{"plot": {"r1": "ram b1", "r2": "ram b1"}}]
    red = [gunship("r1", 60, 59, "C", mass=80), gunship("r2", 60, 61, "C", mass=80)]
    battle = play(setup(red, [ship("b1", "Corvette", 60, 60)]), rams, ram=[6, 6, 1], damage=[1, 1])
    assert at(battle, "b1").status == "destroyed"
    assert len(events_of(battle, "ram")) == 1


def test_captain_rams_as_a_last_resort() -> None:
    wreck = gunship(
        "r1", 60, 60, "C", ftl="none", velocity=4, mass=40, lost=["battery-1"], damage=15
    )
    document = setup([wreck], [ship("b1", "Battleship", 60, 65, 12)])
    view = observe(start(document, classes()).state, 0)
    foes = [Foe(contact, ahead=True) for contact in view.contacts]
    plot = last_ram(view.terms, view.own_ships[0], foes)
    assert plot is not None
    assert plot.ram == "b1"
    peaceful = replace(view.terms, options=("no-ramming",))
    assert last_ram(peaceful, view.own_ships[0], foes) is None
    whole = observe(
        start(
            setup([{**wreck, "damage": 0}], [ship("b1", "Battleship", 60, 65, 12)]), classes()
        ).state,
        0,
    )
    assert last_ram(whole.terms, whole.own_ships[0], foes) is None


@pytest.mark.rule("pc.ramming")
def test_continuum_can_exclude_ramming() -> None:
    sides = [hull("r1", 60, 60, "beam:1", velocity=0)], [hull("b1", 60, 61, "beam:1", 6)]
    rams = play(table(*sides), RAM, ram=[5])
    assert events_of(rams, "ram")[0].outcome == "refused"
    none = start(table(*sides, options=("no-ramming",)))
    _, faults = read_orders(none, 0, {"plot": {"r1": "ram b1"}})
    assert [fault.message for fault in faults] == ["r1: ramming is not allowed in this battle"]
    document = table(*sides, options=("no-ramming",))
    document["sides"][0]["ram_on"] = 4
    with pytest.raises(RuleViolations) as caught:
        start(document)
    assert "no-ramming" in [fault.code for fault in caught.value.violations]


def rammer(**more: Any) -> dict[str, Any]:
    """Return `r1`, built to ram, 8 MU from a larger ship at rest that it reaches on its course."""
    ours = hull("r1", 60, 50, "beam:1@ALL", mass=100, boxes=12, velocity=8)
    ours["design"]["rams"] = True
    return table(
        [ours], [hull("b1", 60, 58, "beam:1@ALL", course=6)], options=("ramming-ability",), **more
    )


@pytest.mark.rule("pc.ramming")
def test_ramming_ship_needs_no_crew_die() -> None:
    battle = play(rammer(), RAM, ram=[5, 1], damage=[1, 1], threshold=[1] * 30)
    (event,) = events_of(battle, "ram")
    assert (event.outcome, event.will, event.needs, event.sums) == ("rammed", 0, 0, (9, 5))
    assert at(battle, "b1").damage == 12
    assert at(battle, "r1").status == "destroyed"
    assert replays(start(rammer()), battle)


@pytest.mark.rule("pc.ramming")
def test_ramming_ship_must_come_near_and_may_be_evaded() -> None:
    far = rammer()
    far["sides"][1]["ships"][0]["at"] = [60, 61]
    assert events_of(play(far, RAM), "ram")[0].outcome == "far"
    assert events_of(play(rammer(), RAM, ram=[1, 6]), "ram")[0].outcome == "evaded"


@pytest.mark.rule("pc.ramming", "pc.design")
def test_ramming_ability_costs_a_point_per_mass_and_needs_the_option() -> None:
    state = start(rammer()).state
    plain = rammer()
    del plain["sides"][0]["ships"][0]["design"]["rams"]
    assert at(start(rammer()), "r1").sheet.rams
    assert (
        state.ship_by_name("r1").sheet.points
        == start(plain).state.ship_by_name("r1").sheet.points + 100
    )
    design = parse_design(rammer()["sides"][0]["ships"][0]["design"])
    assert [fault.where for fault in missing_options(design, ruleset("continuum"))] == ["rams"]
    assert missing_options(design, ruleset("continuum", ["ramming-ability"])) == ()
    with pytest.raises(RuleViolations) as together:
        start({**rammer(), "options": ["ramming-ability", "no-ramming"]})
    assert "ramming-ability" in str(together.value)
    still = rammer()
    still["sides"][0]["ships"][0]["design"]["thrust"] = 0
    with pytest.raises(RuleViolations) as caught:
        start(still)
    assert [fault.code for fault in caught.value.violations] == ["rams-at-rest"]


@pytest.mark.rule("pc.ramming")
def test_captain_rams_worthy_targets_with_ramming_ships_only() -> None:
    rams = rammer()
    rams["sides"][1]["ships"][0]["design"] |= {"thrust": 0, "ftl": "none", "mass": 290}
    rams["sides"][1]["ships"][0]["design"]["hull"] = {"boxes": 90, "rows": 3}
    for built, order in ((True, "b1"), (False, "")):
        rams["sides"][0]["ships"][0]["design"]["rams"] = built
        plot = Captain(Doctrine(), Dice(1)).plots(observe(start(rams).state, 0)).get("r1")
        assert (plot.ram if plot is not None else "") == order
    rams["sides"][0]["ships"][0]["design"]["rams"] = True
    rams["sides"][1]["ships"][0] = hull(
        "b1", 60, 58, "beam:1@ALL", course=6, mass=40, boxes=4, thrust=0, ftl="none"
    )
    plot = Captain(Doctrine(), Dice(1)).plots(observe(start(rams).state, 0)).get("r1")
    assert plot is None or not plot.ram
