"""Red cannot tell apart two worlds that differ only in what it may not see; leaks are found."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import stops
from engine.events.event import Audience, Event, FieldMark, field_marks_of
from engine.events.movement import OrderRefused
from engine.pieces.group import Group
from engine.pieces.mine import Mine, MineFired, MineLaid, MinesweepersActivated
from engine.view import side_log as sidelog
from engine.view import side_view as view
from engine.view.side_view import Contact
from tests.engine.secrecy.pairs import PAIRS
from tests.engine.secrecy.worlds import Chance, battle_of, differences

pytestmark = [
    pytest.mark.rule("2e.sensors"),
    pytest.mark.rule("2e.mines"),
    pytest.mark.rule("2e.q-ships"),
]
SEEDS = 12


def find_difference(kind: str, number: int) -> str:
    """Return the first difference that red can notice in a pair of worlds."""
    return differences(PAIRS[kind](Chance(f"{kind}{number}")), str(number), gold=number % 2 == 0)


@pytest.mark.parametrize("kind", PAIRS)
@settings(max_examples=2)
@given(number=st.integers(0, 10_000))
@example(number=3)
def test_red_reads_the_same_bytes_in_both_worlds(kind: str, number: int) -> None:
    assert find_difference(kind, number) == ""


Leak = Callable[[pytest.MonkeyPatch], None]


def contact_leak(**changes: Callable[[Any], Any]) -> Leak:
    """Insert a leak into contacts: each of `changes` computes an attribute from the true ship."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = Contact.__init__

        def leaky(self: Contact, ship: Any, hostile: bool, name: str) -> None:
            honest(self, ship, hostile, name)
            for attribute, value in changes.items():
                setattr(self, attribute, value(ship))

        patch.setattr(Contact, "__init__", leaky)

    return plant


def document_leak(add: Callable[[Any, Any], None]) -> Leak:
    """Insert a leak into the document of a view: `add` writes the truth into it."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = stops.side_view

        def leaky(battle: Any, side: int) -> Mapping[str, Any]:
            document = honest(battle, side)
            add(document, battle.state)
            return document

        patch.setattr(stops, "side_view", leaky)

    return plant


def audience_leak(kind: type[Event]) -> Leak:
    """Show a kind of event to everybody."""
    assert kind.audience in (Audience.OWN_SIDE, Audience.IDENTIFIED)
    return lambda patch: patch.setattr(kind, "audience", Audience.EVERYBODY)


def unnamed(patch: pytest.MonkeyPatch) -> None:
    """Treat fields that name ships as if they named nothing."""
    open_ones = {"ship": FieldMark.OPEN, "near": FieldMark.OPEN}
    patch.setattr(
        sidelog,
        "field_marks_of",
        lambda cls: {name: open_ones.get(name, m) for name, m in field_marks_of(cls).items()},
    )


def uncovered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "_disguise", lambda ship: ship)


def all_mines(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mine, "view_for", lambda mine, side, names: mine.copy())


def known_mines(patch: pytest.MonkeyPatch) -> None:
    """Make blue's mine known as soon as it is laid."""
    honest = Mine.view_for
    patch.setattr(
        Mine, "view_for", lambda mine, side, names: honest(replace(mine, known_to=3), side, names)
    )


