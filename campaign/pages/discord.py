"""The address at which Discord hands commands over: signed requests, answered to who asks alone.

Discord signs the time and the body with the key of the application (Ed25519). What is not signed so, is more than five
minutes old or came before is 401; where the site has no key, nothing is here.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from campaign.models.account import IdempotentCall
from campaign.services.discord import UNLINKED, code_take, command_do, user_linked
from engine.core.phrase import phrase

PING, COMMAND = 1, 2  # kinds of what Discord sends
PONG, MESSAGE = 1, 4  # kinds of what it is answered
EPHEMERAL = 1 << 6
FRESH = timedelta(minutes=5)
LONGEST_ID = 32


@csrf_exempt
@never_cache
def discord(request: HttpRequest) -> HttpResponse:
    """One interaction of Discord's."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    now = timezone.now()
    if not _is_signed(request, now):
        return _refused()
    try:
        sent: Any = json.loads(request.body)
        kind = sent["type"]
        if kind == PING:
            return JsonResponse({"type": PONG})
        caller = (sent.get("member") or sent)["user"]["id"]
        command, number = sent["data"], sent["id"]
        options = {one["name"]: one.get("value") for one in command.get("options") or ()}
        name = command["name"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    ids = (caller, number)
    if kind != COMMAND or not all(isinstance(one, str) and 0 < len(one) <= LONGEST_ID for one in ids):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    if name == "link":
        return _said(code_take(code=str(options.get("code", "")), discord_id=caller, now=now))
    user = user_linked(discord_id=caller)
    if user is None:
        return _said(UNLINKED)
    try:
        with transaction.atomic():
            IdempotentCall.objects.create(
                user_id=user.pk,
                key=f"discord/{number}",
                method="POST",
                path=request.path,
                request_sha256=hashlib.sha256(request.body).hexdigest(),
                status=HTTPStatus.OK,
                created_at=now,
            )
    except IntegrityError:  # it came before
        return _refused()
    return _said(command_do(user=user, name=str(name), options=options, now=now))


def _is_signed(request: HttpRequest, now: datetime) -> bool:
    """Whether Discord has signed a request, and not long ago."""
    moment, signature = (request.headers.get(f"X-Signature-{name}", "") for name in (phrase("Timestamp"), "Ed25519"))
    if not (moment.isascii() and moment.isdigit() and len(moment) <= len("9999999999")):
        return False
    if abs(now - datetime.fromtimestamp(int(moment), UTC)) > FRESH:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
        key.verify(bytes.fromhex(signature), moment.encode() + request.body)
    except (InvalidSignature, ValueError):
        return False
    return True


def _refused() -> HttpResponse:
    return HttpResponse(phrase("invalid request signature"), status=HTTPStatus.UNAUTHORIZED, content_type="text/plain")


def _said(words: str) -> HttpResponse:
    """An answer that only who asked sees, and that calls nobody."""
    data = {"content": words, "flags": EPHEMERAL, "allowed_mentions": {"parse": []}}
    return JsonResponse({"type": MESSAGE, "data": data})


urlpatterns: list[URLPattern | URLResolver] = [path("discord/", discord, name="discord")]
