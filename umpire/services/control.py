"""What hosts and umpires do to the clock, battles and rules.

Each act is covered by the ledger row of its stage. `stage` is the ordinal of the intended stage;
without it the open one is used. All functions raise NotFound for users who are neither hosts nor
umpires, and StageClosed, NotStarted or AlreadyOver without such a stage. Repeating an act that
names its stage or its result changes nothing.

The link for a lost password works once and for a short time. The umpire chooses how a battle is
fought before it begins; this act reveals that there is a battle, so only umpires see it. A change
of rules takes effect at the beginning of the next week, never within a battle, and its act contains
only versions and a week.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth import get_user_model
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import BattleMode, BattleStatus, ClosingRule, Role, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.battle import Battle
from campaign.models.campaign import Campaign, Excuse, Faction, Membership
from campaign.models.ledger import BATTLE_MODE, EXCUSE, EXTEND, PASSWORD_LINK, RESOLVE, RULES, Act
from campaign.models.stage import Stage
from campaign.rules.rules_record import RulesRecord
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.due import STAGE_RESOLVE, closing_of, due_announce, task_enqueue
from campaign.selectors.rules import rules_now
from campaign.services.acts import act_write, lock_open_stage, require_open_stage
from campaign.services.clock import UNPLAYED, clock_start, clock_stop, is_unplayed
from campaign.services.seats import faction_of, lock_campaign
from campaign.store.documents import scenario_of
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.core.versions import is_newer, played_versions
from umpire.services.battle_phases import battle_begin
from umpire.services.stages import stage_close
from umpire.services.tables import tables_open
from umpire.services.ticks import stage_remind

MAX_HOURS = 24 * 60

UNATTENDED_REFUSAL = phrase(
    "no faction has a player, so computer admirals would play the war by themselves: fill a "
    "seat first, or confirm that you want this"
)
PLAYING_HOST_REFUSAL = phrase(
    "a host who plays cannot close a stage while other sides have players, and cannot see "
    "whether they have sealed"
)
# What a playing host can do instead, by what closes the stage early.
SOONER_WORDS = {
    ClosingRule.SEALED: phrase("the stage closes as soon as every side has sealed"),
    ClosingRule.READY: phrase(
        'tick "Continue as soon as everybody is ready" where you seal: the stage closes once '
        "every side has ticked it"
    ),
    ClosingRule.DEADLINE: phrase("the stage stays open until its deadline"),
}
SINGLE_BATTLE_REFUSAL = phrase("a single battle keeps the rules it began with")
LAST_WEEK_REFUSAL = phrase("the last week of the war has begun: it keeps its rules to the end")


def stage_extend(
    *,
    viewer: Viewer,
    hours: int | None = None,
    until: datetime | None = None,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Stage:
    """Give a stage more time.

    Args:
        hours: Hours after its present deadline.
        until: The new deadline, later than the present one.

    Raises:
        NotAllowed: The stage has no deadline.
        RuleViolations: The new deadline is not valid.
    """
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        locked = require_open_stage(viewer.campaign, stage)
        if locked.closes is None:
            raise NotAllowed(
                phrase("this stage has no deadline: it closes when everybody has sealed")
            )
        if until is not None and until == locked.closes:
            return locked
        closes = _new_deadline(locked.closes, hours, until, moment)
        facts = {
            "week": locked.week,
            "stage": locked.kind,
            "from": locked.closes.isoformat(),
            "to": closes.isoformat(),
        }
        act_write(
            campaign=viewer.campaign,
            stage=locked,
            actor=viewer.user,
            verb=EXTEND,
            facts=facts,
            reason=reason,
            now=moment,
        )
        if locked.grace_until is not None:
            locked.grace_until += closes - locked.closes
        locked.closes = closes
        locked.save(update_fields=["closes", "grace_until"])
    return locked


def campaign_pause(*, viewer: Viewer, reason: str = "", now: datetime | None = None) -> Campaign:
    """Stop the clock: nothing falls due, orders can still be sealed."""
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        if campaign.paused_at is None:
            locked = require_open_stage(campaign)
            clock_stop(
                campaign=campaign, stage=locked, actor=viewer.user, reason=reason, now=moment
            )
    return campaign


def campaign_resume(
    *,
    viewer: Viewer,
    unattended: bool = False,
    reason: str = "",
    now: datetime | None = None,
) -> Campaign:
    """Restart the clock: the open stage keeps the time it had left.

    Args:
        unattended: Computer admirals continue the war although no faction has a player.

    Raises:
        NotAllowed: No faction has a player, and `unattended` is false.
    """
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        if campaign.paused_at is not None:
            locked = require_open_stage(campaign)
            unplayed = is_unplayed(campaign)
            if unplayed and not unattended:
                raise NotAllowed(UNATTENDED_REFUSAL)
            clock_start(
                campaign=campaign,
                stage=locked,
                actor=viewer.user,
                facts={UNPLAYED: True} if unplayed else None,
                reason=reason,
                now=moment,
            )
    return campaign


def stage_resolve_now(
    *,
    viewer: Viewer,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Stage:
    """Close the open stage whatever is missing, and enqueue its resolution; return the stage.

    A host who plays may not do this while other factions have players, whether or not these have
    sealed, because that is hidden from the host. Sides that want to go on say so with their seals
    (`campaign.services.envelopes.envelope_ready`), or the host visibly excuses a side.

    Raises:
        NotAllowed: The campaign is paused, or the host plays and other factions have players.
    """
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        if stage is not None and (closed_before := _resolved_by_act(viewer.campaign, stage)):
            return closed_before
        locked = require_open_stage(viewer.campaign, stage)
        if Campaign.objects.filter(pk=viewer.campaign.pk, paused_at__isnull=False).exists():
            raise NotAllowed(phrase("the campaign is paused"))
        if viewer.faction is not None and _others_play(locked, viewer.faction):
            raise NotAllowed(playing_host_refusal(locked))
        if not Act.objects.filter(stage=locked, verb=RESOLVE).exists():
            facts = {"week": locked.week, "stage": locked.kind}
            act_write(
                campaign=viewer.campaign,
                stage=locked,
                actor=viewer.user,
                verb=RESOLVE,
                facts=facts,
                reason=reason,
                now=moment,
            )
    stage_close(stage=locked.pk, force=True, now=moment)
    task_enqueue(name=STAGE_RESOLVE, row=locked.pk)
    locked.refresh_from_db()
    return locked


def playing_host_refusal(stage: Stage) -> str:
    """Return why a playing host cannot close a stage, and what closes it sooner."""
    sooner = SOONER_WORDS[closing_of(stage).rule]
    return phrase("{}; {}. Or skip a side this week", PLAYING_HOST_REFUSAL, sooner)


def _others_play(stage: Stage, own_faction: Faction) -> bool:
    """Return whether other factions have players who are not excused this week."""
    played = played_factions(stage.branch.campaign).exclude(pk=own_faction.pk)
    return played.exclude(excuses__week=stage.week).exists()


def awaited_remind(*, viewer: Viewer, stage: int | None = None, now: datetime | None = None) -> int:
    """Remind the players whom the open stage waits for, and return the number of new messages.

    Raises:
        NotFound: The viewer is not an umpire. Others must not learn how many players are awaited.
    """
    moment = now or timezone.now()
    require(viewer, umpire=True)
    with transaction.atomic():
        return stage_remind(stage=require_open_stage(viewer.campaign, stage), now=moment)


def faction_excuse(
    *,
    viewer: Viewer,
    faction: str,
    week: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Excuse:
    """Excuse a faction for a week, so that no stage waits for it.

    Args:
        week: None for the present week.

    Raises:
        RuleViolations: The faction or the week is not valid.
        NotAllowed: The faction has no player, so no stage waits for it.
    """
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        locked = require_open_stage(campaign)
        row = faction_of(campaign, faction)
        excused_week = locked.week if week is None else week
        last = scenario_of(campaign).weeks
        if not locked.week <= excused_week <= last:
            raise RuleViolations(
                [Violation("week", "bad-week", phrase("must be from {} to {}", locked.week, last))]
            )
        if not played_factions(campaign).filter(pk=row.pk).exists():
            raise NotAllowed(phrase("nobody plays {}, so no stage waits for it", row.name))
        excuses = Excuse.objects.filter(faction=row, week=excused_week)
        excuse = played_on_line(excuses, locked.branch_id).first()
        if excuse is None:
            excuse = Excuse.objects.create(
                faction=row,
                week=excused_week,
                branch_id=locked.branch_id,
                ordinal=locked.ordinal,
                granted_by_id=viewer.user.pk,
            )
            facts = {"faction": row.key, "week": excused_week}
            act_write(
                campaign=campaign,
                stage=locked,
                actor=viewer.user,
                verb=EXCUSE,
                facts=facts,
                reason=reason,
                now=moment,
            )
            due_announce(locked, moment)
    return excuse


def require_clock_keeper(viewer: Viewer, now: datetime | None) -> datetime:
    """Return the moment, for a host or umpire. Raises NotFound for others."""
    if not (viewer.hosts or viewer.umpires):
        raise NotFound(phrase("there is no such campaign"))
    return now or timezone.now()


def extension_violations(
    hours: int | None, until: datetime | None, now: datetime
) -> list[Violation]:
    """Return all faults of an extension that do not depend on the stage's deadline."""
    if (hours is None) == (until is None):
        return [Violation("hours", "one-of", phrase("give either hours or a time"))]
    if hours is not None and not 1 <= hours <= MAX_HOURS:
        return [Violation("hours", "bad-number", phrase("must be from 1 to {} hours", MAX_HOURS))]
    if until is not None and not now < until <= now + timedelta(hours=MAX_HOURS):
        return [_bad_deadline()]
    return []


