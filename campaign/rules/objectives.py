"""How far objectives have come at the end of a week, their points, and who wins by them. Pure.

All numbers are whole. `WeekEnd` has the facts: the truth for the judge, or what one faction knows
for its pages.

Rules: 2E "Campaign objectives" [camp.objective-kinds], [camp.closest]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from campaign.rules.ground_targets import count_ruins
from campaign.rules.objective_checks import ALL, counted_systems
from campaign.rules.queries import members_of, ship_classes, side_of, victory_words
from campaign.rules.scenario import Condition, Objective, Scenario, ShipClass
from campaign.rules.world import Delivery, GroundDamage, ObjectiveState, Ship

FULL = 1000  # thousandths: an objective that is reached completely


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekEnd:
    """The facts by which objectives are measured at the end of a week.

    Attributes:
        scenario: With the classes of all ships.
        week: The week that ends; 0 is the deployment.
        superior: The faction with superiority, by system.
        losses: The ships lost by their factions, in the order of the war.
        undisturbed: The hex of each fleet that is on the map, outside FTL space, and has no hostile
            operational warship in its hex, by the fleet's key.
    """

    scenario: Scenario
    week: int
    superior: Mapping[str, str]
    ships: Sequence[Ship]
    losses: Sequence[Ship]
    undisturbed: Mapping[str, str]
    deliveries: Sequence[Delivery] = ()
    ground: Sequence[GroundDamage] = ()
    classes: Mapping[str, ShipClass] = field(default_factory=dict)

    def with_classes(self) -> WeekEnd:
        """Return the same facts with the scenario's classes indexed by name."""
        return replace(self, classes=ship_classes(self.scenario))


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a faction or side: what its objectives scored, of all they can score."""

    points: int = 0
    of: int = 0

    @property
    def share(self) -> int:
        """Return the share of the points in thousandths; 0 without any objective."""
        return FULL * self.points // self.of if self.of else 0


def wanted(objective: Objective) -> int:
    """Return the number at which an objective is reached completely."""
    if objective.kind in ("lose-less", "deny"):
        return FULL
    return objective.number


def nearness(objective: Objective, reached: int) -> int:
    """Return how near an objective is, in thousandths."""
    return min(FULL, FULL * reached // wanted(objective))


def points_for(objective: Objective, reached: int) -> int:
    """Return the points that an objective scores."""
    return objective.points * nearness(objective, reached) // FULL


def states_after(
    objectives: Iterable[Objective], before: Iterable[ObjectiveState], facts: WeekEnd
) -> tuple[ObjectiveState, ...]:
    """Return the states of objectives after a week, in their order.

    An objective does not change any more after its last week.
    """
    facts = facts.with_classes()
    earlier = {state.key: state for state in before}
    states: dict[str, ObjectiveState] = {}
    objectives = tuple(objectives)
    for objective in sorted(objectives, key=lambda item: item.kind == "deny"):
        state = earlier.get(objective.key, ObjectiveState(objective.key))
        if facts.week <= objective.by:
            if objective.kind == "deny":
                state = _denied(facts, objective, state, states)
            else:
                state = _MEASURES[objective.kind](facts, objective, state)
        states[objective.key] = state
    return tuple(states[objective.key] for objective in objectives)


def _denied(
    facts: WeekEnd,
    objective: Objective,
    state: ObjectiveState,
    states: Mapping[str, ObjectiveState],
) -> ObjectiveState:
    """Return the state of an objective that another one is not reached."""
    for denied in facts.scenario.objectives:
        if denied.key == objective.of and denied.key in states:
            return replace(state, reached=FULL - nearness(denied, states[denied.key].reached))
    return state


def _held(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Count the systems where the faction's side has had superiority for enough weeks."""
    side = side_of(facts.scenario, objective.faction)
    weeks_before = dict(state.streaks)
    streaks: dict[str, int] = {}
    for system in sorted({*counted_systems(facts.scenario, objective), *objective.including}):
        if facts.week > 0 and facts.superior.get(system) in side:
            streaks[system] = weeks_before.get(system, 0) + 1
    systems_held = {system for system, weeks in streaks.items() if weeks >= objective.weeks}
    count = len(systems_held.intersection(counted_systems(facts.scenario, objective)))
    if not systems_held.issuperset(objective.including):
        count = min(count, objective.number - 1)
    if not objective.at_end:
        count = max(count, state.reached)
    return replace(state, reached=count, streaks=tuple(sorted(streaks.items())))


