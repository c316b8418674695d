"""A battle from its first stop to its last: started from a file, fought stop by stop, written to
JSON and read again.

It stops where sides must choose: the plot, the fighters' moves while groups fly, whom to engage,
and damage control where there is anything to repair. Captains and people answer through the same
door.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from engine.asks.ask import TurnOrders
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine, doctrine_from
from engine.combat.detection import passive_scans
from engine.continuum.cores import core_hits, hit_before
from engine.continuum.craft.pilots import muster
from engine.core.dice import Dice
from engine.core.reason import reason
from engine.core.schemas import BATTLE
from engine.core.state import OVER, BattleState
from engine.core.table import Table
from engine.core.terms import CORE_SYSTEMS
from engine.core.versions import CORES_STAY_HIT
from engine.core.victory import Outcome, judge, sole_side
from engine.design.value import Design
from engine.documents import BattleDocument, state_document, state_from
from engine.events.battle import BattleOver
from engine.events.event import Event, Sink
from engine.notation.battles import MAX_TURNS, BattleFile, read_battle
from engine.pieces.asteroid import lay
from engine.ruleset import rules_of
from engine.sequences import asks_at, close, left_at, resolved
from engine.view.documents import LogLine, StopViewDocument
from engine.view.side_log import side_log
from engine.view.side_view import observe

NO_ORDERS = TurnOrders()


@dataclass(frozen=True, slots=True)
class ResolvedStop:
    """One resolved stop: what was chosen, what happened, and the state before it.

    `seq` counts from 0.
    """

    seq: int
    turn: int
    kind: str
    inputs: dict[str, Any]
    events: tuple[Event, ...]
    before: BattleState
    after: BattleState

    def view(self, side: int) -> StopViewDocument:
        """What a side saw when it chose, and the log as it read it."""
        return {
            **observe(self.before, side).to_json(),
            "log": side_log(self.events, self.before, side),
        }


class Battle:
    """A battle at a stop.

    `winner` is the side left alone once it is over, None where nobody is, or several are.
    """

    __slots__ = ("edition", "events", "options", "state", "winner")

    def __init__(
        self,
        edition: str,
        options: tuple[str, ...],
        state: BattleState,
        winner: str | None,
        events: list[Event],
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
    def events_json(self) -> list[LogLine]:
        """The umpire's log."""
        return [event.to_json() for event in self.events]

    def to_json(self) -> BattleDocument:
        """The battle whole, without its log: `battle_from` reads it back at any stop."""
        outcome = outcome_of(self.state)
        return {
            "schema": BATTLE.schema,
            "edition": self.edition,
            "options": list(self.options),
            "winner": self.winner,
            "outcome": outcome.to_json() if outcome else None,
            **state_document(self.state),
        }


def outcome_of(state: BattleState) -> Outcome | None:
    """How a battle that is over ended; None where it is not."""
    return judge(state, last=True) if state.stop == OVER else None


def battle_from(document: Mapping[str, Any]) -> Battle:
    """A battle as `Battle.to_json` writes it, or an earlier release wrote it
    (`engine.core.schemas`).

    Raises KeyError or RuleViolations on another document.
    """
    today = cast(BattleDocument, BATTLE.brought_up(document))
    state = state_from(today)
    return Battle(today["edition"], tuple(today["options"]), state, today["winner"], [])


def start(
    document: Mapping[str, Any],
    classes: Mapping[str, Design] | None = None,
    dice: Dice | None = None,
) -> Battle:
    """A battle at its first stop, from a battle file.

    Raises RuleViolations with every fault of the file.
    """
    return begin(read_battle(document, classes or {}), dice)


def begin(file: BattleFile, dice: Dice | None = None) -> Battle:
    """A battle at its first stop; bogeys that begin within passive range of a hostile ship are
    identified at once.

    `dice` lay the asteroids that the file leaves to dice, say how long core systems that are lost
    already still work where the file does not, and what pilots there are; without them, dice of the
    file's own.
    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Core systems" 10.3 [pc.core-systems]
    """
    state = file.state.copy()
    luck = dice or file.dice()
    if file.field is not None:
        lay(state, file.field, luck)
    lay_terrain = rules_of(file.edition).terrain
    if lay_terrain is not None and state.terms.options:
        lay_terrain(state, luck)
    battle = Battle(file.edition, file.options, state, None, [])
    table = Table(state, luck, battle.events.append)
    if CORE_SYSTEMS in file.options and state.terms.follows(CORES_STAY_HIT):
        for ship in state.ships:
            core_hits(table, ship, hit_before(ship))
    table.turn = 0
    muster(table)
    passive_scans(table)
    alone, battle.winner = sole_side(state)
    if alone:
        state.stop = OVER
        battle.events.append(
            BattleOver(
                0, battle.winner, reason("no-two-hostile-sides", "no two hostile sides came")
            )
        )
    return battle


