"""Stored documents as values: scenarios with what a campaign set of them, worlds, what was handed
to a faction.

A scenario never changes, so the last few are kept. The shapes of stored bodies that are no
documents and say no number of their own. Worlds, views, scenarios and orders carry theirs
(`campaign.rules.codec`), battles too (`engine.core.schemas`). Which version of the rules a war is
played by: `campaign.selectors.rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from campaign.rules.codec import from_document
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_texts import told_scenario
from campaign.rules.upgrades import REPORTS

if TYPE_CHECKING:
    from campaign.models.campaign import Campaign
    from campaign.models.scenario import Scenario as ScenarioRow

KEPT = 8
_scenarios: dict[str, Scenario] = {}  # by the sha256 of the document
_set: dict[tuple[str, bool, int | None, tuple[str, ...]], Scenario] = {}  # by that and the settings


def report_body(kind: str, schema: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a report that was handed to a faction, in the shape of today.

    Raises RuleViolations where a later release wrote it.
    """
    return REPORTS[kind].body(schema, dict(body))


def scenario_of(campaign: Campaign) -> Scenario:
    """The scenario of a campaign, with what its host has set: open markers or hidden movement,
    options.
    """
    kept, ruleset = scenario_kept(campaign.scenario), campaign.ruleset
    open_play, dummies = (
        ruleset.get("open_play", kept.open_play),
        ruleset.get("dummies", kept.dummies),
    )
    options = tuple(ruleset["options"])
    if (open_play, dummies, options) == (kept.open_play, kept.dummies, kept.options):
        return kept
    key = (campaign.scenario.sha256, open_play, dummies, options)
    known = _set.get(key)
    if known is None:
        if len(_set) >= KEPT:
            _set.clear()
        known = _set[key] = replace(kept, open_play=open_play, dummies=dummies, options=options)
    return known


def scenario_kept(row: ScenarioRow) -> Scenario:
    """The scenario of a row."""
    known = _scenarios.get(row.sha256)
    if known is None:
        if len(_scenarios) >= KEPT:
            _scenarios.clear()
        known = _scenarios[row.sha256] = told_scenario(from_document(Scenario, row.body))
    return known


BATTLE_SCHEMA = 2
LEDGER_SCHEMA = 2
CLASS_SCHEMA = 1
