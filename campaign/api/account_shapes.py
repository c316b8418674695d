"""Shapes of the API about whoever asks: his account, his tokens, whether the server answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from campaign.kinds import RoleText


@dataclass(frozen=True, slots=True)
class Credentials:
    """A login. `username` may be an e-mail address; `read_only`: the token shall only read; `name`: which program it is
    for, as the list of tokens shows it.
    """

    username: str
    password: str
    read_only: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class TokenMade:
    """A token, to be read this once. A `read_only` one may GET and nothing else; `id`: by which it is ended."""

    token: str
    read_only: bool
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token of the caller's. `this`: it is the one of this call."""

    id: str
    name: str
    read_only: bool
    created_at: datetime
    this: bool


@dataclass(frozen=True, slots=True)
class TokenList:
    """The caller's tokens, the oldest first. `most`: how many there may be."""

    tokens: list[TokenLine]
    most: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part in a campaign. `faction`: its key, for players and staff."""

    campaign: str
    name: str
    roles: list[RoleText]
    faction: str | None


@dataclass(frozen=True, slots=True)
class Me:
    """A user name, and the user's parts in campaigns. `bot`: the account is a program's."""

    username: str
    bot: bool
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class BotSaid:
    """Whether the account is a program's, as everybody in its wars is told."""

    bot: bool


@dataclass(frozen=True, slots=True)
class Health:
    """That the server answers."""

    status: Literal["ok"]
