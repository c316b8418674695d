"""The ship designer: systems are added to a drawn record sheet, and the engine checks each change.

The page is one form. Each action is a POST that returns the changed design, or only the changed
part if a script asks. Nothing is stored until it is saved to the user's design library or to the
faction's classes.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.access import Viewer
from campaign.drawings.condition import fresh_condition
from campaign.drawings.strips import Strip, strip
from campaign.drawings.symbols import Carried, carried_systems
from campaign.errors import NotFound
from campaign.forms.ships.design_form import FIELDS, read_design_form
from campaign.pages.ships.classes import design_file, own_faction, posted_source, posted_text
from campaign.pages.ships.import_report import PARTIAL, keep_report, pop_report
from campaign.rules.design_editor import DesignEditor, apply_action, blank_design, is_built_by_mass
from campaign.rules.design_sheet import DesignChecker, DesignSheet, build_design_sheet
from campaign.rules.designs import review_design, tech_base_of
from campaign.services.design_drafts import class_save, design_draft_of
from campaign.services.design_library import (
    LONGEST_NOTES,
    library_design_delete,
    library_design_of,
    library_design_save,
    library_import,
    library_of,
)
from campaign.services.design_texts import FORMS, SOURCES, export_designs
from campaign.store.documents import scenario_of
from campaign.web.common import UNPROCESSABLE, heavy_request, member_page, show
from campaign.web.list_search import (
    INDEX_FROM,
    index_letter,
    matches_all_words,
    normalize_text,
    search_text_of,
)
from campaign.web.ship_drawings import record_sheet_svg
from campaign.web.tabs import tabs
from campaign.words.design_faults import placed_words
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import join_phrases, phrase
from engine.design.offers import Offer, by_category, offers_of
from engine.ruleset import RuleSet, rules_of, ruleset

KEEP, TO_FACTION = "keep", "class"  # actions that save


@dataclass(frozen=True, slots=True)
class DesignSetup:
    """The context of a design: the rulebook, the systems on offer and the save actions."""

    rules: RuleSet
    offers: tuple[Offer, ...]
    judge: DesignChecker | None  # finds the faults that count here
    saves: dict[str, Callable[[dict[str, Any], str], str]]  # save functions by button
    context: dict[str, Any]


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _respond(
    request: HttpRequest, setup: DesignSetup, first_editor: DesignEditor, notes: str
) -> HttpResponse:
    """Return the page of a design, as stored or as changed by the form."""
    if request.method != "POST":
        return _page(request, setup, first_editor, notes)
    act = request.POST.get("act", "")
    notes = request.POST.get("notes", "")
    editor = apply_action(
        read_design_form(request.POST, setup.rules), act, setup.rules, setup.offers
    )
    save = setup.saves.get(act)
    if save is None:
        return _page(request, setup, editor, notes)
    try:
        to = save(editor.document, notes)
    except RuleViolations as error:
        return _page(request, setup, editor, notes, error.limited_violations)
    return redirect(to)


def _is_script_request(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _page(
    request: HttpRequest,
    setup: DesignSetup,
    editor: DesignEditor,
    notes: str,
    refused: Sequence[Violation] = (),
) -> HttpResponse:
    layout = build_design_sheet(editor, setup.rules, setup.offers, setup.judge)
    part = _is_script_request(request)
    status = UNPROCESSABLE if refused and not part else 200
    template = "_design_editor" if part else "designer"
    return show(
        request,
        template,
        status=status,
        editor=layout,
        fields=FIELDS,
        drawn=_drawing(layout),
        shelves=() if part else by_category(setup.offers),
        by_mass=is_built_by_mass(setup.rules),
        rules=setup.rules,
        edition=setup.rules.edition.label,
        notes=notes,
        longest_notes=LONGEST_NOTES,
        refused=[
            fault
            for fault in refused
            if fault.message not in {shown_fault.message for shown_fault in layout.faults}
        ],
        **setup.context,
    )


def _drawing(layout: DesignSheet) -> SafeString | None:
    if layout.sheet is None:
        return None
    return record_sheet_svg(layout.sheet, fresh_condition(layout.sheet), orders=False)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def design_new(request: HttpRequest, edition: str) -> HttpResponse:
    """Edit a new design for the reader's library."""
    if edition not in EDITIONS:
        raise Http404
    return _respond(
        request,
        _library_setup(request, rules_of(edition), None),
        blank_design(rules_of(edition)),
        "",
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def design(request: HttpRequest, design: uuid.UUID) -> HttpResponse:
    """Edit a design in the reader's library."""
    try:
        row = library_design_of(_user(request), design)
    except NotFound as error:
        raise Http404 from error
    return _respond(
        request,
        _library_setup(request, rules_of(row.edition), row.public_id),
        DesignEditor(row.design),
        row.notes,
    )


def _library_setup(
    request: HttpRequest, rules: RuleSet, design_id: uuid.UUID | None
) -> DesignSetup:
    def keep(document: dict[str, Any], notes: str) -> str:
        row = library_design_save(
            user=_user(request), document=document, notes=notes, public_id=design_id
        )
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("design", args=[row.public_id])

    return DesignSetup(
        rules, offers_of(rules), None, {KEEP: keep}, {"kept": design_id, "forms": FORMS}
    )


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def designer(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Edit a design for a war, with what the faction's yards can build.

    It starts empty, from one of the faction's classes, or from a library design.
    """
    faction = own_faction(viewer)
    scenario = scenario_of(viewer.campaign)
    rules = ruleset(scenario.edition, scenario.options)
    base = tech_base_of(scenario, faction.key)
    offers = offers_of(
        rules, technologies=base.all_technologies if base is not None else None, agreed=True
    )

    def save(document: dict[str, Any], _notes: str) -> str:
        row = class_save(campaign=viewer.campaign, faction=faction, document=document)
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("classes", args=[viewer.campaign.public_id])

    def keep(document: dict[str, Any], notes: str) -> str:
        row = library_design_save(user=_user(request), document=document, notes=notes)
        messages.success(request, phrase("Saved: {}.", row.name))
        return f"{reverse('designer', args=[viewer.campaign.public_id])}?library={row.public_id}"

    setup = DesignSetup(
        rules,
        offers,
        lambda document: review_design(scenario, faction.key, document).faults,
        {TO_FACTION: save, KEEP: keep},
        {"base": base, "war": True, **tabs(viewer, "classes")},
    )
    return _respond(request, setup, *_first_editor(request, viewer, rules))


def _first_editor(request: HttpRequest, viewer: Viewer, rules: RuleSet) -> tuple[DesignEditor, str]:
    """Return the design that a war's designer starts with, and its notes.

    Raises:
        NotFound: If the query names a design that does not exist or belongs to another rulebook.
    """
    class_id = request.GET.get("of", "")
    library_id = request.GET.get("library", "")
    if class_id:
        return DesignEditor(
            design_draft_of(viewer.campaign, own_faction(viewer), class_id).design
        ), ""
    if library_id:
        row = library_design_of(_user(request), library_id)
        if row.edition != rules.edition:
            raise NotFound(phrase("there is no such design for this war's rulebook"))
        return DesignEditor(row.design), row.notes
    return blank_design(rules), ""


@dataclass(frozen=True, slots=True)
class LibraryDesign:
    """A design on the library page."""

    id: uuid.UUID
    name: str
    edition: str
    notes: str
    layout: DesignSheet  # its sheet with figures and faults

    @property
    def hull(self) -> Strip | None:
        if self.layout.sheet is None:
            return None
        return strip(self.layout.sheet.rows, 0, self.layout.sheet.armour)

    @property
    def letter(self) -> str:
        return index_letter(self.name)

    @property
    def search_texts(self) -> tuple[str, ...]:
        """All texts that a search can match."""
        size = () if self.layout.figures is None else (phrase(self.layout.figures.classification),)
        return (
            self.name,
            self.edition,
            self.notes,
            *size,
            *(row.words for row in self.layout.rows),
        )

    @property
    def carries(self) -> tuple[Carried, ...]:
        return carried_systems(
            self.layout.document["systems"], (row.words for row in self.layout.rows)
        )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def designs(request: HttpRequest) -> HttpResponse:
    """List the reader's library, searched by `?q=`; import or delete designs by form."""
    if request.method != "POST":
        return _render_library(request)
    act = request.POST.get("act", "")
    if act == "delete":
        try:
            name = library_design_delete(user=_user(request), public_id=request.POST.get("id", ""))
        except NotFound as error:
            raise Http404 from error
        messages.success(request, phrase("Deleted: {}.", name))
        return redirect("designs")
    if act != "import":
        raise Http404
    text = posted_text(request)
    source = posted_source(request, text)
    partial = PARTIAL in request.POST
    with heavy_request(request):
        try:
            rows, left_out = library_import(
                user=_user(request), text=text, source=source, partial=partial
            )
        except RuleViolations as error:
            return _render_library(request, text, source, error.limited_violations, partial)
    keep_report(request, left_out)
    messages.success(request, phrase("Saved: {}.", join_phrases(", ", (row.name for row in rows))))
    return redirect("designs")


def _render_library(
    request: HttpRequest,
    text: str = "",
    source: str = SOURCES[0],
    violations: Sequence[Violation] = (),
    partial: bool = True,
) -> HttpResponse:
    library = [
        LibraryDesign(
            row.public_id,
            row.name,
            Edition(row.edition).label,
            row.notes,
            build_design_sheet(DesignEditor(row.design), rules, ()),
        )
        for row in library_of(_user(request))
        for rules in (rules_of(row.edition),)
    ]
    search_text = search_text_of(request)
    rows = sorted(
        (row for row in library if matches_all_words(search_text, row.search_texts)),
        key=lambda row: normalize_text(row.name),
    )
    initials = [row.letter for row in rows]
    editions = [(edition.value, edition.label) for edition in EDITIONS]
    fault_rows = []
    for fault in violations:
        fault_rows.append(Violation(fault.where, fault.code, placed_words(fault)))
    return show(
        request,
        "designs",
        status=UNPROCESSABLE if violations else 200,
        rows=rows,
        kept=len(library),
        wanted=search_text,
        letters=initials if len(rows) > INDEX_FROM and len(set(initials)) > 2 else (),
        editions=editions,
        text=text,
        source=source,
        sources=SOURCE_WORDS.items(),
        found=fault_rows,
        forms=FORMS,
        partial=partial,
        left_out=pop_report(request),
    )


SOURCE_WORDS = {"design": phrase("Blind Jump"), "ftlibship": "ftLibShip", "ftjava": "FTJava (XML)"}


@never_cache
@login_required
@require_safe
def design_export(request: HttpRequest, design: uuid.UUID, form: str) -> HttpResponse:
    """Return a design of the library as a file."""
    try:
        row = library_design_of(_user(request), design)
    except NotFound as error:
        raise Http404 from error
    if form not in FORMS:
        raise Http404
    try:
        text = export_designs([row.design], form)
    except RuleViolations as error:
        return _render_library(request, violations=error.limited_violations)
    return design_file(text, form, f"design-{form}")


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/", designs, name="designs"),
    path("designs/new/<slug:edition>/", design_new, name="design-new"),
    path("designs/<uuid:design>/", design, name="design"),
    path("designs/<uuid:design>/<slug:form>/", design_export, name="design-export"),
    path("c/<uuid:c>/designer/", designer, name="designer"),
]
