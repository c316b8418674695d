"""A faction's ship classes, on paper: what it sails, what it designed, what its yards can build."""

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

from campaign.access import Viewer, need
from campaign.drawings.condition import fresh
from campaign.drawings.strips import Strip, strip
from campaign.drawings.symbols import Carried, carried
from campaign.errors import InUse, NotThere
from campaign.models.campaign import Faction
from campaign.pages.ships.import_report import (
    PARTIAL,
    LeftOutShip,
    keep_report,
    kept_report,
    report_of,
)
from campaign.rules.class_cards import ClassCard, card_of, cards_of
from campaign.rules.designs import tech_base_of
from campaign.rules.limits import DESIGNS
from campaign.rules.scenario import Scenario
from campaign.services.design_drafts import (
    Buildable,
    class_delete,
    classes_import,
    design_drafts_of,
    draft_classes,
)
from campaign.services.design_texts import FORMS, FTJAVA, SOURCES, designs_of, exported
from campaign.sight.views import sight_if_begun
from campaign.store.documents import scenario_of
from campaign.web.common import UNLAWFUL, heavy_request, member_page, show
from campaign.web.paper import PAPERS, PLACES, OnPaper
from campaign.web.pdf_answers import pdf_answer
from campaign.web.ship_drawings import sheet_drawn
from campaign.web.tabs import tabs
from campaign.words.design_faults import placed_words
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation, listed
from engine.core.phrase import joined_phrases, phrase
from engine.core.terms import CORE_SYSTEMS
from engine.design.techbase import TechBase, named
from engine.design.technologies import Technology
from engine.english import counted_noun
from engine.notation.designs import stored_sheet
from engine.notation.reading import LeftOut, taken
from engine.ruleset import rules_of

