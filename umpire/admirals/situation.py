"""An admiral's assessment of a View: valuable systems, own forces, possible enemy positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from campaign.belief.forces import Belief, BelievedShip
from campaign.rules.hexes import distance
from campaign.rules.objective_checks import counted_systems
from campaign.rules.queries import (
    can_jump,
    pending_entry_week,
    ships_by_fleet,
    side_of,
    systems_by_hex,
)
from campaign.rules.scenario import Condition, Facility, Scenario, StarSystem
from campaign.rules.sightings import newest_sightings
from campaign.rules.starmap import StarMap, star_map
from campaign.rules.stations import base_station, facility_of, known_stations
from campaign.rules.view import BATTLE, Fleet, KnownSystem, Ship, Sighting, View
from umpire.admirals.raids import raid_values
from umpire.admirals.strength import estimator_of

NAMED_SYSTEM_WEIGHT = 5.0  # of a system that a condition names; 1 for any other that counts
BASE_WEIGHT = 0.15  # added for a naval base; the most wanted system has 1
STATION_WEIGHT = 0.1  # added for a naval base that is a station, which can be destroyed
TARGET_WEIGHT = 4.0  # of a system where goods are to go
SOURCE_WEIGHT = 3.0  # of a system where they come from
BETWEEN_WEIGHT = 2.0  # of a system on the way
MIN_WEIGHT = 0.02  # of a system that no condition counts

Superior = Mapping[str, str | None]  # system id -> the faction with superiority there

UNSEEN_DECAY = 0.94  # factor per week on an unseen enemy's mobile strength
BATTLE_DAMAGE_FACTOR = 0.65  # factor on the strength of enemies that survived a battle
# Forces sampled for one scan. Five take half as long again and lead to the same decisions.
SAMPLES = 3
MAX_SIGHTING_AGE = 3  # weeks; older sightings are ignored


class VictoryAims:
    """A faction's aims, derived from the scenario's victory conditions and objectives alone.

    Attributes:
        want: The value of each system: 1 for the most wanted, plus a bonus for a base.
        side: The faction and its allies.
    """

    __slots__ = (
        "_alliance",
        "_counted_systems",
        "_objective_weights",
        "faction",
        "scenario",
        "side",
        "want",
    )

    def __init__(self, scenario: Scenario, faction: str) -> None:
        self.scenario = scenario
        self.faction = faction
        self.side = side_of(scenario, faction)
        self._alliance = {power.id: power.alliance for power in scenario.factions}
        self._counted_systems = [
            tuple(s.id for s in scenario.systems if c.counts(s)) for c in scenario.victory
        ]
        self._objective_weights = objective_weights(scenario)
        self.want = self._wants()

    def is_ours(self, power: str | None) -> bool:
        """Return whether a faction or alliance belongs to this side."""
        return power is not None and (power in self.side or power == self._alliance[self.faction])

    def _wants(self) -> dict[str, float]:
        """Return the value of each system by id."""
        weights = {system.id: self._condition_weight(system) for system in self.scenario.systems}
        highest = max(weights.values(), default=0.0) or 1.0
        result: dict[str, float] = {}
        for system in self.scenario.systems:
            result[system.id] = max(MIN_WEIGHT, weights[system.id] / highest)
            if system.facility is not None and system.facility.repairs:
                result[system.id] += BASE_WEIGHT
        return result

    def _condition_weight(self, system: StarSystem) -> float:
        """Return how much the victory conditions and objectives count on a system."""
        weight = self._objective_weights.get(system.id, 0.0)
        for condition in self.scenario.victory:
            if condition.by is None:
                continue
            if system.id in condition.including:
                weight += NAMED_SYSTEM_WEIGHT
            elif condition.counts(system):
                weight += 1.0
        return weight

    def score(self, superior: Superior, *, at_once: bool = False) -> float:
        """Return the score if the war ended like this: 1 for a win, 0.5 for a draw, 0 for a loss.

        Args:
            at_once: Use only the conditions that end the war as soon as they hold; 0.5 if none
                does.
        """
        for condition, system_ids in zip(self.scenario.victory, self._counted_systems, strict=True):
            if (condition.total or not at_once) and self._holds(condition, system_ids, superior):
                if condition.winner is None:
                    return 0.5
                if self.is_ours(condition.winner):
                    return 1.0
                return 0.0
        return 0.5

    def _holds(self, condition: Condition, system_ids: Sequence[str], superior: Superior) -> bool:
        """Return whether a condition is met, given who has superiority where.

        Args:
            system_ids: The systems that the condition counts.
        """
        if condition.ruins:
            return False  # admirals plan for systems, whatever they know of ruins
        power = condition.by
        if power is None:
            return True
        for id_ in condition.including:
            if not self._belongs_to(superior.get(id_), power):
                return False
        count = sum(self._belongs_to(superior.get(id_), power) for id_ in system_ids)
        return count >= condition.at_least

    def _belongs_to(self, faction: str | None, power: str) -> bool:
        """Return whether a faction is a power, or belongs to the alliance that the power is."""
        return faction is not None and power in (faction, self._alliance[faction])

    def score_swing(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """Return how much superiority in a system changes the score, from 0 to 1.

        The comparison is with superiority of the worst possible enemy, or of no faction.
        """
        with_us = self.score({**superior, system: self.faction}, at_once=at_once)
        return max(0.0, with_us - self.score_without(system, superior, at_once=at_once))

    def score_without(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """Return the score if the worst possible enemy, or no faction, had superiority there."""
        enemies = [power.id for power in self.scenario.factions if not self.is_ours(power.id)]
        return min(
            self.score({**superior, system: power}, at_once=at_once) for power in (None, *enemies)
        )

    def stake(self, system: str, superior: Superior, week: int) -> float:
        """Return the present value of a system.

        It adds up the system's own value, its effect on conditions that end the war at once, and
        its effect on the final score, which counts more every week.
        """
        elapsed = week / self.scenario.weeks  # share of the war that is over
        immediate = 2.0 * self.score_swing(system, superior, at_once=True)
        final = 2.0 * elapsed * elapsed * self.score_swing(system, superior)
        return self.want[system] + immediate + final


def objective_weights(scenario: Scenario) -> dict[str, float]:
    """Return how much the objectives of all factions count on each system.

    Systems that are to be held count, and so do those where goods come from, where they are to go,
    and those on straight lines between: there convoys are met.
    """
    hexes = {system.id: system.hex for system in scenario.systems}
    weights: dict[str, float] = {}

    def add(system: str, weight: float) -> None:
        weights[system] = weights.get(system, 0.0) + weight

    for objective in scenario.objectives:
        if objective.kind == "hold":
            for system in counted_systems(scenario, objective):
                add(system, NAMED_SYSTEM_WEIGHT if system in objective.including else 1.0)
        if objective.kind != "deliver":
            continue
        for target in objective.to:
            add(target, TARGET_WEIGHT)
        for source in _sources(scenario, objective.what):
            add(source, SOURCE_WEIGHT)
            for target in objective.to:
                for system in _systems_between(hexes, hexes[source], hexes[target]):
                    add(system, BETWEEN_WEIGHT)
    return weights


def _sources(scenario: Scenario, what: str) -> list[str]:
    """Return the systems where goods lie at the start."""
    for goods in scenario.goods:
        if goods.name == what:
            return [system for system, _ in goods.at]
    return []


def _systems_between(hexes: Mapping[str, str], start: str, end: str) -> list[str]:
    """Return the systems on a straight line between two hexes, or next to it."""
    length = distance(start, end)
    between = []
    for system, hex_ in hexes.items():
        detour = distance(start, hex_) + distance(hex_, end)
        if hex_ not in (start, end) and detour <= length + 1:
            between.append(system)
    return between


@dataclass(slots=True)
class Stack:
    """Own fleets that may exchange ships: in the same hex and the same state.

    Attributes:
        waiting: Whether the fleets have yet to enter the map.
        movers: Ships that can jump.
        stuck: Ships that cannot jump.
    """

    hex: str
    in_ftl: bool
    must_leave: bool
    waiting: bool
    fleets: list[Fleet] = field(default_factory=list)
    movers: list[Ship] = field(default_factory=list)
    stuck: list[Ship] = field(default_factory=list)


class Situation:
    """A View with the admiral's estimates; strengths are those of `StrengthEstimator`.

    Attributes:
        enemies: The strength of located enemies by hex.
        unseen: The strength that enemies may have elsewhere.
        system_views: Each system as assumed now, by id.
        superior: The faction assumed to have superiority in each system, by id.
        mobile: The strength of own ships that can jump.
        raids: The value of a raid on convoys, by system.
    """

    __slots__ = (
        "_belief",
        "_believed",
        "_stakes",
        "_weeks",
        "aims",
        "chart",
        "enemies",
        "estimator",
        "last_sightings",
        "mobile",
        "raids",
        "scenario",
        "scenario_owner",
        "stacks",
        "stations",
        "superior",
        "system_at",
        "system_views",
        "unseen",
        "view",
        "weeks_left",
    )

    def __init__(self, scenario: Scenario, view: View) -> None:
        self.scenario = scenario
        self.view = view
        self.aims = VictoryAims(scenario, view.faction)
        self.estimator = estimator_of(scenario)
        self.stations = known_stations(view)
        self._value_stations()
        self.chart: StarMap = star_map(scenario)
        self.system_at: dict[str, StarSystem] = systems_by_hex(scenario)
        self.scenario_owner = {system.id: system.owner for system in scenario.systems}
        self.system_views: dict[str, KnownSystem] = {
            system_view.system: self._assume_current(system_view) for system_view in view.systems
        }
        self.weeks_left = scenario.weeks - view.week  # not counting this week
        self.superior = {
            id_: system_view.superior for id_, system_view in self.system_views.items()
        }
        self._belief: Belief | None = None
        self._believed: dict[tuple[str, str], float | None] = {}
        self._stakes: dict[str, float] = {}
        self._weeks: dict[tuple[str, str], int | None] = {}
        self.last_sightings = _last_sightings(view)
        self.stacks = self._stacks()
        self.mobile = sum(self.estimator.total_strength(stack.movers) for stack in self.stacks)
        self.enemies = self._located_enemies()
        self.unseen = self._unseen_strength()
        self.raids = raid_values(scenario, view)

    def _value_stations(self) -> None:
        """Raise the value of systems whose base is a station, and lower it where that is gone."""
        for system in self.scenario.systems:
            base = base_station(system)
            if base is None or system.facility is None:
                continue
            if self.stations[base.key].faction:
                self.aims.want[system.id] += STATION_WEIGHT
            elif system.facility.repairs:
                self.aims.want[system.id] -= BASE_WEIGHT

    def facility_of(self, system: StarSystem) -> Facility | None:
        """Return what a system's base does for the admiral's side, as far as it knows."""
        return facility_of(self.estimator.classes, system, self.stations, self.aims.side)

    def _stacks(self) -> list[Stack]:
        """Return the faction's fleets, grouped by hex and state.

        Fleets without ships are left out: those whose ships are in convoys.
        """
        ships_of = ships_by_fleet(self.view.ships)
        result: dict[tuple[str, bool, bool, bool], Stack] = {}
        for fleet in self.view.fleets:
            if fleet.key not in ships_of:
                continue
            waiting = pending_entry_week(self.scenario, fleet, self.view.week) is not None
            state = (fleet.hex, fleet.in_ftl, fleet.must_leave, waiting)
            stack = result.setdefault(state, Stack(*state))
            stack.fleets.append(fleet)
            for ship in ships_of.get(fleet.key, ()):
                if can_jump(self.estimator.classes[ship.cls], ship):
                    stack.movers.append(ship)
                else:
                    stack.stuck.append(ship)
        return [result[state] for state in sorted(result)]

    def stacks_at(self, hex_: str) -> list[Stack]:
        """Return the stacks that are in a hex now: on the map and not in FTL space."""
        return [
            stack
            for stack in self.stacks
            if stack.hex == hex_ and not stack.in_ftl and not stack.waiting
        ]

    def _assume_current(self, system_view: KnownSystem) -> KnownSystem:
        """Return a system in its assumed present state.

        A system in sight is as seen. Out of sight, its last holder is assumed to have superiority,
        but a system of the admiral's faction is assumed to be back with its original owner.
        """
        if system_view.week == self.view.week:
            return system_view
        holder = system_view.superior or system_view.holder
        if holder == self.view.faction:
            owner = self.scenario_owner[system_view.system]
            holder = owner if owner != self.view.faction else None
            return replace(system_view, holder=owner, superior=holder, state="held")
        return replace(system_view, superior=holder)

    def is_hostile(self, faction: str | None) -> bool:
        """Return whether a faction is given and is not on the admiral's side."""
        return faction is not None and faction not in self.aims.side

    def seems_ours(self, system: StarSystem) -> bool:
        """Return whether the admiral's side is assumed to have superiority, or else to hold it."""
        system_view = self.system_views[system.id]
        if system_view.superior is not None:
            return system_view.superior in self.aims.side
        return system_view.holder in self.aims.side

    def fixed_points(self, system: StarSystem) -> int:
        """Return the points of a system's fixed defences that enemies may have, with stations."""
        points = 0
        for budget in self.scenario.budgets:
            is_bound_here = budget.ftl == "none" and budget.deploy == (system.id,)
            if is_bound_here and self.is_hostile(budget.faction):
                points += budget.points
        for station in system.stations:
            if self.is_hostile(self.stations[station.key].faction or None):
                points += self.estimator.classes[station.cls].points
        return points

    def scanned_strength(self, hex_: str, factions: Container[str] | None = None) -> float | None:
        """Return the enemy's strength at a hex from the newest sightings, by scan or in battle.

        Args:
            factions: Count only these factions.

        Returns:
            The strength, or None if there is no recent sighting.
        """
        sightings = self._newest_sightings(hex_, factions)
        if not sightings:
            return None
        counts: Counter[str] = Counter()
        for sighting in sightings:
            for kind, contacts in sighting.counts:
                counts[kind] += contacts
        system = self.system_at.get(hex_)
        fixed_points = 0 if system is None else self.fixed_points(system)
        strength = self.estimator.scanned_strength(sorted(counts.items()), fixed_points)
        if any(sighting.source == BATTLE for sighting in sightings):
            return strength * BATTLE_DAMAGE_FACTOR
        return strength

    def _newest_sightings(self, hex_: str, factions: Container[str] | None) -> list[Sighting]:
        """Return the sightings at a hex from the newest week with any; None means all factions."""
        sightings = []
        for (place, faction), sighting in self.last_sightings.items():
            if place == hex_ and (factions is None or faction in factions):
                sightings.append(sighting)
        newest = max((sighting.week for sighting in sightings), default=0)
        return [sighting for sighting in sightings if sighting.week == newest]

    def believed_strength(self, hex_: str, toward: str) -> float | None:
        """Return the likely strength of a hostile faction and its allies at a hex.

        It is the median of a few forces that would give the same scan. They are sampled as for a
        player's odds (`Belief`), from the faction's own View and published data.

        Returns:
            The strength, or None if no contacts of theirs were scanned there this week.
        """
        if (hex_, toward) not in self._believed:
            self._believed[hex_, toward] = self._sampled_strength(hex_, toward)
        return self._believed[hex_, toward]

    def _sampled_strength(self, hex_: str, toward: str) -> float | None:
        """Return the median strength of sampled forces; see `believed_strength`."""
        side = side_of(self.scenario, toward)
        contacts = 0
        for item in self.view.sightings:
            is_current = item.hex == hex_ and item.week == self.view.week
            if is_current and item.faction in side:
                contacts += sum(count for _, count in item.counts)
        if not contacts:
            return None
        if self._belief is None:
            self._belief = Belief(self.scenario, self.view)
        strengths = []
        for number in range(SAMPLES):
            ships = self._belief.force(hex_, toward, number).ships
            strengths.append(sum(map(self._believed_worth, ships)))
        return sorted(strengths)[SAMPLES // 2]

    def _believed_worth(self, ship: BelievedShip) -> float:
        """Return the strength of a ship that the enemy may have."""
        return self.estimator.ship_strength(
            Ship(
                key="",
                faction=ship.faction,
                name="",
                cls=ship.cls,
                fleet="",
                damage=ship.damage,
                lost=ship.lost,
            )
        )

    def _located_enemies(self) -> dict[str, float]:
        """Return the strength of located enemies by hex: seen, fixed, or about to enter."""
        result: dict[str, float] = {}
        for system in self.scenario.systems:
            strength = self._enemy_at(system)
            if strength > 0:
                result[system.hex] = strength
        for entry in self.scenario.entries:
            if self.is_hostile(entry.faction) and entry.week >= self.view.week:
                result[entry.hex] = result.get(entry.hex, 0.0) + self._mobile_budget(entry.faction)
        return result

    def _enemy_at(self, system: StarSystem) -> float:
        """Return the strength of enemies at a system, by the last scan or else its fixed defences.

        A system where no enemy is apparent has none.
        """
        system_view = self.system_views[system.id]
        is_in_sight = system_view.week == self.view.week
        seems_hostile = self.is_hostile(system_view.superior) or (
            is_in_sight and system_view.state != "held"
        )
        if not seems_hostile:
            return 0.0
        scan = self.scanned_strength(system.hex)
        if scan is None:
            return self.fixed_points(system) * self.estimator.fixed_per_point
        return scan

    def may_hide_enemies(self, system: StarSystem) -> bool:
        """Return whether unseen enemies may be at a system.

        That is so if the system is or was theirs and is not in sight.
        """
        system_view = self.system_views[system.id]
        is_theirs = self.is_hostile(system_view.holder) or self.is_hostile(system.owner)
        return is_theirs and (system_view.week < self.view.week or not system_view.present)

    def _mobile_budget(self, faction: str) -> float:
        """Return the mobile strength that a faction may have left from its budgets."""
        points = 0
        for budget in self.scenario.budgets:
            if budget.faction == faction and budget.ftl != "none":
                points += budget.points
        remaining_share = 1.0
        for _ in range(1, self.view.week):
            remaining_share *= UNSEEN_DECAY
        return points * self.estimator.mobile_per_point * remaining_share

    def _unseen_strength(self) -> float:
        """Return the strength of hostile mobile forces whose location is unknown."""
        enemies = [power.id for power in self.scenario.factions if self.is_hostile(power.id)]
        total = sum(map(self._mobile_budget, enemies))
        located = 0.0
        for hex_, strength in sorted(self.enemies.items()):
            system = self.system_at.get(hex_)
            fixed_points = 0 if system is None else self.fixed_points(system)
            located += max(0.0, strength - fixed_points * self.estimator.fixed_per_point)
        return max(0.0, total - located)

    def stake(self, system: str) -> float:
        """Return the present value of a system (cached)."""
        if system not in self._stakes:
            stake = self.aims.stake(system, self.superior, self.view.week)
            self._stakes[system] = stake + self.raids.get(system, 0.0)
        return self._stakes[system]

    def weeks_to(self, start: str, end: str) -> int | None:
        """Return the weeks of movement between two hexes: 0 for the same, None without a route."""
        journey = (start, end)
        if journey not in self._weeks:
            self._weeks[journey] = self._travel_weeks(start, end)
        return self._weeks[journey]

    def _travel_weeks(self, start: str, end: str) -> int | None:
        """Return what `weeks_to` caches."""
        steps = self.chart.distance(start, end)
        if steps is None:
            return None
        if start == end:
            return 0
        return max(1, ceil(steps / self.scenario.hexes_per_week))

    def own_strength(self, hex_: str) -> float:
        """Return the own strength at a hex now, without docked ships and ships in FTL space."""
        strength = 0.0
        for stack in self.stacks_at(hex_):
            ships = [ship for ship in (*stack.movers, *stack.stuck) if not ship.docked]
            strength += self.estimator.total_strength(ships)
        return strength


def _last_sightings(view: View) -> dict[tuple[str, str], Sighting]:
    """Return each faction's newest sighting at each hex, up to MAX_SIGHTING_AGE weeks old."""
    result: dict[tuple[str, str], Sighting] = {}
    for place, sighting in newest_sightings(view).items():
        if view.week - sighting.week <= MAX_SIGHTING_AGE:
            result[place] = sighting
    return result
