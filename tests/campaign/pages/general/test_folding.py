"""Long lists on pages: what is folded, and under which words."""

from __future__ import annotations

import uuid

import pytest
from django.template.loader import render_to_string

from campaign.models import Campaign, Scenario
from campaign.rules.files import fixture_scenario
from campaign.web.folding import FOLD_FROM, ROWS_OPEN


@pytest.mark.parametrize(("many", "folds"), [(FOLD_FROM - 1, False), (FOLD_FROM, True)])
def test_long_list_is_folded_behind_its_count(many: int, folds: bool) -> None:
    fleets = [{"name": "Rear Guard", "place": "Rock"}] * many
    html = render_to_string(
        "campaign/warroom_briefing.html",
        {"campaign": {"public_id": uuid.UUID(int=1)}, "fleets": fleets},
    )
    assert html.count("Rear Guard") == many
    assert (f"<summary>{many} fleets</summary>" in html) == ("<details" in html) == folds


@pytest.mark.parametrize(
    ("many", "rest"), [(0, 0), (FOLD_FROM - 1, 0), (FOLD_FROM, FOLD_FROM - ROWS_OPEN)]
)
def test_report_is_folded_after_its_first_lines(
    monkeypatch: pytest.MonkeyPatch, many: int, rest: int
) -> None:
    monkeypatch.setattr(
        "campaign.web.seat_names.scenario_of", lambda campaign: fixture_scenario("first-steps")
    )
    campaign = Campaign(scenario=Scenario(sha256="first steps"))
    context = {"campaign": campaign, "lines": [f"line {number}." for number in range(many)]}
    html = render_to_string("umpire/_report.html", context)
    first, _, folded = html.partition("<details")
    assert (first.count(">line "), folded.count(">line ")) == (many - rest, rest)
    assert all(f"line {number}." in html for number in range(many))
    assert f"And {rest} more" in html if rest else "<details" not in html
