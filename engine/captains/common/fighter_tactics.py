"""A captain's fighters: when they launch, whom they attack or intercept, when they return.

Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
"""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from math import sqrt

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.expected_damage import THROWS, EvenDice
from engine.combat.line_of_sight import is_blocked
from engine.core.geometry import COURSES, FORE, arcs_of, is_within, length_of, squared_length
from engine.core.ids import GroupId
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, STAY, Fire, FireOrders, Flight, Plot
from engine.core.rolls import Shot
from engine.core.ship import FREE, ShipState
from engine.craft.craft_type import Armament, CraftType
from engine.fighters.flights import CONTACT, heading
from engine.fighters.hangars import free_places
from engine.pieces.group import Group, group_id
from engine.systems.outfit import CARRIER_BAYS, launches_per_turn
from engine.view.side_view import Contact, SideView
from engine.weapons.point_defence import AREA_RANGE, KILLS
from engine.weapons.weapon import Trait

BAY = "fighter-bay"
LAUNCH_RANGE = 45.0  # MU to the nearest foe at which fighters launch
MIN_CRAFT = 3  # craft in the smallest group that launches
ROUNDING_MARGIN = (
    0.01  # MU; orders are written with few digits, so groups are sent a little less far
)
STAND_OFF = 4.0  # MU from its target at which a group stops
CRAFT_PER_DIE = sum(KILLS) / 6  # mean number of craft that a die of point defence destroys
CRAFT_WORTH = 7.0  # points, including what the craft would still do
POINTS_PER_CRAFT_STOPPED = 6.0  # points saved for each craft kept away from a ship
DELAY_FACTOR = 0.6  # value of an attack per turn of delay

ValuedTarget = tuple[Contact, int, float]  # a ship to attack, its anti-fighter dice, points per box


def uses_fighters(doctrine: Doctrine) -> bool:
    """Return whether a captain launches fighters at all."""
    return BAY not in doctrine.never


def deck_plot(ship: ShipState, view: SideView) -> Plot | None:
    """Return the plot of a carrier that launches or holds its course for a landing, if it does."""
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    foes += [(flyer.x, flyer.y) for flyer in _hostile_flyers(view)]
    own_groups = view.own_pieces_of(Group)
    launch = launch_plot(ship, foes, own_groups, view.table)
    if launch is not None:
        return launch
    if holds_for_landing(ship, own_groups, view.table):
        return HOLD
    return None


def _hostile_flyers(view: SideView) -> list[Group]:
    """Return the groups of hostile craft in flight."""
    return [flyer for flyer in view.foreign_pieces_of(Group) if view.is_hostile(flyer)]


def launch_plot(
    ship: ShipState,
    foes: list[tuple[float, float]],
    own_groups: list[Group],
    table: tuple[float, float],
) -> Plot | None:
    """Return the plot of a ship that launches now, if it does.

    A foe must be near, its bays full enough, and its course must keep it on the table.

    Args:
        foes: The positions of hostile ships and fighters.
        own_groups: The side's groups in flight.
    """
    if ship.warm or ship.dummy or ship.docking != FREE or not stays_on_table(ship, table):
        return None
    bays = _full_bays(ship, {group.id for group in own_groups})
    is_foe_near = any(
        is_within(squared_length(x - ship.x, y - ship.y), LAUNCH_RANGE) for x, y in foes
    )
    if not bays or not is_foe_near:
        return None
    return Plot(launch=tuple(bays[: launches_per_turn(len(ship.profile.bays))]))


def _full_bays(ship: ShipState, flying: Set[GroupId]) -> list[str]:
    """Return the working bays with enough craft to launch.

    A bay may hold the craft of another ship while its own group is in flight.

    Args:
        flying: The ids of the side's groups in flight.
    """
    bays = []
    for index in ship.profile.bays:
        bay = ship.sheet.fits[index].id
        is_full = ship.alive[index] and ship.stock[index] >= MIN_CRAFT
        if is_full and group_id(ship, bay) not in flying:
            bays.append(bay)
    return bays


def stays_on_table(ship: ShipState, table: tuple[float, float]) -> bool:
    """Return whether a ship stays on the table for two turns without changing its motion."""
    ux, uy = COURSES[ship.course]
    x, y = ship.x + ux * ship.velocity * 2, ship.y + uy * ship.velocity * 2
    return 0.0 <= x <= table[0] and 0.0 <= y <= table[1]


def must_keep_back(ship: ShipState, groups: list[Group]) -> bool:
    """Return whether a carrier stays away from guns because it has craft aboard or in flight."""
    if len(ship.profile.bays) < CARRIER_BAYS:
        return False
    full = any(ship.stock[index] >= MIN_CRAFT for index in ship.profile.bays)
    return full or any(group.ship == ship.id for group in groups)


