"""What the ships of a faction have as one: torpedoes, drives, FTL drives and hangars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.designs import ship_class
from campaign.rules.one_navy import deployment_warnings, new_navy_faults
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.perception import initial_view
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from engine.notation.designs import load_sheet
from tests.campaign.rules import yards
from tests.campaign.rules.space import HOME, places_and_codes

pytestmark = pytest.mark.rule("pc.fleet-wide")

TORPEDO = {"type": "pulse-torpedo", "arcs": ["F"]}
LONG = {**TORPEDO, "model": "long"}
SHORT = {**TORPEDO, "model": "short"}
OVERLOADED = {**TORPEDO, "overload": True}
DESIGNS = (
    yards.design("Plain", TORPEDO),
    yards.design("Long", LONG),
    yards.design("Short", SHORT),
    yards.design("Hot", OVERLOADED),
    yards.design("Fast", drive="advanced", ftl="advanced"),
    yards.design("Slow"),
)


def navy(*options: str) -> Scenario:
    """Return a war in which any class may be built."""
    agreed = ("overload", *options)
    catalogue = tuple(ship_class(load_sheet(design, options=agreed)) for design in DESIGNS)
    scenario = yards.scenario(options=agreed, catalogue=catalogue, classification_limit=(1, 1))
    free = tuple(replace(faction, tech_base=None) for faction in scenario.factions)
    return replace(scenario, factions=free)


def deployed(*classes: str, options: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Return the faults of a deployment of ships of these classes."""
    scenario = navy(*options)
    ships = tuple((cls, f"{cls} {number}") for number, cls in enumerate(classes))
    fleet = DeployedFleet("Alpha", "red/mobile", HOME, ships)
    return places_and_codes(
        order_violations(scenario, initial_view(scenario, "red"), Orders(deploy=(fleet,)))
    )


@pytest.mark.parametrize(
    ("classes", "options", "codes"),
    [
        (("Plain", "Long"), (), []),
        (("Hot",), (), []),
        (("Hot", "Short"), (), []),  # short torpedoes are apart
        (("Hot", "Plain"), (), ["overload-mixed"]),
        (("Hot", "Long"), (), ["overload-mixed"]),
        (("Fast", "Slow"), (), []),
        (("Fast", "Slow"), ("one-navy",), ["mixed-drives", "mixed-ftl"]),
        (("Fast", "Fast"), ("one-navy",), []),
    ],
)
def test_deployment(classes: tuple[str, ...], options: tuple[str, ...], codes: list[str]) -> None:
    assert deployed(*classes, options=options) == [("deploy", code) for code in codes]


def test_warnings_are_given_only_without_the_option() -> None:
    draft = {"deploy": [{"ships": [["Fast", "One"], ["Slow", "Two"], ["Unknown", 3]]}, "junk"]}
    for options, codes in (((), ["mixed-drives", "mixed-ftl"]), (("one-navy",), [])):
        warnings = deployment_warnings(navy(*options), "red", draft)
        assert [(item.where, item.code) for item in warnings] == [
            ("deploy", code) for code in codes
        ]


@pytest.mark.parametrize(
    ("present", "added", "codes"),
    [
        (["Plain"], "Hot", ["overload-mixed"]),
        (["Plain"], "Long", []),
        (["Plain", "Hot"], "Hot", []),  # a navy that is mixed already may go on
    ],
)
def test_new_ship_may_not_mix_torpedoes(present: list[str], added: str, codes: list[str]) -> None:
    classes: dict[str, Any] = ship_classes(navy())
    faults = new_navy_faults(
        navy(), [classes[name] for name in present], classes[added], "build[0]"
    )
    assert [fault.code for fault in faults] == codes
