"""Shapes of the API about seats in a campaign: who sits in them, invitations, joining."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from campaign.kinds import Role, RoleText


@dataclass(frozen=True, slots=True)
class FactionNamed:
    """A faction by its key."""

    faction: str


@dataclass(frozen=True, slots=True)
class ToComputer:
    """A faction and the character of the computer admiral (steady, bold, cautious) who shall lead
    it.

    `unattended`: the war goes on by computer admirals alone, if no faction has a player then; else
    its clock stops until somebody takes a seat. `reason`: told to the players who lose their seats,
    and kept in the log.
    """

    faction: str
    character: str = "steady"
    unattended: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """A faction's seat.

    `admiral`: the computer admiral who leads it where its players seal nothing. `until`: by the
    user names of staff who stand in for a player, when their seats end. `guests`: who reads what it
    reads.
    """

    faction: str
    name: str
    players: list[str]
    staff: list[str]
    admiral: str | None
    until: dict[str, datetime]
    guests: list[str]


@dataclass(frozen=True, slots=True)
class SeatList:
    """The seats of all factions, and who else takes part, by user name.

    `bots`: who of all these is a program.
    """

    seats: list[SeatSheet]
    hosts: list[str]
    umpires: list[str]
    observers: list[str]
    bots: list[str]


@dataclass(frozen=True, slots=True)
class InviteNew:
    """A seat to offer, for so many days: players, staff and guests belong to a faction, nobody else
    does. `until`: when the seat of staff ends by itself, who stands in for a player; without it it
    does not. `replaces`: the user name of the faction's player whose seat the new one takes over;
    the player keeps it until then.
    """

    role: RoleText = Role.PLAYER
    faction: str = ""
    days: int = 14
    until: datetime | None = None
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class InviteSheet:
    """An open invitation.

    Its token is told once, to who made it. `until`: when the seat itself ends. `replaces`: the
    player whose seat changes hands; null where it is another.
    """

    id: str
    role: RoleText
    faction: str | None
    expires: datetime
    until: datetime | None
    replaces: str | None


@dataclass(frozen=True, slots=True)
class InviteMade:
    """An invitation with its token; `token` is null where the call is repeated by its
    Idempotency-Key.
    """

    id: str
    role: RoleText
    faction: str | None
    expires: datetime
    until: datetime | None
    replaces: str | None
    token: str | None


@dataclass(frozen=True, slots=True)
class InviteList:
    """Open invitations, oldest first."""

    invites: list[InviteSheet]


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Somebody, by user name. `reason`: told to them, and kept in the log."""

    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Joining:
    """The token from the link of an invitation."""

    token: str
