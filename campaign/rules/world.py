"""The World: the truth of one week as frozen values, read only by adjudication and the umpire.

Every object has a stable key (`esu/f3`, `esu/s12`), the only sort order; tuples here are sorted by
key unless stated otherwise. Weeks count from 1; week 0 is the deployment. There are no floats.
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

    Attributes:
        range: In MU; None: the best range of its weapons.
        targets: Which targets it attacks first.
        break_off: The loss in per cent of points after which it leaves the table; 100: never.
        flee: Whether it leaves as soon as the battle begins, like a fleet caught withdrawing.
        formation: In which it sets up; "": in ranks, fleet beside fleet.
        speed: Its velocity at the start in MU a turn; None: the usual one.
        reserve: The turn in which its capital ships drop out of FTL; 0: they begin on the table.
    """

    range: int | None = None
    targets: Literal["nearest", "weakest", "strongest", "dangerous"] = "dangerous"
    break_off: int = 60
    flee: bool = False
    formation: Literal["", "ranks", "line", "column", "wedge", "screen"] = ""
    speed: int | None = None
    reserve: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A standing order with a condition on the contacts that a fleet's long range scan shows.

    Attributes:
        choice: The fleet's choice if the condition holds.
        of: The classification that counts; "": all contacts.
        least: The least number of contacts.
        most: The greatest number of contacts; None: no limit.
    """

    choice: Choice
    of: str = ""
    least: int = 0
    most: int | None = None

    def holds(self, counts: Iterable[tuple[str, int]]) -> bool:
        """Return whether a scan meets the condition; `counts` are contacts by classification."""
        matching = sum(number for kind, number in counts if self.of in ("", kind))
        return self.least <= matching and (self.most is None or matching <= self.most)


@dataclass(frozen=True, slots=True)
class Cargo:
    """The cargo, or passengers, of a ship.

    Attributes:
        what: A text of the scenario.
        amount: What was loaded.
        remaining: What is left of it.
    """

    what: str
    amount: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship.

    Attributes:
        lost: The engine's system ids in canonical order; `drive` once for half thrust, twice for
            none.
        stock: (system, what is left), sorted, of each bay, pack and minelayer that is not full.
        docked: Whether it is docked at the base of its fleet's system.
        repair: Systems that the base is to repair this week; empty unless docked, and cleared in
            the aftermath.
        replenish: Whether the base is to replenish it this week; cleared like `repair`.
        tug: The key of the ship of its fleet that has it in tow, or "".
        laid_up: Whether it is a prize or hulk with a skeleton crew, which cannot fight until a base
            has worked on it.
        settings: (system, setting), sorted, of each setting or load that differs from its class.
        refit: The loads that the base is to change this week; cleared like `repair`.
        notes: (note, number), sorted, of what the last battle left noted on its sheet
            (`engine.core.ship_facts`).
        landing: How much of its cargo it is to land this week; 0: all of it, None: nothing.
            Cleared in the aftermath.
        supplies: The keys of the ships that it is to supply this week; cleared like `landing`.
        station: `Station.key`, if it is a station of the scenario, also after it was taken.
        sweeps: Whether it is to sweep mines at the week's end; cleared like `landing`.
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
    landing: int | None = None
    supplies: tuple[str, ...] = ()
    station: str = ""
    sweeps: bool = False

    @property
    def is_helpless(self) -> bool:
        """Return whether it cannot fight whatever works: it is docked or laid up."""
        return self.docked or self.laid_up


@dataclass(frozen=True, slots=True)
class Fleet:
    """Ships that move together.

    Attributes:
        back: The hex one step back on its way; "" if it has not moved.
        in_ftl: Whether it is in FTL space at its hex, unseen and without holding anything.
        must_leave: Whether it has to move with its next move.
        decoys: Decoys aboard, not deployed.
        decoys_out: Decoys deployed at this hex, until the fleet moves or a tactical scan removes
            them.
        standing: Its choice if no decision is sealed and none of `answers` holds.
        budget: The part of the force to which it belongs.
        answers: Standing orders with conditions; the first that holds counts.
        decoy_thrust: The thrust of its decoys; None: as the fastest ship that looks like one.
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
    decoy_thrust: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a fleet or dummy counter, by which others know it if markers are open.

    Attributes:
        code: Its permanent number within its faction.
        previous_hex: Its hex before the last week's move; "" before its first move under this
            number.
    """

    key: str
    code: int
    previous_hex: str = ""


@dataclass(frozen=True, slots=True)
class Holding:
    """The holding of a system.

    Attributes:
        holder: Its owner now; None: no faction.
        since: The week in which it was taken; 0: from the start.
        state: held, stand-off (hostile fleets stay without fighting), or contested (after a
            disengagement; held by no faction).
        superior: The faction with superiority there, or None.
    """

    system: str
    holder: str | None
    since: int
    state: Literal["held", "stand-off", "contested"] = "held"
    superior: str | None = None

    @property
    def is_held(self) -> bool:
        """Whether no stand-off and no contest is going on there."""
        return self.state == "held"

    @property
    def unchallenged_holder(self) -> str | None:
        """Return the faction with superiority there if no foe disputes it; else None."""
        if self.is_held:
            return self.superior
        return None


@dataclass(frozen=True, slots=True)
class Contact:
    """Two hostile factions in contact in a system hex since an earlier week."""

    hex: str
    a: str
    b: str
    state: Literal["stand-off", "contested"]
    inner: str  # the faction in the inner system; "" if neither is


@dataclass(frozen=True, slots=True)
class GroundDamage:
    """The damage of a ground target, given by its system and its number there from 1."""

    system: str
    number: int
    damage: int


@dataclass(frozen=True, slots=True)
class Mine:
    """A mine that lies in a system, of the faction that laid it.

    Attributes:
        x: Its place from the middle of the table, in thousandths of a MU; likewise `y`.
    """

    system: str
    faction: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What `viewer` scans of `target` at a hex, falsified by decoys and weasels."""

    hex: str
    viewer: str
    target: str
    # (classification, contacts), sorted; empty: a settlement sees nothing there
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two hostile factions (a < b) that met this week at a hex and decide about each other.

    Attributes:
        choice_a: The choice of `a` given with the orders, in contact since an earlier week; else
            None.
        choice_b: The same of `b`.
        settled: The result of the two choices before movement, including dice.
        caught: The factions of the two that were caught withdrawing then.
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

    Attributes:
        sides: Factions that fight as one.
        caught: Factions that were caught withdrawing.
        contacts: The contacts between its sides since an earlier week, which end with the battle.
    """

    key: str
    hex: str
    sides: tuple[tuple[str, ...], ...]
    hostile: tuple[tuple[str, str], ...]
    caught: tuple[str, ...] = ()
    contacts: tuple[Contact, ...] = ()


@dataclass(frozen=True, slots=True)
class Loss:
    """A ship that is gone: when, where and how (destroyed, captured, struck, hulk, scuttled)."""

    ship: Ship
    week: int
    hex: str
    cause: str


@dataclass(frozen=True, slots=True)
class GoodsStock:
    """The goods of one kind in a system, which ships can load."""

    system: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """Goods that a faction landed in a system, or took from it (then `amount` is negative)."""

    faction: str
    what: str
    system: str
    amount: int
    week: int


@dataclass(frozen=True, slots=True)
class LateFleet:
    """A fleet that was bought at the deployment and arrives at the start of `week`.

    Its fleet and ships get their keys when they arrive.
    """

    week: int
    fleet: Fleet
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class ObjectiveState:
    """How far an objective has come.

    Attributes:
        key: `Objective.key`.
        reached: The number that counts for its points.
        ships: The keys of the ships that were brought to their place.
        streaks: (system, weeks in a row with superiority), sorted, of an objective to hold systems.
    """

    key: str
    reached: int = 0
    ships: tuple[str, ...] = ()
    streaks: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FactionDesign:
    """A class of a faction's own design, as submitted with the ships to be built."""

    faction: str
    cls: ShipClass


