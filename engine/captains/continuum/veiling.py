"""When a captain hides or covers his ships: cloaks, reflex fields, stealth, ECM.

How a captain of Continuum flies decoy drones: as the ships beside which they would have to be taken
for others.

Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25
[pc.reflex-field]; Continuum "Dummy bogeys and weasel boats" 12.3 [pc.sensors]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.captains.common.courses import Option, facing
from engine.captains.common.flying import TAKEN, points_with
from engine.captains.common.helm import fire_through
from engine.captains.continuum.marks import (
    Mark,
    armament_of,
    boxes_of,
    defences,
    shell_of,
    strength,
)
from engine.continuum.defence_orders import Cloak, Jam, RaiseReflexField, SwitchStealth
from engine.continuum.defence_plans import standing
from engine.continuum.defences import stealth_of, veiled, works
from engine.continuum.drives import AFLOAT, limits, move_fault
from engine.continuum.readings import suites_of
from engine.core.geometry import COURSES, within
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import SENSOR_ECM
from engine.pieces.group import Group
from engine.systems.defences import CLOAKS, MOST_STEALTH, aims_to, hull_level, seems, stealth_level
from engine.view.side_view import SideView
from engine.weapons.weapon import Trait

HANGARS = ("hangar", "combined-hangar")
ORDERED = frozenset((*CLOAKS, "reflex-field", "stealth-field", "ecm"))
# How much the fire a ship is spared has to outweigh the fire it gives up.
REFLECTS = 1.3
LOSS = 2.0  # how much more fire counts that could end a ship
# Of what craft do the field spares a ship, and point defence where it takes so many of them
MET = 0.7
SECOND_MOVE = 12.0  # MU that craft may fly on to a ship
LEAST = 0.2  # points of fire feared below which nobody hides


class Exchange(NamedTuple):
    """The fire of a turn at the end of a move: given, and feared."""

    given: float
    taken: float


def exchange(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...],
    level: int | None = None,
) -> Exchange:  # fmt: skip
    """What fire a ship may expect to give and to take at the end of a move.

    It fires at one foe, the best; foes share theirs among all they see. `level`: of stealth, where
    it is to have another than it has.
    """
    ward, stretch = defences(state, ship)
    level = stealth_of(ship) if level is None else level
    stretch = stretch if not (ship.sheet.stealth or level) else seems(1.0, level)
    fires, shell = armament_of(ship, never), shell_of(ship)
    slope = fires.compass.slope
    facing_then = facing(option.course, ship.sheet.beta)
    given = taken = 0.0
    for mark in marks:
        dx, dy = mark.x - option.x, mark.y - option.y
        if dx * dx + dy * dy <= aims_to(level) ** 2:
            table = fires.table(mark.ward, mark.shell)
            given = max(given, fire_through(table, dx, dy, facing_then, slope, mark.stretch))
        taken += fire_through(
            mark.fire_at(ward, shell), -dx, -dy, (mark.ux, mark.uy), slope, stretch
        )
    drawn = taken * _share(state, ship, never)
    return Exchange(
        given, drawn * (LOSS if taken > ship.sheet.boxes - ship.damage + boxes_of(ship) else 1.0)
    )


def _share(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> float:
    """The share of the foe's fire a ship draws among its friends: for what it could do, against
    what it stands.
    """
    drawn = {
        other.id: (strength(other, never) + 1.0)
        / (other.sheet.boxes - other.damage + boxes_of(other) + 2.0)
        for other in state.ships
        if other.commander == ship.commander and other.status in AFLOAT
    }
    return drawn[ship.id] / sum(drawn.values())


def under_cover(state: BattleState, ship: ShipState) -> bool:
    """Whether a ship will still be under its cloak when fire begins this turn."""
    return ship.record.cloaked > state.turn


def may_veil(ship: ShipState) -> bool:
    """Whether a ship has anything to order about its defences at all."""
    return ship.sheet.stealth == MOST_STEALTH or not ORDERED.isdisjoint(ship.profile.places)


def _reflects(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]
) -> bool:
    """Whether a ship raises its reflex field: outgunned, for behind it a ship fires nothing."""
    if (
        not works(ship, "reflex-field")
        or "reflex-field" in never
        or veiled(ship)
        or under_cover(state, ship)
    ):
        return False
    swap = exchange(state, ship, option, marks, never)
    feared = swap.taken + _feared_of_craft(state, ship, option)
    return feared > LEAST and feared > swap.given * REFLECTS


def _feared_of_craft(state: BattleState, ship: ShipState, option: Option) -> float:
    """The points that craft which may attack a ship at the end of a move would make there, of the
    kind that its field meets, where that is more than its point defence would spare it.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    feared = craft = 0.0
    for group in state.of(Group):
        guns = group.row.guns
        far = guns.reach + SECOND_MOVE
        near = within((group.x - option.x) ** 2 + (group.y - option.y) ** 2, far)
        bare = guns.energy and not any(load.fires() for load in group.row.loads)
        if (
            near
            and bare
            and not group.exhausted
            and state.hostile[ship.commander] >> group.commander & 1
        ):
            feared += points_with(guns, defences(state, ship)[0].screens) * group.craft
            craft += group.craft
    return feared if standing(ship) * TAKEN < craft * MET else 0.0


