"""Ships in orbit: how they get there, go round, leave it by any change of velocity, or fall; and
how unused thrust helps past what pulls at them.

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
    """The planet that a ship is in orbit of, None where it is in none, or that is not on the table
    any more.
    """
    return state.find(Planet, ship.orbits) if ship.orbits else None


@dataclass(frozen=True, slots=True)
class MakeOrbit(FurtherOrder):
    """A ship goes into orbit where its move meets a planet's track, or stays in its orbit.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Make orbit, or stay in it"),
            phrase("where its move meets a planet's track at orbital velocity"),
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
        """It does not move by itself, or there is nothing to go round."""
        if not any(planet.speeds for planet in state.pieces_of(Planet)):
            return reason(
                "there-no-planet-ships", "there is no planet here that ships can go round"
            )
        return (
            reason("ship-goes-into-orbit", "a ship goes into orbit by itself alone")
            if _moves_with_others(state, ship, plot)
            else ""
        )

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "makes-orbit", 1)

    def after_moves(self, table: Table, ship: ShipState) -> None:
        if ship.status == FIGHTING and not ship.orbits:
            table.tell(MissedOrbit, ship.id)


def _moves_with_others(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Whether a ship moves with others: in a squadron, in sections, in tow, docked."""
    joins = (
        bool(plot.dock or plot.ram) or plot.find(Tow) is not None or plot.find(FallIn) is not None
    )
    with_others = leader_of(state, ship) is not None or bool(followers_of(state, ship))
    tied = ship.docking != FREE or ship.record.section or ship.record.tug or ship.record.towing
    return joins or with_others or bool(tied)


@dataclass(frozen=True, slots=True)
class SwingBy(FurtherOrder):
    """A ship uses thrust that it has left for turning to turn further, or less far, than gravity
    turns it.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Swing by a planet"),
            phrase("turns so many points further than gravity turns it; below 0, less far"),
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
                "points more or fewer are needed here, from 1 to {}, such as +2 or -1",
                LARGEST_SWING,
            )
            raise ValueError(fault)
        return SwingBy(int(words[0]))

    def arguments(self) -> tuple[str, ...]:
        return (f"{self.points:+d}",)

    def turning(self) -> int:
        return abs(self.points)

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        """Nothing here pulls at ships, or it moves by vectors: those make no turns."""
        if not any(planet.gravity for planet in state.pieces_of(Planet)):
            return reason("nothing-turns-ships-gravity", "nothing here turns ships by its gravity")
        return (
            reason("ship-moves-vectors-makes", "a ship that moves by vectors makes no turns")
            if ship.drift is not None
            else ""
        )

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "swing", self.points)


def orbit_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a ship in orbit cannot do as its plot says, "" where it can: it goes round, or
    changes its velocity alone.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    if orbited_planet(state, ship) is None:
        return ""
    if plot.turn or plot.second:
        return reason(
            "ship-orbit-changes-nothing",
            "a ship in orbit changes nothing but its velocity: it turns once it has left",
        )
    if plot.dock or plot.find(Tow) is not None or plot.find(FallIn) is not None:
        return reason("ship-orbit-goes-round", "a ship in orbit goes round by itself")
    if ship.status == CLOAKED and changes_velocity(plot):
        return reason(
            "ship-under-cloaking-field", "a ship under a cloaking field stays in its orbit"
        )
    return ""


def fly_leg(table: Table, ship: ShipState, plot: Plot, leg: Leg | None = None) -> tuple[Point, ...]:
    """A ship's move in place, and the path it flew: round its planet where it is in orbit, else by
    a leg (unsaid: its plot's).

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
    way = leg_of(ship, plot)
    if way.velocity < min(planet.speeds):
        ship.velocity = way.velocity
        path = _fly_orbit(table, ship, planet, plot)
        leave_orbit(table, ship)
        planet.bring_down(table, ship, controlled=True)
        return path
    path = tell_move(table, ship, way, spared=planet)
    leave_orbit(table, ship)
    return path


def changes_velocity(plot: Plot) -> bool:
    """Whether a plot takes a ship out of its orbit.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    return bool(plot.thrust) or any(burn == MAIN_DRIVE or burn in PUSHES for burn, _ in plot.burns)


def leave_orbit(table: Table, ship: ShipState) -> None:
    """A ship is in no orbit any more."""
    table.carry_out(LeftOrbit(table.turn, ship.id, ship.orbits))


def _fly_orbit(table: Table, ship: ShipState, planet: Planet, plot: Plot) -> tuple[Point, ...]:
    """A ship goes on along its orbit by the points of a turn, on the course of the track; what
    turns freely faces as it did, or as it turns, and an installation away from the planet.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    point = ship.record.orbit[planet.id]
    way = 1 if point > 0 else -1
    passed = [turn_course(abs(point), way * far) * way for far in range(planet.points_per_turn + 1)]
    path = tuple(planet.at_point(point_passed) for point_passed in passed)
    if ship.drift is not None:
        ship.course = leg_of(ship, plot).course
    elif ship.sheet.kind != INSTALLATION:
        ship.course = along_orbit(passed[-1])
    ship.x, ship.y = path[-1]
    table.tell(ShipMoved, ship.id, path, ship.course, ship.velocity)
    planet.put_in_orbit(table, ship, passed[-1])
    return path


def orbiting_ids(state: BattleState) -> frozenset[ShipId]:
    """The ships in orbit: they move before those that may come to their points."""
    return frozenset(ship.id for ship in state.ships if ship.orbits)
