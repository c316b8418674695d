"""What admirals reckon: strengths, scans, the aims of a war, characters, deployments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from campaign.orders.deploy import deploy_faults
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import default_force
from campaign.rules.perceive import initial_view
from campaign.rules.scenario import Condition
from campaign.rules.world import Ship
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.facts import FOREVER
from tests.umpire.admirals.sector import lafayette
from umpire.admirals import orders_for
from umpire.admirals.character import CHARACTERS, character, leaning, one_of
from umpire.admirals.marching import dock
from umpire.admirals.picture import Aims, Picture
from umpire.admirals.reckoning import Reckoner, winning

RECKONER = Reckoner(lafayette())


def test_larger_classes_are_stronger_and_unarmed_ones_are_nothing() -> None:
    strengths = RECKONER.strengths
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


def test_damage_and_lost_systems_weaken_a_ship() -> None:
    ship = Ship("nac/s1", "nac", "Victoria 1", "Battleship", "nac/f1")
    whole = RECKONER.ship(ship)
    hurt = RECKONER.ship(replace(ship, damage=12))
    worse = RECKONER.ship(replace(ship, damage=12, lost=("battery-1", "battery-2")))
    assert whole > hurt > worse > 0
    cls = RECKONER.classes["Battleship"]
    assert RECKONER.ship(replace(ship, lost=cls.firecons)) == 0
    assert RECKONER.ship(replace(ship, lost=cls.weapons)) == 0


def test_ships_of_the_later_rulebook_are_reckoned_by_the_same_means() -> None:
    """Armour, screens and guns of every kind count; what fires no more, or is laid up, does not."""
    reckoner = Reckoner(fixture_scenario("lafayette-continuum"))
    strengths = reckoner.strengths
    line = ("Gannet Frigate", "Harrier Destroyer", "Osprey Light Cruiser", "Warden Heavy Cruiser")
    assert [strengths[name] for name in line] == sorted(strengths[name] for name in line)
    assert strengths["Warden Heavy Cruiser"] > 2 * strengths["Harrier Destroyer"]
    ship = Ship("nac/s1", "nac", "Warden", "Warden Heavy Cruiser", "nac/f1")
    whole = reckoner.ship(ship)
    assert whole == strengths[ship.cls]
    assert whole > reckoner.ship(replace(ship, damage=10)) > 0
    assert whole > reckoner.ship(replace(ship, stock=(("submunition-1", 0),))) > 0
    clad = Ship("nac/s2", "nac", "Wall", "Heavy Cruiser", "nac/f1")
    assert strengths[clad.cls] > reckoner.ship(replace(clad, stock=(("armour-1", 0),))) > 0
    assert whole > reckoner.ship(replace(ship, lost=("graser-1",))) > 0
    assert whole > reckoner.ship(replace(ship, lost=("drive",))) > 0
    assert reckoner.ship(replace(ship, lost=reckoner.classes[ship.cls].firecons)) == 0
    assert reckoner.ship(replace(ship, laid_up=True)) == 0
    assert reckoner.ship(replace(ship, lost=("bridge",), notes=(("out-of-control", FOREVER),))) == 0
    assert reckoner.ship(replace(ship, lost=("bridge",), notes=(("out-of-control", 2),))) == whole


@pytest.mark.rule("camp.system-repairs")
def test_repairs_begin_with_what_may_end_the_ship_and_go_on_with_what_is_worth_most() -> None:
    scenario = fixture_scenario("lafayette-continuum")
    picture = Picture(scenario, initial_view(scenario, "nac"))
    base = next(system.facility for system in scenario.systems if system.id == "new-toledo")
    assert base is not None

    def named(*lost: str) -> tuple[str, ...]:
        return dock(
            picture,
            Ship("nac/s1", "nac", "Warden", "Warden Heavy Cruiser", "nac/f1", lost=lost),
            base,
        ).repair

    assert named("beam-1", "drive", "firecon-1", "graser-1", "power-core") == (
        "drive",
        "firecon-1",
        "power-core",
    )
    assert named("beam-1", "ftl", "graser-1", "pds-1") == ("beam-1", "ftl", "graser-1")
    assert named("beam-1", "beam-2", "pds-1", "graser-1") == ("beam-1", "beam-2", "graser-1")


@pytest.mark.rule("camp.scan")
def test_a_scan_is_read_by_classification_and_defences_bound_there_count_for_more() -> None:
    counts = (("capital", 2), ("cruiser", 1), ("escort", 4))
    free, bound = RECKONER.scanned(counts, 0), RECKONER.scanned(counts, 1000)
    assert 0 < free < bound
    assert RECKONER.scanned((("escort", 4),), 0) < RECKONER.scanned((("capital", 4),), 0)


@pytest.mark.rule("camp.decoys")
def test_where_drones_are_about_escorts_are_believed_less() -> None:
    honest = Reckoner(replace(lafayette(), decoys=False))
    assert honest.scanned((("escort", 10),), 0) > RECKONER.scanned((("escort", 10),), 0)
    assert honest.scanned((("capital", 3),), 0) == RECKONER.scanned((("capital", 3),), 0)


def test_the_odds_turn_with_the_strengths() -> None:
    assert winning(100, 100) == 0.5
    assert winning(0, 10) == 0.0
    assert winning(10, 0) == 1.0
    assert winning(120, 100, 9) > winning(120, 100, 5) > 0.5
    assert winning(120, 100) + winning(100, 120) == pytest.approx(1.0)


@pytest.mark.rule("camp.objectives")
def test_aims_come_from_the_conditions_whoever_the_factions_are() -> None:
    aims = Aims(lafayette(), "esu")
    assert max(aims.want, key=lambda id_: aims.want[id_]) == "lafayette"
    assert aims.want["hudson"] > aims.want["rock"]
    turned = replace(
        lafayette(),
        victory=(
            Condition("x", "nac", by="nac", of=("settled",), including=("rock",), at_least=1),
        ),
    )
    other = Aims(turned, "esu")
    assert max(other.want, key=lambda id_: other.want[id_]) == "rock"


@pytest.mark.rule("camp.objectives")
def test_what_a_system_would_change() -> None:
    esu, nac = Aims(lafayette(), "esu"), Aims(lafayette(), "nac")
    two = {"hudson": "esu", "kakisa": "esu"}
    assert esu.score(two) == 0.0
    assert nac.score(two) == 1.0
    assert esu.swing("lafayette", two) == 1.0
    assert nac.swing("lafayette", two) == 1.0
    assert nac.without("lafayette", two, at_once=True) == 0.0
    assert esu.swing("rock", two) == 0.0
    assert esu.score({"lafayette": "esu", "hudson": "esu"}) == 0.5


@pytest.mark.rule("camp.objectives")
def test_allies_share_their_aims_and_are_no_enemies() -> None:
    scenario = fixture_scenario("three-powers")
    halcyon, thessaly, karst = (Aims(scenario, name) for name in ("halcyon", "thessaly", "karst"))
    assert halcyon.want == thessaly.want
    assert halcyon.side == ("halcyon", "thessaly")
    held = {"karst-prime": "thessaly"}
    assert halcyon.score(held) == thessaly.score(held) == 1.0 - karst.score(held)


def test_an_unknown_character_is_named_with_those_there_are() -> None:
    assert character("") == CHARACTERS[0]
    with pytest.raises(RuleViolations) as caught:
        character("reckless")
    assert [fault.code for fault in caught.value.violations] == ["unknown-character"]
    assert "steady, bold, cautious" in str(caught.value)


def test_dice_lean_about_one_and_choose_by_weight() -> None:
    dice = Dice(4)
    leanings = [leaning(dice, "x") for _ in range(300)]
    assert 0.89 < min(leanings) < max(leanings) < 1.11
    assert sum(leanings) / 300 == pytest.approx(1.0, abs=0.01)
    drawn = Counter(one_of(dice, "x", [(3.0, "often"), (1.0, "seldom")]) for _ in range(400))
    assert 250 < drawn["often"] < 350


@pytest.mark.rule("camp.lafayette")
@pytest.mark.rule("camp.budget")
@pytest.mark.parametrize("slug", ["first-steps", "lafayette", "three-powers"])
def test_deployments_are_the_default_ships_in_dispositions_of_the_admirals_own(slug: str) -> None:
    scenario = fixture_scenario(slug)
    for power in scenario.factions:
        listed = Counter(
            cls for fleet in default_force(scenario, power.id) for cls, _ in fleet.ships
        )
        dispositions = []
        for seed in range(12):
            orders = orders_for(scenario, initial_view(scenario, power.id), "", Dice(seed))
            assert deploy_faults(scenario, power.id, orders.deploy) == []
            assert Counter(cls for fleet in orders.deploy for cls, _ in fleet.ships) == listed
            dispositions.append(tuple((fleet.name, fleet.hex) for fleet in orders.deploy))
        free = any(
            len(b.deploy) > 1 or b.deploy == ("any",)
            for b in scenario.budgets
            if b.faction == power.id
        )
        assert (len(dict.fromkeys(dispositions)) > 1) == free
