"""A campaign's first page: the lobby before the war, then the war room with the next action."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.kinds import Role, StageKind
from campaign.models.campaign import Campaign, Faction, Invite, Membership
from campaign.models.stage import Stage
from campaign.pages.ships.ships import fleet_lines
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.timetable import timetable_ahead
from campaign.rules.view import View
from campaign.selectors import gallery_consent
from campaign.selectors.clock import Seat, members_of, seats_at, waiting_stage
from campaign.selectors.due import battles_keep_deadline, closing_of
from campaign.selectors.envelopes import sealed_of
from campaign.selectors.messages import message_rules_of
from campaign.services.bots import bots_allowed, bots_in
from campaign.services.campaigns import ADMIRALS, battle_mode_of
from campaign.services.invites import invite_count, invites_open
from campaign.services.memos import memo_for
from campaign.sight.reports import list_battles
from campaign.sight.views import Sight, current_sight
from campaign.store.documents import scenario_of
from campaign.web import timetables
from campaign.web.chart import chart
from campaign.web.common import absolute, member_page, show
from campaign.web.guide import guide_page
from campaign.web.mini_map import mini_map
from campaign.web.next_action import STEPS, current_action, stage_words
from campaign.web.objectives import objectives_of
from campaign.web.report_links import map_address, report_links
from campaign.web.scenario_cards import scenario_card
from campaign.web.seat_marks import seats
from campaign.web.war import state_key_of
from campaign.words.common import battle_words
from campaign.words.moments import date_words
from campaign.words.notices import lines_of
from engine.core.cache import Cache
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.english import join_names
from engine.ruleset import rules_of

LINKS = "links"  # in the session: invitations whose links have not been shown yet
_fragments: Cache[tuple[object, ...], SafeString] = Cache(256)  # rendered war room parts, by view
WEEKS_LATE = (2, 4, 6, 8, 12)  # delays in weeks that the gallery form offers
OTHER_ROLES = (
    (Role.OBSERVER, phrase("an observer")),
    (Role.UMPIRE, phrase("an umpire")),
    (Role.HOST, phrase("another host")),
)


@dataclass(frozen=True, slots=True)
class InviteLink:
    """The link of an invitation, shown once."""

    id: str
    purpose: str  # what the invitation is for
    url: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A faction in the list of seats, and what the reader may do about it."""

    seat: Seat
    number: int  # seat number
    is_own: bool
    may_take: bool
    may_invite: bool
    may_hand_over: bool
    may_choose_admiral: bool
    staff: tuple[Membership, ...] = ()  # members who help to play the faction
    guests: tuple[str, ...] = ()  # names of spectators of this faction
    may_have_guests: bool = False
    may_have_stand_in: bool = False  # the reader plays it and may invite a stand-in
    may_offer: tuple[str, ...] = ()  # players whose seats the reader may offer to others
    is_last: bool = False  # no other faction has players


