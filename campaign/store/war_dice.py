"""The keys of a stored war's dice."""

from __future__ import annotations

from campaign.models.campaign import Branch
from campaign.models.stage import Stage, Submission
from engine.core import fair
from engine.core.war_dice import WarDice, dice_rules


def war_dice(branch: Branch) -> WarDice:
    """Return the keys of the dice of a branch."""
    campaign = branch.campaign
    return WarDice(
        rules=dice_rules(campaign.ruleset),
        seed=campaign.seed,
        dice_key=campaign.dice_key,
        branch=branch.dice_number,
    )


def place_of(stage: Stage) -> int | str:
    """Return a stage's place in its branch: its ordinal, or battle key, kind and ordinal."""
    if stage.battle_id is None:
        return fair.stage_place(stage.ordinal, stage.kind)
    key = Stage.objects.values_list("battle__key", flat=True).get(pk=stage.pk) or ""
    return fair.stage_place(stage.ordinal, stage.kind, key)


def entry_share(stage: Stage, entry: Submission) -> str:
    """Return the share of a faction's entry; the server fills it in if the client sent none."""
    return entry.share or war_dice(stage.branch).share(place_of(stage), entry.faction.key)
