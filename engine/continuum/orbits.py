"""Ships in orbit: entering, following, leaving and falling out of it, and swings past planets.

Rules: Continuum "Medium scale", "Large scale" 17.8, 17.9 [pc.planets]; Continuum "Atmospheric
entry" 17.11 [pc.atmosphere]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.continuum.legs import Leg, leg_of, tell_move
from engine.continuum.squadrons import FallIn, followers_of, leader_of
from engine.continuum.towing import Tow
from engine.core.geometry import Point, along_orbit, turn_course
from engine.core.ids import ShipId
from engine.core.kinds import CLOAKED, FIGHTING, INSTALLATION
from engine.core.notes import write_fact
from engine.core.orders import MAIN_DRIVE, PUSHES, FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import Number, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.movement import ShipMoved
from engine.events.orbits import LeftOrbit, MissedOrbit
from engine.notation.orders import read_nothing
from engine.pieces.planet import Planet

_SWING = re.compile(r"[+-]\d{1,2}")
LARGEST_SWING = 11


def orbited_planet(state: BattleState, ship: ShipState) -> Planet | None:
    """Return the planet that a ship orbits, or None if there is none or it is gone."""
    if ship.orbits:
        return state.find(Planet, ship.orbits)
    return None


@dataclass(frozen=True, slots=True)
class MakeOrbit(FurtherOrder):
    """An order to enter orbit where the move meets a planet's track, or to stay in orbit.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Enter orbit or stay in it"),
            phrase("if its move reaches a planet's orbit at orbital velocity"),
            usual=True,
        )

    @staticmethod
    def word() -> str:
        return "orbit"

    @staticmethod
    def parse(words: list[str]) -> MakeOrbit:
        read_nothing(words)
        return MakeOrbit()

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot make orbit, or ""."""
        if not any(planet.speeds for planet in state.pieces_of(Planet)):
            return reason("there-no-planet-ships", "there is no planet here that ships can orbit")
        if _moves_with_others(state, ship, plot):
            return reason(
                "ship-goes-into-orbit", "a ship that moves with others cannot go into orbit"
            )
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "makes-orbit", 1)

    def after_moves(self, table: Table, ship: ShipState) -> None:
        if ship.status == FIGHTING and not ship.orbits:
            table.tell(MissedOrbit, ship.id)


def _moves_with_others(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship moves with others: in a squadron, in sections, in tow or docked."""
    joins = (
        bool(plot.dock or plot.ram) or plot.find(Tow) is not None or plot.find(FallIn) is not None
    )
    with_others = leader_of(state, ship) is not None or bool(followers_of(state, ship))
    tied = ship.docking != FREE or ship.record.section or ship.record.tug or ship.record.towing
    return joins or with_others or bool(tied)


@dataclass(frozen=True, slots=True)
class SwingBy(FurtherOrder):
    """An order to use spare turning thrust to turn more or less than a planet's gravity does.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Swing by a planet"),
            phrase("turns that many points more than gravity does; below 0, fewer"),
        )

    points: int

    @staticmethod
    def word() -> str:
        return "swing"

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        most = min(ship.thrust, LARGEST_SWING)
        return (Number("Points", -most, most, signed=True),)

    @staticmethod
    def parse(words: list[str]) -> SwingBy:
        if (
            len(words) != 1
            or not _SWING.fullmatch(words[0])
            or not 1 <= abs(int(words[0])) <= LARGEST_SWING
        ):
            fault = reason(
                "points-more-fewer-needed",
                "expected more or fewer points, from 1 to {}, for example +2 or -1",
                LARGEST_SWING,
            )
            raise ValueError(fault)
        return SwingBy(int(words[0]))

    def arguments(self) -> tuple[str, ...]:
        return (f"{self.points:+d}",)

    def turning(self) -> int:
        return abs(self.points)

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        """Return the reason why the ship cannot swing by a planet, or ""."""
        if not any(planet.gravity for planet in state.pieces_of(Planet)):
            return reason(
                "nothing-turns-ships-gravity", "there is nothing here whose gravity turns ships"
            )
        if ship.drift is not None:
            return reason("ship-moves-vectors-makes", "a ship in vector movement makes no turns")
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "gravity-turn", self.points)


def orbit_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship in orbit cannot fly its plot, or "".

    In orbit a ship can only stay in it or change its velocity.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    if orbited_planet(state, ship) is None:
        return ""
    if plot.turn or plot.second:
        return reason(
            "ship-orbit-changes-nothing",
            "a ship in orbit can change only its velocity; it can turn once it has left",
        )
    if plot.dock or plot.find(Tow) is not None or plot.find(FallIn) is not None:
        return reason(
            "ship-orbit-goes-round", "a ship in orbit cannot dock, tow or join a squadron"
        )
    if ship.status == CLOAKED and changes_velocity(plot):
        return reason(
            "ship-under-cloaking-field", "a ship under a cloaking field cannot leave its orbit"
        )
    return ""


def fly_leg(table: Table, ship: ShipState, plot: Plot, leg: Leg | None = None) -> tuple[Point, ...]:
    """Move a ship around its planet if it is in orbit, else by a leg, and return its path.

    Args:
        leg: The move; by default that of the plot.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    if not ship.orbits:
        return tell_move(table, ship, leg or leg_of(ship, plot))
    planet = orbited_planet(table.state, ship)
    if planet is None:
        leave_orbit(table, ship)
        return tell_move(table, ship, leg or leg_of(ship, plot))
    if not changes_velocity(plot):
        return _fly_orbit(table, ship, planet, plot)
    new_leg = leg_of(ship, plot)
    if new_leg.velocity < min(planet.speeds):
        ship.velocity = new_leg.velocity
        path = _fly_orbit(table, ship, planet, plot)
        leave_orbit(table, ship)
        planet.bring_down(table, ship, controlled=True)
        return path
    path = tell_move(table, ship, new_leg, spared=planet)
    leave_orbit(table, ship)
    return path


def changes_velocity(plot: Plot) -> bool:
    """Return whether a plot takes a ship out of its orbit by changing its velocity.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    return bool(plot.thrust) or any(burn == MAIN_DRIVE or burn in PUSHES for burn, _ in plot.burns)


def leave_orbit(table: Table, ship: ShipState) -> None:
    """Record that a ship is no longer in orbit."""
    table.carry_out(LeftOrbit(table.turn, ship.id, ship.orbits))


def _fly_orbit(table: Table, ship: ShipState, planet: Planet, plot: Plot) -> tuple[Point, ...]:
    """Move a ship along its orbit by the points of one turn, with the course of the track.

    Ships with vector movement keep their own facing, and installations face away from the planet.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    point = ship.record.orbit[planet.id]
    direction = 1 if point > 0 else -1
    passed = []
    for step in range(planet.points_per_turn + 1):
        passed.append(turn_course(abs(point), direction * step) * direction)
    path = tuple(planet.at_point(point_passed) for point_passed in passed)
    if ship.drift is not None:
        ship.course = leg_of(ship, plot).course
    elif ship.sheet.kind != INSTALLATION:
        ship.course = along_orbit(passed[-1])
    ship.x, ship.y = path[-1]
    table.tell(ShipMoved, ship=ship.id, path=path, course=ship.course, velocity=ship.velocity)
    planet.put_in_orbit(table, ship, passed[-1])
    return path


def orbiting_ids(state: BattleState) -> frozenset[ShipId]:
    """Return the ships in orbit, which move before ships that may come to their points."""
    return frozenset(ship.id for ship in state.ships if ship.orbits)
