"""A battle from its first stop to its last: started, fought, stored as JSON and restored.

It stops where sides must choose: plots, fighter moves while groups fly, targets, and damage control
if anything can be repaired. Captains and players give their orders in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine, doctrine_from
from engine.captains.line_up import line_up
from engine.combat.detection import passive_scans
from engine.continuum.cores import core_hits, unrecorded_core_damage
from engine.continuum.craft.pilots import roll_pilots
from engine.core.deployment import SEALED, OpenBody, SetUpStage
from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.schemas import BATTLE
from engine.core.ship import FREE, ShipState
from engine.core.state import OVER, SET_UP, BattleState
from engine.core.table import Table
from engine.core.terms import CORE_SYSTEMS
from engine.core.versions import GROUPS_BY_NAME
from engine.core.victory import Outcome, decide_outcome, sole_side
from engine.design.value import Design
from engine.documents import BattleDocument, state_document, state_from
from engine.events.battle import BattleOver, SetUpOrder
from engine.events.event import Event, Sink
from engine.notation.battles import BattleFile, read_battle
from engine.notation.set_up import SetUp, enemies_on_table, surroundings_of, turn_faults
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FIRE_REQUEST
from engine.pieces.asteroid import ADDED, Asteroid, lay_asteroids
from engine.ruleset import rules_of
from engine.sequences import asks_at, automatic_units_at, close_battle, resolve_orders
from engine.view.documents import LogLine, StopViewDocument
from engine.view.side_log import side_log
from engine.view.side_view import observe

NO_ORDERS = TurnOrders()


@dataclass(frozen=True, slots=True)
class ResolvedStop:
    """One resolved stop: what was ordered, what happened, and the states before and after it.

    Attributes:
        seq: Counts from 0.
        inputs: The orders of all sides (see `orders_json`).
        pursue: The names of the sides that pursue one that disengages, which `inputs` leaves out.
    """

    seq: int
    turn: int
    kind: str
    inputs: dict[str, Any]
    pursue: tuple[str, ...]
    events: tuple[Event, ...]
    before: BattleState
    after: BattleState

    def view(self, side: int) -> StopViewDocument:
        """Return what a side saw when it chose orders, and its log of what followed."""
        return {
            **observe(self.before, side).to_json(),
            "log": side_log(self.events, self.before, side),
        }


class Battle:
    """A battle at a stop.

    Attributes:
        winner: The winning side once the battle is over; None if there is none or several are left.
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
        """The present turn, or the last one."""
        return self.state.turn

    @property
    def events_json(self) -> list[LogLine]:
        """The umpire's log."""
        return [event.to_json() for event in self.events]

    def to_json(self) -> BattleDocument:
        """Return the complete battle without its log; `battle_from` restores it at any stop."""
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
    """Return the outcome of a battle that is over, else None."""
    if state.stop == OVER:
        return decide_outcome(state, last=True)
    return None


def battle_from(document: Mapping[str, Any]) -> Battle:
    """Restore a battle that `Battle.to_json` wrote, in this or an earlier release.

    Raises:
        KeyError: The document is of another kind.
        RuleViolations: The document cannot be upgraded or is faulty.
    """
    today = cast(BattleDocument, BATTLE.upgrade(document))
    state = state_from(today)
    return Battle(
        edition=today["edition"],
        options=tuple(today["options"]),
        state=state,
        winner=today["winner"],
        events=[],
    )


def start(
    document: Mapping[str, Any],
    classes: Mapping[str, Design] | None = None,
    dice: Dice | None = None,
    *,
    asks_set_up: bool = False,
) -> Battle:
    """Return a battle at its first stop from a battle file.

    Args:
        asks_set_up: Let the sides place their ships, if the deployment of the file is a table.

    Raises:
        RuleViolations: The file has faults; all of them are listed.
    """
    return begin(read_battle(document, classes or {}), dice, asks_set_up=asks_set_up)


