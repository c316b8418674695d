"""Enumerations for ships, hulls, drives, edges, damage and outcomes; members equal their text.

A member is a string: in keys, documents and logs it appears as its text. Its `label` is what
readers see. Rules that test a member in every loop import it under its own name (`FIGHTING`), which
avoids a lookup in the enumeration.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

from engine.core.phrase import phrase


class LabelledEnum(StrEnum):
    """An enumeration of texts, each with a label for readers."""

    label: str
    plural_label: str

    def __new__(cls, value: str, label: str = "", plural_label: str = "") -> LabelledEnum:
        """Create a member from its text and its label; without a label the text is the label.

        Args:
            plural_label: The label where it is the verb of several ships.
        """
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = phrase(label or value)
        member.plural_label = phrase(plural_label) if plural_label else member.label
        return member

    @classmethod
    def label_of(cls, text: object) -> str:
        """Return the label of the member with this text, or the text if there is none."""
        return next((member.label for member in cls if member == text), phrase(str(text)))

    @classmethod
    def plural_label_of(cls, text: object) -> str:
        """Return the label for several ships, or the text if there is no such member."""
        return next((member.plural_label for member in cls if member == text), phrase(str(text)))

    __repr__ = str.__repr__  # keys are built from it
    __hash__ = str.__hash__  # the hash of an enumeration is many times slower


class ShipStatus(LabelledEnum):
    """The status of a ship in a battle."""

    FIGHTING = "fighting", "on the table"
    DESTROYED = "destroyed"
    LEFT_TABLE = "left", "left the table"
    RETURNING = "returning", "off the table, returning"
    FTL = "ftl", "left by FTL"
    SCANNED_AWAY = "scanned", "was a decoy"  # a dummy that was discovered
    INBOUND = "inbound", "in FTL space"  # enters the table in the turn it is due
    HULK = "hulk", "adrift"  # without crew or power; no side commands it
    CLOAKED = "cloaked", "under a cloaking field"  # still moving, but off the table
    CAPTURED = "captured"
    SURRENDERED = "struck", "surrendered"
    LANDED = "landed", "on the ground"  # on a planet, and out of the battle
    # Out of reach and out of sight of other sides until it detaches.
    CARRIED = ("carried", "aboard its mothership")
    # A base of fighters: out of the battle from the start, and invisible to all sides.
    BASED = "based", "off the table"


FIGHTING: Final = ShipStatus.FIGHTING
DESTROYED: Final = ShipStatus.DESTROYED
LEFT_TABLE: Final = ShipStatus.LEFT_TABLE
RETURNING: Final = ShipStatus.RETURNING
FTL: Final = ShipStatus.FTL
SCANNED_AWAY: Final = ShipStatus.SCANNED_AWAY
INBOUND: Final = ShipStatus.INBOUND
HULK: Final = ShipStatus.HULK
CLOAKED: Final = ShipStatus.CLOAKED
CAPTURED: Final = ShipStatus.CAPTURED
SHIP_SURRENDERED: Final = ShipStatus.SURRENDERED
LANDED: Final = ShipStatus.LANDED
CARRIED: Final = ShipStatus.CARRIED
BASED: Final = ShipStatus.BASED

# No side flies it: it keeps its course and velocity.
DERELICT_STATUSES: Final = (HULK, CAPTURED, SHIP_SURRENDERED)
ON_TABLE: Final = (FIGHTING, *DERELICT_STATUSES)  # visible and in the way, whoever flies it
AWAY_AT_START: Final = (INBOUND, BASED)  # not on the table when turn 1 begins
IN_PLAY: Final = (FIGHTING, RETURNING, INBOUND, CLOAKED, CARRIED)  # on the table, or may come to it


class HullKind(LabelledEnum):
    """A kind of hull."""

    WARSHIP = "warship"
    MERCHANT = "merchant"
    Q_SHIP = "q-ship", "Q ship"
    INSTALLATION = "installation"


INSTALLATION: Final = HullKind.INSTALLATION
# Bays that launch craft but do not recover them in a battle.
RACKS: Final = ("fighter-rack", "gunboat-rack")
HANGARS: Final = ("hangar", "combined-hangar")  # bays that refuel and rearm fighters


class Pilots(LabelledEnum):
    """The quality of a group's pilots."""

    ACE = "ace", "an ace among them"
    TURKEY = "turkey", "raw pilots"
    AVERAGE = "average", "average pilots"


ACE: Final = Pilots.ACE
TURKEY: Final = Pilots.TURKEY
AVERAGE: Final = Pilots.AVERAGE
# Indexed by the number on a sheet; 0: not rolled yet.
PILOTS: Final = ("", ACE, TURKEY, AVERAGE)


class FtlDrive(LabelledEnum):
    """A kind of FTL drive; the drive of a tug takes other ships along."""

    NONE = "none"
    STANDARD = "standard"
    ADVANCED = "advanced"
    TUG = "tug"


class Edge(LabelledEnum):
    """An edge of the table as drawn: x grows to the right, y to the top."""

    LEFT = "left", "left edge"
    RIGHT = "right", "right edge"
    BOTTOM = "bottom", "lower edge"
    TOP = "top", "upper edge"


class Fate(LabelledEnum):
    """The fates of ships that victory conditions count; `DAMAGED` counts damage points instead."""

    DESTROYED = "destroyed"
    STRANDED = "stranded"
    ESCAPED = "escaped"
    DAMAGED = "damaged"


class DamageType(LabelledEnum):
    """The types of damage, by how much of it armour takes."""

    PLAIN = "plain"  # all of it is taken by the outermost layer
    SEMI = "semi", "semi-piercing"  # half of it is
    PIERCING = "piercing"  # each layer takes one point
    HULL = "hull"  # armour takes none


