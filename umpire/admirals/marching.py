"""The orders of a week: every stack divided into what docks, what stays and what goes where; tugs
sent to work.

What stays behind are ships that go to a base and dock there, and the garrison of a system it took.
A tug brings ships that lost their FTL drive to a base that can repair them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from campaign.rules.bases import MOST_REPAIRS, base_for, can_repair, still_short
from campaign.rules.orders import Decide, Dock, Orders, Tow
from campaign.rules.scenario import Facility, StarSystem
from campaign.rules.towing import can_tow
from campaign.rules.view import Fleet, Ship
from engine.continuum.cores import CORE
from engine.core.dice import Dice
from engine.core.transport import left_out
from engine.ship_profiles import FIRECONS
from umpire.admirals.character import Character, happens, one_of
from umpire.admirals.choosing import choose
from umpire.admirals.forming import Going, Party, leg, written
from umpire.admirals.picture import Picture, Stack
from umpire.admirals.prospects import Prospect, prospects, threat

KEY_SYSTEM = 0.8  # a system so wanted gets a garrison of KEY_TIMES the usual
KEY_TIMES = 4.0
WHOLE_GARRISON = 1.5  # times what a garrison needs: a force not stronger than that stays whole
WEEKS_TO_BASE = 2
DRAWN = 0.5
HALF_OF_THEM = 0.6  # that an enemy who could strike a system will not send everything

# Which lost systems are repaired before those that only fight, by type: what may end the ship, what aims all its
# weapons, what moves it.
FIRST: tuple[tuple[str, ...], ...] = (CORE, FIRECONS, ("drive",), ("ftl",))

NEARLY_AS_GOOD = 0.8  # of the best goal's promise; among such the dice choose
OPENING = 0.6  # the same in the first week, when nobody can know what an admiral is about
WORTH_SENDING = 0.12  # of a force: less is not sent away alone
LATE_WEEKS = 2  # before the end, when every force may be divided
ENOUGH = 1.1  # of what a goal needs, when a force is divided


def wants_dock(picture: Picture, ship: Ship, base: Facility) -> bool:
    """Whether a base could do anything for a ship."""
    mends = can_repair(base, picture.reckoner.classes[ship.cls]) and bool(
        ship.damage or ship.lost or ship.laid_up
    )
    return mends or still_short(base, ship) != ship.stock


def dock(picture: Picture, ship: Ship, base: Facility) -> Dock:
    """A ship's dock orders: the most urgent lost systems, and everything it has used up.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs]
    """
    wanted = ship.lost if can_repair(base, picture.reckoner.classes[ship.cls]) else ()
    types = picture.reckoner.types(ship.cls) if wanted else {}

    def urgency(system: str) -> tuple[int, float, str]:
        """The place of its type; then what the ship would be worth more with it, the most first."""
        group = next((n for n, group in enumerate(FIRST) if types[system] in group), len(FIRST))
        return group, -picture.reckoner.gain(ship, system) if group == len(FIRST) else 0.0, system

    first = sorted(wanted, key=urgency)[:MOST_REPAIRS]
    return Dock(ship.key, tuple(sorted(first)), base.replenishes and bool(ship.stock))


def base_here(picture: Picture, stack: Stack) -> Facility | None:
    """The base at which a stack's ships may dock now; None where there is none, or an enemy is
    about.
    """
    if stack.waiting or picture.enemies.get(stack.hex, 0.0) > 0 or not stack.fleets:
        return None
    fleet: Fleet = stack.fleets[0]
    return base_for(picture.scenario, picture.view, fleet)


def worn_out(picture: Picture, character: Character, ship: Ship) -> bool:
    """Whether a ship should leave the line: badly damaged, hit in its core, unable to fight, or
    laid up.

    Rules: 2E "Repairs" [camp.repairs]
    """
    cls = picture.reckoner.classes[ship.cls]
    if ship.laid_up or any(system in CORE for system in ship.lost):
        return True
    if not cls.weapons:
        return False
    return ship.damage * 100 >= character.retire * cls.damage_points or not picture.reckoner.armed(
        ship
    )


def base_for_ship(picture: Picture, ship: Ship, start: str) -> str | None:
    """The hex of the nearest base of the admiral's side that can repair a ship in time to be of
    use; None where there is none.
    """
    cls = picture.reckoner.classes[ship.cls]
    found: list[tuple[int, str]] = []
    for system in picture.scenario.systems:
        base, known = system.facility, picture.known[system.id]
        if (
            base is None
            or known.holder not in picture.aims.side
            or picture.enemies.get(system.hex, 0.0) > 0
        ):
            continue
        weeks = picture.weeks_to(start, system.hex)
        if (
            can_repair(base, cls)
            and weeks is not None
            and weeks <= min(WEEKS_TO_BASE, picture.weeks_left - 1)
        ):
            found.append((weeks, system.hex))
    return min(found)[1] if found else None


def guard(picture: Picture, system: StarSystem, ships: Sequence[Ship], there: float) -> list[Ship]:
    """The ships, strongest first, that stay to guard a system whose loss would lose the war at
    once; else none.
    """
    aims = picture.aims
    if (
        not _ours(picture, system)
        or aims.without(system.id, picture.superior, at_once=True) >= DRAWN
    ):
        return []
    wanted = threat(picture, system)[1] * HALF_OF_THEM - there
    kept: list[Ship] = []
    for ship in sorted(ships, key=lambda ship: (-picture.reckoner.ship(ship), ship.key)):
        if wanted <= 0:
            break
        kept.append(ship)
        wanted -= picture.reckoner.ship(ship)
    return kept


def _ours(picture: Picture, system: StarSystem) -> bool:
    known = picture.known[system.id]
    return (known.superior if known.superior is not None else known.holder) in picture.aims.side


def garrison(
    picture: Picture, character: Character, system: StarSystem, ships: Sequence[Ship]
) -> list[Ship]:
    """The ships that stay at a system of which their side took superiority, smallest first; none at
    one of its own.

    Rules: 2E "Campaign set-up" [camp.superiority]
    """
    known = picture.known[system.id]
    aims = picture.aims
    if known.superior not in aims.side or system.owner in aims.side or aims.want[system.id] < 0.1:
        return []
    times = KEY_TIMES if aims.want[system.id] >= KEY_SYSTEM else 1.0
    wanted = picture.mobile * character.garrison / 100 * times
    if picture.reckoner.ships(ships) <= wanted * WHOLE_GARRISON:
        return list(ships)
    left: list[Ship] = []
    have = 0.0
    for ship in sorted(ships, key=lambda ship: (picture.reckoner.ship(ship), ship.key)):
        if have >= wanted and left:
            break
        if picture.reckoner.armed(ship):
            left.append(ship)
            have += picture.reckoner.ship(ship)
    return left


def towed(
    picture: Picture, stack: Stack, ships: Sequence[Ship], docked: Container[str]
) -> tuple[list[Tow], list[Party]]:
    """The tows of a stack and the parties they form: each tug takes what it can carry to one base,
    the dearest first.

    `ships`: those that are free to go; `docked`: the keys of those that dock. Ships built without
    FTL stay where they are: they are posted there.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    classes = picture.reckoner.classes
    waiting: list[tuple[Ship, str]] = []
    for ship in sorted(stack.stuck, key=lambda ship: (-classes[ship.cls].points, ship.key)):
        base = base_for_ship(picture, ship, stack.hex)
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
        rooms, taken = classes[tug.cls].rooms(tug.lost), list[int]()
        to = next((base for ship, base in waiting if classes[ship.cls].mass <= max(rooms)), "")
        if not to or not leg(picture, stack, to):
            continue
        crew = []
        for ship, base in waiting:
            if base == to and not left_out([*taken, classes[ship.cls].mass], rooms):
                crew.append(ship)
                taken.append(classes[ship.cls].mass)
        waiting = [(ship, base) for ship, base in waiting if ship not in crew]
        tows.append(Tow(tug.key, tuple(sorted(ship.key for ship in crew))))
        parties.append(Party((tug, *crew), to))
    return tows, parties


