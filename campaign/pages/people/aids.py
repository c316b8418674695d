"""Play aids to print, for everybody: the list, their PDFs, and the quick reference as a page."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.urls import URLPattern, URLResolver, path
from django.utils import translation
from django.views.decorators.http import require_safe

from campaign.drawings.aids.catalogue import AIDS, AIDS_BY_NAME, Aid, AidChoice
from campaign.drawings.aids.reference import reference_phases, reference_tables
from campaign.drawings.aids.sheets import MM_PER_MU
from campaign.rules.files import fixture_maps, fixture_scenario
from campaign.rules.help_texts import topic_words
from campaign.web.aid_pdf import aid_pdf
from campaign.web.common import if_changed, program_hash, show
from campaign.web.pdf_responses import public_pdf_response
from campaign.web.sheet_pdf import PAPERS
from engine.core.edition import EDITIONS, Edition
from engine.core.phrase import phrase
from engine.ruleset import rules_of
from engine.sequences import wording

FIRST_MAP = "lafayette"
BATTLES_TOPIC = "battles"  # its terms stand below the tables of a phase
UNITS = {"inch": phrase("1 inch"), "cm": phrase("1 cm")}


@dataclass(frozen=True, slots=True)
class PrintChoice:
    """What a reader chose for a PDF, as in the address; unknown values are replaced by defaults."""

    paper: str
    unit: str
    edition: Edition
    scenario: str

    def aid_choice(self) -> AidChoice:
        """Return what the aids need of it."""
        return AidChoice(self.unit, self.edition, fixture_scenario(self.scenario))


def print_choice(aid: Aid, query: QueryDict) -> PrintChoice:
    """Return the choices in a query; those that do not change the aid are the defaults.

    So there are few different PDFs.
    """
    used = QueryDict(mutable=True)
    for name in ("paper", *aid.options):
        used[name] = query.get(name, "")
    return PrintChoice(
        paper=_one_of(used, "paper", tuple(PAPERS)),
        unit=_one_of(used, "unit", tuple(MM_PER_MU)),
        edition=edition_of(used),
        scenario=_one_of(used, "scenario", _maps()),
    )


def edition_of(query: QueryDict) -> Edition:
    """Return the edition in a query; the first one for a missing or unknown value."""
    return Edition(_one_of(query, "edition", tuple(edition.value for edition in EDITIONS)))


def _one_of(query: QueryDict, name: str, values: Sequence[str]) -> str:
    """Return a value of a query that is one of the known ones, or the first of these."""
    value = query.get(name, "")
    return value if value in values else values[0]


def _maps() -> tuple[str, ...]:
    """Return the scenarios with a map, the best known one first."""
    return (FIRST_MAP, *(slug for slug in fixture_maps() if slug != FIRST_MAP))


@require_safe
def aids(request: HttpRequest) -> HttpResponseBase:
    """List the play aids, each with the choices for its PDF."""

    def draw() -> HttpResponse:
        maps = [(slug, fixture_scenario(slug).name) for slug in _maps()]
        return show(
            request,
            "aids",
            aids=AIDS,
            papers=tuple(PAPERS.items()),
            units=tuple(UNITS.items()),
            editions=[(edition.value, edition.label) for edition in EDITIONS],
            maps=maps,
        )

    return if_changed(request, ("aids",), draw)


@require_safe
def pdf(request: HttpRequest, aid: str) -> HttpResponseBase:
    """Return the PDF of a play aid, or a page that waits until a worker has printed it."""
    if aid not in AIDS_BY_NAME:
        raise Http404
    choice = print_choice(AIDS_BY_NAME[aid], request.GET)
    everything = (program_hash(), aid, choice, translation.get_language())
    key = hashlib.sha256(repr(everything).encode()).hexdigest()
    return public_pdf_response(
        request,
        key,
        file_name=f"{aid}.pdf",
        make=lambda: aid_pdf(AIDS_BY_NAME[aid], choice.aid_choice(), choice.paper),
    )


@require_safe
def reference(request: HttpRequest) -> HttpResponseBase:
    """Show the quick reference of an edition, with the optional rules of the address.

    `?phase=` and `?system=` leave out what is not needed in a phase, with these types of systems.
    """
    edition = edition_of(request.GET)
    known_options = rules_of(edition).known_options
    options = tuple(option for option in request.GET.getlist("option") if option in known_options)
    phase = request.GET.get("phase", "")
    if phase not in reference_phases(edition):
        phase = ""
    systems = tuple(sorted(set(request.GET.getlist("system"))))

    def draw() -> HttpResponse:
        return show(
            request,
            "aid_reference",
            edition=edition,
            tables=reference_tables(edition, options, phase, systems),
            phase=wording(phase)["title"] if phase else "",
            words=topic_words(BATTLES_TOPIC) if phase else (),
            is_of_table=bool(systems),
            whole=urlencode([("edition", edition), *(("option", option) for option in options)]),
            editions=EDITIONS,
        )

    return if_changed(request, ("aid-reference", edition, options, phase, systems), draw)


urlpatterns: list[URLPattern | URLResolver] = [
    path("aids/", aids, name="aids"),
    path("aids/reference/", reference, name="aid-reference"),
    path("aids/<slug:aid>.pdf", pdf, name="aid-pdf"),
]
