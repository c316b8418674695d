"""What an admiral reckons: how strong ships are, what a long range scan may hide, and who would
win.

Strength is in no unit but its own: forces that fight each other add it up ship by ship. A ship's is
what the engine's captains make of its record sheet as it is now, whatever its rulebook and whatever
it carries. Only sums, products, quotients and roots are used, so that every machine reckons alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from campaign.belief.strengths import cached_sheet, strength_now
from campaign.rules.queries import empty_holders, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship

# A contact of a classification nobody has a class for.
UNKNOWN_POINTS = 100
CACHE_SIZE = 4  # scenarios


class StrengthEstimator:
    """A scenario's classes as strengths, and the means by which scans are read.

    `points`: of a contact by its classification, the median of the armed classes that can jump.
    `mobile`, `fixed`: the strength of a point spent on ships with and without an FTL drive.
    """

    __slots__ = (
        "_designs",
        "_options",
        "classes",
        "decoys",
        "fixed",
        "mobile",
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
        self.mobile = self._rate([cls for cls in armed if cls.ftl])
        self.fixed = self._rate([cls for cls in armed if not cls.ftl])

    def _rate(self, classes: Iterable[ShipClass]) -> float:
        """The strength of a point, the mean of those that are worth their points."""
        rates = sorted(self.strengths[cls.name] / cls.points for cls in classes if cls.points)
        better = rates[len(rates) // 3 :]
        return sum(better) / len(better) if better else 0.1

    def ship_strength(self, ship: Ship) -> float:
        """The worth of a ship in battle now, with the boxes, systems and stores it has left;
        nothing laid up.
        """
        if ship.laid_up:
            return 0.0
        return self._now(ship, ship.lost)

    def _now(self, ship: Ship, lost: tuple[str, ...]) -> float:
        state = (ship.damage, lost, ship.stock, ship.notes)
        return strength_now(self._designs[ship.cls], self._options, *state)

    def gain(self, ship: Ship, system: str) -> float:
        """The worth that a ship would gain if one of its lost systems were repaired (a drive by one
        of its steps).
        """
        lost = list(ship.lost)
        lost.remove(system)
        return self._now(ship, tuple(lost)) - self._now(ship, ship.lost)

    def types(self, cls: str) -> dict[str, str]:
        """The type of each of a class's systems, by its id."""
        return {fit.id: fit.type for fit in cached_sheet(self._designs[cls], self._options).fits}

    def total_strength(self, ships: Iterable[Ship]) -> float:
        """The worth of ships together in battle."""
        return sum(self.ship_strength(ship) for ship in ships)

    def is_armed(self, ship: Ship) -> bool:
        """Whether a ship can fight: a FireCon and a weapon that work, and a crew."""
        cls, empty = self.classes[ship.cls], empty_holders(ship)
        return (
            not ship.laid_up
            and any(id_ not in ship.lost for id_ in cls.firecons)
            and any(id_ not in ship.lost and id_ not in empty for id_ in cls.weapons)
        )

    def scanned_points(self, counts: Iterable[tuple[str, int]]) -> float:
        """The points a long range scan may stand for; where drones are about some escorts are
        none.
        """
        total = 0.0
        contact_counts = dict(counts)
        for kind, contacts in sorted(contact_counts.items()):
            believed = contacts * (0.85 if self.decoys and kind == "escort" else 1.0)
            total += believed * self.points.get(kind, UNKNOWN_POINTS)
        return total

    def scanned_strength(self, counts: Iterable[tuple[str, int]], fixed_points: int) -> float:
        """The strength behind a scan where up to `fixed_points` were spent on the system's own
        defences.
        """
        points = self.scanned_points(counts)
        fixed = min(points, float(fixed_points))
        return fixed * self.fixed + (points - fixed) * self.mobile


_CACHE: list[
    tuple[Scenario, StrengthEstimator]
] = []  # a war asks for the same scenario again and again


def estimator_of(scenario: Scenario) -> StrengthEstimator:
    """The reckoner of a scenario; those of the scenarios asked for last are kept."""
    for cached, estimator in _CACHE:
        if cached is scenario:
            return estimator
    result = StrengthEstimator(scenario)
    _CACHE[CACHE_SIZE - 1 :] = []
    _CACHE.insert(0, (scenario, result))
    return result


def _median_points(classes: Iterable[ShipClass]) -> Mapping[str, float]:
    result: dict[str, list[int]] = {}
    for cls in classes:
        result.setdefault(cls.classification, []).append(cls.points)
    return {
        kind: float(sorted(points)[len(points) // 2]) for kind, points in sorted(result.items())
    }


def win_chance(own_strength: float, enemy_strength: float, doubt: int = 5) -> float:
    """The chance to win a battle by the two strengths.

    `doubt`: 9 where both are known, lower for an estimate.
    """
    if own_strength <= 0:
        return 0.0
    if enemy_strength <= 0:
        return 1.0
    odds = 1.0
    for _ in range(doubt):
        odds *= own_strength / enemy_strength
    return odds / (1.0 + odds)
