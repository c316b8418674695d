"""The page of a replay: what templates show turn by turn without scripts, and the script's data.

`battle_frame.html` and `replays/` draw it, both for a side's view and for the true battle.
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
from campaign.replays.units import NO_SIDE, SideLookup, UnitState
from campaign.rules.queries import class_name, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.seat_marks import power_names, seats
from campaign.words.battle.log import names_of
from campaign.words.languages import all_in_language
from engine.core.phrase import join_phrases, phrase

ALL = "all"


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a sentence."""

    text: str
    style: str  # CSS class of a unit's name; "" for other words


@dataclass(frozen=True, slots=True)
class Line:
    """A moment in the log."""

    at: str  # its anchor, as in links to it (`t5.4`)
    sentences: tuple[tuple[Word, ...], ...]
    # Sentences about ships that ended, each with whether it was destroyed
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
    """A ship in the list at the end of the turn."""

    name: str
    cls: str
    size: str
    style: str
    strip: Strip | None
    damage: int
    course_text: str  # shown at its right
    fate_text: str  # why it is out of the battle


@dataclass(frozen=True, slots=True)
class SideRows:
    """The ships of a side."""

    place: int  # its index among the sides
    name: str
    seat: int
    rows: tuple[Row, ...]
    ships_left: int


def replay_sides(
    scenario: Scenario, names: Sequence[str], own_name: str
) -> tuple[tuple[ReplaySide, ...], int, SideLookup]:
    """Return a battle's sides, the index of the reader's, and a lookup by side number.

    Args:
        names: All sides in the engine's order; empty for reports that do not name them.
        own_name: The reader's side; "" for the true battle.
    """
    numbers = seats(scenario)
    powers = power_names(scenario)

    def side(name: str) -> ReplaySide:
        parts = name.split("+")
        return ReplaySide(
            join_phrases(" and ", (powers.get(part, part) for part in parts)),
            numbers.get(parts[0], 0),
        )

    if names:
        return (
            tuple(map(side, names)),
            names.index(own_name) if own_name else -1,
            lambda n: n if n < len(names) else NO_SIDE,
        )
    other_powers = [power for power in numbers if power not in own_name.split("+")]
    if len(other_powers) == 1:
        other_side = side(other_powers[0])
    else:
        other_side = ReplaySide(phrase("The others"), 0)
    return (side(own_name), other_side), 0, lambda n: NO_SIDE if n < 0 else 1


def side_replay(scenario: Scenario, body: Mapping[str, Any], before: View) -> Replay:
    """Return the replay of a battle as one side saw it.

    Args:
        body: The side's report of the battle.
        before: The faction's view before the battle, with names and classes of its ships.
    """
    names = names_of(body, {ship.key: ship.name for ship in before.ships}, power_names(scenario))
    sides, own_side, sided = replay_sides(scenario, body["sides"], body["side"])
    classes_by_key = ship_classes(scenario)
    classes = {}
    for ship in before.ships:
        classes[ship.key] = (
            class_name(scenario, ship.faction, ship.cls),
            classes_by_key[ship.cls].classification,
        )
    return replay_of(body, names, sides, own_side, sided, classes)


class CompactJSONEncoder(DjangoJSONEncoder):
    """JSON encoder without insignificant whitespace."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "separators": (",", ":")})


def replay_context(replay: Replay, requested_turn: str | None) -> dict[str, Any]:
    """Return the template context of a replay.

    Args:
        requested_turn: A turn's number, or "all".

    Raises:
        Http404: If there is no such turn.
    """
    turns = replay.turns
    turn_text = requested_turn
    if turn_text is None:
        turn_text = str(turns[0]) if turns else ALL
    if turn_text != ALL and turn_text not in {str(turn) for turn in turns}:
        raise Http404(phrase("the battle has no such turn"))
    last = turns[-1] if turns else 0
    turn = last if turn_text == ALL else int(turn_text)
    turns_shown = turns if turn_text == ALL else (turn,)
    _, now = states_at(replay, turn)
    at = turns.index(turn) if turns else 0
    return {
        "document": json_script(
            all_in_language(document_of(replay)), "replay", encoder=CompactJSONEncoder
        ),
        "picture": picture_of(replay, turn),
        "turn": turn,
        "turns": turns,
        "all_turns": turn_text == ALL,
        "before": turns[at - 1] if at else None,
        "after": turns[at + 1] if at + 1 < len(turns) else None,
        "log": [_turn_log(replay, number) for number in turns_shown],
        "sides": _sides(replay, now),
    }


def _turn_log(replay: Replay, number: int) -> TurnLog:
    phases: dict[str, list[Line]] = {}
    moments = [moment for moment in replay.moments if moment.turn == number]
    names: dict[str, UnitState] = {}
    for moment in replay.moments:
        for key, changes in moment.changes.items():
            names[key] = {**names.get(key, {}), **changes}
    for n, moment in enumerate(moments, 1):
        phases.setdefault(moment.phase, []).append(_line(replay, moment, f"t{number}.{n}", names))
    return TurnLog(number, tuple(PhaseLog(name, tuple(lines)) for name, lines in phases.items()))


def _line(replay: Replay, moment: Moment, at: str, states: dict[str, UnitState]) -> Line:
    def words(sentence: Sentence) -> tuple[Word, ...]:
        words: list[Word] = []
        for part in sentence:
            words.append(
                Word(part, "")
                if isinstance(part, str)
                else Word(part[1], unit_style(replay, states[part[0]]) if part[0] in states else "")
            )
        return tuple(words)

    ends = tuple((words(sentence), dead) for sentence, dead in moment.consequences)
    return Line(at, tuple(map(words, moment.sentences)), ends, tuple(moment.details))


def _sides(replay: Replay, now: dict[str, UnitState]) -> tuple[SideRows, ...]:
    result = []
    for n, side in enumerate(replay.sides):
        ships = []
        for key, unit in replay.units.items():
            if (
                key in now
                and now[key].get("s", NO_SIDE) == n
                and (unit.size != FIGHTER or not now[key].get("out"))
            ):
                ships.append((unit, now[key]))
        ships.sort(key=lambda entry: (entry[0].size == FIGHTER, entry[0].name))
        ships_left = sum(not state.get("out") for unit, state in ships if unit.size != FIGHTER)
        result.append(SideRows(n, side.name, side.seat, tuple(_rows(replay, ships)), ships_left))
    return tuple(side for side in result if side.rows)


def _rows(replay: Replay, ships: Sequence[tuple[Unit, UnitState]]) -> Iterable[Row]:
    for unit, state in ships:
        velocity = state.get("v")
        course_text = phrase("C{} V{}", state["c"], "?" if velocity is None else velocity)
        strip_drawing = None
        if unit.rows:
            armour = ((unit.armour, 0),) if unit.armour else ()
            strip_drawing = strip(
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
            strip=strip_drawing,
            damage=0 if unit.size == FIGHTER else state.get("d", 0),
            course_text=phrase("{} craft", state.get("d", 0))
            if unit.size == FIGHTER
            else course_text,
            fate_text=state.get("out", "") or state.get("note", ""),
        )
