"""Plot orders for a ship's own defences, and how cloaks end.

The orders are for cloaks, ECM, reflex fields, stealth and suicide charges.

Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21, "Tuffley cloak" 7.22 [pc.cloaks]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.continuum.defences import is_cloaked_ship, working_count, working_weapons
from engine.core.kinds import CLOAKED, FIGHTING, HULK, DecloakReason
from engine.core.notes import write_fact
from engine.core.orders import FurtherOrder, Plot
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.ship_facts import AREA_SUITES, OWN_SUITES
from engine.core.slots import Number, OneOf, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import FactNoted
from engine.events.detection import ShipCloaked, ShipDecloaked
from engine.movement.docking import has_docked_ships
from engine.movement.edges import edge_crossed, leave_over_edge
from engine.notation.orders import read_nothing, read_one_of, read_some_of, read_whole_number
from engine.systems.defences import (
    DEVICE,
    FASTEST,
    FIELD,
    WORKS_AS,
    cloak_mode,
    is_too_fast_to_cloak,
)
from engine.weapons.weapon import Trait

LONGEST_CLOAK = 99  # turns
NOTHING_OUTSIDE = reason("nothing-outside", "it cannot act on anything outside its cloaking field")
# What `jam` may name, with the bit of each system type.
SUITES = {"ecm": OWN_SUITES, "area-ecm": AREA_SUITES}
# What `stealth` may say, with the fact it writes and its value.
STEALTH_WORDS = {
    "active": ("stealth-active", 1),
    "passive": ("stealth-active", 0),
    "on": ("stealth-off", 0),
    "off": ("stealth-off", 1),
}


def cloak_kind(ship: ShipState) -> str:
    """Return the kind of a ship's best working cloak: FIELD, DEVICE or "".

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    modes = set()
    for type_ in WORKS_AS:
        for place in ship.profile.indexes_by_type.get(type_, ()):
            modes.add(cloak_mode(type_, ship.alive[place]))
    if FIELD in modes:
        return FIELD
    if DEVICE in modes:
        return DEVICE
    return ""


def hidden_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a cloak or reflex field forbids the ship's plot, or "".

    Further words of the plot have their own checks.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]; Continuum "Reflex field" 7.25
    [pc.reflex-field]
    """
    stays_cloaked = ship.record.cloaked > state.turn or ship.status == CLOAKED
    if stays_cloaked and plot.ftl:
        return reason("cloaked-ship-cannot-enter", "a cloaked ship cannot enter FTL")
    if ship.status == CLOAKED and _acts_outside(plot):
        return NOTHING_OUTSIDE
    if stays_cloaked and plot.nova:
        return reason("cloaked-ship-cannot-arm", "a cloaked ship cannot arm its nova cannon")
    if plot.launch:
        is_cloaked = stays_cloaked or is_cloaked_ship(ship)
        return _launch_ban(plot, is_cloaked=is_cloaked)
    return ""


def _launch_ban(plot: Plot, *, is_cloaked: bool) -> str:
    """Return the reason why a cloak or reflex field keeps a ship from launching craft, or ""."""
    if is_cloaked or plot.find(Cloak) is not None:
        return reason("cloaked-ship-cannot-launch-craft", "a cloaked ship cannot launch craft")
    if plot.find(RaiseReflexField) is not None:
        return reason(
            "ship-reflex-field-up", "a ship with an active reflex field cannot launch craft"
        )
    return ""


def _acts_outside(plot: Plot) -> bool:
    """Return whether a plot acts on anything outside the ship's cloaking field."""
    docks = plot.ram or plot.dock or plot.undock
    return bool(docks or plot.mines or plot.scan or plot.sweep)


def enter_cloak(table: Table, ship: ShipState, kind: str, until: int) -> None:
    """Cloak a ship until the end of its movement in turn `until`, which only its own side knows."""
    ship.cloak(kind)
    ship.write_fact("cloaked", until)
    table.tell(ShipCloaked, ship=ship.id, at=(ship.x, ship.y), cloak=kind)
    table.tell(FactNoted, ship=ship.id, note="cloaked", value=until)


def leave_cloak(table: Table, ship: ShipState, cause: str) -> None:
    """Decloak a ship at its present place."""
    ship.decloak(cause, table.turn)
    table.tell(ShipDecloaked, ship=ship.id, at=(ship.x, ship.y), course=ship.course, cause=cause)


