"""Damage, armour, threshold and system checks, facts noted on sheets, repairs, explosions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.kinds import HULK
from engine.core.ship_facts import find_fact
from engine.core.state import BattleState
from engine.events.event import Audience, Cause, Event, Listener, LogOrder, Open, ShipRef


@dataclass(frozen=True, slots=True)
class ShipDamaged(Event):
    """A ship took `points` of damage; `total` are marked off now.

    `die` is the die that caused them, 0 if there was none.
    """

    kind: ClassVar[str] = "damaged"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    cause: Cause
    points: Open[int]
    total: Open[int]
    die: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).damage = self.total


@dataclass(frozen=True, slots=True)
class ArmourAbsorbed(Event):
    """Armour took damage points.

    `armour` are the (standard, regenerative) boxes left in each layer, the innermost first.
    """

    kind: ClassVar[str] = "absorbed"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    cause: Cause
    points: Open[int]
    armour: Open[tuple[tuple[int, int], ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).armour = self.armour


@dataclass(frozen=True, slots=True)
class ThresholdChecked(Event):
    """A threshold check.

    Attributes:
        row: The hull row that ended, from 1.
        loses_on: The lowest die that loses a system.
        rolls: (system, die).
        lost: The systems lost.
    """

    kind: ClassVar[str] = "threshold"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    row: Open[int]
    loses_on: Open[int]
    rolls: Open[tuple[tuple[str, int], ...]]
    lost: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).lose_systems(self.lost)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line; of a disguised Q ship only the systems of its cover are shown."""
        document = self.to_json()
        if self.ship in listener.covers:
            cover_systems = listener.covers[self.ship]
            document["rolls"] = [roll for roll in document["rolls"] if roll[0] in cover_systems]
            document["lost"] = [name for name in document["lost"] if name in cover_systems]
        return document


@dataclass(frozen=True, slots=True)
class SystemChecked(Event):
    """Checks of single systems other than threshold checks, for example by EMP or emergency thrust.

    Attributes:
        loses_on: The lowest die that loses a system.
        rolls: (system, die).
        lost: The systems lost.
    """

    kind: ClassVar[str] = "system-check"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    cause: Cause
    loses_on: Open[int]
    rolls: Open[tuple[tuple[str, int], ...]]
    lost: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).lose_systems(self.lost)


@dataclass(frozen=True, slots=True)
class MountPicked(Event):
    """A die picked which weapon a needle beam hits that was aimed at a type of weapon."""

    kind: ClassVar[str] = "mount-picked"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    mount: Open[str]
    faces: Open[int]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class SystemLost(Event):
    """A system was knocked out without a threshold check."""

    kind: ClassVar[str] = "system-lost"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    system: Open[str]
    cause: Cause

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).lose_systems((self.system,))


@dataclass(frozen=True, slots=True)
class ShipDestroyed(Event):
    """A ship is destroyed."""

    kind: ClassVar[str] = "destroyed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    cause: Cause

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).destroy()


@dataclass(frozen=True, slots=True)
class ShipBecameDerelict(Event):
    """A ship lost its crew, life support or power core, and no side commands it any more."""

    kind: ClassVar[str] = "derelict"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    cause: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = HULK


@dataclass(frozen=True, slots=True)
class CoreHit(Event):
    """A core system was hit.

    Attributes:
        die: The die, 0 if none was rolled.
        value: The last turn out of control, the last turn with life support, or the lowest die with
            which the power core explodes.
    """

    kind: ClassVar[str] = "core-hit"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    system: Open[str]
    die: Open[int]
    value: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).hit_core(self.system, self.value)


@dataclass(frozen=True, slots=True)
class ReactorRolled(Event):
    """The end of a turn with a burning power core: it explodes on `needed` or more."""

    kind: ClassVar[str] = "reactor"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    needed: Open[int]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class RepairRolled(Event):
    """Damage control on a system: the number of parties, the die, and whether it works again."""

    kind: ClassVar[str] = "repair"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    system: Open[str]
    parties: Open[int]
    die: Open[int]
    succeeded: Open[bool]

    def apply(self, state: BattleState) -> None:
        if self.succeeded:
            state.ship(self.ship).restore(self.system)


@dataclass(frozen=True, slots=True)
class ArmourRegenerated(Event):
    """Regenerative armour at a turn's end.

    Attributes:
        dice: The dice of its damaged boxes.
        armour: (standard, regenerative) boxes left in each layer, the innermost first.
        scarred: Boxes beyond repair in each layer.
    """

    kind: ClassVar[str] = "regenerated"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    dice: Open[tuple[int, ...]]
    armour: Open[tuple[tuple[int, int], ...]]
    scarred: Open[tuple[int, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).regenerate(self.armour, self.scarred)


@dataclass(frozen=True, slots=True)
class ChargeRolled(Event):
    """Damaged suicide charges at a turn's end: the die of each."""

    kind: ClassVar[str] = "charge"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    rolls: Open[tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class ChargesDetonated(Event):
    """Suicide charges of a ship exploded and are gone; their damage follows."""

    kind: ClassVar[str] = "detonated"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    at: Open[tuple[float, float]]
    charges: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).remove_charges(self.charges)


@dataclass(frozen=True, slots=True)
class ExplosionDamage(Event):
    """An explosion hit a ship: its dice, the levels of screens against them, and the points."""

    kind: ClassVar[str] = "explosion-damage"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    cause: Cause
    dice: Open[tuple[int, ...]]
    screens: Open[int]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class ReflexFieldRolled(Event):
    """A reflex field met energy weapon fire: its die, and points fired, taken and returned."""

    kind: ClassVar[str] = "reflected"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    by: ShipRef
    die: Open[int]
    points: Open[int]
    damage_taken: Open[int]
    returned: Open[int]


@dataclass(frozen=True, slots=True)
class FactNoted(Event):
    """A fact on a ship's sheet changed, which only its own side may know; the value 0 clears it."""

    kind: ClassVar[str] = "noted"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    note: Open[str]
    value: Open[int]

    def apply(self, state: BattleState) -> None:
        name, _, key = self.note.partition(":")
        state.ship(self.ship).write_fact(name, self.value, key)


@dataclass(frozen=True, slots=True)
class OpenFactNoted(Event):
    """An open fact changed: a ship rolled over, a turret turned, a system is beyond repair."""

    kind: ClassVar[str] = "marked"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    note: Open[str]
    value: Open[int]

    def is_visible_on_closed_sheet(self) -> bool:
        """Return whether the fact is one that other sides see on the table."""
        return find_fact(self.note.partition(":")[0]).outward

    def apply(self, state: BattleState) -> None:
        name, _, key = self.note.partition(":")
        state.ship(self.ship).write_fact(name, self.value, key)
