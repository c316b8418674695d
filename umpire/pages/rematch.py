"""Buttons that begin a war or battle again, on the pages of results."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.access import Viewer, viewer_of
from campaign.errors import Refused
from campaign.models.campaign import Campaign
from campaign.selectors.clock import waiting_stage
from campaign.services.rematches import next_side, rematch_open
from campaign.web.invitation_links import keep_link
from campaign.web.next_action import current_action
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase

REMATCH, SWAP = "rematch", "swap"  # values of the buttons `act`

Begin = Callable[[HttpRequest, Viewer], Campaign | None]


def begin_rematch(request: HttpRequest, viewer: Viewer) -> Campaign | None:
    """Open the viewer's war again, with the sides of the pressed button.

    The lobby shows the links of the invitations.

    Returns:
        The new war; None if there is no such button.

    Raises:
        Refused: There is no rematch.
        RuleViolations: The settings are no longer possible.
    """
    act = request.POST.get("act", "")
    side = next_side(viewer) if act == SWAP else viewer.faction
    if act not in (REMATCH, SWAP) or side is None:
        return None
    new, invites = rematch_open(viewer=viewer, play=side.key)
    for invite in invites:
        keep_link(request, invite.invite.public_id, invite.token)
    return new


def begin_again(request: HttpRequest, viewer: Viewer, here: str, begin: Begin) -> HttpResponse:
    """Begin a war and go there, or back to the page with the reason why not.

    Args:
        here: The address of the page.
        begin: Opens the war.
    """
    try:
        with transaction.atomic():
            new = begin(request, viewer)
    except RuleViolations as error:
        messages.warning(request, error.limited_violations[0].message)
        return redirect(here)
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return redirect(here)
    if new is None:
        return redirect(here)
    host = viewer_of(viewer.user, new.public_id)
    if host.campaign.started_at is None:
        return redirect("lobby", c=new.public_id)
    return redirect(current_action(host, waiting_stage(campaign=host.campaign)).href)
