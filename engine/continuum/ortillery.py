"""Ortillery: orbital artillery that fires only at ground targets.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.combat.detection import reveal_ship
from engine.continuum.cores import no_command_reason
from engine.core.geometry import NEAR, dist
from engine.core.kinds import FIGHTING, LANDED, PLAIN
from engine.core.orders import FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.rolls import Shot, beam_damage, roll_beams
from engine.core.ship import FREE, ShipState
from engine.core.slots import Slot, SomeOf, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.movement.rams import mark_damage_points
from engine.notation.orders import read_names
from engine.pieces.planet import Planet
from engine.pieces.site import NotOverTarget, Site, TargetBombarded

ORTILLERY = "ortillery"
MAX_TARGETS = 20
CLOSE = 6.0  # its range in MU above the rim of a planet without an orbit


def working_mounts(ship: ShipState) -> list[str]:
    """Return the ids of a ship's working ortillery systems."""
    places = ship.profile.indexes_by_type.get(ORTILLERY, ())
    return [ship.sheet.fits[place].id for place in places if ship.alive[place]]


def is_over(ship: ShipState, planet: Planet) -> bool:
    """Return whether a ship's ortillery reaches the ground.

    The ship must be in the planet's orbit, or close above a planet that has none.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    if planet.speeds:
        return ship.orbits == planet.id
    return dist((ship.x, ship.y), (planet.x, planet.y)) <= planet.radius + CLOSE + NEAR


def ground_under(state: BattleState, name: str) -> Planet | None:
    """Return the planet with a ground target or landed ship, or None if the name is neither."""
    site = state.find(Site, name)
    if site is not None:
        if site.is_behind:
            return None
        return state.find(Planet, site.planet)
    ship = next((candidate for candidate in state.ships if candidate.id == name), None)
    planets = state.pieces_of(Planet)
    if ship is None or ship.status != LANDED or not planets:
        return None
    return min(
        planets, key=lambda planet: dist((planet.x, planet.y), (ship.x, ship.y)) - planet.radius
    )


def target_fault(state: BattleState, ship: ShipState, name: str) -> str:
    """Return the reason why ortillery cannot be aimed at a target, or ""."""
    if ground_under(state, name) is None:
        return reason(
            "ortillery-fired-what-ground",
            "{}: ortillery can fire only at targets on a planet",
            name,
        )
    site = state.find(Site, name)
    if site is not None and site.is_ruined:
        return reason("there-nothing-left", "{}: it is already destroyed", name)
    if site is not None:
        side = site.side
    else:
        side = state.ship_by_name(name).commander
    if state.hostile[ship.commander] >> side & 1:
        return ""
    return reason("ground-not-hostile", "{}: it is not hostile", name)


@dataclass(frozen=True, slots=True)
class Bombard(FurtherOrder):
    """An order to fire ortillery at targets in turn, after all movement.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Bombard the ground"),
            phrase("its ortillery fires at these targets in turn after all movement"),
        )

    targets: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "bombard"

    @staticmethod
    def parse(words: list[str]) -> Bombard:
        names = read_names(
            words,
            least=1,
            most=MAX_TARGETS,
            expected=reason("what-fires-ground", "its targets on the ground"),
        )
        return Bombard(tuple(dict.fromkeys(names)))

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        targets: list[str] = []
        if working_mounts(ship):
            targets += [site.id for site in state.pieces_of(Site) if not site.is_behind]
            targets += [other.id for other in state.ships if other.status == LANDED]
        return (SomeOf("Targets", tuple(targets), MAX_TARGETS),)

    def arguments(self) -> tuple[str, ...]:
        return self.targets

    def unit_names(self) -> tuple[str, ...]:
        return self.targets

    def with_ids(self, ids: Mapping[str, str]) -> Bombard:
        return Bombard(tuple(ids.get(name, name) for name in self.targets))

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot bombard these targets, or ""."""
        if ship.dummy or not working_mounts(ship):
            return reason("no-ortillery-works", "it has no working ortillery")
        if ship.docking != FREE or ship.warm or plot.ftl or plot.sweep:
            return reason("not-fire-turn", "it cannot fire this turn")
        for name in self.targets:
            if fault := target_fault(state, ship, name):
                return fault
        return ""

    def after_moves(self, table: Table, ship: ShipState) -> None:
        """Fire the systems, shared among the targets in order; each rolls a beam die."""
        state = table.state
        if ship.status != FIGHTING or no_command_reason(ship):
            return
        for number, name in enumerate(self.targets):
            firing = working_mounts(ship)[number :: len(self.targets)]
            planet = ground_under(state, name)
            if planet is None or not is_over(ship, planet):
                table.tell(NotOverTarget, ship.id, name)
            elif firing:
                _fire(table, ship, name, len(firing))


def _fire(table: Table, ship: ShipState, name: str, die_count: int) -> None:
    """Roll the beam dice of a ship's ortillery at a target on the ground, and damage it."""
    reveal_ship(table, ship)
    shot = Shot(f"{ship.id}/{ORTILLERY}>{name}", distance=0.0, true_distance=0.0, purpose=ORTILLERY)
    dice, hits = roll_beams(die_count, shot, table.dice)
    points = sum(item.points for item in beam_damage(hits))
    table.carry_out(TargetBombarded(table.turn, ship.id, target=name, dice=dice, points=points))
    landed = next((item for item in table.state.ships if item.id == name), None)
    if landed is not None and points:
        mark_damage_points(table, landed, points=points, cause=f"fire:{ship.id}", die=0, kind=PLAIN)
