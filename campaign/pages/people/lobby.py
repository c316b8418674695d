"""A campaign's first page: the lobby before the war, then the war room with the next action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.kinds import BranchKind, Role, StageKind
from campaign.models.campaign import (
    FACTION_ROLES,
    Branch,
    Campaign,
    Faction,
    Invite,
    Membership,
)
from campaign.models.stage import Stage
from campaign.pages.ships.ships import fleet_lines
from campaign.rules.agreements import barred_titles
from campaign.rules.beacon import has_beacon
from campaign.rules.queries import result_words, with_known_designs
from campaign.rules.rollback_rules import rollback_rules_of
from campaign.rules.scenario import Scenario
from campaign.rules.timetable import timetable_ahead
from campaign.rules.view import LateFleet, View
from campaign.selectors import gallery_consent
from campaign.selectors.beacon import may_offer_beacon
from campaign.selectors.clock import Seat, members_of, seats_at, waiting_stage
from campaign.selectors.due import battles_keep_deadline, closing_of
from campaign.selectors.envelopes import sealed_of
from campaign.selectors.families import may_be_public
from campaign.selectors.heads import head_of
from campaign.selectors.messages import message_rules_of
from campaign.selectors.proposals import may_answer, open_proposal
from campaign.services.bots import bots_allowed, bots_in
from campaign.services.campaigns import ADMIRALS, battle_setting_of
from campaign.services.invites import invite_count, invites_open
from campaign.services.meetings import encounters_by_week
from campaign.services.memos import memo_for
from campaign.services.umpire_votes import needs_umpire_vote
from campaign.services.view_openings import view_opening_record
from campaign.sight.reports import list_battles
from campaign.sight.views import Sight, current_sight, sight_after
from campaign.store.documents import scenario_of, true_scenario_of
from campaign.web import timetables
from campaign.web.battle_moments import battle_moment, running_battle_moment
from campaign.web.chart import chart
from campaign.web.common import absolute, member_page, show
from campaign.web.encounter_moments import largest_meeting, meetings_headline
from campaign.web.faction_objectives import Encounter, objectives_for, wants_ships_destroyed
from campaign.web.guide import guide_page
from campaign.web.invitation_links import LINKS
from campaign.web.mini_map import mini_map
from campaign.web.next_action import STEPS, current_action, stage_words
from campaign.web.objectives import objectives_of
from campaign.web.report_links import map_address, report_links
from campaign.web.scenario_cards import scenario_card
from campaign.web.seat_marks import seats
from campaign.web.war import state_key_of
from campaign.words.gazette.issues import main_headline
from campaign.words.moments import date_words
from campaign.words.notices import NoticeLine, lines_of
from engine.core.cache import Cache
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.english import counted_noun, join_names
from engine.ruleset import rules_of

_fragments: Cache[tuple[object, ...], SafeString] = Cache(256)  # rendered war room parts, by view
WEEKS_LATE = (2, 4, 6, 8, 12)  # delays in weeks that the gallery form offers
OTHER_ROLES = (
    (Role.OBSERVER, phrase("an observer")),
    (Role.UMPIRE, phrase("an umpire")),
    (Role.HOST, phrase("another host")),
)
UMPIRES_MAY_INVITE = (Role.UMPIRE,)
ROLLBACK_SHOWN = timedelta(days=7)  # how long the war room mentions a rollback
KEY_LENGTH = 16  # hexadecimal digits of a text that tells whether a page is up to date


@dataclass(frozen=True, slots=True)
class InviteLink:
    """The link of an invitation, shown once."""

    id: str
    purpose: str  # what the invitation is for
    url: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A faction in the list of seats, and what the viewer may do about it."""

    seat: Seat
    number: int  # seat number
    is_own: bool  # the viewer plays it
    staff: tuple[Membership, ...]  # members who help to play the faction
    guests: tuple[str, ...]  # names of spectators of this faction
    is_last: bool  # no other faction has players
    is_invited: bool = False  # an open invitation to play it has not been accepted
    may_take: bool = False  # the viewer may play it
    may_invite: bool = False
    may_hand_over: bool = False  # to the computer
    may_choose_admiral: bool = False
    may_have_guests: bool = False
    may_have_stand_in: bool = False  # the viewer plays it and may invite a stand-in
    may_offer: tuple[str, ...] = ()  # players whose seats the viewer may offer to others


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
    sealed_entry = None
    if stage is not None and viewer.faction is not None:
        sealed_entry = sealed_of(stage, viewer.faction)
    next_action = current_action(viewer, stage, sealed_entry is not None)
    kind = stage.kind if stage else StageKind.OVER
    parts: dict[str, Any] = {
        "viewer": viewer,
        "campaign": campaign,
        "scenario": scenario,
        "options": rules_of(scenario.edition).titles(scenario.options),
        "barred": barred_titles(scenario),
        "violations": violations,
        "has_begun": has_begun,
        "kind": kind if has_begun else "",
        "next_action": next_action,
        "sealed_entry": sealed_entry,
        "state_key": state_key_of(stage, next_action),
        "here": "lobby",
        "guided": guide_page(viewer, StageKind.OVER),
    }
    parts |= _members_context(request, viewer, scenario, is_over=has_begun and stage is None)
    if not has_begun:
        people_key = _people_key(parts["seats"])
        if request.GET.get("people") == people_key:  # the lobby asks again while it is open
            return HttpResponse(status=204)
        parts["people_key"] = people_key
    battles_last = battles_keep_deadline(
        campaign.ruleset,
        len(scenario.factions),
        umpired=any(member.role == Role.UMPIRE for member in parts["others"]),
    )
    parts |= _timetable_context(campaign, scenario, battles_last)
    parts |= _gallery_context(viewer)
    if not has_begun:
        parts["card"] = scenario_card(scenario, campaign.scenario.sha256)
        parts |= _start_context(campaign, parts["seats"], battles_last)
        parts |= _settings_context(campaign)
        return show(request, "lobby", status=status, **parts)
    parts["ledger_head"] = head_of(campaign)
    parts |= _stage_context(viewer, stage)
    parts |= _view_context(viewer, scenario, stage, in_battle=bool(next_action.battle))
    return show(request, "warroom", status=status, **parts)


