"""Messages: one thread for each possible recipient, and a form to write to one or several.

Addresses in a message never become links. Opening one would reveal the reader to the sender.
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

from campaign.access import Viewer, require
from campaign.errors import NotFound
from campaign.kinds import StageKind, words_of
from campaign.selectors.messages import (
    MessageLine,
    Receiver,
    list_faction_messages,
    list_messages,
    message_rules_of,
    receivers_of,
    seat_of,
)
from campaign.services.messages import LONGEST, message_write, messages_mark_read
from campaign.services.umpire_access import access_record
from campaign.web.common import UNPROCESSABLE, member_page, show
from campaign.web.tabs import tabs
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

READ_WRITE = ("GET", "HEAD", "POST")
MESSAGES_PER_PAGE = 100  # messages of one thread per page
MAX_DIGITS = 4  # of the number in `?older=`
STAGE_NAMES = words_of(StageKind)
UMPIRE, FACTION = "umpire", "faction/"  # form values for recipients


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message as the page shows it."""

    message: MessageLine
    sender_text: str
    receiver_text: str
    time_text: str  # the week and stage it was written in


@dataclass(frozen=True, slots=True)
class Thread:
    """All messages between the reader's seat and another one."""

    receiver: Receiver
    href: str
    value: str  # form value of the other seat
    unread: int
    count: int
    last: MessageRow | None  # the newest message


