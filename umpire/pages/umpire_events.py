"""The umpire's page of events: write a report, a rumour, a contact and so on, and list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.forms.field import ChoiceField, NumberField
from campaign.kinds import StageKind, UmpireEventKind
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.objective_checks import CLASSIFICATIONS
from campaign.rules.queries import ship_classes, short_class_name
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.selectors.clock import waiting_stage
from campaign.store.documents import scenario_of, true_scenario_of
from campaign.web.seat_marks import power_names
from campaign.words.common import strength_words
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import join_phrases, phrase
from umpire.adjudication.umpire_events import (
    LONGEST_HEADLINE,
    LONGEST_TEXT,
    MOST_CONTACTS,
    MOST_SHIPS,
    UmpireEvent,
)
from umpire.pages.frame import ASK_METHODS, page, show, stage_title
from umpire.services.umpire_events import (
    Moment,
    WrittenEvent,
    moments_ahead,
    umpire_event_write,
    written_events,
)

UNPROCESSABLE = 422
MAX_DIGITS = 6
MOMENTS = 24  # to choose from
CLASS_ROWS = 4  # classes of one reinforcement that the form can name
CONTACTS = NumberField("count")  # by classification
SHIP_CLASS = ChoiceField("class")  # by row
SHIPS = NumberField("number")  # of the class in that row
HELP = {
    UmpireEventKind.REPORT: phrase(
        "A report to one or more factions. It appears in their reports of the stage."
    ),
    UmpireEventKind.RUMOUR: phrase(
        "A report that may be wrong. Its readers cannot tell it from a true one, unless you mark "
        "it as unconfirmed."
    ),
    UmpireEventKind.CONTACT: phrase(
        "Ships that somebody is said to have seen. The contact may be complete, partial or false. "
        "It appears on the readers' maps as reported, where they have seen nothing themselves."
    ),
    UmpireEventKind.REINFORCEMENTS: phrase(
        "Ships that arrive for a faction at the start of a week. Others learn of them only when "
        "they see them."
    ),
    UmpireEventKind.BULLETIN: phrase("An announcement to all factions, in reports and newspapers."),
    UmpireEventKind.PRESS: phrase("Your own paragraph in the newspapers of the chosen factions."),
}
TO_ALL = (UmpireEventKind.BULLETIN, UmpireEventKind.PRESS)  # all factions are ticked at first


@dataclass(frozen=True, slots=True)
class EventRow:
    """A written event in words."""

    kind: str
    to: str
    when: str
    what: str
    place: str
    author: str
    at: datetime
    is_delivered: bool
    is_unconfirmed: bool


@page(umpire=True, methods=ASK_METHODS)
def events(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the umpires' events of a war; a POST writes one."""
    stage = waiting_stage(campaign=viewer.campaign)
    if request.method != "POST":
        return _render(request, viewer, stage)
    try:
        event, ordinal = _event_in(request.POST)
        umpire_event_write(viewer=viewer, event=event, stage=ordinal)
    except RuleViolations as error:
        return _render(request, viewer, stage, error)
    messages.success(request, phrase("Sealed. It is delivered when that stage opens."))
    return redirect("umpire-events", c=viewer.campaign.public_id)


def _event_in(posted: QueryDict) -> tuple[UmpireEvent, int]:
    """Return the event in a posted form, and the ordinal of the stage it was written for.

    Raises:
        RuleViolations: A number or the stage cannot be read.
    """
    faults: list[Violation] = []

    def number(name: str) -> int:
        text = posted.get(name, "").strip() or "0"
        if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
            return int(text)
        faults.append(Violation(name, "not-a-number", phrase("must be a number")))
        return 0

    week, _, kind = posted.get("when", "").partition("/")
    counts = [(name, number(CONTACTS.name(name))) for name in CLASSIFICATIONS]
    ships = []
    for row in range(CLASS_ROWS):
        if name := posted.get(SHIP_CLASS.name(row), ""):
            ships.append((name, number(SHIPS.name(row))))
    event = UmpireEvent(
        kind=posted.get("kind", ""),
        factions=tuple(posted.getlist("to")),
        week=int(week) if week.isascii() and week.isdigit() and len(week) <= MAX_DIGITS else 0,
        stage=kind,
        text=posted.get("text", ""),
        headline=posted.get("headline", ""),
        hex=posted.get("hex", "").strip()[:4],
        unconfirmed=posted.get("unconfirmed") == "yes",
        power=posted.get("power", ""),
        counts=tuple(sorted(pair for pair in counts if pair[1])),
        name=posted.get("name", ""),
        ships=tuple(ships),
    )
    ordinal = number("stage")
    if faults:
        raise RuleViolations(faults)
    return event, ordinal


