"""A captain's craft by Continuum: when carriers launch and recover, where groups fly, and what they attack.

Rules: Continuum "Flight operations" 8 [pc.fighter-launch]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

from engine.captains.boat_guards import keeps_watch
from engine.captains.bombing import bombing_run, bombs_of
from engine.captains.doctrine import Doctrine
from engine.captains.dogfighting import planned, worth_of_fight
from engine.captains.flying import PATIENCE, SHORT, STRENGTH, close_to, points_with, stays, taken_by
from engine.captains.hazards import dangers
from engine.captains.level_runs import assisted, expected_level, points_by_level
from engine.captains.marks import Mark, chart_of, going, marks_of
from engine.captains.passages import odds_by_holding
from engine.captains.post import Post
from engine.captains.snipers import prize
from engine.continuum.boarding import in_force
from engine.continuum.craft.decks import is_boats, landing_fault, launch_fault, recoveries
from engine.continuum.craft.loads import launching
from engine.continuum.craft.morale import nerve
from engine.continuum.craft.moves import is_robot, secondary_speed, speed
from engine.continuum.craft.on_guard import guards_of
from engine.continuum.craft.pilots import BY_HIMSELF, RAW, more_dice, skill
from engine.continuum.craft.squadron_fights import is_by_actions
from engine.continuum.craft.targets import attackers_of, may_attack, target_of
from engine.continuum.defence_level import by_level as goes_by_level
from engine.continuum.defence_plans import standing
from engine.continuum.defences import layers_over
from engine.core.geometry import Point
from engine.core.kinds import ACE, FIGHTING
from engine.core.orders import HOLD, Attack, Flight, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament, CraftType, no_fire
from engine.craft.fighters import CONTACT
from engine.craft.roles import row_in
from engine.fighters.flights import heading
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import marines_of
from engine.view.side_view import SideView
from engine.weapons.guard import SUPPORT_REACH

CALL = 60.0  # MU to the nearest foe at which carriers launch
STAND = 3.0  # MU from its target a group takes its place
STAND_OFF = 6.5  # and one that reaches farther than most point defence
TAKEN = 0.8  # craft that a die of point defence takes, in the mean
CRAFT_WORTH = 4.0  # points of a hostile craft shot down
LOAD_POINTS = 1.5  # of a missile or rocket that craft launch, in the mean, with what is shot down
NEEDLE_POINTS = 0.5 + 4.0 / 6.0  # of an ace's die at a system, in the mean: that is as good as four boxes
MET_BY = {0: 3, RAW: 6}  # dice of craft that take one of ordnance, by the skill of pilots
LANDED_POINTS = 2.0  # that a marine who lands is worth
LASTS = 3  # fights that a group has before it, for the other's ace to be worth two dice
KEPT = 1  # of its endurance a group does not fly on with
LEFT_TO_EVADE = 4  # weapons of a ship from which a group evades that has endurance to spare


def deck_plots(state: BattleState, view: SideView, ships: Sequence[ShipState], doctrine: Doctrine) -> dict[str, Plot]:
    """The plots of carriers whose decks are at work: they launch what they can, or hold their course for a landing.

    Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
    """
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    foes += [(flyer.x, flyer.y) for flyer in view.others_of(Group) if view.is_hostile(flyer)]
    bodies = dangers(state.pieces)
    met = _to_meet(view)
    found: dict[str, Plot] = {}
    for ship in ships:
        if not ship.profile.bays or not stays(ship, view.table) or not _may_hold(ship):
            continue
        if bodies and odds_by_holding(state, bodies, ship):
            continue
        near = any(dist((ship.x, ship.y), foe) <= CALL for foe in foes)
        launched = _launch(state, ship, doctrine, met=met) if near else ()
        if launched:
            found[ship.id] = Plot(launch=launched)
        elif any(_spent(group) and _may_land(group, ship, HOLD) for group in view.own_of(Group)):
            found[ship.id] = HOLD
    return found


def _may_hold(ship: ShipState) -> bool:
    """Whether a ship is free to hold its course."""
    return not ship.warm and not ship.record.veiled


def _to_meet(view: SideView) -> bool:
    """Whether foes may send anything that craft meet which are nothing against ships: craft of theirs, or ordnance."""
    seen = [contact for contact in view.contacts if contact.hostile]
    flying = any(view.is_hostile(group) for group in view.others_of(Group))
    return flying or any(one.profile is None or one.profile.bays or one.profile.launchers for one in seen)


def _launch(state: BattleState, ship: ShipState, doctrine: Doctrine, *, met: bool) -> tuple[str, ...]:
    """The bays that a ship can launch from together, the strongest groups first; what is nothing against ships only
    where there is something to meet (`met`).
    """
    launched: tuple[str, ...] = ()

    def strength(index: int) -> int:
        return ship.stock[index] + (ship.record.pilots_of(ship.sheet.fits[index].id) == ACE)

    for index in sorted(ship.profile.bays, key=strength, reverse=True):
        fit = ship.sheet.fits[index]
        row = row_in(ship, index)
        if fit.type in doctrine.never or ship.stock[index] < STRENGTH or not fights(row):
            continue
        if lander(row) and not (in_force(state) and marines_of(ship)):
            continue
        if not met and not row.loads and row.guns.at_ships is no_fire:
            continue
        if not launch_fault(state, ship, Plot(launch=(*launched, fit.id))):
            launched = (*launched, fit.id)
    return launched


def fights(row: CraftType) -> bool:
    """Whether craft of a type can fire at anything."""
    return any(one.fires() or one.launches for one in row.armaments)


def lander(row: CraftType) -> Armament | None:
    """What craft of a type set people down with, None where they do not."""
    return next((one for one in row.loads if one.lands), None)


def _stand(row: CraftType) -> float:
    """MU from its target at which craft of a type take their place: out of reach of point defence, where they can."""
    if lander(row):
        return CONTACT / 2
    if row.guns.reach <= SUPPORT_REACH:
        return STAND
    return row.guns.near - SHORT if row.guns.near else STAND_OFF


def _spent(group: Group) -> bool:
    """Whether a group has to go home: its endurance is spent, or there are few of them left."""
    able = any(not group.why_not(one, at_ship=True) for one in group.row.armaments) or any(launching(group))
    able = able or (guards(group.row) and not group.why_not(group.row.guns, at_ship=False))
    return group.craft < 2 or not able


def _may_land(group: Group, ship: ShipState, plot: Plot) -> bool:
    return not landing_fault(group, ship, plot) and close_to(group, ship, group.row.speed)


@dataclass(frozen=True, slots=True)
class _Prize:
    """A ship to attack: where it will be, points a box, boxes left, and the dice of point defence that guard it."""

    mark: Mark
    points: float
    boxes: int
    guard: int


def _prizes(view: SideView, state: BattleState, *, ahead: bool) -> list[_Prize]:
    found = []
    for mark in marks_of(view.contacts, state, ahead=ahead):
        ship = mark.ship
        if mark.contact.sheet is None or ship.status != FIGHTING:
            continue
        boxes = ship.sheet.boxes - ship.damage + sum(map(sum, ship.armour))
        found.append(_Prize(mark, ship.sheet.points / max(ship.sheet.boxes, 1), boxes, standing(ship)))
    return found


def _best_armament(state: BattleState, group: Group, prize: _Prize) -> tuple[Armament | None, float]:
    """What a group does most with at a ship, and the points of that."""
    best: tuple[Armament | None, float] = (None, 0.0)
    for one in group.row.armaments:
        if one.at_ships is no_fire or group.why_not(one, at_ship=True):
            continue
        points = _each(state, one, prize) * (group.rounds(one) if one.rounds else group.craft + more_dice(group, one))
        if points > best[1]:
            best = (one, points)
    return best


def _each(state: BattleState, armament: Armament, prize: _Prize) -> float:
    """The points that one craft makes at a ship, in the mean."""
    ward = prize.mark.ward
    if not goes_by_level(state) or armament.with_ships:
        return points_with(armament, ward.screens)
    return points_by_level(armament, expected_level(prize.mark.ship), ward.screens, ward.advanced)


def _worth(state: BattleState, group: Group, prize: _Prize, sent: Mapping[str, float]) -> float:
    """What a group's attack on a ship is worth, the farther away the less, and the more join in the more; less where it
    may not dare.
    """
    _, points = _best_armament(state, group, prize)
    points = max([points, *(LOAD_POINTS * group.rounds(one) for one in launching(group) if not one.dropped)])
    if lander(group.row):
        points = LANDED_POINTS * group.craft
    if points <= 0:
        return 0.0
    before = sent.get(prize.mark.contact.id, 0.0)
    met = prize.guard * TAKEN if _stand(group.row) <= SUPPORT_REACH and not goes_by_level(state) else 0.0
    through = max(before + group.craft - met, 0.0) - max(before - met, 0.0)
    done = min(points * through / max(group.craft, 1), float(prize.boxes)) * prize.points
    away = dist((group.x, group.y), (prize.mark.x, prize.mark.y))
    turns = max(0.0, (away - group.row.speed - _stand(group.row)) / group.row.speed)
    return float(done * PATIENCE**turns * nerve(state, group))


def flights(post: Post, view: SideView) -> dict[str, Flight]:
    """Where the side's groups fly, those too that are about to be launched.

    Rules: Continuum "Movement" 8.5, "Screens and pursuits" 8.6 [pc.fighter-move]
    """
    groups = [*view.own_of(Group), *_launching(post, view)]
    if not groups:
        return {}
    state = chart_of(view)
    prizes = [] if post.fleeing else _prizes(view, state, ahead=True)
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
    post: Post, view: SideView, state: BattleState, group: Group, prizes: list[_Prize], raiders: list[Group],
    sent: dict[str, float], landed: Counter[tuple[str, bool]],
) -> Flight | None:  # fmt: skip
    """One group's order: home where it is spent, beside whom it guards, or to the ship that it hurts most.

    `landed`: how many groups of fighters, or of boats, land on each ship already.
    """
    if _spent(group) or post.fleeing:
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
    rated = [(_worth(state, group, prize, sent), number) for number, prize in enumerate(prizes)]
    worth, number = max(rated, default=(0.0, 0))
    if not rated:
        return None
    mark = prizes[number].mark
    sent[mark.contact.id] = sent.get(mark.contact.id, 0.0) + (group.craft * nerve(state, group) if worth > 0 else 0)
    far = speed(group, view.turn)
    to = _towards((group.x, group.y), (mark.x, mark.y), far, view.table, _stand(group.row))
    evades_at = LEFT_TO_EVADE if group.lasts(3) and not group.row.berth else 0
    return Flight(to=to, face=heading(mark.x - to[0], mark.y - to[1]), evades_at=evades_at)


def guards(row: CraftType) -> bool:
    """Whether craft are better at others than at ships: they guard rather than attack."""
    return taken_by(row) > points_with(row.guns, 0) and not row.loads


def _to_screen(view: SideView, group: Group) -> ShipState | None:
    """The ship worth most that a group can be beside this turn."""
    far = speed(group, view.turn)
    fighting = [ship for ship in view.own if ship.status == FIGHTING and not ship.record.veiled]
    near = [ship for ship in fighting if close_to(group, ship, far)]
    return max(near, key=lambda ship: (bool(ship.profile.bays), ship.sheet.points, ship.id), default=None)


def _towards(at: Point, to: Point, far: float, table: Point, stand: float = STAND) -> Point:
    """As far towards a place as craft fly, and no nearer than they stand from their target; on the table."""
    away = dist(at, to)
    step = min(far - SHORT, max(away - stand, 0.0)) / away if away else 0.0
    x, y = at[0] + (to[0] - at[0]) * step, at[1] + (to[1] - at[1]) * step
    return round(min(max(x, 0.0), table[0]), 2), round(min(max(y, 0.0), table[1]), 2)


def _homeward(post: Post, view: SideView, group: Group, landed: Counter[tuple[str, bool]]) -> Flight | None:
    """Land where a ship of the side keeps its course for that and takes one more group aboard, else fly at the nearest
    that has room.
    """
    ships = [ship for ship in view.own if not landing_fault(group, ship, HOLD)]
    boats = is_boats(group)
    for ship in ships:
        plot = post.plotted.get(ship.id, HOLD)
        if landed[ship.id, boats] < recoveries(ship, boats=boats) and _may_land(group, ship, plot):
            landed[ship.id, boats] += 1
            return Flight(land=ship.id)
    if not ships:
        return None
    home = min(ships, key=lambda ship: dist((ship.x, ship.y), (group.x, group.y)))
    gx, gy = going(home)
    return Flight(to=_towards((group.x, group.y), (home.x + gx, home.y + gy), group.row.speed, view.table))


def secondary(post: Post, view: SideView) -> dict[str, Flight]:
    """Where groups fly on whose target has got away from them, and who have no craft to meet.

    Rules: Continuum "Movement" 8.5 [pc.fighter-move]
    """
    groups = [
        group
        for group in view.own_of(Group)
        if not is_robot(group.row) and not group.escorts and not _spent(group) and group.lasts(KEPT + 2)
        if bombs_of(group.row) is None and not (guards(group.row) and guards_of(group.row))
    ]
    if not groups or post.fleeing:
        return {}
    state = chart_of(view)
    prizes = _prizes(view, state, ahead=False)
    found: dict[str, Flight] = {}
    for group in groups:
        if any(may_attack(state, group, one, prize.mark.ship) for prize in prizes for one in group.row.armaments):
            continue
        if _at_craft(state, view, group) is not None:
            continue
        far = secondary_speed(group.row)
        able = [
            prize
            for prize in prizes
            if dist((group.x, group.y), (prize.mark.x, prize.mark.y)) <= far + _stand(group.row)
        ]
        if able:
            mark = max(able, key=lambda prize: _worth(state, group, prize, {})).mark
            to = _towards((group.x, group.y), (mark.x, mark.y), far, view.table, _stand(group.row))
            found[group.id] = Flight(to=to, face=heading(mark.x - to[0], mark.y - to[1]))
    return found


def attacks(post: Post, view: SideView) -> dict[str, tuple[Attack, ...]]:
    """What the side's groups attack: the ship that each hurts most, or craft or ordnance in reach where that is worth
    more.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """
    groups = _flown_on(post, view)
    if not groups or post.fleeing:
        return {}
    state = chart_of(view)
    prizes = _prizes(view, state, ahead=False)
    sent: dict[str, float] = {}
    left: dict[str, int] = {ship.id: len(marines_of(ship)) for ship in view.own}
    found: dict[str, tuple[Attack, ...]] = {}
    for group in groups:
        if group.exhausted or group.escorts:
            found |= _told(group, planned(state, view, group, ()))
            continue
        attack, worth = _at_ship(state, group, prizes, sent, left)
        other = _at_craft(state, view, group) or _at_ordnance(state, view, group)
        if other is not None and other[1] > worth:
            attack = other[0]
        elif attack is not None:
            sent[attack.targets[0]] = sent.get(attack.targets[0], 0.0) + group.craft * nerve(state, group)
            if attack.marines:
                left[group.ship] -= attack.marines
        own = (attack, *_aces_own(state, group, attack, prizes)) if attack is not None else ()
        found |= _told(group, planned(state, view, group, own))
    if goes_by_level(state):
        wards = {one.mark.contact.id: (one.mark.ship, one.mark.ward.screens, one.mark.ward.advanced) for one in prizes}
        return assisted(found, groups, wards)
    return found


def _flown_on(post: Post, view: SideView) -> list[Group]:
    """The side's groups where they attack from: after the second moves that their captain orders at the same stop."""
    groups = view.own_of(Group)
    if not groups or post.fleeing:
        return []
    moves = secondary(post, view)
    if not moves:
        return groups
    found: list[Group] = []
    for group in groups:
        to = moves[group.id].to if group.id in moves else None
        if to is not None:
            group = group.copy()
            group.fly(to, moves[group.id].face or group.course)
        found.append(group)
    return found


