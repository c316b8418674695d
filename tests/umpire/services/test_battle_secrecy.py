"""A battle report and its page are equal in two worlds that a side cannot tell apart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.replays.replay import ReplaySide, replay_of
from campaign.web.battle_ends import fates
from campaign.web.replays import ALL, replay_context
from campaign.words.battle.log import names_of
from engine.view.side_view import Contact
from tests.engine.secrecy.pairs import PAIRS
from tests.engine.secrecy.worlds import Chance, untold
from umpire.adjudication.fighting import captain_inputs, make_phase_record

SEEDS = range(3)


def reports(kind: str, number: int) -> list[dict[str, Any]]:
    """Return red's reports of a battle in both worlds, without what red may rightly know."""
    phases = untold(PAIRS[kind](Chance(f"{kind}{number}")), str(number))
    return [
        {
            "table": [160, 160],
            "phases": [
                make_phase_record(pair[world], captain_inputs(pair[world])).views["red"]
                for pair in phases
            ],
        }
        for world in (0, 1)
    ]


def page(body: dict[str, Any]) -> str:
    """Return everything that pages write about a battle, from its report."""
    names = names_of(body, {"r1": "Ark"})
    sides = [ReplaySide("Red", 1), ReplaySide("Blue", 2)]
    replay = replay_of(
        body, names, sides, 0, lambda number: min(number, 1), {"r1": ("Battleship", "capital")}
    )
    turns = [replay_context(replay, turn) for turn in (*map(str, replay.turns), ALL)]
    return repr([turns, fates(body, names, {"r1": "Battleship"})])


@pytest.mark.rule("2e.sensors")
@pytest.mark.parametrize("kind", PAIRS)
def test_reports_and_pages_reveal_nothing(kind: str) -> None:
    phase_count = 0
    for number in SEEDS:
        first, other = reports(kind, number)
        assert json.dumps(first) == json.dumps(other)
        assert page(first) == page(other)
        phase_count += len(first["phases"])
    assert phase_count


def test_revealing_report_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Contact.to_json

    def leaky(self: Contact) -> dict[str, Any]:
        return {**honest(self), "damage": self.damage + 1}

    first, other = reports("bogey_state", 1)
    assert json.dumps(first) == json.dumps(other)
    monkeypatch.setattr(Contact, "to_json", leaky)
    truth = Contact.__init__

    def knowing(self: Contact, ship: Any, hostile: bool, name: str) -> None:
        truth(self, ship, hostile, name)
        self.damage = ship.damage

    monkeypatch.setattr(Contact, "__init__", knowing)
    first, other = reports("bogey_state", 1)
    assert json.dumps(first) != json.dumps(other)
    assert page(first) != page(other)