@dataclass(frozen=True, slots=True)
class Work:
    """Work of a yard in `hex`: build a ship of `cls`, or modify the faction's `ship` to it."""

    key: str
    faction: str
    hex: str
    cls: str
    name: str
    ship: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """The complete truth about a war at one moment."""

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
    dummies: tuple[Fleet, ...] = ()  # counters without ships, if markers are open
    marks: tuple[Mark, ...] = ()  # all ever given, also to fleets that are gone; sorted by key
    # (faction, dummy counters that it may still place on the map)
    reserve: tuple[tuple[str, int], ...] = ()
    designs: tuple[FactionDesign, ...] = ()  # all of which ships were ever built; sorted by class
    works: tuple[Work, ...] = ()  # of the yards, by faction, in the order in which they are done
    funds: tuple[tuple[str, int], ...] = ()  # (faction, points for building ships)
    ground: tuple[GroundDamage, ...] = ()  # of damaged targets; sorted by system and number
    objectives: tuple[ObjectiveState, ...] = ()  # at the last week's end; as in the scenario
    goods: tuple[GoodsStock, ...] = ()  # sorted by system and name
    deliveries: tuple[Delivery, ...] = ()  # in the order of landing and loading
    late: tuple[LateFleet, ...] = ()  # sorted by week and faction
    mines: tuple[Mine, ...] = ()  # sorted by system, faction and place
