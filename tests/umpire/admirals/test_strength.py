"""What admirals estimate: strengths, scans, aims of a war, characters, deployments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from campaign.orders.deploy import deploy_faults
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import default_force
from campaign.rules.perception import initial_view
from campaign.rules.scenario import Condition
from campaign.rules.world import Ship
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.facts import FOREVER
from tests.umpire.admirals.sector import lafayette
from umpire.admirals import orders_for
from umpire.admirals.character import CHARACTERS, choose_weighted, find_character, random_factor
from umpire.admirals.situation import Situation, VictoryAims
from umpire.admirals.strength import StrengthEstimator, win_chance
from umpire.admirals.week_plan import dock_order

STRENGTH_TABLE = StrengthEstimator(lafayette())


def test_larger_classes_are_stronger_and_unarmed_ones_count_nothing() -> None:
    strengths = STRENGTH_TABLE.strengths
    order = [
        "Weasel Courier",
        "Scout Ship",
        "Frigate",
        "Destroyer",
        "Light Cruiser",
        "Heavy Cruiser",
        "Battleship",
    ]
    assert [strengths[name] for name in order] == sorted(strengths[name] for name in order)
    assert strengths["Weasel Courier"] == 0
    assert strengths["Heavy Monitor"] > strengths["Superdreadnought"], (
        "what has no FTL drive has the room for weapons"
    )


def test_damage_and_losses_weaken_a_ship() -> None:
    ship = Ship("nac/s1", "nac", "Victoria 1", "Battleship", "nac/f1")
    undamaged = STRENGTH_TABLE.ship_strength(ship)
    hurt = STRENGTH_TABLE.ship_strength(replace(ship, damage=12))
    worse = STRENGTH_TABLE.ship_strength(replace(ship, damage=12, lost=("battery-1", "battery-2")))
    assert undamaged > hurt > worse > 0
    cls = STRENGTH_TABLE.classes["Battleship"]
    assert STRENGTH_TABLE.ship_strength(replace(ship, lost=cls.firecons)) == 0
    assert STRENGTH_TABLE.ship_strength(replace(ship, lost=cls.weapons)) == 0


def test_continuum_ships_are_valued_alike() -> None:
    """Armour, screens and guns of every kind count; disabled weapons and laid-up ships do not."""
    strength_table = StrengthEstimator(fixture_scenario("lafayette-continuum"))
    strengths = strength_table.strengths
    line = ("Gannet Frigate", "Harrier Destroyer", "Osprey Light Cruiser", "Warden Heavy Cruiser")
    assert [strengths[name] for name in line] == sorted(strengths[name] for name in line)
    assert strengths["Warden Heavy Cruiser"] > 2 * strengths["Harrier Destroyer"]
    ship = Ship("nac/s1", "nac", "Warden", "Warden Heavy Cruiser", "nac/f1")
    undamaged = strength_table.ship_strength(ship)
    assert undamaged == strengths[ship.cls]
    assert undamaged > strength_table.ship_strength(replace(ship, damage=10)) > 0
    assert (
        undamaged > strength_table.ship_strength(replace(ship, stock=(("submunition-1", 0),))) > 0
    )
    clad = Ship("nac/s2", "nac", "Wall", "Heavy Cruiser", "nac/f1")
    assert (
        strengths[clad.cls]
        > strength_table.ship_strength(replace(clad, stock=(("armour-1", 0),)))
        > 0
    )
    assert undamaged > strength_table.ship_strength(replace(ship, lost=("graser-1",))) > 0
    assert undamaged > strength_table.ship_strength(replace(ship, lost=("drive",))) > 0
    assert (
        strength_table.ship_strength(replace(ship, lost=strength_table.classes[ship.cls].firecons))
        == 0
    )
    assert strength_table.ship_strength(replace(ship, laid_up=True)) == 0
    assert (
        strength_table.ship_strength(
            replace(ship, lost=("bridge",), notes=(("out-of-control", FOREVER),))
        )
        == 0
    )
    assert (
        strength_table.ship_strength(
            replace(ship, lost=("bridge",), notes=(("out-of-control", 2),))
        )
        == undamaged
    )


@pytest.mark.rule("camp.system-repairs")
def test_repairs_begin_with_the_dangerous_then_the_valuable() -> None:
    scenario = fixture_scenario("lafayette-continuum")
    picture = Situation(scenario, initial_view(scenario, "nac"))
    base = next(system.facility for system in scenario.systems if system.id == "new-toledo")
    assert base is not None

    def systems_to_repair(*lost_systems: str) -> tuple[str, ...]:
        return dock_order(
            picture,
            Ship("nac/s1", "nac", "Warden", "Warden Heavy Cruiser", "nac/f1", lost=lost_systems),
            base,
        ).repair

    assert systems_to_repair("beam-1", "drive", "firecon-1", "graser-1", "power-core") == (
        "drive",
        "firecon-1",
        "power-core",
    )
    assert systems_to_repair("beam-1", "ftl", "graser-1", "pds-1") == ("beam-1", "ftl", "graser-1")
    assert systems_to_repair("beam-1", "beam-2", "pds-1", "graser-1") == (
        "beam-1",
        "beam-2",
        "graser-1",
    )


@pytest.mark.rule("camp.scan")
def test_scan_strength_counts_bound_defences_more() -> None:
    counts = (("capital", 2), ("cruiser", 1), ("escort", 4))
    free, bound = (
        STRENGTH_TABLE.scanned_strength(counts, 0),
        STRENGTH_TABLE.scanned_strength(counts, 1000),
    )
    assert 0 < free < bound
    assert STRENGTH_TABLE.scanned_strength((("escort", 4),), 0) < STRENGTH_TABLE.scanned_strength(
        (("capital", 4),), 0
    )


@pytest.mark.rule("camp.decoys")
def test_escorts_count_less_with_drones() -> None:
    honest = StrengthEstimator(replace(lafayette(), decoys=False))
    assert honest.scanned_strength((("escort", 10),), 0) > STRENGTH_TABLE.scanned_strength(
        (("escort", 10),), 0
    )
    assert honest.scanned_strength((("capital", 3),), 0) == STRENGTH_TABLE.scanned_strength(
        (("capital", 3),), 0
    )


def test_odds_follow_the_strengths() -> None:
    assert win_chance(100, 100) == 0.5
    assert win_chance(0, 10) == 0.0
    assert win_chance(10, 0) == 1.0
    assert win_chance(120, 100, 9) > win_chance(120, 100, 5) > 0.5
    assert win_chance(120, 100) + win_chance(100, 120) == pytest.approx(1.0)


@pytest.mark.rule("camp.objectives")
def test_aims_follow_the_victory_conditions() -> None:
    aims = VictoryAims(lafayette(), "esu")
    assert max(aims.want, key=lambda id_: aims.want[id_]) == "lafayette"
    assert aims.want["hudson"] > aims.want["rock"]
    turned = replace(
        lafayette(),
        victory=(
            Condition("x", "nac", by="nac", of=("settled",), including=("rock",), at_least=1),
        ),
    )
    other = VictoryAims(turned, "esu")
    assert max(other.want, key=lambda id_: other.want[id_]) == "rock"


@pytest.mark.rule("camp.objectives")
def test_value_of_a_system() -> None:
    esu, nac = VictoryAims(lafayette(), "esu"), VictoryAims(lafayette(), "nac")
    two = {"hudson": "esu", "kakisa": "esu"}
    assert esu.score(two) == 0.0
    assert nac.score(two) == 1.0
    assert esu.score_swing("lafayette", two) == 1.0
    assert nac.score_swing("lafayette", two) == 1.0
    assert nac.score_without("lafayette", two, at_once=True) == 0.0
    assert esu.score_swing("rock", two) == 0.0
    assert esu.score({"lafayette": "esu", "hudson": "esu"}) == 0.5


@pytest.mark.rule("camp.objectives")
def test_allies_share_aims() -> None:
    scenario = fixture_scenario("three-powers")
    halcyon, thessaly, karst = (
        VictoryAims(scenario, name) for name in ("halcyon", "thessaly", "karst")
    )
    assert halcyon.want == thessaly.want
    assert halcyon.side == ("halcyon", "thessaly")
    holders = {"karst-prime": "thessaly"}
    assert halcyon.score(holders) == thessaly.score(holders) == 1.0 - karst.score(holders)


def test_unknown_character_lists_the_known_ones() -> None:
    assert find_character("") == CHARACTERS[0]
    with pytest.raises(RuleViolations) as caught:
        find_character("reckless")
    assert [fault.code for fault in caught.value.violations] == ["unknown-character"]
    assert "steady, bold, cautious" in str(caught.value)


def test_dice_average_one_and_choose_by_weight() -> None:
    dice = Dice(4)
    leanings = [random_factor(dice, "x") for _ in range(300)]
    assert 0.89 < min(leanings) < max(leanings) < 1.11
    assert sum(leanings) / 300 == pytest.approx(1.0, abs=0.01)
    picks = Counter(
        choose_weighted(dice, "x", [(3.0, "often"), (1.0, "seldom")]) for _ in range(400)
    )
    assert 250 < picks["often"] < 350


@pytest.mark.rule("camp.lafayette")
@pytest.mark.rule("camp.budget")
@pytest.mark.parametrize("slug", ["first-steps", "lafayette", "three-powers"])
def test_deployments_rearrange_the_default_ships(slug: str) -> None:
    scenario = fixture_scenario(slug)
    for power in scenario.factions:
        default_classes = Counter(
            cls for fleet in default_force(scenario, power.id) for cls, _ in fleet.ships
        )
        dispositions = []
        for seed in range(12):
            orders = orders_for(scenario, initial_view(scenario, power.id), "", Dice(seed))
            assert deploy_faults(scenario, power.id, orders.deploy) == []
            assert (
                Counter(cls for fleet in orders.deploy for cls, _ in fleet.ships) == default_classes
            )
            dispositions.append(tuple((fleet.name, fleet.hex) for fleet in orders.deploy))
        free = any(
            len(b.deploy) > 1 or b.deploy == ("any",)
            for b in scenario.budgets
            if b.faction == power.id
        )
        assert (len(dict.fromkeys(dispositions)) > 1) == free
