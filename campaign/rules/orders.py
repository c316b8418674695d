"""What a faction orders in each stage, as frozen values. What a kind of order does: `campaign.orders`.

One payload shape for every stage: `Orders`; a stage reads the part that is its own and refuses the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaign.rules.scenario import Choice
from campaign.rules.world import Answer, Doctrine

STANDARD = Doctrine()


@dataclass(frozen=True, slots=True)
class Deployed:
    """A fleet set up in secret at the deployment: `ships` as (class, ship's name)."""

    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, str], ...]
    decoys: int = 0
    standing: Choice | None = None
    doctrine: Doctrine = STANDARD


@dataclass(frozen=True, slots=True)
class Move:
    """A week's move: the hexes stepped into, in order (`path`), or a destination the umpire routes to (`to`)."""

    fleet: str
    path: tuple[str, ...] = ()
    to: str = ""


@dataclass(frozen=True, slots=True)
class Detach:
    """Ships of fleets in one hex leave them and form the fleet `into`: an existing one there, or a new key.

    Split, merge and transfer are all this; a fleet left without ships is gone.
    """

    ships: tuple[str, ...]
    into: str
    name: str = ""
    decoys: int = 0


@dataclass(frozen=True, slots=True)
class Dock:
    """A ship docks at its system's base (or stays docked): up to three systems to repair; `scuttle` if taken."""

    ship: str
    repair: tuple[str, ...] = ()
    replenish: bool = False
    scuttle: bool = False


@dataclass(frozen=True, slots=True)
class Tow:
    """A tug has exactly these ships in tow from now on, of its own fleet; none: it puts down what it has."""

    tug: str
    ships: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rearming:
    """A system of a ship is set or loaded otherwise; `setting` "": as its class has it."""

    ship: str
    system: str
    setting: str


@dataclass(frozen=True, slots=True)
class Build:
    """A ship of class `cls` is to be built at a yard in `hex` under `name`; or the own `ship` docked there made one."""

    hex: str
    cls: str
    name: str = ""
    ship: str = ""


@dataclass(frozen=True, slots=True)
class Dummy:
    """A dummy counter is put on the map at `hex`, under a new key, or taken off it for good. It moves by `moves`."""

    dummy: str
    hex: str = ""
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Decide:
    """The choice toward one hostile faction at a hex."""

    hex: str
    toward: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class FleetSetting:
    """The settings of a fleet from now on: its name, standing choice, doctrine; None leaves it as it was.

    `answers`: all its standing orders with conditions, in their order; an empty list takes back what there were.
    """

    fleet: str
    name: str | None = None
    standing: Choice | None = None
    doctrine: Doctrine | None = None
    decoys_on: int | None = None  # drones to deploy on arrival this week
    answers: tuple[Answer, ...] | None = None


@dataclass(frozen=True, slots=True)
class OrderValue:
    """An order that no rule below `campaign.orders` reads: its kind declares it in its own file."""


@dataclass(frozen=True, slots=True)
class Orders:
    """A faction's sealed orders for one stage; all tuples sorted by their first field when canonical.

    Sequence within a week: settings, detachments, docks (a docked ship not named undocks), refits, tows (a tug not
    named keeps what it has), decisions of those in contact, moves. `designs`: the faction's own classes of which ships
    are deployed or built, each whole as the engine's design. `build` stands in the order in which the yards begin it.
    """

    deploy: tuple[Deployed, ...] = ()
    settings: tuple[FleetSetting, ...] = ()
    detach: tuple[Detach, ...] = ()
    dock: tuple[Dock, ...] = ()
    weasels: tuple[str, ...] = ()  # ships whose weasel is switched on
    decide: tuple[Decide, ...] = ()
    moves: tuple[Move, ...] = ()
    tow: tuple[Tow, ...] = ()
    dummies: tuple[Dummy, ...] = ()  # where markers are open; put down or taken off before anybody moves
    refit: tuple[Rearming, ...] = ()
    designs: tuple[dict[str, Any], ...] = ()
    build: tuple[Build, ...] = ()
    cancel: tuple[str, ...] = ()  # work that the yards have not begun
    others: tuple[OrderValue, ...] = ()  # of all kinds that have no entry above
