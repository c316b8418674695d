"""Errors as problem JSON (RFC 9457).

Texts are fixed, or speak only of what the caller sent, never of anything hidden.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NotRequired

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import transaction
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from typing_extensions import TypedDict

from campaign import errors
from campaign.rules.limits import BODY, size_words
from campaign.store.outages import CODE, DETAIL, RETRY_AFTER, is_database_away, outage_code
from engine.core.errors import RuleViolations, Violation, faults_json

TYPE = "application/problem+json"
LOG = logging.getLogger("campaign.api")
log = structlog.get_logger(__name__)

TITLES = {
    400: "Bad request",
    401: "Not logged in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Precondition failed",
    413: "Too large",
    415: "Unsupported media type",
    422: "Faults in the request",
    428: "Precondition required",
    429: "Too many requests",
    500: "Internal error",
    503: "Not available just now",
}


class Fault(TypedDict):
    """One fault: a stable code, its place in the request, and plain words."""

    code: str
    where: str
    message: str


class ClosedStage(TypedDict):
    """A closed stage of a week, or a closed phase of an online battle (in this `turn`).

    `at` is its deadline. If it closed early, it is the time when the result was published (for a
    phase: when the next one asked the caller), and null until then.
    """

    week: int
    kind: str
    at: str | None
    turn: NotRequired[int]


class StageThere(TypedDict):
    """The present stage of a week, open or closed; `closes` is null if it has no deadline.

    For an online battle it is the newest phase, and `status` is the battle's state for the caller
    (open, sealed, waiting, over).
    """

    week: int
    kind: str
    status: str
    closes: str | None
    turn: NotRequired[int]


class Problem(TypedDict):
    """What went wrong (RFC 9457).

    `code` is stable. `violations` has the first 100 faults of the request, and one with the code
    `more-faults` that counts the others. `closed` and `now` come with `stage-closed`, for weeks and
    online battles.
    """

    type: str
    title: str
    status: int
    code: NotRequired[str]
    detail: NotRequired[str]
    violations: NotRequired[list[Fault]]
    closed: NotRequired[ClosedStage]
    now: NotRequired[StageThere]


@dataclass(frozen=True)
class Refusal(Exception):
    """Raised in the API to answer with a problem."""

    status: int
    code: str
    detail: str
    headers: Mapping[str, str] | None = None
    extra: Mapping[str, Any] | None = None  # further members of the problem


STAGE_CLOSED = "stage-closed"

# (status, code) of what services refuse. Their texts reveal nothing hidden.
REFUSED: dict[type[Exception], tuple[int, str]] = {
    errors.StageClosed: (409, STAGE_CLOSED),
    errors.EditConflict: (412, "lost-update"),
    errors.AlreadySealed: (409, "already-sealed"),
    errors.NothingSealed: (409, "nothing-sealed"),
    errors.AlreadyStarted: (409, "already-started"),
    errors.InUse: (409, "in-use"),
    errors.HistoryChanged: (409, "history-moved"),
    errors.NotAllowed: (403, "not-allowed"),
    errors.NotStarted: (409, "not-started"),
    errors.AlreadyOver: (409, "already-over"),
}
DEFAULT_REFUSAL = (409, "refused")


def refusal_code(error: errors.Refused | RuleViolations) -> str:
    """Return the stable code of a refusal, for answers about several actions."""
    if isinstance(error, RuleViolations):
        return error.limited_violations[0].code
    if isinstance(error, errors.NotFound):
        return "no-such-campaign"
    return REFUSED.get(type(error), DEFAULT_REFUSAL)[1]


def problem(
    status: int,
    *,
    code: str = "",
    detail: str = "",
    violations: Sequence[Violation] = (),
    headers: Mapping[str, str] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Return a problem as a response."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": TITLES[status],
        "status": status,
        **(extra or {}),
    }
    if code:
        body["code"] = code
    if detail:
        body["detail"] = detail
    if violations:
        body["violations"] = faults_json(violations)
    return HttpResponse(
        json.dumps(body), status=status, content_type=TYPE, headers=dict(headers or {})
    )


def not_found() -> HttpResponse:
    """Return the one answer for both missing and hidden things, always with the same bytes."""
    return problem(404)


def too_large() -> HttpResponse:
    """Return the answer to a body beyond the limit."""
    return problem(413, code="too-large", detail=f"a request has at most {size_words(BODY)}")


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Return a problem for any exception of the API; unexpected ones are logged as errors."""
    _roll_back()
    if isinstance(error, (errors.NotFound, errors.NoViewer, Http404, exceptions.NotFound)):
        return not_found()
    if isinstance(error, RequestDataTooBig):
        return too_large()
    if isinstance(error, SuspiciousOperation):
        return problem(400)
    if isinstance(error, exceptions.APIException):
        return _framework_problem(error)
    if isinstance(error, PermissionDenied):
        return problem(403)
    response = _refusal_problem(error)
    if response is not None:
        return response
    if is_database_away(error):
        log.warning("database-away", reason=outage_code(error))
        return problem(503, code=CODE, detail=DETAIL, headers={"Retry-After": str(RETRY_AFTER)})
    request = context.get("request")
    got_request_exception.send(sender=handle, request=getattr(request, "_request", request))
    LOG.error("the API failed", exc_info=error)
    return problem(500)


