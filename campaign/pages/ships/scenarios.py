"""The scenario editor: a user's own scenarios, each edited by form or as YAML, with every fault in
its place.

Every act of an editor's page keeps the file as the form has it, lawful or not yet, and shows it
again; what was changed elsewhere since the form was shown is not written over. Campaigns are opened
of what is lawful alone. Nobody but the owner sees any of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.errors import LostUpdate, NotThere
from campaign.models.own_scenario import ScenarioDraft
from campaign.pages.ships.classes import given_text
from campaign.rules.files import classes_named, fixture_maps, judge_scenario
from campaign.rules.scenario_bench import (
    GROUPS,
    NEW,
    Document,
    read_file,
    rows_of,
    section_named,
    section_tag,
    write_file,
    written,
)
from campaign.rules.scenario_fields import SECTIONS, Section
from campaign.services.own_scenarios import (
    draft_tag,
    private_scenario_store,
    scenario_draft_begin,
    scenario_draft_create,
    scenario_draft_delete,
    scenario_draft_save,
    scenario_drafts_of,
)
from campaign.web.common import UNLAWFUL, heavy_request, show
from campaign.web.scenario_cards import card_of_text, model_card
from campaign.web.scenario_editor import draft_asked, editor_frame, placed
from campaign.web.scenario_forms import groups_shown, proposed
from engine.core.errors import RuleViolations, Violation, listed
from engine.core.phrase import phrase

PLAY = "play"
NAMING_CLASSES = ("forces", "arrivals", "ships")  # the sections with fields for classes of ships
CHANGED = (
    Violation(
        "",
        "changed",
        phrase(
            "this part was changed in another window or by a program since you opened it. Below is what you have"
            " written; saving it now puts it in the place of that"
        ),
    ),
)
FEW = 9  # scenarios whose maps are drawn with their hexes, which weigh most of it


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def scenarios(request: HttpRequest) -> HttpResponse:
    """The reader's own scenarios; they are begun, brought in, played and thrown away by form."""
    if request.method != "POST":
        return _list(request)
    act = request.POST.get("act", "")
    text = _given(request) if act == "import" else NEW if act == "new" else ""
    try:
        if act == "delete":
            name = scenario_draft_delete(user=_user(request), public_id=request.POST.get("id", ""))
            messages.success(request, phrase("Deleted: {}.", name))
            return redirect("scenarios")
        if act not in (PLAY, "begin", "new", "import"):
            raise Http404
        with heavy_request(request):
            if act == PLAY:
                return _played(_user(request), request.POST.get("id", ""))
            if act == "begin":
                row = scenario_draft_begin(
                    user=_user(request), slug=request.POST.get("scenario", "")
                )
            else:
                row = scenario_draft_create(user=_user(request), text=text)
    except NotThere as error:
        raise Http404 from error
    except RuleViolations as error:
        return _list(request, text if act == "import" else "", error.listed)
    messages.success(request, phrase("Saved: {}.", row.name))
    return redirect("scenario-edit", scenario=row.public_id, section="war")


def _given(request: HttpRequest) -> str:
    """The text of a form or of its file, with the ends of lines that files here have."""
    return "\n".join(given_text(request).splitlines()) + "\n"


