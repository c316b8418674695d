"""Which factions' players take command of the battles that are fought from a snapshot."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.kinds import BattleSetting, StageKind
from campaign.models.campaign import Campaign
from campaign.models.stage import Submission
from campaign.models.truth import Snapshot
from campaign.orders.registry import stored_items
from campaign.orders.take_command import PLAYER, TAKE_COMMAND
from campaign.services.campaigns import battle_setting_of

Commanders = Mapping[str, frozenset[str]]  # the keys of factions by hex


def commanders_of(campaign: Campaign, snapshot: Snapshot) -> Commanders:
    """Return the factions that sealed with their decisions to take command, by hex.

    Empty in wars in which players do not choose. In a fork nobody has sealed anything yet.

    Args:
        snapshot: The snapshot to which the decisions led.
    """
    if battle_setting_of(campaign) != BattleSetting.MIXED:
        return {}
    entries = Submission.objects.filter(
        stage__to_snapshot=snapshot, stage__kind=StageKind.DECISIONS, withdrawn_at__isnull=True
    )
    commanders: dict[str, frozenset[str]] = {}
    for faction, payload in entries.values_list("faction__key", "payload"):
        for item in stored_items(payload, TAKE_COMMAND):
            if item["by"] == PLAYER:
                factions = commanders.get(item["hex"], frozenset())
                commanders[item["hex"]] = factions | {faction}
    return commanders
