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
from campaign.replays.replay import Replay, ReplaySide, Unit, document_of, replay_of
from campaign.replays.sentences import Sentence
from campaign.replays.units import NO_SIDE, SideLookup, UnitState
from campaign.rules.queries import class_name, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.web.seat_marks import power_names, seats
from campaign.words.battle.log import SideNames, names_of
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
    # Sentences about ships that ended, each with whether the ship was destroyed
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
    course_text: str  # shown to the right of it
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
    seat_numbers = seats(scenario)
    powers = power_names(scenario)

    def side(name: str) -> ReplaySide:
        factions = name.split("+")
        return ReplaySide(
            join_phrases(" and ", (powers.get(faction, faction) for faction in factions)),
            seat_numbers.get(factions[0], 0),
        )

    def place_by_number(number: int) -> int:
        return number if number < len(names) else NO_SIDE

    def own_or_other(number: int) -> int:
        return NO_SIDE if number < 0 else 1

    if names:
        own_place = names.index(own_name) if own_name else -1
        return tuple(map(side, names)), own_place, place_by_number
    other_powers = [power for power in seat_numbers if power not in own_name.split("+")]
    other_side = ReplaySide(phrase("The others"), 0)
    if len(other_powers) == 1:
        other_side = side(other_powers[0])
    return (side(own_name), other_side), 0, own_or_other


def side_replay(
    scenario: Scenario, body: Mapping[str, Any], before: View, names: SideNames | None = None
) -> Replay:
    """Return the replay of a battle as one side saw it.

    Args:
        body: The side's report of the battle, or some of its phases.
        before: The faction's view before the battle, with names and classes of its ships.
        names: The names of the whole battle, if `body` has only some phases.
    """
    if names is None:
        names_by_key = {ship.key: ship.name for ship in before.ships}
        names = names_of(body, names_by_key, power_names(scenario))
    sides, own_side, place_of_side = replay_sides(scenario, body["sides"], body["side"])
    classes_by_key = ship_classes(scenario)
    classes = {}
    for ship in before.ships:
        classes[ship.key] = (
            class_name(scenario, ship.faction, ship.cls),
            classes_by_key[ship.cls].classification,
        )
    return replay_of(
        body, names, sides=sides, own_side=own_side, place_of_side=place_of_side, classes=classes
    )


class CompactJSONEncoder(DjangoJSONEncoder):
    """JSON encoder without insignificant whitespace."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "separators": (",", ":")})


def replay_context(replay: Replay, requested_turn: str | None) -> dict[str, Any]:
    """Return the template context of a replay.

    Args:
        requested_turn: A turn's number, or "all"; None for the first turn.

    Raises:
        Http404: If there is no such turn.
    """
    turns = replay.turns
    is_all = requested_turn == ALL or not turns
    if is_all and requested_turn not in (ALL, None):
        raise Http404(phrase("the battle has no such turn"))
    if is_all:
        turn = turns[-1] if turns else 0
        turns_shown = turns
    else:
        turn = turns[0] if requested_turn is None else _turn_number(turns, requested_turn)
        turns_shown = (turn,)
    _, units = states_at(replay, turn)
    place = turns.index(turn) if turns else 0
    return {
        "document": json_script(
            all_in_language(document_of(replay)), "replay", encoder=CompactJSONEncoder
        ),
        "picture": picture_of(replay, turn),
        "turn": turn,
        "turns": turns,
        "all_turns": is_all,
        "before": turns[place - 1] if place else None,
        "after": turns[place + 1] if place + 1 < len(turns) else None,
        "log": [_turn_log(replay, number) for number in turns_shown],
        "sides": _sides(replay, units),
    }


def _turn_number(turns: Sequence[int], text: str) -> int:
    """Return the turn with this number as text.

    Raises:
        Http404: If the battle has no such turn.
    """
    for turn in turns:
        if text == str(turn):
            return turn
    raise Http404(phrase("the battle has no such turn"))


def _turn_log(replay: Replay, number: int) -> TurnLog:
    """Return the moments of a turn by phase."""
    states: dict[str, UnitState] = {}  # of each unit with the changes of all moments
    for moment in replay.moments:
        for key, changes in moment.changes.items():
            states[key] = {**states.get(key, {}), **changes}
    moments = [moment for moment in replay.moments if moment.turn == number]
    lines_by_phase: dict[str, list[Line]] = {}
    for place, moment in enumerate(moments, 1):
        line = _line(replay, moment, f"t{number}.{place}", states)
        lines_by_phase.setdefault(moment.phase, []).append(line)
    phases = [PhaseLog(name, tuple(lines)) for name, lines in lines_by_phase.items()]
    return TurnLog(number, tuple(phases))


def _line(replay: Replay, moment: Moment, at: str, states: dict[str, UnitState]) -> Line:
    """Return a moment in the log, with units' names in their styles."""

    def words(sentence: Sentence) -> tuple[Word, ...]:
        words: list[Word] = []
        for part in sentence:
            if isinstance(part, str):
                words.append(Word(part, ""))
                continue
            key, name = part
            style = unit_style(replay, states[key]) if key in states else ""
            words.append(Word(name, style))
        return tuple(words)

    ends = tuple((words(sentence), is_destroyed) for sentence, is_destroyed in moment.consequences)
    return Line(at, tuple(map(words, moment.sentences)), ends, tuple(moment.details))


