"""Fighters' attacks: legal targets, dogfights in base contact, strikes on ships, fire at groups.

Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]; 2E
"Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.combat.line_of_sight import arc_by_die, is_blocked, screens_through
from engine.core.geometry import ARC_NAMES, FORE, arcs_of, is_within, length_of, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.core.reason import reason
from engine.core.rolls import Shot
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, no_fire
from engine.events.fire import ShotRefused
from engine.pieces.group import EXHAUSTED, STRIKE, Group
from engine.pieces.group_events import FightersFired
from engine.second_edition.damage import mark_damage
from engine.weapons.weapon import points_of

IN_DOGFIGHT = reason(
    "dogfight-cannot-fire-anything", "it is in a dogfight and cannot fire at anything else"
)

NO_TARGET = reason("no-target-range-fore", "no target in range, in its fore arc and in sight")
HAS_FIRED = reason("has-fired", "it has already fired this turn")
ONE_TARGET = reason("all-craft-must-fire", "all its craft must fire at the same target")


def contacts_of(state: BattleState, group: Group) -> list[Group]:
    """Return the hostile groups a group is in base contact with, in the order of the table.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    id_ = group.id
    foe = group.dogfight
    result: list[Group] = []
    for other in state.pieces:
        if isinstance(other, Group) and (other.dogfight == id_ or other.id == foe):
            result.append(other)
    return result


def separation(a: Group | ShipState, b: Group | ShipState) -> float:
    """Return the distance between two pieces in MU."""
    return length_of(a.x - b.x, a.y - b.y)


def in_sight(state: BattleState, a: Group | ShipState, b: Group | ShipState, reach: float) -> bool:
    """Return whether two pieces are within `reach` MU with no asteroid in between.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return is_within(squared_length(a.x - b.x, a.y - b.y), reach) and clear_line(state, a, b)


def clear_line(state: BattleState, a: Group | ShipState, b: Group | ShipState) -> bool:
    """Return whether no asteroid is between two pieces.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return not (state.pieces and is_blocked(state.pieces, (a.x, a.y), (b.x, b.y)))


def are_hostile(state: BattleState, a: Group | ShipState, b: Group | ShipState) -> bool:
    """Return whether the commanders of two units are hostile to each other."""
    return bool(state.hostile[a.commander] >> b.commander & 1)


def shoot_at_group(
    table: Table,
    group: Group,
    target: Group,
    action: str,
    purpose: str,
    armament: Armament | None = None,
) -> int:
    """Fire a group's guns, or a load, at another group; return how many craft are hit.

    The hits are not removed yet. An exhausted group fires as its type allows.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]; Continuum "Endurance" 8.13 [pc.endurance]
    """
    distance = separation(group, target)
    row = group.row
    shot = Shot(
        f"{action}/{group.id}>{target.id}",
        distance,
        distance,
        modifier=target.row.modifier,
        purpose=purpose,
    )
    used = armament or row.guns
    if group.is_exhausted:
        fire = row.exhausted_fire
    else:
        fire = used.at_craft
    if fire is no_fire:
        return 0
    effect = fire(shot, table.dice, group.rounds(used) if used.rounds else group.craft)
    group.fight(used)
    if table.listens:
        weapon_name = used.name if used.rounds else action
        table.tell(
            FightersFired,
            group=group.id,
            target=target.id,
            armament=weapon_name,
            range=distance,
            screens=0,
            dice=effect.dice,
            hits=effect.craft,
        )
    return effect.craft


def parting_shots(table: Table, leaver: Group, shooters: list[Group]) -> None:
    """Fire at a group that leaves a dogfight, at once and without reply.

    This is the shooters' fire for the turn. A group that has fired, or that another enemy still
    holds, does not fire.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    for shooter in shooters:
        is_held = any(other is not leaver for other in contacts_of(table.state, shooter))
        if leaver.craft > 0 and not shooter.this_turn.has_fired and not is_held:
            hits = shoot_at_group(
                table, shooter, target=leaver, action="parting", purpose="dogfight"
            )
            leaver.take_damage(table, hits, f"fire:{shooter.id}")


def dogfight_round(table: Table, orders: Mapping[int, FireOrders]) -> None:
    """Resolve a round of every dogfight simultaneously.

    Each group fires at one group in contact, whichever way it faces: the one in its orders,
    otherwise the first on the table.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    state = table.state
    fires_by_group: dict[str, tuple[Fire, ...]] = {}
    for fire_orders in orders.values():
        fires_by_group.update(fire_orders)
    hits: list[tuple[Group, Group, int]] = []
    for group in state.pieces_of(Group):
        foes = contacts_of(state, group)
        if not foes:
            continue
        fires = fires_by_group.get(group.id, ())
        target = _ordered_foe(foes, fires)
        if target is None and fires:
            _refuse_fire(table, group, fires[0], IN_DOGFIGHT)
        if not group.this_turn.has_fired:
            target = target or foes[0]
            craft = shoot_at_group(
                table, group, target=target, action="dogfight", purpose="dogfight"
            )
            hits.append((group, target, craft))
    for group, target, craft in hits:
        target.take_damage(table, craft, f"fire:{group.id}")


