"""The state of ships and of a battle: what a turn changes. What no battle changes stands in `engine.sheet`."""

from __future__ import annotations

from engine.pieces import Group, Mine, Nova, Rock
from engine.sheet import Rig, Sheet
from engine.terms import PLAIN, Terms

# What has become of a ship.
FIGHTING, DESTROYED, LEFT, RETURNING, FTL = "fighting", "destroyed", "left", "returning", "ftl"
SCANNED_AWAY = "scanned"  # a dummy that was found out
INBOUND = "inbound"  # still in FTL space: it drops onto the table in the turn it is due
HULK = "hulk"  # adrift without a crew or without power: nobody's any more
UNSEEN = "cloaked"  # under a cloaking field: it flies on, but no longer on the table
STATUSES = (FIGHTING, DESTROYED, LEFT, RETURNING, FTL, SCANNED_AWAY, INBOUND, HULK, UNSEEN)
IN_PLAY = (FIGHTING, RETURNING, INBOUND, UNSEEN)  # on the table, or may come to it

# Where a battle stops for choices, in the order of a turn; the fighters' only while groups fly, damage control (of
# Continuum) only where a party could repair something.
PLOT, FIGHTERS, ENGAGE, CONTROL, OVER = "plot", "fighters", "engage", "control", "over"

# How far a ship is with an installation: it makes fast the turn after it came alongside, and casts off in a full turn.
# BERTHED: docked inside it, where nothing reaches the ship.
FREE, ALONGSIDE, DOCKED, CASTING_OFF, BERTHED = 0, 1, 2, 3, 4


class ShipState:
    """A ship in battle. `alive` stands beside `sheet.fits`: 1 working, 0 lost; the drive 2 whole, 1 halved, 0 out.

    `thrust`, `screens`, `firecons` and `power` follow from `alive` (`refit`). `power`: dice of the working batteries by
    arc (fore, starboard, port) and band (12, 24, 36 MU), nine in all. `stock` stands beside `sheet.fits` too: craft
    aboard of a fighter bay, packs and mines left; 0 for what has none. `warm`: its FTL drive is warming up.
    `holds_fire`: it may not fire this turn. `bogey`: not yet identified; `contact` and `label` are
    all that others know of it then. `edge`: where it left the table; `due`: the turn it may return, or drops
    out of FTL.
    `cover`: the merchant's sheet that a Q ship passes for, None once it has shown itself. `sweeping`: its minesweepers
    are active this turn. `armed`: all its power is in the nova cannon this turn. `dock`: the installation it is at,
    `docking` how far (FREE, ALONGSIDE, DOCKED, CASTING_OFF, BERTHED). `swerved`: it has fighter bays
    and changed course or velocity this turn, so no fighters land on it.
    `armour`: (standard, regenerative) boxes left of each layer, the innermost first. `notes`: what is pencilled beside
    its systems, a number to each note (`engine.notes`). `drift`: MU a turn it moves in x and y where it moves by
    vectors; its course is then the way it faces.
    """

    __slots__ = (
        "alive",
        "armed",
        "armour",
        "bogey",
        "contact",
        "course",
        "cover",
        "damage",
        "dock",
        "docking",
        "drift",
        "due",
        "dummy",
        "edge",
        "firecons",
        "holds_fire",
        "id",
        "label",
        "notes",
        "power",
        "rig",
        "screens",
        "sheet",
        "side",
        "status",
        "stock",
        "sweeping",
        "swerved",
        "thrust",
        "velocity",
        "warm",
        "x",
        "y",
    )

    def __init__(
        self,
        id: str,
        side: int,
        sheet: Sheet,
        rig: Rig,
        x: float,
        y: float,
        course: int,
        velocity: int,
        damage: int,
        alive: list[int],
        thrust: int,
        screens: int,
        firecons: int,
        power: tuple[int, ...],
        status: str,
        bogey: bool,
        dummy: bool,
        label: str,
        contact: str,
        warm: bool,
        holds_fire: bool,
        edge: str,
        due: int,
        stock: list[int],
        cover: Sheet | None = None,
        sweeping: bool = False,
        armed: bool = False,
        dock: str = "",
        docking: int = FREE,
        swerved: bool = False,
        armour: tuple[tuple[int, int], ...] = (),
        notes: dict[str, int] | None = None,
        drift: tuple[float, float] | None = None,
    ) -> None:
        self.id = id
        self.side = side
        self.sheet = sheet
        self.rig = rig
        self.x = x
        self.y = y
        self.course = course
        self.velocity = velocity
        self.damage = damage
        self.alive = alive
        self.thrust = thrust
        self.screens = screens
        self.firecons = firecons
        self.power = power
        self.status = status
        self.bogey = bogey
        self.dummy = dummy
        self.label = label
        self.contact = contact
        self.warm = warm
        self.holds_fire = holds_fire
        self.edge = edge
        self.due = due
        self.stock = stock
        self.cover = cover
        self.sweeping = sweeping
        self.armed = armed
        self.dock = dock
        self.docking = docking
        self.swerved = swerved
        self.armour = armour
        self.notes = notes if notes is not None else {}
        self.drift = drift

    def copy(self) -> ShipState:
        """A ship that can be changed without changing this one."""
        return ShipState(
            self.id,
            self.side,
            self.sheet,
            self.rig,
            self.x,
            self.y,
            self.course,
            self.velocity,
            self.damage,
            self.alive[:],
            self.thrust,
            self.screens,
            self.firecons,
            self.power,
            self.status,
            self.bogey,
            self.dummy,
            self.label,
            self.contact,
            self.warm,
            self.holds_fire,
            self.edge,
            self.due,
            self.stock[:],
            self.cover,
            self.sweeping,
            self.armed,
            self.dock,
            self.docking,
            self.swerved,
            self.armour,
            self.notes.copy(),
            self.drift,
        )

    def lost(self) -> tuple[str, ...]:
        """The ids of its lost systems in canonical order; `drive` once for half thrust, twice for none."""
        gone: list[str] = []
        for fit, alive, whole in zip(self.sheet.fits, self.alive, self.rig.whole, strict=True):
            if alive < whole:
                gone += [fit.id] * (whole - alive)
        return tuple(gone)


