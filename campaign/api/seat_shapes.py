"""Types of the API for seats in a campaign: members, invitations, joining."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from campaign.kinds import Role, RoleText


@dataclass(frozen=True, slots=True)
class FactionBody:
    """The key of a faction."""

    faction: str


@dataclass(frozen=True, slots=True)
class ToComputer:
    """A faction to hand over to a computer admiral.

    Attributes:
        character: The admiral's character: steady, bold or cautious.
        unattended: If no faction has a player then, computer admirals play on; otherwise the clock
            stops until a player takes a seat.
        reason: Shown to the players who lose their seats, and recorded.
    """

    faction: str
    character: str = "steady"
    unattended: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SeatSheet:
    """The members of a faction.

    Attributes:
        admiral: The computer admiral that commands it if its players seal nothing.
        until: When the seats of substitutes end, by user name.
        guests: Who sees what the faction sees.
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
    """The members of all factions and the other members, by user name.

    Attributes:
        bots: Which of all these are programs.
    """

    seats: list[SeatSheet]
    hosts: list[str]
    umpires: list[str]
    observers: list[str]
    bots: list[str]


@dataclass(frozen=True, slots=True)
class InviteNew:
    """A seat to offer.

    Attributes:
        faction: Only for players, staff and guests.
        days: How long the invitation is valid.
        until: When the seat of staff who substitute for a player ends; without it, it does not end.
        replaces: User name of the faction's player whose seat changes hands, or your own to hand
            over your umpire's seat (role umpire); it is kept until then.
    """

    role: RoleText = Role.PLAYER
    faction: str = ""
    days: int = 14
    until: datetime | None = None
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class InviteSheet:
    """An open invitation; its token is shown once, to its maker.

    Attributes:
        until: When the seat ends.
        replaces: The player whose seat changes hands; null for another seat.
    """

    id: str
    role: RoleText
    faction: str | None
    expires: datetime
    until: datetime | None
    replaces: str | None


@dataclass(frozen=True, slots=True)
class NewInviteSheet:
    """A new invitation with its token.

    Attributes:
        token: Null if the call is repeated with its Idempotency-Key.
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
    """A user, by name.

    Attributes:
        reason: Shown to the user, and recorded.
    """

    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Joining:
    """The token from the link of an invitation."""

    token: str
