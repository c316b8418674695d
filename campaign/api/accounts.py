"""API resources for tokens, the caller's account, health, and the API's own description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Literal

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import authenticate
from django.db import connection
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.kinds import RoleText
from campaign.models.account import ApiToken
from campaign.models.campaign import Membership, active_condition
from campaign.services.bots import bot_set, is_bot
from campaign.services.tokens import MAX_TOKENS, token_by_secret, token_end, token_make, tokens_of
from campaign.web.problems import Refusal, login_wait


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login.

    Attributes:
        username: User name or e-mail address.
        read_only: Whether the token only allows reading.
        name: The program that uses the token, as shown in the list of tokens.
    """

    username: str
    password: str
    read_only: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token, which is shown only once.

    Attributes:
        read_only: The token only allows GET.
        id: Identifies the token when it is deleted.
    """

    token: str
    read_only: bool
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token of the caller.

    Attributes:
        this: It is the token of this call.
    """

    id: str
    name: str
    read_only: bool
    created_at: datetime
    this: bool


@dataclass(frozen=True, slots=True)
class TokenList:
    """The caller's tokens, oldest first.

    Attributes:
        most: The largest possible number.
    """

    tokens: list[TokenLine]
    most: int


@dataclass(frozen=True, slots=True)
class Part:
    """The caller's seats in a campaign.

    Attributes:
        faction: The key of their faction, for players and staff.
    """

    campaign: str
    name: str
    roles: list[RoleText]
    faction: str | None


@dataclass(frozen=True, slots=True)
class Me:
    """A user name, and the user's seats in campaigns.

    Attributes:
        bot: The account belongs to a program.
    """

    username: str
    bot: bool
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class BotSetting:
    """Whether the account belongs to a program, as shown to all members of its wars."""

    bot: bool


@dataclass(frozen=True, slots=True)
class Health:
    """The answer of a server that works."""

    status: Literal["ok"]


class HealthResource(Resource):
    """Whether the server and its database work."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @documented("health", "Whether the server works", {200: Health}, open_to_all=True, tag="server")
    def get(self, request: Request) -> HttpResponse:
        """Return 200 if the server and its database work. Needs no login."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return json_response(Health("ok"))


class TokenResource(Resource):
    """The caller's token."""

    throttled_as = "token"

    def get_authenticators(self) -> list[Any]:
        """Return none for POST, which logs in by the name and password in its body."""
        if self.request is not None and self.request.method == "POST":
            return []
        return super().get_authenticators()

    def get_permissions(self) -> Sequence[Any]:
        """Return the permissions: POST needs no login, the rest does."""
        if self.request.method == "POST":
            return [AllowAny()]
        return super().get_permissions()

    @documented(
        "token_make",
        "Create another token with a user name and a password",
        {201: NewToken},
        body_type=Credentials,
        open_to_all=True,
        writes=True,
        problems=(401, 403),
        tag="accounts",
    )
    def post(self, request: Request) -> HttpResponse:
        """Return a new token, which is shown only once.

        401: wrong name or password; 403: the account has a second factor, so its tokens are made on
        the profile page; 429: too many wrong passwords.
        """
        body = body_of(request, Credentials)
        user = authenticate(request._request, username=body.username, password=body.password)
        if user is None:
            if getattr(request._request, "axes_locked_out", False):
                # The problem below is the answer, instead of the page for locked accounts
                request._request.axes_locked_out = False  # type: ignore[attr-defined]
                raise Refusal(
                    429,
                    "locked-out",
                    "too many wrong passwords; try again later",
                    {"Retry-After": login_wait()},
                )
            raise AuthenticationFailed
        if is_mfa_enabled(user):
            raise Refusal(
                403,
                "second-factor",
                "two-factor authentication: create a token on your profile page",
            )
        token = token_make(user=user, name=body.name, read_only=body.read_only)
        row = token_by_secret(token=token)
        if row is None:  # the password was changed at this moment
            raise AuthenticationFailed
        return json_response(NewToken(token, row.read_only, str(row.public_id), row.name), 201)

    @documented(
        "token_end", "Delete the token of this call", {204: None}, tag="accounts", problems=(403,)
    )
    def delete(self, request: Request) -> HttpResponse:
        """Delete the token of this call; a call without one changes nothing."""
        if isinstance(request.auth, ApiToken):
            token_end(user=user_of(request), public_id=request.auth.public_id)
        return HttpResponse(status=204)


