"""The background of the printed setting, and the neutral region for your own scenarios."""

from __future__ import annotations

import pytest

from campaign.rules.battle_builder import finish, new_battle, set_side_rows, side_rows
from campaign.rules.files import (
    fixture_navies,
    fixture_scenarios,
    fixture_timeline,
    neutral_region_text,
    scenario_from,
)
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.rules.setting import event_of
from engine.core.errors import RuleViolations
from umpire.balance import points_of


@pytest.mark.rule("set.background")
def test_events_of_the_setting_belong_to_bundled_scenarios() -> None:
    slugs = [slug for event in fixture_timeline() for slug in event.scenarios]
    assert len(slugs) == len(set(slugs))
    assert set(slugs) <= set(fixture_scenarios())
    event = event_of(fixture_timeline(), "convoy-990")
    assert event is not None
    assert "Gagarin" in event.event
    assert event_of(fixture_timeline(), "first-steps") is None


def test_neutral_region_can_be_played_and_has_no_names_of_the_books() -> None:
    text = neutral_region_text()
    scenario, faults = check_draft(read_file(text))
    assert faults == ()
    assert [power.id for power in scenario.factions] == ["ember", "frost"]
    of_books = {name for navy in fixture_navies()[:6] for _, name in navy.classes}
    assert not {name for name in of_books if name in text}
    sides = points_of(scenario)
    assert sides["ember"] == sides["frost"]


@pytest.mark.rule("set.navies")
def test_sides_of_a_battle_use_the_names_of_a_navy() -> None:
    document = new_battle(("Battle", "One", "Two"))
    assert document["class_names"] == {"red": "ember", "blue": "frost"}
    rows = [row for _, row in side_rows(document)]
    assert [row["navy"] for row in rows] == ["ember", "frost"]
    set_side_rows(document, [{**rows[0], "navy": "nsl"}, {**rows[1], "navy": ""}])
    assert document["class_names"] == {"red": "nsl"}
    scenario = scenario_from(finish(document))
    assert dict(dict(scenario.class_names)["red"])["Heavy Cruiser"] == "Markgraf"
    document["class_names"] = {"green": "nsl", "red": "moon"}
    with pytest.raises(RuleViolations) as caught:
        scenario_from(finish(document))
    assert {(fault.where, fault.code) for fault in caught.value.violations} == {
        ("class_names.green", "unknown-faction"),
        ("class_names.red", "unknown-navy"),
    }
