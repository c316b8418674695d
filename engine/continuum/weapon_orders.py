"""Plot orders for weapons: settings, overloads, turrets and wave gun charges; and their limits.

Rules: Continuum "Direct fire weapons" 5 [pc.pulse-torpedoes]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.combat.nova import arm
from engine.continuum.craft.fitting import fit_out, fitting_fault, roles_of_bay
from engine.continuum.launching import NO_SHAPING
from engine.core.kinds import FIGHTING
from engine.core.notes import write_fact
from engine.core.orders import FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.sheet import Fit
from engine.core.ship import ShipState
from engine.core.slots import EachOf, Setting, Slot, SomeOf, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import OVERLOAD, SHAPED_BOLTS
from engine.english import plural, system_words
from engine.notation.orders import read_names, read_setting
from engine.weapons.wave import FULL_CHARGE
from engine.weapons.weapon import NO_WEAPON, Trait, Weapon

RESTS = Trait.RESTS  # a constant, because looking up an enum member takes longer
MAX_SYSTEMS = 99
REARMED = reason(
    "fitted-while-rearmed",
    "at once in the first turn and while rearming, otherwise it flies next turn",
)
OFF_LINE = reason("off-line", "it cannot fire in the turn in which it is set")


def fit_of(ship: ShipState, system: str) -> Fit | None:
    """Return a ship's system by its id, or None."""
    index = ship.profile.index_of.get(system, -1)
    if index >= 0:
        return ship.sheet.fits[index]
    return None


def find_weapon(ship: ShipState, system: str) -> Weapon:
    """Return a ship's weapon by its id, or NO_WEAPON."""
    index = ship.profile.index_of.get(system, -1)
    if index >= 0:
        return ship.profile.weapons[index]
    return NO_WEAPON


def _out_of_action_fault(ship: ShipState, system: str) -> str:
    """Return the fault that a system of a ship does not work, or ""."""
    if ship.alive[ship.profile.index_of[system]]:
        return ""
    return reason("weapon-out-of-action", "'{}' is out of action", system)