def _list(request: HttpRequest, text: str = "", found: Sequence[Violation] = ()) -> HttpResponse:
    kept = scenario_drafts_of(_user(request), texts=True)
    return show(
        request,
        "scenarios",
        status=UNLAWFUL if found else 200,
        rows=[(row, card_of_text(row.text, bare=len(kept) > FEW)) for row in kept],
        models=[(slug, model_card(slug)) for slug in fixture_maps()],
        text=text,
        found=placed(found),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def editor(request: HttpRequest, scenario: uuid.UUID, section: str) -> HttpResponse:
    """One section of one scenario."""
    row, shown = draft_asked(request, scenario), section_named(section)
    if shown is None:
        raise Http404
    document, unreadable = _read(row)
    if unreadable:  # kept by an earlier release, which forms of this one would not show whole
        return redirect("scenario-text", scenario=scenario)
    if request.method != "POST":
        return _edited(request, row, shown)
    act, was = request.POST.get("act", ""), section_tag(document, shown)
    changed = written(document, shown, dict(request.POST.lists()), act)
    if request.POST.get("was", was) != was and section_tag(changed, shown) != was:
        return _edited(request, row, shown, CHANGED, changed)
    try:
        with heavy_request(request):
            scenario_draft_save(
                user=_user(request),
                public_id=scenario,
                text=write_file(changed),
                was=draft_tag(row),
            )
            if act == PLAY:
                return _played(_user(request), scenario)
    except LostUpdate:
        return _edited(request, draft_asked(request, scenario), shown, CHANGED, changed)
    except RuleViolations as error:
        return _edited(request, draft_asked(request, scenario), shown, error.listed)
    messages.success(request, phrase("Saved."))
    asked = request.POST.get("then", "")
    return redirect(
        asked
        if asked in _parts(scenario)
        else reverse("scenario-edit", args=[scenario, section]) + _place(act, changed)
    )


def _place(act: str, document: Document) -> str:
    """Where a page goes on after a row was added (at that row: the next Tab is in it) or taken
    out.
    """
    verb, _, rest = act.partition(":")
    group = GROUPS.get(rest.partition(":")[0])
    if group is None or verb not in ("add", "drop"):
        return ""
    return (
        f"#{group.key}-{len(rows_of(document, group)) - 1}"
        if verb == "add"
        else f"#{group.key}-end"
    )


def _parts(scenario: uuid.UUID) -> tuple[str, ...]:
    """The addresses of the parts of an editor, to which one may go on after saving."""
    sections = (reverse("scenario-edit", args=[scenario, one.slug]) for one in SECTIONS)
    return (
        *sections,
        reverse("scenario-text", args=[scenario]),
        reverse("balance", args=[scenario]),
    )


def _played(user: AbstractBaseUser, scenario: uuid.UUID | str) -> HttpResponse:
    """The settings of a campaign of what was kept. Raises RuleViolations."""
    row = private_scenario_store(user=user, public_id=scenario)
    return redirect(f"{reverse('campaign-new')}?scenario={row.slug}")


def _read(row: ScenarioDraft) -> tuple[Document, tuple[Violation, ...]]:
    """The file of a scenario that was kept, or what keeps forms from showing it."""
    try:
        return read_file(row.text), ()
    except RuleViolations as error:
        return {}, error.violations


def _edited(
    request: HttpRequest,
    row: ScenarioDraft,
    section: Section,
    refused: Sequence[Violation] = (),
    given: Document | None = None,
) -> HttpResponse:
    """The form of a section: of what is kept, or as it was given and not kept."""
    kept = read_file(row.text)
    document = kept if given is None else given
    scenario, faults = judge_scenario(document)
    groups, unplaced = groups_shown(document, section, faults)
    return show(
        request,
        "scenario_edit",
        status=UNLAWFUL if refused else 200,
        row=row,
        section=section,
        was=section_tag(kept, section),
        unsaved=given is not None,
        groups=groups,
        proposed=proposed(document, section),
        classes=classes_named(document) if section.slug in NAMING_CLASSES else (),
        refused=placed(refused),
        unplaced=[Violation("", "", words) for words in unplaced],
        **editor_frame(scenario, faults, section.slug),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def as_text(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """A scenario as YAML, to be read and changed as a whole."""
    row = draft_asked(request, scenario)
    found: tuple[Violation, ...] = ()
    text, status = row.text, 200
    if request.method == "POST":
        text = _given(request)
        was = request.POST.get("was") or None
        try:
            with heavy_request(request):
                scenario_draft_save(user=_user(request), public_id=scenario, text=text, was=was)
        except LostUpdate:
            row, found, status = draft_asked(request, scenario), CHANGED, UNLAWFUL
        except RuleViolations as error:
            found, status = error.listed, UNLAWFUL
        else:
            messages.success(request, phrase("Saved."))
            return redirect("scenario-text", scenario=scenario)
    document, unreadable = _read(row)
    value, faults = judge_scenario(document)
    faults = unreadable or faults
    told: dict[str, Any] = {
        "refused": placed(found),
        "faults": placed(listed(faults)),
        "text": text,
        "was": draft_tag(row),
    }
    return show(
        request,
        "scenario_text",
        status=status,
        row=row,
        **told,
        **editor_frame(value, faults, "text"),
    )


@never_cache
@login_required
@require_safe
def as_file(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """A scenario as a file to keep."""
    row = draft_asked(request, scenario)
    answer = HttpResponse(row.text, content_type="application/yaml; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="scenario.yaml"'
    return answer


urlpatterns: list[URLPattern | URLResolver] = [
    path("scenarios/", scenarios, name="scenarios"),
    path("scenarios/<uuid:scenario>/text/", as_text, name="scenario-text"),
    path("scenarios/<uuid:scenario>/scenario.yaml", as_file, name="scenario-file"),
    path("scenarios/<uuid:scenario>/<slug:section>/", editor, name="scenario-edit"),
]
