"""Messages between seats: written, delivered at once or with a stage's outcome, marked as read.

Messages within a side, to the umpire and from the umpire are delivered at once: players who plan a
week together, or ask for another day, cannot wait until it is over. Other messages may be sealed
until the stage's outcome is public. While a stage appears as closed, a new message goes with the
next one, whether or not the outcome has been computed. Before and after the war no message waits.
"""

from __future__ import annotations

import secrets
import unicodedata
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer
from campaign.kinds import MessageMode, Role, StageStatus
from campaign.lineage import played_on_line
from campaign.models.account import Notification
from campaign.models.campaign import FACTION_ROLES, Campaign, Faction, Membership
from campaign.models.message import Message, MessageRead
from campaign.models.stage import Stage
from campaign.selectors.messages import message_rules_of, receivers_of, seat_of, unread_ids
from campaign.services.user_texts import texts_for_users
from campaign.store.publication import public_stage
from engine.core.errors import RuleViolations, Violation
from engine.core.names import character_fault
from engine.core.phrase import phrase

LONGEST = 4000  # characters
MAX_PER_HOUR = 30  # per seat
HOUR = timedelta(hours=1)
# Within this time a repeated text by the same author to the same receiver is one message
REPEAT_WINDOW = timedelta(minutes=1)
NEW_MESSAGE = phrase("{campaign}: there is something new for you.")
KEY_PREFIX = "message/{campaign}/"  # of the keys of notifications


@dataclass(frozen=True, slots=True)
class _Delivery:
    """When a message is written and delivered.

    Attributes:
        week: In which it is written.
        stage: The kind of the stage in which it is written; "" before the war.
        ordinal: The stage whose outcome delivers it; None if it is delivered at once.
        at: When it is delivered, if that is known.
    """

    week: int
    stage: str
    ordinal: int | None
    at: datetime | None


@transaction.atomic
def message_write(
    *, viewer: Viewer, to: Sequence[str | None], text: str, now: datetime | None = None
) -> tuple[Message, ...]:
    """Write one message to each of several receivers; each receives it as if it were the only one.

    Args:
        to: Faction keys, or None for the umpire.

    Raises:
        RuleViolations: All faults of the text and the receivers.
        NotFound: The viewer has no seat, or the war has no messages.
    """
    moment = now or timezone.now()
    seat = seat_of(viewer)
    words = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    violations = [*_text_violations(words), *_receiver_violations(viewer, to)]
    if violations:
        raise RuleViolations(violations)
    campaign = viewer.campaign
    user = viewer.user
    # Two requests of one user take turns, so that a text sent twice becomes one message
    list(Membership.objects.select_for_update().filter(campaign_id=campaign.pk, user_id=user.pk))
    own_messages = Message.objects.filter(campaign_id=campaign.pk, sender=seat.faction)
    repeats = own_messages.filter(
        author_id=user.pk, text=words, written_at__gt=moment - REPEAT_WINDOW
    )
    sent_rows = {row.receiver_id: row for row in repeats}
    receivers = _factions_by_key(campaign, to)
    new_count = sum(_pk_of(receiver) not in sent_rows for receiver in receivers)
    if new_count:
        _check_hourly_limit(own_messages.filter(written_at__gt=moment - HOUR).count() + new_count)
    by_stage = _delivery_of(campaign, moment)
    at_once = replace(by_stage, ordinal=None, at=moment)
    messages = []
    for receiver in receivers:
        delivery = at_once if _is_at_once(seat.faction, receiver) else by_stage
        row = sent_rows.get(_pk_of(receiver))
        if row is None:
            row = Message.objects.create(
                public_id=uuid.UUID(bytes=secrets.token_bytes(16)),
                campaign=campaign,
                branch_id=campaign.head_branch_id if delivery.stage else None,
                sender=seat.faction,
                receiver=receiver,
                author_id=user.pk,
                text=words,
                week=delivery.week,
                stage=delivery.stage,
                ordinal=delivery.ordinal,
                written_at=moment,
                delivered_at=delivery.at,
            )
            if delivery.at is not None:
                _announce([row], delivery.at)
        messages.append(row)
    return tuple(messages)


def _factions_by_key(campaign: Campaign, keys: Sequence[str | None]) -> list[Faction | None]:
    """Return the receivers of these keys without repetition; None is the umpire."""
    factions = {row.key: row for row in Faction.objects.filter(campaign_id=campaign.pk)}
    return [None if key is None else factions[key] for key in dict.fromkeys(keys)]


def _pk_of(receiver: Faction | None) -> int | None:
    """Return the primary key of a receiver, None for the umpire."""
    return None if receiver is None else receiver.pk


def _check_hourly_limit(count: int) -> None:
    """Raise RuleViolations if a seat writes more messages than it may in an hour."""
    if count > MAX_PER_HOUR:
        words = phrase(
            "your side can write at most {} messages an hour; wait a while", MAX_PER_HOUR
        )
        raise RuleViolations([Violation("text", "too-many-messages", words)])


def messages_deliver(*, stage: Stage, over: bool, public: datetime) -> int:
    """Deliver the messages that a stage had sealed, and return their number.

    Call this in the transaction that writes the outcome.

    Args:
        over: Whether the war is over, so that all messages are delivered.
        public: When the outcome becomes public.
    """
    rows = Message.objects.filter(branch_id=stage.branch_id, delivered_at__isnull=True)
    if not over:
        rows = rows.filter(ordinal__lte=stage.ordinal)
    messages = list(rows.select_related("campaign").order_by("pk"))
    if not messages:
        return 0
    Message.objects.filter(pk__in=[row.pk for row in messages]).update(delivered_at=public)
    _announce(messages, public)
    return len(messages)


