"""Whom the stop of point defence asks: ships that anything attacks, and who might meet what attacks nobody.

Rules: Continuum "Point Defense fire phase" 2.6 [pc.sequence]
"""

from __future__ import annotations

from engine.continuum.blasts import bursting, reached
from engine.continuum.craft.on_guard import guards_of, in_blast, watches
from engine.continuum.craft.targets import engaged
from engine.continuum.defence_plans import attackers, from_afar, in_flight
from engine.core.geometry import NEAR
from engine.core.kinds import FIGHTING, IN_PLAY
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import POINT_DEFENCE_LEVEL
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.quarry import Prey
from engine.weapons.guard import AREA_REACH

WATCHES = ("adfc", "advanced-adfc", "advanced-firecon")  # what lets a ship fire at what attacks nobody


def threatened(state: BattleState) -> list[ShipState | Group]:
    """The ships of every side that ordnance or craft attack, or in the midst of whose ships or boats on guard an
    enemy's warhead goes off, or that has an ADFC or such boats near what attacks nobody, wherever they are; and its
    boats that might guard them: whom the defence stop asks.

    Rules: Continuum "Point Defense fire phase" 2.6 [pc.sequence]
    """
    if not state.pieces:
        return []
    sides = {state.ship(marker.target).commander for marker in attackers(state)}
    for group in state.of(Group):
        sides |= {ship.commander for ship in state.ships if ship.id in group.this_turn.targets}
    for marker in bursting(state):
        sides |= {ship.commander for ship in reached(state, marker) if state.hostile[ship.commander] >> marker.side & 1}
    guards = [group for group in state.of(Group) if watches(state, group)]
    sides |= {one.commander for one in on_watch(state, guards)}
    sides |= {one.commander for one in guards for marker in bursting(state) if _bursts_at(state, marker, one)}
    ships = [ship for ship in state.ships if ship.commander in sides and ship.status in IN_PLAY and not ship.dummy]
    return [*ships, *(group for group in guards if group.commander in sides)]


def _bursts_at(state: BattleState, marker: Marker, group: Group) -> bool:
    """Whether an enemy's warhead goes off among boats."""
    return bool(state.hostile[group.commander] >> marker.side & 1) and in_blast(state, group, marker)


def on_watch(state: BattleState, guards: list[Group]) -> list[ShipState | Group]:
    """The ships, by their designs, and the boats on guard, by their types, that might fire at craft or ordnance near
    them that attack nobody; bogeys are not among them, nor does it matter what of a ship still works, or which packs
    are spent: the stop must tell of neither. `guards`: the boats that might.

    Rules: Continuum "ADFC" 7.10, "Point defense" 8.8 [pc.adfc]; Continuum "Multi-stage missiles" 6.6 [pc.multi-stage];
    Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    prey: list[Prey] = [*in_flight(state), *(one for one in state.of(Group) if not engaged(state, one))]
    if not prey or POINT_DEFENCE_LEVEL in state.terms.options:
        return []
    ships = [
        ship
        for ship in state.ships
        if ship.status == FIGHTING and not ship.bogey and any(watch in ship.profile.places for watch in WATCHES)
    ]
    reaches = {group.id: max(guns.reach for guns in guards_of(group.row)) for group in guards}
    watchers: list[tuple[ShipState | Group, float]] = [
        *((ship, AREA_REACH) for ship in ships),
        *((group, reaches[group.id]) for group in guards),
    ]
    return [
        watcher
        for watcher, reach in watchers
        if any(
            state.hostile[watcher.commander] >> one.side & 1 and from_afar(watcher, one) <= reach + NEAR for one in prey
        )
    ]
