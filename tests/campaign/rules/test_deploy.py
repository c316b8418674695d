"""Deployment: budgets, places, FTL, shares of classifications, decoys, names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.forms.week.orders_words import orders_words
from campaign.orders.codec import orders_payload
from campaign.orders.validation import order_violations
from campaign.rules.forces import default_force, deploy_force, initial_world, reinforce
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.perception import initial_view
from campaign.rules.scenario import Reinforcement
from campaign.rules.world import Doctrine, Fleet, Holding
from tests.campaign.rules import space
from tests.campaign.rules.space import FAR, HOME, OUTPOST, places_and_codes

SCENARIO = space.scenario()


def new_fleet(
    *ships: str, name: str = "Alpha", budget: str = "red/mobile", hex_: str = HOME, **changes: Any
) -> DeployedFleet:
    return DeployedFleet(
        name, budget, hex_, tuple((cls, f"{name} {n}") for n, cls in enumerate(ships)), **changes
    )


def faults(*deploy: DeployedFleet, faction: str = "red", **changes: Any) -> list[tuple[str, str]]:
    scenario = space.scenario(**changes)
    return places_and_codes(
        order_violations(scenario, initial_view(scenario, faction), Orders(deploy=deploy))
    )


@pytest.mark.rule("camp.budget")
def test_force_within_its_budgets_is_valid() -> None:
    assert faults() == []
    mobile = new_fleet("Cruiser", "Destroyer", "Cruiser", "Destroyer", decoys=4)
    assert (
        faults(mobile, new_fleet("Guard", "Guard", "Guard", name="Wall", budget="red/home")) == []
    )


def test_receipt_names_classes_as_their_navy_does() -> None:
    scenario = space.scenario(class_names=(("red", (("Destroyer", "Torch"),)),))
    payload = orders_payload(Orders(deploy=(new_fleet("Destroyer", "Destroyer", "Cruiser"),)))
    (line,) = orders_words(scenario, initial_view(scenario, "red"), payload)
    assert line.endswith(": 1 × Cruiser, 2 × Torch")


@pytest.mark.rule("camp.budget")
def test_budget_pays_for_ships_and_drones() -> None:
    ships = ("Battleship", "Battleship", "Destroyer")  # 986 points, of 1000
    assert faults(new_fleet(*ships), classification_limit=(1, 1)) == []
    faults_found = faults(new_fleet(*ships, decoys=1), classification_limit=(1, 1))
    assert faults_found == [("deploy", "over-budget")]
    assert faults(new_fleet("Guard", "Guard", "Guard", "Guard", budget="red/home")) == [
        ("deploy", "over-budget")
    ]


@pytest.mark.rule("camp.budget")
def test_classification_limit_applies_from_three_ships() -> None:
    assert faults(new_fleet("Destroyer", "Destroyer")) == []
    assert faults(new_fleet("Destroyer", "Destroyer", "Cruiser")) == [
        ("deploy", "classification-limit")
    ]
    assert faults(new_fleet("Destroyer", "Destroyer", "Cruiser", "Cruiser")) == []
    entering = new_fleet("Cruiser", "Cruiser", name="Beta", budget="red/entering", hex_="0101")
    assert faults(new_fleet("Destroyer", "Destroyer"), entering) == []


@pytest.mark.rule("camp.budget")
def test_system_defences_count_separately() -> None:
    guards = new_fleet("Guard", "Guard", "Guard", name="Wall", budget="red/home")
    assert faults(guards, new_fleet("Destroyer", "Cruiser")) == []


@pytest.mark.rule("camp.budget")
@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (new_fleet("Destroyer", budget="red/none"), [("deploy[0].budget", "unknown-budget")]),
        (
            new_fleet("Destroyer", budget="blue/mobile", hex_=FAR),
            [("deploy[0].budget", "unknown-budget")],
        ),
        (new_fleet("Destroyer", hex_="0505"), [("deploy[0].hex", "wrong-place")]),
        (new_fleet("Destroyer", hex_=FAR), []),
        (new_fleet("Destroyer", budget="red/entering", hex_="0101"), []),
        (
            new_fleet("Destroyer", budget="red/entering", hex_=HOME),
            [("deploy[0].hex", "wrong-place")],
        ),
        (new_fleet("Frigate"), [("deploy[0].ships[0][0]", "unknown-class")]),
        (new_fleet(), [("deploy[0].ships", "no-ships")]),
        (new_fleet("Destroyer", name=""), [("deploy[0].name", "no-name")]),
        (new_fleet("Destroyer", decoys=2), [("deploy[0].decoys", "too-many-decoys")]),
        (new_fleet("Destroyer", decoys=-1), [("deploy[0].decoys", "out-of-range")]),
        (
            new_fleet("Destroyer", doctrine=Doctrine(range=999)),
            [("deploy[0].doctrine.range", "out-of-range")],
        ),
    ],
)
def test_fleets_are_judged_separately(item: DeployedFleet, expected: list[tuple[str, str]]) -> None:
    assert [
        fault for fault in faults(item) if not fault[0].startswith("deploy[0].ships[0][1]")
    ] == expected


@pytest.mark.rule("camp.non-ftl")
def test_ships_without_ftl_stay_with_their_system() -> None:
    assert faults(new_fleet("Guard")) == [("deploy[0].ships[0][0]", "ftl-required")]
    assert faults(new_fleet("Destroyer", budget="red/home")) == [
        ("deploy[0].ships[0][0]", "ftl-forbidden")
    ]
    assert faults(new_fleet("Guard", budget="red/home", hex_=OUTPOST)) == [
        ("deploy[0].hex", "wrong-place")
    ]
    assert (
        faults(new_fleet("Guard", "Cruiser", budget="blue/mobile", hex_=FAR), faction="blue") == []
    )


@pytest.mark.rule("camp.decoys")
def test_decoys_need_a_war_with_decoys() -> None:
    assert faults(new_fleet("Destroyer", decoys=1)) == []
    assert faults(new_fleet("Destroyer", decoys=1), decoys=False) == [
        ("deploy[0].decoys", "no-decoys")
    ]


def test_names_are_unique() -> None:
    twice = DeployedFleet(
        "Alpha", "red/mobile", HOME, (("Cruiser", "Alpha 0"), ("Battleship", "  "))
    )
    assert faults(new_fleet("Destroyer"), twice) == [
        ("deploy[1].name", "twice"),
        ("deploy[1].ships[0][1]", "twice"),
        ("deploy[1].ships[1][1]", "no-name"),
    ]


@pytest.mark.rule("camp.fleets")
@given(
    st.permutations(
        [
            new_fleet("Destroyer", "Cruiser"),
            new_fleet("Cruiser", name="Beta", decoys=1, standing="fight"),
        ]
    )
)
def test_keys_are_independent_of_fleet_order(deploy: list[DeployedFleet]) -> None:
    fleets, ships = deploy_force(space.scenario(), "red", deploy)
    assert fleets == (
        Fleet("red/f1", "red", "Alpha", HOME, budget="red/mobile"),
        Fleet("red/f2", "red", "Beta", HOME, budget="red/mobile", decoys=1, standing="fight"),
    )
    assert [(ship.key, ship.cls, ship.name, ship.fleet) for ship in ships] == [
        ("red/s1", "Cruiser", "Alpha 1", "red/f1"),
        ("red/s2", "Destroyer", "Alpha 0", "red/f1"),
        ("red/s3", "Cruiser", "Beta 0", "red/f2"),
    ]


def test_default_force_is_named_after_its_classes() -> None:
    with_class_names = space.scenario(class_names=(("blue", (("Battleship", "Colossus"),)),))
    (fist,) = default_force(with_class_names, "blue")
    assert fist == DeployedFleet(
        "Fist", "blue/mobile", FAR, (("Battleship", "Colossus 1"), ("Cruiser", "Cruiser 1"))
    )
    assert default_force(with_class_names, "nobody") == ()


@pytest.mark.rule("camp.superiority")
def test_owners_hold_their_systems_at_the_start() -> None:
    world = initial_world(SCENARIO)
    assert (world.week, world.stage, world.fleets, world.ships) == (0, "deploy", (), ())
    assert world.holdings == (
        Holding("far", "blue", 0),
        Holding("home", "red", 0),
        Holding("outpost", "red", 0),
    )


@pytest.mark.rule("camp.reinforcements")
def test_reinforcements_get_new_keys_and_names() -> None:
    fleets, ships = deploy_force(
        space.scenario(),
        "red",
        [new_fleet("Destroyer", "Cruiser"), new_fleet("Cruiser", name="Beta")],
    )
    arrival = Reinforcement("late", "red", 3, HOME, "Late", (("Destroyer", 1), ("Cruiser", 2)))
    fleet, new = reinforce(SCENARIO, arrival, fleets[:1], ships[:1], ships[1:])
    assert fleet == Fleet("red/f2", "red", "Late", HOME)
    assert [(ship.key, ship.name, ship.fleet) for ship in new] == [
        ("red/s4", "Cruiser 3", "red/f2"),
        ("red/s5", "Cruiser 4", "red/f2"),
        ("red/s6", "Destroyer 2", "red/f2"),
    ]
