"""Orders for a week: which ships of each stack dock, stay or move, and what tugs tow.

Ships that dock at a base stay behind, and so does the garrison of a captured system. A tug brings
ships without a working FTL drive to a base that can repair them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from campaign.rules.bases import MAX_REPAIRS, base_for, can_repair, remaining_shortages
from campaign.rules.orders import Decision, Dock, Orders, Tow
from campaign.rules.scenario import Choice, Facility, StarSystem
from campaign.rules.towing import can_tow
from campaign.rules.view import Fleet, Ship
from engine.continuum.cores import CORE
from engine.core.dice import Dice
from engine.core.transport import without_room
from engine.ship_profiles import FIRECONS
from umpire.admirals.character import Character, choose_weighted, roll_chance
from umpire.admirals.contact_choice import choose_decision
from umpire.admirals.order_writing import Party, StackPlans, week_path, write_orders
from umpire.admirals.prospects import Prospect, find_threat, rank_goals
from umpire.admirals.situation import Situation, Stack

KEY_SYSTEM_WANT = 0.8  # from this value on, garrisons are larger
KEY_GARRISON_FACTOR = 4.0  # times as large
MIN_GARRISONED_WANT = 0.1  # systems worth less get no garrison
UNDIVIDED_FACTOR = 1.5  # a force up to this multiple of the garrison stays whole
WEEKS_TO_BASE = 2  # the longest way of a ship to a base
DRAWN_SCORE = 0.5  # score of a war that nobody wins
EXPECTED_ENEMY_SHARE = 0.6  # of a possible attacker's strength; it will not send everything

# Types of lost systems that are repaired before weapons: those that may destroy the ship, those
# that aim all its weapons, and those that move it.
REPAIR_PRIORITY: tuple[tuple[str, ...], ...] = (CORE, FIRECONS, ("drive",), ("ftl",))

GOAL_TOLERANCE = 0.8  # share of the best score; dice choose among the goals above it
OPENING_TOLERANCE = 0.6  # the same in the first week, to be unpredictable
MIN_DETACHMENT_SHARE = 0.12  # of a force's strength; smaller parts are not sent away
LATE_WEEKS = 2  # with fewer weeks left, every force may be divided
SURPLUS_FACTOR = 1.1  # times what a goal needs, when a force is divided


def needs_dock(situation: Situation, ship: Ship, base: Facility) -> bool:
    """Return whether a base could repair or resupply a ship."""
    if remaining_shortages(base, ship) != ship.stock:
        return True
    needs_repair = bool(ship.damage or ship.lost or ship.laid_up)
    return needs_repair and can_repair(base, situation.estimator.classes[ship.cls])


def dock_order(situation: Situation, ship: Ship, base: Facility) -> Dock:
    """Order a ship to dock, repair its most urgent lost systems and replenish its stores.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs]
    """
    estimator = situation.estimator
    lost_systems = ship.lost if can_repair(base, estimator.classes[ship.cls]) else ()
    types = estimator.system_types(ship.cls) if lost_systems else {}

    def urgency(system: str) -> tuple[int, float, str]:
        """Return a sort key: priority groups first, then by gain in strength, highest first."""
        for priority, system_types in enumerate(REPAIR_PRIORITY):
            if types[system] in system_types:
                return (priority, 0.0, system)
        return (len(REPAIR_PRIORITY), -estimator.repair_gain(ship, system), system)

    repaired = sorted(lost_systems, key=urgency)[:MAX_REPAIRS]
    return Dock(ship.key, tuple(sorted(repaired)), base.replenishes and bool(ship.stock))


def base_here(situation: Situation, stack: Stack) -> Facility | None:
    """Return the base where a stack can dock now, or None (also if an enemy is present)."""
    if stack.waiting or situation.enemies.get(stack.hex, 0.0) > 0 or not stack.fleets:
        return None
    fleet: Fleet = stack.fleets[0]
    return base_for(situation.scenario, situation.view, fleet)


def is_worn_out(situation: Situation, character: Character, ship: Ship) -> bool:
    """Return whether a ship should leave the line.

    That is a ship that is badly damaged, hit in its core, unable to fight, or laid up.

    Rules: 2E "Repairs" [camp.repairs]
    """
    cls = situation.estimator.classes[ship.cls]
    if ship.laid_up or any(system in CORE for system in ship.lost):
        return True
    if not cls.weapons:
        return False
    is_badly_damaged = ship.damage * 100 >= character.retire * cls.damage_points
    return is_badly_damaged or not situation.estimator.is_armed(ship)


def base_for_ship(situation: Situation, ship: Ship, start: str) -> str | None:
    """Return the hex of the side's nearest base that can repair a ship in time, or None."""
    cls = situation.estimator.classes[ship.cls]
    max_weeks = min(WEEKS_TO_BASE, situation.weeks_left - 1)
    bases_in_reach: list[tuple[int, str]] = []  # weeks to each base, and its hex
    for system in situation.scenario.systems:
        base = situation.facility_of(system)
        is_ours = situation.system_views[system.id].holder in situation.aims.side
        is_safe = situation.enemies.get(system.hex, 0.0) <= 0
        if base is None or not is_ours or not is_safe or not can_repair(base, cls):
            continue
        weeks = situation.weeks_to(start, system.hex)
        if weeks is not None and weeks <= max_weeks:
            bases_in_reach.append((weeks, system.hex))
    if not bases_in_reach:
        return None
    _, hex_ = min(bases_in_reach)
    return hex_


