"""The designer: a ship is built by adding systems to its drawn record sheet, and the engine judges
every change.

The page is one form. Every act of it is a POST that answers with the changed design, whole or
(asked by a script) as the part that changed; nothing is kept until it is saved, to the user's own
shelf or to his faction's classes.
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
from campaign.drawings.condition import fresh
from campaign.drawings.strips import Strip, strip
from campaign.drawings.symbols import Carried, carried
from campaign.errors import NotThere
from campaign.forms.ships.bench_form import FIELDS, read_bench
from campaign.pages.ships.classes import design_file, given_source, given_text, own_faction
from campaign.pages.ships.import_report import PARTIAL, keep_report, kept_report
from campaign.rules.bench_sheet import BenchSheet, Judge, laid_out
from campaign.rules.designs import judged, tech_base_of
from campaign.rules.workbench import Bench, acted, blank, by_mass
from campaign.services.design_drafts import class_save, design_draft_of
from campaign.services.design_texts import FORMS, SOURCES, exported
from campaign.services.shelf import (
    LONGEST_NOTES,
    shelf_design_delete,
    shelf_design_of,
    shelf_design_save,
    shelf_import,
    shelf_of,
)
from campaign.store.documents import scenario_of
from campaign.web.common import UNLAWFUL, heavy_request, member_page, show
from campaign.web.list_search import FEW, fits, letter_of, plain, wanted_of
from campaign.web.ship_drawings import sheet_drawn
from campaign.web.tabs import tabs
from campaign.words.design_faults import placed_words
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import joined_phrases, phrase
from engine.design.offers import Offer, by_shelf, offers_of
from engine.ruleset import RuleSet, rules_of, ruleset

KEEP, TO_FACTION = "keep", "class"  # acts that save


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a design is drawn: the rulebook, what is offered, whose faults count; `saves`: what its
    buttons do.
    """

    rules: RuleSet
    offers: tuple[Offer, ...]
    judge: Judge | None
    saves: dict[str, Callable[[dict[str, Any], str], str]]
    context: dict[str, Any]


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


def _desk(request: HttpRequest, desk: Desk, first: Bench, notes: str) -> HttpResponse:
    """The page of a design, as it was found or as the form has it."""
    if request.method != "POST":
        return _page(request, desk, first, notes)
    act, notes = request.POST.get("act", ""), request.POST.get("notes", "")
    bench = acted(read_bench(request.POST, desk.rules), act, desk.rules, desk.offers)
    save = desk.saves.get(act)
    if save is None:
        return _page(request, desk, bench, notes)
    try:
        to = save(bench.document, notes)
    except RuleViolations as error:
        return _page(request, desk, bench, notes, error.listed)
    return redirect(to)


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _page(
    request: HttpRequest, desk: Desk, bench: Bench, notes: str, refused: Sequence[Violation] = ()
) -> HttpResponse:
    laid = laid_out(bench, desk.rules, desk.offers, desk.judge)
    part = _by_script(request)
    status = UNLAWFUL if refused and not part else 200
    template = "_bench" if part else "designer"
    return show(
        request,
        template,
        status=status,
        bench=laid,
        fields=FIELDS,
        drawn=_drawn(laid),
        shelves=() if part else by_shelf(desk.offers),
        by_mass=by_mass(desk.rules),
        rules=desk.rules,
        edition=desk.rules.edition.label,
        notes=notes,
        longest_notes=LONGEST_NOTES,
        refused=[
            fault for fault in refused if fault.message not in {one.message for one in laid.faults}
        ],
        **desk.context,
    )