def fight(
    battle: Battle,
    doctrines: Mapping[str, Mapping[str, Any] | Doctrine],
    dice: Dice,
    captain_seed: str,
    max_turns: int = MAX_TURNS,
    on_stop: Callable[[ResolvedStop], None] | None = None,
    *,
    turns: tuple[TurnOrders, ...] = (),
    log: bool = True,
) -> Battle:
    """Fight a battle to its end, or through turn `max_turns`: captains give every order that
    `turns` does not.

    `doctrines` by side name; a side without one fights by the default. `on_stop` is told every
    resolved stop. `log=False` keeps no events. The battle given is not changed. Raises
    RuleViolations where scripted dice run dry.
    """
    captains = _captains(battle, doctrines, captain_seed)
    return _run(battle, captains, {}, dice, max_turns, on_stop, turns, log)


def follow(
    battle: Battle,
    dice: Dice,
    turns: tuple[TurnOrders, ...],
    doctrines: Mapping[str, Mapping[str, Any] | Doctrine] = MappingProxyType({}),
) -> Battle:
    """Play a battle by given orders alone; it stops after the last given turn.

    What sides have left to their officers these order, by the side's doctrine.
    """
    return _run(battle, {}, _captains(battle, doctrines, ""), dice, len(turns), None, turns, True)


def _captains(
    battle: Battle, doctrines: Mapping[str, Mapping[str, Any] | Doctrine], captain_seed: str
) -> dict[int, Captain]:
    """A captain for each side, by its number. Raises RuleViolations for doctrines that are none."""
    captains: dict[int, Captain] = {}
    for number, name in enumerate(battle.state.sides):
        given = doctrines.get(name, Doctrine())
        doctrine = (
            given if isinstance(given, Doctrine) else doctrine_from(given, f"doctrines.{name}")
        )
        captains[number] = Captain(doctrine, Dice(f"{captain_seed}/{name}"))
    return captains


