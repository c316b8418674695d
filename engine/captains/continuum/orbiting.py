"""Orbits and bombardment, for captains.

A ship goes into orbit rather than into the planet, stays while there is a foe to fire at, leaves to
fight elsewhere, and lands if it cannot get away. Ships with ortillery go into orbit and fire at
hostile sites on the ground.

Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11
[pc.atmosphere]; Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.captains.common.move_options import options_of
from engine.captains.common.objectives import dangerous_pieces
from engine.captains.continuum.gravity_and_gates import loss_odds
from engine.captains.continuum.targets import Target
from engine.continuum.legs import bent_leg, leg_of
from engine.continuum.orbits import MakeOrbit, changes_velocity, orbited_planet
from engine.continuum.ortillery import Bombard, is_over, target_fault, working_mounts
from engine.core.geometry import dist, length_of
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
    """Return the ships that orbit a planet, and need other orders than those that fly."""
    result: list[ShipState] = []
    for ship in ships:
        if ship.orbits and orbited_planet(state, ship) is not None:
            result.append(ship)
    return result


def leaving_orbit_plots(
    state: BattleState, ships: Sequence[ShipState], targets: Sequence[Target]
) -> dict[str, Plot]:
    """Return the plots of ships that leave their orbit: safely, and without a foe to fire at."""
    plots: dict[str, Plot] = {}
    for ship in ships:
        distances = [length_of(target.x - ship.x, target.y - ship.y) for target in targets]
        near = min(distances, default=0.0)
        if near > NEAR_ENOUGH and (plot := plot_out_of_orbit(state, ship)) is not HOLD:
            plots[ship.id] = plot
    return plots


def plot_out_of_orbit(state: BattleState, ship: ShipState) -> Plot:
    """Return the fastest safe plot out of a ship's orbit, or HOLD."""
    bodies = dangerous_pieces(state.pieces)
    others = [body for body in bodies if body.id != ship.orbits]
    for faster in range(ship.thrust, 0, -1):
        if ship.drift is None:
            plot = Plot(thrust=faster)
        else:
            plot = Plot(burns=(("MD", faster),))
        leg = leg_of(ship, plot)
        if leg.velocity <= ship.velocity or plot_faults(state, ship, plot):
            continue
        if loss_odds(state, others, ship, leg=leg, thrust=ship.thrust) < 1.0:
            return plot
    return HOLD


