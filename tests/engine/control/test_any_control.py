"""Random orders at damage control are either refused with a reason, or the log replays the battle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import stops
from engine.continuum.damage_control import repairable_systems
from engine.core.dice import Dice
from engine.systems.outfit import parties_of
from tests.engine.control.hulls import CORES, battle, design, play_to_control, replays, ship

HULL = design("beam:2 screen screen marines hold:mass=4", boxes=27)
LOST_SYSTEMS = ["beam-1", "screen-1", "marines-1", "drive", "drive", "power-core"]
NAMES = st.sampled_from([*LOST_SYSTEMS, "firecon-1", "hold-1", "bridge", "nothing"])
JOBS = st.lists(st.fixed_dictionaries({"system": NAMES, "parties": st.integers(0, 4)}), max_size=4)
ORDERS = st.fixed_dictionaries(
    {"repairs": JOBS}, optional={"dump": st.booleans(), "abandon": st.booleans()}
)


@pytest.mark.rule("pc.damage-control")
@settings(max_examples=40, deadline=None)
@given(orders=ORDERS, seed=st.integers(0, 99))
def test_random_orders_are_refused_or_carried_out_as_logged(
    orders: dict[str, Any], seed: int
) -> None:
    initial_battle = battle([ship("n1", hull=HULL, lost=LOST_SYSTEMS)], CORES)
    initial_battle.state.ship_by_name("n1").write_fact("reactor", 5)
    stopped = play_to_control(initial_battle)
    hull = stopped.state.ship_by_name("n1")
    document = {"control": {"n1": orders}}
    _, faults = stops.read_orders(stopped, 0, document)
    systems = [job["system"] for job in orders["repairs"]]
    sent = [job["parties"] for job in orders["repairs"]]
    fine = (
        set(systems) <= set(repairable_systems(hull))
        and len(set(systems)) == len(systems)
        and all(1 <= parties <= 3 for parties in sent)
        and sum(sent) <= parties_of(hull)
        and not (orders.get("dump") and orders.get("abandon"))
    )
    assert bool(faults) != fine
    if fine:
        ended, _ = stops.resolve_documents(stopped, {0: document}, Dice(seed))
        assert replays(initial_battle, ended)
