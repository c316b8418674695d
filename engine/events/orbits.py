"""Orbits and landings: ships that orbit a planet, leave it, or come down on it.

Rules: Continuum "Medium scale" 17.8 [pc.planets]; Continuum "Atmospheric entry" 17.11
[pc.atmosphere]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.geometry import along_orbit, initial_drift
from engine.core.kinds import LANDED, RETURNING, EntryOutcome
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.events.event import Audience, Event, LogOrder, Open, Own, ShipRef, require_value

CAME_DOWN = (EntryOutcome.LANDED, EntryOutcome.CRASHED)


@dataclass(frozen=True, slots=True)
class InOrbit(Event):
    """A ship is at a clock point of a planet's orbit (negative: it orbits to port)."""

    kind: ClassVar[str] = "in-orbit"
    text: ClassVar[str] = phrase("{ship} is in orbit")
    plural_text: ClassVar[str] = phrase("{ship} are in orbit")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    planet: Open[str]
    point: Open[int]
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        (ship.x, ship.y), ship.course = self.at, self.course
        set_orbit(ship, self.planet, self.point)


@dataclass(frozen=True, slots=True)
class LeftOrbit(Event):
    """A ship left its orbit."""

    kind: ClassVar[str] = "left-orbit"
    text: ClassVar[str] = phrase("{ship} leaves its orbit")
    plural_text: ClassVar[str] = phrase("{ship} leave their orbits")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    planet: Open[str]

    def apply(self, state: BattleState) -> None:
        set_orbit(state.ship(self.ship), "", 0)


@dataclass(frozen=True, slots=True)
class WentRoundPlanet(Event):
    """A ship left the table to fly round the planet below.

    Attributes:
        edge: The edge that it left by.
        comes_over: The edge of its return.
        comes_at: The approximate point of its return.
        due: The turn of its return.

    Rules: Continuum "Orbital table" 17.7 [pc.planets]
    """

    kind: ClassVar[str] = "went-round"
    text: ClassVar[str] = phrase("{ship} leaves the table to fly round the planet")
    plural_text: ClassVar[str] = phrase("{ship} leave the table to fly round the planet")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    edge: Open[str]
    at: Open[tuple[float, float]]
    comes_over: Open[str]
    comes_at: Open[tuple[float, float]]
    due: Own[int | None]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).leave(
            self.comes_over, self.comes_at, RETURNING, require_value(self.due)
        )


@dataclass(frozen=True, slots=True)
class MissedOrbit(Event):
    """A ship ordered into orbit met no planet."""

    kind: ClassVar[str] = "missed-orbit"
    text: ClassVar[str] = phrase("{ship} passes no planet and does not enter orbit")
    plural_text: ClassVar[str] = phrase("{ship} pass no planet and do not enter orbit")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef


@dataclass(frozen=True, slots=True)
class OrbitTested(Event):
    """A ship in orbit had its drive or bridge hit; its orbit decays on `needs` or more."""

    kind: ClassVar[str] = "orbit-tested"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    planet: Open[str]
    die: Open[int]
    needs: Open[int]


@dataclass(frozen=True, slots=True)
class EnteredAtmosphere(Event):
    """A ship entered an atmosphere: the die (0: none was needed), the score and the outcome.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """

    kind: ClassVar[str] = "entered-atmosphere"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    planet: Open[str]
    die: Open[int]
    score: Own[int | None]
    outcome: Open[str]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        if self.outcome in CAME_DOWN:
            land_ship(ship, crashed=self.outcome == EntryOutcome.CRASHED)
        elif ship.orbits:
            set_orbit(ship, "", 0)


def set_orbit(ship: ShipState, planet: str, point: int) -> None:
    """Put a ship at a point of a planet's orbit for this turn; planet "": end its orbit.

    Under vector movement it drifts along the orbit.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    ship.record = ship.record.with_values(orbit={planet: point} if planet else {})
    ship.this_turn = ship.this_turn.with_fact("orbit-moved", 1 if planet else 0)
    if planet and ship.drift is not None:
        ship.drift = initial_drift(along_orbit(point), ship.velocity)


def land_ship(ship: ShipState, *, crashed: bool) -> None:
    """Put a ship on the ground, out of the battle; a crash destroys its drives.

    Rules: Continuum "Atmospheric entry" 17.11 [pc.atmosphere]
    """
    ship.status = LANDED
    ship.cool_down()
    ship.record = ship.record.with_values(orbit={})
    if crashed:
        for index in (ship.profile.drive, ship.profile.ftl):
            if index >= 0:
                ship.alive[index] = 0
        ship.recompute()