def _stage_context(viewer: Viewer, stage: Stage | None) -> dict[str, Any]:
    """Return the open vote, and the stage that is under way with its deadlines."""
    campaign = viewer.campaign
    vote = open_proposal(campaign, timezone.now())
    vote_context = {
        "vote": vote,
        "may_answer": vote is not None and may_answer(vote, viewer),
    }
    if stage is None:
        return {
            **vote_context,
            "stage": None,
            "steps": [],
            "has_story": may_be_public(campaign=campaign),
        }
    return {
        **vote_context,
        "rollback": _recent_rollback(stage.branch),
        "stage": stage,
        "stage_words": stage_words(stage),
        "steps": [] if campaign.ruleset.get("single") else _steps(stage),
        "later_closings": _later_closings(campaign, stage),
        "late_orders": timetables.late_orders_words(campaign, stage),
        "closing_early": timetables.stage_early_words(closing_of(stage)),
    }


def _recent_rollback(branch: Branch) -> Branch | None:
    """Return the branch that is played if a rollback opened it not long ago."""
    if branch.kind != BranchKind.ROLLBACK or branch.opened_at is None:
        return None
    is_recent = timezone.now() < branch.opened_at + ROLLBACK_SHOWN
    return branch if is_recent else None


def _view_context(
    viewer: Viewer, scenario: Scenario, stage: Stage | None, *, in_battle: bool
) -> dict[str, Any]:
    """Return what the viewer's faction sees of the war; nothing for a viewer without one.

    Args:
        in_battle: Whether the viewer fights an online battle.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    if faction is None:
        return {}
    sight_now = current_sight(campaign, faction)
    view_opening_record(viewer=viewer, seq=sight_now.seq)
    kind = stage.kind if stage else StageKind.OVER
    cache_key = (
        str(campaign.public_id),
        campaign.head_branch_id,
        campaign.scenario.sha256,
        faction.key,
        sight_now.etag,
        sight_now.seq,
    )

    def render_briefing() -> SafeString:
        known_scenario = with_known_designs(scenario, sight_now.view)
        sights = _sights_since_played(campaign, faction, sight_now, stage)
        return _render_briefing(campaign, faction, known_scenario, sights, kind=kind)

    def render_objectives() -> SafeString:
        known_scenario = with_known_designs(true_scenario_of(campaign), sight_now.view)
        encounters = []
        if wants_ships_destroyed(known_scenario, faction.key):
            encounters = encounters_by_week(campaign, faction, sight_now.seq)
        return _render_objectives(campaign, known_scenario, sight_now.view, encounters)

    def render_news() -> SafeString:
        known_scenario = with_known_designs(scenario, sight_now.view)
        sights = _sights_since_played(campaign, faction, sight_now, stage)
        views = {sight.etag: sight.view for sight in sights}.values()
        notices = [notice for view in views for notice in view.notices]
        week = sight_now.view.week
        headline = ""
        if kind == StageKind.DECISIONS:
            headline = meetings_headline(known_scenario, sight_now.view)
        headline = headline or main_headline(known_scenario, faction.key, week, notices)
        return format_html("{}", headline)

    running_battle = None
    if in_battle:
        running_battle = running_battle_moment(campaign, faction, scenario, sight_now.view)
    has_news = stage is not None and kind != StageKind.DEPLOY and not scenario.battle
    winner = sight_now.view.winner
    names = {power.id: power.name for power in scenario.factions}
    return {
        "view": sight_now.view,
        "running_battle": running_battle,
        "memo": memo_for(faction, sight_now.view.week) if viewer.plays else "",
        "briefing": _fragments.get_or_make((get_language(), *cache_key, kind), render_briefing),
        "objectives": _fragments.get_or_make(
            (get_language(), *cache_key, "objectives"), render_objectives
        ),
        "news": _fragments.get_or_make((get_language(), *cache_key, "news"), render_news)
        if has_news
        else "",
        "result": result_words(scenario, sight_now.view.result or ""),
        "winner": names.get(winner, "") if winner else "",
        "won": bool(winner) and winner in (faction.key, faction.alliance),
    }


def _sights_since_played(
    campaign: Campaign, faction: Faction, sight_now: Sight, stage: Stage | None
) -> list[Sight]:
    """Return what a faction knows and knew after the last stage that was played, newest first.

    These are several if an umpire's rulings have opened the stage anew: their reports are short,
    and must not hide the report of the stage before them.
    """
    sights = [sight_now]
    if stage is None or not stage.again:
        return sights
    moment = (sight_now.view.week, sight_now.view.stage)
    for seq in range(sight_now.seq - 1, -1, -1):
        earlier = sight_after(campaign, faction, seq)
        if (earlier.view.week, earlier.view.stage) != moment:
            break  # a ruling changes neither week nor stage
        sights.append(earlier)
    return sights


def _render_briefing(
    campaign: Campaign, faction: Faction, scenario: Scenario, sights: Sequence[Sight], *, kind: str
) -> SafeString:
    """Render the newest reports and the faction's fleets.

    Args:
        sights: What the faction knows and knew after the last stage that was played, newest first.
        kind: The kind of the stage that is under way.
    """
    sight_now = sights[0]
    seqs = {sight.seq for sight in sights}
    battles = []
    for battle in list_battles(campaign, faction):
        if battle.seq in seqs:
            battles.append(battle)
    views = list({sight.etag: sight.view for sight in sights}.values())
    links = report_links(campaign, scenario, views)
    lines: list[NoticeLine] = []
    for view in views:
        lines += lines_of(scenario, faction.key, view.notices, links)
    parts = {
        "campaign": campaign,
        "scenario": scenario,
        "kind": kind,
        "seq": sight_now.seq,
        "meeting": largest_meeting(scenario, sight_now.view)
        if kind == StageKind.DECISIONS
        else None,
        "lines": lines,
        "on_map": map_address(campaign),
        "fleets": fleet_lines(scenario, sight_now.view),
        "battles": [
            (battle, battle_moment(campaign, faction, scenario, battle)) for battle in battles
        ],
        "late_fleets": [_late_words(late) for late in sight_now.view.late],
        "losses": len(sight_now.view.losses),
    }
    return render_to_string("campaign/warroom_briefing.html", parts)


def _late_words(late: LateFleet) -> str:
    """Return when a fleet arrives that was bought at the deployment."""
    ships = counted_noun(len(late.ships), "ship")
    return phrase("{} ({}) arrives in week {}.", late.fleet.name, ships, late.week)


def _render_objectives(
    campaign: Campaign, scenario: Scenario, view: View, encounters: Sequence[Encounter]
) -> SafeString:
    """Render the small map and the victory conditions; nothing for a single battle."""
    if campaign.ruleset.get("single"):
        return mark_safe("")
    mini = mini_map(scenario, view, chart(scenario, view))
    parts = {
        "c": campaign.public_id,
        "mini": mini,
        "faction_objectives": objectives_for(scenario, view, encounters),
        "wins_first": scenario.judging.first,
        "decide_end": scenario.objectives_decide_end,
        "objectives": objectives_of(scenario, view),
        "is_over": view.result is not None,
    }
    return render_to_string("campaign/warroom_objectives.html", parts)


def _steps(stage: Stage) -> list[tuple[str, str]]:
    """Return the names of a week's stages, each with its CSS class: done, now or ahead."""
    kinds = [kind for kind, _ in STEPS]
    if stage.kind not in kinds:
        return []
    now = kinds.index(stage.kind)
    states = ["done"] * now + ["now"] + ["ahead"] * (len(STEPS) - now - 1)
    return [(name, state) for (_, name), state in zip(STEPS, states, strict=True)]