def _delivered(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Add up the goods that the faction landed, less what anybody loaded there again."""
    landed = dict.fromkeys(objective.to, 0)
    for delivery in facts.deliveries:
        is_wanted = delivery.what == objective.what and delivery.system in landed
        if not is_wanted or delivery.week > objective.by:
            continue
        if delivery.amount < 0 or delivery.faction == objective.faction:
            landed[delivery.system] = max(0, landed[delivery.system] + delivery.amount)
    return replace(state, reached=sum(landed.values()))


def _brought(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Count the different own ships that ended a week at one of the places, undisturbed."""
    hexes = {system.id: system.hex for system in facts.scenario.systems}
    places = {hexes.get(place, place) for place in objective.to}
    brought = set(state.ships)
    for ship in facts.ships if facts.week > 0 else ():
        is_own = ship.faction == objective.faction and counts_ship(facts.classes, objective, ship)
        if is_own and facts.undisturbed.get(ship.fleet) in places:
            brought.add(ship.key)
    return replace(state, reached=len(brought), ships=tuple(sorted(brought)))


def _destroyed(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Count the ships that a faction or alliance lost for good."""
    members = set(members_of(facts.scenario, objective.of))
    lost = []
    for ship in facts.losses:
        if ship.faction in members and counts_ship(facts.classes, objective, ship):
            lost.append(ship)
    return replace(state, reached=_measured(facts, objective, lost))


def _saved(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Count the ships that the faction still has."""
    count = 0
    for ship in facts.ships:
        is_own = ship.faction == objective.faction
        count += is_own and counts_ship(facts.classes, objective, ship)
    return replace(state, reached=count)


def _spared(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Compare the faction's losses with those that it may have."""
    lost = [ship for ship in facts.losses if ship.faction == objective.faction]
    loss = _measured(facts, objective, lost)
    if loss <= objective.number:
        return replace(state, reached=FULL)
    return replace(state, reached=FULL * objective.number // loss)


def _ruined(facts: WeekEnd, objective: Objective, state: ObjectiveState) -> ObjectiveState:
    """Count the ground targets of a faction or alliance in ruins."""
    count = 0
    for member in members_of(facts.scenario, objective.of):
        count += count_ruins(facts.scenario, facts.ground, member)
    return replace(state, reached=count)


_MEASURES: dict[str, Callable[[WeekEnd, Objective, ObjectiveState], ObjectiveState]] = {
    "hold": _held,
    "deliver": _delivered,
    "bring": _brought,
    "destroy": _destroyed,
    "save": _saved,
    "lose-less": _spared,
    "ruins": _ruined,
}


def counts_ship(classes: Mapping[str, ShipClass], objective: Objective, ship: Ship) -> bool:
    """Return whether a ship is among those that an objective names."""
    if objective.ship_names:
        return ship.name in objective.ship_names
    return counts_class(objective, classes[ship.cls])


def counts_class(objective: Objective, ship_class: ShipClass) -> bool:
    """Return whether an objective that names no ships counts those of a class."""
    return objective.ships in (ALL, ship_class.name, ship_class.classification)


def _measured(facts: WeekEnd, objective: Objective, ships: Sequence[Ship]) -> int:
    """Return the number of ships, or their points, as an objective counts them."""
    if objective.measure == "points":
        return sum(facts.classes[ship.cls].points for ship in ships)
    return len(ships)


def score_of(
    scenario: Scenario, states: Iterable[ObjectiveState], factions: Sequence[str]
) -> Score:
    """Return the points of some factions together."""
    reached = {state.key: state.reached for state in states}
    points = 0
    most = 0
    for objective in scenario.objectives:
        if objective.faction in factions:
            points += points_for(objective, reached.get(objective.key, 0))
            most += objective.points
    return Score(points, most)


def judge(scenario: Scenario, states: Sequence[ObjectiveState], week: int) -> Condition | None:
    """Return how the war ends by its objectives after a week; None if it goes on.

    With `Judging.first`, a side that has achieved all its objectives wins at once. After the last
    week the side with the greatest share of its points wins.

    Rules: 2E "Campaign objectives" [camp.closest]
    """
    if not scenario.objectives:
        return None
    sides = sorted({faction.alliance or faction.id for faction in scenario.factions})
    scores = {side: score_of(scenario, states, members_of(scenario, side)) for side in sides}
    if scenario.judging.first:
        achievers = [side for side in sides if _has_achieved(scenario, states, side, week)]
        if achievers:
            return _greatest(scenario, {side: scores[side].of for side in achievers}, margin=0)
    if week < scenario.weeks:
        return None
    shares = {side: score.share for side, score in scores.items()}
    return _greatest(scenario, shares, margin=scenario.judging.margin)


def _has_achieved(
    scenario: Scenario, states: Sequence[ObjectiveState], side: str, week: int
) -> bool:
    """Return whether a side has reached all of its objectives for good."""
    members = members_of(scenario, side)
    objectives = [item for item in scenario.objectives if item.faction in members]
    reached = {state.key: state.reached for state in states}
    for objective in objectives:
        if objective.is_judged_at_end and objective.by > week:
            return False
        if nearness(objective, reached.get(objective.key, 0)) < FULL:
            return False
    return bool(objectives)


def _greatest(scenario: Scenario, values: Mapping[str, int], *, margin: int) -> Condition:
    """Return the victory of the side with the greatest value, or a draw.

    Args:
        margin: The greatest lead that is still a draw, if there are several sides.
    """
    ranked = sorted(values, key=lambda side: (-values[side], side))
    if len(ranked) > 1 and values[ranked[0]] - values[ranked[1]] <= margin:
        return Condition("draw")
    return Condition(victory_words(scenario, ranked[0]), ranked[0])
