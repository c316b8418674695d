"""Estimates of ship strength, of the force behind a long-range scan, and of the chance to win.

Strength has a unit of its own; the strength of a force is the sum over its ships. The strength of a
ship is the engine captains' valuation of its present record sheet, whatever its rulebook and
equipment. Only sums, products, quotients and roots are used, so that every machine gets the same
result.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from campaign.belief.strengths import cached_sheet, strength_now
from campaign.rules.queries import empty_holders, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship

# Points of a contact whose classification no class has.
UNKNOWN_POINTS = 100
REAL_ESCORT_SHARE = 0.85  # of escort contacts where there may be decoy drones
CACHE_SIZE = 4  # scenarios


class StrengthEstimator:
    """Strengths of a scenario's classes and of scanned contacts.

    Attributes:
        points: The points of a contact by classification: the median of armed classes that can
            jump.
        mobile: The strength per point spent on ships with an FTL drive.
        fixed: The strength per point spent on ships without an FTL drive.
    """

    __slots__ = (
        "_designs",
        "_options",
        "classes",
        "decoys",
        "fixed_per_point",
        "mobile_per_point",
        "points",
        "strengths",
    )

    def __init__(self, scenario: Scenario) -> None:
        self.classes = ship_classes(scenario)
        self.decoys = scenario.decoys
        self._options = tuple(scenario.options)
        self._designs = {name: json.dumps(cls.design) for name, cls in self.classes.items()}
        self.strengths = {
            name: strength_now(design, self._options) for name, design in self._designs.items()
        }
        armed = [cls for cls in scenario.catalogue if self.strengths[cls.name] > 0]
        self.points = _median_points([cls for cls in armed if cls.ftl])
        self.mobile_per_point = self._rate([cls for cls in armed if cls.ftl])
        self.fixed_per_point = self._rate([cls for cls in armed if not cls.ftl])

    def _rate(self, classes: Iterable[ShipClass]) -> float:
        """Return the mean strength per point, leaving out the worst third of the classes."""
        rates = sorted(self.strengths[cls.name] / cls.points for cls in classes if cls.points)
        better = rates[len(rates) // 3 :]
        if better:
            return sum(better) / len(better)
        return 0.1

    def ship_strength(self, ship: Ship) -> float:
        """Return a ship's present strength in battle; 0 if it is laid up.

        Damage, lost systems and used stores are counted.
        """
        if ship.laid_up:
            return 0.0
        return self._strength_with(ship, ship.lost)

    def _strength_with(self, ship: Ship, lost_systems: tuple[str, ...]) -> float:
        """Return a ship's strength as if it had lost these systems and no others."""
        state = (ship.damage, lost_systems, ship.stock, ship.notes)
        return strength_now(self._designs[ship.cls], self._options, *state)

    def repair_gain(self, ship: Ship, system: str) -> float:
        """Return the strength that a ship would gain from repairing one lost system.

        For a drive, this is the gain of one repair step.
        """
        others = list(ship.lost)
        others.remove(system)
        return self._strength_with(ship, tuple(others)) - self._strength_with(ship, ship.lost)

    def system_types(self, cls: str) -> dict[str, str]:
        """Return the type of each of a class's systems by id."""
        result: dict[str, str] = {}
        for fit in cached_sheet(self._designs[cls], self._options).fits:
            result[fit.id] = fit.type
        return result

    def total_strength(self, ships: Iterable[Ship]) -> float:
        """Return the sum of the ships' strengths in battle."""
        return sum(self.ship_strength(ship) for ship in ships)

    def is_armed(self, ship: Ship) -> bool:
        """Return whether a ship can fight: it needs a working FireCon and weapon, and a crew."""
        if ship.laid_up:
            return False
        cls = self.classes[ship.cls]
        empty = empty_holders(ship)
        has_firecon = any(id_ not in ship.lost for id_ in cls.firecons)
        return has_firecon and any(id_ not in ship.lost and id_ not in empty for id_ in cls.weapons)

    def scanned_points(self, counts: Iterable[tuple[str, int]]) -> float:
        """Return the estimated points behind a long-range scan.

        If the scenario has decoys, some escort contacts are assumed to be decoys.
        """
        total = 0.0
        for kind, contacts in sorted(dict(counts).items()):
            ships = float(contacts)
            if self.decoys and kind == "escort":
                ships *= REAL_ESCORT_SHARE
            total += ships * self.points.get(kind, UNKNOWN_POINTS)
        return total

    def scanned_strength(self, counts: Iterable[tuple[str, int]], fixed_points: int) -> float:
        """Return the estimated strength behind a long-range scan.

        Args:
            fixed_points: The most points that may be the system's fixed defences.
        """
        points = self.scanned_points(counts)
        fixed = min(points, float(fixed_points))
        return fixed * self.fixed_per_point + (points - fixed) * self.mobile_per_point


# A war needs the same scenario again and again.
_CACHE: list[tuple[Scenario, StrengthEstimator]] = []


def estimator_of(scenario: Scenario) -> StrengthEstimator:
    """Return a scenario's estimator, cached for the last few scenarios."""
    for cached, estimator in _CACHE:
        if cached is scenario:
            return estimator
    result = StrengthEstimator(scenario)
    _CACHE[CACHE_SIZE - 1 :] = []
    _CACHE.insert(0, (scenario, result))
    return result


def _median_points(classes: Iterable[ShipClass]) -> Mapping[str, float]:
    """Return the median points of some classes by classification."""
    points_of: dict[str, list[int]] = {}
    for cls in classes:
        points_of.setdefault(cls.classification, []).append(cls.points)
    result = {}
    for kind, points in sorted(points_of.items()):
        result[kind] = float(sorted(points)[len(points) // 2])
    return result


def win_chance(own_strength: float, enemy_strength: float, doubt: int = 5) -> float:
    """Return the chance to win a battle between two strengths.

    Args:
        doubt: The exponent of the ratio: 9 if both strengths are known, lower for estimates.
    """
    if own_strength <= 0:
        return 0.0
    if enemy_strength <= 0:
        return 1.0
    odds = 1.0
    for _ in range(doubt):
        odds *= own_strength / enemy_strength
    return odds / (1.0 + odds)
