"""A battle file in which captains have placed every body, for battles that begin without its sides.

Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.zones import farthest_edge
from engine.notation.deployments import FARTHEST
from engine.notation.open_bodies import OpenBodies, place_open_bodies
from engine.notation.reading import Reader, ship_entries
from engine.notation.set_up import is_installation, places_of_ships
from engine.pieces.asteroid import ADDED

Document = Mapping[Any, Any]


def with_laid_bodies(document: Document) -> Document:
    """Return a battle file with a place for each body, and with zones along named edges.

    Bodies that its set-up places are there, the others where captains place them. The seed of the
    file decides the number of asteroids that is rolled.

    Args:
        document: A valid battle file, whose installations have whole designs.

    Raises:
        RuleViolations: The bodies have no room, or its set-up places one where it may not be.
    """
    width, height = document["table"]
    installations = []
    for _, ship in ship_entries(document):
        if is_installation(ship, {}):
            installations.append(str(ship.get("id")))
    reader = Reader()
    bodies = place_open_bodies(reader, document, (width, height), installations)
    if reader.faults:
        raise RuleViolations(reader.faults)
    if bodies.document is document:
        return document
    result = {**bodies.document, "asteroids": _asteroids(bodies, document)}
    if not result["asteroids"]:
        del result["asteroids"]
    if not result["set_up"]:
        del result["set_up"]
    if "deployment" in result:
        centres = places_of_ships(result)
        result["deployment"] = with_named_edges(result["deployment"], (width, height), centres)
    return result


def with_named_edges(
    deployment: Any, table: tuple[float, float], centres: Mapping[str, Sequence[float]]
) -> Any:
    """Return a deployment in which the edges farthest from installations are named.

    Args:
        centres: The places of the installations by id.
    """
    if not isinstance(deployment, Mapping) or "zones" not in deployment:
        return deployment
    zones = {}
    for side, zone in deployment["zones"].items():
        zones[side] = _with_named_edges(zone, table, centres)
    return {**deployment, "zones": zones}


def _asteroids(bodies: OpenBodies, document: Document) -> Any:
    """Return the asteroids of a file in their places, as many as its seed rolls."""
    asteroids = bodies.document.get("asteroids", [])
    if bodies.is_rolled:
        return asteroids[: Dice(document.get("seed", 0)).roll("asteroid", "number") + ADDED]
    return asteroids


def _with_named_edges(
    zone: Any, table: tuple[float, float], centres: Mapping[str, Sequence[float]]
) -> Any:
    """Return a zone, or a list of them, in which the edge farthest from a station is named."""
    if isinstance(zone, list):
        return [_with_named_edges(part, table, centres) for part in zone]
    edge = zone.get("edge")
    if not isinstance(edge, Mapping):
        return zone
    x, y = centres[edge[FARTHEST]]
    return {**zone, "edge": str(farthest_edge(table, (x, y)))}
