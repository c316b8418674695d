"""A ship design as a value: what the yard is told to build, before anything is priced or judged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fitting:
    """`count` systems of one row of the price list, all mounted alike. `arcs` as written; () means none were given.

    `variant` is the model (battery A, B, C; long range torpedo), `size` the class of a weapon that has classes, `mass`
    what a thing that is sized freely takes of the ship. `turret` and `magazine` name the system it stands in or is fed
    from. `load` is what it holds, as (kind, number); `mods` are what its fighters or gunboats were modified with,
    `flags` what the system itself was upgraded with (flak, overload, catapult).
    """

    type: str
    variant: str = ""
    arcs: tuple[str, ...] = ()
    count: int = 1
    size: int = 0
    mass: int = 0
    turret: str = ""
    magazine: str = ""
    load: tuple[tuple[str, int], ...] = ()
    mods: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Design:
    """A class of ship. MASS and thrust are whole numbers; `ftl` names the drive; `civil` tells civil installations.

    What editions with chosen hulls add: `boxes` in `hull_rows` rows; `drive` standard or advanced; `tows`, the mass a
    tug transfers, `advanced_tug` with an advanced drive; `armour`, (standard, regenerative) boxes of each layer, the
    innermost first; `stealth`, the level of a stealth hull; `streamlining` none, partial or full; `flawed`; `beta`,
    arcs turned by 30 degrees to starboard.
    `printed` holds figures a rulebook prints beside the class (points, damage_points), as notes that change nothing.
    """

    cls: str
    edition: str
    kind: str
    mass: int
    thrust: int
    ftl: str
    systems: tuple[Fitting, ...] = ()
    civil: bool = False
    printed: tuple[tuple[str, int], ...] = ()
    boxes: int = 0
    hull_rows: int = 0
    drive: str = "standard"
    tows: int = 0
    advanced_tug: bool = False
    armour: tuple[tuple[int, int], ...] = ()
    stealth: int = 0
    streamlining: str = "none"
    flawed: bool = False
    beta: bool = False
