"""A battle from its first stop to its last: started from a file, fought stop by stop, written to JSON and read again.

It stops where sides must choose: the plot, then (after movement) whom to engage. Captains and people answer through
the same door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.captains.captain import Captain
from engine.captains.doctrine import Doctrine, doctrine_from
from engine.combat.damage import boxes_left, cargo_left
from engine.combat.detection import passive_scans
from engine.design.value import Design
from engine.dice import Dice
from engine.events import BattleOver, Event, Sink
from engine.notation.battles import MAX_TURNS, BattleFile, read_battle
from engine.notation.designs import load_sheet
from engine.notation.turns import TurnOrders
from engine.orders import Fire, FireOrders, Plot
from engine.rigging import refit, rig_of
from engine.state import ENGAGE, OVER, PLOT, BattleState, Sheet, ShipState
from engine.turn import resolve_engage, resolve_plot, sole_side
from engine.view import observe, side_log

NO_ORDERS = TurnOrders({}, {})
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Stop:
    """One resolved stop: what was chosen, what happened, and the state before it. `seq` counts from 0."""

    seq: int
    turn: int
    kind: str
    inputs: dict[str, Any]
    events: tuple[Event, ...]
    before: BattleState
    after: BattleState

    def view(self, side: int) -> dict[str, Any]:
        """What a side saw when it chose, and the log as it read it."""
        seen = observe(self.before, side)
        return {
            "turn": self.turn,
            "stop": self.kind,
            "own": {ship.id: ship_json(ship) for ship in seen.own},
            "contacts": [contact.to_json() for contact in seen.contacts],
            "log": side_log(self.events, self.before, side),
        }


class Battle:
    """A battle at a stop. `winner` is the side left alone once it is over, None where nobody is, or several are."""

    __slots__ = ("edition", "events", "options", "state", "winner")

    def __init__(
        self, edition: str, options: tuple[str, ...], state: BattleState, winner: str | None, events: list[Event]
    ) -> None:
        self.edition = edition
        self.options = options
        self.state = state
        self.winner = winner
        self.events = events

    @property
    def turn(self) -> int:
        """The turn the battle stands in, or ended in."""
        return self.state.turn

    @property
    def events_json(self) -> list[dict[str, Any]]:
        """The umpire's log."""
        return [event.to_json() for event in self.events]

    def to_json(self) -> dict[str, Any]:
        """The battle whole, without its log: `battle_from` reads it back at any stop."""
        state = self.state
        named = _design_names(state.ships)
        return {
            "schema": SCHEMA,
            "edition": self.edition,
            "options": list(self.options),
            "sides": list(state.sides),
            "hostile": list(state.hostile),
            "table": list(state.table),
            "bogeys": state.bogeys,
            "turn": state.turn,
            "stop": state.stop,
            "winner": self.winner,
            "designs": {name: sheet.design for sheet, name in named.items()},
            "ships": {ship.id: ship_json(ship) | _hidden_json(ship, named[ship.sheet]) for ship in state.ships},
        }


def ship_json(ship: ShipState) -> dict[str, Any]:
    """A ship as the command line's contract shows it."""
    sheet = ship.sheet
    document: dict[str, Any] = {
        "at": [ship.x, ship.y],
        "course": ship.course,
        "velocity": ship.velocity,
        "damage": ship.damage,
        "boxes_left": boxes_left(sheet, ship.damage),
        "armour": [],
        "thrust": ship.thrust,
        "lost": list(ship.lost()),
        "status": ship.status,
    }
    if sheet.kind == "merchant":
        left = cargo_left(sheet, ship.damage)
        document["cargo_left"] = f"{left.numerator}/{left.denominator}"
    return document


def _design_names(ships: list[ShipState]) -> dict[Sheet, str]:
    """A name for every design in a battle: its class, numbered where two designs share one."""
    named: dict[Sheet, str] = {}
    taken: dict[str, int] = {}
    for ship in ships:
        if ship.sheet not in named:
            cls = ship.sheet.cls
            taken[cls] = taken.get(cls, 0) + 1
            named[ship.sheet] = cls if taken[cls] == 1 else f"{cls} ({taken[cls]})"
    return named


def _hidden_json(ship: ShipState, design: str) -> dict[str, Any]:
    """The rest of a ship's state, for reading it back; `design` names its design in the document."""
    return {
        "side": ship.side,
        "class": design,
        "bogey": ship.bogey,
        "dummy": ship.dummy,
        "label": ship.label,
        "contact": ship.contact,
        "warm": ship.warm,
        "holds_fire": ship.holds_fire,
        "edge": ship.edge,
        "due": ship.due,
    }


def battle_from(document: Mapping[str, Any]) -> Battle:
    """A battle as `Battle.to_json` wrote it. Raises KeyError or RuleViolations on a document it did not write."""
    sheets: dict[str, Sheet] = {name: load_sheet(design) for name, design in document["designs"].items()}
    ships = []
    for id_, item in document["ships"].items():
        sheet = sheets[item["class"]]
        rig = rig_of(sheet)
        alive = [2 if fit.type == "drive" else 1 for fit in sheet.fits]
        for name in item["lost"]:
            alive[rig.index_of[name]] -= 1
        x, y = item["at"]
        ship = ShipState(
            id_, item["side"], sheet, rig, x, y, item["course"], item["velocity"], item["damage"], alive, 0, 0, 0, (),
            item["status"], item["bogey"], item["dummy"], item["label"], item["contact"], item["warm"],
            item["holds_fire"], item["edge"], item["due"],
        )  # fmt: skip
        refit(ship)
        ships.append(ship)
    width, height = document["table"]
    state = BattleState(
        tuple(document["sides"]), tuple(document["hostile"]), (width, height), document["bogeys"],
        document["turn"], document["stop"], ships,
    )  # fmt: skip
    return Battle(document["edition"], tuple(document["options"]), state, document["winner"], [])