class BattleState:
    """The whole table between two stops: `turn` counts from 1, `stop` is plot, fighters, engage, control or over.

    `hostile[a]` holds the sides hostile to side a (bits). `bogeys`: the battle began with unidentified contacts.
    `groups`: fighters in flight; `flown` counts the launches, `laid` the mines, so that new pieces get new names.
    `terms`: what this battle was agreed to be; no turn changes it.
    """

    __slots__ = (
        "bogeys",
        "flown",
        "groups",
        "hostile",
        "laid",
        "mines",
        "novas",
        "rocks",
        "ships",
        "sides",
        "stop",
        "table",
        "terms",
        "turn",
    )

    def __init__(
        self,
        sides: tuple[str, ...],
        hostile: tuple[int, ...],
        table: tuple[float, float],
        bogeys: bool,
        turn: int,
        stop: str,
        ships: list[ShipState],
        terms: Terms = PLAIN,
    ) -> None:
        self.sides = sides
        self.hostile = hostile
        self.table = table
        self.bogeys = bogeys
        self.turn = turn
        self.stop = stop
        self.ships = ships
        self.terms = terms
        self.groups: list[Group] = []
        self.mines: list[Mine] = []
        self.rocks: list[Rock] = []
        self.novas: list[Nova] = []
        self.flown = 0
        self.laid = 0

    def copy(self) -> BattleState:
        """A state whose ships and pieces can be changed without changing these."""
        new = BattleState(
            self.sides,
            self.hostile,
            self.table,
            self.bogeys,
            self.turn,
            self.stop,
            [s.copy() for s in self.ships],
            self.terms,
        )
        if self.groups:
            new.groups = [group.copy() for group in self.groups]
        if self.mines:
            new.mines = [mine.copy() for mine in self.mines]
        if self.rocks:
            new.rocks = [rock.copy() for rock in self.rocks]
        if self.novas:
            new.novas = [nova.copy() for nova in self.novas]
        new.flown = self.flown
        new.laid = self.laid
        return new

    def ship(self, id: str) -> ShipState:
        for ship in self.ships:
            if ship.id == id:
                return ship
        raise KeyError(id)

    def group(self, id: str) -> Group:
        for group in self.groups:
            if group.id == id:
                return group
        raise KeyError(id)

    def ids_by_contact(self) -> dict[str, str]:
        """The ids of ships and groups by what others call them, where that is another name."""
        ids = {ship.contact: ship.id for ship in self.ships if ship.contact != ship.id}
        return ids | {group.contact: group.id for group in self.groups}

    def called_by(self, side: int) -> dict[str, str]:
        """What a side calls the ships and groups of the others, by their ids."""
        called = {ship.id: ship.contact for ship in self.ships if ship.side != side}
        return called | {group.id: group.contact for group in self.groups if group.side != side}

    def in_play(self, side: int) -> list[ShipState]:
        """A side's real ships that are on the table or may come to it."""
        return [s for s in self.ships if s.side == side and not s.dummy and s.status in IN_PLAY]
