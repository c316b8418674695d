"""Mines: laid along a ship's path, set off by ships, and swept.

A mine is active from the turn after it was laid. It explodes at the first hostile ship whose path,
including its first point, comes within 3 MU. Decoys, fighters and ships off the table never set it
off.

Rules: 2E "Mines" [2e.mines]; Continuum "Mines and mine racks" 6.9, "Minelaying" 6.10 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, ClassVar

from engine.combat.q_ships import SWEEPS, may_be_known, reveal
from engine.continuum.legs import leg_of
from engine.core.geometry import NEAR, Point, length_of, squared_length, squared_limit
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, SweepOutcome
from engine.core.orders import AT_END, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import (
    Audience,
    Event,
    Knowers,
    Listener,
    LogOrder,
    Open,
    Own,
    PieceRef,
    ShipRef,
    require_value,
)
from engine.movement.edges import edge_crossed
from engine.movement.paths import split
from engine.pieces.piece import NOBODY, Encounters, Piece, Visibility
from engine.ruleset import rules_of
from engine.systems.outfit import SWEEPER, SWEEPING
from engine.weapons.mines import REACH
from engine.weapons.weapon import Trait


@dataclass(slots=True)
class Mine(Piece):
    """A mine, active from the turn after it was laid.

    A side that found a foreign mine knows only its place, not its owner.

    Attributes:
        laid_turn: The turn in which it was laid.
        known_to: The sides that know of it, as bits.

    Rules: 2E "Mines" [2e.mines]
    """

    kind: ClassVar[str] = "mine"
    word: ClassVar[str] = phrase("mine")
    order: ClassVar[int] = 2
    view_keys: ClassVar[tuple[str, ...]] = ("mines",)
    visibility: ClassVar[Visibility] = Visibility.BY_KNOWERS

    hidden: ClassVar[Mapping[str, Any]] = {"side": NOBODY}

    id: Own[str]
    side: Own[int]
    x: Open[float]
    y: Open[float]
    laid_turn: Own[int]
    known_to: Knowers

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Set off or sweep the mines on a ship's path, in the order in which it comes within 3 MU.

        A sweeping ship rolls a die for each mine: on 1 it explodes, on 2 it stays, on 3 or more it
        is gone.

        Rules: 2E "Mines" [2e.mines]; 2E "Minesweeping" [2e.mines]
        """
        state = table.state
        if ship.dummy:
            return
        path = _on_table(path, state.table)
        encountered: list[tuple[float, int]] = []  # MU along the path, and the number of the mine
        mines = state.pieces_of(Mine)
        for number, mine in enumerate(mines):
            if mine.laid_turn < state.turn and mine.is_hostile_to(state, ship.commander):
                flown = _distance_until_near(path, mine.x, mine.y)
                if flown is not None:
                    encountered.append((flown, number))
        for _, number in sorted(encountered):
            if ship.status != FIGHTING:
                return
            if ship.sweeping:
                sweep_mine(table, ship, mines[number])
            else:
                _detonate(table, ship, mines[number])

    def is_hostile_to(self, state: BattleState, side: int) -> bool:
        """Return whether it goes off at ships that a side commands."""
        return self.side == NOBODY or bool(state.hostile[self.side] >> side & 1)

    def destroy(self, table: Table, cause: str) -> None:
        """Remove it; it does not go off.

        A mine that a ship laid has that ship's name in its id, and the ship's side learns
        of it. Of other mines, the side that had them before the battle learns it.
        """
        table.state.take_off(self)
        if not table.listens:
            return
        layer, separator, _ = self.id.rpartition("/minelayer-")
        if separator:
            table.tell(MineBlasted, ShipId(layer), self.id)
        else:
            table.tell(MineLost, self.id, (self.x, self.y))


@dataclass(frozen=True, slots=True)
class MineLaid(Event):
    """A ship laid a mine on its path from the minelayer `fit`; only its own side knows."""

    kind: ClassVar[str] = "mine-laid"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    fit: Open[str]
    mine: PieceRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.stock[ship.profile.index_of[self.fit]] -= 1
        state.pieces.append(
            Mine(
                require_value(self.mine),
                side=ship.commander,
                x=self.at[0],
                y=self.at[1],
                laid_turn=self.turn,
                known_to=1 << ship.commander,
            )
        )
        state.mine_count += 1

    def notice(self, listener: Listener) -> None:
        mine = require_value(self.mine)
        listener.pieces[mine] = mine


@dataclass(frozen=True, slots=True)
class MinesweepersActivated(Event):
    """A ship's minesweepers are active this turn; its offensive weapons are not."""

    kind: ClassVar[str] = "sweeping"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).sweeping = True


