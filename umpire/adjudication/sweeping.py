"""Mines that ships sweep at the week's end.

Each minesweeper is tried on a table of the engine, so its dice, damage and checks are those of a
battle.

Rules: 2E "Minesweeping" [camp.minefields]; Continuum "Minesweeping" 12.5 [pc.mines]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from campaign.events.battles import ShipLost
from campaign.events.event import WeekEvent
from campaign.events.mines import MinesLost, MinesSeen, MinesSwept, SweepPrevented
from campaign.rules.battle_entries import battle_options, ship_entry
from campaign.rules.goods import spaces_of_cargo
from campaign.rules.queries import short_class_name
from campaign.rules.system_mines import can_sweep
from campaign.rules.world import Loss, Mine, Ship, World
from engine.battle import Battle
from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.kinds import DESTROYED, FIGHTING
from engine.core.table import Table
from engine.documents import StoredShip
from engine.events.event import Event
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from engine.notation.battles import read_battle
from engine.pieces.mine import Mine as MinePiece
from engine.pieces.mine import MineDetonated, sweep_mine
from umpire.adjudication.aftermath import loss_events, ship_after_battle
from umpire.adjudication.battles import ship_result
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.minefields import mines_seen
from umpire.adjudication.objectives import undisturbed_hexes

TABLE = (72.0, 48.0)  # MU; the ship is in the middle, among the mines
LAYERS = "(mines)"  # the side to which the mines belong there; no faction has such an id


def sweep_mines(
    index: ScenarioIndex, world: World, dice: Dice, rules: str
) -> tuple[World, list[WeekEvent]]:
    """Let ships sweep mines as ordered; they and the owners of the mines are notified.

    Args:
        rules: The version of the rules.
    """
    sweepers = [ship for ship in world.ships if ship.sweeps]
    if not sweepers:
        return world, []
    work = _WeekSweeps(index, world, dice, rules)
    for ship in sweepers:
        work.sweep(ship)
    return work.world_after(), work.events_after()


def with_newer_mine_notices(
    events: Iterable[WeekEvent], new: Iterable[WeekEvent]
) -> list[WeekEvent]:
    """Return a week's events with new ones, which replace what the same factions saw before."""
    new = list(new)
    replaced = {(event.audience, event.hex) for event in new if isinstance(event, MinesSeen)}
    result = []
    for event in events:
        if not isinstance(event, MinesSeen) or (event.audience, event.hex) not in replaced:
            result.append(event)
    return result + new


@dataclass(slots=True)
class _SweepResult:
    """What the minesweepers of one ship did.

    Attributes:
        gone: The mines that are gone.
        exploded: How many of them attacked the ship.
        state: The ship's document afterwards.
    """

    gone: list[Mine]
    exploded: int
    state: StoredShip


