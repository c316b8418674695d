"""What all API resources share: authentication, rate limits, the campaign and stage, responses.

A caller is identified by a token in the header or by the pages' session. Requests are counted per
minute by account, or by address without a login. An unknown address under /api/ is answered like a
hidden resource. The state of a campaign is the same for all its members.
"""

from __future__ import annotations

import functools
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.cache import cache
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.utils import extend_schema
from pydantic import TypeAdapter
from rest_framework.authentication import (
    BaseAuthentication,
    SessionAuthentication,
    TokenAuthentication,
)
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from campaign.access import Viewer, require, viewer_for
from campaign.api.requests import is_unchanged, quoted, run_once, user_of
from campaign.api.shapes import StageSheet
from campaign.errors import NotFound
from campaign.kinds import StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage
from campaign.rules.limits import LARGE
from campaign.selectors.envelopes import newest_stage_of
from campaign.services.heavy import heavy_act
from campaign.services.preferences import preference_of
from campaign.services.seat_ends import seat_end_of, seat_end_words
from campaign.services.tokens import is_read_only, token_by_secret
from campaign.services.umpire_access import access_record, subject_of
from campaign.sight.views import Sight, current_sight, sight_at_stage
from campaign.store.publication import public_stage, public_stages
from campaign.web.addresses import client_key_of
from campaign.web.problems import Refusal, handle
from campaign.words.languages import ENGLISH, languages
from engine.core.errors import RuleViolations, Violation

Action = TypeVar("Action", bound=Callable[..., HttpResponse])
JSON = "application/json"

MINUTE = 60  # seconds
SAFE = ("GET", "HEAD")  # methods that change nothing

# Requests per minute; the setting `API_RATES` overrides them. They are generous, because programs
# that play wars are welcome.
RATES = {"read": 60_000, "write": 1200, "stranger": 600, "token": 20}


class TokenLogin(TokenAuthentication):
    """Authentication by `Authorization: Token <token>`; only the token's hash is stored."""

    def authenticate_credentials(self, key: str) -> tuple[AbstractBaseUser, Any]:
        """Return the user of a token, and the token. Raises AuthenticationFailed."""
        token = token_by_secret(token=key)
        if token is None:
            raise AuthenticationFailed
        return token.user, token


class SessionLogin(SessionAuthentication):
    """Authentication by the pages' session, with its CSRF check."""


class RequestCounter(BaseThrottle):
    """A request counter for each caller, kind and minute; each process counts separately."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request, and return whether the caller is within this minute's rate."""
        user = request.user
        if user is not None and user.is_authenticated:
            kind = "read" if request.method in SAFE else "write"
            caller = f"u{user.pk}"
        else:
            kind = getattr(view, "throttled_as", "stranger")
            caller = client_key_of(request._request)
        now = int(time.time())
        key = f"api/{kind}/{caller}/{now // MINUTE}"
        cache.add(key, 0, MINUTE * 2)
        try:
            count = cache.incr(key)
        except ValueError:  # the key has just expired: a new minute, or a full cache
            return True
        self.seconds_left = MINUTE - now % MINUTE
        return count <= rates()[kind]

    def wait(self) -> float:
        """Return the seconds until the next minute, when the caller may try again."""
        return float(self.seconds_left)


def rates() -> dict[str, int]:
    """Return the requests per minute by kind of request, as set for this site."""
    site_rates: dict[str, Any] = getattr(settings, "API_RATES", {})
    return {**RATES, **site_rates}


class AlwaysJson(BaseContentNegotiation):
    """A content negotiation that always uses JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the JSON parser, whatever the request's content type."""
        return parsers[0]

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: Any = None
    ) -> tuple[BaseRenderer, str]:
        """Return the JSON renderer, whatever the request accepts."""
        return renderers[0], JSON


