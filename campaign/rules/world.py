"""The truth: the umpire's sheet of one week, as frozen values.

Only adjudication and the umpire read it.

Everything has a stable key (`esu/f3`, `esu/s12`), the only sort order; tuples here are sorted by
key unless said otherwise. Weeks count from 1; week 0 is the deployment. No floats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from campaign.kinds import StageText
from campaign.rules.scenario import Choice, ShipClass

Settled = Literal["battle", "overrun", "apart", "gone"]


@dataclass(frozen=True, slots=True)
class Doctrine:
    """The doctrine of a computer captain.

    Range in MU, None: the best of its weapons; shares in percent of points.

    `targets`: nearest, weakest, strongest or most dangerous first. `break_off`: leave the table
    once that share is lost (100: never). `flee`: leave it as soon as the battle begins (a fleet
    caught withdrawing).
    """

    range: int | None = None
    targets: Literal["nearest", "weakest", "strongest", "dangerous"] = "dangerous"
    break_off: int = 60
    flee: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A standing order with a condition: the choice toward whom a fleet meets, where its long range
    scan reads at least `least` and at most `most` (None: any number) contacts of the classification
    `of` ("": of all).
    """

    choice: Choice
    of: str = ""
    least: int = 0
    most: int | None = None

    def holds(self, counts: Iterable[tuple[str, int]]) -> bool:
        """Whether a scan meets its condition. `counts`: contacts by classification."""
        matching = sum(number for kind, number in counts if self.of in ("", kind))
        return self.least <= matching and (self.most is None or matching <= self.most)


@dataclass(frozen=True, slots=True)
class Cargo:
    """The cargo of a ship, passengers too: `what` in the scenario's words, the `amount` loaded, how
    much is `left`.
    """

    what: str
    amount: int
    left: int


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship.

    `lost` holds the engine's system ids in canonical order, `drive` once for half thrust, twice for
    none.

    `stock`: (system, what is left), sorted, of each bay, pack and minelayer that is below full.
    `docked`: at the base of its fleet's system since the orders of this week or before. `repair`
    and `replenish`: what is wanted of the base this week (kept from the orders until the aftermath,
    then cleared); both empty unless docked. `tug`: the key of the ship that has it in tow, or
    empty; both are of one fleet. `laid_up`: a prize or a hulk under a few hands, which cannot fight
    until a base has worked on it. `settings`: (system, setting), sorted, of each system that is set
    or loaded otherwise than its class; `refit`: what the base is to load otherwise this week,
    cleared like `repair`. `notes`: (note, number), sorted, of what the last battle left pencilled
    on its sheet (`engine.core.ship_facts`).
    """

    key: str
    faction: str
    name: str
    cls: str
    fleet: str
    damage: int = 0
    lost: tuple[str, ...] = ()
    stock: tuple[tuple[str, int], ...] = ()
    docked: bool = False
    scuttle: bool = False
    weasel_on: bool = False
    repair: tuple[str, ...] = ()
    replenish: bool = False
    tug: str = ""
    laid_up: bool = False
    cargo: Cargo | None = None
    settings: tuple[tuple[str, str], ...] = ()
    refit: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, int], ...] = ()

    @property
    def is_helpless(self) -> bool:
        """Whether it cannot fight, whatever works: it lies at dock, or is laid up."""
        return self.docked or self.laid_up


@dataclass(frozen=True, slots=True)
class Fleet:
    """Ships that move together.

    `back`: the hex one step back the way it came ("" where it has not moved). `in_ftl`: in FTL
    space at its hex, unseen, holding nothing. `must_leave`: it has to move on its next move.
    `decoys`: drones aboard, not yet deployed; `decoys_out`: deployed this week at this hex (they
    last until the fleet moves or a tactical scan takes them). `standing`: its choice where no
    decision is sealed, and none of its `answers`, of which the first that holds counts. `budget`:
    the part of the force it belongs to.
    """

    key: str
    faction: str
    name: str
    hex: str
    back: str = ""
    in_ftl: bool = False
    must_leave: bool = False
    decoys: int = 0
    decoys_out: int = 0
    standing: Choice | None = None
    doctrine: Doctrine = Doctrine()
    budget: str = ""
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark by which others know a fleet, or a dummy counter, where markers are open: its number
    in its faction, for good.

    `was`: the hex where it stood before the last week's move; "" while it has made none under this
    number.
    """

    key: str
    code: int
    was: str = ""


