"""Battles in which captains once gave orders that were refused although they could know better."""

from __future__ import annotations

import pytest

from tools.bench import anything
from tools.bench.anything import fight_battle

# By lot of `tools.bench.anything` and seed: the refused order.
ONCE_REFUSED = {
    ("company", 0): "parties against people who are no foes",
    ("fights", 0): "more landings than a carrier has tubes",
    ("level-craft", 16): "screening craft that have fought others",
    ("boats", 24): "guns at boats that had attacked what is gone",
    ("orbits", 18): "a drone turned in orbit",
    ("anything", 27): "thrust while the FTL drive warms up",
    ("anything", 14): "batteries through an asteroid",
    ("mines", 0): "guns beside active minesweepers",
    ("guns", 1): "guns that had burst flak",
    ("stands", 0): "more targets than FireCons, lines through what is not there",
    ("second-edition", 22): "guns of a docked ship",
    ("level", 10): "help for a ship that defends itself by scatterguns",
    ("assaults", 2): "more boarding torpedoes than the magazine holds",
}


@pytest.mark.parametrize(("lot", "seed"), ONCE_REFUSED)
def test_captains_give_no_order_known_to_be_void(lot: str, seed: int) -> None:
    outcome = fight_battle(lot, seed)
    assert not outcome.wrong
    assert outcome.phases


def test_captain_cannot_know_who_jams_when_missiles_are_launched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(anything, "TURNS", 2)
    outcome = fight_battle("roles", 8520000)
    assert not outcome.wrong
    assert [refusal.causes for refusal in outcome.refused] == [("its last target has hidden",)]
