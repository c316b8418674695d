"""A small sector under Continuum: two factions with tech bases, a base, and their yards."""

from __future__ import annotations

from typing import Any

from campaign.rules.designs import ship_class
from campaign.rules.scenario import Faction, Scenario
from engine.design.techbase import TechBase
from engine.notation.designs import load_sheet
from tests.campaign.rules import space

RED = TechBase(
    "Red yards", ("beams", "pds", "screens", "pulsers", "salvo-launchers", "beam-fighters")
)
BLUE = TechBase("Blue yards", ("beams", "pds", "fusion-arrays"))


def design(name: str = "Hunter", *systems: dict[str, Any], **extra: Any) -> dict[str, Any]:
    """Return a warship of MASS 60 with these systems and the minimum of everything else."""
    return {
        "class": name,
        "edition": "continuum",
        "kind": "warship",
        "mass": 60,
        "hull": {"boxes": 12, "rows": 4},
        "thrust": 4,
        "ftl": "standard",
        "systems": [{"type": "firecon"}, *systems],
        **extra,
    }


PULSER = {"type": "pulser", "arcs": ["F"]}
MAGAZINE = {"type": "magazine", "mass": 6}
LAUNCHER = {"type": "salvo-launcher", "arcs": ["FP", "F", "FS"]}
HANGAR = {"type": "hangar", "load": {"standard": 6}}
TUBE = {"type": "launch-tube"}
PATROL = design("Patrol", {"type": "beam", "class": 1, "count": 2})
RAIDER = design("Raider", PULSER, LAUNCHER, MAGAZINE)
CARRIER = design("Carrier", {"type": "beam", "class": 1}, HANGAR, TUBE)


def scenario(**changes: Any) -> Scenario:
    """Return a scenario: red has Home (with a base) and Outpost, blue has Far."""
    fields: dict[str, Any] = {
        "edition": "continuum",
        "factions": (Faction("blue", "Blue", None, BLUE), Faction("red", "Red", None, RED)),
        "catalogue": tuple(ship_class(load_sheet(item)) for item in (CARRIER, PATROL, RAIDER)),
        "defaults": (("blue", ()), ("red", ())),
    }
    return space.scenario(**{**fields, **changes})
