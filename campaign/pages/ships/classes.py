"""A faction's ship classes: those in service, its own designs, and what its yards can build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_http_methods, require_safe

from campaign.access import Viewer, require
from campaign.drawings.condition import fresh_condition
from campaign.drawings.strips import Strip, strip
from campaign.drawings.symbols import Carried, carried_systems
from campaign.errors import InUse, NotFound
from campaign.kinds import StageKind
from campaign.models.campaign import Campaign, Faction
from campaign.models.ship_class import ShipClass as ShipClassRow
from campaign.pages.ships.import_report import (
    PARTIAL,
    LeftOutShip,
    keep_report,
    pop_report,
    report_of,
)
from campaign.rules.class_cards import ClassCard, build_card, list_cards
from campaign.rules.designs import tech_base_of
from campaign.rules.limits import DESIGNS
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import waiting_stage
from campaign.services.design_drafts import (
    BuildableCheck,
    class_delete,
    classes_import,
    design_drafts_of,
    draft_classes,
)
from campaign.services.design_texts import FORMS, FTJAVA, SOURCES, designs_of, export_designs
from campaign.sight.views import current_view
from campaign.store.documents import scenario_of
from campaign.web.common import UNPROCESSABLE, heavy_request, member_page, show
from campaign.web.pdf_responses import pdf_response
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperSheet
from campaign.web.ship_drawings import record_sheet_svg
from campaign.web.tabs import tabs
from campaign.words.design_faults import placed_words
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation, limit_violations
from engine.core.phrase import join_phrases, phrase
from engine.core.terms import CORE_SYSTEMS
from engine.design.techbase import TechBase, technology_names
from engine.design.technologies import Technology
from engine.english import counted_noun
from engine.notation.designs import stored_sheet
from engine.notation.reading import make_parts
from engine.ruleset import rules_of

# Formats of an export that are not in these tables are JSON
CONTENT_TYPES = {"yaml": "application/yaml", "ftjava": "application/xml"}
FILE_EXTENSIONS = {"yaml": "yaml", "ftjava": "xml"}
FTL_WORDS = {
    "none": phrase("no FTL drive"),
    "standard": phrase("FTL drive"),
    "advanced": phrase("advanced FTL drive"),
    "tug": phrase("FTL tug"),
}


@dataclass(frozen=True, slots=True)
class DrawnClassCard:
    """A class as the page shows it: its card, with drawings and words."""

    id: str  # of a design draft; empty for a class of the war
    card: ClassCard
    hull: Strip  # the damage track, undamaged
    armour: tuple[str, ...]  # boxes of each layer in words, innermost first

    @property
    def drives(self) -> str:
        """Thrust and drives in words."""
        parts = [phrase("thrust {}", self.card.thrust)]
        if self.card.drive == "advanced":
            parts.append(phrase("advanced drive"))
        parts.append(FTL_WORDS.get(self.card.ftl, self.card.ftl))
        return join_phrases(", ", parts)

    @property
    def carries(self) -> tuple[Carried, ...]:
        """The systems of the class with their symbols."""
        return carried_systems(self.card.design["systems"], self.card.systems)

    @property
    def track(self) -> str:
        """The size of the damage track in words: boxes and rows."""
        boxes = sum(self.card.rows)
        return phrase(
            "{} in {}", counted_noun(boxes, "box"), counted_noun(len(self.card.rows), "row")
        )


@dataclass(frozen=True, slots=True)
class ImportForm:
    """The form that imports designs, as it was sent."""

    text: str = ""
    source: str = SOURCES[0]
    partial: bool = True  # whether to skip designs that cannot be built


EMPTY_FORM = ImportForm()


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of designs that were sent to the page but not saved."""

    violations: tuple[Violation, ...] = ()  # why nothing could be done
    buildable: tuple[DrawnClassCard, ...] = ()  # designs that were only checked
    left_out: Sequence[LeftOutShip] = ()

    @property
    def has_faults(self) -> bool:
        """Whether any design was refused."""
        return bool(self.violations or self.left_out)


