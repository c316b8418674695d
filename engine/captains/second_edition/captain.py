"""The captain of the second edition, phase by phase.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.expected_damage import NEEDLE_WORTH
from engine.captains.common.fighter_tactics import (
    carriers_keeping_back,
    deck_plot,
    flight_orders,
    has_fighters_in_flight,
    strike_orders,
    uses_fighters,
)
from engine.captains.common.foes import SCREENED, Foe, FoeFactors, own_armament, set_weights
from engine.captains.common.gunnery import Aim, fire_orders, policy_of
from engine.captains.common.mine_tactics import add_field_orders, as_disguised, keep_cover
from engine.captains.common.move_options import (
    Move,
    moves_at_rest,
    plain_or_hold,
    second_edition_moves,
)
from engine.captains.common.move_search import (
    COMPANY,
    COMPANY_UNDER_FIGHTERS,
    FEAR,
    TARGETS_OF_FOES,
    CollisionRisk,
    ScoreBonus,
    SearchInputs,
    SearchRequest,
    find_best_move,
    nearest_foes,
    pick_move,
    predict_foes,
    score_moves,
    subtract_risks,
)
from engine.captains.common.nova_tactics import (
    NOVA,
    bow_line_bonus,
    cannon_fire,
    has_cannon,
    should_arm,
    sweep_cost,
)
from engine.captains.common.objectives import (
    avoid_hazards,
    coming_sweeps,
    dangerous_pieces,
    has_reached_aim,
    last_ram,
    loss_odds,
    plot_for_edge,
    prey_of,
    raise_prey_weight,
    runners_of,
    takes_move_orders,
    would_pursue,
)
from engine.captains.common.range_tables import mount_worths, step_of
from engine.captains.common.retreat import retreat, should_break_off, undocking_plots
from engine.captains.second_edition.area_defence_fire import with_area_defence
from engine.captains.second_edition.hunting import hunt
from engine.combat.line_of_sight import is_blocked
from engine.core.geometry import COURSES, Point, arcs_of
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, FireOrders, Flight, Plot
from engine.core.ship import DOCKED, ShipState
from engine.core.terms import NO_FTL, Terms
from engine.pieces.group import Group
from engine.pieces.piece import Piece
from engine.view.side_view import Contact, SideView

CARRIER_FEAR = 4.0  # factor for the fear of a carrier
APPROACH_COST = 0.15  # per MU of a carrier's velocity towards the nearest foe
CARRIER_RANGE = 40.0  # MU that a carrier stays away
LOSS_POINTS = 100.0  # worth of a ship that might be lost to an asteroid
SAVED = 0.6  # share of its best effect below which a one-shot weapon waits for a better target
LAST_BOXES_SHARE = 0.5  # share of its boxes left at which a ship no longer waits

# Worth in damage points of a hit on a system, apart from the firepower lost with it.
DRIVE = 1.5
JUMP = 8.0
LAST_FIRECON = 2.5
FIRECON = 0.4
SCREEN = 2.0
OTHER = 0.5


class Situation(NamedTuple):
    """What the moves of all of a side's ships depend on this turn."""

    foes: list[Foe]
    watched: list[FoeFactors]  # the foes as the move search uses them
    prey: tuple[str, ...]  # contacts that the side must destroy or stop
    runners: tuple[str, ...]  # own ships that must escape
    carriers_back: list[ShipState]  # carriers that leave the fight to their fighters
    fleet_centre: Point  # where the centre of the fleet will be
    bonuses: tuple[ScoreBonus, ...]
    bodies: list[Piece]  # pieces that can destroy a ship
    company: Point


