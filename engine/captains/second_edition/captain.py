"""The captain of the second edition, phase by phase.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Sequence
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
from engine.captains.common.gunnery import Aim, fire_orders
from engine.captains.common.mine_tactics import add_field_orders, as_disguised, keep_cover
from engine.captains.common.move_options import (
    Move,
    moves_at_rest,
    plain_plot,
    second_edition_moves,
)
from engine.captains.common.move_search import (
    COMPANY,
    COMPANY_UNDER_FIGHTERS,
    FEAR,
    STERN_PENALTY,
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
    middle: Point  # where the centre of the fleet will be
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
    plots = undocking_plots(view)
    for ship in flying:
        if takes_move_orders(ship) and not ship.warm:
            plot = _plot_of(context, view, ship, situation)
            if plot is not None:
                plots[ship.id] = plot
    arming = {}
    for name in _ships_to_arm(context, view, plots, foes):
        if name not in situation.runners:
            arming[name] = NOVA
    return add_field_orders(view, plots, foes, doctrine) | arming


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
        middle=_middle([ship for ship in flying if ship not in back] or flying),
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
    plot = last_ram(ship, situation.foes) or plot
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
    foes = situation.foes
    watched = situation.watched
    bonuses = situation.bonuses
    company = situation.company
    bodies = situation.bodies
    ux, uy = COURSES[ship.course]
    near = nearest_foes(watched, ship, (ux * ship.velocity, uy * ship.velocity))
    doctrine = context.doctrine
    if keeps_away:
        bonuses = (*bonuses, _distance_bonus([foes[place] for place in near]))
        company = COMPANY
    if has_cannon(ship, doctrine.never):
        bonuses = (*bonuses, bow_line_bonus([foes[place] for place in near]))
    preferred_range = None if doctrine.range is None else float(doctrine.range)
    inputs = SearchInputs(
        ship,
        near=tuple([watched[place] for place in near]),
        fires=own_armament(ship, doctrine.never),
        defence=SCREENED[ship.screens],
        middle=situation.middle,
        table=view.table,
        preferred_range=CARRIER_RANGE if keeps_away else preferred_range,
        company=company,
        fear=FEAR * CARRIER_FEAR if keeps_away else FEAR,
        blind=0.0 if keeps_away else STERN_PENALTY,
    )
    risk = _risk(view.terms, ship, bodies) if bodies else None
    if ship.velocity == 0 and ship.thrust == 0:
        return _rotate(inputs, bonuses, risk)
    way = (second_edition_moves, (ship.thrust, ship.course, ship.velocity))
    move = pick_move(
        ship.id, find_best_move(SearchRequest(inputs, way, bonuses, risk)), context.dice
    )
    if move.turn or move.thrust:
        return plain_plot(move.turn, move.thrust)
    return HOLD


def _predict_foes(view: SideView, foes: list[Foe], own_ships: list[ShipState]) -> None:
    """Move foes to where they will be if they think as this captain does."""
    own_as_foes = [
        Foe(Contact(ship, hostile=True, name=ship.contact), ahead=True) for ship in own_ships
    ]
    set_weights(own_as_foes, TARGETS_OF_FOES)
    middle = sum(foe.x for foe in foes) / len(foes), sum(foe.y for foe in foes) / len(foes)

    watched = [foe.factors() for foe in own_as_foes]

    def search_of(foe: Foe) -> SearchRequest | None:
        ship = foe.contact
        fires = foe.known_armament()
        if fires is None or not ship.thrust or ship.warm or ship.status != FIGHTING:
            return None
        near = nearest_foes(watched, ship, (foe.x - ship.x, foe.y - ship.y))
        inputs = SearchInputs(
            ship,
            near=tuple([watched[place] for place in near]),
            fires=fires,
            defence=foe.defence,
            middle=middle,
            table=view.table,
        )
        return SearchRequest(
            inputs, (second_edition_moves, (ship.thrust, ship.course, ship.velocity))
        )

    predict_foes(foes, search_of)


def _risk(terms: Terms, ship: ShipState, bodies: list[Piece]) -> CollisionRisk:
    """Return the expected cost of a move among asteroids."""

    def risk(move: Move) -> float:
        return LOSS_POINTS * loss_odds(terms, ship, move.turn, move.thrust, pieces=bodies)[0]

    return risk


def _distance_bonus(near: Sequence[Foe]) -> ScoreBonus:
    """Return the cost of places for a carrier: its speed towards the nearest foe."""

    def worth(x: float, y: float, course: int, speed: float) -> float:
        dx, dy = min(((foe.x - x, foe.y - y) for foe in near), key=_length)
        ux, uy = COURSES[course]
        return -speed * (dx * ux + dy * uy) / (_length((dx, dy)) + 1.0) * APPROACH_COST

    return worth


def _length(way: Point) -> float:
    return float((way[0] * way[0] + way[1] * way[1]) ** 0.5)


def _rotate(
    inputs: SearchInputs, bonuses: tuple[ScoreBonus, ...], risk: CollisionRisk | None
) -> Plot:
    """Turn the best arc of a ship at rest without a drive to the foes."""
    scorer = inputs.scorer(bonuses, risk)
    ways = moves_at_rest(inputs.ship.course)
    worth = subtract_risks(scorer, score_moves(scorer, ways), ways)
    best = max(range(len(worth)), key=lambda points: (worth[points], -points))
    if best:
        return plain_plot(best, 0)
    return HOLD


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
        if (
            ship.status == FIGHTING
            and has_cannon(ship, context.doctrine.never)
            and not plots.get(ship.id, HOLD).launch
            and should_arm(ship, foes, view.own_ships)
            and not (bodies and avoid_hazards(view.terms, ship, NOVA, bodies) != NOVA)
        ):
            result.append(ship.id)
    return result


def _leaving_plots(context: CaptainContext, view: SideView, foes: list[Foe]) -> dict[str, Plot]:
    """Return plots by which all ships leave, over the jump edge if there is one."""
    edge = view.terms.jump_edge(view.side)
    bodies = dangerous_pieces(view.pieces)
    plots: dict[str, Plot] = {}
    for ship in view.own_ships:
        if ship.status not in (FIGHTING, RETURNING) or not takes_move_orders(ship) or ship.warm:
            continue  # a ship whose drive warms up flies on and jumps
        if edge and ship.status == FIGHTING:
            plot = plot_for_edge(ship, edge, view.table)
        else:
            jumping = NO_FTL not in view.terms.options
            plot = retreat(
                ship,
                ships=view.own_ships,
                foes=foes,
                table=view.table,
                waited=context.fleeing,
                jumping=jumping,
            )
        if bodies:
            plots[ship.id] = avoid_hazards(view.terms, ship, plot, bodies)
        else:
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
    foes = []
    for contact in view.contacts:
        if contact.hostile and contact.sheet is not None:
            foes.append(Foe(contact, ahead=False))
    orders: FireOrders = []
    if foes:
        set_weights(foes, context.doctrine.targets)
        if view.terms.victory:
            raise_prey_weight(foes, prey_of(view, foes))
        able = [ship for ship in view.own_ships if ship.status == FIGHTING and not ship.dummy]
        orders = [(ship.id, cannon_fire(ship, foes, view.own_ships)) for ship in able if ship.armed]
        bodies = [piece for piece in view.pieces if piece.body]
        aims = [
            (ship, find_aims(ship, foes, context.doctrine.never, bodies))
            for ship in able
            if ship.firecons and not ship.armed and not ship.holds_fire and ship.docking < DOCKED
        ]
        orders += fire_orders(aims, foes, context.doctrine)
    if view.own_pieces_of(Group):
        orders += strike_orders(view, context.doctrine)
    if view.foreign_pieces_of(Group):
        orders = with_area_defence(view, orders, context.doctrine.never)
    return keep_cover(view, orders)


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
    fires = own_armament(ship, never)
    farthest = fires.farthest
    late = 2 * ship.damage >= ship.sheet.boxes
    x, y, course = ship.x, ship.y, ship.course
    for number, foe in enumerate(foes):
        dx, dy = foe.x - x, foe.y - y
        distance = (dx * dx + dy * dy) ** 0.5
        if distance > farthest or (bodies and is_blocked(bodies, (x, y), (foe.x, foe.y))):
            continue
        arcs = arcs_of(dx, dy, course)
        step = step_of(distance)
        for mount, places in fires.groups:
            weapon = mount.kind
            if not mount.bits & arcs or distance > mount.farthest or weapon.along:
                continue
            row = mount_worths(mount, "", foe.defence, 0.0)
            worth = row[step] if step < len(row) else 0.0
            name = ""
            if weapon.at_system:
                gain, name = best_system(foe)
                worth *= gain / foe.weight / NEEDLE_WORTH if name else 0.0
            if weapon.once and worth < SAVED * row[0] and not (late or foe.boxes_left <= 1):
                continue
            if worth:
                aims.append(
                    Aim(
                        places,
                        foe=number,
                        worth=worth,
                        mode="",
                        system=name,
                        control=weapon.control,
                    )
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
    lost = contact.lost_systems()
    working = [
        fit for fit in contact.sheet.fits if lost.count(fit.id) < (2 if fit.type == "drive" else 1)
    ]
    if contact.firecons == 1:
        firecon = LAST_FIRECON
    else:
        firecon = FIRECON
    worth = {
        "firecon": firecon * foe.threat,
        "drive": DRIVE + 0.25 * foe.threat,
        "ftl": JUMP if contact.warm else 0.0,
        "screen": SCREEN,
    }
    best = max(working, key=lambda fit: worth.get(fit.type, OTHER), default=None)
    if best is not None:
        return (worth.get(best.type, OTHER) * foe.weight, best.id)
    return (0.0, "")