def _run(
    battle: Battle,
    captains: dict[int, Captain],
    officers: dict[int, Captain],
    dice: Dice,
    max_turns: int,
    on_stop: Callable[[ResolvedStop], None] | None,
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
        orders = (
            ordered(state, captains, given) if captains else by_officers(state, officers, given)
        )
        state = resolved(
            state, orders, dice, sink, keep=on_stop is not None or before is battle.state
        )
        if on_stop is not None:
            inputs = orders_json(before, orders)
            on_stop(
                ResolvedStop(
                    seq, before.turn, before.stop, inputs, tuple(events[mark:]), before, state
                )
            )
        seq += 1
    if captains and state.stop != OVER:
        state = _broken_off(state, dice, sink, max_turns)
    outcome = outcome_of(state)
    return Battle(
        battle.edition, battle.options, state, outcome.winner if outcome else None, events
    )


def _broken_off(state: BattleState, dice: Dice, sink: Sink | None, max_turns: int) -> BattleState:
    """The state of a battle that captains end after its last turn."""
    state = state.copy()
    state.turn = max_turns
    close(Table(state, dice, sink), None)
    return state


class Fight:
    """A battle that captains fight stop by stop, and that can be put away after any stop and taken
    up again.

    However it is cut, it comes to what `fight` comes to in one go, to the last byte.
    """

    __slots__ = ("_battle", "_captains", "_dice", "_max_turns", "_state")

    def __init__(
        self,
        battle: Battle,
        doctrines: Mapping[str, Mapping[str, Any] | Doctrine],
        dice: Dice,
        captain_seed: str,
        max_turns: int = MAX_TURNS,
        memory: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin a fight, or take it up.

        Args:
            battle: The battle at its first stop, or as `ended` gave it when the fight was put away.
            memory: What `memory` gave then.
        """
        self._battle = battle
        self._captains = _captains(battle, doctrines, captain_seed)
        self._dice = dice
        self._max_turns = max_turns
        self._state = battle.state
        if memory is not None:
            dice.recall(memory["dice"])
            for number, captain in self._captains.items():
                captain.recall(memory["captains"][number], battle.edition)

    @property
    def over(self) -> bool:
        """Whether no stop is left to fight."""
        return self._state.stop == OVER or self._state.turn > self._max_turns

    def step(self) -> ResolvedStop:
        """Fight one stop."""
        events: list[Event] = []
        before = self._state
        orders = ordered(before, self._captains, NO_ORDERS)
        self._state = resolved(before, orders, self._dice, events.append)
        inputs = orders_json(before, orders)
        return ResolvedStop(0, before.turn, before.stop, inputs, tuple(events), before, self._state)

    def memory(self) -> dict[str, Any] | None:
        """What the captains and the dice have to remember, as JSON; None where it cannot be put
        away at this stop.
        """
        captains = [
            captain.memory(self._battle.edition) for _, captain in sorted(self._captains.items())
        ]
        if None in captains:
            return None
        return {"dice": self._dice.memory(f"turn-{self._state.turn}"), "captains": captains}

    def ended(self) -> Battle:
        """The battle as it stands: at its next stop, or at its end."""
        state = self._state
        if self.over and state.stop != OVER:
            state = _broken_off(state, self._dice, None, self._max_turns)
        outcome = outcome_of(state)
        return Battle(
            self._battle.edition,
            self._battle.options,
            state,
            outcome.winner if outcome else None,
            [],
        )


def resolve_stop(
    battle: Battle, orders: TurnOrders, dice: Dice, seq: int = 0
) -> tuple[Battle, ResolvedStop]:
    """A battle's next stop, and what happened on the way. The battle given is not changed.

    `orders`: what is ordered at the present stop, by ids; who has none holds. `seq`: the number of
    the stop.
    """
    events: list[Event] = []
    before = battle.state
    after = resolved(before, orders, dice, events.append)
    outcome = outcome_of(after)
    winner = outcome.winner if outcome else None
    stop = ResolvedStop(
        seq, before.turn, before.stop, orders_json(before, orders), tuple(events), before, after
    )
    return Battle(battle.edition, battle.options, after, winner, [*battle.events, *events]), stop


def orders_json(state: BattleState, orders: TurnOrders) -> dict[str, Any]:
    """What was ordered at a stop by all sides: by ship, by group, or by side.

    Where the stop asks several things, and not the first alone was answered, the first and all that
    were stand under their keys.
    """
    first, *beside = ((ask.key, ask.logged(orders.of(ask), state.sides)) for ask in asks_at(state))
    answered = [(key, logged) for key, logged in beside if logged]
    return dict((first, *answered)) if answered else first[1]


def ordered(state: BattleState, captains: dict[int, Captain], given: TurnOrders) -> TurnOrders:
    """A stop's orders: given ones first, the captains' (who name contacts) for whatever has
    none.
    """
    ids = state.ids_by_contact()
    asked = asks_at(state)
    advice = {ask.key: ask.nothing() for ask in asked}
    for side in range(len(state.sides)):
        view = observe(state, side, lent=True)
        for ask in asked:
            advice[ask.key] = ask.together(
                advice[ask.key], ask.by_id(ask.advice(captains[side], view), ids)
            )
    if given is NO_ORDERS:
        return TurnOrders(advice)
    return TurnOrders({ask.key: ask.together(advice[ask.key], given.of(ask)) for ask in asked})


def by_officers(state: BattleState, officers: dict[int, Captain], given: TurnOrders) -> TurnOrders:
    """A stop's orders: given ones, and for what has none and is left to officers what they
    order.
    """
    left = {str(unit.id): unit.commander for unit in left_at(state)}
    if not left:
        return given
    first, *_ = asks_at(state)
    advice, ids = first.nothing(), state.ids_by_contact()
    for side in sorted({*left.values()}):
        advised = first.by_id(first.advice(officers[side], observe(state, side, lent=True)), ids)
        advice = first.together(
            advice, {name: one for name, one in advised.items() if left.get(name) == side}
        )
    return TurnOrders(
        {ask.key: given.of(ask) for ask in asks_at(state)}
        | {first.key: first.together(advice, given.of(first))}
    )