class TokenListResource(Resource):
    """The caller's tokens."""

    @documented(
        "tokens",
        "The caller's tokens: names, permissions, time of creation",
        {200: TokenList},
        tag="accounts",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the account's valid tokens, oldest first, without their secrets."""
        rows = tokens_of(user=user_of(request))
        lines = []
        for row in rows:
            lines.append(
                TokenLine(
                    id=str(row.public_id),
                    name=row.name,
                    read_only=row.read_only,
                    created_at=row.created_at,
                    this=row == request.auth,
                )
            )
        return json_response(TokenList(lines, MAX_TOKENS))


class TokenOneResource(Resource):
    """One of the caller's tokens."""

    @documented(
        "token_end_one",
        "Delete one of the caller's tokens",
        {204: None},
        tag="accounts",
        problems=(403, 404),
    )
    def delete(self, request: Request, token: str) -> HttpResponse:
        """Delete this token at once; the others stay valid."""
        token_end(user=user_of(request), public_id=token)
        return HttpResponse(status=204)


class MeResource(Resource):
    """The caller's account."""

    @documented("me", "The current user and their roles in campaigns", {200: Me}, tag="accounts")
    def get(self, request: Request) -> HttpResponse:
        """Return the user name and, for each campaign by name, all roles of the user."""
        return json_response(_me(user_of(request)))

    @documented(
        "me_put",
        "Say whether this account is a bot",
        {200: Me},
        body_type=BotSetting,
        writes=True,
        tag="accounts",
    )
    @idempotent
    def put(self, request: Request) -> HttpResponse:
        """Mark the account as a bot or not, and return it. 403 while it takes part in a war."""
        bot_set(user=user_of(request), bot=body_of(request, BotSetting).bot)
        return json_response(_me(user_of(request)))


def _me(user: Any) -> Me:
    return Me(user.get_username(), is_bot(user), parts_of(user))


def parts_of(user: Any) -> list[Part]:
    """Return a user's seats, one entry per campaign, by the campaigns' names."""
    memberships = Membership.objects.filter(
        active_condition(timezone.now()), user_id=user.pk
    ).select_related("campaign", "faction")
    parts: dict[int, Part] = {}
    for membership in memberships.order_by("campaign__name", "campaign_id", "role"):
        campaign = membership.campaign
        part = parts.get(membership.campaign_id) or Part(
            campaign=str(campaign.public_id), name=campaign.name, roles=[], faction=None
        )
        if membership.faction is not None:
            part = replace(part, faction=membership.faction.key)
        parts[membership.campaign_id] = replace(part, roles=[*part.roles, membership.role])
    return list(parts.values())


@cache
def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document, generated once per process.

    This takes a second, and the result is the same for all callers.
    """
    document: dict[str, Any] = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return document


class SchemaResource(SpectacularJSONAPIView):
    """The OpenAPI document, for all callers."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the cached document."""
        return Response(
            openapi_document(),
            headers={"Content-Disposition": 'inline; filename="Blind Jump.json"'},
        )


class DocsPage(SpectacularSwaggerSplitView):
    """The OpenAPI document to read and try, from local files without inline scripts or styles."""

    authentication_classes = (
        SessionAuthentication,
    )  # only for the page's frame: the API itself uses tokens
    permission_classes = (AllowAny,)
    throttle_classes = ()
    url_name = "api-schema"
    template_name = "api/docs.html"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page in the site's frame, or with `?script` its script unchanged."""
        page: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if "script" in request.GET:
            return page
        return render(request._request, self.template_name, page.data)
