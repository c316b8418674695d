"""The record sheet of a ship: everything about it that no battle changes."""

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
    """One system fitted: `id` is its type and number in the design's order (`battery-2`).

    `size`: the class of a Continuum weapon, the level or the room of what comes in sizes. `turret`:
    the id of the turret it stands in. `flags`: what it was upgraded with (flak, overload), then the
    modifications of the craft in it. `mass`: of what is freely sized. `load`: what it holds, (kind,
    number). `magazine`: the id of what feeds it.
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
    """A ship record sheet: everything about a ship that no battle changes.

    `fits` stand in canonical order: the design's order, implied FireCons after them, then drive,
    then ftl. `rows` are the boxes of each row of the damage track, upper row first; `boxes` their
    sum. `ftl`: none, standard, advanced or tug. `drive`: standard or advanced. `armour`: (standard,
    regenerative) boxes of each layer, the innermost first. `stealth`: level of a stealth hull.
    `crew`: the box, counted along the track, with which each crew factor is lost. `beta`: its arcs
    are turned 30 degrees to starboard. `flawed`: a critical hit may blow it up. `rams`: its crew
    never shrinks from a ram. `streamlining`: how well it flies through air.
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
        """Of what tells most sheets from each other: much is kept by sheet, and each has many
        fits.
        """
        return hash((self.cls, self.mass, self.points, self.boxes))


class ShipProfile:
    """A sheet as rules of battle ask about it, worked out once: where its systems stand in `fits`,
    and what its batteries roll.

    `batteries`: (place in fits, arc bits, dice within 12, 24 and 36 MU). `bays`: fighter bays;
    `places`: every place of a type, for types that are not looked up in the heat of battle;
    `bears`: the arc bits of every fit. `row_ends`: (damage that ends the row, the die that loses a
    system there); rows without boxes are left out, the last row too. `whole`: how often each fit
    can be hit before it is out, two for the drive. `most_screens`: the level that more generators
    do not raise. A FireCon that counts as two stands twice in `firecons`. `weapons`: the row of
    every fit, NO_WEAPON where it is none; `reaches`: the squared MU it reaches where nothing is
    said; `having`: every place with a trait; `full`: what each fit holds fresh from a base;
    `craft`: the type of craft each bay is for, "" where it is none; `area`: it screens its friends;
    `feared`: beam dice that what else it has beside batteries is feared like; `sturdy`: places of
    what keeps what it holds when it is hit; `launchers`: what launches ordnance; `along`: the ways
    in which weapons sweep the table from it.
    """

    __slots__ = (
        "along",
        "area",
        "batteries",
        "bays",
        "bears",
        "craft",
        "drive",
        "firecons",
        "ftl",
        "full",
        "having",
        "index_of",
        "launchers",
        "most_screens",
        "places",
        "reaches",
        "row_ends",
        "screens",
        "sturdy",
        "threat_dice",
        "undamaged",
        "weapons",
    )

    def __init__(
        self,
        batteries: tuple[tuple[int, int, tuple[int, int, int]], ...],
        screens: tuple[int, ...],
        firecons: tuple[int, ...],
        drive: int,
        ftl: int,
        row_ends: tuple[tuple[int, int], ...],
        index_of: dict[str, int],
        places: dict[str, tuple[int, ...]],
        bears: tuple[int, ...],
        undamaged: tuple[int, ...],
        most_screens: int,
        weapons: tuple[Weapon, ...],
        reaches: tuple[float, ...],
        having: Mapping[Trait, tuple[int, ...]],
        full: tuple[int, ...],
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
        self.places = places
        self.bears = bears
        self.undamaged = undamaged
        self.most_screens = most_screens
        self.weapons = weapons
        self.reaches = reaches
        self.having = having
        self.full = full
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
    """The ids of the systems a ship has lost of which so much is left, by place, once for each time
    it was hit.
    """
    return tuple(
        name
        for name, place in profile.index_of.items()
        for _ in range(profile.undamaged[place] - alive[place])
    )
