"""Actions of an umpire in several wars at once: remind, extend the deadline, pause the clock.

Each has a page that asks first, like the actions in one war (`umpire.pages.acts`), and uses the
same services. A refusal in one war does not affect the others; the answer names each refusal.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone, localtime, make_aware
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.access import Viewer, viewers_of
from campaign.forms.field import HiddenField
from campaign.kinds import StageStatus
from campaign.models.ledger import EXTEND, PAUSE
from campaign.selectors.umpired import UmpiredCampaign, umpired_campaigns
from campaign.services.acts import reason_violations
from campaign.words.languages import date_form
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import counted_noun
from umpire.pages.act_questions import REMIND, Question
from umpire.pages.acts import HOURS, UNPROCESSABLE, hours_words, moment_of
from umpire.pages.frame import title_of
from umpire.services.control import awaited_remind, stage_extend
from umpire.services.many_wars import act_in_each
from umpire.services.pauses import pause_until

# The stage a war's form was written for, and its deadline
STAGE = HiddenField("stage")
DEADLINE = HiddenField("deadline")

QUESTIONS = {
    REMIND: Question(
        phrase("Remind players who have not sealed"),
        phrase(
            "Everybody in a faction that is still awaited gets a message, at most one per hour."
        ),
        phrase("Remind"),
    ),
    EXTEND: Question(
        phrase("Extend the deadline"),
        phrase(
            "The deadline of the open stage moves to a later time for everybody in these campaigns."
        ),
        phrase("Extend"),
    ),
    PAUSE: Question(
        phrase("Pause the clock until a date"),
        phrase(
            "No stage closes until then. Orders can still be written and sealed; the clock "
            "resumes by itself."
        ),
        phrase("Pause"),
    ),
}


@dataclass(frozen=True, slots=True)
class ChosenWar:
    """A selected war."""

    war: UmpiredCampaign
    title: str
    why_not: str  # why the action would have no effect; empty if it can be done

    @property
    def key(self) -> str:
        """The war's public id, as in the form."""
        return str(self.war.campaign.public_id)


@dataclass(frozen=True, slots=True)
class ManyForm:
    """The fields of the form."""

    hours: int
    until: datetime | None
    reason: str
    posted: QueryDict  # the raw form, for each war's own fields


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def many_act(request: HttpRequest, verb: str) -> HttpResponse:
    """Ask for or do an action in the wars named by `c`, all of which the reader must umpire."""
    if verb not in QUESTIONS:
        raise Http404
    user = cast(AbstractBaseUser, request.user)
    data = request.POST if request.method == "POST" else request.GET
    wars = _chosen_wars(user, data, verb)
    faults: tuple[Violation, ...] = ()
    if not wars:
        faults = (Violation("", "none-chosen", phrase("choose campaigns first")),)
    elif request.method == "POST":
        try:
            form = _form(verb, data)
        except RuleViolations as error:
            faults = error.limited_violations
        else:
            _act_in_wars(request, verb, wars, form)
            return redirect("umpire-tables")
    return _ask(request, verb, wars=wars, data=data, faults=faults)


def _act_in_wars(
    request: HttpRequest, verb: str, wars: Iterable[ChosenWar], form: ManyForm
) -> None:
    """Do an action in each war, with a message for each.

    Raises:
        Http404: If the reader may not act in all of them any more.
    """
    keys = [item.war.campaign.public_id for item in wars]
    viewers = viewers_of(cast(AbstractBaseUser, request.user), keys)
    if len(viewers) < len(keys):
        raise Http404
    outcomes = act_in_each(
        [viewers[key] for key in keys],
        lambda viewer: ACTS[verb](viewer, form, str(viewer.campaign.public_id)),
    )
    for outcome in outcomes:
        name = outcome.viewer.campaign.name
        if outcome.result is None:
            why_not = phrase("{}: nothing was changed: {}.", name, outcome.why_not)
            messages.warning(request, why_not)
        else:
            messages.success(request, phrase("{}: {}", name, outcome.result))


def _chosen_wars(user: AbstractBaseUser, data: QueryDict, verb: str) -> list[ChosenWar]:
    """Return the named wars in table order.

    Raises:
        Http404: If the reader does not umpire all of them, or umpires none at all.
    """
    war_ids = set()
    for text in data.getlist("c"):
        try:
            war_ids.add(uuid.UUID(text))
        except ValueError as error:
            raise Http404 from error
    umpired = umpired_campaigns(user)
    wars = [war for war in umpired if war.campaign.public_id in war_ids]
    if not umpired or len(wars) != len(war_ids):
        raise Http404
    return [ChosenWar(war, title_of(war.campaign, war.stage), _why_not(verb, war)) for war in wars]


