"""How captains fight by the second edition, stop by stop.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.common.courses import Move, facings, halved_turns, plain_plot
from engine.captains.common.doctrine import Post
from engine.captains.common.expected import NEEDLE_WORTH
from engine.captains.common.flying import (
    carriers_back,
    deck_plot,
    fighters_about,
    flight_orders,
    strikes,
    uses_fighters,
)
from engine.captains.common.foes import SCREENED, Foe, Watched, own_armament, weigh
from engine.captains.common.gunnery import Aim, fire_orders
from engine.captains.common.hazards import (
    dangers,
    done,
    keep_clear,
    last_resort,
    moves_itself,
    odds_of,
    prefer,
    prey_of,
    pursues,
    run_for,
    runners_of,
    sweeps,
)
from engine.captains.common.helm import (
    BLIND,
    COMPANY,
    FEAR,
    FORMED,
    TARGETS_OF_FOES,
    Lure,
    Outlook,
    Risk,
    Sought,
    at_risk,
    foresee,
    judge,
    nearest,
    pick,
    search,
)
from engine.captains.common.minework import fieldwork, in_disguise, undercover
from engine.captains.common.novas import NOVA, arms, bow_line, has_cannon, out_of_the_way, shot
from engine.captains.common.range_tables import step_of, worths_of
from engine.captains.common.retreat import breaks_off, cast_offs, retreat
from engine.captains.second_edition.guarding import guarded
from engine.captains.second_edition.hunting import hunt
from engine.combat.lines import blocked
from engine.core.geometry import COURSES, Point, arcs_of
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, FireOrders, Flight, Plot
from engine.core.ship import DOCKED, ShipState
from engine.core.terms import NO_FTL, Terms
from engine.pieces.group import Group
from engine.pieces.piece import Piece
from engine.view.side_view import Contact, SideView

SHY = 4.0  # how much more a carrier fears
SHUN = 0.15  # a MU of velocity towards the nearest foe, for a carrier
ALOOF = 40.0  # MU it stays away
WRECKED = 100.0  # points that a ship is worth that might be lost to an asteroid
SAVED = 0.6  # of the most a weapon of one shot does: below that it waits for a better one
LAST_BOXES = 0.5  # of its boxes left: a ship waits no longer

# What a hit on a system is worth in damage points, beside the fire power that goes with it.
DRIVE, JUMP, LAST_FIRECON, FIRECON, SCREEN, ELSE = 1.5, 8.0, 2.5, 0.4, 2.0, 0.5


def plots(post: Post, view: SideView) -> dict[str, Plot]:
    """Movement orders for every ship that should not just hold course and speed."""
    doctrine = post.doctrine
    if doctrine.style == "straight":
        return {}
    foes = [Foe(contact, ahead=True) for contact in view.contacts if contact.hostile]
    terms = view.terms
    if post.fleeing or breaks_off(view.own, foes, doctrine) or (terms.victory and done(view)):
        post.fleeing += 1
        going_home = _home(post, view, foes) | cast_offs(view, leaving=True)
        return fieldwork(view, going_home, foes, doctrine, scans=False)
    weigh(foes, doctrine.targets)
    flying = [ship for ship in view.own if ship.status == FIGHTING]
    if not flying:
        return {}
    prey, runners = (prey_of(view, foes), runners_of(view)) if terms.victory else ((), ())
    prefer(foes, prey)
    back = carriers_back(view, doctrine)
    if foes and all(ship.cover is None for ship in flying):  # ships in disguise do not evade
        _foreseen(view, foes, flying)
    middle = _middle([ship for ship in flying if ship not in back] or flying)
    hot, bodies = sweeps(view.pieces), dangers(view.pieces)
    lures = (out_of_the_way(hot),) if hot else ()
    company = FORMED if fighters_about(view) else COMPANY
    plots = cast_offs(view)
    watched = [foe.watched() for foe in foes]
    for ship in flying:
        if not moves_itself(ship) or ship.warm:
            continue
        deck = deck_plot(ship, view) if ship.profile.bays and uses_fighters(doctrine) else None
        if deck is not None:
            plots[ship.id] = deck
            continue
        if ship.id in runners:
            plot = run_for(ship, terms.jump_edge(view.side), view.table)
        elif prey and ship not in back:
            plot = hunt(
                in_disguise(ship),
                [foe for foe in foes if foe.contact.id in prey],
                view.table,
                doctrine.never,
            )
        else:
            acting = in_disguise(ship)
            plot = (
                _steer(
                    post,
                    view,
                    acting,
                    foes,
                    watched,
                    middle,
                    lures,
                    bodies,
                    company,
                    aloof=ship in back,
                )
                if foes
                else _wait(acting, view.table)
            )
        plot = last_resort(ship, foes) or plot
        if bodies:
            plot = keep_clear(view.terms, ship, plot, bodies)
        if plot is not HOLD:
            plots[ship.id] = plot
    arming = {name: NOVA for name in _arming(post, view, plots, foes) if name not in runners}
    return fieldwork(view, plots, foes, doctrine) | arming


def _steer(
    post: Post,
    view: SideView,
    ship: ShipState,
    foes: list[Foe],
    watched: list[Watched],
    middle: Point,
    lures: tuple[Lure, ...],
    bodies: list[Piece],
    company: Point,
    *,
    aloof: bool,
) -> Plot:
    """The plot that leads to the best place.

    `aloof`: a carrier that leaves the fight to its fighters.
    """
    ux, uy = COURSES[ship.course]
    near = nearest(watched, ship, (ux * ship.velocity, uy * ship.velocity))
    doctrine = post.doctrine
    if aloof:
        lures, company = (*lures, _keeping_off([foes[place] for place in near])), COMPANY
    if has_cannon(ship, doctrine.never):
        lures = (*lures, bow_line([foes[place] for place in near]))
    wanted = None if doctrine.range is None else float(doctrine.range)
    outlook = Outlook(
        ship, tuple([watched[place] for place in near]), own_armament(ship, doctrine.never), SCREENED[ship.screens],
        middle, view.table, wanted=ALOOF if aloof else wanted, company=company, fear=FEAR * SHY if aloof else FEAR,
        blind=0.0 if aloof else BLIND,
    )  # fmt: skip
    risk = _risk(view.terms, ship, bodies) if bodies else None
    if ship.velocity == 0 and ship.thrust == 0:
        return _rotate(outlook, lures, risk)
    way = (halved_turns, (ship.thrust, ship.course, ship.velocity))
    move = pick(ship.id, search(Sought(outlook, way, lures, risk)), post.dice)
    return plain_plot(move.turn, move.thrust) if move.turn or move.thrust else HOLD


def _foreseen(view: SideView, foes: list[Foe], own: list[ShipState]) -> None:
    """Set foes where they will be if they think as this captain does, of what they see of his
    ships.
    """
    seen = [Foe(Contact(ship, hostile=True, called=ship.contact), ahead=True) for ship in own]
    weigh(seen, TARGETS_OF_FOES)
    middle = sum(foe.x for foe in foes) / len(foes), sum(foe.y for foe in foes) / len(foes)

    watched = [foe.watched() for foe in seen]

    def search_of(foe: Foe) -> Sought | None:
        ship = foe.contact
        fires = foe.armed()
        if fires is None or not ship.thrust or ship.warm or ship.status != FIGHTING:
            return None
        near = nearest(watched, ship, (foe.x - ship.x, foe.y - ship.y))
        outlook = Outlook(
            ship, tuple([watched[place] for place in near]), fires, foe.ward, middle, view.table
        )
        return Sought(outlook, (halved_turns, (ship.thrust, ship.course, ship.velocity)))

    foresee(foes, search_of)


def _risk(terms: Terms, ship: ShipState, bodies: list[Piece]) -> Risk:
    """What a move risks among asteroids."""

    def risk(move: Move) -> float:
        return WRECKED * odds_of(terms, ship, move.turn, move.thrust, bodies)[0]

    return risk


def _keeping_off(near: Sequence[Foe]) -> Lure:
    """What a place costs a carrier: its speed, as far as it leads at the nearest foe."""

    def worth(x: float, y: float, course: int, speed: float) -> float:
        dx, dy = min(((foe.x - x, foe.y - y) for foe in near), key=_length)
        ux, uy = COURSES[course]
        return -speed * (dx * ux + dy * uy) / (_length((dx, dy)) + 1.0) * SHUN

    return worth


def _length(way: Point) -> float:
    return float((way[0] * way[0] + way[1] * way[1]) ** 0.5)


def _rotate(outlook: Outlook, lures: tuple[Lure, ...], risk: Risk | None) -> Plot:
    """A ship at rest without drive turns its best arc to the foes."""
    helm, ways = outlook.helm(lures, risk), facings(outlook.ship.course)
    worth = at_risk(helm, judge(helm, ways), ways)
    best = max(range(len(worth)), key=lambda points: (worth[points], -points))
    return plain_plot(best, 0) if best else HOLD


def _wait(ship: ShipState, table: Point) -> Plot:
    """Nobody in sight: slow down before an edge, else hold."""
    ux, uy = COURSES[ship.course]
    ahead = ship.velocity * (1.0 + ship.velocity / (2.0 * max(ship.thrust, 1)))
    x, y = ship.x + ux * ahead, ship.y + uy * ahead
    if 0.0 <= x <= table[0] and 0.0 <= y <= table[1]:
        return HOLD
    return Plot(0, -min(ship.thrust, ship.velocity)) if ship.thrust and ship.velocity else HOLD


def _arming(post: Post, view: SideView, plots: dict[str, Plot], foes: list[Foe]) -> list[str]:
    """The ships that put all their power into their nova cannon; not where they launch or meet an
    asteroid.
    """
    bodies = dangers(view.pieces)
    return [
        ship.id
        for ship in view.own
        if ship.status == FIGHTING
        and has_cannon(ship, post.doctrine.never)
        and not plots.get(ship.id, HOLD).launch
        and arms(ship, foes, view.own)
        and not (bodies and keep_clear(view.terms, ship, NOVA, bodies) != NOVA)
    ]


def _home(post: Post, view: SideView, foes: list[Foe]) -> dict[str, Plot]:
    """Everybody leaves: over the jump edge where there is one, else as best he can."""
    edge, bodies = view.terms.jump_edge(view.side), dangers(view.pieces)
    plots: dict[str, Plot] = {}
    for ship in view.own:
        if ship.status not in (FIGHTING, RETURNING) or not moves_itself(ship) or ship.warm:
            continue  # whose drive warms up flies on as he is, and is gone
        if edge and ship.status == FIGHTING:
            plot = run_for(ship, edge, view.table)
        else:
            jumping = NO_FTL not in view.terms.options
            plot = retreat(ship, view.own, foes, view.table, post.fleeing, jumping=jumping)
        plots[ship.id] = keep_clear(view.terms, ship, plot, bodies) if bodies else plot
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
    foes = [
        Foe(contact, ahead=False)
        for contact in view.contacts
        if contact.hostile and contact.sheet is not None
    ]
    orders: FireOrders = []
    if foes:
        weigh(foes, post.doctrine.targets)
        if view.terms.victory:
            prefer(foes, prey_of(view, foes))
        able = [ship for ship in view.own if ship.status == FIGHTING and not ship.dummy]
        orders = [(ship.id, shot(ship, foes, view.own)) for ship in able if ship.armed]
        bodies = [piece for piece in view.pieces if piece.body]
        aims = [
            (ship, aims_of(ship, foes, post.doctrine.never, bodies))
            for ship in able
            if ship.firecons and not ship.armed and not ship.holds_fire and ship.docking < DOCKED
        ]
        orders += fire_orders(aims, foes, post.doctrine)
    if view.own_of(Group):
        orders += strikes(view, post.doctrine)
    if view.others_of(Group):
        orders = guarded(view, orders, post.doctrine.never)
    return undercover(view, orders)


def aims_of(
    ship: ShipState, foes: list[Foe], never: tuple[str, ...], bodies: Sequence[Piece] = ()
) -> list[Aim]:
    """What each working weapon of a ship may fire at, and what that is worth; one of a single shot
    waits for its time. `bodies`: what may lie in the line of fire.

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
        if distance > farthest or (bodies and blocked(bodies, (x, y), (foe.x, foe.y))):
            continue
        arcs = arcs_of(dx, dy, course)
        step = step_of(distance)
        for mount, places in fires.alike:
            weapon = mount.kind
            if not mount.bits & arcs or distance > mount.farthest or weapon.along:
                continue
            row = worths_of(mount, "", foe.ward, 0.0)
            worth, name = row[step] if step < len(row) else 0.0, ""
            if weapon.at_system:
                gain, name = prize(foe)
                worth *= gain / foe.weight / NEEDLE_WORTH if name else 0.0
            if weapon.once and worth < SAVED * row[0] and not (late or foe.left <= 1):
                continue
            if worth:
                aims.append(Aim(places, number, worth, "", name, weapon.control))
    return aims