def _new_deadline(
    closes: datetime, hours: int | None, until: datetime | None, now: datetime
) -> datetime:
    """Return a stage's new deadline. Raises RuleViolations if it is not valid."""
    faults = extension_violations(hours, until, now)
    if not faults and until is not None and until <= closes:
        faults.append(_bad_deadline())
    if faults:
        raise RuleViolations(faults)
    if until is not None:
        return until
    return max(closes, now) + timedelta(hours=hours or 0)


def _bad_deadline() -> Violation:
    """Return the violation of a new deadline that is too early or too late."""
    words = phrase("must be later than the deadline, and at most {} days from now", MAX_HOURS // 24)
    return Violation("until", "bad-time", words)


def _resolved_by_act(campaign: Campaign, ordinal: int) -> Stage | None:
    """Return the stage with this ordinal if such an act has already closed it."""
    stages = Stage.objects.filter(battle__isnull=True, ordinal=ordinal)
    stages = played_on_line(stages, campaign.head_branch_id or 0)
    return stages.exclude(status=StageStatus.OPEN).filter(acts__verb=RESOLVE).first()


def password_link(
    *, viewer: Viewer, username: str, reason: str = "", now: datetime | None = None
) -> str:
    """Return the path of a password link for a user of this campaign; it is not stored.

    Only umpires may make one: its reader can log in as that player and see hidden information. So
    it is refused for accounts with seats in wars that this umpire does not umpire, and for accounts
    that run the server.

    Raises:
        NotFound: The viewer is not an umpire, or there is no such user.
        NotAllowed: The account is one of those above.
    """
    campaign = require(viewer, umpire=True).campaign
    users = get_user_model()._default_manager.filter(
        memberships__campaign=campaign, username=username
    )
    user = users.distinct().first()
    if user is None:
        raise NotFound(phrase("there is no such player"))
    own_campaigns = Membership.objects.filter(user_id=viewer.user.pk, role=Role.UMPIRE).values(
        "campaign_id"
    )
    elsewhere = Membership.objects.filter(user_id=user.pk).exclude(campaign_id__in=own_campaigns)
    if user.is_staff or user.is_superuser or elsewhere.exists():
        raise NotAllowed(
            phrase("only the person who runs the server can reset the password of this account")
        )
    with transaction.atomic():
        act_write(
            campaign=campaign,
            stage=lock_open_stage(campaign),
            actor=viewer.user,
            verb=PASSWORD_LINK,
            facts={"names": [user.get_username()]},
            reason=reason,
            now=now or timezone.now(),
        )
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return reverse(
        "account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key}
    )


def battle_mode_set(
    *, viewer: Viewer, battle: Battle, mode: str, reason: str = "", now: datetime | None = None
) -> Battle:
    """Choose whether a battle is fought by captains, online or at a table.

    Sheets that players have received are withdrawn with their stages. Setting the same mode again
    does nothing.

    Raises:
        NotFound: The viewer is not an umpire.
        RuleViolations: The mode is unknown.
        NotAllowed: The battle has begun, or players have received sheets.
        StageClosed: The stage is closed.
    """
    require(viewer, umpire=True)
    moment = now or timezone.now()
    if battle.branch.campaign_id != viewer.campaign.pk:
        raise NotFound(phrase("there is no such battle"))
    if mode not in set(BattleMode):
        words = phrase("must be one of {}", ", ".join(BattleMode))
        raise RuleViolations([Violation("mode", "unknown-mode", words)])
    with transaction.atomic():
        weekly = require_open_stage(viewer.campaign)
        locked = Battle.objects.select_for_update().get(pk=battle.pk)
        if locked.mode == mode:
            return locked
        _require_settable_mode(locked, weekly, mode)
        facts = {"battle": locked.key, "from": locked.mode, "to": mode}
        act_write(
            campaign=viewer.campaign,
            stage=weekly,
            actor=viewer.user,
            verb=BATTLE_MODE,
            facts=facts,
            reason=reason,
            now=moment,
        )
        locked.stages.exclude(status=StageStatus.RESOLVED).update(status=StageStatus.RESOLVED)
        Battle.objects.filter(pk=locked.pk).update(mode=mode, state=None)
        locked = Battle.objects.select_related("branch__campaign__scenario").get(pk=battle.pk)
        if mode == BattleMode.ONLINE:
            battle_begin(locked, weekly.from_snapshot, moment)
        elif mode == BattleMode.TABLE:
            tables_open(branch=locked.branch, snapshot=weekly.from_snapshot, now=moment)
        else:
            due_announce(weekly, moment)
    return locked


def _require_settable_mode(battle: Battle, weekly: Stage, mode: str) -> None:
    """Raise NotAllowed unless a mode can still be chosen for a battle.

    Args:
        weekly: The open stage of the week.
    """
    waits = battle.status == BattleStatus.WAITING and weekly.kind == StageKind.BATTLES
    if not waits or battle.phases.exists():
        raise NotAllowed(phrase("this battle has already begun or is over"))
    if mode != BattleMode.CAPTAINS and battle.stages.exists():
        raise NotAllowed(phrase("this battle was handed out earlier"))


def change_refusal(campaign: Campaign, week: int) -> str:
    """Return why the rules cannot be changed in a week, or an empty text."""
    scenario = scenario_of(campaign)
    if is_skirmish(scenario):
        return SINGLE_BATTLE_REFUSAL
    if week >= scenario.weeks:
        return LAST_WEEK_REFUSAL
    return ""


def rules_change(
    *,
    viewer: Viewer,
    version: str,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> RulesRecord:
    """Change a war's rules to another version from its next week on, and return its record.

    Choosing the present version cancels a change that is still to come. Repeating it does nothing.

    Args:
        stage: The ordinal of the intended stage.

    Raises:
        NotFound: The viewer is neither host nor umpire.
        RuleViolations: The version is unknown or older.
        NotAllowed: The rules cannot be changed in this week.
        NotStarted: The war has not begun.
        AlreadyOver: The war is over.
        StageClosed: The stage is closed.
    """
    moment = require_clock_keeper(viewer, now)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        locked = require_open_stage(campaign, stage)
        if words := change_refusal(campaign, locked.week):
            raise NotAllowed(words)
        record = rules_now(campaign)
        first = locked.week + 1
        current = record.version_in(locked.week)
        if version not in played_versions():
            words = phrase("no rules {!r}; choose from {}", version, ", ".join(played_versions()))
            raise RuleViolations([Violation("version", "unknown-rules", words)])
        if is_newer(current, version):
            words = phrase(
                "the war is played by the rules {}: it cannot go back to {}", current, version
            )
            raise RuleViolations([Violation("version", "older-rules", words)])
        if record.version_in(first) != version:
            act_write(
                campaign=campaign,
                stage=locked,
                actor=viewer.user,
                verb=RULES,
                facts={"from": current, "to": version, "week": first},
                reason=reason,
                now=moment,
            )
    return rules_now(campaign)
