"""A ship in battle: its state and the methods that change it.

`engine.core.sheet` holds what a battle does not change. Rules and log events change a ship only
through these methods, so that the log replays the battle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.core.facts import FOREVER, facts_of
from engine.core.geometry import FORE, PORT, STARBOARD, initial_drift, round_point, turn_course
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import (
    CAPTURED,
    CLOAKED,
    DESTROYED,
    FIGHTING,
    FTL,
    LEFT_TABLE,
    RACKS,
    SCANNED_AWAY,
    CloakKind,
    DecloakReason,
    ShipStatus,
)
from engine.core.sheet import Sheet, ShipProfile, lost_system_ids
from engine.core.ship_facts import (
    AREA_SUITES,
    ShipRecord,
    ThisTurn,
    blank_record,
    blank_turn,
    core_fact,
    facts_document,
    find_fact,
)

# Steps of docking: a ship makes fast in the turn after it came alongside, and takes a full turn to
# cast off. BERTHED: docked inside the installation, out of all reach.
FREE, ALONGSIDE, DOCKED, CASTING_OFF, BERTHED = 0, 1, 2, 3, 4
FAST = (DOCKED, CASTING_OFF, BERTHED)  # attached to its installation

BOARDERS = ("marines", "parties")  # units that may board a ship

# Index of the first number of an arc in `ShipState.power`.
POWER_AT: Final = {FORE: 0, STARBOARD: 3, PORT: 6}
# `ShipState.power` of a ship that cannot fire its batteries.
NO_POWER: Final = (0,) * 9


@dataclass(slots=True, eq=False)
class ShipState:
    """A ship in battle.

    The facts that rules note are declared fields of `record` and `this_turn`
    (`engine.core.ship_facts`).
    """

    id: ShipId  # its name in the log and in its commander's orders
    owner: int  # the side whose fleet it belongs to, for which its points count
    commander: int  # the side whose orders it takes; its owner unless another side took it over
    sheet: Sheet  # its record sheet
    profile: ShipProfile  # what rules look up of the sheet
    x: float  # MU
    y: float  # MU
    course: int  # 1 to 12, as on a clock; under vector movement its facing
    velocity: int  # MU a turn
    damage: int  # points marked off the hull
    alive: list[int]  # parallel to `sheet.fits`: 1 working, 0 lost; drive: 2 full, 1 half, 0 out
    # Parallel to `sheet.fits`: craft in a bay, packs and mines left; 0 for other systems.
    stock: list[int]
    status: ShipStatus
    label: str  # its kind as other sides see it until they identify it
    contact: str  # the contact code by which other sides know it
    thrust: int = 0  # derived from `alive` by `recompute`, like the next three
    screens: int = 0
    firecons: int = 0
    # Dice of working batteries by arc (fore, starboard, port) and band (12, 24, 36 MU).
    power: tuple[int, ...] = ()
    bogey: bool = False  # not yet identified
    dummy: bool = False  # a counter with no ship behind it
    warm: bool = False  # its FTL drive is warming up
    holds_fire: bool = False  # it must not fire this turn
    edge: str = ""  # the edge by which it left the table
    due: int = 0  # the turn in which it may return, or comes out of FTL
    # The sheet of the merchant that a Q ship passes for; None once it has revealed itself.
    cover: Sheet | None = None
    sweeping: bool = False  # its minesweepers are active this turn
    armed: bool = False  # all its power is in the nova cannon this turn
    dock: ShipId = NO_SHIP  # the installation it is at
    docking: int = FREE  # FREE, ALONGSIDE, DOCKED, CASTING_OFF or BERTHED
    # It has fighter bays and changed course or velocity this turn, so no fighters can land on it.
    swerved: bool = False
    # (standard, regenerative) boxes left in each layer, the innermost first.
    armour: tuple[tuple[int, int], ...] = ()
    record: ShipRecord = field(default_factory=blank_record)  # facts that last
    # Facts that end with the turn.
    this_turn: ThisTurn = field(default_factory=blank_turn)
    drift: tuple[float, float] | None = None  # MU a turn in x and y, only under vector movement

    def copy(self) -> ShipState:
        """Return an independent copy.

        All fields are given in their order, because this runs for every ship of every simulated
        battle and keywords would make it slower.
        """
        return ShipState(
            self.id,
            self.owner,
            self.commander,
            self.sheet,
            self.profile,
            self.x,
            self.y,
            self.course,
            self.velocity,
            self.damage,
            self.alive[:],
            self.stock[:],
            self.status,
            self.label,
            self.contact,
            self.thrust,
            self.screens,
            self.firecons,
            self.power,
            self.bogey,
            self.dummy,
            self.warm,
            self.holds_fire,
            self.edge,
            self.due,
            self.cover,
            self.sweeping,
            self.armed,
            self.dock,
            self.docking,
            self.swerved,
            self.armour,
            self.record,
            self.this_turn,
            self.drift,
        )

    @property
    def is_taken_over(self) -> bool:
        """Whether a side other than its owner commands it."""
        return self.commander != self.owner

    @property
    def call_sign(self) -> str:
        """The prefix of the ids of what it sends out.

        It is the ship's id, or its contact code if it is taken over.
        """
        if self.commander != self.owner:
            return self.contact
        return self.id

    def change_commander(self, side: int) -> None:
        """Give the ship to another side; any bogey or Q ship disguise ends."""
        self.commander, self.bogey = side, False
        self.write_fact("officers", 0)
        if self.cover is not None:
            self.uncover()

    def lost_systems(self) -> tuple[str, ...]:
        """Return the ids of its lost systems in canonical order, `drive` once for each hit."""
        alive = tuple(self.alive)
        if alive == self.profile.undamaged:
            return ()
        return lost_system_ids(self.profile, alive)

    def recompute(self) -> None:
        """Update thrust, screens, FireCons and fire power from the working systems.

        Half a drive gives half its rating, rounded down; ships in tow reduce it. With all its power
        in the nova cannon a ship has no screens and no guns. A cloaking device switches off its
        screens, its own area ECM its FireCons.

        Rules: 2E [2e.thresholds] [2e.screens] [2e.nova-cannon]; Continuum [pc.ecm] [pc.cloaks]
        [pc.towing]
        """
        self.thrust = self._drive_thrust()
        if self.record.towing:
            self.thrust = self.thrust * self.sheet.mass // (self.sheet.mass + self.record.towing)
        if self.record.concealed or self.armed:
            self.screens = 0
        else:
            self.screens = self._working_screens()
        alive = self.alive
        if self._jams_its_area():
            self.firecons = 0
        else:
            self.firecons = sum(alive[index] for index in self.profile.firecons)
        if self.armed or not self.firecons:
            self.power = NO_POWER
        else:
            self.power = self._battery_power()

    def _drive_thrust(self) -> int:
        """Return the thrust of its drive: full, half (rounded down), or 0 if the drive is out."""
        drive = self.profile.drive
        if drive < 0 or not self.alive[drive]:
            return 0
        if self.alive[drive] == 1:
            return self.sheet.thrust // 2
        return self.sheet.thrust

    def _working_screens(self) -> int:
        """Return the level of its working screens; a disguised Q ship uses only its cover's."""
        alive, profile = self.alive, self.profile
        level = min(sum(alive[index] for index in profile.screens), profile.most_screens)
        if self.cover is None:
            return level
        cover_screens = [fit.id for fit in self.cover.fits if fit.type == "screen"]
        return min(level, sum(alive[profile.index_of[name]] for name in cover_screens))

    def _jams_its_area(self) -> bool:
        """Return whether its own area ECM is on, which blinds its FireCons."""
        if not self.this_turn.jamming & AREA_SUITES:
            return False
        return any(self.alive[index] for index in self.profile.indexes_by_type.get("area-ecm", ()))

    def _battery_power(self) -> tuple[int, ...]:
        """Return the dice of working batteries by arc and range band, in the order of POWER_AT."""
        power = [0] * len(NO_POWER)
        for index, bits, dice in self.profile.batteries:
            if not self.alive[index]:
                continue
            for arc, at in POWER_AT.items():
                if bits & arc:
                    power[at] += dice[0]
                    power[at + 1] += dice[1]
                    power[at + 2] += dice[2]
        return tuple(power)

    def mark_damage(self, points: int) -> None:
        """Mark off damage points, at most as many as there are boxes left."""
        self.damage = min(self.damage + points, self.sheet.boxes)

    def destroy(self) -> None:
        """Mark the ship as destroyed."""
        self.status = DESTROYED

    def knock_out(self, index: int) -> None:
        """Hit a working system: the drive is halved, then out; other systems are lost at once.

        A lost system loses its contents unless it is sturdy. The caller must call `recompute`
        afterwards.

        Rules: 2E "Threshold points and specific systems damage" [2e.thresholds]
        """
        self.alive[index] -= 1
        if not self.alive[index] and index not in self.profile.sturdy:
            self.stock[index] = 0

    def use_round(self, holder: str, load: str) -> None:
        """Take one round out of a rack, or a load out of a magazine.

        Rules: Continuum 6.6 [pc.salvo-missiles]
        """
        index = self.profile.index_of[holder]
        self.stock[index] -= 1
        if len(self.sheet.fits[index].load) > 1:
            name = f"{holder}/{load}"
            self.record = self.record.with_fact(
                "used-rounds", self.record.used_rounds.get(name, 0) + 1, name
            )

    def lose_systems(self, systems: Sequence[str]) -> None:
        """Hit these systems once each.

        Raises:
            KeyError: The ship has no system with one of these ids.
        """
        for name in systems:
            self.knock_out(self.profile.index_of[name])
        if systems:
            self.recompute()

    def restore(self, system: str) -> None:
        """Repair a system; the effect of a hit on a core system ends.

        Rules: Continuum 10.2, 10.3 [pc.core-systems]
        """
        self.alive[self.profile.index_of[system]] += 1
        fact_name = core_fact(system)
        if fact_name:
            self.record = self.record.with_fact(fact_name, 0)
        self.recompute()

    def fact(self, name: str, key: str = "") -> int:
        """Return the number of a fact, 0 if it is not set.

        Args:
            key: The id of the system or ship that the fact concerns.
        """
        if name in facts_of(type(self.this_turn)):
            return self.this_turn.number(name, key)
        return self.record.number(name, key)

    def write_fact(self, name: str, number: int, key: str = "") -> None:
        """Set a fact; 0 clears it.

        Args:
            key: The id of the system or ship that the fact concerns.

        Raises:
            KeyError: No such fact is declared.
        """
        if name in facts_of(type(self.this_turn)):
            self.this_turn = self.this_turn.with_fact(name, number, key)
        else:
            self.record = self.record.with_fact(name, number, key)
        if find_fact(name).recomputes:
            self.recompute()

    def facts(self) -> dict[str, int]:
        """Return all facts that are set, as a document stores them."""
        return facts_document(self.record, self.this_turn)

    def hit_core(self, system: str, value: int) -> None:
        """Note the effect of a hit on a core system; with FOREVER it cannot be repaired.

        Rules: Continuum "Core systems" 10.3 [pc.core-systems]
        """
        self.record = self.record.with_fact(core_fact(system), value)
        if value == FOREVER:
            self.mark_irreparable(system)

    def mark_irreparable(self, system: str) -> None:
        """Mark a lost system as beyond repair in this battle.

        Rules: Continuum 10.1 [pc.damage-control]
        """
        self.record = self.record.with_values(irreparable=self.record.irreparable | {system})

    def forget_repaired(self, lost_systems: Sequence[str]) -> None:
        """Drop facts about damaged systems that are not among the lost ones."""
        still_irreparable = self.record.irreparable & frozenset(lost_systems)
        self.record = self.record.with_values(irreparable=still_irreparable)
        for name, declared in facts_of(type(self.record)).items():
            if declared.core_system and declared.core_system not in lost_systems:
                self.record = self.record.with_fact(name, 0)

    def regenerate(self, armour: tuple[tuple[int, int], ...], scarred: tuple[int, ...]) -> None:
        """Set the boxes left in each layer of armour at a turn's end, and its boxes beyond repair.

        Rules: Continuum "Regenerative armour" 7.8 [pc.armour]
        """
        self.armour = armour
        new_scars = {layer: boxes for layer, boxes in enumerate(scarred) if boxes}
        if new_scars:
            self.record = self.record.with_values(scarred={**self.record.scarred, **new_scars})

    def remove_charges(self, charges: Sequence[str]) -> None:
        """Remove suicide charges that exploded.

        Rules: Continuum 7.9 [pc.suicide-charge]
        """
        for name in charges:
            self.alive[self.profile.index_of[name]] = 0
            self.mark_irreparable(name)

    def strain_drive(self, hits: int) -> None:
        """Count one more emergency thrust and apply its hits to the drive.

        Rules: Continuum 3.6 [pc.emergency-thrust]
        """
        self.record = self.record.with_values(emergency_thrusts=self.record.emergency_thrusts + 1)
        for _ in range(hits):
            self.knock_out(self.profile.drive)
        if hits:
            self.recompute()

    def set_boarders(self, aboard: Mapping[int, tuple[int, int]]) -> None:
        """Set the foreign marines and parties aboard, by side.

        Rules: Continuum "Boarding" 12.7 [pc.boarding]
        """
        units: dict[str, int] = {}
        for side, counts in sorted(aboard.items()):
            for kind, number in zip(BOARDERS, counts, strict=True):
                if number:
                    units[f"{kind}-{side}"] = number
        self.record = self.record.with_values(boarders=units)

    def add_boarders(self, side: int, marines: int, parties: int) -> None:
        """Note the units of a side that came aboard this turn.

        Rules: Continuum "Sequence of play" 2.6 [pc.boarding]
        """
        new = dict(self.this_turn.landed_boarders)
        for kind, number in zip(BOARDERS, (marines, parties), strict=True):
            if number:
                new[f"{kind}-{side}"] = new.get(f"{kind}-{side}", 0) + number
        self.this_turn = self.this_turn.with_values(landed_boarders=new)

    def boarders_by_side(self) -> dict[int, tuple[int, int]]:
        """Return the foreign marines and parties aboard by side, sides in order."""
        units = self.record.boarders
        sides = sorted({int(name.rpartition("-")[2]) for name in units})
        result: dict[int, tuple[int, int]] = {}
        for side in sides:
            result[side] = (units.get(f"marines-{side}", 0), units.get(f"parties-{side}", 0))
        return result

    def deflect(self, course: int, drift: tuple[float, float] | None) -> None:
        """Set course and drift after a blow that turned the ship.

        Rules: Continuum "Knocked off course" 12.11 [pc.knocked-off-course]
        """
        self.course, self.drift = course, drift

    def capture(self, status: ShipStatus = CAPTURED) -> None:
        """Take the ship out of the fight because boarders took it or it surrendered.

        Rules: Continuum 12.7, 12.9 [pc.boarding]
        """
        self.status = status
        self.cool_down()

    def identify(self) -> None:
        """Identify the ship to every side; a decoy is removed from the table.

        Rules: 2E "Sensors" [2e.sensors]
        """
        self.bogey = False
        if self.dummy:
            self.status = SCANNED_AWAY

    def uncover(self) -> None:
        """Reveal a Q ship; its screens go up.

        Rules: 2E "Q ships" [2e.q-ships]
        """
        self.cover = None
        self.recompute()

    def arm_nova_cannon(self) -> None:
        """Put all power into the nova cannon for this turn.

        Rules: 2E "Nova cannon" [2e.nova-cannon]
        """
        self.armed = True
        self.recompute()

    def cloak(self, cloak_kind: str) -> None:
        """Cloak the ship: a device switches off its screens, a field takes it off the table.

        Under a field a marker shows where it vanished.

        Rules: Continuum 7.20, 7.21 [pc.cloaks]
        """
        if cloak_kind == CloakKind.DEVICE:
            self.record = self.record.with_values(concealed=True)
            self.recompute()
            return
        self.status = CLOAKED
        self.record = self.record.with_values(marker=round_point((self.x, self.y)))

    def decloak(self, cause: str, turn: int) -> None:
        """End the cloak; a ship that decloaks because the battle ended still counts as cloaked.

        Rules: Continuum "Information" 2.6 [pc.open-book]; Continuum "Introductory scenario" 4.12
        [pc.cloaks]
        """
        if cause == DecloakReason.BATTLE_OVER:
            until = self.record.cloaked
        else:
            until = 0
        decloaked_turn = self.record.decloaked_turn
        if self.status == CLOAKED:
            self.status, decloaked_turn = FIGHTING, turn
        self.record = self.record.with_values(
            cloaked=until, decloaked_turn=decloaked_turn, concealed=False, marker=None
        )
        self.recompute()

    def bend_course(self, turn: int, velocity: int) -> None:
        """Turn the ship and change its velocity, never below 0; under vector movement do nothing.

        Rules: Continuum "Large scale" 17.9 [pc.planets]
        """
        if self.drift is None:
            self.course = turn_course(self.course, turn)
            self.velocity = max(self.velocity + velocity, 0)

    @property
    def orbits(self) -> str:
        """The planet that it orbits, or "".

        Rules: Continuum 17.8 [pc.planets]
        """
        return self.record.orbits

    def warm_up(self) -> None:
        """Warm up the FTL drive; the ship must not fire.

        Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]
        """
        self.warm = self.holds_fire = True

    def cool_down(self) -> None:
        """Stop warming up the FTL drive."""
        self.warm = self.holds_fire = False

    def place_on_table(self, at: tuple[float, float], course: int) -> None:
        """Put the ship on the table; under vector movement it moves the way it faces."""
        self.x, self.y = at
        self.course = course
        self.status, self.edge, self.due = FIGHTING, "", 0
        if self.drift is not None:
            self.drift = initial_drift(course, self.velocity)

    def leave(self, edge: str, at: tuple[float, float], status: ShipStatus, due: int = 0) -> None:
        """Take the ship over an edge.

        Args:
            due: The turn in which it may return; 0: never.
        """
        self.x, self.y = at
        self.edge, self.status, self.due = edge, status, due
        self.cool_down()

    def stay_away(self) -> None:
        """Give up the return of a ship that is off the table."""
        self.status, self.due = LEFT_TABLE, 0

    def leave_behind(self) -> None:
        """Remove the ship from the battle for good."""
        self.status, self.edge, self.due = LEFT_TABLE, "", 0
        self.cool_down()

    def jump(self, at: tuple[float, float], *, exploded: bool) -> None:
        """Enter FTL, or explode in the attempt.

        Rules: 2E "Leaving the table under FTL drive" [2e.ftl-exit]
        """
        self.x, self.y = at
        self.status = DESTROYED if exploded else FTL

    def drop_out(self, at: tuple[float, float], *, on_table: bool) -> None:
        """Come out of FTL.

        Rules: Continuum "FTL entry" 11.5 [pc.ftl-entry]
        """
        self.x, self.y = at
        self.status = FIGHTING if on_table else LEFT_TABLE
        self.due = 0

    def stow_craft(self, craft: int, home: str, type_: str) -> None:
        """Put craft into its working bays of their type, `home` first, racks last.

        Rules: 2E "Fighters" [2e.fighters]
        """
        fits = self.sheet.fits
        bays = sorted(
            self.profile.bays, key=lambda index: (fits[index].type in RACKS, fits[index].id != home)
        )
        remaining = craft
        for index in bays:
            if self.alive[index] and self.profile.craft[index] == type_:
                stowed = min(self.profile.full[index] - self.stock[index], remaining)
                self.stock[index] += stowed
                remaining -= stowed

    def end_turn(self) -> None:
        """Reset what lasts only one turn: held fire, sweeping, the armed nova cannon, turn facts.

        Rules: 2E "Sequence of play" [2e.sequence]; 2E "Minesweeping" [2e.mines]; 2E "Nova cannon"
        [2e.nova-cannon]
        """
        self.swerved = self.holds_fire = self.sweeping = False
        if self.armed:
            self.armed = False
            self.recompute()
        if self.this_turn is not blank_turn():
            recomputes = self.this_turn.jamming
            self.this_turn = blank_turn()
            if recomputes:
                self.recompute()
