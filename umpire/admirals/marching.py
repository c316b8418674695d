"""The orders of a week: every stack divided into what docks, what stays and what goes where; tugs sent to work.

A tug brings ships that lost their FTL drive to a base that can repair them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from campaign.rules.orders import Decide, Dock, Orders, Tow
from campaign.rules.towing import can_tow
from campaign.rules.view import Ship
from engine.core.dice import Dice
from umpire.admirals.character import Character, happens, one_of
from umpire.admirals.choosing import choose
from umpire.admirals.forming import Going, Party, leg, written
from umpire.admirals.keeping import base_for_ship, base_here, dock, garrison, guard, wants_dock, worn_out
from umpire.admirals.picture import Picture, Stack
from umpire.admirals.prospects import Prospect, prospects

NEARLY_AS_GOOD = 0.8  # of the best goal's promise; among such the dice choose
OPENING = 0.6  # the same in the first week, when nobody can know what an admiral is about
WORTH_SENDING = 0.12  # of a force: less is not sent away alone
LATE_WEEKS = 2  # before the end, when every force may be divided
ENOUGH = 1.1  # of what a goal needs, when a force is divided


def towed(
    picture: Picture, stack: Stack, ships: Sequence[Ship], docked: Container[str]
) -> tuple[list[Tow], list[Party]]:
    """The tows of a stack and the parties they form: each tug takes what it can carry to one base, the dearest first.

    `ships`: those that are free to go; `docked`: the keys of those that dock. Ships built without FTL stay where they
    are: they are posted there.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    classes = picture.reckoner.classes
    waiting: list[tuple[Ship, str]] = []
    for ship in sorted(stack.stuck, key=lambda ship: (-classes[ship.cls].points, ship.key)):
        base = base_for_ship(picture, ship, stack.hex)
        if base is not None and base != stack.hex and classes[ship.cls].ftl and ship.key not in docked:
            waiting.append((ship, base))
    tows: list[Tow] = []
    parties: list[Party] = []
    for tug in sorted((ship for ship in ships if can_tow(classes[ship.cls], ship)), key=lambda ship: ship.key):
        room = classes[tug.cls].mass
        to = next((base for ship, base in waiting if classes[ship.cls].mass <= room), "")
        if not to or not leg(picture, stack, to):
            continue
        crew = []
        for ship, base in waiting:
            if base == to and classes[ship.cls].mass <= room:
                crew.append(ship)
                room -= classes[ship.cls].mass
        waiting = [(ship, base) for ship, base in waiting if ship not in crew]
        tows.append(Tow(tug.key, tuple(sorted(ship.key for ship in crew))))
        parties.append(Party((tug, *crew), to))
    return tows, parties


@dataclass(slots=True)
class Plan:
    """What becomes of the stacks: parties with their goals, docks, choices, tows; `committed`: own strength by hex."""

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
            plan.committed[stack.hex] = plan.committed.get(stack.hex, 0.0) + picture.own_strength(stack.hex)
        else:
            free.append(stack)
            plan.committed[stack.hex] = plan.committed.get(stack.hex, 0.0) + picture.reckoner.ships(stack.stuck)
    strongest = sorted(free, key=lambda stack: (-picture.reckoner.ships(stack.movers), stack.hex, stack.in_ftl))
    for stack in strongest:
        parties = _divided(picture, character, stack, plan, dice)
        plan.parties.append((stack, parties))
    return written(picture, Going(plan.parties, plan.docks, plan.decides, plan.tows))


def _bound(picture: Picture, character: Character, stack: Stack, plan: Plan, dice: Dice) -> bool:
    """Whether a stack in contact with an enemy stays for it; its choices are noted. One choice serves toward all."""
    touching = [touch.toward for touch in picture.view.in_contact if touch.hex == stack.hex]
    if not touching:
        return False
    choices = [choose(picture, character, stack.hex, toward, dice, again=True) for toward in touching]
    leaves = "withdraw" in choices
    for toward, choice in zip(touching, choices, strict=True):
        plan.decides.append(Decide(stack.hex, toward, "withdraw" if leaves else choice))
    return not leaves


def _divided(picture: Picture, character: Character, stack: Stack, plan: Plan, dice: Dice) -> list[Party]:
    """The parties of a stack that is free to go."""
    withdraws = any(item.hex == stack.hex and item.choice == "withdraw" for item in plan.decides) and not stack.in_ftl
    must_leave = stack.must_leave or withdraws
    ships = list(stack.movers)
    if not must_leave:
        ships = _docked(picture, character, stack, ships, plan)
    docked = {dock.ship for dock in plan.docks}
    tows, parties = towed(picture, stack, [ship for ship in ships if not worn_out(picture, character, ship)], docked)
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
            left.update(ship.key for ship in guard(picture, system, ships, plan.committed[stack.hex]))
        plan.committed[stack.hex] += picture.reckoner.ships(ship for ship in ships if ship.key in left)
        ships = [ship for ship in ships if ship.key not in left]
    parties += _sent(picture, character, stack, ships, must_leave, plan, dice)
    return parties


def _docked(picture: Picture, character: Character, stack: Stack, movers: list[Ship], plan: Plan) -> list[Ship]:
    """The movers that do not dock; dock orders are noted for those that do and for ships bound to the system."""
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
        if wants_dock(picture, ship, base) and (worn_out(picture, character, ship) or "ftl" in ship.lost):
            plan.docks.append(dock(picture, ship, base))
    return free


def _retired(picture: Picture, character: Character, stack: Stack, ships: Sequence[Ship]) -> list[Party]:
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
            picture, character, strength, stack.hex, plan.committed, must_leave=must_leave, damaged=damaged
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
    return [Party(tuple(crew), to) for to, crew in sorted(parties.items()) if to != stack.hex or must_leave]


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