@member_page
@require_safe
def lobby(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the lobby before the war and the war room afterwards."""
    return lobby_page(request, viewer)


def lobby_page(
    request: HttpRequest, viewer: Viewer, violations: Sequence[Violation] = (), status: int = 200
) -> HttpResponse:
    """Render the page, with the faults of a form that was sent to it."""
    campaign = viewer.campaign
    scenario = scenario_of(campaign)
    has_begun = campaign.started_at is not None
    stage = waiting_stage(campaign=campaign) if has_begun else None
    paper = None if stage is None or viewer.faction is None else sealed_of(stage, viewer.faction)
    next_action = current_action(viewer, stage, paper is not None)
    kind = stage.kind if stage else StageKind.OVER
    parts: dict[str, Any] = {
        "viewer": viewer,
        "campaign": campaign,
        "scenario": scenario,
        "options": rules_of(scenario.edition).titles(scenario.options),
        "violations": violations,
        "begun": has_begun,
        "kind": kind if has_begun else "",
        "next_action": next_action,
        "paper": paper,
        "state_key": state_key_of(stage, next_action),
        "here": "lobby",
        "guided": guide_page(viewer, StageKind.OVER),
    }
    parts |= _people(request, viewer, scenario, over=has_begun and stage is None)
    keeps = battles_keep_deadline(
        campaign.ruleset,
        len(scenario.factions),
        umpired=any(member.role == Role.UMPIRE for member in parts["others"]),
    )
    parts |= _clock(campaign, scenario, keeps)
    parts |= _gallery(viewer)
    if not has_begun:
        card = scenario_card(scenario, campaign.scenario.sha256)
        parts |= _beginning(campaign, parts["seats"], keeps)
        return show(request, "lobby", status=status, card=card, **parts, **_settings(campaign))
    return show(request, "warroom", status=status, **parts, **_war(viewer, scenario, stage))


def _war(viewer: Viewer, scenario: Scenario, stage: Stage | None) -> dict[str, Any]:
    """Return the state of the war, and what the viewer's faction sees of it."""
    campaign, faction = viewer.campaign, viewer.visible_faction
    shared = {
        "stage": stage,
        "stage_words": stage_words(stage) if stage else "",
        "steps": _steps(stage),
        "ahead": [] if stage is None else _ahead(campaign, stage),
        "closing_early": "" if stage is None else timetables.stage_early_words(closing_of(stage)),
    }
    if faction is None:
        return shared
    sight_now = current_sight(campaign, faction)
    kind = stage.kind if stage else StageKind.OVER
    key = (
        str(campaign.public_id),
        campaign.head_branch_id,
        campaign.scenario.sha256,
        faction.key,
        sight_now.etag,
        sight_now.seq,
    )
    return {
        **shared,
        "view": sight_now.view,
        "memo": memo_for(faction, sight_now.view.week) if viewer.plays else "",
        "seen": _fragments.get_or_make(
            (get_language(), *key, kind),
            lambda: _render_war(
                campaign, faction, with_known_designs(scenario, sight_now.view), sight_now, kind
            ),
        ),
        "beside": _fragments.get_or_make(
            (get_language(), *key, "beside"),
            lambda: _render_side_column(
                campaign, with_known_designs(scenario, sight_now.view), sight_now.view
            ),
        ),
        "winner": next(
            (power.name for power in scenario.factions if power.id == sight_now.view.winner), ""
        ),
        "won": bool(sight_now.view.winner)
        and sight_now.view.winner in (faction.key, faction.alliance),
    }


def _render_war(
    campaign: Campaign, faction: Faction, scenario: Scenario, sight_now: Sight, kind: str
) -> SafeString:
    """Render the faction's view of the war: the newest report and the fleets."""
    battles = []
    for battle in list_battles(campaign, faction):
        if battle.seq == sight_now.seq:
            battles.append(battle)
    parts = {
        "campaign": campaign,
        "scenario": scenario,
        "kind": kind,
        "seq": sight_now.seq,
        "lines": lines_of(
            scenario,
            faction.key,
            sight_now.view.notices,
            report_links(campaign, scenario, [sight_now.view]),
        ),
        "on_map": map_address(campaign),
        "fleets": fleet_lines(scenario, sight_now.view),
        "battles": [(battle, battle_words(scenario, battle.hex)) for battle in battles],
        "losses": len(sight_now.view.losses),
    }
    return render_to_string("campaign/warroom_briefing.html", parts)


def _render_side_column(campaign: Campaign, scenario: Scenario, view: View) -> SafeString:
    """Render the small map and the victory conditions; nothing for a single battle."""
    if campaign.ruleset.get("single"):
        return mark_safe("")
    mini = mini_map(scenario, view, chart(scenario, view))
    parts = {"c": campaign.public_id, "mini": mini, "objectives": objectives_of(scenario, view)}
    return render_to_string("campaign/warroom_objectives.html", parts)


def _steps(stage: Stage | None) -> list[tuple[str, str]]:
    """Return the stages of a week, each marked as done, now or ahead."""
    kinds = [kind for kind, _ in STEPS]
    if stage is None or stage.kind not in kinds:
        return []
    now = kinds.index(stage.kind)
    states = ["done"] * now + ["now"] + ["ahead"] * (len(STEPS) - now - 1)
    return [(name, state) for (_, name), state in zip(STEPS, states, strict=True)]


def _ahead(campaign: Campaign, stage: Stage) -> list[tuple[str, Any]]:
    """Return the scheduled closing times of the week's later stages."""
    closing = timetable_ahead(campaign.timetable, stage.kind, stage.closes)
    result: list[tuple[str, Any]] = []
    for kind, when in closing:
        if kind != stage.kind:
            result.append((timetables.STAGE_NAMES[kind], when))
    return result


def _clock(campaign: Campaign, scenario: Scenario, battles_last: bool) -> dict[str, Any]:
    """Return the timetable in words.

    Args:
        battles_last: Whether battles keep their deadline (`battles_keep_deadline`).
    """
    return {
        "timetable_lines": timetables.lines_of(campaign.timetable),
        "timetable_early": timetables.early_words(
            campaign.timetable, len(scenario.factions), battles_last
        ),
        "timetable_absence": timetables.absence_words(campaign.timetable),
        "timetable_zone": campaign.timetable["zone"],
    }


def _beginning(campaign: Campaign, lines: Sequence[SeatLine], battles_last: bool) -> dict[str, Any]:
    """Return what the host reads and decides before a war starts with empty seats."""
    empty = [line.seat for line in lines if not line.seat.people]
    played = len(lines) - len(empty)
    return {
        "empty_seats": empty,
        "empty_names": join_names([seat.name for seat in empty]) if empty else "",
        "played": played,
        "begin_closing": timetables.begin_words(
            campaign.timetable, len(lines), played, battles_last
        ),
    }


def _settings(campaign: Campaign) -> dict[str, Any]:
    """Return the values of the host's settings form."""
    chosen = timetables.name_of(campaign.timetable)
    return {
        "timetable_name": chosen,
        "timetable_choices": list(timetables.FORMS.items()),
        "timetable_own": chosen == timetables.OWN,
        "battle_choices": list(timetables.BATTLES.items()),
        "battle_chosen": battle_mode_of(campaign),
        "zones": timetables.zones(),
    }


def _people(request: HttpRequest, viewer: Viewer, scenario: Scenario, over: bool) -> dict[str, Any]:
    """Return the players, other members, and the invitations the reader may give.

    Nobody can take a seat once the war is over.
    """
    campaign, has_begun = viewer.campaign, viewer.campaign.started_at is not None
    numbers = seats(scenario)
    free = viewer.roles == {Role.HOST}  # a host without another role may take a seat
    keeps = (viewer.hosts or viewer.umpires) and not over
    members = members_of(campaign=campaign)
    lines = []
    campaign_seats = seats_at(campaign=campaign, stage=None)
    played = [seat.key for seat in campaign_seats if seat.people]
    own_name = viewer.user.get_username()
    for seat in campaign_seats:
        players = [row.user.get_username() for row in _of(members, Role.PLAYER, seat.key)]
        if keeps:
            offered = players
        else:
            offered = [name for name in players if name == own_name]
        mine = viewer.plays and viewer.faction is not None and viewer.faction.key == seat.key
        may_invite = (
            mine or (viewer.hosts and not has_begun) or (keeps and has_begun and not seat.people)
        )
        lines.append(
            SeatLine(
                seat=seat,
                number=numbers[seat.key],
                is_own=mine,
                may_take=free and not seat.people and not over,
                may_invite=may_invite and not over,
                may_hand_over=bool(seat.people) and keeps,
                may_choose_admiral=viewer.hosts and not has_begun and not seat.people,
                staff=_of(members, Role.STAFF, seat.key),
                guests=tuple(row.user.get_username() for row in _of(members, Role.GUEST, seat.key)),
                may_have_guests=mine and not over,
                may_have_stand_in=mine and Role.PLAYER in viewer.roles and not over,
                may_offer=() if over else tuple(offered),
                is_last=played == [seat.key],
            )
        )
    other_members = [member for member in members if member.faction is None]
    invites = invites_open(viewer=viewer) if viewer.hosts or viewer.plays or viewer.umpires else []
    zone = ZoneInfo(campaign.timetable["zone"])
    return {
        "seats": lines,
        "zone": zone,
        "others": other_members,
        "invites": [(invite, seat_words(invite)) for invite in invites],
        "links": _fresh_links(request, campaign, invites),
        "other_roles": OTHER_ROLES if viewer.hosts and not over else (),
        "admirals": ADMIRALS,
        "bots": bots_in(campaign),
        "bots_allowed": bots_allowed(campaign),
        "messages_rules": message_rules_of(campaign),
        "may_leave": bool(viewer.roles - {Role.HOST}) and not over,
        "invited_so_far": invite_count(viewer=viewer),
    }


def _gallery(viewer: Viewer) -> dict[str, Any]:
    """Return how late the public gallery shows the war, and the reader's choices about it."""
    campaign = viewer.campaign
    rule = gallery_consent.gallery_rule(campaign)
    free = viewer.hosts and not campaign.ruleset.get("single")
    return {
        "gallery_rule": rule,
        "gallery_on": rule is not None,
        "gallery_set": free and (campaign.started_at is None or rule is not None),
        "gallery_weeks": sorted({*WEEKS_LATE, rule} - {None, gallery_consent.AT_THE_END})
        if campaign.started_at is None
        else (),
        "consent": gallery_consent.consent_of(viewer)
        if rule is not None and viewer.plays
        else None,
    }


def _of(members: Sequence[Membership], role: Role, faction: str) -> tuple[Membership, ...]:
    """Return the members with a role at a faction."""
    result: list[Membership] = []
    for row in members:
        if row.role == role and row.faction and row.faction.key == faction:
            result.append(row)
    return tuple(result)


def seat_words(invite: Invite) -> str:
    """Return the seat of an invitation in words."""
    if invite.faction is None:
        return Role.label_of(invite.role)
    if invite.replaces is not None:
        return phrase(
            "{} (takes over from {})", invite.faction.name, invite.replaces.get_username()
        )
    if invite.until is not None:
        last = timezone.localtime(
            invite.until, ZoneInfo(invite.campaign.timetable["zone"])
        ) - timedelta(days=1)
        return phrase(
            "{} (substitute until {} inclusive)", invite.faction.name, date_words(last, "j F")
        )
    return phrase("{} ({})", invite.faction.name, Role.label_of(invite.role))


def _fresh_links(
    request: HttpRequest, campaign: Campaign, invites: Sequence[Invite]
) -> list[InviteLink]:
    """Return the links that have not been shown yet, and forget them."""
    tokens: dict[str, str] = request.session.get(LINKS, {})
    links = []
    for invite in invites:
        token = tokens.pop(str(invite.public_id), None)
        if token is not None:
            path_to_join = reverse("join", kwargs={"c": campaign.public_id, "token": token})
            links.append(
                InviteLink(
                    str(invite.public_id), seat_words(invite), absolute(request, path_to_join)
                )
            )
    if links:
        request.session[LINKS] = tokens
    return links


def keep_link(request: HttpRequest, invite: uuid.UUID, token: str) -> None:
    """Keep the link of an invitation for the next page, which shows it once."""
    request.session[LINKS] = {**request.session.get(LINKS, {}), str(invite): token}


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/", lobby, name="lobby")]
