"""What a side may order in a battle, as values. `engine.notation` defines their text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, TypeVar

from engine.core.phrase import phrase
from engine.core.slots import Slot, WordDescription

if TYPE_CHECKING:
    from engine.core.ship import ShipState
    from engine.core.state import BattleState
    from engine.core.table import Table

AT_END = -1.0  # in place of a distance along the path: the end of the move
# Words of a plot that have no arguments.
PLOT_FLAGS = ("ftl", "stay", "sweep", "nova", "undock", "leave")
# Manoeuvres under vector movement: rotate to port or starboard, push to port, starboard or reverse,
# burn the main drive.
ROTATIONS, PUSHES, MAIN_DRIVE = ("TP", "TS"), ("PP", "PS", "PR"), "MD"
BURNS = (*ROTATIONS, *PUSHES, MAIN_DRIVE)


@dataclass(frozen=True, slots=True)
class FurtherOrder:
    """A further word of a plot with its arguments: its text, its faults and its effect.

    Each kind is a frozen class in the module of its rule and is listed in the row of each edition
    that has it.
    """

    @staticmethod
    def describe() -> WordDescription:
        """Return its label and help where players choose it from a list."""
        return WordDescription("")

    @staticmethod
    def word() -> str:
        """Return the word it begins with."""
        raise NotImplementedError

    @staticmethod
    def slots(_state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        """Return the arguments that this ship may give now, as far as its side knows.

        Empty if the word has no arguments. `fault` makes the final check of each order.
        """
        return ()

    @staticmethod
    def repeats() -> bool:
        """Return whether a plot may contain it more than once."""
        return False

    @staticmethod
    def parse(words: list[str]) -> FurtherOrder:
        """Return the order from the texts after its word.

        Raises:
            ValueError: The texts are wrong; the message says what is expected.
        """
        raise NotImplementedError

    def arguments(self) -> tuple[str, ...]:
        """Return the texts after its word; `parse` converts them back to the same order."""
        return ()

    def words(self) -> str:
        """Return the order as text."""
        return " ".join((self.word(), *self.arguments()))

    def unit_names(self) -> tuple[str, ...]:
        """Return the ships and groups it names, those of other sides by contact code."""
        return ()

    def with_ids(self, _ids: Mapping[str, str]) -> FurtherOrder:
        """Return the order with the ids of units in place of their other names."""
        return self

    def turning(self) -> int:
        """Return the points of thrust it spends on turning the ship."""
        return 0

    def fault(self, _state: BattleState, _ship: ShipState, _plot: Plot) -> str:
        """Return the reason why a ship cannot do it as part of this plot, or ""."""
        return ""

    def before_moves(self, _table: Table, _ship: ShipState) -> None:
        """Carry it out when orders are revealed, before anything moves."""
        return

    def after_moves(self, _table: Table, _ship: ShipState) -> None:
        """Carry it out after everything has moved."""
        return


Further = TypeVar("Further", bound=FurtherOrder)


@dataclass(frozen=True, slots=True)
class Plot:
    """A ship's movement orders for a turn.

    Attributes:
        turn: Points of turn, positive to starboard. Under Continuum the first of two turns, made at
            the start of the move.
        thrust: Change of velocity.
        ftl: Warm up the FTL drive.
        stay: A ship off the table gives up its return.
        enter: Place and course on which a ship that left the table returns, (x, y, course).
        launch: Fighter bays that launch.
        mines: Where it lays mines, each in MU along its path (AT_END: at the end of its move).
        sweep: Minesweepers are active.
        scan: Contacts it scans actively.
        ram: The ship it tries to ram.
        nova: The nova cannon takes all power.
        dock: The installation it comes alongside.
        undock: It casts off.
        leave: It leaves over the edge even if the table could move along.
        second: Continuum: points of the second of two turns, made at mid-point.
        burns: Vector movement: (burn, points) in their order.
        further: Further orders in the order in which they are written.
        otherwise: Continuum: the plot it flies if emergency thrust fails.
    """

    turn: int = 0
    thrust: int = 0
    ftl: bool = False
    stay: bool = False
    enter: tuple[float, float, int] | None = None
    launch: tuple[str, ...] = ()
    mines: tuple[float, ...] = ()
    sweep: bool = False
    scan: tuple[str, ...] = ()
    ram: str = ""
    nova: bool = False
    dock: str = ""
    undock: bool = False
    leave: bool = False
    second: int = 0
    burns: tuple[tuple[str, int], ...] = ()
    further: tuple[FurtherOrder, ...] = ()
    otherwise: Plot | None = None

    def steers(self) -> bool:
        """Return whether it changes the ship's course, facing or velocity."""
        return bool(self.turn or self.thrust or self.second or self.burns)

    def find(self, kind: type[Further]) -> Further | None:
        """Return the first of its further orders of a kind, or None."""
        for order in self.further:
            if isinstance(order, kind):
                return order
        return None

    def words(self, *, exact: bool = False) -> str:
        """Return the order as text; empty if the ship keeps course and velocity.

        Args:
            exact: With all digits of places, so that the text reads back as the same order.
        """
        thrust = f"{self.thrust:+d}" if self.thrust else ""
        parts = [
            _turn_words(self.turn) + _turn_words(self.second) + thrust,
            " ".join(f"{burn}{points}" for burn, points in self.burns),
            *(word for word in PLOT_FLAGS if getattr(self, word)),
            *self._words_with_arguments(exact),
            *(order.words() for order in self.further),
        ]
        if self.otherwise is not None:
            parts.append(phrase("else {}", self.otherwise.words(exact=exact) or "+0"))
        return "; ".join(part for part in parts if part)

    def _words_with_arguments(self, exact: bool) -> list[str]:
        """Return the orders that consist of a word and what follows it, such as `dock n9`."""
        number = exact_number if exact else short_number
        parts = []
        if self.enter is not None:
            x, y, course = self.enter
            parts.append(f"enter {number(x)} {number(y)} {course}")
        if self.launch:
            parts.append(phrase("launch {}", " ".join(self.launch)))
        if self.mines:
            distances = " ".join(number(at) for at in self.mines if at != AT_END)
            parts.append(f"mine {distances}".strip())
        if self.scan:
            parts.append(phrase("scan {}", " ".join(self.scan)))
        if self.ram:
            parts.append(phrase("ram {}", self.ram))
        if self.dock:
            parts.append(phrase("dock {}", self.dock))
        return parts

    def with_ids(self, ids: Mapping[str, str]) -> Plot:
        """Return the plot with the ids of units in place of their other names."""
        if not (self.scan or self.ram or self.dock or self.further):
            return self
        return replace(
            self,
            scan=tuple(ids.get(name, name) for name in self.scan),
            ram=ids.get(self.ram, self.ram),
            dock=ids.get(self.dock, self.dock),
            further=tuple(order.with_ids(ids) for order in self.further),
        )

    def unit_names(self) -> tuple[str, ...]:
        """Return the ships and groups that the plot names, as it writes them."""
        names = [*self.scan, *filter(None, (self.ram, self.dock))]
        for order in self.further:
            names += order.unit_names()
        return tuple(names)


