"""How long a battle takes to compute, and whether a scenario's battles are small enough.

The figures are processor time of battles between captains on one core of an ordinary server,
measured with 25 to 900 ships a side: the time grows with the number of ships and with the number of
pairs of ships.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.rules.muster import most_ships
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from engine.core.edition import Edition
from engine.core.errors import Violation
from engine.core.phrase import phrase

# Seconds for each ship, and for each pair of ships, by edition.
SECONDS: Mapping[str, tuple[float, float]] = {
    Edition.SECOND_EDITION: (1.5e-3, 1.2e-5),
    Edition.CONTINUUM: (5e-3, 7e-5),
}
MAX_SECONDS = 300.0  # of one battle; a war is not opened if all its ships together could exceed it


def seconds_of(edition: str, ships: int) -> float:
    """Return how many seconds a battle with this total number of ships takes."""
    per_ship, per_pair = SECONDS.get(edition, SECONDS[Edition.CONTINUUM])
    pairs = ships * ships / 2
    return per_ship * ships + per_pair * pairs


def battle_seconds(start: Mapping[str, Any]) -> float:
    """Return how many seconds the battle of a battle file takes."""
    return seconds_of(start["edition"], sum(len(side["ships"]) for side in start["sides"]))


def largest_battle(scenario: Scenario) -> float:
    """Return how many seconds a battle between all ships of a scenario would take."""
    if is_skirmish(scenario):
        return seconds_of(scenario.edition, most_ships(scenario.battle))
    numbers: list[tuple[str, int]] = []  # (class, number of ships)
    for _, fleets in scenario.defaults:
        for pick in fleets:
            numbers += pick.ships
    for arrival in scenario.reinforcements:
        numbers += arrival.ships
    return seconds_of(scenario.edition, sum(number for _, number in numbers))


def cost_violations(scenario: Scenario) -> list[Violation]:
    """Return the fault of a scenario whose battles would take too long to compute."""
    seconds = largest_battle(scenario)
    if seconds <= MAX_SECONDS:
        return []
    words = phrase(
        "if all ships met, the battle would take about {} minutes to compute; the limit is {}: "
        "use fewer ships",
        round(seconds / 60),
        round(MAX_SECONDS / 60),
    )
    return [Violation("scenario", "too-costly", words)]
