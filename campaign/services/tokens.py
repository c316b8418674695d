"""Tokens for programs: one a user, shown once, for reading alone or for all. Only a hash is stored.

A token ends with the password under which it was made, however that was changed. Calls of programs that named an
Idempotency-Key are remembered for a week.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models, transaction
from django.utils.crypto import constant_time_compare
from rest_framework.authtoken.models import Token

from campaign.models.account import IdempotentCall, TokenTerms
from campaign.prepared import Prepared

TOKEN_BYTES = 20
KEY_LENGTH = 40  # of the column: 160 bits of the hash

BY_KEY = Prepared(lambda key: Token.objects.filter(key=key).select_related("user", "terms"), models.CharField())

REMEMBERED = timedelta(days=7)


def token_key(token: str) -> str:
    """The key that is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()[:KEY_LENGTH]


@transaction.atomic
def token_make(*, user: AbstractBaseUser, read_only: bool = False) -> str:
    """A new token of a user, which ends the one before. This is the only time that it can be read."""
    token = secrets.token_hex(TOKEN_BYTES)
    Token.objects.filter(user_id=user.pk).delete()
    made = Token.objects.create(user_id=user.pk, key=token_key(token))
    TokenTerms.objects.create(token=made, read_only=read_only, password_sha256=_mark(user))
    return token


def token_revoke(*, user: AbstractBaseUser) -> bool:
    """End a user's token. Whether there was one."""
    return bool(Token.objects.filter(user_id=user.pk).delete()[0])


def token_named(*, token: str) -> Token | None:
    """The token that a caller shows, with its user, where it opens anything."""
    found: Any = BY_KEY.first(token_key(token)) if token.isascii() else None
    return found if found is not None and found.user.is_active and _stands(found) else None


def token_of(*, user: AbstractBaseUser) -> Token | None:
    """The token of a user, where he has one that has not ended."""
    found = Token.objects.filter(user_id=user.pk).select_related("user", "terms").first()
    return found if found is not None and _stands(found) else None


def reads_only(token: object) -> bool:
    """Whether what a caller has shown lets him read and nothing else. (Whoever has logged in shows no token.)"""
    if not isinstance(token, Token):
        return False
    terms = _terms(token)
    return terms is None or terms.read_only


def _terms(token: Token) -> TokenTerms | None:
    """What the token is good for; None where that stands nowhere."""
    found: TokenTerms | None = getattr(token, "terms", None)
    return found


def _stands(token: Token) -> bool:
    terms = _terms(token)
    return terms is not None and constant_time_compare(terms.password_sha256, _mark(token.user))


def _mark(user: AbstractBaseUser) -> str:
    """What changes with the password, and tells nothing of it."""
    return hashlib.sha256(f"api-token {user.password}".encode()).hexdigest()


def calls_forget(*, now: datetime) -> int:
    """Forget the answers older than a week; how many."""
    return IdempotentCall.objects.filter(created_at__lt=now - REMEMBERED).delete()[0]
