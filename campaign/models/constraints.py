"""Constraints that the models share."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length

models.CharField.register_lookup(Length)


def sha_check(table: str, *fields: str) -> models.CheckConstraint:
    """The constraint that these fields hold a whole SHA-256 in hexadecimal."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__length": 64})
    return models.CheckConstraint(condition=condition, name=f"{table}_sha256_is_whole")


def one_of(table: str, field: str, values: tuple[str, ...]) -> models.CheckConstraint:
    """The constraint that a text is one of the values."""
    return models.CheckConstraint(
        condition=Q(**{f"{field}__in": values}), name=f"{table}_{field}_is_known"
    )
