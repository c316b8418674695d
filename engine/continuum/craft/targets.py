"""Phase 7: what craft attack and with what, and which dogfights happen instead.

Rules: Continuum "Screens and pursuits" 8.6, "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from engine.combat.line_of_sight import is_blocked
from engine.continuum.craft.moves import find_unit, in_order, leaving_fault, screens_of
from engine.continuum.craft.pilots import ACE_ALONE, ACE_WITH_GUNS, ace_fault, ace_target
from engine.continuum.craft.refusals import refusal_fault, refuses_dogfight
from engine.continuum.craft.squadron_fights import DUELS_NOT, actions_fault, is_by_actions
from engine.continuum.defences import is_detectable, lock_on_radius
from engine.core.errors import Violation, fault_path
from engine.core.geometry import COURSES, NEAR, is_within, squared_length
from engine.core.ids import GroupId
from engine.core.orders import Attack, Flight
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import POINT_DEFENCE_LEVEL, REFUSE_DOGFIGHTS
from engine.core.versions import CASUALTY_ORDER
from engine.craft.craft_type import Armament, no_fire
from engine.events.fire import ShotRefused
from engine.pieces.craft_events import (
    AssistanceOrdered,
    AttackDeclared,
    GroupIntercepted,
    LossesOrdered,
)
from engine.pieces.group import EXHAUSTED, Group
from engine.pieces.marker import Marker
from engine.pieces.squadron_events import ActionsOrdered

# Cosine of 15 degrees, the angle from the bow in which fixed forward weapons bear
BOW = 0.9659258262890683
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
NO_LOSS_ORDER = reason(
    "no-loss-order", "an order of losses needs point defence by level and rules 1.1 or later"
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
        for number, fault in _entry_faults(state, group, entries):
            violations.append(
                Violation(
                    f"{where}.{name}{fault_path(number)}",
                    "attack",
                    reason("named", "{}: {}", name, fault),
                )
            )
    return violations


def _entry_faults(
    state: BattleState, group: Group, entries: Sequence[Attack]
) -> list[tuple[int, str]]:
    """Return the faults of a group's attack entries, each with the number of its entry.

    An attack by the group's ace alone is judged last, because it adds to another attack.
    """
    faults: list[tuple[int, str]] = []
    first: Attack | None = None
    planned = False
    for number, attack in sorted(enumerate(entries), key=lambda entry: _is_by_ace(entry[1])):
        fault = _attack_fault(state, group, first, attack) if attack.targets else ""
        fault = fault or _plan_fault(state, group, attack, planned=planned)
        if not fault and attack.to:
            fault = _refusal_fault(state, group, entries)
        if fault:
            faults.append((number, fault))
        if first is None and attack.targets:
            first = attack
        planned = planned or has_fight_plan(attack)
    return faults


def _is_by_ace(attack: Attack) -> bool:
    """Return whether only the ace of a group makes an attack."""
    return attack.weapon == ACE_ALONE


def _attack_fault(state: BattleState, group: Group, first: Attack | None, attack: Attack) -> str:
    """Return the reason why a group cannot make an attack, whatever the target, or "".

    Args:
        first: The attack the group already makes, if any.
    """
    if attack.weapon == ACE_ALONE:
        is_duel = not attack.system
        if is_duel and is_by_actions(state, group):
            return DUELS_NOT
        return ace_fault(group, first, attack)
    if fault := _weapon_fault(group, attack):
        return fault
    if attack.assist and (fault := _assist_fault(state, group, attack)):
        return fault
    if attack.falls and not orders_losses(state):
        return NO_LOSS_ORDER
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
    return _actions_fault(state, group, attack)


def leaving_violations(
    state: BattleState, orders: Attacks, moves: Mapping[str, Flight], where: str
) -> list[Violation]:
    """Return the destinations that groups cannot reach out of a dogfight.

    A destination is legal from the group's place or from the end of its secondary move. Orders of
    1.0 were checked without that move, so those stay legal; the flight is checked again in time.

    Args:
        moves: The secondary moves ordered in the same phase, after which groups leave.
        where: The path of the attacks in the orders.

    Rules: Dogfight actions [dog.actions]
    """
    violations: list[Violation] = []
    for name, entries in orders.items():
        group = state.piece(Group, name)
        moved_group = _group_after(group, moves.get(name))
        for number, attack in enumerate(entries):
            if not attack.to:
                continue
            to = (attack.to[0], attack.to[1])
            fault = leaving_fault(state, group, to)
            if fault and leaving_fault(state, moved_group, to):
                spot = f"{where}.{name}{fault_path(number)}"
                violations.append(Violation(spot, "attack", reason("named", "{}: {}", name, fault)))
    return violations


def _group_after(group: Group, move: Flight | None) -> Group:
    """Return a group as it will be after a secondary move, if it makes one."""
    if move is None or move.to is None:
        return group
    moved = group.copy()
    moved.fly(move.to, group.course)
    return moved


def _actions_fault(state: BattleState, group: Group, attack: Attack) -> str:
    """Return the reason why a group cannot take the dogfight actions of an order, or "".

    A group that refuses a dogfight needs no actions.
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