TYPES = {
    "json": "application/json",
    "yaml": "application/yaml",
    "ftjava": "application/xml",
}  # others are JSON
ENDINGS = {"yaml": "yaml", "ftjava": "xml"}
FTL = {
    "none": phrase("no FTL drive"),
    "standard": phrase("FTL drive"),
    "advanced": phrase("advanced FTL drive"),
    "tug": phrase("FTL tug"),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A class on the page. `id`: of a drawing, empty for a class of the war."""

    id: str
    card: ClassCard
    hull: Strip
    armour: tuple[str, ...]

    @property
    def drives(self) -> str:
        """Thrust and drives in words."""
        parts = [phrase("thrust {}", self.card.thrust)]
        parts += [phrase("advanced drive")] if self.card.drive == "advanced" else []
        return joined_phrases(", ", (*parts, FTL.get(self.card.ftl, self.card.ftl)))

    @property
    def carries(self) -> tuple[Carried, ...]:
        return carried(self.card.design["systems"], self.card.systems)

    @property
    def track(self) -> str:
        boxes = sum(self.card.rows)
        return phrase(
            "{} in {}", counted_noun(boxes, "box"), counted_noun(len(self.card.rows), "row")
        )


@dataclass(frozen=True, slots=True)
class Form:
    """The form for designs as it was sent.

    `partial`: whether it leaves out what cannot be built.
    """

    text: str = ""
    source: str = SOURCES[0]
    partial: bool = True


EMPTY = Form()


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def classes(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The classes of the reader's faction; designs are checked, saved and struck off by form."""
    faction = own_faction(viewer)
    if request.method != "POST":
        return _page(request, viewer, faction)
    act, scenario = request.POST.get("act", ""), scenario_of(viewer.campaign)
    if act == "strike":
        return _struck(request, viewer, faction)
    if act not in ("check", "save"):
        raise Http404
    text = given_text(request)
    source = given_source(request, text)
    form = Form(text[: DESIGNS.characters], source, PARTIAL in request.POST)
    with heavy_request(request):
        try:
            if act == "save":
                return _saved(request, viewer, faction, text, form)
            checked, left_out = _checked(scenario, faction.key, text, source)
        except RuleViolations as error:
            return _page(request, viewer, faction, form, error.listed)
        return _page(request, viewer, faction, form, checked=checked, left_out=report_of(left_out))


def _saved(
    request: HttpRequest, viewer: Viewer, faction: Faction, text: str, form: Form
) -> HttpResponse:
    """Designs saved, and what was left out told with the page that follows.

    Raises RuleViolations.
    """
    rows, left_out = classes_import(
        campaign=viewer.campaign,
        faction=faction,
        text=text,
        source=form.source,
        partial=form.partial,
    )
    keep_report(request, left_out)
    messages.success(
        request, phrase("Saved: {}.", joined_phrases(", ", (row.name for row in rows)))
    )
    return redirect("classes", c=str(viewer.campaign.public_id))


def own_faction(viewer: Viewer) -> Faction:
    """The faction whose classes they are. Raises NotThere."""
    need(viewer, play=True)
    if viewer.faction is None:
        raise NotThere(phrase("there is no such campaign"))
    return viewer.faction


def given_text(request: HttpRequest) -> str:
    """The text of the form, or that of the file sent with it."""
    sent = request.FILES.get("file")
    if sent is None:
        return request.POST.get("text", "")
    raw: bytes = sent.read()
    return raw.decode("utf-8-sig", errors="replace")


def given_source(request: HttpRequest, text: str) -> str:
    """Whose text it is: the form's word for it, but for XML, which is FTJava's alone."""
    source = request.POST.get("source", "")
    return FTJAVA if text.lstrip().startswith("<") else source if source in SOURCES else SOURCES[0]


def _checked(
    scenario: Scenario, faction: str, text: str, source: str
) -> tuple[tuple[Card, ...], tuple[LeftOut, ...]]:
    """The cards of the designs that can be built, and what is wrong with the others.

    Raises RuleViolations where none can be.
    """
    found, left_out = taken(designs_of(text, source), Buildable(scenario, faction), partial=True)
    cards = tuple(
        class_card("", card_of(scenario, faction, item.cls, own=True))
        for item in found
        if item.cls is not None
    )
    return cards, left_out


def _struck(request: HttpRequest, viewer: Viewer, faction: Faction) -> HttpResponse:
    try:
        class_delete(
            campaign=viewer.campaign, faction=faction, public_id=request.POST.get("id", "")
        )
    except InUse as error:
        found = (Violation("", "in-use", phrase("{}; it is kept", error.words)),)
        return _page(request, viewer, faction, found=found)
    messages.success(request, phrase("Deleted."))
    return redirect("classes", c=str(viewer.campaign.public_id))


def _page(
    request: HttpRequest,
    viewer: Viewer,
    faction: Faction,
    form: Form = EMPTY,
    found: tuple[Violation, ...] = (),
    checked: tuple[Card, ...] = (),
    left_out: Sequence[LeftOutShip] = (),
) -> HttpResponse:
    scenario = scenario_of(viewer.campaign)
    rows = design_drafts_of(viewer.campaign, faction)
    drawn = {
        name: (str(row.public_id), cls)
        for row in rows
        for name, cls in draft_classes(scenario, faction.key, [row]).items()
    }
    view = sight_if_begun(viewer.campaign, faction)
    cards = cards_of(scenario, faction.key, view, [cls for _, cls in drawn.values()])
    shown = [class_card(drawn[card.cls][0] if card.own else "", card) for card in cards]
    return show(
        request,
        "classes",
        status=UNLAWFUL if found or left_out else 200,
        own=[card for card in shown if card.id],
        others=[card for card in shown if not card.id],
        unbuilt=[
            row for row in rows if str(row.public_id) not in {id_ for id_, _ in drawn.values()}
        ],
        form=form,
        left_out=left_out or kept_report(request),
        found=[replace(fault, message=placed_words(fault)) for fault in listed(found)],
        checked=checked,
        forms=FORMS,
        base=tech_base_of(scenario, faction.key) is not None,
        edition=rules_of(scenario.edition).edition.label,
        **tabs(viewer, "classes"),
    )


def class_card(id_: str, card: ClassCard) -> Card:
    """A class on a page. `id_`: of a drawing, empty for a class of the war."""
    armour = tuple(
        f"{standard}{f' and {regenerative} regenerative' if regenerative else ''}"
        for standard, regenerative in card.armour
    )
    return Card(id_, card, strip(card.rows, 0, card.armour), armour)


@member_page
@require_safe
def export(request: HttpRequest, viewer: Viewer, form: str) -> HttpResponseBase:
    """The faction's own designs as a file."""
    faction = own_faction(viewer)
    if form not in FORMS:
        raise Http404
    rows = design_drafts_of(viewer.campaign, faction)
    try:
        text = exported([row.design for row in rows], form, scenario_of(viewer.campaign).options)
    except RuleViolations as error:
        return _page(request, viewer, faction, found=error.listed)
    return design_file(
        text, form, f"{faction.key}-classes{'-ftlibship' if form == 'ftlibship' else ''}"
    )


def design_file(text: str, form: str, name: str) -> HttpResponse:
    """Designs as a file to be kept. `name`: without its ending."""
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
    """Empty record sheets of the faction's classes, one of each."""
    papers: dict[str, Any] = {"papers": tuple(PAPERS.items()), "per": tuple(PLACES)}
    drawn = [
        (one.condition.name, sheet_drawn(one.sheet, one.condition, core=one.core))
        for one in sorted(_empty(viewer), key=lambda one: (-one.sheet.points, one.condition.name))
    ]
    return show(request, "class_sheets", drawn=drawn, **papers, **tabs(viewer, "classes"))


@member_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The same as PDF."""
    found = _empty(viewer)
    key = (
        str(viewer.campaign.public_id),
        *((one.condition.name, digest(one.sheet.design)) for one in found),
    )
    return pdf_answer(
        request, key, phrase("Record sheets: classes of {}", viewer.campaign.name), lambda: found
    )


def _empty(viewer: Viewer) -> list[OnPaper]:
    """The sheets of the classes of the viewer's faction."""
    faction, scenario = own_faction(viewer), scenario_of(viewer.campaign)
    view = sight_if_begun(viewer.campaign, faction)
    drawn = list(
        draft_classes(scenario, faction.key, design_drafts_of(viewer.campaign, faction)).values()
    )
    core = CORE_SYSTEMS in scenario.options
    cards = [
        (card, stored_sheet(card.design, scenario.options))
        for card in cards_of(scenario, faction.key, view, drawn)
    ]
    return [OnPaper(sheet, fresh(sheet, card.called), core) for card, sheet in cards]


@dataclass(frozen=True, slots=True)
class TechRow:
    """A technology on the page.

    `note`: what it costs, came with, or needs; "" where everybody has it.
    """

    name: str
    note: str


@member_page
@require_safe
def tech_base(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The technologies that the yards of the reader's faction have chosen, that came free, and that
    they do not have.
    """
    scenario = scenario_of(viewer.campaign)
    base = tech_base_of(scenario, own_faction(viewer).key)
    return show(
        request,
        "tech_base",
        base=base,
        most=scenario.tech_choices,
        chosen=_sections(base.chosen(), _price) if base else (),
        along=_sections(base.along(), lambda row: _came(base, row)) if base else (),
        lacking=_sections(base.lacking(), lambda row: _asks(base, row)) if base else (),
        **tabs(viewer, "classes"),
    )


def _sections(rows: tuple[Technology, ...], note: Any) -> list[tuple[str, list[TechRow]]]:
    """Technologies by the sections of the list."""
    return [
        (phrase(name), [TechRow(row.title, note(row)) for row in of])
        for name, of in groupby(rows, lambda row: row.section)
    ]


def _price(row: Technology) -> str:
    """What it costs, "" where that is one choice, as most do."""
    return (
        phrase("free")
        if not row.choices
        else counted_noun(row.choices, "choice")
        if row.choices > 1
        else ""
    )


def _came(base: TechBase, row: Technology) -> str:
    with_ = tuple(id_ for id_ in row.with_ if id_ in base.had)
    return phrase("comes with {}", named(with_[:1])) if with_ else ""


def _asks(base: TechBase, row: Technology) -> str:
    """What it costs or comes with, and what it needs that is not there."""
    price = _price(row) if row.choices else phrase("comes with {}", named(row.with_))
    needed = [named(group) for group in row.needs if not any(id_ in base.had for id_ in group)]
    if not needed:
        return price
    listed = joined_phrases(", and ", needed)
    return phrase("{}; needs {}", price, listed) if price else phrase("needs {}", listed)


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/classes/", classes, name="classes"),
    path("c/<uuid:c>/classes/sheets/", sheets, name="class-sheets"),
    path("c/<uuid:c>/classes/sheets.pdf", sheets_pdf, name="class-sheets-pdf"),
    path("c/<uuid:c>/classes/export/<slug:form>/", export, name="classes-export"),
    path("c/<uuid:c>/tech-base/", tech_base, name="tech-base"),
]