@member_page
@require_http_methods(READ_WRITE)
def messages(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the threads of the reader's seat, with a form to write."""
    seat_of(viewer)
    if request.method == "POST":
        return _write_message(request, viewer, None)
    return _render_threads(request, viewer)


@member_page
@require_http_methods(READ_WRITE)
def thread(request: HttpRequest, viewer: Viewer, key: str | None = None) -> HttpResponse:
    """Show the thread with a faction, or with the umpire if no key is given.

    `?older=` shows earlier messages.
    """
    receiver = next((seat for seat in receivers_of(viewer) if seat.key == key), None)
    if receiver is None:
        raise NotFound(phrase("there is nobody with that name"))
    if request.method == "POST":
        if request.POST.get("act") == "read":
            messages_mark_read(viewer=viewer, ids=request.POST.getlist("id")[:MESSAGES_PER_PAGE])
            return redirect(_href(viewer, receiver.key))
        return _write_message(request, viewer, receiver)
    return _render_thread(request, viewer, receiver)


@member_page
@require_safe
def messages_between_factions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show messages between factions to the umpire, if the war was opened with that rule."""
    require(viewer, umpire=True)
    access_record(viewer=viewer, page="messages-all")
    names = _names(viewer)
    rows = [_message_row(message, names) for message in list_faction_messages(viewer)]
    return show(request, "messages_all", rows=rows[::-1], **_tabs(viewer))


def _render_threads(
    request: HttpRequest,
    viewer: Viewer,
    *,
    violations: tuple[Violation, ...] = (),
    draft_text: str = "",
    to: Iterable[str] = (),
) -> HttpResponse:
    """Render the list of threads, with the form to write.

    Args:
        violations: Why a message was refused.
        draft_text: The text of that message.
        to: The form values of its receivers.
    """
    names = _names(viewer)
    all_messages = list_messages(viewer)
    threads = []
    for receiver in receivers_of(viewer):
        threads.append(_thread(viewer, receiver, all_messages, names))
    return show(
        request,
        "messages",
        status=UNPROCESSABLE if violations else 200,
        threads=threads,
        violations=violations,
        draft_text=draft_text,
        chosen_receivers=set(to),
        **_tabs(viewer),
    )


def _render_thread(
    request: HttpRequest,
    viewer: Viewer,
    receiver: Receiver,
    *,
    violations: tuple[Violation, ...] = (),
    draft_text: str = "",
) -> HttpResponse:
    """Render one page of a thread, by default with its newest messages.

    Args:
        violations: Why a message was refused.
        draft_text: The text of that message.
    """
    names = _names(viewer)
    thread_messages = _thread_messages(viewer, receiver, list_messages(viewer))
    end = max(0, len(thread_messages) - _skipped_count(request))
    start = max(0, end - MESSAGES_PER_PAGE)
    rows = [_message_row(message, names) for message in thread_messages[start:end]]
    return show(
        request,
        "messages_thread",
        status=UNPROCESSABLE if violations else 200,
        receiver=receiver,
        rows=rows,
        unread_ids=[row.message.id for row in rows if row.message.unread],
        skip_for_older=len(thread_messages) - start if start else 0,
        is_newest_page=end == len(thread_messages),
        violations=violations,
        draft_text=draft_text,
        **_tabs(viewer),
    )


def _skipped_count(request: HttpRequest) -> int:
    """Return how many of the newest messages the requested page leaves out (`?older=`)."""
    text = request.GET.get("older", "")
    if text.isdecimal() and len(text) <= MAX_DIGITS:
        return int(text)
    return 0


def _write_message(request: HttpRequest, viewer: Viewer, receiver: Receiver | None) -> HttpResponse:
    """Write a message to the other seat of a thread, or to those ticked in the form (None)."""
    text = request.POST.get("message", "")
    to_values = request.POST.getlist("to")
    if receiver is None:
        to = [_receiver_key(value) for value in to_values]
    else:
        to = [receiver.key]
    try:
        rows = message_write(viewer=viewer, to=to, text=text)
    except RuleViolations as error:
        violations = error.limited_violations
        if receiver is None:
            return _render_threads(
                request, viewer, violations=violations, draft_text=text, to=to_values
            )
        return _render_thread(request, viewer, receiver, violations=violations, draft_text=text)
    if any(row.delivered_at is None or row.delivered_at > row.written_at for row in rows):
        flash.success(request, phrase("Sealed. The message is sent when the stage is resolved."))
    else:
        flash.success(request, phrase("Sent."))
    if len(to) == 1:
        return redirect(_href(viewer, to[0]))
    return redirect("messages", c=viewer.campaign.public_id)


def _receiver_key(value: str) -> str | None:
    """Return the faction's key in a form value, None for the umpire."""
    if value == UMPIRE:
        return None
    return value.removeprefix(FACTION)


def _thread(
    viewer: Viewer,
    receiver: Receiver,
    all_messages: list[MessageLine],
    names: dict[str | None, str],
) -> Thread:
    """Return a thread of the reader's seat with another seat."""
    thread_messages = _thread_messages(viewer, receiver, all_messages)
    return Thread(
        receiver=receiver,
        href=_href(viewer, receiver.key),
        value=UMPIRE if receiver.key is None else FACTION + receiver.key,
        unread=sum(message.unread for message in thread_messages),
        count=len(thread_messages),
        last=_message_row(thread_messages[-1], names) if thread_messages else None,
    )


def _thread_messages(
    viewer: Viewer, receiver: Receiver, all_messages: list[MessageLine]
) -> list[MessageLine]:
    """Return the messages between the reader's seat and another one."""
    own_key = seat_of(viewer).key
    pair = sorted((str(own_key or ""), str(receiver.key or "")))
    messages: list[MessageLine] = []
    for message in all_messages:
        if sorted((message.sender or "", message.receiver or "")) == pair:
            messages.append(message)
    return messages


def _names(viewer: Viewer) -> dict[str | None, str]:
    """Return the names of all seats by faction key; None is the umpire."""
    names: dict[str | None, str] = {None: phrase("The umpire")}
    for receiver in receivers_of(viewer):
        names[receiver.key] = receiver.name
    return names


def _message_row(message: MessageLine, names: dict[str | None, str]) -> MessageRow:
    """Return a message with its sender, recipient and time in words."""
    sender_text = names[message.sender]
    if message.author:
        sender_text += phrase(" ({})", message.author)
    if message.stage:
        time_text = phrase("week {}, {}", message.week, STAGE_NAMES[message.stage])
    else:
        time_text = phrase("before the war")
    return MessageRow(message, sender_text, names[message.receiver], time_text)


def _href(viewer: Viewer, key: str | None) -> str:
    """Return the address of the thread with a faction, or with the umpire (None)."""
    kwargs: dict[str, Any] = {"c": viewer.campaign.public_id}
    if key is None:
        return reverse("messages-umpire", kwargs=kwargs)
    return reverse("messages-to", kwargs=kwargs | {"key": key})


def _tabs(viewer: Viewer) -> dict[str, Any]:
    """Return what all message pages show: the tabs and the message rules of this war."""
    rules = message_rules_of(viewer.campaign)
    return {**tabs(viewer, "messages"), "rules": rules, "longest": LONGEST}


urlpatterns = [
    path("c/<uuid:c>/messages/", messages, name="messages"),
    path("c/<uuid:c>/messages/umpire/", thread, name="messages-umpire"),
    path("c/<uuid:c>/messages/all/", messages_between_factions, name="messages-all"),
    path("c/<uuid:c>/messages/to/<slug:key>/", thread, name="messages-to"),
]
