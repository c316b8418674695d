"""Phase 7: what craft attack and with what, and which dogfights happen instead.

Rules: Continuum "Screens and pursuits" 8.6, "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, radians

from engine.combat.line_of_sight import is_blocked
from engine.continuum.craft.moves import find_unit, in_order, leaving_fault, screens_of
from engine.continuum.craft.pilots import ACE_ALONE, ACE_WITH_GUNS, ace_fault, ace_target
from engine.continuum.craft.refusals import refusal_fault, refuses_dogfight
from engine.continuum.craft.squadron_fights import DUELS_NOT, actions_fault, is_by_actions
from engine.continuum.defences import is_detectable, lock_on_radius
from engine.core.errors import Violation, fault_path
from engine.core.geometry import COURSES, NEAR, is_within
from engine.core.ids import GroupId
from engine.core.orders import Attack
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import POINT_DEFENCE_LEVEL, REFUSE_DOGFIGHTS
from engine.craft.craft_type import Armament, no_fire
from engine.events.fire import ShotRefused
from engine.pieces.craft_events import AssistanceOrdered, AttackDeclared, GroupIntercepted
from engine.pieces.group import EXHAUSTED, Group
from engine.pieces.marker import Marker
from engine.pieces.squadron_events import ActionsOrdered

BOW = cos(radians(15.0))  # cosine of the angle from the bow in which fixed forward weapons bear
NO_TARGET = reason(
    "no-such-target-reach", "no such target is in its range, ahead of it and in sight"
)
ONE_TARGET = reason("all-craft-must-attack", "all its craft must attack the same target")
NOT_SPLIT = reason("not-split", "only hits on groups or on ordnance can be split")
NO_ROUNDS = reason("no-rounds", "this weapon has no rounds: leave out the count")
NO_PASSENGERS = reason("no-passengers", "only assault shuttles can carry marines and parties")
NO_ASSISTANCE = reason(
    "no-assistance",
    "craft can help each other against ships only when point defence is resolved by level",
)
CANNOT_ASSIST = reason(
    "cannot-assist", "interceptors, shuttles and gunboats cannot help another group against a ship"
)
NOBODY_TO_ASSIST = reason(
    "nobody-to-assist", "it can help only another group of its side in flight"
)
ATTACKS_ITSELF = reason("attacks-itself", "a group that attacks cannot refuse a dogfight")
PLANNED_TWICE = reason("planned-twice", "its dogfight orders are given twice")
NO_SYSTEM = reason(
    "needle-beams-aimed-system", "a needle beam must be aimed at a system of its target"
)

Attacks = Mapping[str, tuple[Attack, ...]]
Target = ShipState | Group | Marker


def attack_violations(state: BattleState, orders: Attacks, where: str) -> list[Violation]:
    """Return the violations in a side's attack orders that do not depend on other craft.

    Range is checked only after all craft have moved.

    Args:
        where: The path of the entry in the orders.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """
    violations: list[Violation] = []
    for name, entries in orders.items():
        group = state.piece(Group, name)
        first: Attack | None = None
        planned = False
        for number, attack in sorted(
            enumerate(entries), key=lambda numbered: numbered[1].weapon == ACE_ALONE
        ):
            if attack.targets:
                fault = _fault(state, group, first, attack)
            else:
                fault = ""
            fault = fault or _plan_fault(state, group, attack, planned=planned)
            fault = fault or (_refusal_fault(state, group, entries) if attack.to else "")
            first = first or (attack if attack.targets else None)
            planned = planned or has_fight_plan(attack)
            if fault:
                violations.append(
                    Violation(
                        f"{where}.{name}{fault_path(number)}",
                        "attack",
                        reason("named", "{}: {}", name, fault),
                    )
                )
    return violations


def _fault(state: BattleState, group: Group, first: Attack | None, attack: Attack) -> str:
    """Return the reason why a group cannot make an attack, whatever the target, or "".

    Args:
        first: The attack the group already makes, if any.
    """
    if attack.weapon == ACE_ALONE:
        duels = is_by_actions(state, group) and not attack.system
        if duels:
            return DUELS_NOT
        return ace_fault(group, first, attack)
    if fault := _armed_fault(group, attack) or (
        _assist_fault(state, group, attack) if attack.assist else ""
    ):
        return fault
    if first is not None:
        return _combination_fault(group, first, attack)
    return ""


def has_fight_plan(attack: Attack) -> bool:
    """Return whether an order says what a group does in a dogfight.

    Rules: Dogfight actions [dog.actions]
    """
    return bool(attack.actions or attack.to)


def _plan_fault(state: BattleState, group: Group, attack: Attack, *, planned: bool) -> str:
    """Return the reason why a group cannot be ordered to act so in a dogfight, or "".

    Args:
        planned: Whether it already has such orders.

    Rules: Dogfight actions [dog.actions]
    """
    if not has_fight_plan(attack):
        if attack.targets:
            return ""
        return NO_TARGET
    if planned:
        return PLANNED_TWICE
    to = (attack.to[0], attack.to[1]) if attack.to else None
    return _orders_fault(state, group, attack) or (
        leaving_fault(state, group, to) if to is not None else ""
    )


def _orders_fault(state: BattleState, group: Group, attack: Attack) -> str:
    """Return the reason why a group cannot take these actions, or "".

    Refusing a dogfight needs none.
    """
    if REFUSE_DOGFIGHTS in state.terms.options and not attack.actions:
        return ""
    return actions_fault(state, group, attack.actions)


def _refusal_fault(state: BattleState, group: Group, attacks: Sequence[Attack]) -> str:
    """Return the reason why a group with these attacks cannot refuse dogfights, or "".

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    if REFUSE_DOGFIGHTS not in state.terms.options:
        return ""
    if any(attack.targets for attack in attacks):
        return ATTACKS_ITSELF
    return refusal_fault(group)