def _ordered_foe(foes: list[Group], fires: tuple[Fire, ...]) -> Group | None:
    """Return the first foe that a group's fire orders name, or None."""
    for fire in fires:
        for name in fire.targets:
            for foe in foes:
                if foe.id == name:
                    return foe
    return None


@dataclass(slots=True)
class Attack:
    """A group's attack of the turn, on a ship or on another group.

    Attributes:
        prey: The group attacked, if it is not a ship.
        armaments: What the group fires.
    """

    group: Group
    ship: ShipState | None
    prey: Group | None
    armaments: tuple[Armament, ...]
    has_fired: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether the attack is still to come."""
        return not self.has_fired and self.group.craft > 0


def declare_attacks(table: Table, orders: Mapping[int, FireOrders]) -> list[Attack]:
    """Return the turn's attacks, each at the first of its targets that is legal, in order.

    Rules: 2E "Fighter attacks" [2e.fighters]
    """
    state = table.state
    flying: dict[str, Group] = {group.id: group for group in state.pieces_of(Group)}
    attacks: list[Attack] = []
    for side in range(len(state.sides)):
        for name, fires in orders.get(side, ()):
            group = flying.get(name)
            if group is None or not fires or contacts_of(state, group):
                continue
            attack = _declare_attack(table, group, fires)
            if attack is not None:
                attacks.append(attack)
    return attacks


def _declare_attack(table: Table, group: Group, fires: tuple[Fire, ...]) -> Attack | None:
    """Return a group's attack by its orders, and report the orders it cannot carry out.

    The first order aims the attack; the others add weapons to it.
    """
    attack = None
    if group.this_turn.has_fired:
        fault = HAS_FIRED
    else:
        attack, fault = _aim_attack(table, group, fires[0])
    if attack is None:
        _refuse_fire(table, group, fires[0], fault or NO_TARGET)
    for fire in fires[1:]:
        fault = ONE_TARGET if attack is None else _add_weapon(attack, fire)
        if fault:
            _refuse_fire(table, group, fire, fault)
    return attack


def _refuse_fire(table: Table, group: Group, fire: Fire, fault: str) -> None:
    """Report fire of a group that cannot be carried out."""
    table.tell(ShotRefused, ship=group.id, weapon=fire.weapon, targets=fire.targets, reason=fault)


def _add_weapon(attack: Attack, fire: Fire) -> str:
    """Add a weapon to an attack on the same target; return why that is impossible, or "".

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    armament = attack.group.row.armament(fire.weapon)
    target = attack.ship or attack.prey
    assert target is not None
    if armament is None or target.id not in fire.targets or armament in attack.armaments:
        return ONE_TARGET
    if not all(armament.combinable or current.combinable for current in attack.armaments):
        return reason(
            "not-fired-beside-others",
            "its {} cannot be fired together with {}",
            armament.name,
            attack.armaments[0].name,
        )
    fault = attack.group.fire_fault(armament, at_ship=attack.ship is not None)
    if not fault:
        attack.armaments = (*attack.armaments, armament)
    return fault


def _aim_attack(table: Table, group: Group, fire: Fire) -> tuple[Attack | None, str]:
    """Return a group's attack as ordered, or why it cannot fire; "" if it only lacks a target."""
    state = table.state
    armament = group.row.armament(fire.weapon)
    if armament is None:
        return None, reason("has-no-armament", "it has no {}", fire.weapon)
    if group.is_exhausted:
        return None, EXHAUSTED
    pieces: list[Group | ShipState] = [*state.ships, *state.pieces_of(Group)]
    first_fault = ""
    for name in fire.targets:
        for piece in pieces:
            if piece.id != name:
                continue
            fault = group.fire_fault(armament, at_ship=isinstance(piece, ShipState))
            first_fault = first_fault or fault
            if fault or not _is_legal(state, group, piece, armament.reach):
                continue
            if not _bears(table, group, piece):
                continue
            if isinstance(piece, ShipState):
                return Attack(group, piece, prey=None, armaments=(armament,)), ""
            return Attack(group, ship=None, prey=piece, armaments=(armament,)), ""
    return None, first_fault


def _is_legal(state: BattleState, group: Group, piece: Group | ShipState, reach: float) -> bool:
    """Return whether a group may fire at a piece, apart from its arc.

    The piece must be hostile, identified, in range, in sight and in no dogfight.
    """
    if isinstance(piece, ShipState):
        if piece.status != FIGHTING or piece.bogey or piece.docking == BERTHED:
            return False
    elif contacts_of(state, piece):
        return False
    return are_hostile(state, group, piece) and in_sight(state, group, piece, reach)


