"""How captains fight by Continuum, stop by stop.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.courses import Option, thrust_of, way_with
from engine.captains.common.doctrine import Doctrine, Post
from engine.captains.common.foes import Foe, weigh
from engine.captains.common.gunnery import Aim, fire_orders
from engine.captains.common.hazards import done, moves_itself, prefer, prey_of, runners_of
from engine.captains.common.helm import TARGETS_OF_FOES, Sought, Umbrella, foresee
from engine.captains.common.minework import minework, scan
from engine.captains.common.novas import NOVA
from engine.captains.common.retreat import cast_offs
from engine.captains.continuum.aims import aims_of, fires_at_all
from engine.captains.continuum.boat_hunting import at_boats
from engine.captains.continuum.carriers import (
    come_along,
    deck_plots,
    fit_out,
    launch_riders,
    spare_mothers,
)
from engine.captains.continuum.hiding import who_hides
from engine.captains.continuum.leaving import (
    breaks_off,
    can_jump,
    goes_after,
    lawful_options,
    retreat,
    run_for,
    withdraws,
)
from engine.captains.continuum.lines import arms, line_fires, wave_fires
from engine.captains.continuum.marks import Mark, chart_of, going, marks_of, strength
from engine.captains.continuum.missiles import with_shapes
from engine.captains.continuum.orbiting import (
    bombardments,
    circling,
    in_orbit,
    rather_round,
    sets_out,
)
from engine.captains.continuum.passages import Gateways, shut_gates
from engine.captains.continuum.ramming import rammings
from engine.captains.continuum.settings import weapon_words
from engine.captains.continuum.snipers import laid_on
from engine.captains.continuum.steering import bow_lures, outlook_of, risk_of, steer
from engine.captains.continuum.storming import in_formation, stormings
from engine.captains.continuum.veiling import decoy_plots, defence_words, under_cover
from engine.continuum.cores import uncommanded
from engine.continuum.defence_orders import Cloak
from engine.continuum.drives import AFLOAT
from engine.continuum.legs import leg_of
from engine.continuum.readings import blinded, scans_of, suites_of
from engine.continuum.squadrons import leader_of
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING, INSTALLATION, RETURNING
from engine.core.orders import HOLD, Fire, FireOrders, Plot
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.terms import ADVANCED_SENSORS
from engine.core.versions import MINES
from engine.movement.docking import holds
from engine.systems.defences import PROJECTORS
from engine.view.side_view import Contact, SideView
from engine.weapons.weapon import BOW

FREE_HAND = Doctrine()  # what foes are taken to fight by


def plots(post: Post, view: SideView) -> dict[str, Plot]:
    """Orders for every ship that should not just hold course and speed."""
    doctrine = post.doctrine
    if doctrine.style == "straight" and not withdraws(view.own):
        return {}
    state = chart_of(view)
    marks = marks_of(view.contacts, state, ahead=True)
    if post.fleeing or breaks_off(view.own, marks, doctrine) or (view.terms.victory and done(view)):
        post.fleeing += 1
        going_home = _home(post, view, state, marks) | _cast_offs(view, leaving=True)
        return in_formation(state, spare_mothers(view, going_home), scatter=True)
    weigh([*marks], doctrine.targets)
    prey, runners = (prey_of(view, [*marks]), runners_of(view)) if view.terms.victory else ((), ())
    prefer([*marks], prey)
    held = {
        ship.dock for ship in view.own if ship.status == FIGHTING
    }  # ships at which others are docked
    able = [
        ship
        for ship in view.own
        if ship.status in AFLOAT and ship.docking == FREE and not uncommanded(ship)
        if not ship.dummy
        if ship.id not in held or ship.sheet.kind == INSTALLATION
    ]
    flying = [ship for ship in able if leader_of(state, ship) is None]
    rounding = in_orbit(state, flying)
    found = bombardments(state, rounding, marks, circling(state, rounding, marks))
    found |= _cast_offs(view)
    if rounding:
        flying = [ship for ship in flying if ship not in rounding]
    if not flying:
        return launch_riders(view, marks, found)
    if marks:
        _foreseen(state, marks, flying)
    middle = _middle(flying)
    options: dict[str, Option] = {}
    covers: list[Umbrella] = []
    for ship in sorted(
        flying, key=lambda ship: -_projected(ship, doctrine.never)
    ):  # whom others gather about
        unseen = under_cover(state, ship)
        options[ship.id] = steer(
            state, ship, marks, middle, doctrine, post.dice, covers, unseen=unseen
        )
        if levels := _projected(ship, doctrine.never):
            covers.append(Umbrella(options[ship.id].x, options[ship.id].y, levels))
    hiding = who_hides(state, options, marks, doctrine.never)
    for ship in flying:
        option = options[ship.id]
        if ship.id in runners:
            plot = run_for(state, ship, view.terms.jump_edge(view.side))
        elif BOW in ship.profile.along and arms(
            state, ship, marks, doctrine.never, strength(ship, doctrine.never)
        ):
            plot = NOVA
        else:
            if ship.id in hiding:
                option = steer(state, ship, marks, middle, doctrine, post.dice, covers, unseen=True)
                option = option._replace(further=(*option.further, Cloak(hiding[ship.id])))
            plot = _worded(state, ship, option, marks, doctrine.never)
        if plot is not HOLD:
            found[ship.id] = plot
    if any(ship.profile.bays for ship in flying):
        found |= deck_plots(state, view, flying, post.doctrine)
        come_along(state, view, flying, found, doctrine.never)
        fit_out(view, flying, found)
    found |= rammings(state, flying, marks)
    found |= stormings(state, flying, marks)
    if view.terms.follows(MINES):
        minework(view, flying, found, marks, doctrine, _way)
    found = bombardments(state, flying, marks, rather_round(state, flying, found))
    shut_gates(state, view, found)
    launch_riders(view, marks, found)
    _scans(state, view, flying, found, marks)
    if view.bogeys:
        found |= decoy_plots(state, view, found)
    return in_formation(state, with_shapes(post, view, found))


def _scans(
    state: BattleState,
    view: SideView,
    flying: list[ShipState],
    found: dict[str, Plot],
    marks: list[Mark],
) -> None:
    """Add active scans to plots, in place, but for ships whose own area ECM blinds them.

    Rules: Continuum "Sensors and ECM" 12.1, "Advanced sensors" 12.2 [pc.sensors]
    """
    if not (view.bogeys or ADVANCED_SENSORS in view.terms.options):
        return
    readers = {ship.id: len(suites_of(state, ship)) for ship in flying}

    def number(ship: ShipState) -> int:
        plot = found.get(ship.id, HOLD)
        silent = plot.nova or blinded(state, ship, replace(plot, scan=("",)))
        return 0 if silent or ship.id not in readers else scans_of(state, ship)

    scan(
        view,
        found,
        [*marks],
        _end_of,
        number,
        {name: many for name, many in readers.items() if many},
    )


def _end_of(ship: ShipState, plot: Plot) -> Point:
    """Where a ship's move by a plot ends."""
    return _way(ship, plot)[-1]