def _assist_fault(state: BattleState, group: Group, attack: Attack) -> str:
    """Return the reason why a group cannot assist the group an attack names, or "".

    Rules: Fighters by point defence level 1.4 [pdl.fighters]
    """
    other = state.find(Group, attack.assist)
    if POINT_DEFENCE_LEVEL not in state.terms.options:
        return NO_ASSISTANCE
    if not helps_others(group):
        return CANNOT_ASSIST
    if other is not None and other is not group and other.side == group.side:
        return ""
    return NOBODY_TO_ASSIST


def helps_others(group: Group) -> bool:
    """Return whether a group can assist others in attacking a ship.

    Interceptors cannot, nor can craft that fire with the ships.

    Rules: Fighters by point defence level 1.4 [pdl.fighters]
    """
    guns = group.row.guns
    return guns.at_ships is not no_fire and not guns.with_ships and (guns.at_ordnance or 0) <= 0


def _armed_fault(group: Group, attack: Attack) -> str:
    """Return the reason why a group lacks the weapons for an attack, whatever the target, or ""."""
    armament = group.row.armament(attack.weapon)
    if armament is None:
        return reason("has-no-armament", "it has no {}", attack.weapon)
    if group.is_exhausted:
        return EXHAUSTED
    if (attack.marines or attack.parties) and not armament.lands:
        return NO_PASSENGERS
    if armament.lands and not 0 < attack.marines + attack.parties <= group.craft:
        return reason(
            "shuttles-carry",
            "its shuttles carry one each: send 1 to {} marines and parties",
            group.craft,
        )
    if attack.count and not armament.rounds:
        return NO_ROUNDS
    return ""


def _combination_fault(group: Group, first: Attack, attack: Attack) -> str:
    """Return the reason why a group cannot use one armament together with another, or "".

    Rules: Continuum "MKP fighter" 8.15 [pc.fighter-types]
    """
    first_armament = group.row.armament(first.weapon)
    second_armament = group.row.armament(attack.weapon)
    if (
        first_armament is None
        or second_armament is None
        or first_armament is second_armament
        or first.targets != attack.targets
    ):
        return ONE_TARGET
    if first_armament.combinable or second_armament.combinable:
        return ""
    return reason(
        "not-fired-beside-own",
        "it cannot fire its {} together with its {}",
        second_armament.name,
        first_armament.name,
    )


def in_front(group: Group, x: float, y: float, *, narrow: bool = False) -> bool:
    """Return whether a point is in front of a group or beside it.

    Args:
        narrow: Only within 15 degrees of its bow.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Continuum "Gatling gunboat" 9.2
    [pc.gunboats]
    """
    ux, uy = COURSES[group.course]
    dx, dy = x - group.x, y - group.y
    return ux * dx + uy * dy >= (BOW * (dx * dx + dy * dy) ** 0.5 if narrow else 0.0) - NEAR


