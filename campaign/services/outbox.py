"""The outbox: one message to each user, stored with its cause and delivered by the user's channels.

Any number of workers may deliver. A worker claims a row by a conditional update that also schedules
the next attempt, so two workers never take the same row, and the row of a worker that dies is tried
again. Channels that have the message are noted in the row and skipped later. If one service asks to
wait, the row waits, also for other failed channels. After `MAX_ATTEMPTS` a row is given up. The
rows of users who want no messages count as sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AbstractUser
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format

from campaign.kinds import ProposalKind, Role
from campaign.models.account import Notification, PushDevice
from campaign.models.campaign import FACTION_ROLES, Branch, Campaign, Faction, Membership
from campaign.models.ledger import RESOLVE, Act
from campaign.models.proposal import Proposal
from campaign.models.stage import Stage, Submission
from campaign.selectors.heads import Head, head_at
from campaign.services.answers import DeliveryResult
from campaign.services.channels import channel_post
from campaign.services.destinations import mailbox_fault
from campaign.services.mails import mail_send
from campaign.services.preferences import preference_of
from campaign.services.push import devices_of, push_send
from campaign.services.reset_links import is_reset_link, reset_link_send
from campaign.services.sealed_mails import is_sealed_mail
from campaign.services.user_texts import texts_for_users
from campaign.store.publication import played_factions
from campaign.words.languages import date_form
from engine.core.phrase import phrase

OPENED = phrase("{campaign}: {stage} is open.")
OPENED_UNTIL = phrase("{campaign}: {stage} is open until {closes}.")
WAITS = phrase("{campaign}: your battle needs your orders.")
WAITS_UNTIL = phrase("{campaign}: your battle needs your orders until {closes}.")
ENDED = phrase("{campaign}: the war is over.")
RULING = phrase(
    "{campaign}: the umpire has entered the result of your battle at {place}. Reason: {reason}"
)
LEDGER = phrase("Ledger: {}")
ROLLED_BACK = phrase("{campaign}: the war was rolled back to {stage}. Reason: {reason}")
FORKED = phrase(
    "{campaign}: every side has agreed to the new war {name}. Its host {host} invites players to "
    "the seats."
)
RULED = phrase("{campaign}: the umpire has made a ruling.")
RULED_OTHER = phrase("{campaign}: the umpire has made a ruling. Nothing you know has changed.")
RULED_YOU = phrase("{campaign}: the umpire has made a ruling that concerns you. See your reports.")
RULING_ALONE = phrase("{campaign}: the umpire has entered the result of your battle at {place}.")

# Messages that ask for votes, by kind of proposal.
VOTES = {
    ProposalKind.ROLLBACK: phrase(
        "{campaign}: a rollback to {stage} was proposed. Your side can vote until {closes}."
    ),
    ProposalKind.UMPIRE: phrase(
        "{campaign}: {name} was proposed as umpire. An umpire sees everything. Your side can vote "
        "until {closes}."
    ),
    ProposalKind.FORK: phrase(
        "{campaign}: a new war that begins with {stage} of this one was proposed. Your side can "
        "vote until {closes}."
    ),
    ProposalKind.NO_BEACON: phrase(
        "{campaign}: vote until {closes} whether {stage} goes on without public dice."
    ),
    ProposalKind.REVEAL: phrase(
        "{campaign}: it was proposed to publish the story and the dice of {name} now. Your side "
        "can vote until {closes}."
    ),
}

# Names of stages by kind.
STAGES = {
    "deploy": phrase("the deployment"),
    "orders": phrase("the orders stage of week {week}"),
    "decisions": phrase("the decisions stage of week {week}"),
    "battles": phrase("the battles stage of week {week}"),
}

# Kinds of messages about a campaign.
STAGE, PHASE, REMINDER = "stage", "phase", "reminder"
STUCK, TABLE_RULING, SEAT = "stuck", "ruling", "seat"
ROLLBACK, VOTE, STAGE_RULED = "rollback", "vote", "ruled"
DAMAGE = "damage"
NOTIFICATION_KINDS = (
    STAGE,
    PHASE,
    REMINDER,
    STUCK,
    TABLE_RULING,
    SEAT,
    ROLLBACK,
    VOTE,
    STAGE_RULED,
    DAMAGE,
)
JUST_NOW = timedelta(minutes=5)  # since the user's click: the page already shows the result
LEASE = timedelta(minutes=5)
# Shortest wait after the 1st, 2nd, ... failure; after the last one the row is given up.
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720))
MAX_ATTEMPTS = len(BACK_OFF) + 1
EMAIL = "email"
NAME_DIGITS = 12  # of the hash that names a channel
PUSH_TAG_DIGITS = 16

# The name in `delivered_channels`, and the function that sends
Channel = tuple[str, Callable[[], DeliveryResult]]


def stage_announce(
    *,
    campaign: Campaign,
    branch: Branch,
    ordinal: int,
    stage: Stage | None,
    now: datetime,
    corrected: bool = False,
) -> int:
    """Write the outbox rows for the next stage, or for the end of the war, and return their number.

    They are sent when the stage opens, at the earliest. The site's own channels get a row too.

    Args:
        stage: The stage that opens; None if the war is over.
        corrected: Send also to users who received an earlier announcement of this stage.
    """

    def words() -> str:
        if stage is None:
            return ENDED.format(campaign=campaign.name)
        if stage.closes is None:
            return OPENED.format(campaign=campaign.name, stage=stage_name(stage))
        closes = moment_in(campaign, stage.closes)
        return OPENED_UNTIL.format(campaign=campaign.name, stage=stage_name(stage), closes=closes)

    members = Membership.objects.filter(campaign=campaign).order_by("user_id")
    # The organiser of a tournament hosts all of its battles, and is notified of rounds instead.
    members = members.exclude(role=Role.HOST, campaign__tournament_match__isnull=False)
    users = members.values_list("user_id", flat=True).distinct()
    causers = _users_who_caused_it(campaign, branch, now, is_start=ordinal == 0)
    receivers: list[int | None] = list(users.exclude(user_id__in=causers))
    if settings.APPRISE_URLS:
        receivers.append(None)
    return notifications_write(
        receivers,
        words,
        key_prefix=stage_key(campaign, branch, ordinal) + _correction_key(now, corrected),
        path=f"/c/{campaign.public_id}/",
        due_at=now,
        head=head_at(campaign, branch, now),
    )


def notifications_write(
    receivers: Iterable[int | None],
    words: Callable[[], str],
    *,
    key_prefix: str,
    path: str,
    due_at: datetime,
    head: Head | None = None,
) -> int:
    """Write an outbox row for each receiver, and return their number.

    Args:
        receivers: Primary keys of users; None for the site's own channels.
        words: Returns the text in the active language.
        key_prefix: With the receiver, it makes a row unique.
        head: Of the ledger of the war that the message is about.
    """
    rows = []
    for user, body in texts_for_users(receivers, lambda: with_head(words(), head)).items():
        row = Notification(
            user_id=user,
            dedupe_key=f"{key_prefix}{user or 'site'}",
            body=body,
            path=path,
            signed_head="" if head is None else head.note,
            due_at=due_at,
        )
        rows.append(row)
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def with_head(words: str, head: Head | None) -> str:
    """Return a message with the short name of the ledger's head in a line of its own."""
    if head is None:
        return words
    return f"{words}\n{LEDGER.format(head.short_name)}"


