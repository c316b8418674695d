"""Actions about seats: invite, join, take, leave, hand over to the computer; settings; the start.

Each action is a form that leads back to the lobby. Sent twice, it has the same effect as once.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.access import Viewer, require, viewer_of
from campaign.errors import AlreadyStarted, NotAllowed, NotFound, StageClosed
from campaign.kinds import Role, StageKind
from campaign.models.campaign import Invite
from campaign.pages.people.lobby import lobby_page, seat_words
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.selectors.clock import waiting_stage
from campaign.services.gallery import consent_set, gallery_rule_set
from campaign.services.invites import (
    DAYS,
    INVITED,
    host_who_needs_vote,
    invite_accept,
    invite_count,
    invite_create,
    invite_read,
    invite_revoke,
)
from campaign.services.seats import (
    COMPUTER,
    campaign_begin,
    campaign_change,
    empty_sheets_set,
    seat_leave,
    seat_send_away,
    seat_take,
    seat_to_computer,
)
from campaign.store.documents import scenario_of
from campaign.web.common import UNPROCESSABLE, member_page, show, words_of
from campaign.web.invitation_links import keep_link
from campaign.web.next_action import current_action
from campaign.web.scenario_cards import scenario_card
from campaign.web.timetables import OWN, grace_in
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase


@member_page
@require_POST
def seat_act(request: HttpRequest, viewer: Viewer, verb: str) -> HttpResponseBase:
    """Do one action, then show the lobby again, with the reason if the action was refused."""
    act = ACTS.get(verb)
    if act is None:
        raise Http404
    try:
        return act(request, viewer) or redirect("lobby", c=viewer.campaign.public_id)
    except RuleViolations as error:
        return lobby_page(request, viewer, error.limited_violations, UNPROCESSABLE)
    except (NotAllowed, StageClosed, AlreadyStarted) as error:
        return lobby_page(request, viewer, (Violation("", "refused", error.words),), 409)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, c: uuid.UUID, token: str) -> HttpResponseBase:
    """Show an invitation. A button takes the seat; readers without an account can sign up first."""
    try:
        if request.method == "POST" and request.user.is_authenticated:
            return _join(request, c, token)
        invite = invite_read(public_id=c, token=token)
    except NotFound:
        if request.user.is_authenticated and _is_used_by_reader(request, c):
            return redirect("lobby", c=c)
        return show(request, "invitation_not_found", status=404)
    return _render_invitation(request, invite)


def _join(request: HttpRequest, c: uuid.UUID, token: str) -> HttpResponse:
    try:
        part = invite_accept(user=request.user, public_id=c, token=token)  # type: ignore[arg-type]
    except (RuleViolations, NotAllowed) as error:
        invite = invite_read(public_id=c, token=token)
        if isinstance(error, RuleViolations):
            words = words_of(error.limited_violations)
        else:
            words = phrase("{}.", error.words)
        return _render_invitation(request, invite, words, UNPROCESSABLE)
    if part is None:
        words = phrase(
            "The sides of the war now vote on you. You become umpire when every side has agreed."
        )
        messages.success(request, words)
        return redirect("home")
    where = part.faction.name if part.faction else part.role
    messages.success(request, phrase("You have joined: {}.", where))
    return redirect("lobby", c=c)


def _is_used_by_reader(request: HttpRequest, c: uuid.UUID) -> bool:
    """Return whether the reader is a member of this campaign already."""
    try:
        viewer_of(request.user, c, guest=True)
    except NotFound:
        return False
    return True


def _render_invitation(
    request: HttpRequest, invite: Invite, refusal: str = "", status: int = 200
) -> HttpResponse:
    campaign = invite.campaign
    scenario = scenario_of(campaign)
    here = urlencode({"next": request.path})
    if not request.user.is_authenticated:
        request.session[INVITED] = str(invite.public_id)
    return show(
        request,
        "join",
        status=status,
        campaign=campaign,
        invite=invite,
        seat=seat_words(invite),
        is_voted_on=host_who_needs_vote(invite) is not None,
        by="" if invite.created_by is None else invite.created_by.get_username(),
        scenario=scenario,
        card=scenario_card(scenario, campaign.scenario.sha256),
        refusal=refusal,
        sign_up=f"{reverse('account_signup')}?{here}",
        log_in=f"{reverse('account_login')}?{here}",
    )


MAX_DIGITS = 4  # a number of weeks has fewer
Act = Callable[[HttpRequest, Viewer], HttpResponse | None]


def _invite(request: HttpRequest, viewer: Viewer) -> None:
    """Make a link to a seat, unless the form was sent twice."""
    if not _is_sent_again(request, viewer):
        role = request.POST.get("role", "player")
        faction = request.POST.get("faction", "")
        replaces = request.POST.get("replaces", "")
        _make_link(request, viewer, role=role, faction=faction, replaces=replaces)


def _stand_in(request: HttpRequest, viewer: Viewer) -> None:
    """Make a link for a stand-in until the end of a day in the campaign's time zone."""
    if _is_sent_again(request, viewer):
        return
    try:
        last = date.fromisoformat(request.POST.get("last", ""))
        until = datetime.combine(
            last + timedelta(days=1), time(), ZoneInfo(viewer.campaign.timetable["zone"])
        )
    except (ValueError, OverflowError) as error:
        raise RuleViolations(
            [Violation("last", "not-a-date", phrase("enter the last day, such as 2026-12-24"))]
        ) from error
    faction = require(viewer, play=True).faction
    faction_key = "" if faction is None else faction.key
    _make_link(request, viewer, role=Role.STAFF, faction=faction_key, until=until)


