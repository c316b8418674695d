"""What stages, battles, roles, losses and sealed entries can be: enumerations whose members are
their stored text.

A member is a string that has a `label`, what people call it; in keys, rows and JSON it looks like
that string. Nothing here knows Django: rules, models, pages and the API choose from the same
members. The names that end in `Text` are the types of that text where it comes from outside: for a
type checker any text, at run time the values alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from engine.core.kinds import LabelledEnum

# The kind of a battle's stage in which its players enter what came of it at their table
TABLE = "table"


class StageStatus(LabelledEnum):
    """The statuses of a stage: how far it is."""

    OPEN = "open"
    CLOSED = "closed"
    RESOLVED = "resolved"


class StageKind(LabelledEnum):
    """A stage of the week, as in the world; `OVER`: the world after the last one."""

    DEPLOY = "deploy", "deployment"
    ORDERS = "orders"
    DECISIONS = "decisions"
    BATTLES = "battles"
    OVER = "over", "the end"


class BattleMode(LabelledEnum):
    """By whom a battle is fought."""

    CAPTAINS = "captains", "computer captains"
    ONLINE = "online"
    TABLE = "table", "at a table"


class BattleStatus(LabelledEnum):
    """The statuses of a battle: how far it is."""

    WAITING = "waiting"
    FOUGHT = "fought"


class Role(LabelledEnum):
    """A user's part in a campaign."""

    PLAYER = "player"
    STAFF = "staff"
    HOST = "host"
    UMPIRE = "umpire"
    OBSERVER = "observer"
    GUEST = "guest"


class SeatEndCause(StrEnum):
    """Why somebody lost a seat; in words: `campaign.services.seat_ends`."""

    LEFT_SEAT = "left"
    COMPUTER = "computer"
    REPLACED = "replaced"
    SENT_AWAY = "sent-away"
    RAN_OUT = "ran-out"
    UNPLAYED = "unplayed"


class ClosingRule(StrEnum):
    """What closes an open stage besides its deadline: nothing, all seals, or all sides being ready
    to go on.
    """

    DEADLINE = "deadline"
    SEALED = "sealed"
    READY = "ready"


class Source(LabelledEnum):
    """The sources of an entry: who sealed it."""

    PLAYER = "player", "sealed by your side"
    STANDING = "standing", "standing orders"
    DEFAULT = "default", "default orders, nothing was sealed"
    ADMIRAL = "admiral", "your computer admiral"
    UMPIRE = "umpire", "the umpire"


class MessageMode(LabelledEnum):
    """When messages between the people of a war go out."""

    OFF = "off", "no messages"
    AT_ONCE = "at-once", "at once"
    SEALED = "sealed", "between factions sealed by the stage: they go out when it is resolved"


class BalanceEnd(LabelledEnum):
    """The ends of many wars of computer admirals in a scenario of one's own."""

    COMPLETED = "done", "all wars were played"
    STOPPED = "stopped"
    LONG = "long", "it took too long"
    FAILED = "failed", "the wars could not be played"


class SimulationKind(LabelledEnum):
    """What battles are fought of to know the odds: two classes, or a meeting as a faction may
    imagine it.
    """

    CONTEST = "contest"
    MEETING = "meeting"


class SimulationEnd(LabelledEnum):
    """What ended such battles before as many were fought as were wanted."""

    LONG = "long", "more of them would take too long"
    FAILED = "failed", "more of them could not be fought"


class FactionBattleState(LabelledEnum):
    """The states of a battle online for one side."""

    OPEN = "open"
    SEALED = "sealed"
    WAITING = "waiting"
    OVER = "over"


def values_of(kinds: type[LabelledEnum]) -> tuple[str, ...]:
    """The values that are stored of an enumeration's members."""
    return tuple(member.value for member in kinds)


def words_of(kinds: type[LabelledEnum]) -> dict[str, str]:
    """The labels of an enumeration's members, by the values that are stored."""
    return {member.value: member.label for member in kinds}


if TYPE_CHECKING:
    ClosingText = str
    FactionBattleText = str
    MessageModeText = str
    RoleText = str
    SourceText = str
    StageText = str
    StatusText = str
else:
    ClosingText = Literal[tuple(rule.value for rule in ClosingRule)]
    FactionBattleText = Literal[values_of(FactionBattleState)]
    MessageModeText = Literal[values_of(MessageMode)]
    RoleText = Literal[values_of(Role)]
    SourceText = Literal[values_of(Source)]
    StageText = Literal[values_of(StageKind)]
    StatusText = Literal[values_of(StageStatus)]
