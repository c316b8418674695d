"""The actions of hosts and umpires. `umpire.pages.act_rows` has past ones in words.

Each action has a page that asks first: GET shows the question, POST does the action once. A form
names the stage and deadline it was written for, so sending it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.models.ledger import (
    EXCUSE,
    EXTEND,
    PASSWORD_LINK,
    PAUSE,
    REMEDY,
    RESOLVE,
    RESUME,
    RULES,
    TO_COMPUTER,
)
from campaign.models.stage import Stage
from campaign.selectors.clock import Seat, members_of, seats_at, waiting_stage
from campaign.services.acts import reason_violations
from campaign.services.campaigns import ADMIRALS
from campaign.services.clock import is_unplayed
from campaign.services.seats import seat_to_computer
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.pages.frame import ASK_METHODS, is_single, page, rules_summary, show, stage_title
from umpire.services.computing import PLAIN
from umpire.services.control import (
    awaited_remind,
    campaign_pause,
    campaign_resume,
    faction_excuse,
    password_link,
    rules_change,
    stage_extend,
    stage_resolve_now,
)
from umpire.services.quarantine import AGAIN, BY_HAND, MAX_SHIPS, SMALLER, stage_remedy, ways_open

REMIND = "remind"  # changes nothing in the campaign, so it is not logged
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


@dataclass(frozen=True, slots=True)
class Question:
    """The question before an action."""

    title: str
    words: str
    button: str
    is_final: bool = False  # it cannot be undone


QUESTIONS: dict[str, Question] = {
    EXTEND: Question(
        phrase("Extend the deadline"),
        phrase("The deadline of this stage moves to a later time for everybody."),
        phrase("Extend"),
    ),
    PAUSE: Question(
        phrase("Pause the clock"),
        phrase(
            "No stage closes until the clock is resumed. Orders can still be written and sealed."
        ),
        phrase("Pause"),
    ),
    RESUME: Question(
        phrase("Resume the clock"),
        phrase("The stage has as much time left as when the clock was paused."),
        phrase("Resume"),
    ),
    RESOLVE: Question(
        phrase("Close stage now"),
        phrase(
            "The stage closes at once. Computer admirals or standing orders decide for "
            "factions that have not sealed. This "
            "cannot be undone."
        ),
        phrase("Close the stage"),
        is_final=True,
    ),
    EXCUSE: Question(
        phrase("Don't wait for a faction this week"),
        phrase(
            "This week's stages close without waiting for this faction. If it does not seal, "
            "standing orders are used."
        ),
        phrase("Skip this player this week"),
    ),
    TO_COMPUTER: Question(
        phrase("Hand over a faction to the computer"),
        phrase(
            "Its players lose their seats and are told why. From now on a computer admiral "
            "commands the faction. To give the seat to another player instead, offer it in the "
            "list of players."
        ),
        phrase("Hand over"),
        is_final=True,
    ),
    RULES: Question(
        phrase("Change to another version of the rules"),
        phrase(
            "A war keeps the rules it began with until its host changes them. The change "
            "applies to everybody from the start of the next week and is written into the "
            "public record. After that, the war cannot go back to an older version."
        ),
        phrase("Change the rules"),
        is_final=True,
    ),
    REMEDY: Question(
        phrase("The server cannot compute this stage"),
        phrase(
            "It has failed several times. All orders are kept. Choose how the stage is computed; "
            "your choice is "
            "written into the public record."
        ),
        phrase("Compute the stage"),
        is_final=True,
    ),
    REMIND: Question(
        phrase("Remind players who have not sealed"),
        phrase(
            "Everybody in a faction that is still awaited gets a message, at most one per hour."
        ),
        phrase("Remind"),
    ),
    PASSWORD_LINK: Question(
        phrase("Password reset link"),
        phrase(
            "Anybody who opens the link can set a new password for this account. It works once "
            "and is shown only now: send it to the person yourself."
        ),
        phrase("Create link"),
        is_final=True,
    ),
}
OF_HOSTS = (EXTEND, PAUSE, RESUME, RESOLVE, EXCUSE, TO_COMPUTER, RULES, REMEDY)
OF_A_FACTION = (EXCUSE, TO_COMPUTER)
OF_UMPIRES = (*OF_HOSTS, REMIND, PASSWORD_LINK)


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
    return _act(request, viewer, verb, OF_UMPIRES, "umpire")


@page(host=True, methods=ASK_METHODS)
def host_act(request: HttpRequest, viewer: Viewer, verb: str) -> HttpResponse:
    """Ask for or do an action of the host."""
    return _act(request, viewer, verb, OF_HOSTS, "host")


def _act(
    request: HttpRequest, viewer: Viewer, verb: str, allowed: tuple[str, ...], home: str
) -> HttpResponse:
    if verb not in allowed:
        raise NotFound(phrase("there is no such action"))
    back = redirect(home, c=viewer.campaign.public_id)
    if request.method != "POST":
        if words := _refused(viewer, verb, request.GET.get("faction", "")):
            messages.warning(request, phrase("Nothing was changed: {}.", words))
            return back
        return _ask(request, viewer, verb, home, request.GET)
    try:
        result = ACTS[verb](viewer, form_of(request.POST))
    except RuleViolations as refused:
        return _ask(request, viewer, verb, home, request.POST, refused.limited_violations)
    except NotFound:
        raise
    except Refused as refused:
        messages.warning(request, phrase("Nothing was changed: {}.", refused.words))
        return back
    if result.secret:
        link = request.build_absolute_uri(result.secret)
        return show(request, viewer, "link", "", home=home, words=result.words, link=link)
    messages.success(request, result.words)
    return back


def _refused(viewer: Viewer, verb: str, faction: str) -> str:
    """Return why an action cannot be done to the faction in a link; "" if it can, or without one.

    Raises:
        NotFound: If the faction is not in this campaign.
    """
    if verb not in OF_A_FACTION or not faction:
        return ""
    seat = next(
        (seat for seat in seats_at(campaign=viewer.campaign, stage=None) if seat.key == faction),
        None,
    )
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


def _would_cut_short(viewer: Viewer, seats: Iterable[Seat]) -> bool:
    """Return whether a playing host would close a stage for which other players still plan."""
    if not viewer.plays:
        return False
    return any(seat.hidden and seat.people and not seat.excused for seat in seats)


def _ask(
    request: HttpRequest,
    viewer: Viewer,
    verb: str,
    home: str,
    data: Mapping[str, str],
    faults: tuple[Violation, ...] = (),
) -> HttpResponse:
    """Show the page that asks, with every fault of what was submitted."""
    campaign = viewer.campaign
    stage = waiting_stage(campaign=campaign)
    seats = seats_at(campaign=campaign, stage=stage, player=viewer.faction, umpire=viewer.umpires)
    if verb == PASSWORD_LINK and not data.get("user"):
        raise NotFound(phrase("there is no such player"))
    response = show(
        request,
        viewer,
        "action",
        "",
        here="host" if home == "host" else "desk",
        verb=verb,
        home=home,
        question=QUESTIONS[verb],
        stage=stage,
        title=stage_title(stage.week, stage.kind, single=is_single(viewer.campaign))
        if stage
        else "",
        choices=[seat for seat in seats if _applies_to(verb, seat)],
        awaited=[seat for seat in seats if seat.awaited],
        refused=_would_cut_short(viewer, seats) if verb == RESOLVE else False,
        unplayed=is_unplayed(campaign) if verb == RESUME else False,
        last_seat=len([seat for seat in seats if seat.people]) == 1
        if verb == TO_COMPUTER
        else False,
        members=members_of(campaign=campaign),
        hours=[(number, hours_words(number)) for number in HOURS],
        characters=ADMIRALS,
        rules=rules_summary(campaign, stage) if verb == RULES else None,
        ways=way_choices(viewer, stage) if verb == REMEDY else (),
        given=data,
        faults=faults,
    )
    response.status_code = UNPROCESSABLE if faults else 200
    return response


def form_of(posted: Mapping[str, str]) -> ActForm:
    """Parse an action form.

    Raises:
        RuleViolations: With every fault.
    """
    faults: list[Violation] = []

    def number(name: str, words: str) -> int:
        text = posted.get(name, "0")
        if not (text.isascii() and text.isdigit() and len(text) < 7):
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
    campaign_pause(viewer=viewer, reason=form.reason)
    return ActResult(phrase("The clock is paused."))


def _resume(viewer: Viewer, form: ActForm) -> ActResult:
    campaign_resume(viewer=viewer, unattended=form.unattended, reason=form.reason)
    return ActResult(phrase("The clock is running again."))


def _resolve(viewer: Viewer, form: ActForm) -> ActResult:
    stage = stage_resolve_now(viewer=viewer, stage=form.stage, reason=form.reason)
    return ActResult(phrase("{}: closed, being resolved.", _title(stage)))


def _excuse(viewer: Viewer, form: ActForm) -> ActResult:
    stage = waiting_stage(campaign=viewer.campaign)
    if stage is not None and stage.ordinal != form.stage:
        stage = Stage.objects.filter(
            branch_id=stage.branch_id, battle__isnull=True, ordinal=form.stage
        ).first()
    excuse = faction_excuse(
        viewer=viewer, faction=form.faction, week=stage.week if stage else None, reason=form.reason
    )
    return ActResult(
        phrase(
            "Not waiting for {} in {}.",
            excuse.faction.name,
            f"week {excuse.week}" if excuse.week else "the deployment",
        )
    )


def _to_computer(viewer: Viewer, form: ActForm) -> ActResult:
    faction = seat_to_computer(
        viewer=viewer,
        faction=form.faction,
        character=form.character,
        unattended=form.unattended,
        reason=form.reason,
    )
    return ActResult(phrase("A computer admiral now commands {}.", faction.name))


def _rules(viewer: Viewer, form: ActForm) -> ActResult:
    record = rules_change(viewer=viewer, version=form.rules, stage=form.stage, reason=form.reason)
    stage = waiting_stage(campaign=viewer.campaign)
    coming = None if stage is None else record.next_after(stage.week)
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
    count = awaited_remind(viewer=viewer, stage=form.stage)
    return ActResult(
        phrase("{} queued for sending.", counted_noun(count, "reminder"))
        if count
        else phrase("There was nobody left to remind.")
    )


def _password_link(viewer: Viewer, form: ActForm) -> ActResult:
    return ActResult(
        phrase("Password reset link for {}", form.user),
        password_link(viewer=viewer, username=form.user, reason=form.reason),
    )


def _remedy(viewer: Viewer, form: ActForm) -> ActResult:
    stage = stage_remedy(viewer=viewer, stage=form.stage, way=form.way, reason=form.reason)
    if form.way == BY_HAND:
        return ActResult(
            phrase("{}: enter the results on the pages of its battles.", _title(stage))
        )
    return ActResult(phrase("{}: being computed.", _title(stage)))


def _title(stage: Stage) -> str:
    return stage_title(stage.week, stage.kind, single=is_single(stage.branch.campaign))


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
    REMIND: _remind,
    PASSWORD_LINK: _password_link,
    REMEDY: _remedy,
}
