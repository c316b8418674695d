"""Messages as a user may read them: those written by and delivered to their seat.

A receiver sees a message from the moment of delivery, and never when it was written. Only the
sender's own side sees which user wrote it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    BigIntegerField,
    Count,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    UUIDField,
)
from django.utils import timezone

from campaign.access import NO_CAMPAIGN, Viewer
from campaign.errors import NotFound
from campaign.kinds import MessageMode, Role
from campaign.models.campaign import Campaign, Faction, Membership
from campaign.models.message import Message, MessageRead
from campaign.rules.message_rules import MessageRules
from campaign.store.prepared import PreparedValues
from engine.core.phrase import phrase


def _unread_messages(campaign: int, user: int, now: datetime) -> QuerySet[Message]:
    """Return a campaign's delivered messages that this user has neither written nor read."""
    read_marks = MessageRead.objects.filter(message=OuterRef("pk"), user_id=user)
    rows = Message.objects.filter(campaign_id=campaign, delivered_at__lte=now)
    return rows.exclude(author_id=user).filter(~Exists(read_marks))


UNREAD_BY_FACTION = PreparedValues(
    lambda campaign, receiver, user, now: (
        _unread_messages(campaign, user, now).filter(receiver_id=receiver).values_list("public_id")
    ),
    parameters=(BigIntegerField(), BigIntegerField(), BigIntegerField(), DateTimeField()),
    columns=(UUIDField(),),
)
UNREAD_BY_UMPIRE = PreparedValues(
    lambda campaign, user, now: (
        _unread_messages(campaign, user, now)
        .filter(receiver_id__isnull=True)
        .values_list("public_id")
    ),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    columns=(UUIDField(),),
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that writes and reads messages: that of a faction, or (None) the umpire's."""

    faction: Faction | None

    @property
    def key(self) -> str | None:
        """Return the faction's key; None for the umpire's seat."""
        if self.faction is None:
            return None
        return self.faction.key


@dataclass(frozen=True, slots=True)
class MessageLine:
    """A message as one seat knows it.

    Attributes:
        sender: Faction key; None for the umpire.
        receiver: Faction key; None for the umpire.
        week: When it was written.
        stage: The kind of stage in which it was written.
        at: When it was delivered; None if it waits for a stage to be resolved.
        mine: This seat wrote it.
        author: User name of the author, for the sender's side only, else empty.
        unread: It was delivered to this seat, and the reader has not marked it as read.
        abandoned: It was sealed on a timeline that was abandoned, so it is never delivered.
    """

    id: str
    sender: str | None
    receiver: str | None
    text: str
    week: int
    stage: str
    at: datetime | None
    mine: bool
    author: str
    unread: bool
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Receiver:
    """A seat that the viewer's seat may write to.

    Attributes:
        key: None for the umpire.
        is_own: Whether it is the viewer's own faction.
    """

    key: str | None
    name: str
    is_own: bool


def seat_of(viewer: Viewer) -> Seat:
    """Return the viewer's seat. Raises NotFound without a seat or if the war has no messages."""
    if not _has_seat(viewer):
        raise NotFound(NO_CAMPAIGN)
    return Seat(viewer.faction if viewer.plays else None)


def _has_seat(viewer: Viewer) -> bool:
    """Return whether the war has messages and the viewer plays or umpires it."""
    return message_rules_of(viewer.campaign).on and (viewer.plays or viewer.umpires)


def receivers_of(viewer: Viewer) -> tuple[Receiver, ...]:
    """Return the possible receivers: all factions, the viewer's own first, and any umpire.

    They do not depend on what happens in the war.
    """
    own_key = seat_of(viewer).key
    factions = (
        Faction.objects.filter(campaign_id=viewer.campaign.pk)
        .order_by("key")
        .values_list("key", "name")
    )
    receivers = [Receiver(key, name, is_own=key == own_key) for key, name in factions]
    receivers.sort(key=lambda receiver: not receiver.is_own)
    has_umpire = Membership.objects.filter(
        campaign_id=viewer.campaign.pk, role=Role.UMPIRE
    ).exists()
    if has_umpire and own_key is not None:
        receivers.append(Receiver(None, phrase("The umpire"), is_own=False))
    return tuple(receivers)


def list_messages(viewer: Viewer, *, now: datetime | None = None) -> list[MessageLine]:
    """Return all messages of the viewer's seat: delivered ones, then waiting ones."""
    seat = seat_of(viewer)
    moment = now or timezone.now()
    rows = Message.objects.filter(campaign_id=viewer.campaign.pk)
    if seat.faction is None:
        rows = rows.filter(
            Q(sender_id__isnull=True) | Q(receiver_id__isnull=True, delivered_at__lte=moment)
        )
    else:
        own_id = seat.faction.pk
        rows = rows.filter(Q(sender_id=own_id) | Q(receiver_id=own_id, delivered_at__lte=moment))
    unread = set(unread_ids(viewer, now=moment))
    messages = []
    for row in _message_values(rows):
        messages.append(_message_of(row, own_key=seat.key, now=moment, unread=unread))

    def sort_key(message: MessageLine) -> tuple[Any, ...]:
        """Sort messages delivered together by sender: the order of writing is not public."""
        is_waiting = message.at is None
        return (is_waiting, message.at or moment, not message.mine, message.sender or "")

    return sorted(messages, key=sort_key)


def list_faction_messages(viewer: Viewer, *, now: datetime | None = None) -> list[MessageLine]:
    """Return all delivered messages between factions, if the war lets its umpire read them.

    Messages within a side are not included. Raises NotFound.
    """
    if not viewer.umpires or not message_rules_of(viewer.campaign).umpire_reads:
        raise NotFound(NO_CAMPAIGN)
    moment = now or timezone.now()
    rows = Message.objects.filter(
        campaign_id=viewer.campaign.pk,
        sender_id__isnull=False,
        receiver_id__isnull=False,
        delivered_at__lte=moment,
    )
    messages = []
    for row in _message_values(rows.exclude(sender_id=F("receiver_id"))):
        messages.append(_message_of(row, own_key=None, now=moment, unread=()))
    return sorted(messages, key=lambda message: message.at or moment)


def unread_ids(viewer: Viewer, *, now: datetime | None = None) -> list[str]:
    """Return the ids of the viewer's unread messages; none without a seat."""
    if not _has_seat(viewer):
        return []
    moment = now or timezone.now()
    user = int(viewer.user.pk)
    campaign = viewer.campaign.pk
    if viewer.plays and viewer.faction is not None:
        rows = UNREAD_BY_FACTION.tuples(campaign, viewer.faction.pk, user, moment)
    else:
        rows = UNREAD_BY_UMPIRE.tuples(campaign, user, moment)
    return [str(public_id) for (public_id,) in rows]


def unread_by_umpires(campaigns: Collection[int], user: int) -> dict[int, int]:
    """Count an umpire's unread messages, by campaign."""
    read_marks = MessageRead.objects.filter(message=OuterRef("pk"), user_id=user)
    from_others = Message.objects.filter(
        campaign__in=campaigns, receiver_id__isnull=True, delivered_at__lte=timezone.now()
    ).exclude(author_id=user)
    rows = from_others.filter(~Exists(read_marks)).values("campaign_id").annotate(total=Count("pk"))
    return dict(rows.order_by().values_list("campaign_id", "total"))


def unread_count(viewer: Viewer) -> int:
    """Count the viewer's unread messages."""
    return len(unread_ids(viewer))


def _message_values(rows: QuerySet[Message]) -> list[tuple[Any, ...]]:
    """Return the columns of messages that `_message_of` reads, in the order of writing."""
    columns = (
        "public_id",
        "sender__key",
        "receiver__key",
        "text",
        "week",
        "stage",
        "delivered_at",
        "author__username",
        "branch__left_at",
    )
    return list(rows.order_by("pk").values_list(*columns))


def _message_of(
    row: tuple[Any, ...], own_key: str | None, now: datetime, unread: Collection[str]
) -> MessageLine:
    """Return a row of `_message_values` as a seat knows it. A future delivery time is not shown.

    Args:
        own_key: The seat's faction key; None for the umpire's seat.
        unread: Ids of the reader's unread messages.
    """
    public_id, sender, receiver, text, week, stage, at, author, left_at = row
    mine = sender == own_key
    delivered = None if at is None or at > now else at
    id_ = str(public_id)
    return MessageLine(
        id=id_,
        sender=sender,
        receiver=receiver,
        text=text,
        week=week,
        stage=stage,
        at=delivered,
        mine=mine,
        author=(author or "") if mine else "",
        unread=id_ in unread,
        abandoned=at is None and left_at is not None,
    )


def message_rules_of(campaign: Campaign) -> MessageRules:
    """Return a campaign's rules for messages; by default it has none."""
    ruleset = campaign.ruleset
    return MessageRules(
        ruleset.get("messages", MessageMode.OFF), bool(ruleset.get("umpire_reads", False))
    )