@dataclass(frozen=True, slots=True)
class MineSwept(Event):
    """A minesweeper's die for the mine at `at`; its detonation, if any, follows.

    `outcome` is detonates, missed (the mine stays, known to all) or swept. Only the side that laid
    it learns which `mine` it was.
    """

    kind: ClassVar[str] = "mine-swept"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    mine: PieceRef
    at: Open[tuple[float, float]]
    die: Open[int]
    outcome: Open[str]

    def apply(self, state: BattleState) -> None:
        if self.outcome == SweepOutcome.SWEPT:
            state.remove((require_value(self.mine),))
        elif self.outcome == SweepOutcome.MISSED:
            state.piece(Mine, require_value(self.mine)).known_to = (1 << len(state.sides)) - 1


@dataclass(frozen=True, slots=True)
class MineDetonated(Event):
    """The mine at `at` exploded at a ship (`near`) and is gone.

    Only the side that laid it learns which `mine` it was.
    """

    kind: ClassVar[str] = "mine-detonated"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    mine: PieceRef
    at: Open[tuple[float, float]]
    near: ShipRef

    def apply(self, state: BattleState) -> None:
        state.remove((require_value(self.mine),))


@dataclass(frozen=True, slots=True)
class MineFired(Event):
    """The dice of a mine at a ship, the levels of screens, and the damage points."""

    kind: ClassVar[str] = "mine-fired"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class MineBlasted(Event):
    """A nova burst or a blast removed a mine without an explosion.

    Only the side that laid it is notified, whoever commands the ship that laid it now.
    """

    kind: ClassVar[str] = "mine-blasted"
    text: ClassVar[str] = phrase("{ship} loses a mine to an explosion")
    plural_text: ClassVar[str] = phrase("{ship} lose mines to an explosion")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    mine: PieceRef

    def apply(self, state: BattleState) -> None:
        state.remove((require_value(self.mine),))

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        if self.mine in listener.pieces:
            return self.to_json()
        return None


@dataclass(frozen=True, slots=True)
class MineLost(Event):
    """A blast removed a mine from before the battle; only its own side is notified."""

    kind: ClassVar[str] = "mine-lost"
    text: ClassVar[str] = phrase("A mine {at} is destroyed by an explosion")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    mine: PieceRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        state.remove((require_value(self.mine),))

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        if self.mine in listener.pieces:
            return self.to_json()
        return None


LAYER = Trait.LAYS_MINES
CAUSE = "mine"