def defence_words(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]
) -> list[FurtherOrder]:
    """The words about a ship's own defences, but for cloaks, in a plot that flies this move."""
    words: list[FurtherOrder] = []
    if not marks or ship.status != FIGHTING or not may_veil(ship):
        return words
    if not any(isinstance(order, Cloak) for order in option.further) and _reflects(
        state, ship, option, marks, never
    ):
        words.append(RaiseReflexField())
    words += _scanning(state, ship, option, marks, never)
    if works(ship, "ecm") and "ecm" not in never and _jams(state, ship, marks):
        words.append(Jam(("ecm",)))
    return words


def _jams(state: BattleState, ship: ShipState, marks: list[Mark]) -> bool:
    """Whether a ship's own ECM is worth switching on: against what locks on to it, while sensors
    have not made it out, and against scans of its record sheet, unless it is to scan itself.

    Rules: Continuum "ECM" 7.18, "Electronic counter measures" 12.4 [pc.ecm]
    """
    if any(_locks_on(mark.ship) for mark in marks):
        return True
    if SENSOR_ECM in state.terms.options and suites_of(state, ship):
        return False
    return ship.bogey or SENSOR_ECM in state.terms.options


def _locks_on(ship: ShipState) -> bool:
    """Whether a ship has what finds its target by itself: missiles, fighters."""
    return Trait.LOCKS_ON in ship.profile.having or any(
        name in ship.profile.places for name in HANGARS
    )


def _scanning(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]
) -> list[FurtherOrder]:
    """Whether a ship of much stealth scans actively: where that lets it fire farther than it
    costs.
    """
    fields = works(ship, "stealth-field")
    if stealth_level(hull_level(ship.sheet, ship.damage), fields, active=False) < MOST_STEALTH:
        return []
    passive, active = (
        exchange(state, ship, option, marks, never, level) for level in (MOST_STEALTH, 1)
    )
    wanted = active.given - active.taken > passive.given - passive.taken
    if wanted == ship.record.stealth_active:
        return []
    return [SwitchStealth("active" if wanted else "passive")]


ROUND = len(COURSES) - 1  # courses there are


def decoy_plots(state: BattleState, view: SideView, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """A plot for every drone that does not hold course and speed: it keeps with the real ship
    nearest to it.

    `plots`: of the real ships. A drone without one to keep with flies on, as does one in orbit,
    which cannot turn.
    """
    found: dict[str, Plot] = {}
    real = [ship for ship in view.own if ship.status == FIGHTING and not ship.dummy]
    for drone in view.own:
        if drone.dummy and drone.status == FIGHTING and real and not drone.orbits:
            leader = min(
                real, key=lambda ship: ((ship.x - drone.x) ** 2 + (ship.y - drone.y) ** 2, ship.id)
            )
            plot = _keeping(state, drone, leader, plots.get(leader.id, HOLD))
            if plot != HOLD and not move_fault(state, drone, plot):
                found[drone.id] = plot
    return found


def _keeping(state: BattleState, drone: ShipState, leader: ShipState, plot: Plot) -> Plot:
    """The move that brings a drone onto the course and to the velocity that its leader will have,
    as far as it can.
    """
    if drone.drift is not None or leader.drift is not None:
        return Plot(burns=plot.burns)
    turning, most = limits(state, drone)
    aside = (
        leader.course + plot.turn + plot.second - drone.course + ROUND // 2
    ) % ROUND - ROUND // 2
    turn = max(-turning, min(turning, aside))
    faster = leader.velocity + plot.thrust - drone.velocity
    left = most - abs(turn)
    return Plot(turn=turn, thrust=max(-min(left, drone.velocity), min(left, faster)))
