"""Captains with ortillery: they go into orbit where a foe has something on the ground, and fire at it.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from engine.asks.plot import plot_faults
from engine.captains.common.courses import options_of
from engine.captains.continuum.marks import Mark
from engine.captains.continuum.orbiting import makes_orbit
from engine.continuum.legs import bent_leg, leg_of
from engine.continuum.orbits import MakeOrbit, changes_velocity
from engine.continuum.ortillery import Bombard, is_over, mounts, target_fault
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.planet import Planet
from engine.pieces.site import Site

SAFE = 18.0  # MU from a foe within which a ship fights it rather than what is on the ground
HASTE = 3.0  # what a MU of velocity beside that of the orbit counts, against a MU of way


def bombardments(
    state: BattleState, ships: Sequence[ShipState], marks: Sequence[Mark], plots: dict[str, Plot]
) -> dict[str, Plot]:
    """The plots, those of ships with ortillery changed where there is something hostile on the ground."""
    for ship in ships:
        if ship.status != FIGHTING or not mounts(ship) or ship.warm:
            continue
        sites = [site for site in state.of(Site) if not target_fault(state, ship, site.id)]
        if not sites:
            continue
        plot = plots.get(ship.id, HOLD)
        if not ship.orbits and any(dist((ship.x, ship.y), (mark.x, mark.y)) < SAFE for mark in marks):
            continue
        site = min(sites, key=lambda one: (one.boxes - one.damage, one.id))
        planet = state.find(Planet, site.planet)
        if planet is None or plot.ftl:
            continue
        if ship.orbits and changes_velocity(plot):
            plot = HOLD
        if not is_over(ship, planet) and not ship.orbits:
            plot = _nearer(state, ship, planet, plot)
        aimed = replace(plot, further=(*plot.further, Bombard((site.id,))))
        comes = is_over(ship, planet) or plot.find(MakeOrbit) is not None
        plots[ship.id] = aimed if comes and not plot_faults(state, ship, aimed) else plot
    return plots


def _nearer(state: BattleState, ship: ShipState, planet: Planet, plot: Plot) -> Plot:
    """The move that takes a ship into a planet's orbit, else the one that brings it there soonest."""
    best, found = 1e9, plot
    for option in options_of(state, ship):
        one = option.plot()
        if planet.speeds and makes_orbit(state, ship, one, [planet]) is not None:
            rounds = replace(one, further=(MakeOrbit(), *one.further))
            if not plot_faults(state, ship, rounds):
                return rounds
        leg = leg_of(ship, one)
        path, _ = bent_leg(state, ship, leg)
        on = (path[-1], (path[-1][0] + option.gx, path[-1][1] + option.gy))
        if planet.stops(path):
            continue
        away = abs(dist(on[0], (planet.x, planet.y)) - planet.track) + min(
            abs(dist(on[1], (planet.x, planet.y)) - planet.track), 40.0
        )
        speed = abs(leg.velocity - planet.fastest) if planet.speeds else 0
        if (score := away + HASTE * speed) < best:
            best, found = score, one
    return found
