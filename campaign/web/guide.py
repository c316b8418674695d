"""The steps of a guided war. The reader's account keeps finished steps; pages skip them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from campaign.access import Viewer
from campaign.kinds import StageKind
from campaign.rules.bases import base_for, can_repair
from campaign.rules.help_texts import GuideStep, guide_ids, guide_steps
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.selectors.envelopes import Document, has_fought_elsewhere
from campaign.services.preferences import guide_mark_done, guide_restart
from campaign.web.common import UiPreferences
from engine.core.phrase import phrase

Step = GuideStep  # the name used in templates
# Values of `step` that stand for no single step
ALL = "all"
AGAIN = "again"
# In place of a scenario: the first battle of a player, in any war
ANY_BATTLE = "any-battle"
# Where a step can lead: the URL name and the button's label.
ADDRESS_LABELS = {
    "reports": phrase("Read the report"),
    "campaign-new": phrase("Choose the next war"),
}
OUTSIDE_CAMPAIGNS = ("campaign-new",)  # URL names that belong to no campaign


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of a campaign, as `fixtures/help/guide.yaml` names it."""

    scenario: str
    page: str
    week: int
    campaign: str  # its id
    faction: str  # the reader's, which may have its own texts

    @property
    def steps(self) -> tuple[GuideStep, ...]:
        """All its steps in order; none if the war is not a guided one."""
        return guide_steps(self.scenario, self.page, self.week, self.faction)

    def steps_left(self, preferences: UiPreferences) -> list[GuideStep]:
        """Return the steps that the reader has not done."""
        return [step for step in self.steps if step.id not in preferences.guided]

    def address_of(self, step: GuideStep) -> str:
        """Return the address a step leads to, or ""."""
        if not step.go:
            return ""
        if step.go in OUTSIDE_CAMPAIGNS:
            return reverse(step.go)
        return reverse(step.go, kwargs={"c": self.campaign})


def guide_page(viewer: Viewer, page: str, week: int = 0) -> GuidePage:
    """Return a page of the viewer's campaign.

    Args:
        week: 0 if the page belongs to no week.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    key = "" if faction is None else faction.key
    return GuidePage(
        scenario=campaign.scenario.slug,
        page=page,
        week=week,
        campaign=str(campaign.public_id),
        faction=key,
    )


def first_battle_guide(
    request: HttpRequest, viewer: Viewer, phase: str, document: Document | None
) -> GuidePage | None:
    """Return the guide of a phase, if it has steps left and this is the reader's first battle.

    Args:
        document: The reader's orders of the phase; None if the phase asks for none.
    """
    page = GuidePage(
        scenario=ANY_BATTLE,
        page=phase,
        week=0,
        campaign=str(viewer.campaign.public_id),
        faction="",
    )
    steps_left = page.steps_left(getattr(request, "ui_preferences", UiPreferences()))
    if document is None or not steps_left or has_fought_elsewhere(request.user, document.stage):
        return None
    return page


def orders_guide_name(scenario: Scenario, view: View) -> str:
    """Return the guide's name for the orders page.

    It is `contested` if other factions are still in a hex with own ships, and `repairs` if damaged
    ships are at a base that has time to repair them.
    """
    if view.in_contact:
        return "contested"
    has_time = view.week < scenario.weeks
    if has_time and _has_repairable_ship(scenario, view):
        return "repairs"
    return StageKind.ORDERS


def _has_repairable_ship(scenario: Scenario, view: View) -> bool:
    """Return whether a damaged ship is at a base that can repair it."""
    classes = ship_classes(scenario)
    bases = {fleet.key: base_for(scenario, view, fleet) for fleet in view.fleets}
    for ship in view.ships:
        base = bases.get(ship.fleet or "")
        is_damaged = ship.damage or ship.lost
        if (
            is_damaged
            and not ship.station
            and base is not None
            and can_repair(base, classes[ship.cls])
        ):
            return True
    return False


@login_required
@require_POST
def guide(request: HttpRequest) -> HttpResponse:
    """Mark a step, or `all` of them, as done; `again` starts over.

    Then redirect to where the step leads (`?to=`), else to the page it was sent from, else home.
    """
    step = request.POST.get("step", "")
    user = request.user
    if step == AGAIN:
        guide_restart(user=user)  # type: ignore[arg-type]
    else:
        guide_mark_done(user=user, steps=guide_ids() if step == ALL else (step,))  # type: ignore[arg-type]
    address = request.GET.get("to", "") or request.POST.get("back", "")
    is_on_site = address.startswith("/") and url_has_allowed_host_and_scheme(address, None)
    return redirect(address if is_on_site else "home")


urlpatterns: list[URLPattern | URLResolver] = [path("guide/", guide, name="guide")]
