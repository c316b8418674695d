"""How a scenario file says that sides set up for battles.

set_up: {manner: by-side, velocity: [0, 12], ftl: false}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from campaign.rules.scenario import SetUpRules
from engine.core.deployment import BY_SIDE, SEALED
from engine.core.phrase import phrase
from engine.notation.deployments import read_velocity
from engine.notation.reading import Reader

SET_UP_KEYS = ("manner", "velocity", "ftl")
MANNERS = {
    SEALED: phrase("in secret"),
    BY_SIDE: phrase("the holder of a settled system first, in the open"),
}


def read_set_up_rules(reader: Reader, data: Mapping[Any, Any]) -> SetUpRules:
    """Return how the sides of a scenario's battles set up; faults go to the reader."""
    value = data.get("set_up", {})
    if not isinstance(value, Mapping):
        words = phrase("must be an object (keys and values)")
        reader.fault("set_up", "not-a-table", words)
        return SetUpRules()
    reader.keys(value, SET_UP_KEYS, "set_up")
    manner = SEALED
    if "manner" in value:
        manner = reader.choice(value, "manner", tuple(MANNERS), "set_up") or SEALED
    return SetUpRules(
        manner=cast(Literal["sealed", "by-side"], manner),
        velocity=read_velocity(reader, value, "set_up"),
        ftl=reader.flag(value, "ftl", "set_up") if "ftl" in value else True,
    )