def landing_plot(state: BattleState, ship: ShipState, targets: Sequence[Target]) -> Plot | None:
    """Return the plot that lands a ship undamaged if it cannot outrun its foes, or None.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    planet = orbited_planet(state, ship)
    if planet is None or not planet.air or ship.drift is not None:
        return None
    if not can_land_undamaged(ship, planet.pulls):
        return None
    slowing = ship.velocity - min(planet.speeds) + 1
    plot = Plot(thrust=-slowing)
    is_outrun = any(target.ship.thrust > ship.thrust for target in targets)
    if not is_outrun or slowing > ship.thrust:
        return None
    if plot_faults(state, ship, plot):
        return None
    return plot


def prefer_orbits(
    state: BattleState, ships: Sequence[ShipState], plots: dict[str, Plot]
) -> dict[str, Plot]:
    """Replace plots that would run into a planet by ones that go into its orbit, where possible."""
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
    """Yield valid plots into an orbit, most similar to a plot first.

    It keeps the plot's velocity if possible, otherwise it takes one that the planet allows.
    """
    tried = [plot]
    if ship.drift is None:
        changes = [speed - ship.velocity for speed in _orbital_speeds(planets)]
        tried += [replace(plot, thrust=change) for change in changes]
        tried += [Plot(thrust=change) for change in changes]
    for candidate in tried:
        if orbit_reached(state, ship, candidate, planets) is not None:
            orbiting = _making_orbit(candidate)
            if not plot_faults(state, ship, orbiting):
                yield orbiting


def _orbital_speeds(planets: Sequence[Planet]) -> list[int]:
    """Return the slowest and fastest orbital velocities of planets, in ascending order."""
    speeds: set[int] = set()
    for planet in planets:
        speeds.update(planet.speeds)
    return sorted(speeds)


def _making_orbit(plot: Plot) -> Plot:
    """Return a plot with the order to go into an orbit."""
    return replace(plot, further=(MakeOrbit(), *plot.further))


def orbit_reached(
    state: BattleState, ship: ShipState, plot: Plot, planets: Sequence[Planet]
) -> Planet | None:
    """Return the planet that a ship reaches at orbital velocity with a plot, or None."""
    leg = leg_of(ship, plot)
    path, pulls = bent_leg(state, ship, leg)
    velocity = max(leg.velocity + sum(pull.velocity for _, pull in pulls), 0)
    for planet in planets:
        slowest, fastest = planet.speeds
        if not planet.meets_orbit(path) or (planet.simple and planet.is_in_path(path)):
            continue
        if slowest <= velocity <= fastest:
            return planet
        return None
    return None


SAFE_RANGE = 18.0  # MU from a foe within which a ship fights it rather than sites on the ground
SPEED_WEIGHT = 3.0  # MU of distance that one MU off orbital velocity counts for


def with_bombardment(
    state: BattleState,
    ships: Sequence[ShipState],
    targets: Sequence[Target],
    plots: dict[str, Plot],
) -> dict[str, Plot]:
    """Return the plots, with those of ships with ortillery changed to bombard hostile sites."""
    for ship in ships:
        plot = plots.get(ship.id, HOLD)
        if not _may_bombard(ship, plot, targets):
            continue
        sites = [site for site in state.pieces_of(Site) if not target_fault(state, ship, site.id)]
        if sites:
            weakest = min(sites, key=lambda site: (site.boxes - site.damage, site.id))
            bombarding = _bombarding_plot(state, ship, weakest, plot)
            if bombarding is not None:
                plots[ship.id] = bombarding
    return plots


def _may_bombard(ship: ShipState, plot: Plot, targets: Sequence[Target]) -> bool:
    """Return whether a ship has ortillery and nothing better to do than to fire at the ground."""
    if ship.status != FIGHTING or not working_mounts(ship) or ship.warm or plot.ftl:
        return False
    return bool(ship.orbits) or not _is_foe_near(ship, targets)


def _is_foe_near(ship: ShipState, targets: Sequence[Target]) -> bool:
    """Return whether a foe is so near that a ship fights it rather than sites on the ground."""
    here = (ship.x, ship.y)
    return any(dist(here, (target.x, target.y)) < SAFE_RANGE for target in targets)


def _bombarding_plot(state: BattleState, ship: ShipState, site: Site, plot: Plot) -> Plot | None:
    """Return a plot by which a ship bombards a site, or comes nearer to it; None without a planet.

    Args:
        plot: What the ship would do otherwise.
    """
    planet = state.find(Planet, site.planet)
    if planet is None:
        return None
    if ship.orbits and changes_velocity(plot):
        plot = HOLD
    is_over_planet = is_over(ship, planet)
    if not is_over_planet and not ship.orbits:
        plot = _plot_towards_orbit(state, ship, planet, plot)
    bombarding = replace(plot, further=(*plot.further, Bombard((site.id,))))
    arrives = is_over_planet or plot.find(MakeOrbit) is not None
    if arrives and not plot_faults(state, ship, bombarding):
        return bombarding
    return plot


def _plot_towards_orbit(state: BattleState, ship: ShipState, planet: Planet, plot: Plot) -> Plot:
    """Return the move that takes a ship into a planet's orbit, or there soonest."""
    best_score = 1e9
    best_plot = plot
    for option in options_of(state, ship):
        candidate = option.plot()
        if planet.speeds and orbit_reached(state, ship, candidate, [planet]) is not None:
            orbiting = _making_orbit(candidate)
            if not plot_faults(state, ship, orbiting):
                return orbiting
        leg = leg_of(ship, candidate)
        path, _ = bent_leg(state, ship, leg)
        if planet.is_in_path(path):
            continue
        end = path[-1]
        next_end = (end[0] + option.gx, end[1] + option.gy)
        score = _distance_to_track(planet, end) + min(_distance_to_track(planet, next_end), 40.0)
        excess_speed = abs(leg.velocity - planet.fastest) if planet.speeds else 0
        score += SPEED_WEIGHT * excess_speed
        if score < best_score:
            best_score = score
            best_plot = candidate
    return best_plot


def _distance_to_track(planet: Planet, point: tuple[float, float]) -> float:
    """Return the distance in MU from a point to the circle on which ships orbit a planet."""
    return abs(dist(point, (planet.x, planet.y)) - planet.orbit_radius)
