"""The ship designer: systems are added to a drawn record sheet, and the engine checks each change.

The page is one form. Each action is a POST that returns the changed design, or only the changed
part if a script asks. Nothing is stored until it is saved to the user's design library or to the
faction's classes.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from campaign.rules.design_sheet import (
    DesignChecker,
    DesignSheet,
    build_design_sheet,
    design_fault_words,
)
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
from engine.design.restrictions import barred_types
from engine.ruleset import RuleSet, rules_of, ruleset

KEEP = "keep"  # an action: save to the user's library
TO_FACTION = "class"  # an action: save to the faction's classes in a war
LETTERS_FOR_INDEX = 3  # an index with fewer letters is not worth its space


@dataclass(frozen=True, slots=True)
class DesignSetup:
    """What the editor works with: the rulebook, the systems on offer and the save actions.

    Attributes:
        check: Finds the faults that count here; None if the rulebook alone decides.
        saves: What each save button does: from document and notes to the address of the next page.
        context: More context for the template.
    """

    rules: RuleSet
    offers: tuple[Offer, ...]
    check: DesignChecker | None
    saves: dict[str, Callable[[dict[str, Any], str], str]]
    context: dict[str, Any]


def _user(request: HttpRequest) -> AbstractBaseUser:
    """Return the logged-in user with its type."""
    return cast(AbstractBaseUser, request.user)


def _respond(
    request: HttpRequest, setup: DesignSetup, first_editor: DesignEditor, notes: str
) -> HttpResponse:
    """Return the page of a design, as stored or as changed by the form.

    Args:
        first_editor: The design as it is before the form changes it.
    """
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
        address = save(editor.document, notes)
    except RuleViolations as error:
        return _page(request, setup, editor, notes, refusal=error.limited_violations)
    return redirect(address)


def _page(
    request: HttpRequest,
    setup: DesignSetup,
    editor: DesignEditor,
    notes: str,
    *,
    refusal: Sequence[Violation] = (),
) -> HttpResponse:
    """Render the editor; only its changing part if a script asks.

    Args:
        refusal: Why the design was not saved.
    """
    sheet = build_design_sheet(editor, setup.rules, setup.offers, setup.check)
    is_script_request = request.headers.get("HX-Request") == "true"
    sheet_faults = {fault.message for fault in sheet.faults}
    other_faults = []
    for fault in refusal:
        words = design_fault_words(fault)
        if words not in sheet_faults:
            other_faults.append(replace(fault, message=words))
    context = {
        "editor": sheet,
        "fields": FIELDS,
        "drawing": _drawing(sheet),
        "by_mass": is_built_by_mass(setup.rules),
        "rules": setup.rules,
        "edition": setup.rules.edition.label,
        "notes": notes,
        "longest_notes": LONGEST_NOTES,
        "other_faults": other_faults,
        **setup.context,
    }
    if is_script_request:  # htmx shows a response only if its status is 200
        return show(request, "_design_editor", **context)
    context["offer_groups"] = by_category(setup.offers)
    return show(request, "designer", status=UNPROCESSABLE if refusal else 200, **context)


def _drawing(design_sheet: DesignSheet) -> SafeString | None:
    """Return the record sheet of a design, or None if its faults prevent one."""
    if design_sheet.sheet is None:
        return None
    return record_sheet_svg(design_sheet.sheet, fresh_condition(design_sheet.sheet), orders=False)


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
    """Return how a design of the user's library is edited.

    Args:
        design_id: None for a new design.
    """

    def keep(document: dict[str, Any], notes: str) -> str:
        row = library_design_save(
            user=_user(request), document=document, notes=notes, public_id=design_id
        )
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("design", args=[row.public_id])

    return DesignSetup(
        rules=rules,
        offers=offers_of(rules),
        check=None,
        saves={KEEP: keep},
        context={"library_id": design_id, "formats": FORMS},
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
    technologies = None if base is None else base.all_technologies

    def save(document: dict[str, Any], _notes: str) -> str:
        row = class_save(campaign=viewer.campaign, faction=faction, document=document)
        messages.success(request, phrase("Saved: {}.", row.name))
        return reverse("classes", args=[viewer.campaign.public_id])

    def keep(document: dict[str, Any], notes: str) -> str:
        row = library_design_save(user=_user(request), document=document, notes=notes)
        messages.success(request, phrase("Saved: {}.", row.name))
        return f"{reverse('designer', args=[viewer.campaign.public_id])}?library={row.public_id}"

    setup = DesignSetup(
        rules=rules,
        offers=offers_of(rules, technologies=technologies, agreed=True),
        check=lambda document: review_design(scenario, faction.key, document).faults,
        saves={TO_FACTION: save, KEEP: keep},
        context={
            "base": base,
            "war": True,
            "barred_types": barred_types(scenario.restrictions, rules),
            **tabs(viewer, "classes"),
        },
    )
    first_editor, notes = _first_editor(request, viewer, rules)
    return _respond(request, setup, first_editor, notes)


def _first_editor(request: HttpRequest, viewer: Viewer, rules: RuleSet) -> tuple[DesignEditor, str]:
    """Return the design that a war's designer starts with, and its notes.

    Raises:
        NotFound: If the query names a design that does not exist or belongs to another rulebook.
    """
    class_id = request.GET.get("of", "")
    library_id = request.GET.get("library", "")
    if class_id:
        draft = design_draft_of(viewer.campaign, own_faction(viewer), class_id)
        return DesignEditor(draft.design), ""
    if library_id:
        row = library_design_of(_user(request), library_id)
        if row.edition != rules.edition:
            raise NotFound(phrase("there is no such design for this war's rulebook"))
        return DesignEditor(row.design), row.notes
    return blank_design(rules), ""


@dataclass(frozen=True, slots=True)
class LibraryCard:
    """A design on the library page."""

    id: uuid.UUID
    name: str
    edition: str
    notes: str
    design: DesignSheet  # with figures and faults

    @property
    def hull(self) -> Strip | None:
        """The damage track, or None if faults of the design prevent a sheet."""
        if self.design.sheet is None:
            return None
        return strip(self.design.sheet.rows, 0, self.design.sheet.armour)

    @property
    def letter(self) -> str:
        """The letter under which the index lists it."""
        return index_letter(self.name)

    @property
    def search_texts(self) -> tuple[str, ...]:
        """All texts that a search can match."""
        texts = [self.name, self.edition, self.notes]
        if self.design.figures is not None:
            texts.append(phrase(self.design.figures.classification))
        texts += [row.words for row in self.design.rows]
        return tuple(texts)

    @property
    def carries(self) -> tuple[Carried, ...]:
        """The systems of the design with their symbols."""
        words = [row.words for row in self.design.rows]
        return carried_systems(self.design.document["systems"], words)


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
            return _render_library(
                request,
                text=text,
                source=source,
                violations=error.limited_violations,
                partial=partial,
            )
    keep_report(request, left_out)
    messages.success(request, phrase("Saved: {}.", join_phrases(", ", (row.name for row in rows))))
    return redirect("designs")


def _render_library(
    request: HttpRequest,
    *,
    text: str = "",
    source: str = SOURCES[0],
    violations: Sequence[Violation] = (),
    partial: bool = True,
) -> HttpResponse:
    """Render the designs that match the search, and the import form.

    Args:
        text: The submitted text of the import form, if it was refused.
        source: The format chosen in that form.
        violations: Why the form was refused.
        partial: Whether that form skips designs with faults.
    """
    library = _library_cards(request)
    search_text = search_text_of(request)
    cards = [card for card in library if matches_all_words(search_text, card.search_texts)]
    cards.sort(key=lambda card: normalize_text(card.name))
    initials = [card.letter for card in cards]
    has_index = len(cards) > INDEX_FROM and len(set(initials)) >= LETTERS_FOR_INDEX
    faults = []
    for fault in violations:
        faults.append(Violation(fault.where, fault.code, placed_words(fault)))
    return show(
        request,
        "designs",
        status=UNPROCESSABLE if violations else 200,
        cards=cards,
        library_size=len(library),
        search_text=search_text,
        initials=initials if has_index else (),
        editions=[(edition.value, edition.label) for edition in EDITIONS],
        text=text,
        source=source,
        sources=SOURCE_WORDS.items(),
        faults=faults,
        formats=FORMS,
        partial=partial,
        left_out=pop_report(request),
    )


def _library_cards(request: HttpRequest) -> list[LibraryCard]:
    """Return all designs of the reader's library."""
    cards = []
    for row in library_of(_user(request)):
        design_sheet = build_design_sheet(DesignEditor(row.design), rules_of(row.edition), ())
        card = LibraryCard(
            id=row.public_id,
            name=row.name,
            edition=Edition(row.edition).label,
            notes=row.notes,
            design=design_sheet,
        )
        cards.append(card)
    return cards


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