def _way(ship: ShipState, plot: Plot) -> tuple[Point, ...]:
    """The points of a ship's move by a plot."""
    return leg_of(ship, plot).path


def _foreseen(state: BattleState, marks: list[Mark], own: list[ShipState]) -> None:
    """Set foes where they will be if they think as this captain does, of what they see of his
    ships.
    """
    seen = [
        Mark(Contact(ship, hostile=True, called=ship.contact), ship, state, ahead=True)
        for ship in own
        if ship.status == FIGHTING
    ]
    if not seen:
        return
    weigh([*seen], TARGETS_OF_FOES)
    middle = sum(mark.x for mark in marks) / len(marks), sum(mark.y for mark in marks) / len(marks)
    charted = {mark.contact.id: mark.ship for mark in marks}

    watched = [mark.watched() for mark in seen]

    def search_of(foe: Foe) -> Sought | None:
        ship = charted[foe.contact.id]
        if (
            foe.armed() is None
            or not foe.contact.read
            or not ship.thrust
            or ship.status != FIGHTING
        ):
            return None
        outlook = outlook_of(state, ship, watched, middle, FREE_HAND, [], known=foe)
        beside = bow_lures(ship, seen, ()), risk_of(state, ship)
        return Sought(outlook, way_with(ship, thrust_of(state, ship)), *beside)

    foresee(marks, search_of)


