"""Invitations: a link to one seat. Its secret is shown once; only the hash is stored.

Before the war hosts may invite to any seat. In a running war no invitation lets its maker see
hidden information: a faction's players invite to their faction; hosts invite to factions without
players, and invite hosts and observers; umpires, and hosts who do not play, invite umpires. If a
host who plays invites an umpire, the sides vote on that (`campaign.services.umpire_votes`). Guests
of a faction are always invited by its own players alone. A taken seat can be offered by its player,
by hosts and by umpires; it changes hands visibly when the new player accepts. An umpire can hand
over only their own seat, to one other person. These rights are checked when the invitation is made
and again when it is accepted.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import BigIntegerField, QuerySet
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import Role
from campaign.models.campaign import Campaign, Faction, Invite, Membership
from campaign.rules.public_ids import outside_id
from campaign.services.campaigns import role_violations
from campaign.services.seat_ends import seat_offer_announce
from campaign.services.seats import faction_of, lock_campaign, seat_give, seat_hand_over
from campaign.services.umpire_votes import has_voters, needs_umpire_vote, umpire_vote_open
from campaign.store.prepared import PreparedRows
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

INVITES = PreparedRows(
    lambda campaign: Invite.objects.filter(campaign_id=campaign).order_by("pk"),
    parameters=(BigIntegerField(),),
    related=("faction", "created_by", "replaces"),
)
TOKEN_BYTES = 24
DAYS = 14  # that an invitation is valid by default
MAX_DAYS = 90
LONGEST_STAY = timedelta(days=180)  # of a substitute's seat
NO_INVITE = phrase("there is no such invitation")
HOSTS_ONLY = phrase("only the host can invite people to other seats")

# Session key that keeps an invitation while its reader signs up.
INVITED = "invited"


@dataclass(frozen=True, slots=True)
class NewInvite:
    """An invitation with the secret of its link, which is available only now."""

    invite: Invite
    token: str


def invite_create(
    *,
    viewer: Viewer,
    role: str = Role.PLAYER,
    faction: str = "",
    days: int = DAYS,
    until: datetime | None = None,
    replaces: str = "",
    now: datetime | None = None,
) -> NewInvite:
    """Offer a seat.

    Args:
        until: When a seat of staff (a substitute for a player) ends.
        replaces: User name of the faction's player whose seat the new player takes over, or of the
            umpire who hands over to another one. They keep the seat until then; a player is
            notified that it is offered.

    Raises:
        NotFound: The viewer may not invite at all.
        NotAllowed: The viewer may not offer this seat.
        RuleViolations: The invitation has faults.
    """
    campaign = viewer.campaign
    moment = now or timezone.now()
    if not (viewer.hosts or viewer.umpires or viewer.plays):
        raise NotFound(phrase("there is no such campaign"))
    violations = [
        *role_violations(role, has_faction=bool(faction)),
        *_seat_end_violations(role, until, moment),
        *_validity_violations(days),
    ]
    if violations:
        raise RuleViolations(violations)
    row = faction_of(campaign, faction) if faction else None
    player = _find_replaced(campaign, row, role, replaces) if replaces else None
    if refusal := _refusal(viewer, role, row, player):
        raise NotAllowed(refusal)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    sha256 = _hash(token)
    expires = moment + timedelta(days=days)
    with transaction.atomic():
        if player is not None and row is not None:
            seat_offer_announce(
                campaign=campaign, player=player, faction=row, actor=viewer.user, now=moment
            )
        invite = Invite.objects.create(
            public_id=outside_id(campaign.id_secret, "invite", sha256),
            campaign=campaign,
            role=role,
            faction=row,
            token_sha256=sha256,
            created_by_id=viewer.user.pk,
            created_at=moment,
            expires=expires if until is None else min(expires, until),
            until=until,
            replaces_id=None if player is None else player.pk,
        )
    return NewInvite(invite, token)


def _validity_violations(days: int) -> list[Violation]:
    """Return the faults of the number of days that an invitation is valid."""
    if 1 <= days <= MAX_DAYS:
        return []
    return [Violation("days", "bad-number", phrase("must be from 1 to {} days", MAX_DAYS))]


def _find_replaced(
    campaign: Campaign, faction: Faction | None, role: str, name: str
) -> AbstractBaseUser:
    """Return the faction's player, or the umpire, with this user name. Raises RuleViolations."""
    seats = Membership.objects.filter(
        campaign=campaign, faction=faction, role=role, user__username=name
    )
    part = seats.select_related("user").first()
    if part is not None and (role == Role.UMPIRE or (faction and role == Role.PLAYER)):
        return part.user
    if role == Role.UMPIRE:
        words = phrase("'{}' is no umpire of this war", name)
    else:
        words = phrase("'{}' does not play this faction", name)
    raise RuleViolations([Violation("replaces", "no-such-player", words)])


