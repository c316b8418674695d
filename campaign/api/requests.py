"""Parse requests: JSON and query as typed values, conditions (ETags), Idempotency-Key.

JSON is parsed strictly, then validated against the type, and all faults are reported together.
ETags use only what the reader knows: the hash of a view, or the versions of their own drafts. A
repeated call with an Idempotency-Key gets the first answer, and nothing is done twice: the key's
row, the call's effects and the answer are one transaction; a failed call leaves no row.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from pydantic import ConfigDict, TypeAdapter, ValidationError
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.request import Request

from campaign.api.schema import GREATEST_IN_QUERY
from campaign.models.account import IdempotentCall
from campaign.rules.codec import validation_faults
from campaign.rules.limits import PLAYER
from campaign.web.problems import Refusal
from engine.core.errors import RuleViolations, Violation
from engine.notation import documents

T = TypeVar("T")
JSON_TYPE = "application/json"
NO_JSON = ("not-json", "characters")  # fault codes that are answered with 400
GREATEST = 2**31 - 1  # the largest integer that all databases store

ANY = "*"  # a condition that any state meets
# An ETag in a list, with its mark if it is weak
TAG = re.compile(r'\s*(W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)')

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"  # header of an answer that was stored
LONGEST = 255  # characters of a key
REPLAYED_HEADERS = ("ETag", "Location")  # headers that are stored with an answer


def user_of(request: Request) -> Any:
    """Return the caller.

    The type is `Any`, because the request's type does not say that resources require a login.
    """
    return request.user


def read_json(request: Request) -> Any:
    """Parse the JSON body of a request; an empty body is an empty object.

    NaN and text that databases cannot store (NUL, half a surrogate pair) are refused.

    Raises:
        ParseError: The body is not JSON.
        UnsupportedMediaType: The content type is not JSON.
        RuleViolations: A key is repeated, a number is too large, or limits are exceeded.
    """
    raw = request._request.body
    if not raw:
        return {}
    media = (request.content_type or "").partition(";")[0].strip().lower()
    if media != JSON_TYPE:
        raise UnsupportedMediaType(media or "none")
    try:
        return documents.read_json(raw.decode("utf-8"), PLAYER)
    except RuleViolations as refused:
        if refused.violations[0].code in NO_JSON:
            raise ParseError(f"the body is not JSON: {refused.violations[0].message}") from refused
        raise
    except UnicodeDecodeError as error:
        raise ParseError("the body is not UTF-8 text") from error


def body_of(request: Request, kind: type[T]) -> T:
    """Return the body as a dataclass. Raises RuleViolations with all faults of its form."""
    return body_as(read_json(request), kind)


def body_as(value: Any, kind: type[T]) -> T:
    """Return parsed JSON as a dataclass. Raises RuleViolations."""
    if not isinstance(value, dict):
        raise RuleViolations([Violation("", "not-a-table", "the body must be a JSON object")])
    try:
        values: tuple[T] = _adapter(cast(Any, kind)).validate_json(json.dumps([value]))
    except ValidationError as error:
        raise RuleViolations(validation_faults(error, (), skip=1)) from error
    return values[0]


def number_in(request: Request, name: str) -> int | None:
    """Return an integer of the query, or None. Raises RuleViolations."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(GREATEST_IN_QUERY))):
        words = f"must be a whole number from 0 to {GREATEST_IN_QUERY}"
        raise RuleViolations([Violation(name, "not-a-number", words)])
    return int(text)