def begin(file: BattleFile, dice: Dice | None = None, *, asks_set_up: bool = False) -> Battle:
    """Return a battle at its first stop.

    Bogeys that start within passive range of a hostile ship are identified at once.

    Args:
        dice: Dice for random asteroids, unrecorded damage of core systems, and pilots; by default
            those of the file.
        asks_set_up: Let the sides place their ships first, if the deployment of the file is a
            table. Otherwise captains place those for which the file names no place.

    Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Core systems" 10.3 [pc.core-systems]
    """
    state = file.state.copy()
    luck = dice or file.dice()
    if file.field is not None:
        lay_asteroids(state, file.field, luck)
    lay_terrain = rules_of(file.edition).terrain
    if lay_terrain is not None and state.terms.options:
        lay_terrain(state, luck)
    battle = Battle(file.edition, file.options, state, winner=None, events=[])
    table = Table(state, luck, battle.events.append)
    if CORE_SYSTEMS in file.options:
        for ship in state.ships:
            core_hits(table, ship, unrecorded_core_damage(ship))
    table.turn = 0
    if file.set_up is not None and file.set_up.is_rolled:
        _roll_asteroids(table, file.set_up)
    if file.set_up is not None and file.set_up.plan is not None:
        _set_up_sides(table, file, file.set_up, asks_set_up=asks_set_up)
    roll_pilots(table)
    if state.set_up is None:
        passive_scans(table)
    alone, battle.winner = sole_side(state)
    if alone:
        state.stop = OVER
        battle.events.append(
            BattleOver(
                0,
                battle.winner,
                reason("no-two-hostile-sides", "fewer than two hostile sides are present"),
            )
        )
    return battle


def _roll_asteroids(table: Table, set_up: SetUp) -> None:
    """Roll how many asteroids there are of those that the sides place.

    Raises:
        RuleViolations: The set-up of the file places more of them.

    Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]
    """
    state = table.state
    number = table.dice.roll("asteroid", "number") + ADDED
    surplus = [rock.id for rock in state.pieces_of(Asteroid)[number:]]
    faults = []
    for name, where in set_up.chosen_rocks.items():
        if name in surplus:
            words = phrase("there are only {} asteroids in this battle", number)
            faults.append(Violation(where, "unknown-ship", words))
    if faults:
        raise RuleViolations(faults)
    state.remove(surplus)


def _set_up_sides(table: Table, file: BattleFile, set_up: SetUp, *, asks_set_up: bool) -> None:
    """Roll for the order of setting up if needed, and let captains place what is left to them.

    Args:
        asks_set_up: Open the set-up phase instead, if the deployment is a table.

    Raises:
        RuleViolations: A ship was placed out of turn.

    Rules: Continuum "Deployment" 18.1, "Introductory scenario" 4.12 [pc.deployment]
    """
    state = table.state
    plan = set_up.plan
    assert plan is not None
    order = list(range(len(state.sides)))
    asks = asks_set_up and plan.is_table
    bodies = _open_bodies(state, set_up) if asks else ()
    first = plan.first
    if plan.manner == SEALED and not any(body.by is None for body in bodies):
        first = None
    elif first is None:
        first = _roll_first(table)
        faults = turn_faults(set_up, state.ships, first, len(state.sides))
        if faults:
            raise RuleViolations(faults)
    if first is not None:
        order = order[first:] + order[:first]
    open_ids = [ship.id for ship in state.ships if _is_open(ship, set_up)]
    if asks and (open_ids or bodies):
        _open_set_up(state, set_up, bodies, open_ids, first)
        return
    for side in order:
        doctrine = file.doctrines.get(state.sides[side], Doctrine())
        if doctrine.formation or doctrine.reserve:
            enemies = enemies_on_table(state.ships, state.hostile, side)
            line_up(
                [ship for ship in state.ships if ship.owner == side],
                plan.zones[side],
                surroundings_of(state.table, state.pieces, state.ships, enemies),
                formation=doctrine.formation or "line",
                reserve=doctrine.reserve,
                open_ids=set_up.unplaced,
                terms=state.terms,
            )


