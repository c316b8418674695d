"""The nova cannon: armed by the plot, fired along the bow, its template on the table for three turns.

Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; Continuum "Nova cannon" 7.23 [pc.nova-cannon]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.combat.asteroid_fire import damage_rock
from engine.combat.detection import give_away
from engine.combat.lines import Point
from engine.combat.q_ships import FIRES, uncover
from engine.core.geometry import COURSES, NEAR, distance_to_path
from engine.core.orders import Fire, Plot
from engine.core.ship import BERTHED, FIGHTING, HULK, ShipState
from engine.core.table import Table
from engine.events.fire import NovaArmed, NovaAtRock, NovaFired, NovaMoved, NovaStruck, ShotRefused
from engine.events.mines import MineBurnt
from engine.fighters.craft import lose_craft
from engine.pieces.asteroid import Rock
from engine.pieces.group import Group
from engine.pieces.mine import Mine
from engine.pieces.nova import Nova
from engine.second_edition.damage import mark_damage
from engine.systems.templates import ARMED_AT, FLARES, Flare, burn
from engine.weapons.weapon import Trait

CANNON = Trait.ARMED_BY_PLOT
ALL_POWER = "all its power is in its nova cannon"

# How a template hurts a ship (ship, points, cause); where nobody says, as in the second edition, which checks at once.
Harm = Callable[[ShipState, int, str], None]


def nova_fault(ship: ShipState, plot: Plot) -> str:
    """Why a ship cannot put all its power into its nova cannon: it has none, or the plot asks power for more.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    if not plot.nova:
        return ""
    if ship.status != FIGHTING or not any(ship.alive[place] for place in ship.rig.having.get(CANNON, ())):
        return "it has no working nova cannon"
    if ship.warm:
        return "its FTL drive is about to engage: it cannot arm its nova cannon"
    if replace(plot, nova=False) != Plot():
        return "a ship that arms its nova cannon has no power for anything else: no thrust, no turn, no other order"
    return ""


def arm(table: Table, ship: ShipState) -> None:
    """From its move to the end of the turn a ship has power for its nova cannon alone; its screens are down.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    if ship.cover is not None:
        uncover(table, ship, FIRES)
    ship.arm()
    table.tell(NovaArmed, ship.id)


def may_shoot(ship: ShipState, fire: Fire) -> bool:
    """Whether an armed ship's order is one for a working nova cannon."""
    index = ship.rig.index_of[fire.weapon]
    return CANNON in ship.rig.weapons[index].traits and ship.alive[index] > 0


def fire_nova(table: Table, ship: ShipState, fires: tuple[Fire, ...], harm: Harm | None = None) -> None:
    """An armed ship's firing turn: its first working cannon fires along the bow; it has power for nothing more.

    The template opens 6 MU before the bow and sweeps 18 MU outwards. Rules: 2E "Nova cannon" [2e.nova-cannon]
    """
    state = table.state
    fired = False
    for fire in fires:
        if fired or not may_shoot(ship, fire):
            table.tell(ShotRefused, ship.id, fire.weapon, fire.targets, ALL_POWER)
            continue
        fired = True
        give_away(table, ship)
        flare = FLARES[0]
        path = template_path(ship.x, ship.y, ship.course, ARMED_AT, flare.move)
        number = 1 + sum(nova.age == 1 for nova in state.of(Nova))
        nova = Nova(f"nova-{table.turn}-{number}", ship.side, ship.id, *path[1], ship.course, 1)
        state.pieces.append(nova)
        table.tell(NovaFired, ship.id, fire.weapon, nova.id, path, flare.radius, ship.course)
        _sweep(table, nova, flare, path, harm)


def move_templates(table: Table, harm: Harm | None = None) -> None:
    """The start of the firing part: templates of earlier turns grow, move on and burn; after the third turn they end.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    state = table.state
    for nova in state.of(Nova):
        nova.age += 1
        flare = FLARES[nova.age - 1]
        path = template_path(nova.x, nova.y, nova.course, 0.0, flare.move)
        nova.x, nova.y = path[1]
        table.tell(NovaMoved, nova.id, path, flare.radius, nova.age)
        _sweep(table, nova, flare, path, harm)
    state.remove([nova.id for nova in state.of(Nova) if nova.age >= len(FLARES)])


def template_path(x: float, y: float, course: int, ahead: float, move: float) -> tuple[Point, Point]:
    """What a template's centre runs along: from `ahead` MU before a point, `move` MU further on a course."""
    ux, uy = COURSES[course]
    return (x + ux * ahead, y + uy * ahead), (x + ux * (ahead + move), y + uy * (ahead + move))


def swept(x: float, y: float, path: tuple[Point, Point], radius: float) -> bool:
    """Whether a template touches a point on its way; its rim counts. Rules: 2E "Nova cannon" [2e.nova-cannon]"""
    return distance_to_path(x, y, *path) <= radius + NEAR


def _sweep(table: Table, nova: Nova, flare: Flare, path: tuple[Point, Point], harm: Harm | None) -> None:
    """Whatever the template touches on its way, friend or foe: ships first, all dice in file order, then the damage.

    A drone burns up, whatever the dice. Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """
    state = table.state
    cause = f"nova:{nova.ship}"
    struck: list[tuple[ShipState, int]] = []
    for ship in state.ships:
        if ship.status in (FIGHTING, HULK) and ship.docking != BERTHED and swept(ship.x, ship.y, path, flare.radius):
            thrown = burn(flare, table.dice, f"{nova.ship}>{ship.id}")
            struck.append((ship, ship.sheet.boxes if ship.dummy else sum(thrown)))
            table.tell(NovaStruck, ship.id, nova.ship, nova.id, thrown)
    for ship, points in struck:
        if harm is None:
            mark_damage(table, ship, points, cause, 0)
        else:
            harm(ship, points, cause)
    for group in [group for group in state.of(Group) if swept(group.x, group.y, path, flare.radius)]:
        lose_craft(table, group, group.craft, cause)
    _sweep_bodies(table, nova, flare, path)


def _sweep_bodies(table: Table, nova: Nova, flare: Flare, path: tuple[Point, Point]) -> None:
    """Asteroids that can be broken take damage where the template touches them; mines are gone without going off.

    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]; 2E "Movement of asteroids" [2e.asteroids]
    """
    state = table.state
    for rock in [rock for rock in state.of(Rock) if rock.boxes]:
        if swept(rock.x, rock.y, path, flare.radius + rock.radius):
            thrown = burn(flare, table.dice, f"{nova.ship}>{rock.id}")
            table.tell(NovaAtRock, rock.id, nova.ship, nova.id, thrown)
            damage_rock(table, rock.id, sum(thrown), f"nova:{nova.ship}")
    for mine in [mine for mine in state.of(Mine) if swept(mine.x, mine.y, path, flare.radius)]:
        state.take_off(mine)
        if table.listens:
            table.tell(MineBurnt, mine.id.rsplit("/", 2)[0], mine.id)