def _correction_key(moment: datetime, corrected: bool) -> str:
    """Return what makes the keys of a corrected announcement differ from those of the first."""
    return f"{moment:%Y%m%dT%H%M%S}/" if corrected else ""


def phase_announce(*, stage: Stage, factions: Sequence[Faction], corrected: bool = False) -> int:
    """Write the outbox rows for a phase that waits for these factions, and return their number.

    Other factions are not notified. The rows are sent when the phase opens, at the earliest.

    Args:
        corrected: Send also to users who received an earlier announcement of this phase.
    """
    campaign = stage.branch.campaign
    closes = stage.closes

    def words() -> str:
        if closes is None:
            return WAITS.format(campaign=campaign.name)
        return WAITS_UNTIL.format(campaign=campaign.name, closes=moment_in(campaign, closes))

    users = Membership.objects.filter(
        campaign=campaign, role__in=FACTION_ROLES, faction__in=factions
    )
    users = users.exclude(user_id__in=_users_who_caused_it(campaign, stage.branch, stage.opens))
    return notifications_write(
        users.order_by("user_id").values_list("user_id", flat=True),
        words,
        key_prefix=phase_key(stage) + _correction_key(stage.opens, corrected),
        path=f"/c/{campaign.public_id}/",
        due_at=stage.opens,
        head=head_at(campaign, stage.branch, stage.opens),
    )


