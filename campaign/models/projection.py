"""The head snapshot in rows, for the umpire's lists and search: rebuildable, never read by adjudication or players."""

from __future__ import annotations

from django.db import models

from campaign.models.branch import Branch


class Projected(models.Model):
    """What all projections share: the branch and the thing's stable key."""

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=120)

    class Meta:
        abstract = True
        constraints = (models.UniqueConstraint(fields=("branch", "key"), name="%(class)s_one_of_a_key"),)

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
    """A ship. `fleet`: its fleet's key; `cls`: its class; `lost`: system ids; `stock`: pairs of what is below full.

    `tug`: the key of what has it in tow, or empty; `cargo`: how much of what is left, in words; `settings`: pairs of
    what is set or loaded otherwise than its class.
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
    """A system and its facility: `key` is the system's; `holder` and `superior` are faction keys or empty."""

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
