"""Phase 3: launching ordnance, and the further stages of missiles.

Rules: Continuum "Launching missiles" 6.3, "Mountings and magazines" 6.6 [pc.salvo-missiles]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import is_blocked, path_ahead
from engine.continuum.aiming import aim, arcs_to, firing_arcs
from engine.continuum.cores import no_command_reason
from engine.continuum.defences import silence_reason
from engine.continuum.fire_at_bodies import unscreened_shot
from engine.continuum.flak import barrage_count, barrage_fault, fire_flak
from engine.continuum.fleet_morale import idle_fault
from engine.continuum.fly_by import resolve_fly_by
from engine.core.errors import Violation, fault_path
from engine.core.geometry import (
    AFT_6,
    FORE_6,
    NEAR,
    Point,
    course_towards,
    length_of,
    six_arcs_of,
    turn_course,
)
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.orders import Fire, Launch
from engine.core.reason import reason
from engine.core.rolls import Shot, roll_to_hit
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import SHAPED_BOLTS
from engine.events.fire import (
    ALREADY_FIRED,
    ALREADY_USED,
    MADE_FAST,
    NO_WEAPONS,
    OUT_OF_ACTION,
    SWEEPING,
    ShotRefused,
)
from engine.pieces.group import Group, rocket_modifier_at
from engine.pieces.marker import (
    Marker,
    OrdnanceLaunched,
    OrdnanceStaged,
    RocketsLaunched,
    ShapedBolt,
    next_marker,
)
from engine.ship_profiles import stock_in
from engine.systems.outfit import magazine_fault
from engine.weapons.ordnance import STAGE, STANDARD, TWO_STAGE, Ordnance, grade_of

STAGE_ORDER = "stage"  # in orders, in place of a weapon, for a marker's further stage
STAGES = {TWO_STAGE: 2}
NO_FIRECON = reason("launch-takes-working-firecon", "a launch needs a working FireCon")
NO_POINT = reason(
    "launched-point-table-such", "it must be launched at a point on the table, for example [30, 24]"
)
NO_TARGET_SHIP = reason(
    "fired-ship",
    'its target must be a ship, for example {"weapon": "rocket-pod-1", "target": "e1"}',
)
NOT_AIMED = reason("not-aimed", "no such hostile ship is in its range, in its arcs and in sight")
NOT_SHAPED = reason("not-shaped", "its plot has no order to shape its bolt this turn")
SHAPED = reason("plot-shapes-bolt-fired", "its plot shapes its bolt, so it must be fired at a ship")
NO_SHAPING = reason(
    "no-shaping", "bolts can be shaped only with the optional rule for shaped bolts"
)
RESTING = reason("fires-every-other-turn", "it can fire only every other turn")
NO_FUSE = reason(
    "no-fuse", "only an antimatter missile can be set to explode at a point without a target"
)
OUT_OF_ARC = reason("out-of-arc", "that point is outside its arcs")
IN_THE_WAY = reason("in-the-way", "something blocks its line to that point")
OFF_TABLE = reason("point-not-table", "that point is not on the table")
HOLDS = reason("ship-not-fire-turn", "its ship cannot fire this turn")

Launches = Mapping[str, tuple[Launch, ...]]


def launch_violations(state: BattleState, launches: Launches, where: str) -> list[Violation]:
    """Return the violations in a side's launch orders.

    Args:
        where: The path of the entry in the orders.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """
    violations: list[Violation] = []
    for name, entries in launches.items():
        if not is_marker(name) and all(ship.id != name for ship in state.ships):
            continue  # an entry for a group of craft
        stock_used: dict[str, int] = {}
        weapons_used: list[str] = []
        for number, launch in enumerate(entries):
            if is_marker(name):
                fault = stage_fault(state, name, launch)
            else:
                fault = launch_fault(
                    state,
                    state.ship(ShipId(name)),
                    launch=launch,
                    weapons_used=weapons_used,
                    stock_used=stock_used,
                )
            if fault:
                violations.append(Violation(f"{where}.{name}{fault_path(number)}", "launch", fault))
    return violations


def is_marker(name: str) -> bool:
    """Return whether an entry of launch orders is for a marker's further stage."""
    head, _, number = name.rpartition("-")
    return head == "marker" and number.isdecimal()


