"""What a force leaves behind: ships that go to a base and dock there, and the garrison of a system it took."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.rules.dock_violations import MOST_REPAIRS, base_for, can_repair, still_short
from campaign.rules.orders import Dock
from campaign.rules.scenario import Facility, StarSystem
from campaign.rules.view import Fleet, Ship
from engine.continuum.cores import CORE
from engine.ship_profiles import FIRECONS
from umpire.admirals.character import Character
from umpire.admirals.picture import Picture, Stack
from umpire.admirals.prospects import threat

KEY_SYSTEM = 0.8  # a system so wanted gets a garrison of KEY_TIMES the usual
KEY_TIMES = 4.0
WHOLE_GARRISON = 1.5  # times what a garrison needs: a force not stronger than that stays whole
WEEKS_TO_BASE = 2
DRAWN = 0.5
HALF_OF_THEM = 0.6  # that an enemy who could strike a system will not send everything

# Which lost systems are repaired before those that only fight, by type: what may end the ship, what aims all its
# weapons, what moves it.
FIRST: tuple[tuple[str, ...], ...] = (CORE, FIRECONS, ("drive",), ("ftl",))


def wants_dock(picture: Picture, ship: Ship, base: Facility) -> bool:
    """Whether a base could do anything for a ship."""
    mends = can_repair(base, picture.reckoner.classes[ship.cls]) and bool(ship.damage or ship.lost or ship.laid_up)
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
    """The base at which a stack's ships may dock now; None where there is none, or an enemy is about."""
    if stack.waiting or picture.enemies.get(stack.hex, 0.0) > 0 or not stack.fleets:
        return None
    fleet: Fleet = stack.fleets[0]
    return base_for(picture.scenario, picture.view, fleet)


def worn_out(picture: Picture, character: Character, ship: Ship) -> bool:
    """Whether a ship should leave the line: badly damaged, hit in its core, unable to fight, or laid up.

    Rules: 2E "Repairs" [camp.repairs]
    """
    cls = picture.reckoner.classes[ship.cls]
    if ship.laid_up or any(system in CORE for system in ship.lost):
        return True
    if not cls.weapons:
        return False
    return ship.damage * 100 >= character.retire * cls.damage_points or not picture.reckoner.armed(ship)


def base_for_ship(picture: Picture, ship: Ship, start: str) -> str | None:
    """The hex of the nearest base of our side that can repair a ship in time to be of use; None where there is none."""
    cls = picture.reckoner.classes[ship.cls]
    found: list[tuple[int, str]] = []
    for system in picture.scenario.systems:
        base, known = system.facility, picture.known[system.id]
        if base is None or known.holder not in picture.aims.side or picture.enemies.get(system.hex, 0.0) > 0:
            continue
        weeks = picture.weeks_to(start, system.hex)
        if can_repair(base, cls) and weeks is not None and weeks <= min(WEEKS_TO_BASE, picture.weeks_left - 1):
            found.append((weeks, system.hex))
    return min(found)[1] if found else None


def guard(picture: Picture, system: StarSystem, ships: Sequence[Ship], there: float) -> list[Ship]:
    """The ships, strongest first, that stay to guard a system whose loss would lose the war at once; else none."""
    aims = picture.aims
    if not _ours(picture, system) or aims.without(system.id, picture.superior, at_once=True) >= DRAWN:
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


def garrison(picture: Picture, character: Character, system: StarSystem, ships: Sequence[Ship]) -> list[Ship]:
    """The ships that stay at a system of which their side took superiority, smallest first; none at one of its own.

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