def carriers_keeping_back(view: SideView, doctrine: Doctrine) -> list[ShipState]:
    """Return the carriers that keep back now."""
    if not uses_fighters(doctrine):
        return []
    groups = view.own_pieces_of(Group)
    result: list[ShipState] = []
    for ship in view.own_ships:
        if ship.profile.bays and ship.status == FIGHTING and must_keep_back(ship, groups):
            result.append(ship)
    return result


def has_fighters_in_flight(view: SideView) -> bool:
    """Return whether fighters of the side, or hostile ones, are in flight."""
    return bool(view.own_pieces_of(Group) or _hostile_flyers(view))


def holds_for_landing(ship: ShipState, groups: list[Group], table: tuple[float, float]) -> bool:
    """Return whether a ship holds its course so that the rest of a group can land."""
    if not stays_on_table(ship, table):
        return False
    ux, uy = COURSES[ship.course]
    x, y = ship.x + ux * ship.velocity, ship.y + uy * ship.velocity
    for group in groups:
        needs_deck = group.ship == ship.id and group.craft < MIN_CRAFT
        can_reach = is_within(squared_length(group.x - x, group.y - y), group.row.speed)
        if needs_deck and can_reach and free_places(ship, group.type) > 0:
            return True
    return False


def flight_orders(view: SideView, doctrine: Doctrine, *, home: bool) -> dict[str, Flight]:
    """Return orders for a side's groups: attack the ships they hurt most, intercept, or return.

    Args:
        home: All groups return.
    """
    targets = [] if home else _targets(view, doctrine)
    threats = [] if home else _threats(view)
    craft_sent: dict[str, float] = {}
    intercepted: set[str] = set()
    orders: dict[str, Flight] = {}
    in_dogfight = groups_in_dogfights(view)
    recovering_ships: list[str] = []
    for group in view.own_pieces_of(Group):
        if not home and group.id in in_dogfight:
            orders[group.id] = STAY
            continue
        worth, target = _best_target(group, targets, craft_sent)
        gain, foe = _best_interception(group, threats, intercepted)
        if foe is not None and gain > worth:
            intercepted.add(foe.id)
            orders[group.id] = Flight(dogfight=foe.id)
        elif target is not None and worth > 0.0:
            craft_sent[target[0].id] = craft_sent.get(target[0].id, 0.0) + group.craft
            orders[group.id] = _fly_at(group, target[0])
        else:
            orders[group.id] = _homeward(group, view, recovering_ships)
    return orders


def _best_target(
    group: Group, targets: list[ValuedTarget], craft_sent: dict[str, float]
) -> tuple[float, ValuedTarget | None]:
    """Return the ship that a group should attack, after what an attack is worth."""
    rated = [(_worth(group, target, craft_sent), target) for target in targets]
    return max(rated, key=_first, default=(0.0, None))


def _best_interception(
    group: Group, threats: list[Group], intercepted: set[str]
) -> tuple[float, Group | None]:
    """Return the group to start a dogfight with, after what that is worth."""
    rated = []
    for threat in threats:
        if threat.id not in intercepted:
            rated.append((_dogfight_gain(group, threat), threat))
    return max(rated, key=_first, default=(0.0, None))


def _first(row: tuple[float, object]) -> float:
    """Return the worth that a rated target begins with."""
    return row[0]


def _targets(view: SideView, doctrine: Doctrine) -> list[ValuedTarget]:
    """Return the ships that fighters may attack, each with the anti-fighter dice that guard it."""
    contacts = []
    for contact in view.contacts:
        if contact.hostile and contact.sheet is not None:
            contacts.append(contact)
    targets: list[ValuedTarget] = []
    for contact in contacts:
        assert contact.sheet is not None
        points_per_box = contact.sheet.points / contact.sheet.boxes
        if doctrine.targets == "weakest":
            points_per_box *= 20.0 / (contact.sheet.boxes - contact.damage + 5.0)
        targets.append((contact, round(_guard_dice(contact, contacts)), points_per_box))
    return targets


def _guard_dice(contact: Contact, contacts: list[Contact]) -> float:
    """Return the anti-fighter dice that guard a ship, with the area defence of its neighbours.

    That of neighbours counts half: it may be needed elsewhere.
    """
    guard_dice = float(_dice(contact, Trait.ANTI_FIGHTER))
    for neighbour in contacts:
        if neighbour is not contact and is_near(neighbour, contact, AREA_RANGE):
            guard_dice += _dice(neighbour, Trait.AREA_DEFENCE) * 0.5
    return guard_dice


