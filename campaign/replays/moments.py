"""The moments of a battle: all moves of a phase, one shooter's fire, one round of checks.

A moment lists the changes it causes. Moments are made only from phases as a side saw them
(`engine.view.documents.StopViewDocument`): its view when it gave orders, and its log of what
followed. So they contain nothing that the side did not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from campaign.replays.acts import Act, act_of, add_act, moved_piece
from campaign.replays.events import (
    CHECKS_GROUP,
    CONSEQUENCES,
    MOVING,
    Shot,
    belongs_to_moves,
    group_of,
    shot_of,
)
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
from engine.core.state import SET_UP
from engine.english import capitalize_first, counted_noun
from engine.events.battle import BattleOver, TurnEnded
from engine.events.damage import ShipDestroyed
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import ArcRolled
from engine.pieces.marker import Marker
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


class Consequence(NamedTuple):
    """A sentence about what fire or a move did to one ship."""

    sentence: Sentence
    is_destroyed: bool


@dataclass(slots=True)
class Moment:
    """A moment of a battle.

    Attributes:
        phase: The title of the phase of the turn.
        kind: How it is shown: BEGIN, MOVES, FIRE, OTHER or OVER.
        sentences: What happened.
        consequences: What it led to, ship by ship.
        details: Dice rolls, and what the sentences leave out.
        shooter: The key of the ship or group that fires.
        shots: Hits by target.
        paths: The points that each unit moved along.
        acts: What a film draws (`campaign.replays.acts`).
        changes: What changes on the table.
        pieces: The objects on the table afterwards.
    """

    turn: int
    phase: str
    kind: str
    sentences: list[Sentence] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    shooter: str = ""
    shots: dict[str, int] = field(default_factory=dict)
    paths: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    changes: dict[str, UnitState] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()


@dataclass(slots=True)
class _OpenMoment:
    """A moment while its events are collected.

    Attributes:
        group: The group of its events (`group_of`), or for fire that of its shooter.
        events: The events that make up the moment.
        consequences: The events that resulted from them.
        participants: Keys of the ships, groups and ordnance in these events.
    """

    moment: Moment
    group: str
    events: list[Event] = field(default_factory=list)
    consequences: list[Event] = field(default_factory=list)
    participants: set[str] = field(default_factory=set)


def moments_of(
    body: Mapping[str, Any], names: SideNames, own_side: int, place_of_side: SideLookup
) -> list[Moment]:
    """Return the moments of a battle report, or of the phases reported so far.

    Args:
        own_side: The index of the reader's side in the replay.
        place_of_side: Converts a side's number in views to its index in the replay.
    """
    builder = _MomentBuilder(own_side, place_of_side)
    phases = phases_of(body)
    after_set_up = _view_after_set_up(phases)
    for phase in phases:
        is_set_up = phase.get("stop") == SET_UP
        builder.add_phase(phase, names.at(phase), after_set_up if is_set_up else phase)
    return builder.moments


def _view_after_set_up(phases: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first view with ships where they were set up, or the newest one of the set-up.

    The view when ships are to be placed has them where their captain proposes. Ships that are still
    to be placed are left out.
    """
    for phase in phases:
        if phase.get("stop") != SET_UP:
            return phase
    if not phases:
        return {}
    newest = phases[-1]
    to_place = newest.get("set_up", {}).get("to_place", ())
    own_ships = {key: ship for key, ship in newest["own"].items() if key not in to_place}
    return {**newest, "own": own_ships}