def _drawn(laid: BenchSheet) -> SafeString | None:
    return None if laid.sheet is None else sheet_drawn(laid.sheet, fresh(laid.sheet), orders=False)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def design_new(request: HttpRequest, edition: str) -> HttpResponse:
    """A new design for the reader's own shelf."""
    if edition not in EDITIONS:
        raise Http404
    return _desk(
        request, _shelf_desk(request, rules_of(edition), None), blank(rules_of(edition)), ""
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def design(request: HttpRequest, design: uuid.UUID) -> HttpResponse:
    """A design of the reader's own shelf."""
    try:
        row = shelf_design_of(_user(request), design)
    except NotThere as error:
        raise Http404 from error
    return _desk(
        request,
        _shelf_desk(request, rules_of(row.edition), row.public_id),
        Bench(row.design),
        row.notes,
    )


def _shelf_desk(request: HttpRequest, rules: RuleSet, kept: uuid.UUID | None) -> Desk:
    def keep(document: dict[str, Any], notes: str) -> str:
        row = shelf_design_save(user=_user(request), document=document, notes=notes, public_id=kept)
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("design", args=[row.public_id])

    return Desk(rules, offers_of(rules), None, {KEEP: keep}, {"kept": kept, "forms": FORMS})


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def designer(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The designer of a war: what the faction's yards can build; a class of its own or of the shelf
    to begin with.
    """
    faction, scenario = own_faction(viewer), scenario_of(viewer.campaign)
    rules = ruleset(scenario.edition, scenario.options)
    base = tech_base_of(scenario, faction.key)
    offers = offers_of(rules, known=base.had if base is not None else None, agreed=True)

    def save(document: dict[str, Any], _notes: str) -> str:
        row = class_save(campaign=viewer.campaign, faction=faction, document=document)
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("classes", args=[viewer.campaign.public_id])

    def keep(document: dict[str, Any], notes: str) -> str:
        row = shelf_design_save(user=_user(request), document=document, notes=notes)
        messages.success(request, phrase("Saved: {}.", row.name))
        return f"{reverse('designer', args=[viewer.campaign.public_id])}?shelf={row.public_id}"

    desk = Desk(
        rules,
        offers,
        lambda document: judged(scenario, faction.key, document).faults,
        {TO_FACTION: save, KEEP: keep},
        {"base": base, "war": True, **tabs(viewer, "classes")},
    )
    return _desk(request, desk, *_begun(request, viewer, rules))


def _begun(request: HttpRequest, viewer: Viewer, rules: RuleSet) -> tuple[Bench, str]:
    """What a war's designer begins with. Raises NotThere."""
    of, shelf = request.GET.get("of", ""), request.GET.get("shelf", "")
    if of:
        return Bench(design_draft_of(viewer.campaign, own_faction(viewer), of).design), ""
    if shelf:
        row = shelf_design_of(_user(request), shelf)
        if row.edition != rules.edition:
            raise NotThere(phrase("there is no such design of this war's rulebook"))
        return Bench(row.design), row.notes
    return blank(rules), ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A design on the shelf's page.

    `laid`: it on a bench, with its figures and faults; `hull`: None where it cannot be drawn.
    """

    id: uuid.UUID
    name: str
    edition: str
    notes: str
    laid: BenchSheet

    @property
    def hull(self) -> Strip | None:
        return (
            None
            if self.laid.sheet is None
            else strip(self.laid.sheet.rows, 0, self.laid.sheet.armour)
        )

    @property
    def letter(self) -> str:
        return letter_of(self.name)

    @property
    def told(self) -> tuple[str, ...]:
        """All that one may look it up by."""
        size = () if self.laid.figures is None else (phrase(self.laid.figures.classification),)
        return (self.name, self.edition, self.notes, *size, *(row.words for row in self.laid.rows))

    @property
    def carries(self) -> tuple[Carried, ...]:
        return carried(self.laid.document["systems"], (row.words for row in self.laid.rows))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def designs(request: HttpRequest) -> HttpResponse:
    """The reader's own shelf, `?q=` what of it has these words; designs are imported and thrown
    away by form.
    """
    if request.method != "POST":
        return _shelf(request)
    act = request.POST.get("act", "")
    if act == "delete":
        try:
            name = shelf_design_delete(user=_user(request), public_id=request.POST.get("id", ""))
        except NotThere as error:
            raise Http404 from error
        messages.success(request, phrase("Deleted: {}.", name))
        return redirect("designs")
    if act != "import":
        raise Http404
    text = given_text(request)
    source = given_source(request, text)
    partial = PARTIAL in request.POST
    with heavy_request(request):
        try:
            rows, left_out = shelf_import(
                user=_user(request), text=text, source=source, partial=partial
            )
        except RuleViolations as error:
            return _shelf(request, text, source, error.listed, partial)
    keep_report(request, left_out)
    messages.success(
        request, phrase("Saved: {}.", joined_phrases(", ", (row.name for row in rows)))
    )
    return redirect("designs")


def _shelf(
    request: HttpRequest,
    text: str = "",
    source: str = SOURCES[0],
    found: Sequence[Violation] = (),
    partial: bool = True,
) -> HttpResponse:
    kept = [
        Kept(
            row.public_id,
            row.name,
            Edition(row.edition).label,
            row.notes,
            laid_out(Bench(row.design), rules, ()),
        )
        for row in shelf_of(_user(request))
        for rules in (rules_of(row.edition),)
    ]
    wanted = wanted_of(request)
    rows = sorted((row for row in kept if fits(wanted, row.told)), key=lambda row: plain(row.name))
    letters = [row.letter for row in rows]
    editions = [(edition.value, edition.label) for edition in EDITIONS]
    placed = [Violation(one.where, one.code, placed_words(one)) for one in found]
    return show(
        request,
        "designs",
        status=UNLAWFUL if found else 200,
        rows=rows,
        kept=len(kept),
        wanted=wanted,
        letters=letters if len(rows) > FEW and len(set(letters)) > 2 else (),
        editions=editions,
        text=text,
        source=source,
        sources=SOURCE_WORDS.items(),
        found=placed,
        forms=FORMS,
        partial=partial,
        left_out=kept_report(request),
    )


SOURCE_WORDS = {"design": phrase("Blind Jump"), "ftlibship": "ftLibShip", "ftjava": "FTJava (XML)"}


@never_cache
@login_required
@require_safe
def design_export(request: HttpRequest, design: uuid.UUID, form: str) -> HttpResponse:
    """A design of the shelf as a file."""
    try:
        row = shelf_design_of(_user(request), design)
    except NotThere as error:
        raise Http404 from error
    if form not in FORMS:
        raise Http404
    try:
        text = exported([row.design], form)
    except RuleViolations as error:
        return _shelf(request, found=error.listed)
    return design_file(text, form, f"design-{form}")


urlpatterns: list[URLPattern | URLResolver] = [
    path("designs/", designs, name="designs"),
    path("designs/new/<slug:edition>/", design_new, name="design-new"),
    path("designs/<uuid:design>/", design, name="design"),
    path("designs/<uuid:design>/<slug:form>/", design_export, name="design-export"),
    path("c/<uuid:c>/designer/", designer, name="designer"),
]