def orders_losses(state: BattleState) -> bool:
    """Return whether attackers decide in which order groups of a type take losses.

    Rules: Fighters by point defence level 1.5 [pdl.casualty-choice]
    """
    terms = state.terms
    return POINT_DEFENCE_LEVEL in terms.options and terms.follows(CASUALTY_ORDER)


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


def _weapon_fault(group: Group, attack: Attack) -> str:
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
    if first_armament is None or second_armament is None:
        return ONE_TARGET
    if first_armament is second_armament or first.targets != attack.targets:
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
    ahead_mu = ux * dx + uy * dy
    least_ahead_mu = BOW * sqrt(dx * dx + dy * dy) if narrow else 0.0
    return ahead_mu >= least_ahead_mu - NEAR


def target_of(state: BattleState, group: Group, attack: Attack, name: str) -> Target | None:
    """Return the named target of a group's attack, or None if the group cannot attack it.

    It may be a hostile ship the group can lock on to, a hostile group, or hostile ordnance.

    Rules: Continuum "Target selection" 8.7, "Interception of missiles" 8.12 [pc.fighter-targets]
    """
    armament = group.row.armament(attack.weapon)
    assert armament is not None
    marker = state.find(Marker, name)
    if marker is not None:
        return marker if _may_attack_ordnance(state, group, armament, marker) else None
    unit = find_unit(state, name)
    if unit is None or not state.hostile[group.commander] >> unit.commander & 1:
        return None
    if isinstance(unit, Group):
        is_legal = _may_attack_craft(group, armament, unit)
    else:
        needs_system = armament.snipes and not attack.system
        is_legal = not needs_system and may_attack(state, group, armament, unit)
    return unit if is_legal else None


def _may_attack_ordnance(
    state: BattleState, group: Group, armament: Armament, marker: Marker
) -> bool:
    """Return whether a group can attack ordnance from its present place: hostile and in range."""
    if armament.at_ordnance is None or not state.hostile[group.commander] >> marker.side & 1:
        return False
    return _is_in_range(group, armament, marker, armament.reach_at_craft())


def _may_attack_craft(group: Group, armament: Armament, target: Group) -> bool:
    """Return whether a group can attack hostile craft, whose ECM shortens its range."""
    if group.fire_fault(armament, at_ship=False):
        return False
    range_mu = max(armament.reach_at_craft() - target.row.ecm, 0.0)
    return _is_in_range(group, armament, target, range_mu)


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
        range_mu = armament.reach
    else:
        range_mu = lock_on_radius(state, ship, armament.reach)
    if not _is_in_range(group, armament, ship, range_mu):
        return False
    return not (
        armament.with_ships and is_blocked(state.pieces, (group.x, group.y), (ship.x, ship.y))
    )


def _is_in_range(group: Group, armament: Armament, target: Target, range_mu: float) -> bool:
    """Return whether a target is within a range of a group and where its weapon bears."""
    if not is_within(squared_length(target.x - group.x, target.y - group.y), range_mu):
        return False
    return in_front(group, target.x, target.y, narrow=armament.narrow)


def declare(table: Table, orders: Attacks) -> list[Group]:
    """Declare the attacks in phase 7, then the dogfights with screens and with attackers.

    Returns:
        The groups that only fire back.

    Rules: Continuum "Screens and pursuits" 8.6, "Target selection" 8.7, "Fighter combat" 8.9
    [pc.fighter-targets]
    """
    state = table.state
    for group in in_order(state):
        _declare_attack(table, group, orders.get(group.id, ()))
    _meet_screens(table)
    return _turn_on_attackers(table)


def _declare_attack(table: Table, group: Group, attacks: Sequence[Attack]) -> None:
    """Declare a group's attack: its first legal entry and those that add to it."""
    state = table.state
    targets: list[Target] = []
    accepted: list[Attack] = []
    ace_system = ""
    _record_fight_plan(table, group, attacks)
    for attack in sorted(attacks, key=_is_by_ace):
        if not attack.targets:
            continue
        fault = _attack_fault(state, group, accepted[0] if accepted else None, attack)
        if not fault and _is_by_ace(attack):
            if ace_system:
                fault = ACE_WITH_GUNS
            else:
                ace_system, fault = ace_target(targets[0], attack)
            if not fault:
                continue
        if not fault and not targets:
            targets, fault = _find_targets(state, group, attack)
        if fault:
            _refuse_attack(table, group, attack, fault)
        else:
            accepted.append(attack)
    if targets:
        _announce_attack(table, group, targets=targets, attacks=accepted, ace_system=ace_system)


