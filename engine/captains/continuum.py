"""How captains fight by Continuum, stop by stop.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from engine.captains.broadsides import fire_orders
from engine.captains.chart import chart_of
from engine.captains.courses import Option
from engine.captains.estimate import weigh
from engine.captains.hazards import done, moves_itself, prefer, prey_of, runners_of
from engine.captains.hiding import who_hides
from engine.captains.leaving import breaks_off, goes_after, retreat, run_for
from engine.captains.lines import arms
from engine.captains.marks import Mark, going, marks_of, strength
from engine.captains.novas import NOVA
from engine.captains.post import Post
from engine.captains.stations import Umbrella
from engine.captains.steering import steer
from engine.captains.veiling import under_cover
from engine.captains.wording import worded
from engine.continuum.cores import uncommanded
from engine.continuum.defence_orders import Cloak, cloaking
from engine.continuum.drives import AFLOAT
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, FireOrders, Flight, Plot
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.systems.defences import FIELD, PROJECTORS
from engine.view.side_view import SideView


def plots(post: Post, view: SideView) -> dict[str, Plot]:
    """Orders for every ship that should not just hold course and speed."""
    doctrine = post.doctrine
    if doctrine.style == "straight":
        return {}
    state = chart_of(view)
    marks = marks_of(view.contacts, state, ahead=True)
    if post.fleeing or breaks_off(view.own, marks, doctrine) or (view.terms.victory and done(view)):
        post.fleeing += 1
        return _home(post, view, state, marks)
    weigh([*marks], doctrine.targets)
    prey, runners = (prey_of(view, [*marks]), runners_of(view)) if view.terms.victory else ((), ())
    prefer([*marks], prey)
    flying = [ship for ship in view.own if ship.status in AFLOAT and ship.docking == FREE and not uncommanded(ship)]
    if not flying:
        return {}
    middle = _middle(flying)
    options: dict[str, Option] = {}
    covers: list[Umbrella] = []
    for ship in sorted(flying, key=lambda ship: -_projected(ship, doctrine.never)):  # whom others gather about
        unseen = under_cover(state, ship)
        options[ship.id] = steer(state, ship, marks, middle, doctrine, post.dice, covers, unseen=unseen)
        if levels := _projected(ship, doctrine.never):
            covers.append(Umbrella(options[ship.id].x, options[ship.id].y, levels))
    hiding = who_hides(state, options, marks, doctrine.never)
    found: dict[str, Plot] = {}
    for ship in flying:
        option = options[ship.id]
        if ship.id in runners:
            plot = run_for(state, ship, view.terms.jump_edge(view.side))
        elif arms(state, ship, marks, doctrine.never, strength(ship, doctrine.never)):
            plot = NOVA
        else:
            if ship.id in hiding and cloaking(ship) == FIELD:
                option = steer(state, ship, marks, middle, doctrine, post.dice, covers, unseen=True)
            if ship.id in hiding:
                option = option._replace(further=(*option.further, Cloak(hiding[ship.id])))
            plot = worded(state, ship, option, marks, doctrine.never)
        if plot is not HOLD:
            found[ship.id] = plot
    return found


def _projected(ship: ShipState, never: tuple[str, ...]) -> int:
    """The levels of area screens a ship projects, as far as its side makes use of them."""
    used = [type_ for type_ in PROJECTORS if type_ not in never and type_ in ship.profile.places]
    return sum(ship.alive[place] for type_ in used for place in ship.profile.places[type_])


def _home(post: Post, view: SideView, state: BattleState, marks: list[Mark]) -> dict[str, Plot]:
    """Everybody leaves: over the jump edge where there is one, else as best he can."""
    edge = view.terms.jump_edge(view.side)
    plots: dict[str, Plot] = {}
    for ship in view.own:
        if ship.status in (*AFLOAT, RETURNING) and moves_itself(ship) and not uncommanded(ship):
            if edge and ship.status == FIGHTING:
                plots[ship.id] = run_for(state, ship, edge)
            else:
                plots[ship.id] = retreat(state, ship, view, marks, post.fleeing)
    return plots


def flights(_post: Post, _view: SideView) -> dict[str, Flight]:
    """Orders for the side's fighter groups in flight: none fly yet by these rules."""
    return {}


def fire(post: Post, view: SideView) -> FireOrders:
    """Fire orders, ships in the order they take their firing turns."""
    return fire_orders(view, post.doctrine)


def pursues(post: Post, view: SideView) -> bool:
    """Whether its side goes after one that disengages."""
    return goes_after(view, post.doctrine, fleeing=post.fleeing > 0)


def _middle(ships: list[ShipState]) -> Point:
    """Where the middle of ships will be if all fly on."""
    ways = [going(ship) for ship in ships]
    x = sum(ship.x + way[0] for ship, way in zip(ships, ways, strict=True))
    y = sum(ship.y + way[1] for ship, way in zip(ships, ways, strict=True))
    return x / len(ships), y / len(ships)
