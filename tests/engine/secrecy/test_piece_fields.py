"""Every field of every kind of piece says who may know it; no side sees an unmarked field."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest
import yaml

from engine import stops
from engine.battle import Battle, battle_from, begin
from engine.captains.common.doctrine import Doctrine
from engine.cli.battle import battle_file
from engine.core.dice import Dice
from engine.core.ids import NO_SHIP, GroupId, ShipId
from engine.events.event import FieldMark, Open, ShipRef, field_marks_of
from engine.known_battle import known_battle
from engine.pieces.craft_turn import CraftTurn
from engine.pieces.group import Group
from engine.pieces.mine import Mine
from engine.pieces.piece import NOBODY, Piece, Visibility
from engine.pieces.registry import kinds
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.secrecy.hidden_fields import SECRET, LoadedMine, loaded_pieces, plant
from tests.golden.playthrough import BATTLES

pytestmark = pytest.mark.rule("2e.sensors")
# Marks of a piece's fields; fields with other marks are shown by events only.
KNOWN_MARKS = (FieldMark.OPEN, FieldMark.UNIT, FieldMark.OWN, FieldMark.OWN_UNIT, FieldMark.KNOWERS)


def battle() -> Battle:
    file = battle_file(yaml.safe_load((BATTLES / "first-battle.yaml").read_text(encoding="utf-8")))
    return begin(file, file.dice())


def test_every_piece_field_has_a_privacy_mark() -> None:
    unmarked = {
        kind.__name__: [
            field.name
            for field in fields(kind)
            if field_marks_of(kind).get(field.name) not in KNOWN_MARKS
        ]
        for kind in (*kinds(), CraftTurn)
    }
    assert {kind: names for kind, names in unmarked.items() if names} == {"Group": ["this_turn"]}, (
        "give it a type of engine.events.event"
    )
    assert [kind for kind in kinds() if kind.visibility is Visibility.BY_NOBODY] == [], (
        "say who sees that it is there"
    )
    keys = [key for kind in kinds() for key in kind.view_keys]
    assert len(keys) == len({*keys})


@pytest.mark.parametrize("side", [0, 1])
def test_unmarked_field_is_hidden(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    initial_battle = battle()
    initial_battle.state.pieces += loaded_pieces(initial_battle.state)
    assert SECRET in json.dumps(initial_battle.to_json())
    side_battle = known_battle(initial_battle, side)
    assert len(side_battle.state.pieces) == len(initial_battle.state.pieces)
    records: list[Any] = [
        observe(initial_battle.state, side).to_json(),
        stops.side_view(initial_battle, side),
        side_battle.to_json(),
        stops.advise(initial_battle, side, Doctrine(), "seed"),
        stops.advise(side_battle, side, Doctrine(), "seed"),
    ]
    view = records[0]
    assert all(view[key] for kind in kinds() for key in kind.view_keys)
    assert not any(
        "secret" in piece for kind in kinds() for key in kind.view_keys for piece in view[key]
    )
    orders: dict[int, object] = {number: {"plot": {}} for number in (0, 1)}
    after, stop = stops.resolve_documents(initial_battle, orders, Dice("planted"))
    records += [
        stop.view(side),
        side_log(stop.events, initial_battle.state, side),
        stops.side_view(after, side),
    ]
    assert SECRET not in json.dumps(records)
    assert SECRET in json.dumps(after.to_json())
    again = battle_from(json.loads(json.dumps(after.to_json())))
    assert again.to_json() == after.to_json()


def test_marked_field_is_seen_where_allowed() -> None:
    state = battle().state
    red, blue = (next(ship for ship in state.ships if ship.owner == side) for side in (0, 1))
    blue.contact = "contact-7"
    group = Group(
        GroupId(f"{blue.id}/bay"), 1, "flight-1", blue.id, "bay", 4, 1.0, 2.0, 3, launched_turn=2
    )
    group.set_turn(has_moved=True, using=("guns",))
    state.pieces = [group]
    own, foreign = (group.view_for(side, state.names_of_units(side)) for side in (1, 0))
    assert own == group
    flyer = Group(GroupId("flight-1"), 1, "flight-1", NO_SHIP, "", 4, 1.0, 2.0, 3)
    flyer.set_turn(using=("guns",))
    assert foreign == flyer
    mine, unknown = Mine("m", 1, 5.0, 6.0, 2, 3), Mine("n", 1, 5.0, 6.0, 2, 2)
    names = state.names_of_units(0)
    assert mine.view_for(0, names) == Mine("", NOBODY, 5.0, 6.0, 0, 1)
    assert mine.view_for(1, state.names_of_units(1)) == Mine("m", 1, 5.0, 6.0, 2, 2)
    assert (unknown.view_for(0, names), unknown.document_for(0)["laid_turn"]) == (None, 2)
    assert red.id in names


def test_piece_without_hidden_fields_is_lent_unchanged_to_its_side() -> None:
    state = battle().state
    red, blue = (next(ship for ship in state.ships if ship.owner == side) for side in (0, 1))
    mine = Group(GroupId(f"{red.id}/bay"), 0, "flight-1", red.id, "bay", 4, 1.0, 2.0, 3)
    mine.set_turn(has_moved=True)
    other = Group(
        GroupId(f"{blue.id}/bay"), 1, "flight-2", blue.id, "bay", 4, 1.0, 2.0, 3, launched_turn=2
    )
    state.pieces = [mine, other]
    assert observe(state, 0, lent=True).own_pieces_of(Group)[0] is mine
    assert observe(state, 0).own_pieces_of(Group)[0] is not mine
    assert (
        observe(state, 0, lent=True).foreign_pieces_of(Group)
        == observe(state, 0).foreign_pieces_of(Group)
        != [other]
    )
    mine.dogfight = other.id  # its side uses another name
    assert [group.dogfight for group in observe(state, 0, lent=True).own_pieces_of(Group)] == [
        "flight-2"
    ]
    for piece in loaded_pieces(state):
        for side in (0, 1):
            names = state.names_of_units(side)
            assert piece.shared_view_for(side, names) == piece.view_for(side, names) != piece


@dataclass(slots=True)
class Beacon(Piece):
    """A piece that does not say who sees it."""

    kind: ClassVar[str] = "beacon"

    id: Open[str]
    x: Open[float]
    y: Open[float]
    side: Open[int]
    of: ShipRef = NO_SHIP


@dataclass(slots=True)
class LitBeacon(Beacon):
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY


def test_piece_without_visibility_is_hidden() -> None:
    beacon = Beacon("b", 1.0, 2.0, 0)
    assert (beacon.view_for(0, {}), beacon.view_for(1, {})) == (None, None)


def test_name_without_a_known_contact_is_hidden() -> None:
    beacon = LitBeacon("b", 1.0, 2.0, 0, ShipId("n7"))
    assert [
        view.of
        for view in (beacon.view_for(1, {}), beacon.view_for(1, {"n7": "contact-7"}))
        if view
    ] == [
        "",
        "contact-7",
    ]


def test_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    initial_battle = battle()
    initial_battle.state.pieces += loaded_pieces(initial_battle.state)
    monkeypatch.setattr(LoadedMine, "view_for", lambda mine, side, names: mine)
    assert SECRET in json.dumps(known_battle(initial_battle, 0).to_json())