def plots(context: CaptainContext, view: SideView) -> dict[str, Plot]:
    """Return the plots of ships that should not just hold course and velocity."""
    doctrine = context.doctrine
    if doctrine.style == "straight":
        return {}
    foes = [Foe(contact, ahead=True) for contact in view.contacts if contact.hostile]
    if _is_leaving(context, view, foes):
        context.fleeing += 1
        going_home = _leaving_plots(context, view, foes) | undocking_plots(view, leaving=True)
        return add_field_orders(view, going_home, foes, doctrine, scans=False)
    set_weights(foes, doctrine.targets)
    flying = [ship for ship in view.own_ships if ship.status == FIGHTING]
    if not flying:
        return {}
    situation = _situation(context, view, foes, flying)
    plots = undocking_plots(view) | _flying_plots(context, view, flying, situation)
    arming_plots = {}
    for name in _ships_to_arm(context, view, plots, foes):
        if name not in situation.runners:
            arming_plots[name] = NOVA
    return add_field_orders(view, plots, foes, doctrine) | arming_plots


def _flying_plots(
    context: CaptainContext, view: SideView, ships: list[ShipState], situation: Situation
) -> dict[str, Plot]:
    """Return the plots of ships that are free to move and do not just fly on."""
    plots: dict[str, Plot] = {}
    for ship in ships:
        if takes_move_orders(ship) and not ship.warm:
            plot = _plot_of(context, view, ship, situation)
            if plot is not None:
                plots[ship.id] = plot
    return plots


def _is_leaving(context: CaptainContext, view: SideView, foes: list[Foe]) -> bool:
    """Return whether the side leaves the battle, having fled, lost too much or won."""
    return bool(
        context.fleeing
        or should_break_off(view.own_ships, foes, context.doctrine)
        or (view.terms.victory and has_reached_aim(view))
    )


def _situation(
    context: CaptainContext, view: SideView, foes: list[Foe], flying: list[ShipState]
) -> Situation:
    """Return what all moves depend on, with foes moved to where they will be."""
    prey: tuple[str, ...] = ()
    runners: tuple[str, ...] = ()
    if view.terms.victory:
        prey = prey_of(view, foes)
        runners = runners_of(view)
    raise_prey_weight(foes, prey)
    back = carriers_keeping_back(view, context.doctrine)
    # Foes do not evade ships that appear as merchants.
    if foes and all(ship.cover is None for ship in flying):
        _predict_foes(view, foes, flying)
    sweeps = coming_sweeps(view.pieces)
    return Situation(
        foes,
        watched=[foe.factors() for foe in foes],
        prey=prey,
        runners=runners,
        carriers_back=back,
        fleet_centre=_middle([ship for ship in flying if ship not in back] or flying),
        bonuses=(sweep_cost(sweeps),) if sweeps else (),
        bodies=dangerous_pieces(view.pieces),
        company=COMPANY_UNDER_FIGHTERS if has_fighters_in_flight(view) else COMPANY,
    )


def _plot_of(
    context: CaptainContext, view: SideView, ship: ShipState, situation: Situation
) -> Plot | None:
    """Return a ship's plot; None if it just holds course and velocity."""
    doctrine = context.doctrine
    if ship.profile.bays and uses_fighters(doctrine):
        deck = deck_plot(ship, view)
        if deck is not None:
            return deck
    plot = _move_of(context, view, ship, situation)
    plot = last_ram(view.terms, ship, situation.foes) or plot
    if situation.bodies:
        plot = avoid_hazards(view.terms, ship, plot, situation.bodies)
    if plot is not HOLD:
        return plot
    return None


def _move_of(
    context: CaptainContext, view: SideView, ship: ShipState, situation: Situation
) -> Plot:
    """Return the move that serves a ship's purpose: escape, hunt or fight."""
    if ship.id in situation.runners:
        return plot_for_edge(ship, view.terms.jump_edge(view.side), view.table)
    acting = as_disguised(ship)
    keeps_away = ship in situation.carriers_back
    if situation.prey and not keeps_away:
        prey = [foe for foe in situation.foes if foe.contact.id in situation.prey]
        return hunt(acting, prey, view.table, context.doctrine.never)
    if not situation.foes:
        return _plot_without_foes(acting, view.table)
    return _steer(context, view, acting, situation, keeps_away=keeps_away)


