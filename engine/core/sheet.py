"""The record sheet of a ship: everything about it that a battle does not change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.core.edition import Edition
from engine.core.kinds import HullKind, Streamlining

if TYPE_CHECKING:
    from engine.weapons.weapon import Trait, Weapon


@dataclass(frozen=True, slots=True)
class Fit:
    """One fitted system; `id` is its type and its number in the order of the design (`battery-2`).

    Attributes:
        size: The class of a Continuum weapon, or the level or room of a system that comes in sizes.
        turret: The id of the turret that it is mounted in.
        flags: Its upgrades (flak, overload), then the modifications of the craft in it.
        mass: The mass of a system that is freely sized.
        load: Its contents as (kind, number).
        magazine: The id of the magazine that feeds it.
    """

    id: str
    type: str
    variant: str
    arcs: tuple[str, ...]
    offensive: bool = False
    expendable: bool = False
    size: int = 0
    turret: str = ""
    flags: tuple[str, ...] = ()
    mass: int = 0
    load: tuple[tuple[str, int], ...] = ()
    magazine: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ship record sheet: everything about a ship that a battle does not change.

    Attributes:
        ftl: none, standard, advanced or tug.
        boxes: The sum of `rows`.
        rows: The boxes of each row of the damage track, upper row first.
        fits: The systems in the order of the design, then implied FireCons, then drive, then FTL
            drive.
        drive: standard or advanced.
        armour: (standard, regenerative) boxes of each layer, the innermost first.
        stealth: The level of a stealth hull.
        crew: The box of the damage track with which each crew factor is lost.
        beta: Its arcs are turned 30 degrees to starboard.
        flawed: A critical hit may blow it up.
        rams: Its crew never refuses to ram.
        streamlining: How well it flies through an atmosphere.

    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]; Continuum "System status
    display" 2.4
    """

    cls: str
    edition: Edition
    kind: HullKind
    classification: str
    mass: int
    thrust: int
    ftl: str
    points: int
    boxes: int
    rows: tuple[int, ...]
    fits: tuple[Fit, ...]
    design: dict[str, Any] = field(default_factory=dict, compare=False)
    drive: str = "standard"
    armour: tuple[tuple[int, int], ...] = ()
    stealth: int = 0
    crew: tuple[int, ...] = ()
    beta: bool = False
    flawed: bool = False
    rams: bool = False
    streamlining: str = Streamlining.NONE

    def __hash__(self) -> int:
        """Hash only a few fields, because caches use sheets as keys and each has many fits."""
        return hash((self.cls, self.mass, self.points, self.boxes))


class ShipProfile:
    """What the rules of battle look up about a sheet, worked out once.

    Systems are given by their indexes in `Sheet.fits`.

    Attributes:
        batteries: (index, arc bits, dice within 12, 24 and 36 MU).
        screens: Indexes of screen generators.
        firecons: Indexes of FireCons; one that counts as two is listed twice.
        drive: Index of the drive, -1 if there is none.
        ftl: Index of the FTL drive, -1 if there is none.
        row_ends: (damage that ends a row, the die that loses a system there); without empty rows
            and the last row.
        index_of: Indexes by system id.
        indexes_by_type: Indexes by type, for types that are not looked up in hot loops.
        bears: The arc bits of every fit.
        undamaged: How many hits put each fit out of action; two for the drive.
        most_screens: The level that more generators do not raise.
        weapons: The row of every fit in the weapon table; NO_WEAPON if it is no weapon.
        reaches: The squared range of every fit in its usual mode, in square MU.
        having: Indexes of the weapons with a trait, by trait.
        contents: What each fit holds after replenishment at a base, by the names of its stock; the
            dictionaries must not be changed.
        full: The sums of `contents`.
        craft: The type of craft of each bay; "" for other fits.
        area: Its screens cover friendly ships.
        sturdy: Indexes of systems that keep their contents when they are hit.
        threat_dice: Beam dice that its weapons other than batteries are worth to enemy captains.
        launchers: Indexes of weapons that launch ordnance.
        along: The paths (LINE, BOW) along which its weapons fire.
        bays: Indexes of bays for craft.
    """

    __slots__ = (
        "along",
        "area",
        "batteries",
        "bays",
        "bears",
        "contents",
        "craft",
        "drive",
        "firecons",
        "ftl",
        "full",
        "having",
        "index_of",
        "indexes_by_type",
        "launchers",
        "most_screens",
        "reaches",
        "row_ends",
        "screens",
        "sturdy",
        "threat_dice",
        "undamaged",
        "weapons",
    )

    def __init__(  # noqa: PLR0913, PLR0917 -- one value for each field
        self,
        batteries: tuple[tuple[int, int, tuple[int, int, int]], ...],
        screens: tuple[int, ...],
        firecons: tuple[int, ...],
        drive: int,
        ftl: int,
        row_ends: tuple[tuple[int, int], ...],
        index_of: dict[str, int],
        indexes_by_type: dict[str, tuple[int, ...]],
        bears: tuple[int, ...],
        undamaged: tuple[int, ...],
        most_screens: int,
        weapons: tuple[Weapon, ...],
        reaches: tuple[float, ...],
        having: Mapping[Trait, tuple[int, ...]],
        contents: tuple[dict[str, int], ...],
        craft: tuple[str, ...],
        area: bool,
        sturdy: frozenset[int],
    ) -> None:
        self.batteries = batteries
        self.screens = screens
        self.firecons = firecons
        self.drive = drive
        self.ftl = ftl
        self.row_ends = row_ends
        self.index_of = index_of
        self.indexes_by_type = indexes_by_type
        self.bears = bears
        self.undamaged = undamaged
        self.most_screens = most_screens
        self.weapons = weapons
        self.reaches = reaches
        self.having = having
        self.contents = contents
        self.full = tuple(sum(stock.values()) for stock in contents)
        self.craft = craft
        self.sturdy = sturdy
        self.area = area
        self.threat_dice = sum(weapon.threat_dice for weapon in weapons)
        self.launchers = tuple(
            index for index, weapon in enumerate(weapons) if weapon.ordnance is not None
        )
        self.along = tuple(dict.fromkeys(weapon.along for weapon in weapons if weapon.along))
        self.bays = tuple(index for index, type_ in enumerate(craft) if type_)


@lru_cache(maxsize=16384)
def lost_system_ids(profile: ShipProfile, alive: tuple[int, ...]) -> tuple[str, ...]:
    """Return the ids of the lost systems, once for each hit.

    Args:
        alive: What is left of each system, by index (`ShipState.alive`).
    """
    lost_ids: list[str] = []
    for system_id, index in profile.index_of.items():
        hits = profile.undamaged[index] - alive[index]
        lost_ids += [system_id] * hits
    return tuple(lost_ids)