def launch_fault(
    state: BattleState,
    ship: ShipState,
    launch: Launch,
    weapons_used: list[str],
    stock_used: dict[str, int],
) -> str:
    """Return the reason why a ship cannot launch as ordered, or "".

    A legal launch is added to `weapons_used` and `stock_used`.

    Args:
        weapons_used: The weapons the ship has launched from in this phase.
        stock_used: What it has drawn from each store in this phase.

    Rules: Continuum "Launching missiles" 6.3, "Mountings and magazines" 6.6 [pc.salvo-missiles]
    """
    if fault := no_launch_reason(ship):
        return fault
    index = ship.profile.index_of[launch.weapon]
    row = ship.profile.weapons[index].ordnance
    if not ship.alive[index]:
        return OUT_OF_ACTION
    if launch.weapon in weapons_used:
        return ALREADY_FIRED
    if row is None:
        return _flak_fault(state, ship, index=index, launch=launch, weapons_used=weapons_used)
    if row.shaped is not None and launch.target:
        if SHAPED_BOLTS not in state.terms.options:
            return NO_SHAPING
        row = row.shaped
    flak_firecons = barrage_count(ship, weapons_used)
    if fault := _readiness_fault(state, ship, launch=launch, row=row, flak_firecons=flak_firecons):
        return fault
    store = choose_store(ship, index, launch.load, stock_used)
    if store.fault:
        return store.fault
    if fault := _destination_fault(
        state, ship, index=index, launch=launch, row=row, grade=store.grade
    ):
        return fault
    weapons_used.append(launch.weapon)
    name = store_name(ship, store.holder, store.grade)
    stock_used[name] = stock_used.get(name, 0) + 1
    return ""


def _flak_fault(
    state: BattleState, ship: ShipState, index: int, launch: Launch, weapons_used: list[str]
) -> str:
    """Return the reason why a gun cannot fire flak, or ""; a legal launch is added as used."""
    missiles = any(_takes_firecon(ship, weapon) for weapon in weapons_used)
    firecons_in_use = barrage_count(ship, weapons_used) + missiles
    fault = barrage_fault(state, ship, index=index, launch=launch, firecons_in_use=firecons_in_use)
    if not fault:
        weapons_used.append(launch.weapon)
    return fault


def _readiness_fault(
    state: BattleState, ship: ShipState, launch: Launch, row: Ordnance, flak_firecons: int
) -> str:
    """Return the reason why a launcher cannot launch now, or "".

    Args:
        flak_firecons: The FireCons that the ship's flak takes.
    """
    if row.controlled and ship.firecons <= flak_firecons:
        return NO_FIRECON
    if row.endless and ship.record.last_fired.get(launch.weapon) == state.turn - 1 > 0:
        return RESTING
    if launch.fuse and (row.bursts is None or row.explodes_where_aimed):
        return NO_FUSE
    return ""


def _destination_fault(
    state: BattleState, ship: ShipState, index: int, launch: Launch, row: Ordnance, grade: str
) -> str:
    """Return the reason why ordnance cannot go to its target or point, or ""."""
    if row.needs:
        return _target_fault(state, ship, index, launch)
    if launch.at is None:
        return NO_POINT
    return _point_fault(state, ship, index=index, row=row, grade=grade, at=launch.at)


def _takes_firecon(ship: ShipState, weapon: str) -> bool:
    """Return whether a launch from a weapon takes the FireCon shared by the ship's missiles."""
    row = ship.profile.weapons[ship.profile.index_of[weapon]].ordnance
    return row is not None and row.controlled