def _refusal_problem(error: Exception) -> HttpResponse | None:
    """Return the problem for what the rules or a service refuse, or None for other exceptions."""
    if isinstance(error, Refusal):
        return problem(
            error.status,
            code=error.code,
            detail=error.detail,
            headers=error.headers,
            extra=error.extra,
        )
    if isinstance(error, RuleViolations):
        return problem(422, code="violations", violations=error.violations)
    if isinstance(error, errors.TooMuch):
        status, code = (429, "too-often") if isinstance(error, errors.TooOften) else (503, "busy")
        headers = {"Retry-After": str(error.wait)}
        return problem(status, code=code, detail=str(error), headers=headers)
    if isinstance(error, errors.Refused):
        status, code = REFUSED.get(type(error), DEFAULT_REFUSAL)
        return problem(status, code=code, detail=str(error))
    return None


def _framework_problem(error: exceptions.APIException) -> HttpResponse:
    """Return the problem for an exception of Django REST framework."""
    if isinstance(error, (exceptions.NotAuthenticated, exceptions.AuthenticationFailed)):
        challenge = getattr(error, "auth_header", "Token")
        return problem(
            401, detail="log in, or send a token", headers={"WWW-Authenticate": challenge}
        )
    if isinstance(error, exceptions.ValidationError):
        return problem(422, code="violations", violations=_violations_in(error.detail, ""))
    headers: dict[str, str] = {}
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    detail = ""
    if isinstance(error, (exceptions.ParseError, exceptions.UnsupportedMediaType)):
        detail = str(error.detail)
    status = error.status_code if error.status_code in TITLES else 400
    return problem(status, detail=detail, headers=headers)


def _violations_in(detail: Any, where: str) -> list[Violation]:
    """Return the faults in a validation error's detail, which nests lists and mappings by field."""
    violations: list[Violation] = []
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            violations += _violations_in(value, str(key))
    elif isinstance(detail, (list, tuple)):
        for item in detail:
            violations += _violations_in(item, where)
    else:
        code = str(getattr(detail, "code", "invalid"))
        violations.append(Violation(where, code, str(detail)))
    return violations


def _roll_back() -> None:
    """Discard the changes of a request that runs in one transaction."""
    connection = transaction.get_connection()
    if connection.in_atomic_block and connection.settings_dict["ATOMIC_REQUESTS"]:
        transaction.set_rollback(True)


def login_wait() -> str:
    """Return the longest wait after too many wrong passwords, in seconds for Retry-After."""
    wait: timedelta = settings.AXES_COOLOFF_TIME
    return str(int(wait.total_seconds()))
