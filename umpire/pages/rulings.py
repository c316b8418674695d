"""The umpire's page of rulings: find what is wrong, correct it, see who reads what, and decide."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.events.umpire import RecordCorrected
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import waiting_stage
from campaign.selectors.truth import world_of
from campaign.store.documents import scenario_of, true_scenario_of
from campaign.web.seat_marks import power_names
from campaign.words.week.reader import NoticeReader
from campaign.words.week.registry import line_of
from campaign.words.week.umpire import correction_words
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import join_phrases, phrase
from umpire.adjudication.corrections import Correction, corrections_of
from umpire.adjudication.indexes import index_scenario
from umpire.adjudication.patches import PATCHES
from umpire.adjudication.rulings import (
    LONGEST_TEXT,
    NO_SHIPS,
    Ruling,
    patch_document,
    read_patches,
    ruled_world,
)
from umpire.pages.frame import ASK_METHODS, page, show, stage_title
from umpire.pages.ruling_form import (
    FLEET,
    KINDS,
    SHIP,
    SYSTEM,
    WAR,
    FormField,
    Subject,
    fields_of,
    patch_in,
    with_values,
)
from umpire.services.rulings import (
    held_rulings,
    is_held_by_default,
    ruling_drop,
    ruling_make,
    ruling_preview,
    rulings_of,
    undoing,
)

UNPROCESSABLE = 422
MOST_RESULTS = 30  # of a search
LONGEST_SEARCH = 80  # characters
MAX_DIGITS = 6
UNKNOWN = phrase("choose what to correct")
NO_REASON = "…"  # stands for the reason in a preview


@dataclass(frozen=True, slots=True)
class Reading:
    """What a faction will read.

    Attributes:
        is_returned: Its sealed orders come back as a draft.
    """

    name: str
    lines: tuple[str, ...]
    is_returned: bool


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling in the list.

    Attributes:
        corrections: What it changed in the world, in words.
        notified: The names of the factions that were notified.
        is_undone: A later ruling undid it, and was not undone itself.
    """

    number: int
    when: str
    author: str
    at: datetime | None
    reason: str
    note: str
    corrections: tuple[str, ...]
    notified: str
    undoes: int
    is_undone: bool


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A ruling that waits.

    Attributes:
        faults: Why it could not be made in the stage that is open now.
    """

    act: str
    author: str
    at: datetime
    reason: str
    corrections: tuple[str, ...]
    faults: tuple[str, ...]


@dataclass(slots=True)
class Form:
    """What a form of the page holds.

    Attributes:
        patches: The corrections so far, as documents.
        undoes: The number of the ruling that is to be undone; 0: none.
        about: What is to be corrected: `SHIP`, `FLEET`, `SYSTEM` or `WAR`; empty: nothing chosen.
        subject: Its key.
        kind: The kind of the correction.
    """

    patches: list[dict[str, Any]]
    undoes: int
    about: str
    subject: str
    kind: str


@page(umpire=True, methods=ASK_METHODS)
def rulings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the rulings of a war; a POST prepares, makes, holds or undoes one."""
    if request.method != "POST":
        return _render(request, viewer, _form_in(request.GET))
    posted = request.POST
    form = _form_in(posted)
    verb = posted.get("act", "")
    try:
        if verb == "check" and form.kind:
            _add_patch(viewer, form, posted)
            form.about = form.kind = form.subject = ""
        elif verb == "rule":
            messages.success(request, _make(viewer, form, posted))
            return redirect("umpire-rulings", c=viewer.campaign.public_id)
        elif verb == "drop":
            ruling_drop(viewer=viewer, act=posted.get("held", ""))
            messages.success(request, phrase("Withdrawn. The ruling will not be made."))
            return redirect("umpire-rulings", c=viewer.campaign.public_id)
    except RuleViolations as error:
        return _render(request, viewer, form, error.limited_violations)
    except NotFound:
        raise
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return redirect("umpire-rulings", c=viewer.campaign.public_id)
    return _render(request, viewer, form)


def _form_in(data: QueryDict) -> Form:
    """Return what a form holds; what cannot be read is left out."""
    try:
        patches = json.loads(data.get("patches", "") or "[]")
        documents = [patch_document(patch) for patch in read_patches(patches, PATCHES)]
    except (ValueError, TypeError, RuleViolations):
        documents = []
    about, _, subject = data.get("choose", "").partition(":")
    kind = data.get("kind", "")
    return Form(
        patches=documents,
        undoes=_whole(data.get("undoes", "")),
        about=about if about in (SHIP, FLEET, SYSTEM, WAR) else "",
        subject=subject,
        kind=kind if kind in KINDS else "",
    )


