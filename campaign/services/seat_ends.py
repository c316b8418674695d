"""Lost seats: the notice with its reason, and what the former owner may still see."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from campaign.kinds import SeatEndCause
from campaign.models.account import Notification
from campaign.models.campaign import Campaign, Faction, Membership, SeatEnd
from campaign.services.outbox import SEAT, campaign_key
from campaign.services.user_texts import texts_for_users
from engine.core.phrase import phrase

# Reasons shown to the former owner, by cause. {by}: who did it; {faction}: the faction's name.
CAUSE_TEXTS = {
    SeatEndCause.LEFT_SEAT: phrase("You left your seat."),
    SeatEndCause.COMPUTER: phrase("{by} handed {faction} to the computer."),
    SeatEndCause.REPLACED: phrase("{by} offered it to somebody else, and {new} has taken it."),
    SeatEndCause.SENT_AWAY: phrase("{by} took away your seat at {faction}."),
    SeatEndCause.RAN_OUT: phrase("Your time as a substitute for {faction} is over."),
    SeatEndCause.UNPLAYED: phrase("Nobody plays {faction} any more, so it can have no guests."),
}
OWN_OFFER_TEXT = phrase("You offered it to somebody else, and {new} has taken it.")
REASON = phrase("{why} Reason given: {reason}")
NOTICE = phrase("{campaign}: you no longer have a seat. {why}")
OFFERED = phrase(
    "{campaign}: {by} has offered your seat at {faction} to somebody else. You keep it until "
    "they take it."
)
LONGEST = Notification._meta.get_field("body").max_length or 400


def seat_end_write(
    *,
    part: Membership,
    cause: SeatEndCause,
    actor: AbstractBaseUser,
    by: str = "",
    new: str = "",
    reason: str = "",
    now: datetime,
) -> SeatEnd:
    """Record that a seat is lost and notify its owner, within the caller's transaction.

    Args:
        part: The seat, not deleted yet.
        actor: Who did it. Users are not notified of what they did themselves.
        by: User name to show as the actor's, if it differs.
        new: User name of the new owner, if another user took over the seat.
    """
    end, _ = SeatEnd.objects.update_or_create(
        campaign=part.campaign,
        user_id=part.user_id,
        defaults={
            "role": part.role,
            "faction": part.faction,
            "cause": cause,
            "by": by or actor.get_username(),
            "new": new,
            "reason": reason,
            "at": now,
            "hidden_at": now if actor.pk == part.user_id else None,
        },
    )
    if actor.pk != part.user_id:

        def words() -> str:
            return NOTICE.format(campaign=part.campaign.name, why=seat_end_words(end))

        _notify(part.campaign, part.user_id, words, event="ended", now=now)
    return end


def seat_offer_announce(
    *,
    campaign: Campaign,
    player: AbstractBaseUser,
    faction: Faction,
    actor: AbstractBaseUser,
    now: datetime,
) -> None:
    """Tell a player that their seat is offered to another user, unless they offered it."""
    if player.pk == actor.pk:
        return

    def words() -> str:
        by = actor.get_username()
        return OFFERED.format(campaign=campaign.name, by=by, faction=faction.name)

    _notify(campaign, player.pk, words, event="offered", now=now)


def seat_end_words(end: SeatEnd) -> str:
    """Return the reason for losing a seat, as shown to its former owner."""
    faction = "" if end.faction is None else end.faction.name
    template = CAUSE_TEXTS[SeatEndCause(end.cause)]
    if end.cause == SeatEndCause.REPLACED and end.by == end.user.get_username():
        template = OWN_OFFER_TEXT
    text = template.format(by=end.by, faction=faction, new=end.new)
    if end.reason:
        return REASON.format(why=text, reason=end.reason)
    return text


def seat_end_of(*, user: AbstractBaseUser, campaign: uuid.UUID) -> SeatEnd | None:
    """Return the seat that a user lost in a campaign, or None."""
    rows = SeatEnd.objects.filter(user_id=user.pk, campaign__public_id=campaign)
    return rows.select_related("campaign__scenario", "faction", "user").first()


def visible_seat_ends(*, user: AbstractBaseUser) -> list[SeatEnd]:
    """Return the lost seats in a user's list of wars, newest first."""
    rows = SeatEnd.objects.filter(user_id=user.pk, hidden_at__isnull=True)
    return list(rows.select_related("campaign__scenario", "faction", "user").order_by("-at", "-pk"))


def seat_end_hide(*, user: AbstractBaseUser, campaign: uuid.UUID) -> None:
    """Remove a lost seat from its former owner's list of wars."""
    rows = SeatEnd.objects.filter(user_id=user.pk, campaign__public_id=campaign)
    rows.filter(hidden_at__isnull=True).update(hidden_at=timezone.now())


def _notify(
    campaign: Campaign, user: int, words: Callable[[], str], *, event: str, now: datetime
) -> None:
    """Notify a user in their language.

    Args:
        user: Primary key of the user.
        words: Returns the text in the active language.
        event: What happened to the seat; with the time, it makes the notification unique.
    """
    (body,) = texts_for_users([user], words).values()
    row = Notification(
        user_id=user,
        dedupe_key=f"{campaign_key(SEAT, campaign)}{event}/{now:%Y%m%dT%H%M%S%f}/{user}",
        body=body[:LONGEST],
        path=f"/c/{campaign.public_id}/",
        due_at=now,
    )
    Notification.objects.bulk_create([row], ignore_conflicts=True)