def _target_fault(state: BattleState, ship: ShipState, index: int, launch: Launch) -> str:
    """Return the reason why rockets or a shaped bolt cannot be fired at a ship, or "".

    Rules: Continuum "Rocket pods" 6.7, "Plasma bolt launchers" 6.8 [pc.rocket-pods]
    """
    if launch.at is not None or not launch.target:
        return NO_TARGET_SHIP
    if _aim_at_boats(state, ship, index, launch) is not None:
        return ""
    target = next((candidate for candidate in state.ships if candidate.id == launch.target), None)
    if target is None:
        return NOT_AIMED
    fire = Fire(launch.weapon, (target.id,))
    if aim(state, ship, index=index, fire=fire, mode="", target=target) is None:
        return NOT_AIMED
    return ""


def _aim_at_boats(
    state: BattleState, ship: ShipState, index: int, launch: Launch
) -> tuple[Group, Shot] | None:
    """Return the gunboats a pod fires its rockets at and the shot, or None if illegal.

    They must be hostile, in range, in arc and in sight.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    group = state.find(Group, launch.target)
    row = ship.profile.weapons[index].ordnance
    if group is None or row is None or not row.at_boats or not group.row.berth:
        return None
    if not state.hostile[ship.commander] >> group.commander & 1:
        return None
    shot = unscreened_shot(
        state, ship, index=index, fire=Fire(launch.weapon, (group.id,)), piece=group
    )
    if shot is None:
        return None
    return (group, shot)


def no_launch_reason(ship: ShipState) -> str:
    """Return the reason why a ship can launch nothing at all, or ""."""
    if ship.dummy:
        return NO_WEAPONS
    if ship.status != FIGHTING:
        return reason("ship-off-table-cannot-launch", "a ship off the table cannot launch anything")
    if ship.docking >= DOCKED:
        return MADE_FAST
    if ship.sweeping:
        return SWEEPING
    if fault := no_command_reason(ship) or silence_reason(ship) or idle_fault(ship):
        return fault
    if ship.holds_fire or ship.armed or ship.warm:
        return HOLDS
    return ""


def store_name(ship: ShipState, holder: str, grade: str) -> str:
    """Return the name of the stock that a launch uses."""
    if ship.sheet.fits[ship.profile.index_of[holder]].load:
        return f"{holder}/{grade}"
    return holder


class Store(NamedTuple):
    """Where a launcher takes its load from.

    Attributes:
        holder: The id of the system that supplies it: itself, or its magazine.
        grade: The grade of the load.
        fault: Why it cannot be supplied, or "".
    """

    holder: str
    grade: str
    fault: str = ""


def choose_store(ship: ShipState, index: int, load: str, stock_used: Mapping[str, int]) -> Store:
    """Return the system that supplies a launcher and the grade of the load.

    A rack holds its own load. A launcher is fed by one magazine, and takes the first load left if
    none is named.

    Args:
        index: The launcher's place in `fits`.
        load: The grade ordered, or "".
        stock_used: What the ship has drawn from each store in this phase.

    Rules: Continuum "Mountings and magazines" 6.6 [pc.salvo-missiles]
    """
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    if weapon.ordnance is not None and weapon.ordnance.endless:
        return Store(fit.id, STANDARD)
    if weapon.once:
        grade = grade_of(fit)
        if load and load != grade:
            fault = reason("holds-one-of", "its missile is of type {}", grade)
            return Store(fit.id, grade, fault)
        if ship.stock[index] <= stock_used.get(fit.id, 0):
            return Store(fit.id, grade, ALREADY_USED)
        return Store(fit.id, grade)
    if fault := magazine_fault(ship, fit):
        return Store(fit.magazine or fit.id, "", fault)
    return _choose_load(ship, fit.magazine, load, stock_used)


def _choose_load(ship: ShipState, magazine: str, load: str, stock_used: Mapping[str, int]) -> Store:
    """Return the load that a launcher takes from its magazine: the one ordered, else the first."""
    stock: dict[str, int] = {}
    for name, number in stock_in(ship, ship.profile.index_of[magazine]).items():
        stock[name.partition("/")[2]] = number - stock_used.get(name, 0)
    if load and load not in stock:
        fault = reason(
            "holds-no-ones-holds",
            "its {} holds no {}; it holds {}",
            magazine,
            load,
            ", ".join(stock),
        )
        return Store(magazine, load, fault)
    grades = [grade for grade, number in stock.items() if number > 0]
    if not grades or (load and load not in grades):
        fault = reason("magazine-has-none-left", "its {} has no {} left", magazine, load or "load")
        return Store(magazine, load, fault)
    return Store(magazine, load or grades[0])


def _point_fault(
    state: BattleState, ship: ShipState, index: int, row: Ordnance, grade: str, at: Point
) -> str:
    """Return the reason why a launcher cannot send its ordnance to a point, or ""."""
    if not _on_table(state, at):
        return OFF_TABLE
    distance = _point_distance((ship.x, ship.y), at)
    least, most = row.reach[grade]
    if fault := _range_fault(distance, least=least, most=most):
        return fault
    if not arcs_of_launch(state, ship, index, distance) & arcs_to(ship, *at):
        return OUT_OF_ARC
    if state.pieces and is_blocked(state.pieces, (ship.x, ship.y), at):
        return IN_THE_WAY
    return ""


def arcs_of_launch(state: BattleState, ship: ShipState, index: int, away: float) -> int:
    """Return the arcs (bits) in which a launcher fires; never through a warship's stern.

    Rules: Continuum "Launching missiles" 6.3, "Fire arcs" 4.2 [pc.arcs]
    """
    bits = firing_arcs(state, ship, index, away)
    if ship.sheet.kind == INSTALLATION:
        return bits
    return bits & ~AFT_6


def _range_fault(distance: float, least: float, most: float) -> str:
    """Return the fault that a point is too far or too near for ordnance, or ""."""
    if distance > most + NEAR:
        return reason(
            "point-mu-away-reaches",
            "that point is {:.1f} MU away; the range is {:g}",
            distance,
            most,
        )
    if distance < least - NEAR:
        return reason(
            "point-mu-away-goes",
            "that point is {:.1f} MU away; it flies at least {:g}",
            distance,
            least,
        )
    return ""


def _on_table(state: BattleState, at: Point) -> bool:
    """Return whether a point is on the table."""
    width, height = state.table
    return -NEAR <= at[0] <= width + NEAR and -NEAR <= at[1] <= height + NEAR


def _point_distance(a: Point, b: Point) -> float:
    """Return the distance in MU between two points."""
    return length_of(a[0] - b[0], a[1] - b[1])


def launch_all(table: Table, launches: Launches) -> None:
    """Launch everything in phase 3: flak, each ship's ordnance in file order, then further stages.

    Impossible launches are reported and use up nothing.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """
    state = table.state
    markers_in_flight = state.pieces_of(Marker)
    weapons_used_by: dict[ShipId, list[str]] = {}
    for ship in state.ships:
        weapons_used_by[ship.id] = _fire_barrages(table, ship, launches.get(ship.id, ()))
    for ship in state.ships:
        _launch_ordnance(table, ship, launches.get(ship.id, ()), weapons_used_by[ship.id])
    for marker in markers_in_flight:
        _stage(table, marker, next(iter(launches.get(marker.id, ())), None))


def _launch_ordnance(
    table: Table, ship: ShipState, launches: Sequence[Launch], weapons_used: list[str]
) -> None:
    """Launch a ship's ordnance, and report the launches that are impossible.

    Args:
        weapons_used: The weapons the ship has used in this phase; they are added to.
    """
    for launch in launches:
        if ship.profile.weapons[ship.profile.index_of[launch.weapon]].ordnance is None:
            continue
        fault = launch_fault(
            table.state, ship, launch=launch, weapons_used=weapons_used, stock_used={}
        )
        fault = fault or _shaping_fault(ship, launch)
        if fault:
            targets = (launch.target,) if launch.target else ()
            table.tell(
                ShotRefused, ship=ship.id, weapon=launch.weapon, targets=targets, reason=fault
            )
        else:
            _launch(table, ship, launch)


def _fire_barrages(table: Table, ship: ShipState, launches: Sequence[Launch]) -> list[str]:
    """Set a ship's flak at the start of phase 3, and return the guns used.

    Rules: 5.16 [pc.k-guns]
    """
    weapons_used: list[str] = []
    for launch in launches:
        if ship.profile.weapons[ship.profile.index_of[launch.weapon]].ordnance is not None:
            continue
        if fault := launch_fault(
            table.state, ship, launch=launch, weapons_used=weapons_used, stock_used={}
        ):
            table.tell(ShotRefused, ship=ship.id, weapon=launch.weapon, targets=(), reason=fault)
        else:
            fire_flak(table, ship, launch)
    return weapons_used


def _shaping_fault(ship: ShipState, launch: Launch) -> str:
    """Return the reason why a plot and a launch contradict each other about a shaped bolt, or "".

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    weapon = ship.profile.weapons[ship.profile.index_of[launch.weapon]]
    if not weapon.shapes or bool(launch.target) is (launch.weapon in ship.this_turn.shaped_bolts):
        return ""
    if launch.target:
        return NOT_SHAPED
    return SHAPED


