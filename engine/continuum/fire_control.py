"""The state of a Continuum turn's fire, during it and for later phases.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Fire control systems" 4.4
[pc.fire-control]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.geometry import NEAR
from engine.core.notes import write_fact
from engine.core.orders import Fire
from engine.core.reason import reason
from engine.core.rolls import Effect
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import OVERLOAD
from engine.events.damage import SystemLost
from engine.events.fire import RoundUsed, WeaponUsed
from engine.systems.outfit import marines_of
from engine.systems.sensors import suites_in_use
from engine.weapons.needles import ENHANCED_SIGHT, PLAIN_SIGHT

NO_FIRECON = reason("all-working-firecons-set", "all working FireCons already have other targets")
OTHER_TARGET = reason("other-target", "its turret is trained on another target")


def fire_mode_of(ship: ShipState, index: int, ordered_mode: str) -> str:
    """Return the mode in which a weapon fires: as ordered, as set, or as loaded.

    Args:
        index: The weapon's place in `fits`.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19
    [pc.fusion-array]
    """
    if ordered_mode:
        return ordered_mode
    fit = ship.sheet.fits[index]
    settings = ship.profile.weapons[index].settings.get(fit.variant)
    if settings:
        return settings[ship.record.setting.get(fit.id, 0)]
    if fit.id in ship.this_turn.overloaded:
        return OVERLOAD
    return ""


def spend_shot(table: Table, ship: ShipState, index: int, mode: str, effect: Effect) -> None:
    """Apply the costs of a weapon's shot: ammunition, cooldown, and systems lost.

    Args:
        index: The weapon's place in `fits`.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Transporter beams" 5.9
    [pc.transporters]
    """
    fit = ship.sheet.fits[index]
    if ship.profile.weapons[index].once:
        ship.stock[index] -= 1
        table.tell(WeaponUsed, ship=ship.id, weapon=fit.id, remaining=ship.stock[index])
    if load := ship.profile.weapons[index].fed:
        rounds_left = ship.stock[ship.profile.index_of[fit.magazine]] - 1
        table.carry_out(
            RoundUsed(table.turn, ship.id, weapon=fit.magazine, load=load, remaining=rounds_left)
        )
    if OVERLOAD in fit.flags and not effect.wrecks_weapon:
        write_fact(table, ship, "last-fired", table.turn, key=fit.id)
    if effect.wrecks_weapon:
        lose_for_good(table, ship, index, f"{mode}:{ship.id}")
    for place in marines_of(ship)[: effect.units_lost]:
        lose_for_good(table, ship, place, f"{mode}:{ship.id}")


def lose_for_good(table: Table, ship: ShipState, index: int, cause: str) -> None:
    """Hit a system beyond repair in this battle; a drive is first halved, then lost.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    system = ship.sheet.fits[index].id
    ship.lose_systems((system,))
    table.tell(SystemLost, ship=ship.id, system=system, cause=cause)
    write_fact(table, ship, "irreparable", 1, key=system)


@dataclass(slots=True)
class Aftermath:
    """The consequences of a turn's fire that its later phases settle.

    Attributes:
        before: The damage points of every ship when the firing began.
        needled: (target, system, by) of systems shot out.
        emp: (target, hits, systems they are assigned to, by).
        landed: (target, marines, parties, by) of units beamed aboard.
        brought: (target, marines, side) of marines in boarding torpedoes.
        excess: The points beyond the last box of ships destroyed by fire.
    """

    before: dict[str, int] = field(default_factory=dict)
    needled: list[tuple[str, str, str]] = field(default_factory=list)
    emp: list[tuple[str, int, tuple[str, ...], str]] = field(default_factory=list)
    landed: list[tuple[str, int, int, str]] = field(default_factory=list)
    brought: list[tuple[str, int, int]] = field(default_factory=list)
    excess: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class FirePhase:
    """A fire phase in progress.

    Attributes:
        arcs: The arcs that dice decided, by ship and target.
        bare: The ships without bow screens, because they fire wave guns.
    """

    table: Table
    ships: dict[str, ShipState]
    aftermath: Aftermath
    arcs: dict[tuple[str, str], int] = field(default_factory=dict)
    bare: list[str] = field(default_factory=list)


