"""What a side may order in a battle, as values. Their text stands in `engine.notation`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, TypeVar

from engine.core.phrase import phrase
from engine.core.slots import Slot, WordDescription

if TYPE_CHECKING:
    from engine.core.ship import ShipState
    from engine.core.state import BattleState
    from engine.core.table import Table

AT_END = -1.0
# Words of a plot that stand alone.
PLOT_FLAGS = ("ftl", "stay", "sweep", "nova", "undock", "leave")
# What a ship that moves by vectors may do: rotate to port or starboard, push to port, to starboard
# or in reverse, burn its main drive.
ROTATIONS, PUSHES, MAIN_DRIVE = ("TP", "TS"), ("PP", "PS", "PR"), "MD"
BURNS = (*ROTATIONS, *PUSHES, MAIN_DRIVE)


@dataclass(frozen=True, slots=True)
class FurtherOrder:
    """A further word of a plot and what belongs to it: how it is written, why it may be wrong, what
    it does.

    Each kind is a frozen class in its rule's module, listed in the row of the edition that knows
    it. `said`: what it is called where people choose it from a list.
    """

    @staticmethod
    def describe() -> WordDescription:
        """What people call it where they choose it from a list."""
        return WordDescription("")

    @staticmethod
    def word() -> str:
        """The word it begins with."""
        raise NotImplementedError

    @staticmethod
    def slots(_state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        """What belongs after the word, as this ship may say it now by what its side knows; nothing
        where it stands alone. `wrong` has the last word about each.
        """
        return ()

    @staticmethod
    def repeats() -> bool:
        """Whether a plot may say it more than once."""
        return False

    @staticmethod
    def parse(words: list[str]) -> FurtherOrder:
        """The order from the texts after its word.

        Raises ValueError that says what belongs there.
        """
        raise NotImplementedError

    def arguments(self) -> tuple[str, ...]:
        """The texts after its word; `read` makes the same order of them."""
        return ()

    def words(self) -> str:
        """The order as text."""
        return " ".join((self.word(), *self.arguments()))

    def unit_names(self) -> tuple[str, ...]:
        """The ships and groups it names, those of other sides by contact."""
        return ()

    def with_ids(self, _ids: Mapping[str, str]) -> FurtherOrder:
        """The order with ids for whatever it names and `_ids` knows by another name."""
        return self

    def turning(self) -> int:
        """The points of thrust that it takes for turning the ship."""
        return 0

    def fault(self, _state: BattleState, _ship: ShipState, _plot: Plot) -> str:
        """The reason why a ship cannot do it as part of this plot, in plain words; "" where it
        can.
        """
        return ""

    def before_moves(self, _table: Table, _ship: ShipState) -> None:
        """Carry it out, in place, when orders are opened, before anything moves."""
        return

    def after_moves(self, _table: Table, _ship: ShipState) -> None:
        """Carry it out, in place, once everything has moved."""
        return


Further = TypeVar("Further", bound=FurtherOrder)


@dataclass(frozen=True, slots=True)
class Plot:
    """A ship's movement orders for a turn: points of turn (starboard positive), change of velocity,
    and further words.

    `ftl`: warm up the FTL drive. `stay`: a ship off the table gives up coming back. `enter`: where
    and on which course a ship that left comes back, (x, y, course). `launch`: fighter bays that
    launch. `mines`: where along its path, in MU from its start, it lays a mine each (AT_END: where
    its move ends). `sweep`: minesweepers active. `scan`: contacts scanned actively. `ram`: whom it
    tries to ram. `nova`: the nova cannon takes all power. `dock`: the installation it comes
    alongside. `undock`: it casts off. `leave`: it means to go over the edge, though the table could
    move along.

    Continuum: `second`: the points of the second of two turns, made at mid-point (`turn` is then
    the first, made at the start). `burns`: a ship that moves by vectors, (burn, points) in their
    order. `further`: its further orders in the order in which they are written. `otherwise`: what
    it flies where emergency thrust fails.
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
        """Whether it changes a ship's course, facing or velocity."""
        return bool(self.turn or self.thrust or self.second or self.burns)

    def find(self, kind: type[Further]) -> Further | None:
        """The first of its further orders that is of a kind, None where there is none."""
        for order in self.further:
            if isinstance(order, kind):
                return order
        return None

    def words(self) -> str:
        """The order as text; empty where the ship holds course and speed."""
        turn = _points(self.turn) + (_points(self.second) if self.second else "")
        move = turn + (f"{self.thrust:+d}" if self.thrust else "")
        parts = [move] if move else []
        if self.burns:
            parts.append(" ".join(f"{burn}{points}" for burn, points in self.burns))
        parts += [word for word in PLOT_FLAGS if getattr(self, word)]
        if self.enter is not None:
            x, y, course = self.enter
            parts.append(phrase("enter {:g} {:g} {}", x, y, course))
        if self.launch:
            parts.append(phrase("launch {}", " ".join(self.launch)))
        if self.mines:
            parts.append(
                phrase("mine {}", " ".join(f"{at:g}" for at in self.mines if at != AT_END)).strip()
            )
        if self.scan:
            parts.append(phrase("scan {}", " ".join(self.scan)))
        if self.ram:
            parts.append(phrase("ram {}", self.ram))
        if self.dock:
            parts.append(phrase("dock {}", self.dock))
        parts += [order.words() for order in self.further]
        if self.otherwise is not None:
            parts.append(phrase("else {}", self.otherwise.words() or "+0"))
        return "; ".join(parts)

    def with_ids(self, ids: Mapping[str, str]) -> Plot:
        """The plot with ids for whatever `ids` knows by another name."""
        if not (self.scan or self.ram or self.dock or self.further):
            return self
        scan = tuple(ids.get(name, name) for name in self.scan)
        ram, dock = ids.get(self.ram, self.ram), ids.get(self.dock, self.dock)
        return replace(
            self,
            scan=scan,
            ram=ram,
            dock=dock,
            further=tuple(order.with_ids(ids) for order in self.further),
        )

    def unit_names(self) -> tuple[str, ...]:
        """The ships and groups the plot names, by whatever they are called in it."""
        names = [
            *self.scan,
            *((self.ram,) if self.ram else ()),
            *((self.dock,) if self.dock else ()),
        ]
        return (*names, *(name for order in self.further for name in order.unit_names()))