def _open_bodies(state: BattleState, set_up: SetUp) -> tuple[OpenBody, ...]:
    """Return the bodies of the battle that its sides place."""
    ids = {piece.id for piece in state.pieces} | {str(ship.id) for ship in state.ships}
    return tuple(body for body in set_up.bodies if body.id in ids)


def _open_set_up(
    state: BattleState,
    set_up: SetUp,
    bodies: tuple[OpenBody, ...],
    open_ids: Sequence[str],
    first: int | None,
) -> None:
    """Open the set-up phase: bodies are placed first, then ships.

    Args:
        first: The side that begins, if sides place bodies or ships in turn.
    """
    assert set_up.plan is not None
    gates = {id_: tuple(names) for id_, names in set_up.open_gates.items() if id_ in open_ids}
    plan = replace(set_up.plan, first=first)
    side = first
    if bodies and bodies[0].by is not None:
        side = bodies[0].by
    state.set_up = SetUpStage(plan, side, tuple(open_ids), open_gates=gates, bodies=bodies)
    state.turn = 0
    state.stop = SET_UP


def _is_open(ship: ShipState, set_up: SetUp) -> bool:
    """Return whether its side still places a ship.

    The place of a ship in the file is only a proposal. Installations with a place, sections, and
    ships that begin docked, aboard another, on a stand or in FTL stay as the file has them.
    """
    if ship.id in set_up.entry_places or ship.status != FIGHTING or ship.docking != FREE:
        return False
    if ship.record.section or ship.record.stand:
        return False
    return ship.sheet.kind != INSTALLATION or ship.id in set_up.unplaced


def _roll_first(table: Table) -> int:
    """Return the side that sets up first: the lowest die; ties are rolled again."""
    sides = list(range(len(table.state.sides)))
    rolls: list[tuple[str, int]] = []
    tied = sides
    while len(tied) > 1:
        dice = {}
        for side in tied:
            name = table.state.sides[side]
            dice[side] = table.dice.roll("set-up", name)
            rolls.append((name, dice[side]))
        lowest = min(dice.values())
        tied = [side for side, die in dice.items() if die == lowest]
    order = sides[tied[0] :] + sides[: tied[0]]
    table.tell(SetUpOrder, tuple(rolls), tuple(table.state.sides[side] for side in order))
    return tied[0]


def fight(
    battle: Battle,
    doctrines: Mapping[str, Mapping[str, Any] | Doctrine],
    dice: Dice,
    captain_seed: str,
    max_turns: int = DEFAULT_MAX_TURNS,
    on_stop: Callable[[ResolvedStop], None] | None = None,
    *,
    turns: tuple[TurnOrders, ...] = (),
    log: bool = True,
) -> Battle:
    """Fight a battle to its end or through turn `max_turns`, without changing the given battle.

    Captains give every order that is missing in `turns`.

    Args:
        doctrines: Doctrines by side name; other sides use the default.
        on_stop: Called with every resolved stop.
        log: Keep the events.

    Raises:
        RuleViolations: Scripted dice ran out.
    """
    captains = _captains(battle, doctrines, captain_seed)
    return _run(
        battle,
        captains,
        defence_captains={},
        dice=dice,
        max_turns=max_turns,
        on_stop=on_stop,
        turns=turns,
        log=log,
    )


def play_orders(
    battle: Battle,
    dice: Dice,
    turns: tuple[TurnOrders, ...],
    doctrines: Mapping[str, Mapping[str, Any] | Doctrine] = MappingProxyType({}),
) -> Battle:
    """Play a battle with the given orders only, up to the last turn that has any.

    Where a side uses automatic point defence, a captain with its doctrine orders it.
    """
    return _run(
        battle,
        captains={},
        defence_captains=_captains(battle, doctrines, ""),
        dice=dice,
        max_turns=len(turns),
        on_stop=None,
        turns=turns,
        log=True,
    )


