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

from campaign.rules.agreements import Agreements, agreed_scenario
from campaign.rules.codec import from_document
from campaign.rules.known_objectives import known_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_texts import translatable_scenario
from campaign.rules.upgrades import REPORTS
from engine.core.cache import Cache
from engine.core.terms import design_options
from engine.design.restrictions import NO_RESTRICTIONS

if TYPE_CHECKING:
    from campaign.models.campaign import Campaign
    from campaign.models.scenario import Scenario as ScenarioRow

MAX_CACHED = 8
RESTRICTIONS = "restrictions"  # key of the ruleset: {barred: [..]} or {allowed: [..]}
CLASS_NAMES = "class_names"  # key of the ruleset: by faction, a table of classes and their names
_scenarios: Cache[str, Scenario] = Cache(MAX_CACHED)  # by the sha256 of the document
# By that sha256, and by the settings of the host: open markers, dummies, agreements.
_configured: Cache[tuple[str, bool, int | None, Agreements], Scenario] = Cache(MAX_CACHED)


def report_body(kind: str, schema: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a report in the present shape.

    Raises:
        RuleViolations: A later release wrote the report.
    """
    return REPORTS[kind].upgrade_body(schema, dict(body))


def scenario_of(campaign: Campaign, faction: str | None = None) -> Scenario:
    """Return the scenario of a campaign with the settings of its host, as a faction may know it.

    The secret objectives and the mines of other factions are left out; without a faction, those of
    all.
    """
    return known_scenario(true_scenario_of(campaign), faction)


def true_scenario_of(campaign: Campaign) -> Scenario:
    """Return the scenario of a campaign with all secret objectives and mines.

    It is for adjudication, for the umpire, and for everybody after the war.
    """
    stored = stored_scenario(campaign.scenario)
    return configured_scenario(stored, campaign.scenario.sha256, campaign.ruleset)


def configured_scenario(scenario: Scenario, sha256: str, ruleset: Mapping[str, Any]) -> Scenario:
    """Return a scenario with the settings of a war's host.

    Args:
        sha256: The hash of the scenario as stored.
    """
    open_play = ruleset.get("open_play", scenario.open_play)
    dummies = ruleset.get("dummies", scenario.dummies)
    agreements = agreements_of(ruleset, scenario)
    agreed = agreed_scenario(scenario, agreements)
    if agreed is scenario and (open_play, dummies) == (scenario.open_play, scenario.dummies):
        return scenario
    key = (sha256, open_play, dummies, agreements)
    return _configured.get_or_make(
        key, lambda: replace(agreed, open_play=open_play, dummies=dummies)
    )


def agreements_of(ruleset: Mapping[str, Any], scenario: Scenario) -> Agreements:
    """Return the agreements that the ruleset of a war stores.

    Its ships keep the prices of the rules by which the war began.
    """
    options = design_options(scenario.edition, ruleset["options"], ruleset["rules_version"])
    lists = ruleset.get(RESTRICTIONS, {})
    agreements = Agreements.of_lists(options, lists.get("barred"), lists.get("allowed"))
    if RESTRICTIONS in ruleset and not lists:
        agreements = Agreements(options, NO_RESTRICTIONS)
    if CLASS_NAMES not in ruleset:
        return agreements
    names = []
    for faction, table in sorted(ruleset[CLASS_NAMES].items()):
        names.append((faction, tuple(sorted(table.items()))))
    return replace(agreements, class_names=tuple(names))


def stored_scenario(row: ScenarioRow) -> Scenario:
    """Return the scenario that a row stores."""
    return _scenarios.get_or_make(
        row.sha256, lambda: translatable_scenario(from_document(Scenario, row.body))
    )


BATTLE_SCHEMA = 1
LEDGER_SCHEMA = 3
CLASS_SCHEMA = 1
