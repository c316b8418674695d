"""Database constraints that several models share."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length

models.CharField.register_lookup(Length)


def sha_check(table: str, *fields: str) -> models.CheckConstraint:
    """Return the constraint that each field holds a SHA-256 of 64 hex digits."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__length": 64})
    return models.CheckConstraint(condition=condition, name=f"{table}_sha256_is_whole")


def one_of(table: str, field: str, values: tuple[str, ...]) -> models.CheckConstraint:
    """Return the constraint that a text field holds one of the values."""
    return models.CheckConstraint(
        condition=Q(**{f"{field}__in": values}), name=f"{table}_{field}_is_known"
    )