DECIMALS = 6  # of a number in orders (`engine.notation.orders`)


def short_number(value: float) -> str:
    """Return a number with at most six digits, as people read it."""
    return f"{value:g}"


def exact_number(value: float) -> str:
    """Return a number with as many digits as it takes to read it back; six if they suffice."""
    short = short_number(value)
    return short if float(short) == value else format(Decimal(repr(value)), "f")


def _turn_words(turn: int) -> str:
    """Return a turn as plots write it: S2 to starboard, P2 to port; empty without a turn."""
    if not turn:
        return ""
    if turn > 0:
        return f"S{turn}"
    return f"P{-turn}"


HOLD = Plot()


@dataclass(frozen=True, slots=True)
class Flight:
    """The orders of a group of craft.

    At most one of `to`, `dogfight`, `land`, `screen` and `pursue` is set; with none of them the
    group stays.

    Attributes:
        to: A point on the table, in MU.
        face: The course it faces after its move; 0: the way it flew.
        dogfight: A hostile group.
        land: A ship.
        evade: If it is contacted before it has moved, it moves away instead of fighting.
        screen: A ship or group of its side.
        pursue: A hostile ship.
        at_once: Continuum: it lands even if no launch tube is free.
        evades_at: Continuum: it evades if one ship fires this many weapons at it; 0: never.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum
    "Screens and pursuits" 8.6 [pc.fighter-screens]; Continuum "Combat landings" 8.4
    [pc.fighter-launch]
    """

    to: tuple[float, float] | None = None
    face: int = 0
    dogfight: str = ""
    land: str = ""
    evade: bool = False
    screen: str = ""
    pursue: str = ""
    at_once: bool = False
    evades_at: int = 0

    def words(self, *, exact: bool = False) -> str:
        """Return the order as text; empty if the group stays.

        Args:
            exact: With all digits of its point, so that the text reads back as the same order.
        """
        number = exact_number if exact else short_number
        parts = []
        if self.to is not None:
            parts.append(f"to {number(self.to[0])} {number(self.to[1])}")
        if self.dogfight:
            parts.append(phrase("dogfight {}", self.dogfight))
        if self.land and self.at_once:
            parts.append(phrase("land {} at once", self.land))
        elif self.land:
            parts.append(phrase("land {}", self.land))
        if self.screen:
            parts.append(f"screen {self.screen}")
        if self.pursue:
            parts.append(f"pursue {self.pursue}")
        if self.face:
            parts.append(phrase("face {}", self.face))
        if self.evades_at:
            parts.append(phrase("evade {}", self.evades_at))
        elif self.evade:
            parts.append("evade")
        return "; ".join(parts)

    def rounded(self) -> Flight:
        """Return the orders with a point that has as many decimals as a text may have."""
        if self.to is None:
            return self
        x, y = self.to
        return replace(self, to=(round(x, DECIMALS), round(y, DECIMALS)))

    def unit_names(self) -> tuple[str, ...]:
        """Return the ships and groups that the orders name, as they write them."""
        names: list[str] = []
        for name in (self.dogfight, self.land, self.screen, self.pursue):
            if name:
                names.append(name)
        return tuple(names)

    def with_ids(self, ids: Mapping[str, str]) -> Flight:
        """Return the orders with the ids of units in place of their other names."""
        if not self.unit_names():
            return self
        return replace(
            self,
            dogfight=ids.get(self.dogfight, self.dogfight),
            land=ids.get(self.land, self.land),
            screen=ids.get(self.screen, self.screen),
            pursue=ids.get(self.pursue, self.pursue),
        )


