"""Battles of ships with random ordnance, needles and nova cannons, fought by captains to their end."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.battle import Battle, ResolvedStop, battle_from, begin, fight
from engine.core.dice import Dice
from engine.documents import event_from_json, replay
from engine.notation.battles import read_battle
from tests.engine.battle.table import setup, vessel

SYSTEMS = (
    *(
        "pulse-torpedo",
        "needle:F",
        "needle:P",
        "needle:S",
        "submunition",
        "battery:A",
        "battery:B",
        "battery:C",
    ),
    *("screen", "firecon", "pdaf", "minelayer", "fighter-bay", "nova-cannon"),
)
MASSES = {
    "pulse-torpedo": 5,
    "submunition": 1,
    "battery:A": 3,
    "battery:C": 1,
    "screen": 3,
    "firecon": 3,
    "pdaf": 1,
}
MASSES |= {"minelayer": 3, "fighter-bay": 6, "nova-cannon": 16}
BIG = ("fighter-bay", "nova-cannon")


@st.composite
def ships(draw: st.DrawFn, prefix: str, x: float, course: int) -> list[dict[str, Any]]:
    """Return one to four ships in a column, as full as possible of random systems."""
    result = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        mass = draw(st.sampled_from([8, 14, 24, 36, 60, 96]))
        room = mass // 2
        fitted: list[str] = []
        for name in draw(st.lists(st.sampled_from(SYSTEMS), min_size=3, max_size=14)):
            size = MASSES.get(name, 2)
            small = name in BIG and mass < 37
            if (
                size <= room
                and not small
                and not (name == "screen" and fitted.count("screen") == 3)
            ):
                fitted.append(name)
                room -= size
        thrust, velocity = draw(st.integers(1, 8)), draw(st.integers(0, 14))
        place = x + draw(st.integers(-6, 6)), 20.0 * number
        result.append(
            vessel(f"{prefix}{number}", *place, " ".join(fitted), course, mass=mass, thrust=thrust)
        )
        result[-1]["velocity"] = velocity
    return result


@settings(max_examples=20, phases=(Phase.explicit, Phase.generate))
@given(ships("r", 20, 3), ships("b", 70, 9), st.integers(0, 999), st.booleans())
def test_random_ordnance_battles_resume_replay_and_have_valid_captains(
    red: list[dict[str, Any]], blue: list[dict[str, Any]], seed: int, bogeys: bool
) -> None:
    battle = begin(read_battle(setup(red, blue, table=[90, 90], bogeys=bogeys), {}))
    stops: list[ResolvedStop] = []
    dice = Dice(seed)
    ended = fight(battle, {}, dice, str(seed), 12, stops.append)
    assert not [event for event in ended.events if event.kind == "order-refused"]
    for stop in stops:
        document = Battle(ended.edition, ended.options, stop.after, None, []).to_json()
        assert battle_from(json.loads(json.dumps(document))).to_json() == document
    log = [event_from_json(line) for line in json.loads(json.dumps(ended.events_json))]
    again = Battle(battle.edition, battle.options, replay(battle.state, log), ended.winner, [])
    assert again.to_json() == ended.to_json()
    thrown = [line for line in ended.events_json if line["event"] in ("torpedo", "needle")]
    assert dice.used.get("to-hit", 0) == len(thrown)
