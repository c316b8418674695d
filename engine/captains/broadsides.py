"""A captain's fire by Continuum: which ship fires first, at whom its FireCons are set, and which weapon at whom."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.chart import chart_of
from engine.captains.doctrine import Doctrine
from engine.captains.estimate import weigh
from engine.captains.expected import STEP, Ward
from engine.captains.hazards import prefer, prey_of
from engine.captains.lines import line_fires, wave_fires
from engine.captains.marks import Mark, marks_of
from engine.captains.range_tables import Mount, modes_of, weapons_of, worths_of
from engine.captains.snipers import finds, laid_on, prize
from engine.continuum.aiming import aim, arcs_to, bearing
from engine.continuum.cores import uncommanded
from engine.continuum.defences import silenced
from engine.continuum.fire_control import way_of, working
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.core.rolls import Shot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.view.side_view import SideView
from engine.weapons.weapon import Trait

SPREADS = Trait.SPREADS
LISTED = 6  # targets named for a weapon, in order of preference
SAVED = 0.6  # of the most a weapon of one shot does: below that it waits for a better one
LAST_BOXES = 0.4  # of its hull left: a ship waits no longer


class Aim(NamedTuple):
    """What a weapon may fire at: its expected worth there, the mode it is told and the system it is aimed at.

    `mark`: the place among the marks.
    """

    weapon: Mount
    mark: int
    worth: float
    mode: str
    system: str = ""


def fire_orders(view: SideView, doctrine: Doctrine) -> FireOrders:
    """Fire for a side, the heaviest fire first.

    A target's rank grows with what a ship can do to it, its weight in the doctrine and the chance that its side kills
    it this turn; the lists let later ships pass on once it is dead.
    """
    state = chart_of(view)
    marks = [mark for mark in marks_of(view.contacts, state, ahead=False) if mark.bearer is not None]
    if not marks:
        return []
    weigh([*marks], doctrine.targets)
    if view.terms.victory:
        prefer([*marks], prey_of(view, [*marks]))
    able = [ship for ship in view.own if fires_at_all(ship)]
    aims = [(ship, aims_of(state, ship, marks, doctrine.never)) for ship in able]
    if doctrine.style == "straight":
        return [(ship.id, _at_nearest(ship, found, marks)) for ship, found in aims if found]
    total = [0.0] * len(marks)
    for _, found in aims:
        for one in found:
            total[one.mark] += one.worth
    urgency = [min(total[place] / max(mark.left, 1), 1.0) * 1.5 + 0.5 for place, mark in enumerate(marks)]
    liking = [mark.weight * urgent for mark, urgent in zip(marks, urgency, strict=True)]
    aims.sort(key=_heaviest)
    orders: FireOrders = []
    for ship, found in aims:
        likes = _nearness(ship, marks) if doctrine.targets == "nearest" else liking
        fires = wave_fires(state, ship, marks, doctrine.never, sum(one.worth for one in found))
        fires = fires or line_fires(state, ship, marks, doctrine.never) + fires_of(ship, found, marks, likes)
        if fires:
            orders.append((ship.id, fires))
    return orders


def fires_at_all(ship: ShipState) -> bool:
    """Whether a ship may fire anything this turn."""
    barred = ship.dummy or ship.holds_fire or ship.docking >= DOCKED
    return ship.status == FIGHTING and not (barred or silenced(ship) or uncommanded(ship))


def _heaviest(plan: tuple[ShipState, list[Aim]]) -> float:
    most: dict[int, float] = {}
    for one in plan[1]:
        most[one.mark] = most.get(one.mark, 0.0) + one.worth
    return -max(most.values(), default=0.0)


def _nearness(ship: ShipState, marks: list[Mark]) -> list[float]:
    return [10.0 / (1.0 + ((m.x - ship.x) ** 2 + (m.y - ship.y) ** 2) ** 0.5) for m in marks]


def aims_of(state: BattleState, ship: ShipState, marks: list[Mark], never: tuple[str, ...]) -> list[Aim]:
    """What each working weapon of a ship may fire at, and what that is worth.

    A weapon of one shot waits for a target worth it.
    """
    aims: list[Aim] = []
    if ship.armed:
        return aims
    last = (ship.sheet.boxes - ship.damage) < ship.sheet.boxes * LAST_BOXES
    loaded = [weapon for weapon in weapons_of(ship.profile, ship.sheet) if _loaded(ship, weapon, never)]
    for place, mark in enumerate(marks):
        bits = arcs_to(ship, mark.x, mark.y)
        distance = ((mark.x - ship.x) ** 2 + (mark.y - ship.y) ** 2) ** 0.5
        alike: dict[tuple[int, str], Aim | None] = {}
        for weapon in loaded:
            gun = weapon.kind
            if distance * mark.stretch > weapon.farthest or not bearing(state, ship, weapon.place, distance) & bits:
                continue
            way = way_of(ship, weapon.place, "")
            key = (weapon.number, way)  # weapons of a kind that bear on it do the same there
            if key not in alike:
                alike[key] = _aim(state, ship, weapon, way, place, mark)
            found = alike[key]
            if found is not None and (last or not gun.once or found.worth >= SAVED * _most(weapon, mark)):
                aims.append(found._replace(weapon=weapon))
    return aims


def _loaded(ship: ShipState, weapon: Mount, never: tuple[str, ...]) -> bool:
    gun = weapon.kind
    return bool(
        ship.alive[weapon.place]
        and weapon.fit.type not in never
        and not gun.along
        and (ship.firecons or not gun.controlled)
        and (ship.stock[weapon.place] or not gun.once)
    )


def _most(weapon: Mount, mark: Mark) -> float:
    return max(worths_of(weapon, "", mark.ward, mark.shell))


def _aim(state: BattleState, ship: ShipState, weapon: Mount, way: str, place: int, mark: Mark) -> Aim | None:
    """The best a weapon does to a target in any way it may fire now; None where it may not."""
    gun = weapon.kind
    fit = ship.sheet.fits[weapon.place]
    fixed = bool(gun.settings.get(fit.variant)) or way not in gun.modes
    modes = ("",) if fixed else tuple(dict.fromkeys((*modes_of(gun, fit), *gun.at_system)))
    best: Aim | None = None
    for mode in modes:
        told = way if fixed else mode
        if gun.unready(ship, fit, mode, state.turn) or (mode in gun.advanced and not working(ship, "advanced-firecon")):
            continue
        system = prize(mark.ship, guarded=mode not in gun.snipes) if told in gun.at_system else ""
        shot = aim(state, ship, weapon.place, Fire(fit.id, (), system), told, mark.ship)
        if shot is None or (told in gun.snipes and not finds(ship, shot.distance)):
            continue
        worth = _worth(weapon, told, shot, mark.shell)
        if worth and (best is None or worth > best.worth):
            best = Aim(weapon, place, worth, mode, system)
    return best


def _worth(weapon: Mount, mode: str, shot: Shot, shell: float) -> float:
    """What a shot is worth on average."""
    ward = Ward(
        shot.screens, shot.advanced, shot.modifier, shot.rerolls_modified, shot.holofield, shot.mass,
        shot.velocity // 6 * 6,
    )  # fmt: skip
    row = worths_of(weapon, mode, ward, shell)
    step = int((shot.distance - 1e-6) / STEP) if shot.distance > STEP else 0
    return row[step] if step < len(row) else (row[-1] if row else 0.0)


def fires_of(ship: ShipState, aims: list[Aim], marks: list[Mark], liking: list[float]) -> tuple[Fire, ...]:
    """A ship's fire: its FireCons set to the targets that together are worth most, every weapon at the best of those.

    Behind them a weapon names others it bears on, for when those are wrecks before its turn comes; one that is aimed at
    a system names its target alone.
    """
    ranked = _ranked(ship, aims, liking)[:LISTED]
    fires: list[Fire] = []
    for weapon in {one.weapon.place: one.weapon for one in aims}.values():
        mine = {one.mark: one for one in aims if one.weapon is weapon}
        places = [place for place in ranked if place in mine]
        if not places:
            continue
        first = mine[places[0]]
        alike = [place for place in places if mine[place].mode == first.mode] if not first.system else places[:1]
        spread = laid_on(marks[places[0]].ship, len(fires)) if SPREADS in weapon.kind.traits else ()
        targets = tuple(marks[place].contact.id for place in (alike[:1] if spread else alike))
        name = ship.sheet.fits[weapon.place].id
        fires.append(Fire(name, targets, first.system, first.mode, spread=spread))
    return tuple(fires)


def _ranked(ship: ShipState, aims: list[Aim], liking: list[float]) -> list[int]:
    """Targets in the order FireCons are set to them: each next one the best for weapons the earlier leave idle."""
    left = sorted({one.mark for one in aims})
    busy: list[Mount] = []
    ranked: list[int] = []
    while left:
        gain = dict.fromkeys(left, 0.0)
        spare = len(ranked) >= ship.firecons
        for one in aims:
            if one.mark in gain and (spare or one.weapon not in busy):
                gain[one.mark] += one.worth * liking[one.mark]
        found = max(left, key=lambda place: (gain[place], -place))
        ranked.append(found)
        left.remove(found)
        busy += [one.weapon for one in aims if one.mark == found]
    return ranked


def _at_nearest(ship: ShipState, aims: list[Aim], marks: list[Mark]) -> tuple[Fire, ...]:
    """The yardstick's fire: everything at the nearest foe it bears on."""
    near = _nearness(ship, marks)
    place = max(sorted({one.mark for one in aims}), key=lambda place: near[place])
    return fires_of(ship, [one for one in aims if one.mark == place], marks, near)
