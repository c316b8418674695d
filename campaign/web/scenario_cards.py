"""A scenario card: a small map, factions with seats, edition and victory conditions.

Everything on it is public. A user's own scenario may have faults; then its card leaves out the
victory conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario, fixture_timeline
from campaign.rules.scenario import Faction, Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.rules.setting import TimelineEvent, event_of
from campaign.rules.skirmish import is_skirmish
from campaign.web.battle_facts import battle_facts
from campaign.web.faction_objectives import FactionObjectives, public_objectives
from campaign.web.hexmap import Thumb, thumb_of
from campaign.web.objectives import ConditionSummary, condition_summaries
from campaign.web.scenario_forms import drawable
from campaign.web.seat_marks import seats
from engine.core.canonical import digest
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation

CACHE_SIZE = 128  # cached scenario cards
LABELS: dict[str, str] = {edition.value: edition.label for edition in EDITIONS}


@dataclass(frozen=True, slots=True)
class ScenarioCard:
    """A scenario on a card."""

    scenario: Scenario
    thumb: Thumb
    is_valid: bool = True  # it has no faults
    is_length_known: bool = True

    @property
    def powers(self) -> tuple[tuple[Faction, int], ...]:
        """The factions with their seat numbers."""
        numbers = seats(self.scenario)
        return tuple((power, numbers[power.id]) for power in self.scenario.factions)

    @property
    def edition(self) -> str:
        """The name of its rulebook."""
        return LABELS.get(self.scenario.edition, "")

    @property
    def is_single_battle(self) -> bool:
        """Whether it is a single battle, without a map."""
        return is_skirmish(self.scenario)

    @property
    def battle_facts(self) -> list[tuple[str, str]]:
        """What it is about as labels and words; none for a war."""
        return battle_facts(self.scenario) if self.is_single_battle else []

    @property
    def background(self) -> TimelineEvent | None:
        """The event of the printed setting that it is about."""
        return event_of(fixture_timeline(), self.scenario.slug)

    @property
    def conditions(self) -> Sequence[ConditionSummary]:
        """The victory conditions in order of checking; none for a single battle."""
        if is_skirmish(self.scenario) or not self.is_valid:
            return ()
        return condition_summaries(self.scenario)

    @property
    def objectives(self) -> Sequence[FactionObjectives]:
        """The objectives of all factions, without secret ones."""
        if not self.is_valid:
            return ()
        return public_objectives(self.scenario)


def scenario_card(scenario: Scenario, sha256: str) -> ScenarioCard:
    """Return the card of a stored, valid scenario.

    Args:
        sha256: Hash of its content.
    """
    return ScenarioCard(scenario, thumb_of(scenario, sha256))


def scenario_card_as_drawable(
    scenario: Scenario, faults: Sequence[Violation] = (), *, bare: bool = False
) -> ScenarioCard:
    """Return the card of a scenario as far as it can be drawn.

    Args:
        faults: The faults of its file; a value with a fault is not shown.
        bare: Whether to leave out the hexes.
    """
    drawable_scenario = drawable(scenario)
    thumb = thumb_of(drawable_scenario, digest(to_document(drawable_scenario)), bare)
    return ScenarioCard(
        drawable_scenario,
        thumb,
        is_valid=not faults,
        is_length_known=all(fault.where != "weeks" for fault in faults),
    )


@lru_cache(maxsize=CACHE_SIZE)
def model_card(slug: str) -> ScenarioCard:
    """Return the card of a scenario that comes with the project."""
    return scenario_card_as_drawable(fixture_scenario(slug))


@lru_cache(maxsize=CACHE_SIZE)
def card_of_text(text: str, bare: bool = False) -> ScenarioCard | None:
    """Return the card of a scenario file, valid or not, or None if it cannot be parsed."""
    try:
        scenario, faults = check_draft(read_file(text))
    except RuleViolations:
        return None
    return scenario_card_as_drawable(scenario, faults, bare=bare)
