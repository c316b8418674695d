"""Enumerations of stages, battles, roles, causes and sources; their members are the stored texts.

A member is a string with a `label`, the word shown to people; in keys, rows and JSON it is that
string. This module does not depend on Django, so that rules, models, pages and the API share the
same members. The names that end in `Text` are types of such a text from outside: any `str` for the
type checker, a `Literal` of the values at run time.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from engine.core.kinds import LabelledEnum

# The kind of a battle's stage in which players enter the result of a battle at their table.
TABLE = "table"


class StageStatus(LabelledEnum):
    """The status of a stage."""

    OPEN = "open"
    CLOSED = "closed"
    RESOLVED = "resolved"
    LEFT = "left"  # the war was rolled back to an earlier stage


class BranchKind(LabelledEnum):
    """How a branch of a war's history began."""

    BEGINNING = "beginning"
    ROLLBACK = "rollback"
    FORK = "fork"


class BranchDice(LabelledEnum):
    """Which dice a branch rolls: its own, or those of the branch from which it begins."""

    FRESH = "fresh"
    SAME = "same"


class ProposalKind(LabelledEnum):
    """What a proposal would change."""

    ROLLBACK = "rollback"
    UMPIRE = "umpire"  # a person becomes umpire
    FORK = "fork"  # a new war begins with a stage of this one, while this one runs
    NO_BEACON = "no-beacon"  # a stage goes on without a public random value
    REVEAL = "reveal"  # the story and the seed of a war are published


class ProposalState(LabelledEnum):
    """The state of a proposal. An open one whose time is over has expired."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"  # it was no longer possible when the last side consented
    REFUSED = "refused"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class StageEnding(LabelledEnum):
    """How a stage was resolved: its orders were carried out, or the umpire made a ruling."""

    PLAYED = "played"
    RULED = "ruled"


class StageKind(LabelledEnum):
    """A stage of the week, as in the world; `OVER` is the world after the last stage."""

    DEPLOY = "deploy", "deployment"
    ORDERS = "orders"
    DECISIONS = "decisions"
    BATTLES = "battles"
    OVER = "over", "the end"


PAIRINGS = ("swiss", "all")  # how a tournament pairs its players
MAX_ROUNDS = 63  # of a tournament


class BattleMode(LabelledEnum):
    """How a battle is fought."""

    CAPTAINS = "captains", "computer captains"
    ONLINE = "online"
    TABLE = "table", "at a table"


class BattleSetting(LabelledEnum):
    """How a war's battles are fought; with `MIXED` players may take command of their battles."""

    CAPTAINS = "captains", "computer captains"
    MIXED = "mixed", "computer captains, or players who take command"
    ONLINE = "online"
    TABLE = "table", "at a table"


class BattleStatus(LabelledEnum):
    """The status of a battle."""

    WAITING = "waiting"
    FOUGHT = "fought"


class Role(LabelledEnum):
    """A user's role in a campaign."""

    PLAYER = "player"
    STAFF = "staff"
    HOST = "host"
    UMPIRE = "umpire"
    OBSERVER = "observer"
    GUEST = "guest"


class SeatEndCause(StrEnum):
    """Why a user lost a seat; `campaign.services.seat_ends` has the texts."""

    LEFT_SEAT = "left"
    COMPUTER = "computer"
    REPLACED = "replaced"
    SENT_AWAY = "sent-away"
    RAN_OUT = "ran-out"
    UNPLAYED = "unplayed"


class ClosingRule(StrEnum):
    """What closes an open stage before its deadline: nothing, all seals, or all sides ready."""

    DEADLINE = "deadline"
    SEALED = "sealed"
    READY = "ready"


class Source(LabelledEnum):
    """Who sealed an entry.

    Before a battle ends, only its own side may learn that a captain sealed for a player.
    """

    PLAYER = "player", "sealed by your side"
    CAPTAIN = "captain", "your captain"
    STANDING = "standing", "standing orders"
    DEFAULT = "default", "default orders, because nothing was sealed"
    ADMIRAL = "admiral", "your computer admiral"
    UMPIRE = "umpire", "the umpire"


class UmpireEventKind(LabelledEnum):
    """A kind of event that an umpire writes into a war."""

    REPORT = "report"
    RUMOUR = "rumour"
    CONTACT = "contact", "reported contact"
    REINFORCEMENTS = "reinforcements"
    BULLETIN = "bulletin", "bulletin to all"
    PRESS = "press", "paragraph in the newspaper"


BY_PLAYERS = (Source.PLAYER, Source.CAPTAIN)  # what players sealed or left to their captain


class MessageMode(LabelledEnum):
    """When messages between the people of a war are delivered."""

    OFF = "off", "no messages"
    AT_ONCE = "at-once", "at once"
    SEALED = "sealed", "between factions, sealed with the stage and delivered when it is resolved"


class RollbackPower(LabelledEnum):
    """Who decides on a rollback of a war with an umpire."""

    UMPIRE = "umpire", "the umpire alone"
    VOTE = "vote", "the umpire, with the consent of the sides"


class RollbackConsent(LabelledEnum):
    """How many of the sides with players must agree to a rollback."""

    ALL = "all", "all sides with players"
    TWO_THIRDS = "two-thirds", "two thirds of the sides with players"


class BalanceEnd(LabelledEnum):
    """How a series of wars between computer admirals in a user's own scenario ended."""

    COMPLETED = "done", "all wars have been played"
    STOPPED = "stopped"
    LONG = "long", "it took too long"
    FAILED = "failed", "the wars could not be played"


class SimulationKind(LabelledEnum):
    """What is simulated for odds: a contest of two classes, an imagined meeting, whole wars."""

    CONTEST = "contest"
    MEETING = "meeting"
    WAR = "war"


class SimulationEnd(LabelledEnum):
    """Why a simulation ended before all its battles were fought."""

    LONG = "long", "the remaining ones would take too long"
    FAILED = "failed", "the remaining ones could not be fought"


class FactionBattleState(LabelledEnum):
    """The state of an online battle for one side."""

    OPEN = "open"
    SEALED = "sealed"
    WAITING = "waiting"
    OVER = "over"


def values_of(kinds: type[LabelledEnum]) -> tuple[str, ...]:
    """Return the stored values of an enumeration."""
    return tuple(member.value for member in kinds)


def words_of(kinds: type[LabelledEnum]) -> dict[str, str]:
    """Return the labels of an enumeration by stored value."""
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
