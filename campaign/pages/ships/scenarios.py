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
from campaign.rules.files import available_sheets, fixture_maps, neutral_region_text
from campaign.rules.form_fields import Group, Section
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import (
    GROUPS,
    Document,
    apply_form,
    find_section,
    is_untouched,
    new_scenario_text,
    read_file,
    rows_of,
    section_tag,
    write_file,
)
from campaign.rules.scenario_sections import SECTIONS
from campaign.rules.skirmish import BATTLE
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
from campaign.web.scenario_editor import editor_frame, requested_draft
from campaign.web.scenario_forms import budget_notes, form_groups, proposals_by_kind
from campaign.words.scenario_faults import faults_in_form, faults_in_yaml, names_in
from engine.core.errors import RuleViolations, Violation, limit_violations
from engine.core.phrase import localize, phrase

PLAY = "play"  # an action: create a campaign with the scenario
CHECK = "check"  # an action: show the form as it is, without saving it
LIST_ACTIONS = (PLAY, "begin", "new", "import", "delete")
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
MAX_DETAILED_CARDS = 9  # with more scenarios, the maps have no hexes, to keep the page small


def _user(request: HttpRequest) -> AbstractBaseUser:
    """Return the logged-in user with its type."""
    return cast(AbstractBaseUser, request.user)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def scenarios(request: HttpRequest) -> HttpResponse:
    """List the reader's own scenarios; create, import, play or delete them by form."""
    if request.method != "POST":
        return _render_list(request)
    act = request.POST.get("act", "")
    if act not in LIST_ACTIONS:
        raise Http404
    imported_text = _posted_text(request) if act == "import" else ""
    try:
        if act == "delete":
            return _delete(request)
        with heavy_request(request):
            if act == PLAY:
                return _play(_user(request), request.POST.get("id", ""))
            draft = _create_draft(request, act, imported_text)
    except NotFound as error:
        raise Http404 from error
    except RuleViolations as error:
        return _render_list(request, imported_text, error.limited_violations)
    messages.success(request, phrase("Saved: {}.", draft.name))
    return redirect("scenario-edit", scenario=draft.public_id, section="war")


def _delete(request: HttpRequest) -> HttpResponse:
    """Delete the scenario that the form names.

    Raises:
        NotFound: If the reader has no such scenario.
    """
    name = scenario_draft_delete(user=_user(request), public_id=request.POST.get("id", ""))
    messages.success(request, phrase("Deleted: {}.", name))
    return redirect("scenarios")


def _create_draft(request: HttpRequest, act: str, imported_text: str) -> ScenarioDraft:
    """Create a scenario from a built-in one, an imported text, the neutral region, or an empty one.

    Raises:
        NotFound: If there is no such built-in scenario.
        RuleViolations: If the text is no scenario, or the user has too many.
    """
    if act == "begin":
        slug = request.POST.get("scenario", "")
        return scenario_draft_begin(user=_user(request), slug=slug)
    if act == "region":
        imported_text = neutral_region_text()
    if act == "new":
        imported_text = new_scenario_text(str(localize(phrase("New war"))))
    return scenario_draft_create(user=_user(request), text=imported_text)


def _posted_text(request: HttpRequest) -> str:
    """Return the submitted text with normalised line ends."""
    return "\n".join(posted_text(request).splitlines()) + "\n"


