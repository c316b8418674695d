"""The orders that a faction gives in each stage, as frozen values.

`campaign.orders` says what each kind does. One type serves all stages; a stage takes the kinds
that belong to it and refuses the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from campaign.rules.scenario import Choice
from campaign.rules.world import Answer, Doctrine

STANDARD = Doctrine()


@dataclass(frozen=True, slots=True)
class DeployedFleet:
    """A deployed fleet. `ships` are pairs of a class and the ship's name.

    Attributes:
        decoy_thrust: The thrust of its decoy drones; None: as the fastest ship that looks like one.
        pilots: The aces bought for its fighter groups, by the ship's name and the bay.
    """

    name: str
    budget: str
    hex: str
    ships: tuple[tuple[str, str], ...]
    decoys: int = 0
    standing: Choice | None = None
    doctrine: Doctrine = STANDARD
    decoy_thrust: int | None = None
    pilots: dict[str, dict[str, str]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Move:
    """A week's move of a fleet or dummy counter.

    Attributes:
        path: The hexes entered, in order.
        to: The destination, to which the umpire finds the route. Either this or `path` is given.
    """

    fleet: str
    path: tuple[str, ...] = ()
    to: str = ""


@dataclass(frozen=True, slots=True)
class Detachment:
    """An order that ships of fleets in one hex leave them and join or form another fleet.

    It splits and merges fleets and transfers ships. A fleet left without ships is gone.

    Attributes:
        into: The key of a fleet in the same hex, or a new key.
        name: The name of a new fleet.
        decoys: How many decoy drones go with the ships.
    """

    ships: tuple[str, ...]
    into: str
    name: str = ""
    decoys: int = 0


@dataclass(frozen=True, slots=True)
class Dock:
    """An order to dock a ship at the base of its system, or to keep it docked.

    Attributes:
        repair: Up to three systems to repair.
        scuttle: Whether it is scuttled before a foe can take it.
    """

    ship: str
    repair: tuple[str, ...] = ()
    replenish: bool = False
    scuttle: bool = False


@dataclass(frozen=True, slots=True)
class Tow:
    """A tug that has exactly these ships of its own fleet in tow from now on."""

    tug: str
    ships: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rearming:
    """A new setting or load of a ship's system. An empty `setting` is that of its class."""

    ship: str
    system: str
    setting: str


@dataclass(frozen=True, slots=True)
class Build:
    """Work for a yard in `hex`: build a ship of class `cls`, or modify the docked `ship` to it."""

    hex: str
    cls: str
    name: str = ""
    ship: str = ""


@dataclass(frozen=True, slots=True)
class Dummy:
    """A dummy counter to place in `hex` under a new key, or to remove. `Move` moves it."""

    dummy: str
    hex: str = ""
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The choice toward one hostile faction in a hex."""

    hex: str
    toward: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class FleetSetting:
    """The settings of a fleet from now on. None leaves a setting unchanged.

    Attributes:
        decoys_on: How many decoy drones it deploys on arrival this week.
        answers: All its standing orders with conditions, in order. An empty tuple removes them.
        decoy_thrust: The thrust of its decoy drones; 0: as the fastest ship that looks like one.
    """

    fleet: str
    name: str | None = None
    standing: Choice | None = None
    doctrine: Doctrine | None = None
    decoys_on: int | None = None
    answers: tuple[Answer, ...] | None = None
    decoy_thrust: int | None = None


@dataclass(frozen=True, slots=True)
class BattleSetUp:
    """Where a faction's ships begin the battle in a hex.

    Attributes:
        ships: The places that were chosen, by ship, as in a battle file's `set_up`. The captain
            places all other ships.
        formation: In which the captain places them; "": that of the doctrine.
    """

    hex: str
    ships: dict[str, dict[str, Any]] = field(default_factory=dict)
    formation: Literal["", "ranks", "line", "column", "wedge", "screen"] = ""


@dataclass(frozen=True, slots=True)
class OrderValue:
    """The base class of orders whose kind declares them in its own file in `campaign.orders`.

    The orders above are declared here because rules read them.
    """


@dataclass(frozen=True, slots=True)
class Orders:
    """A faction's orders for one stage, by kind.

    Attributes:
        weasels: The ships whose weasel system is on.
        designs: The faction's own classes of which ships are deployed or built, as documents of the
            engine.
        build: In the order in which the yards begin the ships.
        cancel: The keys of work that the yards have not begun.
        sweep: The ships that sweep mines at the week's end.
        other_kinds: The orders of all kinds without a field of their own.
    """

    deploy: tuple[DeployedFleet, ...] = ()
    settings: tuple[FleetSetting, ...] = ()
    detach: tuple[Detachment, ...] = ()
    dock: tuple[Dock, ...] = ()
    weasels: tuple[str, ...] = ()
    decide: tuple[Decision, ...] = ()
    moves: tuple[Move, ...] = ()
    tow: tuple[Tow, ...] = ()
    dummies: tuple[Dummy, ...] = ()
    refit: tuple[Rearming, ...] = ()
    designs: tuple[dict[str, Any], ...] = ()
    build: tuple[Build, ...] = ()
    cancel: tuple[str, ...] = ()
    set_up: tuple[BattleSetUp, ...] = ()
    sweep: tuple[str, ...] = ()
    other_kinds: tuple[OrderValue, ...] = ()
