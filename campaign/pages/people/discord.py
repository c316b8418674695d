"""The endpoint for Discord commands: signed requests, with answers only the caller sees.

Discord signs the time and the body with the application's key (Ed25519). A request that is
unsigned, more than five minutes old or repeated gets 401. Without a configured key there is no
endpoint. Answers use the language of the player's profile, else of the player's Discord client if
the site has that language.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from campaign.models.account import IdempotentCall
from campaign.rules.limits import PLAYER
from campaign.services.channels import discord_words
from campaign.services.discord import UNLINKED, code_redeem, command_run, user_linked
from campaign.words.languages import ENGLISH, in_language, languages
from engine.core.errors import RuleViolations
from engine.notation.documents import read_json

# Numbers of Discord's interface
PING, COMMAND = 1, 2  # kinds of interactions
PONG, MESSAGE = 1, 4  # kinds of responses
EPHEMERAL = 1 << 6  # a flag: only the caller sees the message
MAX_AGE = timedelta(minutes=5)  # of a signed request
LONGEST_ID = 32


@csrf_exempt
@never_cache
def discord(request: HttpRequest) -> HttpResponse:
    """Answer one Discord interaction."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    now = timezone.now()
    if not _is_signed(request, now):
        return _refuse()
    try:
        interaction: Any = read_json(request.body.decode("utf-8"), PLAYER)
        kind = interaction["type"]
        if kind == PING:
            return JsonResponse({"type": PONG})
        caller = (interaction.get("member") or interaction)["user"]["id"]
        command, number = interaction["data"], interaction["id"]
        options = {}
        for option in command.get("options") or ():
            options[option["name"]] = option.get("value")
        name = command["name"]
    except (RuleViolations, ValueError, KeyError, TypeError, AttributeError):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    if kind != COMMAND or not _is_id(caller) or not _is_id(number):
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    user = user_linked(discord_id=caller)
    with translation.override(_language(user, str(interaction.get("locale") or ""))):
        return _answer(request, user, name, options, caller=caller, number=number, now=now)


def _is_id(value: object) -> bool:
    """Return whether a value may be one of Discord's ids."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_ID


def _language(user: AbstractBaseUser | None, locale: str) -> str:
    """Return the language of an answer.

    Args:
        locale: The caller's locale as Discord names it (`fr`, `en-US`).
    """
    preference = getattr(user, "preference", None)
    candidates = (preference.language if preference else "", locale.partition("-")[0])
    return next((language for language in candidates if language in languages()), ENGLISH)


def _answer(
    request: HttpRequest,
    user: AbstractBaseUser | None,
    name: object,
    options: Mapping[str, Any],
    *,
    caller: str,
    number: str,
    now: datetime,
) -> HttpResponse:
    """Answer a command in the active language.

    Args:
        user: The account linked to the caller, if there is one.
        name: Of the command.
        caller: The caller's Discord id.
        number: The id of the interaction.
    """
    if name == "link":
        return _reply(code_redeem(code=str(options.get("code", "")), discord_id=caller, now=now))
    if user is None:
        return _reply(UNLINKED)
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
    except IntegrityError:  # a repeated interaction
        return _refuse()
    return _reply(command_run(user=user, name=str(name), options=options, now=now))


def _is_signed(request: HttpRequest, now: datetime) -> bool:
    """Return whether Discord signed the request in the last five minutes."""
    moment = request.headers.get("X-Signature-Timestamp", "")
    signature = request.headers.get("X-Signature-Ed25519", "")
    if not (moment.isascii() and moment.isdigit() and len(moment) <= len("9999999999")):
        return False
    if abs(now - datetime.fromtimestamp(int(moment), UTC)) > MAX_AGE:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
        key.verify(bytes.fromhex(signature), moment.encode() + request.body)
    except (InvalidSignature, ValueError):
        return False
    return True


def _refuse() -> HttpResponse:
    """Return the response to an unsigned, old or repeated request."""
    return HttpResponse(
        "invalid request signature", status=HTTPStatus.UNAUTHORIZED, content_type="text/plain"
    )


def _reply(words: str) -> HttpResponse:
    """Return an answer that only the caller sees, without mentions or hidden links."""
    data = {
        "content": discord_words(in_language(words)),
        "flags": EPHEMERAL,
        "allowed_mentions": {"parse": []},
    }
    return JsonResponse({"type": MESSAGE, "data": data})


urlpatterns: list[URLPattern | URLResolver] = [path("discord/", discord, name="discord")]
