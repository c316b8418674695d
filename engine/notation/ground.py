"""The ground targets of a battle file, named site-1, site-2 and so on.

The entry is `ground: [{side: esu, planet: planet-1, boxes: 6}]`.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.geometry import COURSES
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.notation.reading import Reader
from engine.pieces.piece import Piece
from engine.pieces.planet import Planet
from engine.pieces.site import Site

MAX_SITES, MAX_BOXES = 50, 200
KEYS = ("side", "planet", "boxes", "damage")
WORDS = (
    phrase("expected a list of ground targets"),
    phrase("a ground target needs a side, a planet and boxes"),
)


def site_id(number: int) -> str:
    """Return the id of a ground target; numbers begin with 1."""
    return f"site-{number}"


def site_names(document: Mapping[object, object]) -> list[str]:
    """Return the ids of a file's ground targets."""
    targets = document.get("ground")
    if isinstance(targets, list):
        return [site_id(number) for number in range(1, len(targets) + 1)]
    return []


def read_ground(
    reader: Reader,
    document: Mapping[object, object],
    names: Sequence[str],
    terrain: Sequence[Piece],
) -> list[Site]:
    """Return the ground targets of a file, placed around the centres of their planets.

    Faults go to the reader.

    Args:
        names: The names of the sides.
    """
    planets = {piece.id: piece for piece in terrain if isinstance(piece, Planet)}
    sites: list[Site] = []
    for item, where in reader.rows(document.get("ground", []), KEYS, "ground", WORDS):
        side = reader.choice(item, "side", names, where)
        planet_id = reader.text(item, "planet", where)
        planet = planets.get(planet_id)
        if planet_id and planet is None:
            words = phrase(
                "no planet is called '{}'; choose from {}",
                planet_id,
                ", ".join(planets) or "none",
            )
            reader.fault(f"{where}.planet", "unknown-planet", words)
        boxes = reader.number(item, "boxes", where)
        damage = reader.number(item, "damage", where, default=0)
        if not 1 <= boxes <= MAX_BOXES or not 0 <= damage <= boxes:
            words = phrase("expected 1 to {} boxes, and no more damage than boxes", MAX_BOXES)
            reader.fault(f"{where}.boxes", "boxes", words)
        if side and planet is not None:
            ux, uy = COURSES[len(sites) % 12]
            site = Site(
                id=site_id(len(sites) + 1),
                side=names.index(side),
                x=planet.x + ux * planet.radius / 2,
                y=planet.y + uy * planet.radius / 2,
                planet=planet_id,
                boxes=boxes,
                damage=damage,
            )
            sites.append(site)
    return sites


def ground_of(state: BattleState) -> list[dict[str, Any]]:
    """Return the ground targets of a battle as entries of a battle file."""
    result: list[dict[str, Any]] = []
    for site in state.pieces_of(Site):
        result.append(
            {
                "side": state.sides[site.side],
                "planet": site.planet,
                "boxes": site.boxes,
                "damage": site.damage,
            }
        )
    return result