def _steer(
    context: CaptainContext,
    view: SideView,
    ship: ShipState,
    situation: Situation,
    *,
    keeps_away: bool,
) -> Plot:
    """Return the plot that leads to the best place.

    Args:
        keeps_away: The ship is a carrier that leaves the fight to its fighters.
    """
    never = context.doctrine.never
    ux, uy = COURSES[ship.course]
    near = nearest_foes(situation.watched, ship, (ux * ship.velocity, uy * ship.velocity))
    foes = [situation.foes[index] for index in near]
    bonuses = situation.bonuses
    if keeps_away:
        bonuses = (*bonuses, _distance_bonus(foes))
    if has_cannon(ship, never):
        bonuses = (*bonuses, bow_line_bonus(foes))
    inputs = SearchInputs(
        ship,
        foes=tuple([situation.watched[index] for index in near]),
        armament=own_armament(ship, never),
        defence=SCREENED[ship.screens],
        fleet_centre=situation.fleet_centre,
        table=view.table,
        preferred_range=_preferred_range(context),
        company=situation.company,
    )
    if keeps_away:
        inputs = inputs._replace(
            preferred_range=CARRIER_RANGE,
            company=COMPANY,
            fear=FEAR * CARRIER_FEAR,
            stern_penalty=0.0,
        )
    risk = _risk(view.terms, ship, situation.bodies) if situation.bodies else None
    if ship.velocity == 0 and ship.thrust == 0:
        return _rotate(inputs, bonuses, risk)
    move_lister = (second_edition_moves, (ship.thrust, ship.course, ship.velocity))
    request = SearchRequest(inputs, move_lister, bonuses, risk)
    move = pick_move(ship.id, find_best_move(request), context.dice)
    return plain_or_hold(move.turn, move.thrust)


def _preferred_range(context: CaptainContext) -> float | None:
    """Return the range in MU that the doctrine asks for; None for that of each ship's weapons."""
    if context.doctrine.range is None:
        return None
    return float(context.doctrine.range)


def _predict_foes(view: SideView, foes: list[Foe], own_ships: list[ShipState]) -> None:
    """Move foes to where they will be if they think as this captain does."""
    own_as_foes = []
    for ship in own_ships:
        own_as_foes.append(Foe(Contact(ship, hostile=True, name=ship.contact), ahead=True))
    set_weights(own_as_foes, TARGETS_OF_FOES)
    watched = [foe.factors() for foe in own_as_foes]
    fleet_centre = sum(foe.x for foe in foes) / len(foes), sum(foe.y for foe in foes) / len(foes)

    def search_of(foe: Foe) -> SearchRequest | None:
        ship = foe.contact
        armament = foe.known_armament()
        can_steer = ship.thrust and not ship.warm and ship.status == FIGHTING
        if armament is None or not can_steer:
            return None
        near = nearest_foes(watched, ship, (foe.x - ship.x, foe.y - ship.y))
        inputs = SearchInputs(
            ship,
            foes=tuple([watched[index] for index in near]),
            armament=armament,
            defence=foe.defence,
            fleet_centre=fleet_centre,
            table=view.table,
        )
        move_lister = (second_edition_moves, (ship.thrust, ship.course, ship.velocity))
        return SearchRequest(inputs, move_lister)

    predict_foes(foes, search_of)


def _risk(terms: Terms, ship: ShipState, bodies: list[Piece]) -> CollisionRisk:
    """Return the expected cost of a move among asteroids."""

    def risk(move: Move) -> float:
        return LOSS_POINTS * loss_odds(terms, ship, move.turn, move.thrust, pieces=bodies)[0]

    return risk


def _distance_bonus(foes: Sequence[Foe]) -> ScoreBonus:
    """Return the cost of places for a carrier: its speed towards the nearest foe."""

    def worth(x: float, y: float, course: int, speed: float) -> float:
        dx, dy = min(((foe.x - x, foe.y - y) for foe in foes), key=_length)
        ux, uy = COURSES[course]
        return -speed * (dx * ux + dy * uy) / (_length((dx, dy)) + 1.0) * APPROACH_COST

    return worth


def _length(way: Point) -> float:
    """Return the length of a displacement in MU."""
    return sqrt(way[0] * way[0] + way[1] * way[1])