class _MomentBuilder:
    """Collects moments phase by phase and event by event."""

    def __init__(self, own_side: int, place_of_side: SideLookup) -> None:
        self.own_side = own_side
        self.place_of_side = place_of_side
        self.units = Units()
        self.moments: list[Moment] = []
        self.open: _OpenMoment | None = None
        self.places: dict[str, Point] = {}  # of pieces that are not units, by id

    def add_phase(
        self, record: Mapping[str, Any], names: SideNames, view: Mapping[str, Any]
    ) -> None:
        """Add the moments of a phase, as its record for one side tells them.

        Args:
            view: What the side sees on the table when the phase begins.
        """
        marking = Marking(names)
        turn = int(record["turn"])
        title = PHASE_TITLES.get(str(record.get("stop", "")), phrase("what happened"))
        phase = localize(capitalize_first(title))
        changes = self.units.sync(units_in_view(view, self.own_side, self.place_of_side))
        pieces = pieces_in_view(view, names, self.place_of_side)
        self.places = _places_in_view(view)
        if not self.moments:
            opening = Moment(turn, phase, kind=BEGIN, changes=changes, pieces=pieces)
            opening.sentences.append(_opening_sentence(self.units, turn))
            self.moments.append(opening)
        else:
            _merge(self.moments[-1].changes, changes)
            self.moments[-1].pieces = pieces
        moments_before = len(self.moments)
        for event in read_events(record["log"]):
            if isinstance(event, ContactIdentified):
                names.hidden.discard(event.ship)
            self._add_event(event, turn, phase, marking)
        self._close_moment(marking)
        for moment in self.moments[moments_before:]:
            moment.pieces = pieces

    def _add_event(self, event: Event, turn: int, phase: str, names: Marking) -> None:
        """Add an event to the open moment, or close that one and begin another with the event."""
        if isinstance(event, TurnEnded):
            self._close_moment(names)
            return
        shot = shot_of(event)
        current = self.open
        if current is None or not _is_part_of(current, event, shot):
            self._close_moment(names)
            current = self.open = _begin_moment(event, shot, turn, phase)
        elif type(event) in CONSEQUENCES and current.group != group_of(event):
            current.consequences.append(event)
        else:
            current.events.append(event)
        current.participants |= _participants(event)
        _note_move_and_shot(current.moment, event, shot)
        self._note_act(current.moment, event)
        _merge(current.moment.changes, self.units.apply(event))

    def _note_act(self, moment: Moment, event: Event) -> None:
        """Add the act of an event to its moment, and remember where pieces are."""
        piece = moved_piece(event)
        if piece is not None:
            key, place = piece
            self.places[key] = place
        act = act_of(event, self.places)
        if act is not None:
            add_act(moment.acts, act)

    def _close_moment(self, names: Marking) -> None:
        """Put the collected events into words; drop a moment without words or changes."""
        closed = self.open
        self.open = None
        if closed is None:
            return
        moment = closed.moment
        _put_into_words(closed, names)
        if moment.sentences or moment.consequences:
            self.moments.append(moment)
        elif moment.changes:
            _merge(self.moments[-1].changes, moment.changes)


def _is_part_of(current: _OpenMoment, event: Event, shot: Shot | None) -> bool:
    """Return whether an event is part of the open moment."""
    fire_group = _fire_group(event, shot)
    if fire_group:
        return fire_group == current.group
    if type(event) in CONSEQUENCES and event.subject in current.participants:
        return True
    if current.group == MOVES and belongs_to_moves(event):
        return True
    return current.moment.kind != FIRE and current.group == group_of(event)


def _begin_moment(event: Event, shot: Shot | None, turn: int, phase: str) -> _OpenMoment:
    """Return a moment that begins with this event."""
    fire_group = _fire_group(event, shot)
    group = fire_group or group_of(event)
    kind = FIRE if fire_group else _kind_of_moment(event, group)
    opened = _OpenMoment(Moment(turn, phase, kind), group)
    if isinstance(event, ArcRolled):
        opened.consequences.append(event)
    else:
        opened.events.append(event)
    return opened


def _note_move_and_shot(moment: Moment, event: Event, shot: Shot | None) -> None:
    """Add the path or the hits of an event to its moment."""
    if isinstance(event, MOVING):
        path_before = moment.paths.get(event.subject, ())
        path = tuple((round(x, 2), round(y, 2)) for x, y in event.path)
        moment.paths[event.subject] = (*path_before, *path)
    if shot is not None:
        moment.shooter = shot.shooter
        moment.shots[shot.target] = moment.shots.get(shot.target, 0) + shot.hits