def _captains(
    battle: Battle, doctrines: Mapping[str, Mapping[str, Any] | Doctrine], captain_seed: str
) -> dict[int, Captain]:
    """Return a captain for each side number.

    Raises:
        RuleViolations: A doctrine is not valid.
    """
    captains: dict[int, Captain] = {}
    for number, name in enumerate(battle.state.sides):
        configured = doctrines.get(name, Doctrine())
        if isinstance(configured, Doctrine):
            doctrine = configured
        else:
            doctrine = doctrine_from(configured, f"doctrines.{name}")
        captains[number] = Captain(doctrine, Dice(f"{captain_seed}/{name}"))
    return captains


def _run(
    battle: Battle,
    captains: dict[int, Captain],
    defence_captains: dict[int, Captain],
    dice: Dice,
    max_turns: int,
    on_stop: Callable[[ResolvedStop], None] | None,
    turns: tuple[TurnOrders, ...],
    log: bool,
) -> Battle:
    """Resolve stop after stop until the battle is over or turn `max_turns` has been played.

    Args:
        captains: Captains who give the missing orders, by side; if empty, `defence_captains` order
            automatic point defence and nothing else is added.
        turns: The orders given, turn by turn.
        log: Keep the events.
    """
    events: list[Event] = list(battle.events)
    sink: Sink | None = events.append if log else None
    state = battle.state
    seq = 0
    while state.stop != OVER and state.turn <= max_turns:
        turn_orders = turns[state.turn - 1] if 1 <= state.turn <= len(turns) else NO_ORDERS
        before = state
        event_count = len(events)
        if captains:
            orders = captain_orders(state, captains, turn_orders)
        else:
            orders = auto_point_defence_orders(state, defence_captains, turn_orders)
        keep = on_stop is not None or before is battle.state
        state = resolve_orders(state, orders, dice, sink, keep=keep)
        if on_stop is not None:
            resolved = _resolved_stop(before, orders, events[event_count:], after=state, seq=seq)
            on_stop(resolved)
        seq += 1
    if captains and state.stop != OVER:
        state = _break_off(state, dice, sink, max_turns)
    return _battle_at(battle, state, events)


def _resolved_stop(
    before: BattleState,
    orders: TurnOrders,
    events: Sequence[Event],
    *,
    after: BattleState,
    seq: int,
) -> ResolvedStop:
    """Return the record of a stop: its orders, and what they led to."""
    return ResolvedStop(
        seq=seq,
        turn=before.turn,
        kind=before.stop,
        inputs=orders_json(before, orders),
        pursue=tuple([before.sides[side] for side in sorted(orders.of(FIRE_REQUEST).pursue)]),
        events=tuple(events),
        before=before,
        after=after,
    )


def _battle_at(battle: Battle, state: BattleState, events: list[Event]) -> Battle:
    """Return a battle in a later state, with its winner if that is its end."""
    outcome = outcome_of(state)
    return Battle(
        battle.edition,
        battle.options,
        state,
        winner=outcome.winner if outcome else None,
        events=events,
    )


def _break_off(state: BattleState, dice: Dice, sink: Sink | None, max_turns: int) -> BattleState:
    """Return the state of a battle that ends after its last turn."""
    state = state.copy()
    state.turn = max_turns
    close_battle(Table(state, dice, sink), None)
    return state


