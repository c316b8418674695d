"""The outbox: messages about a stage, one to each user, written with it, delivered by his ways.

    stage_announce(...), stop_announce(...) -> int  how many were written: the same to everybody, so they tell nothing
    notifications_deliver(now, limit) -> int        how many were sent; any number of workers at once
    channels_failing(user) -> list[int]             which of his own channels did not take the newest message

A row is claimed by a conditional update that puts its next try into the future, so two workers
never take the same one; whoever dies over it leaves it to that next try. Channels that have the
message are noted in the row and not asked again. A row waits for as long as a service asks to wait,
also for the others that did not take it. One that cannot be delivered is given up after
`MOST_ATTEMPTS`. A user who wants no messages gets none: his rows count as sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format

from campaign.kinds import Role
from campaign.models.account import Notification, PushDevice
from campaign.models.campaign import FACTION_ROLES, Branch, Campaign, Faction, Membership
from campaign.models.ledger import RESOLVE, Act
from campaign.models.stage import Stage, Submission
from campaign.services.answers import DeliveryResult
from campaign.services.channels import channel_post
from campaign.services.destinations import mailbox_fault
from campaign.services.mails import mail_send
from campaign.services.preferences import preference_of
from campaign.services.push import devices_of, push_send
from campaign.services.reset_links import is_reset_link, reset_link_send
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
RULING_ALONE = phrase("{campaign}: the umpire has entered the result of your battle at {place}.")

# stage kind -> its words
STAGES = {
    "deploy": phrase("the deployment"),
    "orders": phrase("the orders stage of week {week}"),
    "decisions": phrase("the decisions stage of week {week}"),
    "battles": phrase("the battles stage of week {week}"),
}

# kinds of messages about a campaign
STAGE, STOP, REMINDER = "stage", "stop", "reminder"
STUCK, TABLE_RULING, SEAT = "stuck", "ruling", "seat"
NOTIFICATION_KINDS = (STAGE, STOP, REMINDER, STUCK, TABLE_RULING, SEAT)
JUST_NOW = timedelta(
    minutes=5
)  # since a user's click: they are still at the page that shows its result
LEASE = timedelta(minutes=5)
# how long to wait at least after the 1st, 2nd, ... failure; after the last one it is given up
BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720))
MOST_ATTEMPTS = len(BACK_OFF) + 1
EMAIL = "email"

Channel = tuple[str, Callable[[], DeliveryResult]]  # its name in `done`, and what sends


def stage_announce(
    *,
    campaign: Campaign,
    branch: Branch,
    ordinal: int,
    stage: Stage | None,
    now: datetime,
    corrected: bool = False,
) -> int:
    """Write the outbox rows for the stage that opens then (None: the war is over); how many.

    None is sent before.

    Where the site has channels of its own, they get one too. `corrected`: also to whom it was
    announced otherwise.
    """

    def words() -> str:
        if stage is None:
            return ENDED.format(campaign=campaign.name)
        if stage.closes is None:
            return OPENED.format(campaign=campaign.name, stage=stage_name(stage))
        closes = moment_in(campaign, stage.closes)
        return OPENED_UNTIL.format(campaign=campaign.name, stage=stage_name(stage), closes=closes)

    users = (
        Membership.objects.filter(campaign=campaign)
        .order_by("user_id")
        .values_list("user_id", flat=True)
    )
    watching = _watching(campaign, branch, now, is_start=ordinal == 0)
    receivers: list[int | None] = list(users.distinct().exclude(user_id__in=watching))
    if settings.APPRISE_URLS:
        receivers.append(None)
    anew = f"{now:%Y%m%dT%H%M%S}/" if corrected else ""
    rows = [
        Notification(
            user_id=user,
            dedupe_key=f"{stage_key(campaign, branch, ordinal)}{anew}{user or 'site'}",
            body=body,
            path=f"/c/{campaign.public_id}/",
            due_at=now,
        )
        for user, body in texts_for_users(receivers, words).items()
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def stop_announce(*, stage: Stage, factions: Sequence[Faction], corrected: bool = False) -> int:
    """Write the outbox rows for a stop of a battle that waits for these factions; how many.

    Nobody else is told, and nobody before it opens. `corrected`: also to whom it was announced
    otherwise.
    """
    campaign, begins, closes = stage.branch.campaign, stop_key(stage), stage.closes

    def words() -> str:
        if closes is None:
            return WAITS.format(campaign=campaign.name)
        return WAITS_UNTIL.format(campaign=campaign.name, closes=moment_in(campaign, closes))

    users = Membership.objects.filter(
        campaign=campaign, role__in=FACTION_ROLES, faction__in=factions
    )
    users = users.exclude(user_id__in=_watching(campaign, stage.branch, stage.opens))
    anew = f"{stage.opens:%Y%m%dT%H%M%S}/" if corrected else ""
    rows = [
        Notification(
            user_id=user,
            dedupe_key=f"{begins}{anew}{user}",
            body=body,
            path=f"/c/{campaign.public_id}/",
            due_at=stage.opens,
        )
        for user, body in texts_for_users(
            users.order_by("user_id").values_list("user_id", flat=True), words
        ).items()
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _watching(
    campaign: Campaign, branch: Branch, now: datetime, *, is_start: bool = False
) -> set[int]:
    """Return the users who need no message, because they have just caused what it would say.

    These are the host who starts a war, whoever resolves a stage by hand, and in a war with people
    on one side only whoever has just sealed. With people on several sides a message must not depend
    on who sealed last.
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
    """Tell the people of a faction that the umpire entered the result of its battle; how many.

    Args:
        battle: The faction's own id of the battle.
    """

    def words() -> str:
        template = RULING if reason else RULING_ALONE
        return template.format(campaign=campaign.name, place=place, reason=reason)

    users = Membership.objects.filter(campaign=campaign, role__in=FACTION_ROLES, faction=faction)
    rows = [
        Notification(
            user_id=user,
            dedupe_key=f"{campaign_key(TABLE_RULING, campaign)}{battle}/{user}",
            body=body,
            path=f"/c/{campaign.public_id}/battles/{battle}/table/",
            due_at=now,
        )
        for user, body in texts_for_users(
            users.order_by("user_id").values_list("user_id", flat=True), words
        ).items()
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def campaign_key(kind: str, campaign: Campaign) -> str:
    """The beginning of the keys of all messages of a kind about a campaign."""
    return f"{kind}/{campaign.public_id}/"


def stage_key(campaign: Campaign, branch: Branch, ordinal: int) -> str:
    """The same of those that announce a stage."""
    return f"{campaign_key(STAGE, campaign)}{branch.number}/{ordinal}/"


def stop_key(stage: Stage) -> str:
    """The same of those that announce a stop of a battle.

    Raises ValueError for a stage that belongs to none.
    """
    if stage.battle is None:
        raise ValueError("a stop belongs to a battle")
    return f"{campaign_key(STOP, stage.branch.campaign)}{stage.battle.public_id}/{stage.ordinal}/"


def stage_name(stage: Stage) -> str:
    """A stage in words."""
    return STAGES[stage.kind].format(week=stage.week)


def moment_in(campaign: Campaign, moment: datetime) -> str:
    """A moment in the campaign's time zone, in words of the language of the moment that name the
    zone.
    """
    zone = campaign.timetable["zone"]
    return f"{date_format(moment.astimezone(ZoneInfo(zone)), date_form('D j M, H:i'))} ({zone})"


def is_anything_due(*, now: datetime) -> bool:
    """Whether a message waits that is due."""
    return _waiting(now).exists()


def notifications_deliver(*, now: datetime, limit: int = 50) -> int:
    """Send what waits and is due, oldest first, at most `limit` rows; how many were sent."""
    due = list(_waiting(now).order_by("pk").values_list("pk", flat=True)[:limit])
    return sum(_deliver(pk, now) for pk in due)


def channels_failing(*, user: AbstractBaseUser) -> list[int]:
    """Which of a user's own channels, by their places in his list, did not take the newest message
    that was tried.
    """
    row = Notification.objects.filter(user_id=user.pk, attempts__gt=0).order_by("-pk").first()
    failed = [] if row is None else row.failed
    return [n for n, url in enumerate(preference_of(user).apprise_urls) if _url_key(url) in failed]


def _waiting(now: datetime) -> QuerySet[Notification]:
    rows = Notification.objects.filter(sent_at__isnull=True, given_up_at__isnull=True)
    return rows.filter(Q(due_at__isnull=True) | Q(due_at__lte=now))


def _deliver(pk: int, now: datetime) -> bool:
    """Claim a row and try the channels that do not have it yet.

    Whether it is delivered, by this call.
    """
    if not _waiting(now).filter(pk=pk).update(attempts=F("attempts") + 1, due_at=now + LEASE):
        return False
    row = Notification.objects.select_related("user").get(pk=pk)
    claimed = Notification.objects.filter(pk=pk, attempts=row.attempts, sent_at__isnull=True)
    completed = list(row.done)
    failed, pauses = list[str](), list[timedelta]()
    for name, send in _channels(row, now):
        if name in completed:
            continue
        answer = send()
        if answer.is_accepted:
            completed.append(name)
            claimed.update(done=completed)
        else:
            failed.append(name)
            pauses += [answer.pause] if answer.pause else []
    claimed.update(failed=failed)
    if all(name in completed for name, _send in _channels(row, now)):
        return claimed.update(sent_at=now) == 1
    if row.attempts >= MOST_ATTEMPTS:
        claimed.update(given_up_at=now)
    else:
        claimed.update(due_at=now + max([BACK_OFF[row.attempts - 1], *pauses]))
    return False


def _channels(row: Notification, now: datetime) -> list[Channel]:
    """The ways to the receiver: the site's channels, or his own.

    Their addresses are secrets: `done` has hashes.
    """
    if row.user is None:
        return [_channel(url, row) for url in settings.APPRISE_URLS]
    preference, channels = preference_of(row.user), list[Channel]()
    if not row.user.is_active:
        return channels
    user = row.user
    address = user.email
    can_mail = bool(address) and not mailbox_fault(address)
    if is_reset_link(
        row
    ):  # asked for by its reader: sent by mail alone, whatever else is turned off
        return (
            [(EMAIL, lambda: reset_link_send(user=user, address=address))] if can_mail else channels
        )
    if preference.email and can_mail:
        channels.append(
            (EMAIL, lambda: mail_send(user=user, address=address, body=row.body, path=row.path))
        )
    channels += [_browser(device, row, now) for device in devices_of(user=row.user)]
    return channels + [_channel(url, row) for url in preference.apprise_urls]


def _browser(device: PushDevice, row: Notification, now: datetime) -> Channel:
    tag = salted_hmac("blindjump.push", row.dedupe_key, algorithm="sha256").hexdigest()[
        :16
    ]  # tells of no number
    sha256 = device.endpoint_sha256
    return sha256[:12], lambda: push_send(
        device=device, body=row.body, path=row.path, tag=tag, now=now
    )


def _channel(url: str, row: Notification) -> Channel:
    return _url_key(url), lambda: _post(row, url)


def _url_key(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:12]


def _post(row: Notification, url: str) -> DeliveryResult:
    return channel_post(url=url, body=row.body, link=_link(row), trusted=row.user is None)


def _link(row: Notification) -> str:
    return f"{settings.SITE_URL}{row.path}"
