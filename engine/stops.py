"""The stops of a battle that people play: whose orders are awaited, a side's orders read, advised and resolved.

Orders are documents: at the plot `{"plot": {ship: "P2+4"}}`, for the fighters
`{"fighters": {group: "to 12 20; face 3"}}`, to engage
`{"engage": {ship: [{"weapon": "battery-1", "target": contact}]}}`
(or a list of [ship, fire] in firing order), beside it `"pursue": true` of who
goes after a side that disengages, and at damage control
`{"control": {ship: {"repairs": [{"system": "firecon-1", "parties": 2}], "dump": true}}}`.
A side names its own ships and groups by id and whatever else it sees by contact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.battle import NO_ORDERS, Battle, Stop, fight, resolve_stop
from engine.captains.captain import Captain
from engine.captains.doctrine import Doctrine
from engine.combat.damage_control import calls_for_control, control_violations
from engine.dice import Dice
from engine.errors import RuleViolations, Violation, place
from engine.movement.flights import flight_violations
from engine.movement.plots import plot_violations
from engine.movement.squadrons import plan_violations
from engine.notation.fire import Names
from engine.notation.reading import Reader
from engine.notation.turns import TurnOrders, read_turn
from engine.orders import Control, FireOrders, Flight, Plot
from engine.ship import IN_PLAY
from engine.state import CONTROL, ENGAGE, FIGHTERS, OVER, PLOT, BattleState
from engine.terms import ASTEROID_DESTRUCTION, MOVING_TABLE
from engine.view import SideView, observe

PURSUE = "pursue"
ENTRY = {PLOT: "plot", FIGHTERS: "fighters", ENGAGE: "engage", CONTROL: "control"}


@dataclass(frozen=True, slots=True)
class SideOrders:
    """What one side orders at a stop, by ids."""

    plots: dict[str, Plot]
    flights: dict[str, Flight]
    fire: FireOrders
    pursue: bool = False
    control: dict[str, Control] = field(default_factory=dict)


def waiting(battle: Battle) -> tuple[int, ...]:
    """The sides (by number) whose orders the present stop waits for.

    A side with ships in play, drones or fighters in flight is always asked, whatever they could do: who is asked tells
    nobody anything. Damage control asks the sides for whose ships the turn stops, which everybody can tell.
    """
    state = battle.state
    if state.stop == OVER:
        return ()
    if state.stop == FIGHTERS:
        return tuple(sorted({group.side for group in state.groups}))
    if state.stop == CONTROL:
        return tuple(sorted({ship.side for ship in calls_for_control(state)}))
    there = [group.side for group in state.groups]
    there += [ship.side for ship in state.ships if ship.status in IN_PLAY]
    return tuple(side for side in range(len(state.sides)) if side in there)


def side_view(battle: Battle, side: int) -> dict[str, Any]:
    """What a side sees now, as a document."""
    return observe(battle.state, side).to_json()


def read_orders(
    battle: Battle, side: int, document: object, where: str = ""
) -> tuple[SideOrders | None, tuple[Violation, ...]]:
    """A side's orders at the present stop, or every fault in them: unknown names, and what cannot be carried out."""
    state = battle.state
    reader = Reader()
    dot = f"{where}." if where else ""
    if not isinstance(document, Mapping):
        return None, (Violation(where, "not-a-mapping", "orders are a mapping with the entry of the stop"),)
    reader.keys(document, (ENTRY.get(state.stop, ""), *((PURSUE,) if state.stop == ENGAGE else ())), where)
    names = _names(state, side)
    turn = read_turn(reader, document, where, names, len(state.sides))
    reader.faults.extend(flight_violations(state, turn.flights, f"{dot}fighters"))
    for name, plot in turn.plots.items():
        reader.faults.extend(plot_violations(state, names.ships[name], plot, f"{dot}plot.{name}"))
    if not reader.faults:
        reader.faults.extend(plan_violations(state, turn.plots, f"{dot}plot"))
    for name, control in turn.control.items():
        reader.faults.extend(control_violations(state, names.ships[name], control, f"{dot}control.{name}"))
    pursue = reader.flag(document, PURSUE, where)
    if reader.faults:
        return None, tuple(reader.faults)
    return SideOrders(turn.plots, turn.flights, turn.fire[side], pursue, turn.control), ()


