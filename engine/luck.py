"""The luck account: what dice did in battles, compared with what was to be expected.

The number of dice is taken as given: it is a matter of play, not of luck. Events whose dice have no
distribution in their edition's `counted_dice` are listed as not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from typing import Any

from engine.core.luck import BAD_FOR_OWNER, CERTAIN_ZERO, Event, Outcome, Part, Pmf, times
from engine.ruleset import rules_of

# Fields of events that have dice.
DICE_FIELDS = (
    *("dice", "die", "rolls", "damage", "marine_dice", "party_dice", "repelled", "defended"),
    *("attacked", "blows"),
)


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """A battle whose dice are counted.

    Attributes:
        key: Its name.
        start: The file with which it began.
        events: All events in order, as lines of the log.
    """

    key: str
    start: Mapping[str, Any]
    events: Iterable[Event]


@dataclass(frozen=True, slots=True)
class LuckLine:
    """What the dice of a faction did in a part of a battle, or of all battles.

    Attributes:
        battle: Empty for all battles.
        dice: How many were rolled.
        effect: What they did: points of damage, craft, systems, successes.
        p: The chance of a number at least as far from the expected one, on either side.
        better_than: The share of wars with worse luck; half of those with equal luck count.
    """

    faction: str
    part: Part
    battle: str
    dice: int
    effect: int
    expected: float
    deviation: float
    p: float
    better_than: float

    def to_json(self) -> dict[str, Any]:
        """Return the line as JSON."""
        return {
            "faction": self.faction,
            "part": str(self.part),
            "battle": self.battle,
            "dice": self.dice,
            "thrown": self.effect,
            "expected": self.expected,
            "sd": self.deviation,
            "p": self.p,
            "better_than": self.better_than,
        }


@dataclass(frozen=True, slots=True)
class LuckAccount:
    """The luck account of a war.

    Attributes:
        lines: Of all battles together, by faction and part; then those of each battle.
        not_counted: How many events of each kind had dice that are not counted.
    """

    lines: tuple[LuckLine, ...]
    not_counted: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return the account as JSON."""
        return {
            "lines": [line.to_json() for line in self.lines],
            "not_counted": dict(sorted(self.not_counted.items())),
        }


def luck_account(battles: Iterable[FoughtBattle]) -> LuckAccount:
    """Return the luck account of battles."""
    in_all: dict[tuple[str, Part], list[Outcome]] = {}
    in_battles: dict[tuple[str, str, Part], list[Outcome]] = {}
    not_counted: Counter[str] = Counter()
    for battle in battles:
        owners = _Owners(battle.start)
        counted = rules_of(battle.start["edition"]).counted_dice(battle.start)
        for event in battle.events:
            owners.notice(event)
            kind = event["event"]
            outcomes = counted[kind](event) if kind in counted else None
            if outcomes is None:
                not_counted[kind] += _has_dice(event)
                continue
            for outcome in outcomes:
                faction = owners.of(outcome.subject)
                in_all.setdefault((faction, outcome.part), []).append(outcome)
                of_battle = (battle.key, faction, outcome.part)
                in_battles.setdefault(of_battle, []).append(outcome)
    lines = [_line(faction, part, "", in_all[faction, part]) for faction, part in sorted(in_all)]
    for key, faction, part in sorted(in_battles):
        lines.append(_line(faction, part, key, in_battles[key, faction, part]))
    return LuckAccount(tuple(lines), +not_counted)


def _has_dice(event: Event) -> bool:
    """Return whether an event has dice."""
    return any(event.get(name) for name in DICE_FIELDS)


class _Owners:
    """The factions that own ships and groups, in the course of a battle."""

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._owners: dict[str, str] = {}
        for side in start["sides"]:
            self._owners[side["name"]] = side["name"]
            for ship in side["ships"]:
                faction, slash, _ = ship["id"].partition("/")
                self._owners[ship["id"]] = faction if slash else side["name"]
                if ship.get("contact"):
                    self._owners[ship["contact"]] = self._owners[ship["id"]]

    def notice(self, event: Event) -> None:
        """Remember that a ship changed sides."""
        if event["event"] == "taken-over":
            self._owners[event["ship"]] = event["side"]

    def of(self, subject: str) -> str:
        """Return the faction of a ship or a side, or of the ship from which a group comes."""
        while subject not in self._owners:
            subject, slash, _ = subject.rpartition("/")
            if not slash:
                return ""
        return self._owners[subject]


def _line(faction: str, part: Part, battle: str, outcomes: Sequence[Outcome]) -> LuckLine:
    """Return the line over outcomes of the same part."""
    counts: Counter[Pmf] = Counter()
    for outcome in outcomes:
        counts[outcome.pmf] += outcome.count
    parts = [times(pmf, count) for pmf, count in sorted(counts.items(), key=_order)]
    pmf = reduce(Pmf.__add__, parts, CERTAIN_ZERO)
    effect = sum(outcome.value for outcome in outcomes)
    share = pmf.below(effect) + pmf.chance(effect) / 2
    return LuckLine(
        faction=faction,
        part=part,
        battle=battle,
        dice=sum(outcome.dice for outcome in outcomes),
        effect=effect,
        expected=sum(pmf.mean * count for pmf, count in counts.items()),
        deviation=sqrt(sum(pmf.variance * count for pmf, count in counts.items())),
        p=pmf.two_sided(effect),
        better_than=1 - share if part in BAD_FOR_OWNER else share,
    )


def _order(item: tuple[Pmf, int]) -> tuple[float, int]:
    """Return a key that sorts distributions, so that sums do not depend on the order of events."""
    pmf, count = item
    return pmf.mean, count
