"""What all pages of the scenario editor share: the requested draft, its tabs and its head."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, cast

from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest

from campaign.errors import NotFound
from campaign.models.own_scenario import ScenarioDraft
from campaign.rules.scenario import Scenario
from campaign.services.own_scenarios import scenario_draft_of
from campaign.web.scenario_cards import scenario_card_as_drawable
from campaign.web.scenario_forms import tabs_of
from engine.core.errors import Violation


def requested_draft(request: HttpRequest, scenario: uuid.UUID) -> ScenarioDraft:
    """Return the reader's own scenario with this id.

    Raises:
        Http404: If there is none.
    """
    try:
        return scenario_draft_of(cast(AbstractBaseUser, request.user), scenario)
    except NotFound as error:
        raise Http404 from error


def editor_frame(
    scenario: Scenario, faults: Sequence[Violation], open_tab: str, *, is_battle: bool = False
) -> dict[str, Any]:
    """Return the context that all pages of an editor share.

    Args:
        open_tab: The page's tab.
        is_battle: Whether it is a single battle, which has one form and no tabs of a map.
    """
    card = scenario_card_as_drawable(scenario, faults)
    return {
        "tabs": () if is_battle else tabs_of(faults),
        "is_battle": is_battle,
        "open_tab": open_tab,
        "many": len(faults),
        "card": card,
        "scenario": card.scenario,
    }
