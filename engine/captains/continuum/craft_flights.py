"""Where a captain's craft fly by Continuum: at a prize, beside a ship that they screen, or home.

Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
"""

from __future__ import annotations

from collections import Counter
from math import dist

from engine.captains.common.doctrine import Post
from engine.captains.common.flying import SHORT, close_to
from engine.captains.continuum.boat_guards import keeps_watch
from engine.captains.continuum.bombing import bombing_run, bombs_of
from engine.captains.continuum.craft_prizes import (
    STAND,
    Prize,
    best_at_craft,
    guards,
    may_land,
    prizes_of,
    spent,
    stand_of,
    worth_of,
)
from engine.captains.continuum.marks import chart_of, going
from engine.continuum.craft.decks import is_boats, landing_fault, recoveries
from engine.continuum.craft.morale import nerve
from engine.continuum.craft.moves import is_robot, secondary_speed, speed
from engine.continuum.craft.on_guard import guards_of
from engine.continuum.craft.targets import may_attack
from engine.continuum.defence_level import by_level as goes_by_level
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Flight
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.fighters.flights import heading
from engine.pieces.group import Group
from engine.view.side_view import SideView

KEPT = 1  # of its endurance a group does not fly on with
LEFT_TO_EVADE = 4  # weapons of a ship from which a group evades that has endurance to spare


def flights(post: Post, view: SideView) -> dict[str, Flight]:
    """Where the side's groups fly, those too that are about to be launched.

    Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
    """
    groups = [*view.own_of(Group), *_launching(post, view)]
    if not groups:
        return {}
    state = chart_of(view)
    prizes = [] if post.fleeing else prizes_of(view, state, ahead=True)
    raiders = [flyer for flyer in view.others_of(Group) if view.is_hostile(flyer)]
    sent: dict[str, float] = {}
    landed: Counter[tuple[str, bool]] = Counter()
    found: dict[str, Flight] = {}
    for group in groups:
        flight = _flight(post, view, state, group, prizes, raiders, sent, landed)
        if flight is not None:
            found[group.id] = flight
    return found


def _launching(post: Post, view: SideView) -> list[Group]:
    """The groups that the side's ships have just been ordered to launch, as they will be."""
    return [
        Group.aboard(ship, ship.profile.index_of[bay], "", (ship.x, ship.y), ship.course, view.turn)
        for ship in view.own
        for bay in post.plotted.get(ship.id, HOLD).launch
    ]


def _flight(
    post: Post, view: SideView, state: BattleState, group: Group, prizes: list[Prize], raiders: list[Group],
    sent: dict[str, float], landed: Counter[tuple[str, bool]],
) -> Flight | None:  # fmt: skip
    """One group's order: home where it is spent, beside whom it guards, or to the ship that it
    hurts most.

    `landed`: how many groups of fighters, or of boats, land on each ship already.
    """
    if spent(group) or post.fleeing:
        return _homeward(post, view, group, landed)
    ward = _to_screen(view, group) if raiders and guards(group.row) else None
    if ward is not None:
        return Flight(screen=ward.id)
    if guards(group.row) and guards_of(group.row) and not goes_by_level(state):
        return keeps_watch(post, view, group, speed(group, view.turn), sent)
    bombs = bombs_of(group.row)
    if bombs is not None:
        ships = [prize.mark.ship for prize in prizes]
        at = bombing_run(state, group, bombs, ships, speed(group, view.turn))
        return None if at is None else Flight(to=at)
    rated = [(worth_of(state, group, prize, sent), number) for number, prize in enumerate(prizes)]
    worth, number = max(rated, default=(0.0, 0))
    if not rated:
        return None
    mark = prizes[number].mark
    sent[mark.contact.id] = sent.get(mark.contact.id, 0.0) + (
        group.craft * nerve(state, group) if worth > 0 else 0
    )
    far = speed(group, view.turn)
    to = _towards((group.x, group.y), (mark.x, mark.y), far, view.table, stand_of(group.row))
    evades_at = LEFT_TO_EVADE if group.lasts(3) and not group.row.berth else 0
    return Flight(to=to, face=heading(mark.x - to[0], mark.y - to[1]), evades_at=evades_at)


def _to_screen(view: SideView, group: Group) -> ShipState | None:
    """The ship worth most that a group can be beside this turn."""
    far = speed(group, view.turn)
    fighting = [ship for ship in view.own if ship.status == FIGHTING and not ship.record.veiled]
    near = [ship for ship in fighting if close_to(group, ship, far)]
    return max(
        near, key=lambda ship: (bool(ship.profile.bays), ship.sheet.points, ship.id), default=None
    )


def _towards(at: Point, to: Point, far: float, table: Point, stand: float = STAND) -> Point:
    """As far towards a place as craft fly, and no nearer than they stand from their target; on the
    table.
    """
    away = dist(at, to)
    step = min(far - SHORT, max(away - stand, 0.0)) / away if away else 0.0
    x, y = at[0] + (to[0] - at[0]) * step, at[1] + (to[1] - at[1]) * step
    return round(min(max(x, 0.0), table[0]), 2), round(min(max(y, 0.0), table[1]), 2)


def _homeward(
    post: Post, view: SideView, group: Group, landed: Counter[tuple[str, bool]]
) -> Flight | None:
    """Land where a ship of the side keeps its course for that and takes one more group aboard, else
    fly at the nearest that has room.
    """
    ships = [ship for ship in view.own if not landing_fault(group, ship, HOLD)]
    boats = is_boats(group)
    for ship in ships:
        plot = post.plotted.get(ship.id, HOLD)
        if landed[ship.id, boats] < recoveries(ship, boats=boats) and may_land(group, ship, plot):
            landed[ship.id, boats] += 1
            return Flight(land=ship.id)
    if not ships:
        return None
    home = min(ships, key=lambda ship: dist((ship.x, ship.y), (group.x, group.y)))
    gx, gy = going(home)
    return Flight(
        to=_towards((group.x, group.y), (home.x + gx, home.y + gy), group.row.speed, view.table)
    )


def secondary(post: Post, view: SideView) -> dict[str, Flight]:
    """Where groups fly on whose target has got away from them, and who have no craft to meet.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]
    """
    groups = [
        group
        for group in view.own_of(Group)
        if not is_robot(group.row)
        and not group.escorts
        and not spent(group)
        and group.lasts(KEPT + 2)
        if bombs_of(group.row) is None and not (guards(group.row) and guards_of(group.row))
    ]
    if not groups or post.fleeing:
        return {}
    state = chart_of(view)
    prizes = prizes_of(view, state, ahead=False)
    found: dict[str, Flight] = {}
    for group in groups:
        if any(
            may_attack(state, group, one, prize.mark.ship)
            for prize in prizes
            for one in group.row.armaments
        ):
            continue
        if best_at_craft(state, view, group) is not None:
            continue
        far = secondary_speed(group.row)
        able = [
            prize
            for prize in prizes
            if dist((group.x, group.y), (prize.mark.x, prize.mark.y)) <= far + stand_of(group.row)
        ]
        if able:
            mark = max(able, key=lambda prize: worth_of(state, group, prize, {})).mark
            to = _towards(
                (group.x, group.y), (mark.x, mark.y), far, view.table, stand_of(group.row)
            )
            found[group.id] = Flight(to=to, face=heading(mark.x - to[0], mark.y - to[1]))
    return found