def choose_guards(
    situation: Situation, system: StarSystem, ships: Sequence[Ship], committed: float
) -> list[Ship]:
    """Return the ships that stay to guard a system whose loss would lose the war at once.

    The strongest ships are chosen first. Other systems get no guards.

    Args:
        committed: The own strength that stays in any case.
    """
    if not situation.seems_ours(system):
        return []
    score = situation.aims.score_without(system.id, situation.superior, at_once=True)
    if score >= DRAWN_SCORE:
        return []
    _, threat = find_threat(situation, system)
    needed = threat * EXPECTED_ENEMY_SHARE - committed
    guards: list[Ship] = []
    for ship in _strongest_first(situation, ships):
        if needed <= 0:
            break
        guards.append(ship)
        needed -= situation.estimator.ship_strength(ship)
    return guards


def _strongest_first(situation: Situation, ships: Iterable[Ship]) -> list[Ship]:
    """Return ships sorted by strength; equally strong ones by key."""
    strength = situation.estimator.ship_strength
    return sorted(ships, key=lambda ship: (-strength(ship), ship.key))


def choose_garrison(
    situation: Situation, character: Character, system: StarSystem, ships: Sequence[Ship]
) -> list[Ship]:
    """Return the ships that stay at a captured system, smallest first.

    Systems that belong to the side from the start get no garrison.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    aims = situation.aims
    estimator = situation.estimator
    want = aims.want[system.id]
    is_ours = situation.system_views[system.id].superior in aims.side
    if not is_ours or system.owner in aims.side or want < MIN_GARRISONED_WANT:
        return []
    needed = situation.mobile * character.garrison / 100
    if want >= KEY_SYSTEM_WANT:
        needed *= KEY_GARRISON_FACTOR
    if estimator.total_strength(ships) <= needed * UNDIVIDED_FACTOR:
        return list(ships)
    staying: list[Ship] = []
    strength = 0.0
    for ship in sorted(ships, key=lambda ship: (estimator.ship_strength(ship), ship.key)):
        if strength >= needed and staying:
            break
        if estimator.is_armed(ship):
            staying.append(ship)
            strength += estimator.ship_strength(ship)
    return staying


def plan_tows(
    situation: Situation, stack: Stack, ships: Sequence[Ship], docked: Container[str]
) -> tuple[list[Tow], list[Party]]:
    """Return a stack's tows and the parties they form.

    Each tug takes as many ships as it can carry to one base, the most expensive first. Ships built
    without FTL are not towed, because they are stationed where they are.

    Args:
        ships: The ships that are free to go.
        docked: The keys of the ships that dock.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    classes = situation.estimator.classes
    waiting = _ships_to_tow(situation, stack, docked)
    tugs = [ship for ship in ships if can_tow(classes[ship.cls], ship)]
    tows: list[Tow] = []
    parties: list[Party] = []
    for tug in sorted(tugs, key=attrgetter("key")):
        rooms = classes[tug.cls].transport_capacities(tug.lost)
        to = next((base for ship, base in waiting if classes[ship.cls].mass <= max(rooms)), "")
        if not to or not week_path(situation, stack, to):
            continue
        towed_ships: list[Ship] = []
        still_waiting: list[tuple[Ship, str]] = []
        masses: list[int] = []
        for ship, base in waiting:
            mass = classes[ship.cls].mass
            if base == to and not without_room([*masses, mass], rooms):
                towed_ships.append(ship)
                masses.append(mass)
            else:
                still_waiting.append((ship, base))
        waiting = still_waiting
        tows.append(Tow(tug.key, tuple(sorted(ship.key for ship in towed_ships))))
        parties.append(Party((tug, *towed_ships), to))
    return tows, parties


def _ships_to_tow(
    situation: Situation, stack: Stack, docked: Container[str]
) -> list[tuple[Ship, str]]:
    """Return the ships of a stack that need a tow and the base for each, most expensive first."""
    classes = situation.estimator.classes
    result: list[tuple[Ship, str]] = []
    for ship in sorted(stack.stuck, key=lambda ship: (-classes[ship.cls].points, ship.key)):
        if not classes[ship.cls].ftl or ship.key in docked:
            continue
        base = base_for_ship(situation, ship, stack.hex)
        if base is not None and base != stack.hex:
            result.append((ship, base))
    return result