def may_strike(
    state: BattleState, group: Group, armament: Armament, piece: Group | ShipState
) -> bool:
    """Return whether a group may attack a piece from where both are.

    On the edge of its arc a die may still decide.

    Rules: 2E "Fighter attacks" [2e.fighters]
    """
    if group.is_exhausted or group.fire_fault(armament, at_ship=isinstance(piece, ShipState)):
        return False
    ahead = arcs_of(piece.x - group.x, piece.y - group.y, group.course) & FORE
    return bool(ahead) and _is_legal(state, group, piece, armament.reach)


def _bears(table: Table, group: Group, piece: Group | ShipState) -> bool:
    """Return whether a piece is in a group's fore arc; on the line a die decides.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    bits = arcs_of(piece.x - group.x, piece.y - group.y, group.course)
    if not bits & (bits - 1):
        return bits == FORE
    return arc_by_die(table, bits, of=group.id, at=piece.id, names=ARC_NAMES) == FORE


def attackers_of(attacks: list[Attack], ship: ShipState) -> list[Group]:
    """Return the groups that attack a ship and have not fired yet."""
    result: list[Group] = []
    for attack in attacks:
        if attack.ship is ship and attack.is_pending:
            result.append(attack.group)
    return result


def strike(table: Table, attacks: list[Attack], ship: ShipState) -> None:
    """Resolve the attacks on a ship that has taken its firing turn, against its screens.

    Rules: 2E "Fighter attacks" [2e.fighters]; 2E "Sequence of play" [2e.sequence]; Continuum "Dust
    or nebula clouds" 17.2 [pc.clouds]
    """
    for attack in attacks:
        if attack.ship is not ship or not attack.is_pending or ship.status != FIGHTING:
            continue
        attack.has_fired = True
        for armament in attack.armaments:
            _fire_at_ship(table, attack.group, armament, ship)


def _fire_at_ship(table: Table, group: Group, armament: Armament, ship: ShipState) -> None:
    """Roll the dice of one armament of a group at a ship, and mark the damage."""
    if armament.rounds:
        shots = group.rounds(armament)
        weapon_name = armament.name
    else:
        shots = group.craft
        weapon_name = STRIKE
    distance = separation(group, ship)
    screens = screens_through(
        table.state.pieces, (group.x, group.y), (ship.x, ship.y), ship.screens
    )
    shot = Shot(
        f"{group.id}>{ship.id}",
        distance,
        distance,
        screens=screens,
        mass=ship.sheet.mass,
        velocity=ship.velocity,
        purpose="fighter",
    )
    effect = armament.at_ships(shot, table.dice, shots)
    group.fight(armament, at_ship=True)
    points = points_of(effect)
    if table.listens:
        table.tell(
            FightersFired,
            group=group.id,
            target=ship.id,
            armament=weapon_name,
            range=distance,
            screens=screens,
            dice=effect.dice,
            hits=points,
        )
    mark_damage(table, ship, points=points, cause=f"fire:{group.id}", die=0)


def resolve_remaining(table: Table, attacks: list[Attack]) -> None:
    """Resolve attacks on ships that took no firing turn, then simultaneous fire between fighters.

    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    for attack in attacks:
        if attack.ship is not None and attack.is_pending:
            strike(table, attacks, attack.ship)
            if not attack.has_fired and table.listens:
                table.tell(
                    ShotRefused,
                    ship=attack.group.id,
                    weapon="fighters",
                    targets=(attack.ship.id,),
                    reason=reason("target-gone", "its target is gone"),
                )
    _resolve_fire_at_groups(table, attacks)


def _resolve_fire_at_groups(table: Table, attacks: list[Attack]) -> None:
    """Resolve fire between groups at range, all before any losses are removed.

    A group that is fired at returns fire if it has no attack of its own and its arc bears.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    shots: list[tuple[Group, Group, tuple[Armament, ...]]] = []
    for attack in attacks:
        if attack.prey is not None and attack.is_pending and attack.prey.craft > 0:
            shots.append((attack.group, attack.prey, attack.armaments))
    shots += _return_fire(table, shots)
    hits: list[tuple[Group, Group, int]] = []
    for shooter, target, armaments in shots:
        for armament in armaments:
            craft = shoot_at_group(
                table, shooter, target=target, action="range", purpose="fighter", armament=armament
            )
            hits.append((shooter, target, craft))
    for shooter, target, craft in hits:
        if target.craft > 0:
            target.take_damage(table, craft, f"fire:{shooter.id}")


def _return_fire(
    table: Table, shots: Sequence[tuple[Group, Group, tuple[Armament, ...]]]
) -> list[tuple[Group, Group, tuple[Armament, ...]]]:
    """Return the fire of groups that are fired at, each at the first of its attackers that bears.

    Args:
        shots: The shooter, the target and the armaments of each attack.
    """
    busy = [shooter.id for shooter, _, _ in shots]
    answers: list[tuple[Group, Group, tuple[Armament, ...]]] = []
    for shooter, target, _ in shots:
        if target.id in busy or target.this_turn.has_fired or target.is_exhausted:
            continue
        if _bears(table, target, shooter):
            answers.append((target, shooter, (target.row.guns,)))
            busy.append(target.id)
    return answers
