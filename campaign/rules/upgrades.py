"""The kinds of stored documents and the versions of their shapes.

A kind that changes its shape gets a higher version and an upgrade step from the one before. A step
takes the body of a document of its version and returns a new one of the next version
(`engine.core.schemas`); it does not change the old one.
"""

from __future__ import annotations

from engine.core.phrase import phrase
from engine.core.schemas import Body, DocumentKind


def _world_with_objectives(body: Body) -> Body:
    """Add the parts of wars with objectives and goods to a world of release 1.0."""
    return {**body, "objectives": [], "goods": [], "deliveries": [], "late": []}


def _view_with_objectives(body: Body) -> Body:
    """Add what a faction knows of objectives and goods to a view of release 1.0."""
    return {**body, "objectives": [], "goods": [], "deliveries": [], "late": []}


def _scenario_with_choices(body: Body) -> Body:
    """Add what scenarios of release 1.0 could not say: objectives, goods, what is barred."""
    factions = []
    for faction in body["factions"]:
        factions.append({**faction, "movement": "", "ram_on": None, "dogfights": {}})
    return {
        **body,
        "factions": factions,
        "objectives": [],
        "judging": {},
        "goods": [],
        "capacity": [],
        "restrictions": {"barred": [], "allowed": None},
        "class_movement": [],
        "max_turns": 30,
    }


WORLD = DocumentKind("world", 2, {1: _world_with_objectives})
VIEW = DocumentKind("view", 2, {1: _view_with_objectives})
SCENARIO = DocumentKind("scenario", 2, {1: _scenario_with_choices})

# What factions submit: the orders of a week, and those in a phase of a battle.
ORDERS = DocumentKind("orders", 1, {})
PHASE_ORDERS = DocumentKind(phrase("orders for a phase"), 1, {})

# A phase of a battle as it was played: {inputs, events, views}; the column beside it has its
# version.
BATTLE_PHASE = DocumentKind(phrase("battle phase"), 1, {})

# Reports to factions (`campaign.models.knowledge`), by kind; the column beside them has the
# version.
REPORTS: dict[str, DocumentKind] = {
    "stage": DocumentKind(phrase("stage report"), 1, {}),
    "battle": DocumentKind(phrase("battle report"), 1, {}),
    "table": DocumentKind(phrase("table sheet"), 1, {}),
    "table-check": DocumentKind(phrase("table check"), 1, {}),
    "phase": DocumentKind(phrase("phase sheet"), 1, {}),
}