@dataclass(frozen=True, slots=True)
class Cloak(FurtherOrder):
    """An order to cloak for a number of turns.

    Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21 [pc.cloaks]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Activate the cloak"),
            phrase("until the end of its movement that many turns later"),
        )

    turns: int

    @staticmethod
    def word() -> str:
        return "cloak"

    @staticmethod
    def parse(words: list[str]) -> Cloak:
        return Cloak(
            read_whole_number(
                words,
                least=1,
                most=LONGEST_CLOAK,
                expected=reason("turns-under-cloak", "the number of turns it stays cloaked"),
            )
        )

    @staticmethod
    def slots(_state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        return (Number("Turns", least=1, most=LONGEST_CLOAK),)

    def arguments(self) -> tuple[str, ...]:
        return (str(self.turns),)

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot cloak, or ""."""
        kind = cloak_kind(ship)
        if not kind:
            return reason("no-cloak-working-order", "it has no working cloak")
        if ship.status != FIGHTING or ship.record.cloaked > state.turn:
            return reason("not-table-under-cloak", "it is not on the table, or is already cloaked")
        if ship.warm or plot.ftl:
            return reason(
                "ship-ftl-drive-warming-up", "a ship whose FTL drive is warming up cannot cloak"
            )
        if _is_docked(state, ship, plot):
            return reason("docked-ship-cannot-cloak", "a docked ship cannot cloak")
        if fault := _power_conflict(plot):
            return fault
        if kind == DEVICE and is_too_fast_to_cloak(ship.velocity + plot.thrust):
            return reason(
                "above-velocity-cloaking-device",
                "its cloaking device works only up to velocity {}",
                FASTEST,
            )
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Take a ship with a cloaking field off the table before it moves."""
        if cloak_kind(ship) == FIELD and ship.status == FIGHTING:
            enter_cloak(table, ship, FIELD, table.turn + self.turns)

    def after_moves(self, table: Table, ship: ShipState) -> None:
        """Switch on a cloaking device after ship movement.

        devices_end() switches it off at once if the ship is then too fast.
        """
        if ship.status == FIGHTING and cloak_kind(ship) == DEVICE:
            enter_cloak(table, ship, DEVICE, table.turn + self.turns)


def _power_conflict(plot: Plot) -> str:
    """Return the reason why another device that a plot uses prevents a cloak, or ""."""
    if plot.find(RaiseReflexField) is not None:
        return reason(
            "cloak-reflex-field-cannot", "a cloak and a reflex field cannot be used together"
        )
    if plot.nova:
        return reason(
            "cannot-cloak-all-power", "it cannot cloak: its nova cannon takes all its power"
        )
    return ""


def _is_docked(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship is or will be docked, or has other ships docked at it."""
    if ship.docking != FREE or plot.dock or plot.undock:
        return True
    return has_docked_ships(state, ship)


def devices_end(table: Table) -> None:
    """Switch off cloaking devices after ship movement, if time is over or the ship is too fast.

    Rules: Continuum "Cloaking device" 7.20 [pc.cloaks]
    """
    for ship in table.state.ships:
        if is_cloaked_ship(ship) and ship.status in (FIGHTING, HULK):
            if table.turn >= ship.record.cloaked:
                leave_cloak(table, ship, DecloakReason.TIME)
            elif is_too_fast_to_cloak(ship.velocity):
                leave_cloak(table, ship, DecloakReason.SPEED)


def devices_fail(table: Table) -> None:
    """Decloak ships whose cloaking device was hit, at the end of a turn.

    Rules: Continuum 7.20 [pc.cloaks]
    """
    for ship in table.state.ships:
        if is_cloaked_ship(ship) and not cloak_kind(ship):
            leave_cloak(table, ship, DecloakReason.DAMAGED)


@dataclass(frozen=True, slots=True)
class Jam(FurtherOrder):
    """An order to switch on ECM for the turn, all of it or the suites named.

    Rules: Continuum "ECM" 7.18, "Area ECM" 7.19, "Electronic counter measures" 12.4 [pc.ecm]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            "ECM",
            phrase(
                "for each level, sensors identify it 6 MU later; area ECM blinds its own FireCons"
            ),
        )

    suites: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "jam"

    @staticmethod
    def slots(_state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        working_suites = tuple(name for name in SUITES if working_count(ship, name))
        return (OneOf("Suites", working_suites, phrase("all it has")),)

    @staticmethod
    def parse(words: list[str]) -> Jam:
        return Jam(read_some_of(words, tuple(SUITES)))

    def arguments(self) -> tuple[str, ...]:
        return self.suites

    def fault(self, _state: BattleState, ship: ShipState, _plot: Plot) -> str:
        if ship.status == CLOAKED:
            return NOTHING_OUTSIDE
        missing = [name for name in self.suites if not working_count(ship, name)]
        if missing or not any(working_count(ship, name) for name in SUITES):
            return reason(
                "no-working-order",
                "it has no {} in working order",
                join_phrases(" or ", missing or SUITES),
            )
        if is_cloaked_ship(ship) and "area-ecm" in self.suites:
            return reason("area-ecm-not-work", "area ECM does not work under a cloak")
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Switch on ECM; area ECM blinds the ship's own FireCons."""
        jamming = 0
        for name in self.suites or SUITES:
            if name == "area-ecm" and is_cloaked_ship(ship):
                continue
            if working_count(ship, name):
                jamming += SUITES[name]
        write_fact(table, ship, "jamming", jamming)
        ship.recompute()