def _points(turn: int) -> str:
    return f"{'S' if turn > 0 else 'P'}{abs(turn)}" if turn else ""


HOLD = Plot()


@dataclass(frozen=True, slots=True)
class Flight:
    """A group's orders: one of `to` (a point), `dogfight` (a hostile group), `land` (a ship),
    `screen` (a ship or group of its side), `pursue` (a hostile ship), or none: stay.

    `face`: the course it faces afterwards, 0: the way it flew. `evade`: contacted before it has
    moved, it makes its move to get away rather than dogfight. Continuum: `at_once`: it lands though
    no launch tube is free; `evades_at`: it evades where one ship fires so many weapons at it, 0:
    never.
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

    def words(self) -> str:
        """The order as text; empty where the group stays as it is."""
        parts = []
        if self.to is not None:
            parts.append(phrase("to {:g} {:g}", self.to[0], self.to[1]))
        if self.dogfight:
            parts.append(phrase("dogfight {}", self.dogfight))
        if self.land:
            parts.append(
                phrase("land {} at once", self.land)
                if self.at_once
                else phrase("land {}", self.land)
            )
        parts += [
            f"{word} {name}"
            for word, name in (("screen", self.screen), ("pursue", self.pursue))
            if name
        ]
        if self.face:
            parts.append(phrase("face {}", self.face))
        if self.evade or self.evades_at:
            parts.append(phrase("evade {}", self.evades_at) if self.evades_at else "evade")
        return "; ".join(parts)

    def unit_names(self) -> tuple[str, ...]:
        """The ships and groups the orders name, by whatever they are called in them."""
        return tuple(name for name in (self.dogfight, self.land, self.screen, self.pursue) if name)

    def with_ids(self, ids: Mapping[str, str]) -> Flight:
        """The orders with ids for whatever `ids` knows by another name."""
        if not self.unit_names():
            return self
        dogfight, land = ids.get(self.dogfight, self.dogfight), ids.get(self.land, self.land)
        screen, pursue = ids.get(self.screen, self.screen), ids.get(self.pursue, self.pursue)
        return replace(self, dogfight=dogfight, land=land, screen=screen, pursue=pursue)


STAY = Flight()


@dataclass(frozen=True, slots=True)
class Fire:
    """One weapon's fire: `targets` in order of preference, the first legal one when it fires.

    `system`: the system of the target a needle beam is aimed at. A fighter group's weapon is called
    `fighters`. Continuum: `mode`: how a weapon with several ways fires. `at`: the point of the
    table it fires at. `spread`: the systems of the target over which hits are laid in turn (EMP).
    `boarders`: how many marines and parties at most it sends aboard the target, marines first;
    None: marines alone.
    """

    weapon: str
    targets: tuple[str, ...]
    system: str = ""
    mode: str = ""
    at: tuple[float, float] | None = None
    spread: tuple[str, ...] = ()
    boarders: tuple[int, int] | None = None

    def with_ids(self, ids: Mapping[str, str]) -> Fire:
        """The fire with ids for whatever `ids` knows by another name."""
        if ids.keys().isdisjoint(self.targets):
            return self
        targets = tuple([ids.get(name, name) for name in self.targets])
        return Fire(
            self.weapon, targets, self.system, self.mode, self.at, self.spread, self.boarders
        )

    def to_json(self) -> FireDocument:
        document: FireDocument = {"weapon": self.weapon}
        if self.targets:
            document["target"] = self.targets[0] if len(self.targets) == 1 else list(self.targets)
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


# What boarders do: they fight the marines of the ship, or wreck it.
AT_MARINES, AT_HULL = "marines", "hull"


@dataclass(frozen=True, slots=True)
class Launch:
    """One weapon's launch of ordnance: at a point of the table in MU, or at a ship; or a later
    stage of a missile.

    `load`: which of its magazine's, the first that is left where nothing is said. `fuse`: how its
    warhead goes off. `count`: rounds of craft, 0: all.
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
        document |= {
            key: value
            for key in ("target", "load", "fuse", "count")
            if (value := getattr(self, key))
        }
        return document