@dataclass(slots=True)
class Plan:
    """The plan for the stacks: parties with their goals, docks, choices, tows; `committed`: own
    strength by hex.
    """

    parties: list[tuple[Stack, list[Party]]]
    docks: list[Dock]
    decides: list[Decide]
    committed: dict[str, float]
    tows: list[Tow]


def week_orders(picture: Picture, character: Character, dice: Dice) -> Orders:
    """Lawful orders for the stage of orders."""
    plan = Plan([], [], [], {}, [])
    free: list[Stack] = []
    for stack in picture.stacks:
        if stack.waiting:
            continue
        if not stack.in_ftl and _bound(picture, character, stack, plan, dice):
            plan.committed[stack.hex] = plan.committed.get(stack.hex, 0.0) + picture.own_strength(
                stack.hex
            )
        else:
            free.append(stack)
            plan.committed[stack.hex] = plan.committed.get(stack.hex, 0.0) + picture.reckoner.ships(
                stack.stuck
            )
    strongest = sorted(
        free, key=lambda stack: (-picture.reckoner.ships(stack.movers), stack.hex, stack.in_ftl)
    )
    for stack in strongest:
        parties = _divided(picture, character, stack, plan, dice)
        plan.parties.append((stack, parties))
    return written(picture, Going(plan.parties, plan.docks, plan.decides, plan.tows))


