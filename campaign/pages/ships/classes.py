"""A faction's ship classes: those in service, its own designs, and what its yards can build."""

from __future__ import annotations

from collections.abc import Sequence
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
from campaign.models.campaign import Faction
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
from engine.notation.reading import RejectedPart, make_parts
from engine.ruleset import rules_of

# Other formats are JSON
TYPES = {"json": "application/json", "yaml": "application/yaml", "ftjava": "application/xml"}
ENDINGS = {"yaml": "yaml", "ftjava": "xml"}
FTL = {
    "none": phrase("no FTL drive"),
    "standard": phrase("FTL drive"),
    "advanced": phrase("advanced FTL drive"),
    "tug": phrase("FTL tug"),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A class on the page."""

    id: str  # of a design draft; empty for a class of the war
    card: ClassCard
    hull: Strip
    armour: tuple[str, ...]

    @property
    def drives(self) -> str:
        """Thrust and drives in words."""
        parts = [phrase("thrust {}", self.card.thrust)]
        parts += [phrase("advanced drive")] if self.card.drive == "advanced" else []
        return join_phrases(", ", (*parts, FTL.get(self.card.ftl, self.card.ftl)))

    @property
    def carries(self) -> tuple[Carried, ...]:
        return carried_systems(self.card.design["systems"], self.card.systems)

    @property
    def track(self) -> str:
        boxes = sum(self.card.rows)
        return phrase(
            "{} in {}", counted_noun(boxes, "box"), counted_noun(len(self.card.rows), "row")
        )


@dataclass(frozen=True, slots=True)
class Form:
    """The design form as it was sent."""

    text: str = ""
    source: str = SOURCES[0]
    partial: bool = True  # whether to skip designs that cannot be built


EMPTY = Form()


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
    form = Form(text[: DESIGNS.characters], source, PARTIAL in request.POST)
    with heavy_request(request):
        try:
            if act == "save":
                return _save_designs(request, viewer, faction, text, form)
            checked, left_out = _check_designs(scenario, faction.key, text, source)
        except RuleViolations as error:
            return _page(request, viewer, faction, form, error.limited_violations)
        return _page(request, viewer, faction, form, checked=checked, left_out=report_of(left_out))


def _save_designs(
    request: HttpRequest, viewer: Viewer, faction: Faction, text: str, form: Form
) -> HttpResponse:
    """Save designs, and report those left out on the next page.

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


def _check_designs(
    scenario: Scenario, faction: str, text: str, source: str
) -> tuple[tuple[Card, ...], tuple[RejectedPart, ...]]:
    """Return cards of the designs that can be built, and the faults of the others.

    Raises:
        RuleViolations: If none can be built.
    """
    buildable, left_out = make_parts(
        designs_of(text, source), BuildableCheck(scenario, faction), partial=True
    )
    cards = tuple(
        class_card("", build_card(scenario, faction, item.cls, is_own=True))
        for item in buildable
        if item.cls is not None
    )
    return cards, left_out


def _delete_class(request: HttpRequest, viewer: Viewer, faction: Faction) -> HttpResponse:
    try:
        class_delete(
            campaign=viewer.campaign, faction=faction, public_id=request.POST.get("id", "")
        )
    except InUse as error:
        violations = (Violation("", "in-use", phrase("{}; it was not deleted", error.words)),)
        return _page(request, viewer, faction, violations=violations)
    messages.success(request, phrase("Deleted."))
    return redirect("classes", c=str(viewer.campaign.public_id))


def _page(
    request: HttpRequest,
    viewer: Viewer,
    faction: Faction,
    form: Form = EMPTY,
    violations: tuple[Violation, ...] = (),
    checked: tuple[Card, ...] = (),
    left_out: Sequence[LeftOutShip] = (),
) -> HttpResponse:
    scenario = scenario_of(viewer.campaign)
    rows = design_drafts_of(viewer.campaign, faction)
    drafts_by_class = {}
    for row in rows:
        for name, cls in draft_classes(scenario, faction.key, [row]).items():
            drafts_by_class[name] = (str(row.public_id), cls)
    view = current_view(viewer.campaign, faction)
    cards = list_cards(scenario, faction.key, view, [cls for _, cls in drafts_by_class.values()])
    page_cards = []
    for card in cards:
        page_cards.append(class_card(drafts_by_class[card.cls][0] if card.is_own else "", card))
    found = []
    for fault in limit_violations(violations):
        found.append(replace(fault, message=placed_words(fault)))
    unbuilt = []
    for row in rows:
        if str(row.public_id) not in {id_ for id_, _ in drafts_by_class.values()}:
            unbuilt.append(row)
    return show(
        request,
        "classes",
        status=UNPROCESSABLE if violations or left_out else 200,
        own=[card for card in page_cards if card.id],
        others=[card for card in page_cards if not card.id],
        unbuilt=unbuilt,
        form=form,
        left_out=left_out or pop_report(request),
        found=found,
        checked=checked,
        forms=FORMS,
        base=tech_base_of(scenario, faction.key) is not None,
        edition=rules_of(scenario.edition).edition.label,
        **tabs(viewer, "classes"),
    )


def class_card(id_: str, card: ClassCard) -> Card:
    """Build the card of a class.

    Args:
        id_: Id of a design draft; empty for a class of the war.
    """
    armour = tuple(
        f"{standard}{f' and {regenerative} regenerative' if regenerative else ''}"
        for standard, regenerative in card.armour
    )
    return Card(id_, card, strip(card.rows, 0, card.armour), armour)


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
        return _page(request, viewer, faction, violations=error.limited_violations)
    return design_file(
        text, form, f"{faction.key}-classes{'-ftlibship' if form == 'ftlibship' else ''}"
    )


def design_file(text: str, form: str, name: str) -> HttpResponse:
    """Return designs as a download.

    Args:
        name: File name without extension.
    """
    answer = HttpResponse(
        text, content_type=f"{TYPES.get(form, 'application/json')}; charset=utf-8"
    )
    answer.headers["Content-Disposition"] = (
        f'attachment; filename="{name}.{ENDINGS.get(form, "json")}"'
    )
    return answer


@member_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show an empty record sheet of each of the faction's classes."""
    paper_choices: dict[str, Any] = {"papers": tuple(PAPERS.items()), "per": tuple(SHEET_GRIDS)}
    drawings = [
        (
            page.condition.name,
            record_sheet_svg(page.sheet, page.condition, core=page.has_core_systems),
        )
        for page in sorted(
            _empty_sheets(viewer), key=lambda page: (-page.sheet.points, page.condition.name)
        )
    ]
    return show(request, "class_sheets", drawn=drawings, **paper_choices, **tabs(viewer, "classes"))


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
    draft_cards = list(
        draft_classes(scenario, faction.key, design_drafts_of(viewer.campaign, faction)).values()
    )
    core = CORE_SYSTEMS in scenario.options
    cards = []
    for card in list_cards(scenario, faction.key, view, draft_cards):
        cards.append((card, stored_sheet(card.design, scenario.options)))
    sheets: list[PaperSheet] = []
    for card, sheet in cards:
        sheets.append(PaperSheet(sheet, fresh_condition(sheet, card.display_name), core))
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
    return show(
        request,
        "tech_base",
        base=base,
        most=scenario.tech_choices,
        chosen=_sections(base.chosen(), _price) if base else (),
        along=_sections(base.implied(), lambda row: _comes_with_words(base, row)) if base else (),
        lacking=_sections(base.lacking(), lambda row: _price_and_needs_words(base, row))
        if base
        else (),
        **tabs(viewer, "classes"),
    )


def _sections(rows: tuple[Technology, ...], note: Any) -> list[tuple[str, list[TechRow]]]:
    """Group technologies by section of the list."""
    return [
        (phrase(name), [TechRow(row.title, note(row)) for row in of])
        for name, of in groupby(rows, lambda row: row.section)
    ]


def _price(row: Technology) -> str:
    """Return the price in words, or "" for the usual price of one choice."""
    if not row.choices:
        return phrase("free")
    if row.choices > 1:
        return counted_noun(row.choices, "choice")
    return ""


def _comes_with_words(base: TechBase, row: Technology) -> str:
    with_ = tuple(id_ for id_ in row.with_ if id_ in base.all_technologies)
    if with_:
        return phrase("comes with {}", technology_names(with_[:1]))
    return ""


def _price_and_needs_words(base: TechBase, row: Technology) -> str:
    """Return the price or source of a technology, and the requirements that are missing."""
    if row.choices:
        price = _price(row)
    else:
        price = phrase("comes with {}", technology_names(row.with_))
    needed = []
    for group in row.needs:
        if not any(id_ in base.all_technologies for id_ in group):
            needed.append(technology_names(group))
    if not needed:
        return price
    needed_text = join_phrases(", and ", needed)
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
