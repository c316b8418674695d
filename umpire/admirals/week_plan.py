"""Orders for a week: which ships of each stack dock, stay or move, and what tugs tow.

Ships that dock at a base stay behind, and so does the garrison of a captured system. A tug brings
ships without a working FTL drive to a base that can repair them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from campaign.rules.bases import MOST_REPAIRS, base_for, can_repair, remaining_shortages
from campaign.rules.orders import Decision, Dock, Orders, Tow
from campaign.rules.scenario import Facility, StarSystem
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
KEY_GARRISON_FACTOR = 4.0
UNDIVIDED_FACTOR = 1.5  # a force up to this multiple of the garrison stays whole
WEEKS_TO_BASE = 2
DRAWN_SCORE = 0.5
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
    mends = can_repair(base, situation.estimator.classes[ship.cls]) and bool(
        ship.damage or ship.lost or ship.laid_up
    )
    return mends or remaining_shortages(base, ship) != ship.stock


def dock_order(situation: Situation, ship: Ship, base: Facility) -> Dock:
    """Order a ship to dock, repair its most urgent lost systems and replenish its stores.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs]
    """
    lost_systems = ship.lost if can_repair(base, situation.estimator.classes[ship.cls]) else ()
    types = situation.estimator.types(ship.cls) if lost_systems else {}

    def urgency(system: str) -> tuple[int, float, str]:
        """Return a sort key: priority groups first, then by gain in strength, highest first."""
        group = next(
            (n for n, group in enumerate(REPAIR_PRIORITY) if types[system] in group),
            len(REPAIR_PRIORITY),
        )
        return (
            group,
            -situation.estimator.gain(ship, system) if group == len(REPAIR_PRIORITY) else 0.0,
            system,
        )

    first = sorted(lost_systems, key=urgency)[:MOST_REPAIRS]
    return Dock(ship.key, tuple(sorted(first)), base.replenishes and bool(ship.stock))


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
    return (
        ship.damage * 100 >= character.retire * cls.damage_points
        or not situation.estimator.is_armed(ship)
    )


def base_for_ship(situation: Situation, ship: Ship, start: str) -> str | None:
    """Return the hex of the side's nearest base that can repair a ship in time, or None."""
    cls = situation.estimator.classes[ship.cls]
    result: list[tuple[int, str]] = []
    for system in situation.scenario.systems:
        base, system_view = system.facility, situation.system_views[system.id]
        if (
            base is None
            or system_view.holder not in situation.aims.side
            or situation.enemies.get(system.hex, 0.0) > 0
        ):
            continue
        weeks = situation.weeks_to(start, system.hex)
        if (
            can_repair(base, cls)
            and weeks is not None
            and weeks <= min(WEEKS_TO_BASE, situation.weeks_left - 1)
        ):
            result.append((weeks, system.hex))
    if result:
        return min(result)[1]
    return None


def choose_guards(
    situation: Situation, system: StarSystem, ships: Sequence[Ship], there: float
) -> list[Ship]:
    """Return the ships that stay to guard a system whose loss would lose the war at once.

    The strongest ships are chosen first. Other systems get no guards.

    Args:
        there: The own strength that stays in any case.
    """
    aims = situation.aims
    if (
        not _is_ours(situation, system)
        or aims.score_without(system.id, situation.superior, at_once=True) >= DRAWN_SCORE
    ):
        return []
    needed = find_threat(situation, system)[1] * EXPECTED_ENEMY_SHARE - there
    guards: list[Ship] = []
    for ship in sorted(
        ships, key=lambda ship: (-situation.estimator.ship_strength(ship), ship.key)
    ):
        if needed <= 0:
            break
        guards.append(ship)
        needed -= situation.estimator.ship_strength(ship)
    return guards


def _is_ours(situation: Situation, system: StarSystem) -> bool:
    system_view = situation.system_views[system.id]
    return (
        system_view.superior if system_view.superior is not None else system_view.holder
    ) in situation.aims.side