@dataclass(frozen=True, slots=True)
class SetWeapon(FurtherOrder):
    """An order to set a weapon's mode, or to fit a multi-role group for another role.

    Rules: Continuum "Pulse torpedoes" 5.14 [pc.pulse-torpedoes]; Continuum "Fusion array" 5.19
    [pc.fusion-array]; Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(phrase("Set to"))

    system: str
    setting: str

    @staticmethod
    def word() -> str:
        return "set"

    @staticmethod
    def repeats() -> bool:
        return True

    @staticmethod
    def parse(words: list[str]) -> SetWeapon:
        system, setting = read_setting(
            words,
            reason(
                "weapon-setting-such-fusion",
                "a weapon and its setting, for example fusion-array-1 torpedo",
            ),
        )
        return SetWeapon(system, setting.lower())

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        settings: list[Setting] = []
        for place in range(len(ship.sheet.fits)):
            if not ship.alive[place]:
                continue
            setting = _bay_setting(state, ship, place) or _weapon_setting(ship, place)
            if setting is not None:
                settings.append(setting)
        return (EachOf(tuple(settings)),)

    def arguments(self) -> tuple[str, ...]:
        return self.system, self.setting

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the weapon or group cannot be set so, or "".

        Weapons like pulsers can be set only before a battle.
        """
        if roles_of_bay(state, ship, self.system):
            return fitting_fault(state, ship, bay=self.system, role=self.setting, plot=plot)
        fit = fit_of(ship, self.system)
        weapon = find_weapon(ship, self.system)
        if fit is None or not weapon.settings.get(fit.variant):
            return reason("no-set", "it has no '{}' that can be set", self.system)
        if Trait.SET_IN_PORT in weapon.traits:
            return reason(
                "set-only-before-battle", "{} can be set only before a battle", plural(fit.type)
            )
        if self.setting not in weapon.settings[fit.variant]:
            return reason(
                "weapon-setting",
                "'{}' can be set to one of {}",
                self.system,
                ", ".join(weapon.settings[fit.variant]),
            )
        return _out_of_action_fault(ship, self.system)

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Set the weapon: a variable tube at once; a fusion array does not fire in this turn."""
        if roles_of_bay(table.state, ship, self.system):
            fit_out(table, ship, self.system, self.setting)
            return
        fit = fit_of(ship, self.system)
        weapon = find_weapon(ship, self.system)
        assert fit is not None
        place = weapon.settings[fit.variant].index(self.setting)
        if place == ship.record.setting.get(self.system, 0):
            return
        write_fact(table, ship, "setting", place, key=self.system)
        if Trait.OFF_LINE_TO_SET in weapon.traits:
            write_fact(table, ship, "off-line", 1, key=self.system)


def _bay_setting(state: BattleState, ship: ShipState, place: int) -> Setting | None:
    """Return the choice of roles for the group in a bay, if it has several."""
    fit = ship.sheet.fits[place]
    roles = roles_of_bay(state, ship, fit.id) if ship.stock[place] else ()
    if len(roles) <= 1:
        return None
    label = phrase("Fit out {} as", system_words(fit.id))
    return Setting(
        system=fit.id,
        label=label,
        values=roles,
        now=roles[ship.record.setting.get(fit.id, 0)],
        help=REARMED,
    )


def _weapon_setting(ship: ShipState, place: int) -> Setting | None:
    """Return the choice of modes of a weapon, if it has several that are set in battle."""
    fit = ship.sheet.fits[place]
    weapon = ship.profile.weapons[place]
    modes = tuple(weapon.settings.get(fit.variant, ()))
    if len(modes) <= 1 or Trait.SET_IN_PORT in weapon.traits:
        return None
    label = phrase("Set {} to", system_words(fit.id))
    return Setting(
        system=fit.id,
        label=label,
        values=modes,
        now=modes[ship.record.setting.get(fit.id, 0)],
        help=OFF_LINE if Trait.OFF_LINE_TO_SET in weapon.traits else "",
    )


@dataclass(frozen=True, slots=True)
class Overload(FurtherOrder):
    """An order to overload torpedo tubes.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14 [pc.pulse-torpedoes]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Overload torpedo tubes"),
            phrase("gives them more energy than they are built for"),
        )

    systems: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "overload"

    @staticmethod
    def parse(words: list[str]) -> Overload:
        return Overload(
            read_names(
                words,
                least=1,
                most=MAX_SYSTEMS,
                expected=reason("more-torpedo-tubes", "one or more torpedo tubes"),
            )
        )

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        tubes = tuple(fit.id for fit in ship.sheet.fits if OVERLOAD in fit.flags)
        return (SomeOf("Tubes", tubes, MAX_SYSTEMS),)

    def arguments(self) -> tuple[str, ...]:
        return self.systems

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        for system in self.systems:
            fit = fit_of(ship, system)
            if fit is None or OVERLOAD not in fit.flags:
                return reason("no-overloaded", "it has no '{}' that can be overloaded", system)
            if _out_of_action_fault(ship, system):
                return _out_of_action_fault(ship, system)
            if ship.record.last_fired.get(system) == state.turn - 1:
                return reason("weapon-fired-last-turn", "'{}' fired last turn", system)
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Overload the tubes; an overloaded shot not fired is discarded and counts as fired."""
        for system in self.systems:
            write_fact(table, ship, "overloaded", 1, key=system)
            write_fact(table, ship, "last-fired", table.turn, key=system)


@dataclass(frozen=True, slots=True)
class ShapeBolt(FurtherOrder):
    """An order to shape plasma bolts, which are then fired at ships and do not explode at a point.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Shape plasma bolts"),
            phrase("each is fired at a ship instead of a point on the table"),
        )

    systems: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "shaped"

    @staticmethod
    def parse(words: list[str]) -> ShapeBolt:
        return ShapeBolt(
            read_names(
                words,
                least=1,
                most=MAX_SYSTEMS,
                expected=reason("more-plasma-bolt-launchers", "one or more plasma bolt launchers"),
            )
        )

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        rows = zip(ship.sheet.fits, ship.profile.weapons, strict=True)
        return (
            SomeOf(
                "Launchers", tuple(fit.id for fit, weapon in rows if weapon.shapes), MAX_SYSTEMS
            ),
        )

    def arguments(self) -> tuple[str, ...]:
        return self.systems

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        if SHAPED_BOLTS not in state.terms.options:
            return NO_SHAPING
        for system in self.systems:
            if not find_weapon(ship, system).shapes:
                return reason("no-bolts-shaped", "it has no '{}' that fires shaped bolts", system)
            if _out_of_action_fault(ship, system):
                return _out_of_action_fault(ship, system)
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        for system in self.systems:
            write_fact(table, ship, "shaped-bolts", 1, key=system)


