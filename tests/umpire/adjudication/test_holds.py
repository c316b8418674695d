"""Cargo of ships with several holds: the contents of a lost hold are gone."""

from __future__ import annotations

import dataclasses

import pytest

from campaign.rules.designs import ship_class
from campaign.rules.world import Cargo
from engine.notation.designs import load_sheet
from tests.engine.control.hulls import design
from tests.umpire.adjudication.small_sector import ship_of
from tests.umpire.adjudication.test_battles import duel
from umpire.adjudication.aftermath import ship_after_battle
from umpire.adjudication.outcome import ShipAfter


@pytest.mark.rule("pc.cargo")
@pytest.mark.parametrize(
    ("lost_systems", "before", "load_left"),
    [
        ((), (), 100),
        (("hold-2",), (), 50),  # with holds for 5, 20 and 15
        (
            ("hold-1", "hold-2"),
            ("hold-1",),
            37,
        ),  # the first hold's cargo was lost in an earlier battle
        ((), ("hold-2",), 87),  # a repaired hold is empty
        (("drive",), (), 100),
    ],
)
def test_cargo_of_a_lost_hold_is_lost(
    lost_systems: tuple[str, ...], before: tuple[str, ...], load_left: int
) -> None:
    holds = "hold:mass=5 hold:mass=20 hold:mass=15"
    cls = ship_class(load_sheet(design(holds, kind="merchant")))
    load = Cargo("ore", 100, 87 if before else 100)
    ship = dataclasses.replace(ship_of(duel(), "red/f1/2"), lost=before, cargo=load)
    after = ShipAfter(ship.key, damage=4, lost=lost_systems, stock=(), status="fighting", captor="")
    cargo_left = ship_after_battle(cls, ship, after).cargo
    assert cargo_left is not None
    assert cargo_left.remaining == load_left