def _whole(text: str) -> int:
    """Return a number in a form; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0


def _subject(viewer: Viewer, form: Form) -> Subject:
    """Return what a correction is about, in the world after the corrections so far."""
    stage = waiting_stage(campaign=viewer.campaign)
    if stage is None:
        raise RuleViolations([Violation("subject", "unknown", UNKNOWN)])
    scenario = true_scenario_of(viewer.campaign)
    patches = read_patches(form.patches, PATCHES)
    world = ruled_world(scenario, world_of(stage.from_snapshot), patches)
    return Subject(form.subject, index_scenario(scenario, world), world)


def _add_patch(viewer: Viewer, form: Form, posted: QueryDict) -> None:
    """Add the correction in a form to the others.

    Raises:
        RuleViolations: It is not possible. A new fleet may wait for its ships.
    """
    document = patch_in(form.kind, _subject(viewer, form), posted)
    (patch,) = read_patches([document], PATCHES)
    before = list(form.patches)
    form.patches.append(patch_document(patch))
    try:
        _preview(viewer, form, posted)
    except RuleViolations as error:
        if any(fault.code != NO_SHIPS for fault in error.violations):
            form.patches = before
            raise


def _ruling(viewer: Viewer, form: Form, posted: Mapping[str, Any], reason: str) -> Ruling:
    """Return the ruling in a form. Raises NotFound if it undoes an unknown one."""
    if form.undoes:
        return undoing(viewer=viewer, number=form.undoes, reason=reason)
    also = posted.getlist("also") if isinstance(posted, QueryDict) else []
    return Ruling(
        patches=read_patches(form.patches, PATCHES),
        reason=reason,
        public_note=posted.get("public_note", ""),
        also=tuple(also),
    )


def _make(viewer: Viewer, form: Form, posted: QueryDict) -> str:
    """Make or hold the ruling in a form, and return that in words."""
    hold = posted.get("when") == "hold"
    stage = posted.get("stage", "")
    ruling_make(
        viewer=viewer,
        ruling=_ruling(viewer, form, posted, posted.get("reason", "").strip()),
        hold=hold,
        stage=_whole(stage) if stage else None,
    )
    if hold:
        return phrase(
            "Written. The ruling is made when the next stage opens in which it is possible."
        )
    return phrase("The ruling is made. The factions that see a difference are notified.")


def _preview(viewer: Viewer, form: Form, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a ruling would do, for the template. Raises RuleViolations."""
    reason = posted.get("reason", "").strip() or NO_REASON
    preview = ruling_preview(viewer=viewer, ruling=_ruling(viewer, form, posted, reason))
    scenario = scenario_of(viewer.campaign)
    names = power_names(scenario)
    readings = []
    for faction in preview.outcome.told:
        reader = NoticeReader(scenario, faction)
        lines = []
        for event in preview.outcome.events:
            if faction in event.audience:
                words, _ = line_of(reader, event)
                lines.append(words)
        is_returned = faction in preview.returned
        readings.append(Reading(names[faction], tuple(lines), is_returned))
    others = [(key, name) for key, name in names.items() if key not in preview.outcome.told]
    return {
        "is_possible": True,
        "must_wait": preview.must_wait,
        "corrections": [_correction_words(scenario, item) for item in preview.corrections],
        "readings": readings,
        "others": others,
    }


def _correction_words(scenario: Scenario, correction: Correction) -> str:
    """Return a change of the world in words."""
    values = {item.name: getattr(correction, item.name) for item in fields(Correction)}
    return correction_words(NoticeReader(scenario, ""), RecordCorrected((), "", **values))


def _render(
    request: HttpRequest, viewer: Viewer, form: Form, faults: Sequence[Violation] = ()
) -> HttpResponse:
    """Show the page with what its form holds, and what was refused."""
    campaign = viewer.campaign
    data = request.POST if request.method == "POST" else request.GET
    stage = waiting_stage(campaign=campaign)
    context: dict[str, Any] = {"is_possible": False}
    listed = list(faults)
    has_ruling = bool(form.patches or form.undoes or data.get("act") in ("empty", "rule"))
    if has_ruling and stage is not None:
        try:
            context = _preview(viewer, form, data)
        except RuleViolations as error:
            listed = listed or list(error.limited_violations)
        except NotFound:
            raise
        except Refused as error:
            listed = [Violation("", "refused", error.words)]
    response = show(
        request,
        viewer,
        "rulings",
        "rulings",
        stage=stage,
        form=form,
        patches=json.dumps(form.patches),
        has_ruling=has_ruling,
        is_held=data.get("when", "hold" if is_held_by_default(campaign) else "now") == "hold",
        ticked=data.getlist("also"),
        form_data=data,
        faults=listed,
        longest=LONGEST_TEXT,
        rulings=ruling_rows(campaign),
        held=_held(viewer),
        **_choices(viewer, form, data, stage, bool(faults)),
        **context,
    )
    response.status_code = UNPROCESSABLE if listed else 200
    return response