@dataclass(slots=True)
class _WeekSweeps:
    """The ships and mines of one week's end."""

    index: ScenarioIndex
    world: World
    dice: Dice
    rules: str
    events: list[WeekEvent] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    changed: dict[str, Ship] = field(default_factory=dict)
    mines: list[Mine] = field(init=False)
    hex_of: dict[str, str] = field(init=False)
    undisturbed: dict[str, str] = field(init=False)
    searched: dict[tuple[str, str], None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.mines = list(self.world.mines)
        self.hex_of = {fleet.key: fleet.hex for fleet in self.world.fleets}
        self.undisturbed = undisturbed_hexes(self.index, self.world)

    def sweep(self, ship: Ship) -> None:
        """Let a ship sweep the hostile mines of its system, or notify its owner that it cannot."""
        hex_ = self.hex_of[ship.fleet]
        system = self.index.system_at.get(hex_)
        owner = (ship.faction,)
        cls = self.index.classes[ship.cls]
        is_able = not ship.is_helpless and can_sweep(cls, ship)
        if system is None or not is_able or ship.fleet not in self.undisturbed:
            self.events.append(SweepPrevented(owner, hex_, ship.name))
            return
        hostile_mines = self._hostile_mines(ship.faction, system.id)
        outcome = self._sweep_on_table(ship, hostile_mines)
        for mine in outcome.gone:
            self.mines.remove(mine)
        event = MinesSwept(
            owner,
            hex_,
            ship.name,
            swept=len(outcome.gone) - outcome.exploded,
            missed=len(hostile_mines) - len(outcome.gone),
            exploded=outcome.exploded,
            damage=outcome.state["damage"] - ship.damage,
        )
        self.events.append(event)
        for faction, count in sorted(Counter(mine.faction for mine in outcome.gone).items()):
            self.events.append(MinesLost((faction,), hex_, count))
        self._record(ship, outcome.state, hex_)
        self.searched[ship.faction, hex_] = None

    def _hostile_mines(self, faction: str, system: str) -> list[Mine]:
        """Return the mines of a faction's enemies that are now in a system."""
        mines = []
        for mine in self.mines:
            if mine.system == system and self.index.are_hostile(mine.faction, faction):
                mines.append(mine)
        return mines

    def _sweep_on_table(self, ship: Ship, mines: list[Mine]) -> _SweepResult:
        """Roll a die for each mine, and its attack on a 1, until the ship is destroyed."""
        document = self._battle_file(ship, len(mines))
        state = read_battle(document, {}).state
        events: list[Event] = []
        table = Table(state, self.dice.at(f"sweep/{ship.key}"), events.append)
        sweeper = state.ship(ShipId(ship.key))
        sweeper.sweeping = True
        pieces = list(state.pieces_of(MinePiece))
        for piece in pieces:
            if sweeper.status == FIGHTING:
                sweep_mine(table, sweeper, piece)
        gone = []
        for mine, piece in zip(mines, pieces, strict=True):
            if piece not in state.pieces:
                gone.append(mine)
        battle = Battle(state.terms.edition, state.terms.options, state, winner=None, events=[])
        count = sum(isinstance(event, MineDetonated) for event in events)
        return _SweepResult(gone, count, battle.to_json()["ships"][ship.key])

    def _battle_file(self, ship: Ship, count: int) -> BattleFileDocument:
        """Return a battle file with a ship among mines, and a second one like it far away."""
        scenario = self.index.scenario
        entry = ship_entry(scenario, self.index.classes, ship)
        middle = [TABLE[0] / 2, TABLE[1] / 2]
        entry["at"], entry["course"] = middle, 12
        layer: ShipEntry = {**entry, "id": f"{LAYERS}/1", "at": [0, 0]}
        return {
            "rules": self.rules,
            "edition": scenario.edition,
            "options": battle_options(scenario.options, self.rules),
            "table": list(TABLE),
            "sides": [{"name": ship.faction, "ships": [entry]}, {"name": LAYERS, "ships": [layer]}],
            "mines": [{"side": LAYERS, "at": middle} for _ in range(count)],
        }

    def _record(self, ship: Ship, state: StoredShip, hex_: str) -> None:
        """Record what is left of a ship, or its loss."""
        after = ship_result(ship, state, captor="", taker="", turn=0)
        spaces = spaces_of_cargo(self.index.scenario, ship.cargo)
        changed = ship_after_battle(self.index.classes[ship.cls], ship, after, spaces)
        is_lost = after.status == DESTROYED
        self.events += loss_events(ship, changed, hex_, is_lost=is_lost)
        if not is_lost:
            self.changed[ship.key] = changed
            return
        self.losses.append(Loss(changed, self.world.week, hex_, after.status))
        lost = ShipLost(
            (ship.faction,),
            hex_,
            ship=ship.name,
            ship_class=short_class_name(ship.cls),
            cause=after.status,
            captor="",
        )
        self.events.append(lost)

    def world_after(self) -> World:
        """Return the world without the mines and ships that are gone, and without the orders."""
        lost = {loss.ship.key for loss in self.losses}
        ships = []
        for ship in self.world.ships:
            if ship.key not in lost:
                after = self.changed.get(ship.key, ship)
                tug = "" if after.tug in lost else after.tug
                ships.append(replace(after, sweeps=False, tug=tug))
        fleets_with_ships = {ship.fleet for ship in ships}
        losses = (*self.world.losses, *self.losses)
        return replace(
            self.world,
            ships=tuple(ships),
            fleets=tuple(fleet for fleet in self.world.fleets if fleet.key in fleets_with_ships),
            losses=tuple(sorted(losses, key=lambda loss: (loss.week, loss.ship.key))),
            mines=tuple(self.mines),
        )

    def events_after(self) -> list[WeekEvent]:
        """Return all notices; the last are those of the mines that are left after sweeping."""
        for faction, hex_ in self.searched:
            system = self.index.system_at[hex_].id
            here = [mine for mine in self.mines if mine.system == system]
            if here or any(mine.system == system for mine in self.world.mines):
                self.events.append(mines_seen(faction, hex_, here))
        return self.events