STAY = Flight()


@dataclass(frozen=True, slots=True)
class Fire:
    """One weapon's fire. A fighter group's weapon is called `fighters`.

    Attributes:
        weapon: The id of the weapon.
        targets: Targets in order of preference; it fires at the first legal one.
        system: The system of the target at which a needle beam is aimed.
        mode: Continuum: how a weapon with several modes fires.
        at: The point of the table at which it fires, in MU.
        spread: The systems of the target over which EMP hits are distributed in turn.
        boarders: The most marines and parties it sends aboard, marines first; None: only marines.
    """

    weapon: str
    targets: tuple[str, ...]
    system: str = ""
    mode: str = ""
    at: tuple[float, float] | None = None
    spread: tuple[str, ...] = ()
    boarders: tuple[int, int] | None = None

    def with_ids(self, ids: Mapping[str, str]) -> Fire:
        """Return the fire with the ids of units in place of their other names."""
        if ids.keys().isdisjoint(self.targets):
            return self
        targets = tuple([ids.get(name, name) for name in self.targets])
        return Fire(
            self.weapon,
            targets=targets,
            system=self.system,
            mode=self.mode,
            at=self.at,
            spread=self.spread,
            boarders=self.boarders,
        )

    def to_json(self) -> FireDocument:
        document: FireDocument = {"weapon": self.weapon}
        if self.targets:
            document["target"] = _one_or_list(self.targets)
        if self.system:
            document["system"] = self.system
        if self.spread:
            document["system"] = list(self.spread)
        if self.mode:
            document["mode"] = self.mode
        if self.at is not None:
            document["at"] = list(self.at)
        if self.boarders is not None:
            document["marines"], document["parties"] = self.boarders
        return document