PLAIN: Final = DamageType.PLAIN
SEMI: Final = DamageType.SEMI
PIERCING: Final = DamageType.PIERCING
HULL: Final = DamageType.HULL


class RamOutcome(LabelledEnum):
    """The outcomes of a ram."""

    FAR = "far", "is too far away to ram"
    REFUSED = "refused", "orders a ram, but its crew refuses"
    EVADED = "evaded", "tries to ram and is evaded by"
    RAMMED = "rammed", "rams"


class SweepOutcome(LabelledEnum):
    """The outcomes of sweeping a mine."""

    DETONATES = "detonates", "sets off the mine it tries to sweep"
    MISSED = "missed", "misses a mine, which is now visible to everyone"
    SWEPT = "swept", "sweeps a mine"


class ChaseOutcome(LabelledEnum):
    """The outcomes when a side leaves the battle; `LET_GO`: the enemy chose not to pursue."""

    AWAY = "away", "gets away from the battle"
    LET_GO = "let-go", "gets away from the battle: no enemy pursues"
    PURSUED = "pursued", "is pursued"


class JumpOutcome(LabelledEnum):
    """The outcomes of a ship's entry into FTL."""

    SAFE = "safe", "jumps into FTL safely", "jump into FTL safely"
    FAILED = "failed", "fails to jump", "fail to jump"
    NO_DRIVE = "no-drive", "cannot jump: its drive is out", "cannot jump: their drives are out"
    BLAST_OTHERS = (
        "blast-others",
        "jumps, and the blast damages ships nearby",
        "jump, and the blast damages ships nearby",
    )
    STRAINED = (
        "strained",
        "jumps, and is damaged by objects nearby",
        "jump, and are damaged by objects nearby",
    )
    EXPLODED = (
        "exploded",
        "is destroyed by its own FTL jump",
        "are destroyed by their own FTL jumps",
    )


class GateShape(LabelledEnum):
    """The shapes of passages into hyperspace and out of it; a jump point is natural."""

    GATE = "gate", "jump gate"
    PORTAL = "portal"
    JUMP_POINT = "jump-point", "jump point"


class GateOutcome(LabelledEnum):
    """The outcomes of a ship's passage through a gate."""

    THROUGH = "through", "goes through", "go through"
    LET_OUT = (
        "let-out",
        "goes through and comes out at the other end of",
        "go through and come out at the other end of",
    )
    COMES_OUT = "comes-out", "comes out of", "come out of"
    BACKED_OUT = "backed-out", "backs out of", "back out of"
    LOST = "lost", "is lost in", "are lost in"


class DriveOutcome(LabelledEnum):
    """The outcomes of emergency thrust; `STRAINED`: the drive gives the thrust, and is hit."""

    SUCCEEDED = (
        "held",
        "gets emergency thrust from its drive",
        "get emergency thrust from their drives",
    )
    STRAINED = "strained", "gets emergency thrust from its drive"
    FAILED = (
        "failed",
        "gets no emergency thrust from its drive",
        "get no emergency thrust from their drives",
    )
    BURNT_OUT = (
        "burnt-out",
        "burns out its drive with emergency thrust",
        "burn out their drives with emergency thrust",
    )


class DecloakReason(LabelledEnum):
    """The reasons why a ship decloaks; `BATTLE_OVER`: it would have stayed under its cloak."""

    TIME = "time", "decloaks"
    SPEED = "speed", "is too fast for its cloak and decloaks"
    DAMAGED = "damaged", "loses its cloak"
    BATTLE_OVER = "over", "decloaks at the end of the battle"


class CloakKind(LabelledEnum):
    """The kinds of cloak; a cloaking field takes the ship off the table."""

    DEVICE = "device", "is hidden by its cloaking device"
    FIELD = "field", "is removed from the table under its cloaking field"


class Streamlining(LabelledEnum):
    """How far a hull is built to fly through an atmosphere."""

    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


class EntryOutcome(LabelledEnum):
    """The outcomes of a ship's entry into an atmosphere."""

    LANDED = "landed", "lands on the planet", "land on the planet"
    CRASHED = (
        "crashed",
        "makes a hard landing on the planet: its drives are destroyed",
        "make hard landings on the planet: their drives are destroyed",
    )
    BURNT_UP = (
        "burnt-up",
        "burns up in the atmosphere; its craft get away",
        "burn up in the atmosphere; their craft get away",
    )
    LOST = (
        "lost",
        "burns up in the atmosphere with all aboard",
        "burn up in the atmosphere with all aboard",
    )


class DerelictCause(LabelledEnum):
    """The reasons why a ship becomes a derelict."""

    DUMPED = "dumped", "dumps its power core and drifts", "dump their power cores and drift"
    ABANDONED = (
        "abandoned",
        "is abandoned and drifts; its power core is still out of control",
        "are abandoned and drift; their power cores are still out of control",
    )
    NO_AIR = (
        "no-air",
        "is abandoned because its life support has failed, and drifts",
        "are abandoned because their life support has failed, and drift",
    )


class DestroyedBy(LabelledEnum):
    """The causes that destroy a ship with boxes left, as entered for a battle at a table."""

    FTL = "ftl", "its own FTL jump"
    ASTEROID = "asteroid", "an asteroid"
    EXPLOSION = "exploded", "an internal explosion"
    PLANET = "planet", "a planet, or its atmosphere"


class ScanDetail(IntEnum):
    """What a scan with better sensors shows; each level includes all lower ones.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]
    """

    NOTHING = 0
    MASS = 1
    DRIVE = 2  # drive and screens, as built
    SYSTEMS = 3  # all systems, as built
    EVERYTHING = 4  # also damage, and which systems still work