def _later_closings(campaign: Campaign, stage: Stage) -> list[tuple[str, Any]]:
    """Return the names of the week's later stages and when each is scheduled to close."""
    closings = timetable_ahead(campaign.timetable, stage.kind, stage.closes)
    result: list[tuple[str, Any]] = []
    for kind, closes in closings:
        if kind != stage.kind:
            result.append((timetables.STAGE_NAMES[kind], closes))
    return result


def _timetable_context(
    campaign: Campaign, scenario: Scenario, battles_last: bool
) -> dict[str, Any]:
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
        "timetable_grace": timetables.grace_words(campaign.timetable),
        "timetable_zone": campaign.timetable["zone"],
    }


def _start_context(
    campaign: Campaign, lines: Sequence[SeatLine], battles_last: bool
) -> dict[str, Any]:
    """Return what the form that starts the war says about seats without a player.

    Args:
        battles_last: Whether battles keep their deadline (`battles_keep_deadline`).
    """
    empty_lines = [line for line in lines if not line.seat.people]
    empty_seats = [line.seat for line in empty_lines]
    invited = [line.seat.name for line in empty_lines if line.is_invited]
    not_invited = [line.seat.name for line in empty_lines if not line.is_invited]
    played_count = len(lines) - len(empty_seats)
    return {
        "empty_seats": empty_seats,
        "empty_seat_names": join_names(not_invited) if not_invited else "",
        "invited_seat_names": join_names(invited) if invited else "",
        "played_count": played_count,
        "begin_closing": timetables.begin_words(
            campaign.timetable, len(lines), played_count, battles_last
        ),
    }