@dataclass(slots=True)
class Plan:
    """The plan for all stacks, filled in step by step.

    Attributes:
        parties: Each stack with its parties and their goals.
        docks: The dock orders.
        decides: The decisions towards hostile factions in contact.
        committed: The own strength at each hex or on its way there.
        tows: The tow orders.
    """

    parties: list[tuple[Stack, list[Party]]] = field(default_factory=list)
    docks: list[Dock] = field(default_factory=list)
    decides: list[Decision] = field(default_factory=list)
    committed: dict[str, float] = field(default_factory=dict)
    tows: list[Tow] = field(default_factory=list)

    def commit(self, hex_: str, strength: float) -> None:
        """Add to the own strength committed to a hex."""
        self.committed[hex_] = self.committed.get(hex_, 0.0) + strength


def week_orders(situation: Situation, character: Character, dice: Dice) -> Orders:
    """Return legal orders for the orders stage."""
    plan = Plan()
    free: list[Stack] = []
    for stack in situation.stacks:
        if stack.waiting:
            continue
        if not stack.in_ftl and _stays_in_contact(situation, character, stack, plan, dice):
            plan.commit(stack.hex, situation.own_strength(stack.hex))
        else:
            free.append(stack)
            plan.commit(stack.hex, situation.estimator.total_strength(stack.stuck))
    free.sort(
        key=lambda stack: (
            -situation.estimator.total_strength(stack.movers),
            stack.hex,
            stack.in_ftl,
        ),
    )
    for stack in free:
        parties = _divide(situation, character, stack, plan, dice)
        plan.parties.append((stack, parties))
    return write_orders(situation, StackPlans(plan.parties, plan.docks, plan.decides, plan.tows))


def _stays_in_contact(
    situation: Situation, character: Character, stack: Stack, plan: Plan, dice: Dice
) -> bool:
    """Decide whether a stack in contact with enemies stays, and add its decisions to the plan.

    If it withdraws from one enemy, it withdraws from all.
    """
    enemies = [item.toward for item in situation.view.in_contact if item.hex == stack.hex]
    choices: dict[str, Choice] = {}
    for enemy in enemies:
        choices[enemy] = choose_decision(
            situation, character, hex_=stack.hex, toward=enemy, dice=dice, in_contact=True
        )
    withdraws = "withdraw" in choices.values()
    for enemy, choice in choices.items():
        plan.decides.append(Decision(stack.hex, enemy, "withdraw" if withdraws else choice))
    return bool(enemies) and not withdraws


def _divide(
    situation: Situation, character: Character, stack: Stack, plan: Plan, dice: Dice
) -> list[Party]:
    """Return the parties of a stack that is free to go."""
    must_leave = stack.must_leave or _withdraws(stack, plan)
    ships = list(stack.movers)
    if not must_leave:
        ships = _dock_ships(situation, character, stack, plan)
    docked = {dock.ship for dock in plan.docks}
    fit_ships = [ship for ship in ships if not is_worn_out(situation, character, ship)]
    tows, parties = plan_tows(situation, stack, fit_ships, docked)
    plan.tows.extend(tows)
    parties += _retire_worn_out(situation, character, stack, _unassigned(ships, parties))
    ships = _unassigned(ships, parties)
    system = situation.system_at.get(stack.hex)
    if system is not None and not must_leave:
        staying = choose_garrison(situation, character, system, ships)
        if roll_chance(dice, f"{situation.view.faction}/{stack.hex}/guard", character.guard):
            staying += choose_guards(situation, system, ships, plan.committed[stack.hex])
        staying_keys = {ship.key for ship in staying}
        plan.committed[stack.hex] += situation.estimator.total_strength(
            ship for ship in ships if ship.key in staying_keys
        )
        ships = [ship for ship in ships if ship.key not in staying_keys]
    goals = _GoalChoice(situation, character, stack, plan, dice, must_leave=must_leave)
    return parties + goals.send(ships)


def _withdraws(stack: Stack, plan: Plan) -> bool:
    """Return whether a stack has decided to withdraw from its enemies."""
    if stack.in_ftl:
        return False
    return any(item.hex == stack.hex and item.choice == "withdraw" for item in plan.decides)


def _unassigned(ships: Iterable[Ship], parties: Iterable[Party]) -> list[Ship]:
    """Return the ships that belong to no party."""
    assigned = set()
    for party in parties:
        assigned |= {ship.key for ship in party.ships}
    return [ship for ship in ships if ship.key not in assigned]