def _why_not(verb: str, war: UmpiredCampaign) -> str:
    """Return why an action would have no effect in a war."""
    if war.stage is None:
        if war.has_begun:
            return phrase("the war is over")
        return phrase("the war has not begun")
    if war.stage.status != StageStatus.OPEN:
        return phrase("the stage is being resolved")
    if verb == EXTEND and war.stage.closes is None:
        return phrase("this stage has no deadline")
    if verb == REMIND and not any(seat.awaited for seat in war.seats):
        return phrase("no faction is awaited")
    return ""


def _form(verb: str, data: QueryDict) -> ManyForm:
    """Parse the fields that apply to every war.

    Raises:
        RuleViolations: With every fault.
    """
    reason = data.get("reason", "").strip()
    faults = reason_violations(reason)
    text = data.get("hours", "0")
    if text.isascii() and text.isdigit() and len(text) < 5:
        hours = int(text)
    else:
        hours = 0
    if verb == EXTEND and hours not in HOURS:
        faults.append(
            Violation("hours", "bad-number", phrase("must be one of the durations offered"))
        )
    until = _until(data.get("until", ""))
    if verb == PAUSE and until is None:
        faults.append(Violation("until", "bad-time", phrase("enter a day and time")))
    if faults:
        raise RuleViolations(faults)
    return ManyForm(hours, until, reason, data)


def _until(text: str) -> datetime | None:
    """Return the time in a form field, in the reader's time zone, or None if it is invalid."""
    try:
        moment = parse_datetime(text)
    except ValueError:  # well formed, but no such day
        return None
    if moment is None or moment.tzinfo is not None:
        return moment
    return make_aware(moment, get_current_timezone())


def _ask(
    request: HttpRequest,
    verb: str,
    *,
    wars: list[ChosenWar],
    data: Mapping[str, str],
    faults: tuple[Violation, ...],
) -> HttpResponse:
    """Show the page that asks, with every fault of what was submitted."""
    context = {
        "verb": verb,
        "fields": {"stage": STAGE, "deadline": DEADLINE},
        "question": QUESTIONS[verb],
        "chosen": wars,
        "hours": [(number, hours_words(number)) for number in HOURS],
        "form_data": data,
        "faults": faults,
    }
    return render(
        request, "umpire/bulk_action.html", context, status=UNPROCESSABLE if faults else 200
    )


def _stage(form: ManyForm, war: str) -> int:
    """Return the stage the form was written for; a later repeat must not affect the next one."""
    text = STAGE.read(form.posted, war)
    if text.isascii() and text.isdigit() and len(text) < 7:
        return int(text)
    return -1


def _remind(viewer: Viewer, form: ManyForm, war: str) -> str:
    """Remind the players of a war who have not sealed."""
    count = awaited_remind(viewer=viewer, stage=_stage(form, war))
    if not count:
        return phrase("there was nobody left to remind.")
    return phrase("{} queued for sending.", counted_noun(count, "reminder"))


def _extend(viewer: Viewer, form: ManyForm, war: str) -> str:
    """Extend the deadline from the one the form was written for; a repeat changes nothing."""
    deadline = moment_of(DEADLINE.read(form.posted, war))
    if deadline is None:
        raise RuleViolations(
            [Violation("hours", "no-deadline", phrase("this stage has no deadline to move"))]
        )
    until = deadline + timedelta(hours=form.hours)
    stage_extend(viewer=viewer, until=until, stage=_stage(form, war), reason=form.reason)
    return phrase("deadline extended by {}.", hours_words(form.hours))


def _pause(viewer: Viewer, form: ManyForm, _war: str) -> str:
    """Stop the clock of a war until the time in the form."""
    if form.until is None:
        raise ValueError("the form of a pause without an end is refused before")
    pause_until(viewer=viewer, until=form.until, reason=form.reason)
    return phrase(
        "the clock is paused until {}.", date_format(localtime(form.until), date_form("D j M, H:i"))
    )


# verb -> function for one war (by public id) that returns a message
ACTS: dict[str, Callable[[Viewer, ManyForm, str], str]] = {
    REMIND: _remind,
    EXTEND: _extend,
    PAUSE: _pause,
}
