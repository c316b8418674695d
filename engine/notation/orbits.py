"""The ships of a battle file that begin in orbit: `orbit: planet-1`.

Each starts at the point of the orbit nearest to its place.

Rules: Continuum "Medium scale" 17.8 [pc.planets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.geometry import along_orbit, course_towards, initial_drift
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.notation.reading import Reader
from engine.notation.ships_by_key import ships_by_key
from engine.pieces.piece import Piece
from engine.pieces.planet import Planet


def read_orbits(
    reader: Reader,
    document: Mapping[object, object],
    ships: Sequence[ShipState],
    terrain: Sequence[Piece],
) -> None:
    """Put ships on the orbits in which they begin, in the direction of their courses.

    Changes the ships in place. Faults go to the reader.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    planets = {}
    for piece in terrain:
        if isinstance(piece, Planet) and piece.speeds:
            planets[piece.id] = piece
    for (_, name), rows in ships_by_key(reader, document, "orbit", ships).items():
        for spot, ship in rows:
            planet = planets.get(name)
            if planet is None:
                words = phrase("there is no planet '{}' that ships can orbit", name)
                if planets:
                    choice = ", ".join(planets)
                    words = phrase(
                        "no planet '{}' that ships can orbit; choose from {}", name, choice
                    )
                reader.fault(f"{spot}.orbit", "orbit", words)
            elif fault := _unfit(ship, planet):
                reader.fault(f"{spot}.orbit", "orbit", fault)
            else:
                _put_in_orbit(ship, planet)


def _unfit(ship: ShipState, planet: Planet) -> str:
    """Return the reason why a ship cannot begin in orbit, "" if it can."""
    if ship.status != FIGHTING or ship.docking != FREE or ship.record.section or ship.record.stand:
        return phrase("{} does not move freely on the table", ship.id)
    slowest, fastest = planet.speeds
    if ship.sheet.kind != INSTALLATION and not slowest <= ship.velocity <= fastest:
        if fastest > slowest:
            return phrase(
                "the velocity of an orbit of {} must be {} to {}", planet.id, slowest, fastest
            )
        return phrase("the velocity of an orbit of {} must be {}", planet.id, slowest)
    return ""


def _put_in_orbit(ship: ShipState, planet: Planet) -> None:
    """Put a ship at the nearest point of a planet's orbit, flying the way its course points."""
    point = course_towards((planet.x, planet.y), (ship.x, ship.y), 12)
    to_port = (ship.course - along_orbit(point)) % 12 in range(4, 9)
    point = -point if to_port else point
    ship.x, ship.y = planet.at_point(point)
    if ship.sheet.kind == INSTALLATION:
        ship.course = abs(point)
    elif ship.drift is None:
        ship.course = along_orbit(point)
    if ship.drift is not None:
        ship.drift = initial_drift(along_orbit(point), ship.velocity)
    ship.record = ship.record.with_values(orbit={planet.id: point})
