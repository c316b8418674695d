"""Continuum designs for tests: short ways to write them, and random ones."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations
from engine.design.value import Design
from engine.notation.designs import parse_design
from engine.ruleset import RuleSet, ruleset

ALL = list(CONTINUUM.arcs)
FRONT = ["FP", "F", "FS"]
PORT, STARBOARD = ["FP", "AP"], ["FS", "AS"]


def ship(
    systems: Any = (), mass: int = 100, boxes: int = 10, rows: int = 4, **more: Any
) -> dict[str, Any]:
    """Return a design as JSON: no drives and the minimum hull, unless further keys say otherwise."""
    return {
        "class": "Test Ship",
        "edition": "continuum",
        "kind": "warship",
        "mass": mass,
        "hull": {"boxes": boxes, "rows": rows},
        "thrust": 0,
        "ftl": "none",
        "systems": list(systems),
        **more,
    }


def system_entry(
    type_: str, class_: int = 0, arcs: list[str] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a system; a class of 0 and empty arcs are left out."""
    return (
        {"type": type_}
        | ({"class": class_} if class_ else {})
        | ({"arcs": arcs} if arcs else {})
        | more
    )


def design(*args: Any, options: tuple[str, ...] = (), **more: Any) -> Design:
    return parse_design(ship(*args, **more), options=options)


def added(
    systems: list[dict[str, Any]], options: tuple[str, ...] = (), **more: Any
) -> tuple[int, int]:
    """Return the mass and points that systems add to a ship."""
    rules = ruleset("continuum", options)
    with_them = rules.yard.figures(design(systems, options=options, **more), rules)
    without = rules.yard.figures(design(options=options, **more), rules)
    return with_them.mass_used - without.mass_used, with_them.points - without.points


def faults_of(*args: Any, options: tuple[str, ...] = (), **more: Any) -> list[tuple[str, str]]:
    """Return (where, code) of every fault of a readable design."""
    rules = ruleset("continuum", options)
    faults = rules.yard.violations(design(*args, options=options, **more), rules, ())
    return [(fault.where, fault.code) for fault in faults]


def codes(raised: RuleViolations) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in raised.violations]


def figures(planned: Design, rules: RuleSet = CONTINUUM) -> Any:
    return rules.yard.figures(planned, rules)


SYSTEM_PRICES = [price for rows in CONTINUUM.system_prices.values() for price in rows]


@st.composite
def systems(draw: st.DrawFn) -> dict[str, Any]:
    """Return a random row of the price list, mounted in a way that is sold."""
    price = draw(st.sampled_from([price for price in SYSTEM_PRICES if price.type != "turret"]))
    number = draw(st.sampled_from([arcs for arcs, _ in price.mounts])) if price.mounts else 0
    first = draw(st.integers(0, 5))
    fitted: dict[str, Any] = {"type": price.type}
    if price.size:
        fitted["class"] = price.size
    if price.model:
        fitted["model"] = price.model
    if number:
        fitted["arcs"] = [ALL[(first + step) % 6] for step in range(number)]
    if price.free:
        fitted["mass"] = draw(st.integers(4, 20))
    count = draw(st.integers(1, 3))
    return fitted | ({"count": count} if count > 1 else {})


PLANS = st.builds(
    ship,
    systems=st.lists(systems(), max_size=5),
    mass=st.integers(1, 320),
    boxes=st.integers(1, 60),
    rows=st.sampled_from([3, 4, 5, 6]),
    kind=st.sampled_from(["warship", "merchant", "installation"]),
    thrust=st.integers(0, 8),
    drive=st.sampled_from(["standard", "advanced"]),
    ftl=st.sampled_from(
        ["none", "standard", "advanced", {"tug": 60}, {"tug": 35, "advanced": True}]
    ),
    armour=st.sampled_from([[], [[3, 0]], [[0, 4]], [[5, 1], [2, 0]]]),
    stealth=st.integers(0, 2),
    streamlining=st.sampled_from(["none", "partial", "full"]),
)