def target_of(state: BattleState, group: Group, attack: Attack, name: str) -> Target | None:
    """Return the named target of a group's attack, or None if the group cannot attack it.

    It may be a hostile ship the group can lock on to, a hostile group, or hostile ordnance.

    Rules: Continuum "Target selection" 8.7, "Interception of missiles" 8.12 [pc.fighter-targets]
    """
    armament = group.row.armament(attack.weapon)
    assert armament is not None
    marker = state.find(Marker, name)
    if marker is not None:
        able = (
            armament.at_ordnance is not None and state.hostile[group.commander] >> marker.side & 1
        )
        near = _reaches(group, armament, x=marker.x, y=marker.y, far=armament.reach_at_craft())
        if able and near:
            return marker
        return None
    unit = find_unit(state, name)
    if unit is None or not state.hostile[group.commander] >> unit.commander & 1:
        return None
    if isinstance(unit, Group):
        fit = not group.fire_fault(armament, at_ship=False)
        far = max(armament.reach_at_craft() - unit.row.ecm, 0.0)
        if fit and _reaches(group, armament, x=unit.x, y=unit.y, far=far):
            return unit
        return None
    if armament.snipes and not attack.system:
        return None
    if may_attack(state, group, armament, unit):
        return unit
    return None


def may_attack(state: BattleState, group: Group, armament: Armament, ship: ShipState) -> bool:
    """Return whether a group can attack a hostile ship with an armament from its present place.

    Stealth, ECM and holofields shorten its range; cloaked ships cannot be attacked.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]; Continuum "ECM" 7.18 [pc.ecm]
    """
    if not is_detectable(ship):
        return False
    if group.fire_fault(armament, at_ship=True):
        return False
    if armament.lands:
        far = armament.reach
    else:
        far = lock_on_radius(state, ship, armament.reach)
    if not _reaches(group, armament, x=ship.x, y=ship.y, far=far):
        return False
    return not (
        armament.with_ships and is_blocked(state.pieces, (group.x, group.y), (ship.x, ship.y))
    )


def _reaches(group: Group, armament: Armament, x: float, y: float, far: float) -> bool:
    near = is_within((x - group.x) ** 2 + (y - group.y) ** 2, far)
    return near and in_front(group, x, y, narrow=armament.narrow)


def declare(table: Table, orders: Attacks) -> list[Group]:
    """Declare the attacks in phase 7, then the dogfights with screens and with attackers.

    Returns:
        The groups that only fire back.

    Rules: Continuum "Screens and pursuits" 8.6, "Target selection" 8.7, "Fighter combat" 8.9
    [pc.fighter-targets]
    """
    state = table.state
    for group in in_order(state):
        _declare(table, group, orders.get(group.id, ()))
    _meet_screens(table)
    return _turn_on_attackers(table)


def _declare(table: Table, group: Group, attacks: Sequence[Attack]) -> None:
    state = table.state
    targets: list[Target] = []
    using: list[Attack] = []
    ace = ""
    _plan(table, group, attacks)
    for attack in sorted(attacks, key=lambda item: item.weapon == ACE_ALONE):
        if not attack.targets:
            continue
        fault = _fault(state, group, using[0] if using else None, attack)
        if not fault and attack.weapon == ACE_ALONE:
            ace, fault = ace_target(targets[0], attack) if not ace else (ace, ACE_WITH_GUNS)
            if not fault:
                continue
        if not fault and not targets:
            targets, fault = _targets(state, group, attack)
        if fault:
            table.tell(
                ShotRefused,
                ship=group.id,
                weapon=attack.weapon,
                targets=attack.targets,
                reason=fault,
            )
        else:
            using.append(attack)
    if not targets:
        return
    first = using[0]
    event = AttackDeclared(
        table.turn,
        group.id,
        targets=tuple(item.id for item in targets if not isinstance(item, Marker)),
        engaged_markers=tuple(item.id for item in targets if isinstance(item, Marker)),
        using=tuple(item.weapon for item in using),
        presses=any(item.press for item in using),
        splits=first.split,
        count=max(item.count for item in using),
        system=ace or next((item.system for item in using if item.system), ""),
        marines=max(item.marines for item in using),
        parties=max(item.parties for item in using),
    )
    table.carry_out(event)
    if first.assist:
        table.carry_out(AssistanceOrdered(table.turn, group.id, GroupId(first.assist)))


