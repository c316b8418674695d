"""What captains do about orbits: they go into one rather than into its planet, stay while there is
somebody to fire at, leave it to fight elsewhere, and land where they cannot get away.

Captains with ortillery: they go into orbit where a foe has something on the ground, and fire at it.

Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11
[pc.atmosphere]; Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist

from engine.captains.common.move_options import options_of
from engine.captains.common.objectives import dangerous_pieces
from engine.captains.continuum.gravity_and_gates import loss_odds
from engine.captains.continuum.targets import Target
from engine.continuum.legs import bent_leg, leg_of
from engine.continuum.orbits import MakeOrbit, changes_velocity, orbited_planet
from engine.continuum.ortillery import Bombard, is_over, target_fault, working_mounts
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.order_requests.plot import plot_faults
from engine.pieces.atmosphere import can_land_undamaged
from engine.pieces.planet import Planet
from engine.pieces.site import Site

NEAR_ENOUGH = 30.0  # MU from a foe at which a ship stays in its orbit


def in_orbit(state: BattleState, ships: Sequence[ShipState]) -> list[ShipState]:
    """The ships that go round a planet, and need other orders than those that fly."""
    return [ship for ship in ships if ship.orbits and orbited_planet(state, ship) is not None]


def leaving_orbit_plots(
    state: BattleState, ships: Sequence[ShipState], targets: Sequence[Target]
) -> dict[str, Plot]:
    """Plots of ships in orbit: those that have nobody near to fire at leave it, where that is
    safe.
    """
    plots: dict[str, Plot] = {}
    for ship in ships:
        near = min(
            ((target.x - ship.x) ** 2 + (target.y - ship.y) ** 2 for target in targets), default=0.0
        )
        if near > NEAR_ENOUGH**2 and (plot := plot_out_of_orbit(state, ship)) is not HOLD:
            plots[ship.id] = plot
    return plots


def plot_out_of_orbit(state: BattleState, ship: ShipState) -> Plot:
    """The plot that takes a ship out of its orbit, the fastest that is safe; HOLD where none is."""
    bodies = dangerous_pieces(state.pieces)
    for faster in range(ship.thrust, 0, -1):
        plot = Plot(thrust=faster) if ship.drift is None else Plot(burns=(("MD", faster),))
        leg = leg_of(ship, plot)
        if leg.velocity <= ship.velocity or plot_faults(state, ship, plot):
            continue
        if (
            loss_odds(
                state, [body for body in bodies if body.id != ship.orbits], ship, leg, ship.thrust
            )
            < 1.0
        ):
            return plot
    return HOLD


def landing_plot(state: BattleState, ship: ShipState, targets: Sequence[Target]) -> Plot | None:
    """The plot by which a ship that cannot get away from faster foes lands whole; None where it
    does not.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    planet = orbited_planet(state, ship)
    if (
        planet is None
        or not planet.air
        or not can_land_undamaged(ship, planet.pulls)
        or ship.drift is not None
    ):
        return None
    slower = ship.velocity - min(planet.speeds) + 1
    plot = Plot(thrust=-slower)
    outrun = any(target.ship.thrust > ship.thrust for target in targets)
    return plot if outrun and slower <= ship.thrust and not plot_faults(state, ship, plot) else None


def prefer_orbits(
    state: BattleState, ships: Sequence[ShipState], plots: dict[str, Plot]
) -> dict[str, Plot]:
    """The plots; who would run into a planet at the velocity of its orbit goes into that."""
    planets = [planet for planet in state.pieces_of(Planet) if planet.speeds]
    if not planets:
        return plots
    for ship in ships:
        plot = plots.get(ship.id, HOLD)
        if ship.status != FIGHTING or ship.warm or ship.orbits or plot.ftl:
            continue
        path, _ = bent_leg(state, ship, leg_of(ship, plot))
        if any(planet.is_in_path(path) for planet in planets):
            plots[ship.id] = next(_into_orbit(state, ship, plot, planets), plot)
    return plots


def _into_orbit(
    state: BattleState, ship: ShipState, plot: Plot, planets: Sequence[Planet]
) -> Iterator[Plot]:
    """The lawful plots most like one that take a ship into an orbit: at its velocity, else at that
    of a planet.
    """
    tried = [plot]
    if ship.drift is None:
        speeds = {speed for planet in planets for speed in planet.speeds}
        tried += [replace(plot, thrust=speed - ship.velocity) for speed in sorted(speeds)]
        tried += [Plot(thrust=speed - ship.velocity) for speed in sorted(speeds)]
    for candidate in tried:
        rounds = replace(candidate, further=(MakeOrbit(), *candidate.further))
        if orbit_reached(state, ship, candidate, planets) is not None and not plot_faults(
            state, ship, rounds
        ):
            yield rounds


def orbit_reached(
    state: BattleState, ship: ShipState, plot: Plot, planets: Sequence[Planet]
) -> Planet | None:
    """The planet that a ship comes to at the velocity of its orbit if it flies so, None where there
    is none.
    """
    leg = leg_of(ship, plot)
    path, pulls = bent_leg(state, ship, leg)
    velocity = max(leg.velocity + sum(pull.velocity for _, pull in pulls), 0)
    for planet in planets:
        slowest, fastest = planet.speeds
        if not planet.meets_track(path) or (planet.simple and planet.is_in_path(path)):
            continue
        return planet if slowest <= velocity <= fastest else None
    return None


SAFE_RANGE = 18.0  # MU from a foe within which a ship fights it rather than what is on the ground
SPEED_WEIGHT = 3.0  # what a MU of velocity beside that of the orbit counts, against a MU of way


def with_bombardment(
    state: BattleState,
    ships: Sequence[ShipState],
    targets: Sequence[Target],
    plots: dict[str, Plot],
) -> dict[str, Plot]:
    """The plots, those of ships with ortillery changed where there is something hostile on the
    ground.
    """
    for ship in ships:
        if ship.status != FIGHTING or not working_mounts(ship) or ship.warm:
            continue
        sites = [site for site in state.pieces_of(Site) if not target_fault(state, ship, site.id)]
        if not sites:
            continue
        plot = plots.get(ship.id, HOLD)
        if not ship.orbits and any(
            dist((ship.x, ship.y), (target.x, target.y)) < SAFE_RANGE for target in targets
        ):
            continue
        site = min(sites, key=lambda candidate: (candidate.boxes - candidate.damage, candidate.id))
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
    """The move that takes a ship into a planet's orbit, else the one that brings it there
    soonest.
    """
    best, best_plot = 1e9, plot
    for option in options_of(state, ship):
        candidate = option.plot()
        if planet.speeds and orbit_reached(state, ship, candidate, [planet]) is not None:
            rounds = replace(candidate, further=(MakeOrbit(), *candidate.further))
            if not plot_faults(state, ship, rounds):
                return rounds
        leg = leg_of(ship, candidate)
        path, _ = bent_leg(state, ship, leg)
        on = (path[-1], (path[-1][0] + option.gx, path[-1][1] + option.gy))
        if planet.is_in_path(path):
            continue
        away = abs(dist(on[0], (planet.x, planet.y)) - planet.track) + min(
            abs(dist(on[1], (planet.x, planet.y)) - planet.track), 40.0
        )
        speed = abs(leg.velocity - planet.fastest) if planet.speeds else 0
        if (score := away + SPEED_WEIGHT * speed) < best:
            best, best_plot = score, candidate
    return best_plot