def _users_who_caused_it(
    campaign: Campaign, branch: Branch, now: datetime, *, is_start: bool = False
) -> set[int]:
    """Return the users who need no message, because they have just caused its event.

    These are the host who starts a war, the user who resolves a stage by hand and, in a war with
    players on only one side, the user who has just sealed. With players on several sides a message
    must not depend on who sealed last.
    """
    since = now - JUST_NOW
    acts = Act.objects.filter(campaign=campaign, verb=RESOLVE, at__gte=since, actor__isnull=False)
    users = set(acts.values_list("actor_id", flat=True))
    if is_start:
        hosts = Membership.objects.filter(campaign=campaign, role=Role.HOST)
        users |= set(hosts.values_list("user_id", flat=True))
    if played_factions(campaign).count() <= 1:
        seals = Submission.objects.filter(
            stage__branch=branch, author__isnull=False, sealed_at__gte=since
        )
        users |= set(seals.values_list("author_id", flat=True))
    return users


def ruling_announce(
    *, campaign: Campaign, faction: Faction, battle: str, place: str, reason: str, now: datetime
) -> int:
    """Tell a faction's members that the umpire entered a battle's result; return the row count.

    Args:
        battle: The faction's outside id of the battle.
    """

    def words() -> str:
        template = RULING if reason else RULING_ALONE
        return template.format(campaign=campaign.name, place=place, reason=reason)

    users = Membership.objects.filter(campaign=campaign, role__in=FACTION_ROLES, faction=faction)
    return notifications_write(
        users.order_by("user_id").values_list("user_id", flat=True),
        words,
        key_prefix=f"{campaign_key(TABLE_RULING, campaign)}{battle}/",
        path=f"/c/{campaign.public_id}/battles/{battle}/table/",
        due_at=now,
    )


def stage_ruled_announce(
    *, branch: Branch, number: int, told: Sequence[str], note: str, now: datetime
) -> None:
    """Tell all members that there was a ruling, and its factions that it concerns them.

    Args:
        number: Of the ruling on its line.
        told: The keys of the factions that it concerns.
        note: The umpire's note to everybody.
    """
    campaign = branch.campaign
    receivers: dict[str, list[int | None]] = {RULED: [], RULED_OTHER: [], RULED_YOU: []}
    members = Membership.objects.filter(campaign=campaign).order_by("user_id")
    for user, key in members.values_list("user_id", "faction__key").distinct():
        if key is None:
            receivers[RULED].append(user)
        else:
            receivers[RULED_YOU if key in told else RULED_OTHER].append(user)
    if settings.APPRISE_URLS:
        receivers[RULED].append(None)
    head = head_at(campaign, branch, now)
    for template, users in receivers.items():

        def words(template: str = template) -> str:
            text = template.format(campaign=campaign.name)
            return f"{text} {note}" if note else text

        notifications_write(
            users,
            words,
            key_prefix=f"{campaign_key(STAGE_RULED, campaign)}{branch.number}/{number}/",
            path=f"/c/{campaign.public_id}/",
            due_at=now,
            head=head,
        )


def rollback_announce(
    *, campaign: Campaign, branch: Branch, stage: Stage, reason: str, now: datetime
) -> int:
    """Tell all members that the war was rolled back, once; return the number of outbox rows.

    Messages about the abandoned timeline that have not been sent are deleted.

    Args:
        branch: The new head branch.
        stage: The stage that is open again.
    """
    for kind in (STAGE, PHASE, REMINDER):
        Notification.objects.filter(
            dedupe_key__startswith=campaign_key(kind, campaign), sent_at__isnull=True, attempts=0
        ).delete()

    def words() -> str:
        return ROLLED_BACK.format(campaign=campaign.name, stage=stage_name(stage), reason=reason)

    return notifications_write(
        _members_and_site(campaign),
        words,
        key_prefix=f"{campaign_key(ROLLBACK, campaign)}{branch.number}/",
        path=f"/c/{campaign.public_id}/",
        due_at=now,
        head=head_at(campaign, branch, now),
    )


