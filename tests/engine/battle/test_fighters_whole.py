"""Whole battles with fighters: they continue from JSON, replay from their log, and conserve craft."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine import stops
from engine.battle import Battle, ResolvedStop, battle_from, fight, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.state import BattleState
from engine.craft.fighters import STANDARD
from engine.documents import event_from_json, replay
from engine.pieces.group import Group
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.carriers import deck
from tests.engine.battle.table import classes, setup, ship

pytestmark = [
    pytest.mark.rule("2e.fighters"),
    pytest.mark.rule("2e.dogfights"),
    pytest.mark.rule("2e.anti-fighter"),
]

SIDES = ("red", "blue", "gold")
FOUND_ON = (
    "Heavy Cruiser",
    "Escort Cruiser",
    "Destroyer",
    "Frigate",
    "Battledreadnought",
    "Superdreadnought",
)
CORNERS = ((20.0, 20.0, 3), (76.0, 60.0, 9), (20.0, 64.0, 3))


@st.composite
def fleets(draw: st.DrawFn) -> dict[str, Any]:
    """Return two or three sides of one to four ships, half of them random carriers, on a small
    table.
    """
    bogeys = draw(st.booleans())
    sides = []
    for number in range(draw(st.integers(2, 3))):
        x, y, course = CORNERS[number]
        ships = []
        for n in range(draw(st.integers(1, 4))):
            id_, px, py = f"{SIDES[number]}-{n}", x - 3 * n, y - 5 * n
            more: dict[str, Any] = {
                "course": course,
                "velocity": draw(st.integers(0, 8)),
                "contact": f"c{number}{n}",
            }
            if draw(st.booleans()):
                fit: dict[str, Any] = {
                    key: draw(st.integers(0, most))
                    for key, most in (("bays", 6), ("pdaf", 3), ("adaf", 2))
                }
                ships.append(deck(id_, px, py, guns="BC", **fit, **more))
            else:
                ships.append(ship(id_, draw(st.sampled_from(FOUND_ON)), px, py, **more))
        sides.append(ships)
    return setup(*sides, table=[96, 80], bogeys=bogeys)


def aboard(state: BattleState) -> int:
    """Return the remaining craft of a battle, in bays of ships on the table or in flight."""
    count = sum(ship.stock[index] for ship in state.ships for index in ship.profile.bays)
    return count + sum(group.craft for group in state.pieces_of(Group))


def check_stop(stop: ResolvedStop, edition: str) -> None:
    for state in (stop.before, stop.after):
        text = json.dumps(Battle(edition, (), state, None, []).to_json())
        assert json.dumps(battle_from(json.loads(text)).to_json()) == text
    after = stop.after
    assert aboard(after) <= aboard(stop.before)
    ids = [group.id for group in after.pieces_of(Group)]
    assert len(set(ids)) == len(ids)
    for group in after.pieces_of(Group):
        assert 0 < group.craft <= STANDARD.full
        assert group.dogfight == "" or group.dogfight in ids
        assert 0 <= group.x <= after.table[0]
        assert 0 <= group.y <= after.table[1]
    for unit in after.ships:
        assert all(
            0 <= unit.stock[index] <= STANDARD.full * unit.alive[index]
            for index in unit.profile.bays
        )
    for side in range(len(after.sides)):
        foreign = [unit.id for unit in after.ships if unit.owner != side]
        documents = json.dumps(
            [observe(after, side).to_json(), side_log(stop.events, stop.before, side)]
        )
        assert [name for name in foreign if name in documents] == []


@settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(document=fleets(), seed=st.integers(0, 10_000), flee=st.booleans())
def test_random_fighter_battles_resume_and_replay(
    document: dict[str, Any], seed: int, flee: bool
) -> None:
    battle = start(document, classes())
    stops: list[ResolvedStop] = []
    dice = Dice(seed)
    doctrines = {"blue": Doctrine(break_off=40 if flee else 100)}
    ended = fight(battle, doctrines, dice, str(seed), 12, stops.append)
    for stop in stops:
        check_stop(stop, ended.edition)
    assert ended.state.stop == "over"
    assert ended.state.pieces_of(Group) == []
    log = json.loads(json.dumps(ended.events_json))
    again = replay(start(document, classes()).state, [event_from_json(line) for line in log])
    assert (
        Battle(ended.edition, ended.options, again, ended.winner, []).to_json() == ended.to_json()
    )
    thrown = sum(
        len(line["dice"]) for line in log if line["event"] in ("fighters-fired", "point-defence")
    )
    assert thrown == sum(
        dice.used.get(purpose, 0) for purpose in ("fighter", "dogfight", "point-defence")
    )
    launched = sum(line["craft"] for line in log if line["event"] == "launched")
    gone = sum(line["craft"] for line in log if line["event"] in ("recovered", "craft-lost"))
    assert launched == gone


def test_captain_advice_for_fighters_is_valid() -> None:
    fleet = ["Light Carrier", "Escort Cruiser", "Destroyer"]
    red = [
        ship(f"r{n}", cls, 8.3, 20.7 + 9 * n, 3, 6, contact=f"x{n}") for n, cls in enumerate(fleet)
    ]
    blue = [
        ship(f"b{n}", cls, 70.9, 44.1 - 9 * n, 9, 6, contact=f"y{n}") for n, cls in enumerate(fleet)
    ]
    battle, dice, stop_names = start(setup(red, blue, table=[96, 80]), classes()), Dice(3), []
    while battle.state.stop != "over" and battle.turn <= 12:
        advice = {
            side: stops.advise(battle, side, Doctrine(), "3")
            for side in stops.awaited_sides(battle)
        }
        documents = {
            int(side): document for side, document in json.loads(json.dumps(advice)).items()
        }
        stop_names.append(battle.state.stop)
        battle, _ = stops.resolve_documents(battle, documents, dice, len(stop_names))
    assert stop_names.count("fighters") >= 3
    assert {"launched", "group-moved", "fighters-fired", "point-defence"} <= {
        event.kind for event in battle.events
    }
    assert [
        event
        for event in battle.events
        if event.kind == "flight-refused" and "12 MU" in event.to_json()["reason"]
    ] == []
