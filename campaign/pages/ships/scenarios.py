"""The scenario editor: a user's own scenarios, edited by form or as YAML, with faults in place.

Each action stores the file as the form has it, valid or not, and shows it again. It never
overwrites changes made elsewhere since the form was loaded. Only valid scenarios can start a
campaign. Only the owner sees any of this.
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

from campaign.errors import EditConflict, NotFound
from campaign.models.own_scenario import ScenarioDraft
from campaign.pages.ships.classes import posted_text
from campaign.rules.files import available_sheets, check_scenario, fixture_maps
from campaign.rules.scenario_editing import (
    GROUPS,
    NEW_SCENARIO,
    Document,
    apply_form,
    find_section,
    read_file,
    rows_of,
    section_tag,
    write_file,
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
from campaign.web.common import UNPROCESSABLE, heavy_request, show
from campaign.web.scenario_cards import card_of_text, model_card
from campaign.web.scenario_editor import editor_frame, requested_draft, with_place_words
from campaign.web.scenario_forms import form_groups, proposals_by_kind
from engine.core.errors import RuleViolations, Violation, limit_violations
from engine.core.phrase import phrase

PLAY = "play"
NAMING_CLASSES = ("forces", "arrivals", "ships")  # sections with fields for ship classes
CHANGED_MEANWHILE = (
    Violation(
        "",
        "changed",
        phrase(
            "this part was changed in another window or by a program since you opened it. Your "
            "text is below; saving it now replaces that change"
        ),
    ),
)
FEW_CARDS = 9  # up to this many scenarios show maps with hexes, the largest part of the page


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def scenarios(request: HttpRequest) -> HttpResponse:
    """List the reader's own scenarios; create, import, play or delete them by form."""
    if request.method != "POST":
        return _render_list(request)
    act = request.POST.get("act", "")
    text = ""
    if act == "import":
        text = _posted_text(request)
    elif act == "new":
        text = NEW_SCENARIO
    try:
        if act == "delete":
            name = scenario_draft_delete(user=_user(request), public_id=request.POST.get("id", ""))
            messages.success(request, phrase("Deleted: {}.", name))
            return redirect("scenarios")
        if act not in (PLAY, "begin", "new", "import"):
            raise Http404
        with heavy_request(request):
            if act == PLAY:
                return _play(_user(request), request.POST.get("id", ""))
            if act == "begin":
                row = scenario_draft_begin(
                    user=_user(request), slug=request.POST.get("scenario", "")
                )
            else:
                row = scenario_draft_create(user=_user(request), text=text)
    except NotFound as error:
        raise Http404 from error
    except RuleViolations as error:
        return _render_list(request, text if act == "import" else "", error.limited_violations)
    messages.success(request, phrase("Saved: {}.", row.name))
    return redirect("scenario-edit", scenario=row.public_id, section="war")


def _posted_text(request: HttpRequest) -> str:
    """Return the submitted text with normalised line ends."""
    return "\n".join(posted_text(request).splitlines()) + "\n"