def _launch(table: Table, ship: ShipState, launch: Launch) -> None:
    """Launch ordnance at a point, or fire rockets or a shaped bolt at a ship."""
    state = table.state
    index = ship.profile.index_of[launch.weapon]
    row = ship.profile.weapons[index].ordnance
    store = choose_store(ship, index, launch.load, {})
    assert row is not None
    if row.needs:
        _fire_rockets(table, ship, index=index, launch=launch, row=row)
        return
    if row.shaped is not None and launch.target:
        _fire_shaped(table, ship, index=index, launch=launch, row=row.shaped)
        return
    assert launch.at is not None
    reveal_ship(table, ship, launch.weapon)
    if store.grade in STAGES:
        course = course_towards((ship.x, ship.y), launch.at, ship.course)
    else:
        course = 0
    strength = row.strength or ship.sheet.fits[index].size
    event = OrdnanceLaunched(
        table.turn,
        ship.id,
        weapon=launch.weapon,
        marker=next_marker(state),
        at=launch.at,
        strength=strength,
        course=course,
        grade=store.grade,
        fuse=launch.fuse,
        holder=store.holder,
    )
    table.carry_out(event)
    resolve_fly_by(table, state.piece(Marker, event.marker), (ship.x, ship.y), launch.at)


def _fire_rockets(table: Table, ship: ShipState, index: int, launch: Launch, row: Ordnance) -> None:
    """Roll for a pod's rockets at a ship or at gunboats, which are harder to hit.

    Rockets that hit approach from where they were fired.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    at_boats = _aim_at_boats(table.state, ship, index, launch)
    target: ShipState | Group
    if at_boats is not None:
        target, shot = at_boats
        reveal_ship(table, ship, launch.weapon)
    else:
        target, shot = _aim_at_ship(table, ship, index, launch)
    needed = row.needed(shot.distance)
    if isinstance(target, Group):
        needed += rocket_modifier_at(target)
    subject = f"{ship.id}/{launch.weapon}"
    dice = [table.dice.roll("to-hit", subject) for _ in range(row.strength)]
    if any(die >= needed for die in dice):
        marker = next_marker(table.state)
    else:
        marker = ""
    table.carry_out(
        RocketsLaunched(
            table.turn,
            ship.id,
            weapon=launch.weapon,
            target=target.id,
            range=_point_distance((ship.x, ship.y), (target.x, target.y)),
            needed=needed,
            dice=tuple(dice),
            marker=marker,
            bearing=_bearing(ship, target),
        )
    )
    if marker:
        resolve_fly_by(
            table, table.state.piece(Marker, marker), (ship.x, ship.y), (target.x, target.y)
        )


def _fire_shaped(table: Table, ship: ShipState, index: int, launch: Launch, row: Ordnance) -> None:
    """Roll for a shaped bolt at a ship.

    A bolt that hits approaches from where it was fired and strikes together with missiles.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    target, shot = _aim_at_ship(table, ship, index, launch)
    needed, die, is_hit = roll_to_hit(shot, row.needed(shot.distance), table.dice)
    marker = next_marker(table.state) if is_hit else ""
    table.carry_out(
        ShapedBolt(
            table.turn,
            ship.id,
            weapon=launch.weapon,
            target=target.id,
            range=_point_distance((ship.x, ship.y), (target.x, target.y)),
            needed=needed,
            die=die,
            marker=marker,
            bearing=_bearing(ship, target),
        )
    )