def _middle(ships: list[ShipState]) -> Point:
    """Where the middle of ships will be if all fly on."""
    x = y = 0.0
    for ship in ships:
        ux, uy = COURSES[ship.course]
        x += ship.x + ux * ship.velocity
        y += ship.y + uy * ship.velocity
    return x / len(ships), y / len(ships)


def prize(foe: Foe) -> tuple[float, str]:
    """The system of a foe most worth a needle, and what its loss is worth in damage points.

    The drive of a ship that fights, the FTL drive of one that is leaving, the FireCon of one that
    has no other.
    """
    contact = foe.contact
    if contact.sheet is None or contact.lost is None:
        return 0.0, ""
    lost = contact.lost()
    left = [
        fit for fit in contact.sheet.fits if lost.count(fit.id) < (2 if fit.type == "drive" else 1)
    ]
    firecon = LAST_FIRECON if contact.firecons == 1 else FIRECON
    worth = {
        "firecon": firecon * foe.threat,
        "drive": DRIVE + 0.25 * foe.threat,
        "ftl": JUMP if contact.warm else 0.0,
        "screen": SCREEN,
    }
    found = max(left, key=lambda fit: worth.get(fit.type, ELSE), default=None)
    return (worth.get(found.type, ELSE) * foe.weight, found.id) if found is not None else (0.0, "")
