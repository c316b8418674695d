"""The cost of a replay grows in proportion to the battle's turns and ships."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.campaign.replays.battles import build_replay, contact, phase, report, ship
from tests.campaign.replays.test_moments import hurt, shot
from tests.growth import check_growth, work_of

TURNS, SHIPS = 10, 5


def long_battle(turns: int, ships: int) -> dict[str, Any]:
    """Return the report of a battle in which every ship moves and hits one foe in every turn."""
    own = {f"n{n}": ship(10.0, 2.0 * n) for n in range(ships)}
    foes = [contact(f"{n:010x}", 40.0, 2.0 * n) for n in range(ships)]
    phases = []
    for turn in range(1, turns + 1):
        moves = [_move_event(key, own_ship["at"]) for key, own_ship in own.items()]
        fire = []
        for key, foe in zip(own, foes, strict=True):
            fire += [shot(key, foe["id"], 1), hurt(foe["id"], key, 1, turn)]
        phases.append(phase(*moves, turn=turn, kind="plot", own=own, contacts=foes))
        phases.append(phase(*fire, turn=turn, own=own, contacts=foes))
    return report(*phases)


def _move_event(key: str, at: list[float]) -> dict[str, Any]:
    path = [[at[0] - 6.0, at[1]], at]
    return {"event": "moved", "ship": key, "path": path, "course": 12, "velocity": 6}


@pytest.mark.parametrize("part", ["turns", "ships"])
def test_replay_grows_linearly_with_its_battle(part: str) -> None:
    usual = {"turns": TURNS, "ships": SHIPS}
    twice = usual | {part: 2 * usual[part]}
    build_replay(long_battle(**usual))  # fills the caches of the process
    few, many = (work_of(partial(build_replay, long_battle(**size))) for size in (usual, twice))
    assert len(many.answer.moments) > len(few.answer.moments) or part == "ships"
    check_growth(f"a replay by its {part}", few, many)