def _settings_context(campaign: Campaign) -> dict[str, Any]:
    """Return the values of the host's settings form."""
    timetable_name = timetables.name_of(campaign.timetable)
    return {
        "timetable_name": timetable_name,
        "timetable_choices": list(timetables.FORMS.items()),
        "timetable_own": timetable_name == timetables.OWN,
        "battle_choices": timetables.battle_choices(
            is_single_battle=bool(campaign.ruleset.get("single"))
        ),
        "battle_chosen": battle_setting_of(campaign),
        "graces": timetables.grace_choices(campaign.timetable.get("grace_hours")),
        "zones": timetables.zones(),
    }


def _members_context(
    request: HttpRequest, viewer: Viewer, scenario: Scenario, *, is_over: bool
) -> dict[str, Any]:
    """Return the seats, the members without a faction, and the invitations of the viewer."""
    campaign = viewer.campaign
    members = members_of(campaign=campaign)
    may_invite = viewer.hosts or viewer.plays or viewer.umpires
    invites = invites_open(viewer=viewer) if may_invite else []
    lines = _seat_lines(viewer, members, seats(scenario), is_over=is_over)
    umpire_needs_vote = campaign.started_at is not None and needs_umpire_vote(viewer)
    has_voters = any(line.seat.people and not line.is_own for line in lines)
    may_invite_umpire = has_voters or not umpire_needs_vote
    return {
        "operators": _operators(members),
        "beacon_offered": may_offer_beacon() or has_beacon(campaign.ruleset),
        "seats": _with_invitations(lines, invites),
        "zone": ZoneInfo(campaign.timetable["zone"]),
        "others": [member for member in members if member.faction is None],
        "invites": [(invite, seat_words(invite)) for invite in invites],
        "links": _pop_new_links(request, campaign, invites),
        "other_roles": () if is_over else _other_roles(viewer, umpire=may_invite_umpire),
        "umpire_needs_vote": umpire_needs_vote and may_invite_umpire,
        "may_hand_over_umpire": viewer.umpires and not is_over,
        "admirals": ADMIRALS,
        "bots": bots_in(campaign),
        "bots_allowed": bots_allowed(campaign),
        "messages_rules": message_rules_of(campaign),
        "rollback_rules": rollback_rules_of(campaign.ruleset),
        "may_skip_empty_stages": not campaign.ruleset.get("single") and not is_over,
        "may_leave": bool(viewer.roles - {Role.HOST}) and not is_over,
        "invited_so_far": invite_count(viewer=viewer),
    }


