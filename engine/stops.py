"""The stops of a battle between players: awaited sides, and reading, advising and resolving orders.

Orders are documents with the entries of the stop:

    {"plot": {ship: "P2+4"}}
    {"fighters": {group: "to 12 20; face 3"}}
    {"engage": {ship: [{"weapon": "battery-1", "target": contact}]}, "pursue": true}
    {"control": {ship: {"repairs": [{"system": "firecon-1", "parties": 2}], "dump": true}}}

`engage` may also be a list of [ship, fire] in firing order; `pursue` says whether the side pursues
one that disengages. A side names its own ships and groups by id and everything else by contact
code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, cast

from engine.battle import NO_ORDERS, Battle, ResolvedStop, fight, resolve_stop
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import ScanDetail
from engine.core.orders import OrdersDocument
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import OVER, BattleState
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest, TurnOrders
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.site import Site
from engine.sequences import asks_at, units_awaiting_orders
from engine.view.documents import ViewDocument
from engine.view.side_view import SideView, observe


def awaited_sides(battle: Battle) -> tuple[int, ...]:
    """Return the sides (by number) whose orders the present stop needs.

    A side with ships in play, decoys or fighters in flight is always asked, whatever they could do,
    so that the list reveals nothing. Damage control asks the sides with ships that need it, which
    every side can tell. A stop at which all sides know that nothing can be done asks no side.
    """
    state = battle.state
    if state.stop == OVER or asks_at(state)[0].is_idle(state):
        return ()
    return tuple(sorted({unit.commander for unit in units_awaiting_orders(state)}))


def side_view(battle: Battle, side: int) -> ViewDocument:
    """Return a side's present view as a document."""
    return observe(battle.state, side).to_json()


def read_orders(
    battle: Battle, side: int, document: object, where: str = ""
) -> tuple[TurnOrders | None, tuple[Violation, ...]]:
    """Return a side's orders at the present stop, or every fault in them.

    Faults are unknown names, and orders that cannot be carried out.
    """
    state = battle.state
    reader = Reader()
    if not isinstance(document, Mapping):
        words = reason(
            "orders-mapping-entry-stop",
            "orders must be an object with the entry of this phase",
        )
        return None, (Violation(where, "not-a-mapping", words),)
    if state.stop == OVER:
        reader.keys(document, (), where)
        if reader.faults:
            return (None, tuple(reader.faults))
        return (TurnOrders(), ())
    asks = asks_at(state)
    reader.keys(document, list(chain.from_iterable(ask.keys for ask in asks)), where)
    names = _fire_names(state, side)
    prefix = f"{where}." if where else ""
    side_orders = {}  # foreign and captured units still have the side's names for them
    for ask in asks:
        side_orders[ask.key] = ask.parse_side(
            reader, document, where=prefix, names=names, side=side, count=len(state.sides)
        )
    orders = {ask.key: ask.with_ids(side_orders[ask.key], names.ids) for ask in asks}
    sound = not reader.faults
    for fault in _find_faults(state, asks, orders, prefix, sound=sound):
        reader.faults.append(_with_side_names(fault, names.ids))
    if reader.faults:
        return None, tuple(reader.faults)
    return TurnOrders(orders), ()


def _find_faults(
    state: BattleState,
    asks: Sequence[OrderRequest[Any]],
    orders: Mapping[str, Any],
    prefix: str,
    *,
    sound: bool,
) -> list[Violation]:
    """Return the faults of a side's orders by key: of each kind, and between them if it has none.

    Args:
        prefix: The path in the document that precedes the entries, with its dot.
        sound: Whether the document could be read without faults.
    """
    faults: list[Violation] = []
    for ask in asks:
        faults += ask.find_violations(state, orders[ask.key], prefix, sound=sound)
    if sound and not faults:
        for ask in asks:
            faults += ask.find_conflicts(state, orders, prefix)
    return faults


def _with_side_names(fault: Violation, ids: Mapping[str, str]) -> Violation:
    """Replace ids in a fault by the side's names.

    A captor must not learn the id of a captured ship.
    """
    where, message = fault.where, fault.message
    for name, id_ in ids.items():
        whole_id = re.compile(rf"(?<!\w){re.escape(id_)}(?!\w)")
        where = whole_id.sub(name, where)
        message = whole_id.sub(name, message)
    return replace(fault, where=where, message=message)


def _fire_names(state: BattleState, side: int) -> FireNames:
    """Return the units that a side may name: its own and those in sight, by its names for them."""
    view = observe(state, side)
    ids = state.ids_by_contact()
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    own_ships: dict[str, ShipState] = {}
    for ship in view.own_ships:
        own_ships[ship.id] = ships[ids.get(ship.id, ship.id)]
    flying: dict[str, ShipState] = {}
    for group in view.own_pieces_of(Group):
        flying[group.id] = ships[ids.get(group.ship, group.ship)]
    sheets = {}
    for contact in view.contacts:
        if contact.sheet is not None and contact.detail >= ScanDetail.SYSTEMS:
            sheets[ids.get(contact.id, contact.id)] = contact.sheet
    own_names = [*own_ships, *flying]
    return FireNames(
        ships=own_ships,
        groups=flying,
        targets=_target_ids(state, view, own_names, ids),
        sheets=sheets,
        ids={name: ids[name] for name in own_names if name in ids},
        bodies=_bodies_due(view),
    )


