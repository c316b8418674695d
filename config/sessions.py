"""Sessions and their users, loaded with prepared queries. Nothing is cached between requests."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import BigIntegerField, CharField
from django.http import HttpRequest
from django.utils import timezone

from campaign.store.prepared import PreparedRows

SESSION = PreparedRows(
    lambda key: Session.objects.filter(session_key=key), parameters=(CharField(),)
)
USER = PreparedRows(
    lambda key: User.objects.filter(pk=key),
    parameters=(BigIntegerField(),),
    related=("preference",),
)


class SessionStore(db.SessionStore):
    """Sessions in the database."""

    def _get_session_from_db(self) -> Any:
        """Return this session's unexpired row, or forget the key as Django's own store does."""
        row = SESSION.first(self.session_key or "")
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return None
        return row


class Backend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's login backend, with faster loading of the user."""

    def get_user(self, user_id: Any) -> AbstractBaseUser | None:
        """Return the user of a session, if the account may still log in."""
        rows = USER.rows_with_related(user_id)
        if not rows:
            return None
        user, preference = rows[0]
        user.stored_preference = preference  # None: no preference stored
        return user if self.user_can_authenticate(user) else None

    def _authenticate(
        self,
        request: HttpRequest | None,  # noqa: ARG002 allauth's signature
        **credentials: Any,
    ) -> AbstractBaseUser | None:
        """Return the user that matches a name or address and a password.

        Names and addresses are each looked up once, so known addresses take no longer than unknown
        ones.
        """
        name = credentials.get("username") or credentials.get("email") or ""
        password = credentials["password"]
        user = self._authenticate_by_username(name, password) or self._authenticate_by_email(
            name, password
        )
        if isinstance(user, AbstractBaseUser):
            return user
        return None