class Resource(APIView):
    """The base of all resources: without a login 401; what the caller may not see is 404."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (TokenLogin, SessionLogin)
    permission_classes: Sequence[Any] = (IsAuthenticated,)
    throttle_classes = (RequestCounter,)
    parser_classes = (JSONParser,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = AlwaysJson
    metadata_class = None
    http_method_names = ["get", "head", "post", "put", "delete"]  # noqa: RUF012

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return none: only 405 lists the allowed methods, so that all 404 answers are alike."""
        return {}

    def perform_authentication(self, request: Request) -> None:
        """Authenticate the caller. A wrong token or cookie counts as a stranger's request."""
        try:
            super().perform_authentication(request)
        except APIException:
            self.check_throttles(request)
            raise

    def check_permissions(self, request: Request) -> None:
        """Check permissions, counting also requests without a login.

        Raises:
            Refusal: A read-only token is used for writing.
        """
        try:
            super().check_permissions(request)
        except APIException:
            self.check_throttles(request)
            raise
        if request.method not in SAFE and is_read_only(request.auth):
            self.check_throttles(request)
            raise Refusal(403, "read-only-token", "this token is for reading: it may only GET")

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Count and limit heavy calls once the caller is known. Raises TooOften, Busy."""
        super().initial(request, *args, **kwargs)
        method = getattr(self, str(request.method).lower(), None)
        is_heavy = getattr(method, "heavy", False) or length_of(request) > LARGE
        if is_heavy and request.user.is_authenticated:
            self.exit_stack.enter_context(heavy_act(cast(Any, request.user)))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Release what was held for a heavy call, and return the response."""
        self.exit_stack.close()
        return super().finalize_response(request, response, *args, **kwargs)

    def setup(self, *args: Any, **kwargs: Any) -> None:
        """Prepare a call; `exit_stack` is closed when it is answered."""
        self.exit_stack = ExitStack()
        super().setup(*args, **kwargs)

    def get_exception_handler(self) -> Callable[[Exception, Any], HttpResponse]:
        """Return our handler, which answers each failure as application/problem+json."""
        return handle

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Return the response for an exception; only 405 lists the allowed methods (Allow)."""
        response = handle(exc, self.get_exception_handler_context())
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers["Allow"] = ", ".join(self.allowed_methods)
        return response

    def viewer(
        self,
        campaign: str,
        *,
        play: bool = False,
        see: bool = False,
        host: bool = False,
        umpire: bool = False,
    ) -> Viewer:
        """Return the caller as a member of a campaign with the required roles. Raises NotFound."""
        try:
            viewer = viewer_for(self.request._request, campaign)
        except NotFound as error:
            raise seat_ended(self.request.user, campaign) or error from error
        require(viewer, play=play, see=see, host=host, umpire=umpire)
        if umpire and self.request.method == "GET":
            request = self.request._request
            match = request.resolver_match
            if match is not None and match.url_name is not None:
                subject = subject_of(match.kwargs, request.GET)
                access_record(viewer=viewer, page=match.url_name, subject=subject)
        return viewer

    def keeper(self, campaign: str) -> Viewer:
        """Return the caller as a host or umpire, who keep the clock. Raises NotFound."""
        viewer = self.viewer(campaign)
        if viewer.hosts or viewer.umpires:
            return viewer
        return require(viewer, host=True)


def seat_ended(user: Any, campaign: str) -> Refusal | None:
    """Return the refusal, with the reason, for a user who lost a seat in a campaign, else None."""
    try:
        campaign_id = uuid.UUID(campaign)
    except ValueError:
        return None
    if not user.is_authenticated:
        return None
    end = seat_end_of(user=user, campaign=campaign_id)
    if end is None:
        return None
    return Refusal(403, "seat-ended", str(seat_end_words(end)))


def length_of(request: Request) -> int:
    """Return the announced length of a request's body in bytes."""
    announced = request.META.get("CONTENT_LENGTH") or "0"
    if announced.isascii() and announced.isdigit():
        return int(announced)
    return 0


def language_for(request: Request) -> str:
    """Return the language for texts: the requested one, or else the account's, or else English."""
    if request.headers.get("Accept-Language"):
        return translation.get_language_from_request(request._request)
    account_language = preference_of(user_of(request)).language
    if account_language in languages():
        return account_language
    return ENGLISH


