"""Stages that cannot be computed: who is notified, and what hosts and umpires can do.

A stage whose job failed too often is quarantined (`jobs.services`): it is not tried again until a
host or umpire asks for it, or a later release is installed. All members of the war are notified
once, with the same words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import BattleMode, BattleStatus, Role, StageKind, StageStatus
from campaign.models.account import Notification
from campaign.models.battle import Battle, BattleSlice
from campaign.models.campaign import Campaign, Membership
from campaign.models.ledger import REMEDY
from campaign.models.stage import Draft, Stage
from campaign.selectors.due import PHASE_RESOLVE, STAGE_RESOLVE, TABLE_COMPARE
from campaign.services.acts import act_write
from campaign.services.outbox import STUCK, campaign_key, stage_name
from campaign.services.user_texts import texts_for_users
from engine.core.canonical import digest, encode_floats
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from jobs.models import QUARANTINED, Job
from jobs.services import job_retry
from umpire.adjudication.fighting import PLAIN
from umpire.adjudication.smaller import MAX_SHIPS, shrink_battle
from umpire.services.records import start_of
from umpire.services.tables import tables_open

KINDS = (STAGE_RESOLVE, PHASE_RESOLVE, TABLE_COMPARE)
STAGE_WORDS = phrase(
    "{campaign}: the server cannot compute {stage}. Nothing is lost. "
    "The host or the umpire decides how the war goes on."
)
BATTLE_WORDS = phrase(
    "{campaign}: the server cannot compute your battle. Nothing is lost. "
    "The umpire decides how it goes on; otherwise captains finish it when the battles stage closes."
)

AGAIN, SMALLER, BY_HAND = "again", "smaller", "by-hand"
WAYS = (AGAIN, PLAIN, SMALLER, BY_HAND)
OF_BATTLES = (PLAIN, SMALLER, BY_HAND)  # ways that change how the week's battles are fought


@dataclass(frozen=True, slots=True)
class QuarantinedStage:
    """A stage that cannot be computed.

    Attributes:
        stage: Its primary key; a stage of the week, or of a battle.
        battle: The battle's primary key; None for a stage of the week.
        since: When the failed work was requested.
        failures: The number of failed attempts.
        error: Class and place of the last failure, without any orders.
    """

    stage: int
    week: int
    kind: str
    battle: int | None
    since: datetime
    failures: int
    error: str


def quarantined_stages(campaigns: Collection[int]) -> dict[int, list[QuarantinedStage]]:
    """Return the quarantined stages of campaigns, by the campaign's row id, with two queries."""
    jobs = {
        int(job.args["stage"]): job
        for job in Job.objects.filter(
            status=QUARANTINED, kind__in=KINDS, war__in=campaigns
        ).order_by("pk")
    }
    result: dict[int, list[QuarantinedStage]] = {}
    stages = Stage.objects.filter(pk__in=jobs).exclude(
        status__in=(StageStatus.RESOLVED, StageStatus.LEFT)
    )
    for pk, week, kind, battle, campaign in stages.order_by("pk").values_list(
        "pk", "week", "kind", "battle_id", "branch__campaign_id"
    ):
        job = jobs[pk]
        stuck = QuarantinedStage(
            stage=pk,
            week=week,
            kind=kind,
            battle=battle,
            since=job.asked_at,
            failures=job.failures,
            error=job.error,
        )
        result.setdefault(campaign, []).append(stuck)
    return result


def stage_quarantined(args: Mapping[str, Any]) -> None:
    """Notify all members of a war, in the caller's transaction, that a stage cannot be computed."""
    stage = Stage.objects.select_related("branch__campaign").get(pk=args["stage"])
    campaign = stage.branch.campaign
    members = Membership.objects.filter(campaign=campaign)

    def words() -> str:
        return STAGE_WORDS.format(campaign=campaign.name, stage=stage_name(stage))

    _notify(campaign, list(members.values_list("user_id", flat=True)), words, stage)


def battle_quarantined(args: Mapping[str, Any]) -> None:
    """Notify only the umpire and the players of a battle that its stage cannot be computed."""
    stage = Stage.objects.select_related("branch__campaign").get(pk=args["stage"])
    campaign = stage.branch.campaign
    factions = Draft.objects.filter(stage=stage).values("faction")
    people = Membership.objects.filter(campaign=campaign)
    concerned = people.filter(role=Role.UMPIRE) | people.filter(faction__in=factions).exclude(
        role=Role.GUEST
    )

    def words() -> str:
        return BATTLE_WORDS.format(campaign=campaign.name)

    _notify(campaign, list(concerned.values_list("user_id", flat=True)), words, stage)