def messages_restate(*, campaign: Campaign, farthest: datetime, now: datetime) -> None:
    """Deliver and announce now what a fast clock had put later than `farthest`."""
    Message.objects.filter(campaign=campaign, delivered_at__gt=farthest).update(delivered_at=now)
    notifications = Notification.objects.filter(
        dedupe_key__startswith=KEY_PREFIX.format(campaign=campaign.public_id)
    )
    notifications.filter(due_at__gt=farthest, attempts=0, sent_at__isnull=True).update(due_at=now)


@transaction.atomic
def messages_mark_read(*, viewer: Viewer, ids: Collection[str]) -> int:
    """Mark messages to the viewer's seat as read by the viewer, ignoring all other ids."""
    seat_of(viewer)
    unread = set(unread_ids(viewer)) & set(ids)
    rows = Message.objects.filter(public_id__in=unread).values_list("pk", flat=True)
    marks = [MessageRead(message_id=pk, user_id=viewer.user.pk) for pk in rows]
    MessageRead.objects.bulk_create(marks, ignore_conflicts=True)
    return len(marks)


def _text_violations(words: str) -> list[Violation]:
    """Return the fault of a message's text, if it has one."""
    if not words:
        return [Violation("text", "empty", phrase("write something"))]
    if len(words) > LONGEST:
        fault = phrase(
            "a message can have at most {} characters; this one has {}", LONGEST, len(words)
        )
        return [Violation("text", "too-long", fault)]
    fault = character_fault(words, allowed="\n\t\u200d")
    if fault:
        return [Violation("text", "bad-character", fault)]
    return []


def _receiver_violations(viewer: Viewer, to: Sequence[str | None]) -> list[Violation]:
    """Return the faults of the receivers: there are none, or the viewer cannot write to them."""
    if not to:
        return [Violation("to", "nobody", phrase("choose a recipient"))]
    keys = {receiver.key for receiver in receivers_of(viewer)}
    violations: list[Violation] = []
    for key in dict.fromkeys(to):
        if key in keys:
            continue
        if key is None:
            words = phrase("there is no umpire")
        else:
            words = phrase("there is no faction '{}'", key)
        violations.append(Violation("to", "unknown-receiver", words))
    return violations


def _is_at_once(sender: Faction | None, receiver: Faction | None) -> bool:
    """Return whether a message is never sealed: within a side, to the umpire or from the umpire."""
    return sender is None or receiver is None or sender.pk == receiver.pk


def _delivery_of(campaign: Campaign, now: datetime) -> _Delivery:
    """Return how a message written now is delivered, by the clock that players see."""
    branch = campaign.head_branch_id or 0
    weekly = played_on_line(Stage.objects.filter(battle__isnull=True), branch)
    newest = weekly.filter(opens__lte=now).order_by("-ordinal").first()
    if newest is None:
        return _Delivery(0, "", None, now)
    row = Stage.objects.select_for_update().get(pk=newest.pk)
    # `public_stage` changes the row to what players see now
    is_resolved = row.status == StageStatus.RESOLVED
    public_at = row.publishes_at
    stage = public_stage(campaign, row, now)
    seals_messages = message_rules_of(campaign).mode == MessageMode.SEALED
    if not seals_messages or stage.status == StageStatus.RESOLVED:
        return _Delivery(stage.week, stage.kind, ordinal=None, at=now)
    if stage.status == StageStatus.OPEN:
        return _Delivery(stage.week, stage.kind, ordinal=stage.ordinal, at=None)
    next_ordinal = stage.ordinal + 1
    is_war_over = is_resolved and not weekly.filter(ordinal=next_ordinal).exists()
    return _Delivery(
        stage.week, stage.kind, ordinal=next_ordinal, at=public_at if is_war_over else None
    )


def _announce(rows: Iterable[Message], due: datetime) -> None:
    """Queue one notification for each receiver, without sender or content.

    A receiver with older unread messages was notified then, and is notified again only after
    reading them.
    """
    messages = list(rows)
    campaign = messages[0].campaign
    first_messages = _first_messages_by_user(messages)
    older = Message.objects.filter(campaign=campaign, delivered_at__isnull=False)
    older = older.exclude(pk__in=[message.pk for message in messages])
    bodies = texts_for_users(first_messages, lambda: NEW_MESSAGE.format(campaign=campaign.name))
    key_prefix = KEY_PREFIX.format(campaign=campaign.public_id)
    notifications = []
    for user, message in first_messages.items():
        seats = Membership.objects.filter(campaign=campaign, user_id=user).exclude(role=Role.HOST)
        older_to_user = older.filter(receiver_id=seats.get().faction_id).exclude(author_id=user)
        if not older_to_user.exclude(read_marks__user_id=user).exists():
            notification = Notification(
                user_id=user,
                dedupe_key=f"{key_prefix}{message.public_id}/{user}",
                body=bodies[user],
                path=f"/c/{campaign.public_id}/",
                due_at=due,
            )
            notifications.append(notification)
    Notification.objects.bulk_create(notifications, ignore_conflicts=True)


def _first_messages_by_user(messages: Iterable[Message]) -> dict[int, Message]:
    """Return the first message to each user who receives any and wants to be notified."""
    result: dict[int, Message] = {}
    for message in messages:
        roles = (Role.UMPIRE,) if message.receiver is None else FACTION_ROLES
        members = Membership.objects.filter(
            campaign=message.campaign, faction=message.receiver, role__in=roles
        ).exclude(user__preference__messages=False)
        for user in members.order_by("user_id").values_list("user_id", flat=True):
            if user != message.author_id:
                result.setdefault(user, message)
    return result