def _render(
    request: HttpRequest,
    viewer: Viewer,
    stage: Stage | None,
    error: RuleViolations | None = None,
) -> HttpResponse:
    """Render the page, with the form of the chosen kind and what was refused."""
    campaign = viewer.campaign
    scenario = scenario_of(campaign)
    data = request.POST if error else request.GET
    kind = data.get("kind", "")
    if kind not in tuple(UmpireEventKind):
        kind = UmpireEventKind.REPORT
    now = _moment_of(campaign, stage)
    rows = []
    for written in written_events(viewer, now):
        rows.append(event_row(scenario, written))
    response = show(
        request,
        viewer,
        "events",
        "events",
        stage=stage,
        kind=kind,
        kinds=[(str(item), item.label) for item in UmpireEventKind],
        help=HELP[UmpireEventKind(kind)],
        rows=rows,
        form_data=data,
        ticked=_ticked(data, kind, scenario),
        faults=error.limited_violations if error else (),
        **_choices(campaign, scenario, stage, kind),
        **_class_rows(data),
    )
    response.status_code = UNPROCESSABLE if error else 200
    return response


def _ticked(data: QueryDict, kind: str, scenario: Scenario) -> list[str]:
    """Return the factions that are ticked in the form."""
    if kind in TO_ALL and "to" not in data:
        return [faction.id for faction in scenario.factions]
    return data.getlist("to")


def _choices(
    campaign: Campaign, scenario: Scenario, stage: Stage | None, kind: str
) -> dict[str, Any]:
    """Return the choices that the form offers."""
    moments: list[tuple[str, str]] = []
    if stage is not None:
        for week, stage_kind in moments_ahead(campaign, stage):
            if kind == UmpireEventKind.REINFORCEMENTS and stage_kind != StageKind.ORDERS:
                continue
            moments.append((f"{week}/{stage_kind}", stage_title(week, stage_kind)))
    classes = []
    for name in sorted(ship_classes(true_scenario_of(campaign))):
        classes.append((name, short_class_name(name)))
    return {
        "moments": moments[:MOMENTS],
        "classes": classes,
        "places": sorted(named_hexes(scenario).items(), key=lambda item: item[1]),
        "classifications": CLASSIFICATIONS,
        "fields": {"contacts": CONTACTS, "ship_class": SHIP_CLASS, "ships": SHIPS},
        "longest_text": LONGEST_TEXT,
        "longest_headline": LONGEST_HEADLINE,
        "most_contacts": MOST_CONTACTS,
        "most_ships": MOST_SHIPS,
    }


def _class_rows(data: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows for the classes of a reinforcement, and the numbers of a contact."""
    rows = []
    for row in range(CLASS_ROWS):
        chosen = data.get(SHIP_CLASS.name(row), "")
        rows.append((row, chosen, data.get(SHIPS.name(row), "")))
    counts = [(name, data.get(CONTACTS.name(name), "")) for name in CLASSIFICATIONS]
    return {"class_rows": rows, "counts": counts}


def _moment_of(campaign: Campaign, stage: Stage | None) -> Moment:
    """Return the newest stage of a war that has opened; after the war its end."""
    if stage is None:
        return scenario_of(campaign).weeks, str(StageKind.OVER)
    return stage.week, stage.kind


def event_row(scenario: Scenario, written: WrittenEvent) -> EventRow:
    """Return a written event in words."""
    event = written.event
    names = power_names(scenario)
    place = ""
    if event.hex:
        place = named_hexes(scenario).get(event.hex, phrase("hex {}", event.hex))
    return EventRow(
        kind=UmpireEventKind(event.kind).label,
        to=join_phrases(", ", [names[key] for key in event.factions]),
        when=stage_title(event.week, event.stage),
        what=event_words(scenario, event),
        place=place,
        author=written.author,
        at=written.at,
        is_delivered=written.is_delivered,
        is_unconfirmed=event.unconfirmed,
    )


def event_words(scenario: Scenario, event: UmpireEvent) -> str:
    """Return the content of an event in words."""
    names = power_names(scenario)
    if event.kind == UmpireEventKind.CONTACT:
        return phrase("{}: {}", names[event.power], strength_words(event.counts))
    if event.kind == UmpireEventKind.REINFORCEMENTS:
        ships = [phrase("{} × {}", number, short_class_name(cls)) for cls, number in event.ships]
        return phrase("{}: {}", event.name, join_phrases(", ", ships))
    if event.headline:
        return phrase("{}: {}", event.headline, event.text)
    return event.text