def _told(group: Group, attacks: tuple[Attack, ...]) -> dict[str, tuple[Attack, ...]]:
    return {group.id: attacks} if attacks else {}


def _aces_own(state: BattleState, group: Group, attack: Attack, prizes: Sequence[_Prize]) -> tuple[Attack, ...]:
    """A system that a group's ace goes for on the ship that its guns attack, where that is worth more than two dice of
    them, as it is behind screens; or the ace of the group that it fights, where that one has shown itself and would
    outlast its group's fire.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    guns = group.row.guns
    foe = state.find(Group, attack.targets[0])
    if foe is not None:
        if is_by_actions(state, group):
            return ()
        aces = group.pilots == foe.known_pilots == ACE and attack.weapon == guns.name
        outlasts = foe.craft > (group.craft + 1) * taken_by(group.row, skill(group)) and group.lasts(LASTS)
        return (Attack(BY_HIMSELF, attack.targets),) if aces and outlasts else ()
    at = next((one.mark for one in prizes if one.mark.contact.id == attack.targets[0]), None)
    if at is None or attack.weapon != guns.name or not more_dice(group, guns):
        return ()
    system = prize(at.ship)
    if not system or 2 * points_with(guns, at.ward.screens) >= NEEDLE_POINTS:
        return ()
    return (Attack(BY_HIMSELF, attack.targets, system=system),)


def _at_ship(
    state: BattleState, group: Group, prizes: list[_Prize], sent: Mapping[str, float], left: Mapping[str, int]
) -> tuple[Attack | None, float]:
    """The ship that a group's attack does most to, and the worth of that. `left`: marines by the ship they are on."""
    best: tuple[Attack | None, float] = (None, 0.0)
    if shuttles := lander(group.row):
        return _landing(state, group, shuttles, prizes, sent, left)
    for one in prizes:
        armament, _ = _best_armament(state, group, one)
        if armament is None or not may_attack(state, group, armament, one.mark.ship):
            continue
        system = prize(one.mark.ship) if armament.snipes else ""
        worth = _worth(state, group, one, sent)
        if (system or not armament.snipes) and (best[0] is None or worth > best[1]):
            best = (Attack(armament.name, (one.mark.contact.id,), system=system), worth)
    return best


