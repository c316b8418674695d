"""The state of a battle between two stops, and what changes the table as a whole. A ship: `engine.core.ship`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.notes import SQUADRON, mark, marker_of
from engine.core.ship import FAST, FIGHTING, FREE, HULK, IN_PLAY, LEFT, RETURNING, UNSEEN, ShipState
from engine.core.terms import PLAIN, Terms
from engine.pieces import Group, Mine, Nova, Rock

# Where a battle stops for choices, in the order of a turn; the fighters' only while groups fly, damage control (of
# Continuum) only where a party could repair something.
PLOT, FIGHTERS, ENGAGE, CONTROL, OVER = "plot", "fighters", "engage", "control", "over"


class BattleState:
    """The whole table between two stops: `turn` counts from 1, `stop` is plot, fighters, engage, control or over.

    `hostile[a]` holds the sides hostile to side a (bits). `bogeys`: the battle began with unidentified contacts.
    `groups`: fighters in flight; `flown` counts the launches, `laid` the mines, so that new pieces get new names.
    `terms`: what this battle was agreed to be; no turn changes it.
    """

    __slots__ = (
        "bogeys", "flown", "groups", "hostile", "laid", "mines", "novas", "rocks", "ships", "sides", "stop", "table",
        "terms", "turn",
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

    def remove(self, names: Sequence[str]) -> None:
        """Take mines, asteroids and templates off the table."""
        self.mines = [mine for mine in self.mines if mine.id not in names]
        self.rocks = [rock for rock in self.rocks if rock.id not in names]
        self.novas = [nova for nova in self.novas if nova.id not in names]

    def clear(self) -> None:
        """Nothing that lay on the old table is on the new one."""
        self.mines, self.rocks, self.novas = [], [], []

    def launch(self, ship: ShipState, bay: str, contact: str, at: tuple[float, float], course: int, turn: int) -> None:
        """Make a group of the craft in a ship's bay. Rules: 2E "Fighters" [2e.fighters]"""
        index = ship.rig.index_of[bay]
        name = f"{ship.id}/{bay}"
        self.groups.append(Group(name, ship.side, contact, ship.id, bay, ship.stock[index], *at, course, launched=turn))
        ship.stock[index] = 0
        self.flown = int(contact.removeprefix("flight-"))

    def recover(self, group: Group, ship: ShipState, craft: int) -> None:
        """Craft of a group come aboard a ship, into the bay they came from first."""
        ship.take_aboard(craft, group.bay if ship.id == group.ship else "")
        self.take_craft(group, craft)

    def take_craft(self, group: Group, craft: int) -> None:
        """Fewer craft in flight, lost or come aboard; a group without any is off the table, and so is its dogfight."""
        group.craft -= craft
        if group.craft <= 0:
            self.groups.remove(group)
            self.let_go(group)

    def let_go(self, group: Group) -> None:
        """A group is in contact with nobody any more. Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]"""
        group.dogfight = ""
        for other in self.groups:
            if other.dogfight == group.id:
                other.dogfight = ""

    def follow(self, ship: ShipState, leader: str) -> None:
        """Note on a ship's sheet who leads its squadron (its id), "": nobody. Rules: Continuum [pc.squadrons]"""
        own = [other.id for other in self.ships if other.side == ship.side]
        ship.set_note(SQUADRON, own.index(leader) + 1 if leader else 0)

    def dock(self, ship: ShipState, base: str, step: int) -> None:
        """Put a ship at a step of docking: made fast it faces as its base, moves with it and has its screens.

        Rules: 2E "Starbases and other installations" [2e.installations]
        """
        ship.docking, ship.dock = step, "" if step == FREE else base
        ship.recompute()
        if step in FAST:
            at = self.ship(base)
            ship.course, ship.velocity = at.course, at.velocity
        self.shelter()

    def shelter(self) -> None:
        """Give every docked ship the screens of its installation in place of its own.

        Rules: 2E "Starbases and other installations" [2e.installations]
        """
        for ship in self.ships:
            if ship.docking in FAST:
                ship.screens = self.ship(ship.dock).screens

    def shift(self, by_x: float, by_y: float) -> None:
        """Move everything on the table. Rules: 2E "The moving table" [2e.moving-table]"""
        lying: list[Group | Mine | Rock | Nova] = [*self.groups, *self.mines, *self.rocks, *self.novas]
        for piece in (*(ship for ship in self.ships if ship.status in (FIGHTING, HULK)), *lying):
            piece.x, piece.y = piece.x + by_x, piece.y + by_y
        for ship in self.ships:
            if ship.status == UNSEEN:
                left_at = marker_of(ship.notes)
                mark(ship.notes, (left_at[0] + by_x, left_at[1] + by_y))
                ship.x, ship.y = ship.x + by_x, ship.y + by_y

    def slip_away(self, side: int) -> None:
        """A side that left the table is away for good."""
        for ship in self.ships:
            if ship.side == side and ship.status in (LEFT, RETURNING):
                ship.left_behind()

    def break_up(self, rock: Rock, chunks: tuple[tuple[str, float, int, int], ...]) -> None:
        """Put an asteroid's chunks (name, radius, course, speed) in its place. Rules: 2E [2e.asteroids]"""
        pieces = [Rock(name, rock.x, rock.y, radius, course, float(speed)) for name, radius, course, speed in chunks]
        self.rocks = [other for other in self.rocks if other is not rock] + pieces

    def end_turn(self) -> None:
        """What the end of a turn ends by itself: groups may move and fire again, ships begin anew.

        Rules: 2E "Sequence of play" [2e.sequence]
        """
        for group in self.groups:
            group.moved = group.fired = False
        for ship in self.ships:
            ship.end_turn()