@dataclass(frozen=True, slots=True)
class ChargeWaveGuns(FurtherOrder):
    """An order to add a die of power to the capacitors of wave guns.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Charge wave guns"), phrase("each gets one more die of power")
        )

    systems: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "charge"

    @staticmethod
    def parse(words: list[str]) -> ChargeWaveGuns:
        return ChargeWaveGuns(
            read_names(
                words,
                least=1,
                most=MAX_SYSTEMS,
                expected=reason("more-wave-guns", "one or more wave guns"),
            )
        )

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        rows = zip(ship.sheet.fits, ship.profile.weapons, strict=True)
        guns = tuple(fit.id for fit, weapon in rows if Trait.CAPACITORS in weapon.traits)
        return (SomeOf(phrase("Wave guns"), guns, MAX_SYSTEMS),)

    def arguments(self) -> tuple[str, ...]:
        return self.systems

    def fault(self, _state: BattleState, ship: ShipState, _plot: Plot) -> str:
        for system in self.systems:
            fit = fit_of(ship, system)
            if fit is None or Trait.CAPACITORS not in find_weapon(ship, system).traits:
                return reason("no-wave-gun", "it has no wave gun '{}'", system)
            if _out_of_action_fault(ship, system):
                return _out_of_action_fault(ship, system)
            if ship.record.charge.get(system, 0) >= FULL_CHARGE:
                return reason("charged-already", "'{}' is charged", system)
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        for system in self.systems:
            charge = ship.record.charge.get(system, 0)
            die = table.dice.roll("charge", f"{ship.id}/{system}")
            write_fact(table, ship, "charge", charge + die, key=system)


@dataclass(frozen=True, slots=True)
class TurnTurret(FurtherOrder):
    """An order to turn a turret to another arc.

    Rules: Continuum "Turrets" 5.22 [pc.turrets]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(phrase("Turn to"))

    turret: str
    arc: str

    @staticmethod
    def word() -> str:
        return "turret"

    @staticmethod
    def repeats() -> bool:
        return True

    @staticmethod
    def parse(words: list[str]) -> TurnTurret:
        turret, arc = read_setting(
            words, reason("turret-arc-such-turret", "a turret and an arc, for example turret-1 FS")
        )
        return TurnTurret(turret, arc.upper())

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        settings: list[Setting] = []
        for fit in ship.sheet.fits:
            if fit.type != "turret" or _out_of_action_fault(ship, fit.id):
                continue
            label = phrase("Turn {} to", system_words(fit.id))
            facing = fit.arcs[ship.record.facing.get(fit.id, 0)]
            settings.append(Setting(fit.id, label, values=fit.arcs, now=facing))
        return (EachOf(tuple(settings)),)

    def arguments(self) -> tuple[str, ...]:
        return self.turret, self.arc

    def fault(self, _state: BattleState, ship: ShipState, _plot: Plot) -> str:
        """Return the reason why the turret cannot face that arc, or ""; a damaged one is stuck."""
        fit = fit_of(ship, self.turret)
        if fit is None or fit.type != "turret":
            return reason("no-turret", "it has no turret '{}'", self.turret)
        if self.arc not in fit.arcs:
            return reason(
                "turret-arc", "'{}' can face only one of {}", self.turret, ", ".join(fit.arcs)
            )
        return _out_of_action_fault(ship, self.turret)

    def after_moves(self, table: Table, ship: ShipState) -> None:
        """Turn the turret after ship movement, visible to all sides."""
        fit = fit_of(ship, self.turret)
        assert fit is not None
        place = fit.arcs.index(self.arc)
        if ship.status != FIGHTING or _out_of_action_fault(ship, self.turret):
            return
        write_fact(table, ship, "facing", place, key=self.turret)


def rest_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship cannot fly its plot after firing a spinal mount, or "".

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    resting_weapons = ship.profile.having.get(RESTS)
    if not resting_weapons or not (
        plot.turn or plot.thrust or plot.second or plot.burns or plot.ftl
    ):
        return ""
    weapons_fired = []
    for place in resting_weapons:
        if ship.record.last_fired.get(ship.sheet.fits[place].id) == state.turn - 1:
            weapons_fired.append(ship.sheet.fits[place].id)
    if not weapons_fired:
        return ""
    return reason(
        "fired-last-turn-neither",
        "it fired {} last turn: it cannot manoeuvre or warm up its FTL drive",
        ", ".join(weapons_fired),
    )


def arm_cannons(table: Table, plots: Mapping[str, Plot]) -> None:
    """Put all power of the ships ordered to do so into their nova cannons.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """
    for ship in table.state.ships:
        if ship.id in plots and plots[ship.id].nova and ship.status == FIGHTING:
            arm(table, ship)
