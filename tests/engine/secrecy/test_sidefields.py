"""Every field of every event is classified; what nobody classified is told to no side."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest
import yaml

import engine
from engine.battle import Stop, begin, fight
from engine.cli_battle import battle_file
from engine.event_kinds import KINDS
from engine.events import OPEN, Event, Moved
from engine.sidefields import ALWAYS, CLASSES, FIELDS, LEAVING, MINE, NAME, PLAIN, TEXT
from engine.sidelog import side_log
from engine.state import BattleState
from tests.golden.playthrough import BATTLES

pytestmark = pytest.mark.rule("2e.sensors")
WORD = re.compile(r"[^\s:;,()\[\]\"']+")


@dataclass(frozen=True, slots=True)
class Followed(Moved):
    """A known event with a field that nobody has classified."""

    by_whom: str


@dataclass(frozen=True, slots=True)
class Whispered(Event):
    """An event that nobody has classified, heard by everybody."""

    kind: ClassVar[str] = "whispered"
    eyes: ClassVar[str] = OPEN
    ship: str


def stops(name: str, turns: int) -> list[Stop]:
    """The first stops of a battle of the fixtures, fought by captains."""
    file = battle_file(yaml.safe_load((BATTLES / f"{name}.yaml").read_text(encoding="utf-8")))
    found: list[Stop] = []
    fight(begin(file, file.dice()), file.doctrines, file.dice(), "captains", turns, found.append)
    return found


def test_every_field_of_every_event_is_classified() -> None:
    declared = {kind: {"event", *(field.name for field in fields(cls))} for kind, cls in KINDS.items()}
    classified = {kind: set(known) for kind, known in FIELDS.items()}
    unclassified = {kind: sorted(names - classified.get(kind, set())) for kind, names in declared.items()}
    gone = {kind: sorted(names - declared.get(kind, set())) for kind, names in classified.items()}
    found = {kind: names for kind, names in unclassified.items() if names}
    assert found == {}, "say in engine/sidefields.py who is told"
    assert {kind: names for kind, names in gone.items() if names} == {}
    assert set(classified) == set(declared)


def kinds_of(cls: type[Event]) -> Iterator[str]:
    """The kinds of all events that the engine derives from one, wherever they are defined."""
    for derived in cls.__subclasses__():
        if derived.__module__.startswith("engine."):
            yield derived.kind
        yield from kinds_of(derived)


def test_an_event_defined_anywhere_in_the_engine_is_classified() -> None:
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert set(kinds_of(Event)) == set(FIELDS), "a module of events is missing in engine/event_kinds.py"


def test_a_field_has_one_class_and_the_classes_are_known() -> None:
    for kind, found in CLASSES.items():
        named = [field for names in found.values() for field in names.split()]
        assert sorted(set(named)) == sorted(named), kind
        assert set(found) <= {NAME, PLAIN, MINE, LEAVING, TEXT}, kind
        assert not set(ALWAYS) & set(named), kind


def state() -> BattleState:
    return stops("first-battle", 1)[0].before


def test_what_nobody_classified_is_told_to_nobody() -> None:
    before = state()
    foe = next(ship.id for ship in before.ships if ship.side == 1)
    events = (Followed(1, foe, ((0.0, 0.0),), 1, 2, by_whom=foe), Whispered(1, foe))
    for side in (0, 1):
        told = side_log(events, before, side)
        assert [line["event"] for line in told] == ["moved"]
        assert set(told[0]) == {"event", "turn", "ship", "path", "course", "velocity"}


def words(value: Any) -> Iterator[str]:
    """Every word of a field's value."""
    if isinstance(value, str):
        yield from WORD.findall(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from words(item)
    elif isinstance(value, dict):
        for item in value.items():
            yield from words(item)


@pytest.mark.parametrize("name", ["convoy-990", "con-am-12"])
def test_no_field_that_is_told_as_it_is_names_a_ship(name: str) -> None:
    seen = set()
    for stop in stops(name, 3):
        ids = {ship.id for ship in stop.before.ships} | {group.id for group in stop.before.groups}
        for event in stop.events:
            for field, value in event.to_json().items():
                if FIELDS[event.kind][field] == PLAIN:
                    named = {word for word in words(value) if word in ids or word.rpartition("/")[0] in ids}
                    assert named == set(), f"{event.kind}.{field}"
                    seen.add((event.kind, field))
    assert len(seen) > 30