def _cast_offs(view: SideView, *, leaving: bool = False) -> dict[str, Plot]:
    """The plots of docked ships that cast off. A bridge that is out takes no orders."""
    found = cast_offs(view, leaving=leaving)
    return {
        ship.id: found[ship.id] for ship in view.own if ship.id in found and not uncommanded(ship)
    }


def _projected(ship: ShipState, never: tuple[str, ...]) -> int:
    """The levels of area screens a ship projects, as far as its side makes use of them."""
    if not ship.profile.area:
        return 0
    used = [type_ for type_ in PROJECTORS if type_ not in never and type_ in ship.profile.places]
    return sum(ship.alive[place] for type_ in used for place in ship.profile.places[type_])


def _home(post: Post, view: SideView, state: BattleState, marks: list[Mark]) -> dict[str, Plot]:
    """Everybody leaves: over the jump edge where there is one, else as best he can."""
    edge = view.terms.jump_edge(view.side)
    plots: dict[str, Plot] = {}
    gateways = Gateways(state, view)
    for ship in view.own:
        if ship.status in (*AFLOAT, RETURNING) and moves_itself(ship) and not uncommanded(ship):
            if holds(state, ship):
                continue  # others lie at it: it goes on as it goes
            if edge and ship.status == FIGHTING:
                plots[ship.id] = (
                    sets_out(state, ship) if ship.orbits else run_for(state, ship, edge)
                )
                continue
            free = not ship.orbits
            jumps = can_jump(state, ship, view)
            plot = (
                gateways.plot_of(ship, lawful_options(state, ship), jumps=jumps) if free else None
            )
            plots[ship.id] = plot or retreat(state, ship, view, marks, post.fleeing)
    return plots


def fire(post: Post, view: SideView) -> FireOrders:
    """Fire orders, ships in the order they take their firing turns."""
    state, never = chart_of(view), post.doctrine.never
    marks = [
        mark
        for mark in marks_of(view.contacts, state, ahead=False)
        if mark.contact.sheet is not None
    ]
    if not marks:
        return at_boats(state, view, [], never)
    weigh([*marks], post.doctrine.targets)
    if view.terms.victory:
        prefer([*marks], prey_of(view, [*marks]))
    charted = {mark.contact.id: mark.ship for mark in marks}

    def more(ship: ShipState, aims: list[Aim]) -> tuple[tuple[Fire, ...], bool]:
        """Fire along lines; a wave gun's or a nova cannon's is all its ship fires."""
        wave = wave_fires(state, ship, marks, never, sum(aim.worth for aim in aims))
        return (wave, True) if wave else (line_fires(state, ship, marks, never), False)

    def spread(foe: Foe, number: int) -> tuple[str, ...]:
        return laid_on(charted[foe.contact.id], number)

    plans = [(ship, aims_of(state, ship, marks, never)) for ship in view.own if fires_at_all(ship)]
    return at_boats(state, view, fire_orders(plans, [*marks], post.doctrine, more, spread), never)


def pursues(post: Post, view: SideView) -> bool:
    """Whether its side goes after one that disengages."""
    return goes_after(view, post.doctrine, fleeing=post.fleeing > 0 or withdraws(view.own))


def _middle(ships: list[ShipState]) -> Point:
    """Where the middle of ships will be if all fly on."""
    ways = [going(ship) for ship in ships]
    x = sum(ship.x + way[0] for ship, way in zip(ships, ways, strict=True))
    y = sum(ship.y + way[1] for ship, way in zip(ships, ways, strict=True))
    return x / len(ships), y / len(ships)


def _worded(
    state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]
) -> Plot:
    """A ship's plot: its move and whatever else is to be ordered for where that takes it.

    Rules: Continuum "Orders" 3.5 [pc.movement]
    """
    further = (
        *option.further,
        *weapon_words(state, ship, option, marks, never),
        *defence_words(state, ship, option, marks, never),
    )
    return replace(option.plot(), further=further) if further else option.plot()