def choose_garrison(
    situation: Situation, character: Character, system: StarSystem, ships: Sequence[Ship]
) -> list[Ship]:
    """Return the ships that stay at a captured system, smallest first.

    Systems that belong to the side from the start get no garrison.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    system_view = situation.system_views[system.id]
    aims = situation.aims
    if (
        system_view.superior not in aims.side
        or system.owner in aims.side
        or aims.want[system.id] < 0.1
    ):
        return []
    if aims.want[system.id] >= KEY_SYSTEM_WANT:
        times = KEY_GARRISON_FACTOR
    else:
        times = 1.0
    needed = situation.mobile * character.garrison / 100 * times
    if situation.estimator.total_strength(ships) <= needed * UNDIVIDED_FACTOR:
        return list(ships)
    staying: list[Ship] = []
    have = 0.0
    for ship in sorted(ships, key=lambda ship: (situation.estimator.ship_strength(ship), ship.key)):
        if have >= needed and staying:
            break
        if situation.estimator.is_armed(ship):
            staying.append(ship)
            have += situation.estimator.ship_strength(ship)
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
    waiting: list[tuple[Ship, str]] = []
    for ship in sorted(stack.stuck, key=lambda ship: (-classes[ship.cls].points, ship.key)):
        base = base_for_ship(situation, ship, stack.hex)
        if (
            base is not None
            and base != stack.hex
            and classes[ship.cls].ftl
            and ship.key not in docked
        ):
            waiting.append((ship, base))
    tows: list[Tow] = []
    parties: list[Party] = []
    for tug in sorted(
        (ship for ship in ships if can_tow(classes[ship.cls], ship)), key=lambda ship: ship.key
    ):
        rooms, masses = classes[tug.cls].transport_capacities(tug.lost), list[int]()
        to = next((base for ship, base in waiting if classes[ship.cls].mass <= max(rooms)), "")
        if not to or not week_path(situation, stack, to):
            continue
        towed_ships = []
        for ship, base in waiting:
            if base == to and not without_room([*masses, classes[ship.cls].mass], rooms):
                towed_ships.append(ship)
                masses.append(classes[ship.cls].mass)
        waiting = [(ship, base) for ship, base in waiting if ship not in towed_ships]
        tows.append(Tow(tug.key, tuple(sorted(ship.key for ship in towed_ships))))
        parties.append(Party((tug, *towed_ships), to))
    return tows, parties


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

    parties: list[tuple[Stack, list[Party]]]
    docks: list[Dock]
    decides: list[Decision]
    committed: dict[str, float]
    tows: list[Tow]


def week_orders(situation: Situation, character: Character, dice: Dice) -> Orders:
    """Return legal orders for the orders stage."""
    plan = Plan([], [], [], {}, [])
    free: list[Stack] = []
    for stack in situation.stacks:
        if stack.waiting:
            continue
        if not stack.in_ftl and _stays_in_contact(situation, character, stack, plan, dice):
            plan.committed[stack.hex] = plan.committed.get(stack.hex, 0.0) + situation.own_strength(
                stack.hex
            )
        else:
            free.append(stack)
            plan.committed[stack.hex] = plan.committed.get(
                stack.hex, 0.0
            ) + situation.estimator.total_strength(stack.stuck)
    strongest = sorted(
        free,
        key=lambda stack: (
            -situation.estimator.total_strength(stack.movers),
            stack.hex,
            stack.in_ftl,
        ),
    )
    for stack in strongest:
        parties = _divide(situation, character, stack, plan, dice)
        plan.parties.append((stack, parties))
    return write_orders(situation, StackPlans(plan.parties, plan.docks, plan.decides, plan.tows))


def _stays_in_contact(
    situation: Situation, character: Character, stack: Stack, plan: Plan, dice: Dice
) -> bool:
    """Decide whether a stack in contact with enemies stays, and add its decisions to the plan.

    If it withdraws from one enemy, it withdraws from all.
    """
    touching = []
    for touch in situation.view.in_contact:
        if touch.hex == stack.hex:
            touching.append(touch.toward)
    if not touching:
        return False
    choices = []
    for toward in touching:
        choices.append(choose_decision(situation, character, stack.hex, toward, dice, again=True))
    leaves = "withdraw" in choices
    for toward, choice in zip(touching, choices, strict=True):
        plan.decides.append(Decision(stack.hex, toward, "withdraw" if leaves else choice))
    return not leaves


def _divide(
    situation: Situation, character: Character, stack: Stack, plan: Plan, dice: Dice
) -> list[Party]:
    """Return the parties of a stack that is free to go."""
    withdraws = (
        any(item.hex == stack.hex and item.choice == "withdraw" for item in plan.decides)
        and not stack.in_ftl
    )
    must_leave = stack.must_leave or withdraws
    ships = list(stack.movers)
    if not must_leave:
        ships = _dock_ships(situation, character, stack, ships, plan)
    docked = {dock.ship for dock in plan.docks}
    tows, parties = plan_tows(
        situation,
        stack,
        [ship for ship in ships if not is_worn_out(situation, character, ship)],
        docked,
    )
    plan.tows.extend(tows)
    assigned = set()
    for party in parties:
        for ship in party.ships:
            assigned.add(ship.key)
    ships = [ship for ship in ships if ship.key not in assigned]
    parties += _retire_worn_out(situation, character, stack, ships)
    assigned = set()
    for party in parties:
        for ship in party.ships:
            assigned.add(ship.key)
    ships = [ship for ship in ships if ship.key not in assigned]
    system = situation.system_at.get(stack.hex)
    if system is not None and not must_leave:
        guards = {ship.key for ship in choose_garrison(situation, character, system, ships)}
        if roll_chance(dice, f"{situation.view.faction}/{stack.hex}/guard", character.guard):
            guards.update(
                ship.key
                for ship in choose_guards(situation, system, ships, plan.committed[stack.hex])
            )
        plan.committed[stack.hex] += situation.estimator.total_strength(
            ship for ship in ships if ship.key in guards
        )
        ships = [ship for ship in ships if ship.key not in guards]
    parties += _send(situation, character, stack, ships, must_leave, plan, dice)
    return parties


def _dock_ships(
    situation: Situation, character: Character, stack: Stack, movers: list[Ship], plan: Plan
) -> list[Ship]:
    """Add dock orders to the plan and return the movers that do not dock."""
    base = base_here(situation, stack)
    if base is None:
        return movers
    free: list[Ship] = []
    for ship in movers:
        lightly = not is_worn_out(situation, character, ship) and len(ship.lost) < 2
        if needs_dock(situation, ship, base) and not (lightly and situation.weeks_left < 2):
            plan.docks.append(dock_order(situation, ship, base))
        else:
            free.append(ship)
    for ship in stack.stuck:
        if needs_dock(situation, ship, base) and (
            is_worn_out(situation, character, ship) or "ftl" in ship.lost
        ):
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


def _send(
    situation: Situation,
    character: Character,
    stack: Stack,
    ships: Sequence[Ship],
    must_leave: bool,
    plan: Plan,
    dice: Dice,
) -> list[Party]:
    """Send the remaining ships of a stack to goals, divided if a goal needs only a part of them."""
    remaining = sorted(ships, key=lambda ship: (-situation.estimator.ship_strength(ship), ship.key))
    subject = f"{situation.view.faction}/{stack.hex}"
    late = situation.weeks_left < LATE_WEEKS
    divides = late or roll_chance(dice, f"{subject}/split", character.split)
    total_strength = situation.estimator.total_strength(remaining)
    damaged = sum(bool(ship.damage or ship.lost) for ship in remaining) * 2 > len(remaining)
    parties: dict[str, list[Ship]] = {}
    while remaining:
        strength = situation.estimator.total_strength(remaining)
        options = rank_goals(
            situation,
            character,
            strength,
            stack.hex,
            plan.committed,
            must_leave=must_leave,
            damaged=damaged,
        )
        goal = _goal(
            options,
            OPENING_TOLERANCE if situation.view.week <= 1 else GOAL_TOLERANCE,
            subject,
            dice,
        )
        if goal is None:
            break
        group = remaining
        if (
            divides
            and strength - goal.need * SURPLUS_FACTOR >= MIN_DETACHMENT_SHARE * total_strength > 0
        ):
            group = _enough(situation, remaining, goal.need * SURPLUS_FACTOR)
        sent_keys = {ship.key for ship in group}
        remaining = [ship for ship in remaining if ship.key not in sent_keys]
        plan.committed[goal.hex] = plan.committed.get(
            goal.hex, 0.0
        ) + situation.estimator.total_strength(group)
        parties.setdefault(goal.hex, []).extend(group)
    if must_leave and remaining:
        parties.setdefault("", []).extend(remaining)
    result: list[Party] = []
    for to, members in sorted(parties.items()):
        if to != stack.hex or must_leave:
            result.append(Party(tuple(members), to))
    return result


def _goal(options: Sequence[Prospect], nearly: float, subject: str, dice: Dice) -> Prospect | None:
    """Return the best goal, or by dice one nearly as good."""
    if not options:
        return None
    best = options[0]
    if best.score <= 0:
        return best
    good = []
    for option in options:
        if option.score >= best.score * nearly:
            good.append((option.score**2, option))
    return choose_weighted(dice, f"{subject}/goal", good)


def _enough(situation: Situation, ships: Sequence[Ship], strength: float) -> list[Ship]:
    """Return enough of the ships for a strength, strongest first, and at least one."""
    result: list[Ship] = []
    have = 0.0
    for ship in ships:
        if result and have + situation.estimator.ship_strength(ship) > strength:
            continue
        result.append(ship)
        have += situation.estimator.ship_strength(ship)
        if have >= strength:
            break
    return result