def _one_or_list(targets: tuple[str, ...]) -> str | list[str]:
    """Return targets as documents have them: a single one as a text, several as a list."""
    if len(targets) == 1:
        return targets[0]
    return list(targets)


# What boarders attack: the marines of the ship, or its hull.
AT_MARINES, AT_HULL = "marines", "hull"


@dataclass(frozen=True, slots=True)
class Launch:
    """One weapon's launch of ordnance at a point or a ship, or a later stage of a missile.

    Attributes:
        weapon: The id of the weapon.
        at: A point of the table, in MU.
        target: A ship.
        load: The load of its magazine; empty: the first load that is left.
        fuse: How its warhead explodes.
        count: Rounds of craft; 0: all.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """

    weapon: str
    at: tuple[float, float] | None = None
    target: str = ""
    load: str = ""
    fuse: str = ""
    count: int = 0

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"weapon": self.weapon}
        if self.at is not None:
            document["at"] = list(self.at)
        for key in ("target", "load", "fuse", "count"):
            if value := getattr(self, key):
                document[key] = value
        return document


SCRAMBLE = "scramble"  # its word in orders
BY_ITSELF = "by-itself"
SCREENS = "screens"  # in orders: the craft that screen a ship and count for its point defence level


@dataclass(frozen=True, slots=True)
class Defence:
    """One weapon's fire as point defence at one marker or group, or its two dice at two of them.

    With point defence levels, the target is the ship that it guards, without a target its own ship.
    `weapon` may then be SCREENS (the craft that screen the ship). With SCRAMBLE as the weapon, the
    targets are bays whose groups take off at once. With BY_ITSELF as the mode, the ship's weapons
    have no orders.

    Attributes:
        mode: How the weapon fires.
        count: How many gunboats of a squadron fire; 0: all that can.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Continuum "Scrambling fighter groups"
    8.3 [pc.scramble]
    """

    weapon: str
    targets: tuple[str, ...]
    mode: str = ""
    count: int = 0

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"weapon": self.weapon}
        if self.targets:
            document["target"] = _one_or_list(self.targets)
        if self.mode:
            document["mode"] = self.mode
        if self.count:
            document["count"] = self.count
        return document


@dataclass(frozen=True, slots=True)
class Attack:
    """What a group fires this turn, and its target: a ship, a marker, a group, or several.

    Hits on several targets are split. An order without targets sets only the other fields.

    Attributes:
        press: It attacks its ship even if other craft engage it.
        count: Rounds of each boat; 0: all.
        system: The system at which an ace aims.
        marines: Marines landed from its shuttles.
        parties: Damage control parties landed from its shuttles.
        assist: With point defence levels: the group that it helps at that ship instead of firing.
        falls: With point defence levels: its place, from 1, in the order in which groups of its
            type take losses; 0: after those that have one.
        actions: In dogfights by actions: what it does in turn; the last action repeats.
        to: In dogfights by actions: where it flies when it has left the fight.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Fighters by point defence level
    1.4 [pdl.fighters]; Dogfight actions [dog.actions]
    """

    weapon: str
    targets: tuple[str, ...]
    press: bool = False
    split: bool = False
    count: int = 0
    system: str = ""
    marines: int = 0
    parties: int = 0
    assist: str = ""
    falls: int = 0
    actions: tuple[str, ...] = ()
    to: tuple[float, ...] = ()

    def with_ids(self, ids: Mapping[str, str]) -> Attack:
        """Return the attack with the ids of units in place of their other names."""
        return replace(
            self,
            targets=tuple(ids.get(name, name) for name in self.targets),
            assist=ids.get(self.assist, self.assist),
        )

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"weapon": self.weapon}
        if self.targets:
            document["target"] = _one_or_list(self.targets)
        for key in ATTACK_FURTHER:
            value = getattr(self, key)
            if isinstance(value, tuple):
                value = list(value)
            if value:
                document[key] = value
        return document