def mine_names(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(sidelog.TRANSLATED, FieldMark.PIECE, lambda listener, value: value)


def roster_order(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sidelog, "_unordered_moves", lambda heard, mine: [line for _, line in heard])


def contacts_by_roster(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "attrgetter", lambda name: lambda contact: 0)


def whole_thresholds(patch: pytest.MonkeyPatch) -> None:
    honest = sidelog.SideListener.__init__

    def leaky(self: Any, start: Any, side: int) -> None:
        honest(self, start, side)
        self.covers.clear()

    patch.setattr(sidelog.SideListener, "__init__", leaky)


def knowing_captain(patch: pytest.MonkeyPatch) -> None:
    """Tell a captain how many real ships there are."""
    honest = stops.advise

    def leaky(battle: Any, side: int, doctrine: Any, seed: str) -> Any:
        real = sum(ship.damage for ship in battle.state.ships)
        return honest(battle, side, doctrine, f"{seed}{real}")

    patch.setattr(stops, "advise", leaky)


def telling_faults(patch: pytest.MonkeyPatch) -> None:
    """Make a fault list every name."""
    honest = stops._fire_names

    def leaky(state: Any, side: int) -> Any:
        names = honest(state, side)
        every = {ship.contact: ship.id for ship in state.ships} | {"zz": state.ships[-1].id}
        return replace(names, targets={**names.targets, **every})

    patch.setattr(stops, "_fire_names", leaky)


def asked_by_need(patch: pytest.MonkeyPatch) -> None:
    """Wait only for sides with more than four ships."""
    patch.setattr(
        stops,
        "awaited_sides",
        lambda battle: tuple(len(battle.state.in_play(side)) > 4 for side in (0, 1)),
    )


def _groups(document: Any, state: Any) -> None:
    document["homes"] = [group.bay for group in state.pieces_of(Group)]


def _stock(document: Any, state: Any) -> None:
    document["stock"] = [ship.stock for ship in state.ships]


def _count(document: Any, state: Any) -> None:
    document["laid"] = state.mine_count


LEAKS: dict[str, tuple[str, Leak]] = {
    "a contact called by its id": (
        "ids",
        document_leak(lambda d, s: d.update(ids=sorted(ship.id for ship in s.ships))),
    ),
    "contacts in the order of the roster": ("roster", contacts_by_roster),
    "names in the log": ("ids", unnamed),
    "moves in the order of the roster": ("roster", roster_order),
    "the name of a mine": ("ids", mine_names),
    "the classification of a weasel": (
        "bogey_class",
        contact_leak(label=lambda ship: ship.sheet.classification),
    ),
    "the thrust of a bogey": ("bogey_class", contact_leak(velocity=lambda ship: ship.thrust)),
    "what a mine does to a bogey": ("bogey_class", audience_leak(MineFired)),
    "a contact's damage": (
        "bogey_state",
        document_leak(lambda d, s: d.update(hurt=[x.damage for x in s.ships])),
    ),
    "a captain told of hidden damage": ("bogey_state", knowing_captain),
    "which contact is a drone": (
        "drone",
        document_leak(lambda d, s: d.update(d=[x.dummy for x in s.ships])),
    ),
    "a Q ship without its cover": ("q_ship", uncovered),
    "the systems of a Q ship in a check": ("q_ship", whole_thresholds),
    "a Q ship's thrust": ("q_ship", contact_leak(velocity=lambda ship: ship.thrust)),
    "every mine": ("mine_place", all_mines),
    "mines known too early": ("mine_place", known_mines),
    "a mine being laid": ("mine_orders", audience_leak(MineLaid)),
    "how many mines were laid": ("mine_orders", document_leak(_count)),
    "active minesweepers": ("sweeping", audience_leak(MinesweepersActivated)),
    "a carrier's stores": ("stores", document_leak(_stock)),
    "a group's home": ("homes", document_leak(_groups)),
    "an order refused": ("refused", audience_leak(OrderRefused)),
    "a ship still in FTL space": ("inbound", asked_by_need),
    "a fault that knows more names": ("inbound", telling_faults),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, plant = LEAKS[leak]
    plant(monkeypatch)
    assert any(find_difference(kind, number) for number in range(SEEDS))


@pytest.mark.parametrize("kind", PAIRS)
def test_worlds_of_a_pair_differ(kind: str) -> None:
    pair = PAIRS[kind](Chance(kind))
    battles = [
        json.dumps(battle_of(world, gold=False).to_json()) for world in (pair.first, pair.second)
    ]
    assert battles[0] != battles[1] or pair.first.plots != pair.second.plots
