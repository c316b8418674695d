"""The truth after a stage, the umpire's sheet; his rulings, which change it; and the head of it in
rows.

Snapshots and rulings are append-only. The rows are for the umpire's lists and search: rebuildable,
never read by adjudication or players.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.models.campaign import Branch
from campaign.models.constraints import sha_check


class Snapshot(models.Model):
    """The truth after a stage.

    `world`: the document of `campaign.rules.world.World`, `sha256` over its canonical text; `stage`
    is the stage it waits for. `happenings`: what happened on the way here, each with its audience,
    for the umpire.
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="snapshots")
    seq = models.PositiveIntegerField()
    week = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    schema = models.PositiveSmallIntegerField()
    world = models.JSONField()
    happenings = models.JSONField()
    sha256 = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=20)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("branch", "seq"), name="snapshot_one_of_a_seq"),
            sha_check("snapshot", "sha256"),
        )

    def __str__(self) -> str:
        return f"snapshot {self.seq} of branch {self.branch_id}"


class Ruling(models.Model):
    """`audience`: the factions that read it now (keys); everyone reads it when the war is over."""

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="rulings")
    before = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="rulings_from_here")
    after = models.OneToOneField(Snapshot, on_delete=models.PROTECT, related_name="ruling")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rulings"
    )
    reason = models.TextField()
    schema = models.PositiveSmallIntegerField()
    patch = models.JSONField()
    audience = models.JSONField()

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(before=F("after")), name="ruling_changes_something"
            ),
        )

    def __str__(self) -> str:
        return f"ruling on branch {self.branch_id}"


class Projected(models.Model):
    """The fields all projections share: the branch and the thing's stable key."""

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=120)

    class Meta:
        abstract = True
        constraints = (
            models.UniqueConstraint(fields=("branch", "key"), name="%(class)s_one_of_a_key"),
        )

    def __str__(self) -> str:
        return self.key


class Fleet(Projected):
    """A fleet where it stands. `faction` is the faction's key."""

    faction = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    hex = models.CharField(max_length=4)
    in_ftl = models.BooleanField()
    must_leave = models.BooleanField()
    decoys = models.PositiveIntegerField()
    ships = models.PositiveIntegerField()

    class Meta(Projected.Meta):
        indexes = (models.Index(fields=("branch", "hex"), name="fleet_in_a_hex"),)


class Ship(Projected):
    """A ship.

    `fleet`: its fleet's key; `cls`: its class; `lost`: system ids; `stock`: pairs of what is below
    full.

    `tug`: the key of what has it in tow, or empty; `cargo`: how much of what is left, in words;
    `settings`: pairs of what is set or loaded otherwise than its class.
    """

    faction = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    cls = models.CharField(max_length=120)
    fleet = models.CharField(max_length=120)
    hex = models.CharField(max_length=4)
    damage = models.PositiveIntegerField()
    lost = models.JSONField()
    docked = models.BooleanField()
    stock = models.JSONField(default=list)
    tug = models.CharField(max_length=120, blank=True, default="")
    laid_up = models.BooleanField(default=False)
    cargo = models.CharField(max_length=200, blank=True, default="")
    settings = models.JSONField(default=list)

    class Meta(Projected.Meta):
        indexes = (models.Index(fields=("branch", "fleet"), name="ship_in_a_fleet"),)


class FacilityState(Projected):
    """A system and its facility: `key` is the system's; `holder` and `superior` are faction keys or
    empty.
    """

    holder = models.CharField(max_length=80, blank=True)
    since = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16)
    superior = models.CharField(max_length=80, blank=True)
    facility = models.CharField(max_length=80, blank=True)


class Repair(Projected):
    """A docked ship with something to mend: `key` is the ship's."""

    faction = models.CharField(max_length=80)
    hex = models.CharField(max_length=4)
    damage = models.PositiveIntegerField()
    systems = models.JSONField()
