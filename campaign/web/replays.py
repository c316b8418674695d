"""The page of a replay: what its templates show without scripts, turn by turn, and the document its
script plays.

`battle_frame.html` and `replays/` draw it, for a side's reader and for who sees the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404
from django.utils.html import json_script

from campaign.drawings.strips import Strip, strip
from campaign.replays.moments import Moment
from campaign.replays.picture import picture_of, states_at, unit_name, unit_style
from campaign.replays.replay import FIGHTER, Replay, ReplaySide, Unit, document_of, replay_of
from campaign.replays.sentences import Sentence
from campaign.replays.units import NOBODYS, Sided, UnitState
from campaign.rules.queries import class_name, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.seat_marks import power_names, seats
from campaign.words.battle.log import names_of
from campaign.words.languages import all_in_language
from engine.core.phrase import joined_phrases, phrase

ALL = "all"


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a sentence. `style`: of a unit's name, "" of other words."""

    text: str
    style: str


@dataclass(frozen=True, slots=True)
class Line:
    """A moment in the log.

    `at`: its address, as links to it have it (`t5.4`); `ends`: each with whether one died.
    """

    at: str
    says: tuple[tuple[Word, ...], ...]
    ends: tuple[tuple[tuple[Word, ...], bool], ...]
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseLog:
    """A phase of a turn."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TurnLog:
    """A turn in the log."""

    number: int
    phases: tuple[PhaseLog, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A ship in the list: as it was at the end of the turn.

    `told`: what stands at its right; `gone`: why it is out.
    """

    name: str
    cls: str
    size: str
    style: str
    strip: Strip | None
    damage: int
    told: str
    gone: str


@dataclass(frozen=True, slots=True)
class SideRows:
    """The ships of a side. `place`: its place among all."""

    place: int
    name: str
    seat: int
    rows: tuple[Row, ...]
    left: int


def sides_seen(
    scenario: Scenario, names: Sequence[str], own: str
) -> tuple[tuple[ReplaySide, ...], int, Sided]:
    """The sides of a battle, the place of the reader's among them, and the place of each by its
    number in views.

    `names`: all of them in the engine's order, none where an older report does not say; `own`: the
    reader's, "" where he sees the truth.
    """
    numbers = seats(scenario)
    powers = power_names(scenario)

    def side(name: str) -> ReplaySide:
        parts = name.split("+")
        return ReplaySide(
            joined_phrases(" and ", (powers.get(part, part) for part in parts)),
            numbers.get(parts[0], 0),
        )

    if names:
        return (
            tuple(map(side, names)),
            names.index(own) if own else -1,
            lambda n: n if n < len(names) else NOBODYS,
        )
    others = [power for power in numbers if power not in own.split("+")]
    other = side(others[0]) if len(others) == 1 else ReplaySide(phrase("The others"), 0)
    return (side(own), other), 0, lambda n: NOBODYS if n < 0 else 1


def replay_seen(scenario: Scenario, body: Mapping[str, Any], before: View) -> Replay:
    """Return the replay of a battle as one side saw it.

    Args:
        body: The side's report of the battle.
        before: The faction's View before the battle: its ships by name and class.
    """
    names = names_of(body, {ship.key: ship.name for ship in before.ships}, power_names(scenario))
    sides, own_side, sided = sides_seen(scenario, body["sides"], body["side"])
    known = ship_classes(scenario)
    classes = {
        ship.key: (class_name(scenario, ship.faction, ship.cls), known[ship.cls].classification)
        for ship in before.ships
    }
    return replay_of(body, names, sides, own_side, sided, classes)


class Compact(DjangoJSONEncoder):
    """JSON without a blank that says nothing."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "separators": (",", ":")})


def replay_context(replay: Replay, asked: str | None) -> dict[str, Any]:
    """What the templates of a replay want.

    `asked`: a turn, or all of them. Raises Http404 where there is none such.
    """
    turns = replay.turns
    given = asked if asked is not None else str(turns[0]) if turns else ALL
    if given != ALL and given not in {str(turn) for turn in turns}:
        raise Http404(phrase("the battle has no such turn"))
    last = turns[-1] if turns else 0
    turn = last if given == ALL else int(given)
    shown = turns if given == ALL else (turn,)
    _, now = states_at(replay, turn)
    at = turns.index(turn) if turns else 0
    return {
        "document": json_script(all_in_language(document_of(replay)), "replay", encoder=Compact),
        "picture": picture_of(replay, turn),
        "turn": turn,
        "turns": turns,
        "all_turns": given == ALL,
        "before": turns[at - 1] if at else None,
        "after": turns[at + 1] if at + 1 < len(turns) else None,
        "log": [_turn_log(replay, number) for number in shown],
        "sides": _sides(replay, now),
    }


def _turn_log(replay: Replay, number: int) -> TurnLog:
    phases: dict[str, list[Line]] = {}
    moments = [moment for moment in replay.moments if moment.turn == number]
    names: dict[str, UnitState] = {}
    for moment in replay.moments:
        for key, what in moment.changes.items():
            names[key] = {**names.get(key, {}), **what}
    for n, moment in enumerate(moments, 1):
        phases.setdefault(moment.phase, []).append(_line(replay, moment, f"t{number}.{n}", names))
    return TurnLog(number, tuple(PhaseLog(name, tuple(lines)) for name, lines in phases.items()))


def _line(replay: Replay, moment: Moment, at: str, states: dict[str, UnitState]) -> Line:
    def words(said: Sentence) -> tuple[Word, ...]:
        return tuple(
            Word(part, "")
            if isinstance(part, str)
            else Word(part[1], unit_style(replay, states[part[0]]) if part[0] in states else "")
            for part in said
        )

    ends = tuple((words(said), dead) for said, dead in moment.ends)
    return Line(at, tuple(map(words, moment.says)), ends, tuple(moment.details))


def _sides(replay: Replay, now: dict[str, UnitState]) -> tuple[SideRows, ...]:
    found = []
    for n, side in enumerate(replay.sides):
        ships = [
            (unit, now[key])
            for key, unit in replay.units.items()
            if key in now
            and now[key].get("s", NOBODYS) == n
            and (unit.size != FIGHTER or not now[key].get("out"))
        ]
        ships.sort(key=lambda one: (one[0].size == FIGHTER, one[0].name))
        left = sum(not state.get("out") for unit, state in ships if unit.size != FIGHTER)
        found.append(SideRows(n, side.name, side.seat, tuple(_rows(replay, ships)), left))
    return tuple(side for side in found if side.rows)


def _rows(replay: Replay, ships: Sequence[tuple[Unit, UnitState]]) -> Iterable[Row]:
    for unit, state in ships:
        velocity = state.get("v")
        told = phrase("C{} V{}", state["c"], "?" if velocity is None else velocity)
        drawn = None
        if unit.rows:
            armour = ((unit.armour, 0),) if unit.armour else ()
            drawn = strip(
                unit.rows,
                state.get("d", 0),
                armour,
                ((state.get("a", 0), 0),) if unit.armour else (),
            )
        yield Row(
            name=unit_name(unit, state),
            cls="bogey" if state.get("b") else unit.cls,
            size=unit.size,
            style=unit_style(replay, state),
            strip=drawn,
            damage=0 if unit.size == FIGHTER else state.get("d", 0),
            told=phrase("{} craft", state.get("d", 0)) if unit.size == FIGHTER else told,
            gone=state.get("out", "") or state.get("note", ""),
        )