def _names(state: BattleState, side: int) -> Names:
    """Whom a side may name: its own by id, the others in its sight by contact."""
    view = observe(state, side)
    ids = state.ids_by_contact()
    own = {ship.id: ship for ship in state.ships if ship.side == side}
    flying = {group.id: own[group.ship] for group in view.groups}
    seen = [*(contact.id for contact in view.contacts), *(flyer.id for flyer in view.flyers)]
    targets = {name: name for name in (*own, *flying)} | {name: ids.get(name, name) for name in seen}
    if ASTEROID_DESTRUCTION in state.terms.options:
        targets |= {rock.id: rock.id for rock in state.rocks if rock.boxes}
    sheets = {ids.get(contact.id, contact.id): contact.sheet for contact in view.contacts if contact.sheet is not None}
    return Names(own, flying, targets, sheets)


def advise(battle: Battle, side: int, doctrine: Doctrine, seed: str) -> dict[str, Any]:
    """What a side's captain would order at the present stop, as the document its people could have written.

    `seed` begins the captain's own random stream; the same battle, doctrine and seed give the same advice.
    """
    state = battle.state
    view = observe(state, side)
    stream = f"{seed}/{state.sides[side]}/{state.turn}/{state.stop}"
    captain = Captain(doctrine, Dice(stream), fleeing=state.turn - 1 if doctrine.flee else 0)
    return _document(captain, view)


def _document(captain: Captain, view: SideView) -> dict[str, Any]:
    if view.stop == PLOT:
        return {"plot": {name: plot.words() for name, plot in captain.plots(view).items()}}
    if view.stop == FIGHTERS:
        return {"fighters": {name: flight.words() for name, flight in captain.flights(view).items()}}
    if view.stop == ENGAGE:
        pursue = {PURSUE: True} if MOVING_TABLE in view.terms.options and captain.pursues(view) else {}
        return {"engage": [[name, [fire.to_json() for fire in fires]] for name, fires in captain.fire(view)]} | pursue
    if view.stop == CONTROL:
        return {"control": {name: control.to_json() for name, control in captain.control(view).items()}}
    return {}


def resolve(battle: Battle, documents: Mapping[int, object], dice: Dice, seq: int = 0) -> tuple[Battle, Stop]:
    """The present stop resolved by the sides' documents; a side without one holds. `seq`: the number of the stop.

    Stops after it that would wait for nobody are resolved with it: a battle that all have left is over at once.

    Raises RuleViolations with every fault of every document; ValueError where the battle is over.
    """
    if battle.state.stop == OVER:
        raise ValueError("the battle is over: there is no stop left to resolve")
    plots: dict[str, Plot] = {}
    flights: dict[str, Flight] = {}
    fire: dict[int, FireOrders] = {}
    pursue: list[int] = []
    control: dict[str, Control] = {}
    faults: list[Violation] = []
    for side, document in sorted(documents.items()):
        orders, wrong = read_orders(battle, side, document, place("sides", side))
        faults.extend(wrong)
        if orders is not None:
            plots |= orders.plots
            flights |= orders.flights
            fire[side] = orders.fire
            pursue += [side] if orders.pursue else []
            control |= orders.control
    if faults:
        raise RuleViolations(faults)
    after, stop = resolve_stop(battle, TurnOrders(plots, fire, flights, tuple(pursue), control), dice, seq)
    while after.state.stop != OVER and not waiting(after):
        after, more = resolve_stop(after, NO_ORDERS, dice, seq)
        stop = replace(stop, events=(*stop.events, *more.events), after=more.after)
    return after, stop


def ended(battle: Battle, stop: Stop, most: int, dice: Dice) -> tuple[Battle, Stop]:
    """The same, over where it has gone on through turn `most`. `stop`: the one that brought the battle there."""
    if battle.state.stop == OVER or battle.turn <= most:
        return battle, stop
    told = len(battle.events)
    over = fight(battle, {}, dice, "", most)
    return over, replace(stop, events=(*stop.events, *over.events[told:]), after=over.state)