def _is_sent_again(request: HttpRequest, viewer: Viewer) -> bool:
    """Return whether the form has made its invitation already."""
    return request.POST.get("number") != str(invite_count(viewer=viewer))


def _make_link(
    request: HttpRequest,
    viewer: Viewer,
    *,
    role: str,
    faction: str,
    until: datetime | None = None,
    replaces: str = "",
) -> None:
    """Create an invitation and keep its link for the next page.

    Args:
        until: When the seat ends.
        replaces: The player whose seat the new player takes over.
    """
    invitation = invite_create(
        viewer=viewer,
        role=role,
        faction=faction,
        days=DAYS,
        until=until,
        replaces=replaces,
    )
    keep_link(request, invitation.invite.public_id, invitation.token)


def _send_away(request: HttpRequest, viewer: Viewer) -> None:
    name = request.POST.get("name", "")
    seat_send_away(viewer=viewer, name=name)
    messages.success(request, phrase("{} has left your faction.", name))


def _revoke(request: HttpRequest, viewer: Viewer) -> None:
    invite_revoke(viewer=viewer, invite=request.POST.get("invite", ""))
    messages.success(request, phrase("The invitation has been revoked."))


def _take(request: HttpRequest, viewer: Viewer) -> None:
    faction = request.POST.get("faction", "")
    if viewer.faction is not None and viewer.faction.key == faction:
        return
    part = seat_take(viewer=viewer, faction=faction)
    messages.success(
        request,
        phrase("You play {}.", part.faction.name) if part.faction else phrase("You have joined."),
    )


def _leave(request: HttpRequest, viewer: Viewer) -> HttpResponse | None:
    """Give up the viewer's seat; only hosts may see the campaign afterwards."""
    seat_leave(viewer=viewer)
    messages.success(request, phrase("You have left your seat in {}.", viewer.campaign.name))
    if viewer.hosts:
        return None
    return redirect("home")


def _computer(request: HttpRequest, viewer: Viewer) -> None:
    """Hand a faction to a computer admiral."""
    character = request.POST.get("character", COMPUTER)
    row = seat_to_computer(
        viewer=viewer,
        faction=request.POST.get("faction", ""),
        character=character,
        unattended=request.POST.get("unattended") == "yes",
        reason=request.POST.get("reason", "").strip(),
    )
    messages.success(request, phrase("A {} computer admiral now commands {}.", character, row.name))


