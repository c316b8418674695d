"""Exact distributions of what dice do, for the luck account (`engine.luck`).

An edition's own package has a function for each kind of event with dice; kinds that both editions
share are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

FACES = range(1, 7)
REROLL_DEPTH = 12  # deeper re-rolls are left out: one die in two thousand million
NEGLIGIBLE = 1e-18  # a chance at either end of a sum of dice that is left out
MAX_TIED = 3  # sides in an initiative roll; with more it is unknown which ones tied

Event = Mapping[str, Any]


class Part(StrEnum):
    """The parts of a battle that the account distinguishes."""

    BEAMS = "beams"
    TORPEDOES = "torpedoes"
    TORPEDO_HITS = "torpedo-hits"
    NEEDLES = "needles"
    SUBMUNITIONS = "submunitions"
    FIGHTERS = "fighters"
    DOGFIGHTS = "dogfights"
    POINT_DEFENCE = "point-defence"
    MINES = "mines"
    THRESHOLDS = "thresholds"
    SYSTEM_CHECKS = "system-checks"
    REPAIRS = "repairs"
    INITIATIVE = "initiative"
    GRASERS = "grasers"
    PLASMA = "plasma"
    GUN_HITS = "gun-hits"
    DOUBLED_HITS = "doubled-hits"
    DEFENCE_GUNS = "defence-guns"
    PHASERS = "phasers"
    FUSION = "fusion"
    NEEDLE_POINTS = "needle-points"
    ORDNANCE_DEFENCE = "ordnance-defence"
    SALVOES = "salvoes"
    MISSILES = "missiles"
    BLASTS = "blasts"


# Parts of which a high number is bad for the side itself.
BAD_FOR_OWNER = frozenset(
    {
        *(Part.MINES, Part.THRESHOLDS, Part.SYSTEM_CHECKS),
        *(Part.SALVOES, Part.MISSILES, Part.BLASTS),
    }
)


@dataclass(frozen=True, slots=True)
class Pmf:
    """The chances of whole numbers.

    Attributes:
        low: The least number.
        chances: Of `low`, of the number after it, and so on.
    """

    low: int
    chances: tuple[float, ...]

    def __add__(self, other: Pmf) -> Pmf:
        """Return the distribution of the sum of both."""
        sums = [0.0] * (len(self.chances) + len(other.chances) - 1)
        for number, chance in enumerate(self.chances):
            for total, other_chance in enumerate(other.chances, start=number):
                sums[total] += chance * other_chance
        return _trimmed(self.low + other.low, sums)

    @property
    def mean(self) -> float:
        """Return the expected value."""
        return sum(self.low * chance + n * chance for n, chance in enumerate(self.chances))

    @property
    def variance(self) -> float:
        """Return the square of the standard deviation."""
        offset = self.mean - self.low
        squares = sum(n * n * chance for n, chance in enumerate(self.chances))
        return squares - offset * offset

    def below(self, value: int) -> float:
        """Return the chance of less than a value."""
        return sum(self.chances[: max(value - self.low, 0)])

    def chance(self, value: int) -> float:
        """Return the chance of a value."""
        place = value - self.low
        return self.chances[place] if 0 <= place < len(self.chances) else 0.0

    def two_sided(self, value: int) -> float:
        """Return the chance of a value at least as far out, on either side."""
        lower = self.below(value + 1)
        upper = sum(self.chances[max(value - self.low, 0) :])
        return min(2 * lower, 2 * upper, 1.0)


CERTAIN_ZERO = Pmf(0, (1.0,))


def _trimmed(low: int, chances: list[float]) -> Pmf:
    """Return a distribution without negligible chances at its ends."""
    start = 0
    end = len(chances)
    while chances[start] < NEGLIGIBLE and end - start > 1:
        start += 1
    while chances[end - 1] < NEGLIGIBLE and end - start > 1:
        end -= 1
    return Pmf(low + start, tuple(chances[start:end]))


def times(pmf: Pmf, count: int) -> Pmf:
    """Return the distribution of the sum of this many independent numbers."""
    result = CERTAIN_ZERO
    power = pmf
    while count:
        if count % 2:
            result += power
        count //= 2
        if count:
            power += power
    return result


def pmf_of_faces(effects: Sequence[int]) -> Pmf:
    """Return the distribution of a die's effect.

    Args:
        effects: By face; index 0 is unused.
    """
    chances = [0.0] * (max(effects) + 1)
    for face in FACES:
        chances[effects[face]] += 1 / 6
    return Pmf(0, tuple(chances))


def pmf_with_rerolls(first: Sequence[int], rerolled: Sequence[int]) -> Pmf:
    """Return the distribution of a die's effect if each 6 earns another die.

    Args:
        first: The effect of the first die by face; index 0 is unused.
        rerolled: The effect of further dice.
    """
    further = pmf_of_faces(rerolled)
    for _ in range(REROLL_DEPTH):
        further = _with_six(rerolled, further)
    return _with_six(first, further)


def _with_six(effects: Sequence[int], further: Pmf) -> Pmf:
    """Return the distribution of a die to whose 6 a further number is added."""
    chances = [0.0] * (max(effects) + len(further.chances))
    for face in FACES[:-1]:
        chances[effects[face]] += 1 / 6
    for number, chance in enumerate(further.chances, start=effects[6] + further.low):
        chances[number] += chance / 6
    return Pmf(0, tuple(chances))


def compound(number: Pmf, each: Pmf) -> Pmf:
    """Return the distribution of the sum of a random number of independent numbers.

    Args:
        number: The distribution of how many are added.
        each: The distribution of each of them.
    """
    chances = [0.0] * ((number.low + len(number.chances)) * (each.low + len(each.chances)))
    total = times(each, number.low)
    for chance in number.chances:
        for place, other in enumerate(total.chances, start=total.low):
            chances[place] += chance * other
        total += each
    return _trimmed(0, chances)


def pmf_of_success(chance: float) -> Pmf:
    """Return the distribution of 1 with a chance, and 0 otherwise."""
    return Pmf(0, (1 - chance, chance))


def at_least(needed: int) -> float:
    """Return the chance that a die shows a number or more."""
    return min(max(7 - needed, 0), 6) / 6


def pmf_of_hit(chance: float, effect: Pmf) -> Pmf:
    """Return the distribution of a shot that has an effect if it hits, with a chance."""
    chances = [0.0] * effect.low + [chance * each for each in effect.chances]
    chances[0] += 1 - chance
    return Pmf(0, tuple(chances))


def pmf_of_torpedo(needed: int) -> Pmf:
    """Return the distribution of a torpedo's damage: a die to hit, and a die of damage."""
    return pmf_of_hit(at_least(needed), Pmf(1, (1 / 6,) * 6))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What dice of an event did.

    Attributes:
        subject: The ship or group whose dice they are, or the name of a side.
        pmf: The distribution of `value`.
        count: How many independent numbers of this distribution were added.
        dice: How many dice were rolled.
    """

    part: Part
    subject: str
    pmf: Pmf
    count: int
    value: int
    dice: int


Outcomes = tuple[Outcome, ...]
Counting = Callable[[Event], Outcomes | None]


def plain_dice(part: Part, subject: str, effects: Sequence[int], event: Event) -> Outcomes:
    """Return the outcome of dice without re-rolls."""
    count = len(event["dice"])
    return (Outcome(part, subject, pmf_of_faces(effects), count, event["hits"], count),)


def hit_or_miss(part: Part, subject: str, needed: int, die: int) -> Outcomes:
    """Return whether a single die showed the number that it needed, or more."""
    pmf = pmf_of_success(at_least(needed))
    return (Outcome(part, subject, pmf, 1, int(die >= needed), 1),)


def _threshold(event: Event) -> Outcomes:
    """Return the systems that failed a threshold check."""
    return _checks(Part.THRESHOLDS, event)


def _system_check(event: Event) -> Outcomes:
    """Return the systems that failed another check."""
    return _checks(Part.SYSTEM_CHECKS, event)


def _checks(part: Part, event: Event) -> Outcomes:
    """Return how many of the dice of a check failed."""
    loses_on = event["loses_on"]
    count = len(event["rolls"])
    failed = sum(die >= loses_on for _, die in event["rolls"])
    return (Outcome(part, event["ship"], pmf_of_success(at_least(loses_on)), count, failed, count),)


def _repair(event: Event) -> Outcomes:
    """Return whether damage control succeeded: with a die of at most the number of parties."""
    if not event["die"]:
        return ()
    pmf = pmf_of_success(min(max(event["parties"], 0), 6) / 6)
    return (Outcome(Part.REPAIRS, event["ship"], pmf, 1, int(event["succeeded"]), 1),)


def _initiative(event: Event) -> Outcomes | None:
    """Return for each side that rolled whether it came first among them."""
    names = list(dict.fromkeys(name for name, _ in event["rolls"]))
    if len(names) > MAX_TIED:
        return None
    first = next(name for name in event["order"] if name in names)
    pmf = pmf_of_success(1 / len(names))
    outcomes = []
    for name in names:
        dice = sum(roller == name for roller, _ in event["rolls"])
        outcomes.append(Outcome(Part.INITIATIVE, name, pmf, 1, int(name == first), dice))
    return tuple(outcomes)


# By the kind of event, for both editions.
COMMON: Mapping[str, Counting] = {
    "threshold": _threshold,
    "system-check": _system_check,
    "repair": _repair,
    "initiative": _initiative,
}
