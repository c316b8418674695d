"""Stored scenarios and ship classes never change; changes become new versions."""

from __future__ import annotations

import dataclasses

import pytest

from campaign.models import Scenario, ShipClass, StarMap, System
from campaign.rules.codec import from_document
from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.rules.scenario import Scenario as Value
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import, ship_classes_import
from engine.core.canonical import digest
from engine.core.errors import RuleViolations
from tests.umpire.services.wars import campaign_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", fixture_scenarios())
def test_stored_scenario_equals_the_file(slug: str) -> None:
    value = fixture_scenario(slug)
    row = scenario_import(scenario=value)
    row.refresh_from_db()
    assert from_document(Value, row.body) == value
    assert row.sha256 == digest(row.body)
    assert scenario_import(scenario=value) == row
    assert Scenario.objects.count() == StarMap.objects.count() == 1


@pytest.mark.rule("camp.map")
def test_map_is_stored_in_rows() -> None:
    value = fixture_scenario("first-steps")
    row = scenario_import(scenario=value)
    assert (row.starmap.columns, row.starmap.rows) == (value.columns, value.rows)
    rows = {
        (system.key, system.hex, system.owner)
        for system in System.objects.filter(starmap=row.starmap)
    }
    assert rows == {(system.id, system.hex, system.owner) for system in value.systems}


def test_changed_scenario_is_a_new_version() -> None:
    value = fixture_scenario("first-steps")
    old = scenario_import(scenario=value)
    new = scenario_import(scenario=dataclasses.replace(value, weeks=5))
    assert (old.version, new.version) == (1, 2)
    old.refresh_from_db()
    assert from_document(Value, old.body) == value
    assert from_document(Value, new.body).version == 2
    assert scenario_import(scenario=dataclasses.replace(value, weeks=5)) == new


def test_changed_class_replaces_its_predecessor() -> None:
    classes = fixture_scenario("first-steps").catalogue
    first = ship_classes_import(classes=classes)
    assert ship_classes_import(classes=classes) == first
    changed = dataclasses.replace(classes[0], design={**classes[0].design, "thrust": 1}, thrust=1)
    (second,) = ship_classes_import(classes=[changed])
    assert second.supersedes == first[0]
    assert ShipClass.objects.count() == len(classes) + 1


def test_campaigns_have_separate_secrets() -> None:
    row = scenario_import(scenario=fixture_scenario("first-steps"))
    campaigns = [campaign_create(scenario=row) for _ in range(2)]
    secrets = {secret for campaign in campaigns for secret in (campaign.seed, campaign.id_secret)}
    assert len(secrets) == 4
    assert len({campaign.public_id for campaign in campaigns}) == 2
    assert {faction.key for faction in campaigns[0].factions.all()} == {"ember", "frost"}


def test_admiral_for_a_missing_faction_is_refused() -> None:
    row = scenario_import(scenario=fixture_scenario("first-steps"))
    with pytest.raises(RuleViolations) as caught:
        campaign_create(scenario=row, admirals={"rome": "x", "ember": "x", "gaul": "x"})
    assert [violation.where for violation in caught.value.violations] == [
        "admirals.gaul",
        "admirals.rome",
    ]


def test_invalid_seats_are_refused_with_every_fault(django_user_model: type) -> None:
    campaign, other = campaign_of(), campaign_of()
    user = django_user_model.objects.create_user("vera")  # type: ignore[attr-defined]
    stranger = other.factions.first()
    with pytest.raises(RuleViolations) as caught:
        membership_add(campaign=campaign, user=user, role="umpire", faction=stranger)
    assert {violation.code for violation in caught.value.violations} == {
        "faction-does-not-fit",
        "unknown-faction",
    }
    membership_add(campaign=campaign, user=user, role="umpire")
    with pytest.raises(RuleViolations, match="already has a role"):
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.first()
        )
    membership_add(campaign=campaign, user=user, role="host")
