"""What an admiral makes of a View: which systems count, his own forces, where the enemy stands or
may stand.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from campaign.belief.forces import Belief, BelievedShip
from campaign.rules.queries import (
    can_jump,
    pending_entry_week,
    ships_by_fleet,
    side_of,
    systems_by_hex,
)
from campaign.rules.scenario import Condition, Scenario, StarSystem
from campaign.rules.sightings import newest_sightings
from campaign.rules.starmap import StarMap, star_map
from campaign.rules.view import BATTLE, Fleet, KnownSystem, Ship, Sighting, View
from umpire.admirals.strength import estimator_of

NAMED_SYSTEM_WEIGHT = 5.0  # a system a condition asks for by name, beside one of several
BASE_WEIGHT = 0.15  # a naval base, beside the most wanted system
MIN_WEIGHT = 0.02  # a system nobody asks for

Superior = Mapping[str, str | None]  # system id -> the faction superior there

UNSEEN_DECAY = 0.94  # of an unseen enemy's mobile force, each week
BATTLE_DAMAGE_FACTOR = 0.65  # what enemies that outlived a battle are worth beside their classes
# Forces that are drawn for what a scan may hide; five take half as long again, and decide alike
SAMPLES = 3
MAX_SIGHTING_AGE = 3  # weeks after which a sighting says nothing


class VictoryAims:
    """A faction's aims, from the scenario's victory conditions alone.

    `want`: what each system is worth by itself, the most wanted 1; a base counts besides. `side`:
    it and its allies.
    """

    __slots__ = ("_alliance", "_counted_systems", "faction", "scenario", "side", "want")

    def __init__(self, scenario: Scenario, faction: str) -> None:
        self.scenario = scenario
        self.faction = faction
        self.side = side_of(scenario, faction)
        self._alliance = {power.id: power.alliance for power in scenario.factions}
        self._counted_systems = [
            tuple(s.id for s in scenario.systems if c.counts(s)) for c in scenario.victory
        ]
        self.want = self._wants()

    def is_ours(self, power: str | None) -> bool:
        """Whether a faction or alliance is of this side."""
        return power is not None and (power in self.side or power == self._alliance[self.faction])

    def _wants(self) -> dict[str, float]:
        raw = {system.id: 0.0 for system in self.scenario.systems}
        for condition in self.scenario.victory:
            if condition.by is None:
                continue
            for system in self.scenario.systems:
                if system.id in condition.including:
                    raw[system.id] += NAMED_SYSTEM_WEIGHT
                elif condition.counts(system):
                    raw[system.id] += 1.0
        most = max(raw.values(), default=0.0) or 1.0
        result: dict[str, float] = {}
        for system in self.scenario.systems:
            base = BASE_WEIGHT if system.facility is not None and system.facility.repairs else 0.0
            result[system.id] = max(MIN_WEIGHT, raw[system.id] / most) + base
        return result

    def score(self, superior: Superior, *, at_once: bool = False) -> float:
        """The score of the war if it ended so: 1 won, 0 lost, a half drawn.

        `at_once`: by the conditions alone that end it as soon as they hold; a half where it goes
        on.
        """
        for condition, system_ids in zip(self.scenario.victory, self._counted_systems, strict=True):
            if (condition.total or not at_once) and self._holds(condition, system_ids, superior):
                if condition.winner is None:
                    return 0.5
                return 1.0 if self.is_ours(condition.winner) else 0.0
        return 0.5

    def _holds(self, condition: Condition, system_ids: Sequence[str], superior: Superior) -> bool:
        if condition.ruins:
            return False  # whatever they know of ruins, admirals reckon with systems
        if condition.by is None:
            return True
        if not all(
            self._belongs_to(superior.get(id_), condition.by) for id_ in condition.including
        ):
            return False
        return (
            sum(self._belongs_to(superior.get(id_), condition.by) for id_ in system_ids)
            >= condition.at_least
        )

    def _belongs_to(self, faction: str | None, power: str) -> bool:
        return faction is not None and power in (faction, self._alliance[faction])

    def score_swing(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """The change of the score if this side rather than its worst enemy stood superior in a
        system, from 0 to 1.
        """
        with_us = self.score({**superior, system: self.faction}, at_once=at_once)
        return max(0.0, with_us - self.score_without(system, superior, at_once=at_once))

    def score_without(self, system: str, superior: Superior, *, at_once: bool = False) -> float:
        """The score of the war if the worst enemy, or nobody, stood superior in a system."""
        enemies = [power.id for power in self.scenario.factions if not self.is_ours(power.id)]
        return min(
            self.score({**superior, system: power}, at_once=at_once) for power in (None, *enemies)
        )

    def stake(self, system: str, superior: Superior, week: int) -> float:
        """The worth of a system now: by itself, in what it would decide at once, and ever more in
        what it changes.
        """
        late = week / self.scenario.weeks
        sudden = 2.0 * self.score_swing(system, superior, at_once=True)
        return self.want[system] + sudden + 2.0 * late * late * self.score_swing(system, superior)


@dataclass(slots=True)
class Stack:
    """Own fleets that may exchange ships: in one hex, and in the same state.

    `movers` can jump, `stuck` cannot.

    `waiting`: not on the map yet.
    """

    hex: str
    in_ftl: bool
    must_leave: bool
    waiting: bool
    fleets: list[Fleet] = field(default_factory=list)
    movers: list[Ship] = field(default_factory=list)
    stuck: list[Ship] = field(default_factory=list)


class Situation:
    """A View, thought through. Strengths are the Reckoner's.

    `enemies`: strength by hex of those whose place is known; `unseen`: what they may have besides.
    `known` and `superior`: who has each system, and is superior there, as it is taken to be now;
    `mobile`: what of ours can jump.
    """

    __slots__ = (
        *(
            "_belief",
            "_believed",
            "_stakes",
            "_weeks",
            "aims",
            "chart",
            "enemies",
            "system_views",
            "last",
            "mobile",
        ),
        *(
            "estimator",
            "scenario",
            "scenario_owner",
            "stacks",
            "superior",
            "system_at",
            "unseen",
            "view",
            "weeks_left",
        ),
    )

    def __init__(self, scenario: Scenario, view: View) -> None:
        self.scenario = scenario
        self.view = view
        self.aims = VictoryAims(scenario, view.faction)
        self.estimator = estimator_of(scenario)
        self.chart: StarMap = star_map(scenario)
        self.system_at: dict[str, StarSystem] = systems_by_hex(scenario)
        self.scenario_owner = {system.id: system.owner for system in scenario.systems}
        self.system_views: dict[str, KnownSystem] = {
            system_view.system: self._assume_current(system_view) for system_view in view.systems
        }
        self.weeks_left = scenario.weeks - view.week  # after this one
        self.superior = {
            id_: system_view.superior for id_, system_view in self.system_views.items()
        }
        self._belief: Belief | None = None
        self._believed: dict[tuple[str, str], float | None] = {}
        self._stakes: dict[str, float] = {}
        self._weeks: dict[tuple[str, str], int | None] = {}
        self.last = _last_sightings(view)
        self.stacks = self._stacks()
        self.mobile = sum(self.estimator.total_strength(stack.movers) for stack in self.stacks)
        self.enemies = self._located_enemies()
        self.unseen = self._unseen_strength()

    def _stacks(self) -> list[Stack]:
        ships_of = ships_by_fleet(self.view.ships)
        result: dict[tuple[str, bool, bool, bool], Stack] = {}
        for fleet in self.view.fleets:
            waiting = pending_entry_week(self.scenario, fleet, self.view.week) is not None
            where = (fleet.hex, fleet.in_ftl, fleet.must_leave, waiting)
            stack = result.setdefault(where, Stack(*where))
            stack.fleets.append(fleet)
            for ship in ships_of.get(fleet.key, ()):
                side = (
                    stack.movers
                    if can_jump(self.estimator.classes[ship.cls], ship)
                    else stack.stuck
                )
                side.append(ship)
        return [result[where] for where in sorted(result)]

    def _assume_current(self, system_view: KnownSystem) -> KnownSystem:
        """A system as it is taken to be now.

        In sight: as seen. Out of sight: as it was, its holder superior; but what was ours and has
        no ship of ours now is back with its owner.
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
        """Whether a faction, where there is one, is not of the admiral's side."""
        return faction is not None and faction not in self.aims.side

    def fixed_points(self, system: StarSystem) -> int:
        """The points enemies may have spent on defences bound to a system."""
        return sum(
            budget.points
            for budget in self.scenario.budgets
            if budget.ftl == "none"
            and budget.deploy == (system.id,)
            and self.is_hostile(budget.faction)
        )

    def scanned_strength(self, hex_: str, factions: Container[str] | None = None) -> float | None:
        """The enemy's strength at a hex by what was last seen of it, by scan or in battle.

        Of those factions alone where some are named. None where none was ever seen.
        """
        here = [
            sighting
            for (where, faction), sighting in sorted(self.last.items())
            if where == hex_ and (factions is None or faction in factions)
        ]
        if not here:
            return None
        newest = max(sighting.week for sighting in here)
        system = self.system_at.get(hex_)
        fixed = self.fixed_points(system) if system is not None else 0
        counts: dict[str, int] = {}
        was_battle = False
        for sighting in here:
            if sighting.week == newest:
                was_battle = was_battle or sighting.source == BATTLE
                for kind, contacts in sighting.counts:
                    counts[kind] = counts.get(kind, 0) + contacts
        strength = self.estimator.scanned_strength(sorted(counts.items()), fixed)
        return strength * BATTLE_DAMAGE_FACTOR if was_battle else strength

    def believed_strength(self, hex_: str, toward: str) -> float | None:
        """The strength of a hostile faction and its allies at a hex: of some forces that read so,
        the middle one's.

        They are drawn as those of a player's odds are (`Belief`), by one's own View and what is
        published. None where none of them was read there this week.
        """
        if (hex_, toward) not in self._believed:
            self._believed[hex_, toward] = self._sampled_strength(hex_, toward)
        return self._believed[hex_, toward]

    def _sampled_strength(self, hex_: str, toward: str) -> float | None:
        side = side_of(self.scenario, toward)
        sightings = [
            item for item in self.view.sightings if item.hex == hex_ and item.week == self.view.week
        ]
        contacts = sum(
            count for item in sightings if item.faction in side for _, count in item.counts
        )
        if not contacts:
            return None
        if self._belief is None:
            self._belief = Belief(self.scenario, self.view)
        samples = [self._belief.force(hex_, toward, number).ships for number in range(SAMPLES)]
        strengths = sorted(sum(map(self._believed_worth, ships)) for ships in samples)
        return strengths[SAMPLES // 2]

    def _believed_worth(self, ship: BelievedShip) -> float:
        return self.estimator.ship_strength(
            Ship("", ship.faction, "", ship.cls, "", ship.damage, ship.lost)
        )

    def _located_enemies(self) -> dict[str, float]:
        """Enemies whose place is known: seen there now or lately, or bound there, or about to
        enter.
        """
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
        """The strength of enemies at a system: by the last scan, or what is bound there; none where
        none is seen.
        """
        system_view = self.system_views[system.id]
        scan = self.scanned_strength(system.hex)
        bound = self.fixed_points(system) * self.estimator.fixed
        if system_view.week == self.view.week:  # in sight
            seems_hostile = self.is_hostile(system_view.superior) or system_view.state != "held"
            return (bound if scan is None else scan) if seems_hostile else 0.0
        if not self.is_hostile(system_view.superior):
            return 0.0
        return bound if scan is None else scan

    def may_hide_enemies(self, system: StarSystem) -> bool:
        """Whether unseen enemies may be at a system: it is theirs, or was when last seen, and not
        in sight.
        """
        system_view = self.system_views[system.id]
        is_theirs = self.is_hostile(system_view.holder) or self.is_hostile(system.owner)
        return is_theirs and (system_view.week < self.view.week or not system_view.present)

    def _mobile_budget(self, faction: str) -> float:
        points = sum(
            budget.points
            for budget in self.scenario.budgets
            if budget.faction == faction and budget.ftl != "none"
        )
        worn = 1.0
        for _ in range(1, self.view.week):
            worn *= UNSEEN_DECAY
        return points * self.estimator.mobile * worn

    def _unseen_strength(self) -> float:
        """The strength of hostile mobile forces that may be anywhere."""
        total = sum(
            self._mobile_budget(power.id)
            for power in self.scenario.factions
            if self.is_hostile(power.id)
        )
        located = 0.0
        for hex_, strength in sorted(self.enemies.items()):
            system = self.system_at.get(hex_)
            bound = self.fixed_points(system) * self.estimator.fixed if system is not None else 0.0
            located += max(0.0, strength - bound)
        return max(0.0, total - located)

    def stake(self, system: str) -> float:
        """The worth of a system now."""
        if system not in self._stakes:
            self._stakes[system] = self.aims.stake(system, self.superior, self.view.week)
        return self._stakes[system]

    def weeks_to(self, start: str, end: str) -> int | None:
        """Weeks of movement from one hex to another, 0 where they are one; None where no way leads
        there.
        """
        way = (start, end)
        if way not in self._weeks:
            steps = self.chart.distance(start, end)
            limit = self.scenario.hexes_per_week
            self._weeks[way] = (
                None if steps is None else 0 if start == end else max(1, -(-steps // limit))
            )
        return self._weeks[way]

    def own_strength(self, hex_: str) -> float:
        """Own strength at a hex now, docked ships left out, and ships in FTL space."""
        return sum(
            self.estimator.total_strength(
                ship for ship in (*stack.movers, *stack.stuck) if not ship.docked
            )
            for stack in self.stacks
            if stack.hex == hex_ and not stack.in_ftl and not stack.waiting
        )


def _last_sightings(view: View) -> dict[tuple[str, str], Sighting]:
    """The newest sighting of each faction at each hex, none older than LONG_AGO weeks."""
    return {
        place: sighting
        for place, sighting in newest_sightings(view).items()
        if view.week - sighting.week <= MAX_SIGHTING_AGE
    }