# The fields of an attack beside its weapon and targets; documents leave them out while unset.
ATTACK_FURTHER = (
    "press",
    "split",
    "count",
    "system",
    "marines",
    "parties",
    "assist",
    "falls",
    "actions",
    "to",
)


@dataclass(frozen=True, slots=True)
class Repair:
    """One to three damage control parties that work on one system of a ship.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """

    system: str
    parties: int

    def to_json(self) -> RepairDocument:
        return {"system": self.system, "parties": self.parties}


@dataclass(frozen=True, slots=True)
class Control:
    """A ship's damage control orders.

    Attributes:
        repairs: Repairs by its damage control parties.
        dump: It dumps its power core.
        abandon: Its crew abandons ship.
        repel: Parties sent against one boarder each, and whether those boarders wreck the ship
            (AT_HULL) or fight its marines (AT_MARINES).
        marines: How many of its marines fire at each kind of boarder (AT_MARINES, AT_HULL); None:
            all of them.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]; Continuum "Core systems"
    10.3 [pc.core-systems]; Continuum "Boarding" 12.7 [pc.boarding]
    """

    repairs: tuple[Repair, ...] = ()
    dump: bool = False
    abandon: bool = False
    repel: tuple[tuple[int, str], ...] = ()
    marines: tuple[int, int] | None = None

    def to_json(self) -> ControlDocument:
        document: ControlDocument = {"repairs": [repair.to_json() for repair in self.repairs]}
        if self.repel:
            document["repel"] = [list(entry) for entry in self.repel]
        if self.marines is not None:
            document["marines"] = {AT_MARINES: self.marines[0], AT_HULL: self.marines[1]}
        if self.dump:
            document["dump"] = True
        if self.abandon:
            document["abandon"] = True
        return document

    def words(self) -> str:
        """Return the orders as text for a log."""
        parts = []
        for repair in self.repairs:
            parts.append(phrase("repair {} with {}", repair.system, repair.parties))
        for parties, task in self.repel:
            parts.append(phrase("repel {} with {}", task, parties))
        if self.dump:
            parts.append("dump")
        if self.abandon:
            parts.append("abandon")
        return "; ".join(parts)


# A side's fire in firing order; ships and fighter groups each under their own name.
FireOrders = list[tuple[str, tuple[Fire, ...]]]


class FireDocument(TypedDict):
    """One weapon's fire as a document; several targets or systems are a list."""

    weapon: str
    target: NotRequired[str | list[str]]
    system: NotRequired[str | list[str]]
    mode: NotRequired[str]
    at: NotRequired[list[float]]
    marines: NotRequired[int]
    parties: NotRequired[int]


class RepairDocument(TypedDict):
    """Damage control parties at work on a system, as a document."""

    system: str
    parties: int


class ControlDocument(TypedDict):
    """A ship's orders at damage control, as a document."""

    repairs: list[RepairDocument]
    dump: NotRequired[bool]
    abandon: NotRequired[bool]
    repel: NotRequired[list[list[Any]]]
    marines: NotRequired[dict[str, int]]


class OrdersDocument(TypedDict, total=False):
    """A side's orders in a phase, as players write them and captains suggest them.

    The entries answer the order requests of these names; other requests (`engine.order_requests`)
    have entries of their own.

    Attributes:
        set_up: Places before the first turn, by ship, as in the `set_up` of a battle file.
        plot: Plots as text, by ship.
        fighters: Orders as text, by group.
        engage: Rows of a ship or group and its fire (`FireDocument`), in firing order.
        pursue: Whether the side pursues an enemy that disengages.
        control: Damage control by ship.
    """

    set_up: dict[str, dict[str, Any]]
    plot: dict[str, str]
    fighters: dict[str, str]
    engage: list[list[Any]]
    pursue: bool
    control: dict[str, ControlDocument]
    board: dict[str, dict[str, int]]
