"""API tokens for programs: named, shown once, read-only or not, and deleted individually.

Only a hash is stored. A token ends when the password changes under which it was made. Calls with an
Idempotency-Key are remembered for a week.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from campaign.errors import NotFound
from campaign.models.account import ApiToken, IdempotentCall
from campaign.services.outside_ids import named_id
from campaign.store.prepared import PreparedRows
from engine.core.errors import RuleViolations, Violation
from engine.core.names import name_fault
from engine.core.phrase import phrase

TOKEN_BYTES = 20
KEY_LENGTH = 40  # hexadecimal digits: 160 bits of the hash
MAX_TOKENS = 20  # per user
LONGEST_NAME = 60  # characters

TOKEN_BY_KEY = PreparedRows(
    lambda key: ApiToken.objects.filter(key=key),
    parameters=(models.CharField(),),
    related=("user",),
)

CALL_RETENTION = timedelta(days=7)  # how long an answer is kept for repeated calls


def token_key(token: str) -> str:
    """Return the stored key of a token."""
    return hashlib.sha256(token.encode()).hexdigest()[:KEY_LENGTH]


@transaction.atomic
def token_make(
    *, user: AbstractBaseUser, name: str = "", read_only: bool = False, now: datetime | None = None
) -> str:
    """Make a token for a program and return it; it cannot be shown again.

    Raises:
        RuleViolations: The name is not valid, or the user has too many tokens.
    """
    fault = name_fault(name, LONGEST_NAME) if name else ""
    if fault:
        raise RuleViolations([Violation("name", "name", fault)])
    # Simultaneous calls count one after the other.
    get_user_model()._default_manager.select_for_update().get(pk=user.pk)
    ApiToken.objects.filter(user_id=user.pk).exclude(password_sha256=_password_hash(user)).delete()
    if ApiToken.objects.filter(user_id=user.pk).count() >= MAX_TOKENS:
        words = phrase(
            "This account already has {} tokens, the maximum. Delete one first.",
            MAX_TOKENS,
        )
        raise RuleViolations([Violation("name", "too-many", words)])
    token = secrets.token_hex(TOKEN_BYTES)
    key = token_key(token)
    ApiToken.objects.create(
        user_id=user.pk,
        public_id=named_id("token", user, key),
        key=key,
        name=name,
        read_only=read_only,
        password_sha256=_password_hash(user),
        created_at=now or timezone.now(),
    )
    return token


def tokens_of(*, user: AbstractBaseUser) -> list[ApiToken]:
    """Return a user's valid tokens, oldest first."""
    rows = ApiToken.objects.filter(user_id=user.pk, password_sha256=_password_hash(user))
    return list(rows.order_by("created_at", "pk"))


def token_end(*, user: AbstractBaseUser, public_id: str | uuid.UUID) -> None:
    """Delete one of a user's tokens. Raises NotFound, also for tokens of other users."""
    try:
        token_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(phrase("there is no such token")) from error
    deleted, _ = ApiToken.objects.filter(user_id=user.pk, public_id=token_id).delete()
    if not deleted:
        raise NotFound(phrase("there is no such token"))


def token_by_secret(*, token: str) -> ApiToken | None:
    """Return the valid token with this secret, with its user, or None."""
    row: Any = TOKEN_BY_KEY.first(token_key(token)) if token.isascii() else None
    if row is None or not row.user.is_active:
        return None
    if not constant_time_compare(row.password_sha256, _password_hash(row.user)):
        return None
    return cast("ApiToken", row)


def is_read_only(token: object) -> bool:
    """Return whether the request's credentials allow only reading; a login session has no token."""
    return isinstance(token, ApiToken) and token.read_only


def _password_hash(user: AbstractBaseUser) -> str:
    """Return a hash that changes with the password and does not reveal it."""
    return hashlib.sha256(f"api-token {user.password}".encode()).hexdigest()


def calls_forget(*, now: datetime) -> int:
    """Delete the answers of calls with an Idempotency-Key after a week; return their number."""
    deleted, _ = IdempotentCall.objects.filter(created_at__lt=now - CALL_RETENTION).delete()
    return deleted
