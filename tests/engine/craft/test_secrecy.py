"""Hidden facts about craft: worlds that differ in them look the same to the enemy, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import attrgetter

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.state import BattleState
from engine.known_battle import known_battle
from engine.pieces.group import Group
from engine.pieces.piece import Piece
from engine.view.side_log import side_log
from tests.engine.craft.carrier_battles import E1, carriers, launch, turn
from tests.engine.defences.battles import play_turns

BLUE, RED = 1, 0
Tweak = Callable[[BattleState], None]


def _group(state: BattleState) -> Group:
    return state.piece(Group, E1)


def fired_off(state: BattleState) -> None:
    """Spend its torpedoes."""
    _group(state).loads = {"torpedoes": 0}


def half_gone(state: BattleState) -> None:
    """Leave three of its craft."""
    _group(state).loads = {"torpedoes": 3}


def wary(state: BattleState) -> None:
    """Let it evade one weapon."""
    _group(state).set_turn(evades_at=1)


def few_aboard(state: BattleState) -> None:
    """Leave two craft in a hangar."""
    ship = state.ship_by_name("b1")
    ship.stock[ship.profile.index_of["hangar-2"]] = 2


def not_ready(state: BattleState) -> None:
    """Let a hangar's craft fly no more."""
    ship = state.ship_by_name("b1")
    ship.record = ship.record.with_fact("ready", 9999, "hangar-2")


def red_readings(battle: Battle, orders: dict[str, object]) -> tuple[str, Battle]:
    """Return everything that red sees of a phase, and the battle after it."""
    after, stop = stops.resolve_documents(battle, {BLUE: orders}, Dice("craft"))
    read = [
        stops.side_view(battle, RED),
        known_battle(battle, RED).to_json(),
        stops.advise(battle, RED, Doctrine(), "red"),
        stops.awaited_sides(battle),
        side_log(stop.events, battle.state, RED),
        stop.view(RED),
    ]
    return json.dumps(read, sort_keys=True), after


def worlds(tweak: Tweak) -> tuple[list[str], list[str]]:
    """Return what red sees, phase by phase, while blue's group attacks, in a world and a changed
    one.
    """
    document = carriers("standard", "torpedo", 20.0, beside="pds beam:2@ALL")
    there = play_turns(document, turn(launch(ship="b1"), {E1: "to 60 32; face 6"}))
    readings: tuple[list[str], list[str]] = ([], [])
    for number, change in enumerate((None, tweak)):
        battle = Battle(there.edition, there.options, there.state.copy(), None, [])
        if change is not None:
            change(battle.state)
        plan: list[dict[str, object]] = [
            {"plot": {}, "fighters": {E1: "to 60 24; face 6"}},
            {
                "attack": {
                    E1: [{"weapon": "fighters", "target": battle.state.ship_by_name("r1").contact}]
                }
            },
            {"defend": {}},
            {"engage": {}},
        ]
        for orders in plan:
            if battle.state.stop != next(iter(orders)):
                continue
            read, battle = red_readings(battle, dict(orders))
            readings[number].append(read)
    return readings


HIDDEN = [fired_off, half_gone, few_aboard, not_ready, wary]


@pytest.mark.parametrize("tweak", HIDDEN, ids=lambda one: str(one.__name__))
def test_red_reads_the_same_in_both_worlds(tweak: Tweak) -> None:
    first, second = worlds(tweak)
    assert len(first) >= 3
    assert first == second


@pytest.mark.parametrize(("field", "tweak"), [("loads", half_gone), ("this_turn.evades_at", wary)])
def test_planted_leak_is_found(field: str, tweak: Tweak, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows the field to everybody is noticed by this test."""
    original = Group.document_for

    def leaking(self: Group, side: int) -> dict[str, object]:
        return original(self, side) | {field.rpartition(".")[2]: attrgetter(field)(LEAKED[self.id])}

    LEAKED: dict[str, Group] = {}
    original_view = Piece.view_for

    def noting(self: Piece, side: int, names: object) -> Piece | None:
        if isinstance(self, Group):
            group = original_view(self, side, names)  # type: ignore[arg-type]
            assert isinstance(group, Group)
            LEAKED[group.id] = self
            return group
        return original_view(self, side, names)  # type: ignore[arg-type]

    monkeypatch.setattr(Piece, "view_for", noting)
    monkeypatch.setattr(Piece, "shared_view_for", noting)
    monkeypatch.setattr(Group, "document_for", leaking)
    first, second = worlds(tweak)
    assert first != second
