"""The moments of a battle (all moves of a phase, one shooter's fire, one round of checks).

Each has the changes it causes. They are made only from phases as a side saw them
(`engine.view.documents.StopViewDocument`): its view when it chose, and its log of what happened. So
they contain nothing that the side did not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.replays.events import FOLLOWS, MOVING, Shot, belongs_to_moves, group_of, shot_of
from campaign.replays.sentences import (
    Marking,
    Sentence,
    consequence_sentence,
    fire_sentence,
    sentence,
    sentences_of,
)
from campaign.replays.units import GROUPS, Point, SideLookup, Units, UnitState, units_in_view
from campaign.words.battle.log import SideNames, phases_of
from campaign.words.battle.phase_titles import PHASE_TITLES
from engine.core.phrase import localize, phrase
from engine.english import capitalize_first, counted_noun
from engine.events.battle import BattleOver, TurnEnded
from engine.events.damage import ShipDestroyed
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import ArcRolled
from engine.pieces.registry import kinds
from engine.view.event_reader import read_events

BEGIN, MOVES, FIRE, OTHER, OVER = "begin", "moves", "fire", "other", "over"


@dataclass(frozen=True, slots=True)
class Piece:
    """An object on the table that is not a ship.

    Attributes:
        r: Radius in MU; 0 for a small mark.
        side: Its owner's side, or None.
    """

    kind: str
    x: float
    y: float
    r: float
    words: str
    side: int | None


@dataclass(slots=True)
class Moment:
    """A moment of a battle.

    Attributes:
        phase: The phase of the turn, in words.
        kind: How it is shown.
        sentences: What happened.
        ends: The consequences, each with whether a ship was destroyed.
        details: Dice and more.
        shooter: Who fires.
        shots: Hits by target.
        changes: What changes on the table.
        pieces: The objects on the table afterwards.
    """

    turn: int
    phase: str
    kind: str
    sentences: list[Sentence] = field(default_factory=list)
    ends: list[tuple[Sentence, bool]] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    shooter: str = ""
    shots: dict[str, int] = field(default_factory=dict)
    paths: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    changes: dict[str, UnitState] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()


@dataclass(slots=True)
class _OpenMoment:
    """A moment while its events are collected.

    Attributes:
        group: The group of its events.
        made_of: The events that make it.
        followed_by: Their consequences.
    """

    moment: Moment
    group: str
    made_of: list[Event] = field(default_factory=list)
    followed_by: list[Event] = field(default_factory=list)
    about: set[str] = field(default_factory=set)


def moments_of(
    body: Mapping[str, Any], names: SideNames, mine: int, sided: SideLookup
) -> list[Moment]:
    """Return the moments of a battle report, or of the phases reported so far.

    Args:
        mine: The place of the reader's side.
        sided: Converts a side's number in views to its place.
    """
    teller = _MomentBuilder(mine, sided)
    for phase in phases_of(body):
        teller.add_phase(phase, names.at(phase))
    return teller.moments


class _MomentBuilder:
    """Collects moments phase by phase and event by event."""

    def __init__(self, mine: int, sided: SideLookup) -> None:
        self.mine, self.sided = mine, sided
        self.units = Units()
        self.moments: list[Moment] = []
        self.open: _OpenMoment | None = None

    def add_phase(self, record: Mapping[str, Any], names: SideNames) -> None:
        marking = Marking(names)
        turn = int(record["turn"])
        phase = localize(
            capitalize_first(PHASE_TITLES.get(str(record.get("stop", "")), phrase("what happened")))
        )
        changes = self.units.sync(units_in_view(record, self.mine, self.sided))
        pieces = pieces_in_view(record, names, self.sided)
        if not self.moments:
            self.moments.append(
                Moment(turn, phase, BEGIN, [_beginning(self.units)], changes=changes, pieces=pieces)
            )
        else:
            _merge(self.moments[-1].changes, changes)
            self.moments[-1].pieces = pieces
        first = len(self.moments)
        for event in read_events(record["log"]):
            if isinstance(event, ContactIdentified):
                names.hidden.discard(event.ship)
            self._add_event(event, turn, phase, marking)
        self._close_moment(marking)
        for moment in self.moments[first:]:
            moment.pieces = pieces

    def _add_event(self, event: Event, turn: int, phase: str, names: Marking) -> None:
        if isinstance(event, TurnEnded):
            self._close_moment(names)
            return
        shot = shot_of(event)
        fire = _fire_of(event, shot)
        group = fire or group_of(event)
        now = self.open
        if now is None or not self._belongs(event, now, fire, group):
            self._close_moment(names)
            now = self.open = _OpenMoment(
                Moment(turn, phase, FIRE if fire else _kind_of_moment(event, group)), group
            )
            (now.followed_by if isinstance(event, ArcRolled) else now.made_of).append(event)
        elif type(event) in FOLLOWS and now.group != group_of(event):
            now.followed_by.append(event)
        else:
            now.made_of.append(event)
        now.about |= _about(event)
        if isinstance(event, MOVING):
            before = now.moment.paths.get(event.subject, ())
            path = tuple((round(x, 2), round(y, 2)) for x, y in event.path)
            now.moment.paths[event.subject] = (*before, *path)
        if shot is not None:
            now.moment.shooter = shot.shooter
            now.moment.shots[shot.target] = now.moment.shots.get(shot.target, 0) + shot.hits
        _merge(now.moment.changes, self.units.apply(event))

    def _belongs(self, event: Event, now: _OpenMoment, fire: str, group: str) -> bool:
        """Return whether an event is part of the open moment."""
        if fire:
            return fire == now.group
        if type(event) in FOLLOWS and event.subject in now.about:
            return True
        if now.group == MOVES and belongs_to_moves(event):
            return True
        return now.moment.kind != FIRE and group == now.group

    def _close_moment(self, names: Marking) -> None:
        """Put the collected events into words; drop a moment without words or changes."""
        now = self.open
        self.open = None
        if now is None:
            return
        moment = now.moment
        if now.made_of and moment.kind == FIRE:
            fire_words, moment.details = fire_sentence(now.made_of, names)
            moment.sentences.append(fire_words)
        elif moment.kind == FIRE:  # only an arc roll: the shooter does not fire
            moment.sentences, moment.details = sentences_of(now.followed_by, names)
            now.followed_by = []
        elif now.group == "checks":
            moment.ends, moment.details = _ends(now.made_of, names)
        else:
            moves = now.group == MOVES
            first = [event for event in now.made_of if not moves or isinstance(event, MOVING)]
            rest = [event for event in now.made_of if moves and not isinstance(event, MOVING)]
            moment.sentences, moment.details = sentences_of(first, names)
            rest_sentences, details = sentences_of(rest, names)
            moment.ends += [(rest_sentence, False) for rest_sentence in rest_sentences]
            moment.details += details
        ends, details = _ends(now.followed_by, names)
        moment.ends += ends
        moment.details += details
        if moment.sentences or moment.ends:
            self.moments.append(moment)
        elif moment.changes:
            _merge(self.moments[-1].changes, moment.changes)


def _fire_of(event: Event, shot: Shot | None) -> str:
    """Return the group of a shooter's fire, including its arc roll; empty for other events."""
    if isinstance(event, ArcRolled):
        return f"{FIRE}:{event.ship}"
    if shot is not None:
        return f"{FIRE}:{shot.shooter}"
    return ""