def _bodies_due(view: SideView) -> tuple[str, ...]:
    """Return the names of the bodies that the side of a view places now."""
    if view.set_up is None:
        return ()
    return tuple(body.id for body in view.set_up.bodies_due(view.side))


def _target_ids(
    state: BattleState, view: SideView, own_names: Sequence[str], ids: Mapping[str, str]
) -> dict[str, str]:
    """Return the ids of everything that a side may aim at, by the side's names.

    Args:
        ids: The ids of units that the side knows under another name.
    """
    names = list(own_names)
    names += [contact.id for contact in view.contacts]
    names += [flyer.id for flyer in view.foreign_pieces_of(Group)]
    targets = {name: ids.get(name, name) for name in names}
    for piece in (*view.pieces_of(Marker), *view.pieces_of(Site)):
        targets[piece.id] = piece.id
    if ASTEROID_DESTRUCTION in state.terms.options:
        targets |= {piece.id: piece.id for piece in state.pieces if piece.has_boxes}
    return targets


def advise(battle: Battle, side: int, doctrine: Doctrine, seed: str) -> OrdersDocument:
    """Return the orders of a side's captain at the present stop, in the form players write.

    Args:
        seed: The start of the captain's random stream; the same battle, doctrine and seed give the
            same advice.
    """
    state = battle.state
    view = observe(state, side)
    stream = f"{seed}/{state.sides[side]}/{state.turn}/{state.stop}"
    captain = Captain(
        doctrine, Dice(stream), fleeing=max(0, state.turn - 1) if doctrine.flee else 0
    )
    if state.stop == OVER:
        return {}
    document: dict[str, object] = {}
    for ask in asks_at(state):
        document |= cast(dict[str, object], ask.to_document(ask.suggest(captain, view), side))
    return cast(OrdersDocument, document)


def resolve_documents(
    battle: Battle, documents: Mapping[int, object], dice: Dice, seq: int = 0
) -> tuple[Battle, ResolvedStop]:
    """Resolve the present stop by the sides' order documents; a side without one holds.

    Later stops that need no side's orders are resolved at once, so a battle that all have left ends
    immediately.

    Args:
        seq: The number of the stop.

    Raises:
        RuleViolations: Documents have faults; all of them are listed.
        ValueError: The battle is over.
    """
    return resolve_sides(battle, read_documents(battle, documents), dice, seq)


def read_documents(battle: Battle, documents: Mapping[int, object]) -> TurnOrders:
    """Return the orders of all sides at the present stop from their documents.

    Raises:
        RuleViolations: Documents have faults; all of them are listed.
        ValueError: The battle is over.
    """
    if battle.state.stop == OVER:
        raise ValueError("the battle is over: there is no stop left to resolve")
    asks = asks_at(battle.state)
    ordered = {ask.key: ask.no_orders() for ask in asks}
    faults: list[Violation] = []
    for side, document in sorted(documents.items()):
        orders, wrong = read_orders(battle, side, document, fault_path("sides", side))
        faults.extend(wrong)
        if orders is not None:
            ordered = {ask.key: ask.merge(ordered[ask.key], orders.of(ask)) for ask in asks}
    if faults:
        raise RuleViolations(faults)
    return TurnOrders(ordered)


def resolve_sides(
    battle: Battle, orders: TurnOrders, dice: Dice, seq: int = 0
) -> tuple[Battle, ResolvedStop]:
    """Resolve the present stop, and the stops after it that need no side's orders.

    Args:
        seq: The number of the stop.
    """
    after, stop = resolve_stop(battle, orders, dice, seq)
    while after.state.stop != OVER and not awaited_sides(after):
        after, next_stop = resolve_stop(after, NO_ORDERS, dice, seq)
        stop = replace(stop, events=(*stop.events, *next_stop.events), after=next_stop.after)
    return after, stop


def end_after_turn(
    battle: Battle, stop: ResolvedStop, most: int, dice: Dice
) -> tuple[Battle, ResolvedStop]:
    """End a battle that has passed turn `most`; other battles are returned unchanged.

    Args:
        stop: The stop that brought the battle there; it gets the events of the end.
    """
    if battle.state.stop == OVER or battle.turn <= most:
        return battle, stop
    event_count = len(battle.events)
    over = fight(battle, doctrines={}, dice=dice, captain_seed="", max_turns=most)
    return over, replace(stop, events=(*stop.events, *over.events[event_count:]), after=over.state)
