"""API resources for seats: members, invitations, taking and leaving seats."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.access import Viewer, viewer_of
from campaign.api.campaigns import campaign_sheet
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.api.seat_shapes import (
    FactionBody,
    InviteList,
    InviteNew,
    InviteSheet,
    Joining,
    NamedPerson,
    NewInviteSheet,
    SeatList,
    SeatSheet,
    ToComputer,
)
from campaign.api.shapes import CampaignSheet, Nothing
from campaign.errors import NotAllowed
from campaign.kinds import Role
from campaign.models.campaign import Faction, Invite, Membership
from campaign.services.invites import invite_accept, invite_create, invite_revoke, invites_open
from campaign.services.seats import seat_leave, seat_send_away, seat_take, seat_to_computer
from engine.core.phrase import phrase

TAG = "seats"


class SeatListResource(Resource):
    """The members of a campaign."""

    @documented("seats", "Factions and who plays them", {200: SeatList}, problems=(404,), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return each faction's players, staff and admiral, and all other members."""
        return json_response(seat_list(self.viewer(campaign)))


class TakeResource(Resource):
    """The host's own seat in a faction."""

    @documented(
        "seat_take",
        "Host: take over a faction that has no players",
        {200: SeatList},
        body_type=FactionBody,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Take a faction's seat, and return all seats.

        Taking the caller's present seat again changes nothing. 403 if the faction has players, or
        the host has seen another side's hidden information.
        """
        viewer = self.viewer(campaign, host=True)
        body = body_of(request, FactionBody)
        if viewer.faction is None or viewer.faction.key != body.faction:
            seat_take(viewer=viewer, faction=body.faction)
        return json_response(seat_list(viewer))


class LeaveResource(Resource):
    """Leaving a seat."""

    @documented(
        "seat_leave",
        "Leave the campaign",
        {204: None},
        body_type=Nothing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """End all of the caller's seats except that of host.

        A faction that loses its last player gets a computer admiral; a running war that loses its
        last player stops its clock. 403 for a host without another seat.
        """
        viewer = self.viewer(campaign)
        body_of(request, Nothing)
        seat_leave(viewer=viewer)
        return HttpResponse(status=204)


class ToComputerResource(Resource):
    """Handing a faction to a computer admiral."""

    @documented(
        "seat_to_computer",
        "Host or umpire: hand a faction to a computer admiral",
        {200: SeatList},
        body_type=ToComputer,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Hand a faction to a computer admiral, and return all seats; its players lose theirs.

        If no faction has a player then, the clock of a running war stops until a player takes a
        seat, unless the body says `unattended`.
        """
        viewer = self.keeper(campaign)
        body = body_of(request, ToComputer)
        seat_to_computer(
            viewer=viewer,
            faction=body.faction,
            character=body.character,
            unattended=body.unattended,
            reason=body.reason,
        )
        return json_response(seat_list(viewer))


class SendAwayResource(Resource):
    """Ending the seat of a guest or staff of the caller's faction."""

    @documented(
        "seat_send_away",
        "End the seat of a guest of the faction or, as its player, of staff",
        {200: SeatList},
        body_type=NamedPerson,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """End the user's access to the faction, and return all seats.

        404 for users who are neither guests nor staff of the caller's faction.
        """
        viewer = self.viewer(campaign, play=True)
        body = body_of(request, NamedPerson)
        seat_send_away(viewer=viewer, name=body.name, reason=body.reason)
        return json_response(seat_list(viewer))


class JoinResource(Resource):
    """Accepting an invitation."""

    @documented(
        "campaign_join",
        "Accept an invitation; repeated by the same account it returns the same seat",
        {200: CampaignSheet},
        body_type=Joining,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Take the offered seat, and return the campaign as the new member sees it.

        404 for an invitation that is unknown, used, revoked or expired. 403 if the sides of the war
        now vote on whether the caller becomes umpire.
        """
        user = cast(Any, request.user)
        token = body_of(request, Joining).token
        if invite_accept(user=user, public_id=campaign, token=token) is None:
            raise NotAllowed(phrase("the sides of the war vote first on whether you become umpire"))
        return json_response(campaign_sheet(viewer_of(user, campaign, guest=True)))


class InviteListResource(Resource):
    """Invitations."""

    @documented(
        "invites",
        "The open invitations the caller may revoke",
        {200: InviteList},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the open invitations without tokens.

        A host sees all, a player those to their faction, an umpire their own.
        """
        viewer = self.viewer(campaign)
        return json_response(InviteList([_sheet(row) for row in invites_open(viewer=viewer)]))

    @documented(
        "invite_create",
        "Create an invitation; its token is shown only in this answer",
        {201: NewInviteSheet},
        body_type=InviteNew,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Offer a seat, and return the invitation with its token.

        docs/reference/seats-and-clock.md lists who may invite whom; 403 for others.
        """
        viewer = self.viewer(campaign)
        body = body_of(request, InviteNew)
        new_invite = invite_create(
            viewer=viewer,
            role=body.role,
            faction=body.faction,
            days=body.days,
            until=body.until,
            replaces=body.replaces,
        )
        row = new_invite.invite
        where = reverse("api-invite", args=[campaign, str(row.public_id)])
        response = json_response(_invite_with_token(row, new_invite.token), 201, location=where)
        response.kept = json_response(_invite_with_token(row, None)).content  # type: ignore[attr-defined]  # no secret is stored
        return response


class InviteResource(Resource):
    """One invitation."""

    @documented(
        "invite_revoke",
        "Revoke an invitation; repeating it does nothing",
        {204: None},
        problems=(404, 403, 409),
        tag=TAG,
    )
    def delete(self, request: Request, campaign: str, invite: str) -> HttpResponse:
        """Revoke the invitation. 404 if it is used or the caller may not revoke it."""
        invite_revoke(viewer=self.viewer(campaign), invite=invite)
        return HttpResponse(status=204)


def seat_list(viewer: Viewer) -> SeatList:
    """Return all members of a campaign."""
    campaign = viewer.campaign
    memberships = Membership.objects.filter(campaign_id=campaign.pk)
    columns = ("role", "faction_id", "user__username", "user__preference__bot", "until")
    names: dict[tuple[str, int | None], list[str]] = {}  # by role and faction
    ends: dict[int | None, dict[str, datetime]] = {}  # by faction and name
    bots: set[str] = set()
    rows = memberships.order_by("user__username", "pk").values_list(*columns)
    for role, faction, name, is_bot, until in rows:
        names.setdefault((role, faction), []).append(name)
        if until is not None:
            ends.setdefault(faction, {})[name] = until
        if is_bot:
            bots.add(name)
    seats = []
    for row in Faction.objects.filter(campaign_id=campaign.pk).order_by("key"):
        seats.append(
            SeatSheet(
                faction=row.key,
                name=row.name,
                players=names.get((Role.PLAYER, row.pk), []),
                staff=names.get((Role.STAFF, row.pk), []),
                admiral=row.admiral or None,
                until=ends.get(row.pk, {}),
                guests=names.get((Role.GUEST, row.pk), []),
            )
        )
    return SeatList(
        seats=seats,
        hosts=names.get((Role.HOST, None), []),
        umpires=names.get((Role.UMPIRE, None), []),
        observers=names.get((Role.OBSERVER, None), []),
        bots=sorted(bots),
    )


def _sheet(row: Invite) -> InviteSheet:
    faction = None if row.faction is None else row.faction.key
    return InviteSheet(
        id=str(row.public_id),
        role=row.role,
        faction=faction,
        expires=row.expires,
        until=row.until,
        replaces=_replaced(row),
    )


def _invite_with_token(row: Invite, token: str | None) -> NewInviteSheet:
    faction = None if row.faction is None else row.faction.key
    return NewInviteSheet(
        id=str(row.public_id),
        role=row.role,
        faction=faction,
        expires=row.expires,
        until=row.until,
        replaces=_replaced(row),
        token=token,
    )


def _replaced(row: Invite) -> str | None:
    """Return the user name of the player whose seat an invitation offers."""
    if row.replaces is None:
        return None
    return row.replaces.get_username()