SCRAMBLE = "scramble"  # what orders call it
BY_ITSELF = "by-itself"
SCREENS = "screens"  # what orders call the craft that screen a ship, where they make its level


@dataclass(frozen=True, slots=True)
class Defence:
    """One weapon's fire as point defence: at one marker or group, or its two dice at two.

    `mode`: how it fires; `count`: of gunboats, how many of a squadron do, 0: all that can.

    Where point defence goes by level, the target is the ship that it guards; none is its own. There
    SCREENS in the place of a weapon: the craft that screen the ship. In the place of a weapon
    SCRAMBLE: the targets are bays whose groups take off at once; `mode` BY_ITSELF: the ship's
    weapons have no orders.
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
            document["target"] = self.targets[0] if len(self.targets) == 1 else list(self.targets)
        document |= {"mode": self.mode} if self.mode else {}
        return document | ({"count": self.count} if self.count else {})


@dataclass(frozen=True, slots=True)
class Attack:
    """What a group fires this turn, and at what: a ship, a marker, a group, or several that its
    hits are split over.

    `press`: it attacks its ship though other craft meet it. `count`: rounds of each boat, 0: all.
    `system`: what an ace aims at. `marines`, `parties`: who is landed from its shuttles. `assist`:
    by point defence level, the group that it helps at that ship instead of firing. Where dogfights
    are actions, `actions`: what it does in turn, the last one over and over; `to`: where it flies
    when it is out of the fight. Without targets an order says these alone.
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
    actions: tuple[str, ...] = ()
    to: tuple[float, ...] = ()

    def with_ids(self, ids: Mapping[str, str]) -> Attack:
        """The attack with ids for whatever `ids` knows by another name."""
        assist = ids.get(self.assist, self.assist)
        return replace(
            self, targets=tuple(ids.get(name, name) for name in self.targets), assist=assist
        )

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"weapon": self.weapon}
        if self.targets:
            document["target"] = self.targets[0] if len(self.targets) == 1 else list(self.targets)
        further = {key: value for key in ATTACK_FURTHER if (value := getattr(self, key))}
        return document | {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in further.items()
        }


ATTACK_FURTHER = (
    "press",
    "split",
    "count",
    "system",
    "marines",
    "parties",
    "assist",
    "actions",
    "to",
)


@dataclass(frozen=True, slots=True)
class Repair:
    """Damage control parties at work on one system of a ship, one to three of them.

    Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
    """

    system: str
    parties: int

    def to_json(self) -> RepairDocument:
        return {"system": self.system, "parties": self.parties}


@dataclass(frozen=True, slots=True)
class Control:
    """A ship's orders at damage control: its repairs, and whether it dumps its power core or
    abandons ship.

    Of a boarded ship `repel`: parties sent against one boarder each, and of which: those that wreck
    it (AT_HULL), or those set against its marines (AT_MARINES). `marines`: how many of its marines
    fire at (AT_MARINES, AT_HULL), None: all.
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
        """The orders as text, for a log."""
        parts = [
            phrase("repair {} with {}", repair.system, repair.parties) for repair in self.repairs
        ]
        parts += [phrase("repel {} with {}", task, parties) for parties, task in self.repel]
        return "; ".join(parts + ["dump"] * self.dump + ["abandon"] * self.abandon)


# A side's fire in the order its ships take their turns; fighter groups stand among them under their
# own names.
FireOrders = list[tuple[str, tuple[Fire, ...]]]


class FireDocument(TypedDict):
    """One weapon's fire as a document; several targets, or several systems, are a list."""

    weapon: str
    target: NotRequired[str | list[str]]
    system: NotRequired[str | list[str]]
    mode: NotRequired[str]
    at: NotRequired[list[float]]
    marines: NotRequired[int]
    parties: NotRequired[int]


class RepairDocument(TypedDict):
    """Parties at work on a system, as a document."""

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
    """A side's orders at a stop, as people write them and captains advise them: the entries of the
    stop's ask.

    `plot` and `fighters`: a text by ship or group. `engage`: rows of a ship or group and its fire
    (`FireDocument`), in firing order; `pursue`: whether the side goes after one that disengages.
    `control`: by ship. The asks of these names say more (`engine.order_requests`); another ask has entries of
    its own.
    """

    plot: dict[str, str]
    fighters: dict[str, str]
    engage: list[list[Any]]
    pursue: bool
    control: dict[str, ControlDocument]
    board: dict[str, dict[str, int]]