def vote_announce(*, proposal: Proposal, now: datetime, stage: Stage | None = None) -> int:
    """Ask all members to vote on a proposal, and return the number of outbox rows.

    Args:
        stage: The stage to which the war would go back, with which a fork would begin, or which
            would go on without public dice; None for a proposal that is not about a stage.
    """
    campaign = proposal.campaign
    template = VOTES[ProposalKind(proposal.kind)]

    def words() -> str:
        return template.format(
            campaign=campaign.name,
            stage="" if stage is None else stage_name(stage),
            name=proposal.body.get("name", ""),
            closes=moment_in(campaign, proposal.closes),
        )

    return notifications_write(
        _members_and_site(campaign),
        words,
        key_prefix=f"{campaign_key(VOTE, campaign)}{proposal.pk}/",
        path=f"/c/{campaign.public_id}/rollback/",
        due_at=now,
    )


def fork_announce(
    *, campaign: Campaign, proposal: Proposal, fork: Campaign, host: str, now: datetime
) -> int:
    """Tell all members that a fork was created as they agreed; return the number of outbox rows.

    Args:
        host: The user name of its host, who gives seats.
    """

    def words() -> str:
        return FORKED.format(campaign=campaign.name, name=fork.name, host=host)

    return notifications_write(
        _members_and_site(campaign),
        words,
        key_prefix=f"{campaign_key(VOTE, campaign)}{proposal.pk}/done/",
        path=f"/c/{campaign.public_id}/rollback/",
        due_at=now,
    )


def _members_and_site(campaign: Campaign) -> list[int | None]:
    """Return the receivers of what concerns a whole campaign."""
    users = Membership.objects.filter(campaign=campaign).order_by("user_id")
    receivers: list[int | None] = list(users.values_list("user_id", flat=True).distinct())
    if settings.APPRISE_URLS:
        receivers.append(None)
    return receivers


def campaign_key(kind: str, campaign: Campaign) -> str:
    """Return the prefix of the keys of all messages of a kind about a campaign."""
    return f"{kind}/{campaign.public_id}/"


def stage_key(campaign: Campaign, branch: Branch, ordinal: int) -> str:
    """Return the prefix of the keys of messages that announce a stage."""
    return f"{campaign_key(STAGE, campaign)}{branch.number}/{ordinal}/"


def phase_key(stage: Stage) -> str:
    """Return the prefix of the keys of messages that announce a phase of a battle.

    Raises:
        ValueError: The stage belongs to no battle.
    """
    if stage.battle is None:
        raise ValueError("a phase belongs to a battle")
    return f"{campaign_key(PHASE, stage.branch.campaign)}{stage.battle.public_id}/{stage.ordinal}/"


def stage_name(stage: Stage) -> str:
    """Return the name of a stage."""
    return STAGES[stage.kind].format(week=stage.week)


def moment_in(campaign: Campaign, moment: datetime) -> str:
    """Format a moment in the campaign's time zone and the current language, with the zone."""
    zone = campaign.timetable["zone"]
    return f"{date_format(moment.astimezone(ZoneInfo(zone)), date_form('D j M, H:i'))} ({zone})"


def is_anything_due(*, now: datetime) -> bool:
    """Return whether a message is due."""
    return _waiting(now).exists()


def notifications_deliver(*, now: datetime, limit: int = 50) -> int:
    """Send due messages, oldest first, at most `limit` rows, and return how many were sent."""
    due = list(_waiting(now).order_by("pk").values_list("pk", flat=True)[:limit])
    return sum(_deliver(pk, now) for pk in due)


def channels_failing(*, user: AbstractBaseUser) -> list[int]:
    """Return which of a user's channels refused the newest message, as indexes into their list."""
    row = Notification.objects.filter(user_id=user.pk, attempts__gt=0).order_by("-pk").first()
    failed = [] if row is None else row.failed_channels
    result: list[int] = []
    for n, url in enumerate(preference_of(user).apprise_urls):
        if _url_key(url) in failed:
            result.append(n)
    return result