def choice_in(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """Return one of the choices from the query, or None. Raises RuleViolations."""
    text = request.query_params.get(name)
    if text is not None and text not in choices:
        raise RuleViolations(
            [Violation(name, "unknown-choice", f"must be one of {', '.join(choices)}")]
        )
    return text


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(tuple[kind], config=ConfigDict(extra="forbid", strict=True))


def quoted(tag: str) -> str:
    """Return an ETag as written in the header."""
    return f'"{tag}"'


def tags_of(header: str) -> tuple[tuple[str, bool], ...]:
    """Parse a condition into pairs (tag, is weak). Raises Refusal if it is malformed."""
    tags = []
    position = 0
    while position < len(header):
        match = TAG.match(header, position)
        if match is None:
            raise Refusal(400, "bad-condition", "the condition is not a list of ETags")
        tags.append((match[2], bool(match[1])))
        position = match.end()
    return tuple(tags)


def require_match(request: Request, tag: str, *, needed: bool) -> None:
    """Raise Refusal (412) if If-Match does not name the present state, 428 if it is needed."""
    header = request.headers.get("If-Match")
    if header is None or not header.strip():
        if needed:
            raise Refusal(428, "precondition-required", "send If-Match with the ETag you read")
        return
    if header.strip() == ANY:
        return
    if (tag, False) not in tags_of(header):
        raise Refusal(
            412,
            "lost-update",
            "this was changed in the meantime; read it again",
            {"ETag": quoted(tag)},
        )


def is_sent(request: Request) -> bool:
    """Return whether If-Match names a state."""
    return (request.headers.get("If-Match") or "").strip() not in ("", ANY)


def is_unchanged(request: Request, tag: str) -> bool:
    """Return whether If-None-Match names the present state; a malformed condition does not."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    if header.strip() == ANY:
        return True
    return any(match[2] == tag for match in TAG.finditer(header))


def run_once(request: Request, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer of `act`, or the stored one if the key was used before. Raises Refusal."""
    key = request.headers.get(HEADER)
    if key is None:
        return act()
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise Refusal(
            400, "bad-idempotency-key", f"{HEADER} must be 1 to {LONGEST} printable characters"
        )
    sha256 = _fingerprint(request)
    with transaction.atomic():
        row = _claim(request, key, sha256)
        if row is None:
            user_id = int(request.user.pk or 0)
            return _replay(IdempotentCall.objects.get(user_id=user_id, key=key), sha256)
        response = act()
        if response.status_code >= 400:
            transaction.set_rollback(True)
            return response
        _store_answer(row, response)
    return response


def _store_answer(row: IdempotentCall, response: HttpResponse) -> None:
    """Store an answer, so that a repeated call gets it again."""
    row.status = response.status_code
    row.content_type = response.headers.get("Content-Type", "")
    row.headers = {}
    for name in REPLAYED_HEADERS:
        if name in response.headers:
            row.headers[name] = response.headers[name]
    row.body = getattr(response, "kept", response.content).decode()
    row.save(update_fields=["status", "content_type", "headers", "body"])


def _claim(request: Request, key: str, sha256: str) -> IdempotentCall | None:
    """Store the key of a call; return None if it was used before."""
    try:
        with transaction.atomic():
            return IdempotentCall.objects.create(
                user_id=int(request.user.pk or 0),
                key=key,
                method=str(request.method),
                path=request.path[:500],
                request_sha256=sha256,
                created_at=timezone.now(),
            )
    except IntegrityError:
        return None


def _replay(row: IdempotentCall, sha256: str) -> HttpResponse:
    """Return the stored answer to a call. Raises Refusal if the call was another one."""
    if row.request_sha256 != sha256:
        raise Refusal(422, "key-reused", f"this {HEADER} was used for another request")
    if row.status is None:
        raise Refusal(409, "in-progress", "the first call with this key is still being answered")
    headers = {**row.headers, REPLAYED: "true"}
    return HttpResponse(
        row.body, status=row.status, content_type=row.content_type or None, headers=headers
    )


def _fingerprint(request: Request) -> str:
    """Return a hash of what makes two calls the same: method, address, If-Match and body."""
    parts = (str(request.method), request.get_full_path(), request.headers.get("If-Match", ""))
    head = "\n".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + b"\n" + request._request.body).hexdigest()
