"""Idempotency-Key: a repeated call gets the first one's answer, and nothing is done twice.

The key's row, what the call does and the answer are one transaction. A call that failed leaves no row behind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from campaign.api.problems import Refusal
from campaign.models.account import IdempotentCall

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 255
KEPT_HEADERS = ("ETag", "Location")


def once(request: Request, act: Callable[[], HttpResponse]) -> HttpResponse:
    """What `act` answers, or what it answered when the key was first used. Raises Refusal."""
    key = request.headers.get(HEADER)
    if key is None:
        return act()
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise Refusal(400, "bad-idempotency-key", f"{HEADER} must be 1 to {LONGEST} printable characters")
    sha256 = _fingerprint(request)
    with transaction.atomic():
        row = _claim(request, key, sha256)
        if row is None:
            return _again(IdempotentCall.objects.get(user_id=int(request.user.pk or 0), key=key), sha256)
        response = act()
        if response.status_code >= 400:
            transaction.set_rollback(True)
            return response
        row.status = response.status_code
        row.content_type = response.headers.get("Content-Type", "")
        row.headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
        row.body = getattr(response, "kept", response.content).decode()
        row.save(update_fields=["status", "content_type", "headers", "body"])
    return response


def _claim(request: Request, key: str, sha256: str) -> IdempotentCall | None:
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


def _again(row: IdempotentCall, sha256: str) -> HttpResponse:
    if row.request_sha256 != sha256:
        raise Refusal(422, "key-reused", f"this {HEADER} was used for another request")
    if row.status is None:
        raise Refusal(409, "in-progress", "the first call with this key is still being answered")
    headers = {**row.headers, REPLAYED: "true"}
    return HttpResponse(row.body, status=row.status, content_type=row.content_type or None, headers=headers)


def _fingerprint(request: Request) -> str:
    parts = (str(request.method), request.get_full_path(), request.headers.get("If-Match", ""))
    head = "\n".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.sha256(head + b"\n" + request._request.body).hexdigest()