def _sides(replay: Replay, states: dict[str, UnitState]) -> tuple[SideRows, ...]:
    """Return the ships of each side that has any, ships before fighters.

    Args:
        states: The units at the end of the turn.
    """
    result = []
    for place, side in enumerate(replay.sides):
        units = []
        for key, unit in replay.units.items():
            if key in states and _is_listed(unit, states[key], place):
                units.append((unit, states[key]))
        units.sort(key=lambda entry: (entry[0].is_craft, entry[0].name))
        ships_left = sum(not state.get("out") for unit, state in units if not unit.is_craft)
        rows = tuple(_rows(replay, units))
        if rows:
            result.append(
                SideRows(
                    place=place, name=side.name, seat=side.seat, rows=rows, ships_left=ships_left
                )
            )
    return tuple(result)


def _is_listed(unit: Unit, state: UnitState, side: int) -> bool:
    """Return whether a unit is of a side; fighters that are out of the battle are not listed."""
    is_lost_fighter = unit.is_craft and bool(state.get("out"))
    return state.get("s", NO_SIDE) == side and not is_lost_fighter


def _rows(replay: Replay, units: Sequence[tuple[Unit, UnitState]]) -> Iterable[Row]:
    """Yield the rows of units.

    The `d` of a state is a ship's damage, but a fighter group's number of craft.
    """
    for unit, state in units:
        is_fighter = unit.is_craft
        velocity = "?" if state.get("v") is None else state["v"]
        course_text = phrase("C{} V{}", state["c"], velocity)
        if is_fighter:
            course_text = phrase("{} craft", state.get("d", 0))
        yield Row(
            name=unit_name(unit, state),
            cls="bogey" if state.get("b") else unit.cls,
            size=unit.size,
            style=unit_style(replay, state),
            strip=_unit_strip(unit, state),
            damage=0 if is_fighter else state.get("d", 0),
            course_text=course_text,
            fate_text=state.get("out", "") or state.get("note", ""),
        )


def _unit_strip(unit: Unit, state: UnitState) -> Strip | None:
    """Return the hull strip of a unit, or None if its hull rows are unknown."""
    if not unit.rows:
        return None
    damage = state.get("d", 0)
    if not unit.armour:
        return strip(unit.rows, damage, (), ())
    return strip(unit.rows, damage, ((unit.armour, 0),), ((state.get("a", 0), 0),))
