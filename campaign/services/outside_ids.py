"""Outside ids of users' own items, which reveal no count and cannot be guessed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet

from campaign.rules.public_ids import outside_id


def unused_ids(
    kind: str, user: AbstractBaseUser, ids_per_query: int, rows: QuerySet[Any]
) -> Iterator[uuid.UUID]:
    """Yield unused ids of a kind for a user.

    They need not be secret: access also requires the owner's login.

    Args:
        ids_per_query: How many ids to look up per query.
        rows: The rows whose ids are in use.
    """
    for first in count(0, ids_per_query):
        ids = []
        for number in range(first, first + ids_per_query):
            ids.append(named_id(kind, user, str(number)))
        used = set(rows.filter(public_id__in=ids).values_list("public_id", flat=True))
        for id_ in ids:
            if id_ not in used:
                yield id_


def named_id(kind: str, user: AbstractBaseUser, name: str) -> uuid.UUID:
    """Return the id of a user's item of this kind and name."""
    secret = sha256(settings.SECRET_KEY.encode()).hexdigest()
    return outside_id(secret, kind, f"{user.get_username()}/{name}")