def mine_fault(ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship cannot lay mines or sweep as ordered, or "".

    Rules: 2E "Minelaying" [2e.mines]; 2E "Minesweeping" [2e.mines]
    """
    if not (plot.mines or plot.sweep):
        return ""
    if fault := _position_fault(ship, plot):
        return fault
    if plot.sweep and not any(
        ship.alive[index] for index in ship.profile.indexes_by_type.get(SWEEPER, ())
    ):
        return reason("no-working-minesweeper", "it has no working minesweeper")
    most_mines = len(ready_minelayers(ship))
    if len(plot.mines) > most_mines:
        return reason(
            "lays-mines-but-minelayers",
            "it lays {} mines; its minelayers can lay only {} this turn",
            len(plot.mines),
            most_mines,
        )
    length = path_length(ship, plot)
    too_far = [at for at in plot.mines if at > length + NEAR]
    if too_far:
        return reason(
            "no-mine-lie-mu", "a mine cannot be {:g} MU along a path of {:g} MU", too_far[0], length
        )
    return ""


def _position_fault(ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship cannot lay or sweep mines where it is now, or ""."""
    if plot.mines:
        cannot = reason("lays-no-mines", "cannot lay mines")
    else:
        cannot = reason("sweeps-no-mines", "cannot sweep mines")
    if ship.status != FIGHTING:
        return reason("ship-off-table", "a ship off the table {}", cannot)
    if ship.warm:
        return reason("about-to-jump-no-mines", "its FTL drive is about to engage: it {}", cannot)
    if ship.docking >= DOCKED:
        return reason("while-docked", "while docked it {}", cannot)
    return ""


def path_length(ship: ShipState, plot: Plot) -> float:
    """Return the MU of a plotted move; under vector movement the straight line to its end."""
    if ship.drift is None:
        return float(ship.velocity + plot.thrust)
    (x, y), (end_x, end_y) = leg_of(ship, plot).path
    return length_of(end_x - x, end_y - y)


def ready_minelayers(ship: ShipState) -> list[int]:
    """Return the places in `fits` of the minelayers that can lay a mine this turn."""
    minelayers: list[int] = []
    for index in ship.profile.having.get(LAYER, ()):
        if ship.alive[index] and ship.stock[index]:
            minelayers.append(index)
    return minelayers


def activate_sweepers(table: Table, ship: ShipState) -> None:
    """Activate a ship's minesweepers for this turn, before its move.

    Rules: 2E "Minesweeping" [2e.mines]
    """
    ship.sweeping = True
    table.tell(MinesweepersActivated, ship.id)


def lay_mines(
    table: Table, ship: ShipState, distances: tuple[float, ...], path: tuple[Point, ...]
) -> None:
    """Lay a ship's mines along its path after its move.

    Each minelayer lays at most one mine; mines off the table are not laid.

    Args:
        distances: MU from the start of the path; AT_END: its end.

    Rules: 2E "Minelaying" [2e.mines]
    """
    state = table.state
    width, height = state.table
    for index, distance in zip(ready_minelayers(ship), distances, strict=False):
        x, y = path[-1] if distance == AT_END else point_along(path, distance)
        if not (-NEAR <= x <= width + NEAR and -NEAR <= y <= height + NEAR):
            continue
        fit = ship.sheet.fits[index].id
        name = f"{ship.call_sign}/{fit}/{ship.profile.full[index] + 1 - ship.stock[index]}"
        ship.stock[index] -= 1
        state.pieces.append(
            Mine(
                name,
                side=ship.commander,
                x=x,
                y=y,
                laid_turn=state.turn,
                known_to=1 << ship.commander,
            )
        )
        state.mine_count += 1
        table.tell(MineLaid, ship=ship.id, fit=fit, mine=name, at=(x, y))


def point_along(path: tuple[Point, ...], distance: float) -> Point:
    """Return the point `distance` MU from the start of a path, or its end if it is shorter."""
    return split(path, distance)[1][0]


def _on_table(path: tuple[Point, ...], table: Point) -> tuple[Point, ...]:
    """Return a path up to the edge of the table."""
    for number, (a, b) in enumerate(pairwise(path), 1):
        crossed = edge_crossed(a, b, table)
        if crossed is not None:
            return (*path[:number], crossed[1])
    return path


def _distance_until_near(path: tuple[Point, ...], x: float, y: float) -> float | None:
    """Return the MU along a path to its first point within 3 MU of a point, or None."""
    flown = 0.0
    reach_squared = squared_limit(REACH)
    if squared_length(path[0][0] - x, path[0][1] - y) <= reach_squared:
        return 0.0
    for a, b in pairwise(path):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = sqrt(dx * dx + dy * dy)
        if length > 0:
            ahead = ((x - a[0]) * dx + (y - a[1]) * dy) / length
            # Half the chord of the leg inside the mine's reach, squared; negative if it passes by.
            inside = reach_squared - (squared_length(x - a[0], y - a[1]) - ahead * ahead)
            enters = ahead - sqrt(max(inside, 0.0))
            if inside >= 0 and 0 <= enters <= length:
                return float(flown + enters)
        flown += length
    return None


def sweep_mine(table: Table, ship: ShipState, mine: Mine) -> None:
    """Roll a minesweeper's die for a mine; a Q ship without visible minesweepers reveals itself.

    Rules: 2E "Minesweeping" [2e.mines]
    """
    state = table.state
    sweepers = [ship.sheet.fits[index].id for index in ship.profile.indexes_by_type[SWEEPER]]
    if not any(may_be_known(ship, sweeper) for sweeper in sweepers):
        reveal(table, ship, SWEEPS)
    die = table.dice.roll("sweep", f"{ship.id}>{mine.id}")
    outcome = SWEEPING[die]
    table.tell(MineSwept, ship=ship.id, mine=mine.id, at=(mine.x, mine.y), die=die, outcome=outcome)
    if outcome == SweepOutcome.DETONATES:
        _detonate(table, ship, mine)
    elif outcome == SweepOutcome.SWEPT:
        state.take_off(mine)
    else:
        mine.known_to = (1 << len(state.sides)) - 1


def _detonate(table: Table, ship: ShipState, mine: Mine) -> None:
    """Remove the mine and apply its damage by the rules of the edition.

    Rules: 2E "Mines" [2e.mines]; Continuum "Mines and mine racks" 6.9 [pc.mines]
    """
    table.state.take_off(mine)
    table.tell(MineDetonated, mine.id, (mine.x, mine.y), ship.id)
    rules_of(table.state.terms.edition).detonate_mine(table, ship, f"{mine.id}>{ship.id}")