def _settings(request: HttpRequest, viewer: Viewer) -> None:
    """Change the settings of a campaign before its war begins."""
    name = request.POST.get("name", "").strip()
    zone = request.POST.get("zone", "").strip()
    timetable_name = request.POST.get("timetable", OWN)
    if timetable_name == OWN:
        timetable: dict[str, Any] = {**viewer.campaign.timetable, "zone": zone}
    elif timetable_name in TIMETABLES:
        timetable = timetable_of(timetable_name, zone)
    else:
        raise RuleViolations(
            [Violation("timetable", "unknown-timetable", phrase("choose one of the timetables"))]
        )
    if "grace" in request.POST:
        timetable = {key: value for key, value in timetable.items() if key != "grace_hours"}
        timetable |= grace_in(request.POST["grace"])
    battles = request.POST.get("battles") or None
    beacon = None
    if "beacon_offered" in request.POST:
        beacon = request.POST.get("beacon") == "yes"
    campaign_change(viewer=viewer, name=name, timetable=timetable, battles=battles, beacon=beacon)
    messages.success(request, phrase("Saved."))


def _admiral(request: HttpRequest, viewer: Viewer) -> None:
    faction = request.POST.get("faction", "")
    character = request.POST.get("character", "")
    campaign_change(viewer=viewer, admirals={faction: character})
    messages.success(request, phrase("The computer admiral is now {}.", character))


def _begin(request: HttpRequest, viewer: Viewer) -> HttpResponse | None:
    """Begin the war; a host who plays goes on to their first task."""
    try:
        campaign_begin(
            viewer=viewer,
            computers=request.POST.getlist("computers"),
            unattended=request.POST.get("unattended") == "yes",
        )
    except AlreadyStarted:
        return None
    new_viewer = viewer_of(request.user, viewer.campaign.public_id)
    stage = waiting_stage(campaign=new_viewer.campaign)
    is_single_battle = is_skirmish(scenario_of(viewer.campaign))
    is_deployment = stage is not None and stage.kind == StageKind.DEPLOY
    if not is_single_battle and is_deployment:
        messages.success(request, phrase("The war has begun. The deployment is open."))
    elif not is_single_battle:
        messages.success(request, phrase("The war has begun."))
    elif is_deployment:
        messages.success(request, phrase("Every side now chooses its ships."))
    else:
        messages.success(request, phrase("The battle has begun."))
    if new_viewer.plays:
        return redirect(current_action(new_viewer, stage).href)
    return None


def _empty(request: HttpRequest, viewer: Viewer) -> None:
    """Choose whether stages with nothing to decide are sealed automatically."""
    sealed = request.POST.get("sealed") == "yes"
    empty_sheets_set(viewer=viewer, sealed=sealed)
    if sealed:
        messages.success(request, phrase("Empty stages are skipped for you."))
    else:
        messages.success(request, phrase("You seal every stage yourself."))


def _gallery(request: HttpRequest, viewer: Viewer) -> None:
    """Set whether the player lets the war, and their name, be shown in the gallery."""
    is_shown = request.POST.get("shown") == "yes"
    is_named = request.POST.get("named") == "yes"
    consent_set(viewer=viewer, show_war=is_shown, show_name=is_named)
    if is_shown:
        messages.success(request, phrase("You agree to this war being shown."))
    else:
        messages.success(request, phrase("You do not agree to this war being shown."))


def _gallery_rule(request: HttpRequest, viewer: Viewer) -> None:
    """Set how late the gallery shows the war, or that it does not."""
    weeks_text = request.POST.get("weeks", "")
    if not weeks_text:
        gallery_rule_set(viewer=viewer, weeks=None)
        messages.success(request, phrase("This war is not shown in the gallery."))
        return
    is_number = weeks_text.isascii() and weeks_text.isdigit()
    if not is_number or len(weeks_text) >= MAX_DIGITS:
        words = phrase("choose one of the numbers of weeks offered")
        raise RuleViolations([Violation("weeks", "not-a-number", words)])
    gallery_rule_set(viewer=viewer, weeks=int(weeks_text))
    messages.success(request, phrase("Saved."))


ACTS: dict[str, Act] = {
    "gallery": _gallery,
    "gallery-rule": _gallery_rule,
    "empty": _empty,
    "invite": _invite,
    "stand-in": _stand_in,
    "send-away": _send_away,
    "revoke": _revoke,
    "take": _take,
    "leave": _leave,
    "computer": _computer,
    "settings": _settings,
    "admiral": _admiral,
    "begin": _begin,
}

urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/seats/<slug:verb>/", seat_act, name="seat-act"),
    path("c/<uuid:c>/join/<str:token>/", join, name="join"),
]