def _dice(contact: Contact, trait: Trait) -> int:
    """Return the number of a contact's remaining weapons with a trait."""
    assert contact.sheet is not None
    assert contact.profile is not None
    lost_ids = contact.lost_systems() if contact.lost_systems is not None else ()
    places = contact.profile.having.get(trait, ())
    return sum(contact.sheet.fits[place].id not in lost_ids for place in places)


def is_near(a: Contact | Group | ShipState, b: Contact | Group | ShipState, reach: float) -> bool:
    """Return whether two units are within `reach` MU of each other."""
    return is_within(squared_length(a.x - b.x, a.y - b.y), reach)


@cache
def points_with(armament: Armament, screens: int, velocity: int = 0) -> float:
    """Return the mean damage points of one craft's armament at a ship behind screens.

    Args:
        velocity: That of the ship, which matters to gravitic guns.
    """
    shot = Shot("", 0.0, 0.0, screens=screens, velocity=velocity, purpose="fighter")
    effect = armament.at_ships(shot, EvenDice(), THROWS)
    return sum(typed.points for typed in effect.damage_types) / THROWS


def special_hits_with(armament: Armament, advanced: int = 0) -> tuple[float, float]:
    """Return the mean EMP hits, and marines landed, of one craft's armament at a ship.

    Args:
        advanced: The ship's levels of advanced screens.
    """
    shot = Shot("", 0.0, 0.0, advanced=advanced, purpose="fighter")
    effect = armament.at_ships(shot, EvenDice(), THROWS)
    return effect.emp / THROWS, effect.marines_landed / THROWS


def points_of(row: CraftType, screens: int) -> float:
    """Return the mean damage points of one craft's guns at a ship behind screens."""
    return points_with(row.guns, screens)


def weapon_at(group: Group, target: Contact) -> str:
    """Return the name of the armament that does most to a ship; the guns if nothing does more."""
    row = group.row
    usable = []
    for armament in row.armaments:
        can_fire = not group.fire_fault(armament, at_ship=True)
        if can_fire and is_near(group, target, armament.reach):
            usable.append(armament)

    def total_points(armament: Armament) -> float:
        rounds = group.rounds(armament) if armament.rounds else group.craft
        return points_with(armament, target.screens) * rounds

    return max(usable, key=total_points, default=row.guns).name


@cache
def mean_craft_taken(
    row: CraftType, skill: int = 0, cover: tuple[int, int, int] = (0, 0, 0)
) -> float:
    """Return the mean number of craft that one craft's fire destroys.

    Args:
        skill: The pilots' modifier of the die.
        cover: How area screens weaken the fire: `screens`, `advanced` and `covered` of its shot.
    """
    shot = Shot("", 0.0, 0.0, modifier=skill, purpose="fighter")
    shot.screens, shot.advanced, shot.covered = cover
    return row.guns.at_craft(shot, EvenDice(), THROWS).craft / THROWS


def _damage(target: ValuedTarget, craft: float, row: CraftType) -> float:
    """Return the points an attack by so many craft destroys, after the ship's anti-fighter fire."""
    contact, guard_dice, points_per_box = target
    assert contact.sheet is not None
    attacking_craft = max(craft - guard_dice * CRAFT_PER_DIE * 0.75, 0.0)
    hits = attacking_craft * points_of(row, contact.screens)
    return min(hits, float(contact.sheet.boxes - contact.damage)) * points_per_box


def _worth(group: Group, target: ValuedTarget, craft_sent: dict[str, float]) -> float:
    """Return what a group adds to an attack on a ship; less the farther it has to fly."""
    contact = target[0]
    craft_before = craft_sent.get(contact.id, 0.0)
    row = group.row
    gain = _damage(target, craft_before + group.craft, row)
    if craft_before:
        gain -= _damage(target, craft_before, row)
    distance = length_of(contact.x - group.x, contact.y - group.y)
    turns = max(0.0, (distance - row.speed - row.reach) / row.speed)
    return float(gain * DELAY_FACTOR**turns)


def _threats(view: SideView) -> list[Group]:
    """Return hostile groups outside dogfights that may reach the side's ships in two turns."""
    in_dogfight = groups_in_dogfights(view)
    own_ships = [ship for ship in view.own_ships if ship.status == FIGHTING]
    threats: list[Group] = []
    for flyer in _hostile_flyers(view):
        reach = 2 * flyer.row.speed + flyer.row.reach
        if flyer.id not in in_dogfight and any(is_near(flyer, ship, reach) for ship in own_ships):
            threats.append(flyer)
    return threats