def _render_list(
    request: HttpRequest, text: str = "", violations: Sequence[Violation] = ()
) -> HttpResponse:
    drafts = scenario_drafts_of(_user(request), texts=True)
    return show(
        request,
        "scenarios",
        status=UNPROCESSABLE if violations else 200,
        rows=[(row, card_of_text(row.text, bare=len(drafts) > FEW_CARDS)) for row in drafts],
        models=[(slug, model_card(slug)) for slug in fixture_maps()],
        text=text,
        found=with_place_words(violations),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def editor(request: HttpRequest, scenario: uuid.UUID, section: str) -> HttpResponse:
    """Edit one section of a scenario."""
    row = requested_draft(request, scenario)
    edited_section = find_section(section)
    if edited_section is None:
        raise Http404
    document, unreadable = _read_draft(row)
    if unreadable:  # stored by an earlier release; this release's forms could not show all of it
        return redirect("scenario-text", scenario=scenario)
    if request.method != "POST":
        return _render_section(request, row, edited_section)
    act = request.POST.get("act", "")
    tag_before = section_tag(document, edited_section)
    changed = apply_form(document, edited_section, dict(request.POST.lists()), act)
    if (
        request.POST.get("was", tag_before) != tag_before
        and section_tag(changed, edited_section) != tag_before
    ):
        return _render_section(request, row, edited_section, CHANGED_MEANWHILE, changed)
    try:
        with heavy_request(request):
            scenario_draft_save(
                user=_user(request),
                public_id=scenario,
                text=write_file(changed),
                expected_tag=draft_tag(row),
            )
            if act == PLAY:
                return _play(_user(request), scenario)
    except EditConflict:
        return _render_section(
            request, requested_draft(request, scenario), edited_section, CHANGED_MEANWHILE, changed
        )
    except RuleViolations as error:
        return _render_section(
            request, requested_draft(request, scenario), edited_section, error.limited_violations
        )
    messages.success(request, phrase("Saved."))
    next_address = request.POST.get("then", "")
    return redirect(
        next_address
        if next_address in _parts(scenario)
        else reverse("scenario-edit", args=[scenario, section]) + _place(act, changed)
    )


def _place(act: str, document: Document) -> str:
    """Return the anchor of an added row, or of the end of a group after a row was removed.

    The next Tab then lands in the added row.
    """
    verb, _, rest = act.partition(":")
    group = GROUPS.get(rest.partition(":")[0])
    if group is None or verb not in ("add", "drop"):
        return ""
    if verb == "add":
        return f"#{group.key}-{len(rows_of(document, group)) - 1}"
    return f"#{group.key}-end"


def _parts(scenario: uuid.UUID) -> tuple[str, ...]:
    """Return the addresses of the editor's parts that the reader can go to after saving."""
    sections = (reverse("scenario-edit", args=[scenario, part.slug]) for part in SECTIONS)
    return (
        *sections,
        reverse("scenario-text", args=[scenario]),
        reverse("balance", args=[scenario]),
    )


def _play(user: AbstractBaseUser, scenario: uuid.UUID | str) -> HttpResponse:
    """Redirect to the settings of a campaign with the stored scenario.

    Raises:
        RuleViolations: If the scenario is not valid.
    """
    row = private_scenario_store(user=user, public_id=scenario)
    return redirect(f"{reverse('campaign-new')}?scenario={row.slug}")


def _read_draft(row: ScenarioDraft) -> tuple[Document, tuple[Violation, ...]]:
    """Return the stored scenario, or the faults that keep forms from showing it."""
    try:
        return read_file(row.text), ()
    except RuleViolations as error:
        return {}, error.violations


def _render_section(
    request: HttpRequest,
    row: ScenarioDraft,
    section: Section,
    refused: Sequence[Violation] = (),
    unsaved_document: Document | None = None,
) -> HttpResponse:
    """Render the form of a section, with the stored values or those that were refused."""
    stored_document = read_file(row.text)
    if unsaved_document is None:
        document = stored_document
    else:
        document = unsaved_document
    scenario, faults = check_scenario(document)
    groups, unplaced = form_groups(document, section, faults)
    return show(
        request,
        "scenario_edit",
        status=UNPROCESSABLE if refused else 200,
        row=row,
        section=section,
        was=section_tag(stored_document, section),
        unsaved=unsaved_document is not None,
        groups=groups,
        proposed=proposals_by_kind(document, section),
        classes=available_sheets(document) if section.slug in NAMING_CLASSES else (),
        refused=with_place_words(refused),
        unplaced=[Violation("", "", words) for words in unplaced],
        **editor_frame(scenario, faults, section.slug),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def as_text(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Show or change a scenario as YAML."""
    row = requested_draft(request, scenario)
    violations: tuple[Violation, ...] = ()
    text, status = row.text, 200
    if request.method == "POST":
        text = _posted_text(request)
        was = request.POST.get("was") or None
        try:
            with heavy_request(request):
                scenario_draft_save(
                    user=_user(request), public_id=scenario, text=text, expected_tag=was
                )
        except EditConflict:
            row = requested_draft(request, scenario)
            violations = CHANGED_MEANWHILE
            status = UNPROCESSABLE
        except RuleViolations as error:
            violations, status = error.limited_violations, UNPROCESSABLE
        else:
            messages.success(request, phrase("Saved."))
            return redirect("scenario-text", scenario=scenario)
    document, unreadable = _read_draft(row)
    value, faults = check_scenario(document)
    faults = unreadable or faults
    text_context: dict[str, Any] = {
        "refused": with_place_words(violations),
        "faults": with_place_words(limit_violations(faults)),
        "text": text,
        "was": draft_tag(row),
    }
    return show(
        request,
        "scenario_text",
        status=status,
        row=row,
        **text_context,
        **editor_frame(value, faults, "text"),
    )


@never_cache
@login_required
@require_safe
def as_file(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Return a scenario as a file."""
    row = requested_draft(request, scenario)
    answer = HttpResponse(row.text, content_type="application/yaml; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="scenario.yaml"'
    return answer


urlpatterns: list[URLPattern | URLResolver] = [
    path("scenarios/", scenarios, name="scenarios"),
    path("scenarios/<uuid:scenario>/text/", as_text, name="scenario-text"),
    path("scenarios/<uuid:scenario>/scenario.yaml", as_file, name="scenario-file"),
    path("scenarios/<uuid:scenario>/<slug:section>/", editor, name="scenario-edit"),
]
