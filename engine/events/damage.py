"""Damage, armour, threshold and system checks, what a ship has noted on its sheet, repairs,
explosions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.kinds import HULK
from engine.core.ship_facts import find_fact
from engine.core.state import BattleState
from engine.events.event import Audience, Cause, Event, Listener, LogOrder, Open, ShipRef


@dataclass(frozen=True, slots=True)
class ShipDamaged(Event):
    """Damage points marked off: `points` of them, `total` marked now.

    `die` is the die that made them, 0 where none.
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
    """Damage points that armour took, and what is left of each layer: (standard, regenerative),
    innermost first.
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
    """A threshold check: the row that ended (from 1), the die that loses a system, each system's
    die, what was lost.
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
        """Of a ship that passes for another a side is told what its cover shows."""
        document = self.to_json()
        if self.ship in listener.covers:
            cover_systems = listener.covers[self.ship]
            document["rolls"] = [roll for roll in document["rolls"] if roll[0] in cover_systems]
            document["lost"] = [name for name in document["lost"] if name in cover_systems]
        return document


@dataclass(frozen=True, slots=True)
class SystemChecked(Event):
    """Checks of single systems apart from thresholds (EMP, emergency thrust): each die, what loses,
    what was lost.
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
class SystemLost(Event):
    """A system knocked out by itself: no row of the damage track ended for it."""

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
    """A ship nobody commands any more: its life support failed, its crew left it, or its power core
    is gone.
    """

    kind: ClassVar[str] = "adrift"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    why: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = HULK


@dataclass(frozen=True, slots=True)
class CoreHit(Event):
    """A core system is hit: the die, 0 where none is thrown, and what is written down beside it:
    the last turn out of control, the turn after which life support fails, or the die with which the
    power core explodes.
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
    """The end of a turn with a power core out of control: it explodes with `needed` or more."""

    kind: ClassVar[str] = "reactor"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    needed: Open[int]
    die: Open[int]


@dataclass(frozen=True, slots=True)
class RepairRolled(Event):
    """Damage control at work on one system: how many parties, the die, and whether it works
    again.
    """

    kind: ClassVar[str] = "repair"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    system: Open[str]
    parties: Open[int]
    die: Open[int]
    done: Open[bool]

    def apply(self, state: BattleState) -> None:
        if self.done:
            state.ship(self.ship).restore(self.system)


@dataclass(frozen=True, slots=True)
class ArmourRegenerated(Event):
    """Regenerative armour at a turn's end: the dice of its damaged boxes, what is left of each
    layer (standard, regenerative) now, and the boxes of each layer beyond repair; layers innermost
    first.
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
    """Damaged suicide charges at a turn's end: the die of each, and which go off."""

    kind: ClassVar[str] = "charge"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    ship: ShipRef
    rolls: Open[tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class ChargesDetonated(Event):
    """Suicide charges go off: these systems of a ship are gone for good; the damage they do
    follows.
    """

    kind: ClassVar[str] = "detonated"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    at: Open[tuple[float, float]]
    charges: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).remove_charges(self.charges)


@dataclass(frozen=True, slots=True)
class ExplosionDamage(Event):
    """The dice of an explosion to one ship, the levels of screens that weakened them, and the
    points they make.
    """

    kind: ClassVar[str] = "burned"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    ship: ShipRef
    cause: Cause
    dice: Open[tuple[int, ...]]
    screens: Open[int]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class ReflexFieldRolled(Event):
    """A reflex field under fire of energy weapons: its die, the points they made, those taken and
    those returned.
    """

    kind: ClassVar[str] = "reflected"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    by: ShipRef
    die: Open[int]
    points: Open[int]
    taken: Open[int]
    returned: Open[int]


@dataclass(frozen=True, slots=True)
class FactNoted(Event):
    """A fact is written down on a ship's sheet, told to its own side alone: the note and its
    number, 0 where it is removed.
    """

    kind: ClassVar[str] = "noted"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    note: Open[str]
    value: Open[int]

    def apply(self, state: BattleState) -> None:
        name, _, of = self.note.partition(":")
        state.ship(self.ship).write_fact(name, self.value, of)


@dataclass(frozen=True, slots=True)
class OpenFactNoted(Event):
    """The same where everybody sees it: a ship rolls over, a turret turns, a system is beyond
    repair.
    """

    kind: ClassVar[str] = "marked"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    note: Open[str]
    value: Open[int]

    def is_visible_on_closed_sheet(self) -> bool:
        return find_fact(self.note.partition(":")[0]).outward

    def apply(self, state: BattleState) -> None:
        name, _, of = self.note.partition(":")
        state.ship(self.ship).write_fact(name, self.value, of)