def _dogfight_gain(group: Group, flyer: Group) -> float:
    """Return the value of a dogfight with a hostile group, 0 if it is out of reach."""
    if not is_near(group, flyer, group.row.speed + CONTACT):
        return 0.0
    craft_taken = min(float(flyer.craft), group.craft * mean_craft_taken(group.row))
    craft_lost = min(float(group.craft), flyer.craft * mean_craft_taken(flyer.row))
    return CRAFT_WORTH * (craft_taken - craft_lost) + POINTS_PER_CRAFT_STOPPED * flyer.craft


def _fly_at(group: Group, contact: Contact) -> Flight:
    """Return the flight to a place near a ship, as far as possible, facing it."""
    dx, dy = contact.x - group.x, contact.y - group.y
    away = sqrt(dx * dx + dy * dy)
    if away <= STAND_OFF:
        return Flight(to=(group.x, group.y), face=heading(dx, dy))
    step = min(group.row.speed - ROUNDING_MARGIN, away - STAND_OFF) / away
    return Flight(to=(group.x + dx * step, group.y + dy * step), face=heading(dx, dy))


def _homeward(group: Group, view: SideView, recovering_ships: list[str]) -> Flight:
    """Return the flight that lands a group, or brings it nearer to a ship with room.

    Args:
        recovering_ships: Ships that already recover a group; the new one is added.
    """
    ship = _nearest_home(group, view)
    if ship is None:
        return STAY
    can_land = ship.id not in recovering_ships and not ship.swerved
    if can_land and is_near(group, ship, group.row.speed):
        recovering_ships.append(ship.id)
        return Flight(land=ship.id)
    dx, dy = ship.x - group.x, ship.y - group.y
    distance = sqrt(dx * dx + dy * dy)
    step = 0.0
    if distance:
        step = min(group.row.speed - ROUNDING_MARGIN, distance) / distance
    return Flight(to=(group.x + dx * step, group.y + dy * step))


def _nearest_home(group: Group, view: SideView) -> ShipState | None:
    """Return the ship on which a group lands: its own if that has room, or the nearest other."""
    ships = []
    for ship in view.own_ships:
        is_carrier = ship.status == FIGHTING and ship.profile.bays and ship.docking == FREE
        if is_carrier and free_places(ship, group.type):
            ships.append(ship)
    home_ships = [ship for ship in ships if ship.id == group.ship]
    return min(
        home_ships or ships,
        key=lambda ship: squared_length(ship.x - group.x, ship.y - group.y),
        default=None,
    )


def strike_orders(view: SideView, doctrine: Doctrine) -> FireOrders:
    """Return the attacks of a side's groups: the ships in reach they hurt most, then fighters."""
    targets = _targets(view, doctrine)
    craft_sent: dict[str, float] = {}
    orders: FireOrders = []
    in_dogfight = groups_in_dogfights(view)
    flyers = [flyer for flyer in _hostile_flyers(view) if flyer.id not in in_dogfight]
    for group in view.own_pieces_of(Group):
        if group.id in in_dogfight or group.this_turn.has_fired or group.is_exhausted:
            continue
        ranked = _ranked(view, group, targets, craft_sent)
        names = [contact.id for contact in ranked]
        weapon = group.row.guns.name
        if ranked:
            weapon = weapon_at(group, ranked[0])
            craft_sent[names[0]] = craft_sent.get(names[0], 0.0) + group.craft
        names += [flyer.id for flyer in flyers if _bears(view, group, flyer)]
        if names:
            orders.append((group.id, (Fire(weapon, tuple(names)),)))
    return orders


def _ranked(
    view: SideView, group: Group, targets: list[ValuedTarget], craft_sent: dict[str, float]
) -> list[Contact]:
    """Return the ships that a group may attack now, the one it hurts most first."""
    in_reach = [target for target in targets if _bears(view, group, target[0])]
    in_reach.sort(key=lambda target: (-_worth(group, target, craft_sent), target[0].id))
    return [target[0] for target in in_reach]


def groups_in_dogfights(view: SideView) -> frozenset[str]:
    """Return the groups in dogfights, which no unit may fire into.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    names: set[str] = set()
    for group in (*view.own_pieces_of(Group), *view.foreign_pieces_of(Group)):
        if group.dogfight:
            names.add(group.id)
            names.add(group.dogfight)
    return frozenset(names)


def _bears(view: SideView, group: Group, target: Contact | Group) -> bool:
    """Return whether a target is in reach, in the fore arc and not behind an asteroid."""
    return (
        is_near(group, target, group.row.reach)
        and arcs_of(target.x - group.x, target.y - group.y, group.course) == FORE
        and not is_blocked(view.pieces, (group.x, group.y), (target.x, target.y))
    )
