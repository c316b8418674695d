"""The state of a battle between two phases, and the methods that change the whole table.

`engine.core.ship` holds the state of a ship.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.core.deployment import SetUpStage
from engine.core.firing import FiringStage
from engine.core.geometry import round_point
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import CARRIED, CLOAKED, FIGHTING, IN_PLAY, LEFT_TABLE, ON_TABLE, RETURNING
from engine.core.orders import FireOrders
from engine.core.ship import FAST, FREE, ShipState
from engine.core.terms import DEFAULT_TERMS, Terms
from engine.pieces.piece import Piece

P = TypeVar("P", bound=Piece)

# The phases of a turn in which sides give orders, in sequence. The fighter phase happens only while
# groups fly, damage control (Continuum) only if something could be repaired.
PLOT, FIGHTERS, ENGAGE, CONTROL, OVER = "plot", "fighters", "engage", "control", "over"
SET_UP = "set_up"  # before the first turn, in battles whose sides place their ships


class BattleState:
    """The whole table between two phases.

    Attributes:
        hostile: The sides hostile to each side, as bits.
        table: Width and height in MU.
        bogeys: The battle began with unidentified contacts.
        turn: Counts from 1; 0 during the set-up.
        stop: The phase that comes next: SET_UP, PLOT, FIGHTERS, ENGAGE, CONTROL or OVER.
        screening: All ships that have area screens, whatever their status.
        terms: What the players agreed before the battle; it never changes.
        set_up: What is still to be set up before the first turn; None after that.
        firing: The fire phase while sides fire ship by ship; None otherwise.
        pieces: Everything on the table except ships (`engine.pieces`), oldest first.
        flight_count: Launches of craft so far; new groups are named by it.
        mine_count: Mines laid so far; new mines are named by it.
        launch_count: Launches of ordnance so far; new markers are named by it.
        lets: The order in which a side lets the others act if it wins the initiative: their names,
            by that side's number. Other sides do not know it.
    """

    __slots__ = (
        "bogeys",
        "firing",
        "flight_count",
        "hostile",
        "launch_count",
        "lets",
        "mine_count",
        "pieces",
        "screening",
        "set_up",
        "ships",
        "sides",
        "stop",
        "table",
        "terms",
        "turn",
    )  # fmt: skip

    def __init__(
        self,
        sides: tuple[str, ...],
        hostile: tuple[int, ...],
        table: tuple[float, float],
        bogeys: bool,
        turn: int,
        stop: str,
        ships: list[ShipState],
        terms: Terms = DEFAULT_TERMS,
    ) -> None:
        self.sides = sides
        self.hostile = hostile
        self.table = table
        self.bogeys = bogeys
        self.turn = turn
        self.stop = stop
        self.ships = ships
        self.screening = [ship for ship in ships if ship.profile.area]
        self.terms = terms
        self.set_up: SetUpStage | None = None
        self.firing: FiringStage | None = None
        self.pieces: list[Piece] = []
        self.flight_count = 0
        self.mine_count = 0
        self.launch_count = 0
        self.lets: dict[int, tuple[str, ...]] = {}

    def copy(self) -> BattleState:
        """Return a state whose ships and pieces can be changed independently."""
        new = BattleState(
            self.sides,
            hostile=self.hostile,
            table=self.table,
            bogeys=self.bogeys,
            turn=self.turn,
            stop=self.stop,
            ships=[ship.copy() for ship in self.ships],
            terms=self.terms,
        )
        new.set_up = self.set_up
        new.firing = self.firing
        if self.pieces:
            new.pieces = [piece.copy() for piece in self.pieces]
        new.flight_count = self.flight_count
        new.mine_count = self.mine_count
        new.launch_count = self.launch_count
        new.lets = dict(self.lets)
        return new

    def ship(self, id: ShipId) -> ShipState:
        """Return the ship with this id.

        Raises:
            KeyError: There is none.
        """
        for ship in self.ships:
            if ship.id == id:
                return ship
        raise KeyError(id)

    def ship_by_name(self, name: str) -> ShipState:
        """Return the ship that orders or a file name.

        Raises:
            KeyError: There is none.
        """
        return self.ship(ShipId(name))

    def pieces_of(self, kind: type[P]) -> list[P]:
        """Return the pieces of a kind in the order of the table."""
        if self.pieces:
            return [piece for piece in self.pieces if isinstance(piece, kind)]
        return []

    def has(self, kind: type[Piece]) -> bool:
        """Return whether a piece of a kind is on the table."""
        for piece in self.pieces:  # noqa: SIM110 -- asked before every ship's fire
            if isinstance(piece, kind):
                return True
        return False

    def piece(self, kind: type[P], id: str) -> P:
        """Return the piece of a kind with this id.

        Raises:
            KeyError: It is not on the table.
        """
        piece = self.find(kind, id)
        if piece is None:
            raise KeyError(id)
        return piece

    def find(self, kind: type[P], id: str) -> P | None:
        """Return the piece of a kind with this id, or None."""
        for piece in self.pieces:
            if piece.id == id and isinstance(piece, kind):
                return piece
        return None

    def ids_by_contact(self) -> dict[str, str]:
        """Return the ids of ships and pieces by contact code, if that differs from the id."""
        ids = {ship.contact: ship.id for ship in self.ships if ship.contact != ship.id}
        return ids | {piece.code: piece.id for piece in self.pieces if piece.code}

    def foreign_names(self, side: int) -> dict[str, str]:
        """Return a side's names for ships and coded pieces of other owners, by their ids.

        A ship keeps these names for the whole battle, whoever commands it. A side that took it over
        never learns its id, which would reveal its place in a roster. Its owner always knows it by
        its id.
        """
        names = {ship.id: ship.contact for ship in self.ships if ship.owner != side}
        return names | {
            piece.id: piece.code for piece in self.pieces if piece.code and piece.owner != side
        }

    def names_of_units(self, side: int) -> dict[str, str]:
        """Return a side's names for all ships and coded pieces, by their ids.

        The side knows its own units by their ids.
        """
        names: dict[str, str] = {}
        for ship in self.ships:
            if ship.owner == side:
                names[ship.id] = ship.id
            else:
                names[ship.id] = ship.contact
        for piece in self.pieces:
            if piece.code:
                names[piece.id] = piece.id if piece.owner == side else piece.code
        return names

    def in_play(self, side: int) -> list[ShipState]:
        """Return a side's real ships that are on the table or may come to it."""
        result: list[ShipState] = []
        for ship in self.ships:
            if ship.commander == side and not ship.dummy and ship.status in IN_PLAY:
                result.append(ship)
        return result

    def by_commander(self, fire: Mapping[int, FireOrders]) -> Mapping[int, FireOrders]:
        """Return fire by side, with that of captured units moved to their present commanders.

        Battle files are written before any ship is taken over.
        """
        commanders: dict[str, int] = {}
        for ship in self.ships:
            if ship.commander != ship.owner:
                commanders[ship.id] = ship.commander
        for piece in self.pieces:
            if piece.commanded:
                commanders[piece.id] = piece.commander
        if not commanders:
            return fire
        by_side: dict[int, FireOrders] = {}
        for side, orders in fire.items():
            for name, fires in orders:
                by_side.setdefault(commanders.get(name, side), []).append((name, fires))
        return by_side

    def remove(self, names: Sequence[str]) -> None:
        """Remove pieces from the table by their ids; a piece that still counts is kept, hidden."""
        self.pieces = [
            piece for piece in self.pieces if piece.id not in names or piece.leave_behind()
        ]

    def take_off(self, piece: Piece) -> None:
        """Remove a piece from the table."""
        self.pieces = [other for other in self.pieces if other is not piece]

    def clear_table(self) -> None:
        """Remove all pieces when the battle moves to a new table, except those that fly along."""
        self.pieces = [piece for piece in self.pieces if piece.flies_along or piece.leave_behind()]

    def set_leader(self, ship: ShipState, leader: ShipId) -> None:
        """Set the leader of a ship's squadron; "" for none.

        Rules: Continuum [pc.squadrons]
        """
        ship.write_fact("squadron", int(leader != ""), leader)

    def take_in_tow(self, ship: ShipState, tug: ShipId, turns: int) -> None:
        """Set the ship that makes a link to another, "" for none, and for how many turns it has.

        Rules: Continuum "Towing ships" 16.3 [pc.towing]
        """
        ship.write_fact("tug", int(tug != ""), tug)
        ship.write_fact("link", turns)

    def take_aboard(self, ship: ShipState, carrier: ShipId) -> None:
        """Put a ship aboard another.

        Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
        """
        ship.status, ship.docking, ship.dock = CARRIED, FREE, carrier
        ship.write_fact("rider", 1)
        ship.recompute()

    def detach(
        self,
        ship: ShipState,
        at: tuple[float, float],
        course: int,
        velocity: int,
        drift: tuple[float, float] | None,
    ) -> None:
        """Put a carried ship on the table.

        Rules: Continuum 11.7 [pc.tugs]
        """
        ship.status, ship.dock = FIGHTING, NO_SHIP
        (ship.x, ship.y), ship.course, ship.velocity, ship.drift = at, course, velocity, drift

    def dock(self, ship: ShipState, base: ShipId, step: int) -> None:
        """Set a ship's step of docking.

        While it is made fast it faces and moves with its base and has the screens of its base.

        Rules: 2E "Starbases and other installations" [2e.installations]
        """
        ship.docking = step
        ship.dock = NO_SHIP if step == FREE else base
        ship.recompute()
        if step in FAST:
            base_ship = self.ship(base)
            ship.course, ship.velocity = base_ship.course, base_ship.velocity
        self.share_screens()

    def share_screens(self) -> None:
        """Give every docked ship the screens of its installation in place of its own.

        Rules: 2E "Starbases and other installations" [2e.installations]
        """
        for ship in self.ships:
            if ship.docking in FAST:
                ship.screens = self.ship(ship.dock).screens

    def end_set_up(self) -> None:
        """Begin the first turn after all sides have set up."""
        self.set_up = None
        self.turn = 1
        self.stop = PLOT

    def shift(self, by_x: float, by_y: float) -> None:
        """Move everything on the table.

        Rules: 2E "The moving table" [2e.moving-table]
        """
        for piece in self.pieces:
            piece.shift(by_x, by_y)
        for ship in self.ships:
            if ship.status in ON_TABLE:
                ship.x, ship.y = ship.x + by_x, ship.y + by_y
        for ship in self.ships:
            if ship.status == CLOAKED and ship.record.marker is not None:
                x, y = ship.record.marker
                ship.record = ship.record.with_values(marker=round_point((x + by_x, y + by_y)))
                ship.x, ship.y = ship.x + by_x, ship.y + by_y

    def let_others_act(self, side: str, order: tuple[str, ...]) -> None:
        """Set the order in which a side lets the others act; an empty one leaves it to the dice.

        Rules: Continuum "Roll for initiative phase" 2.6 [pc.initiative-order]
        """
        number = self.sides.index(side)
        if order:
            self.lets[number] = order
        else:
            self.lets.pop(number, None)

    def escape(self, side: int) -> None:
        """Remove the ships of a side that left the table for good."""
        for ship in self.ships:
            if ship.commander == side and ship.status in (LEFT_TABLE, RETURNING):
                ship.leave_behind()

    def end_turn(self) -> None:
        """End the turn for pieces and ships, and remove pieces whose time is over.

        Rules: 2E "Sequence of play" [2e.sequence]
        """
        for piece in self.pieces:
            piece.end_turn()
        if any(piece.is_over(self.turn) for piece in self.pieces):
            self.pieces = [piece for piece in self.pieces if not piece.is_over(self.turn)]
        for ship in self.ships:
            ship.end_turn()