def _announce_attack(
    table: Table,
    group: Group,
    targets: Sequence[Target],
    attacks: Sequence[Attack],
    ace_system: str,
) -> None:
    """Carry out the declaration of a group's attack, and of the group that it assists.

    Args:
        ace_system: What the group's ace attacks, or "".
    """
    first = attacks[0]
    event = AttackDeclared(
        table.turn,
        group.id,
        targets=tuple(target.id for target in targets if not isinstance(target, Marker)),
        engaged_markers=tuple(target.id for target in targets if isinstance(target, Marker)),
        using=tuple(attack.weapon for attack in attacks),
        presses=any(attack.press for attack in attacks),
        splits=first.split,
        count=max(attack.count for attack in attacks),
        system=ace_system or _system_named(attacks),
        marines=max(attack.marines for attack in attacks),
        parties=max(attack.parties for attack in attacks),
    )
    table.carry_out(event)
    if first.assist:
        table.carry_out(AssistanceOrdered(table.turn, group.id, GroupId(first.assist)))
    if falls := max(attack.falls for attack in attacks):
        table.carry_out(LossesOrdered(table.turn, group.id, falls))


def _system_named(attacks: Sequence[Attack]) -> str:
    """Return the first system that attacks are aimed at, or ""."""
    return next((attack.system for attack in attacks if attack.system), "")


def _refuse_attack(table: Table, group: Group, attack: Attack, fault: str) -> None:
    """Report an attack entry that cannot be carried out."""
    table.tell(
        ShotRefused, ship=group.id, weapon=attack.weapon, targets=attack.targets, reason=fault
    )


def _record_fight_plan(table: Table, group: Group, attacks: Sequence[Attack]) -> None:
    """Record the first order that says what a group does in a dogfight and where it flies after it.

    The destination is checked again when the group flies, as a secondary move may come in between.

    Rules: Dogfight actions [dog.actions]
    """
    planned = next((attack for attack in attacks if has_fight_plan(attack)), None)
    if planned is None:
        return
    fault = _actions_fault(table.state, group, planned)
    fault = fault or _refusal_fault(table.state, group, attacks)
    if fault:
        _refuse_attack(table, group, planned, fault)
    else:
        table.carry_out(ActionsOrdered(table.turn, group.id, planned.actions, planned.to))


def _find_targets(state: BattleState, group: Group, attack: Attack) -> tuple[list[Target], str]:
    """Return the targets of an attack, and the fault if there are none, else "".

    The targets are the first one in range, or all in range if hits are split.
    """
    legal_targets: list[Target] = []
    for name in attack.targets:
        target = target_of(state, group, attack, name)
        if target is not None:
            legal_targets.append(target)
    if not legal_targets:
        armament = group.row.armament(attack.weapon)
        needs_system = armament is not None and armament.snipes and not attack.system
        return [], NO_SYSTEM if needs_system else NO_TARGET
    if not attack.split:
        return legal_targets[:1], ""
    if _are_splittable(legal_targets):
        return legal_targets, ""
    return [], NOT_SPLIT


def _are_splittable(targets: Sequence[Target]) -> bool:
    """Return whether hits may be split among targets: all of them are groups, or all ordnance."""
    if all(isinstance(target, Group) for target in targets):
        return True
    return all(isinstance(target, Marker) for target in targets)


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
    # The attackers are listed before any group turns, because turning changes targets.
    attacked: list[tuple[Group, Group]] = []
    for group in in_order(state):
        if attackers := attackers_of(state, group):
            attacked.append((group, attackers[0]))
    answering: list[Group] = []
    for group, attacker in attacked:
        has_no_target = not group.this_turn.targets and not group.this_turn.engaged_markers
        if has_no_target:
            turns = not refuses_dogfight(state, group)
        else:
            turns = _breaks_off_run(state, group)
        if turns:
            intercept(table, group, attacker)
            answering.append(group)
    return answering


def _breaks_off_run(state: BattleState, group: Group) -> bool:
    """Return whether a group gives up its attack on a ship when it is attacked itself."""
    if not group.this_turn.targets or group.this_turn.presses:
        return False
    return not at_groups(state, group)


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
    turn = group.this_turn
    if turn.targets or turn.engaged_markers or turn.using:
        return True
    return is_attacked(state, group)
