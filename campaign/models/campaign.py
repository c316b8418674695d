"""A campaign: its factions, branches, memberships, invitations and excused weeks.

A rollback opens a new branch at an old snapshot; nothing is deleted. The link of an invitation
contains a secret, of which only the hash is stored. No stage waits for a faction in a week for
which it is excused.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.kinds import BranchDice, BranchKind, Role, SeatEndCause
from campaign.models.constraints import one_of, sha_check
from campaign.models.scenario import Scenario

FACTION_ROLES = (Role.PLAYER, Role.STAFF)
# A guest sees what the faction sees, without giving orders
ROLES_WITH_FACTION = (*FACTION_ROLES, Role.GUEST)


def active_condition(now: datetime, path: str = "") -> Q:
    """Return the condition for memberships that have not ended.

    Args:
        path: The lookup prefix from the queried model to the membership.
    """
    return Q(**{f"{path}until__isnull": True}) | Q(**{f"{path}until__gt": now})


class Campaign(models.Model):
    """A war.

    Attributes:
        ruleset: {edition, options, rules_version, battles}. `battles` says how battles are fought
            (captains, online, table); captains if absent. `single` marks a war of one battle only,
            `bots` one in which programs may take seats. For `messages` and `umpire_reads` see
            `campaign.rules.message_rules`, for `rollback` and `rollback_consent`
            `campaign.rules.rollback_rules`. `dice` is 2 in wars whose dice follow the key tree
            (`engine.core.war_dice`).
        timetable: See `campaign.rules.timetable`.
        seed: 32 bytes in hex that make the dice; secret until the end. Its SHA-256 is public.
        dice_key: The name of the campaign in the keys of its dice.
        id_secret: 32 bytes in hex that make the ids that players see; never published.
        paused_at: While it is set, nothing falls due.
        paused_until: When the clock resumes automatically; null: never.
        hidden_at: When the host took a running war out of the gallery.
        forked_from: The snapshot of another war with whose world this one begins.
    """

    public_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=200)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="campaigns")
    ruleset = models.JSONField()
    timetable = models.JSONField()
    seed = models.CharField(max_length=64)
    seed_sha256 = models.CharField(max_length=64)
    dice_key = models.CharField(max_length=80)
    id_secret = models.CharField(max_length=64)
    head_branch = models.OneToOneField(
        "Branch", on_delete=models.PROTECT, null=True, related_name="headed"
    )
    forked_from = models.ForeignKey(
        "Snapshot", on_delete=models.PROTECT, null=True, related_name="forks"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)
    hidden_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            sha_check("campaign", "seed_sha256"),
            models.CheckConstraint(
                condition=Q(seed__length=64, id_secret__length=64) & ~Q(seed=models.F("id_secret")),
                name="campaign_secrets_are_whole",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Faction(models.Model):
    """A faction of the war.

    Attributes:
        key: Its id in the scenario.
        admiral: The character of the computer admiral that gives its orders if its players have
            sealed nothing; empty: default orders apply.
        seals_empty: Whether its players chose to have stages without any decision sealed for them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="factions")
    key = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    alliance = models.CharField(max_length=80, blank=True)
    admiral = models.CharField(max_length=80, blank=True)
    seals_empty = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("campaign", "key"), name="faction_one_of_a_key"),
            models.CheckConstraint(condition=~Q(key=""), name="faction_has_a_key"),
        )

    def __str__(self) -> str:
        return self.name


