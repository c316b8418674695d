"""The value of boarders for captains: nothing where boarding is not allowed."""

from __future__ import annotations

import pytest

from engine.captains.common.expected_damage import DefenceProfile, mean_effects
from engine.core.sheet import Fit
from engine.weapons.registry import weapon_of


@pytest.mark.rule("pc.boarding", "pc.transporters", "pc.boarding-torpedoes")
@pytest.mark.parametrize(("type_", "size"), [("transporter", 2), ("boarding-torpedo", 0)])
def test_crew_counts_only_with_boarding(type_: str, size: int) -> None:
    weapon, fit = weapon_of("continuum", type_), Fit("", type_, "", (), size=size)
    agreed, not_agreed = (
        mean_effects(weapon, fit, "", DefenceProfile(counts_boarders=boarded))[0]
        for boarded in (True, False)
    )
    assert agreed.other > 0.5
    assert not_agreed.other == 0.0
    assert agreed._replace(other=0.0) == not_agreed
