"""Who is aboard a ship of Continuum: crew factors, damage control parties, marines.

Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
"""

from __future__ import annotations

from engine.core.ship import ShipState

PARTY, MARINES = "damage-control", "marines"  # the types of an extra party, and of a boarding party


def crew_left(ship: ShipState) -> int:
    """Crew factors that are left: those whose box on the damage track is not crossed off.

    Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
    """
    return sum(box > ship.damage for box in ship.sheet.crew)


def parties_of(ship: ShipState) -> int:
    """Damage control parties that can work: one for each crew factor left, and extra ones that live.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Additional damage control parties"
    13.13 [pc.berthing]
    """
    return crew_left(ship) + sum(ship.alive[place] for place in ship.profile.places.get(PARTY, ()))


def marines_of(ship: ShipState) -> list[int]:
    """The places of the marines a ship has left. Rules: Continuum "Marines" 12.7 [pc.transporters]"""
    return [place for place in ship.profile.places.get(MARINES, ()) if ship.alive[place]]
