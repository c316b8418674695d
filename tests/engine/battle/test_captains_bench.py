"""`tools.bench.captains` shows which captains are stronger, and nothing if they are equal."""

from __future__ import annotations

from functools import partial

import pytest

from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.edition import EDITIONS
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from tools.bench.captains import compare, draw_battle, lots
from tools.bench.systems import ENTRIES, fight_mirrored


def test_equal_captains_draw_on_average() -> None:
    won, lost, nobody = compare((Captain, Doctrine), lots()["first battle"], 8)
    assert won == lost > 0
    assert won + lost + nobody == 8


@pytest.mark.rule("2e.sequence")
@pytest.mark.parametrize("lot", ["first battle", "second edition", "Continuum"])
def test_straight_flying_captains_lose(lot: str) -> None:
    won, lost, _ = compare((Captain, partial(Doctrine, style="straight")), lots()[lot][:4], 8)
    assert won > 2 * lost


@pytest.mark.parametrize("edition", EDITIONS)
def test_drawn_fleets_are_equal_and_opposed(edition: str) -> None:
    for seed in range(5):
        state = read_battle(draw_battle(edition, seed), fixture_classes(edition)).state
        red, blue = ([ship for ship in state.ships if ship.owner == side] for side in (0, 1))
        assert [ship.sheet.cls for ship in red] == [ship.sheet.cls for ship in blue]
        for red_ship, other in zip(red, blue, strict=True):
            assert (red_ship.x + other.x, red_ship.y + other.y) == pytest.approx(state.table)
            assert (red_ship.course, other.course) == (3, 9)


@pytest.mark.parametrize("name", ["cloaking-devices", "cloaking-fields", "area-screens"])
def test_hiding_or_gathering_fleet_beats_the_same_fleet_without(name: str) -> None:
    score = fight_mirrored(ENTRIES[name], 20)
    assert score.wins > score.losses + 4
    assert score.share > 0.55