def _render_list(
    request: HttpRequest, text: str = "", violations: Sequence[Violation] = ()
) -> HttpResponse:
    """Render the list of scenarios, with the import form.

    Args:
        text: The submitted text of the import form, if it was refused.
        violations: Why the form was refused.
    """
    drafts = scenario_drafts_of(_user(request), texts=True)
    is_long = len(drafts) > MAX_DETAILED_CARDS
    return show(
        request,
        "scenarios",
        status=UNPROCESSABLE if violations else 200,
        rows=[(row, card_of_text(row.text, bare=is_long)) for row in drafts],
        models=[(slug, model_card(slug)) for slug in fixture_maps()],
        text=text,
        faults=faults_in_yaml(violations),
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
    document, read_faults = _read_draft(row)
    if read_faults:  # stored by an earlier release; this release's forms could not show all of it
        return redirect("scenario-text", scenario=scenario)
    if BATTLE in document:
        return redirect("battle-edit", scenario=scenario)
    if request.method != "POST":
        return _render_section(request, row, edited_section)
    act = request.POST.get("act", "")
    changed_document = apply_form(document, edited_section, dict(request.POST.lists()), act)
    if act == CHECK:
        with heavy_request(request):
            return _render_section(request, row, edited_section, unsaved_document=changed_document)
    return _save_section(request, row, edited_section, document, changed_document)


def _save_section(
    request: HttpRequest,
    row: ScenarioDraft,
    edited_section: Section,
    document: Document,
    changed_document: Document,
) -> HttpResponse:
    """Save a section of a scenario, and continue where the request wants to.

    Args:
        document: As it is stored.
    """
    act = request.POST.get("act", "")
    scenario = row.public_id
    stored_tag = section_tag(document, edited_section)
    form_is_outdated = request.POST.get("was", stored_tag) != stored_tag
    form_changes_section = section_tag(changed_document, edited_section) != stored_tag
    if form_is_outdated and form_changes_section:
        return _render_section(request, row, edited_section, CHANGED_MEANWHILE, changed_document)
    try:
        with heavy_request(request):
            scenario_draft_save(
                user=_user(request),
                public_id=scenario,
                text=write_file(changed_document),
                expected_tag=draft_tag(row),
            )
            if act == PLAY:
                return _play(_user(request), scenario)
    except EditConflict:
        row = requested_draft(request, scenario)
        return _render_section(request, row, edited_section, CHANGED_MEANWHILE, changed_document)
    except RuleViolations as error:
        row = requested_draft(request, scenario)
        return _render_section(request, row, edited_section, error.limited_violations)
    messages.success(request, phrase("Saved."))
    next_address = request.POST.get("then", "")
    if next_address in _editor_addresses(scenario):
        return redirect(next_address)
    here = reverse("scenario-edit", args=[scenario, edited_section.slug])
    return redirect(here + _anchor_after(act, changed_document))


def _anchor_after(act: str, document: Document) -> str:
    """Return the anchor of an added row, or of the end of a group after a row was removed.

    The next Tab then lands in the added row.

    Args:
        act: The action: "add:" or "drop:" with the group's key, or another one.
    """
    verb, _, rest = act.partition(":")
    group = GROUPS.get(rest.partition(":")[0])
    if group is None or verb not in ("add", "drop"):
        return ""
    if verb == "add":
        return f"#{group.key}-{_added_number(document, group)}"
    return f"#{group.key}-end"


def _added_number(document: Document, group: Group) -> int:
    """Return the number of the row that was added; rows of systems and factions are sorted."""
    rows = rows_of(document, group)
    untouched = []
    for number, placed in enumerate(rows):
        if is_untouched(group, placed.row, document):
            untouched.append(number)
    return untouched[-1] if untouched else len(rows) - 1


def _editor_addresses(scenario: uuid.UUID) -> tuple[str, ...]:
    """Return the addresses of the editor's pages that the reader can go to after saving."""
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
    refusal: Sequence[Violation] = (),
    unsaved_document: Document | None = None,
) -> HttpResponse:
    """Render the form of a section, with the stored values or those that were not saved.

    Args:
        refusal: Why the form was not saved.
    """
    stored_document = read_file(row.text)
    document = stored_document if unsaved_document is None else unsaved_document
    scenario, faults = check_draft(document)
    groups, unplaced = form_groups(document, section, faults, budget_notes(scenario))
    return show(
        request,
        "scenario_edit",
        status=UNPROCESSABLE if refusal else 200,
        row=row,
        section=section,
        stored_tag=section_tag(stored_document, section),
        is_unsaved=unsaved_document is not None,
        groups=groups,
        proposals=proposals_by_kind(document, section),
        classes=available_sheets(document) if section.slug in NAMING_CLASSES else (),
        refusal=faults_in_form(refusal, names_in(document)),
        unplaced=[Violation("", "", words) for words in unplaced],
        **editor_frame(scenario, faults, section.slug),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def as_text(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Show or change a scenario as YAML."""
    row = requested_draft(request, scenario)
    if request.method != "POST":
        return _render_text(request, row, row.text)
    text = _posted_text(request)
    expected_tag = request.POST.get("was") or None
    try:
        with heavy_request(request):
            scenario_draft_save(
                user=_user(request), public_id=scenario, text=text, expected_tag=expected_tag
            )
    except EditConflict:
        row = requested_draft(request, scenario)
        return _render_text(request, row, text, CHANGED_MEANWHILE)
    except RuleViolations as error:
        return _render_text(request, row, text, error.limited_violations)
    messages.success(request, phrase("Saved."))
    return redirect("scenario-text", scenario=scenario)


def _render_text(
    request: HttpRequest, row: ScenarioDraft, text: str, refusal: Sequence[Violation] = ()
) -> HttpResponse:
    """Render a text of a scenario with the faults of the stored one.

    Args:
        refusal: Why the text was not saved.
    """
    document, read_faults = _read_draft(row)
    checked_scenario, rule_faults = check_draft(document)
    faults = read_faults or rule_faults
    names = names_in(document)
    text_context: dict[str, Any] = {
        "refusal": faults_in_yaml(refusal, names),
        "faults": faults_in_yaml(limit_violations(faults), names),
        "text": text,
        "stored_tag": draft_tag(row),
    }
    return show(
        request,
        "scenario_text",
        status=UNPROCESSABLE if refusal else 200,
        row=row,
        **text_context,
        **editor_frame(checked_scenario, faults, "text", is_battle=BATTLE in document),
    )


@never_cache
@login_required
@require_safe
def as_file(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Return a scenario as a file."""
    row = requested_draft(request, scenario)
    response = HttpResponse(row.text, content_type="application/yaml; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="scenario.yaml"'
    return response


urlpatterns: list[URLPattern | URLResolver] = [
    path("scenarios/", scenarios, name="scenarios"),
    path("scenarios/<uuid:scenario>/text/", as_text, name="scenario-text"),
    path("scenarios/<uuid:scenario>/scenario.yaml", as_file, name="scenario-file"),
    path("scenarios/<uuid:scenario>/<slug:section>/", editor, name="scenario-edit"),
]