class Branch(models.Model):
    """A line of a war's history. `campaign.lineage` opens branches and reads along their ancestry.

    Attributes:
        parent: The snapshot from which it starts; null: the beginning of the war. The first branch
            of a fork names a snapshot of another war.
        head: Its newest snapshot; null: not started.
        reason: Why it was opened. Everybody may read it.
        opened_at: Null for the branches that were opened before this was recorded.
        left_at: When a later branch became the head; null while it is the head.
        dice: Whether it rolls dice of its own or goes on with those of its parent.
        dice_number: The number of the branch in the keys of its dice: its own, or the parent's.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="branches")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey(
        "Snapshot", on_delete=models.PROTECT, null=True, related_name="branches_from_here"
    )
    head = models.ForeignKey("Snapshot", on_delete=models.PROTECT, null=True, related_name="heads")
    reason = models.CharField(max_length=400, blank=True)
    kind = models.CharField(max_length=16, default=BranchKind.BEGINNING)
    opened_at = models.DateTimeField(null=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    left_at = models.DateTimeField(null=True)
    dice = models.CharField(max_length=16, default=BranchDice.FRESH)
    dice_number = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("campaign", "number"), name="branch_one_of_a_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="branch_number_from_one"),
            one_of("branch", "kind", tuple(BranchKind)),
            one_of("branch", "dice", tuple(BranchDice)),
        )

    def __str__(self) -> str:
        return f"branch {self.number} of {self.campaign_id}"


class Lineage(models.Model):
    """An ancestor of a branch, and up to where the branch shares its history. Append-only.

    Attributes:
        ancestor: The branch itself, the branch of its parent, and so on back to the first.
        upto: The number of the last snapshot of the ancestor that the branch shares;
            `campaign.lineage.WHOLE` for the branch itself.
        distance: 0 for the branch itself, 1 for the branch of its parent, and so on.
    """

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="ancestry")
    ancestor = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="heirs")
    upto = models.PositiveIntegerField()
    distance = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "ancestor"), name="lineage_one_of_ancestor"),
        )
        indexes = (models.Index(fields=("branch", "ancestor", "upto"), name="lineage_of_branch"),)

    def __str__(self) -> str:
        return f"branch {self.branch_id} shares {self.ancestor_id} up to {self.upto}"


class Membership(models.Model):
    """A user's role in a campaign.

    A host runs the clock and may also play. Every other role excludes all others in that campaign:
    an umpire never plays, and no user has a seat in two factions. A guest reads what a faction may
    read and cannot be host.

    Attributes:
        until: When the seat of staff who stand in for a player ends; from then on it gives no
            access.
        put_away_at: When the user put the war away from their list of finished wars.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=16)
    faction = models.ForeignKey(
        Faction, on_delete=models.CASCADE, null=True, related_name="memberships"
    )
    until = models.DateTimeField(null=True)
    put_away_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            one_of("membership", "role", tuple(Role)),
            models.CheckConstraint(
                condition=Q(role__in=ROLES_WITH_FACTION, faction__isnull=False)
                | (~Q(role__in=ROLES_WITH_FACTION) & Q(faction__isnull=True)),
                name="membership_faction_fits_role",
            ),
            models.UniqueConstraint(
                fields=("campaign", "user"),
                condition=~Q(role=Role.HOST),
                name="membership_one_part_a_user",
            ),
            models.UniqueConstraint(fields=("campaign", "user", "role"), name="membership_once"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(role=Role.STAFF),
                name="membership_ends_by_itself_as_staff",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id} as {self.role}"


class Invite(models.Model):
    """An invitation to a seat that can be used once, before `expires`, unless it is revoked.

    Attributes:
        signed_up_at: When an account was created with it.
        until: When the seat itself ends, for staff who stand in for a player.
        replaces: The player whose seat the invited user takes over; they keep it until then.
    """

    public_id = models.UUIDField(unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=16)
    faction = models.ForeignKey(
        Faction, on_delete=models.CASCADE, null=True, related_name="invites"
    )
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires = models.DateTimeField()
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    signed_up_at = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True)
    replaces = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        constraints = (
            one_of("invite", "role", tuple(Role)),
            sha_check("invite", "token_sha256"),
            models.CheckConstraint(
                condition=Q(role__in=ROLES_WITH_FACTION, faction__isnull=False)
                | (~Q(role__in=ROLES_WITH_FACTION) & Q(faction__isnull=True)),
                name="invite_faction_fits_role",
            ),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(revoked_at__isnull=True),
                name="invite_used_or_revoked",
            ),
            models.CheckConstraint(
                condition=Q(used_by__isnull=True) | Q(used_at__isnull=False),
                name="invite_user_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(expires__gt=F("created_at")), name="invite_expires_after_it_is_made"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(role=Role.STAFF),
                name="invite_to_a_seat_that_ends_is_for_staff",
            ),
            models.CheckConstraint(
                condition=Q(replaces__isnull=True) | Q(role__in=(Role.PLAYER, Role.UMPIRE)),
                name="invite_that_replaces_fits_role",
            ),
        )

    def __str__(self) -> str:
        return f"{self.role} in {self.campaign_id}"


class SeatEnd(models.Model):
    """The last seat that a user lost in a campaign, with the reason.

    It gives access to the public record and to a page that states the reason, and to nothing else.
    It is deleted when the user takes a seat in the campaign again.

    Attributes:
        by: The name of the user who ended the seat.
        new: The name of the user who took it over.
        hidden_at: When the user removed the campaign from their list of wars.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seat_ends")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seat_ends"
    )
    role = models.CharField(max_length=16)
    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, null=True, related_name="+")
    cause = models.CharField(max_length=16)
    by = models.CharField(max_length=150, blank=True)
    new = models.CharField(max_length=150, blank=True)
    reason = models.CharField(max_length=400, blank=True)
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            one_of("seat_end", "role", tuple(Role)),
            one_of("seat_end", "cause", tuple(SeatEndCause)),
            models.UniqueConstraint(fields=("campaign", "user"), name="seat_end_newest_alone"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} was {self.role} in {self.campaign_id}"


class Excuse(models.Model):
    """A week for which a faction is excused.

    If it seals nothing in that week, default orders apply and no computer admiral takes over.

    Attributes:
        branch: The head branch when it was granted; null before the war.
        ordinal: The ordinal of the stage that was open then.
    """

    faction = models.ForeignKey(Faction, on_delete=models.CASCADE, related_name="excuses")
    week = models.PositiveSmallIntegerField()
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, null=True, related_name="excuses")
    ordinal = models.PositiveIntegerField()
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("faction", "week", "branch"), name="excuse_once_a_week_and_branch"
            ),
        )

    def __str__(self) -> str:
        return f"week {self.week} of faction {self.faction_id}"