def _rotate(
    inputs: SearchInputs, bonuses: tuple[ScoreBonus, ...], risk: CollisionRisk | None
) -> Plot:
    """Turn a ship that is at rest and has no drive so that its best arc faces the foes."""
    scorer = inputs.scorer(bonuses, risk)
    moves = moves_at_rest(inputs.ship.course)
    worths = subtract_risks(scorer, score_moves(scorer, moves), moves)
    best_turn = max(range(len(worths)), key=lambda points: (worths[points], -points))
    return plain_or_hold(best_turn, 0)


def _plot_without_foes(ship: ShipState, table: Point) -> Plot:
    """Slow down before an edge, otherwise hold, while no foe is in sight."""
    ux, uy = COURSES[ship.course]
    ahead = ship.velocity * (1.0 + ship.velocity / (2.0 * max(ship.thrust, 1)))
    x, y = ship.x + ux * ahead, ship.y + uy * ahead
    if 0.0 <= x <= table[0] and 0.0 <= y <= table[1]:
        return HOLD
    if ship.thrust and ship.velocity:
        return Plot(0, -min(ship.thrust, ship.velocity))
    return HOLD


def _ships_to_arm(
    context: CaptainContext, view: SideView, plots: dict[str, Plot], foes: list[Foe]
) -> list[str]:
    """Return the ships that arm their nova cannon; none that launch or would meet an asteroid."""
    bodies = dangerous_pieces(view.pieces)
    result: list[str] = []
    for ship in view.own_ships:
        if ship.status != FIGHTING or not has_cannon(ship, context.doctrine.never):
            continue
        launches = plots.get(ship.id, HOLD).launch
        if launches or not should_arm(ship, foes, view.own_ships):
            continue
        if not bodies or avoid_hazards(view.terms, ship, NOVA, bodies) == NOVA:
            result.append(ship.id)
    return result


def _leaving_plots(context: CaptainContext, view: SideView, foes: list[Foe]) -> dict[str, Plot]:
    """Return plots by which all ships leave, over the jump edge if there is one."""
    edge = view.terms.jump_edge(view.side)
    jumping = NO_FTL not in view.terms.options
    bodies = dangerous_pieces(view.pieces)
    plots: dict[str, Plot] = {}
    for ship in view.own_ships:
        if ship.status not in (FIGHTING, RETURNING) or not takes_move_orders(ship) or ship.warm:
            continue  # a ship whose drive warms up flies on and jumps
        if edge and ship.status == FIGHTING:
            plot = plot_for_edge(ship, edge, view.table)
        else:
            plot = retreat(
                ship,
                view.own_ships,
                foes,
                view.table,
                waited=context.fleeing,
                jumping=jumping,
            )
        if bodies:
            plot = avoid_hazards(view.terms, ship, plot, bodies)
        plots[ship.id] = plot
    return plots


def pursues_foe(context: CaptainContext, view: SideView) -> bool:
    """Return whether its side pursues one that disengages."""
    return would_pursue(view, context.fleeing > 0)


def flights(context: CaptainContext, view: SideView) -> dict[str, Flight]:
    """Return orders for the side's fighter groups in flight."""
    if context.doctrine.style == "straight":
        return {}
    return flight_orders(view, context.doctrine, home=context.fleeing > 0)


def fire(context: CaptainContext, view: SideView) -> FireOrders:
    """Return fire orders, with ships in the order of their firing turns."""
    orders = _ship_fire(context, view)
    if view.own_pieces_of(Group):
        orders += strike_orders(view, context.doctrine)
    if view.foreign_pieces_of(Group):
        orders = with_area_defence(view, orders, context.doctrine.never)
    return keep_cover(view, orders)


def _ship_fire(context: CaptainContext, view: SideView) -> FireOrders:
    """Return the fire of the side's ships at identified foes: nova cannon, then guns."""
    foes = []
    for contact in view.contacts:
        if contact.hostile and contact.sheet is not None:
            foes.append(Foe(contact, ahead=False))
    if not foes:
        return []
    set_weights(foes, context.doctrine.targets)
    if view.terms.victory:
        raise_prey_weight(foes, prey_of(view, foes))
    able = _ships_to_fire(view)
    orders: FireOrders = []
    for ship in able:
        if ship.armed:
            orders.append((ship.id, cannon_fire(ship, foes, view.own_ships)))
    bodies = [piece for piece in view.pieces if piece.body]
    plans = []
    for ship in able:
        if _may_fire_guns(ship):
            plans.append((ship, find_aims(ship, foes, context.doctrine.never, bodies)))
    return orders + fire_orders(plans, foes, context.doctrine, policy=policy_of(view.terms))