def _kind_of_moment(event: Event, group: str) -> str:
    """Return how a moment that begins with this event is shown, unless it is fire."""
    if group == MOVES:
        return MOVES
    if isinstance(event, BattleOver):
        return OVER
    return OTHER


def _about(event: Event) -> set[str]:
    """Return the ships, groups and ordnance that an event names."""
    parts = (getattr(event, part, "") for part in ("ship", "group", "target", "marker", "near"))
    return {str(part) for part in parts if part}


def _ends(events: Iterable[Event], names: Marking) -> tuple[list[tuple[Sentence, bool]], list[str]]:
    """Return one sentence for each affected ship, in the order of events, and the details."""
    by: dict[str, list[Event]] = {}
    for event in events:
        by.setdefault(event.subject, []).append(event)
    ends, details = [], []
    for those in by.values():
        words, extra_details = consequence_sentence(those, names)
        if words:
            ends.append((words, any(isinstance(event, ShipDestroyed) for event in those)))
        details += extra_details
    return ends, details


def _merge(into: dict[str, UnitState], new: Mapping[str, UnitState]) -> None:
    for key, changes in new.items():
        into[key] = {**into.get(key, {}), **changes}


def _beginning(units: Units) -> Sentence:
    own_count = sum(state["m"] for state in units.now.values())
    other_count = len(units.now) - own_count
    if not other_count:
        return sentence(phrase("The battle begins: {}", counted_noun(own_count, "ship")))
    return sentence(
        phrase(
            "The battle begins: {} of yours, {}",
            counted_noun(own_count, "ship"),
            counted_noun(other_count, "contact"),
        )
    )


def pieces_in_view(
    view: Mapping[str, Any], names: SideNames, sided: SideLookup
) -> tuple[Piece, ...]:
    """Return the objects of a view that are neither ships nor craft, as the engine draws them."""
    pieces = []
    for kind in kinds():
        for key in kind.view_keys:
            if key in GROUPS:
                continue
            for piece_view in view.get(key, ()):
                marker = kind.draw(key, piece_view, names.of)
                side = piece_view.get("side")
                side_place = None if side is None or int(side) < 0 else sided(int(side))
                x, y = marker.at
                look = marker.look or kind.kind
                pieces.append(
                    Piece(
                        look,
                        round(x, 2),
                        round(y, 2),
                        marker.radius,
                        capitalize_first(marker.words),
                        side_place,
                    )
                )
    return tuple(sorted(pieces, key=lambda piece: -piece.r))