def ways_open(viewer: Viewer, stage: Stage) -> list[str]:
    """Return what a host or umpire can do about a quarantined stage."""
    if stage.kind != StageKind.BATTLES:
        return [AGAIN]
    return [way for way in WAYS if way != BY_HAND or viewer.umpires]


def stage_remedy(
    *, viewer: Viewer, stage: int, way: str, reason: str = "", now: datetime | None = None
) -> Stage:
    """Let a quarantined stage of the week be computed in another way, and return it.

    Args:
        stage: The ordinal of the intended stage.
        way: `again` as before; `plain` with captains who hold their course and only choose targets;
            `smaller` with a random part of each side's ships; `by-hand` (for umpires) with results
            that are entered as if the battles were fought at a table.

    Raises:
        NotFound: The viewer is neither host nor umpire.
        NotAllowed: The stage is not quarantined.
        RuleViolations: There is no such way for this stage.
    """
    if not (viewer.hosts or viewer.umpires):
        raise NotFound(phrase("there is no such campaign"))
    moment = now or timezone.now()
    with transaction.atomic():
        locked = _lock_quarantined_stage(viewer.campaign, stage)
        if way not in ways_open(viewer, locked):
            raise RuleViolations(
                [Violation("way", "unknown-way", phrase("choose one of the options offered"))]
            )
        facts: dict[str, Any] = {"week": locked.week, "stage": locked.kind, "way": way}
        if way == SMALLER:
            facts["battles"] = _shrink_battles(locked)
        act_write(
            campaign=viewer.campaign,
            stage=locked,
            actor=viewer.user,
            verb=REMEDY,
            facts=facts,
            reason=reason,
            now=moment,
        )
        if way in OF_BATTLES:
            BattleSlice.objects.filter(battle__in=_battles(locked)).delete()
        if way == BY_HAND:
            _hand_out(locked, moment)
        else:
            job_retry(dedupe_key=_key(locked.pk), now=moment)
    return locked


def _lock_quarantined_stage(campaign: Campaign, ordinal: int) -> Stage:
    """Lock the quarantined stage of a war, and its job. Raises NotAllowed without one."""
    rows = Stage.objects.filter(branch__headed=campaign, battle__isnull=True, ordinal=ordinal)
    row = rows.filter(status=StageStatus.CLOSED).select_for_update().first()
    job = (
        Job.objects.filter(dedupe_key=_key(row.pk)).select_for_update().first()
        if row is not None
        else None
    )
    if row is None or job is None or job.status != QUARANTINED:
        raise NotAllowed(phrase("the server can compute this stage, or is doing so"))
    return Stage.objects.select_related("branch__campaign", "from_snapshot").get(pk=row.pk)


def _battles(stage: Stage) -> list[Battle]:
    """Return the week's battles that are not fought yet, by key."""
    rows = Battle.objects.filter(branch=stage.branch, week=stage.week, status=BattleStatus.WAITING)
    return list(rows.order_by("key"))


def _shrink_battles(stage: Stage) -> list[list[str]]:
    """Shrink the battles without stored phases; return key and digest of each new set-up."""
    shrunk = []
    for battle in _battles(stage):
        if battle.mode == BattleMode.CAPTAINS and not battle.phases.exists():
            start = shrink_battle(start_of(battle), MAX_SHIPS)
            Battle.objects.filter(pk=battle.pk).update(start=start)
            shrunk.append([battle.key, digest(encode_floats(start))])
    return shrunk


def _hand_out(stage: Stage, now: datetime) -> None:
    """Turn all battles without stored phases into battles at a table, to have results entered."""
    ids = [battle.pk for battle in _battles(stage) if not battle.phases.exists()]
    Battle.objects.filter(pk__in=ids).update(mode=BattleMode.TABLE, state=None)
    tables_open(branch=stage.branch, snapshot=stage.from_snapshot, now=now)


def _notify(campaign: Campaign, users: list[int], words: Any, stage: Stage) -> None:
    """Notify users once about a stage that cannot be computed."""
    rows = []
    for user, body in texts_for_users(sorted(set(users)), words).items():
        rows.append(
            Notification(
                user_id=user,
                dedupe_key=f"{campaign_key(STUCK, campaign)}{stage.pk}/{user}",
                body=body,
                path=f"/c/{campaign.public_id}/",
            )
        )
    Notification.objects.bulk_create(rows, ignore_conflicts=True)


def _key(stage: int) -> str:
    """Return the key of the job that resolves a stage."""
    return f"{STAGE_RESOLVE}/{stage}"
