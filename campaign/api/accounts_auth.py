"""Who calls: a token in the header, or the session of the pages."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import models
from rest_framework.authentication import SessionAuthentication, TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed

from campaign.prepared import Prepared
from campaign.services.tokens import token_key

TOKENS = Prepared(lambda key: Token.objects.filter(key=key).select_related("user"), models.CharField())


class TokenLogin(TokenAuthentication):
    """`Authorization: Token <token>`; what is stored is only its hash."""

    def authenticate_credentials(self, key: str) -> tuple[AbstractBaseUser, Any]:
        token = TOKENS.first(token_key(key)) if key.isascii() else None
        if token is None or not token.user.is_active:
            raise AuthenticationFailed
        return token.user, token


class SessionLogin(SessionAuthentication):
    """The session of the pages, with its CSRF check."""
