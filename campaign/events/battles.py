"""Events of battles: how they begin and end, ships lost, taken and recovered, stores and cargo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from campaign.events.event import Fact, Facts, Open, WeekEvent, number_in
from engine.core.kinds import LabelledEnum

SIDE_SEPARATOR = " v "
ALLY_SEPARATOR = "+"
LOSS_SUFFIX = "-lost"  # follows the faction in the key of its losses


class LossCause(LabelledEnum):
    """How a ship was lost: by its status in a battle, or docked in a system that fell."""

    DESTROYED = "destroyed"
    CAPTURED = "captured"
    STRUCK = "struck", "surrendered"
    HULK = "hulk", "left adrift as a hulk"
    SCUTTLED = "scuttled", "scuttled by its crew"
    LANDED = "landed", "captured after landing"


@dataclass(frozen=True, slots=True)
class BattleJoined(WeekEvent):
    """A battle that is to be fought.

    Attributes:
        sides: The factions, written as `esu+nac v fse`.
    """

    code: ClassVar[str] = "battle-joined"
    sides: Open[str]

    @property
    def factions(self) -> tuple[tuple[str, ...], ...]:
        """Return the factions of each side."""
        sides = self.sides.split(SIDE_SEPARATOR)
        return tuple(tuple(side.split(ALLY_SEPARATOR)) for side in sides)


@dataclass(frozen=True, slots=True)
class BattleOver(WeekEvent):
    """A battle that is over.

    Attributes:
        winner: The factions of the winning side, joined by `+`, or empty.
        losses: The number of ships that each faction lost.
    """

    code: ClassVar[str] = "battle-over"
    turns: Open[int]
    winner: Open[str]
    losses: Open[tuple[tuple[str, int], ...]]

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the factions of the side that won."""
        return tuple(faction for faction in self.winner.split(ALLY_SEPARATOR) if faction)

    def stored_pairs(self, name: str) -> Facts:  # noqa: ARG002 -- `losses` is the only such field
        """Return the losses by faction, with `-lost` after each faction's id."""
        return tuple((f"{faction}{LOSS_SUFFIX}", ships) for faction, ships in self.losses)

    @classmethod
    def from_facts(cls, audience: tuple[str, ...], hex_: str, facts: Facts) -> Self:
        values = dict(facts)
        losses = []
        for key, ships in facts:
            if key.endswith(LOSS_SUFFIX):
                losses.append((key.removesuffix(LOSS_SUFFIX), number_in(ships)))
        return cls(
            audience,
            hex_,
            turns=number_in(values["turns"]),
            winner=str(values["winner"]),
            losses=tuple(losses),
        )


@dataclass(frozen=True, slots=True)
class ShipLost(WeekEvent):
    """A ship that its owner lost.

    Attributes:
        cause: A `LossCause`.
        captor: The faction that has it now, or empty.
    """

    code: ClassVar[str] = "ship-lost"
    loses_ship: ClassVar[bool] = True
    stored_as: ClassVar = {"ship_class": "class"}
    optional: ClassVar = ("captor",)
    ship: Open[str]
    ship_class: Open[str]
    cause: Open[str]
    captor: Open[str] = ""

    @property
    def destroyed(self) -> bool:
        """Return whether it was destroyed; reports combine such losses at one place."""
        return self.cause == LossCause.DESTROYED


@dataclass(frozen=True, slots=True)
class ShipTaken(WeekEvent):
    """A ship of `owner` that the audience took.

    Attributes:
        ship: Its new name; empty in old documents.
    """

    stored_as: ClassVar = {"ship_class": "class"}
    ship_class: Open[str]
    owner: Open[str]
    cause: Open[str]
    ship: Open[str] = ""


@dataclass(frozen=True, slots=True)
class TakenAtDock(ShipTaken):
    """A docked ship that was captured or found scuttled."""

    code: ClassVar[str] = "taken-at-dock"

    @property
    def captured(self) -> bool:
        """Return whether it was captured; otherwise it was found scuttled."""
        return self.cause == LossCause.CAPTURED


@dataclass(frozen=True, slots=True)
class PrizeTaken(ShipTaken):
    """A ship that became a prize."""

    code: ClassVar[str] = "prize"


@dataclass(frozen=True, slots=True)
class ShipRecovered(WeekEvent):
    """A ship of the audience that could not fight on, was recovered and is laid up."""

    code: ClassVar[str] = "recovered"
    stored_as: ClassVar = {"ship_class": "class"}
    ship: Open[str]
    ship_class: Open[str]
    cause: Open[str]


@dataclass(frozen=True, slots=True)
class CargoLost(WeekEvent):
    """Cargo or passengers (`what`) that a ship lost, and how much remains."""

    code: ClassVar[str] = "cargo-lost"
    ship: Open[str]
    what: Open[str]
    lost: Open[int]
    remaining: Open[int]


@dataclass(frozen=True, slots=True)
class StoresShort(WeekEvent):
    """A ship that is short of stores.

    Attributes:
        remaining: What is left, by system (and load).
    """

    code: ClassVar[str] = "stores"
    ship: Open[str]
    remaining: Open[tuple[tuple[str, int], ...]]

    @classmethod
    def from_facts(cls, audience: tuple[str, ...], hex_: str, facts: Facts) -> Self:
        values: dict[str, Fact] = dict(facts)
        ship = str(values.pop("ship"))
        remaining = tuple((system, number_in(amount)) for system, amount in values.items())
        return cls(audience, hex_, ship=ship, remaining=remaining)


@dataclass(frozen=True, slots=True)
class TowEnded(WeekEvent):
    """A ship that was released from tow for a battle."""

    code: ClassVar[str] = "tow-ended"
    ship: Open[str]
