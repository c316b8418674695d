"""Events of meetings: scans, dummy counters, decisions, pursuits, withdrawals and stand-offs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from campaign.events.event import Audience, Facts, Open, WeekEvent, number_in

CAUGHT_AT = 6  # roll of a D6. Rules: 2E "When fleets meet" [camp.decision]

Counts = tuple[tuple[str, int], ...]  # contacts by classification


@dataclass(frozen=True, slots=True)
class ForceCounted(WeekEvent):
    """The contacts of a faction at a hex, by classification, as the audience sees them."""

    faction: Open[str]
    counts: Open[Counts] = ()

    @classmethod
    def from_facts(cls, audience: tuple[str, ...], hex_: str, facts: Facts) -> Self:
        values = dict(facts)
        faction = str(values.pop("faction"))
        counts = tuple((kind, number_in(count)) for kind, count in values.items())
        return cls(audience, hex_, faction=faction, counts=counts)


@dataclass(frozen=True, slots=True)
class Scan(ForceCounted):
    """A long range scan of a faction, falsified by its decoy drones and weasel boats."""

    code: ClassVar[str] = "scan"


@dataclass(frozen=True, slots=True)
class Survivors(ForceCounted):
    """What the audience knows to remain of a faction after a battle or withdrawal."""

    code: ClassVar[str] = "survivors"


@dataclass(frozen=True, slots=True)
class DummyLost(WeekEvent):
    """A dummy counter that met another fleet. Its owner is notified."""

    code: ClassVar[str] = "dummy-lost"
    dummy: Open[str]


@dataclass(frozen=True, slots=True)
class DummyFound(WeekEvent):
    """A marker that turned out to be a dummy. Those who met it are notified."""

    code: ClassVar[str] = "dummy-found"
    heard_by: ClassVar[Audience] = Audience.OTHERS
    faction: Open[str]
    marker: Open[int]


@dataclass(frozen=True, slots=True)
class ContactDecision(WeekEvent):
    """The choices of two factions that met, and their result."""

    code: ClassVar[str] = "decided"
    a: Open[str]
    a_choice: Open[str]
    b: Open[str]
    b_choice: Open[str]
    outcome: Open[str]

    def opponent_of(self, faction: str) -> str:
        """Return the other faction of the two."""
        if faction == self.a:
            return self.b
        return self.a

    def choice_of(self, faction: str) -> str:
        """Return what a faction of the two chose."""
        if faction == self.a:
            return self.a_choice
        return self.b_choice


@dataclass(frozen=True, slots=True)
class Chase(WeekEvent):
    """A pursuit of a faction that withdraws by one that fights; it succeeds on a six."""

    code: ClassVar[str] = "chase"
    heard_by: ClassVar[Audience] = Audience.BOTH
    withdraws: Open[str]
    fights: Open[str]
    die: Open[int]

    def is_own(self, faction: str) -> bool:
        """Return whether the faction is the one that withdraws."""
        return faction == self.withdraws

    @property
    def caught(self) -> bool:
        """Return whether the pursuer caught the other faction."""
        return self.die == CAUGHT_AT


@dataclass(frozen=True, slots=True)
class ForceWithdrew(WeekEvent):
    """A faction's ships that withdrew under FTL."""

    code: ClassVar[str] = "withdrew"


@dataclass(frozen=True, slots=True)
class StillInContact(WeekEvent):
    """Two hostile factions that stay at a hex.

    Attributes:
        inner: The faction that holds the inner system.
    """

    a: Open[str]
    b: Open[str]
    inner: Open[str]

    def opponent_of(self, faction: str) -> str:
        """Return the other faction of the two."""
        if faction == self.a:
            return self.b
        return self.a


@dataclass(frozen=True, slots=True)
class StandOff(StillInContact):
    """Two hostile factions that stay without fighting."""

    code: ClassVar[str] = "stand-off"


@dataclass(frozen=True, slots=True)
class SystemContested(StillInContact):
    """Two factions that both remain after a battle; neither holds the system."""

    code: ClassVar[str] = "contested"
    of_a_war: ClassVar[bool] = True
