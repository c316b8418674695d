"""Tokens for programs: one a user, shown once. Only a hash is stored."""

from __future__ import annotations

import hashlib
import secrets

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from rest_framework.authtoken.models import Token

TOKEN_BYTES = 20
KEY_LENGTH = 40  # of the column: 160 bits of the hash


def token_key(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()[:KEY_LENGTH]


@transaction.atomic
def token_make(*, user: AbstractBaseUser) -> str:
    """A new token of a user, which ends the one before. This is the only time that it can be read."""
    token = secrets.token_hex(TOKEN_BYTES)
    Token.objects.filter(user_id=user.pk).delete()
    Token.objects.create(user_id=user.pk, key=token_key(token))
    return token


def token_revoke(*, user: AbstractBaseUser) -> bool:
    """End a user's token. Whether there was one."""
    return bool(Token.objects.filter(user_id=user.pk).delete()[0])


def token_exists(*, user: AbstractBaseUser) -> bool:
    """Whether a user has a token."""
    return Token.objects.filter(user_id=user.pk).exists()