def _plan(table: Table, group: Group, attacks: Sequence[Attack]) -> None:
    """Record the first order that says what a group does in a dogfight and where it flies after it.

    The destination is checked again when the group flies, as a secondary move may come in between.

    Rules: Dogfight actions [dog.actions]
    """
    planned = next((attack for attack in attacks if has_fight_plan(attack)), None)
    if planned is None:
        return
    fault = _orders_fault(table.state, group, planned)
    fault = fault or _refusal_fault(table.state, group, attacks)
    if fault:
        table.tell(
            ShotRefused, ship=group.id, weapon=planned.weapon, targets=planned.targets, reason=fault
        )
    else:
        table.carry_out(ActionsOrdered(table.turn, group.id, planned.actions, planned.to))


def _targets(state: BattleState, group: Group, attack: Attack) -> tuple[list[Target], str]:
    """Return the targets of an attack and a fault or "".

    The targets are the first one in reach, or all in reach if hits are split.
    """
    able = [
        target
        for name in attack.targets
        if (target := target_of(state, group, attack, name)) is not None
    ]
    if not able:
        armament = group.row.armament(attack.weapon)
        needs_system = armament is not None and armament.snipes and not attack.system
        return [], NO_SYSTEM if needs_system else NO_TARGET
    if not attack.split:
        return able[:1], ""
    same_kind = all(isinstance(target, Group) for target in able) or all(
        isinstance(target, Marker) for target in able
    )
    if same_kind:
        return (able, "")
    return ([], NOT_SPLIT)


def attackers_of(state: BattleState, unit: ShipState | Group) -> list[Group]:
    """Return the groups that attack a ship or group this turn."""
    return in_order(
        state, [group for group in state.pieces_of(Group) if unit.id in group.this_turn.targets]
    )


def is_attacked(state: BattleState, unit: ShipState | Group) -> bool:
    """Return whether any group attacks a ship or group this turn."""
    for group in state.pieces_of(Group):  # noqa: SIM110 -- asked of every group for every shot
        if unit.id in group.this_turn.targets:
            return True
    return False


def _meet_screens(table: Table) -> None:
    """Pair the attackers of each screened unit with its screening groups.

    Screens that are themselves attacked are not available.

    Rules: Continuum "Screens and pursuits" 8.6 [pc.fighter-screens]
    """
    state = table.state
    units: list[ShipState | Group] = [*state.ships, *in_order(state)]
    for unit in units:
        screens = screens_of(state, unit)
        if not screens:
            continue
        free = [screening for screening in screens if not is_attacked(state, screening)]
        for group, screen in zip(attackers_of(state, unit), free, strict=False):
            intercept(table, group, screen)


def _turn_on_attackers(table: Table) -> list[Group]:
    """Let attacked groups fight the first of their attackers.

    This applies to groups without a target, and to groups that break off their attack run.

    Returns:
        The groups that only fire back.

    Rules: Continuum "Fighter combat" 8.9 [pc.fighter-attack]
    """
    state = table.state
    attacked = [
        (group, attackers[0])
        for group in in_order(state)
        if (attackers := attackers_of(state, group))
    ]
    answering: list[Group] = []
    for group, attacker in attacked:
        idle = not group.this_turn.targets and not group.this_turn.engaged_markers
        runs = (
            bool(group.this_turn.targets)
            and not at_groups(state, group)
            and not group.this_turn.presses
        )
        if refuses_dogfight(state, group) and idle:
            continue
        if idle or runs:
            intercept(table, group, attacker)
            answering.append(group)
    return answering


def intercept(table: Table, group: Group, other: Group) -> None:
    """Make a group fight another instead of what it was ordered to attack.

    Rules: Continuum 8.6 [pc.fighter-screens]
    """
    group.fight_group(table.state, other.id)
    table.tell(GroupIntercepted, group.id, other.id)


def at_groups(state: BattleState, group: Group) -> list[Group]:
    """Return the groups that a group fights this turn."""
    targets = group.this_turn.targets
    if targets:
        return in_order(state, [other for other in state.pieces_of(Group) if other.id in targets])
    return []


def in_dogfight(state: BattleState, group: Group) -> bool:
    """Return whether a group is in a dogfight this turn; other units cannot fire into it."""
    return is_attacked(state, group) or bool(at_groups(state, group))


def is_engaged(state: BattleState, group: Group) -> bool:
    """Return whether a group attacks anything, even a target already gone, or craft attack it.

    Rules: Continuum 8.7 [pc.fighter-targets]
    """
    return bool(
        group.this_turn.targets or group.this_turn.engaged_markers or group.this_turn.using
    ) or is_attacked(state, group)
