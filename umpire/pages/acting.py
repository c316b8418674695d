"""Acts in words: what hosts and umpires did, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from campaign.models.ledger import (
    BATTLE_MODE,
    EXCUSE,
    EXTEND,
    JOIN,
    LEAVE,
    PASSWORD_LINK,
    PAUSE,
    RESOLVE,
    RESUME,
    RULES,
    TO_COMPUTER,
    Act,
)
from engine.english import short_name
from umpire.pages.desk import stage_title

WORDS = {
    EXTEND: "extended the deadline",
    PAUSE: "paused the clock",
    RESUME: "resumed the clock",
    RESOLVE: "resolved the stage at once",
    EXCUSE: "stopped waiting for a faction this week",
    JOIN: "joined",
    LEAVE: "left a seat",
    TO_COMPUTER: "handed a faction to the computer",
    BATTLE_MODE: "set how a battle is fought",
    RULES: "changed the version of the rules",
    PASSWORD_LINK: "created a password reset link",
}


@dataclass(frozen=True, slots=True)
class Row:
    """An act in words. `stage`: in which it was done."""

    at: datetime
    actor: str
    words: str
    stage: str
    reason: str
    detail: str


def act_rows(acts: Iterable[Act]) -> list[Row]:
    """The acts in words, in the order given."""
    return [
        Row(
            at=act.at,
            actor=act.actor.get_username() if act.actor else "the server",
            words=WORDS[act.verb],
            stage=stage_title(act.stage.week, act.stage.kind) if act.stage else "",
            reason=act.body.get("reason", ""),
            detail=_detail(act.verb, act.body.get("facts", {})),
        )
        for act in acts
    ]


def _detail(verb: str, facts: Mapping[str, Any]) -> str:
    """What an act was about: a faction, people, the new deadline."""
    parts = []
    if facts.get("faction"):
        parts.append(short_name(str(facts["faction"])))
    if facts.get("names"):
        parts.append(", ".join(facts["names"]))
    if verb == EXCUSE:
        parts.append(f"week {facts['week']}")
    if verb == RULES:
        parts.append(f"from {facts['from']} to {facts['to']} with week {facts['week']}")
    if verb == EXTEND:
        parts.append(f"to {date_format(localtime(datetime.fromisoformat(facts['to'])), 'D j M, H:i')}")
    return ", ".join(parts)