def _seat_end_violations(role: str, until: datetime | None, now: datetime) -> list[Violation]:
    """Return the faults of the moment at which a seat is to end."""
    if until is None:
        return []
    if role != Role.STAFF:
        return [Violation("until", "does-not-fit", phrase("only a staff seat can have a last day"))]
    if not now < until <= now + LONGEST_STAY:
        words = phrase(
            "a substitute's seat must end in the future, at most {} days ahead", LONGEST_STAY.days
        )
        return [Violation("until", "out-of-range", words)]
    return []


def invite_read(*, public_id: str | uuid.UUID, token: str, now: datetime | None = None) -> Invite:
    """Return the invitation behind a link, while it can be accepted.

    Raises:
        NotFound: It cannot, for whatever reason.
    """
    invite = _invite_of_link(public_id, token)
    if invite.used_at is not None or not _is_valid(invite, now or timezone.now()):
        raise NotFound(NO_INVITE)
    return invite


def invite_accept(
    *, user: AbstractBaseUser, public_id: str | uuid.UUID, token: str, now: datetime | None = None
) -> Membership | None:
    """Take the offered seat. Accepting it again returns the same seat.

    Returns:
        None if the sides of the war now vote on whether the user becomes umpire.

    Raises:
        NotFound: The invitation cannot be accepted.
        RuleViolations: The user already has a conflicting seat.
        NotAllowed: The seat can no longer be taken.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        campaign = lock_campaign(_invite_of_link(public_id, token).campaign)
        invite = Invite.objects.select_for_update().get(token_sha256=_hash(token))
        if invite.used_at is not None and invite.used_by_id == user.pk:
            return _seat_of(invite, user)
        if invite.used_at is not None or not _is_valid(invite, moment):
            raise NotFound(NO_INVITE)
        Invite.objects.filter(pk=invite.pk).update(used_by=user.pk, used_at=moment)
        if invite.replaces is not None:
            return seat_hand_over(
                campaign=campaign,
                user=user,
                player=invite.replaces,
                role=invite.role,
                faction=invite.faction,
                by="" if invite.created_by is None else invite.created_by.get_username(),
                now=moment,
            )
        if voting_host := host_who_needs_vote(invite):
            umpire_vote_open(maker=voting_host, candidate=user, now=moment)
            return None
        return seat_give(
            campaign=campaign,
            user=user,
            role=invite.role,
            faction=invite.faction,
            until=invite.until,
            now=moment,
        )


def host_who_needs_vote(invite: Invite) -> Viewer | None:
    """Return the host who made an invitation, if the sides vote on the invited umpire.

    Such an invitation gives no seat. All others give one at once, and None is returned.
    """
    if invite.role != Role.UMPIRE or invite.campaign.started_at is None:
        return None
    if invite.replaces_id is not None:
        return None
    maker = _maker_of(invite)
    return maker if maker is not None and needs_umpire_vote(maker) else None


def invite_allows_sign_up(*, public_id: str, now: datetime | None = None) -> bool:
    """Return whether this invitation allows creating an account: valid, and not used for one."""
    invite = _by_id(public_id).select_related("campaign", "faction", "created_by").first()
    return invite is not None and _may_sign_up(invite, now or timezone.now())


def invite_sign_up(*, public_id: str, now: datetime | None = None) -> None:
    """Record that an account is created by this invitation, within the caller's transaction.

    Raises:
        NotFound: The invitation allows no account.
    """
    moment = now or timezone.now()
    invite = _by_id(public_id).select_for_update().first()
    if invite is None or not _may_sign_up(invite, moment):
        raise NotFound(NO_INVITE)
    Invite.objects.filter(pk=invite.pk).update(signed_up_at=moment)


def invite_revoke(
    *, viewer: Viewer, invite: str | uuid.UUID, now: datetime | None = None
) -> Invite:
    """Revoke an invitation; revoking it again does nothing.

    Raises:
        NotFound: It is used, or the viewer may not revoke it.
    """
    row = next(
        (item for item in _revocable_invites(viewer) if str(item.public_id) == str(invite)), None
    )
    if row is None or row.used_at is not None:
        raise NotFound(NO_INVITE)
    open_rows = Invite.objects.filter(pk=row.pk, used_at__isnull=True, revoked_at__isnull=True)
    open_rows.update(revoked_at=now or timezone.now())
    row.refresh_from_db()
    return row


def invites_open(*, viewer: Viewer, now: datetime | None = None) -> list[Invite]:
    """Return the valid invitations that the viewer may revoke, oldest first."""
    moment = now or timezone.now()
    result: list[Invite] = []
    for invite in _revocable_invites(viewer):
        if invite.used_at is None and _is_valid(invite, moment):
            result.append(invite)
    return result


def invite_count(*, viewer: Viewer) -> int:
    """Count the invitations that the viewer has made in the campaign."""
    return sum(row.created_by_id == viewer.user.pk for row in INVITES.rows(viewer.campaign.pk))


def _by_id(public_id: str) -> QuerySet[Invite]:
    """Query an invitation by its outside id; none if the text is no id."""
    try:
        return Invite.objects.filter(public_id=uuid.UUID(public_id))
    except ValueError:
        return Invite.objects.none()


def _may_sign_up(invite: Invite, now: datetime) -> bool:
    """Return whether a person without an account may create one by this invitation."""
    return invite.signed_up_at is None and invite.used_at is None and _is_valid(invite, now)


def _revocable_invites(viewer: Viewer) -> list[Invite]:
    """Return the invitations: all for a host, a faction's for its player, else the viewer's."""
    rows = INVITES.rows(viewer.campaign.pk)
    for row in rows:
        row.campaign = viewer.campaign
    if viewer.hosts:
        return rows
    if viewer.plays and viewer.faction is not None:
        return [row for row in rows if row.faction_id == viewer.faction.pk]
    return [row for row in rows if row.created_by_id == viewer.user.pk]


def _is_valid(invite: Invite, now: datetime) -> bool:
    """Return whether it is neither revoked nor expired, and its maker could still make it."""
    if invite.revoked_at is not None or invite.expires <= now or invite.created_by is None:
        return False
    maker = _maker_of(invite)
    return maker is not None and not _refusal(maker, invite.role, invite.faction, invite.replaces)


def _maker_of(invite: Invite) -> Viewer | None:
    """Return who made an invitation; None if they are no longer in the war."""
    if invite.created_by is None:
        return None
    try:
        return viewer_of(invite.created_by, invite.campaign.public_id)
    except NotFound:
        return None


def _refusal(
    viewer: Viewer, role: str, faction: Faction | None, player: AbstractBaseUser | None = None
) -> str:
    """Return why the viewer may not offer this seat now, or an empty text.

    Args:
        player: The player whose seat is to be taken over.
    """
    if player is not None and role == Role.UMPIRE:
        if viewer.umpires and viewer.user.pk == player.pk:
            return ""
        return phrase("only an umpire can hand over their own seat")
    if player is not None and _plays(player, faction):
        return _refusal_of_taken_seat(viewer, player)
    if faction is not None and viewer.plays and viewer.faction == faction:
        return ""
    if role == Role.GUEST:
        return phrase("only a faction's own players can invite guests to see what it sees")
    if viewer.campaign.started_at is None:
        return "" if viewer.hosts else HOSTS_ONLY
    return _refusal_in_running_war(viewer, role, faction)


def _refusal_of_taken_seat(viewer: Viewer, player: AbstractBaseUser) -> str:
    """Return why the viewer may not offer the seat of a player to others, or an empty text."""
    if viewer.user.pk == player.pk or viewer.hosts or viewer.umpires:
        return ""
    return phrase("only its player, the host or the umpire can offer a taken seat")


def _refusal_in_running_war(viewer: Viewer, role: str, faction: Faction | None) -> str:
    """Return why the viewer may not offer a seat in a running war, or an empty text.

    Args:
        faction: A faction that the viewer does not play, or None.
    """
    if faction is not None:
        if played_factions(viewer.campaign).filter(pk=faction.pk).exists():
            return phrase("in a running war only a faction's own players can invite people to it")
        return "" if viewer.hosts or viewer.umpires else HOSTS_ONLY
    if role == Role.UMPIRE:
        if viewer.umpires or (viewer.hosts and not viewer.plays):
            return ""
        if viewer.hosts and has_voters(viewer):
            return ""
        return phrase(
            "in a running war the other sides must agree to an umpire, and none has players"
        )
    return "" if viewer.hosts else HOSTS_ONLY


def _plays(user: AbstractBaseUser, faction: Faction | None) -> bool:
    """Return whether the user has a player's seat in a faction."""
    return Membership.objects.filter(faction=faction, user_id=user.pk, role=Role.PLAYER).exists()


def _invite_of_link(public_id: str | uuid.UUID, token: str) -> Invite:
    """Return the invitation behind a link, valid or not. Raises NotFound.

    Args:
        public_id: The campaign's outside id.
    """
    try:
        campaign_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(NO_INVITE) from error
    rows = Invite.objects.select_related("campaign", "faction", "created_by", "replaces")
    invite = rows.filter(token_sha256=_hash(token), campaign__public_id=campaign_id).first()
    if invite is None:
        raise NotFound(NO_INVITE)
    return invite


def _seat_of(invite: Invite, user: AbstractBaseUser) -> Membership:
    """Return the seat that a user took by an invitation, if they still have it. Raises NotFound."""
    part = Membership.objects.filter(
        campaign_id=invite.campaign_id, user_id=user.pk, role=invite.role, faction=invite.faction
    ).first()
    if part is None:
        raise NotFound(NO_INVITE)
    return part


def _hash(token: str) -> str:
    """Return the hash of a link's secret, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()
