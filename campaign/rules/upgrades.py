"""The kinds of stored documents and the versions of their shapes.

A kind that changes its shape gets a higher version and an upgrade step from the one before. A step
takes the body of a document of its version and returns a new one of the next version
(`engine.core.schemas`); it does not change the old one.
"""

from __future__ import annotations

from engine.core.phrase import phrase
from engine.core.schemas import Body, DocumentKind
from engine.core.terms import design_options

SYSTEM_BEFORE_CHOICES: Body = {"hyper_limit": False, "stations": [], "drift": "", "mines": []}
DOCTRINE_BEFORE_SET_UP = {"formation": "", "speed": None, "reserve": 0}


def _world_of_rules_1_1(body: Body) -> Body:
    """Add the parts of wars with objectives, goods and set-ups to a world of release 1.0."""
    result = {
        **_with_set_up_doctrines(body),
        "objectives": [],
        "goods": [],
        "deliveries": [],
        "late": [],
        "mines": [],
    }
    if "engagements" in body:
        result["engagements"] = [{**item, "contacts": []} for item in body["engagements"]]
    return result


def _view_of_rules_1_1(body: Body) -> Body:
    """Add what a faction knows of objectives, goods and set-ups to a view of release 1.0."""
    return {
        **_with_set_up_doctrines(body),
        "set_ups": [],
        "objectives": [],
        "goods": [],
        "deliveries": [],
        "late": [],
        "stations": [],
        "mines": [],
    }


def _with_set_up_doctrines(body: Body) -> Body:
    """Return a body whose fleets say nothing about set-ups of battles and the thrust of decoys."""
    result = dict(body)
    for key in ("fleets", "dummies"):
        fleets = []
        more = {"decoy_thrust": None} if key == "fleets" else {}
        for fleet in body.get(key, []):
            doctrine = {**fleet["doctrine"], **DOCTRINE_BEFORE_SET_UP}
            fleets.append({**fleet, "doctrine": doctrine, **more})
        if key in body:
            result[key] = fleets
    return result


def _scenario_with_choices(body: Body) -> Body:
    """Add what scenarios of release 1.0 could not say: objectives, goods, set-ups, restrictions.

    Their classes keep the prices of that release.
    """
    factions = []
    for faction in body["factions"]:
        factions.append({**faction, "movement": "", "ram_on": None, "dogfights": {}})
    return {
        **body,
        "options": list(design_options(body["edition"], body["options"], "1.0")),
        "factions": factions,
        "links": [{**link, "id": "", "open": "all"} for link in body["links"]],
        "systems": [{**system, **SYSTEM_BEFORE_CHOICES} for system in body["systems"]],
        "set_up": {"manner": "sealed", "velocity": [0, 24], "ftl": True},
        "objectives": [],
        "judging": {},
        "goods": [],
        "capacity": [],
        "restrictions": {"barred": [], "allowed": None},
        "class_movement": [],
        "multi_role": [],
        "aces": "",
        "max_turns": 30,
    }


def _phase_with_pursuit(body: Body) -> Body:
    """Say of a phase of release 1.0 that it is not recorded which sides pursued."""
    inputs = body["inputs"]
    if "orders" not in inputs:  # the result of a battle at a table
        return body
    return {**body, "inputs": {**inputs, "pursue": None}}


WORLD = DocumentKind("world", 2, {1: _world_of_rules_1_1})
VIEW = DocumentKind("view", 2, {1: _view_of_rules_1_1})
SCENARIO = DocumentKind("scenario", 2, {1: _scenario_with_choices})

# What factions submit: the orders of a week, and those in a phase of a battle.
ORDERS = DocumentKind("orders", 1, {})
PHASE_ORDERS = DocumentKind(phrase("orders for a phase"), 1, {})

# A phase of a battle as it was played: {inputs, events, views}; the column beside it has its
# version.
BATTLE_PHASE = DocumentKind(phrase("battle phase"), 2, {1: _phase_with_pursuit})

# Reports to factions (`campaign.models.knowledge`), by kind; the column beside them has the
# version.
REPORTS: dict[str, DocumentKind] = {
    "stage": DocumentKind(phrase("stage report"), 1, {}),
    "battle": DocumentKind(phrase("battle report"), 1, {}),
    "table": DocumentKind(phrase("table sheet"), 1, {}),
    "table-check": DocumentKind(phrase("table check"), 1, {}),
    "phase": DocumentKind(phrase("phase sheet"), 1, {}),
}
