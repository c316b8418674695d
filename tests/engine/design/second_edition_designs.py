"""Designs for tests: short ways to write them, and random ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.core.errors import RuleViolations
from engine.design.value import Design
from engine.notation.designs import parse_design
from engine.notation.files import fixture_classes
from engine.second_edition.edition import SECOND_EDITION

ALL_ROUND = ["P", "F", "S"]
CLASSES = fixture_classes("second-edition")


def plan(
    kind: str = "warship",
    mass: int = 20,
    thrust: int = 0,
    ftl: str = "none",
    systems: Any = (),
    **more: Any,
) -> dict[str, Any]:
    """Return a design as JSON; further keys replace or extend it."""
    return {
        "class": "Test Ship",
        "edition": "second-edition",
        "kind": kind,
        "mass": mass,
        "thrust": thrust,
        "ftl": ftl,
        "systems": list(systems),
        **more,
    }


def design(*args: Any, **more: Any) -> Design:
    return parse_design(plan(*args, **more))


def battery(letter: str, arcs: list[str] | None = None, count: int = 1) -> dict[str, Any]:
    return {
        "type": "battery",
        "battery": letter,
        "arcs": ALL_ROUND if arcs is None else arcs,
        "count": count,
    }


def system_entry(type_: str, count: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": type_, "count": count, **more}


def faults(raised: RuleViolations) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in raised.violations]


SYSTEMS = st.one_of(
    st.builds(
        battery,
        st.sampled_from("ABC"),
        st.sampled_from(
            [["F"], ["P"], ["F", "S"], ["P", "F"], ["S", "P"], ["A"], ["S", "A"], ALL_ROUND]
        ),
        st.integers(1, 3),
    ),
    st.builds(
        system_entry,
        st.sampled_from([row.type for row in SECOND_EDITION.systems if not row.variant]),
        st.integers(1, 4),
    ),
    st.builds(
        lambda size: {"type": "weasel", "class": size}, st.sampled_from(["cruiser", "capital"])
    ),
)
PLANS = st.builds(
    plan,
    kind=st.sampled_from([row.kind for row in SECOND_EDITION.hulls]),
    mass=st.integers(0, 220),
    thrust=st.integers(0, 9),
    ftl=st.sampled_from(["none", "standard", "tug"]),
    systems=st.lists(SYSTEMS, max_size=4),
)
