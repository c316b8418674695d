"""What all pages of the scenario editor share: the requested draft, its tabs and its faults."""

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
from campaign.words.design_faults import placed_words
from engine.core.errors import Violation


def with_place_words(violations: Sequence[Violation]) -> list[Violation]:
    """Return faults for a page's list, with their paths in words."""
    result: list[Violation] = []
    for violation in violations:
        result.append(Violation(violation.where, violation.code, placed_words(violation)))
    return result


def requested_draft(request: HttpRequest, scenario: uuid.UUID) -> ScenarioDraft:
    """Return the reader's own scenario with this id.

    Raises:
        Http404: If there is none.
    """
    try:
        return scenario_draft_of(cast(AbstractBaseUser, request.user), scenario)
    except NotFound as error:
        raise Http404 from error


def editor_frame(scenario: Scenario, faults: Sequence[Violation], here: str) -> dict[str, Any]:
    """Return the context that all pages of an editor share.

    Args:
        here: The page's tab.
    """
    card = scenario_card_as_drawable(scenario, lawful=not faults)
    return {
        "tabs": tabs_of(faults),
        "here": here,
        "many": len(faults),
        "card": card,
        "scenario": card.scenario,
    }
