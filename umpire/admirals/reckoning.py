"""What an admiral reckons: how strong ships are, what a long range scan may hide, and who would win.

Strength is in no unit but its own: forces that fight each other add it up ship by ship. Only sums, products and square
roots are used, so that every machine reckons alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt

from campaign.rules.lookup import emptied, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship

# Dice of a battery at short range; other weapons as OTHER_WEAPON.
BATTERY_DICE: dict[str, int] = {"A": 3, "B": 2, "C": 1}
OTHER_WEAPON = 2

# How many times longer a ship lasts behind so many screens.
BEHIND_SCREENS = (1.0, 4 / 3, 2.0, 4.0)

# A contact of a classification nobody has a class for.
UNKNOWN_POINTS = 100


class Reckoner:
    """A scenario's classes as strengths, and the means by which scans are read.

    `points`: of a contact by its classification, the median of the armed classes that can jump. `mobile`, `fixed`: the
    strength of a point spent on ships with and without an FTL drive.
    """

    __slots__ = ("classes", "decoys", "fixed", "mobile", "points", "strengths")

    def __init__(self, scenario: Scenario) -> None:
        self.classes = ship_classes(scenario)
        self.decoys = scenario.decoys
        self.strengths = {name: class_strength(cls) for name, cls in self.classes.items()}
        armed = [cls for cls in scenario.catalogue if cls.firecons and cls.weapons]
        self.points = _median_points([cls for cls in armed if cls.ftl])
        self.mobile = self._rate([cls for cls in armed if cls.ftl])
        self.fixed = self._rate([cls for cls in armed if not cls.ftl])

    def _rate(self, classes: Iterable[ShipClass]) -> float:
        """The strength of a point, the mean of those that are worth their points."""
        rates = sorted(self.strengths[cls.name] / cls.points for cls in classes if cls.points)
        better = rates[len(rates) // 3 :]
        return sum(better) / len(better) if better else 0.1

    def ship(self, ship: Ship) -> float:
        """What a ship is worth in battle now: its weapons, its boxes; nothing without a FireCon or a weapon."""
        cls = self.classes[ship.cls]
        if not self.armed(ship):
            return 0.0
        if not ship.damage and not ship.lost and not ship.stock:
            return self.strengths[ship.cls]
        empty = emptied(ship)
        weapons = sum(id_ not in ship.lost and id_ not in empty for id_ in cls.weapons) / len(cls.weapons)
        boxes = max(0, cls.damage_points - ship.damage) / max(1, cls.damage_points)
        drive = 1.0 - 0.15 * ship.lost.count("drive")
        return self.strengths[ship.cls] * sqrt(weapons * boxes) * drive

    def ships(self, ships: Iterable[Ship]) -> float:
        return sum(self.ship(ship) for ship in ships)

    def armed(self, ship: Ship) -> bool:
        """Whether a ship can fight: a FireCon and a weapon that work, and a crew."""
        cls, empty = self.classes[ship.cls], emptied(ship)
        return (
            not ship.laid_up
            and any(id_ not in ship.lost for id_ in cls.firecons)
            and any(id_ not in ship.lost and id_ not in empty for id_ in cls.weapons)
        )

    def scanned_points(self, counts: Iterable[tuple[str, int]]) -> float:
        """The points a long range scan may stand for; where drones are about some escorts are none."""
        whole = 0.0
        seen = dict(counts)
        for kind, contacts in sorted(seen.items()):
            believed = contacts * (0.85 if self.decoys and kind == "escort" else 1.0)
            whole += believed * self.points.get(kind, UNKNOWN_POINTS)
        return whole

    def scanned(self, counts: Iterable[tuple[str, int]], fixed_points: int) -> float:
        """The strength behind a scan where up to `fixed_points` were spent on the system's own defences."""
        points = self.scanned_points(counts)
        fixed = min(points, float(fixed_points))
        return fixed * self.fixed + (points - fixed) * self.mobile


def class_strength(cls: ShipClass) -> float:
    """The strength of an undamaged ship: the root of its dice times its staying power, a little more if nimble."""
    if not cls.weapons or not cls.firecons:
        return 0.0
    dice = screens = 0
    for system in cls.design.get("systems", ()):
        many = system.get("count", 1)
        if system.get("type") == "battery":
            dice += BATTERY_DICE.get(system.get("battery", ""), OTHER_WEAPON) * many
        elif system.get("type") == "screen":
            screens += many
    batteries = sum(id_.startswith("battery") for id_ in cls.weapons)
    dice = (dice or OTHER_WEAPON * batteries) + OTHER_WEAPON * (len(cls.weapons) - batteries)
    staying = cls.damage_points * BEHIND_SCREENS[min(screens, len(BEHIND_SCREENS) - 1)]
    return sqrt(dice * staying * sqrt(float(cls.thrust or 1)))


def _median_points(classes: Iterable[ShipClass]) -> Mapping[str, float]:
    found: dict[str, list[int]] = {}
    for cls in classes:
        found.setdefault(cls.classification, []).append(cls.points)
    return {kind: float(sorted(points)[len(points) // 2]) for kind, points in sorted(found.items())}


def winning(own: float, enemy: float, doubt: int = 5) -> float:
    """The chance to win a battle by the two strengths. `doubt`: 9 where both are known, lower for an estimate."""
    if own <= 0:
        return 0.0
    if enemy <= 0:
        return 1.0
    odds = 1.0
    for _ in range(doubt):
        odds *= own / enemy
    return odds / (1.0 + odds)
