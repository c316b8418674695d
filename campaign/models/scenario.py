"""A scenario as it was when it was loaded; a changed one is a new version."""

from __future__ import annotations

from django.db import models

from campaign.models.constraints import sha_check


class Scenario(models.Model):
    """`body`: the document of `campaign.rules.scenario.Scenario`, `sha256` over its canonical text. Never changed."""

    slug = models.SlugField(max_length=80)
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    schema = models.PositiveSmallIntegerField()
    body = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("slug", "version"), name="scenario_one_of_a_version"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="scenario_version_from_one"),
            sha_check("scenario", "sha256"),
        )

    def __str__(self) -> str:
        return f"{self.slug} {self.version}"