def _choices(
    viewer: Viewer, form: Form, data: QueryDict, stage: Stage | None, refused: bool
) -> dict[str, Any]:
    """Return what the form offers: what a search found, or the fields of a correction."""
    text = data.get("q", "").strip()[:LONGEST_SEARCH]
    kinds = _kinds_of(form.about) if form.about else []
    form_fields: list[FormField] = []
    name = ""
    if kinds and stage is not None:
        if form.kind not in dict(kinds):
            form.kind = kinds[0][0]
        try:
            subject = _subject(viewer, form)
            name = _subject_name(form.about, subject)
            form_fields = fields_of(form.kind, subject)
        except RuleViolations:
            form.about = ""
            kinds = []
    if refused:
        form_fields = with_values(form_fields, data)
    results = []
    if text and stage is not None and not form.about:
        results = _search(viewer, form, text)
    return {
        "q": text,
        "results": results,
        "kinds": kinds,
        "subject_name": name,
        "fields": form_fields,
    }


def _kinds_of(about: str) -> list[tuple[str, str]]:
    """Return the kinds of corrections of a ship, fleet, system or the war, with their labels."""
    kinds = []
    for kind, (subject, label) in KINDS.items():
        if subject == about or (not subject and about in (SHIP, FLEET)):
            kinds.append((kind, label))
    return kinds


def _subject_name(about: str, subject: Subject) -> str:
    """Return the name of what a correction is about. Raises RuleViolations."""
    if about == SHIP:
        return subject.ship.name
    if about == FLEET:
        return subject.fleet.name
    if about == SYSTEM:
        for system in subject.index.scenario.systems:
            if system.id == subject.key:
                return system.name
        raise RuleViolations([Violation("subject", "unknown", phrase("choose a system"))])
    return phrase("The war")


def _search(viewer: Viewer, form: Form, text: str) -> list[tuple[str, str, str]]:
    """Return value, name and place of the ships, fleets and systems that a search finds."""
    world = _subject(viewer, form).world
    scenario = scenario_of(viewer.campaign)
    names = power_names(scenario)
    hexes = {fleet.key: fleet.hex for fleet in world.fleets}
    things: list[tuple[str, str, str, str]] = []
    for fleet in world.fleets:
        things.append((f"{FLEET}:{fleet.key}", fleet.name, names[fleet.faction], fleet.hex))
    for ship in world.ships:
        hex_ = hexes[ship.fleet]
        things.append((f"{SHIP}:{ship.key}", ship.name, names[ship.faction], hex_))
    for system in scenario.systems:
        things.append((f"{SYSTEM}:{system.id}", system.name, "", system.hex))
    results = []
    for value, name, owner, hex_ in things:
        if text.casefold() in f"{name} {value} {hex_}".casefold():
            place = phrase("hex {}", hex_)
            results.append((value, name, join_phrases(", ", [owner, place]) if owner else place))
    return results[:MOST_RESULTS]


def ruling_rows(campaign: Campaign) -> list[RulingRow]:
    """Return the rulings of a war, newest first. The caller checks the reader."""
    branch = campaign.head_branch
    scenario = scenario_of(campaign)
    names = power_names(scenario)
    rows = [] if branch is None else rulings_of(branch)
    undone: set[int] = set()
    result = []
    for row in rows:
        if row.undoes is not None and row.number not in undone:
            undone.add(row.undoes.number)
        notified = [names[key] for key in row.audience]
        changes = corrections_of(world_of(row.before), world_of(row.after))
        result.append(
            RulingRow(
                number=row.number,
                when=stage_title(row.stage.week, row.stage.kind),
                author=row.actor.get_username() if row.actor else "",
                at=row.stage.closed_at,
                reason=row.reason,
                note=row.public_note,
                corrections=tuple(_correction_words(scenario, item) for item in changes),
                notified=join_phrases(", ", notified),
                undoes=0 if row.undoes is None else row.undoes.number,
                is_undone=row.number in undone,
            )
        )
    return result


def _held(viewer: Viewer) -> list[HeldRow]:
    """Return the rulings that wait."""
    scenario = scenario_of(viewer.campaign)
    result = []
    for held in held_rulings(viewer):
        result.append(
            HeldRow(
                act=held.act.sha256,
                author=held.act.body["actor"],
                at=held.act.at,
                reason=held.ruling.reason,
                corrections=tuple(_correction_words(scenario, item) for item in held.corrections),
                faults=tuple(dict.fromkeys(fault.message for fault in held.faults)),
            )
        )
    return result
