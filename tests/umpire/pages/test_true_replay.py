"""The umpire's replay shows where every ship was, seen or not, in battles of both rulebooks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from campaign.models.battle import Battle, BattlePhase
from campaign.replays.replay import ReplaySide, replay_of
from campaign.replays.units import OUT_OF_SIGHT, UnitState
from campaign.rules.world import Ship, World
from campaign.web.replays import replay_context
from campaign.words.battle.log import SideNames
from engine.battle import ResolvedStop
from engine.core.kinds import FIGHTING
from tests.campaign.replays.battles import phases_of_case
from umpire.pages.battle_replay import true_phase
from umpire.pages.battles import true_names

BATTLES = (
    *(
        "second-edition/captains-7",
        "second-edition/orders-130",
        "continuum/captains-5",
        "carriers/captains-3",
    ),
    *("planets/captains-2", "mines/orders-20", "shuttles/captains-2"),
)


def stored_phase(phase: ResolvedStop) -> BattlePhase:
    """Return a phase as its row stores it."""
    views = {name: phase.view(side) for side, name in enumerate(phase.before.sides)}
    events = [event.to_json() for event in phase.events]
    return cast(
        BattlePhase,
        SimpleNamespace(
            views=views, events=events, inputs={"turn": phase.turn, "phase": phase.kind}
        ),
    )


@pytest.mark.parametrize("name", BATTLES)
def test_every_ship_is_in_its_place(name: str) -> None:
    phases = phases_of_case(name)
    start = phases[0].before
    names = SideNames({ship.id: ship.id for ship in start.ships})
    classes: dict[str, tuple[str, str]] = {
        ship.id: (ship.sheet.cls, ship.sheet.classification) for ship in start.ships
    }
    sides = [ReplaySide(side, n) for n, side in enumerate(start.sides, 1)]
    drawn_phases = [
        true_phase(stored_phase(phase), start.sides, names, classes) for phase in phases
    ]
    replays = []
    for many in range(1, len(phases) + 1):
        body: dict[str, Any] = {"table": list(start.table), "phases": drawn_phases[:many]}
        replays.append(replay_of(body, names, sides, -1, lambda side: side, classes))
    ends = {
        len(replay.moments) - 1: many for many, replay in enumerate(replays, 1)
    }  # where each phase begins
    now: dict[str, UnitState] = {}
    ship_count = 0
    for n, moment in enumerate(replays[-1].moments):
        for key, change in moment.changes.items():
            now[key] = {**now.get(key, {}), **change}
        at = ends.get(n, len(phases))
        there = (
            []
            if at == len(phases)
            else [ship for ship in phases[at].before.ships if ship.status == FIGHTING]
        )
        for ship in there:
            shown_ship = now[str(ship.id)]
            assert (shown_ship["x"], shown_ship["y"]) == (round(ship.x, 2), round(ship.y, 2)), (
                name,
                at,
                ship.id,
            )
            assert (shown_ship["d"], shown_ship["c"], shown_ship["out"]) == (
                ship.damage,
                ship.course,
                "",
            )
            assert start.sides[shown_ship["s"]] == start.sides[ship.commander]
        ship_count += len(there)
    assert ship_count > len(start.ships)
    assert not any(state.get("b") for state in now.values())
    assert replay_context(replays[-1], "all")["log"]
    assert {state["out"] for state in now.values()} != {OUT_OF_SIGHT}


def test_equal_ship_names_of_several_sides_are_told_apart() -> None:
    keys_and_names = (
        ("esu/1", "Frigate 1"),
        ("nac/1", "Frigate 1"),
        ("nac/2", "Hood"),
        ("esu/9", "Hood"),
    )
    ships = tuple(
        Ship(key, key.partition("/")[0], name, "Frigate", "") for key, name in keys_and_names
    )
    sides = [
        {"name": "esu", "ships": [{"id": "esu/1"}]},
        {"name": "nac", "ships": [{"id": "nac/1"}, {"id": "nac/2"}]},
    ]
    names = true_names(
        cast(World, SimpleNamespace(ships=ships, fleets=())),
        cast(Battle, SimpleNamespace(start={"sides": sides})),
    )
    assert [names.name_by_key[key] for key in ("esu/1", "nac/1", "nac/2")] == [
        "ESU Frigate 1",
        "NAC Frigate 1",
        "Hood",
    ]