def _landing(
    state: BattleState, group: Group, shuttles: Armament, prizes: list[_Prize], sent: Mapping[str, float],
    left: Mapping[str, int],
) -> tuple[Attack | None, float]:  # fmt: skip
    """The ship that shuttles land all marines on that they can carry; none behind advanced screens.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    marines = min(left.get(group.ship, 0), group.craft)
    able = [
        one
        for one in prizes
        if may_attack(state, group, shuttles, one.mark.ship) and not layers_over(state, one.mark.ship)[1]
    ]
    if not marines or not able:
        return None, 0.0
    best = max(able, key=lambda one: _worth(state, group, one, sent))
    return Attack(shuttles.name, (best.mark.contact.id,), marines=marines), _worth(state, group, best, sent)


def _at_craft(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """The attack on hostile craft in reach that takes most."""
    guns = group.row.guns
    if guns.at_craft is no_fire:
        return None
    best: tuple[Attack, float] | None = None
    for flyer in view.others_of(Group):
        attack = Attack(guns.name, (flyer.id,))
        if not view.is_hostile(flyer) or target_of(state, group, attack, flyer.id) is None:
            continue
        taken = (group.craft + more_dice(group, guns)) * taken_by(group.row, skill(group))
        taken = worth_of_fight(state, group, flyer) if is_by_actions(state, group) else taken
        worth = CRAFT_WORTH * min(float(flyer.craft), taken) * nerve(state, group)
        if worth > 0 and (best is None or worth > best[1]):
            best = (attack, worth)
    return best


def _at_ordnance(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """The attack on ordnance in reach that comes at a ship of the side."""
    guns = group.row.guns
    mine = [ship.id for ship in view.own]
    for marker in state.of(Marker):
        if marker.target in mine and not attackers_of(state, group):
            attack = Attack(guns.name, (marker.id,))
            if target_of(state, group, attack, marker.id) is not None:
                dice = group.craft + more_dice(group, guns)
                return attack, CRAFT_WORTH * min(marker.strength, dice / MET_BY[skill(group)]) * nerve(state, group)
    return None
