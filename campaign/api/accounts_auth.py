"""Who calls: a token in the header, or the session of the pages."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from rest_framework.authentication import SessionAuthentication, TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from campaign.services.tokens import token_named


class TokenLogin(TokenAuthentication):
    """`Authorization: Token <token>`; what is stored is only its hash."""

    def authenticate_credentials(self, key: str) -> tuple[AbstractBaseUser, Any]:
        token = token_named(token=key)
        if token is None:
            raise AuthenticationFailed
        return token.user, token


class SessionLogin(SessionAuthentication):
    """The session of the pages, with its CSRF check."""
