"""Write a snapshot, its views and reports, and its battles, in the caller's transaction.

Each battle is fought as the campaign chose, if there are players for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaign.kinds import BattleMode, BattleSetting, BattleStatus, Role
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Membership
from campaign.models.knowledge import Report, View
from campaign.models.truth import Snapshot
from campaign.rules.public_ids import outside_id
from campaign.rules.upgrades import REPORTS
from campaign.rules.world import Engagement, World
from campaign.services.campaigns import battle_setting_of
from campaign.store.documents import BATTLE_SCHEMA
from campaign.store.publication import played_factions
from engine.notation.battle_file import BattleFileDocument
from umpire.services.commanders import Commanders, commanders_of
from umpire.services.computing import FactionSheet


def battle_mode(campaign: Campaign, engagement: Engagement, commanders: Commanders) -> str:
    """Return how a new battle is fought.

    At a table each side needs a player, or the campaign an umpire, who plays the others. Online one
    player is enough: captains answer for the others. Where players may take command, one of them
    must have done so. Otherwise captains fight.

    Args:
        commanders: The factions whose players take command, by hex.
    """
    setting = battle_setting_of(campaign)
    if setting == BattleSetting.CAPTAINS:
        return BattleMode.CAPTAINS
    played = set(played_factions(campaign).values_list("key", flat=True))
    if setting == BattleSetting.MIXED:
        played &= commanders.get(engagement.hex, frozenset())
    if setting == BattleSetting.TABLE:
        umpired = Membership.objects.filter(campaign=campaign, role=Role.UMPIRE).exists()
        if umpired or all(played & set(side) for side in engagement.sides):
            return BattleMode.TABLE
        return BattleMode.CAPTAINS
    if any(played & set(side) for side in engagement.sides):
        return BattleMode.ONLINE
    return BattleMode.CAPTAINS


def snapshot_write(
    *,
    branch: Branch,
    parent: Snapshot | None,
    world: World,
    document: dict[str, Any],
    sha256: str,
    event_documents: list[dict[str, Any]],
    rules: str,
) -> Snapshot:
    """Append a snapshot.

    Args:
        parent: None for the first one.
        rules: The version of the rules that produced it.
    """
    return Snapshot.objects.create(
        branch=branch,
        seq=0 if parent is None else parent.seq + 1,
        week=world.week,
        stage=world.stage,
        parent=parent,
        schema=document["schema"],
        world=document,
        events=event_documents,
        sha256=sha256,
        rules_version=rules,
    )


def sheets_write(
    *, branch: Branch, snapshot: Snapshot, week: int, stage: str, sheets: Sequence[FactionSheet]
) -> None:
    """Store views and reports of the stage (`week`, `stage`) that led to a snapshot."""
    View.objects.bulk_create(
        View(
            snapshot=snapshot,
            branch=branch,
            seq=snapshot.seq,
            faction=sheet.faction,
            schema=sheet.view["schema"],
            body=sheet.view,
            sha256=sheet.sha256,
        )
        for sheet in sheets
    )
    secret = branch.campaign.id_secret
    Report.objects.bulk_create(
        Report(
            public_id=outside_id(
                secret,
                f"{report.kind} report",
                f"{branch.number}/{snapshot.seq}/{report.subject}",
                sheet.faction.key,
            ),
            branch=branch,
            seq=snapshot.seq,
            week=week,
            stage=stage,
            faction=sheet.faction,
            kind=report.kind,
            subject=report.subject,
            schema=REPORTS[report.kind].schema,
            body=report.body,
            sha256=report.sha256,
        )
        for sheet in sheets
        for report in sheet.reports
    )


def battles_open(
    *, branch: Branch, snapshot: Snapshot, waiting: Sequence[tuple[Engagement, BattleFileDocument]]
) -> None:
    """Write the battles that are to be fought next."""
    secret = branch.campaign.id_secret
    commanders = commanders_of(branch.campaign, snapshot)
    Battle.objects.bulk_create(
        Battle(
            public_id=outside_id(
                secret, "battle", f"{branch.number}/{snapshot.week}/{engagement.key}"
            ),
            branch=branch,
            seq=snapshot.seq,
            week=snapshot.week,
            key=engagement.key,
            mode=battle_mode(branch.campaign, engagement, commanders),
            rules_version=start["rules"],
            schema=BATTLE_SCHEMA,
            start=start,
            dice_context=[],
            status=BattleStatus.WAITING,
        )
        for engagement, start in waiting
    )