def _dock_ships(situation: Situation, character: Character, stack: Stack, plan: Plan) -> list[Ship]:
    """Add a stack's dock orders to the plan and return its movers that do not dock."""
    base = base_here(situation, stack)
    if base is None:
        return list(stack.movers)
    free: list[Ship] = []
    for ship in stack.movers:
        can_go_on = not is_worn_out(situation, character, ship) and len(ship.lost) < 2
        is_too_late = can_go_on and situation.weeks_left < 2
        if needs_dock(situation, ship, base) and not is_too_late:
            plan.docks.append(dock_order(situation, ship, base))
        else:
            free.append(ship)
    for ship in stack.stuck:
        must_dock = is_worn_out(situation, character, ship) or "ftl" in ship.lost
        if not ship.station and must_dock and needs_dock(situation, ship, base):
            plan.docks.append(dock_order(situation, ship, base))
    return free


def _retire_worn_out(
    situation: Situation, character: Character, stack: Stack, ships: Sequence[Ship]
) -> list[Party]:
    """Return parties of worn-out ships on their way to bases that can repair them."""
    bound: dict[str, list[Ship]] = {}
    for ship in ships:
        if is_worn_out(situation, character, ship):
            to = base_for_ship(situation, ship, stack.hex)
            if to is not None and to != stack.hex:
                bound.setdefault(to, []).append(ship)
    return [Party(tuple(bound[to]), to) for to in sorted(bound)]


class _GoalChoice:
    """The choice of goals for the ships of a stack that neither dock nor stay."""

    def __init__(
        self,
        situation: Situation,
        character: Character,
        stack: Stack,
        plan: Plan,
        dice: Dice,
        *,
        must_leave: bool,
    ) -> None:
        self.situation = situation
        self.character = character
        self.stack = stack
        self.plan = plan
        self.dice = dice
        self.must_leave = must_leave
        self._subject = f"{situation.view.faction}/{stack.hex}"  # of the dice

    def send(self, ships: Sequence[Ship]) -> list[Party]:
        """Send ships to goals, divided if a goal needs only a part of them."""
        total_strength = self.situation.estimator.total_strength
        remaining = _strongest_first(self.situation, ships)
        may_divide = self.situation.weeks_left < LATE_WEEKS or roll_chance(
            self.dice, f"{self._subject}/split", self.character.split
        )
        min_detachment = MIN_DETACHMENT_SHARE * total_strength(remaining)
        damaged_ships = [ship for ship in remaining if ship.damage or ship.lost]
        damaged = len(damaged_ships) * 2 > len(remaining)
        parties: dict[str, list[Ship]] = {}
        while remaining:
            strength = total_strength(remaining)
            goal = self._choose_goal(strength, damaged=damaged)
            if goal is None:
                break
            needed = goal.need * SURPLUS_FACTOR
            group = remaining
            if may_divide and strength - needed >= min_detachment > 0:
                group = _enough(self.situation, remaining, needed)
            group_keys = {ship.key for ship in group}
            remaining = [ship for ship in remaining if ship.key not in group_keys]
            self.plan.commit(goal.hex, total_strength(group))
            parties.setdefault(goal.hex, []).extend(group)
        if self.must_leave and remaining:
            parties.setdefault("", []).extend(remaining)
        if not self.must_leave:
            parties.pop(self.stack.hex, None)  # these stay where they are
        return [Party(tuple(members), to) for to, members in sorted(parties.items())]

    def _choose_goal(self, strength: float, *, damaged: bool) -> Prospect | None:
        """Return the best goal for a force of this strength, or by dice one nearly as good."""
        options = rank_goals(
            self.situation,
            self.character,
            strength=strength,
            start=self.stack.hex,
            committed=self.plan.committed,
            must_leave=self.must_leave,
            damaged=damaged,
        )
        if not options:
            return None
        best = options[0]
        if best.score <= 0:
            return best
        is_opening = self.situation.view.week <= 1
        tolerance = OPENING_TOLERANCE if is_opening else GOAL_TOLERANCE
        good = []
        for option in options:
            if option.score >= best.score * tolerance:
                good.append((option.score * option.score, option))
        return choose_weighted(self.dice, f"{self._subject}/goal", good)


def _enough(situation: Situation, ships: Sequence[Ship], needed: float) -> list[Ship]:
    """Return ships that together have the needed strength, and at least one.

    A ship that would exceed it is left out while smaller ones follow.

    Args:
        ships: The ships to choose from, strongest first.
    """
    result: list[Ship] = []
    total = 0.0
    for ship in ships:
        strength = situation.estimator.ship_strength(ship)
        if result and total + strength > needed:
            continue
        result.append(ship)
        total += strength
        if total >= needed:
            break
    return result