def _operators(members: Sequence[Membership]) -> list[str]:
    """Return the names of the players with an administrator's account on this site."""
    players = [member.user for member in members if member.role in FACTION_ROLES]
    return sorted({user.get_username() for user in players if user.is_staff})


def _other_roles(viewer: Viewer, *, umpire: bool) -> tuple[tuple[Role, str], ...]:
    """Return the roles without a faction to which the viewer may invite, each with its words.

    Args:
        umpire: Whether a host may invite an umpire.
    """
    if viewer.hosts:
        return tuple(pair for pair in OTHER_ROLES if umpire or pair[0] != Role.UMPIRE)
    if viewer.umpires:
        return tuple(pair for pair in OTHER_ROLES if pair[0] in UMPIRES_MAY_INVITE)
    return ()


def _seat_lines(
    viewer: Viewer, members: Sequence[Membership], seat_numbers: Mapping[str, int], *, is_over: bool
) -> list[SeatLine]:
    """Return the factions with their members and what the viewer may do about each.

    Args:
        is_over: Whether the war is over; then no seat can change hands.
    """
    campaign_seats = seats_at(campaign=viewer.campaign, stage=None)
    played_keys = [seat.key for seat in campaign_seats if seat.people]
    lines = []
    for seat in campaign_seats:
        guests = _members_with_role(members, Role.GUEST, seat.key)
        line = SeatLine(
            seat=seat,
            number=seat_numbers[seat.key],
            is_own=_is_own_seat(viewer, seat),
            staff=_members_with_role(members, Role.STAFF, seat.key),
            guests=tuple(guest.user.get_username() for guest in guests),
            is_last=played_keys == [seat.key],
        )
        if not is_over:
            line = _with_permissions(viewer, line, members)
        lines.append(line)
    return lines


def _with_invitations(lines: Sequence[SeatLine], invites: Sequence[Invite]) -> list[SeatLine]:
    """Return the factions, marked where an invited player has not joined yet."""
    invited = set()
    for invite in invites:
        if invite.faction is not None and invite.role == Role.PLAYER:
            invited.add(invite.faction.key)
    return [replace(line, is_invited=line.seat.key in invited) for line in lines]