@dataclass(frozen=True, slots=True)
class Holding:
    """The holding of a system.

    `holder`: its owner now, None: nobody's. `since`: the week it was taken (0: from the start).

    `state`: held, stand-off (hostile fleets glare at each other), contested (after a disengagement;
    nobody's). `superior`: the faction with superiority there, or None.
    """

    system: str
    holder: str | None
    since: int
    state: Literal["held", "stand-off", "contested"] = "held"
    superior: str | None = None

    @property
    def unchallenged_holder(self) -> str | None:
        """The faction with superiority there, where no foe disputes it; else None."""
        return self.superior if self.state == "held" else None


@dataclass(frozen=True, slots=True)
class Contact:
    """Hostile factions already in contact in a system hex since an earlier week: `state` stand-off
    or contested.
    """

    hex: str
    a: str
    b: str
    state: Literal["stand-off", "contested"]
    inner: str  # the faction in the inner system ("" where neither)


@dataclass(frozen=True, slots=True)
class GroundDamage:
    """The damage of a ground target: its system, its number there from 1, and how many of its boxes
    are marked off.
    """

    system: str
    number: int
    damage: int


@dataclass(frozen=True, slots=True)
class Scan:
    """The reading of `viewer` by long range scan of `target` at a hex: contacts by classification,
    as falsified.
    """

    hex: str
    viewer: str
    target: str
    counts: tuple[
        tuple[str, int], ...
    ]  # (classification, contacts), sorted; none: a settlement sees nothing there


@dataclass(frozen=True, slots=True)
class Pair:
    """Two hostile factions (a < b) that met this week at a hex and have to decide about each other.

    `choice_a`, `choice_b`: already given with the orders (in contact since an earlier week), else
    None. `settled`: what those two choices came to before movement, dice included; `caught`: who of
    the two was caught withdrawing then.
    """

    hex: str
    a: str
    b: str
    choice_a: Choice | None = None
    choice_b: Choice | None = None
    settled: Settled | None = None
    caught: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Engagement:
    """A battle to be fought at a hex.

    `sides`: factions that fight as one; `caught`: factions that fled.
    """

    key: str
    hex: str
    sides: tuple[tuple[str, ...], ...]
    hostile: tuple[tuple[str, str], ...]
    caught: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loss:
    """A ship that is gone: when, where and how (destroyed, captured, struck, hulk, scuttled)."""

    ship: Ship
    week: int
    hex: str
    how: str


@dataclass(frozen=True, slots=True)
class FactionDesign:
    """A class of a faction's own design, as it was handed in with the ships to be built."""

    faction: str
    cls: ShipClass


@dataclass(frozen=True, slots=True)
class Work:
    """What a faction's yards in `hex` have to do: build a ship of `cls` under `name`, or make the
    own `ship` one.
    """

    key: str
    faction: str
    hex: str
    cls: str
    name: str
    ship: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """The truth about a war at one moment: everything that is so, whoever knows of it."""

    week: int
    stage: StageText
    fleets: tuple[Fleet, ...]
    ships: tuple[Ship, ...]
    holdings: tuple[Holding, ...]
    contacts: tuple[Contact, ...] = ()
    scans: tuple[Scan, ...] = ()
    pairs: tuple[Pair, ...] = ()
    engagements: tuple[Engagement, ...] = ()
    losses: tuple[Loss, ...] = ()
    result: str | None = None
    winner: str | None = None
    dummies: tuple[Fleet, ...] = ()  # counters without ships, where markers are open
    marks: tuple[Mark, ...] = ()  # ever given, also to what is gone; sorted by key
    reserve: tuple[
        tuple[str, int], ...
    ] = ()  # (faction, dummy counters it may still put on the map)
    designs: tuple[FactionDesign, ...] = ()  # of which ships were ever built; sorted by class
    works: tuple[
        Work, ...
    ] = ()  # of the yards, faction by faction, in the order in which they are done
    funds: tuple[tuple[str, int], ...] = ()  # (faction, points it has to build with)
    ground: tuple[
        GroundDamage, ...
    ] = ()  # of targets that are damaged; sorted by system and number