NO_RESULT = ImportResult()


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def classes(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the classes of the reader's faction; check, save or delete designs by form."""
    faction = own_faction(viewer)
    if request.method != "POST":
        return _page(request, viewer, faction)
    act = request.POST.get("act", "")
    scenario = scenario_of(viewer.campaign)
    if act == "strike":
        return _delete_class(request, viewer, faction)
    if act not in ("check", "save"):
        raise Http404
    text = posted_text(request)
    source = posted_source(request, text)
    form = ImportForm(text[: DESIGNS.characters], source, PARTIAL in request.POST)
    with heavy_request(request):
        try:
            if act == "save":
                return _save_designs(request, viewer, faction, text=text, form=form)
            result = _check_designs(scenario, faction.key, text, source)
        except RuleViolations as error:
            result = ImportResult(error.limited_violations)
        return _page(request, viewer, faction, form, result)


def _save_designs(
    request: HttpRequest, viewer: Viewer, faction: Faction, *, text: str, form: ImportForm
) -> HttpResponse:
    """Save designs, and report those left out on the next page.

    Args:
        text: The designs; the form may have only the beginning of a long text.

    Raises:
        RuleViolations: If nothing can be saved.
    """
    rows, left_out = classes_import(
        campaign=viewer.campaign,
        faction=faction,
        text=text,
        source=form.source,
        partial=form.partial,
    )
    keep_report(request, left_out)
    messages.success(request, phrase("Saved: {}.", join_phrases(", ", (row.name for row in rows))))
    return redirect("classes", c=str(viewer.campaign.public_id))


def own_faction(viewer: Viewer) -> Faction:
    """Return the viewer's faction.

    Raises:
        NotFound: If the viewer does not play one.
    """
    require(viewer, play=True)
    if viewer.faction is None:
        raise NotFound(phrase("there is no such campaign"))
    return viewer.faction


def posted_text(request: HttpRequest) -> str:
    """Return the text of the form, or of the uploaded file."""
    upload = request.FILES.get("file")
    if upload is None:
        return request.POST.get("text", "")
    raw: bytes = upload.read()
    return raw.decode("utf-8-sig", errors="replace")


def posted_source(request: HttpRequest, text: str) -> str:
    """Return the source named in the form; XML is always FTJava's."""
    source = request.POST.get("source", "")
    if text.lstrip().startswith("<"):
        return FTJAVA
    if source in SOURCES:
        return source
    return SOURCES[0]


def _check_designs(scenario: Scenario, faction: str, text: str, source: str) -> ImportResult:
    """Return cards of the designs that can be built, and the faults of the others.

    Raises:
        RuleViolations: If none can be built.
    """
    buildable, left_out = make_parts(
        designs_of(text, source), BuildableCheck(scenario, faction), partial=True
    )
    cards = []
    for item in buildable:
        if item.cls is not None:
            cards.append(drawn_card("", build_card(scenario, faction, item.cls, is_own=True)))
    return ImportResult(buildable=tuple(cards), left_out=report_of(left_out))


def _delete_class(request: HttpRequest, viewer: Viewer, faction: Faction) -> HttpResponse:
    """Delete a design draft, unless ships of it have been ordered."""
    try:
        class_delete(
            campaign=viewer.campaign, faction=faction, public_id=request.POST.get("id", "")
        )
    except InUse as error:
        violations = (Violation("", "in-use", phrase("{}; it was not deleted", error.words)),)
        return _page(request, viewer, faction, result=ImportResult(violations))
    messages.success(request, phrase("Deleted."))
    return redirect("classes", c=str(viewer.campaign.public_id))


def _page(
    request: HttpRequest,
    viewer: Viewer,
    faction: Faction,
    form: ImportForm = EMPTY_FORM,
    result: ImportResult = NO_RESULT,
) -> HttpResponse:
    """Render the faction's classes, with the form that imports designs and what became of them."""
    scenario = scenario_of(viewer.campaign)
    own_cards, other_cards, unbuildable_drafts = _faction_cards(viewer, faction, scenario)
    faults = []
    for fault in limit_violations(result.violations):
        faults.append(replace(fault, message=placed_words(fault)))
    return show(
        request,
        "classes",
        status=UNPROCESSABLE if result.has_faults else 200,
        own_cards=own_cards,
        other_cards=other_cards,
        unbuildable_drafts=unbuildable_drafts,
        may_buy_ships=_may_buy_ships(viewer.campaign),
        form=form,
        left_out=result.left_out or pop_report(request),
        faults=faults,
        checked_cards=result.buildable,
        formats=FORMS,
        has_tech_base=tech_base_of(scenario, faction.key) is not None,
        edition=rules_of(scenario.edition).edition.label,
        **tabs(viewer, "classes"),
    )


def _may_buy_ships(campaign: Campaign) -> bool:
    """Return whether ships can still be bought: before the deployment and during it."""
    if campaign.started_at is None:
        return True
    stage = waiting_stage(campaign=campaign)
    return stage is not None and stage.kind == StageKind.DEPLOY


def _faction_cards(
    viewer: Viewer, faction: Faction, scenario: Scenario
) -> tuple[list[DrawnClassCard], list[DrawnClassCard], list[ShipClassRow]]:
    """Return the faction's own designs, its other classes, and drafts it can no longer build."""
    own_classes = []
    draft_ids: dict[str, str] = {}  # by class
    unbuildable_drafts = []
    for draft in design_drafts_of(viewer.campaign, faction):
        classes_of_draft = draft_classes(scenario, faction.key, [draft])
        if not classes_of_draft:
            unbuildable_drafts.append(draft)
        for name, cls in classes_of_draft.items():
            own_classes.append(cls)
            draft_ids[name] = str(draft.public_id)
    own_cards = []
    other_cards = []
    view = current_view(viewer.campaign, faction)
    for card in list_cards(scenario, faction.key, view, own_classes):
        if card.is_own:
            own_cards.append(drawn_card(draft_ids[card.cls], card))
        else:
            other_cards.append(drawn_card("", card))
    return own_cards, other_cards, unbuildable_drafts


def drawn_card(draft_id: str, card: ClassCard) -> DrawnClassCard:
    """Add drawings and words to the card of a class.

    Args:
        draft_id: Id of a design draft; empty for a class of the war.
    """
    armour = []
    for standard, regenerative in card.armour:
        if regenerative:
            armour.append(f"{standard} and {regenerative} regenerative")
        else:
            armour.append(str(standard))
    return DrawnClassCard(draft_id, card, strip(card.rows, 0, card.armour), tuple(armour))


@member_page
@require_safe
def export(request: HttpRequest, viewer: Viewer, form: str) -> HttpResponseBase:
    """Return the faction's own designs as a file."""
    faction = own_faction(viewer)
    if form not in FORMS:
        raise Http404
    rows = design_drafts_of(viewer.campaign, faction)
    try:
        text = export_designs(
            [row.design for row in rows], form, scenario_of(viewer.campaign).options
        )
    except RuleViolations as error:
        return _page(request, viewer, faction, result=ImportResult(error.limited_violations))
    name = f"{faction.key}-classes"
    if form == "ftlibship":  # another .json file, so that it does not replace the plain one
        name += "-ftlibship"
    return design_file(text, form, name)


def design_file(text: str, form: str, name: str) -> HttpResponse:
    """Return designs as a download.

    Args:
        form: The format, one of `FORMS`.
        name: File name without extension.
    """
    content_type = CONTENT_TYPES.get(form, "application/json")
    extension = FILE_EXTENSIONS.get(form, "json")
    response = HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{extension}"'
    return response


@member_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show an empty record sheet of each of the faction's classes."""
    paper_choices: dict[str, Any] = {"papers": tuple(PAPERS.items()), "per": tuple(SHEET_GRIDS)}
    pages = _empty_sheets(viewer)
    pages.sort(key=lambda page: (-page.sheet.points, page.condition.name))
    drawn_sheets = []
    for page in pages:
        drawing = record_sheet_svg(page.sheet, page.condition, core=page.has_core_systems)
        drawn_sheets.append((page.condition.name, drawing))
    return show(
        request,
        "class_sheets",
        drawn_sheets=drawn_sheets,
        **paper_choices,
        **tabs(viewer, "classes"),
    )


@member_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Return the empty record sheets as a PDF."""
    empty_sheets = _empty_sheets(viewer)
    key = (
        str(viewer.campaign.public_id),
        *((page.condition.name, digest(page.sheet.design)) for page in empty_sheets),
    )
    return pdf_response(
        request,
        key,
        phrase("Record sheets: classes of {}", viewer.campaign.name),
        lambda: empty_sheets,
    )


def _empty_sheets(viewer: Viewer) -> list[PaperSheet]:
    """Return the empty sheets of the faction's classes."""
    faction = own_faction(viewer)
    scenario = scenario_of(viewer.campaign)
    view = current_view(viewer.campaign, faction)
    drafts = design_drafts_of(viewer.campaign, faction)
    own_classes = list(draft_classes(scenario, faction.key, drafts).values())
    has_core_systems = CORE_SYSTEMS in scenario.options
    sheets: list[PaperSheet] = []
    for card in list_cards(scenario, faction.key, view, own_classes):
        sheet = stored_sheet(card.design, scenario.options)
        condition = fresh_condition(sheet, card.display_name)
        sheets.append(PaperSheet(sheet, condition, has_core_systems))
    return sheets


@dataclass(frozen=True, slots=True)
class TechRow:
    """A technology on the page."""

    name: str
    note: str  # its price, source or requirements; "" if everybody has it


@member_page
@require_safe
def tech_base(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the technologies the faction's yards chose, got free, and do not have."""
    scenario = scenario_of(viewer.campaign)
    base = tech_base_of(scenario, own_faction(viewer).key)
    context: dict[str, Any] = {"base": base, "choices_allowed": scenario.tech_choices}
    if base is not None:
        context["chosen_sections"] = _sections(base.chosen(), _price_words)
        context["implied_sections"] = _sections(
            base.implied(), lambda technology: _source_words(base, technology)
        )
        context["lacking_sections"] = _sections(
            base.lacking(scenario.options),
            lambda technology: _price_and_needs_words(base, technology),
        )
    return show(request, "tech_base", **context, **tabs(viewer, "classes"))


def _sections(
    technologies: Iterable[Technology], note_of: Callable[[Technology], str]
) -> list[tuple[str, list[TechRow]]]:
    """Group technologies by section of the rulebook's list: (section, rows)."""
    sections = []
    for name, group in groupby(technologies, lambda technology: technology.section):
        rows = [TechRow(technology.title, note_of(technology)) for technology in group]
        sections.append((phrase(name), rows))
    return sections


def _price_words(technology: Technology) -> str:
    """Return the price in words, or "" for the usual price of one choice."""
    if not technology.choices:
        return phrase("free")
    if technology.choices > 1:
        return counted_noun(technology.choices, "choice")
    return ""


def _source_words(base: TechBase, technology: Technology) -> str:
    """Return which of the yards' technologies brought this one along, or ""."""
    sources = tuple(id_ for id_ in technology.with_ if id_ in base.all_technologies)
    if sources:
        return phrase("comes with {}", technology_names(sources[:1]))
    return ""


def _price_and_needs_words(base: TechBase, technology: Technology) -> str:
    """Return the price or source of a technology, and the requirements that are missing."""
    if technology.choices:
        price = _price_words(technology)
    else:
        price = phrase("comes with {}", technology_names(technology.with_))
    missing = []
    for alternatives in technology.needs:
        if base.all_technologies.isdisjoint(alternatives):
            missing.append(technology_names(alternatives))
    if not missing:
        return price
    needed_text = join_phrases(", and ", missing)
    if price:
        return phrase("{}; needs {}", price, needed_text)
    return phrase("needs {}", needed_text)


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/classes/", classes, name="classes"),
    path("c/<uuid:c>/classes/sheets/", sheets, name="class-sheets"),
    path("c/<uuid:c>/classes/sheets.pdf", sheets_pdf, name="class-sheets-pdf"),
    path("c/<uuid:c>/classes/export/<slug:form>/", export, name="classes-export"),
    path("c/<uuid:c>/tech-base/", tech_base, name="tech-base"),
]