def _people_key(lines: Sequence[SeatLine]) -> str:
    """Return a text that changes when a seat is taken, left or offered by an invitation."""
    people = [(line.seat.people, line.seat.admiral, line.is_invited) for line in lines]
    return sha256(repr(people).encode()).hexdigest()[:KEY_LENGTH]


def _is_own_seat(viewer: Viewer, seat: Seat) -> bool:
    """Return whether the viewer plays this faction."""
    return viewer.plays and viewer.faction is not None and viewer.faction.key == seat.key


def _with_permissions(viewer: Viewer, line: SeatLine, members: Sequence[Membership]) -> SeatLine:
    """Add what the viewer may do about a seat while the war is not over."""
    is_empty = not line.seat.people
    has_begun = viewer.campaign.started_at is not None
    manages_seats = viewer.hosts or viewer.umpires
    if has_begun:
        may_invite_others = manages_seats and is_empty
    else:
        may_invite_others = viewer.hosts
    players = _members_with_role(members, Role.PLAYER, line.seat.key)
    own_name = viewer.user.get_username()
    offered_names = []
    for player in players:
        if manages_seats or player.user.get_username() == own_name:
            offered_names.append(player.user.get_username())
    return replace(
        line,
        may_take=is_empty and viewer.roles == {Role.HOST},  # a host without another role
        may_invite=line.is_own or may_invite_others,
        may_hand_over=manages_seats and not is_empty,
        may_choose_admiral=viewer.hosts and is_empty and not has_begun,
        may_have_guests=line.is_own,
        may_have_stand_in=line.is_own and Role.PLAYER in viewer.roles,
        may_offer=tuple(offered_names),
    )


def _gallery_context(viewer: Viewer) -> dict[str, Any]:
    """Return how late the public gallery shows the war, and the viewer's choices about it.

    Once the war has begun, a host can only stop showing it.
    """
    campaign = viewer.campaign
    weeks_late = gallery_consent.gallery_rule(campaign)
    is_on = weeks_late is not None
    has_begun = campaign.started_at is not None
    may_set = viewer.hosts and not campaign.ruleset.get("single")
    if has_begun:
        choices = []
    else:
        choices = list(WEEKS_LATE)
        if weeks_late is not None and weeks_late != gallery_consent.AT_THE_END:
            choices = sorted({*WEEKS_LATE, weeks_late})
    return {
        "gallery_weeks_late": weeks_late,
        "gallery_on": is_on,
        "gallery_may_set": may_set and (is_on or not has_begun),
        "gallery_choices": choices,
        "consent": gallery_consent.consent_of(viewer) if is_on and viewer.plays else None,
    }


def _members_with_role(
    members: Sequence[Membership], role: Role, faction: str
) -> tuple[Membership, ...]:
    """Return the members with a role at a faction."""
    result: list[Membership] = []
    for row in members:
        if row.role == role and row.faction and row.faction.key == faction:
            result.append(row)
    return tuple(result)


def seat_words(invite: Invite) -> str:
    """Return in words which seat an invitation is for."""
    if invite.faction is None:
        seat = Role.label_of(invite.role)
    else:
        seat = invite.faction.name
    if invite.replaces is not None:
        return phrase("{} (takes over from {})", seat, invite.replaces.get_username())
    if invite.faction is None:
        return seat
    if invite.until is not None:
        last = timezone.localtime(
            invite.until, ZoneInfo(invite.campaign.timetable["zone"])
        ) - timedelta(days=1)
        return phrase(
            "{} (substitute until {} inclusive)", invite.faction.name, date_words(last, "j F")
        )
    return phrase("{} ({})", invite.faction.name, Role.label_of(invite.role))


def _pop_new_links(
    request: HttpRequest, campaign: Campaign, invites: Sequence[Invite]
) -> list[InviteLink]:
    """Return the links of new invitations, and forget them: each is shown only once."""
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


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/", lobby, name="lobby")]