class Fight:
    """A battle fought by captains stop by stop, which can be stored after any stop and resumed.

    The result is the same, byte for byte, as that of `fight` in one run.
    """

    __slots__ = ("_battle", "_captains", "_dice", "_max_turns", "_state")

    def __init__(
        self,
        battle: Battle,
        doctrines: Mapping[str, Mapping[str, Any] | Doctrine],
        dice: Dice,
        captain_seed: str,
        max_turns: int = DEFAULT_MAX_TURNS,
        memory: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin or resume a fight.

        Args:
            battle: The battle at its first stop, or what `battle()` returned when the fight was
                stored.
            memory: What `memory()` returned then.
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
    def is_over(self) -> bool:
        """Whether no stop is left to fight."""
        return self._state.stop == OVER or self._state.turn > self._max_turns

    def step(self) -> ResolvedStop:
        """Fight one stop."""
        events: list[Event] = []
        before = self._state
        orders = captain_orders(before, self._captains, NO_ORDERS)
        self._state = resolve_orders(before, orders, self._dice, events.append)
        return _resolved_stop(before, orders, events, after=self._state, seq=0)

    def memory(self) -> dict[str, Any] | None:
        """Return the memory of captains and dice as JSON, or None if this stop cannot be stored."""
        captains = []
        for _, captain in sorted(self._captains.items()):
            captains.append(captain.memory(self._battle.edition))
        if None in captains:
            return None
        return {"dice": self._dice.memory(f"turn-{self._state.turn}"), "captains": captains}

    def battle(self) -> Battle:
        """Return the battle at its next stop or at its end."""
        state = self._state
        if self.is_over and state.stop != OVER:
            state = _break_off(state, self._dice, None, self._max_turns)
        return _battle_at(self._battle, state, [])


def resolve_stop(
    battle: Battle, orders: TurnOrders, dice: Dice, seq: int = 0
) -> tuple[Battle, ResolvedStop]:
    """Resolve the present stop without changing the given battle.

    Args:
        orders: The orders at this stop, by ids; units without orders hold.
        seq: The number of the stop.

    Returns:
        The battle at its next stop, and what happened.
    """
    events: list[Event] = []
    before = battle.state
    after = resolve_orders(before, orders, dice, events.append)
    stop = _resolved_stop(before, orders, events, after=after, seq=seq)
    return _battle_at(battle, after, [*battle.events, *events]), stop


def orders_json(state: BattleState, orders: TurnOrders) -> dict[str, Any]:
    """Return the orders of all sides at a stop, by ship, group or side.

    If a stop has several order requests and more than the first was answered, the answers are
    listed under the keys of the requests.
    """
    is_exact = state.terms.follows(GROUPS_BY_NAME)  # battles of older rules keep their short logs
    logs: list[tuple[str, dict[str, Any]]] = []
    for ask in asks_at(state):
        write = ask.to_record if is_exact else ask.to_log
        logs.append((ask.key, write(orders.of(ask), state.sides)))
    first, *further = logs
    answered = [(key, logged) for key, logged in further if logged]
    if answered:
        return dict((first, *answered))
    return first[1]


def captain_orders(
    state: BattleState, captains: dict[int, Captain], turn_orders: TurnOrders
) -> TurnOrders:
    """Return the orders of a stop: the given ones, and those of captains for everything else.

    Captains name contacts, which are converted to ids.
    """
    ids = state.ids_by_contact()
    asks = asks_at(state)
    advice = {ask.key: ask.no_orders() for ask in asks}
    for side in range(len(state.sides)):
        view = observe(state, side, lent=True)
        for ask in asks:
            advice[ask.key] = ask.merge(
                advice[ask.key], ask.with_ids(ask.suggest(captains[side], view), ids)
            )
    if turn_orders is NO_ORDERS:
        return TurnOrders(advice)
    return TurnOrders({ask.key: ask.merge(advice[ask.key], turn_orders.of(ask)) for ask in asks})


def auto_point_defence_orders(
    state: BattleState, defence_captains: dict[int, Captain], turn_orders: TurnOrders
) -> TurnOrders:
    """Return the given orders of a stop, completed for units with automatic point defence."""
    automatic_units = {}
    for unit in automatic_units_at(state):
        automatic_units[str(unit.id)] = unit.commander
    if not automatic_units:
        return turn_orders
    first, *_ = asks_at(state)
    advice = first.no_orders()
    ids = state.ids_by_contact()
    for side in sorted({*automatic_units.values()}):
        advised = first.with_ids(
            first.suggest(defence_captains[side], observe(state, side, lent=True)), ids
        )
        advice = first.merge(
            advice,
            {name: order for name, order in advised.items() if automatic_units.get(name) == side},
        )
    return TurnOrders(
        {ask.key: turn_orders.of(ask) for ask in asks_at(state)}
        | {first.key: first.merge(advice, turn_orders.of(first))}
    )
