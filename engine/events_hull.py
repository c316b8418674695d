"""What befell hulls and systems by the later rulebook, as frozen values: fire, armour, notes, repairs, explosions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.events import HULL, OWN, Event


@dataclass(frozen=True, slots=True)
class GunFired(Event):
    """A weapon's fire at one target.

    `range` in MU; `screens`: levels its dice met; `mode`: how it fired; `needed`: the die it hit on, 0 where dice are
    read as a beam's; `dice`: those to hit, re-rolls in their place; `damage`: those for damage; `hits`: damage points,
    or hits that do no damage (EMP, transporters).
    """

    kind: ClassVar[str] = "fire"
    ship: str
    weapon: str
    target: str
    range: float
    arc: str
    screens: int
    mode: str
    needed: int
    dice: tuple[int, ...]
    damage: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class Absorbed(Event):
    """Damage points that armour took, and what is left of each layer: (standard, regenerative), innermost first."""

    kind: ClassVar[str] = "absorbed"
    eyes: ClassVar[str] = HULL
    ship: str
    cause: str
    points: int
    armour: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Spent(Event):
    """A weapon that fires but once, or a load, is used: so much is left of it."""

    kind: ClassVar[str] = "spent"
    eyes: ClassVar[str] = HULL
    ship: str
    weapon: str
    left: int


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """Something pencilled on a ship's sheet for its own side's eyes: the note and its number, 0: rubbed out."""

    kind: ClassVar[str] = "noted"
    eyes: ClassVar[str] = OWN
    ship: str
    note: str
    value: int


@dataclass(frozen=True, slots=True)
class Marked(Event):
    """The same where everybody sees it: a ship rolls over, a turret turns, a system is beyond repair."""

    kind: ClassVar[str] = "marked"
    eyes: ClassVar[str] = HULL
    ship: str
    note: str
    value: int


@dataclass(frozen=True, slots=True)
class SystemChecked(Event):
    """Checks of single systems apart from thresholds (EMP, emergency thrust): each die, what loses, what was lost."""

    kind: ClassVar[str] = "system-check"
    eyes: ClassVar[str] = HULL
    ship: str
    cause: str
    loses_on: int
    rolls: tuple[tuple[str, int], ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repaired(Event):
    """Damage control at work on one system: how many parties, the die, and whether it works again."""

    kind: ClassVar[str] = "repair"
    eyes: ClassVar[str] = HULL
    ship: str
    system: str
    parties: int
    die: int
    done: bool


@dataclass(frozen=True, slots=True)
class Adrift(Event):
    """A ship nobody commands any more: its life support failed, its crew left it, or its power core is gone."""

    kind: ClassVar[str] = "adrift"
    ship: str
    why: str


@dataclass(frozen=True, slots=True)
class CoreHit(Event):
    """A core system is hit: the die, 0 where none is thrown, and what is pencilled beside it (`engine.notes`): the last
    turn out of control, the turn after which life support fails, or the die with which the power core explodes.
    """

    kind: ClassVar[str] = "core-hit"
    eyes: ClassVar[str] = HULL
    ship: str
    system: str
    die: int
    value: int


@dataclass(frozen=True, slots=True)
class ReactorRolled(Event):
    """The end of a turn with a power core out of control: it explodes with `needed` or more."""

    kind: ClassVar[str] = "reactor"
    eyes: ClassVar[str] = HULL
    ship: str
    needed: int
    die: int
