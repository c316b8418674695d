"""A captain's flak: where craft and missiles on their way will have to pass that are about to come at his ships.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from engine.captains.common.post import Post
from engine.captains.continuum.marks import chart_of
from engine.continuum.defence_plans import in_flight
from engine.continuum.flak import shells
from engine.continuum.launching import launch_fault
from engine.continuum.legs import leg_of
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Launch
from engine.core.terms import FLAK
from engine.pieces.group import Group
from engine.pieces.quarry import Prey
from engine.view.side_view import SideView
from engine.weapons.kinetics import FLAK_RADIUS

COMES_FROM = 30.0  # MU within which what flies may come at a ship this turn
BEFORE = 4.0  # MU before the ship at which it is met: what attacks comes nearer than six
CLEAR = FLAK_RADIUS + 1.0  # MU that it bursts away from one's own ships
GUN_RANGE = 24.0  # MU to the nearest foe from which on guns have little to fire at
TAKES = 0.4  # craft that a die takes, in the mean
LEAST = 2  # craft that are worth a barrage


@dataclass(slots=True)
class _Threat:
    """What may come at a ship, where that will be by then, and how much of it nobody is likely to take yet."""

    prey: Prey
    quarry: Point
    left: float


def with_barrages(post: Post, view: SideView, found: dict[str, tuple[Launch, ...]]) -> dict[str, tuple[Launch, ...]]:
    """The launches of a side with the flak that is worth its guns' fire at ships: all of it while no foe is near, else
    of the ships about to be attacked.

    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """
    if FLAK not in view.terms.options or post.fleeing:
        return found
    state = chart_of(view)
    own = [ship for ship in state.ships if ship.commander == view.side and ship.status == FIGHTING]
    ends = {ship.id: leg_of(ship, post.plotted.get(ship.id, HOLD)).path[-1] for ship in own}
    threats = _threats(view, [*state.of(Group), *in_flight(state)], list(ends.values()))
    foes = [ship for ship in state.ships if state.hostile[view.side] >> ship.commander & 1]
    made = dict(found)
    for ship in own if threats else ():
        near = any(dist((foe.x, foe.y), ends[ship.id]) <= GUN_RANGE for foe in foes)
        fired: list[str] = []
        for launch in made.get(ship.id, ()):
            launch_fault(state, ship, launch, fired, {})
        for index in shells(ship):
            fit = ship.sheet.fits[index]
            if fit.type in post.doctrine.never or not ship.alive[index]:
                continue
            threat = max(threats, key=lambda one: one.left)
            if threat.left < LEAST or (near and threat.quarry != ends[ship.id]):
                continue
            launch = Launch(fit.id, _between(threat))
            clear = all(dist(launch.at or at, at) > CLEAR for at in ends.values())
            if clear and not launch_fault(state, ship, launch, fired, {}):
                made[ship.id] = (*made.get(ship.id, ()), launch)
                threat.left -= fit.size * TAKES
    return made


def _threats(view: SideView, flying: list[Prey], ends: list[Point]) -> list[_Threat]:
    """What may come at one of these places this turn, each at the nearest."""
    threats = []
    for prey in flying:
        if not ends or not view.is_hostile(prey):
            continue
        quarry = min(ends, key=lambda at: dist(at, (prey.x, prey.y)))
        if dist(quarry, (prey.x, prey.y)) <= COMES_FROM:
            size = prey.craft if isinstance(prey, Group) else prey.strength - prey.killed
            threats.append(_Threat(prey, quarry, float(size)))
    return threats


def _between(threat: _Threat) -> Point:
    """The place before a ship that what comes at it straight has to pass, or ends at."""
    (x, y), away = threat.quarry, dist(threat.quarry, (threat.prey.x, threat.prey.y))
    share = min(BEFORE / away, 1.0) if away else 0.0
    return round(x + (threat.prey.x - x) * share, 2), round(y + (threat.prey.y - y) * share, 2)
