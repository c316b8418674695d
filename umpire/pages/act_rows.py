"""The actions of hosts and umpires in words, one per line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from campaign.kinds import Role, UmpireEventKind
from campaign.models.ledger import (
    BATTLE_MODE,
    EXCUSE,
    EXTEND,
    GRACE,
    HOLD,
    JOIN,
    KEY,
    LEAVE,
    NO_BEACON,
    PASSWORD_LINK,
    PAUSE,
    REBUILD,
    RELEASE,
    REMEDY,
    RESOLVE,
    RESUME,
    REVEAL,
    RULED,
    RULES,
    RULING_DROPPED,
    RULING_HELD,
    TABLE_RESULT,
    TAKE_BACK,
    TO_COMPUTER,
    UMPIRE_EVENT,
    Act,
)
from campaign.words.languages import date_form
from engine.core.phrase import join_phrases, phrase
from engine.english import short_name
from umpire.pages.frame import stage_title

WORDS = {
    EXTEND: phrase("extended the deadline"),
    PAUSE: phrase("paused the clock"),
    RESUME: phrase("resumed the clock"),
    RESOLVE: phrase("closed the stage at once"),
    EXCUSE: phrase("stopped waiting for a faction this week"),
    JOIN: phrase("joined"),
    LEAVE: phrase("left a seat"),
    TO_COMPUTER: phrase("handed a faction to the computer"),
    BATTLE_MODE: phrase("set how a battle is fought"),
    RULES: phrase("changed the version of the rules"),
    TABLE_RESULT: phrase("entered the result of a battle at a table"),
    PASSWORD_LINK: phrase("created a password reset link"),
    REMEDY: phrase("restarted a stage that the server could not compute"),
    UMPIRE_EVENT: phrase("wrote an event"),
    GRACE: phrase("accepted late orders"),
    HOLD: phrase("held the next stage back"),
    RELEASE: phrase("released the next stage"),
    REBUILD: phrase("computed damaged records again"),
    KEY: phrase("began to sign with another key"),
    TAKE_BACK: phrase("rolled the war back"),
    REVEAL: phrase("published the seed of the dice"),
    RULED: phrase("made a ruling"),
    RULING_HELD: phrase("wrote a ruling that waits"),
    RULING_DROPPED: phrase("withdrew a ruling that waited"),
    NO_BEACON: phrase("let the stage go on without public dice"),
}


@dataclass(frozen=True, slots=True)
class ActRow:
    """An action in words."""

    at: datetime
    actor: str
    words: str
    stage: str  # in which it was done
    reason: str
    detail: str


def act_rows(acts: Iterable[Act], *, single: bool = False) -> list[ActRow]:
    """Return actions in words, in the given order.

    Args:
        single: Whether they belong to a single battle.
    """
    result: list[ActRow] = []
    for act in acts:
        result.append(
            ActRow(
                at=act.at,
                actor=act.actor.get_username() if act.actor else phrase("the server"),
                words=WORDS[act.verb],
                stage=_stage_words(act, single=single),
                reason=act.body.get("reason", ""),
                detail=_detail(act),
            )
        )
    return result


def _stage_words(act: Act, *, single: bool) -> str:
    """Return the title of the stage in which an action was done; empty for none."""
    if act.stage is None:
        return ""
    return stage_title(act.stage.week, act.stage.kind, single=single)


def _detail(act: Act) -> str:
    """Return what an action was about: a faction, people other than its actor, the new deadline."""
    facts = act.body.get("facts", {})
    actor = act.actor.get_username() if act.actor else ""
    others = [name for name in facts.get("names", ()) if name != actor]
    parts = []
    if facts.get("faction"):
        parts.append(short_name(str(facts["faction"])))
    if facts.get("role") == Role.GUEST:
        parts.append(phrase("as a guest"))
    if others:
        parts.append(join_phrases(", ", others))
    if change := _change_words(act.verb, facts):
        parts.append(change)
    return join_phrases(", ", parts)


def _change_words(verb: str, facts: Mapping[str, Any]) -> str:
    """Return the week, version, time or event that an action set; empty for none."""
    if verb == EXCUSE:
        return phrase("week {}", facts["week"])
    if verb == RULES:
        return phrase(
            "from {} to {}, starting in week {}", facts["from"], facts["to"], facts["week"]
        )
    if verb == UMPIRE_EVENT:
        factions = [short_name(str(key)) for key in facts["factions"]]
        kind = UmpireEventKind(facts["kind"]).label
        return phrase("{} for {}", kind, join_phrases(", ", factions))
    if verb == GRACE and not facts["until"]:
        return phrase("no longer")
    if verb == RULED:
        number = phrase("no. {}", facts["number"])
        return join_phrases(": ", [number, facts["note"]]) if facts["note"] else number
    if verb == TAKE_BACK:
        return phrase("to the beginning of {}", stage_title(facts["week"], facts["stage"]))
    if verb in (PAUSE, GRACE) and facts.get("until"):
        return phrase("until {}", _moment_words(facts["until"]))
    if verb == EXTEND:
        return phrase("to {}", _moment_words(facts["to"]))
    return ""


def _moment_words(text: str) -> str:
    """Return a stored time in the reader's time zone and language."""
    moment = localtime(datetime.fromisoformat(text))
    return date_format(moment, date_form("D j M, H:i"))
