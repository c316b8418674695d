"""Messages: a thread for everybody one may write to, and a form that writes to one or several at
once.

Text stays text: no address in it becomes a link, because who opens one is seen by whoever sent it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages as flash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaign.access import Viewer, need
from campaign.errors import NotThere
from campaign.kinds import StageKind, words_of
from campaign.selectors.messages import (
    MessageTold,
    Receiver,
    message_rules_of,
    messages_overheard,
    messages_told,
    receivers_of,
    seat_of,
)
from campaign.services.messages import LONGEST, message_write, messages_mark_read
from campaign.web.common import UNLAWFUL, member_page, show
from campaign.web.tabs import tabs
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

READ_WRITE = ("GET", "HEAD", "POST")
SHOWN = 100  # messages of a thread on one page
KINDS = words_of(StageKind)
UMPIRE, FACTION = "umpire", "faction/"  # what the form calls whom one writes to


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as the page shows it.

    `by`: from whom; `when`: the week and stage it was written in.
    """

    told: MessageTold
    by: str
    to: str
    when: str


@dataclass(frozen=True, slots=True)
class Thread:
    """All between the reader's seat and somebody.

    `value`: what the form calls him; `last`: the newest message.
    """

    receiver: Receiver
    href: str
    value: str
    unread: int
    count: int
    last: Letter | None


@member_page
@require_http_methods(READ_WRITE)
def messages(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All threads of the reader's seat, and the form to write."""
    seat_of(viewer)
    if request.method == "POST":
        return _written(request, viewer, None)
    return _all(request, viewer)


@member_page
@require_http_methods(READ_WRITE)
def thread(request: HttpRequest, viewer: Viewer, key: str | None = None) -> HttpResponse:
    """One thread: with a faction, or (no key) with the umpire. `?older=` shows what was before."""
    chosen = next((one for one in receivers_of(viewer) if one.key == key), None)
    if chosen is None:
        raise NotThere(phrase("there is nobody of that name"))
    if request.method == "POST":
        if request.POST.get("act") == "read":
            messages_mark_read(viewer=viewer, ids=request.POST.getlist("id")[:SHOWN])
            return redirect(_href(viewer, chosen.key))
        return _written(request, viewer, chosen)
    return _one(request, viewer, chosen)


@member_page
@require_safe
def overheard(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What factions wrote to each other, for the umpire of a war that was opened so."""
    need(viewer, umpire=True)
    names = _names(viewer)
    letters = [_letter(told, names) for told in messages_overheard(viewer)]
    return show(request, "messages_all", letters=letters[::-1], **_tabs(viewer))


def _all(
    request: HttpRequest,
    viewer: Viewer,
    found: tuple[Violation, ...] = (),
    given: str = "",
    to: Iterable[str] = (),
) -> HttpResponse:
    names, told = _names(viewer), messages_told(viewer)
    return show(
        request,
        "messages",
        status=UNLAWFUL if found else 200,
        threads=[_thread(viewer, receiver, told, names) for receiver in receivers_of(viewer)],
        violations=found,
        given=given,
        chosen=set(to),
        **_tabs(viewer),
    )


def _one(
    request: HttpRequest,
    viewer: Viewer,
    chosen: Receiver,
    found: tuple[Violation, ...] = (),
    given: str = "",
) -> HttpResponse:
    names = _names(viewer)
    told = _between(viewer, chosen, messages_told(viewer))
    asked = request.GET.get("older", "")
    older = int(asked) if asked.isdecimal() and len(asked) < len("99999") else 0
    end = max(0, len(told) - older)
    start = max(0, end - SHOWN)
    letters = [_letter(one, names) for one in told[start:end]]
    return show(
        request,
        "messages_thread",
        status=UNLAWFUL if found else 200,
        receiver=chosen,
        letters=letters,
        new=[letter.told.id for letter in letters if letter.told.unread],
        earlier=len(told) - start if start else 0,
        newest=end == len(told),
        violations=found,
        given=given,
        **_tabs(viewer),
    )


def _written(request: HttpRequest, viewer: Viewer, chosen: Receiver | None) -> HttpResponse:
    text = request.POST.get("message", "")
    named = request.POST.getlist("to") if chosen is None else []
    to = [_named(value) for value in named] if chosen is None else [chosen.key]
    try:
        rows = message_write(viewer=viewer, to=to, text=text)
    except RuleViolations as error:
        if chosen is None:
            return _all(request, viewer, error.listed, text, named)
        return _one(request, viewer, chosen, error.listed, text)
    waits = any(row.delivered_at is None or row.delivered_at > row.written_at for row in rows)
    flash.success(
        request,
        phrase("Sealed: it goes out when the stage is resolved.") if waits else phrase("Sent."),
    )
    return redirect(
        _href(viewer, to[0])
        if len(to) == 1
        else reverse("messages", args=[viewer.campaign.public_id])
    )


def _named(value: str) -> str | None:
    return None if value == UMPIRE else value.removeprefix(FACTION)


def _thread(
    viewer: Viewer, receiver: Receiver, told: list[MessageTold], names: dict[str | None, str]
) -> Thread:
    letters = _between(viewer, receiver, told)
    return Thread(
        receiver,
        _href(viewer, receiver.key),
        UMPIRE if receiver.key is None else FACTION + receiver.key,
        sum(one.unread for one in letters),
        len(letters),
        _letter(letters[-1], names) if letters else None,
    )


def _between(viewer: Viewer, receiver: Receiver, told: list[MessageTold]) -> list[MessageTold]:
    """The messages between the reader's seat and somebody."""
    own = seat_of(viewer).key
    pair = sorted((str(own or ""), str(receiver.key or "")))
    return [one for one in told if sorted((one.sender or "", one.receiver or "")) == pair]


def _names(viewer: Viewer) -> dict[str | None, str]:
    return {None: phrase("The umpire")} | {one.key: one.name for one in receivers_of(viewer)}


def _letter(told: MessageTold, names: dict[str | None, str]) -> Letter:
    """A message in words."""
    by = names[told.sender] + (phrase(" ({})", told.author) if told.author else "")
    when = (
        phrase("before the war")
        if not told.stage
        else phrase("week {}, {}", told.week, KINDS[told.stage])
    )
    return Letter(told, by, names[told.receiver], when)


def _href(viewer: Viewer, key: str | None) -> str:
    kwargs: dict[str, Any] = {"c": viewer.campaign.public_id}
    return (
        reverse("messages-umpire", kwargs=kwargs)
        if key is None
        else reverse("messages-to", kwargs=kwargs | {"key": key})
    )


def _tabs(viewer: Viewer) -> dict[str, Any]:
    """What every page of messages shows: the tabs, and how messages go in this war."""
    rules = message_rules_of(viewer.campaign)
    return {**tabs(viewer, "messages"), "rules": rules, "longest": LONGEST}


urlpatterns = [
    path("c/<uuid:c>/messages/", messages, name="messages"),
    path("c/<uuid:c>/messages/umpire/", thread, name="messages-umpire"),
    path("c/<uuid:c>/messages/all/", overheard, name="messages-all"),
    path("c/<uuid:c>/messages/to/<slug:key>/", thread, name="messages-to"),
]