def _aim_at_ship(
    table: Table, ship: ShipState, index: int, launch: Launch
) -> tuple[ShipState, Shot]:
    """Return the target and the shot of a checked launch, which reveals the ship."""
    target = table.state.ship(ShipId(launch.target))
    fire = Fire(launch.weapon, (target.id,))
    shot = aim(table.state, ship, index=index, fire=fire, mode="", target=target)
    assert shot is not None  # checked before
    reveal_ship(table, ship, launch.weapon)
    return target, shot


def _bearing(ship: ShipState, target: ShipState | Group) -> int:
    """Return the clock direction, from a target's bow, that a ship's fire comes from."""
    return turn_course(
        course_towards((target.x, target.y), (ship.x, ship.y), target.course), -target.course
    )


def stage_fault(state: BattleState, name: str, launch: Launch) -> str:
    """Return the reason why a marker's further stage cannot go to a point, or "".

    Rules: Continuum "Multi-stage missiles" 6.6 [pc.multi-stage]
    """
    marker = state.find(Marker, name)
    if marker is None:
        return reason("no-such-stage-on-table", "there is no {} on the table", name)
    if launch.weapon != STAGE_ORDER or launch.at is None:
        return reason(
            "further-stage-weapon-30",
            'write a further stage as {{"weapon": "{}", "at": [30, 24]}}',
            STAGE_ORDER,
        )
    if not _on_table(state, launch.at):
        return OFF_TABLE
    least, most = STAGE
    distance = _point_distance((marker.x, marker.y), launch.at)
    if fault := _range_fault(distance, least=least, most=most):
        return fault
    x, y = launch.at
    if six_arcs_of(x - marker.x, y - marker.y, marker.course) & FORE_6:
        return ""
    return OUT_OF_ARC


def _stage(table: Table, marker: Marker, launch: Launch | None) -> None:
    """Move a marker's next stage to the point ordered, or straight on as far as it goes."""
    state = table.state
    if launch is not None and (fault := stage_fault(state, marker.id, launch)):
        table.tell(ShotRefused, ship=marker.ship, weapon=marker.id, targets=(), reason=fault)
        launch = None
    if launch is not None and launch.at is not None:
        at = launch.at
    else:
        at = _straight_on(marker)
    start = marker.x, marker.y
    event = OrdnanceStaged(table.turn, marker.id, at, course_towards(start, at, marker.course))
    table.carry_out(event)
    resolve_fly_by(table, marker, start, at)


def _straight_on(marker: Marker) -> Point:
    """Return where a marker's next stage ends on its present course."""
    return path_ahead(marker.x, marker.y, course=marker.course, ahead=0.0, move=STAGE[1])[1]
