"""The actions of hosts and umpires. `umpire.pages.act_rows` has past ones in words.

Each action has a page that asks first: GET shows the question, POST does the action once. A form
names the stage and deadline it was written for, so sending it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.lineage import played_on_line
from campaign.models.ledger import (
    EXCUSE,
    EXTEND,
    GRACE,
    HOLD,
    NO_BEACON,
    PASSWORD_LINK,
    PAUSE,
    REBUILD,
    RELEASE,
    REMEDY,
    RESOLVE,
    RESUME,
    RULES,
    TO_COMPUTER,
    UMPIRES_ONLY,
)
from campaign.models.stage import Stage
from campaign.selectors.beacon import went_on_without
from campaign.selectors.clock import Seat, seats_at, waiting_stage
from campaign.selectors.stuck import is_held
from campaign.services.acts import reason_violations
from campaign.services.campaigns import ADMIRALS
from campaign.services.clock import is_unplayed
from campaign.services.seats import seat_to_computer
from campaign.web.timetables import grace_choices, late_orders_words
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.adjudication.fighting import PLAIN
from umpire.adjudication.smaller import MAX_SHIPS
from umpire.pages.act_questions import QUESTIONS, REMIND
from umpire.pages.frame import (
    ASK_METHODS,
    page,
    rules_summary,
    show,
    title_of,
    would_cut_short,
)
from umpire.services.beacon_waivers import beacon_waive
from umpire.services.checks import records_rebuild
from umpire.services.control import (
    awaited_remind,
    campaign_pause,
    campaign_resume,
    faction_excuse,
    password_link,
    playing_host_refusal,
    rules_change,
    stage_extend,
    stage_resolve_now,
)
from umpire.services.quarantine import AGAIN, BY_HAND, SMALLER, stage_remedy, ways_open
from umpire.services.stage_holds import stage_grace, stage_hold, stage_release

HOURS = (6, 12, 24, 48, 72, 168)
# Remedies for a stage that the server cannot compute (`umpire.services.quarantine`).
WAY_WORDS = {
    AGAIN: phrase("Try again as it is"),
    PLAIN: phrase(
        "Captains do not plan moves: ships hold their course and fire at the nearest enemy"
    ),
    SMALLER: phrase(
        "Smaller battles: each side's ships are drawn by lot, {} in all; the others do not "
        "take part and stay unharmed",
        MAX_SHIPS,
    ),
    BY_HAND: phrase(
        "Results by hand: the battles are fought at a table, and you enter how they ended"
    ),
}
UNPROCESSABLE = 422
FIRST_GRACE = 6  # hours that the form proposes for late orders


HOST_ACTS = (EXTEND, PAUSE, RESUME, RESOLVE, EXCUSE, TO_COMPUTER, RULES, REMEDY, NO_BEACON)
UMPIRE_ACTS = (*HOST_ACTS, GRACE, HOLD, RELEASE, REMIND, PASSWORD_LINK, REBUILD)
FACTION_ACTS = (EXCUSE, TO_COMPUTER)  # those done to one faction
MAX_DIGITS = 6  # of a number in a form


@dataclass(frozen=True, slots=True)
class ActForm:
    """The parsed fields of a submitted action form."""

    stage: int
    reason: str
    deadline: datetime | None
    hours: int
    faction: str
    character: str
    user: str
    rules: str
    way: str
    unattended: bool


@dataclass(frozen=True, slots=True)
class ActResult:
    """The result of an action in words; `secret` is shown once and not stored."""

    words: str
    secret: str = field(default="", repr=False)


@page(umpire=True, methods=ASK_METHODS)
def umpire_act(request: HttpRequest, viewer: Viewer, verb: str) -> HttpResponse:
    """Ask for or do an action of the umpire."""
    return _act(request, viewer, verb, allowed=UMPIRE_ACTS, home="umpire")


@page(host=True, methods=ASK_METHODS)
def host_act(request: HttpRequest, viewer: Viewer, verb: str) -> HttpResponse:
    """Ask for or do an action of the host."""
    return _act(request, viewer, verb, allowed=HOST_ACTS, home="host")


def _act(
    request: HttpRequest, viewer: Viewer, verb: str, *, allowed: tuple[str, ...], home: str
) -> HttpResponse:
    """Ask for or do an action.

    Args:
        home: The URL name of the page to which the reader returns.

    Raises:
        NotFound: If the action is not allowed, or has no valid object.
    """
    if verb not in allowed:
        raise NotFound(phrase("there is no such action"))
    back = redirect(home, c=viewer.campaign.public_id)
    if request.method != "POST":
        if words := _refusal(viewer, verb, request.GET.get("faction", "")):
            messages.warning(request, phrase("Nothing was changed: {}.", words))
            return back
        return _ask(request, viewer, verb, home=home, data=request.GET)
    try:
        result = ACTS[verb](viewer, form_of(request.POST))
    except RuleViolations as error:
        faults = error.limited_violations
        return _ask(request, viewer, verb, home=home, data=request.POST, faults=faults)
    except NotFound:
        raise
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return back
    if result.secret:
        link = request.build_absolute_uri(result.secret)
        return show(request, viewer, "link", "", home=home, words=result.words, link=link)
    messages.success(request, result.words)
    return back


def _refusal(viewer: Viewer, verb: str, faction: str) -> str:
    """Return why an action cannot be done, to the faction in a link if it names one; "" if it can.

    Raises:
        NotFound: If the faction is not in this campaign.
    """
    if verb == RESOLVE:
        return _cut_short_refusal(viewer)
    if verb not in FACTION_ACTS or not faction:
        return ""
    seats = {seat.key: seat for seat in seats_at(campaign=viewer.campaign, stage=None)}
    seat = seats.get(faction)
    if seat is None:
        raise NotFound(phrase("there is no such faction"))
    if _applies_to(verb, seat):
        return ""
    if seat.admiral:
        return phrase("a computer admiral commands {}", seat.name)
    return phrase("nobody plays {}, so no stage waits for it", seat.name)


def _applies_to(verb: str, seat: Seat) -> bool:
    """Return whether an action can be done to this faction.

    Stages only wait for people, and a computer's faction is not handed to a computer again.
    """
    return bool(seat.people) or (verb == TO_COMPUTER and not seat.admiral)


def _cut_short_refusal(viewer: Viewer) -> str:
    """Return why a playing host cannot close the stage now, or "".

    They cannot while other players may still plan.
    """
    stage = waiting_stage(campaign=viewer.campaign)
    if stage is None:
        return ""
    seats = seats_at(
        campaign=viewer.campaign, stage=stage, player=viewer.faction, umpire=viewer.umpires
    )
    return playing_host_refusal(stage) if would_cut_short(viewer, seats) else ""


def _ask(
    request: HttpRequest,
    viewer: Viewer,
    verb: str,
    *,
    home: str,
    data: Mapping[str, str],
    faults: tuple[Violation, ...] = (),
) -> HttpResponse:
    """Show the page that asks, with every fault of what was submitted.

    Args:
        home: The URL name of the page to which the reader returns.
        data: The form or the address, whose values are filled in.
    """
    if verb == PASSWORD_LINK and not data.get("user"):
        raise NotFound(phrase("there is no such player"))
    stage = waiting_stage(campaign=viewer.campaign)
    response = show(
        request,
        viewer,
        "action",
        "",
        here="host" if home == "host" else "desk",
        verb=verb,
        home=home,
        question=QUESTIONS[verb],
        is_read_by_all=verb not in UMPIRES_ONLY,
        stage=stage,
        title=title_of(viewer.campaign, stage),
        hours=[(number, hours_words(number)) for number in HOURS],
        characters=ADMIRALS,
        form_data=data,
        faults=faults,
        **_details(viewer, verb, stage),
    )
    response.status_code = UNPROCESSABLE if faults else 200
    return response


def _details(viewer: Viewer, verb: str, stage: Stage | None) -> dict[str, Any]:
    """Return what the page that asks shows for one kind of action."""
    campaign = viewer.campaign
    seats = seats_at(campaign=campaign, stage=stage, player=viewer.faction, umpire=viewer.umpires)
    details: dict[str, Any] = {
        "choices": [seat for seat in seats if _applies_to(verb, seat)],
        "awaited": [seat for seat in seats if seat.awaited],
        "graces": grace_choices(campaign.timetable.get("grace_hours") or FIRST_GRACE),
    }
    if verb == RESUME:
        details["unplayed"] = is_unplayed(campaign)
    elif verb == TO_COMPUTER:
        played_seats = [seat for seat in seats if seat.people]
        details["last_seat"] = len(played_seats) == 1
    elif verb == RULES:
        details["rules"] = rules_summary(campaign, stage)
    elif verb == REMEDY:
        details["ways"] = way_choices(viewer, stage)
    return details


def form_of(posted: Mapping[str, str]) -> ActForm:
    """Parse an action form.

    Raises:
        RuleViolations: With every fault.
    """
    faults: list[Violation] = []

    def number(name: str, words: str) -> int:
        text = posted.get(name, "0")
        if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
            faults.append(Violation(name, "not-a-number", words))
            return 0
        return int(text)

    stage = number("stage", phrase("the form names no stage: open the page again"))
    hours = number("hours", phrase("must be a number of hours"))
    reason = posted.get("reason", "").strip()
    faults += reason_violations(reason)
    if faults:
        raise RuleViolations(faults)
    return ActForm(
        stage=stage,
        reason=reason,
        deadline=moment_of(posted.get("deadline", "")),
        hours=hours,
        faction=posted.get("faction", ""),
        character=posted.get("character", ""),
        user=posted.get("user", ""),
        rules=posted.get("rules", ""),
        way=posted.get("way", ""),
        unattended=posted.get("unattended") == "yes",
    )


def moment_of(text: str) -> datetime | None:
    """Return the time in a hidden field, with its time zone, or None if it is invalid."""
    try:
        moment = parse_datetime(text)
    except ValueError:  # well formed, but no such day
        return None
    if moment is None or moment.tzinfo is None:
        return None
    return moment


def hours_words(hours: int) -> str:
    """Return a period in words."""
    if hours < 24:
        return counted_noun(hours, "hour")
    return counted_noun(hours // 24, "day")


def _extend(viewer: Viewer, form: ActForm) -> ActResult:
    """Extend the deadline from the one the form was written for; a repeat changes nothing."""
    if form.deadline is None:
        raise RuleViolations(
            [Violation("hours", "no-deadline", phrase("this stage has no deadline to move"))]
        )
    if form.hours not in HOURS:
        raise RuleViolations(
            [Violation("hours", "bad-number", phrase("must be one of the durations offered"))]
        )
    until = form.deadline + timedelta(hours=form.hours)
    stage = stage_extend(viewer=viewer, until=until, stage=form.stage, reason=form.reason)
    return ActResult(phrase("Deadline extended by {}: {}.", hours_words(form.hours), _title(stage)))


def _pause(viewer: Viewer, form: ActForm) -> ActResult:
    """Stop the clock."""
    campaign_pause(viewer=viewer, reason=form.reason)
    return ActResult(phrase("The clock is paused."))


def _resume(viewer: Viewer, form: ActForm) -> ActResult:
    """Restart the clock."""
    campaign_resume(viewer=viewer, unattended=form.unattended, reason=form.reason)
    return ActResult(phrase("The clock is running again."))


def _resolve(viewer: Viewer, form: ActForm) -> ActResult:
    """Close the stage at once."""
    stage = stage_resolve_now(viewer=viewer, stage=form.stage, reason=form.reason)
    if is_held(stage):
        words = phrase("{}: closed. The next stage waits until you release it.", _title(stage))
        return ActResult(words)
    return ActResult(phrase("{}: closed, being resolved.", _title(stage)))


def _excuse(viewer: Viewer, form: ActForm) -> ActResult:
    """Stop waiting for a faction in the week of the stage that the form was written for."""
    stage = waiting_stage(campaign=viewer.campaign)
    if stage is not None and stage.ordinal != form.stage:
        named = Stage.objects.filter(battle__isnull=True, ordinal=form.stage)
        stage = played_on_line(named, stage.branch_id).first()
    week = None if stage is None else stage.week
    excuse = faction_excuse(viewer=viewer, faction=form.faction, week=week, reason=form.reason)
    period = f"week {excuse.week}" if excuse.week else "the deployment"
    return ActResult(phrase("Not waiting for {} in {}.", excuse.faction.name, period))


def _to_computer(viewer: Viewer, form: ActForm) -> ActResult:
    """Hand a faction over to a computer admiral."""
    faction = seat_to_computer(
        viewer=viewer,
        faction=form.faction,
        character=form.character,
        unattended=form.unattended,
        reason=form.reason,
    )
    return ActResult(phrase("A computer admiral now commands {}.", faction.name))


def _rules(viewer: Viewer, form: ActForm) -> ActResult:
    """Switch to another version of the rules from next week on, or cancel that."""
    record = rules_change(viewer=viewer, version=form.rules, stage=form.stage, reason=form.reason)
    stage = waiting_stage(campaign=viewer.campaign)
    coming = None if stage is None else record.next_change_over(stage.week)
    if coming is None:
        return ActResult(phrase("The war keeps its rules."))
    return ActResult(
        phrase(
            "From the start of week {} on the war is played by rules version {}.",
            coming.week,
            coming.after,
        )
    )


def _remind(viewer: Viewer, form: ActForm) -> ActResult:
    """Remind the players who have not sealed."""
    count = awaited_remind(viewer=viewer, stage=form.stage)
    if not count:
        return ActResult(phrase("There was nobody left to remind."))
    return ActResult(phrase("{} queued for sending.", counted_noun(count, "reminder")))


def _grace(viewer: Viewer, form: ActForm) -> ActResult:
    """Accept late orders in the open stage, or no longer."""
    stage = stage_grace(viewer=viewer, hours=form.hours, stage=form.stage, reason=form.reason)
    return ActResult(
        late_orders_words(viewer.campaign, stage) or phrase("Late orders are not accepted.")
    )


def _hold(viewer: Viewer, form: ActForm) -> ActResult:
    """Hold the next stage back."""
    stage_hold(viewer=viewer, stage=form.stage, reason=form.reason)
    return ActResult(phrase("The next stage is held back until you release it."))


def _release(viewer: Viewer, form: ActForm) -> ActResult:
    """Release the next stage."""
    stage_release(viewer=viewer, stage=form.stage, reason=form.reason)
    return ActResult(phrase("The next stage is released."))


def _password_link(viewer: Viewer, form: ActForm) -> ActResult:
    """Create a password reset link for a player, which is shown once."""
    link = password_link(viewer=viewer, username=form.user, reason=form.reason)
    return ActResult(phrase("Password reset link for {}", form.user), secret=link)


def _rebuild(viewer: Viewer, form: ActForm) -> ActResult:
    """Compute damaged records again."""
    rebuilding, check = records_rebuild(viewer=viewer, reason=form.reason)
    if check.faults:
        return ActResult(
            phrase(
                "Damaged parts computed again: {}. The rest cannot be: {}",
                len(rebuilding.rebuilt),
                rebuilding.faults[0].text,
            )
        )
    if not rebuilding.rebuilt:
        return ActResult(phrase("Nothing was damaged."))
    return ActResult(phrase("The damaged records were computed again; all fit each other."))


def _remedy(viewer: Viewer, form: ActForm) -> ActResult:
    """Let a stage that the server could not compute be computed in the chosen way."""
    stage = stage_remedy(viewer=viewer, stage=form.stage, way=form.way, reason=form.reason)
    if form.way == BY_HAND:
        return ActResult(
            phrase("{}: enter the results on the pages of its battles.", _title(stage))
        )
    return ActResult(phrase("{}: being computed.", _title(stage)))


def _waive_beacon(viewer: Viewer, form: ActForm) -> ActResult:
    """Let the closed stage go on without its public random value, or propose that."""
    stage = beacon_waive(viewer=viewer, stage=form.stage, reason=form.reason)
    if went_on_without(stage):
        return ActResult(phrase("{}: goes on without public dice.", _title(stage)))
    return ActResult(phrase("Proposed. The stage goes on when the other sides have agreed."))


def _title(stage: Stage) -> str:
    """Return the title of a stage."""
    return title_of(stage.branch.campaign, stage)


def way_choices(viewer: Viewer, stage: Stage | None) -> list[tuple[str, str]]:
    """Return the remedies that a host or umpire can choose, with descriptions."""
    if stage is None:
        return []
    return [(way, WAY_WORDS[way]) for way in ways_open(viewer, stage)]


ACTS: dict[str, Callable[[Viewer, ActForm], ActResult]] = {
    EXTEND: _extend,
    PAUSE: _pause,
    RESUME: _resume,
    RESOLVE: _resolve,
    EXCUSE: _excuse,
    TO_COMPUTER: _to_computer,
    RULES: _rules,
    GRACE: _grace,
    HOLD: _hold,
    RELEASE: _release,
    REMIND: _remind,
    PASSWORD_LINK: _password_link,
    REMEDY: _remedy,
    REBUILD: _rebuild,
    NO_BEACON: _waive_beacon,
}
