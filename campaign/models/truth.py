"""The truth after each stage, the umpire's rulings, and the newest truth in rows.

Snapshots and rulings are append-only. The rows serve the umpire's lists and search: they can be
rebuilt, and neither adjudication nor players read them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from campaign.models.campaign import Branch
from campaign.models.constraints import sha_check


class Snapshot(models.Model):
    """The truth after a stage.

    Attributes:
        stage: The stage that it waits for.
        world: The document of `campaign.rules.world.World`.
        events: The events that led to it, each with its audience, for the umpire.
        sha256: The hash of the canonical text of `world`.
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="snapshots")
    seq = models.PositiveIntegerField()
    week = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=16)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    schema = models.PositiveSmallIntegerField()
    world = models.JSONField()
    events = models.JSONField()
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
    """An umpire's change of the truth. It resolved a stage without playing it.

    Attributes:
        stage: The stage that it closed.
        number: Counts along the line from 1.
        actor: None after the account was deleted.
        patch: The document of `umpire.adjudication.rulings.Ruling`.
        audience: Keys of the factions that were notified; everyone reads it after the war.
        undoes: The ruling that it undoes.
    """

    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="rulings")
    stage = models.OneToOneField("Stage", on_delete=models.PROTECT, related_name="ruling")
    number = models.PositiveIntegerField()
    before = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="rulings_from_here")
    after = models.OneToOneField(Snapshot, on_delete=models.PROTECT, related_name="ruling")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="rulings"
    )
    reason = models.TextField()
    public_note = models.TextField(blank=True)
    schema = models.PositiveSmallIntegerField()
    patch = models.JSONField()
    audience = models.JSONField()
    undoes = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="undone_by"
    )

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(before=F("after")), name="ruling_changes_something"
            ),
            models.UniqueConstraint(fields=("branch", "number"), name="ruling_one_of_a_number"),
        )

    def __str__(self) -> str:
        return f"ruling {self.number} on branch {self.branch_id}"


class Projected(models.Model):
    """The fields that all rows of the newest truth share.

    Attributes:
        key: The stable key of the object in the world.
    """

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
    """A fleet at its present position.

    Attributes:
        faction: The faction's key.
    """

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
    """A ship in its present state.

    Attributes:
        cls: The name of its class.
        fleet: The key of its fleet.
        lost: Ids of lost systems.
        stock: Pairs of a store and what is left of it, where it is not full.
        tug: The key of the ship that has it in tow; empty: none.
        cargo: What it carries and how much is left, as text.
        settings: Pairs of systems and settings or loads that differ from the class.
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
    """A star system and its facility.

    Attributes:
        key: The key of the system.
        holder: A faction's key, or empty.
        superior: The key of the faction that has superiority there, or empty.
    """

    holder = models.CharField(max_length=80, blank=True)
    since = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16)
    superior = models.CharField(max_length=80, blank=True)
    facility = models.CharField(max_length=80, blank=True)


class Repair(Projected):
    """A docked ship that needs repairs; `key` is the ship's."""

    faction = models.CharField(max_length=80)
    hex = models.CharField(max_length=4)
    damage = models.PositiveIntegerField()
    systems = models.JSONField()