def json_response(
    value: Any, status: int = 200, *, etag: str = "", location: str = ""
) -> HttpResponse:
    """Return a dataclass as a JSON response."""
    response = HttpResponse(
        _encoder(cast(Any, type(value))).dump_json(value), status=status, content_type=JSON
    )
    if etag:
        response.headers["ETag"] = quoted(etag)
    if location:
        response.headers["Location"] = location
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def json_response_if_changed(request: Request, value: Any, etag: str) -> HttpResponse:
    """Return a dataclass as a JSON response, or 304 if the caller already has it."""
    if is_unchanged(request, etag):
        return not_modified(etag)
    return json_response(value, etag=etag)


def not_modified(etag: str) -> HttpResponse:
    """Return 304: the caller already has it."""
    headers = {"ETag": quoted(etag), "Cache-Control": "private, no-cache"}
    return HttpResponse(status=304, headers=headers)


def idempotent(action: Action) -> Action:
    """Make a method obey Idempotency-Key."""

    @wraps(action)
    def wrapped(self: Resource, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        return run_once(request, lambda: action(self, request, *args, **kwargs))

    return wrapped  # type: ignore[return-value]


def heavy(action: Action) -> Action:
    """Mark a method as a heavy act (`campaign.services.heavy`), like any call with a large body."""
    action.heavy = True  # type: ignore[attr-defined]
    return action


@functools.cache
def _encoder(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@extend_schema(exclude=True)
class NowhereResource(Resource):
    """An unknown address."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Raise NotFound."""
        raise NotFound("there is no such address")

    post = put = delete = get


def stage_now(campaign: Campaign) -> Stage:
    """Return the stage that is not resolved yet. Raises Refusal before and after the war."""
    row = newest_stage_of(campaign)
    if row is None:
        raise Refusal(409, "not-started", "the war has not begun")
    if row.status == StageStatus.RESOLVED:
        raise Refusal(409, "already-over", "the war is over")
    return row


def stage_sheet(campaign: Campaign, row: Stage) -> StageSheet:
    """Return a stage as it is public now."""
    stage = public_stage(campaign, row)
    return StageSheet(
        ordinal=stage.ordinal,
        week=stage.week,
        kind=stage.kind,
        status=stage.status,
        opens=stage.opens,
        closes=stage.closes,
        grace_until=stage.grace_until,
        publishes_at=stage.publishes_at,
    )


def played_faction(viewer: Viewer) -> Faction:
    """Return the faction that the caller plays, for orders and all that guests may not read.

    Raises:
        NotFound: The caller plays none.
    """
    if viewer.faction is None:
        raise NotFound("there is no such campaign")
    return viewer.faction


def visible_faction(viewer: Viewer) -> Faction:
    """Return the faction whose view the caller may read, as its player or its guest.

    Raises:
        NotFound: There is none.
    """
    if viewer.visible_faction is None:
        raise NotFound("there is no such campaign")
    return viewer.visible_faction


def sight_in_stage(
    campaign: Campaign, faction: Faction, week: int | None, stage: str | None
) -> Sight:
    """Return what a faction knew while a stage was open, or knows now if none is named.

    Raises:
        RuleViolations: Only one of week and stage is given.
        NotFound: There is no such stage.
        NoViewer: The faction has no view yet.
    """
    if week is None and stage is None:
        return current_sight(campaign, faction)
    if week is None or stage is None:
        words = "week and stage are given together, or neither"
        raise RuleViolations([Violation("week" if week is None else "stage", "missing", words)])
    if stage == StageKind.OVER:
        return _sight_after_war(campaign, faction, week)
    rows = Stage.objects.filter(battle__isnull=True, week=week, kind=stage)
    rows = played_on_line(rows, campaign.head_branch_id or 0).order_by("-ordinal")
    stages = public_stages(campaign, rows)
    if not stages:
        raise NotFound("there is no such stage")
    return sight_at_stage(stages[0], faction)


def _sight_after_war(campaign: Campaign, faction: Faction, week: int) -> Sight:
    """Return what a faction knows after the war. Raises NotFound if it did not end that week."""
    sight = current_sight(campaign, faction)
    if sight.view.stage != StageKind.OVER or sight.view.week != week:
        raise NotFound("there is no such stage")
    return sight
