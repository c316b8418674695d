"""Stored documents as values: configured scenarios and report bodies.

Scenarios never change, so the last few are cached. Worlds, views, scenarios and orders carry the
version of their shape (`campaign.rules.codec`), and so do battles (`engine.core.schemas`); the
constants here number the shapes of other bodies. `campaign.selectors.rules` says by which version
of the rules a war is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from campaign.rules.codec import from_document
from campaign.rules.known_objectives import known_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_texts import translatable_scenario
from campaign.rules.upgrades import REPORTS

if TYPE_CHECKING:
    from campaign.models.campaign import Campaign
    from campaign.models.scenario import Scenario as ScenarioRow

MAX_CACHED = 8
_scenarios: dict[str, Scenario] = {}  # by the sha256 of the document
# By that sha256, and by the settings of the host: open markers, dummies, options.
_configured: dict[tuple[str, bool, int | None, tuple[str, ...]], Scenario] = {}


def report_body(kind: str, schema: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a report in the present shape.

    Raises:
        RuleViolations: A later release wrote the report.
    """
    return REPORTS[kind].upgrade_body(schema, dict(body))


def scenario_of(campaign: Campaign, faction: str | None = None) -> Scenario:
    """Return the scenario of a campaign with the settings of its host, as a faction may know it.

    The secret objectives of other factions are left out; without a faction, all secret ones.
    """
    return known_scenario(true_scenario_of(campaign), faction)


def true_scenario_of(campaign: Campaign) -> Scenario:
    """Return the scenario of a campaign with all secret objectives.

    It is for adjudication, for the umpire, and for everybody after the war.
    """
    scenario = stored_scenario(campaign.scenario)
    ruleset = campaign.ruleset
    open_play = ruleset.get("open_play", scenario.open_play)
    dummies = ruleset.get("dummies", scenario.dummies)
    options = tuple(ruleset["options"])
    if (open_play, dummies, options) == (scenario.open_play, scenario.dummies, scenario.options):
        return scenario
    key = (campaign.scenario.sha256, open_play, dummies, options)
    cached = _configured.get(key)
    if cached is None:
        if len(_configured) >= MAX_CACHED:
            _configured.clear()
        cached = replace(scenario, open_play=open_play, dummies=dummies, options=options)
        _configured[key] = cached
    return cached


def stored_scenario(row: ScenarioRow) -> Scenario:
    """Return the scenario that a row stores."""
    cached = _scenarios.get(row.sha256)
    if cached is None:
        if len(_scenarios) >= MAX_CACHED:
            _scenarios.clear()
        cached = translatable_scenario(from_document(Scenario, row.body))
        _scenarios[row.sha256] = cached
    return cached


BATTLE_SCHEMA = 1
LEDGER_SCHEMA = 1
CLASS_SCHEMA = 1
