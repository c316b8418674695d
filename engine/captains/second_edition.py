"""How captains fight by the second edition, stop by stop.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from engine.captains.estimate import Foe, weigh
from engine.captains.flying import carriers_back, deck_plot, fighters_about, flight_orders, strikes, uses_fighters
from engine.captains.guarding import guarded
from engine.captains.gunnery import fire_orders
from engine.captains.hazards import (
    done,
    keep_clear,
    last_resort,
    moves_itself,
    prefer,
    prey_of,
    pursues,
    run_for,
    runners_of,
    sweeps,
)
from engine.captains.helm import steer
from engine.captains.hunting import hunt
from engine.captains.minework import fieldwork, in_disguise, undercover
from engine.captains.novas import NOVA, arms, has_cannon
from engine.captains.post import Post
from engine.captains.retreat import breaks_off, retreat
from engine.core.geometry import COURSES
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, FireOrders, Flight, Plot
from engine.core.ship import ShipState
from engine.core.terms import NO_FTL
from engine.pieces.group import Group
from engine.view.side_view import SideView


def plots(post: Post, view: SideView) -> dict[str, Plot]:
    """Movement orders for every ship that should not just hold course and speed."""
    doctrine = post.doctrine
    if doctrine.style == "straight":
        return {}
    foes = [Foe(contact, ahead=True) for contact in view.contacts if contact.hostile]
    terms = view.terms
    if post.fleeing or breaks_off(view.own, foes, doctrine) or (terms.victory and done(view)):
        post.fleeing += 1
        return fieldwork(view, _home(post, view, foes), foes, doctrine, scans=False)
    weigh(foes, doctrine.targets)
    flying = [ship for ship in view.own if ship.status == FIGHTING]
    if not flying:
        return {}
    prey, runners = (prey_of(view, foes), runners_of(view)) if terms.victory else ((), ())
    prefer(foes, prey)
    back = carriers_back(view, doctrine)
    middle = _middle([ship for ship in flying if ship not in back] or flying)
    close = fighters_about(view)
    hot = sweeps(view.pieces)
    plots: dict[str, Plot] = {}
    for ship in flying:
        if not moves_itself(ship):
            continue
        deck = deck_plot(ship, view) if ship.profile.bays and uses_fighters(doctrine) else None
        if deck is not None:
            plots[ship.id] = deck
            continue
        if ship.id in runners:
            plot = run_for(ship, terms.jump_edge(view.side), view.table)
        elif prey and ship not in back:
            plot = hunt(in_disguise(ship), [foe for foe in foes if foe.contact.id in prey], view.table)
        else:
            aloof = ship in back
            plot = steer(
                in_disguise(ship), foes, middle, view.table, doctrine, post.dice,
                aloof=aloof, formed=close and not aloof, burning=hot,
            )  # fmt: skip
        plot = last_resort(ship, foes) or plot
        if view.pieces:
            plot = keep_clear(ship, plot, view.pieces)
        if plot is not HOLD:
            plots[ship.id] = plot
    arming = {name: NOVA for name in _arming(post, view, plots, foes) if name not in runners}
    return fieldwork(view, plots, foes, doctrine) | arming


def _arming(post: Post, view: SideView, plots: dict[str, Plot], foes: list[Foe]) -> list[str]:
    """The ships that put all their power into their nova cannon; not where they launch or meet an asteroid."""
    return [
        ship.id
        for ship in view.own
        if ship.status == FIGHTING
        and has_cannon(ship, post.doctrine.never)
        and not plots.get(ship.id, HOLD).launch
        and arms(ship, foes, view.own)
        and not (view.pieces and keep_clear(ship, NOVA, view.pieces) != NOVA)
    ]


def _home(post: Post, view: SideView, foes: list[Foe]) -> dict[str, Plot]:
    """Everybody leaves: over the jump edge where there is one, else as best he can."""
    edge = view.terms.jump_edge(view.side)
    plots: dict[str, Plot] = {}
    for ship in view.own:
        if ship.status not in (FIGHTING, RETURNING) or not moves_itself(ship):
            continue
        if edge and ship.status == FIGHTING:
            plot = run_for(ship, edge, view.table)
        else:
            jumping = NO_FTL not in view.terms.options
            plot = retreat(ship, view.own, foes, view.table, post.fleeing, jumping=jumping)
        plots[ship.id] = keep_clear(ship, plot, view.pieces) if view.pieces else plot
    return plots


def goes_after(post: Post, view: SideView) -> bool:
    """Whether its side goes after one that disengages."""
    return pursues(view, post.fleeing > 0)


def flights(post: Post, view: SideView) -> dict[str, Flight]:
    """Orders for the side's fighter groups in flight."""
    if post.doctrine.style == "straight":
        return {}
    return flight_orders(view, post.doctrine, home=post.fleeing > 0)


def fire(post: Post, view: SideView) -> FireOrders:
    """Fire orders, ships in the order they take their firing turns."""
    orders = fire_orders(view, post.doctrine)
    if view.own_of(Group):
        orders += strikes(view, post.doctrine)
    if view.others_of(Group):
        orders = guarded(view, orders, post.doctrine.never)
    return undercover(view, orders)


def _middle(ships: list[ShipState]) -> tuple[float, float]:
    """Where the middle of ships will be if all fly on."""
    x = y = 0.0
    for ship in ships:
        ux, uy = COURSES[ship.course]
        x += ship.x + ux * ship.velocity
        y += ship.y + uy * ship.velocity
    return x / len(ships), y / len(ships)