def start(document: Mapping[str, Any], classes: Mapping[str, Design] | None = None) -> Battle:
    """A battle at its first stop, from a battle file. Raises RuleViolations with every fault of the file."""
    return begin(read_battle(document, classes or {}))


def begin(file: BattleFile) -> Battle:
    """A battle at its first stop; bogeys that begin within passive range of a hostile ship are identified at once."""
    state = file.state.copy()
    battle = Battle(file.edition, file.options, state, None, [])
    passive_scans(state, 0, battle.events.append)
    alone, battle.winner = sole_side(state)
    if alone:
        state.stop = OVER
        battle.events.append(BattleOver(0, battle.winner, "no two hostile sides came"))
    return battle


def fight(
    battle: Battle,
    doctrines: Mapping[str, Mapping[str, Any] | Doctrine],
    dice: Dice,
    captain_seed: str,
    max_turns: int = MAX_TURNS,
    on_stop: Callable[[Stop], None] | None = None,
    *,
    turns: tuple[TurnOrders, ...] = (),
    log: bool = True,
) -> Battle:
    """Fight a battle to its end, or through turn `max_turns`: captains give every order that `turns` does not.

    `doctrines` by side name; a side without one fights by the default. `on_stop` is told every resolved stop.
    `log=False` keeps no events. The battle given is not changed. Raises RuleViolations where scripted dice run dry.
    """
    captains: dict[int, Captain] = {}
    for number, name in enumerate(battle.state.sides):
        given = doctrines.get(name, Doctrine())
        doctrine = given if isinstance(given, Doctrine) else doctrine_from(given, f"doctrines.{name}")
        captains[number] = Captain(doctrine, Dice(f"{captain_seed}/{name}"))
    return _run(battle, captains, dice, max_turns, on_stop, turns, log)


def follow(battle: Battle, dice: Dice, turns: tuple[TurnOrders, ...]) -> Battle:
    """Play a battle by given orders alone; it stops after the last given turn."""
    return _run(battle, {}, dice, len(turns), None, turns, True)


def _run(
    battle: Battle,
    captains: dict[int, Captain],
    dice: Dice,
    max_turns: int,
    on_stop: Callable[[Stop], None] | None,
    turns: tuple[TurnOrders, ...],
    log: bool,
) -> Battle:
    events: list[Event] = list(battle.events)
    sink: Sink | None = events.append if log else None
    state = battle.state
    seq = 0
    while state.stop != OVER and state.turn <= max_turns:
        given = turns[state.turn - 1] if state.turn <= len(turns) else NO_ORDERS
        before, mark = state, len(events)
        if state.stop == PLOT:
            plots = _plots(state, captains, given)
            state = resolve_plot(state, plots, dice, sink)
            inputs: dict[str, Any] = {}
            if on_stop is not None:
                inputs = {name: plot.words() for name, plot in sorted(plots.items())}
        else:
            fire = _fire(state, captains, given)
            state = resolve_engage(state, fire, dice, sink, copy=on_stop is not None or before is battle.state)
            if on_stop is not None:
                inputs = {
                    state.sides[side]: [[name, [one.to_json() for one in fires]] for name, fires in orders]
                    for side, orders in fire.items()
                }
        if on_stop is not None:
            kind = PLOT if state.stop == ENGAGE else ENGAGE
            on_stop(Stop(seq, before.turn, kind, inputs, tuple(events[mark:]), before, state))
        seq += 1
    winner = sole_side(state)[1] if state.stop == OVER else None
    if captains and state.stop != OVER:
        state = state.copy()
        state.stop = OVER
        state.turn = max_turns
        if sink is not None:
            sink(BattleOver(max_turns, None, "the last turn is over"))
    return Battle(battle.edition, battle.options, state, winner, events)


def _plots(state: BattleState, captains: dict[int, Captain], given: TurnOrders) -> dict[str, Plot]:
    plots: dict[str, Plot] = {}
    for side, captain in captains.items():
        plots |= captain.plots(observe(state, side))
    return plots | given.plots if given.plots else plots


def _fire(state: BattleState, captains: dict[int, Captain], given: TurnOrders) -> dict[int, FireOrders]:
    """Each side's fire: given orders first, the captain's (who aims at contacts) for the ships that have none."""
    fire: dict[int, FireOrders] = {}
    ids = {ship.contact: ship.id for ship in state.ships if ship.contact != ship.id}
    for side in range(len(state.sides)):
        orders = list(given.fire.get(side, ()))
        if side in captains:
            named = {name for name, _ in orders}
            aimed = captains[side].fire(observe(state, side))
            orders += [(name, _by_id(fires, ids)) for name, fires in aimed if name not in named]
        fire[side] = orders
    return fire


def _by_id(fires: tuple[Fire, ...], ids: dict[str, str]) -> tuple[Fire, ...]:
    """Fire aimed at contacts as fire at the ships they are."""
    if not ids:
        return fires
    return tuple(Fire(fire.weapon, tuple(ids.get(name, name) for name in fire.targets)) for fire in fires)
