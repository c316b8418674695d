"""A scenario as it was loaded, with its public map; a changed file is a new version.

The rows of the map are for searching; adjudication reads the scenario's `body` instead.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from campaign.models.constraints import sha_check


class Scenario(models.Model):
    """A version of a scenario. Rows never change.

    Attributes:
        body: The document of `campaign.rules.scenario.Scenario`.
        sha256: The hash of the canonical text of `body`.
    """

    slug = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("slug", "version"), name="scenario_one_of_a_version"),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="scenario_version_from_one"
            ),
            sha_check("scenario", "sha256"),
        )

    def __str__(self) -> str:
        return f"{self.slug} {self.version}"


class StarMap(models.Model):
    """A map of `columns` by `rows` hexes, labelled CCRR."""

    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, related_name="starmap")
    columns = models.PositiveSmallIntegerField()
    rows = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(columns__gte=1, columns__lte=99, rows__gte=1, rows__lte=99),
                name="starmap_has_hexes",
            ),
        )

    def __str__(self) -> str:
        return f"map of {self.scenario}"


class System(models.Model):
    """A star system.

    Attributes:
        owner: The key of the faction that owns it at the start of the war; empty: none.
    """

    starmap = models.ForeignKey(StarMap, on_delete=models.CASCADE, related_name="systems")
    key = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    hex = models.CharField(max_length=4)
    owner = models.CharField(max_length=80, blank=True)
    settled = models.BooleanField()
    facility = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("starmap", "key"), name="system_one_of_a_key"),
            models.UniqueConstraint(fields=("starmap", "hex"), name="system_one_in_a_hex"),
        )

    def __str__(self) -> str:
        return self.name


class Link(models.Model):
    """A portal, gate or jump point between two hexes.

    Attributes:
        cost: How many hexes of a week's move it costs.
    """

    starmap = models.ForeignKey(StarMap, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=40)
    a = models.CharField(max_length=4)
    b = models.CharField(max_length=4)
    cost = models.PositiveSmallIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("starmap", "kind", "a", "b"), name="link_one_of_a_kind"
            ),
            models.CheckConstraint(condition=~Q(a=F("b")), name="link_joins_two_hexes"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.a}-{self.b}"


class ClosedHex(models.Model):
    """A hex that no fleet may enter."""

    starmap = models.ForeignKey(StarMap, on_delete=models.CASCADE, related_name="closed_hexes")
    hex = models.CharField(max_length=4)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("starmap", "hex"), name="closed_hex_once"),)

    def __str__(self) -> str:
        return self.hex