def _bound(picture: Picture, character: Character, stack: Stack, plan: Plan, dice: Dice) -> bool:
    """Whether a stack in contact with an enemy stays for it; its choices are noted.

    One choice serves toward all.
    """
    touching = [touch.toward for touch in picture.view.in_contact if touch.hex == stack.hex]
    if not touching:
        return False
    choices = [
        choose(picture, character, stack.hex, toward, dice, again=True) for toward in touching
    ]
    leaves = "withdraw" in choices
    for toward, choice in zip(touching, choices, strict=True):
        plan.decides.append(Decide(stack.hex, toward, "withdraw" if leaves else choice))
    return not leaves


def _divided(
    picture: Picture, character: Character, stack: Stack, plan: Plan, dice: Dice
) -> list[Party]:
    """The parties of a stack that is free to go."""
    withdraws = (
        any(item.hex == stack.hex and item.choice == "withdraw" for item in plan.decides)
        and not stack.in_ftl
    )
    must_leave = stack.must_leave or withdraws
    ships = list(stack.movers)
    if not must_leave:
        ships = _docked(picture, character, stack, ships, plan)
    docked = {dock.ship for dock in plan.docks}
    tows, parties = towed(
        picture, stack, [ship for ship in ships if not worn_out(picture, character, ship)], docked
    )
    plan.tows.extend(tows)
    gone = {ship.key for party in parties for ship in party.ships}
    ships = [ship for ship in ships if ship.key not in gone]
    parties += _retired(picture, character, stack, ships)
    gone = {ship.key for party in parties for ship in party.ships}
    ships = [ship for ship in ships if ship.key not in gone]
    system = picture.system_at.get(stack.hex)
    if system is not None and not must_leave:
        left = {ship.key for ship in garrison(picture, character, system, ships)}
        if happens(dice, f"{picture.view.faction}/{stack.hex}/guard", character.guard):
            left.update(
                ship.key for ship in guard(picture, system, ships, plan.committed[stack.hex])
            )
        plan.committed[stack.hex] += picture.reckoner.ships(
            ship for ship in ships if ship.key in left
        )
        ships = [ship for ship in ships if ship.key not in left]
    parties += _sent(picture, character, stack, ships, must_leave, plan, dice)
    return parties


