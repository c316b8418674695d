"""Steps of a guided war: those that the reader has taken his account keeps, and no page shows them
again.
"""

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
from campaign.services.preferences import guide_mark_done, guide_restart
from campaign.web.common import UiPreferences
from engine.core.phrase import phrase

Step = GuideStep  # what templates show of a guide
ALL, AGAIN = "all", "again"
# Where a step can lead on to: the name of the address, and what the button says.
ADDRESS_LABELS = {
    "reports": phrase("Read the report"),
    "campaign-new": phrase("Choose the next war"),
}
OF_NONE = ("campaign-new",)  # those that are no page of a campaign


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of a campaign, as `fixtures/help/guide.yaml` names it.

    `campaign`: its id; `faction`: the reader's, which may have texts of its own.
    """

    scenario: str
    page: str
    week: int
    campaign: str
    faction: str

    @property
    def steps(self) -> tuple[GuideStep, ...]:
        """All its steps, in their order; none where the war is none to learn by."""
        return guide_steps(self.scenario, self.page, self.week, self.faction)

    def steps_left(self, preferences: UiPreferences) -> list[GuideStep]:
        """Those that its reader has not taken."""
        return [step for step in self.steps if step.id not in preferences.guided]

    def address_of(self, step: GuideStep) -> str:
        """The address a step leads on to; empty where it leads nowhere."""
        if not step.go:
            return ""
        return (
            reverse(step.go)
            if step.go in OF_NONE
            else reverse(step.go, kwargs={"c": self.campaign})
        )


def guide_page(viewer: Viewer, page: str, week: int = 0) -> GuidePage:
    """A page of the viewer's campaign. `week`: 0 where it is of none."""
    campaign, faction = viewer.campaign, viewer.visible_faction
    key = "" if faction is None else faction.key
    return GuidePage(campaign.scenario.slug, page, week, str(campaign.public_id), key)


def orders_guide_name(scenario: Scenario, view: View) -> str:
    """Orders as the guide knows them: `contested` where others are still where ships of one's own
    are, `repairs` where damaged ones lie at a base of theirs that has the time to mend them.
    """
    if view.in_contact:
        return "contested"
    bases = {fleet.key: base_for(scenario, view, fleet) for fleet in view.fleets}
    hurt = ((bases.get(ship.fleet or ""), ship) for ship in view.ships if ship.damage or ship.lost)
    classes = ship_classes(scenario)
    mends = any(base is not None and can_repair(base, classes[ship.cls]) for base, ship in hurt)
    return "repairs" if mends and view.week < scenario.weeks else StageKind.ORDERS


@login_required
@require_POST
def guide(request: HttpRequest) -> HttpResponse:
    """Takes a step, or `all` of them; `again` begins anew.

    Then comes where the step leads (`?to=`), else the page it was sent from, else home.
    """
    step, user = request.POST.get("step", ""), request.user
    if step == AGAIN:
        guide_restart(user=user)  # type: ignore[arg-type]
    else:
        guide_mark_done(user=user, steps=guide_ids() if step == ALL else (step,))  # type: ignore[arg-type]
    to = request.GET.get("to", "") or request.POST.get("back", "")
    return redirect(
        to if to.startswith("/") and url_has_allowed_host_and_scheme(to, None) else "home"
    )


urlpatterns: list[URLPattern | URLResolver] = [path("guide/", guide, name="guide")]