def _put_into_words(closed: _OpenMoment, names: Marking) -> None:
    """Write the sentences, consequences and details of a moment from its events."""
    moment = closed.moment
    consequence_events = closed.consequences
    if moment.kind == FIRE and closed.events:
        fire_words, moment.details = fire_sentence(closed.events, names)
        moment.sentences.append(fire_words)
    elif moment.kind == FIRE:  # only an arc roll: the shooter does not fire
        moment.sentences, moment.details = sentences_of(consequence_events, names)
        consequence_events = []
    elif closed.group == CHECKS_GROUP:
        moment.consequences, moment.details = _consequences(closed.events, names)
    elif closed.group == MOVES:
        moves = [event for event in closed.events if isinstance(event, MOVING)]
        others = [event for event in closed.events if not isinstance(event, MOVING)]
        moment.sentences, moment.details = sentences_of(moves, names)
        other_sentences, details = sentences_of(others, names)
        moment.consequences += [Consequence(other, False) for other in other_sentences]
        moment.details += details
    else:
        moment.sentences, moment.details = sentences_of(closed.events, names)
    consequences, details = _consequences(consequence_events, names)
    moment.consequences += consequences
    moment.details += details


def _fire_group(event: Event, shot: Shot | None) -> str:
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


def _participants(event: Event) -> set[str]:
    """Return the ships, groups and ordnance that an event names."""
    parts = (getattr(event, part, "") for part in ("ship", "group", "target", "marker", "near"))
    return {str(part) for part in parts if part}


def _consequences(events: Iterable[Event], names: Marking) -> tuple[list[Consequence], list[str]]:
    """Return one sentence for each affected ship, in the order of events, and the details."""
    events_by_ship: dict[str, list[Event]] = {}
    for event in events:
        events_by_ship.setdefault(event.subject, []).append(event)
    consequences = []
    details = []
    for ship_events in events_by_ship.values():
        words, extra_details = consequence_sentence(ship_events, names)
        if words:
            is_destroyed = any(isinstance(event, ShipDestroyed) for event in ship_events)
            consequences.append(Consequence(words, is_destroyed))
        details += extra_details
    return consequences, details


def _merge(into: dict[str, UnitState], new: Mapping[str, UnitState]) -> None:
    """Add later changes of units to earlier ones."""
    for key, changes in new.items():
        into[key] = {**into.get(key, {}), **changes}


def _opening_sentence(units: Units, turn: int) -> Sentence:
    """Say how many own ships and contacts are on the table when the battle, or an excerpt, begins.

    An excerpt begins with a later turn.
    """
    if turn > 1:
        return sentence(phrase("Turn {} begins", turn))
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


def _places_in_view(view: Mapping[str, Any]) -> dict[str, Point]:
    """Return where a view's ordnance is, by id."""
    places = {}
    for key in Marker.view_keys:
        for marker in view.get(key, ()):
            x, y = marker["at"] if "at" in marker else (marker["x"], marker["y"])
            places[str(marker["id"])] = (x, y)
    return places


def pieces_in_view(
    view: Mapping[str, Any], names: SideNames, place_of_side: SideLookup
) -> tuple[Piece, ...]:
    """Return the objects of a view that are neither ships nor craft, as the engine draws them."""
    pieces = []
    for kind in kinds():
        for key in kind.view_keys:
            if key in GROUPS:
                continue
            for piece_view in view.get(key, ()):
                drawing = kind.draw(key, piece_view, names.of)
                side = piece_view.get("side")
                has_side = side is not None and int(side) >= 0
                x, y = drawing.at
                piece = Piece(
                    kind=drawing.look or kind.kind,
                    x=round(x, 2),
                    y=round(y, 2),
                    r=drawing.radius,
                    words=capitalize_first(drawing.words),
                    side=place_of_side(int(side)) if has_side else None,
                )
                pieces.append(piece)
    return tuple(sorted(pieces, key=lambda piece: -piece.r))
