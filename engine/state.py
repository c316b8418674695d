"""Ships on the table: the record sheet (fixed), and the state of ship and battle (what a turn changes)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# What has become of a ship.
FIGHTING, DESTROYED, LEFT, RETURNING, FTL = "fighting", "destroyed", "left", "returning", "ftl"
SCANNED_AWAY = "scanned"  # a dummy that was found out
STATUSES = (FIGHTING, DESTROYED, LEFT, RETURNING, FTL, SCANNED_AWAY)

PLOT, ENGAGE, OVER = "plot", "engage", "over"


@dataclass(frozen=True, slots=True)
class Fit:
    """One system fitted: `id` is its type and number in the design's order (`battery-2`)."""

    id: str
    type: str
    variant: str
    arcs: tuple[str, ...]
    offensive: bool = False
    expendable: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ship record sheet: everything about a ship that no battle changes.

    `fits` stand in canonical order: the design's order, implied FireCons after them, then drive, then ftl. `rows` are
    the boxes of each row of the damage track, upper row first; `boxes` their sum. `ftl`: none, standard or tug.
    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """

    cls: str
    edition: str
    kind: str
    classification: str
    mass: int
    thrust: int
    ftl: str
    points: int
    boxes: int
    rows: tuple[int, ...]
    fits: tuple[Fit, ...]
    design: dict[str, Any] = field(default_factory=dict, compare=False)


class Rig:
    """What a sheet means on the table, worked out once: where its systems stand in `fits`, and what its batteries roll.

    `batteries`: (place in fits, arc bits, dice within 12, 24 and 36 MU). `row_ends`: (damage that ends the row, the
    die that loses a system there); rows without boxes are left out, the last row too.
    """

    __slots__ = ("batteries", "drive", "firecons", "ftl", "index_of", "row_ends", "screens")

    def __init__(
        self,
        batteries: tuple[tuple[int, int, tuple[int, int, int]], ...],
        screens: tuple[int, ...],
        firecons: tuple[int, ...],
        drive: int,
        ftl: int,
        row_ends: tuple[tuple[int, int], ...],
        index_of: dict[str, int],
    ) -> None:
        self.batteries = batteries
        self.screens = screens
        self.firecons = firecons
        self.drive = drive
        self.ftl = ftl
        self.row_ends = row_ends
        self.index_of = index_of


class ShipState:
    """A ship in battle. `alive` stands beside `sheet.fits`: 1 working, 0 lost; the drive 2 whole, 1 halved, 0 out.

    `thrust`, `screens`, `firecons` and `power` follow from `alive` (`refit`). `power`: dice of the working batteries by
    arc (fore, starboard, port) and band (12, 24, 36 MU), nine in all. `warm`: its FTL drive is warming up.
    `holds_fire`: it may not fire this turn. `bogey`: not yet identified; `contact` and `label` are
    all that others know of it then. `edge`: where it left the table; `due`: the turn it may return.
    """

    __slots__ = (
        "alive",
        "bogey",
        "contact",
        "course",
        "damage",
        "due",
        "dummy",
        "edge",
        "firecons",
        "holds_fire",
        "id",
        "label",
        "power",
        "rig",
        "screens",
        "sheet",
        "side",
        "status",
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
        )

    def lost(self) -> tuple[str, ...]:
        """The ids of its lost systems in canonical order; `drive` once for half thrust, twice for none."""
        gone: list[str] = []
        for fit, alive in zip(self.sheet.fits, self.alive, strict=True):
            if fit.type == "drive":
                gone += [fit.id] * (2 - alive)
            elif not alive:
                gone.append(fit.id)
        return tuple(gone)


class BattleState:
    """The whole table between two stops: `turn` counts from 1, `stop` is plot, engage or over.

    `hostile[a]` holds the sides hostile to side a (bits). `bogeys`: the battle began with unidentified contacts.
    """

    __slots__ = ("bogeys", "hostile", "ships", "sides", "stop", "table", "turn")

    def __init__(
        self,
        sides: tuple[str, ...],
        hostile: tuple[int, ...],
        table: tuple[float, float],
        bogeys: bool,
        turn: int,
        stop: str,
        ships: list[ShipState],
    ) -> None:
        self.sides = sides
        self.hostile = hostile
        self.table = table
        self.bogeys = bogeys
        self.turn = turn
        self.stop = stop
        self.ships = ships

    def copy(self) -> BattleState:
        """A state whose ships can be changed without changing these."""
        return BattleState(
            self.sides, self.hostile, self.table, self.bogeys, self.turn, self.stop, [s.copy() for s in self.ships]
        )

    def ship(self, id: str) -> ShipState:
        for ship in self.ships:
            if ship.id == id:
                return ship
        raise KeyError(id)

    def in_play(self, side: int) -> list[ShipState]:
        """A side's real ships that are on the table or may come back to it."""
        return [s for s in self.ships if s.side == side and not s.dummy and s.status in (FIGHTING, RETURNING)]
