"""The moments of a battle: all moves of a stop, one shooter's fire, one round of checks, each with
what it changes.

They are made from stops as a side saw them (`engine.view.documents.StopViewDocument`): its view
when it chose, and the log of what happened then as it read it. Nothing else goes in, so nothing
else comes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaign.replays.events import FOLLOWS, MOVING, Shot, group_of, on_the_way, shot_of
from campaign.replays.sentences import Marking, Sentence, fire_told, followed, sentence, told_of
from campaign.replays.units import GROUPS, Point, Sided, Units, UnitState, units_seen
from campaign.words.battle.log import SideNames, stops_of
from campaign.words.battle.phase_titles import STOP_TITLES
from engine.core.phrase import phrase, spoken
from engine.english import capital, counted_noun
from engine.events.battle import BattleOver, TurnEnded
from engine.events.damage import Destroyed
from engine.events.detection import Revealed
from engine.events.event import Event
from engine.events.fire import ArcRolled
from engine.pieces.registry import kinds
from engine.view.told_events import told_events

BEGIN, MOVES, FIRE, OTHER, OVER = "begin", "moves", "fire", "other", "over"


@dataclass(frozen=True, slots=True)
class Piece:
    """What lies on the table beside ships.

    `r` in MU, 0: a small mark; `side`: whose, None where it is nobody's.
    """

    kind: str
    x: float
    y: float
    r: float
    words: str
    side: int | None


@dataclass(slots=True)
class Moment:
    """A moment.

    `phase`: of the turn, in words; `kind`: how it is shown; `who` fires, `shots`: hits by target.

    `says`: what happened, `ends`: what came of it, each with whether somebody was destroyed;
    `details`: dice and more. `changes`: what of the table is otherwise afterwards; `pieces`: those
    that lie on it then.
    """

    turn: int
    phase: str
    kind: str
    says: list[Sentence] = field(default_factory=list)
    ends: list[tuple[Sentence, bool]] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    who: str = ""
    shots: dict[str, int] = field(default_factory=dict)
    paths: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    changes: dict[str, UnitState] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()


@dataclass(slots=True)
class _Open:
    """A moment while its events are gathered: of which group they are, those that make it and those
    that follow.
    """

    moment: Moment
    group: str
    made_of: list[Event] = field(default_factory=list)
    followed_by: list[Event] = field(default_factory=list)
    about: set[str] = field(default_factory=set)


def moments_of(body: Mapping[str, Any], names: SideNames, mine: int, sided: Sided) -> list[Moment]:
    """The moments of a battle report, or of the stops told so far.

    `mine`: the place of the reader's side; `sided`: that of a side by its number in views.
    """
    teller = _Teller(mine, sided)
    for stop in stops_of(body):
        teller.stop(stop, names.at(stop))
    return teller.moments


class _Teller:
    """Stop after stop, event after event."""

    def __init__(self, mine: int, sided: Sided) -> None:
        self.mine, self.sided = mine, sided
        self.units = Units()
        self.moments: list[Moment] = []
        self.open: _Open | None = None

    def stop(self, stop: Mapping[str, Any], names: SideNames) -> None:
        marking = Marking(names)
        turn = int(stop["turn"])
        phase = spoken(capital(STOP_TITLES.get(str(stop.get("stop", "")), phrase("what happened"))))
        told = self.units.sync(units_seen(stop, self.mine, self.sided))
        pieces = pieces_seen(stop, names, self.sided)
        if not self.moments:
            self.moments.append(
                Moment(turn, phase, BEGIN, [_beginning(self.units)], changes=told, pieces=pieces)
            )
        else:
            _merge(self.moments[-1].changes, told)
            self.moments[-1].pieces = pieces
        first = len(self.moments)
        for event in told_events(stop["log"]):
            if isinstance(event, Revealed):
                names.hidden.discard(event.ship)
            self._happen(event, turn, phase, marking)
        self._close(marking)
        for moment in self.moments[first:]:
            moment.pieces = pieces

    def _happen(self, event: Event, turn: int, phase: str, names: Marking) -> None:
        if isinstance(event, TurnEnded):
            self._close(names)
            return
        shot = shot_of(event)
        fire = _fire_of(event, shot)
        group = fire or group_of(event)
        now = self.open
        if now is None or not self._belongs(event, now, fire, group):
            self._close(names)
            now = self.open = _Open(
                Moment(turn, phase, FIRE if fire else _shown(event, group)), group
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
            now.moment.who = shot.who
            now.moment.shots[shot.at] = now.moment.shots.get(shot.at, 0) + shot.hits
        _merge(now.moment.changes, self.units.happen(event))

    def _belongs(self, event: Event, now: _Open, fire: str, group: str) -> bool:
        """Whether an event is part of the moment that is being told."""
        if fire:
            return fire == now.group
        if type(event) in FOLLOWS and event.subject in now.about:
            return True
        if now.group == MOVES and on_the_way(event):
            return True
        return now.moment.kind != FIRE and group == now.group

    def _close(self, names: Marking) -> None:
        """Put what was gathered into words.

        A moment that says nothing and changes nothing is none.
        """
        now, self.open = self.open, None
        if now is None:
            return
        moment = now.moment
        if now.made_of and moment.kind == FIRE:
            said, moment.details = fire_told(now.made_of, names)
            moment.says.append(said)
        elif moment.kind == FIRE:  # an arc alone: who was to fire does not
            moment.says, moment.details = told_of(now.followed_by, names)
            now.followed_by = []
        elif now.group == "checks":
            moment.ends, moment.details = _ends(now.made_of, names)
        else:
            moves = now.group == MOVES
            first = [event for event in now.made_of if not moves or isinstance(event, MOVING)]
            rest = [event for event in now.made_of if moves and not isinstance(event, MOVING)]
            moment.says, moment.details = told_of(first, names)
            more, details = told_of(rest, names)
            moment.ends += [(one, False) for one in more]
            moment.details += details
        ends, details = _ends(now.followed_by, names)
        moment.ends += ends
        moment.details += details
        if moment.says or moment.ends:
            self.moments.append(moment)
        elif moment.changes:
            _merge(self.moments[-1].changes, moment.changes)


def _fire_of(event: Event, shot: Shot | None) -> str:
    """The group of events of a shooter's fire, to which the arc belongs that was diced for it; ""
    of other events.
    """
    if isinstance(event, ArcRolled):
        return f"{FIRE}:{event.ship}"
    return f"{FIRE}:{shot.who}" if shot is not None else ""


def _shown(event: Event, group: str) -> str:
    """How a moment that begins with an event is shown, where that is no fire."""
    if group == MOVES:
        return MOVES
    return OVER if isinstance(event, BattleOver) else OTHER


def _about(event: Event) -> set[str]:
    """The ships, groups and ordnance that an event names."""
    parts = (getattr(event, part, "") for part in ("ship", "group", "target", "marker", "near"))
    return {str(part) for part in parts if part}


def _ends(events: Iterable[Event], names: Marking) -> tuple[list[tuple[Sentence, bool]], list[str]]:
    """What befell each ship, in a sentence a ship, in the order in which it befell them."""
    by: dict[str, list[Event]] = {}
    for event in events:
        by.setdefault(event.subject, []).append(event)
    found, details = [], []
    for those in by.values():
        said, more = followed(those, names)
        if said:
            found.append((said, any(isinstance(event, Destroyed) for event in those)))
        details += more
    return found, details


def _merge(into: dict[str, UnitState], new: Mapping[str, UnitState]) -> None:
    for key, what in new.items():
        into[key] = {**into.get(key, {}), **what}


def _beginning(units: Units) -> Sentence:
    own = sum(state["m"] for state in units.now.values())
    others = len(units.now) - own
    if not others:
        return sentence(phrase("The battle begins: {}", counted_noun(own, "ship")))
    return sentence(
        phrase(
            "The battle begins: {} of yours, {}",
            counted_noun(own, "ship"),
            counted_noun(others, "contact"),
        )
    )


def pieces_seen(view: Mapping[str, Any], names: SideNames, sided: Sided) -> tuple[Piece, ...]:
    """What lies on the table of a view beside ships and craft, as the pieces' own drawings have
    it.
    """
    found = []
    for kind in kinds():
        for key in kind.view_keys:
            if key in GROUPS:
                continue
            for seen in view.get(key, ()):
                drawn = kind.drawn(key, seen, names.of)
                side = seen.get("side")
                whose = None if side is None or int(side) < 0 else sided(int(side))
                x, y = drawn.at
                look = drawn.look or kind.kind
                found.append(
                    Piece(look, round(x, 2), round(y, 2), drawn.radius, capital(drawn.words), whose)
                )
    return tuple(sorted(found, key=lambda one: -one.r))
