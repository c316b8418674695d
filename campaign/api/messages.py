"""API resources for messages within a faction, between factions and to the umpire."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.kinds import MessageModeText
from campaign.selectors.messages import (
    MessageLine,
    list_faction_messages,
    list_messages,
    message_rules_of,
    receivers_of,
    seat_of,
)
from campaign.services.messages import message_write, messages_mark_read

TAG = "messages"


@dataclass(frozen=True, slots=True)
class MessageList:
    """Messages, oldest first.

    Attributes:
        mode: When messages between factions are delivered.
        to: The factions that the caller may write to.
        umpire: Whether the caller may write to the umpire.
    """

    mode: MessageModeText
    to: list[str]
    umpire: bool
    messages: list[MessageLine]


@dataclass(frozen=True, slots=True)
class MessageNew:
    """A message to one or more receivers.

    Attributes:
        to: Faction keys.
        umpire: Send it to the umpire, too.
    """

    text: str
    to: list[str] = field(default_factory=list)
    umpire: bool = False


@dataclass(frozen=True, slots=True)
class SentMessages:
    """The new messages, one for each receiver."""

    messages: list[MessageLine]


@dataclass(frozen=True, slots=True)
class FactionMessages:
    """Messages between factions, oldest first."""

    messages: list[MessageLine]


@dataclass(frozen=True, slots=True)
class ReadMessages:
    """The ids of messages that the caller has read."""

    ids: list[str]


class _MessageResource(Resource):
    """A base for resources of callers whose seat writes messages."""

    def correspondent(self, campaign: str) -> Viewer:
        """Return the caller. Raises NotFound if they have no such seat."""
        viewer = self.viewer(campaign)
        seat_of(viewer)
        return viewer


class MessageListResource(_MessageResource):
    """The messages of the caller's seat."""

    @documented(
        "messages",
        "Messages to and from the caller's seat",
        {200: MessageList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the messages of the faction, or of the umpire; 404 in a war without messages."""
        viewer = self.correspondent(campaign)
        messages = list_messages(viewer)
        keys = [receiver.key for receiver in receivers_of(viewer)]
        mode = message_rules_of(viewer.campaign).mode
        return json_response(
            MessageList(mode, [key for key in keys if key is not None], None in keys, messages)
        )

    @documented(
        "message_write",
        "Write a message",
        {201: SentMessages},
        body_type=MessageNew,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Send a message to each receiver, who gets it as if it were the only one.

        It is delivered at once, or when the stage is resolved. 422 lists all faults. The same text
        to the same receiver within a minute is one message.
        """
        viewer = self.correspondent(campaign)
        body = body_of(request, MessageNew)
        receivers: list[str | None] = [*body.to]
        if body.umpire:
            receivers.append(None)
        rows = message_write(viewer=viewer, to=receivers, text=body.text)
        ids = {str(row.public_id) for row in rows}
        return json_response(
            SentMessages([message for message in list_messages(viewer) if message.id in ids]),
            201,
        )


class MessagesReadResource(_MessageResource):
    """The messages that the caller has read."""

    @documented(
        "messages_read",
        "Mark messages as read; repeating it does nothing",
        {204: None},
        body_type=ReadMessages,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Mark messages as read, without notifying other users.

        Ids of messages that are not for the caller's seat are ignored.
        """
        viewer = self.correspondent(campaign)
        messages_mark_read(viewer=viewer, ids=body_of(request, ReadMessages).ids)
        return HttpResponse(status=204)


class MessagesAllResource(Resource):
    """The messages between factions."""

    @documented(
        "messages_all",
        "Umpire: messages between factions, if the war lets its umpire read them",
        {200: FactionMessages},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the delivered messages; 404 if the war does not let its umpire read them."""
        viewer = self.viewer(campaign, umpire=True)
        return json_response(FactionMessages(list_faction_messages(viewer)))