def _waiting(now: datetime) -> QuerySet[Notification]:
    """Query the messages that are due and neither sent nor given up."""
    rows = Notification.objects.filter(sent_at__isnull=True, abandoned_at__isnull=True)
    return rows.filter(Q(due_at__isnull=True) | Q(due_at__lte=now))


def _deliver(pk: int, now: datetime) -> bool:
    """Claim a row and try its remaining channels; return whether all have the message now."""
    if not _waiting(now).filter(pk=pk).update(attempts=F("attempts") + 1, due_at=now + LEASE):
        return False
    row = Notification.objects.select_related("user").get(pk=pk)
    claimed = Notification.objects.filter(pk=pk, attempts=row.attempts, sent_at__isnull=True)
    delivered = list(row.delivered_channels)
    failed: list[str] = []
    pauses: list[timedelta] = []  # that services asked for
    for name, send in _channels(row, now):
        if name in delivered:
            continue
        result = send()
        if result.is_accepted:
            delivered.append(name)
            claimed.update(delivered_channels=delivered)
        else:
            failed.append(name)
            if result.pause:
                pauses.append(result.pause)
    claimed.update(failed_channels=failed)
    if all(name in delivered for name, _send in _channels(row, now)):
        return claimed.update(sent_at=now) == 1
    if row.attempts >= MAX_ATTEMPTS:
        claimed.update(abandoned_at=now)
    else:
        claimed.update(due_at=now + max([BACK_OFF[row.attempts - 1], *pauses]))
    return False


def _channels(row: Notification, now: datetime) -> list[Channel]:
    """Return the channels to the receiver: the site's, or the user's.

    Addresses are secret, so the names in `delivered_channels` are hashes.
    """
    user = row.user
    if user is None:
        return [_apprise_channel(url, row) for url in settings.APPRISE_URLS]
    if not user.is_active:
        return []
    if is_reset_link(row):  # the user asked for it: sent by mail only, even if mails are off
        return _reset_link_channels(user)
    preference = preference_of(user)
    if is_sealed_mail(row):
        wants_it = preference.sealed_mail and _can_receive_mail(user)
        return [_mail_channel(user, row)] if wants_it else []
    channels: list[Channel] = []
    if preference.email and _can_receive_mail(user):
        channels.append(_mail_channel(user, row))
    channels += [_push_channel(device, row, now) for device in devices_of(user=user)]
    channels += [_apprise_channel(url, row) for url in preference.apprise_urls]
    return channels


def _can_receive_mail(user: AbstractUser) -> bool:
    """Return whether the user has an e-mail address to which the site may send."""
    return bool(user.email) and not mailbox_fault(user.email)


def _reset_link_channels(user: AbstractUser) -> list[Channel]:
    """Return the channel for a link to reset the password."""
    if _can_receive_mail(user):
        return [(EMAIL, lambda: reset_link_send(user=user, address=user.email))]
    return []


def _mail_channel(user: AbstractUser, row: Notification) -> Channel:
    """Return the channel to the user's e-mail address."""
    return EMAIL, lambda: mail_send(
        user=user, address=user.email, body=row.body, path=row.path, signed_head=row.signed_head
    )


def _push_channel(device: PushDevice, row: Notification, now: datetime) -> Channel:
    """Return the channel to a browser."""
    digest = salted_hmac("blindjump.push", row.dedupe_key, algorithm="sha256").hexdigest()
    tag = digest[:PUSH_TAG_DIGITS]  # reveals no number of a row
    return device.endpoint_sha256[:NAME_DIGITS], lambda: push_send(
        device=device, body=row.body, path=row.path, tag=tag, now=now
    )


def _apprise_channel(url: str, row: Notification) -> Channel:
    """Return the channel to a messaging service."""
    return _url_key(url), lambda: _post(row, url)


def _post(row: Notification, url: str) -> DeliveryResult:
    """Send a message to a messaging service."""
    link = f"{settings.SITE_URL}{row.path}"
    return channel_post(url=url, body=row.body, link=link, trusted=row.user is None)


def _url_key(url: str) -> str:
    """Return the name under which a channel's address appears in a row."""
    return hashlib.sha256(url.encode()).hexdigest()[:NAME_DIGITS]
