"""Fought battles of a stage, with their rows.

`umpire.adjudication.fighting` fights them.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.models.battle import Battle
from campaign.rules.world import Engagement
from engine.core import fair
from umpire.adjudication.fighting import BattleOutcome


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """A fought battle of a stage: row, engagement, context of its dice keys, hash chain."""

    row: Battle
    engagement: Engagement
    dice_context: fair.DiceContext
    outcome: BattleOutcome
    chain: tuple[str, ...]

    def side_of(self, faction: str) -> str | None:
        """Return the name of the side a faction fought on, or None."""
        for side, factions in zip(self.row.start["sides"], self.engagement.sides, strict=True):
            if faction in factions:
                return str(side["name"])
        return None


def chain_begin(battle: Battle) -> str:
    """Return the hash before a battle's first phase."""
    branch = battle.branch
    campaign = branch.campaign
    salt = fair.chain_salt(
        campaign.seed, campaign.dice_key, branch.dice_number, battle.week, battle.key
    )
    return fair.chain_begin(salt, battle.start)
