"""A typed event contains what a line of a side's log does, and nothing else."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from engine.battle import ResolvedStop
from engine.core.state import BattleState
from engine.documents import KINDS, event_from_json
from engine.events.event import Event, field_marks_of
from engine.events.orbits import WentRoundPlanet
from engine.view.event_reader import HIDEABLE, read_event, read_events, read_events_of
from engine.view.side_log import SideListener, side_log
from tests.campaign.replays.battles import phases_of_case
from tests.engine.frozen.fighting import with_reason_text
from tests.engine.samples import sample_line

pytestmark = pytest.mark.rule("2e.sensors")
SHIPS = {"n1", "e1", "n1/fighter-bay-1"}
LISTENERS = ("owner", "identified", "hidden", "closed", "unseen", "aboard")


@cache
def before() -> BattleState:
    """Return the beginning of a battle, fought once for all events."""
    return phases_of_case("second-edition/first-battle-2")[0].before


def listener(kind: str) -> SideListener:
    """Return a side that knows the sample ships in one of the possible ways."""
    heard = SideListener(before(), 0)
    heard.mine = set(SHIPS) if kind == "owner" else set()
    if kind != "owner":
        heard.names = {"n1": "c0ffee0001", "e1": "c0ffee0002", "n1/fighter-bay-1": "flight-1"}
        getattr(heard, "hidden" if kind == "identified" else kind).clear()
        if kind != "identified":
            getattr(heard, kind).update(SHIPS)
    return heard


def field_values(event: Event) -> dict[str, Any]:
    """Return every field of a typed event that is not None."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _has_same_values(event: Event, line: dict[str, Any]) -> bool:
    worded = with_reason_text(line)
    line_values = {
        name: _plain(value)
        for name, value in worded.items()
        if name != "event" and value is not None
    }
    return event.kind == line["event"] and field_values(event) == line_values


@pytest.mark.parametrize("way", LISTENERS)
def test_event_contains_what_its_reader_was_told(way: str) -> None:
    heard = 0
    for cls in KINDS.values():
        event = event_from_json(sample_line(cls))
        line = listener(way).hear(event)
        if line is not None:
            heard += 1
            assert _has_same_values(read_event(line), line), (cls.kind, way)
    assert heard > (130 if way == "owner" else 20), heard


@pytest.mark.parametrize(
    "name", ["continuum/orders-150", "mines/orders-20", "planets/captains-2", "boats/captains-1"]
)
def test_logs_of_every_side_round_trip(name: str) -> None:
    stops: tuple[ResolvedStop, ...] = phases_of_case(name)
    for stop in stops:
        for side in range(len(stop.before.sides)):
            log = side_log(stop.events, stop.before, side)
            read = read_events(log)
            assert all(_has_same_values(event, line) for event, line in zip(read, log, strict=True))


def test_optional_field_is_declared_so() -> None:
    """Then mypy notices wherever code forgets that it may be None."""
    for cls in KINDS.values():
        marks = field_marks_of(cls)
        for field in fields(cls):
            others_hear = cls.audience.name != "OWN_SIDE"
            if others_hear and marks.get(field.name) in HIDEABLE:
                assert "None" in str(field.type) or str(field.type) == "PieceRef", (
                    cls.kind,
                    field.name,
                )


def test_hidden_field_is_none() -> None:
    line = sample_line(WentRoundPlanet, due=7)
    del line["due"]
    (read,) = read_events_of([line, {"event": "unknown to all"}], WentRoundPlanet)
    assert read.due is None


def test_line_of_a_newer_program_is_refused() -> None:
    line = sample_line(WentRoundPlanet)
    with pytest.raises(KeyError, match="hyperdrive"):
        read_event({"event": "hyperdrive", "turn": 1})
    with pytest.raises(ValueError, match="colour"):
        read_event({**line, "colour": "red"})
    with pytest.raises(KeyError, match="ship"):
        read_event({name: value for name, value in line.items() if name != "ship"})
