"""Every field of every event says who may know it; an unmarked field is shown to no side."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from string import Formatter
from typing import Any, ClassVar

import pytest
import yaml

import engine
from engine.battle import ResolvedStop, begin, fight
from engine.cli.battle import battle_file
from engine.core.ids import ShipId
from engine.core.state import BattleState
from engine.documents import KINDS
from engine.events.event import (
    Audience,
    Cause,
    Event,
    FieldMark,
    OrderText,
    Own,
    PieceRef,
    PieceRefs,
    ShipRef,
    ShipRefs,
    field_marks_of,
)
from engine.events.movement import ShipMoved
from engine.pieces.group import Group
from engine.pieces.mine import Mine
from engine.view.side_log import side_log
from tests.golden.playthrough import BATTLES

pytestmark = pytest.mark.rule("2e.sensors")
WORD = re.compile(r"[^\s:;,()\[\]\"']+")


@dataclass(frozen=True, slots=True)
class Followed(ShipMoved):
    """A known event with an unmarked field."""

    kind: ClassVar[str] = "toy-followed"
    by_whom: str


@dataclass(frozen=True, slots=True)
class Whispered(Event):
    """An event without an audience."""

    kind: ClassVar[str] = "whispered"
    ship: ShipRef


@dataclass(frozen=True, slots=True)
class Rumoured(Event):
    """An event that names a hidden ship in fields of every kind that can."""

    kind: ClassVar[str] = "rumoured"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    helpers: ShipRefs
    because: Cause
    order: OrderText
    mine: PieceRef
    removed: PieceRefs
    marines: Own[int]
    rolled: int


def stops(name: str, turns: int) -> list[ResolvedStop]:
    """Return the first phases of a fixture battle, fought by captains."""
    file = battle_file(yaml.safe_load((BATTLES / f"{name}.yaml").read_text(encoding="utf-8")))
    result: list[ResolvedStop] = []
    fight(begin(file, file.dice()), file.doctrines, file.dice(), "captains", turns, result.append)
    return result


def test_every_event_field_has_a_privacy_mark() -> None:
    unmarked = {
        kind: [f.name for f in fields(cls) if f.name not in field_marks_of(cls)]
        for kind, cls in KINDS.items()
    }
    assert {kind: names for kind, names in unmarked.items() if names} == {}, (
        "give the field a type of engine.events.event"
    )
    assert [kind for kind, cls in KINDS.items() if cls.audience is Audience.NOBODY] == [], (
        "say who hears of it"
    )


def test_event_with_text_says_only_what_its_audience_may_know() -> None:
    worded_kinds = {kind: cls for kind, cls in KINDS.items() if cls.text}
    assert worded_kinds
    for kind, cls in worded_kinds.items():
        field_names = [field for _, field, _, _ in Formatter().parse(cls.text) if field]
        assert {field_marks_of(cls)[field] for field in field_names} <= {
            FieldMark.OPEN,
            FieldMark.UNIT,
        }, kind


def kinds_of(cls: type[Event]) -> Iterator[str]:
    """Return all event classes that the engine derives from one, wherever they are defined."""
    for derived in cls.__subclasses__():
        if derived.__module__.startswith("engine.") and derived.kind != Event.kind:
            yield derived.kind
        yield from kinds_of(derived)


def test_event_defined_anywhere_is_known() -> None:
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert set(kinds_of(Event)) == set(KINDS), (
        "a module of events is missing in engine/documents.py"
    )


def state() -> BattleState:
    return stops("first-battle", 1)[0].before


def test_unmarked_field_is_hidden() -> None:
    before = state()
    foe = next(ship.id for ship in before.ships if ship.owner == 1)
    events = (Followed(1, foe, ((0.0, 0.0),), 1, 2, by_whom=foe), Whispered(1, foe))
    for side in (0, 1):
        lines = side_log(events, before, side)
        assert [line["event"] for line in lines] == ["toy-followed"]
        assert set(lines[0]) == {"event", "turn", "ship", "path", "course", "velocity"}


def test_hidden_id_in_a_new_field_becomes_a_contact_code() -> None:
    before = state()
    foe = next(ship for ship in before.ships if ship.owner == 1)
    foe.contact = "contact-7"
    before.pieces.append(Mine(mine_of(foe.id), 1, 3.0, 4.0, 0, 3))
    lines = side_log([rumoured(foe.id)], before, 0)
    assert foe.id not in {part for word in words(lines) for part in word.split("/")}
    assert lines == [
        {
            **{"event": "rumoured", "turn": 1, "ship": "contact-7", "helpers": ["contact-7"]},
            **{"because": "fire:contact-7", "order": "ram contact-7", "removed": []},
        }
    ]
    own = side_log([rumoured(foe.id)], before, 1)[0]
    assert (own["ship"], own["mine"], own["removed"]) == (
        foe.id,
        mine_of(foe.id),
        [mine_of(foe.id)],
    )
    assert own["marines"] == 4
    assert "rolled" not in own


def rumoured(ship: str) -> Rumoured:
    mine = mine_of(ship)
    return Rumoured(
        1, ShipId(ship), (ShipId(ship),), f"fire:{ship}", f"ram {ship}", mine, (mine,), 4, 6
    )


def mine_of(ship: str) -> str:
    return f"{ship}/minelayer-1/2"


def words(value: Any) -> Iterator[str]:
    """Return every word of a field's value."""
    if isinstance(value, str):
        yield from WORD.findall(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from words(item)
    elif isinstance(value, dict):
        for item in value.items():
            yield from words(item)


@pytest.mark.parametrize("name", ["convoy-990", "con-am-12"])
def test_public_fields_name_no_ship(name: str) -> None:
    pairs = set()
    for stop in stops(name, 3):
        ids = {ship.id for ship in stop.before.ships} | {
            group.id for group in stop.before.pieces_of(Group)
        }
        for event in stop.events:
            for field, value in event.to_json().items():
                if field_marks_of(type(event)).get(field) in (FieldMark.OPEN, FieldMark.REASON):
                    names = {
                        word
                        for word in words(value)
                        if word in ids or word.rpartition("/")[0] in ids
                    }
                    assert names == set(), f"{event.kind}.{field}"
                    pairs.add((event.kind, field))
    assert len(pairs) > 30
