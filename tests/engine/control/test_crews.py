"""Extra marines in battle files: where they are given, which option they need, and how they are
stored.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import battle_from
from engine.continuum.boarding import is_boarding_allowed
from engine.core.errors import RuleViolations
from engine.systems.outfit import marines_of
from tests.engine.control.hulls import battle, design, resolve_next, ship

PLAIN, WITH_TWO = design("screen"), design("marines marines screen", cls="Carrier of two")


@pytest.mark.rule("pc.boarding")
@pytest.mark.parametrize(("hull", "there"), [(PLAIN, 4), (WITH_TWO, 6)])
def test_extra_marines_follow_the_designs_systems(hull: dict[str, Any], there: int) -> None:
    initial_battle = battle([ship("n1", hull=hull, crew={"marines": 4}), ship("n2", 40, hull=hull)])
    ours = initial_battle.state.ship_by_name("n1")
    names = [fit.id for fit in ours.sheet.fits]
    assert [name for name in names if name.startswith("marines")] == [
        f"marines-{n}" for n in range(1, there + 1)
    ]
    assert names[names.index(f"marines-{there}") + 1] == "drive"
    assert len(marines_of(ours)) == there
    assert len(marines_of(initial_battle.state.ship_by_name("n2"))) == there - 4
    assert is_boarding_allowed(initial_battle.state)


@pytest.mark.rule("pc.boarding")
def test_extra_marines_need_no_berths_and_are_stored() -> None:
    initial_battle = resolve_next(
        battle(
            [
                ship("n1", hull=design(mass=20), crew={"marines": 9}),
                ship("n2", 40, hull=design(mass=20)),
            ]
        )
    )
    read = battle_from(json.loads(json.dumps(initial_battle.to_json())))
    assert read.to_json() == initial_battle.to_json()
    assert [len(marines_of(read.state.ship_by_name(name))) for name in ("n1", "n2")] == [9, 0]


@pytest.mark.parametrize(
    ("crew", "code"),
    [
        ({"marines": 0}, "marines"),
        ({"marines": 101}, "marines"),
        (4, "not-a-mapping"),
        ({"cooks": 1}, "unknown-key"),
    ],
)
def test_crew_faults_are_named(crew: Any, code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        battle([ship("n1", crew=crew)])
    assert code in [fault.code for fault in refused.value.violations]
