"""A faction's own classes: checked by its tech base, submitted with the deployment, and known to
those
who sail them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.codec import canonical_orders, orders_payload, parse_orders
from campaign.orders.validation import order_violations
from campaign.rules.codec import decode, encode
from campaign.rules.designs import add_designs, building_faults, review_design
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.perception import build_view, initial_view
from campaign.rules.queries import class_name, ship_classes, with_all_designs, with_known_designs
from campaign.rules.scenario import Faction
from campaign.rules.world import FactionDesign, Ship, World
from engine.core.dice import KeyedDice
from tests.campaign.rules import space, yards
from tests.campaign.rules.space import FAR, HOME, places_and_codes
from tests.campaign.rules.yards import design
from umpire.adjudication.week import create_world, resolve

pytestmark = pytest.mark.rule("camp.tech-base")
WAR = yards.scenario()
HUNTER = design("Hunter", {"type": "beam", "class": 3, "arcs": ["F"]}, {"type": "pds"})
CLOAKED = design(
    "Ghost", {"type": "beam", "class": 1}, {"type": "cloaking-field"}, {"type": "advanced-screen"}
)


def deployment_orders(
    *ships: tuple[str, str], designs: tuple[dict[str, Any], ...] = (), faction: str = "red"
) -> Orders:
    budget, hex_ = ("red/mobile", HOME) if faction == "red" else ("blue/mobile", FAR)
    return Orders(deploy=(DeployedFleet("First", budget, hex_, ships),), designs=designs)


def faults(orders: Orders, scenario: Any = WAR, faction: str = "red") -> list[tuple[str, str]]:
    return places_and_codes(order_violations(scenario, initial_view(scenario, faction), orders))


def world_after(orders: dict[str, Orders]) -> World:
    return resolve(WAR, create_world(WAR), orders, {}, KeyedDice(b"x" * 32, ("deploy",))).world


def test_missing_technologies_are_named_with_their_places() -> None:
    judgement = review_design(WAR, "red", CLOAKED)
    assert judgement.cls is None
    assert [(fault.where, fault.message) for fault in judgement.faults] == [
        ("systems[2]", "needs the technology Cloaking field, which Red yards does not have"),
        ("systems[3]", "needs the technology Advanced screens, which Red yards does not have"),
    ]


def test_valid_design_is_a_class_of_the_faction() -> None:
    judgement = review_design(WAR, "red", HUNTER)
    assert judgement.faults == ()
    assert judgement.cls is not None
    assert (judgement.cls.name, judgement.cls.mass, judgement.cls.ftl) == ("red/Hunter", 60, True)
    assert class_name(WAR, "blue", judgement.cls.name) == "Hunter"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("x", [("", "not-a-mapping")]),
        ({**HUNTER, "class": "Patrol"}, [("class", "class-twice")]),
        ({**HUNTER, "class": "H" * 41}, [("class", "bad-name")]),
        ({**HUNTER, "mass": 20}, [("systems", "over-capacity")]),
        ({**HUNTER, "flawed": True}, [("flawed", "not-agreed")]),
    ],
)
def test_faults_of_form_name_and_rules_are_reported(
    document: Any, expected: list[tuple[str, str]]
) -> None:
    assert [
        (fault.where, fault.code) for fault in review_design(WAR, "red", document).faults
    ] == expected


def test_design_of_another_edition_is_refused() -> None:
    document = {"class": "Old", "edition": "second-edition", "kind": "warship", "mass": 10, "thrust": 4,
                "ftl": "standard", "systems": []}  # fmt: skip
    assert [fault.code for fault in review_design(WAR, "red", document).faults] == ["wrong-edition"]


def test_deployment_builds_only_available_technologies() -> None:
    assert faults(deployment_orders(("Raider", "One"))) == []
    violations = order_violations(
        WAR,
        initial_view(WAR, "blue"),
        deployment_orders(("Raider", "One"), ("Patrol", "Two"), faction="blue"),
    )
    assert [(fault.where, fault.code) for fault in violations] == [
        ("deploy[0].ships[0][0]", "missing-technology")
    ] * 2
    assert [fault.message for fault in violations] == [
        "'Raider': needs the technology Pulsers, which Blue yards does not have (systems[1])",
        "'Raider': needs the technology Salvo missile launchers, which Blue yards does not "
        "have (systems[2])",
    ]


def test_everything_can_be_built_without_a_tech_base() -> None:
    free = replace(WAR, factions=(Faction("blue", "Blue"), Faction("red", "Red")))
    assert faults(deployment_orders(("Raider", "One"), faction="blue"), free, "blue") == []
    assert review_design(free, "red", CLOAKED).faults == ()
    assert building_faults(free, "blue", ship_classes(free)["Raider"]) == ()


def test_own_designs_are_deployed_and_paid() -> None:
    orders = deployment_orders(("red/Hunter", "One"), ("Patrol", "Two"), designs=(HUNTER,))
    assert faults(orders) == []
    assert faults(deployment_orders(("red/Hunter", "One"))) == [
        ("deploy[0].ships[0][0]", "unknown-class")
    ]
    assert faults(deployment_orders(("Patrol", "Two"), designs=(HUNTER,))) == [
        ("designs[0]", "not-deployed")
    ]
    assert faults(deployment_orders(("red/Hunter", "One"), designs=(HUNTER, HUNTER))) == [
        ("designs[1].class", "twice")
    ]
    ships = tuple(("red/Hunter", f"H {n}") for n in range(9))
    assert ("deploy", "over-budget") in faults(deployment_orders(*ships, designs=(HUNTER,)))


def test_submitted_designs_are_judged_at_their_places() -> None:
    faults_found = faults(deployment_orders(("red/Ghost", "One"), designs=(CLOAKED,)))
    assert faults_found == [
        ("deploy[0].ships[0][0]", "unknown-class"),
        ("designs[0].systems[2]", "missing-technology"),
        ("designs[0].systems[3]", "missing-technology"),
    ]


def test_too_many_designs_are_refused_unread() -> None:
    assert faults(deployment_orders(("Patrol", "One"), designs=(HUNTER,) * 101)) == [
        ("designs", "too-many")
    ]


def test_own_designs_are_in_the_world_and_in_no_other_view() -> None:
    mine, theirs = (
        deployment_orders(("red/Hunter", "One"), designs=(HUNTER,)),
        deployment_orders(("Patrol", "P"), faction="blue"),
    )
    world = world_after({"red": mine, "blue": theirs})
    assert [(item.faction, item.cls.name) for item in world.designs] == [("red", "red/Hunter")]
    assert [ship.cls for ship in world.ships if ship.faction == "red"] == ["red/Hunter"]
    red, blue = (build_view(WAR, world, faction, None, ()) for faction in ("red", "blue"))
    assert [cls.name for cls in red.classes] == ["red/Hunter"]
    assert blue.classes == ()
    assert "Hunter" not in encode(blue).decode()
    assert (
        ship_classes(with_known_designs(WAR, red))["red/Hunter"]
        == ship_classes(with_all_designs(WAR, world))["red/Hunter"]
    )
    assert decode(World, encode(world)) == world


def test_owner_of_a_prize_knows_its_design() -> None:
    world = world_after(
        {
            "red": deployment_orders(("red/Hunter", "One"), designs=(HUNTER,)),
            "blue": deployment_orders(("Patrol", "P"), faction="blue"),
        }
    )
    prize = Ship("blue/s9", "blue", "Hunter prize 9", "red/Hunter", "blue/f1", laid_up=True)
    world = replace(world, ships=(*world.ships, prize))
    assert [cls.name for cls in build_view(WAR, world, "blue", None, ()).classes] == ["red/Hunter"]


def test_factions_may_use_equal_design_names() -> None:
    blue_design = design("Hunter", {"type": "fusion-array", "arcs": ["F"]})
    world = world_after(
        {
            "red": deployment_orders(("red/Hunter", "One"), designs=(HUNTER,)),
            "blue": deployment_orders(
                ("blue/Hunter", "Two"), designs=(blue_design,), faction="blue"
            ),
        }
    )
    assert [item.cls.name for item in world.designs] == ["blue/Hunter", "red/Hunter"]
    classes = ship_classes(with_all_designs(WAR, world))
    assert classes["blue/Hunter"].weapons != classes["red/Hunter"].weapons


def test_week_is_played_with_own_designs() -> None:
    world = world_after(
        {
            "red": deployment_orders(("red/Hunter", "One"), designs=(HUNTER,)),
            "blue": deployment_orders(("Patrol", "P"), faction="blue"),
        }
    )
    outcome = resolve(WAR, world, {}, {}, KeyedDice(b"x" * 32, ("orders",)))
    assert outcome.world.stage == "decisions"
    assert outcome.world.designs == world.designs


def test_orders_with_designs_round_trip_for_any_key_order() -> None:
    orders = deployment_orders(("red/Hunter", "One"), designs=(HUNTER, CLOAKED))
    payload = orders_payload(orders)
    turned = json.loads(json.dumps(payload), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    again, violations = parse_orders(turned)
    assert violations == ()
    assert again is not None
    assert orders_payload(again) == payload
    assert canonical_orders(again) == canonical_orders(orders)


def test_later_designs_join_the_world() -> None:
    first = add_designs(
        WAR, (), {"red": deployment_orders(("red/Hunter", "One"), designs=(HUNTER,))}
    )
    all_designs = add_designs(
        WAR,
        first,
        {"blue": deployment_orders(designs=(design("Ant", {"type": "beam", "class": 1}),))},
    )
    assert [item.cls.name for item in all_designs] == ["blue/Ant", "red/Hunter"]
    assert all_designs[1] == FactionDesign("red", first[0].cls)


def test_second_edition_has_no_own_designs() -> None:
    assert space.world().designs == ()