@dataclass(frozen=True, slots=True)
class RaiseReflexField(FurtherOrder):
    """An order to raise a reflex field for the turn, which is not announced.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Switch on the reflex field"),
            phrase("for this turn; other players do not see the order"),
        )

    @staticmethod
    def word() -> str:
        return "reflex"

    @staticmethod
    def parse(words: list[str]) -> RaiseReflexField:
        read_nothing(words)
        return RaiseReflexField()

    def fault(self, _state: BattleState, ship: ShipState, plot: Plot) -> str:
        if ship.status == CLOAKED or is_cloaked_ship(ship):
            return reason(
                "cloaked-ship-cannot-raise", "a cloaked ship cannot switch on a reflex field"
            )
        if plot.nova:
            return reason(
                "cannot-raise-field-all",
                "it cannot switch on a reflex field: its nova cannon takes all its power",
            )
        if working_count(ship, "reflex-field"):
            return ""
        return reason("no-reflex-field-working", "it has no working reflex field")

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "reflex", 1)


@dataclass(frozen=True, slots=True)
class SwitchStealth(FurtherOrder):
    """An order to scan actively or passively, or to switch stealth fields, until further orders.

    Rules: Continuum "Stealth hull" 7.4 [pc.stealth-hull]; Continuum "Stealth fields" 7.5
    [pc.stealth-field]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            "Stealth",
            phrase("switches stealth fields on or off; a stealth hull scans actively or passively"),
        )

    to: str

    @staticmethod
    def word() -> str:
        return "stealth"

    @staticmethod
    def slots(_state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        return (OneOf("Stealth", tuple(STEALTH_WORDS)),)

    @staticmethod
    def parse(words: list[str]) -> SwitchStealth:
        return SwitchStealth(read_one_of(words, tuple(STEALTH_WORDS)))

    def arguments(self) -> tuple[str, ...]:
        return (self.to,)

    def fault(self, _state: BattleState, ship: ShipState, _plot: Plot) -> str:
        has_field = "stealth-field" in ship.profile.indexes_by_type
        if self.to in ("off", "on"):
            if has_field:
                return ""
            return reason("no-stealth-field-switch", "it has no stealth field to switch")
        if has_field or ship.sheet.stealth:
            return ""
        return reason("no-stealth", "it has no stealth")

    def before_moves(self, table: Table, ship: ShipState) -> None:
        name, value = STEALTH_WORDS[self.to]
        write_fact(table, ship, name, value)


@dataclass(frozen=True, slots=True)
class Detonate(FurtherOrder):
    """An order to explode a ship's suicide charge this turn.

    Rules: Continuum "Antimatter suicide charge" 7.9 [pc.suicide-charge]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Blow itself up"),
            phrase("with its suicide charge, this turn; other players do not see the order"),
        )

    @staticmethod
    def word() -> str:
        return "detonate"

    @staticmethod
    def parse(words: list[str]) -> Detonate:
        read_nothing(words)
        return Detonate()

    def fault(self, _state: BattleState, ship: ShipState, _plot: Plot) -> str:
        if ship.status == CLOAKED:
            return NOTHING_OUTSIDE
        if working_weapons(ship, Trait.SUICIDE):
            return ""
        return reason("no-suicide-charge-working", "it has no working suicide charge")

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Record the order, which is not announced."""
        write_fact(table, ship, "detonating", 1)


def cloaks_end(table: Table) -> None:
    """Decloak ships whose time is over, after ship movement.

    A cloaking field may have taken a ship over the table's edge. A ship that decloaked in an
    earlier turn has moved in the open since, so its velocity is known again.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Information" 2.6 [pc.open-book]
    """
    devices_end(table)
    for ship in table.state.ships:
        if 0 < ship.record.decloaked_turn < table.turn:
            write_fact(table, ship, "decloaked-turn", 0)
        if ship.status == CLOAKED and table.turn >= ship.record.cloaked:
            _leave_field(table, ship, DecloakReason.TIME)


def cloaks_fail(table: Table) -> None:
    """Decloak ships whose cloak was hit or no longer works fully, at the end of a turn.

    Rules: Continuum "Cloaking device" 7.20, "Cloaking field" 7.21 [pc.cloaks]
    """
    devices_fail(table)
    for ship in table.state.ships:
        if ship.status == CLOAKED and cloak_kind(ship) != FIELD:
            _leave_field(table, ship, DecloakReason.DAMAGED)


def uncover_all(table: Table) -> None:
    """Decloak all ships under a cloaking field at the end of the battle.

    Rules: Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    for ship in table.state.ships:
        if ship.status == CLOAKED:
            leave_cloak(table, ship, DecloakReason.BATTLE_OVER)


def _leave_field(table: Table, ship: ShipState, cause: str) -> None:
    """Decloak a ship from its field; if it is then off the table, record the edge it crossed."""
    left_at = ship.record.marker or (ship.x, ship.y)
    leave_cloak(table, ship, cause)
    crossed = edge_crossed(left_at, (ship.x, ship.y), table.state.table)
    if crossed is not None:
        leave_over_edge(table, ship, *crossed)