@dataclass(slots=True)
class FireControl:
    """A ship's fire control during its firing.

    Attributes:
        targets: The systems that FireCons are set to, by target.
        fired: The weapons used, as places in `fits`.
        turrets: The target of each turret.
        focus: The sensor suites used for each distant system.
        away: How many marines are away on raids or back from one.
        hits: The effects of this fire, each with its target.
        detection: Whether each hidden target was found.
    """

    targets: dict[str, list[str]] = field(default_factory=dict)
    fired: list[int] = field(default_factory=list)
    turrets: dict[str, str] = field(default_factory=dict)
    focus: dict[tuple[str, str], int] = field(default_factory=dict)
    away: int = 0
    hits: list[tuple[ShipState, Effect]] = field(default_factory=list)
    detection: dict[str, bool] = field(default_factory=dict)

    def needs(self, target: str, system: str) -> int:
        """Return how many more FireCons this fire needs.

        Each target takes one, and so does each system picked out with needle beams. Other fire at
        the same target or system shares it.

        Rules: Continuum "Targeting systems" 5.2 [pc.fire-control]
        """
        systems = self.targets.get(target)
        if systems is None:
            return 1
        if system and system not in systems and systems:
            return 1
        return 0

    def set_to(self, target: str, system: str) -> None:
        """Set a FireCon to a target or to one of its systems."""
        systems = self.targets.setdefault(target, [])
        if system and system not in systems:
            systems.append(system)

    def commit(
        self, ship: ShipState, index: int, fire: Fire, target: str, sniped: str, distance: float
    ) -> None:
        """Commit a weapon, its FireCon, turret and sensors to a target it is about to fire at.

        Args:
            index: The weapon's place in `fits`.
            sniped: The system picked out, or "".
            distance: The distance that counts, in MU.
        """
        fit = ship.sheet.fits[index]
        gun = ship.profile.weapons[index]
        if gun.controlled:
            self.set_to(target, sniped)
        if sniped:
            self.focus_on(target, sniped, distance)
        self.fired += [index] if fire.mode in gun.twice else [index, index]
        if fit.turret:
            self.turrets[fit.turret] = target

    def set_weapon(self, ship: ShipState, index: int, target: str) -> str:
        """Set a weapon's FireCon and turret to an asteroid or craft; return the fault, or "".

        Args:
            index: The weapon's place in `fits`.
        """
        fit = ship.sheet.fits[index]
        is_controlled = ship.profile.weapons[index].controlled
        if fit.turret and self.turrets.get(fit.turret, target) != target:
            return OTHER_TARGET
        if is_controlled and self.set_firecons() + self.needs(target, "") > ship.firecons:
            return NO_FIRECON
        if is_controlled:
            self.set_to(target, "")
        if fit.turret:
            self.turrets[fit.turret] = target
        return ""

    def set_firecons(self) -> int:
        """Return the number of FireCons that are set."""
        used = 0
        for systems in self.targets.values():
            used += len(systems) or 1
        return used

    def can_find_system(self, ship: ShipState, target: str, system: str, distance: float) -> bool:
        """Return whether a ship's sensors find a system to pick out.

        All sensors do within 12 MU. Within 24 MU each system takes a suite of enhanced or superior
        sensors, beyond that a superior suite or two enhanced ones.

        Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
        """
        needed = suites_needed(distance)
        if not needed or (target, system) in self.focus:
            return True
        enhanced = suites_in_use(ship, "enhanced-sensors")
        superior = suites_in_use(ship, "superior-sensors")
        suites_by_system = [*self.focus.values(), needed]
        far_systems = suites_by_system.count(2)
        near_systems = suites_by_system.count(1)
        # Superior suites are used for far systems first, two enhanced ones for each of the rest.
        by_superior = min(superior, far_systems)
        enhanced_for_far = 2 * (far_systems - by_superior)
        suites_left = superior - by_superior + enhanced - enhanced_for_far
        return enhanced >= enhanced_for_far and suites_left >= near_systems

    def focus_on(self, target: str, system: str, distance: float) -> None:
        """Set the sensors to a system they find.

        Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
        """
        if suites_needed(distance):
            self.focus.setdefault((target, system), suites_needed(distance))


def suites_needed(distance: float) -> int:
    """Return how many suites of enhanced sensors it takes to find a system at a range in MU.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]
    """
    if distance <= PLAIN_SIGHT + NEAR:
        return 0
    if distance <= ENHANCED_SIGHT + NEAR:
        return 1
    return 2


def working_count_of(ship: ShipState, type_: str) -> int:
    """Return the number of working systems of a type, each counted once."""
    places = ship.profile.indexes_by_type.get(type_, ())
    if places:
        return sum(ship.alive[place] > 0 for place in places)
    return 0