def _ships_to_fire(view: SideView) -> list[ShipState]:
    """Return the side's ships that have not fired in this phase."""
    fired = view.firing.fired if view.firing is not None else ()
    ships = []
    for ship in view.own_ships:
        if ship.status == FIGHTING and not ship.dummy and ship.id not in fired:
            ships.append(ship)
    return ships


def _may_fire_guns(ship: ShipState) -> bool:
    """Return whether a ship may fire anything but its nova cannon."""
    return bool(ship.firecons and not ship.armed and not ship.holds_fire and ship.docking < DOCKED)


def find_aims(
    ship: ShipState, foes: list[Foe], never: tuple[str, ...], bodies: Sequence[Piece] = ()
) -> list[Aim]:
    """Return what each working weapon of a ship may fire at, and its worth.

    One-shot weapons wait for a good opportunity.

    Args:
        bodies: What may block the line of fire.

    Rules: 2E "Fire arcs" [2e.arcs]; 2E "Fire control systems" [2e.fire-control]
    """
    aims: list[Aim] = []
    own = own_armament(ship, never)
    is_badly_damaged = 2 * ship.damage >= ship.sheet.boxes
    x, y, course = ship.x, ship.y, ship.course
    for number, foe in enumerate(foes):
        dx, dy = foe.x - x, foe.y - y
        distance = sqrt(dx * dx + dy * dy)
        if distance > own.farthest or (bodies and is_blocked(bodies, (x, y), (foe.x, foe.y))):
            continue
        arcs = arcs_of(dx, dy, course)
        step = step_of(distance)
        holds_nothing_back = is_badly_damaged or foe.boxes_left <= 1
        for mount, places in own.groups:
            weapon = mount.kind
            if not mount.bits & arcs or distance > mount.farthest or weapon.along:
                continue
            row = mount_worths(mount, "", foe.defence, 0.0)
            worth = row[step] if step < len(row) else 0.0
            system = ""
            if weapon.at_system:
                gain, system = best_system(foe)
                worth *= gain / foe.weight / NEEDLE_WORTH if system else 0.0
            if weapon.once and worth < SAVED * row[0] and not holds_nothing_back:
                continue
            if worth:
                aims.append(
                    Aim(places, number, worth, mode="", system=system, control=weapon.control)
                )
    return aims


def _middle(ships: list[ShipState]) -> Point:
    """Return where the centre of the ships will be if all fly on."""
    x = y = 0.0
    for ship in ships:
        ux, uy = COURSES[ship.course]
        x += ship.x + ux * ship.velocity
        y += ship.y + uy * ship.velocity
    return x / len(ships), y / len(ships)


def best_system(foe: Foe) -> tuple[float, str]:
    """Return the best target of a needle beam on a foe: its worth in damage points, and its name.

    Usually the drive of a ship that fights, the FTL drive of one that is leaving, or the last
    FireCon.
    """
    contact = foe.contact
    if contact.sheet is None or contact.lost_systems is None:
        return 0.0, ""
    lost_ids = contact.lost_systems()
    working = []
    for fit in contact.sheet.fits:
        hits_needed = 2 if fit.type == "drive" else 1
        if lost_ids.count(fit.id) < hits_needed:
            working.append(fit)
    firecon_worth = LAST_FIRECON if contact.firecons == 1 else FIRECON
    worth = {
        "firecon": firecon_worth * foe.threat,
        "drive": DRIVE + 0.25 * foe.threat,
        "ftl": JUMP if contact.warm else 0.0,
        "screen": SCREEN,
    }
    best = max(working, key=lambda fit: worth.get(fit.type, OTHER), default=None)
    if best is None:
        return (0.0, "")
    return (worth.get(best.type, OTHER) * foe.weight, best.id)
