"""Stored documents as values. A scenario never changes, so the last few are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campaign.rules.codec import from_document
from campaign.rules.scenario import Scenario
from campaign.rules.world import World

if TYPE_CHECKING:
    from campaign import models

KEPT = 8
_scenarios: dict[str, Scenario] = {}  # by the sha256 of the document


def world_of(row: models.Snapshot) -> World:
    """The world of a snapshot."""
    return from_document(World, row.world)


def scenario_of(campaign: models.Campaign) -> Scenario:
    """The scenario of a campaign."""
    return scenario_kept(campaign.scenario)


def scenario_kept(row: models.Scenario) -> Scenario:
    """The scenario of a row."""
    known = _scenarios.get(row.sha256)
    if known is None:
        if len(_scenarios) >= KEPT:
            _scenarios.clear()
        known = _scenarios[row.sha256] = from_document(Scenario, row.body)
    return known
