"""The price of sensors in wars that began under older rules."""

from __future__ import annotations

import pytest

from campaign.rules.battle_entries import battle_options
from campaign.rules.files import fixture_scenario
from campaign.rules.upgrades import SCENARIO
from campaign.store.documents import agreements_of
from engine.core.terms import TABLE_SENSORS


@pytest.mark.rule("pc.price-conflicts")
@pytest.mark.parametrize(("first", "is_older"), [("1.0", True), ("1.1", False)])
def test_wars_keep_the_price_of_sensors_they_began_with(first: str, is_older: bool) -> None:
    scenario = fixture_scenario("lafayette-continuum")
    agreed = agreements_of({"options": ["cpv"], "rules_version": first}, scenario)
    assert agreed.options is not None
    assert (TABLE_SENSORS in agreed.options) == is_older
    # The battles of a war that was upgraded name the option; those of older rules imply it.
    assert (TABLE_SENSORS in battle_options(agreed.options, "1.1")) == is_older
    assert TABLE_SENSORS not in battle_options(agreed.options, "1.0")


@pytest.mark.parametrize(
    ("edition", "options"), [("continuum", ["cpv", TABLE_SENSORS]), ("second-edition", ["cpv"])]
)
def test_older_scenarios_keep_the_price_of_sensors(edition: str, options: list[str]) -> None:
    body = {"edition": edition, "options": ["cpv"], "factions": [], "systems": [], "links": []}
    assert SCENARIO.upgrade_body(1, body)["options"] == options
