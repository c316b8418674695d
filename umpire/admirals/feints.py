"""Where markers are open: dummy counters put beside the fleets that may leave, and sent where
fleets might go.

A counter must not be told from a fleet by what it does: most stay, as garrisons do; some go along
with a fleet that leaves; some set out alone. None goes where somebody would find it out at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campaign.rules.markers import dummies_allowed
from campaign.rules.orders import Deployed, Dummy, Move
from campaign.rules.queries import hostile, may_not_enter
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import reachable
from campaign.rules.view import Fleet, View
from engine.core.dice import Dice
from umpire.admirals.character import one_of

STAYS, GOES_ALONG, GOES_ALONE = 4.0, 3.0, 2.0  # weights


def counters(scenario: Scenario, faction: str, fleets: Sequence[Deployed]) -> tuple[Dummy, ...]:
    """All the counters there are, one beside each fleet in turn, those first that may leave.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    bound = {budget.id for budget in scenario.budgets if budget.ftl == "none"}
    places = [
        fleet.hex for fleet in sorted(fleets, key=lambda fleet: (fleet.budget in bound, fleet.name))
    ]
    many = dummies_allowed(scenario, len(fleets)) if places else 0
    return tuple(Dummy(f"{faction}/d{n + 1}", places[n % len(places)]) for n in range(many))


def feints(scenario: Scenario, view: View, moves: Iterable[Move], dice: Dice) -> tuple[Move, ...]:
    """The moves of the dummy counters on the map this week.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    here = {fleet.key: fleet.hex for fleet in view.fleets}
    leaving: dict[str, list[str]] = {}
    for move in moves:
        leaving.setdefault(here.get(move.fleet, ""), []).append(move.to or move.path[-1])
    shunned = _shunned(scenario, view)
    found = []
    for dummy in view.dummies:
        goal = _goal(scenario, view, dummy, leaving.get(dummy.hex, ()), shunned, dice)
        if goal:
            found.append(Move(dummy.key, to=goal))
    return tuple(found)


def _goal(
    scenario: Scenario,
    view: View,
    dummy: Fleet,
    along: Sequence[str],
    shunned: frozenset[str],
    dice: Dice,
) -> str:
    """Where a counter goes; "" where it stays."""
    if may_not_enter(scenario, dummy, view.week) is not None:
        return ""
    near = {label for label, _ in reachable(scenario, view, dummy.key)} - shunned
    alone = [system.hex for system in scenario.systems if system.hex in near]
    choices = [(STAYS, "")]
    choices += [(GOES_ALONG / len(along), label) for label in along if label in near]
    choices += [(GOES_ALONE / len(alone), label) for label in alone]
    return one_of(dice, f"{dummy.key}/feint", choices)


def _shunned(scenario: Scenario, view: View) -> frozenset[str]:
    """The systems where a counter would be found out: a hostile settlement, or a hostile marker."""
    enemies = {power.id for power in scenario.factions if hostile(scenario, power.id, view.faction)}
    settled = (
        system.hex for system in scenario.systems if system.settled and system.owner in enemies
    )
    return frozenset(
        (*settled, *(marker.hex for marker in view.markers if marker.faction in enemies))
    )