def _docked(
    picture: Picture, character: Character, stack: Stack, movers: list[Ship], plan: Plan
) -> list[Ship]:
    """The movers that do not dock; dock orders are noted for those that do and for ships bound to
    the system.
    """
    base = base_here(picture, stack)
    if base is None:
        return movers
    free: list[Ship] = []
    for ship in movers:
        lightly = not worn_out(picture, character, ship) and len(ship.lost) < 2
        if wants_dock(picture, ship, base) and not (lightly and picture.weeks_left < 2):
            plan.docks.append(dock(picture, ship, base))
        else:
            free.append(ship)
    for ship in stack.stuck:
        if wants_dock(picture, ship, base) and (
            worn_out(picture, character, ship) or "ftl" in ship.lost
        ):
            plan.docks.append(dock(picture, ship, base))
    return free


def _retired(
    picture: Picture, character: Character, stack: Stack, ships: Sequence[Ship]
) -> list[Party]:
    """Parties of worn out ships on their way to bases that can repair them."""
    bound: dict[str, list[Ship]] = {}
    for ship in ships:
        if worn_out(picture, character, ship):
            to = base_for_ship(picture, ship, stack.hex)
            if to is not None and to != stack.hex:
                bound.setdefault(to, []).append(ship)
    return [Party(tuple(bound[to]), to) for to in sorted(bound)]


def _sent(
    picture: Picture,
    character: Character,
    stack: Stack,
    ships: Sequence[Ship],
    must_leave: bool,
    plan: Plan,
    dice: Dice,
) -> list[Party]:
    """Where the rest of a stack goes: whole, or divided where one goal needs only a part of it."""
    left = sorted(ships, key=lambda ship: (-picture.reckoner.ship(ship), ship.key))
    subject = f"{picture.view.faction}/{stack.hex}"
    late = picture.weeks_left < LATE_WEEKS
    divides = late or happens(dice, f"{subject}/split", character.split)
    whole = picture.reckoner.ships(left)
    damaged = sum(bool(ship.damage or ship.lost) for ship in left) * 2 > len(left)
    parties: dict[str, list[Ship]] = {}
    while left:
        strength = picture.reckoner.ships(left)
        options = prospects(
            picture,
            character,
            strength,
            stack.hex,
            plan.committed,
            must_leave=must_leave,
            damaged=damaged,
        )
        goal = _goal(options, OPENING if picture.view.week <= 1 else NEARLY_AS_GOOD, subject, dice)
        if goal is None:
            break
        goes = left
        if divides and strength - goal.need * ENOUGH >= WORTH_SENDING * whole > 0:
            goes = _enough(picture, left, goal.need * ENOUGH)
        taken = {ship.key for ship in goes}
        left = [ship for ship in left if ship.key not in taken]
        plan.committed[goal.hex] = plan.committed.get(goal.hex, 0.0) + picture.reckoner.ships(goes)
        parties.setdefault(goal.hex, []).extend(goes)
    if must_leave and left:
        parties.setdefault("", []).extend(left)
    return [
        Party(tuple(crew), to)
        for to, crew in sorted(parties.items())
        if to != stack.hex or must_leave
    ]


def _goal(options: Sequence[Prospect], nearly: float, subject: str, dice: Dice) -> Prospect | None:
    """The best goal, or by the dice one nearly as good."""
    if not options:
        return None
    best = options[0]
    if best.score <= 0:
        return best
    good = [(one.score**2, one) for one in options if one.score >= best.score * nearly]
    return one_of(dice, f"{subject}/goal", good)


def _enough(picture: Picture, ships: Sequence[Ship], strength: float) -> list[Ship]:
    """The part of the ships, strongest first, that comes to so much strength: at least one."""
    found: list[Ship] = []
    have = 0.0
    for ship in ships:
        if found and have + picture.reckoner.ship(ship) > strength:
            continue
        found.append(ship)
        have += picture.reckoner.ship(ship)
        if have >= strength:
            break
    return found
