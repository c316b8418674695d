"""What the public ledger of a war begins with, and what is opened of it after the war."""

from __future__ import annotations

from typing import Any

from campaign.models.campaign import Campaign
from engine.core import versions
from engine.core.fair import scenario_commitment, scenario_salt


def genesis_parts(campaign: Campaign) -> dict[str, Any]:
    """Return the parts of the digest before the first row: war, scenario, rules, seed.

    The name of the dice and the hash of the scenario are secret until the war is over.
    """
    return {
        "campaign": str(campaign.public_id),
        "dice_key": campaign.dice_key,
        "ruleset": campaign.ruleset,
        "scenario": _scenario_part(campaign),
        "seed_sha256": campaign.seed_sha256,
    }


def has_salted_scenario(campaign: Campaign) -> bool:
    """Return whether the ledger contains a salted commitment to the scenario."""
    return versions.has_salted_scenario(campaign.ruleset["rules_version"])


def salt_of(campaign: Campaign) -> str:
    """Return the salt of the commitment, which is secret until the war is over."""
    return scenario_salt(campaign.seed, campaign.dice_key)


def _scenario_part(campaign: Campaign) -> str:
    """Return what the ledger contains of the scenario."""
    sha256: str = campaign.scenario.sha256
    if has_salted_scenario(campaign):
        return scenario_commitment(sha256, salt_of(campaign))
    return sha256
